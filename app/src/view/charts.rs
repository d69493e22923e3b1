//! The charts of the scenario: one large, with what it says at any place, legend, table and files; where there is room
//! for them, all others small below it.

use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::table::{Column, Table};

use super::chart::{ChartFiles, ChartPicture, Legend, Read, said};
use super::data_table::{Line, units};
use super::figure::open_pressed;
use super::gallery::Gallery;
use super::{address, page};

/// One chart, chosen by name, `first` the one that stands there before; with `all`, every other below it.
#[component]
pub(super) fn Charts(first: ChartId, #[prop(optional)] all: bool) -> impl IntoView {
    let page = page();
    let address = address();
    let shown = Memo::new(move |_| page.shown.with(|shown| shown.chart.unwrap_or(first)));
    let choose = Callback::new(move |id: ChartId| {
        let chosen = (id != first).then_some(id);
        address.change(page, false, || page.shown.update(|shown| shown.chart = chosen));
    });
    let look = Memo::new(move |_| page.look());
    let crossing = RwSignal::new(None);
    let read = Read::new(shown.into(), look, crossing);
    let chart = read.chart;
    let table = Memo::new(move |_| chart.with(|chart| chart.table(page.look())));
    let pick = move |event: web_sys::Event| {
        if let Some(id) = ChartId::from_name(&event_target_value(&event)) {
            choose.run(id);
        }
    };
    Effect::new(move |_| {
        // Another chart has other places.
        let _ = shown.get();
        read.stop.set(None);
    });
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
                <ChartFiles read=read />
            </div>
            <select class="pick" data-testid="chart" aria-label=move || page.later_text().charts on:change=pick>
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
            {all.then(|| view! { <Gallery shown=shown choose=choose crossing=crossing /> })}
        </section>
    }
}

/// What a picture shows as a table, folded.
#[component]
pub(super) fn Rows(table: Memo<Table>) -> impl IntoView {
    let page = page();
    let open = RwSignal::new(false);
    let units = units(table);
    let columns = Memo::new(move |_| table.with(|table| table.columns.clone()));
    let heads = move || {
        let head = |(column, unit): (&Column, &Option<&'static str>)| {
            let unit = unit.map(|unit| view! { " "<span class="unit">{unit}</span> });
            view! { <th scope="col" class:numeric=column.numeric>{column.name.clone()}{unit}</th> }
        };
        units.with(|units| columns.with(|columns| columns.iter().zip(units).map(head).collect_view()))
    };
    let rows = move || {
        view! {
            <div class="table-place" tabindex="0" role="region" aria-label=format!("{} — {}", table.with(|table| table.title.clone()), page.later_text().as_table)>
                <table>
                    <thead>
                        <tr>{heads}</tr>
                    </thead>
                    <tbody on:click=move |event| open_pressed(page, &event)>
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
