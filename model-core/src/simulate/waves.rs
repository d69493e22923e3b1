//! One layer's experts in waves, event by event: dispatch, computation and combine on GPUs whose parts (link out, link
//! in, computation with its memory) each do one thing at a time.
//!
//! A GPU's experts are dealt to the waves in even runs. A message carries what one GPU sends another for one wave and
//! keeps the sender's way out and the receiver's way in busy for its start-up and its bytes. A wave is computed once
//! all its tokens have come, its results leave once it is computed. A link serves the waves in turn: the next wave's
//! tokens before this one's results, those before the tokens of the wave after. Who goes on to whom first turns with
//! the sender, so that an even load runs in rounds.

use crate::routing::assignment::owner;
use crate::routing::{Assignment, RoutingError};

/// Most GPUs that are simulated.
pub const MOST_RANKS: u32 = 16;

/// The same as a length.
const RANKS: usize = MOST_RANKS as usize;

/// How many of each GPU's tokens take each expert: what every number of waves is dealt from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    ranks: usize,
    experts: usize,
    /// Tokens of a GPU (row) that take an expert (column).
    counts: Vec<u32>,
}

/// What each wave moves and computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    ranks: usize,
    waves: usize,
    /// Pairs of a token and an expert by wave, then the token's GPU, then the expert's.
    pairs: Vec<u32>,
    /// Experts that any token takes, by wave, then GPU.
    experts: Vec<u32>,
}

/// How long things take, in seconds; all finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Start-up of a message.
    pub alpha_s: f64,
    /// The link for one pair's token on its way out.
    pub dispatch_s: f64,
    /// The link for one pair's result on its way back.
    pub combine_s: f64,
    /// Computation of one pair.
    pub pair_s: f64,
    /// Reading one expert's weights, during which pairs are computed.
    pub expert_s: f64,
    /// A GPU whose computation takes so many times as long.
    pub slow: Option<(usize, f64)>,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// Tokens to experts.
    Dispatch,
    /// Results to tokens.
    Combine,
}

/// One message on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Message {
    /// Sender.
    pub from: u8,
    /// Receiver.
    pub to: u8,
    /// The wave it belongs to.
    pub wave: u8,
    /// Which way it goes.
    pub leg: Leg,
    /// When both links become busy, in seconds.
    pub start_s: f64,
    /// When they are free again.
    pub end_s: f64,
}

/// One wave being computed on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// The GPU.
    pub rank: u8,
    /// The wave.
    pub wave: u8,
    /// When it begins, in seconds.
    pub start_s: f64,
    /// When it is done.
    pub end_s: f64,
}

/// Everything that happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// Messages in the order in which they left.
    pub messages: Vec<Message>,
    /// Computations in the order in which they began.
    pub works: Vec<Work>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Finish {
    /// When the last result arrived, in seconds.
    pub end_s: f64,
    /// How long each GPU computed.
    pub busy_s: [f64; RANKS],
}

impl Tally {
    /// Counts a layer's picks; GPU i holds the i-th run of experts and the i-th run of tokens.
    ///
    /// # Errors
    /// Where the GPUs do not share the experts evenly, or there are more than [`MOST_RANKS`].
    pub fn new(picks: &Assignment, ranks: u32) -> Result<Self, RoutingError> {
        let experts = picks.shape().experts();
        if ranks == 0 || ranks > MOST_RANKS || !experts.is_multiple_of(ranks) {
            return Err(RoutingError::Ranks(ranks));
        }
        let (ranks, experts) = (ranks as usize, experts as usize);
        let mut counts = vec![0; ranks * experts];
        let tokens = picks.tokens();
        for token in 0..tokens {
            let row = owner(token, tokens, ranks as u32) * experts;
            for expert in picks.of_token(token) {
                if let Some(count) = counts.get_mut(row + *expert as usize) {
                    *count += 1;
                }
            }
        }
        Ok(Self { ranks, experts, counts })
    }

    /// Experts of one GPU: no more waves than that have anything to do.
    #[must_use]
    pub const fn each(&self) -> usize {
        self.experts / self.ranks
    }

