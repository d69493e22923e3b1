//! What vLLM and SGLang print and take, in our figures: our value, what an engine would print, and the gap part by
//! part. With an engine chosen in the scenario its constants, read off published logs, are parts of the gap.

use super::search::spread;
use super::words as say;
use crate::basis::Basis;
use crate::figure::{Ledger, Report, Unit};
use crate::format::{Digits, Shown};
use crate::ledger::{PAGE_TOKENS, StageRoom, report, stage_rooms};
use crate::measured::{ENGINE_CONSTANTS, EngineConstants, Fit, tokens_that_fit};
use crate::plan::Plan;
use crate::scenario::{KvPlacement, Settings};
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;
use crate::table::derive::Maker;
use crate::table::{Cell, Row, Table};
use crate::units::Bytes;

/// A part of what lies between our value and an engine's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    what: Text,
    /// How much it adds to our value, in base units.
    pub amount: f64,
}

impl Gap {
    /// What it is.
    #[must_use]
    pub const fn say(self, look: Look) -> &'static str {
        look.say(self.what)
    }
}

/// One of the engines' terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its name in files and for test hooks.
    pub code: &'static str,
    name: Text,
    about: Text,
    /// The flag or the line of vLLM.
    pub vllm: &'static str,
    /// The flag or the line of SGLang.
    pub sglang: &'static str,
    /// What its values count.
    pub unit: Unit,
    /// Our value, in base units.
    pub ours: Option<f64>,
    /// The figure that our value is, where it is one.
    pub figure: Option<&'static str>,
    /// What an engine prints or takes.
    pub prints: Option<f64>,
    /// What lies between, in order; our value and all parts add up to what is printed.
    pub gap: Vec<Gap>,
}

impl Term {
    /// What we call it.
    #[must_use]
    pub const fn name(&self, look: Look) -> &'static str {
        look.say(self.name)
    }

    /// What it counts, and what to mind.
    #[must_use]
    pub const fn about(&self, look: Look) -> &'static str {
        look.say(self.about)
    }

    fn of(words: &say::TermWords, unit: Unit, ours: Option<f64>) -> Self {
        Self {
            code: words.code,
            name: words.name,
            about: words.about,
            vllm: words.vllm,
            sglang: words.sglang,
            unit,
            ours,
            figure: None,
            prints: ours,
            gap: Vec::new(),
        }
    }

    /// Our value is that figure.
    fn figure(words: &say::TermWords, unit: Unit, report: &Report, id: &'static str) -> Self {
        Self { figure: Some(id), ..Self::of(words, unit, report.number(id)) }
    }

    /// An engine prints the last of several values that each take one thing more into account.
    fn through(self, values: &[(Text, f64)]) -> Self {
        let Some(ours) = self.ours else { return self };
        let mut gap = Vec::new();
        let mut before = ours;
        for (what, value) in values {
            if *value != before {
                gap.push(Gap { what: *what, amount: value - before });
            }
            before = *value;
        }
        Self { prints: Some(before), gap, ..self }
    }

    /// An engine prints our value and so much more.
    fn plus(self, parts: &[(Text, Option<f64>)]) -> Self {
        let sums = parts.iter().scan(self.ours, |sum, (what, part)| {
            *sum = sum.as_ref().zip(part.as_ref()).map(|(sum, part)| sum + part);
            Some(sum.map(|sum| (*what, sum)))
        });
        match sums.collect::<Option<Vec<_>>>() {
            Some(values) => self.through(&values),
            None => Self { prints: None, ..self },
        }
    }
}

/// Every term for a scenario; none where the model cannot be cut as its plan says.
#[must_use]
pub fn terms(basis: Basis) -> Vec<Term> {
    let settings = basis.scenario.resolve(Ledger::Exact);
    let spec = &*settings.model_in_force(basis.spec);
    let own;
    let figures = if basis.report.ledger == Ledger::Exact {
        basis.report
    } else {
        own = report(Ledger::Exact, basis.scenario, basis.spec);
        &own
    };
    let Some(held) = Held::of(&settings, spec) else { return Vec::new() };
    let mut terms = memory(&settings, figures, &held);
    terms.extend(load(&settings, figures, &held));
    terms.extend(times(&settings, spec, figures));
    terms.extend(plan(&settings));
    terms
}

