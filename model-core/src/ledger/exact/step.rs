//! The arithmetic of a step in the exact ledger: bytes, FLOPs and floors per GPU, without any text.

use super::cache::{CacheParts, RowBytes};
use super::holding::{Tensors, kinds};
use super::sums::Positions;
use crate::collective::expert_parallel::{Leg, Traffic, TrafficShape};
use crate::collective::{self, Collective, Cost, Dtype, Link, Load, Place};
use crate::ledger::cache_rows::LayerCounts;
use crate::ledger::exchanges::{ExchangeKind, ExchangeRow};
use crate::ledger::experts::distinct_experts;
use crate::ledger::report::step::Stage;
use crate::plan::{Crossing, Plan};
use crate::scenario::{CommDtype, KvPlacement, Layout, Settings};
use crate::spec::tensors::{Part, Role, Tensor};
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// A tensor group on one GPU: bytes read, and weights that multiply each token.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Weights {
    pub(in crate::ledger) bytes: f64,
    pub(in crate::ledger) params: f64,
}

impl Weights {
    fn add(&mut self, other: Self, count: f64) {
        self.bytes += count * other.bytes;
        self.params += count * other.params;
    }
}

/// Weights of one block or several on one GPU, routed experts apart.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct BlockWeights {
    pub(in crate::ledger) attention: Weights,
    /// Shared experts and router.
    pub(in crate::ledger) always: Weights,
    /// Streams and norms, and what only drafts have.
    pub(in crate::ledger) other: Weights,
}

impl BlockWeights {
    pub(in crate::ledger) fn of(tensors: &[Tensor], settings: &Settings, tp: f64) -> Self {
        let mut sums = Self::default();
        for tensor in tensors {
            let weights = on_gpu(tensor, settings, tp);
            match tensor.part {
                Part::Attention => sums.attention.add(weights, 1.0),
                Part::Shared | Part::Router => sums.always.add(weights, 1.0),
                Part::Streams | Part::Draft => sums.other.add(weights, 1.0),
                Part::Routed | Part::Embedding | Part::Head => {}
            }
        }
        sums
    }

    fn add(&mut self, other: &Self, count: f64) {
        self.attention.add(other.attention, count);
        self.always.add(other.always, count);
        self.other.add(other.other, count);
    }
}

/// What of a tensor one GPU reads, and multiplies each token with.
pub(in crate::ledger) fn on_gpu(tensor: &Tensor, settings: &Settings, tp: f64) -> Weights {
    let multiplies = tensor.role == Role::Matrix;
    Weights {
        // Of a table a step reads single rows.
        bytes: if tensor.role == Role::Table && tensor.part != Part::Attention {
            0.0
        } else {
            tensor.bytes_on_gpu(settings.dtypes, tp, 1.0)
        },
        params: if multiplies { tensor.params_on_gpu(tp, 1.0) } else { 0.0 },
    }
}

/// What a query reads and computes over one layer's caches.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Query {
    /// Bytes of rows and keys.
    pub(in crate::ledger) bytes: f64,
    /// FLOPs of scores and sums, over all heads.
    pub(in crate::ledger) flops: f64,
}

impl Query {
    /// For a request with so many tokens of context.
    pub(in crate::ledger) fn of(spec: &ModelSpec, rows: RowBytes, kind: AttentionKind, context: u64) -> Self {
        let window = context.min(spec.window);
        let (scored, attended) = match kind {
            AttentionKind::Window => (0, window),
            AttentionKind::Hca => (0, window + spec.hca_entries(context)),
            AttentionKind::Csa => {
                let entries = spec.csa_entries(context);
                (entries, window + entries.min(spec.indexer_top_k))
            }
        };
        let (scored, attended) = (scored as f64, attended as f64);
        Self {
            bytes: scored * rows.key + attended * rows.main,
            flops: scored * score_flops(spec) + attended * attend_flops(spec),
        }
    }
}

/// FLOPs of scoring one indexer key with all indexer heads.
pub(in crate::ledger) fn score_flops(spec: &ModelSpec) -> f64 {
    2.0 * spec.indexer_heads as f64 * spec.indexer_head_dim as f64
}

