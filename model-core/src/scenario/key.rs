//! The scenario's keys: name, bound and default of each, in one place.
//!
//! A default is fixed, or derived from other keys: the number of GPUs from the cut, the memory from the GPU. A derived
//! default looks at keys above it in the table, and further down only at what the reader chose, so that none waits for
//! itself.

use super::words::*;
use super::{Reason, Scenario, Setting};
use crate::figure::Ledger;
use crate::hardware::{self, Gpu};
use crate::units::GIB;

/// Which values a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Whole numbers from the first to the second, both included.
    Whole(u64, u64),
    /// Finite numbers from the first to the second, both included.
    Real(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// What stands where the reader chose nothing.
#[derive(Clone, Copy)]
enum Default {
    /// Always the same.
    Fixed(Setting),
    /// Follows from other keys.
    Derived(fn(&Scenario, Ledger) -> Setting),
}

/// One key: its name, what it takes, its default in each ledger, and where it acts.
struct Row {
    name: &'static str,
    bound: Bound,
    defaults: [Default; Ledger::ALL.len()],
    /// In which ledgers it changes a figure, in the same order.
    acts: [bool; Ledger::ALL.len()],
}

macro_rules! keys {
    ($($(#[$doc:meta])* $key:ident $name:literal $bound:expr, [$($default:expr),+], $acts:expr;)+) => {
        /// One thing a reader can turn.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Key { $($(#[$doc])* $key),+ }

        impl Key {
            /// Every key, in the order in which links write them.
            pub const ALL: [Self; [$(Self::$key),+].len()] = [$(Self::$key),+];

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$key => const {
                        &Row { name: $name, bound: $bound, defaults: by_ledger([$($default),+]), acts: $acts }
                    })+
                }
            }
        }
    };
}

/// Widens one default for all ledgers to one each.
const fn by_ledger<const N: usize>(given: [Default; N]) -> [Default; Ledger::ALL.len()] {
    let mut all = [given[0]; Ledger::ALL.len()];
    let mut index = 0;
    while N > 1 && index < all.len() {
        all[index] = given[index];
        index += 1;
    }
    all
}

const fn whole(number: u64) -> Default {
    Default::Fixed(Setting::Whole(number))
}

const fn real(number: f64) -> Default {
    Default::Fixed(Setting::Real(number))
}

const fn word(word: &'static str) -> Default {
    Default::Fixed(Setting::Word(word))
}

const fn from(rule: fn(&Scenario, Ledger) -> Setting) -> Default {
    Default::Derived(rule)
}

const SHARE: Bound = Bound::Real(0.01, 1.0);
const OVERHEAD: Bound = Bound::Real(0.0, 1000.0);
const PART: Bound = Bound::Real(0.0, 1000.0);
const SWITCH: Bound = Bound::OneOf(Switch::WORDS);

const EVERYWHERE: [bool; 3] = [true, true, true];
const NOT_TUTORIAL: [bool; 3] = [false, true, true];
const NOT_REPORT: [bool; 3] = [true, false, true];
const REPORT_ONLY: [bool; 3] = [false, true, false];
const TUTORIAL_ONLY: [bool; 3] = [true, false, false];
const EXACT_ONLY: [bool; 3] = [false, false, true];
/// Turns what is simulated or compared beside the ledgers.
const SIMULATIONS: [bool; 3] = [false, false, false];

