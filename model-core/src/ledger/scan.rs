//! The batch scan: one scenario at several batches. What does not depend on the batch is computed once.

use super::exact::holding::{BlockBytes, Tensors, fullest, stages};
use super::exact::step::Work;
use super::exact::{self};
use super::experts::distinct_experts;
use super::report;
use super::report::step::Fixed;
use crate::figure::Ledger;
use crate::plan::Plan;
use crate::scenario::{Key, Scenario, Settings};
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// What a decode step's time is made of: its stages, then what stands beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPart {
    /// Attention's projections.
    Proj,
    /// Attention over the caches.
    Attn,
    /// Experts.
    Moe,
    /// The output head.
    Head,
    /// Streams, norms and the embedding's rows.
    Other,
    /// Drafts.
    Draft,
    /// Fixed time, and the latency of the layers where one is known.
    Fixed,
}

impl StepPart {
    /// All of them, in the order in which they add up.
    pub const ALL: [Self; 7] =
        [Self::Proj, Self::Attn, Self::Moe, Self::Head, Self::Other, Self::Draft, Self::Fixed];

    /// The figures of a stage on one GPU: bytes, FLOPs and the time taken; none for what is no stage.
    #[must_use]
    pub const fn figures(self) -> Option<[&'static str; 3]> {
        macro_rules! of {
            ($stage:literal) => {
                Some([
                    concat!("decode.", $stage, ".bytes_per_gpu"),
                    concat!("decode.", $stage, ".flops_per_gpu"),
                    concat!("decode.", $stage, "_s"),
                ])
            };
        }
        match self {
            Self::Proj => of!("proj"),
            Self::Attn => of!("attn"),
            Self::Moe => of!("moe"),
            Self::Head => of!("head"),
            Self::Other => of!("other"),
            Self::Draft => of!("draft"),
            Self::Fixed => None,
        }
    }
}

/// One batch of a scan. What a ledger does not speak of, or what the plan rules out, is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanRow {
    /// Requests decoded together.
    pub batch: u64,
    /// Different routed experts that a layer touches, in expectation.
    pub distinct_experts: f64,
    /// Memory of the fullest GPU without the reserve.
    pub memory_per_gpu: Option<Bytes>,
    /// Whether that and the reserve fit.
    pub fits: bool,
    /// Expert weights read in a step by the fullest GPU.
    pub expert_read_per_gpu: Option<Bytes>,
    /// The same over all GPUs.
    pub expert_read: Option<Bytes>,
    /// Cache rows read in a step by the fullest GPU.
    pub cache_read_per_gpu: Option<Bytes>,
    /// The same over all GPUs.
    pub cache_read: Option<Bytes>,
    /// Time of the exchanges between GPUs, not hidden.
    pub exchange: Option<Seconds>,
    /// No step can be quicker.
    pub floor: Option<Seconds>,
    /// The step, where the ledger gives one; in the exact ledger with a known latency per layer, if everything fits.
    pub step: Option<Seconds>,
    /// The step with the least and the most latency per layer known.
    pub step_range: Option<(Seconds, Seconds)>,
    /// Tokens a second of all GPUs.
    pub tokens_per_second: Option<f64>,
    /// The parts of the step, or of its floor where no step is given, in the order of [`StepPart::ALL`].
    pub parts: Option<[Seconds; StepPart::ALL.len()]>,
    /// Tokens that all requests together gain from a step, in expectation.
    pub tokens_per_step: f64,
}

impl ScanRow {
    /// The step where it is known, else its floor; none where the load does not fit.
    #[must_use]
    pub fn step_or_floor(&self) -> Option<Seconds> {
        self.step.or(self.floor).filter(|_| self.fits)
    }

    /// Tokens a second that each request sees and that each of so many GPUs yields; at most, where only a floor is
    /// known.
    #[must_use]
    pub fn rates(&self, gpus: u32) -> Option<[f64; 2]> {
        let rate = self.tokens_per_step / self.step_or_floor()?.get();
        let both = [rate / self.batch.max(1) as f64, rate / f64::from(gpus.max(1))];
        both.iter().all(|rate| rate.is_finite()).then_some(both)
    }
}

/// The twelve batches of the usual scan.
pub const BATCHES: [u64; 12] = [1, 2, 4, 8, 16, 32, 64, 96, 128, 256, 512, 1024];

/// A scenario at several batches under a ledger.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::ledger::{BATCHES, batch_scan};
/// use model_core::scenario::Scenario;
/// let rows = batch_scan(Ledger::Report, &Scenario::default(), &model_core::spec::v4_pro(), &BATCHES);
/// assert_eq!(rows.len(), 12);
/// assert!(rows.iter().all(|row| row.distinct_experts <= 384.0));
/// ```
#[must_use]
pub fn batch_scan(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec, batches: &[u64]) -> Vec<ScanRow> {
    let settings = scenario.resolve(ledger);
    let spec = &*settings.model_in_force(spec);
    match ledger {
        Ledger::Tutorial => tutorial_scan(scenario, &settings, spec, batches),
        Ledger::Report => report_scan(&settings, spec, batches),
        Ledger::Exact => exact_scan(&settings, spec, batches),
    }
}

