//! The room of the hardware bent: a decode step as it is and as it becomes, what binds it, what is worth bending, and
//! what the report says of it.

use leptos::prelude::*;
use model_core::figure::{Ledger, Unit, Value};
use model_core::format::{self, Shown};
use model_core::scenario::{Key, Scenario};
use model_core::scene::{Layout, Look};
use model_core::workbench::{
    self, BENDS, BESIDE, Bench, CacheNeed, Case, Claim, Effect as Worth, LEDGERS, Preset, PresetKind,
    Sensitivity, Step, claims, effects_table, presets,
};

use super::controls::{Control, Reset};
use super::data_table::TableCard;
use super::drawn::DrawnCard;
use super::share::Share;
use super::{address, page};
use crate::browser;
use crate::page::Page;

/// What of the load is turned here: the rest stands in the room of tables.
const LOAD: [Key; 4] = [Key::Gpu, Key::Layout, Key::Context, Key::Batch];

/// The room.
#[component]
pub(super) fn Workbench() -> impl IntoView {
    let page = page();
    let bench = Memo::new(move |_| page.with_basis(Bench::of));
    let there = Memo::new(move |_| bench.with(|bench| bench.reason.is_none()));
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="workbench">
            <Inputs bench=bench />
            <div class="results">
                <Head bench=bench />
                {move || {
                    there.get().then(|| view! {
                        <Stages bench=bench />
                        <Presets />
                        <Tables bench=bench />
                    })
                }}
                <Claims />
            </div>
        </main>
    }
}

/// The column of controls.
#[component]
fn Inputs(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let address = address();
    // On a phone the results stand right under the names of the groups.
    let unfolded = untrack(|| page.look()).layout == Layout::Wide;
    let timed = Memo::new(move |_| LEDGERS.contains(&page.ledger.get()));
    let load = move || {
        let acting = LOAD.into_iter().filter(|key| key.acts_in(page.ledger.get()));
        acting.map(|key| view! { <Control key=key /> }).collect_view()
    };
    let need = Memo::new(move |_| {
        page.with_basis(|basis| {
            let need = CacheNeed::of(basis.report.ledger, basis.settings, basis.spec);
            need.map(|need| need.told(page.look()))
        })
    });
    let bend = move |key: Key| {
        let bent = move || bench.with(|bench| bench.bent.contains(&key));
        let note = (key == Key::L2Mib).then(|| view! { <p class="note">{move || need.get()}</p> });
        view! { <div class="bend" class:bent=bent><Control key=key />{note}</div> }
    };
    let straighten = move |_| address.change(page, false, || page.bend(Key::Gpus, workbench::straight));
    let bends = move || {
        view! {
            <details class="card inputs-group" open=unfolded>
                <summary>{move || page.later_text().bench_bends}</summary>
                {BENDS.iter().copied().map(bend).collect_view()}
            </details>
            <details class="card inputs-group">
                <summary>{move || page.later_text().bench_beside}</summary>
                {BESIDE.iter().copied().map(|key| view! { <Control key=key /> }).collect_view()}
            </details>
            <button
                type="button"
                class="strong"
                data-testid="straighten"
                disabled=move || bench.with(|bench| bench.bent.is_empty())
                on:click=straighten
            >
                {move || page.later_text().bench_straighten}
            </button>
        }
    };
    view! {
        <aside class="inputs" aria-label=move || page.later_text().inputs>
            <details class="card inputs-group" open=unfolded>
                <summary>{move || page.text().controls}</summary>
                {load}
            </details>
            {move || timed.get().then(bends)}
            <section class="card inputs-group takeaway" aria-label=move || page.later_text().hand_on>
                <Share />
                <Reset />
            </section>
        </aside>
    }
}

/// A number with its unit smaller and its value for scripts.
fn amount(hook: &'static str, figure: Option<&'static str>, shown: Shown, value: f64) -> impl IntoView {
    let unit = (!shown.unit.is_empty()).then(|| view! { " "<span class="unit">{shown.unit}</span> });
    view! {
        <span data-testid=hook data-figure=figure data-value=value.to_string()>{shown.number}{unit}</span>
    }
}

fn step(hook: &'static str, step: &Step) -> impl IntoView + use<> {
    amount(hook, Some(step.figure()), step.shown(), step.total.get())
}

