//! Why ledgers differ: from one ledger's number to another's by named differences that add up.
//!
//! Every walk leads to the exact ledger; between the other two it goes there and back. Load and plan are those of the
//! ledger it starts from, so that only the bookkeeping differs.

use super::cache_rows::LayerCounts;
use super::exact::cache::{CacheParts, RowBytes};
use super::exact::holding::{BlockBytes, Holding, Tensors, fullest, stages};
use super::exact::step::Work;
use super::experts::distinct_experts;
use super::memory::Judges;
use super::report;
use super::report::step::{self as even, Fixed};
use crate::figure::{Ledger, Report, Unit};
use crate::plan::Plan;
use crate::scenario::{Dtypes, Key, Scenario, Setting, Settings};
use crate::spec::ModelSpec;
use crate::spec::tensors::{Part, Tensor};

/// A number that ledgers give differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Weights of one GPU, in bytes.
    WeightsPerGpu,
    /// Caches of one request, in bytes.
    CachePerRequest,
    /// Caches of all requests on one GPU, in bytes.
    CachePerGpu,
    /// Weights and caches of one GPU, in bytes, without the reserve.
    MemoryPerGpu,
    /// Different routed experts that a batch touches in a layer.
    DistinctExperts,
    /// A decode step from bytes and FLOPs alone, in seconds.
    DecodeFloor,
    /// A decode step, in seconds; the exact ledger's floor where no latency per layer is known.
    DecodeStep,
}

impl Topic {
    /// Every topic.
    pub const ALL: [Self; 7] = [
        Self::WeightsPerGpu,
        Self::CachePerRequest,
        Self::CachePerGpu,
        Self::MemoryPerGpu,
        Self::DistinctExperts,
        Self::DecodeFloor,
        Self::DecodeStep,
    ];

    /// Their names, in the same order.
    pub const NAMES: &[&str] = &{
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].name();
            index += 1;
        }
        names
    };

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }

    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WeightsPerGpu => "weights_per_gpu",
            Self::CachePerRequest => "cache_per_request",
            Self::CachePerGpu => "cache_per_gpu",
            Self::MemoryPerGpu => "memory_per_gpu",
            Self::DistinctExperts => "distinct_experts",
            Self::DecodeFloor => "decode_floor",
            Self::DecodeStep => "decode_step",
        }
    }

    /// The figure that holds it in a ledger, where it is one figure; a step's floor is another one.
    #[must_use]
    pub const fn figure(self, ledger: Ledger) -> Option<&'static str> {
        match (self, ledger) {
            (Self::WeightsPerGpu, Ledger::Tutorial) => None,
            (Self::WeightsPerGpu, _) => Some("weights.bytes_per_gpu"),
            (Self::CachePerRequest, _) => Some("cache.request.bytes"),
            (Self::CachePerGpu, _) => Some("cache.batch.bytes_per_gpu"),
            (Self::MemoryPerGpu, _) => Some(Judges::of(ledger).need),
            (Self::DistinctExperts, _) => Some("moe.distinct_experts"),
            (Self::DecodeFloor, _) => Some("decode.floor_s"),
            (Self::DecodeStep, _) => Some("decode.step_s"),
        }
    }

    /// A ledger's number; the floor where it knows no step, none where it speaks of neither.
    #[must_use]
    pub fn number(self, report: &Report) -> Option<f64> {
        let number = |id| report.number(id);
        match self.figure(report.ledger) {
            // The tutorial counts experts alone, and gives no sum of them.
            None => Some(number("weights.routed.bytes_per_gpu")? + number("weights.shared.bytes_per_gpu")?),
            Some(id) if self == Self::DecodeStep => number(id).or_else(|| number("decode.floor_s")),
            Some(id) => number(id),
        }
    }

    /// What it counts in.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::DecodeFloor | Self::DecodeStep => Unit::Seconds,
            Self::DistinctExperts => Unit::Count,
            _ => Unit::Bytes,
        }
    }
}

