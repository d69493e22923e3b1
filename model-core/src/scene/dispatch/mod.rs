//! Scene "dispatch": each token lies on one GPU and travels to those that hold its experts, once to each of them or, as
//! the reader has it, once for each expert; the results travel back and take the token's place. Then: who sends how much to whom, and what each saving is worth.

mod bars;
mod exercise;
mod frame;
mod words;
mod worked;

use super::Facts;
use super::parts::{during, in_turn, link_over};
use super::routed::Routed;
use super::stage::PLACES;
use super::timeline::{StepTime, Timed, staggered};
use crate::collective::{Dtype, Leg, Link, Traffic, TrafficShape};
use crate::plan::Plan;
use crate::routing::assignment::owner;
use crate::scenario::CommDtype;
use crate::spec::AttentionKind;
use crate::units::Bytes;

steps! {
    /// Tokens on the GPUs that own them.
    Owners "owners",
    /// Copies are packed by destination; those for one GPU are merged.
    Pack "pack",
    /// Dispatch: the packets travel.
    Send "send",
    /// Each GPU computes its own experts.
    Compute "compute",
    /// Combine: results travel back into their old order.
    Return "return",
    /// Who sends how much to whom.
    Matrix "matrix",
}

/// Copies of tokens, counted one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// All of them.
    pub all: u32,
    /// Those that leave their GPU.
    pub remote: u32,
}

/// Copies of tokens from the GPUs of one place to those of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// One for each expert.
    pub naive: Copies,
    /// One for each GPU that holds any of a token's experts.
    pub merged: Copies,
}

/// A GPU that the example token needs, with its experts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The GPU.
    pub rank: u32,
    /// The token's experts there.
    pub experts: Vec<u32>,
    /// Whether the token lies there anyway.
    pub local: bool,
}

/// One way to count what dispatch and combine send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// What is sent out and back, over all GPUs.
    pub sent: Traffic,
    /// The same in expectation for uniformly drawn experts.
    pub expected: Traffic,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    /// Who holds which expert, and what the batch takes.
    pub routed: Routed,
    /// Tokens on each place.
    pub owned: Vec<u32>,
    /// Fewest and most tokens on a GPU.
    pub owned_range: (u32, u32),
    /// From place to place.
    pub flows: Vec<Vec<Flow>>,
    /// Pairs of tokens and experts that each place computes.
    pub pairs: Vec<u32>,
    /// Where the first token goes.
    pub targets: Vec<Target>,
    /// Whether copies for one GPU are merged.
    pub dedupe: bool,
    /// Format of the values under way.
    pub dtype: Dtype,
    /// One copy of a token.
    pub copy: Bytes,
    /// Naive; merged; what the picture sends, without what stays; and as published, FP8 out and BF16 back, unmerged, in
    /// expectation.
    pub counts: [Count; 4],
    /// The link that copies cross; none where all experts lie on one GPU.
    pub link: Option<Link>,
    /// Values of one token's vector.
    pub hidden: f64,
    /// The figure that names the naive dispatch, where the ledger counts the same.
    pub figure: Option<&'static str>,
    /// How each main layer attends.
    pub layers: Vec<AttentionKind>,
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A place's tokens lie there.
    Own {
        /// The place.
        place: u32,
    },
    /// A place lays out one copy for each expert.
    Lay {
        /// The place.
        place: u32,
    },
    /// A place merges copies for one GPU and keeps what is for itself.
    Merge {
        /// The place.
        place: u32,
    },
    /// A place keeps what is for itself; copies stay as they are.
    Keep {
        /// The place.
        place: u32,
    },
    /// Copies travel.
    Send {
        /// From this place.
        from: u32,
        /// To that one.
        to: u32,
    },
    /// A place computes its experts.
    Compute {
        /// The place.
        place: u32,
    },
    /// Results travel back.
    Return {
        /// From the experts' place.
        from: u32,
        /// To the owner's.
        to: u32,
    },
    /// A place has its tokens' results in their old order.
    Order {
        /// The place.
        place: u32,
    },
    /// The cards make room.
    Leave,
    /// What a place sends becomes a row of the matrix.
    LineUp {
        /// The place.
        place: u32,
    },
    /// The bytes are counted.
    Count,
}

