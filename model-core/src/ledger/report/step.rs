//! The arithmetic of the report: bytes, FLOPs and times of a decode step and of a prefill chunk, without any text.

use crate::ledger::experts::distinct_experts;
use crate::scenario::{KvPlacement, Layout, Settings};
use crate::spec::{AttentionKind, ModelSpec};

/// Bytes of a routed or shared expert's value: four bits, scales left out.
pub(super) const EXPERT_BYTES: f64 = 0.5;

/// Bytes of a cached row: FP8, but BF16 for the values that carry the position.
pub(in crate::ledger) fn row_bytes(spec: &ModelSpec) -> f64 {
    spec.head_dim.saturating_sub(spec.rope_dim) as f64 + 2.0 * spec.rope_dim as f64
}

/// Values of an indexer key, a byte each.
pub(in crate::ledger) fn key_bytes(spec: &ModelSpec) -> f64 {
    spec.indexer_head_dim as f64
}

/// Projection weights of a layer, a byte each. The report leaves out the main compressors' gates.
pub(in crate::ledger) fn proj_params(spec: &ModelSpec, kind: AttentionKind) -> f64 {
    let core = spec.core_attention_params() as f64;
    let (d, c) = (spec.hidden as f64, spec.head_dim as f64);
    let (heads, c_index) = (spec.indexer_heads as f64, spec.indexer_head_dim as f64);
    match kind {
        AttentionKind::Window => core,
        AttentionKind::Hca => core + d * c,
        AttentionKind::Csa => {
            core + 2.0 * d * c + spec.query_rank as f64 * heads * c_index + d * heads + 4.0 * d * c_index
        }
    }
}

/// Bytes a query reads of a layer's caches.
pub(in crate::ledger) fn read_bytes(spec: &ModelSpec, kind: AttentionKind, context: u64) -> f64 {
    let row = row_bytes(spec);
    let window = context.min(spec.window) as f64;
    match kind {
        AttentionKind::Window => window * row,
        AttentionKind::Hca => (spec.hca_entries_begun(context) as f64 + window) * row,
        AttentionKind::Csa => {
            spec.csa_entries_begun(context) as f64 * key_bytes(spec)
                + (spec.indexer_top_k as f64 + window) * row
        }
    }
}

/// FLOPs of a query over a layer's caches, projections apart.
pub(in crate::ledger) fn attn_flops(spec: &ModelSpec, kind: AttentionKind, context: u64) -> f64 {
    let each = 4.0 * spec.heads as f64 * spec.head_dim as f64;
    let window = spec.window as f64;
    match kind {
        AttentionKind::Window => each * window,
        AttentionKind::Hca => each * (spec.hca_entries_begun(context) as f64 + window),
        AttentionKind::Csa => {
            let score = 2.0 * spec.indexer_heads as f64 * spec.indexer_head_dim as f64;
            score * spec.csa_entries_begun(context) as f64 + each * (spec.indexer_top_k as f64 + window)
        }
    }
}

/// Sums something over all main layers.
pub(in crate::ledger) fn over_layers(spec: &ModelSpec, of: impl Fn(AttentionKind) -> f64) -> f64 {
    AttentionKind::ALL.into_iter().map(|kind| spec.layers_of(kind) as f64 * of(kind)).sum()
}

/// Bytes that a request's caches take.
pub(in crate::ledger) fn request_bytes(spec: &ModelSpec, context: u64) -> f64 {
    let window = context.min(spec.window) as f64;
    let row = row_bytes(spec);
    let csa = spec.csa_entries_begun(context) as f64 * (row + key_bytes(spec));
    let hca = spec.hca_entries_begun(context) as f64 * row;
    spec.layers_of(AttentionKind::Csa) as f64 * csa
        + spec.layers_of(AttentionKind::Hca) as f64 * hca
        + spec.main_layers().len() as f64 * window * row
}

/// Bytes of the experts that so many tokens make a layer read.
pub(in crate::ledger) fn expert_read_bytes(spec: &ModelSpec, distinct: f64) -> f64 {
    (distinct + spec.shared_experts as f64) * spec.expert_params() as f64 * EXPERT_BYTES
}

/// FLOPs of a token in a layer's experts.
pub(in crate::ledger) fn expert_flops(spec: &ModelSpec) -> f64 {
    2.0 * spec.expert_params() as f64 * (spec.experts_per_token + spec.shared_experts) as f64
}

/// How many GPUs hold one request's cache between them: all where it is split, one where each has a copy.
pub(in crate::ledger) fn cache_split(settings: &Settings) -> f64 {
    let copied = match settings.kv_placement {
        KvPlacement::Copied => true,
        KvPlacement::Split => false,
        KvPlacement::ByPlan => settings.layout == Layout::Tp,
    };
    if copied { 1.0 } else { f64::from(settings.gpus) }
}

/// One stage of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Stage {
    /// Bytes read, over all GPUs.
    pub(in crate::ledger) bytes: f64,
    /// FLOPs, over all GPUs.
    pub(in crate::ledger) flops: f64,
    /// Time that the bytes take.
    pub(in crate::ledger) hbm_s: f64,
    /// Time that the FLOPs take.
    pub(in crate::ledger) compute_s: f64,
}

impl Stage {
    /// The longer of the two times.
    pub(in crate::ledger) fn taken_s(&self) -> f64 {
        self.hbm_s.max(self.compute_s)
    }

