//! Scene "allreduce": heads give partial sums, and an all-reduce turns them into one sum on every GPU. Run on small
//! vectors, chunk by chunk; then three algorithms side by side, their time, and a rank left out.

mod exercise;
mod frame;
mod replay;
mod rounding;
mod routes;
mod time;
mod words;
mod worked;

use core::ops::Range;

pub use replay::{Held, Parcel, Replay};

use super::Facts;
use super::parts::{in_turn, link_over, one_by_one};
use super::stage::PLACES;
use super::timeline::{StepTime, Timed, staggered};
use crate::collective::{Algorithm, Cost, Link, all_reduce};
use crate::ledger::WORKED_PARTS;
use crate::plan::Plan;
use crate::random::SplitMix64;
use crate::scenario::CommDtype;
use crate::spec::AttentionKind;
use crate::units::Bytes;

/// When the parts are there and a sum of them is worked by hand, as a part of their step.
const TERMS: f64 = 0.55;
/// Ranks that are simulated at most; a wider cut is shown by that many.
const MOST_RANKS: u32 = 16;

steps! {
    /// Heads dealt to ranks.
    Heads "heads",
    /// Each rank's partial sums, and one coordinate added by hand.
    Parts "parts",
    /// The half that adds: reduce-scatter in a ring.
    Scatter "scatter",
    /// The half that hands the sums out: all-gather in a ring.
    Gather "gather",
    /// Three algorithms beside each other.
    Others "others",
    /// Start-up and bandwidth against the message's size.
    Time "time",
    /// A rank left out.
    Dropped "dropped",
}

/// Something that happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A rank works on its heads.
    Attend {
        /// The rank.
        rank: u32,
        /// Its query heads.
        heads: u64,
    },
    /// A rank's partial sums are ready.
    Part {
        /// The rank.
        rank: u32,
    },
    /// A rank's part joins the sum that is worked by hand.
    Term {
        /// The rank.
        rank: u32,
    },
    /// One move of the chosen algorithm.
    Move {
        /// Which one, from 0.
        index: usize,
    },
    /// One move in the comparison.
    Route {
        /// Of which algorithm.
        algorithm: Algorithm,
        /// Which one, from 0.
        index: usize,
    },
    /// An algorithm's time is drawn over the message's size.
    Curve {
        /// Which algorithm.
        algorithm: Algorithm,
    },
    /// The message in one number format is marked.
    Payload {
        /// The format.
        dtype: CommDtype,
    },
    /// A rank's part is left out.
    Leave {
        /// The rank.
        rank: u32,
    },
    /// The sums come out wrong.
    Wrong {
        /// Chunks that differ from their true sum.
        chunks: usize,
    },
}

/// What an all-reduce of the scenario's message costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The link that the group's sums cross; none for a single GPU.
    pub link: Option<Link>,
    /// GPUs of the group.
    pub gpus: u32,
    /// The message in the number format in force.
    pub message: Bytes,
    /// That format.
    pub dtype: CommDtype,
}

impl Clock {
    /// The scenario's message over the group that attention is cut over.
    #[must_use]
    pub fn of(Facts { report, settings, spec }: Facts) -> Self {
        let plan = Plan::of(settings);
        let message = report.number("allreduce.message.bytes");
        let tokens = plan.requests_on_gpu(settings.batch) as f64;
        let own_message = tokens * spec.hidden as f64 * settings.comm_dtype.bytes();
        Self {
            link: link_over(plan.tp_crossing(), settings),
            gpus: plan.tp,
            message: Bytes(message.unwrap_or(own_message)),
            dtype: settings.comm_dtype,
        }
    }

    /// The same message in another format.
    #[must_use]
    pub fn message_in(&self, dtype: CommDtype) -> Bytes {
        self.message * (dtype.bytes() / self.dtype.bytes())
    }

    /// What an all-reduce of that size costs.
    #[must_use]
    pub fn cost(&self, algorithm: Algorithm, message: Bytes) -> Cost {
        self.link.map(|link| all_reduce(algorithm, message, self.gpus, link)).unwrap_or_default()
    }

    /// The size at which transfer takes as long as start-up: only far above it does half the payload mean half the
    /// time.
    #[must_use]
    pub fn bend(&self, algorithm: Algorithm) -> Bytes {
        let cost = self.cost(algorithm, self.message);
        let each = cost.transfer.get();
        if each > 0.0 { self.message * (cost.startup.get() / each) } else { Bytes::ZERO }
    }
}

/// A rank whose part never arrives.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The rank.
    pub rank: u32,
    /// The run without it.
    pub replay: Replay,
    /// Chunks that differ from their true sum.
    pub wrong: usize,
}