keys! {
    /// The model.
    Model "model" Bound::OneOf(Model::WORDS), [word("v4-pro")], EVERYWHERE;
    /// The GPU.
    Gpu "gpu" Bound::OneOf(hardware::NAMES), [word("h100"), word("h200"), word("h200")], EVERYWHERE;
    /// GPUs in all.
    Gpus "gpus" Bound::Whole(1, 4096), [from(gpus)], EVERYWHERE;
    /// GPUs a layer's attention is cut over.
    Tp "tp" Bound::Whole(1, 128), [from(tp)], EVERYWHERE;
    /// GPUs the routed experts are spread over.
    Ep "ep" Bound::Whole(1, 512), [from(ep)], NOT_TUTORIAL;
    /// Stages the layers are split into.
    Pp "pp" Bound::Whole(1, 64), [whole(1)], EVERYWHERE;
    /// GPUs that the fast link joins.
    GpusPerNode "gpus_per_node" Bound::Whole(1, 576), [from(gpus_per_node)], EXACT_ONLY;
    /// How the work is spread.
    Layout "layout" Bound::OneOf(Layout::WORDS), [word("tp")], EVERYWHERE;
    /// Tokens of context each request has so far.
    Context "context" Bound::Whole(1, 1_048_576),
        [whole(32_768), whole(131_072), whole(32_768)], EVERYWHERE;
    /// Requests decoded together.
    Batch "batch" Bound::Whole(1, 1024), [whole(8), whole(32), whole(8)], EVERYWHERE;
    /// Tokens of a prompt that were processed before the chunk.
    Prefix "prefix" Bound::Whole(0, 1_048_576), [whole(0)], NOT_TUTORIAL;
    /// Tokens of a prompt processed at once.
    Chunk "chunk" Bound::Whole(1, 1_048_576), [whole(8192)], EVERYWHERE;
    /// The layer whose caches are opened, from 0; the last one where the model has fewer.
    Layer "layer" Bound::Whole(0, 60), [whole(24)], SIMULATIONS;
    /// The token whose query looks into the caches, counted from 0.
    Position "position" Bound::Whole(0, 1_048_575), [whole(1030)], SIMULATIONS;
    /// The mistake put into the small model's step-by-step run.
    Fault "fault" Bound::OneOf(FaultKind::WORDS), [word("late_entry")], SIMULATIONS;
    /// Bytes of the caches' rows.
    KvRows "kv_rows" Bound::OneOf(KvRows::WORDS), [word("reference"), word("fp8"), word("fp8")], EXACT_ONLY;
    /// How a group holds a request's cache.
    KvPlacement "kv_placement" Bound::OneOf(KvPlacement::WORDS),
        [word("copied"), word("split"), word("by_plan")], NOT_TUTORIAL;
    /// Whether the FP32 tail state counts.
    State "state" SWITCH, [word("true"), word("false"), word("true")], EXACT_ONLY;
    /// Whether pages are rounded up as engines allot them.
    PageRounding "page_rounding" SWITCH, [word("false")], EXACT_ONLY;
    /// Formats in which weights lie in memory.
    Dtypes "dtypes" Bound::OneOf(Dtypes::WORDS), [word("stored")], EXACT_ONLY;
    /// Whether the draft (MTP) block is loaded and used.
    Mtp "mtp" SWITCH, [word("false")], EXACT_ONLY;
    /// Tokens drafted for a step.
    DraftDepth "draft_depth" Bound::Whole(1, 8), [whole(1)], EXACT_ONLY;
    /// Chance that a drafted token is accepted, the ones before it being so.
    Acceptance "acceptance" Bound::Real(0.0, 1.0), [real(0.7)], EXACT_ONLY;
    /// Number format in which partial sums travel.
    CommDtype "comm_dtype" Bound::OneOf(CommDtype::WORDS), [word("fp32")], NOT_REPORT;
    /// The link within a node, with its convention.
    Link "link" Bound::OneOf(Link::WORDS), [word("gpu"), from(report_link), word("gpu")], NOT_TUTORIAL;
    /// How an all-reduce is carried out.
    Algorithm "algorithm" Bound::OneOf(&["ring", "tree", "in_switch"]), [word("ring")], EXACT_ONLY;
    /// GPU whose partial sums are left out of an all-reduce, to see what breaks.
    DropRank "drop_rank" Bound::OneOf(&["none", "0", "1", "2", "3", "4", "5", "6", "7"]), [word("3")], SIMULATIONS;
    /// How the GPU's advertised memory is read.
    MemoryReading "memory_reading" Bound::OneOf(MemoryReading::WORDS),
        [word("gib"), word("gb"), word("reported")], EVERYWHERE;
    /// Memory of one GPU, in GiB.
    GpuMemoryGib "gpu_memory_gib" Bound::Real(8.0, 1024.0), [from(gpu_memory_gib)], EVERYWHERE;
    /// Memory kept free on each GPU, in GB.
    ReserveGb "reserve_gb" Bound::Real(0.0, 1000.0), [real(0.0), real(8.0), real(8.0)], NOT_TUTORIAL;
    /// Engine whose memory constants apply.
    Engine "engine" Bound::OneOf(Engine::WORDS), [word("none")], EXACT_ONLY;
    /// Rate of a GPU's memory, in TB/s.
    HbmTbS "hbm_tb_s" Bound::Real(0.1, 100.0), [from(hbm_tb_s)], NOT_TUTORIAL;
    /// A GPU's dense FP8 rate, in TFLOP/s.
    PeakTflops "peak_tflops" Bound::Real(1.0, 100_000.0), [from(peak_tflops)], NOT_TUTORIAL;
    /// Rate of the link within a node, in GB/s.
    LinkGbS "link_gb_s" Bound::Real(0.1, 10_000.0), [from(link_gb_s)], NOT_TUTORIAL;
    /// Rate of the network between nodes for each GPU, in GB/s.
    NetworkGbS "network_gb_s" Bound::Real(0.1, 10_000.0), [from(network_gb_s)], EXACT_ONLY;
    /// Start-up of one transfer, in µs.
    AlphaUs "alpha_us" Bound::Real(0.0, 10_000.0), [real(2.0)], EXACT_ONLY;
    /// Share of the memory's rate that is reached.
    HbmEfficiency "hbm_efficiency" SHARE, [real(1.0), real(0.7), real(1.0)], NOT_TUTORIAL;
    /// Share of the links' rate that is reached.
    LinkEfficiency "link_efficiency" SHARE, [real(1.0), real(0.7), real(1.0)], NOT_TUTORIAL;
    /// Share of the peak that projections reach.
    ProjEfficiency "proj_efficiency" SHARE, [real(1.0), real(0.4), real(1.0)], NOT_TUTORIAL;
    /// Share of the peak that attention over the caches reaches.
    AttnEfficiency "attn_efficiency" SHARE, [real(1.0), real(0.35), real(1.0)], NOT_TUTORIAL;
    /// Share of the peak that experts reach in decode.
    MoeDecodeEfficiency "moe_decode_efficiency" SHARE, [real(1.0), real(0.3), real(1.0)], NOT_TUTORIAL;
    /// Share of the peak that experts reach in prefill.
    MoePrefillEfficiency "moe_prefill_efficiency" SHARE, [real(1.0), real(0.55), real(1.0)], NOT_TUTORIAL;
    /// Fixed time of a step up to 32 requests, in ms.
    OverheadSmallMs "overhead_small_ms" OVERHEAD, [real(0.0), real(0.8), real(0.0)], NOT_TUTORIAL;
    /// Fixed time of a step up to 128 requests, in ms.
    OverheadMediumMs "overhead_medium_ms" OVERHEAD, [real(0.0), real(1.2), real(0.0)], NOT_TUTORIAL;
    /// Fixed time of a step above that, in ms.
    OverheadLargeMs "overhead_large_ms" OVERHEAD, [real(0.0), real(1.6), real(0.0)], NOT_TUTORIAL;
    /// Fixed time of a prefill chunk, in ms.
    OverheadPrefillMs "overhead_prefill_ms" OVERHEAD, [real(0.0), real(3.0), real(0.0)], NOT_TUTORIAL;
    /// Latency of each layer beyond bytes and FLOPs, in µs; 0 where nothing is known.
    LatencyUsPerLayer "latency_us_per_layer" Bound::Real(0.0, 5000.0),
        [real(0.0), real(0.0), from(latency)], EXACT_ONLY;
    /// Time in the queue before prefill, in ms.
    QueueMs "queue_ms" Bound::Real(0.0, 10_000_000.0), [real(0.0)], NOT_TUTORIAL;
    /// Size of the checkpoint that the report divides by the GPUs, in GB.
    WeightsGb "weights_gb" Bound::Real(1.0, 100_000.0), [from(weights_gb)], REPORT_ONLY;
    /// Entries of the vocabulary.
    Vocab "vocab" Bound::Whole(1, 4_194_304), [whole(129_280)], EVERYWHERE;
    /// How experts are drawn in the closed form.
    Draw "draw" Bound::OneOf(Draw::WORDS),
        [word("distinct_top6"), word("with_replacement"), word("distinct_top6")], EVERYWHERE;
    /// Which kind of expert `expert.bytes` speaks of.
    Kind "kind" Bound::OneOf(ExpertKind::WORDS), [word("routed")], EXACT_ONLY;
    /// What chooses a token's experts where they are drawn.
    Router "router" Bound::OneOf(Router::WORDS), [word("uniform")], SIMULATIONS;
    /// How strongly it favours them: Zipf's exponent, or the hot list's share.
    Skew "skew" Bound::Real(0.0, 4.0), [real(1.0)], SIMULATIONS;
    /// Seed of all sampling.
    Seed "seed" Bound::Whole(0, 4_294_967_295), [whole(1)], SIMULATIONS;
    /// Whether a token's copies for one GPU travel as one.
    Dedupe "dedupe" SWITCH, [word("true")], SIMULATIONS;
    /// The kernel that is opened.
    Kernel "kernel" Bound::OneOf(KernelKind::WORDS), [word("expert")], SIMULATIONS;
    /// Side of a kernel's tiles, in values or rows.
    Tile "tile" Bound::Whole(16, 256), [whole(128)], SIMULATIONS;
    /// Size of a GPU's L2 cache, in MiB.
    L2Mib "l2_mib" Bound::Real(1.0, 512.0), [from(l2_mib)], SIMULATIONS;
    /// Requests that arrive in a second, on average.
    ArrivalsPerS "arrivals_per_s" Bound::Real(0.1, 100.0), [real(1.0), real(0.4), real(1.0)], SIMULATIONS;
    /// Chance that a request finds a prefix of its prompt in the prefix cache.
    PrefixHits "prefix_hits" Bound::Real(0.0, 1.0), [real(0.5)], SIMULATIONS;
    /// What logits are divided by before a token is drawn; 0 takes the likeliest.
    Temperature "temperature" Bound::Real(0.0, 2.0), [real(1.0)], SIMULATIONS;
    /// Probability that the fewest likeliest tokens must reach together; the others are never drawn.
    TopP "top_p" Bound::Real(0.05, 1.0), [real(0.9)], SIMULATIONS;
    /// Time between tokens that the reader measured, in ms; 0 where none is given.
    MeasuredTpotMs "measured_tpot_ms" Bound::Real(0.0, 100_000.0), [real(0.0)], SIMULATIONS;
    /// Time to the first token that the reader measured, in ms; 0 where none is given.
    MeasuredTtftMs "measured_ttft_ms" Bound::Real(0.0, 10_000_000.0), [real(0.0)], SIMULATIONS;
    /// Tokens of cache that the reader's engine says one rank holds; 0 where none are given.
    MeasuredKvTokens "measured_kv_tokens" Bound::Whole(0, 1_000_000_000), [whole(0)], SIMULATIONS;
    /// Waves that each GPU's experts are split into.
    Waves "waves" Bound::Whole(1, 32), [whole(4)], SIMULATIONS;
    /// Attention in the measured step, in ms.
    PartAttentionMs "part_attention_ms" PART, [real(6.0)], TUTORIAL_ONLY;
    /// Experts in the measured step, in ms.
    PartExpertsMs "part_experts_ms" PART, [real(8.0)], TUTORIAL_ONLY;
    /// Exposed communication in the measured step, in ms.
    PartCommMs "part_comm_ms" PART, [real(12.0)], TUTORIAL_ONLY;
    /// Scheduling on the host in the measured step, in ms.
    PartCpuMs "part_cpu_ms" PART, [real(2.0)], TUTORIAL_ONLY;
    /// How many times as fast one of its parts may get.
    Speedup "speedup" Bound::Real(1.0, 100.0), [real(2.0)], TUTORIAL_ONLY;
    /// Communication that may get hidden, in ms.
    HiddenMs "hidden_ms" PART, [real(8.0)], TUTORIAL_ONLY;
    /// Rate at which a GPU's L2 feeds its multiprocessors, in TB/s; the most of the bound never binds.
    NocTbS "noc_tb_s" Bound::Real(0.1, 1000.0), [real(1000.0)], SIMULATIONS;
    /// Share of the experts' weight reads that a cache on the chip, or memory close to it, serves.
    ExpertCacheHit "expert_cache_hit" Bound::Real(0.0, 1.0), [real(0.0)], SIMULATIONS;
    /// Rate of a path of its own for the scan of indexer keys, in TB/s; 0 where there is none.
    IndexerTbS "indexer_tb_s" Bound::Real(0.0, 100.0), [real(0.0)], SIMULATIONS;
    /// A GPU's dense rate for routed experts and index scores, in TFLOP/s; as the ledgers have it, the FP8 rate.
    Fp4Tflops "fp4_tflops" Bound::Real(1.0, 100_000.0), [from(fp8_tflops)], SIMULATIONS;
    /// A GPU's dense rate for attention over the caches and the head, in TFLOP/s; as the ledgers have it, the FP8 rate.
    Bf16Tflops "bf16_tflops" Bound::Real(1.0, 100_000.0), [from(fp8_tflops)], SIMULATIONS;
    /// Share of the power of all engines at their peaks together that a GPU may draw.
    PowerCap "power_cap" Bound::Real(0.1, 1.0), [real(1.0)], SIMULATIONS;
    /// Where exchanges stand beside computation.
    Overlap "overlap" Bound::OneOf(Overlap::WORDS), [word("ledger")], SIMULATIONS;
    /// How many times the fixed time and the latency of the layers.
    FixedTimes "fixed_times" Bound::Real(0.0, 10.0), [real(1.0)], SIMULATIONS;
    /// Whether experts take as long as on the GPU with most of them, not as on the average one.
    SlowestGpu "slowest_gpu" SWITCH, [word("false")], SIMULATIONS;
}

