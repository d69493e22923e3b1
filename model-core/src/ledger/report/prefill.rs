//! Prefill: one chunk of a prompt after a prefix, by stages, and the time to the first token.

use super::capacity::write_bytes;
use super::step::*;
use super::*;
use crate::formula;
use crate::ledger::experts::distinct_experts;

/// A chunk's stages.
pub(in crate::ledger) struct Chunk {
    pub(in crate::ledger) proj: Stage,
    pub(in crate::ledger) attn: Stage,
    pub(in crate::ledger) moe: Stage,
    /// Writing the caches.
    pub(in crate::ledger) write_s: f64,
    /// Bytes that a token reads of the caches.
    read: f64,
}

impl Chunk {
    pub(in crate::ledger) fn of(settings: &Settings, spec: &ModelSpec) -> Self {
        Self::after(settings, spec, settings.prefix, settings.chunk)
    }

    /// The same for so many tokens after a prefix.
    pub(in crate::ledger) fn after(settings: &Settings, spec: &ModelSpec, prefix: u64, chunk: u64) -> Self {
        let tokens = chunk as f64;
        // Every token of the chunk is taken at the chunk's middle.
        let middle = prefix + chunk / 2;
        let rates = Rates::of(settings);
        let efficiency = &settings.efficiency;
        let layers = spec.main_layers().len() as f64;
        let params = over_layers(spec, |kind| proj_params(spec, kind));
        let read = over_layers(spec, |kind| read_bytes(spec, kind, middle));
        let flops = over_layers(spec, |kind| attn_flops(spec, kind, middle));
        let distinct = distinct_experts(spec, settings.draw, chunk);
        Self {
            proj: rates.stage(params, 2.0 * tokens * params, efficiency.proj),
            attn: rates.cache_stage(tokens * read, tokens * flops, efficiency.attn, cache_split(settings)),
            moe: rates.stage(
                layers * expert_read_bytes(spec, distinct),
                layers * tokens * expert_flops(spec),
                efficiency.moe_prefill,
            ),
            write_s: rates.stage(tokens * write_bytes(spec), 0.0, 1.0).hbm_s,
            read,
        }
    }

    /// Stages one after the other, then the fixed time.
    pub(in crate::ledger) fn total_s(&self, settings: &Settings) -> f64 {
        let stages = self.proj.taken_s() + self.attn.taken_s() + self.moe.taken_s();
        stages + self.write_s + settings.overhead.prefill.get()
    }
}

pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let tokens = settings.chunk as f64;
    let gpus = f64::from(settings.gpus);
    let chunk = Chunk::of(settings, spec);
    let proj_s = taken(book, "prefill.proj_s", &chunk.proj);
    book.number(
        "prefill.kv_read.bytes",
        TOTAL_BYTES,
        chunk.attn.bytes,
        formula!("{T} × {R}", T = tokens, R = chunk.read => Bytes),
        PREFILL,
    );
    let attn_s = taken(book, "prefill.attn_s", &chunk.attn);
    let moe_s = taken(book, "prefill.moe_s", &chunk.moe);
    let write_s = book.number(
        "prefill.kv_write_s",
        STEP_TIME,
        chunk.write_s,
        formula!(
            "{T} × {M} / ({G} × {BW} × {e})",
            T = tokens,
            M = write_bytes(spec) => Bytes,
            G = gpus,
            BW = settings.hbm.get() => BytesPerSecond,
            e = settings.efficiency.hbm
        ),
        PREFILL,
    );
    let fixed = settings.overhead.prefill.get();
    book.number("prefill.overhead_s", STEP_TIME, fixed, formula!("{t}", t = fixed => Seconds), PREFILL);
    let step = book.number(
        "prefill.step_s",
        STEP_TIME,
        chunk.total_s(settings),
        formula!(
            "{t_proj} + {t_attn} + {t_moe} + {t_w} + {t_0}",
            t_proj = proj_s => Seconds,
            t_attn = attn_s => Seconds,
            t_moe = moe_s => Seconds,
            t_w = write_s => Seconds,
            t_0 = fixed => Seconds
        ),
        PREFILL,
    );
    book.number(
        "prefill.tokens_per_s",
        RATE,
        tokens / step,
        formula!("{T} / {t}", T = tokens, t = step => Seconds),
        PREFILL,
    );
    let first = Fixed::of(settings, spec).step(settings, spec, settings.batch).total_s();
    let queue = settings.queue.get();
    book.number(
        "ttft_s",
        STEP_TIME,
        queue + step + first,
        formula!(
            "{t_queue} + {t_prefill} + {t_step}",
            t_queue = queue => Seconds,
            t_prefill = step => Seconds,
            t_step = first => Seconds
        ),
        PREFILL,
    );
}

fn taken(book: &mut Book, id: &'static str, stage: &Stage) -> f64 {
    let (hbm, compute) = (stage.hbm_s, stage.compute_s);
    let formula = formula!("max({t_hbm}, {t_comp})", t_hbm = hbm => Seconds, t_comp = compute => Seconds);
    book.number(id, STEP_TIME, stage.taken_s(), formula, PREFILL)
}