fn times(bench: &Bench) -> impl IntoView + use<> {
    amount("speedup", None, Shown { number: bench.times(), unit: "" }, bench.speedup())
}

/// What the room is for, both steps, and what binds now; or why there is nothing to bend.
#[component]
fn Head(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let there = Memo::new(move |_| bench.with(|bench| bench.reason.is_none()));
    let number = move |index: usize| {
        let shown = move || {
            bench.with(|bench| match index {
                0 => step("before", &bench.before).into_any(),
                1 => step("after", &bench.after).into_any(),
                _ => times(bench).into_any(),
            })
        };
        view! {
            <div class="bench-number">
                <dt>{move || page.later_text().bench_numbers[index]}</dt>
                <dd>{shown}</dd>
            </div>
        }
    };
    let said = move || {
        bench.with(|bench| {
            let look = page.look();
            let sentences = bench.binding(look).into_iter().chain(bench.note(look).map(ToOwned::to_owned));
            sentences.map(|sentence| view! { <p>{sentence}</p> }).collect_view()
        })
    };
    let bound = move || bench.with(|bench| bench.longest().map(|stage| stage.bound.name()));
    view! {
        <section class="card bench-head" data-testid="bench">
            <h1>{move || page.later_text().bench_title}</h1>
            <p class="lead">{move || page.later_text().bench_lead}</p>
            <Show when=move || there.get() fallback=move || view! { <Excuse bench=bench /> }>
                <dl class="bench-numbers">{(0..3).map(number).collect_view()}</dl>
                <div class="bench-said" role="status" data-testid="binds" data-bound=bound>{said}</div>
                <Bent bench=bench />
            </Show>
        </section>
    }
}

/// Why there is nothing to bend, and the ledgers that have something.
#[component]
fn Excuse(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let address = address();
    let take = move |ledger: Ledger| {
        view! {
            <button
                type="button"
                class="strong"
                data-take=ledger.name()
                on:click=move |_| address.change(page, false, || page.use_ledger(ledger))
            >
                {move || (page.later_text().bench_take)((page.text().ledger_name)(ledger))}
            </button>
        }
    };
    let others = move || {
        let others = LEDGERS.iter().copied().filter(|ledger| *ledger != page.ledger.get());
        others.map(take).collect_view()
    };
    view! {
        <p class="bench-excuse" data-testid="excuse">{move || bench.with(|bench| bench.excuse(page.look()))}</p>
        <p class="bench-ways">{others}</p>
    }
}

/// What is bent, each with the way back.
#[component]
fn Bent(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let address = address();
    // What merely follows another value goes back with that.
    let keys = Memo::new(move |_| {
        let chosen = |key: &Key| page.seen.with(|scenario| scenario.chosen(*key).is_some());
        bench.with(|bench| bench.bent.iter().copied().filter(chosen).collect::<Vec<_>>())
    });
    let forget = move |key: Key| {
        let forget = |scenario: &Scenario| {
            let mut scenario = scenario.clone();
            scenario.forget(key);
            scenario
        };
        address.change(page, false, || page.bend(key, |_, scenario, _| forget(scenario)));
    };
    let chip = move |key: Key| {
        let name = move || format!("{} {}", (page.text().key_name)(key), page.setting_shown(key));
        view! {
            <li>
                <button
                    type="button"
                    class="chip"
                    data-bent=key.name()
                    aria-label=move || format!("{} — {}", name(), page.later_text().bench_unbend)
                    title=move || page.later_text().bench_unbend
                    on:click=move |_| forget(key)
                >
                    {name}
                    <span aria-hidden="true">" ✕"</span>
                </button>
            </li>
        }
    };
    view! {
        <div class="bench-bent">
            <Show
                when=move || bench.with(|bench| !bench.bent.is_empty())
                fallback=move || view! { <p class="note">{move || page.later_text().bench_straight}</p> }
            >
                <span class="note">{move || page.later_text().bench_bent}</span>
                <ul>
                    <For each=move || keys.get() key=|key| *key let:key>{chip(key)}</For>
                </ul>
            </Show>
        </div>
    }
}

