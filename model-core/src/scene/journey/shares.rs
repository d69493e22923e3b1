//! What of the opened layer stands on each card: heads, experts, memory, and where the token's picks lie.

use core::ops::Range;

use crate::draw::{Fill, Paint};
use crate::figure::Ledger;
use crate::ledger::memory::{self, Part};
use crate::plan::Plan;
use crate::routing::hash_table::{HashTable, uniform_token_ids};
use crate::routing::{Popularity, RoutingShape, Sampler};
use crate::scenario::Layout;
use crate::scene::Facts;
use crate::scene::stage::PLACES;
use crate::spec::{Layer, Routing};

/// Most picks of a token that are drawn; published models stay far below.
const MOST_PICKS: u32 = 16;
/// Room kept above the taller of need and capacity, as a factor of it.
const HEADROOM: f64 = 1.04;

/// One expert that the token takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Its number.
    pub expert: u32,
    /// The GPU that holds it, from 0 within its stage.
    pub rank: u32,
}

/// A band of a memory column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// How it is filled.
    pub fill: Fill,
    /// From here on, from the bottom, as parts of the column's height.
    pub from: f64,
    /// Up to here.
    pub to: f64,
    /// The figure of its size, where it is one part.
    pub figure: Option<(&'static str, f64)>,
}

/// What stands on the cards.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// GPUs of the stage that holds the opened layer.
    pub ranks: u32,
    /// Its first GPU.
    pub first: u32,
    /// GPUs that share the heads, and the heads of each; none where they do not divide.
    pub heads: Option<u32>,
    /// Routed experts.
    pub experts: u32,
    /// The token's experts, in the order in which they were drawn.
    pub picks: Vec<Pick>,
    /// The token's number in the vocabulary.
    pub token: u64,
    /// The GPU where the token lives; none where every GPU has it.
    pub owner: Option<u32>,
    /// A GPU's memory: routed weights, all others, caches, what is over the limit.
    pub slabs: [Slab; 4],
    /// Where its limit lies, as a part of the column's height.
    pub limit: f64,
    tp: u32,
    vocab: u64,
}

impl Shares {
    /// The opened layer's.
    #[must_use]
    pub(super) fn of(facts: &Facts, opened: usize, layer: Option<Layer>) -> Self {
        let Facts { report, settings, spec } = facts;
        let plan = Plan::of(settings);
        let ranks = if report.ledger == Ledger::Report { settings.gpus.max(1) } else { plan.ep };
        let count = spec.main_layers().len();
        let stage = (0..plan.pp).find(|stage| plan.stage_layers(count, *stage as usize).contains(&opened));
        let first = if report.ledger == Ledger::Report { 0 } else { stage.unwrap_or(0) * plan.ep };
        let tp = if report.ledger == Ledger::Report { ranks } else { plan.tp };
        let heads = u32::try_from(spec.heads).unwrap_or(u32::MAX);
        let experts = u32::try_from(spec.experts).unwrap_or(u32::MAX).max(1);
        let by_request = report.ledger != Ledger::Report && settings.layout == Layout::DpAttentionEp;
        let mut shares = Self {
            ranks,
            first,
            heads: heads.is_multiple_of(tp).then_some(heads / tp),
            experts,
            picks: Vec::new(),
            token: uniform_token_ids(spec.vocab, 1, settings.seed).first().copied().unwrap_or(0),
            vocab: spec.vocab.max(1),
            owner: by_request.then_some(0),
            slabs: [Slab { fill: Fill::Empty, from: 0.0, to: 0.0, figure: None }; 4],
            limit: 0.0,
            tp,
        };
        let picks = picks(facts, opened, layer).unwrap_or_default();
        shares.picks = picks.into_iter().map(|expert| Pick { expert, rank: shares.home(expert) }).collect();
        shares.fill(facts);
        shares
    }

