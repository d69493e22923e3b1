//! The room of measurements: what a step takes at least and what to expect of it, the reader's own point judged, every
//! published row, and the engines' terms in ours.

use leptos::context::Provider;
use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::draw::{Fill, Paint};
use model_core::figure::Ledger;
use model_core::measured::ROWS;
use model_core::reality::{
    Expected, Explanation, Facet, Fact, Filter, Judged, Near, Quantity, Take, Verdict, cannot_cut, expected,
    judge, nearest, published_table, terms_table,
};
use model_core::scenario::Key;
use model_core::scene::Layout;

use super::chart::{ChartFiles, ChartPicture, Legend, Read, said, swatch};
use super::controls::{Control, Reset};
use super::data_table::TableCard;
use super::when_seen::WhenSeen;
use super::{address, page};
use crate::browser;
use crate::page::Page;

/// What a measurement was made in, and the latency that it left.
const SITUATION: [Key; 9] = [
    Key::Gpu,
    Key::Layout,
    Key::Tp,
    Key::Ep,
    Key::Context,
    Key::Batch,
    Key::KvRows,
    Key::Engine,
    Key::LatencyUsPerLayer,
];

/// So many of the nearest rows, and of the likeliest assumptions, are seen at once.
const NEAR: usize = 3;
const LIKELY: usize = 4;

/// The room. Its controls and judgements are the exact ledger's; tables whose figures can be opened are of the ledger
/// in use, since a derivation is.
#[component]
pub(super) fn Reality() -> impl IntoView {
    let page = page();
    let exact = page.under(Ledger::Exact);
    // On a phone what comes out stands right under what the room is for.
    let unfolded = untrack(|| page.look()).layout == Layout::Wide;
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="calculate reality">
            <div class="reality-head">
                <h1>{move || page.later_text().reality}</h1>
                <p>{move || page.later_text().reality_lead}</p>
                <p class="note">{move || page.later_text().reality_use}</p>
                <Show when=move || page.ledger.get() != Ledger::Exact>
                    <p class="note exact-alone" data-testid="exact-alone">{move || page.later_text().exact_alone}</p>
                </Show>
            </div>
            <aside class="inputs" aria-label=move || page.later_text().situation>
                <Provider value=exact>
                    <details class="card inputs-group" open=unfolded>
                        <summary>{move || page.later_text().situation}</summary>
                        {SITUATION.map(|key| view! { <Control key=key /> }).collect_view()}
                        <Reset />
                    </details>
                </Provider>
            </aside>
            <div class="results">
                <Provider value=exact>
                    <ToExpect />
                    <Nearest />
                    <OwnPoint />
                    <div class="reality-charts">
                        <ChartCard id=ChartId::Measured />
                        <ChartCard id=ChartId::Pareto />
                    </div>
                </Provider>
                <WhenSeen>
                    <Published />
                </WhenSeen>
                <WhenSeen>
                    <Terms />
                </WhenSeen>
            </div>
        </main>
    }
}

/// Numbers under their names; each carries its value for scripts.
fn facts(facts: impl IntoIterator<Item = Fact>) -> impl IntoView {
    let one = |fact: Fact| {
        view! {
            <div>
                <dt>{fact.name}</dt>
                <dd data-figure=fact.figure data-value=fact.value.to_string()>
                    {fact.shown.number}
                    <span class="unit">{fact.shown.unit}</span>
                </dd>
            </div>
        }
    };
    view! { <dl class="facts">{facts.into_iter().map(one).collect_view()}</dl> }
}

/// Takes over what stands ready.
fn taking(page: Page, take: Take, name: &'static str) -> impl IntoView {
    let address = address();
    let title = take.title(page.look());
    let press = move |_| address.change(page, false, || page.take_over(&take));
    view! {
        <button type="button" class="taking" data-testid=name on:click=press>
            {title}
        </button>
    }
}