/// FLOPs of attending one row with all heads: the score, and the sum.
fn attend_flops(spec: &ModelSpec) -> f64 {
    4.0 * spec.heads as f64 * spec.head_dim as f64
}

/// Everything about a step that does not depend on the batch; computed once for a scan.
pub(in crate::ledger) struct Work<'a> {
    settings: &'a Settings,
    spec: &'a ModelSpec,
    pub(in crate::ledger) plan: Plan,
    /// All main layers, stage after stage.
    pub(in crate::ledger) main: BlockWeights,
    /// All draft blocks.
    pub(in crate::ledger) draft: BlockWeights,
    pub(in crate::ledger) head: Weights,
    /// A request's reads and FLOPs over all layers, before any cut.
    pub(in crate::ledger) query: Query,
    /// The same over the draft blocks.
    draft_query: Query,
    pub(in crate::ledger) layers: f64,
    drafts: f64,
    /// Bytes of one routed expert with its scales.
    pub(in crate::ledger) expert_bytes: f64,
}

/// A step: its stages, and what stands beside them. Bytes and FLOPs are the fullest GPU's; stages of a pipeline are
/// passed one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Step {
    /// Tokens in flight on the fullest GPU.
    pub(in crate::ledger) tokens_on_gpu: f64,
    /// Tokens of all GPUs.
    pub(in crate::ledger) tokens: u64,
    pub(in crate::ledger) distinct: f64,
    pub(in crate::ledger) proj: Stage,
    pub(in crate::ledger) attn: Stage,
    pub(in crate::ledger) moe: Stage,
    pub(in crate::ledger) head: Stage,
    pub(in crate::ledger) other: Stage,
    /// The draft block, run as often as tokens are drafted.
    pub(in crate::ledger) draft: Stage,
    pub(in crate::ledger) exchange: Exchange,
}

/// Time that GPUs spend sending, nothing hidden.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Exchange {
    /// Start-ups.
    pub(in crate::ledger) startup_s: f64,
    /// Bytes on the links.
    pub(in crate::ledger) transfer_s: f64,
}

impl Exchange {
    pub(in crate::ledger) fn total_s(&self) -> f64 {
        self.startup_s + self.transfer_s
    }
}

impl Step {
    /// The stages with their names.
    pub(in crate::ledger) fn stages(&self) -> [Stage; 6] {
        [self.proj, self.attn, self.moe, self.head, self.other, self.draft]
    }

    /// No step can be quicker: each stage takes the longer of its two times, nothing else counts.
    pub(in crate::ledger) fn floor_s(&self) -> f64 {
        self.stages().iter().map(Stage::taken_s).sum()
    }
}

impl<'a> Work<'a> {
    pub(in crate::ledger) fn of(settings: &'a Settings, spec: &'a ModelSpec, tensors: &Tensors) -> Self {
        let plan = Plan::of(settings);
        let tp = f64::from(plan.tp);
        let mut main = BlockWeights::default();
        let mut expert_bytes = 0.0;
        for (layer, count) in kinds(spec.main_layers()) {
            let block = tensors.block(layer);
            main.add(&BlockWeights::of(block, settings, tp), count);
            expert_bytes = block
                .iter()
                .filter(|tensor| tensor.part == Part::Routed)
                .map(|tensor| tensor.bytes(settings.dtypes) / tensor.copies.max(1.0))
                .sum();
        }
        let mut head = Weights::default();
        for tensor in tensors.outer() {
            match tensor.part {
                Part::Head => head.add(on_gpu(tensor, settings, tp), 1.0),
                Part::Streams => main.other.add(on_gpu(tensor, settings, tp), 1.0),
                _ => {}
            }
        }
        let rows = RowBytes::of(spec, settings.kv_rows);
        let sum = |layers: &[crate::spec::Layer]| {
            kinds(layers).fold(Query::default(), |sum, (layer, count)| {
                let query = Query::of(spec, rows, layer.attention, settings.context);
                Query { bytes: sum.bytes + count * query.bytes, flops: sum.flops + count * query.flops }
            })
        };
        Self {
            settings,
            spec,
            plan,
            main,
            draft: BlockWeights::of(tensors.drafts(), settings, tp),
            head,
            query: sum(spec.main_layers()),
            draft_query: sum(spec.draft_blocks()),
            layers: spec.main_layers().len() as f64,
            drafts: spec.draft_blocks().len() as f64,
            expert_bytes,
        }
    }

