//! Decode: what each stage of a step reads and computes on the fullest GPU, the floor that follows, and a step time
//! where a latency per layer is known.

use super::cache::RowBytes;
use super::holding::Tensors;
use super::step::{Query, Step, Work};
use super::*;
use crate::ledger::report::step::Stage;
use crate::scenario::Layout;
use crate::spec::AttentionKind;
use crate::spec::tensors::Part;

/// Latencies per layer that clean published rows imply over this ledger's floor, lowest and highest, in seconds: the
/// GPU's own rows where it has some, else those of a Hopper and a Blackwell that stand in for it. A test keeps them
/// equal to what the rows imply.
pub(crate) fn latency_range(gpu: &str, layout: Layout) -> [f64; 2] {
    match (gpu, layout) {
        (_, Layout::DpAttentionEp) => [412e-6, 508e-6],
        ("b300", _) => [126e-6, 211e-6],
        ("gb200", _) => [194e-6, 348e-6],
        ("mi355x", _) => [264e-6, 264e-6],
        ("h20-141", _) => [391e-6, 508e-6],
        _ => [126e-6, 508e-6],
    }
}

/// The ids of a stage's figures.
struct StageIds {
    bytes: &'static str,
    flops: &'static str,
    hbm_s: &'static str,
    compute_s: &'static str,
    taken_s: &'static str,
    bound: &'static str,
}

macro_rules! stage_ids {
    ($stage:literal) => {
        StageIds {
            bytes: concat!("decode.", $stage, ".bytes_per_gpu"),
            flops: concat!("decode.", $stage, ".flops_per_gpu"),
            hbm_s: concat!("decode.", $stage, ".hbm_s"),
            compute_s: concat!("decode.", $stage, ".compute_s"),
            taken_s: concat!("decode.", $stage, "_s"),
            bound: concat!("decode.", $stage, ".bound"),
        }
    };
}

/// The ids of an attention layer's figures.
struct LayerIds {
    kind: AttentionKind,
    proj_bytes: &'static str,
    kv_bytes: &'static str,
    flops: &'static str,
    taken_s: &'static str,
}

macro_rules! layer_ids {
    ($kind:ident, $name:literal) => {
        LayerIds {
            kind: AttentionKind::$kind,
            proj_bytes: concat!("decode.layer.", $name, ".proj_bytes_per_gpu"),
            kv_bytes: concat!("decode.layer.", $name, ".kv_bytes_per_gpu"),
            flops: concat!("decode.layer.", $name, ".flops_per_gpu"),
            taken_s: concat!("decode.layer.", $name, "_s"),
        }
    };
}

const LAYERS: [LayerIds; 3] = [layer_ids!(Csa, "csa"), layer_ids!(Hca, "hca"), layer_ids!(Window, "window")];

/// A step's time: where a latency is known, and between the latencies that are known of others.
pub(super) struct Steps {
    pub(super) known: Option<f64>,
    pub(super) range: [f64; 2],
}

/// Writes the figures and gives the step's time.
pub(super) fn write(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    tensors: &Tensors,
    work: &Work,
    fits: bool,
) -> Steps {
    let step = work.decode(settings.batch);
    let layers = layers(book, settings, spec, tensors, work, &step);
    stages(book, settings, spec, work, &step, layers);
    exchange(book, settings, spec, work, &step);
    totals(book, settings, work, &step, fits)
}