/// What a step takes at least, and what the published rows let expect.
#[component]
fn ToExpect() -> impl IntoView {
    let page = page();
    let expected = Memo::new(move |_| page.with_basis(expected));
    let shown = move |expected: &Expected| {
        let look = page.look();
        let percent = |share: f64| format!("{:.2}%", share * 100.0);
        let [floor, low] = expected.shares();
        let told = expected.facts(look);
        let [least, _, latency] = &told;
        let key = [(Paint::Weight, least.name), (Paint::Token, latency.name)];
        let key = key
            .map(|(paint, name)| view! { <li>{swatch(Fill::Solid(paint), false)}<span>{name}</span></li> });
        view! {
            {facts(told.clone())}
            <div class="step-scale" aria-hidden="true">
                <span class="floor" style:width=percent(floor)></span>
                <span class="latency" style:width=percent(low - floor)></span>
                <span class="range"></span>
            </div>
            <ul class="legend">{key.collect_view()}</ul>
            <p data-testid="expected-said">{expected.sentence(look)}</p>
        }
        .into_any()
    };
    view! {
        <section class="card room" data-testid="expected">
            <h2>{move || page.later_text().expected}</h2>
            {move || {
                expected
                    .with(|expected| match expected {
                        Some(expected) => shown(expected),
                        None => view! { <p class="bad">{cannot_cut(page.look())}</p> }.into_any(),
                    })
            }}
        </section>
    }
}

/// The published rows nearest to the scenario, ready to be taken over.
#[component]
fn Nearest() -> impl IntoView {
    let page = page();
    let near = Memo::new(move |_| {
        let mut rows = page.with_basis(nearest);
        rows.truncate(NEAR);
        rows
    });
    let row = move |near: &Near| {
        let latency = near.latency().map(|take| taking(page, take, "use-latency"));
        let situation = near.situation().map(|take| taking(page, take, "use-situation"));
        view! {
            <li data-row=near.implied.row.id>
                <span class="near-said">{near.sentence(page.look())}</span>
                <span class="takings">{latency}{situation}</span>
            </li>
        }
    };
    view! {
        <section class="card room" data-testid="nearest">
            <h2>{move || page.later_text().nearest}</h2>
            <p class="note">{move || page.later_text().nearest_note}</p>
            <ul class="near-rows">{move || near.with(|near| near.iter().map(row).collect_view())}</ul>
        </section>
    }
}

/// What the reader measured, each value judged beside its control.
#[component]
fn OwnPoint() -> impl IntoView {
    let page = page();
    let judgement = Memo::new(move |_| page.with_basis(judge));
    let reason = move || judgement.with(|judgement| judgement.reason(page.look()));
    let point = move |quantity: Quantity| {
        let judged = Memo::new(move |_| {
            judgement.with(|all| all.all().find(|judged| judged.quantity == quantity).cloned())
        });
        view! {
            <div class="measured-point" data-judged=quantity.key().name()>
                <div>
                    <Control key=quantity.key() />
                    <p class="note">{move || quantity.about(page.look())}</p>
                </div>
                {move || {
                    judged
                        .with(|judged| match judged {
                            Some(judged) if judged.verdict == Verdict::Impossible => beyond(page, judged).into_any(),
                            Some(judged) => within(page, judged).into_any(),
                            None => view! { <p class="note">{page.later_text().not_given}</p> }.into_any(),
                        })
                }}
            </div>
        }
    };
    view! {
        <section class="card room" data-testid="own-point">
            <h2>{move || page.later_text().own_point}</h2>
            <p class="note">{move || page.later_text().own_point_note}</p>
            {move || reason().map(|reason| view! { <p class="bad">{reason}</p> })}
            {Quantity::ALL.map(point).collect_view()}
        </section>
    }
}

/// A value within its bound: how it stands, and what it implies to be taken over.
fn within(page: Page, judged: &Judged) -> impl IntoView + use<> {
    let look = page.look();
    let take = judged.take.clone().map(|take| taking(page, take, "use-measured"));
    view! {
        <div class="judged" data-verdict=judged.verdict.name()>
            {facts(judged.facts(look))}
            <p role="status">{judged.sentence(look)}</p>
            {take}
        </div>
    }
}

