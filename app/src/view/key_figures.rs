//! Five figures that are always in sight, the verdict first.

use leptos::prelude::*;
use model_core::figure::Value;
use model_core::scenario::Key;

use super::figure::{Fig, Scale};
use super::{address, page};

/// The row of figures.
#[component]
pub(crate) fn KeyFigures() -> impl IntoView {
    let page = page();
    let address = address();
    let fits = Memo::new(move |_| page.report.with(|report| report.flag("memory.partial.fits")));
    let smallest = Memo::new(move |_| match page.figure("plan.min_tp_partial").map(|figure| figure.value) {
        Some(Value::Number(tp)) => Some(tp),
        _ => None,
    });
    let differs =
        move || smallest.get().is_some_and(|tp| page.settings.with(|settings| f64::from(settings.tp) != tp));
    let card = move |id: &'static str| {
        view! {
            <div class="key card">
                <p class="key-name">{move || (page.text().figure_name)(id)}</p>
                <p class="key-value"><Fig id=id /></p>
            </div>
        }
    };
    view! {
        <section class="keys" aria-label=move || page.text().key_figures>
            <div class="key card verdict" class:bad=move || !fits.get() data-testid="verdict">
                <p class="key-name">{move || if fits.get() { page.text().fits } else { page.text().does_not_fit }}</p>
                <p class="key-value">
                    <Fig id="memory.partial.bytes_per_gpu" />
                    <span class="of">{move || page.text().of}" "<Fig id="gpu.memory.bytes" /></span>
                </p>
                <p class="key-more">
                    {move || {
                        if fits.get() {
                            view! { {page.text().left}" "<Fig id="memory.free.bytes_per_gpu" scale=Scale::Giga /> }.into_any()
                        } else {
                            view! { {page.text().short_by}" "<Fig id="memory.short.bytes_per_gpu" scale=Scale::Giga /> }.into_any()
                        }
                    }}
                </p>
            </div>
            <div class="key card">
                <p class="key-name">{move || page.text().smallest_cut}</p>
                <p class="key-value">
                    <span class="prefix">"TP "</span>
                    <Fig id="plan.min_tp_partial" />
                </p>
                <p class="key-more">
                    <Show when=differs fallback=move || smallest.get().is_none().then(|| page.text().no_cut)>
                        <button
                            type="button"
                            class="way-out"
                            data-testid="take-cut"
                            on:click=move |_| {
                                if let Some(tp) = smallest.get_untracked() {
                                    address.begin(page, false);
                                    page.choose_number(Key::Tp, tp);
                                }
                            }
                        >
                            {move || page.text().take_cut}
                        </button>
                    </Show>
                </p>
            </div>
            {card("cache.request.bytes")}
            {card("cache.batch.bytes_per_gpu")}
            {card("weights.routed.bytes_per_gpu")}
        </section>
    }
}