/// One layer of each kind on the fullest GPU; gives the bytes and weights of their projections.
fn layers(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    tensors: &Tensors,
    work: &Work,
    step: &Step,
) -> [(f64, f64); 3] {
    let tp = f64::from(work.plan.tp);
    let rows = RowBytes::of(spec, settings.kv_rows);
    let readers = work.readers();
    let requests =
        if readers > 1.0 { settings.batch as f64 } else { work.plan.requests_on_gpu(settings.batch) as f64 };
    let tokens = step.tokens_on_gpu;
    LAYERS.map(|ids| {
        let layer = spec.main_layers().iter().find(|layer| layer.attention == ids.kind);
        let block = layer.map_or(&[][..], |layer| tensors.block(*layer));
        let attention = block.iter().filter(|tensor| tensor.part == Part::Attention);
        let (bytes, params) = attention.fold((0.0, 0.0), |(bytes, params), tensor| {
            let multiplies = tensor.role == crate::spec::tensors::Role::Matrix;
            (
                bytes + tensor.bytes_on_gpu(settings.dtypes, tp, 1.0),
                params + if multiplies { tensor.params_on_gpu(tp, 1.0) } else { 0.0 },
            )
        });
        if layer.is_none() {
            return (0.0, 0.0);
        }
        let query = Query::of(spec, rows, ids.kind, settings.context);
        book.number(ids.proj_bytes, STEP_BYTES, bytes, formula!("{W}", W = bytes => Bytes), SHAPES);
        let read = book.number(
            ids.kv_bytes,
            STEP_BYTES,
            requests * query.bytes / readers,
            formula!("{B} × {Q} / {G}", B = requests, Q = query.bytes => Bytes, G = readers),
            CACHES,
        );
        let proj_flops = 2.0 * tokens * params;
        let attn_flops = tokens * query.flops / tp;
        book.number(
            ids.flops,
            STEP_FLOPS,
            proj_flops + attn_flops,
            formula!("2 × {B} × {P} + {B} × {F} / {TP}", B = tokens, P = params, F = query.flops => Flop, TP = tp),
            FLOOR,
        );
        let hbm = settings.hbm.get() * settings.efficiency.hbm;
        let times = [
            bytes / hbm,
            proj_flops / (settings.peak.get() * settings.efficiency.proj),
            read / hbm,
            attn_flops / (settings.peak.get() * settings.efficiency.attn),
        ];
        let [p_hbm, p_comp, a_hbm, a_comp] = times;
        book.number(
            ids.taken_s,
            LAYER_TIME,
            p_hbm.max(p_comp) + a_hbm.max(a_comp),
            formula!(
                "max({p_hbm}, {p_comp}) + max({a_hbm}, {a_comp})",
                p_hbm = p_hbm => Seconds,
                p_comp = p_comp => Seconds,
                a_hbm = a_hbm => Seconds,
                a_comp = a_comp => Seconds
            ),
            FLOOR,
        );
        (bytes, params)
    })
}

fn stages(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    work: &Work,
    step: &Step,
    [csa, hca, window]: [(f64, f64); 3],
) {
    let count = |kind| spec.layers_of(kind) as f64;
    let (l_csa, l_hca, l_w) =
        (count(AttentionKind::Csa), count(AttentionKind::Hca), count(AttentionKind::Window));
    let tokens = step.tokens_on_gpu;
    let (tp, ep) = (f64::from(work.plan.tp), f64::from(work.plan.ep));
    let efficiency = &settings.efficiency;
    let proj = (
        formula!(
            "{L_CSA} × {W_CSA} + {L_HCA} × {W_HCA} + {L_W} × {W_W}",
            L_CSA = l_csa, W_CSA = csa.0 => Bytes, L_HCA = l_hca, W_HCA = hca.0 => Bytes, L_W = l_w,
            W_W = window.0 => Bytes
        ),
        formula!(
            "2 × {B} × ({L_CSA} × {P_CSA} + {L_HCA} × {P_HCA} + {L_W} × {P_W})",
            B = tokens,
            L_CSA = l_csa,
            P_CSA = csa.1,
            L_HCA = l_hca,
            P_HCA = hca.1,
            L_W = l_w,
            P_W = window.1
        ),
    );
    stage(book, settings, &stage_ids!("proj"), &step.proj, proj, efficiency.proj);
    let readers = work.readers();
    let requests = step.attn.bytes * readers / work.query.bytes;
    let attn = (
        formula!("{B} × {Q} / {G}", B = requests, Q = work.query.bytes => Bytes, G = readers),
        formula!("{B} × {F} / {TP}", B = tokens, F = work.query.flops => Flop, TP = tp),
    );
    stage(book, settings, &stage_ids!("attn"), &step.attn, attn, efficiency.attn);
    let always = work.main.always;
    let moe = (
        formula!(
            "{L} × {U} / {EP} × {M_e} + {W_s}",
            L = work.layers, U = step.distinct, EP = ep, M_e = work.expert_bytes => Bytes, W_s = always.bytes => Bytes
        ),
        formula!(
            "2 × ({L} × {T} × {k} / {EP} × {P_e} + {B} × {P_s})",
            L = work.layers,
            T = step.tokens as f64,
            k = spec.experts_per_token as f64,
            EP = ep,
            P_e = spec.expert_params() as f64,
            B = tokens,
            P_s = always.params
        ),
    );
    stage(book, settings, &stage_ids!("moe"), &step.moe, moe, efficiency.moe_decode);
    let head = (
        formula!("{W}", W = work.head.bytes => Bytes),
        formula!("2 × {B} × {P}", B = tokens, P = work.head.params),
    );
    stage(book, settings, &stage_ids!("head"), &step.head, head, efficiency.proj);
    let other = (
        formula!("{W} + {B} × {d} × 2", W = work.main.other.bytes => Bytes, B = tokens, d = spec.hidden as f64),
        formula!("2 × {B} × {P}", B = tokens, P = work.main.other.params),
    );
    stage(book, settings, &stage_ids!("other"), &step.other, other, efficiency.proj);
    let draft =
        (formula!("{M}", M = step.draft.bytes => Bytes), formula!("{F}", F = step.draft.flops => Flop));
    stage(book, settings, &stage_ids!("mtp"), &step.draft, draft, efficiency.proj);
    let layer = Stage {
        bytes: step.moe.bytes / work.layers,
        flops: step.moe.flops / work.layers,
        hbm_s: step.moe.hbm_s / work.layers,
        compute_s: step.moe.compute_s / work.layers,
    };
    book.number(
        "decode.layer.moe.bytes_per_gpu",
        STEP_BYTES,
        layer.bytes,
        formula!("{M} / {L}", M = step.moe.bytes => Bytes, L = work.layers),
        FLOOR,
    );
    book.number(
        "decode.layer.moe.flops_per_gpu",
        STEP_FLOPS,
        layer.flops,
        formula!("{F} / {L}", F = step.moe.flops => Flop, L = work.layers),
        FLOOR,
    );
    book.number(
        "decode.layer.moe_s",
        LAYER_TIME,
        layer.taken_s(),
        formula!("max({t_hbm}, {t_comp})", t_hbm = layer.hbm_s => Seconds, t_comp = layer.compute_s => Seconds),
        FLOOR,
    );
}

