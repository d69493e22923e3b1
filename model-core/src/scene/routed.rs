//! What both chapters on experts are derived from: who holds which expert, and which experts a batch of tokens takes,
//! be they drawn, looked up by the token's id, or picked by the small model that runs.

use core::ops::Range;

use super::Facts;
use super::small_model::{self, SmallModel};
use super::stage::PLACES;
use crate::format;
use crate::plan::Plan;
use crate::routing::hash_table::{HashTable, uniform_token_ids};
use crate::routing::{Assignment, Popularity, RankLoad, RoutingShape, Sampler};
use crate::scenario::{Router, Settings};
use crate::spec::tensors::{self, Part};
use crate::spec::{AttentionKind, ModelSpec, Routing};
use crate::words::{Words, fill};

/// Most picks of a token, and of a batch, that are drawn for a picture; published models stay far below.
const MAX_PICKS: (u32, u64) = (64, 1 << 16);

/// What chooses the experts.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A distribution that is drawn from.
    Drawn(Sampler),
    /// A fixed table by token id; the ids of any batch are the first of one stream.
    Table {
        /// The table.
        table: HashTable,
        /// Entries of the vocabulary that ids are drawn from.
        vocab: u64,
        /// Seed of the ids.
        seed: u64,
        /// Layers of the model that choose so.
        layers: usize,
    },
    /// The small model, whose experts and layers these then are.
    Small(SmallModel),
}

/// A layer's experts on their GPUs, and one draw of the router for the scenario's batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// Experts of the layer and picks of a token.
    pub shape: RoutingShape,
    /// GPUs that share the experts evenly.
    pub ranks: u32,
    /// Tokens that are routed: the batch, or as many of it as the small model runs.
    pub tokens: u64,
    /// The batch.
    pub batch: u64,
    /// What chooses, also for further batches; none where its parameters are out of bounds.
    pub source: Option<Source>,
    /// What the batch's tokens take; none where the draw is too large.
    pub drawn: Option<Assignment>,
}

impl Routed {
    /// Draws the scenario's batch.
    #[must_use]
    pub fn new(Facts { settings, spec, .. }: &Facts) -> Self {
        let seed = settings.seed;
        let shape = RoutingShape::of(spec).unwrap_or(RoutingShape::ONE);
        let source = match settings.router {
            Router::Engine => SmallModel::run(seed).map(Source::Small),
            Router::Hash => Some(Source::Table {
                table: HashTable::new(shape, seed),
                vocab: spec.vocab,
                seed,
                layers: spec.main_layers().iter().filter(|layer| layer.routing == Routing::Hash).count(),
            }),
            Router::Uniform | Router::Zipf | Router::Hot => {
                Sampler::new(shape, &Popularity::of(settings, shape), seed).ok().map(Source::Drawn)
            }
        };
        let (shape, tokens) = match &source {
            Some(Source::Small(run)) => (run.shape, settings.batch.min(small_model::TOKENS)),
            _ => (shape, settings.batch),
        };
        let ranks = even_ranks(shape.experts(), Plan::of(settings).ep);
        let mut routed = Self { shape, ranks, tokens, batch: settings.batch, source, drawn: None };
        routed.drawn = routed.draw(tokens);
        routed
    }

    /// What a batch of that size takes.
    #[must_use]
    pub fn draw(&self, tokens: u64) -> Option<Assignment> {
        let each = self.shape.per_token();
        if each > MAX_PICKS.0 || tokens.saturating_mul(u64::from(each)) > MAX_PICKS.1 {
            return None;
        }
        match self.source.as_ref()? {
            Source::Drawn(sampler) => sampler.draw(tokens, 0).ok(),
            Source::Table { table, vocab, seed, .. } => {
                table.assign(&uniform_token_ids(*vocab, tokens as usize, *seed)).ok()
            }
            Source::Small(run) => run.first(tokens),
        }
    }

    /// The small model, where it is the one that picks.
    #[must_use]
    pub const fn small(&self) -> Option<&SmallModel> {
        match &self.source {
            Some(Source::Small(run)) => Some(run),
            _ => None,
        }
    }

    /// What is said about the source beside every picture; nothing where experts are simply drawn.
    #[must_use]
    pub fn note(&self, words: &Words) -> Option<String> {
        let count = |number: u64| format::count(number as f64);
        match self.source.as_ref()? {
            Source::Drawn(_) => None,
            Source::Table { layers, .. } => {
                Some(fill(words.hash_table, &[("layers", count(*layers as u64))]))
            }
            Source::Small(_) => {
                let values = [("ran", count(self.tokens)), ("batch", count(self.batch))];
                Some(fill(words.small_model, &values))
            }
        }
    }