/// Everything the scene shows, derived from a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Reducing {
    /// GPUs that share attention in the plan.
    pub tp: u32,
    /// Query heads of each simulated rank.
    pub heads: Vec<Range<u64>>,
    /// One value for each rank and chunk.
    pub parts: Held,
    /// The true sum of each chunk.
    pub sums: Vec<f64>,
    /// The runs, in the order of [`Algorithm::ALL`].
    pub replays: Vec<Replay>,
    /// One coordinate's real parts, added up in each number format by the chosen algorithm.
    pub rounded: Vec<f64>,
    /// The algorithm the reader chose.
    pub algorithm: Algorithm,
    /// The rank the reader leaves out, whether it takes part or not.
    pub drop_rank: Option<u32>,
    /// What becomes of the sums without it; nothing where it takes no part.
    pub dropped: Option<Dropped>,
    /// What it costs.
    pub clock: Clock,
    /// The worked sum of the ledger, where it has one.
    pub worked: Option<f64>,
    /// What the busiest GPU sends by the ledger, where it says so.
    pub sent: Option<f64>,
    /// The message of the ledger, where it has one.
    pub message: Option<f64>,
    /// Values of one token's vector.
    pub hidden: f64,
    /// How each main layer attends: every one of them sums like this.
    pub layers: Vec<AttentionKind>,
}

impl Reducing {
    /// Derives the scene from a ledger's report.
    #[must_use]
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let plan = Plan::of(settings);
        let ranks = plan.tp.min(MOST_RANKS);
        let parts = parts(ranks, settings.seed);
        let sums = sums(&parts, ranks);
        let message = report.number("allreduce.message.bytes");
        let of_rank = |rank: u32| run(spec.heads, plan.tp, rank);
        let dropped = settings.drop_rank.filter(|rank| *rank < ranks && ranks > 1).map(|rank| {
            let replay = Replay::new(settings.algorithm, &parts, Some(rank));
            let last = replay.held.last().and_then(|held| held.first());
            let wrong = last.map_or(0, |held| held.iter().zip(&sums).filter(|(a, b)| a != b).count());
            Dropped { rank, replay, wrong }
        });
        Self {
            tp: plan.tp,
            heads: (0..ranks).map(of_rank).collect(),
            replays: Algorithm::ALL.map(|algorithm| Replay::new(algorithm, &parts, None)).to_vec(),
            sums,
            parts,
            rounded: rounding::sums(settings.algorithm, ranks as usize, settings.seed),
            algorithm: settings.algorithm,
            drop_rank: settings.drop_rank,
            dropped,
            clock: Clock::of(Facts { report, settings, spec }),
            worked: report.number("allreduce.worked_sum"),
            sent: report.number("allreduce.sent.bytes_per_gpu"),
            message,
            hidden: spec.hidden as f64,
            layers: spec.main_layers().iter().map(|layer| layer.attention).collect(),
        }
    }

    /// Ranks that are simulated.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.parts.len()
    }

    /// The chosen algorithm's run; none for a scene without ranks.
    #[must_use]
    pub fn replay(&self) -> Option<&Replay> {
        self.replays.iter().find(|replay| replay.algorithm == self.algorithm)
    }

    /// Moves of the longest run.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.replays.iter().map(|replay| replay.moves.len()).max().unwrap_or(0)
    }

    /// How long a step plays. Either half of an all-reduce takes half its moves, and of its bytes what they carry.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let (half, moves) = self.replay().map_or((0, 0), |replay| (replay.half(), replay.moves.len()));
        let cost = self.clock.cost(self.algorithm, self.clock.message);
        // Up to the switch goes the whole message, down to it a rank's own sum.
        let adding = match self.algorithm {
            Algorithm::Ring | Algorithm::Tree => 0.5,
            Algorithm::InSwitch => 1.0 / (1.0 + 1.0 / f64::from(self.clock.gpus)),
        };
        let taking = |transfer: f64| {
            self.clock.link.map(|_| cost.startup.get() / 2.0 + cost.transfer.get() * transfer)
        };
        match step {
            Step::Parts => StepTime::of_moves(self.ranks()),
            Step::Scatter => StepTime::of_moves(half).taking(taking(adding)),
            Step::Gather => StepTime::of_moves(moves - half).taking(taking(1.0 - adding)),
            Step::Others => StepTime::of_moves(self.longest()),
            Step::Heads | Step::Time | Step::Dropped => StepTime::of_moves(1),
        }
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let ranks = || 0..self.ranks() as u32;
        let alone = self.ranks() <= 1;
        let (half, moves) = self.replay().map_or((0, 0), |replay| (replay.half(), replay.moves.len()));
        match step {
            Step::Heads => {
                let attend = |(rank, heads): (usize, &Range<u64>)| Event::Attend {
                    rank: rank as u32,
                    heads: heads.end - heads.start,
                };
                staggered(self.heads.iter().enumerate().map(attend).collect())
            }
            Step::Parts => {
                // Ranks without a card share the last one's turn.
                let turns = in_turn(0.0, TERMS, ranks().take(PLACES as usize).collect());
                let part = |rank: u32| {
                    let turn = turns.get(rank as usize).or(turns.last());
                    let (from, to) = turn.map_or((0.0, TERMS), |turn| (turn.from, turn.to));
                    Timed { from, to, event: Event::Part { rank } }
                };
                let terms = one_by_one(TERMS, 1.0, ranks().map(|rank| Event::Term { rank }).collect());
                ranks().map(part).chain(terms).collect()
            }
            Step::Scatter => one_by_one(0.0, 1.0, (0..half).map(|index| Event::Move { index }).collect()),
            Step::Gather => one_by_one(0.0, 1.0, (half..moves).map(|index| Event::Move { index }).collect()),
            Step::Others | Step::Time | Step::Dropped if alone => Vec::new(),
            Step::Others => {
                let longest = self.longest().max(1) as f64;
                let route = |algorithm, index: usize| Timed {
                    from: index as f64 / longest,
                    to: (index + 1) as f64 / longest,
                    event: Event::Route { algorithm, index },
                };
                let of = |replay: &Replay| {
                    let algorithm = replay.algorithm;
                    (0..replay.moves.len()).map(move |index| route(algorithm, index)).collect::<Vec<_>>()
                };
                self.replays.iter().flat_map(of).collect()
            }
            Step::Time => {
                let curves = staggered(Algorithm::ALL.map(|algorithm| Event::Curve { algorithm }).to_vec());
                let payloads = CommDtype::ALL.iter().map(|dtype| Event::Payload { dtype: *dtype }).collect();
                within(curves, 0.0, 0.6).into_iter().chain(one_by_one(0.6, 1.0, payloads)).collect()
            }
            Step::Dropped => match &self.dropped {
                Some(dropped) => {
                    let events =
                        vec![Event::Leave { rank: dropped.rank }, Event::Wrong { chunks: dropped.wrong }];
                    one_by_one(0.0, 1.0, events)
                }
                None => Vec::new(),
            },
        }
    }
}

