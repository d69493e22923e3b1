//! The events of a step in the exact ledger: tensor by tensor, with every exchange of the pass, and a latency of each layer
//! where the report gives a step.

use super::{Event, Kind};
use crate::collective::{Load, Place};
use crate::figure::Report;
use crate::ledger::exact::cache::RowBytes;
use crate::ledger::exact::holding::Tensors;
use crate::ledger::exact::step::{BlockWeights, Query, Work, on_gpu};
use crate::ledger::exact::{latency_range, overhead};
use crate::plan::Plan;
use crate::scenario::{KvPlacement, Layout, Settings};
use crate::spec::{AttentionKind, Layer, ModelSpec, tensors};
use crate::units::Bytes;

/// What a layer reads and multiplies in the exact ledger.
struct LayerWork {
    weights: BlockWeights,
    router: (f64, f64),
    query: Query,
}

/// The events by the exact ledger; none where the plan cannot be carried out.
pub(super) fn events(report: &Report, settings: &Settings, spec: &ModelSpec) -> Vec<Event> {
    let plan = Plan::of(settings);
    if plan.check(spec).is_err() {
        return Vec::new();
    }
    let tensors = Tensors::of(spec);
    let work = Work::of(settings, spec, &tensors);
    let step = work.decode(settings.batch);
    let (tp, ep, on_gpu_tokens) = (f64::from(plan.tp), f64::from(plan.ep), step.tokens_on_gpu);
    let rows = RowBytes::of(spec, settings.kv_rows);
    let per_layer = |layer: Layer| {
        let block = tensors.block(layer);
        let router = block.iter().filter(|tensor| tensor.part == tensors::Part::Router);
        LayerWork {
            weights: BlockWeights::of(block, settings, tp),
            router: router.fold((0.0, 0.0), |(bytes, params), tensor| {
                let own = on_gpu(tensor, settings, tp);
                (bytes + own.bytes, params + own.params)
            }),
            query: Query::of(spec, rows, layer.attention, settings.context),
        }
    };
    let requests_on_gpu = plan.requests_on_gpu(settings.batch);
    let requests =
        if settings.kv_placement == KvPlacement::Split { settings.batch } else { requests_on_gpu } as f64;
    let load = Load { batch: requests_on_gpu, positions: work.tokens_per_request(), end: settings.context };
    let mut sums = Vec::new();
    work.each_sum(load, |collective, cost| sums.push((collective.place, cost)));
    let mut sums = sums.into_iter().peekable();
    let mut sum = |kind, place, layer| {
        let (_, cost) = sums.next_if(|(next, _)| *next == place)?;
        let sent = cost.sent_per_gpu.get();
        Some(Event::new(kind, layer).sending(sent, cost.startup.get(), cost.transfer.get()))
    };
    let by_request = settings.layout == Layout::DpAttentionEp;
    let legs = work.link(plan.ep_crossing()).filter(|_| by_request).map(|link| {
        let legs = work.expert_legs(step.tokens);
        let leg = move |kind, layer, bytes: Bytes| {
            let each = bytes.get() / ep;
            Event::new(kind, layer).sending(each, link.alpha().get(), each / link.rate().get())
        };
        (leg, legs)
    });
    let leg = |kind, layer, back: bool| {
        let (leg, legs) = legs.as_ref()?;
        Some(leg(kind, layer, if back { legs.combine } else { legs.dispatch }))
    };
    let latency = latency(report, settings);
    let routed = step.tokens as f64 * spec.experts_per_token as f64 / ep * spec.expert_params() as f64;
    let routed_bytes = step.distinct / ep * work.expert_bytes;
    let row = on_gpu_tokens * spec.hidden as f64 * 2.0;
    let mut events = vec![Event::new(Kind::Lookup, None).of_stage(&step.other, row, 0.0)];
    events.extend(sum(Kind::LookupSum, Place::Embedding, None));
    let layers = spec.main_layers();
    let mut known: Vec<(Layer, LayerWork)> = Vec::new();
    for (index, layer) in layers.iter().enumerate() {
        if !known.iter().any(|(kind, _)| kind == layer) {
            known.push((*layer, per_layer(*layer)));
        }
        let Some((_, own)) = known.iter().find(|(kind, _)| kind == layer) else { continue };
        let first = events.len();
        let here = Some(index);
        let event = |kind| Event::new(kind, here);
        let BlockWeights { attention, always, other } = own.weights;
        let (router_bytes, router_params) = own.router;
        events.push(event(Kind::Mix).of_stage(&step.other, other.bytes, 2.0 * on_gpu_tokens * other.params));
        let flops = 2.0 * on_gpu_tokens * attention.params;
        events.push(event(Kind::Project).of_stage(&step.proj, attention.bytes, flops));
        if layer.attention == AttentionKind::Csa {
            events.extend(sum(Kind::ScoreSum, Place::IndexScores(index), here));
        }
        let read = requests * own.query.bytes / work.readers();
        let attended = on_gpu_tokens * own.query.flops / tp;
        events.push(event(Kind::Attend).of_stage(&step.attn, read, attended));
        events.extend(sum(Kind::OutputSum, Place::AttentionOutput(index), here));
        let flops = 2.0 * on_gpu_tokens * router_params;
        events.push(event(Kind::Route).of_stage(&step.moe, router_bytes, flops));
        events.extend(leg(Kind::Dispatch, here, false));
        let bytes = routed_bytes + always.bytes - router_bytes;
        let flops = 2.0 * (routed + on_gpu_tokens * (always.params - router_params));
        events.push(event(Kind::Experts).of_stage(&step.moe, bytes, flops));
        events.extend(leg(Kind::Combine, here, true));
        events.extend(sum(Kind::RoutedSum, Place::RoutedSum(index), here));
        if let Some(latency) = latency {
            wait(&mut events, first, here, latency);
        }
        let stage =
            (0..plan.pp as usize).find(|stage| plan.stage_layers(layers.len(), *stage).end == index + 1);
        if let (Some((link, bytes)), Some(_)) = (work.hand_over(load), stage)
            && index + 1 < layers.len()
        {
            let seconds = bytes / link.rate().get();
            events.push(event(Kind::HandOver).sending(bytes, link.alpha().get(), seconds));
        }
    }
    let streams = tensors.outer().iter().filter(|tensor| tensor.part == tensors::Part::Streams);
    let (bytes, params) = streams.fold((0.0, 0.0), |(bytes, params), tensor| {
        let own = on_gpu(tensor, settings, tp);
        (bytes + own.bytes, params + own.params)
    });
    let flops = 2.0 * on_gpu_tokens * params;
    events.push(Event::new(Kind::Collapse, None).of_stage(&step.other, bytes, flops));
    events.push(Event::new(Kind::Head, None).of_stage(&step.head, step.head.bytes, step.head.flops));
    events.extend(sum(Kind::Gather, Place::Logits, None));
    if step.draft.bytes > 0.0 {
        events.push(Event::new(Kind::Draft, None).of_stage(&step.draft, step.draft.bytes, step.draft.flops));
    }
    let fixed = if latency.is_some() { overhead(settings) } else { 0.0 };
    events.push(Event::new(Kind::Finish, None).taking(fixed));
    events
}

/// Latency of a layer at least and at most; none where the report gives no step.
fn latency(report: &Report, settings: &Settings) -> Option<[f64; 2]> {
    report.number("decode.step_low_s")?;
    let known = settings.latency_per_layer.map(|each| [each.get(); 2]);
    Some(known.unwrap_or_else(|| latency_range(settings.gpu.name, settings.layout)))
}

/// A layer's latency holds what its sums take by themselves, and something else. Where the sums are thought to take more
/// than all of it, they share it.
fn wait(events: &mut Vec<Event>, first: usize, layer: Option<usize>, latency: [f64; 2]) {
    let own = events.get_mut(first..).unwrap_or_default();
    let sums: f64 = own.iter().map(|event| event.link_s[0] + event.link_s[1]).sum();
    let shared = latency.map(|all| if sums > all { all / sums } else { 1.0 });
    for event in own.iter_mut().filter(|event| event.kind.sends()) {
        let alone = event.link_s[0] + event.link_s[1];
        event.taken_s = shared.map(|share| alone * share);
    }
    let rest = [0, 1].map(|end| (latency[end] - sums * shared[end]).max(0.0));
    events.push(Event { taken_s: rest, ..Event::new(Kind::Wait, layer) });
}
