//! Scene "waves": a prefill chunk's experts in one layer, event by event. First dispatch, computation and combine one
//! after the other, then in waves that overlap; what waiting is left, what one slow GPU costs all, how many waves are
//! best, and which links computation can hide at all.

mod exercise;
mod frame;
mod gantt;
mod panels;
mod words;
mod worked;

use super::Facts;
use super::parts::{during, in_turn};
use super::routed::{Routed, expert_bytes};
use super::timeline::{StepTime, Timed};
use crate::collective::Dtype;
use crate::figure::Ledger;
use crate::hardware;
use crate::plan::{Crossing, Plan};
use crate::routing::distinct_top_k;
use crate::scenario::{Key, Settings};
use crate::simulate::waves::{Finish, Load, Log, MOST_RANKS, Pace, Tally};
use gantt::Spans;

/// Numbers of waves that are compared, as far as a GPU has experts for them.
const COMPARED: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// How many times as long the slow GPU computes.
const SLOWED: f64 = 2.0;
/// Tokens whose experts are drawn; the picks of more are counted in proportion.
const MOST_TOKENS: u64 = 4096;
/// Number formats of tokens on their way out and of results on their way back.
const FORMATS: [Dtype; 2] = [Dtype::Fp8, Dtype::Bf16];

steps! {
    /// Dispatch, then computation, then combine.
    Serial "serial",
    /// The same in waves.
    Waves "waves",
    /// What waiting is left.
    Wait "wait",
    /// One GPU is slow.
    Slow "slow",
    /// How many waves are best.
    Count "count",
    /// Which links can be hidden.
    Links "links",
}

/// One run as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// When the last result arrived, in seconds.
    pub end_s: f64,
    /// How long each GPU does not compute, in seconds.
    pub idle_s: Vec<f64>,
    /// What is busy when.
    spans: Spans,
}

/// How much faster waves are than one wave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Tokens of all GPUs together.
    pub tokens: u64,
    /// Number of waves and speed-up.
    pub points: Vec<(u32, f64)>,
}

/// A link and what it asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkRow {
    /// Which one.
    pub kind: LinkKind,
    /// Its rate, in bytes per second; none where nothing is sent.
    pub rate: Option<f64>,
    /// The GPU's FLOPs for each of its bytes.
    pub flops_per_byte: f64,
    /// The report's figure that says the same.
    pub figure: Option<&'static str>,
}

/// The links that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// NVLink 4, both directions added up as on data sheets.
    BothWays,
    /// One direction of it.
    OneWay,
    /// The share of that which the report takes as reached.
    Reached,
    /// One direction of NVLink 5.
    Next,
    /// A port of the network.
    Network,
    /// What the scenario's exchange crosses.
    Own,
}

/// The even load that the calculation is about.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Even {
    tokens: f64,
    picks: f64,
    hidden: f64,
    expert_hidden: f64,
    /// Experts that the tokens touch, over all GPUs, in expectation.
    distinct: f64,
    expert_bytes: f64,
    alpha_s: f64,
    /// Bytes per second, one way.
    link: f64,
    hbm: f64,
    flops: f64,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Waves {
    /// Who holds which expert, and what the chunk takes.
    pub routed: Routed,
    /// GPUs of the plan, of which at most [`MOST_RANKS`] are simulated.
    pub plan_ranks: u32,
    /// Waves: as many as the reader wants, or as a GPU has experts.
    pub waves: u32,
    /// One wave; waves; waves with a slow GPU.
    pub runs: [Run; 3],
    /// The slow GPU: the one that computes longest anyway.
    pub slow: usize,
    /// The chunk and a decode step's batch.
    pub curves: [Curve; 2],
    /// What no number of waves makes faster, as a speed-up of the chunk.
    pub most: f64,
    /// Links against the threshold.
    pub links: Vec<LinkRow>,
    /// FLOPs for each byte up to which computation hides the exchange.
    pub threshold: f64,
    /// The report's figure that says the same.
    pub threshold_figure: Option<&'static str>,
    /// Start-up of a message, in seconds.
    pub alpha_s: f64,
    even: Even,
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A run goes by.
    Play {
        /// Which of the three.
        run: usize,
    },
    /// Waiting is marked.
    Wait {
        /// In which run.
        run: usize,
    },
    /// Numbers of waves are tried.
    Try {
        /// Which of those that are compared.
        index: usize,
    },
    /// A link is held against the threshold.
    Weigh {
        /// Which row.
        row: usize,
    },
}

