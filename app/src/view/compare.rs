//! The room of scenarios side by side: what was pinned stays, the current one is turned beside it, and everything says
//! what that changed.

use leptos::prelude::*;
use model_core::compare::{Case, Comparison, LETTERS, Pair, Waterfall, Which, pair_of, pairs};
use model_core::figure::{Unit, Value};
use model_core::format::{self, Shown};
use model_core::import;
use model_core::ledger::Topic;
use model_core::ledger::memory::Judges;
use model_core::link::{Compared, Room};
use model_core::scenario::Key;
use model_core::scene::{Layout, Look};

use super::controls::{Control, Reset};
use super::data_table::TableCard;
use super::drawn::DrawnCard;
use super::{address, page};
use crate::browser;
use crate::page::Page;

/// What is turned most while comparing; every other value stands in the room of tables.
const TURNED: [Key; 9] = [
    Key::Context,
    Key::Batch,
    Key::Gpu,
    Key::Gpus,
    Key::Layout,
    Key::Tp,
    Key::Ep,
    Key::KvPlacement,
    Key::Link,
];

/// The ways that always stand there; the others are chosen.
const WAYS: [Topic; 2] = [Topic::MemoryPerGpu, Topic::DecodeStep];

/// The cases as shown, and their comparison.
#[derive(Clone, Copy)]
struct Beside {
    /// The pinned ones.
    pinned: Memo<Vec<Case>>,
    /// The one that is turned.
    current: Memo<Case>,
}

impl Beside {
    /// The cases of the page.
    fn of(page: Page) -> Self {
        let pinned = Memo::new(move |_| page.compared.with(|all| all.iter().map(Case::from).collect()));
        // With a model of the reader's own where there is one, which no address and so no pinned case can carry.
        let current =
            Memo::new(move |_| Case::with_model(page.seen.get(), page.ledger.get(), page.spec.get()));
        Self { pinned, current }
    }

    /// Reads a case by its place.
    fn with<T>(self, place: usize, read: impl Fn(&Case) -> T) -> T {
        match self.pinned.with(|pinned| pinned.get(place).map(&read)) {
            Some(known) => known,
            None => self.current.with(&read),
        }
    }
}

/// The room.
#[component]
pub(super) fn Compare() -> impl IntoView {
    let page = page();
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="compare">
            <div class="compare-lead">
                <h1>{move || page.later_text().compare_title}</h1>
                <p>{move || page.later_text().compare_lead}</p>
            </div>
            <aside class="inputs" aria-label=move || page.later_text().inputs>
                <Pairs />
                <Turned />
            </aside>
            <Results />
        </main>
    }
}

/// The pair that stands there, if it is one.
fn present_pair(page: Page) -> Option<&'static Pair> {
    page.compared.with(|all| match &all[..] {
        [first] if page.link_carries() => page
            .scenario
            .with(|scenario| pair_of([first, &Compared::new(scenario, page.ledger.get(), page.base.get())])),
        _ => None,
    })
}

/// The pairs at hand, and what the present one means.
#[component]
fn Pairs() -> impl IntoView {
    let page = page();
    let address = address();
    let present = Memo::new(move |_| present_pair(page));
    let take = move |event: web_sys::Event| {
        let name = event_target_value(&event);
        if let Some(pair) = pairs().iter().find(|pair| pair.name == name) {
            address.change(page, false, || page.take_pair(pair));
        }
    };
    let option = move |pair: &'static Pair| {
        view! {
            <option value=pair.name selected=move || present.get() == Some(pair)>
                {move || pair.title(page.look())}
            </option>
        }
    };
    view! {
        <section class="card inputs-group">
            <label>
                <span class="inputs-name">{move || page.later_text().compare_pairs}</span>
                <select
                    class="pick"
                    data-testid="pair"
                    prop:value=move || present.get().map_or("", |pair| pair.name)
                    on:change=take
                >
                    <option value="">"…"</option>
                    {pairs().iter().map(option).collect_view()}
                </select>
            </label>
            <div role="status" data-testid="meaning">
                {move || {
                    present.get().map(|pair| view! { <p class="meaning">{pair.meaning(page.look())}</p> })
                }}
            </div>
        </section>
    }
}