    /// How each layer of the model that routes attends, from the first on.
    #[must_use]
    pub fn layers(&self, spec: &ModelSpec) -> Vec<AttentionKind> {
        match self.small() {
            Some(run) => run.layers.clone(),
            None => spec.main_layers().iter().map(|layer| layer.attention).collect(),
        }
    }

    /// The layer that is meant, where it is a certain one.
    #[must_use]
    pub fn layer(&self) -> Option<usize> {
        self.small().map(|run| run.layer)
    }

    /// Experts of one GPU.
    #[must_use]
    pub const fn each(&self) -> u32 {
        self.shape.experts() / self.ranks
    }

    /// The GPU that holds an expert.
    #[must_use]
    pub const fn home(&self, expert: u32) -> u32 {
        expert / self.each()
    }

    /// The experts of a GPU.
    #[must_use]
    pub const fn held(&self, rank: u32) -> Range<u32> {
        rank * self.each()..(rank + 1) * self.each()
    }

    /// Places of the stage that hold a GPU.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.ranks.min(PLACES)
    }

    /// The GPUs that stand at a place.
    #[must_use]
    pub fn ranks_at(&self, place: u32) -> Vec<u32> {
        (place..self.ranks).step_by(PLACES as usize).collect()
    }

    /// What is written over a place: its GPUs' numbers, the middle ones left out where there are many.
    #[must_use]
    pub fn heading(&self, place: u32) -> String {
        match self.ranks_at(place).as_slice() {
            [] => place.to_string(),
            [first, .., last] if *last > first + PLACES => format!("{first} … {last}"),
            ranks => ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(" · "),
        }
    }

    /// What each GPU has to do.
    #[must_use]
    pub fn loads(&self) -> Vec<RankLoad> {
        let loads = self.drawn.as_ref().and_then(|drawn| drawn.rank_loads(self.ranks).ok());
        loads.unwrap_or_else(|| vec![RankLoad::default(); self.ranks as usize])
    }

    /// The experts of one token in the order of its picks.
    #[must_use]
    pub fn of_token(&self, token: usize) -> &[u32] {
        self.drawn.as_ref().map_or(&[], |drawn| drawn.of_token(token))
    }
}

/// Bytes of one routed expert with its scales, in the formats in force.
#[must_use]
pub fn expert_bytes(settings: &Settings, spec: &ModelSpec) -> f64 {
    let block = spec.main_layers().first().map(|layer| tensors::block(spec, *layer)).unwrap_or_default();
    let routed = block.iter().filter(|tensor| tensor.part == Part::Routed);
    routed.map(|tensor| tensor.bytes(settings.dtypes) / tensor.copies.max(1.0)).sum()
}

/// The plan's GPUs, or the most below that share the experts evenly.
pub(super) fn even_ranks(experts: u32, wished: u32) -> u32 {
    let most = wished.clamp(1, experts);
    (1..=most).rev().find(|ranks| experts.is_multiple_of(*ranks)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    #[test]
    fn every_expert_has_one_home_at_one_place() {
        let spec = v4_pro();
        for tp in ["1", "7", "8", "16", "128"] {
            let mut scenario = Scenario::default();
            scenario.choose_text(Key::Tp, tp).unwrap();
            let settings = scenario.resolve(Ledger::Exact);
            let report = report(Ledger::Exact, &scenario, &spec);
            let routed = Routed::new(&Facts { report: &report, settings: &settings, spec: &spec });
            let held: Vec<u32> = (0..PLACES)
                .flat_map(|place| routed.ranks_at(place))
                .flat_map(|rank| routed.held(rank))
                .collect();
            assert_eq!(held.len(), 384, "TP {tp}");
            assert!(held.iter().all(|expert| routed.held(routed.home(*expert)).contains(expert)));
        }
        assert_eq!([7, 8, 16, 500].map(|wished| even_ranks(384, wished)), [6, 8, 16, 384]);
    }

    #[test]
    fn headings_stay_short() {
        let of = |ranks| {
            let shape = RoutingShape::new(384, 6).unwrap();
            Routed { shape, ranks, tokens: 0, batch: 0, source: None, drawn: None }.heading(2)
        };
        assert_eq!([2, 8, 16, 24, 384].map(of), ["2", "2", "2 · 10", "2 … 18", "2 … 378"]);
    }
}