impl Waves {
    /// Derives the scene.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let plan = Plan::of(settings);
        // A chunk of a prompt takes the place of the batch, over as many GPUs as are simulated.
        let chunk = settings.chunk;
        let small = settings.ep.min(MOST_RANKS);
        let of_chunk = Settings { batch: chunk.min(MOST_TOKENS), ep: small, ..settings.clone() };
        let routed = Routed::new(&Facts { settings: &of_chunk, ..facts });
        let even = Even::of(&facts, &routed, plan.ep_crossing());
        let one = |tokens: u64, drawn: u64, efficiency: f64| {
            even.pace(tokens as f64 / drawn.max(1) as f64, settings.peak.get() * efficiency)
        };
        let pace = one(chunk, routed.tokens, settings.efficiency.moe_prefill);
        let tally = routed.drawn.as_ref().and_then(|drawn| Tally::new(drawn, routed.ranks).ok());
        let load = |waves| tally.as_ref().map(|tally| tally.load(waves));
        let waves = load(settings.waves.min(u64::from(u32::MAX)) as u32);
        let waved = Run::of(waves.as_ref(), &pace);
        let slow = slowest(waves.as_ref(), &pace);
        let runs = [
            Run::of(load(1).as_ref(), &pace),
            waved,
            Run::of(waves.as_ref(), &Pace { slow: Some((slow, SLOWED)), ..pace }),
        ];
        let waves = waves.map_or(1, |load| load.waves() as u32);
        let batch = settings.batch;
        let few = routed.draw(batch.min(if routed.small().is_some() { routed.tokens } else { batch }));
        let few_drawn = few.as_ref().map_or(0, |drawn| drawn.tokens() as u64);
        let few = few.and_then(|drawn| Tally::new(&drawn, routed.ranks).ok());
        let curves = [
            Curve::of(tally.as_ref(), chunk, waves, &pace),
            Curve::of(few.as_ref(), batch, waves, &one(batch, few_drawn, settings.efficiency.moe_decode)),
        ];
        let least_s = load(1).map_or(0.0, |load| load.least_s(&pace));
        let most = if least_s > 0.0 { runs[0].end_s / least_s } else { 1.0 };
        let number = |id: &'static str, value: f64| {
            report.number(id).is_some_and(|known| super::worked::same(known, value)).then_some(id)
        };
        let threshold = 2.0 * spec.expert_hidden as f64;
        let links = links(&even, plan.ep_crossing())
            .map(|(kind, rate)| {
                let flops_per_byte = rate.map_or(f64::NAN, |rate| settings.peak.get() / rate);
                let ids = [
                    "network.flops_per_byte",
                    "network.flops_per_byte_one_way",
                    "network.flops_per_byte_reached",
                ];
                let figure = ids.into_iter().find_map(|id| number(id, flops_per_byte));
                LinkRow { kind, rate, flops_per_byte, figure }
            })
            .to_vec();
        Self {
            plan_ranks: plan.ep,
            waves,
            runs,
            slow,
            curves,
            most,
            links,
            threshold,
            threshold_figure: number("network.hide_threshold", threshold),
            alpha_s: even.alpha_s,
            even,
            routed,
        }
    }

    /// How many times as fast as one wave the waves are; 1 where nothing runs.
    #[must_use]
    pub fn gain(&self) -> f64 {
        let [serial, waved, _] = &self.runs;
        if waved.end_s > 0.0 { serial.end_s / waved.end_s } else { 1.0 }
    }

    /// Whether the slow GPU makes the whole layer slower.
    #[must_use]
    pub fn slow_shows(&self) -> bool {
        let [_, waved, slowed] = &self.runs;
        slowed.end_s > waved.end_s * 1.02
    }

    /// What the scenario's own link asks for, against the threshold; none where nothing is sent.
    #[must_use]
    pub fn own(&self) -> Option<(f64, bool)> {
        let row = self.links.iter().find(|row| row.kind == LinkKind::Own)?;
        row.rate.map(|_| (row.flops_per_byte, row.flops_per_byte <= self.threshold))
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        match step {
            Step::Serial => vec![during(0.0, 1.0, Event::Play { run: 0 })],
            Step::Waves => vec![during(0.0, 1.0, Event::Play { run: 1 })],
            Step::Wait => {
                vec![during(0.0, 0.5, Event::Wait { run: 0 }), during(0.5, 1.0, Event::Wait { run: 1 })]
            }
            Step::Slow => vec![during(0.0, 1.0, Event::Play { run: 2 })],
            Step::Count => {
                let tried = self.curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
                in_turn(0.0, 1.0, (0..tried).map(|index| Event::Try { index }).collect())
            }
            Step::Links => in_turn(0.0, 1.0, (0..self.links.len()).map(|row| Event::Weigh { row }).collect()),
        }
    }

    /// How long a step plays, and what it stands for.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let run = |index: usize| self.runs.get(index).map(|run| run.end_s);
        match step {
            Step::Serial => StepTime::of_moves(8).taking(run(0)),
            Step::Waves => StepTime::of_moves(12).taking(run(1)),
            Step::Slow => StepTime::of_moves(12).taking(run(2)),
            Step::Wait => StepTime::of_moves(4),
            Step::Count | Step::Links => StepTime::of_moves(6),
        }
    }
}

