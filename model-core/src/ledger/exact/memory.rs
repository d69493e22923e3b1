//! Memory of the fullest GPU by part, what fits, and the smallest plan that does.

use super::cache::{CacheParts, RowBytes, layer_state};
use super::holding::{BlockBytes, Holding, Tensors, fullest, requests_on_gpu, smallest_plan, stages};
use super::*;
use crate::ledger::cache_rows::LayerCounts;
use crate::measured::{ENGINE_CONSTANTS, Fit, tokens_that_fit};
use crate::scenario::{Dtypes, KvPlacement, KvRows};
use crate::spec::AttentionKind;
use crate::spec::tensors::Part;
use crate::units::Bytes;

/// Writes the figures and tells whether everything fits.
pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec, tensors: &Tensors) -> bool {
    let plan = Plan::of(settings);
    let bytes = BlockBytes::of(tensors, settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    let at = |batch, context| fullest(stages(settings, spec, &plan, &bytes, (batch, context)));
    let holding = at(settings.batch, settings.context);
    request(book, settings, spec);
    let weights = weights(book, settings, spec, &bytes, &holding);
    let cache = caches(book, &holding, requests_on_gpu(settings, &plan, 1));
    let fits = memory(book, settings, weights, cache);
    capacity(book, settings, spec, &plan, &bytes, &holding);
    engine(book, settings, &plan, &holding);
    smallest(book, settings, spec, tensors);
    fits
}

/// Tokens of cache that an engine really holds on a GPU, by constants read off its logs: beside the model's own need,
/// which is a lower bound.
fn engine(book: &mut Book, settings: &Settings, plan: &Plan, holding: &Holding) {
    const TOKENS: What = (Unit::Count, Scope::PerGpu, Kind::Measured);
    const ENGINES: &[Source] = &[Source::Measured("SGLang's memory logs")];
    let constants = ENGINE_CONSTANTS.iter().find(|constants| constants.name == settings.engine.word());
    let share = 1.0 / f64::from(plan.pp);
    let fit = constants.and_then(|constants| {
        tokens_that_fit(settings.gpu_memory, Bytes(holding.weights()), share, constants)
    });
    let (middle, least, most) = match fit {
        Some(Fit::Tokens { middle, least, most }) => (Some(middle), Some(least), Some(most)),
        _ => (None, None, None),
    };
    for (id, tokens) in [
        ("capacity.engine_tokens", middle),
        ("capacity.engine_tokens_least", least),
        ("capacity.engine_tokens_most", most),
    ] {
        let value = tokens.map_or(Value::Absent, |tokens| Value::Number(tokens.floor()));
        book.value(id, TOKENS, value, formula!(""), ENGINES);
    }
    let short = if let Some(Fit::Short(short)) = fit { Value::Number(short.get()) } else { Value::Absent };
    book.value(
        "capacity.engine_short.bytes_per_gpu",
        (Unit::Bytes, Scope::PerGpu, Kind::Measured),
        short,
        formula!(""),
        ENGINES,
    );
}

/// One request's caches over all layers, part by part; state, pages and drafts stand as lines of their own.
fn request(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let rows = RowBytes::of(spec, settings.kv_rows);
    book.number("cache.row.bytes", LAYER_BYTES, rows.main, formula!("{r}", r = rows.main => Bytes), CACHES);
    book.number(
        "cache.indexer_row.bytes",
        LAYER_BYTES,
        rows.key,
        formula!("{r}", r = rows.key => Bytes),
        CACHES,
    );
    // FP4 keys need tensor cores that know FP4.
    let available = settings.kv_rows != KvRows::Fp8Fp4Idx || settings.gpu.fp4.is_some();
    book.flag("cache.rows_available", Scope::PerGpu, available, ROWS);
    let layers = LayerCounts::of(spec.main_layers());
    let drafts = spec.draft_blocks().len() as u64;
    let parts = CacheParts::of(spec, settings.kv_rows, layers, drafts, settings.context);
    let s = settings.context as f64;
    let (m, n) = (spec.csa_ratio as f64, spec.hca_ratio as f64);
    book.number(
        "cache.window.bytes",
        REQUEST_BYTES,
        parts.window,
        formula!("{L} × {w} × {r}", L = layers.all() as f64, w = spec.window as f64, r = rows.main => Bytes),
        CACHES,
    );
    book.number(
        "cache.csa.bytes",
        REQUEST_BYTES,
        parts.csa,
        formula!("{L_CSA} × floor({S} / {m}) × {r}", L_CSA = layers.csa as f64, S = s, m = m, r = rows.main => Bytes),
        CACHES,
    );
    book.number(
        "cache.hca.bytes",
        REQUEST_BYTES,
        parts.hca,
        formula!("{L_HCA} × floor({S} / {n}) × {r}", L_HCA = layers.hca as f64, S = s, n = n, r = rows.main => Bytes),
        CACHES,
    );
    book.number(
        "cache.indexer.bytes",
        REQUEST_BYTES,
        parts.indexer,
        formula!("{L_CSA} × floor({S} / {m}) × {r}", L_CSA = layers.csa as f64, S = s, m = m, r = rows.key => Bytes),
        CACHES,
    );
    let [csa_state, hca_state] = layer_state(spec);
    book.number(
        "cache.state.bytes",
        REQUEST_BYTES,
        parts.state,
        formula!(
            "{L_CSA} × {T_CSA} + {L_HCA} × {T_HCA}",
            L_CSA = layers.csa as f64,
            T_CSA = csa_state => Bytes,
            L_HCA = layers.hca as f64,
            T_HCA = hca_state => Bytes
        ),
        CACHES,
    );
    book.number(
        "cache.page_rounding.bytes",
        REQUEST_BYTES,
        parts.pages,
        formula!("{x}", x = parts.pages => Bytes),
        PAGES,
    );
    book.number(
        "cache.mtp.bytes",
        REQUEST_BYTES,
        parts.draft,
        formula!("{L} × {w} × {r}", L = drafts as f64, w = spec.window as f64, r = rows.main => Bytes),
        CACHES,
    );
    let counted = parts.counted(settings);
    book.number("cache.request.bytes", REQUEST_BYTES, counted.total(), parts_formula(&counted, 1.0), CACHES);
    let slope = layers.csa as f64 * (rows.main + rows.key) / m + layers.hca as f64 * rows.main / n;
    book.number(
        "cache.bytes_per_token",
        (Unit::Bytes, Scope::PerToken, Kind::Exact),
        slope,
        formula!(
            "{L_CSA} × ({r} + {r_I}) / {m} + {L_HCA} × {r} / {n}",
            L_CSA = layers.csa as f64,
            r = rows.main => Bytes,
            r_I = rows.key => Bytes,
            m = m,
            L_HCA = layers.hca as f64,
            n = n
        ),
        CACHES,
    );
    let fixed = counted.window + counted.state + counted.draft;
    book.number(
        "cache.fixed.bytes",
        REQUEST_BYTES,
        fixed,
        formula!(
            "{M_w} + {M_s} + {M_d}",
            M_w = counted.window => Bytes,
            M_s = counted.state => Bytes,
            M_d = counted.draft => Bytes
        ),
        CACHES,
    );
}

/// The parts of a request's caches, times so many requests.
fn parts_formula(parts: &CacheParts, requests: f64) -> formula::Formula {
    formula!(
        "{B} × ({M_w} + {M_CSA} + {M_HCA} + {M_I} + {M_state} + {M_pages} + {M_MTP})",
        B = requests,
        M_w = parts.window => Bytes,
        M_CSA = parts.csa => Bytes,
        M_HCA = parts.hca => Bytes,
        M_I = parts.indexer => Bytes,
        M_state = parts.state => Bytes,
        M_pages = parts.pages => Bytes,
        M_MTP = parts.draft => Bytes
    )
}

/// How a part's weights on one GPU come about; with several stages the fullest one's are given as they are.
fn part_formula(
    settings: &Settings,
    spec: &ModelSpec,
    bytes: &BlockBytes,
    (part, on_gpu): (Part, f64),
) -> formula::Formula {
    let plan = Plan::of(settings);
    let layers = spec.main_layers().len() as f64;
    let of_kind = |kind| {
        let layer = spec.main_layers().iter().find(|layer| layer.attention == kind);
        layer.map_or(0.0, |layer| bytes.block(*layer).get(part as usize).copied().unwrap_or(0.0))
    };
    // Experts are alike in all layers.
    let in_layer = spec
        .main_layers()
        .first()
        .map_or(0.0, |layer| bytes.block(*layer).get(part as usize).copied().unwrap_or(0.0));
    let count = |kind| spec.layers_of(kind) as f64;
    let (csa, hca, window) = (AttentionKind::Csa, AttentionKind::Hca, AttentionKind::Window);
    let experts = spec.experts as f64;
    let ep = f64::from(plan.ep);
    match part {
        _ if plan.pp > 1 => formula!("{W}", W = on_gpu => Bytes),
        Part::Routed => formula!(
            "{L} × {E} / {EP} × {M_e}",
            L = layers,
            E = experts,
            EP = ep,
            M_e = in_layer * ep / experts => Bytes
        ),
        Part::Shared => formula!(
            "{L} × {s} × {M_s}",
            L = layers,
            s = (spec.shared_experts as f64).max(1.0),
            M_s = in_layer / (spec.shared_experts as f64).max(1.0) => Bytes
        ),
        Part::Attention => formula!(
            "{L_CSA} × {W_CSA} + {L_HCA} × {W_HCA} + {L_W} × {W_W}",
            L_CSA = count(csa),
            W_CSA = of_kind(csa) => Bytes,
            L_HCA = count(hca),
            W_HCA = of_kind(hca) => Bytes,
            L_W = count(window),
            W_W = of_kind(window) => Bytes
        ),
        Part::Embedding | Part::Head => {
            // Only the reference widens the head.
            let wide = part == Part::Head && settings.dtypes == Dtypes::Reference;
            formula!(
                "{V} × {d} / {TP} × {b}",
                V = spec.vocab as f64,
                d = spec.hidden as f64,
                TP = f64::from(plan.tp),
                b = if wide { 4.0 } else { 2.0 } => Bytes
            )
        }
        Part::Router | Part::Streams | Part::Draft => formula!("{W}", W = on_gpu => Bytes),
    }
}

/// The figures of a GPU's weights, part by part.
const WEIGHTS: [(&str, Part); 8] = [
    ("weights.routed.bytes_per_gpu", Part::Routed),
    ("weights.shared.bytes_per_gpu", Part::Shared),
    ("weights.attention.bytes_per_gpu", Part::Attention),
    ("weights.router.bytes_per_gpu", Part::Router),
    ("weights.streams.bytes_per_gpu", Part::Streams),
    ("weights.embedding.bytes_per_gpu", Part::Embedding),
    ("weights.head.bytes_per_gpu", Part::Head),
    ("weights.mtp.bytes_per_gpu", Part::Draft),
];

/// The figures of a GPU's caches, each with what one request takes of it.
const fn cache_parts(parts: &CacheParts) -> [(&'static str, f64); 7] {
    [
        ("cache.window.bytes_per_gpu", parts.window),
        ("cache.csa.bytes_per_gpu", parts.csa),
        ("cache.hca.bytes_per_gpu", parts.hca),
        ("cache.indexer.bytes_per_gpu", parts.indexer),
        ("cache.state.bytes_per_gpu", parts.state),
        ("cache.page_rounding.bytes_per_gpu", parts.pages),
        ("cache.mtp.bytes_per_gpu", parts.draft),
    ]
}

/// What the fullest GPU of each stage holds, by the figures that stand for the fullest stage's.
pub(in crate::ledger) fn stage_parts(settings: &Settings, spec: &ModelSpec) -> Vec<Vec<(&'static str, f64)>> {
    let (plan, tensors) = (Plan::of(settings), Tensors::of(spec));
    let bytes = BlockBytes::of(&tensors, settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    let load = (settings.batch, settings.context);
    stages(settings, spec, &plan, &bytes, load).map(|holding| parts_of(&holding)).collect()
}

fn parts_of(holding: &Holding) -> Vec<(&'static str, f64)> {
    let weights = WEIGHTS.map(|(id, part)| (id, holding.weights.get(part as usize).copied().unwrap_or(0.0)));
    let caches = cache_parts(&holding.request).map(|(id, each)| (id, holding.requests * each));
    weights.into_iter().chain(caches).collect()
}

/// What the fullest GPU of all holds at several loads, each a batch and a context, by the figures that stand for it.
pub(in crate::ledger) fn fullest_parts(
    settings: &Settings,
    spec: &ModelSpec,
    loads: &[(u64, u64)],
) -> Vec<Vec<(&'static str, f64)>> {
    let (plan, tensors) = (Plan::of(settings), Tensors::of(spec));
    let bytes = BlockBytes::of(&tensors, settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    loads.iter().map(|load| parts_of(&fullest(stages(settings, spec, &plan, &bytes, *load)))).collect()
}

/// One request's caches over all layers at a context, by the figures that hold them.
pub(in crate::ledger) fn request_parts(
    settings: &Settings,
    spec: &ModelSpec,
    context: u64,
) -> [(&'static str, f64); 7] {
    let layers = LayerCounts::of(spec.main_layers());
    let drafts = spec.draft_blocks().len() as u64;
    let parts = CacheParts::of(spec, settings.kv_rows, layers, drafts, context);
    [
        ("cache.window.bytes", parts.window),
        ("cache.csa.bytes", parts.csa),
        ("cache.hca.bytes", parts.hca),
        ("cache.indexer.bytes", parts.indexer),
        ("cache.state.bytes", parts.state),
        ("cache.page_rounding.bytes", parts.pages),
        ("cache.mtp.bytes", parts.draft),
    ]
}

fn weights(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    bytes: &BlockBytes,
    holding: &Holding,
) -> f64 {
    for (id, part) in WEIGHTS {
        let on_gpu = holding.weights.get(part as usize).copied().unwrap_or(0.0);
        let formula = part_formula(settings, spec, bytes, (part, on_gpu));
        book.number(id, GPU_BYTES, on_gpu, formula, SHAPES);
    }
    let [routed, shared, attention, router, streams, embedding, head, draft] = holding.weights;
    book.number(
        "weights.bytes_per_gpu",
        GPU_BYTES,
        holding.weights(),
        formula!(
            "{W_routed} + {W_shared} + {W_attn} + {W_router} + {W_mHC} + {W_embed} + {W_head} + {W_MTP}",
            W_routed = routed => Bytes,
            W_shared = shared => Bytes,
            W_attn = attention => Bytes,
            W_router = router => Bytes,
            W_mHC = streams => Bytes,
            W_embed = embedding => Bytes,
            W_head = head => Bytes,
            W_MTP = draft => Bytes
        ),
        SHAPES,
    )
}

/// The caches of one GPU; `share` is what it holds of one request.
fn caches(book: &mut Book, holding: &Holding, share: f64) -> f64 {
    let (b, parts) = (holding.requests, &holding.request);
    for (id, each) in cache_parts(parts) {
        book.number(id, GPU_BYTES, b * each, formula!("{B} × {M}", B = b, M = each => Bytes), CACHES);
    }
    book.number(
        "cache.requests_per_gpu",
        (Unit::Count, Scope::PerGpu, Kind::Exact),
        b,
        formula!("{B}", B = b),
        CUTS,
    );
    let each = parts.total();
    book.number(
        "cache.request.bytes_per_gpu",
        GPU_BYTES,
        share * each,
        formula!("{x} × {M}", x = share, M = each => Bytes),
        CACHES,
    );
    book.number(
        "cache.batch.bytes_per_gpu",
        GPU_BYTES,
        holding.cache(),
        formula!("{B} × {M}", B = b, M = each => Bytes),
        CACHES,
    )
}

fn memory(book: &mut Book, settings: &Settings, weights: f64, cache: f64) -> bool {
    let (capacity, reserve) = (settings.gpu_memory.get(), settings.reserve.get());
    book.number("gpu.memory.bytes", GPU_BYTES, capacity, formula!("{C}", C = capacity => Bytes), HARDWARE);
    book.number(
        "memory.reserve.bytes_per_gpu",
        GPU_BYTES,
        reserve,
        formula!("{R}", R = reserve => Bytes),
        CHOICE,
    );
    let need = book.number(
        "memory.bytes_per_gpu",
        GPU_BYTES,
        weights + cache,
        formula!("{W} + {M}", W = weights => Bytes, M = cache => Bytes),
        SHAPES,
    );
    let with_reserve = need + reserve;
    let fits = with_reserve <= capacity;
    book.flag("memory.fits", Scope::PerGpu, fits, SHAPES);
    book.number(
        "memory.free.bytes_per_gpu",
        GPU_BYTES,
        (capacity - with_reserve).max(0.0),
        formula!("max({C} − ({M} + {R}), 0)", C = capacity => Bytes, M = need => Bytes, R = reserve => Bytes),
        SHAPES,
    );
    book.number(
        "memory.short.bytes_per_gpu",
        GPU_BYTES,
        (with_reserve - capacity).max(0.0),
        formula!("max({M} + {R} − {C}, 0)", C = capacity => Bytes, M = need => Bytes, R = reserve => Bytes),
        SHAPES,
    );
    fits
}

/// Over how many GPUs' worth of memory the requests of a stage are dealt.
fn holders(settings: &Settings, plan: &Plan) -> f64 {
    match settings.kv_placement {
        KvPlacement::ByPlan => f64::from(plan.attention_groups()),
        KvPlacement::Copied => 1.0,
        KvPlacement::Split => f64::from(plan.ep),
    }
}

/// The most requests that fit beside weights and a reserve, on the stage with the least room; `None` where not even
/// the weights fit.
pub(in crate::ledger) fn max_batch(
    settings: &Settings,
    plan: &Plan,
    stages: impl Iterator<Item = Holding>,
    reserve: f64,
) -> Option<f64> {
    let share = holders(settings, plan);
    stages
        .map(|stage| {
            let room = settings.gpu_memory.get() - stage.weights() - reserve;
            let fit = room / stage.request.total();
            let whole = if settings.kv_placement == KvPlacement::Split {
                (fit * share).floor()
            } else {
                fit.floor() * share
            };
            (room >= 0.0).then_some(whole)
        })
        .reduce(|one, other| Some(one?.min(other?)))
        .flatten()
}

/// How many requests of this context fit, and how long a context fits for this batch.
fn capacity(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    plan: &Plan,
    bytes: &BlockBytes,
    holding: &Holding,
) {
    let (memory, reserve) = (settings.gpu_memory.get(), settings.reserve.get());
    for (id, reserve) in [("capacity.max_batch", 0.0), ("capacity.max_batch_reserved", reserve)] {
        let each = stages(settings, spec, plan, bytes, (settings.batch, settings.context));
        let fewest = max_batch(settings, plan, each, reserve);
        let formula = if plan.pp == 1 && settings.kv_placement != KvPlacement::Split {
            formula!(
                "floor(({C} − {W} − {R}) / {M}) × {D}",
                C = memory => Bytes,
                W = holding.weights() => Bytes,
                R = reserve => Bytes,
                M = holding.request.total() => Bytes,
                D = holders(settings, plan)
            )
        } else {
            formula!("")
        };
        book.number_if(fewest.is_some(), id, COUNT, fewest.unwrap_or(0.0), formula, SHAPES);
    }
    let fits = |context: u64| {
        let need = fullest(stages(settings, spec, plan, bytes, (settings.batch, context))).total();
        need + reserve <= memory
    };
    // Memory rises with context, so halving finds where it ends.
    let (mut low, mut high) = (0, spec.max_context + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    book.number_if(low > 0, "capacity.max_context", COUNT, low as f64, formula!(""), SHAPES);
    book.number_if(
        low > 0,
        "capacity.tokens",
        COUNT,
        low as f64 * settings.batch as f64,
        formula!("{B} × {S}", B = settings.batch as f64, S = low as f64),
        SHAPES,
    );
}

fn smallest(book: &mut Book, settings: &Settings, spec: &ModelSpec, tensors: &Tensors) {
    let [plan, one_stage] = smallest_plan(settings, spec, tensors);
    let mut count = |id, of: fn(&Plan) -> u32| {
        let value = plan.as_ref().map_or(Value::Absent, |plan| Value::Number(f64::from(of(plan))));
        book.value(id, COUNT, value, formula!(""), CUTS);
    };
    count("plan.min_gpus", |plan| plan.gpus);
    count("plan.min_tp", |plan| plan.tp);
    count("plan.min_ep", |plan| plan.ep);
    count("plan.min_pp", |plan| plan.pp);
    let group = one_stage.map_or(Value::Absent, |plan| Value::Number(f64::from(plan.gpus)));
    book.value("plan.min_gpus_one_stage", COUNT, group, formula!(""), CUTS);
    book.value(
        "plan.legal_tp",
        (Unit::List, Scope::Total, Kind::Exact),
        Value::List(spec.legal_tp()),
        formula!(""),
        CUTS,
    );
}
