//! What the fullest GPU of a plan holds: weights by part, tensor by tensor, and its share of the caches.

use super::cache::CacheParts;
use crate::ledger::cache_rows::LayerCounts;
use crate::plan::Plan;
use crate::scenario::{Dtypes, KvPlacement, Layout, Settings};
use crate::spec::tensors::{self, Part, Tensor};
use crate::spec::{AttentionKind, Layer, ModelSpec, Routing};

/// Ways in which a block attends and routes.
const KINDS: usize = 6;

/// A model's tensors, one block for each way of attending and routing.
pub(in crate::ledger) struct Tensors {
    blocks: [Option<Vec<Tensor>>; KINDS],
    outer: Vec<Tensor>,
    /// Whole draft blocks, one after the other.
    drafts: Vec<Tensor>,
}

impl Tensors {
    pub(in crate::ledger) fn of(spec: &ModelSpec) -> Self {
        let mut blocks = [const { None }; KINDS];
        for layer in spec.main_layers() {
            if let Some(place @ None) = blocks.get_mut(kind(*layer)) {
                *place = Some(tensors::block(spec, *layer));
            }
        }
        let drafts = spec.draft_blocks().iter();
        let drafts = drafts
            .flat_map(|layer| tensors::block(spec, *layer).into_iter().chain(tensors::draft_extra(spec)));
        Self { blocks, outer: tensors::outer(spec), drafts: drafts.collect() }
    }

    /// The tensors of a block of that kind.
    pub(in crate::ledger) fn block(&self, layer: Layer) -> &[Tensor] {
        self.blocks.get(kind(layer)).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// Embedding, head, final norm and mix.
    pub(in crate::ledger) fn outer(&self) -> &[Tensor] {
        &self.outer
    }

    /// All tensors of the draft blocks.
    pub(in crate::ledger) fn drafts(&self) -> &[Tensor] {
        &self.drafts
    }

    /// Sums something over the main layers and what stands outside them.
    pub(in crate::ledger) fn sum_main(&self, spec: &ModelSpec, of: impl Fn(&Tensor) -> f64) -> f64 {
        let layers = kinds(spec.main_layers())
            .map(|(layer, count)| count * self.block(layer).iter().map(&of).sum::<f64>());
        layers.sum::<f64>() + self.outer.iter().map(&of).sum::<f64>()
    }
}

const fn kind(layer: Layer) -> usize {
    let attention = match layer.attention {
        AttentionKind::Window => 0,
        AttentionKind::Csa => 1,
        AttentionKind::Hca => 2,
    };
    attention * 2 + matches!(layer.routing, Routing::Hash) as usize
}

/// The kinds of block among some layers, each with its number.
pub(in crate::ledger) fn kinds(layers: &[Layer]) -> impl Iterator<Item = (Layer, f64)> {
    let mut counts = [0.0; KINDS];
    let mut first = [None; KINDS];
    for layer in layers {
        if let (Some(count), Some(place)) = (counts.get_mut(kind(*layer)), first.get_mut(kind(*layer))) {
            *count += 1.0;
            *place = Some(*layer);
        }
    }
    first.into_iter().zip(counts).filter_map(|(layer, count)| Some((layer?, count)))
}

/// Bytes of each part; drafts stand together in the last place.
pub(in crate::ledger) type ByPart = [f64; Part::ALL.len()];

/// The bytes of each kind of block on one GPU under a cut.
pub(in crate::ledger) struct BlockBytes {
    blocks: [ByPart; KINDS],
    outer: ByPart,
    drafts: f64,
}

impl BlockBytes {
    pub(in crate::ledger) fn of(tensors: &Tensors, dtypes: Dtypes, tp: f64, ep: f64) -> Self {
        let by_part = |tensors: &[Tensor]| {
            let mut parts = [0.0; Part::ALL.len()];
            for tensor in tensors {
                if let Some(part) = parts.get_mut(tensor.part as usize) {
                    *part += tensor.bytes_on_gpu(dtypes, tp, ep);
                }
            }
            parts
        };
        Self {
            blocks: tensors.blocks.each_ref().map(|block| by_part(block.as_deref().unwrap_or(&[]))),
            outer: by_part(&tensors.outer),
            drafts: by_part(&tensors.drafts).iter().sum(),
        }
    }

    /// Bytes of one block of that kind, by part.
    pub(in crate::ledger) fn block(&self, layer: Layer) -> ByPart {
        self.blocks.get(kind(layer)).copied().unwrap_or_default()
    }
}

/// What one GPU of a stage holds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::ledger) struct Holding {
    /// Weights by part.
    pub(in crate::ledger) weights: ByPart,
    /// One request's caches over the stage's layers, as the scenario counts them.
    pub(in crate::ledger) request: CacheParts,
    /// Requests whose caches lie on the GPU; a fraction where each is split.
    pub(in crate::ledger) requests: f64,
}

