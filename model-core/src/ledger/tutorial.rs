//! The tutorial ledger: the walkthrough's bookkeeping. Binary units, BF16 caches, a cache copy on each GPU.

use super::book::Book;
use super::cache_rows::CacheRows;
use super::experts::{distinct_experts, distinct_formula};
use super::index_scores;
use crate::figure::{Figure, Kind, Ledger, Scope, Source, Unit, Value};
use crate::formula;
use crate::scenario::Settings;
use crate::simulate::critical_path::{Part, Parts};
use crate::spec::{AttentionKind, ModelSpec};

const BF16_BYTES: f64 = 2.0;
const FP32_BYTES: f64 = 4.0;
/// A four-bit value and its share of an eight-bit scale for 32 of them.
const FP4_BYTES: f64 = 4.0 / 8.0 + 1.0 / 32.0;
/// Values under one eight-bit scale of an FP8 weight: a block of 128 × 128.
const FP8_BLOCK: f64 = 128.0 * 128.0;

const PLACE: &[Source] = &[Source::Tutorial("01"), Source::Config];
const CACHES: &[Source] = &[Source::Tutorial("02"), Source::Config, Source::Reference];
const PREALLOCATED: &[Source] = &[Source::Tutorial("03"), Source::Reference];
const ALLREDUCE: &[Source] = &[Source::Tutorial("04"), Source::Reference];
const EXPERTS: &[Source] = &[Source::Tutorial("05")];
const DISPATCH: &[Source] = &[Source::Tutorial("06")];
const ACTIVE: &[Source] = &[Source::Tutorial("08")];
const ACCOUNTS: &[Source] = &[Source::Tutorial("09")];
const EXERCISE: &[Source] = &[Source::Tutorial("exercise 1"), Source::Config];
const CHOICE: &[Source] = &[Source::Scenario];

/// The worked sum of chapter 04: one coordinate's parts on eight GPUs.
pub(crate) const WORKED_PARTS: [f64; 8] = [2.0, 3.0, -1.0, 4.0, 0.0, 0.0, 0.0, 0.0];

/// All figures of the ledger.
pub(super) fn figures(settings: &Settings, spec: &ModelSpec) -> Vec<Figure> {
    let mut book = Book::new(Ledger::Tutorial, 56);
    shard(&mut book, settings, spec);
    let routed = routed_weights(&mut book, settings, spec);
    let shared = shared_weights(&mut book, spec);
    let request = request_cache(&mut book, settings, spec);
    let cache = book.number(
        "cache.batch.bytes_per_gpu",
        (Unit::Bytes, Scope::PerGpu, Kind::Exact),
        settings.batch as f64 * request,
        formula!("{B} × {M_request}", B = settings.batch as f64, M_request = request => Bytes),
        PREALLOCATED,
    );
    memory(&mut book, settings, &[routed / f64::from(settings.tp), shared, cache]);
    plan(&mut book, settings, spec, routed, shared + cache);
    index_scores::write(&mut book, settings, spec, settings.batch, CACHES);
    all_reduce(&mut book, settings, spec);
    experts(&mut book, settings, spec);
    accounts(&mut book, settings);
    book.figures()
}

fn shard(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let tp = f64::from(settings.tp);
    for (id, all) in [
        ("shard.query_heads_per_gpu", spec.heads),
        ("shard.output_groups_per_gpu", spec.output_groups),
        ("shard.indexer_heads_per_gpu", spec.indexer_heads),
        ("shard.routed_experts_per_gpu", spec.experts),
    ] {
        let each = all as f64 / tp;
        let formula = formula!("{n} / {TP}", n = all as f64, TP = tp);
        let divides = all.is_multiple_of(u64::from(settings.tp));
        book.number_if(divides, id, (Unit::Count, Scope::PerGpu, Kind::Exact), each, formula, PLACE);
    }
}