/// A part of `all` things dealt evenly in runs.
fn run(all: u64, parts: u32, part: u32) -> Range<u64> {
    let (parts, part) = (u64::from(parts), u64::from(part));
    (all * part / parts)..(all * (part + 1) / parts)
}

/// Small whole numbers to add up: one for each rank and chunk. Chunk 0 is the walkthrough's worked coordinate. With
/// fewer ranks a rank holds more heads, so the parts of those heads come merged and the sums stay what they were.
fn parts(ranks: u32, seed: u64) -> Held {
    const CHOICES: u64 = 8;
    const LOWEST: f64 = -3.0;
    let fine = ranks.max(WORKED_PARTS.len() as u32);
    let column = |chunk: u32| -> Vec<f64> {
        let mut random = SplitMix64::new(seed.wrapping_mul(0x1_0001).wrapping_add(u64::from(chunk)));
        let own = |part: u32| match chunk {
            0 => WORKED_PARTS.get(part as usize).copied().unwrap_or(0.0),
            _ => random.below(CHOICES) as f64 + LOWEST,
        };
        (0..fine).map(own).collect()
    };
    let columns: Vec<Vec<f64>> = (0..ranks).map(column).collect();
    let of_rank = |rank: u32| {
        let run = run(u64::from(fine), ranks, rank);
        let (from, count) = (run.start as usize, (run.end - run.start) as usize);
        columns.iter().map(|column| column.iter().skip(from).take(count).sum()).collect()
    };
    (0..ranks).map(of_rank).collect()
}

fn sums(parts: &Held, ranks: u32) -> Vec<f64> {
    let sum = |chunk: usize| parts.iter().filter_map(|own| own.get(chunk)).sum();
    (0..ranks as usize).map(sum).collect()
}

/// The same events squeezed into a part of the step.
fn within(events: Vec<Timed<Event>>, from: f64, to: f64) -> Vec<Timed<Event>> {
    let put = |t: f64| from + (to - from) * t;
    events.into_iter().map(|timed| Timed { from: put(timed.from), to: put(timed.to), ..timed }).collect()
}

#[cfg(test)]
mod tests;