impl Key {
    /// Its name in links, files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// The values it takes.
    #[must_use]
    pub const fn bound(self) -> Bound {
        self.row().bound
    }

    /// Whether it changes any figure of a ledger; where not, a page need not offer it.
    #[must_use]
    pub fn acts_in(self, ledger: Ledger) -> bool {
        self.row().acts.get(ledger as usize).copied().unwrap_or(false)
    }

    /// What a ledger takes where the reader chose nothing at all.
    #[must_use]
    pub fn default(self, ledger: Ledger) -> Setting {
        self.default_beside(&Scenario::default(), ledger)
    }

    /// What a ledger takes for this key beside the reader's other choices.
    #[must_use]
    pub(super) fn default_beside(self, others: &Scenario, ledger: Ledger) -> Setting {
        let default = match self.row().defaults.get(ledger as usize) {
            Some(Default::Fixed(setting)) => return *setting,
            Some(Default::Derived(rule)) => rule(others, ledger),
            None => Setting::Whole(1),
        };
        self.bound().nearest(default)
    }
}

/// All GPUs: the group times the stages.
fn gpus(scenario: &Scenario, ledger: Ledger) -> Setting {
    let group = match scenario.in_force(Key::Layout, ledger) {
        Setting::Word("dp_attention_ep") => Key::Ep,
        _ => Key::Tp,
    };
    let stages = scenario.in_force(Key::Pp, ledger).whole();
    Setting::Whole(scenario.in_force(group, ledger).whole() * stages)
}

