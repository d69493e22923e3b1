//! The charts of the scenario, one at a time: picture, what it says at any place, legend, table and files.

use leptos::html;
use leptos::prelude::*;
use model_core::chart::{Chart, ChartId, Entry, Form, Stop};
use model_core::draw::svg::{self, Ink};
use model_core::draw::{Fill, Paint};
use model_core::scene::{Layout, Look};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};

use super::page;
use super::stage::origin;
use crate::browser;
use crate::picture::Picture;

/// The gallery.
#[component]
pub(super) fn Charts() -> impl IntoView {
    let page = page();
    let shown = RwSignal::new(ChartId::ALL[0]);
    let chart = Memo::new(move |_| page.with_basis(|basis| shown.get().derive(basis)));
    let stop = RwSignal::new(None::<Stop>);
    let reading = Memo::new(move |_| {
        let look = page.look();
        chart.with(|chart| stop.get().and_then(|stop| chart.read(stop, look)))
    });
    let drawing = Memo::new(move |_| {
        let look = page.look();
        chart.with(|chart| {
            let mut drawing = chart.draw(look);
            let at = stop.get().and_then(|stop| chart.place(look, stop));
            let [_, top, _, height] = chart.plot_area(look);
            // One mark whether or not a place is read, so that nodes stay.
            let x = at.map_or(0.0, |(x, _)| x);
            drawing.line((x, top), (x, top + height), Paint::Ink, 1.5).dashed().faded(if at.is_some() {
                1.0
            } else {
                0.0
            });
            drawing
        })
    });
    let place: NodeRef<html::Div> = NodeRef::new();
    let picture: StoredValue<Option<Picture>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        picture.update_value(|picture| {
            if picture.is_none() {
                *picture = Picture::new(&place, "charts");
            }
            if let Some(picture) = picture {
                drawing.with(|drawing| picture.show(drawing));
            }
        });
    });
    let point = move |event: PointerEvent| {
        let target = event.current_target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(bounds) = target.map(|element| element.get_bounding_client_rect()) else { return };
        let scale = drawing.with_untracked(|drawing| drawing.width) / bounds.width().max(1.0);
        let (x, y) =
            (f64::from(event.client_x()) - bounds.left(), f64::from(event.client_y()) - bounds.top());
        let look = untrack(|| page.look());
        stop.set(chart.with_untracked(|chart| chart.nearest(look, (x * scale, y * scale))));
    };
    let keys = move |event: KeyboardEvent| {
        let by: isize = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => -1,
            "Escape" => return stop.set(None),
            _ => return,
        };
        event.prevent_default();
        let next = chart.with_untracked(|chart| {
            let stops = chart.stops();
            let at = stop.get_untracked().or(chart.marked_stop());
            let at = at.and_then(|at| stops.iter().position(|stop| *stop == at));
            at.map_or(stops.first().copied(), |at| stops.get(at.saturating_add_signed(by)).copied())
        });
        if next.is_some() {
            stop.set(next);
        }
    };
    let choose = move |event: web_sys::Event| {
        if let Some(id) = ChartId::from_name(&event_target_value(&event)) {
            stop.set(None);
            shown.set(id);
        }
    };
    let file = move |kind: &str| format!("one-token-eight-gpus-{}.{kind}", shown.get_untracked().name());
    let save_svg = move |_| {
        let wide = Look { layout: Layout::Wide, ..untrack(|| page.look()) };
        let whole = chart.with_untracked(|chart| chart.draw_whole(wide));
        let ink = Ink::Literal(page.theme.get_untracked());
        browser::download(&file("svg"), "image/svg+xml", &svg::write(&whole, ink, &origin(page)));
    };
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
                    <button type="button" class="quiet" on:click=save_csv>"↓ "{move || page.text().save_csv}</button>
                </span>
            </div>
            <select class="pick" data-testid="chart" aria-label=move || page.text().charts on:change=choose>
                {ChartId::ALL.iter().map(option).collect_view()}
            </select>
            <div class="charts-body">
            <div
                class="chart-picture"
                tabindex="0"
                role="group"
                aria-label=move || page.text().chart_keys
                node_ref=place
                on:pointermove=point
                on:pointerdown=point
                on:pointerleave=move |_| stop.set(None)
                on:keydown=keys
            ></div>
            <div>
            <p class="note reading" role="status" data-testid="reading">
                {move || {
                    let look = page.look();
                    match reading.get() {
                        Some(reading) => reading.sentence(look),
                        None => chart.with(|chart| chart.description(look)),
                    }
                }}
            </p>
            <ul class="legend">
                {move || chart.with(|chart| chart.legend(page.look()).into_iter().map(entry).collect_view())}
            </ul>
            <Rows chart=chart />
            </div>
            </div>
        </section>
    }
}

/// One line of the legend: colour, pattern, name and the value where the scenario stands.
fn entry(entry: Entry) -> impl IntoView {
    let (pattern, paint) = match entry.fill {
        Fill::Empty => ("", Paint::Mute),
        Fill::Solid(paint) => ("", paint),
        Fill::Hatched(paint) => (" hatched", paint),
        Fill::Dotted(paint) => (" dotted", paint),
    };
    let form = if entry.form == Form::Line { " thin" } else { "" };
    view! {
        <li>
            <span class=format!("swatch{pattern}{form}") style:background-color=paint.css()></span>
            <span>{entry.name}</span>
            <span class="unit">{entry.shown}</span>
        </li>
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