/// Room under the assumptions that an engine makes one after the other.
struct Held {
    plan: Plan,
    counted: Vec<StageRoom>,
    /// With the tails of unfinished groups, which engines keep.
    tailed: Vec<StageRoom>,
    /// And in whole pages.
    paged: Vec<StageRoom>,
    engine: Option<&'static EngineConstants>,
    /// Tokens by the engine's constants.
    logged: Option<f64>,
    /// Tokens whose groups are all complete.
    page: u64,
}

impl Held {
    fn of(settings: &Settings, spec: &ModelSpec) -> Option<Self> {
        let counted = stage_rooms(settings, spec)?;
        let tailed = Settings { state: true, ..settings.clone() };
        let paged = Settings { page_rounding: true, ..tailed.clone() };
        let engine = ENGINE_CONSTANTS.iter().find(|constants| constants.name == settings.engine.word());
        let weights = counted.iter().map(|room| room.weights).fold(Bytes::ZERO, Bytes::max);
        let share = 1.0 / f64::from(settings.pp.max(1));
        let logged = engine.and_then(|engine| {
            Some(match tokens_that_fit(settings.gpu_memory, weights, share, engine)? {
                Fit::Tokens { middle, .. } => middle * spread(settings),
                Fit::Short(_) => 0.0,
            })
        });
        Some(Self {
            plan: Plan::of(settings),
            tailed: stage_rooms(&tailed, spec)?,
            paged: stage_rooms(&paged, spec)?,
            counted,
            engine,
            logged,
            page: least_common_multiple(spec.csa_ratio, spec.hca_ratio),
        })
    }

    /// The least over the stages, never under nothing.
    fn least(rooms: &[StageRoom], of: impl Fn(&StageRoom) -> f64) -> f64 {
        let each = rooms.iter().map(of).filter(|fit| fit.is_finite());
        each.reduce(f64::min).unwrap_or(0.0).max(0.0)
    }

    /// Tokens of a rank: those that memory allows, then with one thing more each. An engine's constants hold windows,
    /// tails and pages, and stand in for a reserve.
    fn tokens(&self, settings: &Settings) -> (f64, Vec<(Text, f64)>) {
        let (memory, reserve, wide) = (settings.gpu_memory, settings.reserve, spread(settings));
        let bare = |room: &StageRoom| (memory - room.weights) / room.per_token * wide;
        let kept = |room: &StageRoom| (memory - room.weights - reserve) / room.per_token * wide;
        let beside = |room: &StageRoom| {
            (memory - room.weights - reserve - room.per_request * room.requests) / room.per_token * wide
        };
        let context = settings.context.max(1) as f64;
        let paged = |room: &StageRoom| {
            let each = (room.request - room.per_request) / context;
            (memory - room.weights - reserve - room.per_request * room.requests) / each * wide
        };
        let mut values = match (self.engine, self.logged) {
            (Some(engine), Some(logged)) => {
                let taken = memory * engine.static_fraction;
                let (least, most) = engine.fixed_per_gpu;
                let held = (least + most) / 2.0;
                let given = |room: &StageRoom| (taken - room.weights) / room.per_token * wide;
                let left = |room: &StageRoom| (taken - room.weights - held) / room.per_token * wide;
                vec![
                    (say::GAP_BESIDE, Self::least(&self.counted, given)),
                    (say::GAP_HELD, Self::least(&self.counted, left)),
                    (say::GAP_EACH_TOKEN, logged),
                ]
            }
            _ => vec![
                (say::GAP_RESERVE, Self::least(&self.counted, kept)),
                (say::GAP_FIXED, Self::least(&self.tailed, beside)),
                (say::GAP_PAGES, Self::least(&self.paged, paged)),
            ],
        };
        let last = values.last().map_or(0.0, |(_, last)| *last);
        let page = self.page.max(1) as f64;
        values.push((say::GAP_WHOLE_PAGES, (last / page).floor() * page));
        (Self::least(&self.counted, bare), values)
    }

