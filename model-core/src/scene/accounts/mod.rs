//! Scene "accounts": where prefill and decode lie under one roofline, what follows what in a step, what a change of one
//! part is worth, where sums of overlapping times mislead, what clocks measure, and how slow the slow steps are.

mod exercise;
mod frame;
mod panels;
mod path;
mod words;
mod worked;

use super::Facts;
use super::parts::{during, in_turn};
use super::routed::even_ranks;
use super::timeline::{StepTime, Timed};
use crate::ledger::{Roof, StageAccounts, StepPart, stage_accounts};
use crate::plan::Plan;
use crate::routing::{Popularity, RoutingShape, Sampler, SlowBy, slowest};
use crate::scenario::Settings;
use crate::simulate::critical_path::{Clocks, Overlap, Part, Parts, percentile};
use crate::spec::ModelSpec;

/// Steps whose routing is drawn for the tail.
const DRAWS: u64 = 200;
/// Tokens of such a step at most: more of them would only take longer to draw.
const MOST_TOKENS: u64 = 32;
/// The shares of steps that are told.
const SHARES: [f64; 3] = [0.5, 0.95, 0.99];

steps! {
    /// Stages under the roofline.
    Roof "roof",
    /// The parts of a step.
    Path "path",
    /// What changes are worth.
    Change "change",
    /// Sums of times that overlap.
    Overlap "overlap",
    /// What clocks measure.
    Clocks "clocks",
    /// The slow ones among many steps.
    Tail "tail",
}

/// One change of the measured step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The part that gets faster; none where communication gets hidden.
    pub part: Option<Part>,
    /// The step then.
    pub parts: Parts,
    /// How many times as fast that is; not a number where nothing takes any time.
    pub gain: f64,
    /// The figure that says the same.
    pub figure: Option<&'static str>,
}

/// Many steps whose routing differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// Tokens of each.
    pub tokens: u64,
    /// How long each takes, rising, in seconds.
    pub rising_s: Vec<f64>,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Accounts {
    /// What a GPU can reach.
    pub roof: Roof,
    /// What a decode step and a prefill chunk do on one GPU.
    pub stages: StageAccounts,
    /// The measured step.
    pub parts: Parts,
    /// The figure that says how long it takes.
    pub figure: Option<&'static str>,
    /// The scenario's own step; everything but experts, exchanges and fixed time counts as attention.
    pub own: Parts,
    /// How many times as fast one part may get.
    pub speedup: f64,
    /// Communication that may get hidden, in seconds.
    pub hidden_s: f64,
    /// Each part faster, then communication hidden.
    pub changes: [Change; 5],
    /// The last change on two lanes.
    pub overlap: Overlap,
    /// What clocks find of the measured step.
    pub clocks: Clocks,
    /// The same step with many draws of routing.
    pub tail: Tail,
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The stages of decode take their places.
    Decode,
    /// Those of prefill do.
    Prefill,
    /// A part is laid after those before it.
    Lay {
        /// Its place in [`Part::ALL`].
        part: usize,
    },
    /// The scenario's own step is laid beside.
    Own,
    /// A change is tried.
    Try {
        /// Which one.
        change: usize,
    },
    /// The overlapping step goes by.
    Overlap,
    /// The measured step goes by with its clocks.
    Clocks,
    /// Steps are sorted.
    Sort,
    /// A share of them is told.
    Tell {
        /// Which of the shares.
        share: usize,
    },
}