/// Bytes of all routed experts with their scales.
fn routed_weights(book: &mut Book, settings: &Settings, spec: &ModelSpec) -> f64 {
    let layers = spec.main_layers().len() as f64;
    let params = layers * spec.experts as f64 * spec.expert_params() as f64;
    book.number(
        "weights.routed.params",
        (Unit::Count, Scope::Total, Kind::Exact),
        params,
        formula!(
            "{L} × {E} × 3 × {d} × {d_ff}",
            L = layers,
            E = spec.experts as f64,
            d = spec.hidden as f64,
            d_ff = spec.expert_hidden as f64
        ),
        PLACE,
    );
    book.number(
        "weights.routed.bytes_per_param",
        (Unit::Bytes, Scope::Total, Kind::Exact),
        FP4_BYTES,
        formula!("4 / 8 + 1 / 32"),
        PLACE,
    );
    book.number(
        "weights.routed.bytes_unscaled",
        (Unit::Bytes, Scope::Total, Kind::Exact),
        params / 2.0,
        formula!("{P} × 4 / 8", P = params),
        PLACE,
    );
    let bytes = book.number(
        "weights.routed.bytes",
        (Unit::Bytes, Scope::Total, Kind::Exact),
        params * FP4_BYTES,
        formula!("{P} × (4 / 8 + 1 / 32)", P = params),
        PLACE,
    );
    let tp = f64::from(settings.tp);
    book.number(
        "weights.routed.bytes_per_gpu",
        (Unit::Bytes, Scope::PerGpu, Kind::Exact),
        bytes / tp,
        formula!("{W} / {TP}", W = bytes => Bytes, TP = tp),
        PLACE,
    );
    bytes
}

/// Bytes of the shared experts, which every GPU holds whole.
fn shared_weights(book: &mut Book, spec: &ModelSpec) -> f64 {
    let layers = spec.main_layers().len() as f64;
    let params = (spec.shared_experts * spec.expert_params()) as f64;
    book.number(
        "weights.shared.bytes_per_gpu",
        (Unit::Bytes, Scope::PerGpu, Kind::Exact),
        layers * (params + params / FP8_BLOCK),
        formula!("{L} × {P} × (1 + 1 / (128 × 128))", L = layers, P = params),
        PLACE,
    )
}

/// Bytes of everything one request keeps, on each GPU.
fn request_cache(book: &mut Book, settings: &Settings, spec: &ModelSpec) -> f64 {
    const PER_REQUEST: (Unit, Scope, Kind) = (Unit::Bytes, Scope::PerRequest, Kind::Exact);
    let rows = CacheRows::at(spec, settings.context);
    let layers = spec.main_layers().len() as f64;
    let csa_layers = spec.layers_of(AttentionKind::Csa) as f64;
    let hca_layers = spec.layers_of(AttentionKind::Hca) as f64;
    let row = book.number(
        "cache.row.bytes",
        (Unit::Bytes, Scope::PerLayer, Kind::Exact),
        spec.head_dim as f64 * BF16_BYTES,
        formula!("{c} × 2", c = spec.head_dim as f64),
        CACHES,
    );
    let window = book.number(
        "cache.window.bytes",
        PER_REQUEST,
        rows.window as f64 * row,
        formula!("{L} × {w} × {r}", L = layers, w = spec.window as f64, r = row => Bytes),
        CACHES,
    );
    let compressed = book.number(
        "cache.compressed.bytes",
        PER_REQUEST,
        (rows.csa + rows.hca) as f64 * row,
        formula!(
            "({L_CSA} × floor({N} / {m}) + {L_HCA} × floor({N} / {n})) × {r}",
            L_CSA = csa_layers,
            N = settings.context as f64,
            m = spec.csa_ratio as f64,
            L_HCA = hca_layers,
            n = spec.hca_ratio as f64,
            r = row => Bytes
        ),
        CACHES,
    );
    let main = book.number(
        "cache.main.bytes",
        PER_REQUEST,
        window + compressed,
        formula!("{M_window} + {M_comp}", M_window = window => Bytes, M_comp = compressed => Bytes),
        CACHES,
    );
    let indexer = book.number(
        "cache.indexer.bytes",
        PER_REQUEST,
        rows.indexer as f64 * spec.indexer_head_dim as f64 * BF16_BYTES,
        formula!(
            "{L_CSA} × floor({N} / {m}) × {c_I} × 2",
            L_CSA = csa_layers,
            N = settings.context as f64,
            m = spec.csa_ratio as f64,
            c_I = spec.indexer_head_dim as f64
        ),
        CACHES,
    );
    let state = tail_state(book, spec);
    book.number(
        "cache.request.bytes",
        PER_REQUEST,
        main + indexer + state,
        formula!(
            "{M_main} + {M_index} + {M_state}",
            M_main = main => Bytes,
            M_index = indexer => Bytes,
            M_state = state => Bytes
        ),
        CACHES,
    )
}