    /// Deals the experts of each GPU to so many waves, or to as many as it has experts.
    #[must_use]
    pub fn load(&self, waves: u32) -> Load {
        let each = self.each();
        let waves = (waves as usize).clamp(1, each.min(usize::from(u8::MAX)));
        let ranks = self.ranks;
        let mut load =
            Load { ranks, waves, pairs: vec![0; waves * ranks * ranks], experts: vec![0; waves * ranks] };
        for expert in 0..self.experts {
            let (home, wave) = (expert / each, expert % each * waves / each);
            let mut taken = false;
            for from in 0..ranks {
                let count = self.counts.get(from * self.experts + expert).copied().unwrap_or(0);
                taken |= count > 0;
                if let Some(pairs) = load.pairs.get_mut((wave * ranks + from) * ranks + home) {
                    *pairs += count;
                }
            }
            if let Some(experts) = load.experts.get_mut(wave * ranks + home) {
                *experts += u32::from(taken);
            }
        }
        load
    }
}

impl Load {
    /// Waves that it is dealt to.
    #[must_use]
    pub const fn waves(&self) -> usize {
        self.waves
    }

    /// GPUs that it is dealt to.
    #[must_use]
    pub const fn ranks(&self) -> usize {
        self.ranks
    }

    /// Pairs of a wave from one GPU's tokens to another's experts.
    #[must_use]
    pub fn pairs(&self, wave: usize, from: usize, to: usize) -> u32 {
        self.pairs.get((wave * self.ranks + from) * self.ranks + to).copied().unwrap_or(0)
    }

    /// How long a GPU computes a wave; none where it has nothing to do in it.
    fn work_s(&self, wave: usize, rank: usize, pace: &Pace) -> Option<f64> {
        let pairs: u32 = (0..self.ranks).map(|from| self.pairs(wave, from, rank)).sum();
        let experts = self.experts.get(wave * self.ranks + rank).copied().unwrap_or(0);
        let times = pace.slow.filter(|(slow, _)| *slow == rank).map_or(1.0, |(_, times)| times);
        let taken_s = (f64::from(pairs) * pace.pair_s).max(f64::from(experts) * pace.expert_s) * times;
        (pairs > 0).then_some(taken_s)
    }

    /// What no number of waves gets below: the busiest GPU's computation, way out or way in with one start-up for each
    /// partner and leg, in seconds.
    #[must_use]
    pub fn least_s(&self, pace: &Pace) -> f64 {
        let mut least_s: f64 = 0.0;
        for rank in 0..self.ranks {
            let work_s: f64 = (0..self.waves).filter_map(|wave| self.work_s(wave, rank, pace)).sum();
            let (mut out_s, mut in_s) = (0.0, 0.0);
            for other in (0..self.ranks).filter(|other| *other != rank) {
                let all = |from, to| {
                    let pairs = (0..self.waves).map(|wave| self.pairs(wave, from, to));
                    f64::from(pairs.sum::<u32>())
                };
                let (to, from) = (all(rank, other), all(other, rank));
                let start_s = |pairs: f64| if pairs > 0.0 { pace.alpha_s } else { 0.0 };
                let starts_s = start_s(to) + start_s(from);
                out_s += to * pace.dispatch_s + from * pace.combine_s + starts_s;
                in_s += from * pace.dispatch_s + to * pace.combine_s + starts_s;
            }
            least_s = least_s.max(work_s).max(out_s).max(in_s);
        }
        least_s
    }

    /// Runs it, writing down what happens where a log is given.
    #[must_use]
    pub fn run(&self, pace: &Pace, log: Option<&mut Log>) -> Finish {
        Run::new(self, pace, log).finish()
    }
}

/// A set of GPUs, one bit each.
type Set = u32;