    /// What bounds the stage.
    pub(in crate::ledger) fn bound(&self) -> &'static str {
        if self.compute_s > self.hbm_s { "compute" } else { "hbm" }
    }
}

/// Reached rates of all GPUs together, in bytes and FLOPs per second.
pub(super) struct Rates {
    gpus: f64,
    hbm: f64,
    peak: f64,
}

impl Rates {
    pub(super) fn of(settings: &Settings) -> Self {
        let gpus = f64::from(settings.gpus);
        Self {
            gpus,
            hbm: gpus * settings.hbm.get() * settings.efficiency.hbm,
            peak: gpus * settings.peak.get(),
        }
    }

    pub(super) fn stage(&self, bytes: f64, flops: f64, efficiency: f64) -> Stage {
        Stage { bytes, flops, hbm_s: bytes / self.hbm, compute_s: flops / (self.peak * efficiency) }
    }

    /// A stage over the caches, which may be read by each GPU in full.
    pub(super) fn cache_stage(&self, bytes: f64, flops: f64, efficiency: f64, split: f64) -> Stage {
        let each = self.hbm / self.gpus;
        Stage { hbm_s: bytes / (each * split), ..self.stage(bytes, flops, efficiency) }
    }
}

/// A decode step for a batch.
#[derive(Clone, Copy, Debug)]
pub(in crate::ledger) struct Step {
    pub(in crate::ledger) distinct: f64,
    pub(in crate::ledger) proj: Stage,
    pub(in crate::ledger) attn: Stage,
    pub(in crate::ledger) moe: Stage,
    pub(in crate::ledger) head: Stage,
    pub(in crate::ledger) overhead_s: f64,
    pub(in crate::ledger) exchange_layer_bytes: f64,
    pub(in crate::ledger) exchange_layer_s: f64,
}

impl Step {
    /// Stages one after the other, then the fixed time; the exchange is hidden behind the experts.
    pub(in crate::ledger) fn total_s(&self) -> f64 {
        self.proj.taken_s() + self.attn.taken_s() + self.moe.taken_s() + self.head.taken_s() + self.overhead_s
    }
}

/// What of a step does not depend on the batch; computed once for a scan.
pub(in crate::ledger) struct Fixed {
    rates: Rates,
    proj_params: f64,
    read_bytes: f64,
    attn_flops: f64,
    expert_flops: f64,
    head_params: f64,
    layers: f64,
    split: f64,
    weights_per_gpu: f64,
    cache_per_gpu: f64,
}

impl Fixed {
    pub(in crate::ledger) fn of(settings: &Settings, spec: &ModelSpec) -> Self {
        let split = cache_split(settings);
        Self {
            rates: Rates::of(settings),
            proj_params: over_layers(spec, |kind| proj_params(spec, kind)),
            read_bytes: over_layers(spec, |kind| read_bytes(spec, kind, settings.context)),
            attn_flops: over_layers(spec, |kind| attn_flops(spec, kind, settings.context)),
            expert_flops: expert_flops(spec),
            head_params: spec.vocab as f64 * spec.hidden as f64,
            layers: spec.main_layers().len() as f64,
            split,
            weights_per_gpu: settings.weights.get() / f64::from(settings.gpus),
            cache_per_gpu: request_bytes(spec, settings.context) / split,
        }
    }

    /// GPUs that hold one request's cache between them.
    pub(in crate::ledger) const fn split(&self) -> f64 {
        self.split
    }

    /// Memory of one GPU without the reserve.
    pub(in crate::ledger) fn memory_per_gpu(&self, batch: u64) -> f64 {
        self.weights_per_gpu + batch as f64 * self.cache_per_gpu
    }

    /// The step for a batch.
    pub(in crate::ledger) fn step(&self, settings: &Settings, spec: &ModelSpec, batch: u64) -> Step {
        let b = batch as f64;
        let efficiency = &settings.efficiency;
        let distinct = distinct_experts(spec, settings.draw, batch);
        let moe_bytes = self.layers * expert_read_bytes(spec, distinct);
        let gpus = f64::from(settings.gpus);
        let exchange_layer_bytes =
            3.0 * spec.hidden as f64 * b * spec.experts_per_token as f64 / gpus * (gpus - 1.0) / gpus;
        Step {
            distinct,
            proj: self.rates.stage(self.proj_params, 2.0 * b * self.proj_params, efficiency.proj),
            attn: self.rates.cache_stage(
                b * self.read_bytes,
                b * self.attn_flops,
                efficiency.attn,
                self.split,
            ),
            moe: self.rates.stage(moe_bytes, self.layers * b * self.expert_flops, efficiency.moe_decode),
            head: self.rates.stage(self.head_params, 2.0 * b * self.head_params, efficiency.proj),
            overhead_s: overhead(settings, batch),
            exchange_layer_bytes,
            exchange_layer_s: exchange_layer_bytes / (settings.link.get() * efficiency.link),
        }
    }
}

/// Fixed time of a step, by batch.
pub(in crate::ledger) fn overhead(settings: &Settings, batch: u64) -> f64 {
    match batch {
        ..=32 => settings.overhead.small.get(),
        33..=128 => settings.overhead.medium.get(),
        _ => settings.overhead.large.get(),
    }
}