/// Controls of the current scenario.
#[component]
fn Turned() -> impl IntoView {
    let page = page();
    let address = address();
    let controls = move || {
        let ledger = page.ledger.get();
        let acting = TURNED.into_iter().filter(|key| key.acts_in(ledger));
        acting.map(|key| view! { <Control key=key /> }).collect_view()
    };
    let unfolded = untrack(|| page.look()).layout == Layout::Wide;
    view! {
        <details class="card inputs-group" open=unfolded>
            <summary>{move || page.later_text().compare_turn}</summary>
            {controls}
            <div class="takeaway">
                <button
                    type="button"
                    class="quiet"
                    data-testid="all-values"
                    on:click=move |_| address.change(page, false, || page.room.set(Room::Calculate))
                >
                    {move || page.later_text().compare_all_values}
                </button>
                <Reset />
            </div>
        </details>
    }
}

/// Puts the scenario beside the one that is turned, with the reason where that cannot be; `goes` to the room that
/// compares.
#[component]
pub(super) fn Pin(#[prop(optional)] goes: bool) -> impl IntoView {
    let page = page();
    let address = address();
    let can = Memo::new(move |_| page.can_pin());
    let press = move |_| {
        address.change(page, false, || {
            page.pin();
            if goes {
                page.room.set(Room::Compare);
            }
        });
    };
    let reason = move || {
        let own = page.spec.with(|spec| import::not_in_link(spec, page.look()));
        (!can.get()).then(|| own.unwrap_or(page.later_text().compare_full))
    };
    view! {
        <button
            type="button"
            class=if goes { "quiet" } else { "strong" }
            data-testid="pin"
            disabled=move || !can.get()
            aria-describedby="pin-reason"
            on:click=press
        >
            {move || if goes { page.later_text().compare_pin_and_go } else { page.later_text().compare_pin }}
        </button>
        <span class="note" id="pin-reason" data-testid="pin-reason" hidden=move || can.get()>
            {reason}
        </span>
    }
}

/// The cases and everything that sets them against each other.
#[component]
fn Results() -> impl IntoView {
    let page = page();
    let beside = Beside::of(page);
    let count = Memo::new(move |_| page.compared.with(Vec::len));
    view! {
        <div class="results">
            <section class="cases" aria-label=move || page.later_text().compare_cases>
                {move || (0..=count.get()).map(|place| view! { <CaseCard beside=beside place=place count=count.get() /> }).collect_view()}
            </section>
            <Show when=move || !page.link_carries()>
                <p class="note" id="own-model-note" data-testid="own-model-note">{move || page.later_text().compare_own_model}</p>
            </Show>
            {move || match count.get() {
                0 => view! { <Begin /> }.into_any(),
                count => view! { <SetAgainst beside=beside count=count /> }.into_any(),
            }}
        </div>
    }
}