/// A run under way. Times of what is not going on are infinite.
struct Run<'a> {
    load: &'a Load,
    pace: &'a Pace,
    log: Option<&'a mut Log>,
    now_s: f64,
    /// When each GPU's way out is free again, then when each GPU's computation ends.
    ends_s: [f64; 2 * RANKS],
    /// The message under way.
    sent: [Sent; RANKS],
    /// GPUs whose way out is free.
    idle: Set,
    /// GPUs whose way in is free.
    open: Set,
    /// GPUs that may begin another wave.
    ready: Set,
    /// Waves that each GPU has computed.
    done: [usize; RANKS],
    /// The wave each GPU dispatches, and the GPUs that still wait for it.
    dispatch: [(usize, Set); RANKS],
    /// The wave whose results each GPU sends, and the GPUs that still wait for them.
    combine: [(usize, Set); RANKS],
    /// Messages that each GPU still waits for, wave by wave.
    awaited: Vec<u8>,
    busy_s: [f64; RANKS],
}

/// What is on a GPU's way out.
#[derive(Clone, Copy)]
struct Sent {
    to: usize,
    wave: usize,
    leg: Leg,
}

impl<'a> Run<'a> {
    fn new(load: &'a Load, pace: &'a Pace, log: Option<&'a mut Log>) -> Self {
        let (ranks, waves) = (load.ranks, load.waves);
        let mut awaited = vec![0; ranks * waves];
        for wave in 0..waves {
            for to in 0..ranks {
                let from = (0..ranks).filter(|from| *from != to && load.pairs(wave, *from, to) > 0);
                if let Some(count) = awaited.get_mut(wave * ranks + to) {
                    *count = from.count() as u8;
                }
            }
        }
        let mut run = Self {
            load,
            pace,
            log,
            now_s: 0.0,
            ends_s: [f64::INFINITY; 2 * RANKS],
            sent: [Sent { to: 0, wave: 0, leg: Leg::Dispatch }; RANKS],
            idle: (1 << ranks) - 1,
            open: (1 << ranks) - 1,
            ready: (1 << ranks) - 1,
            done: [0; RANKS],
            dispatch: [(0, 0); RANKS],
            combine: [(0, 0); RANKS],
            awaited,
            busy_s: [0.0; RANKS],
        };
        for rank in 0..ranks {
            run.dispatch[rank].1 = run.partners(Leg::Dispatch, 0, rank);
        }
        run
    }

    fn finish(mut self) -> Finish {
        loop {
            for rank in members(self.ready) {
                self.compute(rank);
            }
            self.ready = 0;
            for rank in members(self.idle) {
                self.send(rank);
            }
            let soonest_s = self.soonest_s();
            if soonest_s == f64::INFINITY {
                return Finish { end_s: self.now_s, busy_s: self.busy_s };
            }
            self.now_s = soonest_s;
            for rank in 0..self.load.ranks {
                if self.ends_s[rank] <= soonest_s {
                    self.ends_s[rank] = f64::INFINITY;
                    self.arrive(rank);
                }
                if self.ends_s[RANKS + rank] <= soonest_s {
                    self.ends_s[RANKS + rank] = f64::INFINITY;
                    self.ready |= 1 << rank;
                    self.computed(rank);
                }
            }
        }
    }

