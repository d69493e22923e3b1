//! The model itself: its checkpoint to the byte, its parameters, its layers.

use super::holding::{Tensors, kinds};
use super::*;
use crate::ledger::experts::{distinct_experts, distinct_formula};
use crate::scenario::{Dtypes, ExpertKind};
use crate::spec::AttentionKind;
use crate::spec::tensors::{Part, Role, Tensor};

pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec, tensors: &Tensors) {
    checkpoint(book, spec, tensors);
    parameters(book, spec, tensors);
    for (id, kind) in [
        ("layers.csa", AttentionKind::Csa),
        ("layers.hca", AttentionKind::Hca),
        ("layers.window_only", AttentionKind::Window),
    ] {
        book.number(id, COUNT, spec.layers_of(kind) as f64, formula!(""), SHAPES);
    }
    book.number("layers.hash_routed", COUNT, spec.hash_layers() as f64, formula!(""), SHAPES);
    expert(book, settings, spec);
    book.number(
        "moe.distinct_experts",
        EXPECTED,
        distinct_experts(spec, settings.draw, settings.batch),
        distinct_formula(spec, settings.draw, settings.batch),
        SHAPES,
    );
    let h200 = crate::hardware::preset("h200").memory(settings.memory_reading).get();
    book.number("gpu.h200.memory.bytes", GPU_BYTES, h200, formula!("{C}", C = h200 => Bytes), HARDWARE);
    for (id, reading) in [
        ("gpu.memory.gb.bytes", crate::scenario::MemoryReading::Gb),
        ("gpu.memory.gib.bytes", crate::scenario::MemoryReading::Gib),
        ("gpu.memory.reported.bytes", crate::scenario::MemoryReading::Reported),
    ] {
        let bytes = settings.gpu.memory(reading).get();
        book.number(id, GPU_BYTES, bytes, formula!("{C}", C = bytes => Bytes), HARDWARE);
    }
}