/// Why two ledgers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The repository's rounded size stands for the checkpoint's tensors.
    PublishedSize,
    /// The draft block is not loaded, or is.
    DraftBlock,
    /// A part is left out, or is spread otherwise: copied where it was split, on the fullest stage.
    Part(Part),
    /// Formats of the reference at run time.
    ReferenceDtypes,
    /// Groups that are not complete yet count as whole ones.
    IncompleteGroups,
    /// The window is allotted whole before it is full.
    WholeWindow,
    /// Bytes of a window or compressed row.
    MainRows,
    /// Bytes of an indexer key.
    IndexerRows,
    /// FP32 values and gates of groups that are not complete yet.
    State,
    /// Rounding up to pages.
    PageRounding,
    /// The draft block's window.
    DraftCache,
    /// Copies, whole requests or shares of the caches on a GPU.
    CachePlacement,
    /// Fixed time of a step.
    Overhead,
    /// Shares of the peaks that are reached.
    Efficiencies,
    /// How many different experts a batch touches.
    DistinctExperts,
    /// Scales of experts, the shared expert's format and copies, the router.
    Experts,
    /// Formats, copies and compressors' gates of the projections.
    Projections,
    /// Entries that a query really sees.
    CacheReads,
    /// Format and cut of the head.
    Head,
    /// Residual streams and norms.
    Streams,
    /// Running the draft block.
    Drafting,
    /// Latency of each layer beyond bytes and FLOPs.
    Latency,
    /// None of these: a fault in the walk. Tests see to it that it never comes up.
    Unexplained,
}

impl Cause {
    /// Its name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PublishedSize => "published_size",
            Self::DraftBlock => "draft_block",
            Self::Part(Part::Routed) => "routed_experts",
            Self::Part(Part::Shared) => "shared_experts",
            Self::Part(Part::Attention) => "attention",
            Self::Part(Part::Router) => "router",
            Self::Part(Part::Streams) => "streams",
            Self::Part(Part::Embedding) => "embedding",
            Self::Part(Part::Head) => "head_weights",
            Self::Part(Part::Draft) => "draft_weights",
            Self::ReferenceDtypes => "reference_dtypes",
            Self::IncompleteGroups => "incomplete_groups",
            Self::WholeWindow => "whole_window",
            Self::MainRows => "main_rows",
            Self::IndexerRows => "indexer_rows",
            Self::State => "state",
            Self::PageRounding => "page_rounding",
            Self::DraftCache => "draft_cache",
            Self::CachePlacement => "cache_placement",
            Self::Overhead => "overhead",
            Self::Efficiencies => "efficiencies",
            Self::DistinctExperts => "distinct_experts",
            Self::Experts => "experts",
            Self::Projections => "projections",
            Self::CacheReads => "cache_reads",
            Self::Head => "head",
            Self::Streams => "streams_time",
            Self::Drafting => "drafting",
            Self::Latency => "latency",
            Self::Unexplained => "unexplained",
        }
    }
}

/// One difference of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Why.
    pub cause: Cause,
    /// What it adds; negative where it takes away.
    pub amount: f64,
    /// Where the walk stands after it.
    pub after: f64,
}

/// A walk from one ledger's number to another's.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// What is walked.
    pub topic: Topic,
    /// The first ledger's number.
    pub start: f64,
    /// The differences, none of them nothing; the last stands at the end.
    pub differences: Vec<Difference>,
    /// The second ledger's number.
    pub end: f64,
}

/// Walks from one ledger's number to another's.
///
/// `None` where a ledger has no such number (the tutorial gives no step), or the model cannot be cut as planned.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::ledger::{Topic, walk};
/// use model_core::scenario::Scenario;
/// let spec = model_core::spec::v4_pro();
/// let walk = walk(Topic::WeightsPerGpu, Ledger::Report, Ledger::Exact, &Scenario::default(), &spec).unwrap();
/// assert_eq!(walk.start, 108_125_000_000.0);
/// assert_eq!(walk.end, 112_628_793_548.0);
/// let sum: f64 = walk.differences.iter().map(|difference| difference.amount).sum();
/// assert_eq!(walk.start + sum, walk.end);
/// ```
#[must_use]
pub fn walk(topic: Topic, from: Ledger, to: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Option<Walk> {
    let scenario = with_load_of(from, scenario);
    let forth = to_exact(topic, from, &scenario, spec)?;
    let back = to_exact(topic, to, &scenario, spec)?;
    let (start, end) = (forth.start, back.start);
    if from == to {
        return Some(Walk { topic, start, differences: Vec::new(), end });
    }
    // What leads back is undone, and what both ledgers do alike cancels out.
    let undone = back.differences.iter().map(|one| (one.cause, -one.amount));
    let mut amounts: Vec<(Cause, f64)> = Vec::new();
    for (cause, amount) in forth.differences.iter().map(|one| (one.cause, one.amount)).chain(undone) {
        match amounts.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, sum)) => *sum += amount,
            None => amounts.push((cause, amount)),
        }
    }
    let mut path = Path::new(start);
    for (cause, amount) in amounts {
        path.by(cause, amount);
    }
    path.end_at(end);
    Some(Walk { topic, start, differences: path.differences, end })
}