    /// Tokens that each request brings to a step.
    pub(in crate::ledger) fn tokens_per_request(&self) -> u64 {
        if self.settings.mtp { 1 + self.settings.draft_depth } else { 1 }
    }

    /// Tokens that each request gains from a step, in expectation: one, and each draft while those before it hold.
    pub(in crate::ledger) fn gained_tokens(&self) -> f64 {
        if !self.settings.mtp {
            return 1.0;
        }
        let mut chance = 1.0;
        let mut gained = 1.0;
        for _ in 0..self.settings.draft_depth {
            chance *= self.settings.acceptance;
            gained += chance;
        }
        gained
    }

    fn stage(&self, bytes: f64, flops: f64, efficiency: f64) -> Stage {
        let hbm = self.settings.hbm.get() * self.settings.efficiency.hbm;
        let peak = self.settings.peak.get() * efficiency;
        Stage { bytes, flops, hbm_s: bytes / hbm, compute_s: flops / peak }
    }

    /// GPUs that share the reading of one request's caches.
    pub(in crate::ledger) fn readers(&self) -> f64 {
        match self.settings.kv_placement {
            KvPlacement::Split => f64::from(self.plan.ep),
            KvPlacement::ByPlan | KvPlacement::Copied => 1.0,
        }
    }

    /// A decode step of a batch.
    pub(in crate::ledger) fn decode(&self, batch: u64) -> Step {
        let per_request = self.tokens_per_request();
        let requests = match self.settings.kv_placement {
            KvPlacement::Split => batch as f64,
            _ => self.plan.requests_on_gpu(batch) as f64,
        };
        let on_gpu = self.plan.requests_on_gpu(batch) as f64 * per_request as f64;
        let read = requests * self.query.bytes / self.readers();
        let attn_flops = on_gpu * self.query.flops / f64::from(self.plan.tp);
        let (positions, tokens) = self.decode_load(batch);
        let mut step = self.pass(tokens, on_gpu, read, attn_flops, on_gpu);
        step.exchange = self.exchange(positions, self.plan.requests_on_gpu(batch), tokens);
        if self.settings.mtp {
            step.draft = self.draft_stage(batch, requests);
        }
        step
    }

    /// The positions of a decode step, and the tokens of all requests.
    fn decode_load(&self, batch: u64) -> (Load, u64) {
        let positions = self.tokens_per_request();
        (Load { batch: 0, positions, end: self.settings.context }, batch.saturating_mul(positions))
    }

    /// The drafts of a step: each runs the draft blocks and the head once.
    fn draft_stage(&self, batch: u64, requests: f64) -> Stage {
        let times = self.settings.draft_depth as f64;
        let on_gpu = self.plan.requests_on_gpu(batch) as f64;
        let distinct = distinct_experts(self.spec, self.settings.draw, batch);
        let ep = f64::from(self.plan.ep);
        let weights = [self.draft.attention, self.draft.always, self.draft.other, self.head];
        let bytes: f64 = weights.iter().map(|weights| weights.bytes).sum();
        let params: f64 = weights.iter().map(|weights| weights.params).sum();
        let expert = self.drafts * self.spec.expert_params() as f64;
        let routed = batch as f64 * self.spec.experts_per_token as f64 / ep;
        self.stage(
            times
                * (bytes
                    + self.drafts * distinct / ep * self.expert_bytes
                    + requests * self.draft_query.bytes / self.readers()),
            times
                * (2.0 * on_gpu * params
                    + 2.0 * routed * expert
                    + on_gpu * self.draft_query.flops / f64::from(self.plan.tp)),
            self.settings.efficiency.proj,
        )
    }