/// A value beyond its bound: by how much, and which assumption is likely wrong.
fn beyond(page: Page, judged: &Judged) -> impl IntoView + use<> {
    let look = page.look();
    let text = page.later_text();
    let line = move |one: &Explanation| {
        let take = one.take.clone().map(|take| taking(page, take, "assume"));
        view! { <li><span>{one.sentence(look)}</span>{take}</li> }
    };
    let (likely, others) = judged.explanations.split_at(LIKELY.min(judged.explanations.len()));
    let assumptions = if likely.is_empty() {
        view! { <p>{judged.likely(look)}</p> }.into_any()
    } else {
        view! {
            <h3>{text.wrong_assumptions}</h3>
            <ul class="assumed">{likely.iter().map(line).collect_view()}</ul>
        }
        .into_any()
    };
    let more = (!others.is_empty()).then(|| {
        view! {
            <details>
                <summary>{(text.more_assumptions)(others.len())}</summary>
                <ul class="assumed">{others.iter().map(line).collect_view()}</ul>
            </details>
        }
    });
    view! {
        <div class="judged beyond" data-verdict=judged.verdict.name()>
            <p class="verdict-word">{text.impossible}</p>
            <p role="status">{judged.sentence(look)}</p>
            {facts(judged.facts(look))}
            {assumptions}
            {more}
        </div>
    }
}

/// A chart under its name, read in place.
#[component]
fn ChartCard(id: ChartId) -> impl IntoView {
    let page = page();
    let look = Memo::new(move |_| page.look());
    let read = Read::new(Signal::stored(id), look, RwSignal::new(None));
    view! {
        <section class="card room" data-chart=id.name()>
            <div class="room-head">
                <h2>{move || id.title(page.look())}</h2>
                <ChartFiles read=read />
            </div>
            <ChartPicture read=read name=id.name() />
            <p class="note reading" role="status">{move || said(read)}</p>
            <Legend read=read />
        </section>
    }
}

/// Every published row that passes the filters.
#[component]
fn Published() -> impl IntoView {
    let page = page();
    let address = address();
    let table = Memo::new(move |_| {
        page.with_basis(|basis| page.shown.with(|shown| published_table(basis, &shown.rows, page.look())))
    });
    let shown = move || (page.later_text().rows_shown)(table.with(|table| table.rows.len()), ROWS.len());
    let filtered = move || page.shown.with(|shown| shown.rows != Filter::default());
    let all =
        move |_| address.change(page, false, || page.shown.update(|shown| shown.rows = Filter::default()));
    view! {
        <TableCard table=table>
            <div class="filters" role="group" aria-label=move || page.later_text().filters>
                {Facet::ALL.map(|facet| view! { <Side facet=facet /> }).collect_view()}
                <span class="note" role="status" data-testid="rows-shown">{shown}</span>
                <Show when=filtered>
                    <button type="button" class="quiet" data-testid="all-rows" on:click=all>
                        {move || page.later_text().all_rows}
                    </button>
                </Show>
            </div>
        </TableCard>
    }
}

/// One side by which rows are filtered; each choice says how many rows it would leave.
#[component]
fn Side(facet: Facet) -> impl IntoView {
    let page = page();
    let address = address();
    let chosen = move || page.shown.with(|shown| shown.rows.get(facet));
    let option = move |code: Option<&'static str>, name: String| {
        let count = move || page.shown.with(|shown| shown.rows.count(facet, code).to_string());
        view! {
            <option value=code.unwrap_or_default() selected=move || chosen() == code>
                {name}" ("{count}")"
            </option>
        }
    };
    let choose = move |event: web_sys::Event| {
        let value = event_target_value(&event);
        address.change(page, false, || {
            page.shown.update(|shown| {
                // Only what has rows is offered.
                let _ = shown.rows.set(facet, &value);
            });
        });
    };
    view! {
        <label>
            {move || facet.title(page.look())}
            <select data-facet=facet.name() prop:value=move || chosen().unwrap_or_default() on:change=choose>
                {move || {
                    let choices = facet.choices(page.look()).into_iter();
                    choices.map(|choice| option(choice.code, choice.name)).collect_view()
                }}
            </select>
        </label>
    }
}

/// What the engines print and take, in ours.
#[component]
fn Terms() -> impl IntoView {
    let page = page();
    let table = Memo::new(move |_| page.with_basis(|basis| terms_table(basis, page.look())));
    view! { <TableCard table=table /> }
}