fn stage(
    book: &mut Book,
    settings: &Settings,
    ids: &StageIds,
    stage: &Stage,
    (bytes, flops): (formula::Formula, formula::Formula),
    efficiency: f64,
) {
    book.number(ids.bytes, STEP_BYTES, stage.bytes, bytes, FLOOR);
    book.number(ids.flops, STEP_FLOPS, stage.flops, flops, FLOOR);
    book.number(
        ids.hbm_s,
        STEP_TIME,
        stage.hbm_s,
        formula!(
            "{M} / ({BW} × {e})",
            M = stage.bytes => Bytes,
            BW = settings.hbm.get() => BytesPerSecond,
            e = settings.efficiency.hbm
        ),
        FLOOR,
    );
    book.number(
        ids.compute_s,
        STEP_TIME,
        stage.compute_s,
        formula!(
            "{F} / ({P} × {e})",
            F = stage.flops => Flop,
            P = settings.peak.get() => FlopsPerSecond,
            e = efficiency
        ),
        FLOOR,
    );
    book.number(
        ids.taken_s,
        STEP_TIME,
        stage.taken_s(),
        formula!("max({t_hbm}, {t_comp})", t_hbm = stage.hbm_s => Seconds, t_comp = stage.compute_s => Seconds),
        FLOOR,
    );
    let bound = Value::Word(stage.bound());
    book.value(ids.bound, (Unit::Word, Scope::PerGpu, Kind::Assumed), bound, formula!(""), FLOOR);
}

/// The exchanges, which a calibrated latency already contains.
fn exchange(book: &mut Book, settings: &Settings, spec: &ModelSpec, work: &Work, step: &Step) {
    let ep = f64::from(work.plan.ep);
    let traffic = match settings.layout {
        Layout::Tp => 0.0,
        Layout::DpAttentionEp => work.expert_traffic(step.tokens) / ep,
    };
    book.number(
        "decode.layer.ep.bytes_per_gpu",
        STEP_BYTES,
        traffic,
        formula!("{M}", M = traffic => Bytes),
        LINKS,
    );
    let sum = spec.hidden as f64 * step.tokens_on_gpu * settings.comm_dtype.bytes();
    book.number(
        "allreduce.message.bytes",
        STEP_BYTES,
        sum,
        formula!(
            "{B} × {d} × {s}",
            B = step.tokens_on_gpu,
            d = spec.hidden as f64,
            s = settings.comm_dtype.bytes()
        ),
        LINKS,
    );
    let sent =
        crate::collective::cost::sent_per_gpu(settings.algorithm, crate::units::Bytes(sum), work.plan.tp);
    book.number(
        "allreduce.sent.bytes_per_gpu",
        STEP_BYTES,
        sent.get(),
        formula!("{M}", M = sent.get() => Bytes),
        LINKS,
    );
    let exchange = step.exchange;
    let startup = exchange.startup_s;
    book.number(
        "decode.exchange.startup_s",
        STEP_TIME,
        startup,
        formula!("{t}", t = startup => Seconds),
        LINKS,
    );
    let transfer = exchange.transfer_s;
    book.number(
        "decode.exchange.transfer_s",
        STEP_TIME,
        transfer,
        formula!("{t}", t = transfer => Seconds),
        LINKS,
    );
    book.number(
        "decode.exchange_s",
        STEP_TIME,
        exchange.total_s(),
        formula!("{t_a} + {t_b}", t_a = startup => Seconds, t_b = transfer => Seconds),
        LINKS,
    );
}

