//! The column of text: what the chapter is about, its steps beside the stage's, and its details.

use leptos::prelude::*;
use model_core::scene::place::Step;
use model_core::scene::timeline::Moment;
use model_core::words::fill;

use super::figure::Fig;
use super::page;

/// Figures listed under "engineering details".
const DETAILS: [&str; 10] = [
    "weights.routed.params",
    "weights.routed.bytes_per_param",
    "weights.routed.bytes",
    "weights.shared.bytes_per_gpu",
    "cache.request.bytes",
    "plan.min_gpus_by_bytes",
    "moe.distinct_experts",
    "allreduce.message.bytes",
    "allreduce.sent.bytes_per_gpu",
    "prefill.index_scores.bytes_per_gpu",
];

/// The column.
#[component]
pub(crate) fn Chapter() -> impl IntoView {
    let page = page();
    let step = move |index: usize| {
        let current = move || page.moment.get().step == index;
        view! {
            <li class:now=current>
                <button
                    type="button"
                    aria-current=move || current().then_some("step")
                    on:click=move |_| {
                        page.playing.set(false);
                        page.moment.set(Moment::done(index));
                    }
                >
                    {move || {
                        let layers = page.spec.with(|spec| spec.main_layers().len().to_string());
                        fill(page.text().step_texts[index], &[("layers", layers)])
                    }}
                </button>
            </li>
        }
    };
    view! {
        <section class="chapter">
            <p class="eyebrow">{move || page.text().eyebrow}</p>
            <h1>{move || page.text().heading}</h1>
            <p class="lead">{move || page.text().lead}</p>
            <ol class="steps">{(0..Step::ALL.len()).map(step).collect_view()}</ol>
            <div class="takeaways">
                <h2>{move || page.text().takeaways_heading}</h2>
                <ul>
                    {(0..3).map(|index| view! { <li>{move || page.text().takeaways[index]}</li> }).collect_view()}
                </ul>
            </div>
            <details class="details">
                <summary>{move || page.text().details}</summary>
                <p class="note">{move || page.text().details_note}</p>
                <dl>
                    {DETAILS
                        .into_iter()
                        .map(|id| {
                            view! {
                                <div>
                                    <dt>{move || (page.text().figure_name)(id)}</dt>
                                    <dd><Fig id=id /></dd>
                                </div>
                            }
                        })
                        .collect_view()}
                </dl>
            </details>
        </section>
    }
}
