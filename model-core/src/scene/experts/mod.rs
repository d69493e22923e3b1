//! Scene "experts": the router picks a few experts for each token, every GPU computes those it holds on its copy of the
//! token, the weighted sums are added up over all GPUs and the shared expert comes on top. Then: more tokens, more
//! experts to read.

mod exercise;
mod frame;
mod plot;
mod words;
mod worked;

use super::Facts;
use super::parts::{chain, during, in_turn, link_over, one_by_one};
use super::routed::{Routed, expert_bytes};
use super::stage::PLACES;
use super::timeline::{StepTime, Timed, staggered};
use crate::collective::all_reduce;
use crate::formula;
use crate::formula::Formula;
use crate::plan::Plan;
use crate::random::SplitMix64;
use crate::routing::{RankLoad, SlowBy, distinct_top_k, slowest};
use crate::spec::AttentionKind;
use crate::units::{Bytes, Seconds};

/// Keeps the stream of gate scores and outputs apart from the router's of the same seed.
const SALT: u64 = 0x6761_7465_5f6f_7574;
/// Hundredths of one: weights are rounded to them so that every product can be checked by hand.
pub const HUNDREDTHS: i64 = 100;
/// Most cells of the heat map; layers with more experts put several into a cell.
const MOST_CELLS: u32 = 512;
/// Largest batch of the curve, as a power of two.
const LAST_POWER: u32 = 10;

steps! {
    /// The router chooses.
    Route "route",
    /// Each GPU computes the chosen experts it holds.
    Local "local",
    /// Outputs are weighted and summed on each GPU.
    Weigh "weigh",
    /// The partial sums are added over all GPUs.
    Sum "sum",
    /// The shared expert is added.
    Shared "shared",
    /// How the work spreads as the batch grows.
    Spread "spread",
}

/// One expert that the example token takes, with one coordinate of its output to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The expert.
    pub expert: u32,
    /// The GPU that holds it.
    pub rank: u32,
    /// Its share of the token's result, in hundredths; all of a token's add up to one.
    pub weight: i64,
    /// The coordinate of its output.
    pub output: i64,
}

impl Pick {
    /// Weight times output, in hundredths.
    #[must_use]
    pub const fn product(&self) -> i64 {
        self.weight * self.output
    }
}

/// A batch of the curve as it was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its tokens.
    pub tokens: u64,
    /// Different experts it takes.
    pub distinct: u32,
    /// Different experts on the GPU that has most of them.
    pub slowest: u32,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts {
    /// Who holds what, and what the batch takes.
    pub routed: Routed,
    /// Tokens of the batch that take each expert.
    pub counts: Vec<u32>,
    /// The cells of each place's map: tokens of the experts that share each.
    pub cells: Vec<Vec<u32>>,
    /// Tokens of the most wanted cell.
    pub most: u32,
    /// What each GPU has to do for the batch.
    pub loads: Vec<RankLoad>,
    /// The example token's experts, best first.
    pub picks: Vec<Pick>,
    /// One coordinate of the shared expert's output, in hundredths.
    pub shared: i64,
    /// Batches from one token on, each twice the one before.
    pub samples: Vec<Sample>,
    /// Different experts of the batch in expectation, as the ledger counts them.
    pub expected: Option<f64>,
    /// How it counts them.
    pub expected_by: Formula,
    /// How long the GPU with most experts reads them, and how long the sum over all GPUs takes.
    pub times: [Seconds; 2],
    /// How each main layer attends.
    pub layers: Vec<AttentionKind>,
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The tokens of the batch are counted on a place's experts.
    Tally {
        /// The place.
        place: u32,
    },
    /// The router picks an expert for the example token.
    Route {
        /// The pick, by its number.
        pick: usize,
    },
    /// An expert's output is there.
    Compute {
        /// The pick, by its number.
        pick: usize,
    },
    /// An output is weighted.
    Weigh {
        /// The pick, by its number.
        pick: usize,
    },
    /// A place's partial sum is there.
    Partial {
        /// The place.
        place: u32,
    },
    /// A place's partial sum leaves it.
    Send {
        /// The place.
        place: u32,
    },
    /// All partial sums are added.
    Total,
    /// A place has the total.
    Receive {
        /// The place.
        place: u32,
    },
    /// The shared expert's output is added, on every GPU alike.
    AddShared,
    /// The cards make room.
    Leave,
    /// A place's experts line up as one row of the map.
    LineUp {
        /// The place.
        place: u32,
    },
    /// Rows are counted and the curves appear.
    Plot,
}