/// FP32 values and gates of groups that are not complete yet. CSA holds two groups of twice the width, for the main
/// entries and for the indexer's; HCA one group.
fn tail_state(book: &mut Book, spec: &ModelSpec) -> f64 {
    let (c, c_index) = (spec.head_dim as f64, spec.indexer_head_dim as f64);
    let (m, n) = (spec.csa_ratio as f64, spec.hca_ratio as f64);
    let csa = book.number(
        "cache.state.csa_layer.bytes",
        (Unit::Bytes, Scope::PerLayer, Kind::Exact),
        2.0 * (2.0 * m) * (2.0 * c + 2.0 * c_index) * FP32_BYTES,
        formula!("2 × 2 × {m} × (2 × {c} + 2 × {c_I}) × 4", m = m, c = c, c_I = c_index),
        CACHES,
    );
    let hca = book.number(
        "cache.state.hca_layer.bytes",
        (Unit::Bytes, Scope::PerLayer, Kind::Exact),
        2.0 * n * c * FP32_BYTES,
        formula!("2 × {n} × {c} × 4", n = n, c = c),
        CACHES,
    );
    let (csa_layers, hca_layers) =
        (spec.layers_of(AttentionKind::Csa) as f64, spec.layers_of(AttentionKind::Hca) as f64);
    book.number(
        "cache.state.bytes",
        (Unit::Bytes, Scope::PerRequest, Kind::Exact),
        csa_layers * csa + hca_layers * hca,
        formula!(
            "{L_CSA} × {T_CSA} + {L_HCA} × {T_HCA}",
            L_CSA = csa_layers,
            T_CSA = csa => Bytes,
            L_HCA = hca_layers,
            T_HCA = hca => Bytes
        ),
        CACHES,
    )
}

/// What the parts named so far take of one GPU, what it has, and what is left or missing.
fn memory(book: &mut Book, settings: &Settings, &[routed, shared, cache]: &[f64; 3]) {
    const PER_GPU: (Unit, Scope, Kind) = (Unit::Bytes, Scope::PerGpu, Kind::Exact);
    let capacity = settings.gpu_memory.get();
    let need = book.number(
        "memory.partial.bytes_per_gpu",
        PER_GPU,
        routed + shared + cache,
        formula!(
            "{M_routed} + {M_shared} + {M_cache}",
            M_routed = routed => Bytes,
            M_shared = shared => Bytes,
            M_cache = cache => Bytes
        ),
        PLACE,
    );
    book.number(
        "gpu.memory.bytes",
        PER_GPU,
        capacity,
        formula!("{G} × 2 ^ 30", G = capacity / crate::units::GIB),
        CHOICE,
    );
    let inputs = || formula!("max({C} − {M}, 0)", C = capacity => Bytes, M = need => Bytes);
    book.number("memory.free.bytes_per_gpu", PER_GPU, (capacity - need).max(0.0), inputs(), PLACE);
    book.number(
        "memory.short.bytes_per_gpu",
        PER_GPU,
        (need - capacity).max(0.0),
        formula!("max({M} − {C}, 0)", M = need => Bytes, C = capacity => Bytes),
        PLACE,
    );
    book.flag("memory.partial.fits", Scope::PerGpu, need <= capacity, PLACE);
}

/// How many GPUs it takes: by bytes alone, and by a cut the model allows.
fn plan(book: &mut Book, settings: &Settings, spec: &ModelSpec, routed: f64, copied: f64) {
    const COUNT: (Unit, Scope, Kind) = (Unit::Count, Scope::Total, Kind::Exact);
    let capacity = settings.gpu_memory.get();
    let legal = spec.legal_tp();
    book.number(
        "plan.min_gpus_by_bytes",
        COUNT,
        (routed / capacity).ceil(),
        formula!("ceil({W} / {C})", W = routed => Bytes, C = capacity => Bytes),
        EXERCISE,
    );
    let smallest = |copied: f64| {
        let fits = legal.iter().find(|tp| routed / f64::from(**tp) + copied <= capacity);
        fits.map_or(Value::Absent, |tp| Value::Number(f64::from(*tp)))
    };
    book.value("plan.min_tp", COUNT, smallest(0.0), formula!(""), EXERCISE);
    book.value("plan.min_tp_partial", COUNT, smallest(copied), formula!(""), EXERCISE);
    book.value(
        "plan.legal_tp",
        (Unit::List, Scope::Total, Kind::Exact),
        Value::List(legal),
        formula!(""),
        EXERCISE,
    );
}

