//! A scenario with every default filled in: what the ledgers read.

use std::borrow::Cow;

use super::words::*;
use super::{Key, Scenario};
use crate::collective::Algorithm;
use crate::figure::Ledger;
use crate::hardware::{self, Gpu};
use crate::simulate::critical_path::Parts;
use crate::spec::ModelSpec;
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, MIB, Seconds};

/// Shares of the peaks that are reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiencies {
    /// Of the memory's rate.
    pub hbm: f64,
    /// Of the links' rate.
    pub link: f64,
    /// Of the compute peak, by projections.
    pub proj: f64,
    /// By attention over the caches.
    pub attn: f64,
    /// By experts in decode.
    pub moe_decode: f64,
    /// By experts in prefill.
    pub moe_prefill: f64,
}

/// Fixed times beside rooflines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overheads {
    /// Of a step up to 32 requests.
    pub small: Seconds,
    /// Of a step up to 128 requests.
    pub medium: Seconds,
    /// Of a step above that.
    pub large: Seconds,
    /// Of a prefill chunk.
    pub prefill: Seconds,
}

/// What the reader measured; nothing where nothing was given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Time between tokens.
    pub tpot: Option<Seconds>,
    /// Time to the first token.
    pub ttft: Option<Seconds>,
    /// Tokens of cache that one rank holds.
    pub kv_tokens: Option<u64>,
}

/// What a GPU is bent to beyond what any ledger knows: it acts in the workbench alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bends {
    /// Rate from L2 to the multiprocessors.
    pub noc: BytesPerSecond,
    /// Share of the experts' weight reads that never reach the memory.
    pub expert_hits: f64,
    /// Rate of a path of its own for indexer keys; zero where there is none.
    pub indexer: BytesPerSecond,
    /// Rate of routed experts and index scores.
    pub fp4: FlopsPerSecond,
    /// Rate of attention over the caches and of the head.
    pub bf16: FlopsPerSecond,
    /// Share of the power of all engines together that may be drawn.
    pub power_cap: f64,
    /// Where exchanges stand.
    pub overlap: Overlap,
    /// How many times the fixed time and the latency of the layers.
    pub fixed_times: f64,
    /// Whether the GPU with most experts sets the pace.
    pub slowest_gpu: bool,
}

/// Every value in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The built-in model that the scenario names; an imported one is given beside the scenario.
    pub model: Model,
    /// The GPU's published figures, before the reader bent any.
    pub gpu: &'static Gpu,
    /// GPUs in all.
    pub gpus: u32,
    /// GPUs a layer's attention is cut over.
    pub tp: u32,
    /// GPUs the routed experts are spread over.
    pub ep: u32,
    /// Stages the layers are split into.
    pub pp: u32,
    /// GPUs that the fast link joins.
    pub gpus_per_node: u32,
    /// How the work is spread.
    pub layout: Layout,
    /// Tokens of context each request has so far.
    pub context: u64,
    /// Requests decoded together.
    pub batch: u64,
    /// Tokens of a prompt that were processed before the chunk.
    pub prefix: u64,
    /// Tokens of a prompt processed at once.
    pub chunk: u64,
    /// The layer whose caches are opened, from 0.
    pub layer: u64,
    /// The token whose query looks into the caches, counted from 0.
    pub position: u64,
    /// The mistake put into the small model's step-by-step run.
    pub fault: FaultKind,
    /// Bytes of the caches' rows.
    pub kv_rows: KvRows,
    /// How a group holds a request's cache.
    pub kv_placement: KvPlacement,
    /// Whether the FP32 tail state counts.
    pub state: bool,
    /// Whether pages are rounded up as engines allot them.
    pub page_rounding: bool,
    /// Formats in which weights lie in memory.
    pub dtypes: Dtypes,
    /// Whether the draft block is loaded and used.
    pub mtp: bool,
    /// Tokens drafted for a step.
    pub draft_depth: u64,
    /// Chance that a drafted token is accepted, the ones before it being so.
    pub acceptance: f64,
    /// Number format in which partial sums travel.
    pub comm_dtype: CommDtype,
    /// Which convention the link's rate follows.
    pub link_word: Link,
    /// How an all-reduce is carried out.
    pub algorithm: Algorithm,
    /// GPU whose partial sums are left out of an all-reduce, if any.
    pub drop_rank: Option<u32>,
    /// How advertised memory is read.
    pub memory_reading: MemoryReading,
    /// Memory of one GPU.
    pub gpu_memory: Bytes,
    /// Memory kept free on each GPU.
    pub reserve: Bytes,
    /// Engine whose memory constants apply.
    pub engine: Engine,
    /// Rate of a GPU's memory.
    pub hbm: BytesPerSecond,
    /// A GPU's dense FP8 rate.
    pub peak: FlopsPerSecond,
    /// Rate of the link within a node.
    pub link: BytesPerSecond,
    /// Rate of the network between nodes for each GPU.
    pub network: BytesPerSecond,
    /// Start-up of one transfer.
    pub alpha: Seconds,
    /// Shares of the peaks that are reached.
    pub efficiency: Efficiencies,
    /// Fixed times.
    pub overhead: Overheads,
    /// Latency of each layer beyond bytes and FLOPs, where one is chosen or known.
    pub latency_per_layer: Option<Seconds>,
    /// Time in the queue before prefill.
    pub queue: Seconds,
    /// Size of the checkpoint that the report divides by the GPUs.
    pub weights: Bytes,
    /// Entries of the vocabulary, where the reader chose others than the built-in models have.
    pub vocab: Option<u64>,
    /// How experts are drawn in the closed form.
    pub draw: Draw,
    /// Which kind of expert is meant.
    pub kind: ExpertKind,
    /// What chooses a token's experts.
    pub router: Router,
    /// How strongly it favours them.
    pub skew: f64,
    /// Seed of all sampling.
    pub seed: u64,
    /// Whether a token's copies for one GPU travel as one.
    pub dedupe: bool,
    /// The kernel that is opened.
    pub kernel: KernelKind,
    /// Side of its tiles.
    pub tile: u64,
    /// Size of a GPU's L2 cache.
    pub l2: Bytes,
    /// Requests that arrive in a second, on average.
    pub arrivals_per_s: f64,
    /// Chance that a request finds a prefix of its prompt in the prefix cache.
    pub prefix_hits: f64,
    /// What logits are divided by before a token is drawn.
    pub temperature: f64,
    /// Probability that the tokens that may be drawn must reach together.
    pub top_p: f64,
    /// What the reader measured.
    pub measured: Measured,
    /// Waves that each GPU's experts are split into.
    pub waves: u64,
    /// The parts of the measured step.
    pub parts: Parts,
    /// How many times as fast one of them may get.
    pub speedup: f64,
    /// Communication that may get hidden.
    pub hidden: Seconds,
    /// What the workbench bends.
    pub bends: Bends,
}