    fn requests(&self, settings: &Settings) -> Vec<(Text, f64)> {
        let groups = match settings.kv_placement {
            KvPlacement::ByPlan => f64::from(self.plan.attention_groups()),
            KvPlacement::Copied => 1.0,
            KvPlacement::Split => f64::from(self.plan.ep),
        };
        let fit = |reserve: Bytes| {
            move |room: &StageRoom| (settings.gpu_memory - room.weights - reserve) / room.request * groups
        };
        let mut values = vec![(say::GAP_PART_OF_ONE, Self::least(&self.counted, fit(Bytes::ZERO)))];
        let ranks = groups / spread(settings);
        match self.logged {
            Some(logged) => {
                values.push((say::GAP_ENGINE, logged / settings.context.max(1) as f64 * ranks));
            }
            None => values.extend([
                (say::GAP_RESERVE, Self::least(&self.counted, fit(settings.reserve))),
                (say::GAP_TAILS, Self::least(&self.tailed, fit(settings.reserve))),
                (say::GAP_PAGES, Self::least(&self.paged, fit(settings.reserve))),
            ]),
        }
        values
    }
}

fn memory(settings: &Settings, figures: &Report, held: &Held) -> Vec<Term> {
    let (bound, steps) = held.tokens(settings);
    let tokens = Term::of(&say::KV_TOKENS, Unit::Count, Some(bound)).through(&steps);
    let fraction = 1.0 - settings.reserve / settings.gpu_memory;
    let fraction = Term::of(&say::MEMORY_FRACTION, Unit::Count, Some(fraction.max(0.0)));
    let fraction = match held.engine {
        Some(engine) => fraction.through(&[(say::GAP_BESIDE, engine.static_fraction)]),
        None => fraction,
    };
    let page = Term::of(&say::PAGE, Unit::Count, Some(held.page as f64))
        .through(&[(say::GAP_LONGER_PAGE, PAGE_TOKENS as f64)]);
    let weights = Term::figure(&say::WEIGHTS, Unit::Bytes, figures, "weights.bytes_per_gpu");
    let weights = match held.engine {
        Some(engine) => {
            let (least, most) = engine.fixed_per_gpu;
            weights.plus(&[(say::GAP_HELD, Some(((least + most) / 2.0).get()))])
        }
        None => weights,
    };
    let requests = Term::figure(&say::CONCURRENCY, Unit::Count, figures, "capacity.max_batch")
        .through(&held.requests(settings));
    let on_rank = settings.context as f64 * held.plan.requests_on_gpu(settings.batch) as f64;
    let printed = tokens.prints.unwrap_or(0.0);
    let share = |all: f64| (all > 0.0).then_some(on_rank / all);
    let usage = Term::of(&say::USAGE, Unit::Count, share(bound));
    let usage = match share(printed) {
        Some(printed) => usage.through(&[(say::GAP_FEWER_TOKENS, printed)]),
        None => Term { prints: None, ..usage },
    };
    let rows = Term::figure(&say::ROWS, Unit::Bytes, figures, "cache.row.bytes");
    vec![tokens, fraction, page, weights, requests, usage, rows]
}

fn load(settings: &Settings, figures: &Report, held: &Held) -> Vec<Term> {
    let running = Term::of(&say::RUNNING, Unit::Count, Some(settings.batch as f64))
        .through(&[(say::GAP_PER_RANK, held.plan.requests_on_gpu(settings.batch) as f64)]);
    let length =
        Term { prints: None, ..Term::figure(&say::LENGTH, Unit::Count, figures, "capacity.max_context") };
    let chunk = Term::of(&say::CHUNK, Unit::Count, Some(settings.chunk as f64));
    let prompt = settings.prefix as f64 + settings.chunk as f64;
    let hit = Term::of(&say::HIT, Unit::Count, Some(settings.prefix as f64 / prompt));
    vec![running, length, chunk, hit]
}