impl Even {
    fn of(Facts { settings, spec, .. }: &Facts, routed: &Routed, crossing: Crossing) -> Self {
        let efficiency = &settings.efficiency;
        let one_way = match crossing {
            Crossing::Network => settings.network,
            Crossing::Nothing | Crossing::Node => settings.link_one_way(),
        };
        let shape = routed.shape;
        let (experts, picks) = (f64::from(shape.experts()), f64::from(shape.per_token()));
        Self {
            tokens: settings.chunk as f64,
            picks,
            hidden: spec.hidden as f64,
            expert_hidden: spec.expert_hidden as f64,
            distinct: distinct_top_k(experts, picks, settings.chunk),
            expert_bytes: expert_bytes(settings, spec),
            alpha_s: settings.alpha.get(),
            link: one_way.get() * efficiency.link,
            hbm: settings.hbm.get() * efficiency.hbm,
            flops: settings.peak.get() * efficiency.moe_prefill,
        }
    }

    /// How long the parts take at a rate of computation, where each pair that is drawn stands for so many.
    fn pace(&self, each: f64, flops: f64) -> Pace {
        let [out, back] = FORMATS.map(|format| each * self.hidden * format.bytes() / self.link);
        Pace {
            alpha_s: self.alpha_s,
            dispatch_s: out,
            combine_s: back,
            pair_s: each * self.pair_flops() / flops,
            expert_s: self.expert_bytes / self.hbm,
            slow: None,
        }
    }

    /// FLOPs of a pair of a token and an expert: two for each of its weights.
    fn pair_flops(&self) -> f64 {
        6.0 * self.hidden * self.expert_hidden
    }
}

impl Run {
    fn of(load: Option<&Load>, pace: &Pace) -> Self {
        let Some(load) = load else { return Self::default() };
        let mut log = Log::default();
        let Finish { end_s, busy_s } = load.run(pace, Some(&mut log));
        let idle_s = busy_s.iter().take(load.ranks()).map(|busy| (end_s - busy).max(0.0)).collect();
        Self { end_s, idle_s, spans: Spans::of(&log, load.ranks(), end_s) }
    }

    /// How long a GPU does not compute on average, in seconds.
    #[must_use]
    pub fn idle_mean_s(&self) -> f64 {
        self.idle_s.iter().sum::<f64>() / self.idle_s.len().max(1) as f64
    }
}

impl Curve {
    /// The numbers of waves that are compared, and the one in force.
    fn of(tally: Option<&Tally>, tokens: u64, waves: u32, pace: &Pace) -> Self {
        let Some(tally) = tally else { return Self { tokens, points: Vec::new() } };
        let most = tally.each() as u32;
        let mut tried: Vec<u32> =
            COMPARED.into_iter().filter(|count| *count <= most).chain([waves]).collect();
        tried.sort_unstable();
        tried.dedup();
        let end_s = |waves: u32| tally.load(waves).run(pace, None).end_s;
        let serial_s = end_s(1);
        let point = |waves: u32| {
            let taken_s = if waves == 1 { serial_s } else { end_s(waves) };
            (waves, if taken_s > 0.0 { serial_s / taken_s } else { 1.0 })
        };
        Self { tokens, points: tried.into_iter().map(point).collect() }
    }

    /// The number of waves that is fastest, the fewest of equals, with its speed-up.
    #[must_use]
    pub fn best(&self) -> (u32, f64) {
        let better = |best: (u32, f64), point: &(u32, f64)| if point.1 > best.1 { *point } else { best };
        self.points.iter().fold((1, 1.0), better)
    }
}

/// The GPU that computes longest, the first of equals.
fn slowest(load: Option<&Load>, pace: &Pace) -> usize {
    let busy_s = load.map(|load| load.run(pace, None).busy_s).unwrap_or_default();
    let most = busy_s.iter().copied().fold(0.0, f64::max);
    busy_s.iter().position(|busy| *busy >= most).unwrap_or(0)
}

/// The links that are compared, with their rates in bytes per second.
fn links(even: &Even, crossing: Crossing) -> [(LinkKind, Option<f64>); 6] {
    let (fourth, fifth) = (hardware::preset("h200"), hardware::preset("b200"));
    let reached = Key::LinkEfficiency.default(Ledger::Report).real();
    let one_way = fourth.link.get();
    let own = (crossing != Crossing::Nothing).then_some(even.link);
    [
        (LinkKind::BothWays, Some(2.0 * one_way)),
        (LinkKind::OneWay, Some(one_way)),
        (LinkKind::Reached, Some(one_way * reached)),
        (LinkKind::Next, Some(fifth.link.get())),
        (LinkKind::Network, Some(fourth.network.get())),
        (LinkKind::Own, own),
    ]
}

#[cfg(test)]
mod tests;