/// GPUs of one stage where the reader chose GPUs in all.
fn chosen_group(scenario: &Scenario, ledger: Ledger) -> Option<u64> {
    let all = scenario.chosen(Key::Gpus)?.whole();
    Some((all / scenario.in_force(Key::Pp, ledger).whole().max(1)).max(1))
}

/// Under TP the whole group; attention by request is not cut.
fn tp(scenario: &Scenario, ledger: Ledger) -> Setting {
    match scenario.in_force(Key::Layout, ledger) {
        Setting::Word("dp_attention_ep") => Setting::Whole(1),
        _ => Setting::Whole(chosen_group(scenario, ledger).unwrap_or(8)),
    }
}

/// Under TP the same GPUs as attention, else the whole group.
fn ep(scenario: &Scenario, ledger: Ledger) -> Setting {
    match scenario.in_force(Key::Layout, ledger) {
        Setting::Word("dp_attention_ep") => Setting::Whole(chosen_group(scenario, ledger).unwrap_or(8)),
        _ => scenario.in_force(Key::Tp, ledger),
    }
}

fn gpu_of(scenario: &Scenario, ledger: Ledger) -> &'static Gpu {
    match scenario.in_force(Key::Gpu, ledger) {
        Setting::Word(name) => hardware::preset(name),
        _ => hardware::preset("custom"),
    }
}

