//! The column of text: what the chapter is about, its steps beside the stage's, and what is folded below.

use leptos::prelude::*;

use super::after_paint::AfterPaint;
use super::folded::Folded;
use super::{page, player};
use crate::text::chapter_name;

/// The column.
#[component]
pub(super) fn Chapter() -> impl IntoView {
    let page = page();
    let player = player();
    let step = move |index: usize| {
        let current = move || page.step.get() == index;
        view! {
            <li class:now=current>
                <button
                    type="button"
                    aria-current=move || current().then_some("step")
                    on:click=move |_| player.go(index)
                >
                    {move || page.step_text(index)}
                </button>
            </li>
        }
    };
    view! {
        <section class="chapter">
            <p class="eyebrow">
                {move || {
                    let scene = page.scene.get();
                    let number = (page.text().chapter)(scene.chapter());
                    format!("{number} · {}", chapter_name(scene, page.language.get()))
                }}
            </p>
            <h1>{move || page.chapter().heading}</h1>
            <p class="lead">{move || page.chapter().lead}</p>
            <AfterPaint>
                <Show when=move || page.chapter_come().is_some()>
                    <ol class="steps">{move || (0..page.scene.get().steps().len()).map(step).collect_view()}</ol>
                    <div class="takeaways">
                        <h2>{move || page.text().takeaways_heading}</h2>
                        <ul>
                            {(0..3).map(|index| view! { <li>{move || page.chapter().takeaways[index]}</li> }).collect_view()}
                        </ul>
                    </div>
                    <Folded name="worked" title=|text| text.worked content=|later| (later.calculation)() />
                    <Folded name="exercise" title=|text| text.exercise content=|later| (later.question)() />
                    <Folded name="details" title=|text| text.details content=|later| (later.details)() />
                </Show>
            </AfterPaint>
        </section>
    }
}