impl Dispatch {
    /// Derives the scene.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let routed = Routed::new(&facts);
        let dtype = match settings.comm_dtype {
            CommDtype::Fp32 => Dtype::Fp32,
            CommDtype::Bf16 => Dtype::Bf16,
        };
        let copy = Bytes(spec.hidden as f64 * dtype.bytes());
        let mut owned = vec![0; PLACES as usize];
        let mut by_rank = vec![0; routed.ranks as usize];
        for token in 0..routed.tokens as usize {
            let rank = owner(token, routed.tokens as usize, routed.ranks);
            for (list, at) in [(&mut owned, rank % PLACES as usize), (&mut by_rank, rank)] {
                if let Some(count) = list.get_mut(at) {
                    *count += 1;
                }
            }
        }
        let loads = routed.loads();
        let mut pairs = vec![0; PLACES as usize];
        for (rank, load) in loads.iter().enumerate() {
            if let Some(sum) = pairs.get_mut(rank % PLACES as usize) {
                *sum += load.pairs;
            }
        }
        let flows = flows(&routed);
        let shape = TrafficShape {
            tokens: routed.tokens,
            hidden: spec.hidden,
            experts: u64::from(routed.shape.experts()),
            experts_per_token: u64::from(routed.shape.per_token()),
            ranks: u64::from(routed.ranks),
        };
        let counts = counts(shape, dtype, copy, &flows, settings.dedupe);
        // The small model may run fewer tokens than the ledger counts.
        let figure = report.get("ep.dispatch.bytes").map(|figure| figure.id);
        let figure = figure.filter(|id| report.bytes(id) == counts[0].sent.dispatch);
        Self {
            counts,
            figure,
            dedupe: settings.dedupe,
            owned,
            owned_range: (
                by_rank.iter().copied().min().unwrap_or(0),
                by_rank.iter().copied().max().unwrap_or(0),
            ),
            flows,
            pairs,
            targets: targets(&routed),
            dtype,
            copy,
            link: link_over(Plan::of(settings).ep_crossing(), settings),
            hidden: spec.hidden as f64,
            layers: routed.layers(spec),
            routed,
        }
    }

    /// What goes from one place to another.
    #[must_use]
    pub fn flow(&self, from: u32, to: u32) -> Flow {
        let row = self.flows.get(from as usize);
        row.and_then(|row| row.get(to as usize)).copied().unwrap_or_default()
    }

    /// What a place sends to all.
    #[must_use]
    pub fn sent(&self, from: u32) -> Flow {
        (0..PLACES).map(|to| self.flow(from, to)).fold(Flow::default(), Flow::and)
    }

    /// What a place receives from all.
    #[must_use]
    pub fn received(&self, to: u32) -> Flow {
        (0..PLACES).map(|from| self.flow(from, to)).fold(Flow::default(), Flow::and)
    }

    /// Everything that is sent.
    #[must_use]
    pub fn all(&self) -> Flow {
        (0..PLACES).map(|from| self.sent(from)).fold(Flow::default(), Flow::and)
    }

    /// The copies of a flow that the picture sends: merged or not.
    #[must_use]
    pub const fn packed(&self, flow: Flow) -> Copies {
        if self.dedupe { flow.merged } else { flow.naive }
    }

    /// So many copies of a token.
    #[must_use]
    pub fn bytes(&self, copies: u32) -> Bytes {
        Bytes(f64::from(copies) * self.copy.get())
    }

    /// The place that computes most, with its pairs.
    #[must_use]
    pub fn busiest(&self) -> (u32, u32) {
        let pairs = (0_u32..).zip(self.pairs.iter().copied());
        pairs.max_by_key(|(place, pairs)| (*pairs, core::cmp::Reverse(*place))).unwrap_or_default()
    }

    /// How long a step plays: copies travel for as long as the busiest place's take to leave it or to arrive.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let places = self.routed.places() as usize;
        match step {
            Step::Send | Step::Return => {
                let busiest = (0..PLACES).map(|place| {
                    let [out, back] =
                        [self.sent(place), self.received(place)].map(|flow| self.packed(flow).remote);
                    let most = out.max(back);
                    self.bytes(most).get() / self.routed.ranks_at(place).len().max(1) as f64
                });
                let most = busiest.fold(0.0, f64::max);
                StepTime::of_moves(places).taking(self.link.map(|link| most / link.rate().get()))
            }
            Step::Owners | Step::Pack | Step::Matrix => StepTime::of_moves(places),
            Step::Compute => StepTime::of_moves(1),
        }
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let places = 0..self.routed.places();
        match step {
            Step::Owners => staggered(places.map(|place| Event::Own { place }).collect()),
            Step::Pack => {
                let lay = places.clone().map(|place| Event::Lay { place });
                let pack = |place| if self.dedupe { Event::Merge { place } } else { Event::Keep { place } };
                let mut events = in_turn(0.0, 0.5, lay.collect());
                events.extend(in_turn(0.5, 1.0, places.map(pack).collect()));
                events
            }
            Step::Send => rounds(self.routed.places(), (0.0, 1.0), |from, to| Event::Send { from, to }),
            Step::Compute => places.map(|place| during(0.0, 1.0, Event::Compute { place })).collect(),
            Step::Return => {
                let mut events =
                    rounds(self.routed.places(), (0.0, 0.8), |from, to| Event::Return { from, to });
                events.extend(places.map(|place| during(0.8, 1.0, Event::Order { place })));
                events
            }
            Step::Matrix => {
                let mut events = vec![during(0.0, 0.2, Event::Leave)];
                events.extend(in_turn(0.2, 0.75, places.map(|place| Event::LineUp { place }).collect()));
                events.push(during(0.75, 1.0, Event::Count));
                events
            }
        }
    }
}