impl Settings {
    /// The model with the vocabulary that the reader chose, if any.
    #[must_use]
    pub fn model_in_force<'a>(&self, spec: &'a ModelSpec) -> Cow<'a, ModelSpec> {
        match self.vocab {
            Some(vocab) if vocab != spec.vocab => Cow::Owned(ModelSpec { vocab, ..spec.clone() }),
            _ => Cow::Borrowed(spec),
        }
    }

    /// Rate of the link within a node in one direction, whichever convention is shown.
    #[must_use]
    pub fn link_one_way(&self) -> BytesPerSecond {
        match self.link_word {
            Link::GpuTwoWay | Link::Nvlink900 => self.link / 2.0,
            Link::Gpu | Link::Nvlink450 | Link::Ib400 => self.link,
        }
    }

    /// Fills in the ledger's defaults.
    #[must_use]
    pub fn new(scenario: &Scenario, ledger: Ledger) -> Self {
        let whole = |key| scenario.in_force(key, ledger).whole();
        let small = |key| u32::try_from(whole(key)).unwrap_or(u32::MAX);
        let real = |key| scenario.in_force(key, ledger).real();
        let word = |key| scenario.in_force(key, ledger).word();
        let switch = |key| word(key) == Switch::On.word();
        let ms = |key| Seconds(real(key) / 1e3);
        let gpu = hardware::preset(word(Key::Gpu));
        let reading = MemoryReading::from_word(word(Key::MemoryReading)).unwrap_or(MemoryReading::Gb);
        let latency = real(Key::LatencyUsPerLayer);
        Self {
            model: Model::from_word(word(Key::Model)).unwrap_or(Model::V4Pro),
            gpu,
            gpus: small(Key::Gpus),
            tp: small(Key::Tp),
            ep: small(Key::Ep),
            pp: small(Key::Pp),
            gpus_per_node: small(Key::GpusPerNode),
            layout: Layout::from_word(word(Key::Layout)).unwrap_or(Layout::Tp),
            context: whole(Key::Context),
            batch: whole(Key::Batch),
            prefix: whole(Key::Prefix),
            chunk: whole(Key::Chunk),
            layer: whole(Key::Layer),
            position: whole(Key::Position),
            fault: FaultKind::from_word(word(Key::Fault)).unwrap_or(FaultKind::None),
            kv_rows: KvRows::from_word(word(Key::KvRows)).unwrap_or(KvRows::Fp8),
            kv_placement: KvPlacement::from_word(word(Key::KvPlacement)).unwrap_or(KvPlacement::ByPlan),
            state: switch(Key::State),
            page_rounding: switch(Key::PageRounding),
            dtypes: Dtypes::from_word(word(Key::Dtypes)).unwrap_or(Dtypes::Stored),
            mtp: switch(Key::Mtp),
            draft_depth: whole(Key::DraftDepth),
            acceptance: real(Key::Acceptance),
            comm_dtype: CommDtype::from_word(word(Key::CommDtype)).unwrap_or(CommDtype::Fp32),
            link_word: Link::from_word(word(Key::Link)).unwrap_or(Link::Gpu),
            algorithm: Algorithm::from_name(word(Key::Algorithm)).unwrap_or(Algorithm::Ring),
            // Straight from the preset where nothing was chosen: a way through GiB would round.
            gpu_memory: match scenario.chosen(Key::GpuMemoryGib) {
                Some(gib) => Bytes::from_gib(gib.real()),
                None => gpu.memory(reading),
            },
            drop_rank: word(Key::DropRank).parse().ok(),
            memory_reading: reading,
            reserve: Bytes::from_gb(real(Key::ReserveGb)),
            engine: Engine::from_word(word(Key::Engine)).unwrap_or(Engine::None),
            hbm: BytesPerSecond(real(Key::HbmTbS) * 1e12),
            peak: FlopsPerSecond(real(Key::PeakTflops) * 1e12),
            link: BytesPerSecond(real(Key::LinkGbS) * 1e9),
            network: BytesPerSecond(real(Key::NetworkGbS) * 1e9),
            alpha: Seconds(real(Key::AlphaUs) / 1e6),
            efficiency: Efficiencies {
                hbm: real(Key::HbmEfficiency),
                link: real(Key::LinkEfficiency),
                proj: real(Key::ProjEfficiency),
                attn: real(Key::AttnEfficiency),
                moe_decode: real(Key::MoeDecodeEfficiency),
                moe_prefill: real(Key::MoePrefillEfficiency),
            },
            overhead: Overheads {
                small: ms(Key::OverheadSmallMs),
                medium: ms(Key::OverheadMediumMs),
                large: ms(Key::OverheadLargeMs),
                prefill: ms(Key::OverheadPrefillMs),
            },
            latency_per_layer: (latency > 0.0).then_some(Seconds(latency / 1e6)),
            queue: ms(Key::QueueMs),
            weights: Bytes::from_gb(real(Key::WeightsGb)),
            vocab: scenario
                .chosen(Key::Vocab)
                .filter(|chosen| *chosen != Key::Vocab.default(ledger))
                .map(super::Setting::whole),
            draw: Draw::from_word(word(Key::Draw)).unwrap_or(Draw::Distinct),
            kind: ExpertKind::from_word(word(Key::Kind)).unwrap_or(ExpertKind::Routed),
            router: Router::from_word(word(Key::Router)).unwrap_or(Router::Uniform),
            skew: real(Key::Skew),
            seed: whole(Key::Seed),
            dedupe: switch(Key::Dedupe),
            kernel: KernelKind::from_word(word(Key::Kernel)).unwrap_or(KernelKind::Expert),
            tile: whole(Key::Tile),
            l2: Bytes(real(Key::L2Mib) * MIB),
            arrivals_per_s: real(Key::ArrivalsPerS),
            prefix_hits: real(Key::PrefixHits),
            temperature: real(Key::Temperature),
            top_p: real(Key::TopP),
            measured: Measured {
                tpot: Some(ms(Key::MeasuredTpotMs)).filter(|time| *time > Seconds::ZERO),
                ttft: Some(ms(Key::MeasuredTtftMs)).filter(|time| *time > Seconds::ZERO),
                kv_tokens: Some(whole(Key::MeasuredKvTokens)).filter(|tokens| *tokens > 0),
            },
            waves: whole(Key::Waves),
            parts: Parts {
                attention_s: real(Key::PartAttentionMs) / 1e3,
                experts_s: real(Key::PartExpertsMs) / 1e3,
                exposed_s: real(Key::PartCommMs) / 1e3,
                cpu_s: real(Key::PartCpuMs) / 1e3,
            },
            speedup: real(Key::Speedup),
            hidden: ms(Key::HiddenMs),
            bends: Bends {
                noc: BytesPerSecond(real(Key::NocTbS) * 1e12),
                expert_hits: real(Key::ExpertCacheHit),
                indexer: BytesPerSecond(real(Key::IndexerTbS) * 1e12),
                fp4: FlopsPerSecond(real(Key::Fp4Tflops) * 1e12),
                bf16: FlopsPerSecond(real(Key::Bf16Tflops) * 1e12),
                power_cap: real(Key::PowerCap),
                overlap: Overlap::from_word(word(Key::Overlap)).unwrap_or(Overlap::Ledger),
                fixed_times: real(Key::FixedTimes),
                slowest_gpu: switch(Key::SlowestGpu),
            },
        }
    }
}
