//! The charts of the scenario: one large, with what it says at any place, legend, table and files; where there is room
//! for them, all others small below it.

use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::draw::svg::{self, Ink};
use model_core::scene::{Layout, Look};
use model_core::table::{Column, Table};

use super::chart::{ChartPicture, Legend, Read, said};
use super::data_table::Line;
use super::gallery::Gallery;
use super::page;
use super::stage::origin;
use crate::browser;

/// One chart, chosen by name, `first` the one that stands there before; with `all`, every other below it.
#[component]
pub(super) fn Charts(first: ChartId, #[prop(optional)] all: bool) -> impl IntoView {
    let page = page();
    let shown = RwSignal::new(first);
    let look = Memo::new(move |_| page.look());
    let crossing = RwSignal::new(None);
    let read = Read::new(shown.into(), look, crossing);
    let chart = read.chart;
    let table = Memo::new(move |_| chart.with(|chart| chart.table(page.look())));
    let choose = move |event: web_sys::Event| {
        if let Some(id) = ChartId::from_name(&event_target_value(&event)) {
            shown.set(id);
        }
    };
    Effect::new(move |_| {
        // Another chart has other places.
        let _ = shown.get();
        read.stop.set(None);
    });
    let file = move |kind: &str| format!("one-token-eight-gpus-{}.{kind}", shown.get_untracked().name());
    // A file stands alone: wide, with title and legend in it.
    let whole = move || {
        let wide = Look { layout: Layout::Wide, ..untrack(|| page.look()) };
        svg::write(&read.fresh().draw_whole(wide), Ink::Literal(page.theme.get_untracked()), &origin(page))
    };
    let save_svg = move |_| browser::download(&file("svg"), "image/svg+xml", &whole());
    let save_png = move |_| browser::download_picture(&file("png"), &whole());
    let save_csv = move |_| browser::download(&file("csv"), "text/csv", &read.fresh().csv());
    let option = move |id: &ChartId| {
        let id = *id;
        view! {
            <option value=id.name() selected=move || shown.get() == id>
                {move || id.title(page.look())}
            </option>
        }
    };
    view! {
        <section class="card room charts" data-testid="charts">
            <div class="room-head">
                <h2>{move || page.later_text().charts}</h2>
                <span class="exports">
                    <button type="button" class="quiet" data-testid="save-chart" on:click=save_svg>"↓ "{move || page.later_text().save_svg}</button>
                    <button type="button" class="quiet" on:click=save_png>"↓ PNG"</button>
                    <button type="button" class="quiet" on:click=save_csv>"↓ "{move || page.later_text().save_csv}</button>
                </span>
            </div>
            <select class="pick" data-testid="chart" aria-label=move || page.later_text().charts on:change=choose>
                {ChartId::ALL.iter().map(option).collect_view()}
            </select>
            <div class="charts-body">
            <ChartPicture read=read name="charts" />
            <div>
            <p class="note reading" role="status" data-testid="reading">{move || said(read)}</p>
            <Legend read=read />
            <Rows table=table />
            </div>
            </div>
            {all.then(|| view! { <Gallery shown=shown crossing=crossing /> })}
        </section>
    }
}

/// What a picture shows as a table, folded.
#[component]
pub(super) fn Rows(table: Memo<Table>) -> impl IntoView {
    let page = page();
    let open = RwSignal::new(false);
    let units = Memo::new(move |_| {
        table.with(|table| (0..table.columns.len()).map(|column| table.unit(column)).collect::<Vec<_>>())
    });
    let heads = move || {
        let head = |(column, unit): (&Column, &Option<&'static str>)| {
            let unit = unit.map(|unit| view! { " "<span class="unit">{unit}</span> });
            view! { <th scope="col" class:numeric=column.numeric>{column.name.clone()}{unit}</th> }
        };
        units.with(|units| table.with(|table| table.columns.iter().zip(units).map(head).collect_view()))
    };
    let rows = move || {
        view! {
            <div class="table-place" tabindex="0" role="region" aria-label=format!("{} — {}", table.with(|table| table.title.clone()), page.later_text().as_table)>
                <table>
                    <thead>
                        <tr>{heads}</tr>
                    </thead>
                    <tbody>
                        <For each=move || 0..table.with(|table| table.rows.len()) key=|index| *index let:index>
                            <Line table=table index=index units=units />
                        </For>
                    </tbody>
                </table>
            </div>
        }
    };
    view! {
        <button
            type="button"
            class="quiet"
            data-testid="chart-table"
            aria-expanded=move || open.get().to_string()
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {move || page.later_text().as_table}
        </button>
        {move || open.get().then(rows)}
    }
}