impl Flow {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { naive: self.naive.and(other.naive), merged: self.merged.and(other.merged) }
    }
}

impl Copies {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { all: self.all + other.all, remote: self.remote + other.remote }
    }
}

/// Exchanges in rounds: in each every place sends to the one so many further on, so that no link is used twice at once.
fn rounds(places: u32, (from, to): (f64, f64), event: impl Fn(u32, u32) -> Event) -> Vec<Timed<Event>> {
    let each = (to - from) / f64::from(places.saturating_sub(1).max(1));
    let round = |offset: u32| {
        let start = from + f64::from(offset - 1) * each;
        let event = &event;
        (0..places).map(move |place| during(start, start + each, event(place, (place + offset) % places)))
    };
    (1..places).flat_map(round).collect()
}

/// Traffic between GPUs, summed up by places.
fn flows(routed: &Routed) -> Vec<Vec<Flow>> {
    let mut flows = vec![vec![Flow::default(); PLACES as usize]; PLACES as usize];
    let Some(drawn) = &routed.drawn else { return flows };
    let traffic = |merged| drawn.traffic(routed.ranks, merged).unwrap_or_default();
    for (from, (naive, merged)) in traffic(false).iter().zip(&traffic(true)).enumerate() {
        for (to, (naive, merged)) in naive.iter().zip(merged).enumerate() {
            let places = (from % PLACES as usize, to % PLACES as usize);
            if let Some(flow) = flows.get_mut(places.0).and_then(|row| row.get_mut(places.1)) {
                let copies = |all: u32| Copies { all, remote: if from == to { 0 } else { all } };
                *flow = flow.and(Flow { naive: copies(*naive), merged: copies(*merged) });
            }
        }
    }
    flows
}

/// The GPUs of the first token's experts, in their order.
fn targets(routed: &Routed) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    let own = owner(0, routed.tokens as usize, routed.ranks) as u32;
    for expert in routed.of_token(0) {
        let rank = routed.home(*expert);
        match targets.iter_mut().find(|target| target.rank == rank) {
            Some(target) => target.experts.push(*expert),
            None => targets.push(Target { rank, experts: vec![*expert], local: rank == own }),
        }
    }
    targets.sort_by_key(|target| target.rank);
    targets
}

/// The four ways to count, from most to least knowledge of where experts lie, and the published one.
fn counts(shape: TrafficShape, dtype: Dtype, copy: Bytes, flows: &[Vec<Flow>], dedupe: bool) -> [Count; 4] {
    let all = flows.iter().flatten().copied().fold(Flow::default(), Flow::and);
    let both = |copies: u32| {
        let bytes = Bytes(f64::from(copies) * copy.get());
        Traffic { dispatch: bytes, combine: bytes }
    };
    let expected = |merged, with_local| {
        let leg = Leg { dtype, merged, with_local };
        Traffic::new(shape, leg, leg)
    };
    let published = |dtype| Leg { dtype, merged: false, with_local: false };
    let published = Traffic::new(shape, published(Dtype::Fp8), published(Dtype::Bf16));
    let naive = expected(false, true);
    let crossing = if dedupe { all.merged } else { all.naive };
    let crossing = (both(crossing.remote), expected(dedupe, false));
    let merged = (both(all.merged.all), expected(true, true));
    // Nothing is left to chance in the first and the last: every token takes its k.
    [(naive, naive), merged, crossing, (published, published)]
        .map(|(sent, expected)| Count { sent, expected })
}

#[cfg(test)]
mod tests;
