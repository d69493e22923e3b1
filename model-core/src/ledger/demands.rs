//! What a decode step asks of each resource of one GPU, stage by stage: for whoever asks what another GPU would make of
//! it. The times are the ledger's own to the last bit; nothing is bounded here.

use super::exact::holding::Tensors;
use super::exact::step::{Work, score_flops};
use super::exchanges::{ExchangeKind, ExchangeRow};
use super::report::step::{Fixed, Stage, attn_flops, key_bytes, over_layers, overhead, read_bytes};
use super::scan::StepPart;
use super::{RowBytes, exact};
use crate::figure::Ledger;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::{Bytes, Flops, Seconds};

/// Exchanges of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// What a GPU sends.
    pub bytes: Bytes,
    /// Start-ups, one after the other.
    pub startup: Seconds,
    /// Bytes on the links.
    pub transfer: Seconds,
}

impl Sent {
    /// Start-ups and bytes.
    #[must_use]
    pub fn time(&self) -> Seconds {
        self.startup + self.transfer
    }

    fn and(self, row: &ExchangeRow) -> Self {
        Self {
            bytes: self.bytes + row.sent_per_gpu,
            startup: self.startup + row.startup,
            transfer: self.transfer + row.transfer,
        }
    }
}

/// What a stage asks of one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageDemand {
    /// Which stage.
    pub part: StepPart,
    /// Bytes read: its share or a copy, whichever its time stands for.
    pub bytes: Bytes,
    /// The time they take of the memory.
    pub hbm: Seconds,
    /// FLOPs.
    pub flops: Flops,
    /// The time they take at the ledger's peak.
    pub compute: Seconds,
    /// Of the bytes, the share that are indexer keys.
    pub keys: f64,
    /// Of the FLOPs, the share that scores them.
    pub scores: f64,
    /// Of bytes and FLOPs, the shares of routed experts.
    pub routed: [f64; 2],
    /// Sums and gathers: what follows waits for them.
    pub sums: Sent,
    /// Dispatch and combine, which waves of experts may hide.
    pub legs: Sent,
}

/// What a step asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDemands {
    /// The stages, in the order in which they add up.
    pub stages: [StageDemand; 6],
    /// Latency of all layers together; the least of those measured elsewhere where none is known.
    pub latency: Seconds,
    /// Whether that latency is known or chosen.
    pub latency_known: bool,
    /// Fixed time of a step.
    pub fixed: Seconds,
    /// GPUs that share the routed experts.
    pub ranks: u32,
    /// Tokens that are routed together.
    pub tokens: u64,
    /// Different routed experts that they take of a layer, by the closed form.
    pub distinct: f64,
    /// Bytes of one routed expert, as the ledger counts them.
    pub expert_bytes: Bytes,
    /// Tokens that a request gains from a step.
    pub gained_tokens: f64,
}

/// The demands of a scenario's decode step; none where the plan cannot be carried out, and in the tutorial, which times
/// nothing.
#[must_use]
pub fn demands(ledger: Ledger, settings: &Settings, spec: &ModelSpec) -> Option<StepDemands> {
    let spec = &*settings.model_in_force(spec);
    match ledger {
        Ledger::Tutorial => None,
        Ledger::Report => Some(evenly(settings, spec)),
        Ledger::Exact => {
            Plan::of(settings).check(spec).ok()?;
            Some(by_tensors(settings, spec))
        }
    }
}

/// A stage whose bytes and FLOPs so many GPUs share.
fn stage(part: StepPart, stage: &Stage, [readers, workers]: [f64; 2]) -> StageDemand {
    StageDemand {
        part,
        bytes: Bytes(stage.bytes / readers),
        hbm: Seconds(stage.hbm_s),
        flops: Flops(stage.flops / workers),
        compute: Seconds(stage.compute_s),
        keys: 0.0,
        scores: 0.0,
        routed: [0.0; 2],
        sums: Sent::default(),
        legs: Sent::default(),
    }
}

/// A part of something; nothing of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