    /// When the next thing ends; four at a time, which is most of what a run takes.
    fn soonest_s(&self) -> f64 {
        let mut least = [f64::INFINITY; 4];
        for four in self.ends_s.chunks_exact(4) {
            for (least, end) in least.iter_mut().zip(four) {
                *least = if *end < *least { *end } else { *least };
            }
        }
        least.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// A message is there.
    fn arrive(&mut self, from: usize) {
        let Sent { to, wave, leg } = self.sent[from];
        self.open |= 1 << to;
        self.idle |= 1 << from;
        if leg == Leg::Dispatch
            && let Some(count) = self.awaited.get_mut(wave * self.load.ranks + to)
        {
            *count -= 1;
            self.ready |= Set::from(*count == 0) << to;
        }
    }

    /// A GPU has its next wave behind it: its results may leave.
    fn computed(&mut self, rank: usize) {
        let wave = self.done[rank];
        self.done[rank] += 1;
        if self.combine[rank] == (wave, 0) {
            self.combine[rank].1 = self.partners(Leg::Combine, wave, rank);
        }
    }

    /// Lets a GPU begin its next wave if that is complete; waves without work are passed over.
    fn compute(&mut self, rank: usize) {
        while self.ends_s[RANKS + rank] == f64::INFINITY && self.done[rank] < self.load.waves {
            let wave = self.done[rank];
            if self.awaited.get(wave * self.load.ranks + rank).is_none_or(|count| *count > 0) {
                return;
            }
            let Some(taken_s) = self.load.work_s(wave, rank, self.pace) else {
                self.computed(rank);
                continue;
            };
            let (start_s, end_s) = (self.now_s, self.now_s + taken_s);
            self.ends_s[RANKS + rank] = end_s;
            self.busy_s[rank] += taken_s;
            if let Some(log) = &mut self.log {
                log.works.push(Work { rank: rank as u8, wave: wave as u8, start_s, end_s });
            }
        }
    }

    /// Puts a GPU's next message on its way, if the receiver of any is free.
    fn send(&mut self, rank: usize) {
        while self.dispatch[rank].1 == 0 && self.dispatch[rank].0 + 1 < self.load.waves {
            let wave = self.dispatch[rank].0 + 1;
            self.dispatch[rank] = (wave, self.partners(Leg::Dispatch, wave, rank));
        }
        while self.combine[rank].1 == 0 && self.combine[rank].0 < self.done[rank] {
            let wave = self.combine[rank].0 + 1;
            let computed = wave < self.done[rank];
            let left = if computed { self.partners(Leg::Combine, wave, rank) } else { 0 };
            self.combine[rank] = (wave, left);
            if !computed {
                break;
            }
        }
        let (dispatch, combine) = (self.dispatch[rank], self.combine[rank]);
        // Results go between the tokens of the next wave and those of the one after.
        let results_first = combine.0 + 1 < dispatch.0;
        let order = if results_first {
            [(Leg::Combine, combine), (Leg::Dispatch, dispatch)]
        } else {
            [(Leg::Dispatch, dispatch), (Leg::Combine, combine)]
        };
        for (leg, (wave, left)) in order {
            let free = left & self.open;
            if free == 0 {
                continue;
            }
            let to = next_after(rank, free, self.load.ranks);
            let pairs = f64::from(match leg {
                Leg::Dispatch => self.load.pairs(wave, rank, to),
                Leg::Combine => self.load.pairs(wave, to, rank),
            });
            let pair_s = if leg == Leg::Dispatch { self.pace.dispatch_s } else { self.pace.combine_s };
            let end_s = self.now_s + self.pace.alpha_s + pairs * pair_s;
            self.open &= !(1 << to);
            let queue = if leg == Leg::Dispatch { &mut self.dispatch } else { &mut self.combine };
            queue[rank].1 &= !(1 << to);
            self.idle &= !(1 << rank);
            self.ends_s[rank] = end_s;
            self.sent[rank] = Sent { to, wave, leg };
            if let Some(log) = &mut self.log {
                let (from, to, wave) = (rank as u8, to as u8, wave as u8);
                log.messages.push(Message { from, to, wave, leg, start_s: self.now_s, end_s });
            }
            return;
        }
    }

    /// The GPUs that a GPU sends to in a leg of a wave.
    fn partners(&self, leg: Leg, wave: usize, rank: usize) -> Set {
        let mut set = 0;
        for other in (0..self.load.ranks).filter(|other| *other != rank) {
            let (from, to) = if leg == Leg::Dispatch { (rank, other) } else { (other, rank) };
            set |= Set::from(self.load.pairs(wave, from, to) > 0) << other;
        }
        set
    }
}

/// The GPUs of a set, in their order.
fn members(set: Set) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|left| *left != 0)
        .map(|left| left.trailing_zeros() as usize)
}

/// The first of a set after a GPU, going round.
const fn next_after(rank: usize, set: Set, ranks: usize) -> usize {
    let turned = (set >> (rank + 1)) | (set << (ranks - rank - 1));
    (rank + 1 + turned.trailing_zeros() as usize) % ranks
}

#[cfg(test)]
mod tests;
