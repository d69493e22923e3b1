//! The charts of the scenario: one large, with what it says at any place, legend, table and files; where there is room
//! for them, all others small below it.

use leptos::prelude::*;
use model_core::chart::{Chart, ChartId};
use model_core::draw::svg::{self, Ink};
use model_core::scene::{Layout, Look};

use super::chart::{ChartPicture, Legend, Read, said};
use super::gallery::Gallery;
use super::page;
use super::stage::origin;
use crate::browser;

/// One chart, chosen by name; with `all`, every other below it.
#[component]
pub(super) fn Charts(#[prop(optional)] all: bool) -> impl IntoView {
    let page = page();
    let shown = RwSignal::new(ChartId::ALL[0]);
    let look = Memo::new(move |_| page.look());
    let crossing = RwSignal::new(None);
    let read = Read::new(move || page.with_basis(|basis| shown.get().derive(basis)), look, crossing);
    let chart = read.chart;
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
        let whole = chart.with_untracked(|chart| chart.draw_whole(wide));
        svg::write(&whole, Ink::Literal(page.theme.get_untracked()), &origin(page))
    };
    let save_svg = move |_| browser::download(&file("svg"), "image/svg+xml", &whole());
    let save_png = move |_| browser::download_picture(&file("png"), &whole());
    let save_csv =
        move |_| browser::download(&file("csv"), "text/csv", &chart.with_untracked(|chart| chart.csv()));
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
                <h2>{move || page.text().charts}</h2>
                <span class="exports">
                    <button type="button" class="quiet" on:click=save_svg>"↓ "{move || page.text().save_svg}</button>
                    <button type="button" class="quiet" on:click=save_png>"↓ PNG"</button>
                    <button type="button" class="quiet" on:click=save_csv>"↓ "{move || page.text().save_csv}</button>
                </span>
            </div>
            <select class="pick" data-testid="chart" aria-label=move || page.text().charts on:change=choose>
                {ChartId::ALL.iter().map(option).collect_view()}
            </select>
            <div class="charts-body">
            <ChartPicture read=read name="charts" />
            <div>
            <p class="note reading" role="status" data-testid="reading">{move || said(read)}</p>
            <Legend read=read />
            <Rows chart=chart />
            </div>
            </div>
            {all.then(|| view! { <Gallery shown=shown crossing=crossing /> })}
        </section>
    }
}

/// The chart as a table, folded.
#[component]
fn Rows(chart: Memo<Chart>) -> impl IntoView {
    let page = page();
    let open = RwSignal::new(false);
    let cells = |row: Vec<String>| row.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
    let table = move || {
        let table = chart.with(|chart| chart.table(page.look()));
        view! {
            <div class="table-place" tabindex="0" role="region" aria-label=page.text().as_table>
                <table>
                    <thead>
                        <tr>{table.head.into_iter().map(|name| view! { <th scope="col">{name}</th> }).collect_view()}</tr>
                    </thead>
                    <tbody>
                        {table.rows.into_iter().map(|row| view! { <tr>{cells(row)}</tr> }).collect_view()}
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
            {move || page.text().as_table}
        </button>
        {move || open.get().then(table)}
    }
}