impl Experts {
    /// Derives the scene.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let routed = Routed::new(&facts);
        let counts = match &routed.drawn {
            Some(drawn) => drawn.tokens_per_expert(),
            None => vec![0; routed.shape.experts() as usize],
        };
        let cells: Vec<Vec<u32>> = (0..PLACES).map(|place| cells(&routed, &counts, place)).collect();
        let mut random = SplitMix64::new(settings.seed ^ SALT);
        let taken = routed.of_token(0);
        let weights = match routed.small() {
            Some(run) => in_hundredths(&run.scores),
            None => in_hundredths(&gate_scores(taken.len(), &mut random)),
        };
        let picks = taken.iter().zip(weights).map(|(expert, weight)| Pick {
            expert: *expert,
            rank: routed.home(*expert),
            weight,
            output: small_number(&mut random),
        });
        let picks = picks.collect();
        let loads = routed.loads();
        let read = slowest(&loads, SlowBy::Experts).unwrap_or_default().1.distinct_experts;
        let read =
            f64::from(read) * expert_bytes(settings, spec) / (settings.hbm.get() * settings.efficiency.hbm);
        let message = Bytes(settings.batch as f64 * spec.hidden as f64 * settings.comm_dtype.bytes());
        let link = link_over(Plan::of(settings).ep_crossing(), settings);
        let sum = link.map(|link| all_reduce(settings.algorithm, message, routed.ranks, link).total());
        let ledgers = report.get("moe.distinct_experts");
        let (expected, expected_by) = match routed.small() {
            // The ledger counts the published model's experts.
            Some(_) => {
                let (all, each) = (f64::from(routed.shape.experts()), f64::from(routed.shape.per_token()));
                let b = routed.tokens as f64;
                let formula = formula!("{E} × (1 − (1 − {k} / {E}) ^ {B})", E = all, k = each, B = b);
                (Some(distinct_top_k(all, each, routed.tokens)), formula)
            }
            None => (
                ledgers.and_then(|figure| figure.value.number()),
                ledgers.map_or(Formula::GIVEN, |figure| figure.formula.clone()),
            ),
        };
        Self {
            loads,
            counts,
            most: cells.iter().flatten().copied().max().unwrap_or(0),
            cells,
            picks,
            shared: HUNDREDTHS * small_number(&mut random).abs(),
            samples: samples(&routed),
            expected,
            expected_by,
            times: [Seconds(read), sum.unwrap_or_default()],
            layers: routed.layers(spec),
            routed,
        }
    }

    /// The sum of a place's weighted outputs, in hundredths.
    #[must_use]
    pub fn partial(&self, place: u32) -> i64 {
        self.at(place).map(|(_, pick)| pick.product()).sum()
    }

    /// The routed experts' sum over all GPUs, in hundredths.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.picks.iter().map(Pick::product).sum()
    }

    /// The picks whose experts stand at a place, with their numbers.
    pub fn at(&self, place: u32) -> impl Iterator<Item = (usize, &Pick)> {
        let stands = move |pick: &Pick| pick.rank % PLACES == place;
        self.picks.iter().enumerate().filter(move |(_, pick)| stands(pick))
    }

    /// Different experts that the batch takes.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }

    /// The GPU with most different experts to read, and its load.
    #[must_use]
    pub fn slowest(&self) -> (usize, RankLoad) {
        slowest(&self.loads, SlowBy::Experts).unwrap_or_default()
    }

    /// How long a step plays; reading experts and summing up have known times.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let [read, sum] = self.times;
        match step {
            Step::Route | Step::Weigh => StepTime::of_moves(self.picks.len()),
            Step::Local => StepTime::of_moves(self.picks.len()).taking(Some(read.get())),
            Step::Sum => StepTime::of_moves(3).taking(Some(sum.get())),
            Step::Shared => StepTime::of_moves(1),
            Step::Spread => StepTime::of_moves(self.routed.places() as usize),
        }
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let places = 0..self.routed.places();
        let picks = 0..self.picks.len();
        match step {
            Step::Route => {
                let mut events = one_by_one(0.0, 0.5, places.map(|place| Event::Tally { place }).collect());
                events.extend(in_turn(0.4, 1.0, picks.map(|pick| Event::Route { pick }).collect()));
                events
            }
            // GPUs work side by side, the experts of one after the other.
            Step::Local => {
                let on_place = |place| self.at(place).map(|(pick, _)| Event::Compute { pick }).collect();
                places.flat_map(|place| staggered(on_place(place))).collect()
            }
            Step::Weigh => chain(
                (0.0, 0.7, picks.map(|pick| Event::Weigh { pick }).collect()),
                (0.6, 1.0, places.map(|place| Event::Partial { place }).collect()),
            ),
            Step::Sum => {
                let send = places.clone().map(|place| during(0.0, 0.4, Event::Send { place }));
                let receive = places.map(|place| during(0.6, 1.0, Event::Receive { place }));
                send.chain([during(0.4, 0.6, Event::Total)]).chain(receive).collect()
            }
            Step::Shared => vec![during(0.0, 1.0, Event::AddShared)],
            Step::Spread => {
                let mut events = vec![during(0.0, 0.2, Event::Leave)];
                events.extend(one_by_one(0.2, 0.75, places.map(|place| Event::LineUp { place }).collect()));
                events.push(during(0.75, 1.0, Event::Plot));
                events
            }
        }
    }
}

