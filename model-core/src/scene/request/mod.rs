//! Scene "request": from text to the first token and on, token by token. Which part of the machine each stage presses,
//! what a batch changes, and what traffic makes of it: all from the ledger's times and one simulated run.

mod exercise;
mod frame;
mod panels;
mod press;
mod sheet;
#[cfg(test)]
mod tests;
mod traffic;
mod words;
mod worked;

use super::Facts;
use super::parts::in_turn;
use super::timeline::{StepTime, Timed, staggered};
use super::worked::same;
use crate::ledger::BATCHES;
use crate::ledger::distinct_over;
use crate::ledger::pace::{Basis, Pace, StepPace};
use crate::scenario::Draw;
use crate::scene::captioned::Captioned;
use crate::scene::per_look::PerLook;
use crate::spec::ModelSpec;
pub use press::{Press, Resource, STAGES, Stage};
pub use traffic::Traffic;

steps! {
    /// Text becomes tokens, the request queues.
    Queue "queue",
    /// The prefix cache is asked.
    Prefix "prefix",
    /// Pages of cache are handed out.
    Pages "pages",
    /// The prompt in chunks, up to the first token.
    Prefill "prefill",
    /// One decode step, part by part.
    Decode "decode",
    /// What the batch changes.
    Batch "batch",
    /// Traffic: queue, percentiles, throughput.
    Run "run",
}

/// Chunks that are drawn one by one.
const MOST_CHUNKS: usize = 16;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A stage shows what it presses.
    Press(Stage),
    /// The mean wait in the queue is told.
    Wait,
    /// The found prefix comes from disk.
    Restore {
        /// Tokens found.
        tokens: u64,
    },
    /// A way of keeping window rows is priced, from 0.
    Keep(usize),
    /// The prompt's pages are handed out.
    Allot {
        /// How many.
        pages: u64,
    },
    /// The pool is told.
    Pool,
    /// A chunk of the prompt is computed.
    Chunk {
        /// Which, from 0.
        index: usize,
        /// Tokens before it.
        prefix: u64,
        /// Its tokens.
        tokens: u64,
    },
    /// The parts of the time to the first token add up.
    First,
    /// The curve over all batches.
    Curve,
    /// The scenario's batch on it.
    Here {
        /// Requests at once.
        batch: u64,
        /// How it works.
        regime: Regime,
    },
    /// Waiting and running requests over time.
    Traffic,
    /// Percentiles and throughput.
    Percentiles,
}

/// How a batch works, by the share of experts that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// Few tokens an expert, few experts: weights are read for little.
    Small,
    /// Tokens share experts, and ever more experts are touched.
    Medium,
    /// Nearly all experts are touched by every step: their reading is saturated.
    Large,
}

impl Regime {
    /// All three in order.
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];
    /// Shares of the experts touched from which a batch is medium, and large.
    pub const BORDERS: [f64; 2] = [0.5, 0.95];

    /// The regime in which a step touches such a share of the experts.
    #[must_use]
    pub fn of(share: f64) -> Self {
        match share {
            s if s < Self::BORDERS[0] => Self::Small,
            s if s < Self::BORDERS[1] => Self::Medium,
            _ => Self::Large,
        }
    }
}

/// One point of the curve over batches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Requests at once.
    pub batch: u64,
    /// Share of a layer's experts that a step touches.
    pub touched: f64,
    /// The step, in seconds.
    pub step_s: f64,
}

impl Point {
    /// Tokens a second of all requests together.
    #[must_use]
    pub fn tokens_per_s(&self) -> f64 {
        self.batch as f64 / self.step_s
    }
}

/// What the times rest on, in words that the picture uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// What a step rests on.
    pub basis: Basis,
    /// Whether the ledger in use times nothing itself.
    pub borrowed: bool,
}

