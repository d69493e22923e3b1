//! The working set of a layer: what the phases of the forward pass read and write.
//!
//! What every rank holds alike (streams, caches, the replicated sub-layers) is computed once for all ranks for as
//! long as the replicas are equal bit for bit, which is checked after every all-reduce; from the first difference
//! on (a fault, a collective that errs) each rank has a replica of its own. The numbers are the same either way.

use super::cache::LayerCache;
use super::compare::{Probe, Spot};
use super::config::ModelConfig;
use super::faults::Faults;
use super::rope::RopeTable;
use super::shard::{RankLayer, RankWeights, Replicated};
use super::trace::{Detail, Event, Operation, Trace};
use super::{collective::Shape, config::AttentionKind, streams};

/// What is the same for all ranks and layers of a run.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) config: &'a ModelConfig,
    /// Window-only layers'.
    pub(super) plain_rope: &'a RopeTable,
    /// Compressed layers'.
    pub(super) compress_rope: &'a RopeTable,
    /// Position of the chunk's first token.
    pub(super) start: usize,
    pub(super) tokens: &'a [u32],
    pub(super) faults: &'a Faults,
}

impl Run<'_> {
    /// Position after the chunk's last token.
    pub(super) const fn end(&self) -> usize {
        self.start + self.tokens.len()
    }

    pub(super) const fn rope(&self, kind: AttentionKind) -> &RopeTable {
        match kind {
            AttentionKind::Window => self.plain_rope,
            AttentionKind::Csa | AttentionKind::Hca => self.compress_rope,
        }
    }
}

/// Observers of a run; `None` costs one test per operation.
#[derive(Default)]
pub struct Watch<'a> {
    /// Collects typed events.
    pub trace: Option<&'a mut Trace>,
    /// Collects tensors to compare runs by.
    pub probe: Option<&'a mut Probe>,
    /// Faults at work.
    pub faults: Faults,
}

/// A replica's buffers, reused from run to run. `S` is the chunk's token count.
#[derive(Debug, Clone, Default)]
pub(super) struct ReplicaScratch {
    /// `[S, n, d]`.
    pub(super) streams: Vec<f32>,
    /// `[S, n + n·n]`: the open sub-layer's way back to the streams.
    pub(super) keep: Vec<f32>,
    /// `[S, d]`: the open sub-layer's normed input.
    pub(super) input: Vec<f32>,
    /// `[S, q_lora]`.
    pub(super) latents: Vec<f32>,
    /// `[S, c]`.
    pub(super) rows: Vec<f32>,
    /// `[picks, c]`: the picked entries of one query, where they lie apart.
    pub(super) keys: Vec<f32>,
    /// Entries one query attends.
    pub(super) picks: Vec<u32>,
    /// `[experts]`.
    pub(super) scores: Vec<f32>,
    /// `[experts]`.
    pub(super) biased: Vec<f32>,
    /// Experts of one token.
    pub(super) chosen: Vec<u32>,
    /// `[2·inner]`.
    pub(super) inner: Vec<f32>,
    /// `[d]`.
    pub(super) output: Vec<f32>,
}

impl ReplicaScratch {
    /// Sizes the buffers for a chunk.
    pub(super) fn prepare(&mut self, config: &ModelConfig, tokens: usize) {
        let d = config.hidden_size;
        self.streams.resize(tokens * config.streams * d, 0.0);
        self.keep.resize(tokens * streams::kept(config.streams), 0.0);
        self.input.resize(tokens * d, 0.0);
        self.latents.resize(tokens * config.q_lora_rank, 0.0);
        self.rows.resize(tokens * config.head_dim, 0.0);
        self.scores.resize(config.experts, 0.0);
        self.inner.resize(2 * config.expert_hidden_size, 0.0);
        self.output.resize(d, 0.0);
    }
}

/// A rank's own buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct RankScratch {
    /// `[S, local heads, c]`.
    pub(super) queries: Vec<f32>,
    /// `[local index heads, index dim]`.
    pub(super) index_queries: Vec<f32>,
    /// `[local index heads]`.
    pub(super) head_weights: Vec<f32>,
    /// `[seen]`.
    pub(super) weights: Vec<f32>,
    /// `[local heads, c]`.
    pub(super) heads: Vec<f32>,
    /// `[local groups, o_lora]`.
    pub(super) groups: Vec<f32>,
    /// `[S, d]`: the partial output while the index scores are still being read.
    pub(super) partial: Vec<f32>,
    /// `[2·inner]`.
    pub(super) inner: Vec<f32>,
    /// `[d]`.
    pub(super) output: Vec<f32>,
    /// Token-expert pairs of a chunk computed here.
    pub(super) pairs: usize,
}

impl RankScratch {
    /// Sizes the buffers for a chunk.
    pub(super) fn prepare(&mut self, config: &ModelConfig, ranks: usize, tokens: usize) {
        let heads = config.heads / ranks;
        self.queries.resize(tokens * heads * config.head_dim, 0.0);
        self.index_queries.resize(config.index_heads / ranks * config.index_head_dim, 0.0);
        self.head_weights.resize(config.index_heads / ranks, 0.0);
        self.heads.resize(heads * config.head_dim, 0.0);
        self.groups.resize(config.o_groups / ranks * config.o_lora_rank, 0.0);
        self.partial.resize(tokens * config.hidden_size, 0.0);
        self.inner.resize(2 * config.expert_hidden_size, 0.0);
        self.output.resize(config.hidden_size, 0.0);
    }
}

/// A replica and the ranks it stands for, at work on one layer.
pub(super) struct Group<'a> {
    pub(super) layer: usize,
    /// The ranks' shares.
    pub(super) weights: &'a [RankWeights],
    pub(super) cache: &'a mut LayerCache,
    pub(super) replica: &'a mut ReplicaScratch,
    /// One per rank.
    pub(super) ranks: &'a mut [RankScratch],
    /// One per rank: what goes into the next collective, or has come out of the last one (then all are equal).
    pub(super) exchange: &'a mut [Vec<f32>],
}

impl<'a> Group<'a> {
    /// What all ranks hold of the layer.
    pub(super) fn shared(&self) -> &'a Replicated {
        &self.weights[0].layers[self.layer].replicated
    }

    /// The first rank's share of the layer.
    pub(super) fn first(&self) -> &'a RankLayer {
        &self.weights[0].layers[self.layer]
    }

    /// Where a probe samples each rank of the group, at the chunk's first token.
    pub(super) fn spots(&self, run: &Run<'_>) -> impl Iterator<Item = Spot> + Clone + use<'a> {
        let (layer, position) = (self.layer, run.start);
        self.weights.iter().map(move |weights| Spot { rank: weights.rank, layer, position })
    }

    /// Records an event of every rank of the group in this layer.
    pub(super) fn note(
        &self,
        run: &Run<'_>,
        trace: &mut Trace,
        operation: Operation,
        output: Shape,
        bytes: (u64, u64),
        detail: &Detail,
    ) {
        for weights in self.weights {
            trace.push(Event {
                rank: Some(weights.rank),
                layer: Some(self.layer),
                positions: run.start..run.end(),
                operation,
                output,
                bytes_read: bytes.0,
                bytes_written: bytes.1,
                detail: detail.clone(),
            });
        }
    }
}
