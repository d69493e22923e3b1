//! Five figures that are always in sight, the verdict first.

use leptos::prelude::*;
use model_core::figure::Ledger;
use model_core::ledger::memory::{Judges, smallest_plan};

use super::figure::{Fig, Scale};
use super::{address, page};

/// Beside the verdict and the way out: what each ledger is mostly asked for.
const fn asked_for(ledger: Ledger) -> [&'static str; 3] {
    match ledger {
        Ledger::Tutorial => {
            ["cache.request.bytes", "cache.batch.bytes_per_gpu", "weights.routed.bytes_per_gpu"]
        }
        Ledger::Report => ["cache.request.bytes", "decode.step_s", "decode.tokens_per_s"],
        Ledger::Exact => ["cache.request.bytes", "decode.floor_s", "capacity.max_batch_reserved"],
    }
}

/// The row of figures.
#[component]
pub(super) fn KeyFigures() -> impl IntoView {
    let page = page();
    let address = address();
    let judges = move || Judges::of(page.ledger.get());
    let fits = Memo::new(move |_| page.fits());
    let smallest = Memo::new(move |_| page.report.with(|report| report.number(judges().smallest)));
    // A way out is offered where it leads elsewhere.
    let differs = move || {
        smallest.get().is_some()
            && page.report.with(|report| {
                let leads =
                    |(id, key)| report.number(id).is_some_and(|there| page.setting_number(key) != there);
                judges().way_out.iter().copied().any(leads)
            })
    };
    let take = move |_| {
        let report = page.report.get_untracked();
        let chosen = judges().way_out.iter().filter_map(|(id, key)| Some((*key, report.number(id)?)));
        let chosen = chosen.collect::<Vec<_>>();
        address.change(page, false, || page.choose_numbers(&chosen));
    };
    let card = move |index: usize| {
        let id = move || asked_for(page.ledger.get())[index];
        view! {
            <div class="key card">
                <p class="key-name">{move || page.text().name_of(id())}</p>
                <p class="key-value">{move || view! { <Fig id=id() /> }}</p>
            </div>
        }
    };
    view! {
        <section class="keys" aria-label=move || page.text().key_figures>
            <div class="key card verdict" class:bad=move || !fits.get() data-testid="verdict">
                <p class="key-name">{move || if fits.get() { page.text().fits } else { page.text().does_not_fit }}</p>
                <p class="key-value">
                    {move || view! { <Fig id=judges().need /> }}
                    <span class="of">{move || page.text().of}" "<Fig id="gpu.memory.bytes" /></span>
                </p>
                <p class="key-more">
                    {move || {
                        let (word, id) = if fits.get() {
                            (page.text().left, "memory.free.bytes_per_gpu")
                        } else {
                            (page.text().short_by, "memory.short.bytes_per_gpu")
                        };
                        view! { {word}" "<Fig id=id scale=Scale::Giga /> }
                    }}
                </p>
            </div>
            <div class="key card">
                <p class="key-name">{move || page.text().smallest_cut}</p>
                <p class="key-value">
                    {move || view! { <Fig id=judges().smallest /> }}
                    <span class="unit">" "{move || smallest.get().map_or("", page.text().gpus)}</span>
                </p>
                <p class="key-more">
                    <span class="plan">{move || page.report.with(smallest_plan)}</span>
                    <Show when=differs fallback=move || smallest.get().is_none().then(|| page.text().no_cut)>
                        <button type="button" class="way-out" data-testid="take-cut" on:click=take>
                            {move || page.text().take_cut}
                        </button>
                    </Show>
                </p>
            </div>
            {(0..3).map(card).collect_view()}
        </section>
    }
}