/// One case: what it is, whether it fits, how long a step takes.
#[component]
fn CaseCard(beside: Beside, place: usize, count: usize) -> impl IntoView {
    let page = page();
    let address = address();
    let current = place == count;
    let letter = LETTERS.get(place).copied().unwrap_or_default();
    let role =
        move || if current { page.later_text().compare_current } else { page.later_text().compare_pinned };
    let summary = move || beside.with(place, |case| case.summary(page.look(), &page.names()));
    let fits = Memo::new(move |_| beside.with(place, |case| case.report.flag(Judges::of(case.ledger).fits)));
    let figure = move |id: &'static str| {
        beside.with(place, |case| {
            let value = case.report.number(id);
            let shown =
                format::value(&value.map_or(Value::Absent, Value::Number), Unit::Bytes, page.look().base);
            number(Some(id), value, shown)
        })
    };
    let need = move || beside.with(place, |case| Judges::of(case.ledger).need);
    let step = move || {
        beside.with(place, |case| {
            let step = case.step();
            let value = step.map(|point| point.value);
            let shown =
                format::value(&value.map_or(Value::Absent, Value::Number), Unit::Seconds, page.look().base);
            number(step.and_then(|point| point.figure), value, shown)
        })
    };
    let step_name = move || {
        let text = page.later_text();
        match beside.with(place, |case| case.step().map(|point| point.floor)) {
            Some(true) => text.compare_floor,
            Some(false) => text.compare_step,
            None => text.compare_no_step,
        }
    };
    let actions = move || {
        let swap = move |_| address.change(page, false, || page.swap(place));
        let remove = move |_| address.change(page, false, || page.unpin(place));
        let says = move |action: &'static str| format!("{letter}: {action}");
        view! {
            <button
                type="button"
                class="quiet"
                data-testid="swap"
                aria-label=move || says(page.later_text().compare_swap)
                disabled=move || !page.link_carries()
                aria-describedby=move || (!page.link_carries()).then_some("own-model-note")
                on:click=swap
            >
                "⇄ "{move || page.later_text().compare_swap}
            </button>
            <button
                type="button"
                class="quiet"
                data-testid="remove"
                aria-label=move || says(page.later_text().compare_remove)
                on:click=remove
            >
                {move || page.later_text().compare_remove}
            </button>
        }
    };
    view! {
        <article class="card case" class:current=current class:bad=move || !fits.get() data-case=letter.to_lowercase()>
            <header>
                <h2>
                    <span class="letter">{letter}</span>
                    <span class="case-role">{role}</span>
                </h2>
            </header>
            <ul class="case-summary">
                {move || summary().into_iter().map(|part| view! { <li>{part}</li> }).collect_view()}
            </ul>
            <dl>
                <div>
                    <dt class="case-verdict" data-fits=move || fits.get().to_string()>
                        {move || if fits.get() { page.text().fits } else { page.text().does_not_fit }}
                    </dt>
                    <dd>
                        {move || figure(need())}
                        <span class="of">{move || page.text().of}" "{move || figure("gpu.memory.bytes")}</span>
                    </dd>
                </div>
                <div>
                    <dt>{step_name}</dt>
                    <dd>{step}</dd>
                </div>
            </dl>
            <div class="case-actions">
                {if current { view! { <Pin /> }.into_any() } else { actions().into_any() }}
            </div>
        </article>
    }
}

/// A number of a case, which is a figure of that case's report.
fn number(id: Option<&'static str>, value: Option<f64>, shown: Shown) -> impl IntoView + use<> {
    let value = value.map(|value| value.to_string()).unwrap_or_default();
    view! {
        <span class="case-figure" data-figure=id data-value=id.map(|_| value)>
            <span class="number">{shown.number}</span>
            " "
            <span class="unit">{shown.unit}</span>
        </span>
    }
}

/// What to do where nothing is pinned yet.
#[component]
fn Begin() -> impl IntoView {
    let page = page();
    let address = address();
    let pair = move |pair: &'static Pair| {
        view! {
            <li>
                <button
                    type="button"
                    class="begin-pair"
                    data-pair=pair.name
                    on:click=move |_| address.change(page, false, || page.take_pair(pair))
                >
                    {move || pair.title(page.look())}
                </button>
            </li>
        }
    };
    view! {
        <section class="card room begin" data-testid="begin">
            <h2>{move || page.later_text().compare_begin}</h2>
            <p>{move || page.later_text().compare_begin_own}</p>
            <p>{move || page.later_text().compare_begin_pairs}</p>
            <ul class="begin-pairs">{pairs().iter().map(pair).collect_view()}</ul>
        </section>
    }
}

/// Values and figures that differ, and the ways from one case to another.
#[component]
fn SetAgainst(beside: Beside, count: usize) -> impl IntoView {
    let page = page();
    let address = address();
    let comparison = Memo::new(move |_| {
        let mut cases = beside.pinned.get();
        cases.push(beside.current.get());
        Comparison::of(cases)
    });
    let values = Memo::new(move |_| comparison.with(|all| all.values_table(page.look(), &page.names())));
    let which = Memo::new(move |_| page.shown.with(|shown| shown.figures));
    let figures = Memo::new(move |_| comparison.with(|all| all.table(which.get(), page.look())));
    let switch = move |wanted: Which| {
        view! {
            <button
                type="button"
                data-which=wanted.name()
                aria-pressed=move || (which.get() == wanted).to_string()
                on:click=move |_| {
                    address.change(page, false, || page.shown.update(|shown| shown.figures = wanted));
                }
            >
                {move || page.later_text().compare_which[wanted as usize]}
            </button>
        }
    };
    let alike = Memo::new(move |_| comparison.with(|all| all.values.is_empty()));
    view! {
        <Show when=move || alike.get()>
            <p class="compare-hint" data-testid="alike">{move || page.later_text().compare_alike}</p>
        </Show>
        <TableCard table=values />
        <Ways beside=beside count=count />
        <TableCard table=figures>
            <span class="switch which" role="group" aria-label=move || page.later_text().compare_which_label>
                {Which::ALL.map(switch)}
            </span>
        </TableCard>
    }
}

