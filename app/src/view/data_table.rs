//! A table of the model as a table of the page: sorted by a press on a head, chosen from by a press on a row, copied
//! and saved.

use leptos::prelude::*;
use model_core::table::{Cell, Column, Row, Table, TableId};

use super::share::Copier;
use super::{address, page};
use crate::browser;
use crate::page::Page;

/// One of the tables that follow from the scenario alone.
#[component]
pub(super) fn DataTable(id: TableId) -> impl IntoView {
    let page = page();
    let table = Memo::new(move |_| page.with_basis(|basis| id.derive(basis, page.look())));
    view! { <TableCard table=table /> }
}

/// A table with its heading; children stand between what it shows and its rows.
#[component]
pub(super) fn TableCard(table: Memo<Table>, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    let page = page();
    let name = table.with_untracked(|table| table.name);
    let title = move || table.with(|table| table.title.clone());
    // Column and whether the largest comes first; none leaves the rows as they come.
    let sort = RwSignal::new(None::<(usize, bool)>);
    let order = Memo::new(move |_| {
        table.with(|table| match sort.get() {
            Some((column, descending)) => table.sorted(column, descending),
            None => (0..table.rows.len()).collect(),
        })
    });
    let units = Memo::new(move |_| {
        table.with(|table| (0..table.columns.len()).map(|column| table.unit(column)).collect::<Vec<_>>())
    });
    let copier = Copier::new();
    let save_csv = move |_| {
        let file = format!("one-token-eight-gpus-{name}.csv");
        browser::download(&file, "text/csv", &table.with_untracked(Table::csv));
    };
    view! {
        <section class="card room" data-table=name>
            <div class="room-head">
                <h2>{title}</h2>
                <span class="exports">
                    <span class="note" role="status">{move || copier.said()}</span>
                    <button type="button" class="quiet" on:click=move |_| copier.copy(&table.with_untracked(Table::tsv))>
                        {move || page.later_text().copy}" "{move || page.later_text().save_tsv}
                    </button>
                    <button type="button" class="quiet" on:click=move |_| copier.copy(&table.with_untracked(Table::markdown))>
                        {move || page.later_text().copy}" Markdown"
                    </button>
                    <button type="button" class="quiet" on:click=save_csv>"↓ "{move || page.later_text().save_csv}</button>
                </span>
            </div>
            <p class="note">
                {move || table.with(|table| table.reason.clone().unwrap_or_else(|| table.about.clone()))}
            </p>
            {children.map(|children| children())}
            <div class="table-place" tabindex="0" role="region" aria-label=title>
                <table>
                    <thead>
                        <tr>
                            {move || {
                                let column = |(index, column): (usize, &Column)| {
                                    let unit = table.with(|table| table.unit(index)).unwrap_or_default();
                                    view! { <Head index=index column=column.clone() unit=unit sort=sort /> }
                                };
                                table.with(|table| table.columns.iter().enumerate().map(column).collect_view())
                            }}
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || order.get() key=|index| *index let:index>
                            <Line table=table index=index units=units />
                        </For>
                    </tbody>
                </table>
            </div>
        </section>
    }
}

/// A column's head: a press sorts by it, another the other way round, a third puts the rows back.
#[component]
fn Head(
    index: usize,
    column: Column,
    unit: &'static str,
    sort: RwSignal<Option<(usize, bool)>>,
) -> impl IntoView {
    let order = move || match sort.get() {
        Some((column, descending)) if column == index => {
            Some(if descending { "descending" } else { "ascending" })
        }
        _ => None,
    };
    let press = move |_| {
        sort.update(|sort| {
            *sort = match *sort {
                Some((column, false)) if column == index => Some((index, true)),
                Some((column, true)) if column == index => None,
                _ => Some((index, false)),
            };
        });
    };
    view! {
        <th scope="col" class:numeric=column.numeric aria-sort=order>
            <button type="button" class="sort" on:click=press>
                {column.name}
                {(!unit.is_empty()).then(|| view! { " "<span class="unit">{unit}</span> })}
            </button>
        </th>
    }
}

/// One row; only a row that differs is written again.
#[component]
pub(super) fn Line(
    table: Memo<Table>,
    index: usize,
    units: Memo<Vec<Option<&'static str>>>,
) -> impl IntoView {
    let page = page();
    let row = Memo::new(move |_| table.with(|table| table.rows.get(index).cloned().unwrap_or_default()));
    let is = move |holds: fn(&Row) -> bool| move || row.with(holds);
    // Whether the scenario stands here changes most often, and rewrites no cell.
    let shown = Memo::new(move |_| row.with(|row| Row { here: false, ..row.clone() }));
    let cells = move || {
        units.with(|units| {
            shown.with(|row| {
                let cells = row.cells.iter().zip(units.iter().skip(1));
                cells.map(|(cell, unit)| place(page, cell, *unit)).collect_view()
            })
        })
    };
    view! {
        <tr class:now=is(|row| row.here) class:bad=is(|row| row.bad) class:total=is(|row| row.total) class:aside=is(|row| row.aside)>
            <th scope="row">{move || shown.with(|row| head(page, row))}</th>
            {cells}
        </tr>
    }
}

/// What a row is called: a press chooses it where it stands for a choice.
fn head(page: Page, row: &Row) -> impl IntoView + use<> {
    let swatch = row.paint.map(|paint| view! { <span class="swatch" style:background=paint.css()></span> });
    let head = row.head.clone();
    let takes = row.takes.clone();
    let head = if takes.is_empty() {
        view! { <span>{head}</span> }.into_any()
    } else {
        let address = address();
        let take = move |_| address.change(page, false, || page.choose_numbers(&takes));
        view! {
            <button type="button" class="take" title=page.later_text().choose_row on:click=take>
                {head}
            </button>
        }
        .into_any()
    };
    view! { {swatch}{head} }
}

/// A cell: its number carries the figure's name and value, and opens the derivation where it is this report's.
fn place(page: Page, cell: &Cell, unit: Option<&'static str>) -> impl IntoView + use<> {
    let number = cell.shown.number.clone();
    // A unit that all numbers of the column have stands in its head.
    let unit = if unit.is_some() { "" } else { cell.shown.unit };
    let unit = (!unit.is_empty()).then(|| view! { " "<span class="unit">{unit}</span> });
    let value = cell.value.map(|value| value.to_string()).unwrap_or_default();
    let figure = cell.figure;
    let bar = cell.share.map(|share| {
        view! {
            <span class="share">
                <span class="share-done" style:transform=format!("scaleX({:.4})", share.clamp(0.0, 1.0))></span>
            </span>
        }
    });
    let shown = match figure.filter(|_| cell.own) {
        Some(id) => view! {
            <button
                type="button"
                class="figure"
                data-figure=id
                data-value=value
                title=page.text().name_of(id)
                on:click=move |_| page.open_figure.set(Some(id.to_owned()))
            >
                {number}
                {unit}
            </button>
        }
        .into_any(),
        None if cell.address.is_some() => view! {
            <a href=cell.address target="_blank" rel="noopener noreferrer">
                {number}
            </a>
        }
        .into_any(),
        None => view! { <span data-figure=figure data-value=figure.map(|_| value)>{number}{unit}</span> }
            .into_any(),
    };
    let said = cell.word.is_some();
    view! { <td class="numeric" class:said=said>{bar}{shown}</td> }
}