    /// One pass of so many tokens through all layers.
    fn pass(&self, tokens: u64, on_gpu: f64, read: f64, attn_flops: f64, sampled: f64) -> Step {
        let efficiency = &self.settings.efficiency;
        let distinct = distinct_experts(self.spec, self.settings.draw, tokens);
        let ep = f64::from(self.plan.ep);
        let routed = tokens as f64 * self.spec.experts_per_token as f64 / ep;
        let expert_params = self.spec.expert_params() as f64;
        let Weights { bytes: always_bytes, params: always_params } = self.main.always;
        Step {
            tokens_on_gpu: on_gpu,
            tokens,
            distinct,
            proj: self.stage(
                self.main.attention.bytes,
                2.0 * on_gpu * self.main.attention.params,
                efficiency.proj,
            ),
            attn: self.stage(read, attn_flops, efficiency.attn),
            moe: self.stage(
                self.layers * distinct / ep * self.expert_bytes + always_bytes,
                2.0 * (self.layers * routed * expert_params + on_gpu * always_params),
                efficiency.moe_decode,
            ),
            head: self.stage(self.head.bytes, 2.0 * sampled * self.head.params, efficiency.proj),
            other: self.stage(
                self.main.other.bytes + on_gpu * self.spec.hidden as f64 * 2.0,
                2.0 * on_gpu * self.main.other.params,
                efficiency.proj,
            ),
            ..Step::default()
        }
    }

    /// A chunk of one request's prompt. Caches are read once for the whole chunk, weights once.
    pub(in crate::ledger) fn prefill(&self) -> Step {
        self.prefill_of(self.settings.prefix, self.settings.chunk)
    }

    /// The same for so many tokens after a prefix.
    pub(in crate::ledger) fn prefill_of(&self, prefix: u64, chunk: u64) -> Step {
        let (settings, spec) = (self.settings, self.spec);
        let positions = Positions { prefix, tokens: chunk };
        let end = prefix.saturating_add(chunk);
        let window = positions.capped_entries(1, spec.window);
        let counts = LayerCounts::of(spec.main_layers());
        let csa = positions.entries(spec.csa_ratio) * score_flops(spec)
            + (window + positions.capped_entries(spec.csa_ratio, spec.indexer_top_k)) * attend_flops(spec);
        let hca = (window + positions.entries(spec.hca_ratio)) * attend_flops(spec);
        let flops = counts.csa as f64 * csa
            + counts.hca as f64 * hca
            + counts.window_only as f64 * window * attend_flops(spec);
        let cache = CacheParts::of(spec, settings.kv_rows, counts, 0, end);
        let read = (cache.window + cache.csa + cache.hca + cache.indexer) / self.readers();
        let mut step = self.pass(chunk, chunk as f64, read, flops / f64::from(self.plan.tp), 1.0);
        let moe = step.moe;
        step.moe = self.stage(moe.bytes, moe.flops, settings.efficiency.moe_prefill);
        step.exchange = self.exchange(Load { batch: 0, positions: chunk, end }, 1, chunk);
        step
    }

    /// The exchanges of a pass, one after the other.
    fn exchange(&self, load: Load, requests_on_gpu: u64, tokens: u64) -> Exchange {
        let mut sum = Exchange::default();
        self.each_exchange(Load { batch: requests_on_gpu, ..load }, tokens, |item| {
            sum.startup_s += item.startup.get();
            sum.transfer_s += item.transfer.get();
        });
        sum
    }

    /// The exchanges of a decode step, alike ones together.
    pub(in crate::ledger) fn decode_exchanges(&self, batch: u64) -> Vec<ExchangeRow> {
        let mut rows: Vec<ExchangeRow> = Vec::new();
        let (load, tokens) = self.decode_load(batch);
        let load = Load { batch: self.plan.requests_on_gpu(batch), ..load };
        self.each_exchange(load, tokens, |item| match rows.iter_mut().find(|row| row.kind == item.kind) {
            Some(row) => {
                row.count += item.count;
                row.sent_per_gpu += item.sent_per_gpu;
                row.startup += item.startup;
                row.transfer += item.transfer;
            }
            None => rows.push(item),
        });
        rows
    }