fn gpus_per_node(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Whole(u64::from(gpu_of(scenario, ledger).gpus_per_node))
}

fn gpu_memory_gib(scenario: &Scenario, ledger: Ledger) -> Setting {
    let reading = match scenario.in_force(Key::MemoryReading, ledger) {
        Setting::Word(word) => MemoryReading::from_word(word).unwrap_or(MemoryReading::Gb),
        _ => MemoryReading::Gb,
    };
    Setting::Real(gpu_of(scenario, ledger).memory(reading).get() / GIB)
}

fn hbm_tb_s(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Real(gpu_of(scenario, ledger).hbm.get() / 1e12)
}

fn peak_tflops(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Real(gpu_of(scenario, ledger).fp8.get() / 1e12)
}

/// The peak that the ledgers know.
fn fp8_tflops(scenario: &Scenario, ledger: Ledger) -> Setting {
    scenario.in_force(Key::PeakTflops, ledger)
}

/// The report counts an H200's link both ways.
fn report_link(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Word(if gpu_of(scenario, ledger).link.get() == 450e9 { "nvlink_900" } else { "gpu_two_way" })
}

fn link_gb_s(scenario: &Scenario, ledger: Ledger) -> Setting {
    let own = gpu_of(scenario, ledger).link.get() / 1e9;
    Setting::Real(match scenario.in_force(Key::Link, ledger) {
        Setting::Word("gpu_two_way") => 2.0 * own,
        Setting::Word("nvlink_900") => 900.0,
        Setting::Word("nvlink_450") => 450.0,
        Setting::Word("ib_400g") => 50.0,
        _ => own,
    })
}