fn checkpoint(book: &mut Book, spec: &ModelSpec, tensors: &Tensors) {
    let params = |tensors: &[Tensor]| tensors.iter().map(Tensor::params).sum::<f64>();
    let bytes = |tensors: &[Tensor]| tensors.iter().map(|t| t.bytes(Dtypes::Stored)).sum::<f64>();
    let main_params = book.number(
        "checkpoint.params_without_mtp",
        COUNT,
        tensors.sum_main(spec, Tensor::params),
        layers_formula(spec, tensors, &params),
        SHAPES,
    );
    let draft_params = params(tensors.drafts());
    book.number(
        "checkpoint.params",
        COUNT,
        main_params + draft_params,
        formula!("{P} + {P_MTP}", P = main_params, P_MTP = draft_params),
        SHAPES,
    );
    let main = tensors.sum_main(spec, |tensor| tensor.bytes(Dtypes::Stored));
    let draft = bytes(tensors.drafts());
    book.number("checkpoint.mtp.bytes", TOTAL_BYTES, draft, formula!("{W}", W = draft => Bytes), SHAPES);
    book.number(
        "checkpoint.bytes",
        TOTAL_BYTES,
        main + draft,
        formula!("{W} + {W_MTP}", W = main => Bytes, W_MTP = draft => Bytes),
        SHAPES,
    );
    let parts: [(&'static str, Part); 7] = [
        ("checkpoint.routed.bytes", Part::Routed),
        ("checkpoint.shared.bytes", Part::Shared),
        ("checkpoint.attention.bytes", Part::Attention),
        ("checkpoint.router.bytes", Part::Router),
        ("checkpoint.streams.bytes", Part::Streams),
        ("checkpoint.embedding.bytes", Part::Embedding),
        ("checkpoint.head.bytes", Part::Head),
    ];
    for (id, part) in parts {
        let of = |tensor: &Tensor| if tensor.part == part { tensor.bytes(Dtypes::Stored) } else { 0.0 };
        let bytes = tensors.sum_main(spec, of);
        book.number(id, TOTAL_BYTES, bytes, formula!("{W}", W = bytes => Bytes), SHAPES);
    }
}

/// Layers by kind times what one of each has, and what stands outside them.
fn layers_formula(spec: &ModelSpec, tensors: &Tensors, of: &dyn Fn(&[Tensor]) -> f64) -> formula::Formula {
    use crate::spec::Routing::Hash;
    let mut sums = [0.0; 4];
    for (layer, count) in kinds(spec.main_layers()) {
        let place = match (layer.routing, layer.attention) {
            (Hash, _) => 3,
            (_, AttentionKind::Csa) => 0,
            (_, AttentionKind::Hca) => 1,
            (_, AttentionKind::Window) => 2,
        };
        if let Some(sum) = sums.get_mut(place) {
            *sum += count * of(tensors.block(layer));
        }
    }
    let [csa, hca, window, hash] = sums;
    formula!(
        "{P_CSA} + {P_HCA} + {P_W} + {P_hash} + {P_outer}",
        P_CSA = csa,
        P_HCA = hca,
        P_W = window,
        P_hash = hash,
        P_outer = of(tensors.outer())
    )
}

/// Weights of a layer's attention that multiply activations.
pub(super) fn projection_params(tensors: &[Tensor]) -> f64 {
    let of = |tensor: &&Tensor| tensor.part == Part::Attention && tensor.role == Role::Matrix;
    tensors.iter().filter(of).map(Tensor::params).sum()
}

fn parameters(book: &mut Book, spec: &ModelSpec, tensors: &Tensors) {
    let each = |kind| {
        let layer = spec.main_layers().iter().find(|layer| layer.attention == kind);
        layer.map_or(0.0, |layer| projection_params(tensors.block(*layer)))
    };
    let count = |kind| spec.layers_of(kind) as f64;
    let (csa, hca, window) = (AttentionKind::Csa, AttentionKind::Hca, AttentionKind::Window);
    let attention = book.number(
        "attention.proj.params",
        COUNT,
        count(csa) * each(csa) + count(hca) * each(hca) + count(window) * each(window),
        formula!(
            "{L_CSA} × {P_CSA} + {L_HCA} × {P_HCA} + {L_W} × {P_W}",
            L_CSA = count(csa),
            P_CSA = each(csa),
            L_HCA = count(hca),
            P_HCA = each(hca),
            L_W = count(window),
            P_W = each(window)
        ),
        SHAPES,
    );
    let layers = spec.main_layers().len() as f64;
    let taken = (spec.experts_per_token + spec.shared_experts) as f64;
    let (d, n) = (spec.hidden as f64, spec.streams as f64);
    // Of the streams: what mixes them in every layer, with its bases and scales.
    let streams = 2.0 * ((2.0 + n) * n * (n * d + 1.0) + 3.0);
    let router = spec.experts as f64 * d;
    let head = spec.vocab as f64 * d;
    book.number(
        "active.params",
        (Unit::Count, Scope::PerToken, Kind::Exact),
        attention + layers * (taken * spec.expert_params() as f64 + router + streams) + head,
        formula!(
            "{P_attn} + {L} × (({k} + {s}) × {P_e} + {E} × {d} + 2 × ((2 + {n}) × {n} × ({n} × {d} + 1) + 3)) + {V} × {d}",
            P_attn = attention,
            L = layers,
            k = spec.experts_per_token as f64,
            s = spec.shared_experts as f64,
            P_e = spec.expert_params() as f64,
            E = spec.experts as f64,
            d = d,
            n = n,
            V = spec.vocab as f64
        ),
        SHAPES,
    );
}

/// One expert of the kind asked for.
fn expert(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let (d, d_ff) = (spec.hidden as f64, spec.expert_hidden as f64);
    let params = book.number(
        "expert.params",
        COUNT,
        spec.expert_params() as f64,
        formula!("3 × {d} × {d_ff}", d = d, d_ff = d_ff),
        SHAPES,
    );
    let (bytes, formula) = match settings.kind {
        ExpertKind::Routed => (
            d_ff * (d / 2.0 + (d / 32.0).ceil()) * 2.0 + d * (d_ff / 2.0 + (d_ff / 32.0).ceil()),
            formula!(
                "2 × {d_ff} × ({d} / 2 + ceil({d} / 32)) + {d} × ({d_ff} / 2 + ceil({d_ff} / 32))",
                d = d,
                d_ff = d_ff
            ),
        ),
        ExpertKind::Shared => (
            params + 3.0 * (d / 128.0).ceil() * (d_ff / 128.0).ceil(),
            formula!("{P} + 3 × ceil({d} / 128) × ceil({d_ff} / 128)", P = params, d = d, d_ff = d_ff),
        ),
    };
    book.number("expert.bytes", TOTAL_BYTES, bytes, formula, SHAPES);
}