    /// A GPU's memory as a column of four bands.
    fn fill(&mut self, Facts { report, settings, .. }: &Facts) {
        let lines = memory::lines(report, settings);
        let group = |part: Part| match part {
            Part::Routed | Part::Weights => Some(0),
            Part::Reserve => None,
            part if part.is_cache() => Some(2),
            _ => Some(1),
        };
        let mut sums = [0.0; 3];
        let mut single = [None; 3];
        for line in &lines {
            let Some(at) = group(line.part) else { continue };
            if let (Some(sum), Some(figure)) = (sums.get_mut(at), single.get_mut(at)) {
                *figure = if *sum == 0.0 { Some((line.figure, line.bytes.get())) } else { None };
                *sum += line.bytes.get();
            }
        }
        let capacity = settings.gpu_memory.get();
        let need: f64 = sums.iter().sum();
        let full = capacity.max(need) * HEADROOM;
        self.limit = capacity / full;
        let fills = [Paint::Weight, Paint::WeightDeep, Paint::Cache].map(Fill::Solid);
        let mut level = 0.0;
        for (index, slab) in self.slabs.iter_mut().enumerate() {
            let sum = sums.get(index).copied();
            let (from, to) = match sum {
                Some(bytes) => (level, level + bytes / full),
                None => (self.limit, self.limit.max(need / full)),
            };
            let fill = fills.get(index).copied().unwrap_or(Fill::Hatched(Paint::Comm));
            *slab = Slab { fill, from, to, figure: single.get(index).copied().flatten() };
            level = to;
        }
    }

    /// The GPU that holds an expert.
    #[must_use]
    pub const fn home(&self, expert: u32) -> u32 {
        ((expert as u64 * self.ranks as u64) / self.experts as u64) as u32
    }

    /// The place whose part of the vocabulary has the token's row.
    #[must_use]
    pub fn holder(&self) -> u32 {
        let within = u128::from(self.token) * u128::from(self.tp) / u128::from(self.vocab);
        self.owner.unwrap_or(within as u32 % PLACES)
    }

    /// The experts of a GPU.
    #[must_use]
    pub fn held(&self, rank: u32) -> Range<u32> {
        let start = |rank: u64| (rank * self.experts as u64).div_ceil(self.ranks as u64) as u32;
        start(rank as u64)..start(rank as u64 + 1)
    }

    /// The heads of a GPU; nothing where they do not divide.
    #[must_use]
    pub fn heads_of(&self, rank: u32) -> Range<u32> {
        let each = self.heads.unwrap_or(0);
        let within = rank % self.tp.max(1);
        within * each..(within + 1) * each
    }

    /// Places of the stage that hold a GPU.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.ranks.min(PLACES)
    }

    /// The GPUs that stand at a place.
    pub fn ranks_at(&self, place: u32) -> impl Iterator<Item = u32> + use<> {
        (place..self.ranks).step_by(PLACES as usize)
    }

    /// Experts at a place.
    #[must_use]
    pub fn experts_at(&self, place: u32) -> u32 {
        self.ranks_at(place).map(|rank| self.held(rank).len() as u32).sum()
    }

    /// Where an expert stands among those of its place.
    #[must_use]
    pub fn index_at(&self, pick: Pick) -> u32 {
        let before = self.ranks_at(pick.rank % PLACES).take_while(|rank| *rank < pick.rank);
        before.map(|rank| self.held(rank).len() as u32).sum::<u32>() + pick.expert
            - self.held(pick.rank).start
    }

    /// How many of the token's picks lie at a place.
    #[must_use]
    pub fn picked_at(&self, place: u32) -> usize {
        self.picks.iter().filter(|pick| pick.rank % PLACES == place).count()
    }

    /// GPUs that hold any of the token's picks.
    #[must_use]
    pub fn homes(&self) -> usize {
        let new =
            |(nth, pick): &(usize, &Pick)| self.picks.iter().take(*nth).all(|other| other.rank != pick.rank);
        self.picks.iter().enumerate().filter(new).count()
    }

    /// What is written over a place: its GPUs' numbers, the middle ones left out where there are many.
    #[must_use]
    pub fn heading(&self, place: u32) -> String {
        let mut all = self.ranks_at(place).map(|rank| self.first + rank);
        let (first, last) = (all.next(), all.last());
        match (first, last) {
            (Some(first), Some(last)) if last > first + PLACES => format!("{first} … {last}"),
            (Some(first), Some(last)) => format!("{first} · {last}"),
            (first, _) => first.unwrap_or(place).to_string(),
        }
    }
}

/// The first token's experts in the opened layer; none where they are too many to draw.
fn picks(Facts { settings, spec, .. }: &Facts, opened: usize, layer: Option<Layer>) -> Option<Vec<u32>> {
    let shape = RoutingShape::of(spec).ok().filter(|shape| shape.per_token() <= MOST_PICKS)?;
    let seed = settings.seed;
    if layer?.routing == Routing::Hash {
        // Every such layer has a table of its own.
        let ids = uniform_token_ids(spec.vocab, 1, seed);
        return Some(HashTable::new(shape, seed.wrapping_add(opened as u64)).row(*ids.first()?));
    }
    let sampler = Sampler::new(shape, &Popularity::of(settings, shape), seed).ok()?;
    Some(sampler.draw(1, opened as u64).ok()?.of_token(0).to_vec())
}