/// The scenario with load and plan fixed to what a ledger takes.
pub(crate) fn with_load_of(ledger: Ledger, scenario: &Scenario) -> Scenario {
    const LOAD: [Key; 9] =
        [Key::Model, Key::Gpu, Key::Layout, Key::Pp, Key::Gpus, Key::Tp, Key::Ep, Key::Context, Key::Batch];
    let mut fixed = scenario.clone();
    for key in LOAD {
        let refused = match scenario.in_force(key, ledger) {
            Setting::Word(word) => fixed.choose_text(key, word),
            number => fixed.choose_number(key, number.real()),
        };
        debug_assert!(refused.is_ok(), "a value in force lies within its bound");
    }
    fixed
}

/// Where a walk stands.
struct Path {
    at: f64,
    differences: Vec<Difference>,
}

impl Path {
    fn new(at: f64) -> Self {
        Self { at, differences: Vec::new() }
    }

    /// Goes on to a value, for a reason.
    fn to(&mut self, cause: Cause, after: f64) {
        if after != self.at {
            self.differences.push(Difference { cause, amount: after - self.at, after });
            self.at = after;
        }
    }

    /// Lets the last difference take up the last bits that rounding left; more than that is named as unexplained.
    fn end_at(&mut self, end: f64) {
        if (end - self.at).abs() > 1e-9 * end.abs() {
            self.to(Cause::Unexplained, end);
        } else if let Some(last) = self.differences.last_mut() {
            last.amount += end - last.after;
            last.after = end;
        }
    }

    /// Goes on by an amount.
    fn by(&mut self, cause: Cause, amount: f64) {
        self.to(cause, self.at + amount);
    }
}