/// A Hopper's where none is published.
fn l2_mib(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Real(gpu_of(scenario, ledger).chip.unwrap_or(hardware::HOPPER_CHIP).l2_mib)
}

fn network_gb_s(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Real(gpu_of(scenario, ledger).network.get() / 1e9)
}

/// Known for TP alone; attention by request takes another.
fn latency(scenario: &Scenario, ledger: Ledger) -> Setting {
    let known = match scenario.in_force(Key::Layout, ledger) {
        Setting::Word("tp") => gpu_of(scenario, ledger).latency_us_per_layer,
        _ => None,
    };
    Setting::Real(known.unwrap_or(0.0))
}

/// The published size of the model's repository.
fn weights_gb(scenario: &Scenario, ledger: Ledger) -> Setting {
    Setting::Real(match scenario.in_force(Key::Model, ledger) {
        Setting::Word("v4-flash") => 160.0,
        _ => 865.0,
    })
}

impl Bound {
    /// The value itself, or the nearest one within the bound.
    fn nearest(self, setting: Setting) -> Setting {
        match (self, setting) {
            (Self::Whole(min, max), Setting::Whole(number)) => Setting::Whole(number.clamp(min, max)),
            (Self::Real(min, max), Setting::Real(number)) => Setting::Real(number.clamp(min, max)),
            _ => setting,
        }
    }

    /// Reads a value from text.
    ///
    /// Whole numbers may be grouped by threes with commas, spaces or underscores and end in `K` or `M` (2¹⁰, 2²⁰).
    ///
    /// # Errors
    /// Says why the text is not such a value.
    pub fn read(self, text: &str) -> Result<Setting, Reason> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Reason::Empty);
        }
        match self {
            Self::Whole(..) => self.check(read_whole(text)?),
            Self::Real(..) => self.check(read_real(text)?),
            Self::OneOf(words) => {
                let found = words.iter().find(|word| word.eq_ignore_ascii_case(text));
                found.map(|word| Setting::Word(word)).ok_or(Reason::NotOneOf(words))
            }
        }
    }

    /// Checks a number against the bound.
    ///
    /// # Errors
    /// Says on which side it lies outside, or that it is no such number.
    pub fn check(self, number: f64) -> Result<Setting, Reason> {
        let (min, max) = match self {
            Self::Whole(min, max) => (min as f64, max as f64),
            Self::Real(min, max) => (min, max),
            Self::OneOf(words) => return Err(Reason::NotOneOf(words)),
        };
        if !number.is_finite() {
            Err(Reason::NotANumber)
        } else if number < min {
            Err(Reason::Below(min))
        } else if number > max {
            Err(Reason::Above(max))
        } else if matches!(self, Self::Real(..)) {
            Ok(Setting::Real(number))
        } else if number.fract() == 0.0 {
            Ok(Setting::Whole(number as u64))
        } else {
            Err(Reason::NotWhole)
        }
    }
}