/// The ways from A to another case, one number each.
#[component]
fn Ways(beside: Beside, count: usize) -> impl IntoView {
    let page = page();
    let address = address();
    // The current case is what a reader asks about first.
    let goal = RwSignal::new(count);
    let topic = Memo::new(move |_| page.shown.with(|shown| shown.way.unwrap_or(Topic::ALL[0])));
    let letter = move |place: usize| {
        let name = LETTERS.get(place).copied().unwrap_or_default();
        view! {
            <button
                type="button"
                data-goal=name.to_lowercase()
                aria-pressed=move || (goal.get() == place).to_string()
                on:click=move |_| goal.set(place)
            >
                {LETTERS[0]}" → "{name}
            </button>
        }
    };
    let option = move |offered: Topic| {
        view! {
            <option value=offered.name() selected=move || topic.get() == offered>
                {move || Waterfall::topic_title(offered, page.look())}
            </option>
        }
    };
    let choose = move |event: web_sys::Event| {
        let name = event_target_value(&event);
        if let Some(chosen) = Topic::from_name(&name) {
            address.change(page, false, || page.shown.update(|shown| shown.way = Some(chosen)));
        }
    };
    let offered = Topic::ALL.into_iter().filter(|topic| !WAYS.contains(topic));
    view! {
        <div class="ways-head">
            <h2>{move || page.later_text().compare_ways}</h2>
            {(1 < count)
                .then(|| {
                    view! {
                        <span class="switch" role="group" aria-label=move || page.later_text().compare_ways>
                            {(1..=count).map(letter).collect_view()}
                        </span>
                    }
                })}
        </div>
        <div class="ways">
            {WAYS.into_iter().map(|topic| view! { <Way beside=beside topic=topic goal=goal /> }).collect_view()}
        </div>
        <label class="ways-more">
            <span>{move || page.later_text().compare_more_ways}</span>
            <select class="pick" data-testid="topic" on:change=choose>
                {offered.map(option).collect_view()}
            </select>
        </label>
        <div class="ways">{move || view! { <Way beside=beside topic=topic.get() goal=goal /> }}</div>
    }
}

/// The way from A to a case in one number, with its table folded.
#[component]
fn Way(beside: Beside, topic: Topic, goal: RwSignal<usize>) -> impl IntoView {
    let page = page();
    let way = Memo::new(move |_| {
        let place = goal.get();
        let name = |place: usize| LETTERS.get(place).copied().unwrap_or_default();
        let first = beside.with(0, Clone::clone);
        beside.with(place, |last| Waterfall::of(topic, &first, last)).called([name(0), name(place)])
    });
    let name = way.with_untracked(Waterfall::name);
    // Two of them stand beside each other where a page is wide.
    let small = move || Look { layout: Layout::Narrow, ..page.look() };
    let drawing = Memo::new(move |_| way.with(|way| way.draw(small(), &page.names())));
    let whole = move || {
        let wide = Look { layout: Layout::Wide, ..page.look() };
        way.with(|way| way.draw_whole(wide, &page.names()))
    };
    let title = Signal::derive(move || way.with(|way| way.title(page.look())));
    let entries = Signal::derive(move || {
        let entries = way.with(|way| way.legend(page.look()));
        entries.into_iter().map(|entry| (entry.fill, entry.name)).collect::<Vec<_>>()
    });
    let table = Memo::new(move |_| way.with(|way| way.table(page.look(), &page.names())));
    view! {
        <DrawnCard name=name title=title drawing=drawing whole=whole entries=entries table=table>
            <p class="note">{move || way.with(|way| way.about(page.look()))}</p>
        </DrawnCard>
    }
}
