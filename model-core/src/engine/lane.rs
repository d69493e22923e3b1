//! The working set of one rank in one layer: what the phases of the forward pass read and write.

use super::cache::LayerCache;
use super::compare::{Probe, Spot};
use super::config::ModelConfig;
use super::faults::Faults;
use super::rope::RopeTable;
use super::shard::RankLayer;
use super::trace::{Detail, Event, Operation, Trace};
use super::{collective::Shape, config::AttentionKind};

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

/// One rank's buffers, reused from run to run. `S` is the chunk's token count.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// `[S, n, d]`.
    pub(super) streams: Vec<f32>,
    /// `[S, n + n·n]`: the open sub-layer's way back to the streams.
    pub(super) keep: Vec<f32>,
    /// `[S, d]`: the open sub-layer's normed input.
    pub(super) input: Vec<f32>,
    /// `[S, local heads, c]`.
    pub(super) queries: Vec<f32>,
    /// `[S, c]`.
    pub(super) rows: Vec<f32>,
    /// `[q_lora]`.
    pub(super) latent: Vec<f32>,
    /// `[local index heads, index dim]`.
    pub(super) index_queries: Vec<f32>,
    /// `[local index heads]`.
    pub(super) head_weights: Vec<f32>,
    /// `[seen, c]`: the rows one query attends.
    pub(super) keys: Vec<f32>,
    /// `[seen]`.
    pub(super) weights: Vec<f32>,
    /// `[local heads, c]`.
    pub(super) heads: Vec<f32>,
    /// `[local groups, o_lora]`.
    pub(super) groups: Vec<f32>,
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

impl Scratch {
    /// Sizes the buffers that hold a chunk.
    pub(super) fn prepare(&mut self, config: &ModelConfig, ranks: usize, tokens: usize) {
        let n = config.streams;
        let heads = config.heads / ranks;
        self.streams.resize(tokens * n * config.hidden_size, 0.0);
        self.keep.resize(tokens * super::streams::kept(n), 0.0);
        self.input.resize(tokens * config.hidden_size, 0.0);
        self.queries.resize(tokens * heads * config.head_dim, 0.0);
        self.rows.resize(tokens * config.head_dim, 0.0);
        self.latent.resize(config.q_lora_rank, 0.0);
        self.index_queries.resize(config.index_heads / ranks * config.index_head_dim, 0.0);
        self.head_weights.resize(config.index_heads / ranks, 0.0);
        self.heads.resize(heads * config.head_dim, 0.0);
        self.groups.resize(config.o_groups / ranks * config.o_lora_rank, 0.0);
        self.scores.resize(config.experts, 0.0);
        self.inner.resize(2 * config.expert_hidden_size, 0.0);
        self.output.resize(config.hidden_size, 0.0);
    }
}

/// One rank at work on one layer.
pub(super) struct Lane<'a> {
    pub(super) rank: usize,
    pub(super) layer: usize,
    pub(super) weights: &'a RankLayer,
    /// First of the rank's routed experts.
    pub(super) first_expert: usize,
    pub(super) cache: &'a mut LayerCache,
    pub(super) scratch: &'a mut Scratch,
    /// What goes into the next collective, or has come out of the last one.
    pub(super) exchange: &'a mut Vec<f32>,
}

impl Lane<'_> {
    /// Where a probe samples this lane, at the chunk's first token.
    pub(super) const fn spot(&self, run: &Run<'_>) -> Spot {
        Spot { rank: self.rank, layer: self.layer, position: run.start }
    }

    /// Records an event of this rank and layer.
    pub(super) fn note(
        &self,
        run: &Run<'_>,
        trace: &mut Trace,
        operation: Operation,
        output: Shape,
        bytes: (u64, u64),
        detail: Detail,
    ) {
        trace.push(Event {
            rank: Some(self.rank),
            layer: Some(self.layer),
            positions: run.start..run.end(),
            operation,
            output,
            bytes_read: bytes.0,
            bytes_written: bytes.1,
            detail,
        });
    }
}