/// The look of files: wide, whatever the window.
fn on_paper(page: Page) -> Look {
    Look { layout: Layout::Wide, ..untrack(|| page.look()) }
}

/// Both steps as bars.
#[component]
fn Stages(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let drawing = Memo::new(move |_| bench.with(|bench| bench.draw(page.look())));
    view! {
        <DrawnCard
            name="bench"
            title=Signal::derive(move || drawing.with(|drawing| drawing.title.clone()))
            drawing=drawing
            whole=move || bench.with_untracked(|bench| bench.draw_whole(on_paper(page)))
            entries=Signal::derive(move || bench.with(|bench| bench.legend(page.look())))
        />
    }
}

/// The report's directions and difficulties as cards.
#[component]
fn Presets() -> impl IntoView {
    let page = page();
    // They stand for the report's own situations, and so follow the ledger and the model alone.
    let effects = Memo::new(move |_| {
        let ledger = page.ledger.get();
        page.spec.with(|spec| presets().iter().map(|preset| preset.effects(ledger, spec)).collect::<Vec<_>>())
    });
    let in_force = Memo::new(move |_| {
        page.with_basis(|basis| {
            let preset = Preset::in_force(basis.report.ledger, basis.scenario, basis.spec);
            preset.map(|preset| preset.name)
        })
    });
    let group = move |(index, kind): (usize, PresetKind)| {
        let of_kind = presets().iter().enumerate().filter(move |(_, preset)| preset.kind == kind);
        let card = move |(place, preset): (usize, &'static Preset)| {
            view! { <PresetCard preset=preset place=place effects=effects in_force=in_force /> }
        };
        view! {
            <section class="bench-presets" data-kind=index>
                <h2>{move || page.later_text().bench_kinds[index]}</h2>
                <p class="note">{move || page.later_text().bench_kinds_about[index]}</p>
                <ul>{of_kind.map(card).collect_view()}</ul>
            </section>
        }
    };
    [PresetKind::Direction, PresetKind::Difficulty].into_iter().enumerate().map(group).collect_view()
}

/// One of them: what it teaches, what it comes to, and the press that takes it.
#[component]
fn PresetCard(
    preset: &'static Preset,
    place: usize,
    effects: Memo<Vec<Vec<Worth>>>,
    in_force: Memo<Option<&'static str>>,
) -> impl IntoView {
    let page = page();
    let address = address();
    let here = move || in_force.get() == Some(preset.name);
    let apply = move |_| {
        address.change(page, false, || {
            page.bend(Key::Gpus, |ledger, scenario, spec| preset.applied(ledger, scenario, spec));
        });
    };
    let rows = move || {
        effects.with(|effects| {
            let of_case = |case: Case| effects.get(place)?.iter().find(|effect| effect.case == case);
            let row = |case: Case| match of_case(case) {
                Some(effect) => worth(page, effect).into_any(),
                None => none_fits(page, case).into_any(),
            };
            Case::ALL.into_iter().map(row).collect_view()
        })
    };
    view! {
        <li class="card" class:now=here data-preset=preset.name>
            <h3>{move || preset.title(page.look())}</h3>
            <p class="note">{move || preset.teaches(page.look())}</p>
            <dl>{rows}</dl>
            <button type="button" class="apply" aria-pressed=move || here().to_string() on:click=apply>
                {move || if here() { page.later_text().bench_in_force } else { page.later_text().bench_apply }}
            </button>
        </li>
    }
}

/// Said where a preset comes to nothing because no request fits.
fn none_fits(page: Page, case: Case) -> impl IntoView + use<> {
    let look = page.look();
    view! {
        <div data-case=case.name()>
            <dt>{case.title(look)}</dt>
            <dd><p>{Case::none_fits(look)}</p></dd>
        </div>
    }
}