/// Digits, optionally grouped by threes, optionally with a binary suffix.
fn read_whole(text: &str) -> Result<f64, Reason> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1024.0),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_048_576.0),
        _ => (text, 1.0),
    };
    let is_group = |c: char| matches!(c, ',' | ' ' | '_' | '\u{2009}' | '\u{202f}' | '\u{a0}');
    let groups: Vec<&str> = digits.trim_end().split(is_group).collect();
    let well_grouped = groups.iter().enumerate().all(|(index, group)| match index {
        0 if groups.len() > 1 => (1..=3).contains(&group.len()),
        0 => true,
        _ => group.len() == 3,
    });
    let plain = groups.concat();
    if well_grouped && !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit()) {
        plain.parse::<f64>().map(|number| number * factor).map_err(|_| Reason::NotANumber)
    } else if read_real(text).is_ok_and(|number| number.fract() != 0.0) {
        Err(Reason::NotWhole)
    } else if let Some(rest) = plain.strip_prefix(['-', '−'])
        && rest.bytes().all(|b| b.is_ascii_digit())
        && !rest.is_empty()
    {
        Ok(-1.0)
    } else {
        Err(Reason::NotANumber)
    }
}

/// A plain decimal number: digits with at most one point and a sign, no exponent, no words.
fn read_real(text: &str) -> Result<f64, Reason> {
    let plain = text.strip_prefix(['-', '−']).unwrap_or(text);
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    let points = plain.bytes().filter(|b| *b == b'.').count();
    if digits == 0 || points > 1 || digits + points != plain.len() {
        return Err(Reason::NotANumber);
    }
    let size: f64 = plain.parse().map_err(|_| Reason::NotANumber)?;
    Ok(if plain.len() == text.len() { size } else { -size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_within_its_bound() {
        for key in Key::ALL {
            for ledger in Ledger::ALL {
                let default = key.default(ledger);
                assert_eq!(key.bound().read(&default.to_string()), Ok(default), "{}", key.name());
            }
        }
    }

    #[test]
    fn keys_stand_in_the_order_of_their_numbers() {
        for (index, key) in Key::ALL.into_iter().enumerate() {
            assert_eq!(key as usize, index);
            assert_eq!(Key::from_name(key.name()), Some(key));
        }
    }

    #[test]
    fn stops_rise_within_the_bound() {
        for key in Key::ALL {
            let stops = key.stops();
            assert!(stops.windows(2).all(|pair| pair[0] < pair[1]), "{}", key.name());
            assert!(stops.iter().all(|stop| key.bound().check(*stop).is_ok()), "{}", key.name());
        }
        assert_eq!(Key::Context.stops()[..6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(Key::Context.stops().contains(&131_072.0));
    }

    #[test]
    fn refusals_say_why() {
        let cases = [
            ("0", Reason::Below(1.0)),
            ("-5", Reason::Below(1.0)),
            ("1025", Reason::Above(1024.0)),
            ("1.5", Reason::NotWhole),
            ("8x", Reason::NotANumber),
            ("", Reason::Empty),
        ];
        for (text, reason) in cases {
            assert_eq!(Key::Batch.bound().read(text), Err(reason), "{text}");
        }
        assert_eq!(Key::GpuMemoryGib.bound().read("141.5"), Ok(Setting::Real(141.5)));
        assert_eq!(Key::GpuMemoryGib.bound().read("1e3"), Err(Reason::NotANumber));
    }
}