fn all_reduce(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let (b, d, each) = (settings.batch as f64, spec.hidden as f64, settings.comm_dtype.bytes());
    let message = book.number(
        "allreduce.message.bytes",
        (Unit::Bytes, Scope::PerGpu, Kind::Exact),
        b * d * each,
        formula!("{B} × 1 × {d} × {s}", B = b, d = d, s = each),
        ALLREDUCE,
    );
    let gpus = f64::from(settings.tp);
    book.number(
        "allreduce.sent.bytes_per_gpu",
        (Unit::Bytes, Scope::PerGpu, Kind::Assumed),
        2.0 * (gpus - 1.0) / gpus * message,
        formula!("2 × ({G} − 1) / {G} × {M}", G = gpus, M = message => Bytes),
        ALLREDUCE,
    );
    book.number(
        "allreduce.worked_sum",
        (Unit::Count, Scope::Total, Kind::Assumed),
        WORKED_PARTS.iter().sum(),
        formula!("2 + 3 + (−1) + 4 + 0 + 0 + 0 + 0"),
        ALLREDUCE,
    );
}

fn experts(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let (b, d) = (settings.batch as f64, spec.hidden as f64);
    let each = spec.experts_per_token as f64;
    book.number(
        "moe.distinct_experts",
        (Unit::Count, Scope::PerLayer, Kind::Assumed),
        distinct_experts(spec, settings.draw, settings.batch),
        distinct_formula(spec, settings.draw, settings.batch),
        EXPERTS,
    );
    let value_bytes = settings.comm_dtype.bytes();
    book.number(
        "ep.dispatch.bytes",
        (Unit::Bytes, Scope::PerLayer, Kind::Assumed),
        b * each * d * value_bytes,
        formula!("{B} × {k} × {d} × {s}", B = b, k = each, d = d, s = value_bytes),
        DISPATCH,
    );
    book.number(
        "active.params_nominal",
        (Unit::Count, Scope::PerToken, Kind::Assumed),
        spec.active_params_nominal,
        formula!(""),
        ACTIVE,
    );
}

fn accounts(book: &mut Book, settings: &Settings) {
    const STEP: (Unit, Scope, Kind) = (Unit::Seconds, Scope::Total, Kind::Assumed);
    let parts = &settings.parts;
    let Parts { attention_s, experts_s, exposed_s, cpu_s } = *parts;
    let hidden_s = settings.hidden.get();
    book.number(
        "critical_path.before_s",
        STEP,
        parts.total_s(),
        formula!(
            "{t_attn} + {t_moe} + {t_comm} + {t_cpu}",
            t_attn = attention_s => Seconds,
            t_moe = experts_s => Seconds,
            t_comm = exposed_s => Seconds,
            t_cpu = cpu_s => Seconds
        ),
        ACCOUNTS,
    );
    book.number(
        "critical_path.experts_2x_s",
        STEP,
        parts.faster(Part::Experts, settings.speedup).total_s(),
        formula!(
            "{t_attn} + {t_moe} / {x} + {t_comm} + {t_cpu}",
            t_attn = attention_s => Seconds,
            t_moe = experts_s => Seconds,
            x = settings.speedup,
            t_comm = exposed_s => Seconds,
            t_cpu = cpu_s => Seconds
        ),
        ACCOUNTS,
    );
    book.number(
        "critical_path.hide_8ms_comm_s",
        STEP,
        parts.hiding(hidden_s).total_s(),
        formula!(
            "{t_attn} + {t_moe} + ({t_comm} − min({h}, {t_comm})) + {t_cpu}",
            t_attn = attention_s => Seconds,
            t_moe = experts_s => Seconds,
            t_comm = exposed_s => Seconds,
            h = hidden_s => Seconds,
            t_cpu = cpu_s => Seconds
        ),
        ACCOUNTS,
    );
}