fn times(settings: &Settings, spec: &ModelSpec, figures: &Report) -> Vec<Term> {
    let gained = super::assume::tokens_a_step(settings);
    let layers = spec.main_layers().len() as f64;
    let floor = figures.number("decode.floor_s").map(|floor| floor / gained);
    let latency = settings.latency_per_layer.map(|each| each.get() * layers / gained);
    let fixed = figures.number("decode.overhead_s").map(|fixed| fixed / gained);
    let tpot = Term::of(&say::TPOT_TERM, Unit::Seconds, floor)
        .plus(&[(say::GAP_LATENCY, latency), (say::GAP_FIXED_TIME, fixed)]);
    let tpot = if gained == 1.0 { Term { figure: Some("decode.floor_s"), ..tpot } } else { tpot };
    let ttft = Term::figure(&say::TTFT_TERM, Unit::Seconds, figures, "prefill.floor_s").plus(&[
        (say::GAP_EXCHANGE, figures.number("prefill.exchange_s")),
        (say::GAP_FIXED_TIME, Some(settings.overhead.prefill.get())),
        (say::GAP_QUEUE, Some(settings.queue.get())),
        (say::GAP_FIRST_STEP, figures.number("decode.step_s")),
    ]);
    let drafts = if settings.mtp { settings.draft_depth } else { 0 };
    let drafts = Term::of(&say::DRAFTS, Unit::Count, Some(drafts as f64));
    vec![tpot, ttft, drafts]
}

fn plan(settings: &Settings) -> Vec<Term> {
    let plan = Plan::of(settings);
    let count = |words, number: u32| Term::of(words, Unit::Count, Some(f64::from(number)));
    vec![
        count(&say::TP_TERM, plan.tp),
        count(&say::DP_TERM, plan.attention_groups()),
        count(&say::EP_TERM, plan.ep),
        count(&say::PP_TERM, plan.pp),
    ]
}

/// The fewest tokens that make whole groups of both sizes.
const fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut a, mut b) = (if one == 0 { 1 } else { one }, if other == 0 { 1 } else { other });
    let product = a * b;
    while b != 0 {
        (a, b) = (b, a % b);
    }
    product / a
}

impl Term {
    fn digits(&self) -> Digits {
        match self.unit {
            Unit::Count if say::SHARES.contains(&self.code) => Digits::Percent(1),
            Unit::Count if self.code == say::CONCURRENCY.code => Digits::Fixed(2),
            Unit::Count => Digits::Fixed(0),
            unit => Digits::Fit(unit),
        }
    }

    /// A value of it as it is shown.
    #[must_use]
    pub fn show(&self, value: Option<f64>, look: Look) -> Shown {
        self.digits().show(value, look.base)
    }

    /// The gap in words, part by part.
    #[must_use]
    pub fn gap_sentence(&self, look: Look) -> String {
        let part = |gap: &Gap| {
            let sign = if gap.amount > 0.0 { "+" } else { "" };
            format!("{} {sign}{}", gap.say(look), self.show(Some(gap.amount), look))
        };
        self.gap.iter().map(part).collect::<Vec<_>>().join(look.say(say::AND))
    }
}

/// The terms as a table.
#[must_use]
pub fn terms_table(basis: Basis, look: Look) -> Table {
    let maker = Maker { basis, look };
    let heads = [say::OURS, say::VLLM, say::SGLANG, say::OUR_VALUE, say::PRINTS, say::GAP, say::ABOUT];
    let rows: Vec<Row> = terms(basis).iter().map(|term| line(&maker, term)).collect();
    let filled = if rows.is_empty() { Err(say::CANNOT_CUT) } else { Ok((maker.columns(&heads), rows)) };
    Table::of("terms", look.say(say::TERMS), look.say(say::TERMS_ABOUT), filled, look)
}

fn line(maker: &Maker, term: &Term) -> Row {
    let look = maker.look;
    let text = |text: &'static str| maker.word([text, text], text);
    let value = |value| Cell { shown: term.show(value, look), ..maker.number(value, term.digits()) };
    let ours = value(term.ours);
    let ours = match term.figure {
        Some(id) => maker.named(ours, id, maker.exact()),
        None => ours,
    };
    let gap = match term.gap.as_slice() {
        [] => maker.absent(),
        _ => Cell {
            shown: Shown { number: term.gap_sentence(look), unit: "" },
            word: Some(term.code),
            ..maker.absent()
        },
    };
    let cells = vec![
        text(term.vllm),
        text(term.sglang),
        ours,
        value(term.prints),
        gap,
        maker.word(term.about, term.code),
    ];
    Row { head: term.name(look).to_owned(), code: term.code.into(), cells, ..Row::default() }
}
