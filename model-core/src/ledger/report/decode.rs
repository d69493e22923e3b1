//! Decode: a step by stages and by layers, and the rate that follows.

use super::step::*;
use super::*;
use crate::figure::Value;
use crate::formula;
use crate::ledger::experts::distinct_formula;
use crate::spec::AttentionKind;

/// The ids of a stage's figures: bytes, FLOPs, both times, the longer one, what bounds it.
struct StageIds {
    bytes: &'static str,
    bytes_per_gpu: &'static str,
    flops: &'static str,
    flops_per_gpu: &'static str,
    hbm_s: &'static str,
    compute_s: &'static str,
    taken_s: &'static str,
    bound: &'static str,
}

macro_rules! stage_ids {
    ($stage:literal) => {
        StageIds {
            bytes: concat!("decode.", $stage, ".bytes"),
            bytes_per_gpu: concat!("decode.", $stage, ".bytes_per_gpu"),
            flops: concat!("decode.", $stage, ".flops"),
            flops_per_gpu: concat!("decode.", $stage, ".flops_per_gpu"),
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

const LAYERS: [LayerIds; 3] = [
    LayerIds {
        kind: AttentionKind::Csa,
        proj_bytes: "decode.layer.csa.proj_bytes",
        kv_bytes: "decode.layer.csa.kv_bytes",
        flops: "decode.layer.csa.flops",
        taken_s: "decode.layer.csa_s",
    },
    LayerIds {
        kind: AttentionKind::Hca,
        proj_bytes: "decode.layer.hca.proj_bytes",
        kv_bytes: "decode.layer.hca.kv_bytes",
        flops: "decode.layer.hca.flops",
        taken_s: "decode.layer.hca_s",
    },
    LayerIds {
        kind: AttentionKind::Window,
        proj_bytes: "decode.layer.window.proj_bytes",
        kv_bytes: "decode.layer.window.kv_bytes",
        flops: "decode.layer.window.flops",
        taken_s: "decode.layer.window_s",
    },
];

pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    expert(book, spec);
    let step = Fixed::of(settings, spec).step(settings, spec, settings.batch);
    let formula = distinct_formula(spec, settings.draw, settings.batch);
    book.number(
        "moe.distinct_experts",
        (Unit::Count, Scope::PerLayer, Kind::Assumed),
        step.distinct,
        formula,
        MOE,
    );
    stages(book, settings, spec, &step);
    layers(book, settings, spec, &step);
    totals(book, settings, spec, &step);
}

/// One expert and one token's share of the experts.
fn expert(book: &mut Book, spec: &ModelSpec) {
    let (d, d_ff) = (spec.hidden as f64, spec.expert_hidden as f64);
    let params = book.number(
        "expert.params",
        COUNT,
        spec.expert_params() as f64,
        formula!("3 × {d} × {d_ff}", d = d, d_ff = d_ff),
        MOE,
    );
    book.number("expert.bytes", TOTAL_BYTES, params * EXPERT_BYTES, formula!("{P} × 4 / 8", P = params), MOE);
    book.number(
        "expert.pair.flops",
        TOKEN_FLOPS,
        2.0 * params,
        formula!("6 × {d} × {d_ff}", d = d, d_ff = d_ff),
        MOE,
    );
    let layer = book.number(
        "moe.layer.flops_per_token",
        TOKEN_FLOPS,
        expert_flops(spec),
        formula!(
            "({k} + {s}) × 6 × {d} × {d_ff}",
            k = spec.experts_per_token as f64,
            s = spec.shared_experts as f64,
            d = d,
            d_ff = d_ff
        ),
        MOE,
    );
    let count = spec.main_layers().len() as f64;
    book.number(
        "moe.flops_per_token",
        TOKEN_FLOPS,
        count * layer,
        formula!("{L} × {F}", L = count, F = layer => Flop),
        MOE,
    );
    book.number("ep.pair.bytes", TOKEN_BYTES, 3.0 * d, formula!("(1 + 2) × {d}", d = d), MOE);
    let params = over_layers(spec, |kind| proj_params(spec, kind));
    book.number(
        "attention.proj.params",
        COUNT,
        params,
        formula!(
            "{L_CSA} × {P_CSA} + {L_HCA} × {P_HCA} + {L_W} × {P_W}",
            L_CSA = spec.layers_of(AttentionKind::Csa) as f64,
            P_CSA = proj_params(spec, AttentionKind::Csa),
            L_HCA = spec.layers_of(AttentionKind::Hca) as f64,
            P_HCA = proj_params(spec, AttentionKind::Hca),
            L_W = spec.layers_of(AttentionKind::Window) as f64,
            P_W = proj_params(spec, AttentionKind::Window)
        ),
        ATTENTION,
    );
    book.number(
        "attention.proj.flops_per_token",
        TOKEN_FLOPS,
        2.0 * params,
        formula!("2 × {P}", P = params),
        ATTENTION,
    );
}

fn stages(book: &mut Book, settings: &Settings, spec: &ModelSpec, step: &Step) {
    let (b, s) = (settings.batch as f64, settings.context);
    let efficiency = &settings.efficiency;
    let layers = spec.main_layers().len() as f64;
    let counts =
        [AttentionKind::Csa, AttentionKind::Hca, AttentionKind::Window].map(|k| spec.layers_of(k) as f64);
    let [l_csa, l_hca, l_w] = counts;
    let read = |kind| read_bytes(spec, kind, s);
    let flops = |kind| attn_flops(spec, kind, s);
    let proj = over_layers(spec, |kind| proj_params(spec, kind));
    let head = spec.vocab as f64 * spec.hidden as f64;

    stage(
        book,
        settings,
        &stage_ids!("proj"),
        &step.proj,
        (formula!("{P} × 1", P = proj), formula!("2 × {B} × {P}", B = b, P = proj)),
        efficiency.proj,
        f64::from(settings.gpus),
    );
    stage(
        book,
        settings,
        &stage_ids!("attn"),
        &step.attn,
        (
            formula!(
                "{B} × ({L_CSA} × {R_CSA} + {L_HCA} × {R_HCA} + {L_W} × {R_W})",
                B = b, L_CSA = l_csa, R_CSA = read(AttentionKind::Csa) => Bytes, L_HCA = l_hca,
                R_HCA = read(AttentionKind::Hca) => Bytes, L_W = l_w, R_W = read(AttentionKind::Window) => Bytes
            ),
            formula!(
                "{B} × ({L_CSA} × {F_CSA} + {L_HCA} × {F_HCA} + {L_W} × {F_W})",
                B = b, L_CSA = l_csa, F_CSA = flops(AttentionKind::Csa) => Flop, L_HCA = l_hca,
                F_HCA = flops(AttentionKind::Hca) => Flop, L_W = l_w, F_W = flops(AttentionKind::Window) => Flop
            ),
        ),
        efficiency.attn,
        cache_split(settings),
    );
    let expert = spec.expert_params() as f64 * EXPERT_BYTES;
    stage(
        book,
        settings,
        &stage_ids!("moe"),
        &step.moe,
        (
            formula!("{L} × ({U} + {s}) × {M_e}", L = layers, U = step.distinct, s = spec.shared_experts as f64,
                M_e = expert => Bytes),
            formula!("{L} × {B} × {F}", L = layers, B = b, F = expert_flops(spec) => Flop),
        ),
        efficiency.moe_decode,
        f64::from(settings.gpus),
    );
    stage(
        book,
        settings,
        &stage_ids!("head"),
        &step.head,
        (formula!("{P} × 1", P = head), formula!("2 × {B} × {P}", B = b, P = head)),
        efficiency.proj,
        f64::from(settings.gpus),
    );
}

fn stage(
    book: &mut Book,
    settings: &Settings,
    ids: &StageIds,
    stage: &Stage,
    (bytes, flops): (formula::Formula, formula::Formula),
    efficiency: f64,
    readers: f64,
) {
    book.number(ids.bytes, TOTAL_BYTES, stage.bytes, bytes, DECODE);
    book.number(
        ids.bytes_per_gpu,
        GPU_BYTES,
        stage.bytes / readers,
        formula!("{M} / {G}", M = stage.bytes => Bytes, G = readers),
        DECODE,
    );
    book.number(ids.flops, STEP_FLOPS, stage.flops, flops, DECODE);
    book.number(
        ids.flops_per_gpu,
        (Unit::Flop, Scope::PerGpu, Kind::Assumed),
        stage.flops / f64::from(settings.gpus),
        formula!("{F} / {G}", F = stage.flops => Flop, G = f64::from(settings.gpus)),
        DECODE,
    );
    let hbm = book.number(
        ids.hbm_s,
        STEP_TIME,
        stage.hbm_s,
        formula!(
            "{M} / ({G} × {BW} × {e})",
            M = stage.bytes => Bytes,
            G = readers,
            BW = settings.hbm.get() => BytesPerSecond,
            e = settings.efficiency.hbm
        ),
        DECODE,
    );
    let compute = book.number(
        ids.compute_s,
        STEP_TIME,
        stage.compute_s,
        formula!(
            "{F} / ({G} × {P} × {e})",
            F = stage.flops => Flop,
            G = f64::from(settings.gpus),
            P = settings.peak.get() => FlopsPerSecond,
            e = efficiency
        ),
        DECODE,
    );
    book.number(
        ids.taken_s,
        STEP_TIME,
        stage.taken_s(),
        formula!("max({t_hbm}, {t_comp})", t_hbm = hbm => Seconds, t_comp = compute => Seconds),
        DECODE,
    );
    book.value(
        ids.bound,
        (Unit::Word, Scope::Total, Kind::Assumed),
        Value::Word(stage.bound()),
        formula!(""),
        DECODE,
    );
}

/// One layer of each kind.
fn layers(book: &mut Book, settings: &Settings, spec: &ModelSpec, step: &Step) {
    let (b, s) = (settings.batch as f64, settings.context);
    let rates = Rates::of(settings);
    let efficiency = &settings.efficiency;
    for ids in LAYERS {
        if spec.layers_of(ids.kind) == 0 && ids.kind == AttentionKind::Window {
            continue;
        }
        let params = proj_params(spec, ids.kind);
        let read = read_bytes(spec, ids.kind, s);
        let flops = attn_flops(spec, ids.kind, s);
        book.number(ids.proj_bytes, LAYER_BYTES, params, proj_formula(spec, ids.kind), ATTENTION);
        book.number(
            ids.kv_bytes,
            LAYER_BYTES,
            b * read,
            formula!("{B} × {R}", B = b, R = read => Bytes),
            DECODE,
        );
        book.number(
            ids.flops,
            LAYER_FLOPS,
            2.0 * b * params + b * flops,
            formula!("2 × {B} × {P} + {B} × {F}", B = b, P = params, F = flops => Flop),
            DECODE,
        );
        let proj = rates.stage(params, 2.0 * b * params, efficiency.proj);
        let attn = rates.cache_stage(b * read, b * flops, efficiency.attn, cache_split(settings));
        book.number(
            ids.taken_s,
            LAYER_TIME,
            proj.taken_s() + attn.taken_s(),
            formula!(
                "max({p_hbm}, {p_comp}) + max({a_hbm}, {a_comp})",
                p_hbm = proj.hbm_s => Seconds,
                p_comp = proj.compute_s => Seconds,
                a_hbm = attn.hbm_s => Seconds,
                a_comp = attn.compute_s => Seconds
            ),
            DECODE,
        );
    }
    let expert = spec.expert_params() as f64 * EXPERT_BYTES;
    let bytes = book.number(
        "decode.layer.moe.bytes",
        LAYER_BYTES,
        expert_read_bytes(spec, step.distinct),
        formula!("({U} + {s}) × {M_e}", U = step.distinct, s = spec.shared_experts as f64, M_e = expert => Bytes),
        DECODE,
    );
    let flops = book.number(
        "decode.layer.moe.flops",
        LAYER_FLOPS,
        b * expert_flops(spec),
        formula!("{B} × {F}", B = b, F = expert_flops(spec) => Flop),
        DECODE,
    );
    let moe = rates.stage(bytes, flops, efficiency.moe_decode);
    book.number(
        "decode.layer.moe_s",
        LAYER_TIME,
        moe.taken_s(),
        formula!("max({t_hbm}, {t_comp})", t_hbm = moe.hbm_s => Seconds, t_comp = moe.compute_s => Seconds),
        DECODE,
    );
}

/// A layer's projection weights, a byte each.
fn proj_formula(spec: &ModelSpec, kind: AttentionKind) -> formula::Formula {
    let core = spec.core_attention_params() as f64;
    let (d, c) = (spec.hidden as f64, spec.head_dim as f64);
    match kind {
        AttentionKind::Window => formula!("{P} × 1", P = core),
        AttentionKind::Hca => formula!("{P} + {d} × {c}", P = core, d = d, c = c),
        AttentionKind::Csa => formula!(
            "{P} + 2 × {d} × {c} + {q} × {H_I} × {c_I} + {d} × {H_I} + 4 × {d} × {c_I}",
            P = core,
            d = d,
            c = c,
            q = spec.query_rank as f64,
            H_I = spec.indexer_heads as f64,
            c_I = spec.indexer_head_dim as f64
        ),
    }
}

fn totals(book: &mut Book, settings: &Settings, spec: &ModelSpec, step: &Step) {
    let (b, gpus) = (settings.batch as f64, f64::from(settings.gpus));
    let layers = spec.main_layers().len() as f64;
    let payload = book.number(
        "decode.layer.ep.bytes_per_gpu",
        GPU_BYTES,
        step.exchange_layer_bytes,
        formula!(
            "3 × {d} × {B} × {k} / {G} × ({G} − 1) / {G}",
            d = spec.hidden as f64,
            B = b,
            k = spec.experts_per_token as f64,
            G = gpus
        ),
        DECODE,
    );
    let each = book.number(
        "decode.layer.ep_s",
        LAYER_TIME,
        step.exchange_layer_s,
        formula!(
            "{M} / ({BW} × {e})",
            M = payload => Bytes,
            BW = settings.link.get() => BytesPerSecond,
            e = settings.efficiency.link
        ),
        DECODE,
    );
    book.number(
        "decode.ep_s",
        STEP_TIME,
        layers * each,
        formula!("{L} × {t}", L = layers, t = each => Seconds),
        SCAN,
    );
    let overhead = step.overhead_s;
    book.number("decode.overhead_s", STEP_TIME, overhead, formula!("{t}", t = overhead => Seconds), DECODE);
    let floor_s = step.total_s() - overhead;
    book.number("decode.floor_s", STEP_TIME, floor_s, formula!("{t}", t = floor_s => Seconds), SCAN);
    let total = book.number(
        "decode.step_s",
        STEP_TIME,
        step.total_s(),
        formula!(
            "{t_proj} + {t_attn} + {t_moe} + {t_head} + {t_0}",
            t_proj = step.proj.taken_s() => Seconds,
            t_attn = step.attn.taken_s() => Seconds,
            t_moe = step.moe.taken_s() => Seconds,
            t_head = step.head.taken_s() => Seconds,
            t_0 = overhead => Seconds
        ),
        SCAN,
    );
    book.number(
        "decode.tokens_per_s",
        RATE,
        b / total,
        formula!("{B} / {t}", B = b, t = total => Seconds),
        SCAN,
    );
}