/// What a preset comes to in a situation: the steps, and the requests where they differ.
fn worth(page: Page, effect: &Worth) -> impl IntoView + use<> {
    let Worth { bench, case, .. } = effect;
    let (before, after) = (&bench.before, &bench.after);
    let times = (!bench.refilled()).then(|| view! { <b class="bench-times">{times(bench)}</b> });
    let served = bench.refilled().then(|| {
        let requests = |hook, step: &Step| {
            let batch = step.batch as f64;
            amount(hook, None, Shown { number: format::count(batch), unit: "" }, batch)
        };
        // The unit is the same on both sides, and stands once.
        let rate = |hook, step: &Step, unit: bool| {
            let shown =
                format::value(&Value::Number(step.tokens_per_s), Unit::TokensPerSecond, page.base.get());
            let shown = if unit { shown } else { Shown { unit: "", ..shown } };
            amount(hook, Some("decode.tokens_per_s"), shown, step.tokens_per_s)
        };
        view! {
            <p>
                {page.later_text().bench_requests}" "{requests("requests-before", before)}" → "{requests("requests-after", after)}
            </p>
            <p>
                {rate("rate-before", before, false)}" → "{rate("rate-after", after, true)}
                <b class="bench-times">
                    {amount("served", None, Shown { number: bench.times_served(), unit: "" }, bench.served())}
                </b>
            </p>
        }
    });
    view! {
        <div data-case=case.name()>
            <dt>{effect.title(page.look())}</dt>
            <dd>
                <p>{step("before", before)}" → "{step("after", after)}{times}</p>
                {served}
            </dd>
        </div>
    }
}

/// The tables, and what doubling pays.
#[component]
fn Tables(bench: Memo<Bench>) -> impl IntoView {
    let page = page();
    let of_bench = move |table: fn(&Bench, model_core::basis::Basis, Look) -> model_core::table::Table| {
        Memo::new(move |_| page.with_basis(|basis| bench.with(|bench| table(bench, basis, page.look()))))
    };
    let doubled = Memo::new(move |_| page.with_basis(Sensitivity::of));
    let drawing = Memo::new(move |_| doubled.with(|doubled| doubled.draw(page.look())));
    let rows = Memo::new(move |_| {
        page.with_basis(|basis| doubled.with(|doubled| doubled.table(basis, page.look())))
    });
    let worth = Memo::new(move |_| {
        let (ledger, look) = (page.ledger.get(), page.look());
        page.spec.with(|spec| untrack(|| page.with_basis(|basis| effects_table(ledger, spec, basis, look))))
    });
    view! {
        <TableCard table=of_bench(Bench::table) />
        <DrawnCard
            name="bench-doubled"
            title=Signal::derive(move || drawing.with(|drawing| drawing.title.clone()))
            drawing=drawing
            whole=move || doubled.with_untracked(|doubled| doubled.draw_whole(on_paper(page)))
            entries=Signal::derive(move || doubled.with(|doubled| doubled.legend(page.look())))
            table=rows
        >
            <p class="note">{move || rows.with(|rows| rows.about.clone())}</p>
            <p class="note">{move || doubled.with(|doubled| doubled.note(page.look()))}</p>
        </DrawnCard>
        <TableCard table=of_bench(Bench::domain_table) />
        <TableCard table=worth />
        <details class="card bench-resources">
            <summary>{move || page.later_text().bench_resources}</summary>
            <TableCard table=of_bench(Bench::before_table) />
            <TableCard table=of_bench(Bench::after_table) />
        </details>
    }
}

/// What the report says, beside what comes out.
#[component]
fn Claims() -> impl IntoView {
    let page = page();
    let claims = Memo::new(move |_| page.spec.with(|spec| claims(spec, page.look())));
    let claim = move |claim: &Claim| {
        let text = page.later_text();
        let [said, truth] = claim.numbers.map(|number| number.to_string());
        view! {
            <li data-claim=claim.name data-holds=claim.holds.to_string()>
                <p class="claim-verdict">{text.bench_holds[usize::from(claim.holds)]}</p>
                <dl>
                    <div>
                        <dt>{text.bench_claim[0]}</dt>
                        <dd data-value=said>{claim.said.clone()}</dd>
                    </div>
                    <div>
                        <dt>{text.bench_claim[1]}</dt>
                        <dd data-value=truth>{claim.truth.clone()}</dd>
                    </div>
                </dl>
            </li>
        }
    };
    view! {
        <section class="card room claims" data-testid="claims">
            <h2>{move || page.later_text().bench_claims}</h2>
            <p class="note">{move || page.later_text().bench_claims_about}</p>
            <ul>{move || claims.with(|claims| claims.iter().map(claim).collect_view())}</ul>
        </section>
    }
}
