//! Capacity: what a request's cache and the weights take of a GPU, and how many requests fit.

use super::step::{Fixed, cache_split, key_bytes, request_bytes, row_bytes};
use super::*;
use crate::figure::Value;
use crate::formula;
use crate::spec::AttentionKind;

pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let gpus = f64::from(settings.gpus);
    let weights = book.number(
        "weights.bytes_per_gpu",
        GPU_BYTES,
        settings.weights.get() / gpus,
        formula!("{W} / {G}", W = settings.weights.get() => Bytes, G = gpus),
        CAPACITY,
    );
    let each = request(book, settings, spec);
    cache_write(book, spec);
    memory(book, settings, spec, weights, each);
}

/// The cache of one request: in all, and on each GPU.
fn request(book: &mut Book, settings: &Settings, spec: &ModelSpec) -> f64 {
    let row = book.number(
        "cache.row.bytes",
        LAYER_BYTES,
        row_bytes(spec),
        formula!("({c} − {c_R}) × 1 + {c_R} × 2", c = spec.head_dim as f64, c_R = spec.rope_dim as f64),
        CACHE,
    );
    let key = book.number(
        "cache.indexer_row.bytes",
        LAYER_BYTES,
        key_bytes(spec),
        formula!("{c_I} × 1", c_I = spec.indexer_head_dim as f64),
        CACHE,
    );
    let request = book.number(
        "cache.request.bytes",
        REQUEST_BYTES,
        request_bytes(spec, settings.context),
        formula!(
            "{L_CSA} × ceil({S} / {m}) × ({r} + {r_I}) + {L_HCA} × ceil({S} / {n}) × {r} + {L} × min({S}, {w}) × {r}",
            L_CSA = spec.layers_of(AttentionKind::Csa) as f64,
            S = settings.context as f64,
            m = spec.csa_ratio as f64,
            r = row => Bytes,
            r_I = key => Bytes,
            L_HCA = spec.layers_of(AttentionKind::Hca) as f64,
            n = spec.hca_ratio as f64,
            L = spec.main_layers().len() as f64,
            w = spec.window as f64
        ),
        CACHE,
    );
    let split = cache_split(settings);
    book.number(
        "cache.request.bytes_per_gpu",
        GPU_BYTES,
        request / split,
        formula!("{M} / {G}", M = request => Bytes, G = split),
        CAPACITY,
    )
}

/// What a new token adds, averaged over a group; the window's rows are written anew each time.
fn cache_write(book: &mut Book, spec: &ModelSpec) {
    book.number(
        "cache.write_per_token.bytes",
        TOKEN_BYTES,
        write_bytes(spec),
        formula!(
            "{L_CSA} × ({r} + {r_I}) / {m} + {L_HCA} × {r} / {n} + {L} × {r}",
            L_CSA = spec.layers_of(AttentionKind::Csa) as f64,
            r = row_bytes(spec) => Bytes,
            r_I = key_bytes(spec) => Bytes,
            m = spec.csa_ratio as f64,
            L_HCA = spec.layers_of(AttentionKind::Hca) as f64,
            n = spec.hca_ratio as f64,
            L = spec.main_layers().len() as f64
        ),
        CACHE,
    );
}

/// Bytes that a token writes.
pub(super) fn write_bytes(spec: &ModelSpec) -> f64 {
    let (row, key) = (row_bytes(spec), key_bytes(spec));
    spec.layers_of(AttentionKind::Csa) as f64 * (row + key) / spec.csa_ratio as f64
        + spec.layers_of(AttentionKind::Hca) as f64 * row / spec.hca_ratio as f64
        + spec.main_layers().len() as f64 * row
}

fn memory(book: &mut Book, settings: &Settings, spec: &ModelSpec, weights: f64, each: f64) {
    let (capacity, reserve, batch) =
        (settings.gpu_memory.get(), settings.reserve.get(), settings.batch as f64);
    book.number("gpu.memory.bytes", GPU_BYTES, capacity, formula!("{C}", C = capacity => Bytes), CAPACITY);
    book.number(
        "memory.reserve.bytes_per_gpu",
        GPU_BYTES,
        reserve,
        formula!("{R}", R = reserve => Bytes),
        CAPACITY,
    );
    let cache = book.number(
        "cache.batch.bytes_per_gpu",
        GPU_BYTES,
        batch * each,
        formula!("{B} × {M}", B = batch, M = each => Bytes),
        CAPACITY,
    );
    let need = book.number(
        "memory.bytes_per_gpu",
        GPU_BYTES,
        Fixed::of(settings, spec).memory_per_gpu(settings.batch),
        formula!("{W} + {M}", W = weights => Bytes, M = cache => Bytes),
        SCAN,
    );
    let with_reserve = need + reserve;
    book.flag("memory.fits", Scope::PerGpu, with_reserve <= capacity, SCAN);
    book.number(
        "memory.free.bytes_per_gpu",
        GPU_BYTES,
        (capacity - with_reserve).max(0.0),
        formula!("max({C} − {M} − {R}, 0)", C = capacity => Bytes, M = need => Bytes, R = reserve => Bytes),
        CAPACITY,
    );
    book.number(
        "memory.short.bytes_per_gpu",
        GPU_BYTES,
        (with_reserve - capacity).max(0.0),
        formula!("max({M} + {R} − {C}, 0)", C = capacity => Bytes, M = need => Bytes, R = reserve => Bytes),
        CAPACITY,
    );
    for (id, reserve) in [("capacity.max_batch", 0.0), ("capacity.max_batch_reserved", reserve)] {
        let room = capacity - weights - reserve;
        let formula = formula!(
            "floor(({C} − {W} − {R}) / {M})",
            C = capacity => Bytes,
            W = weights => Bytes,
            R = reserve => Bytes,
            M = each => Bytes
        );
        book.number_if(room >= 0.0, id, COUNT, (room / each).floor(), formula, CAPACITY);
    }
    let smallest = settings.smallest_even_split(spec);
    let smallest = smallest.map_or(Value::Absent, |gpus| Value::Number(f64::from(gpus)));
    book.value("plan.min_gpus", COUNT, smallest, formula!(""), CAPACITY);
}

impl Settings {
    /// The fewest GPUs, among those the experts divide over, on which weights, caches and reserve fit when both are
    /// split evenly; `None` where not even one expert each suffices.
    fn smallest_even_split(&self, spec: &ModelSpec) -> Option<u32> {
        let divides = |gpus: &u32| spec.experts.is_multiple_of(u64::from(*gpus));
        let most = u32::try_from(spec.experts).unwrap_or(u32::MAX).min(4096);
        (1..=most).filter(divides).find(|gpus| {
            let split = if cache_split(self) > 1.0 || self.gpus == 1 { f64::from(*gpus) } else { 1.0 };
            let cache = self.batch as f64 * request_bytes(spec, self.context) / split;
            self.weights.get() / f64::from(*gpus) + cache + self.reserve.get() <= self.gpu_memory.get()
        })
    }
}
