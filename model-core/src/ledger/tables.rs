//! Tables over one key: capacity by context, prefill by prefix. What does not change is computed once.

use super::exact::cache::CacheParts;
use super::exact::holding::{BlockBytes, Tensors, fullest, requests_on_gpu, stages};
use super::exact::memory::max_batch;
use super::exact::step::Work;
use super::report::{prefill, step};
use crate::figure::Ledger;
use crate::ledger::cache_rows::LayerCounts;
use crate::plan::Plan;
use crate::scenario::{Scenario, Settings};
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// Capacity at one context. What a ledger does not speak of, or what the plan rules out, is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapacityRow {
    /// Tokens of context of each request.
    pub context: u64,
    /// Caches of one request, over all GPUs that share them.
    pub cache_per_request: Bytes,
    /// What of it lies on the fullest GPU.
    pub cache_per_gpu: Option<Bytes>,
    /// Memory of the fullest GPU at the scenario's batch, without the reserve.
    pub memory_per_gpu: Option<Bytes>,
    /// The most requests beside the weights.
    pub max_batch: Option<u64>,
    /// The same with the reserve kept free.
    pub max_batch_reserved: Option<u64>,
}

/// One chunk of a prompt after a prefix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrefillRow {
    /// Tokens processed before.
    pub prefix: u64,
    /// Tokens of the chunk.
    pub chunk: u64,
    /// Projections.
    pub proj: Seconds,
    /// Attention over the caches.
    pub attn: Seconds,
    /// Experts.
    pub moe: Seconds,
    /// Exchanges between GPUs, where the ledger counts them.
    pub exchange: Option<Seconds>,
    /// The other stages: head and streams in the exact ledger, writing the caches in the report.
    pub rest: Seconds,
    /// Fixed time of a chunk.
    pub fixed: Seconds,
    /// All of it with what stands beside.
    pub total: Seconds,
    /// Tokens of the chunk over that time.
    pub tokens_per_second: f64,
    /// Cache bytes read, over all GPUs in the report, by the fullest GPU in the exact ledger.
    pub cache_read: Bytes,
}

/// The contexts of the report's capacity table.
pub const CONTEXTS: [u64; 4] = [8192, 32_768, 131_072, 1_048_576];
/// The prefixes of the report's prefill table.
pub const PREFIXES: [u64; 3] = [0, 131_072, 1_048_576];

/// Capacity at several contexts; the tutorial has no such table.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::ledger::{CONTEXTS, capacity_table};
/// use model_core::scenario::Scenario;
/// let rows = capacity_table(Ledger::Report, &Scenario::default(), &model_core::spec::v4_pro(), &CONTEXTS);
/// let most: Vec<_> = rows.iter().map(|row| row.max_batch_reserved).collect();
/// assert_eq!(most, [4070, 1092, 278, 34].map(Some));
/// ```
#[must_use]
pub fn capacity_table(
    ledger: Ledger,
    scenario: &Scenario,
    spec: &ModelSpec,
    contexts: &[u64],
) -> Vec<CapacityRow> {
    let settings = scenario.resolve(ledger);
    let spec = &*settings.model_in_force(spec);
    match ledger {
        Ledger::Tutorial => Vec::new(),
        Ledger::Report => contexts.iter().map(|context| even_capacity(&settings, spec, *context)).collect(),
        Ledger::Exact => exact_capacity(&settings, spec, contexts),
    }
}

fn whole(count: f64) -> u64 {
    count.max(0.0) as u64
}

fn even_capacity(settings: &Settings, spec: &ModelSpec, context: u64) -> CapacityRow {
    let request = step::request_bytes(spec, context);
    let each = request / step::cache_split(settings);
    let weights = settings.weights.get() / f64::from(settings.gpus);
    let most = |reserve: f64| {
        let room = settings.gpu_memory.get() - weights - reserve;
        (room >= 0.0).then(|| whole((room / each).floor()))
    };
    CapacityRow {
        context,
        cache_per_request: Bytes(request),
        cache_per_gpu: Some(Bytes(each)),
        memory_per_gpu: Some(Bytes(weights + settings.batch as f64 * each)),
        max_batch: most(0.0),
        max_batch_reserved: most(settings.reserve.get()),
    }
}

