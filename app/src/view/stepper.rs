//! The stepper under the stage: one step back and on, play, and the bar of segments to jump anywhere.

use leptos::prelude::*;

use super::{page, player};

/// The stepper.
#[component]
pub(super) fn Stepper() -> impl IntoView {
    let page = page();
    let player = player();
    let step = move || page.step.get();
    view! {
        <div class="stepper">
            <button
                type="button"
                class="round"
                data-testid="previous"
                aria-label=move || page.text().previous
                disabled=move || step() == 0
                on:click=move |_| player.back()
            >
                "‹"
            </button>
            <button type="button" class="strong play" data-testid="play" on:click=move |_| player.toggle()>
                <span aria-hidden="true">{move || if page.playing.get() { "❚❚ " } else { "▶ " }}</span>
                {move || if page.playing.get() { page.text().pause } else { page.text().play }}
            </button>
            <button
                type="button"
                class="round"
                data-testid="next"
                aria-label=move || page.text().next
                disabled=move || step() + 1 == player.steps()
                on:click=move |_| player.forward()
            >
                "›"
            </button>
            <div class="segments" role="group" aria-label=move || page.text().steps>
                {move || {
                    let names = page.scene.get().steps();
                    let segment = |(index, name)| view! { <Segment index=index name=name /> };
                    names.iter().copied().enumerate().map(segment).collect_view()
                }}
            </div>
            <span class="step-name" data-testid="step">
                {move || format!("{} / {} · {}", step() + 1, player.steps(), page.chapter().step_name(step()))}
            </span>
        </div>
    }
}

/// One segment of the bar: filled as far as its step has come.
#[component]
fn Segment(index: usize, name: &'static str) -> impl IntoView {
    let page = page();
    let player = player();
    // Only the segment of the present step follows it moment by moment.
    let within = Memo::new(move |_| {
        let moment = if page.step.get() == index { page.moment.get() } else { page.moment.get_untracked() };
        moment.within(index)
    });
    view! {
        <button
            type="button"
            class="segment"
            data-step=name
            aria-current=move || (page.step.get() == index).then_some("step")
            aria-label=move || page.chapter().step_name(index)
            on:click=move |_| player.go(index)
        >
            <span class="segment-bar">
                <span class="segment-done" style:transform=move || format!("scaleX({:.3})", within.get())></span>
            </span>
        </button>
    }
}
