//! The capacity tables: what one GPU holds by part, and how caches change with the context.

use leptos::prelude::*;
use model_core::draw::Paint;
use model_core::format;
use model_core::ledger;
use model_core::ledger::memory::{Judges, Part, Sharing, lines};
use model_core::scenario::Key;

use super::figure::{Fig, Scale};
use super::page;

/// Contexts of the second table, in tokens.
const CONTEXTS: [u64; 6] = [4096, 8192, 32_768, 131_072, 524_288, 1_048_576];

/// Both tables.
#[component]
pub(super) fn Capacity() -> impl IntoView {
    let page = page();
    let judges = move || Judges::of(page.ledger.get());
    let fits = Memo::new(move |_| page.fits());
    // Which parts there are changes rarely; their sizes follow the figures by themselves.
    let rows = Memo::new(move |_| {
        let all = page.settings.with(|settings| page.report.with(|report| lines(report, settings)));
        all.into_iter().map(|line| (line.part, line.sharing, line.figure)).collect::<Vec<_>>()
    });
    let left_or_missing =
        move || if fits.get() { "memory.free.bytes_per_gpu" } else { "memory.short.bytes_per_gpu" };
    view! {
        <section class="card room" data-testid="capacity">
            <h2>{move || page.text().capacity_heading}</h2>
            <table>
                <thead>
                    <tr>
                        {(0..4)
                            .map(|index| view! { <th scope="col">{move || page.text().capacity_columns[index]}</th> })
                            .collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {move || {
                        let row = |(part, sharing, figure)| view! { <Row part=part sharing=sharing id=figure /> };
                        rows.get().into_iter().map(row).collect_view()
                    }}
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{move || page.text().total}</th>
                        <td></td>
                        <td class="numeric">{move || view! { <Fig id=judges().need scale=Scale::Giga /> }}</td>
                        <td>{move || view! { <Share id=judges().need paint=Paint::Ink /> }}</td>
                    </tr>
                    <tr>
                        <th scope="row">{move || page.text().memory}</th>
                        <td></td>
                        <td class="numeric"><Fig id="gpu.memory.bytes" scale=Scale::Giga /></td>
                        <td></td>
                    </tr>
                    <tr class:bad=move || !fits.get()>
                        <th scope="row">{move || if fits.get() { page.text().free } else { page.text().short }}</th>
                        <td></td>
                        <td class="numeric">{move || view! { <Fig id=left_or_missing() scale=Scale::Giga /> }}</td>
                        <td></td>
                    </tr>
                </tfoot>
            </table>
            <p class="note">{move || (page.text().not_counted)(page.ledger.get())}</p>
            <h2>{move || page.text().contexts_heading}</h2>
            <Contexts />
        </section>
    }
}

/// One part of a GPU's memory.
#[component]
fn Row(part: Part, sharing: Sharing, id: &'static str) -> impl IntoView {
    let page = page();
    let paint = part.paint();
    view! {
        <tr>
            <th scope="row">
                <span class="swatch" style:background=paint.css()></span>
                {move || (page.words().part)(part)}
            </th>
            <td>{move || (page.words().sharing)(sharing)}</td>
            <td class="numeric"><Fig id=id scale=Scale::Giga /></td>
            <td><Share id=id paint=paint /></td>
        </tr>
    }
}

/// A bar: how much of the memory a part takes, cut off at all of it.
#[component]
fn Share(id: &'static str, paint: Paint) -> impl IntoView {
    let page = page();
    let share = Memo::new(move |_| page.report.with(|report| report.share_of_memory(id)));
    view! {
        <span class="share">
            <span
                class="share-done"
                style:background=paint.css()
                style:transform=move || format!("scaleX({:.4})", share.get().clamp(0.0, 1.0))
            ></span>
        </span>
        <span class="percent">{move || format::percent(share.get())}</span>
    }
}

/// The same load at other contexts.
#[component]
fn Contexts() -> impl IntoView {
    let page = page();
    let reports = Memo::new(move |_| {
        let mut rest = page.seen.get();
        rest.forget(Key::Context);
        page.spec.with(|spec| {
            CONTEXTS.map(|context| (context, ledger::at_context(page.ledger.get(), &rest, spec, context)))
        })
    });
    // Which rows there are never changes; only numbers that do are written.
    let cell = move |index: usize, id: &'static str| {
        let number = move || reports.with(|reports| reports[index].1.number(id));
        let shown =
            move || format::bytes(reports.with(|reports| reports[index].1.bytes(id)), page.base.get());
        view! {
            <td class="numeric">
                <span data-figure=id data-value=move || number().map(|number| number.to_string()).unwrap_or_default()>
                    {move || shown().number}" "<span class="unit">{move || shown().unit}</span>
                </span>
            </td>
        }
    };
    let row = move |index: usize, context: u64| {
        let fits = Memo::new(move |_| {
            reports.with(|reports| {
                let report = &reports[index].1;
                report.flag(Judges::of(report.ledger).fits)
            })
        });
        let here = move || page.settings.with(|settings| settings.context == context);
        view! {
            <tr class:now=here data-context=context.to_string()>
                <th scope="row" class="numeric">{model_core::chart::tokens(context as f64)}</th>
                {cell(index, "cache.request.bytes")}
                {cell(index, "cache.batch.bytes_per_gpu")}
                <td class:bad=move || !fits.get()>{move || page.text().yes_no[usize::from(!fits.get())]}</td>
            </tr>
        }
    };
    view! {
        <table data-testid="contexts">
            <thead>
                <tr>
                    {(0..4)
                        .map(|index| view! { <th scope="col">{move || page.text().contexts_columns[index]}</th> })
                        .collect_view()}
                </tr>
            </thead>
            <tbody>{CONTEXTS.into_iter().enumerate().map(|(index, context)| row(index, context)).collect_view()}</tbody>
        </table>
    }
}