impl Accounts {
    /// Derives the scene.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let stages = stage_accounts(report.ledger, settings, spec);
        let parts = settings.parts;
        let (speedup, hidden_s) = (settings.speedup, settings.hidden.get());
        let same = |id: &'static str, seconds: f64| {
            report.number(id).is_some_and(|known| super::worked::same(known, seconds)).then_some(id)
        };
        let change = |part: Option<Part>| {
            let changed = part.map_or_else(|| parts.hiding(hidden_s), |part| parts.faster(part, speedup));
            let id = match part {
                None => Some("critical_path.hide_8ms_comm_s"),
                Some(Part::Experts) => Some("critical_path.experts_2x_s"),
                Some(_) => None,
            };
            Change {
                part,
                parts: changed,
                gain: parts.gain(&changed),
                figure: id.and_then(|id| same(id, changed.total_s())),
            }
        };
        let [attention, experts, exposed, cpu] = Part::ALL.map(Some);
        Self {
            roof: Roof::of(settings),
            own: own(&stages),
            stages,
            parts,
            figure: same("critical_path.before_s", parts.total_s()),
            speedup,
            hidden_s,
            changes: [attention, experts, exposed, cpu, None].map(change),
            overlap: parts.overlapping(hidden_s),
            clocks: parts.clocks(),
            tail: Tail::of(settings, spec, &parts),
        }
    }

    /// The change that is worth most, the first of equals.
    #[must_use]
    pub fn best(&self) -> Change {
        let [first, rest @ ..] = self.changes;
        rest.into_iter().fold(first, |best, change| {
            if change.parts.total_s() < best.parts.total_s() { change } else { best }
        })
    }

    /// FLOPs a second over the peak, of all stages of decode or of prefill together.
    #[must_use]
    pub fn share_of_peak(&self, prefill: bool) -> f64 {
        let points = if prefill { &self.stages.prefill } else { &self.stages.decode };
        let flops: f64 = points.iter().map(|point| point.flops.get()).sum();
        let seconds: f64 = points.iter().map(|point| point.time.get()).sum();
        flops / seconds / self.roof.peak.get()
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        match step {
            Step::Roof => vec![during(0.0, 0.5, Event::Decode), during(0.5, 1.0, Event::Prefill)],
            Step::Path => {
                let mut events = in_turn(0.0, 0.8, (0..4).map(|part| Event::Lay { part }).collect());
                events.push(during(0.8, 1.0, Event::Own));
                events
            }
            Step::Change => {
                in_turn(0.0, 1.0, (0..self.changes.len()).map(|change| Event::Try { change }).collect())
            }
            Step::Overlap => vec![during(0.0, 1.0, Event::Overlap)],
            Step::Clocks => vec![during(0.0, 1.0, Event::Clocks)],
            Step::Tail => {
                let mut events = vec![during(0.0, 0.4, Event::Sort)];
                let told = (0..SHARES.len()).map(|share| Event::Tell { share }).collect();
                events.extend(in_turn(0.4, 1.0, told));
                events
            }
        }
    }

    /// How long a step plays, and what it stands for.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        match step {
            Step::Overlap => StepTime::of_moves(10).taking(Some(self.overlap.passed_s)),
            Step::Clocks => StepTime::of_moves(12).taking(Some(self.parts.total_s())),
            Step::Roof | Step::Tail => StepTime::of_moves(5),
            Step::Path | Step::Change => StepTime::of_moves(7),
        }
    }
}

impl Tail {
    /// The experts' part of each step lasts as long as its fullest GPU has experts to read, against the mean of all.
    fn of(settings: &Settings, spec: &ModelSpec, parts: &Parts) -> Self {
        let tokens = settings.batch.min(MOST_TOKENS);
        let drawn = || {
            let shape = RoutingShape::of(spec).ok()?;
            let sampler = Sampler::new(shape, &Popularity::of(settings, shape), settings.seed).ok()?;
            let ranks = even_ranks(shape.experts(), Plan::of(settings).ep);
            // A model whose tokens take very many experts is not drawn.
            if u64::from(shape.per_token()) * tokens * DRAWS > 1 << 18 {
                return None;
            }
            let (mut most, mut sum) = (Vec::with_capacity(DRAWS as usize), 0.0);
            for draw in 0..DRAWS {
                let loads = sampler.draw(tokens, draw).ok()?.rank_loads(ranks).ok()?;
                most.push(f64::from(slowest(&loads, SlowBy::Experts)?.1.distinct_experts));
                sum += loads.iter().map(|load| f64::from(load.distinct_experts)).sum::<f64>();
            }
            let mean = sum / (DRAWS as f64 * f64::from(ranks));
            Some(most.into_iter().map(|most| most / mean).collect::<Vec<f64>>())
        };
        let rest_s = parts.total_s() - parts.experts_s;
        let mut rising_s: Vec<f64> =
            drawn().unwrap_or_default().into_iter().map(|times| rest_s + parts.experts_s * times).collect();
        rising_s.sort_by(f64::total_cmp);
        Self { tokens, rising_s }
    }

    /// What the told shares of steps do not exceed, in seconds.
    #[must_use]
    pub fn told_s(&self) -> [f64; SHARES.len()] {
        SHARES.map(|share| percentile(&self.rising_s, share).unwrap_or(f64::NAN))
    }
}

/// A decode step's stages as the parts of a path.
fn own(stages: &StageAccounts) -> Parts {
    let of = |experts: bool| {
        let own = stages.decode.iter().filter(|point| (point.part == StepPart::Moe) == experts);
        own.map(|point| point.time.get()).sum()
    };
    Parts {
        attention_s: of(false),
        experts_s: of(true),
        exposed_s: stages.exchange.get(),
        cpu_s: if stages.decode.is_empty() { 0.0 } else { stages.fixed.get() },
    }
}

#[cfg(test)]
mod tests;