fn empty(settings: &Settings, spec: &ModelSpec, batch: u64) -> ScanRow {
    ScanRow {
        batch,
        distinct_experts: distinct_experts(spec, settings.draw, batch),
        memory_per_gpu: None,
        fits: false,
        expert_read_per_gpu: None,
        expert_read: None,
        cache_read_per_gpu: None,
        cache_read: None,
        exchange: None,
        floor: None,
        step: None,
        step_range: None,
        tokens_per_second: None,
        parts: None,
        tokens_per_step: batch as f64,
    }
}

/// The tutorial speaks of memory alone.
fn tutorial_scan(
    scenario: &Scenario,
    settings: &Settings,
    spec: &ModelSpec,
    batches: &[u64],
) -> Vec<ScanRow> {
    let row = |batch: u64| {
        let mut at = scenario.clone();
        // A batch beyond the key's bound has no figures.
        let known = at.choose_number(Key::Batch, batch as f64).is_ok();
        let figures = report(Ledger::Tutorial, &at, spec);
        ScanRow {
            memory_per_gpu: figures.number("memory.partial.bytes_per_gpu").filter(|_| known).map(Bytes),
            fits: known && figures.flag("memory.partial.fits"),
            ..empty(settings, spec, batch)
        }
    };
    batches.iter().map(|batch| row(*batch)).collect()
}

fn report_scan(settings: &Settings, spec: &ModelSpec, batches: &[u64]) -> Vec<ScanRow> {
    let fixed = Fixed::of(settings, spec);
    let gpus = f64::from(settings.gpus);
    let row = |batch: u64| {
        let step = fixed.step(settings, spec, batch);
        let memory = fixed.memory_per_gpu(batch);
        let total = step.total_s();
        ScanRow {
            memory_per_gpu: Some(Bytes(memory)),
            fits: memory + settings.reserve.get() <= settings.gpu_memory.get(),
            expert_read_per_gpu: Some(Bytes(step.moe.bytes / gpus)),
            expert_read: Some(Bytes(step.moe.bytes)),
            cache_read_per_gpu: Some(Bytes(step.attn.bytes / fixed.split())),
            cache_read: Some(Bytes(step.attn.bytes)),
            exchange: Some(Seconds(step.exchange_layer_s * spec.main_layers().len() as f64)),
            floor: Some(Seconds(total - step.overhead_s)),
            step: Some(Seconds(total)),
            tokens_per_second: Some(batch as f64 / total),
            parts: Some({
                let [proj, attn, moe, head] =
                    [step.proj, step.attn, step.moe, step.head].map(|stage| stage.taken_s());
                [proj, attn, moe, head, 0.0, 0.0, step.overhead_s].map(Seconds)
            }),
            ..empty(settings, spec, batch)
        }
    };
    batches.iter().map(|batch| row(*batch)).collect()
}