/// Floor, latency, step and rates. What is no floor is absent where the plan does not fit.
fn totals(book: &mut Book, settings: &Settings, work: &Work, step: &Step, fits: bool) -> Steps {
    let floor_s = step.floor_s();
    let [proj, attn, moe, head, other, draft] = step.stages().map(|stage| stage.taken_s());
    book.number(
        "decode.floor_s",
        STEP_TIME,
        floor_s,
        formula!(
            "{t_proj} + {t_attn} + {t_moe} + {t_head} + {t_other} + {t_MTP}",
            t_proj = proj => Seconds,
            t_attn = attn => Seconds,
            t_moe = moe => Seconds,
            t_head = head => Seconds,
            t_other = other => Seconds,
            t_MTP = draft => Seconds
        ),
        FLOOR,
    );
    let overhead = overhead(settings);
    book.number("decode.overhead_s", STEP_TIME, overhead, formula!("{t}", t = overhead => Seconds), CHOICE);
    let beside = |each: f64| floor_s + work.layers * each + overhead;
    let beside_formula = |each: f64| {
        formula!(
            "{t_floor} + {L} × {c} + {t_0}",
            t_floor = floor_s => Seconds,
            L = work.layers,
            c = each => Seconds,
            t_0 = overhead => Seconds
        )
    };
    let each = settings.latency_per_layer.map(|each| each.get());
    let shown = each.unwrap_or(0.0);
    book.number_if(
        each.is_some(),
        "decode.latency_per_layer_s",
        LAYER_TIME,
        shown,
        formula!("{c}", c = shown => Seconds),
        LATENCY,
    );
    book.number_if(
        each.is_some(),
        "decode.latency_s",
        STEP_TIME,
        work.layers * shown,
        formula!("{L} × {c}", L = work.layers, c = shown => Seconds),
        LATENCY,
    );
    let [low, high] = latency_range(settings.gpu.name, settings.layout);
    book.number_if(fits, "decode.step_low_s", STEP_TIME, beside(low), beside_formula(low), LATENCY);
    book.number_if(fits, "decode.step_high_s", STEP_TIME, beside(high), beside_formula(high), LATENCY);
    let there = fits && each.is_some();
    let total = beside(shown);
    book.number_if(there, "decode.step_s", STEP_TIME, total, beside_formula(shown), LATENCY);
    let (b, gained) = (settings.batch as f64, work.gained_tokens());
    book.number(
        "decode.tokens_per_request_step",
        (Unit::Count, Scope::PerRequest, Kind::Assumed),
        gained,
        formula!("{n}", n = gained),
        CHOICE,
    );
    book.number_if(
        there,
        "decode.tpot_s",
        STEP_TIME,
        total / gained,
        formula!("{t} / {n}", t = total => Seconds, n = gained),
        LATENCY,
    );
    book.number_if(
        there,
        "decode.tokens_per_s",
        RATE,
        b * gained / total,
        formula!("{B} × {n} / {t}", B = b, n = gained, t = total => Seconds),
        LATENCY,
    );
    for (id, each) in [("decode.tokens_per_s_low", high), ("decode.tokens_per_s_high", low)] {
        let step = beside(each);
        book.number_if(
            fits,
            id,
            RATE,
            b * gained / step,
            formula!("{B} × {n} / {t}", B = b, n = gained, t = step => Seconds),
            LATENCY,
        );
    }
    book.number_if(
        fits,
        "decode.tokens_per_s_at_most",
        RATE,
        b * gained / floor_s,
        formula!("{B} × {n} / {t}", B = b, n = gained, t = floor_s => Seconds),
        FLOOR,
    );
    Steps { known: there.then_some(total), range: [beside(low), beside(high)] }
}

/// Fixed time of a step, by batch.
pub(in crate::ledger) fn overhead(settings: &Settings) -> f64 {
    crate::ledger::report::step::overhead(settings, settings.batch)
}