fn to_exact(topic: Topic, from: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Option<Walk> {
    let exact = Exact::of(scenario, spec)?;
    let start = start(topic, from, scenario, spec)?;
    let settings = scenario.resolve(from);
    let mut path = Path::new(start);
    let end = match topic {
        Topic::WeightsPerGpu => {
            exact.weights(&mut path, from, &settings);
            exact.holding.weights()
        }
        Topic::CachePerRequest => {
            exact.cache(&mut path, from, 1.0);
            exact.request.total()
        }
        Topic::CachePerGpu => {
            exact.caches(&mut path, from, &settings);
            exact.holding.cache()
        }
        Topic::MemoryPerGpu => {
            exact.weights(&mut path, from, &settings);
            exact.caches(&mut path, from, &settings);
            exact.holding.total()
        }
        Topic::DistinctExperts => {
            let batch = exact.settings.batch;
            let end = distinct_experts(&exact.spec, exact.settings.draw, batch);
            path.by(Cause::DistinctExperts, end - distinct_experts(spec, settings.draw, batch));
            end
        }
        Topic::DecodeFloor => {
            exact.floor(&mut path, from, &settings);
            exact.floor_s()
        }
        Topic::DecodeStep => {
            exact.step(&mut path, from, &settings);
            exact.step_s()
        }
    };
    if from == Ledger::Exact {
        return Some(Walk { topic, start, differences: Vec::new(), end: start });
    }
    path.end_at(end);
    Some(Walk { topic, start, differences: path.differences, end })
}

/// The number a walk starts from.
fn start(topic: Topic, from: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Option<f64> {
    topic.number(&report(from, scenario, spec))
}

/// The exact ledger's side of a walk.
struct Exact<'a> {
    settings: Settings,
    spec: std::borrow::Cow<'a, ModelSpec>,
    tensors: Tensors,
    /// The fullest GPU.
    holding: Holding,
    /// The same with weights as stored.
    stored: Holding,
    /// A request over all layers, as counted.
    request: CacheParts,
}

impl<'a> Exact<'a> {
    fn of(scenario: &Scenario, spec: &'a ModelSpec) -> Option<Self> {
        let settings = scenario.resolve(Ledger::Exact);
        let spec = settings.model_in_force(spec);
        let plan = Plan::of(&settings);
        plan.check(&spec).ok()?;
        let tensors = Tensors::of(&spec);
        let holding = |dtypes| {
            let bytes = BlockBytes::of(&tensors, dtypes, f64::from(plan.tp), f64::from(plan.ep));
            fullest(stages(&settings, &spec, &plan, &bytes, (settings.batch, settings.context)))
        };
        let (in_force, stored) = (holding(settings.dtypes), holding(Dtypes::Stored));
        let drafts = if settings.mtp { spec.draft_blocks().len() as u64 } else { 0 };
        let layers = LayerCounts::of(spec.main_layers());
        let request =
            CacheParts::of(&spec, settings.kv_rows, layers, drafts, settings.context).counted(&settings);
        Some(Self { settings, spec, tensors, holding: in_force, stored, request })
    }

    fn weights(&self, path: &mut Path, from: Ledger, settings: &Settings) {
        let before = self.parts_before(path, from, settings);
        for part in Part::ALL {
            let (had, has) = (value(&before, part), value(&self.stored.weights, part));
            let cause = if part == Part::Draft { Cause::DraftBlock } else { Cause::Part(part) };
            path.by(cause, has - had);
        }
        path.by(Cause::ReferenceDtypes, self.holding.weights() - self.stored.weights());
    }

    /// What a ledger counts of each part; corrects its sum first where that is not the tensors'.
    fn parts_before(&self, path: &mut Path, from: Ledger, settings: &Settings) -> [f64; 8] {
        let mut parts = [0.0; 8];
        let whole = |part: Part| {
            let of = |tensor: &Tensor| if tensor.part == part { tensor.bytes(Dtypes::Stored) } else { 0.0 };
            self.tensors.sum_main(&self.spec, of)
        };
        match from {
            Ledger::Exact => parts = self.stored.weights,
            Ledger::Tutorial => {
                let tp = f64::from(settings.tp);
                set(&mut parts, Part::Routed, whole(Part::Routed) / tp);
                set(&mut parts, Part::Shared, whole(Part::Shared));
            }
            Ledger::Report => {
                let gpus = f64::from(settings.gpus);
                for part in Part::ALL {
                    set(&mut parts, part, whole(part) / gpus);
                }
                let drafts: f64 =
                    self.tensors.drafts().iter().map(|tensor| tensor.bytes(Dtypes::Stored)).sum();
                set(&mut parts, Part::Draft, drafts / gpus);
                path.by(Cause::PublishedSize, parts.iter().sum::<f64>() - settings.weights.get() / gpus);
            }
        }
        parts
    }

    /// From a ledger's caches on one GPU to this one's: first a request's, then who holds it.
    fn caches(&self, path: &mut Path, from: Ledger, settings: &Settings) {
        let b = settings.batch as f64;
        let share = if from == Ledger::Report { b / even::cache_split(settings) } else { b };
        self.cache(path, from, share);
        path.by(Cause::CachePlacement, self.holding.cache() - share * self.request.total());
    }

    /// From a ledger's cache of one request to this one's, times so many requests.
    fn cache(&self, path: &mut Path, from: Ledger, times: f64) {
        let context = self.settings.context;
        let spec = &*self.spec;
        let layers = LayerCounts::of(spec.main_layers());
        let window_layers = layers.all() as f64;
        let whole = spec.window as f64;
        let (csa, hca) = (layers.csa as f64, layers.hca as f64);
        let complete = [spec.csa_entries(context) as f64, spec.hca_entries(context) as f64];
        let before = match from {
            Ledger::Exact => return,
            Ledger::Tutorial => RowBytes::of(spec, crate::scenario::KvRows::Reference),
            Ledger::Report => {
                let rows = RowBytes { main: even::row_bytes(spec), key: even::key_bytes(spec) };
                let begun = [spec.csa_entries_begun(context) as f64, spec.hca_entries_begun(context) as f64];
                let incomplete = csa * (complete[0] - begun[0]) * (rows.main + rows.key)
                    + hca * (complete[1] - begun[1]) * rows.main;
                path.by(Cause::IncompleteGroups, times * incomplete);
                let filled = context.min(spec.window) as f64;
                path.by(Cause::WholeWindow, times * window_layers * (whole - filled) * rows.main);
                rows
            }
        };
        let after = RowBytes::of(spec, self.settings.kv_rows);
        let main_rows = window_layers * whole + csa * complete[0] + hca * complete[1];
        path.by(Cause::MainRows, times * main_rows * (after.main - before.main));
        path.by(Cause::IndexerRows, times * csa * complete[0] * (after.key - before.key));
        let had_state = if from == Ledger::Tutorial {
            CacheParts::of(spec, self.settings.kv_rows, layers, 0, context).state
        } else {
            0.0
        };
        path.by(Cause::State, times * (self.request.state - had_state));
        path.by(Cause::PageRounding, times * self.request.pages);
        path.by(Cause::DraftCache, times * self.request.draft);
    }

    /// The step's time, or its floor where no latency is known or nothing fits.
    fn step_s(&self) -> f64 {
        self.floor_s() + self.beside()
    }

    fn floor_s(&self) -> f64 {
        Work::of(&self.settings, &self.spec, &self.tensors).decode(self.settings.batch).floor_s()
    }

    /// Latency and fixed time beside the floor; nothing where the ledger gives the floor alone.
    fn beside(&self) -> f64 {
        let fits = self.holding.total() + self.settings.reserve.get() <= self.settings.gpu_memory.get();
        match self.settings.latency_per_layer.filter(|_| fits) {
            Some(each) => self.latency(each.get()) + self.overhead(),
            None => 0.0,
        }
    }

    fn latency(&self, each: f64) -> f64 {
        self.spec.main_layers().len() as f64 * each
    }

    fn overhead(&self) -> f64 {
        even::overhead(&self.settings, self.settings.batch)
    }

    fn step(&self, path: &mut Path, from: Ledger, settings: &Settings) {
        if from != Ledger::Report {
            return;
        }
        path.by(Cause::Overhead, -even::overhead(settings, settings.batch));
        self.floor(path, from, settings);
        if self.beside() > 0.0 {
            let each = self.settings.latency_per_layer.map_or(0.0, |each| each.get());
            path.by(Cause::Overhead, self.overhead());
            path.by(Cause::Latency, self.latency(each));
        }
    }

    fn floor(&self, path: &mut Path, from: Ledger, settings: &Settings) {
        if from != Ledger::Report {
            return;
        }
        let spec = &*self.spec;
        let batch = settings.batch;
        let step_of = |settings: &Settings| Fixed::of(settings, spec).step(settings, spec, batch);
        let peaks = Settings {
            efficiency: self.settings.efficiency,
            hbm: self.settings.hbm,
            peak: self.settings.peak,
            ..settings.clone()
        };
        let reached = step_of(&peaks);
        path.by(Cause::Efficiencies, stage_sum(&reached) - stage_sum(&step_of(settings)));
        let drawn = Settings { draw: self.settings.draw, ..peaks };
        let even_step = step_of(&drawn);
        path.by(Cause::DistinctExperts, stage_sum(&even_step) - stage_sum(&reached));
        let work = Work::of(&self.settings, spec, &self.tensors);
        let exact = work.decode(self.settings.batch);
        path.by(Cause::Projections, exact.proj.taken_s() - even_step.proj.taken_s());
        // First the rows that are read, then who reads them.
        let hbm = self.settings.hbm.get() * self.settings.efficiency.hbm;
        let read = batch as f64 * work.query.bytes / f64::from(settings.gpus) / hbm;
        let compute = batch as f64 * work.query.flops
            / (f64::from(settings.gpus) * self.settings.peak.get() * self.settings.efficiency.attn);
        let split = read.max(compute);
        path.by(Cause::CacheReads, split - even_step.attn.taken_s());
        path.by(Cause::CachePlacement, exact.attn.taken_s() - split);
        path.by(Cause::Experts, exact.moe.taken_s() - even_step.moe.taken_s());
        path.by(Cause::Head, exact.head.taken_s() - even_step.head.taken_s());
        path.by(Cause::Streams, exact.other.taken_s());
        path.by(Cause::Drafting, exact.draft.taken_s());
    }
}

fn stage_sum(step: &even::Step) -> f64 {
    step.total_s() - step.overhead_s
}

fn value(parts: &[f64; 8], part: Part) -> f64 {
    parts.get(part as usize).copied().unwrap_or(0.0)
}

fn set(parts: &mut [f64; 8], part: Part, bytes: f64) {
    if let Some(place) = parts.get_mut(part as usize) {
        *place = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::v4_pro;

    fn scenario(choices: &[(Key, &str)]) -> Scenario {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        scenario
    }

    #[test]
    fn walks_add_up() {
        let dp = (Key::Layout, "dp_attention_ep");
        let scenarios = [
            scenario(&[]),
            scenario(&[(Key::Context, "1M"), (Key::Batch, "32")]),
            scenario(&[dp, (Key::Batch, "13"), (Key::Context, "77777")]),
            scenario(&[(Key::Pp, "2"), (Key::Dtypes, "reference"), (Key::Mtp, "true")]),
            scenario(&[(Key::Gpu, "b300"), (Key::PageRounding, "true"), (Key::Context, "50")]),
        ];
        for scenario in &scenarios {
            for topic in Topic::ALL {
                for from in Ledger::ALL {
                    for to in Ledger::ALL {
                        let Some(walk) = walk(topic, from, to, scenario, &v4_pro()) else {
                            let silent = from == Ledger::Tutorial || to == Ledger::Tutorial;
                            let timed = matches!(topic, Topic::DecodeStep | Topic::DecodeFloor);
                            assert!(timed && silent, "{topic:?} {from:?} {to:?}");
                            continue;
                        };
                        let end = walk.differences.last().map_or(walk.start, |last| last.after);
                        assert_eq!(end, walk.end, "{topic:?} {from:?} {to:?}");
                        let unexplained = walk.differences.iter().find(|one| one.cause == Cause::Unexplained);
                        assert_eq!(unexplained, None, "{topic:?} {from:?} {to:?}");
                        let sum: f64 = walk.differences.iter().map(|one| one.amount).sum();
                        assert!((walk.start + sum - walk.end).abs() <= 1e-12 * walk.end.abs());
                        let fixed = with_load_of(from, scenario);
                        assert_eq!(Some(walk.start), start(topic, from, &fixed, &v4_pro()));
                        assert_eq!(
                            Some(walk.end),
                            start(topic, to, &fixed, &v4_pro()),
                            "{topic:?} {from:?} {to:?}"
                        );
                        // Two ledgers may count experts alike.
                        let differ = walk.start != walk.end || topic != Topic::DistinctExperts;
                        assert_eq!(
                            walk.differences.is_empty(),
                            from == to || !differ,
                            "{topic:?} {from:?} {to:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_report_splits_what_is_copied() {
        let load = scenario(&[(Key::Context, "1M"), (Key::Batch, "32")]);
        let memory = walk(Topic::MemoryPerGpu, Ledger::Report, Ledger::Exact, &load, &v4_pro()).unwrap();
        let largest = memory.differences.iter().max_by(|a, b| a.amount.total_cmp(&b.amount)).unwrap();
        assert_eq!(largest.cause, Cause::CachePlacement);
        let step = walk(Topic::DecodeStep, Ledger::Report, Ledger::Exact, &load, &v4_pro()).unwrap();
        let of = |cause| step.differences.iter().find(|one| one.cause == cause).unwrap().amount;
        assert!(of(Cause::CachePlacement) > 0.005 && of(Cause::Efficiencies) < -0.003);
    }
}