    /// Tells every exchange of a pass, in the order in which they come.
    fn each_exchange(&self, load: Load, tokens: u64, mut tell: impl FnMut(ExchangeRow)) {
        self.each_sum(load, |collective, cost| {
            tell(ExchangeRow {
                kind: match collective.place {
                    Place::Embedding => ExchangeKind::Embedding,
                    Place::IndexScores(_) => ExchangeKind::IndexScores,
                    Place::AttentionOutput(_) => ExchangeKind::AttentionOutput,
                    Place::RoutedSum(_) => ExchangeKind::RoutedSum,
                    Place::Logits => ExchangeKind::Logits,
                },
                count: 1.0,
                message: collective.bytes(),
                sent_per_gpu: cost.sent_per_gpu,
                startup: cost.startup,
                transfer: cost.transfer,
            });
        });
        if self.settings.layout == Layout::DpAttentionEp
            && let Some(link) = self.link(self.plan.ep_crossing())
        {
            let legs = self.expert_legs(tokens);
            for (kind, leg) in
                [(ExchangeKind::Dispatch, legs.dispatch), (ExchangeKind::Combine, legs.combine)]
            {
                let message = leg / f64::from(self.plan.ep);
                let sent_per_gpu = message * self.layers;
                tell(ExchangeRow {
                    kind,
                    count: self.layers,
                    message,
                    sent_per_gpu,
                    startup: link.alpha() * self.layers,
                    transfer: sent_per_gpu / link.rate(),
                });
            }
        }
        if let Some((link, bytes)) = self.hand_over(load) {
            let hops = f64::from(self.plan.pp) - 1.0;
            tell(ExchangeRow {
                kind: ExchangeKind::Stages,
                count: hops,
                message: Bytes(bytes),
                sent_per_gpu: Bytes(bytes),
                startup: Seconds(hops * link.alpha().get()),
                transfer: Seconds(hops * bytes / link.rate().get()),
            });
        }
    }

    /// Tells every collective of a pass within a group that attention is cut over, in its order, with its cost.
    pub(in crate::ledger) fn each_sum(&self, load: Load, mut tell: impl FnMut(Collective, Cost)) {
        let Some(link) = self.link(self.plan.tp_crossing()) else { return };
        let sums = match self.settings.comm_dtype {
            CommDtype::Fp32 => Dtype::Fp32,
            CommDtype::Bf16 => Dtype::Bf16,
        };
        for mut collective in collective::collectives(self.spec, load) {
            match collective.place {
                Place::RoutedSum(_) if self.settings.layout == Layout::DpAttentionEp => continue,
                Place::AttentionOutput(_) | Place::RoutedSum(_) => collective.dtype = sums,
                _ => {}
            }
            tell(collective, collective.cost(self.settings.algorithm, self.plan.tp, link));
        }
    }

    /// What one stage of layers hands to the next, with the link it crosses; none where there is one stage.
    pub(in crate::ledger) fn hand_over(&self, load: Load) -> Option<(Link, f64)> {
        let link = self.link(self.plan.pp_crossing())?;
        let stream = self.spec.streams as f64 * self.spec.hidden as f64 * Dtype::Bf16.bytes();
        Some((link, load.batch as f64 * load.positions as f64 * stream))
    }

    /// Bytes of dispatch and combine of one layer over all GPUs: FP8 out, BF16 back, one copy for a token and a GPU.
    pub(in crate::ledger) fn expert_traffic(&self, tokens: u64) -> f64 {
        self.expert_legs(tokens).total().get()
    }

    /// The same, out and back apart.
    pub(in crate::ledger) fn expert_legs(&self, tokens: u64) -> Traffic {
        let shape = TrafficShape {
            tokens,
            hidden: self.spec.hidden,
            experts: self.spec.experts,
            experts_per_token: self.spec.experts_per_token,
            ranks: u64::from(self.plan.ep),
        };
        let leg = |dtype| Leg { dtype, merged: true, with_local: false };
        Traffic::new(shape, leg(Dtype::Fp8), leg(Dtype::Bf16))
    }

    /// The link of a crossing; `None` where nothing is crossed.
    pub(in crate::ledger) fn link(&self, crossing: Crossing) -> Option<Link> {
        let rate = match crossing {
            Crossing::Nothing => return None,
            Crossing::Node => self.settings.link_one_way(),
            Crossing::Network => self.settings.network,
        };
        Link::new(self.settings.alpha, BytesPerSecond(rate.get() * self.settings.efficiency.link))
    }
}