fn exact_scan(settings: &Settings, spec: &ModelSpec, batches: &[u64]) -> Vec<ScanRow> {
    let plan = Plan::of(settings);
    if plan.check(spec).is_err() {
        return batches.iter().map(|batch| empty(settings, spec, *batch)).collect();
    }
    let tensors = Tensors::of(spec);
    let bytes = BlockBytes::of(&tensors, settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    let work = Work::of(settings, spec, &tensors);
    let group = f64::from(plan.ep);
    let row = |batch: u64| {
        let memory = fullest(stages(settings, spec, &plan, &bytes, (batch, settings.context))).total();
        let fits = memory + settings.reserve.get() <= settings.gpu_memory.get();
        let step = work.decode(batch);
        let floor = step.floor_s();
        let overhead = super::report::step::overhead(settings, batch);
        let beside = |each: f64| Seconds(floor + work.layers * each + overhead);
        let fixed = |each: Seconds| work.layers * each.get() + overhead;
        let latency = settings.latency_per_layer.filter(|_| fits);
        let [proj, attn, moe, head, other, draft] = step.stages().map(|stage| stage.taken_s());
        let [low, high] = exact::latency_range(settings.gpu.name, settings.layout);
        let total = latency.map(|each| beside(each.get()));
        ScanRow {
            distinct_experts: step.distinct,
            memory_per_gpu: Some(Bytes(memory)),
            fits,
            expert_read_per_gpu: Some(Bytes(step.moe.bytes)),
            expert_read: Some(Bytes(step.moe.bytes * group)),
            cache_read_per_gpu: Some(Bytes(step.attn.bytes)),
            cache_read: Some(Bytes(step.attn.bytes * group)),
            exchange: Some(Seconds(step.exchange.total_s())),
            floor: Some(Seconds(floor)),
            step: total,
            step_range: fits.then(|| (beside(low), beside(high))),
            tokens_per_second: total.map(|total| batch as f64 * work.gained_tokens() / total.get()),
            parts: Some([proj, attn, moe, head, other, draft, latency.map_or(0.0, fixed)].map(Seconds)),
            tokens_per_step: batch as f64 * work.gained_tokens(),
            ..empty(settings, spec, batch)
        }
    };
    batches.iter().map(|batch| row(*batch)).collect()
}

/// The same at several contexts: one scan each.
#[must_use]
pub fn step_grid(
    ledger: Ledger,
    scenario: &Scenario,
    spec: &ModelSpec,
    contexts: &[u64],
    batches: &[u64],
) -> Vec<Vec<ScanRow>> {
    let scan = |context: &u64| {
        let mut there = scenario.clone();
        // A context outside the bound leaves the scenario as it is.
        let _ = there.choose_number(Key::Context, *context as f64);
        batch_scan(ledger, &there, spec, batches)
    };
    contexts.iter().map(scan).collect()
}

/// The exact ledger's floor of a published decode row.
///
/// `None` where the model cannot be cut as the row says.
#[must_use]
pub fn decode_floor(point: &crate::measured::DecodePoint, spec: &ModelSpec) -> Option<Seconds> {
    let mut scenario = Scenario::default();
    for (key, setting) in point.choices() {
        scenario.choose(key, setting).ok()?;
    }
    let settings = scenario.resolve(Ledger::Exact);
    Some(super::pace::Pace::new(Ledger::Exact, &settings, spec)?.step_floor(settings.batch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::{implied, known_range, latency_table};
    use crate::scenario::Layout;
    use crate::spec::v4_pro;

    #[test]
    fn a_scan_gives_the_figures() {
        for ledger in Ledger::ALL {
            let scenario = Scenario::default();
            for row in batch_scan(ledger, &scenario, &v4_pro(), &BATCHES) {
                let mut at = scenario.clone();
                at.choose_number(Key::Batch, row.batch as f64).unwrap();
                let figures = report(ledger, &at, &v4_pro());
                assert_eq!(figures.number("moe.distinct_experts"), Some(row.distinct_experts));
                assert_eq!(figures.number("decode.step_s"), row.step.map(Seconds::get), "{}", row.batch);
                let memory = match ledger {
                    Ledger::Tutorial => "memory.partial.bytes_per_gpu",
                    _ => "memory.bytes_per_gpu",
                };
                assert_eq!(figures.number(memory), row.memory_per_gpu.map(Bytes::get));
                for (part, time) in row.parts.iter().flat_map(|parts| StepPart::ALL.into_iter().zip(parts)) {
                    if let Some([.., taken]) = part.figures() {
                        assert_eq!(figures.number(taken).unwrap_or(0.0), time.get(), "{taken}");
                    }
                }
                if let Some(parts) = row.parts {
                    let sum: f64 = parts.iter().map(|part| part.get()).sum();
                    let whole = row.step.or(row.floor).unwrap().get();
                    assert!((sum / whole - 1.0).abs() < 1e-12, "{sum} is not {whole}");
                }
                if let (Some(rate), Some([_, each])) = (row.tokens_per_second, row.rates(8)) {
                    assert!((each * 8.0 / rate - 1.0).abs() < 1e-12);
                }
                if ledger == Ledger::Exact {
                    assert_eq!(figures.number("decode.floor_s"), row.floor.map(Seconds::get));
                }
            }
        }
    }

    #[test]
    fn latencies_in_use_are_those_the_measured_rows_imply() {
        let spec = v4_pro();
        let implied = implied(61, |point| decode_floor(point, &spec));
        let table = latency_table(&implied);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
        for gpu in crate::hardware::presets() {
            for layout in [Layout::Tp, Layout::DpAttentionEp] {
                let known = known_range(&table, gpu.name, layout == Layout::DpAttentionEp).unwrap();
                let [low, high] = exact::latency_range(gpu.name, layout);
                assert!(
                    near(low, known.0.get()) && near(high, known.1.get()),
                    "{} {}: {known:?}",
                    gpu.name,
                    layout.word()
                );
            }
            if let Some(us) = gpu.latency_us_per_layer {
                let own = table.iter().find(|row| row.gpu == gpu.name && !row.layout.divides_requests());
                let twin = own.or_else(|| table.iter().find(|row| row.gpu == "h20-141"));
                assert!(near(us / 1e6, twin.unwrap().at_smallest_load.get()), "{}: {twin:?}", gpu.name);
            }
        }
    }
}
