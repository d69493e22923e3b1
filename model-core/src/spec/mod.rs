//! Model specifications: published shapes and the order of layers.

pub mod tensors;
mod v4_flash;
mod v4_pro;

use crate::scenario::Model;

pub use v4_flash::v4_flash;
pub use v4_pro::v4_pro;

/// The specification of a built-in model.
#[must_use]
pub fn of(model: Model) -> ModelSpec {
    match model {
        Model::V4Pro => v4_pro(),
        Model::V4Flash => v4_flash(),
    }
}

/// How a layer's attention keeps what lies behind the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttentionKind {
    /// Nothing lies behind the window.
    Window,
    /// Compressed sparse attention: one entry for 4 tokens, an indexer picks among them.
    Csa,
    /// Heavily compressed attention: one entry for 128 tokens, all of them read.
    Hca,
}

impl AttentionKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Window, Self::Csa, Self::Hca];

    /// The kind that a published compression ratio means; other ratios are unknown.
    #[must_use]
    pub const fn from_ratio(ratio: u64) -> Option<Self> {
        match ratio {
            0 => Some(Self::Window),
            4 => Some(Self::Csa),
            128 => Some(Self::Hca),
            _ => None,
        }
    }
}

/// How a layer's router chooses experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// By the token's id, from a table.
    Hash,
    /// By learned scores.
    Learned,
}

/// One entry of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How it attends.
    pub attention: AttentionKind,
    /// How it routes.
    pub routing: Routing,
}

/// The schedule that published ratios give: the first `hash_layers` route by token id, the others by scores. `None`
/// where a ratio is unknown.
///
/// ```
/// use model_core::spec::{AttentionKind, schedule};
/// assert_eq!(schedule(&[128, 4], 1).map(|layers| layers[1].attention), Some(AttentionKind::Csa));
/// assert_eq!(schedule(&[8], 0), None);
/// ```
#[must_use]
pub fn schedule(ratios: &[u64], hash_layers: usize) -> Option<Vec<Layer>> {
    let layer = |(index, ratio): (usize, &u64)| {
        let routing = if index < hash_layers { Routing::Hash } else { Routing::Learned };
        AttentionKind::from_ratio(*ratio).map(|attention| Layer { attention, routing })
    };
    ratios.iter().enumerate().map(layer).collect()
}

/// A model's dimensions. Counts are of elements unless a name says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpec {
    /// Its name in scenarios.
    pub name: &'static str,
    /// Width of a token's representation, d.
    pub hidden: u64,
    /// Parallel residual streams.
    pub streams: u64,
    /// Query heads.
    pub heads: u64,
    /// Width of a head; one such vector is key and value of all heads.
    pub head_dim: u64,
    /// Trailing values of a head that carry the position.
    pub rope_dim: u64,
    /// Width of the latent that all query heads come from.
    pub query_rank: u64,
    /// Width of each output group's latent.
    pub output_rank: u64,
    /// Groups of the output projection.
    pub output_groups: u64,
    /// Indexer heads.
    pub indexer_heads: u64,
    /// Width of an indexer head.
    pub indexer_head_dim: u64,
    /// Compressed entries a query picks in a CSA layer.
    pub indexer_top_k: u64,
    /// Tokens every layer keeps uncompressed.
    pub window: u64,
    /// Tokens one CSA entry covers.
    pub csa_ratio: u64,
    /// Tokens one HCA entry covers.
    pub hca_ratio: u64,
    /// Routed experts of a layer.
    pub experts: u64,
    /// Shared experts of a layer.
    pub shared_experts: u64,
    /// Routed experts a token takes.
    pub experts_per_token: u64,
    /// Inner width of an expert.
    pub expert_hidden: u64,
    /// Entries of the vocabulary.
    pub vocab: u64,
    /// Longest context, in tokens.
    pub max_context: u64,
    /// Parameters active for a token, as the model's card states it.
    pub active_params_nominal: f64,
    /// The main layers in order, then the draft (MTP) blocks.
    pub schedule: Vec<Layer>,
    /// How many entries of the schedule are main layers.
    pub layers: usize,
}