impl Holding {
    pub(in crate::ledger) fn weights(&self) -> f64 {
        self.weights.iter().sum()
    }

    pub(in crate::ledger) fn cache(&self) -> f64 {
        self.requests * self.request.total()
    }

    pub(in crate::ledger) fn total(&self) -> f64 {
        self.weights() + self.cache()
    }
}

/// Requests whose caches lie on the fullest GPU of a stage.
pub(in crate::ledger) fn requests_on_gpu(settings: &Settings, plan: &Plan, batch: u64) -> f64 {
    match settings.kv_placement {
        KvPlacement::ByPlan => plan.requests_on_gpu(batch) as f64,
        KvPlacement::Copied => batch as f64,
        KvPlacement::Split => batch as f64 / f64::from(plan.ep),
    }
}

/// What one GPU of each stage holds.
pub(in crate::ledger) fn stages<'a>(
    settings: &'a Settings,
    spec: &'a ModelSpec,
    plan: &'a Plan,
    bytes: &'a BlockBytes,
    (batch, context): (u64, u64),
) -> impl Iterator<Item = Holding> + 'a {
    let main = spec.main_layers();
    let stages = plan.pp.max(1) as usize;
    (0..stages).map(move |stage| {
        let layers = main.get(plan.stage_layers(main.len(), stage)).unwrap_or(&[]);
        let mut weights = ByPart::default();
        let mut add = |parts: &ByPart, count: f64| {
            for (sum, part) in weights.iter_mut().zip(parts) {
                *sum += count * part;
            }
        };
        for (layer, count) in kinds(layers) {
            add(&bytes.block(layer), count);
        }
        let (first, last) = (stage == 0, stage + 1 == stages);
        for (part, bytes) in Part::ALL.into_iter().zip(bytes.outer) {
            // The embedding feeds the first stage; head and last mix follow the last one.
            if if part == Part::Embedding { first } else { last }
                && let Some(sum) = weights.get_mut(part as usize)
            {
                *sum += bytes;
            }
        }
        let drafts = if last && settings.mtp { spec.draft_blocks().len() as u64 } else { 0 };
        if drafts > 0
            && let Some(sum) = weights.get_mut(Part::Draft as usize)
        {
            *sum += bytes.drafts;
        }
        let counts = LayerCounts::of(layers);
        let request = CacheParts::of(spec, settings.kv_rows, counts, drafts, context).counted(settings);
        Holding { weights, request, requests: requests_on_gpu(settings, plan, batch) }
    })
}

/// The stage whose GPUs hold most.
pub(in crate::ledger) fn fullest(stages: impl Iterator<Item = Holding>) -> Holding {
    stages.reduce(|most, next| if next.total() > most.total() { next } else { most }).unwrap_or_default()
}

/// The fewest GPUs on which the model can be legally spread and fits, keeping the layout: fewest GPUs first, then the
/// fewest stages; and the same with one stage.
pub(in crate::ledger) fn smallest_plan(
    settings: &Settings,
    spec: &ModelSpec,
    tensors: &Tensors,
) -> [Option<Plan>; 2] {
    const STAGES: [u32; 6] = [1, 2, 3, 4, 6, 8];
    let current = Plan::of(settings);
    let most = match settings.layout {
        Layout::Tp => 128,
        Layout::DpAttentionEp => 512,
    };
    let mut best: Option<Plan> = None;
    let mut one_stage: Option<Plan> = None;
    for group in (1..=most).filter(|group| spec.experts.is_multiple_of(u64::from(*group))) {
        let tp = if settings.layout == Layout::Tp { group } else { current.tp };
        let at = |pp| Plan { tp, ep: group, pp, gpus: group * pp, ..current };
        if at(1).check(spec).is_err() {
            continue;
        }
        let bytes = BlockBytes::of(tensors, settings.dtypes, f64::from(tp), f64::from(group));
        for pp in STAGES {
            let plan = at(pp);
            let rank = |plan: Plan| (plan.gpus, plan.pp);
            let beaten = best.is_some_and(|best| rank(best) <= rank(plan));
            let wanted = !beaten || pp == 1 && one_stage.is_none();
            if !wanted || plan.check(spec).is_err() {
                continue;
            }
            let load = (settings.batch, settings.context);
            let need = fullest(stages(settings, spec, &plan, &bytes, load)).total();
            if need + settings.reserve.get() <= settings.gpu_memory.get() {
                if pp == 1 && one_stage.is_none() {
                    one_stage = Some(plan);
                }
                if !beaten {
                    best = Some(plan);
                }
                break;
            }
        }
    }
    [best, one_stage]
}