fn exact_capacity(settings: &Settings, spec: &ModelSpec, contexts: &[u64]) -> Vec<CapacityRow> {
    let plan = Plan::of(settings);
    let legal = plan.check(spec).is_ok();
    let tensors = Tensors::of(spec);
    let bytes = BlockBytes::of(&tensors, settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    let layers = LayerCounts::of(spec.main_layers());
    let drafts = spec.draft_blocks().len() as u64;
    let row = |context: u64| {
        let request = CacheParts::of(spec, settings.kv_rows, layers, drafts, context).counted(settings);
        let at = || stages(settings, spec, &plan, &bytes, (settings.batch, context));
        let holding = fullest(at());
        let shared = requests_on_gpu(settings, &plan, 1);
        let most = |reserve| max_batch(settings, &plan, at(), reserve).map(whole).filter(|_| legal);
        CapacityRow {
            context,
            cache_per_request: Bytes(request.total()),
            cache_per_gpu: legal.then(|| Bytes(shared * holding.request.total())),
            memory_per_gpu: legal.then(|| Bytes(holding.total())),
            max_batch: most(0.0),
            max_batch_reserved: most(settings.reserve.get()),
        }
    };
    contexts.iter().map(|context| row(*context)).collect()
}

/// One chunk after several prefixes; nothing where the ledger has no prefill or the plan is ruled out.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::ledger::{PREFIXES, prefill_table};
/// use model_core::scenario::Scenario;
/// let rows = prefill_table(Ledger::Report, &Scenario::default(), &model_core::spec::v4_pro(), &PREFIXES);
/// let rates: Vec<_> = rows.iter().map(|row| row.tokens_per_second.round()).collect();
/// assert_eq!(rates, [67_348.0, 51_930.0, 17_614.0]);
/// ```
#[must_use]
pub fn prefill_table(
    ledger: Ledger,
    scenario: &Scenario,
    spec: &ModelSpec,
    prefixes: &[u64],
) -> Vec<PrefillRow> {
    let settings = scenario.resolve(ledger);
    let spec = &*settings.model_in_force(spec);
    let at = |prefix: u64| Settings { prefix, ..settings.clone() };
    match ledger {
        Ledger::Tutorial => Vec::new(),
        Ledger::Report => prefixes.iter().map(|prefix| even_prefill(&at(*prefix), spec)).collect(),
        Ledger::Exact if Plan::of(&settings).check(spec).is_ok() => {
            let tensors = Tensors::of(spec);
            prefixes.iter().map(|prefix| exact_prefill(&at(*prefix), spec, &tensors)).collect()
        }
        Ledger::Exact => Vec::new(),
    }
}

fn even_prefill(settings: &Settings, spec: &ModelSpec) -> PrefillRow {
    let chunk = prefill::Chunk::of(settings, spec);
    let total = chunk.total_s(settings);
    PrefillRow {
        prefix: settings.prefix,
        chunk: settings.chunk,
        proj: Seconds(chunk.proj.taken_s()),
        attn: Seconds(chunk.attn.taken_s()),
        moe: Seconds(chunk.moe.taken_s()),
        exchange: None,
        rest: Seconds(chunk.write_s),
        fixed: settings.overhead.prefill,
        total: Seconds(total),
        tokens_per_second: settings.chunk as f64 / total,
        cache_read: Bytes(chunk.attn.bytes),
    }
}

fn exact_prefill(settings: &Settings, spec: &ModelSpec, tensors: &Tensors) -> PrefillRow {
    let step = Work::of(settings, spec, tensors).prefill();
    let total = step.floor_s() + step.exchange.total_s() + settings.overhead.prefill.get();
    PrefillRow {
        prefix: settings.prefix,
        chunk: settings.chunk,
        proj: Seconds(step.proj.taken_s()),
        attn: Seconds(step.attn.taken_s()),
        moe: Seconds(step.moe.taken_s()),
        exchange: Some(Seconds(step.exchange.total_s())),
        rest: Seconds(step.head.taken_s() + step.other.taken_s()),
        fixed: settings.overhead.prefill,
        total: Seconds(total),
        tokens_per_second: settings.chunk as f64 / total,
        cache_read: Bytes(step.attn.bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::report;
    use crate::scenario::Key;
    use crate::spec::v4_pro;

    #[test]
    fn tables_give_the_figures() {
        for ledger in [Ledger::Report, Ledger::Exact] {
            let scenario = Scenario::default();
            for row in capacity_table(ledger, &scenario, &v4_pro(), &CONTEXTS) {
                let mut at = scenario.clone();
                at.choose_number(Key::Context, row.context as f64).unwrap();
                let figures = report(ledger, &at, &v4_pro());
                let count = |id| figures.number(id).map(|count| count as u64);
                assert_eq!(figures.number("cache.request.bytes"), Some(row.cache_per_request.get()));
                assert_eq!(figures.number("cache.request.bytes_per_gpu"), row.cache_per_gpu.map(Bytes::get));
                assert_eq!(figures.number("memory.bytes_per_gpu"), row.memory_per_gpu.map(Bytes::get));
                assert_eq!(count("capacity.max_batch"), row.max_batch);
                assert_eq!(count("capacity.max_batch_reserved"), row.max_batch_reserved);
            }
            for row in prefill_table(ledger, &scenario, &v4_pro(), &PREFIXES) {
                let mut at = scenario.clone();
                at.choose_number(Key::Prefix, row.prefix as f64).unwrap();
                let figures = report(ledger, &at, &v4_pro());
                assert_eq!(figures.number("prefill.step_s"), Some(row.total.get()));
                assert_eq!(figures.number("prefill.attn_s"), Some(row.attn.get()));
                let parts = [row.proj, row.attn, row.moe, row.rest, row.fixed];
                let sum = parts.into_iter().chain(row.exchange).map(Seconds::get).sum::<f64>();
                assert!((sum / row.total.get() - 1.0).abs() < 1e-12);
            }
        }
    }
}