impl ModelSpec {
    /// Which built-in model it is; none where it was read from a configuration of another one.
    #[must_use]
    pub fn built_in(&self) -> Option<Model> {
        Model::from_word(self.name)
    }

    /// The main layers in their order.
    #[must_use]
    pub fn main_layers(&self) -> &[Layer] {
        self.schedule.get(..self.layers).unwrap_or(&self.schedule)
    }

    /// How many main layers route by token id.
    #[must_use]
    pub fn hash_layers(&self) -> u64 {
        self.main_layers().iter().filter(|layer| layer.routing == Routing::Hash).count() as u64
    }

    /// How many main layers attend that way.
    #[must_use]
    pub fn layers_of(&self, kind: AttentionKind) -> u64 {
        self.main_layers().iter().filter(|layer| layer.attention == kind).count() as u64
    }

    /// Weights of one expert: gate, up and down projections.
    #[must_use]
    pub const fn expert_params(&self) -> u64 {
        3 * self.hidden * self.expert_hidden
    }

    /// Complete groups of a CSA layer after so many tokens.
    #[must_use]
    pub fn csa_entries(&self, context: u64) -> u64 {
        context.checked_div(self.csa_ratio).unwrap_or(0)
    }

    /// Complete groups of an HCA layer after so many tokens.
    #[must_use]
    pub fn hca_entries(&self, context: u64) -> u64 {
        context.checked_div(self.hca_ratio).unwrap_or(0)
    }

    /// Groups of a CSA layer that are complete or begun.
    #[must_use]
    pub const fn csa_entries_begun(&self, context: u64) -> u64 {
        if self.csa_ratio == 0 { 0 } else { context.div_ceil(self.csa_ratio) }
    }

    /// Groups of an HCA layer that are complete or begun.
    #[must_use]
    pub const fn hca_entries_begun(&self, context: u64) -> u64 {
        if self.hca_ratio == 0 { 0 } else { context.div_ceil(self.hca_ratio) }
    }

    /// The draft (MTP) blocks, which follow the main layers.
    #[must_use]
    pub fn draft_blocks(&self) -> &[Layer] {
        self.schedule.get(self.layers..).unwrap_or(&[])
    }

    /// Weights of the attention's own projections, without compressors and indexer: queries down and up, the one
    /// key-value head, output down by groups and up.
    #[must_use]
    pub const fn core_attention_params(&self) -> u64 {
        let all_heads = self.heads * self.head_dim;
        self.hidden * self.query_rank
            + self.query_rank * all_heads
            + self.hidden * self.head_dim
            + self.output_rank * all_heads
            + self.hidden * self.output_groups * self.output_rank
    }

    /// Whether tensors can be cut evenly over that many GPUs: it must divide output groups, query heads, indexer
    /// heads, routed experts and the vocabulary.
    #[must_use]
    pub const fn can_cut(&self, tp: u64) -> bool {
        tp > 0
            && self.output_groups.is_multiple_of(tp)
            && self.heads.is_multiple_of(tp)
            && self.indexer_heads.is_multiple_of(tp)
            && self.experts.is_multiple_of(tp)
            && self.vocab.is_multiple_of(tp)
    }

    /// Every number of GPUs the routed experts can be dealt over evenly, rising.
    #[must_use]
    pub fn legal_ep(&self) -> Vec<u32> {
        (1..=self.experts).filter(|ep| self.experts.is_multiple_of(*ep)).map(|ep| ep as u32).collect()
    }

    /// Every number of GPUs the tensors can be cut over, rising.
    #[must_use]
    pub fn legal_tp(&self) -> Vec<u32> {
        (1..=self.output_groups).filter(|tp| self.can_cut(*tp)).map(|tp| tp as u32).collect()
    }
}