fn evenly(settings: &Settings, spec: &ModelSpec) -> StepDemands {
    let even = Fixed::of(settings, spec);
    let step = even.step(settings, spec, settings.batch);
    let gpus = f64::from(settings.gpus);
    let whole = [gpus, gpus];
    let csa = spec.layers_of(AttentionKind::Csa) as f64;
    let entries = spec.csa_entries_begun(settings.context) as f64;
    let over = |of: fn(&ModelSpec, AttentionKind, u64) -> f64| {
        over_layers(spec, |kind| of(spec, kind, settings.context))
    };
    let (taken, shared) = (spec.experts_per_token as f64, spec.shared_experts as f64);
    let layers = spec.main_layers().len() as f64;
    let sent = step.exchange_layer_bytes * layers;
    // Beyond the GPUs that the fast link joins, the network's rate; a start-up for each leg of each layer.
    let inside = settings.gpus <= settings.gpus_per_node;
    let transfer = if inside {
        step.exchange_layer_s * layers
    } else {
        sent / (settings.network.get() * settings.efficiency.link)
    };
    let legs = if sent > 0.0 { 2.0 * layers } else { 0.0 };
    StepDemands {
        stages: [
            stage(StepPart::Proj, &step.proj, whole),
            StageDemand {
                keys: share(csa * entries * key_bytes(spec), over(read_bytes)),
                scores: share(csa * entries * score_flops(spec), over(attn_flops)),
                ..stage(StepPart::Attn, &step.attn, [even.split(), gpus])
            },
            StageDemand {
                routed: [share(step.distinct, step.distinct + shared), share(taken, taken + shared)],
                legs: Sent {
                    bytes: Bytes(sent),
                    startup: settings.alpha * legs,
                    transfer: Seconds(transfer),
                },
                ..stage(StepPart::Moe, &step.moe, whole)
            },
            stage(StepPart::Head, &step.head, whole),
            stage(StepPart::Other, &Stage::default(), whole),
            stage(StepPart::Draft, &Stage::default(), whole),
        ],
        latency: Seconds::ZERO,
        latency_known: true,
        fixed: Seconds(step.overhead_s),
        ranks: settings.gpus,
        tokens: settings.batch,
        distinct: step.distinct,
        expert_bytes: Bytes(share_of_expert(&step.moe, spec, step.distinct)),
        gained_tokens: 1.0,
    }
}

/// Bytes of one expert, from what all of them read.
fn share_of_expert(moe: &Stage, spec: &ModelSpec, distinct: f64) -> f64 {
    let read = spec.main_layers().len() as f64 * (distinct + spec.shared_experts as f64);
    if read > 0.0 { moe.bytes / read } else { 0.0 }
}

fn by_tensors(settings: &Settings, spec: &ModelSpec) -> StepDemands {
    let work = Work::of(settings, spec, &Tensors::of(spec));
    let step = work.decode(settings.batch);
    let csa = spec.layers_of(AttentionKind::Csa) as f64;
    let entries = spec.csa_entries(settings.context) as f64;
    let [proj, attn, moe, head, other, draft] = step.stages();
    let mut stages = [
        (StepPart::Proj, proj),
        (StepPart::Attn, attn),
        (StepPart::Moe, moe),
        (StepPart::Head, head),
        (StepPart::Other, other),
        (StepPart::Draft, draft),
    ]
    .map(|(part, each)| stage(part, &each, [1.0, 1.0]));
    let rows = work.decode_exchanges(settings.batch);
    let routed = work.layers * step.distinct / f64::from(work.plan.ep) * work.expert_bytes;
    let always = 2.0 * step.tokens_on_gpu * work.main.always.params;
    for demand in &mut stages {
        let part = demand.part;
        let sent = |hideable: bool| {
            let mine = rows.iter().filter(|row| place(row.kind) == (part, hideable));
            mine.fold(Sent::default(), Sent::and)
        };
        (demand.sums, demand.legs) = (sent(false), sent(true));
        match demand.part {
            StepPart::Attn => {
                let key = RowBytes::of(spec, settings.kv_rows).key;
                demand.keys = share(csa * entries * key, work.query.bytes);
                demand.scores = share(csa * entries * score_flops(spec), work.query.flops);
            }
            StepPart::Moe => {
                let flops = step.moe.flops;
                demand.routed = [share(routed, step.moe.bytes), share(flops - always, flops)];
            }
            _ => {}
        }
    }
    let [least, _] = exact::latency_range(settings.gpu.name, settings.layout);
    let each = settings.latency_per_layer.map_or(least, |each| each.get());
    StepDemands {
        stages,
        latency: Seconds(work.layers * each),
        latency_known: settings.latency_per_layer.is_some(),
        fixed: Seconds(overhead(settings, settings.batch)),
        ranks: work.plan.ep,
        tokens: step.tokens,
        distinct: step.distinct,
        expert_bytes: Bytes(work.expert_bytes),
        gained_tokens: work.gained_tokens(),
    }
}

/// The stage that an exchange belongs to, and whether waves of experts may hide it.
const fn place(kind: ExchangeKind) -> (StepPart, bool) {
    match kind {
        ExchangeKind::IndexScores | ExchangeKind::AttentionOutput => (StepPart::Attn, false),
        ExchangeKind::RoutedSum => (StepPart::Moe, false),
        ExchangeKind::Dispatch | ExchangeKind::Combine => (StepPart::Moe, true),
        ExchangeKind::Logits => (StepPart::Head, false),
        ExchangeKind::Embedding | ExchangeKind::Stages => (StepPart::Other, false),
    }
}

impl StepDemands {
    /// All exchanges together, nothing hidden.
    #[must_use]
    pub fn exchange(&self) -> Seconds {
        self.stages.iter().map(|stage| stage.sums.time() + stage.legs.time()).sum()
    }

    /// The stages as the ledger bounds them, with latency and fixed time: its own step.
    #[must_use]
    pub fn total(&self) -> Seconds {
        let stages: f64 = self.stages.iter().map(|stage| stage.hbm.get().max(stage.compute.get())).sum();
        Seconds(stages + self.latency.get() + self.fixed.get())
    }
}
