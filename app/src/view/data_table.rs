//! A table of the model as a table of the page: sorted by a press on a head, chosen from by a press on a row, copied
//! and saved.

use leptos::prelude::*;
use model_core::draw::Paint;
use model_core::scenario::Key;
use model_core::table::{Cell, Column, Row, Table, TableId};

use super::figure::open_pressed;
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
    let units = units(table);
    let columns = Memo::new(move |_| table.with(|table| table.columns.clone()));
    let heads = move || {
        let head = |(index, (column, unit)): (usize, (&Column, &Option<&'static str>))| {
            view! { <Head index=index column=column.clone() unit=unit.unwrap_or_default() sort=sort /> }
        };
        columns.with(|columns| {
            units.with(|units| columns.iter().zip(units).enumerate().map(head).collect_view())
        })
    };
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
                            {heads}
                        </tr>
                    </thead>
                    <tbody on:click=move |event| open_pressed(page, &event)>
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

/// Of each column the unit that all its numbers have; it stands in the head.
pub(super) fn units(table: Memo<Table>) -> Memo<Vec<Option<&'static str>>> {
    Memo::new(move |_| {
        table.with(|table| (0..table.columns.len()).map(|column| table.unit(column)).collect::<Vec<_>>())
    })
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
    // Numbers change most often: they rewrite neither the head nor each other.
    let head = Memo::new(move |_| row.with(|row| (row.paint, row.head.clone(), row.takes.clone())));
    let count = Memo::new(move |_| row.with(|row| row.cells.len()));
    let cells = move || {
        let cell = |index: usize| view! { <DataCell row=row index=index units=units /> };
        (0..count.get()).map(cell).collect_view()
    };
    view! {
        <tr class:now=is(|row| row.here) class:bad=is(|row| row.bad) class:total=is(|row| row.total) class:aside=is(|row| row.aside) class:elsewhere=is(|row| row.elsewhere)>
            <th scope="row">
                {move || head.with(|(paint, name, takes)| named(page, *paint, name.clone(), takes.clone()))}
            </th>
            {cells}
        </tr>
    }
}

/// What a row is called: a press chooses it where it stands for a choice.
fn named(page: Page, paint: Option<Paint>, name: String, takes: Vec<(Key, f64)>) -> impl IntoView {
    let swatch = paint.map(|paint| view! { <span class="swatch" style:background=paint.css()></span> });
    let name = if takes.is_empty() {
        view! { <span>{name}</span> }.into_any()
    } else {
        let address = address();
        let take = move |_| address.change(page, false, || page.choose_numbers(&takes));
        view! {
            <button type="button" class="take" title=page.later_text().choose_row on:click=take>
                {name}
            </button>
        }
        .into_any()
    };
    view! { {swatch}{name} }
}

/// What kind of cell it is.
#[derive(Clone, PartialEq)]
struct Form {
    /// The figure it is, and whether it is this report's.
    figure: Option<(&'static str, bool)>,
    address: Option<&'static str>,
    said: bool,
    bar: bool,
    unit: &'static str,
}

impl Form {
    /// A unit that stands in the head is not repeated.
    fn of(cell: &Cell, head: Option<&'static str>) -> Self {
        Self {
            figure: cell.figure.map(|figure| (figure, cell.own)),
            address: cell.address,
            said: cell.word.is_some(),
            bar: cell.share.is_some(),
            unit: if head.is_some() { "" } else { cell.shown.unit },
        }
    }
}

/// A cell: its number carries the figure's name and value, and opens the derivation where it is this report's. What
/// kind it is changes rarely; what it says is written in place.
#[component]
fn DataCell(row: Memo<Row>, index: usize, units: Memo<Vec<Option<&'static str>>>) -> impl IntoView {
    let page = page();
    let cell = Memo::new(move |_| row.with(|row| row.cells.get(index).cloned()));
    let form = Memo::new(move |_| {
        let head = units.with(|units| units.get(index + 1).copied().flatten());
        cell.with(|cell| cell.as_ref().map(|cell| Form::of(cell, head)))
    });
    let number = move || cell.with(|cell| cell.as_ref().map(|cell| cell.shown.number.clone()));
    let value = move || {
        let value = cell.with(|cell| cell.as_ref().and_then(|cell| cell.value));
        value.map(|value| value.to_string()).unwrap_or_default()
    };
    let share = move || {
        let share = cell.with(|cell| cell.as_ref().and_then(|cell| cell.share)).unwrap_or_default();
        format!("scaleX({:.4})", share.clamp(0.0, 1.0))
    };
    move || {
        form.get().map(|Form { figure, address, said, bar, unit }| {
            let unit = (!unit.is_empty()).then(|| view! { " "<span class="unit">{unit}</span> });
            let shown = match (figure, address) {
                (Some((id, true)), _) => view! {
                    <button
                        type="button"
                        class="figure"
                        data-figure=id
                        data-value=value
                        title=page.text().name_of(id)
                    >
                        {number}
                        {unit}
                    </button>
                }
                .into_any(),
                (_, Some(address)) => view! {
                    <a href=address target="_blank" rel="noopener noreferrer">
                        {number}
                    </a>
                }
                .into_any(),
                (Some((id, false)), None) => {
                    view! { <span data-figure=id data-value=value>{number}{unit}</span> }.into_any()
                }
                (None, None) => view! { <span>{number}{unit}</span> }.into_any(),
            };
            let bar = bar.then(|| {
                view! { <span class="share"><span class="share-done" style:transform=share></span></span> }
            });
            view! { <td class="numeric" class:said=said>{bar}{shown}</td> }
        })
    }
}