/// Experts that share a cell of the map.
fn grain(routed: &Routed) -> u32 {
    routed.shape.experts().div_ceil(MOST_CELLS)
}

/// The cells of a place: how many tokens take the experts of each.
fn cells(routed: &Routed, counts: &[u32], place: u32) -> Vec<u32> {
    let mut cells = Vec::new();
    for rank in routed.ranks_at(place) {
        let held = routed.held(rank);
        let own = counts.get(held.start as usize..held.end as usize).unwrap_or(&[]);
        cells.extend(own.chunks(grain(routed) as usize).map(|cell| cell.iter().sum::<u32>()));
    }
    cells
}

/// A whole number from −3 to 3, zero left out: something to calculate with.
fn small_number(random: &mut SplitMix64) -> i64 {
    let drawn = random.below(6) as i64 - 3;
    if drawn < 0 { drawn } else { drawn + 1 }
}

/// Scores as the gate makes them, best first: the square root of softplus of a drawn number.
fn gate_scores(picks: usize, random: &mut SplitMix64) -> Vec<f64> {
    let gate = |score: f64| libm::sqrt(libm::log1p(libm::exp(score)));
    let mut scores: Vec<f64> = (0..picks).map(|_| gate(random.unit_f64() * 4.0 - 1.0)).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

/// Weights of scores, best first: divided by their sum, in hundredths that add up to one.
fn in_hundredths(scores: &[f64]) -> Vec<i64> {
    let sum: f64 = scores.iter().sum();
    // Each takes what its running share adds, so that nothing is lost by rounding.
    let mut given = 0;
    let mut running = 0.0;
    let mut weights: Vec<i64> = scores
        .iter()
        .map(|score| {
            running += score;
            let upto = (running / sum * HUNDREDTHS as f64).round() as i64;
            let weight = upto - given;
            given = upto;
            weight
        })
        .collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    weights
}

/// Batches of 1, 2, 4 … tokens as the router picks for them.
fn samples(routed: &Routed) -> Vec<Sample> {
    let sample = |power: u32| {
        let tokens = 1 << power;
        let drawn = routed.draw(tokens)?;
        let loads = drawn.rank_loads(routed.ranks).ok()?;
        let (_, load) = slowest(&loads, SlowBy::Experts)?;
        let distinct = loads.iter().map(|load| load.distinct_experts).sum();
        Some(Sample { tokens, distinct, slowest: load.distinct_experts })
    };
    (0..=LAST_POWER).filter_map(sample).collect()
}

#[cfg(test)]
mod tests;
