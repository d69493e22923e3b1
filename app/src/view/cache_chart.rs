//! The cache chart with its legend, and its two exports.

use leptos::html;
use leptos::prelude::*;
use model_core::draw::svg::{self, Ink};
use model_core::ledger::memory::Part;
use model_core::scene::{Layout, Look};

use super::figure::Fig;
use super::page;
use super::stage::origin;
use crate::browser;
use crate::picture::Picture;

/// The chart.
#[component]
pub(super) fn Chart() -> impl IntoView {
    let page = page();
    let drawing = Memo::new(move |_| page.cache_chart.with(|chart| chart.draw(page.look())));
    let parts = Memo::new(move |_| page.cache_chart.with(|chart| chart.parts.clone()));
    let place: NodeRef<html::Div> = NodeRef::new();
    let picture: StoredValue<Option<Picture>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        picture.update_value(|picture| {
            if picture.is_none() {
                *picture = Picture::new(&place, "cache-chart");
            }
            if let Some(picture) = picture {
                drawing.with(|drawing| picture.show(drawing));
            }
        });
    });
    let save_svg = move |_| {
        let wide = Look { layout: Layout::Wide, ..untrack(|| page.look()) };
        let whole = page.cache_chart.with_untracked(|chart| chart.draw_whole(wide));
        let file = svg::write(&whole, Ink::Literal(page.theme.get_untracked()), &origin(page));
        browser::download("one-token-eight-gpus-cache.svg", "image/svg+xml", &file);
    };
    let save_csv = move |_| {
        let text = page.cache_chart.with_untracked(|chart| chart.csv());
        browser::download("one-token-eight-gpus-cache.csv", "text/csv", &text);
    };
    view! {
        <section class="card room" data-testid="cache-chart">
            <div class="room-head">
                <h2>{move || page.text().chart_heading}</h2>
                <span class="exports">
                    <button type="button" class="quiet" data-testid="save-svg" on:click=save_svg>
                        "↓ "{move || page.text().save_svg}
                    </button>
                    <button type="button" class="quiet" data-testid="save-csv" on:click=save_csv>
                        "↓ "{move || page.text().save_csv}
                    </button>
                </span>
            </div>
            <div class="chart-picture" node_ref=place></div>
            <ul class="legend">
                {move || {
                    let entry = |(part, figure): (Part, &'static str)| {
                        view! {
                            <li>
                                <span class="swatch" style:background=part.paint().css()></span>
                                <span>{move || (page.words().part)(part)}</span>
                                <Fig id=figure />
                            </li>
                        }
                    };
                    parts.get().into_iter().map(entry).collect_view()
                }}
            </ul>
            <p class="note">{move || page.text().chart_note}</p>
        </section>
    }
}