/// Everything the scene shows, derived from a report and one run.
#[derive(Debug)]
pub struct Requests {
    /// The traffic.
    pub traffic: Traffic,
    /// What each stage presses.
    pub presses: [[Press; Resource::ALL.len()]; STAGES],
    /// Chunks of the typical request: tokens before each and its own.
    pub chunks: Vec<(u64, u64)>,
    /// Their times, in seconds; none where the model cannot be cut as the plan says.
    pub chunks_s: Vec<f64>,
    /// A decode step of the batch.
    pub step: Option<StepPace>,
    /// What the times rest on.
    pub ground: Option<Ground>,
    /// The scenario's batch.
    pub here: Point,
    /// All batches of the usual scan.
    pub curve: Vec<Point>,
    /// Experts of a layer, and those that a token picks.
    pub experts: (u64, u64),
    /// The figure that says a step's time, where the ledger has it.
    step_figure: Option<(&'static str, f64)>,
    stills: PerLook<Captioned>,
}

impl Requests {
    /// Derives the scene from a ledger's report.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let spec = &*settings.model_in_force(spec);
        let pace = Pace::new(report.ledger, settings, spec);
        let pace = pace.as_ref();
        let traffic = Traffic::new(facts, spec, pace);
        let chunks = traffic.chunks();
        let presses = press::of(facts, spec, pace, &traffic, &chunks);
        let timed = |(prefix, tokens): &(u64, u64)| pace.map(|pace| pace.chunk_s(*prefix, *tokens));
        let point = |batch: u64| Point {
            batch,
            touched: touched(spec, settings.draw, batch),
            step_s: pace.map_or(f64::NAN, |pace| pace.step_s(batch)),
        };
        let borrowed = report.ledger == crate::figure::Ledger::Tutorial;
        let figures = ["decode.step_s", "decode.step_low_s"];
        Self {
            chunks_s: chunks.iter().filter_map(timed).collect(),
            step: pace.map(|pace| pace.step(settings.batch)),
            ground: pace.map(|pace| Ground { basis: pace.basis, borrowed }),
            here: point(settings.batch),
            curve: BATCHES.map(point).to_vec(),
            experts: (spec.experts, spec.experts_per_token),
            step_figure: figures.into_iter().find_map(|id| Some((id, report.number(id)?))),
            stills: PerLook::new(),
            traffic,
            presses,
            chunks,
        }
    }

    /// The figure that says how long a step takes, where the ledger has it.
    fn step_figure(&self) -> Option<(&'static str, f64)> {
        self.step_figure.filter(|(_, number)| same(self.here.step_s, *number))
    }

    /// How the scenario's batch works.
    #[must_use]
    pub fn regime(&self) -> Regime {
        Regime::of(self.here.touched)
    }

    /// Tokens of a step that each touched expert gets.
    #[must_use]
    pub fn tokens_per_expert(&self) -> f64 {
        let (all, each) = self.experts;
        self.here.batch as f64 * each as f64 / (self.here.touched * all as f64).max(1.0)
    }

    /// How long a step plays, and what it stands for.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let run = &self.traffic.run;
        let known = |s: f64| (run.started > 0).then_some(s);
        let model_s = match step {
            Step::Queue => known(run.first.queue_s),
            Step::Prefix => known(run.first.restore_s),
            Step::Prefill => known(run.first.prefill_s + run.first.step_s),
            Step::Decode => self.step.map(|step| step.total.get()),
            Step::Pages | Step::Batch | Step::Run => None,
        };
        StepTime::of_moves(self.events(step).len()).taking(model_s)
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let typical = self.traffic.typical;
        match step {
            Step::Queue => staggered(vec![Event::Press(Stage::Queue), Event::Wait]),
            Step::Prefix => {
                let restore = Event::Restore { tokens: typical.found };
                let restore = Some(restore).filter(|_| typical.found > 0);
                let keep = (0..3).map(Event::Keep);
                staggered([Event::Press(Stage::Prefix)].into_iter().chain(restore).chain(keep).collect())
            }
            Step::Pages => {
                let pages = typical.prompt.div_ceil(self.traffic.engine.page_tokens);
                staggered(vec![Event::Press(Stage::Pages), Event::Allot { pages }, Event::Pool])
            }
            Step::Prefill => {
                let chunk = |(index, (prefix, tokens)): (usize, &(u64, u64))| Event::Chunk {
                    index,
                    prefix: *prefix,
                    tokens: *tokens,
                };
                let chunks = self.drawn_chunks();
                let chunks = chunks.iter().enumerate().map(chunk);
                let ends = [Event::Press(Stage::First), Event::First];
                staggered([Event::Press(Stage::Prefill)].into_iter().chain(chunks).chain(ends).collect())
            }
            Step::Decode => in_turn(0.0, 1.0, Stage::DECODE.map(Event::Press).to_vec()),
            Step::Batch => {
                let here = Event::Here { batch: self.here.batch, regime: self.regime() };
                staggered(vec![Event::Curve, here])
            }
            Step::Run => staggered(vec![Event::Traffic, Event::Percentiles]),
        }
    }

    /// The chunks as they are drawn: several in one where they are too many.
    #[must_use]
    pub fn drawn_chunks(&self) -> Vec<(u64, u64)> {
        let each = self.chunks.len().div_ceil(MOST_CHUNKS).max(1);
        let joined = |run: &[(u64, u64)]| {
            let prefix = run.first().map_or(0, |(prefix, _)| *prefix);
            (prefix, run.iter().map(|(_, tokens)| tokens).sum())
        };
        self.chunks.chunks(each).map(joined).collect()
    }
}

/// Share of a layer's experts that a step of a batch touches.
fn touched(spec: &ModelSpec, draw: Draw, batch: u64) -> f64 {
    let distinct = distinct_over(spec, draw, &[batch]).first().copied().unwrap_or(0.0);
    distinct / (spec.experts as f64).max(1.0)
}
