//! Prefill: one chunk of a prompt after a prefix, by stages, and the time to the first token.

use super::capacity::write_bytes;
use super::step::*;
use super::*;
use crate::formula;
use crate::ledger::experts::distinct_experts;

pub(super) fn write(book: &mut Book, settings: &Settings, spec: &ModelSpec) {
    let tokens = settings.chunk as f64;
    let gpus = f64::from(settings.gpus);
    // Every token of the chunk is taken at the chunk's middle.
    let middle = settings.prefix + settings.chunk / 2;
    let rates = Rates::of(settings);
    let efficiency = &settings.efficiency;
    let layers = spec.main_layers().len() as f64;

    let proj_params = over_layers(spec, |kind| proj_params(spec, kind));
    let proj = rates.stage(proj_params, 2.0 * tokens * proj_params, efficiency.proj);
    let proj_s = taken(book, "prefill.proj_s", &proj);

    let read = over_layers(spec, |kind| read_bytes(spec, kind, middle));
    let flops = over_layers(spec, |kind| attn_flops(spec, kind, middle));
    book.number(
        "prefill.kv_read.bytes",
        TOTAL_BYTES,
        tokens * read,
        formula!("{T} × {R}", T = tokens, R = read => Bytes),
        PREFILL,
    );
    let attn = rates.cache_stage(tokens * read, tokens * flops, efficiency.attn, cache_split(settings));
    let attn_s = taken(book, "prefill.attn_s", &attn);

    let distinct = distinct_experts(spec, settings.draw, settings.chunk);
    let moe = rates.stage(
        layers * expert_read_bytes(spec, distinct),
        layers * tokens * expert_flops(spec),
        efficiency.moe_prefill,
    );
    let moe_s = taken(book, "prefill.moe_s", &moe);

    let written = tokens * write_bytes(spec);
    let write_s = book.number(
        "prefill.kv_write_s",
        STEP_TIME,
        rates.stage(written, 0.0, 1.0).hbm_s,
        formula!(
            "{T} × {M} / ({G} × {BW} × {e})",
            T = tokens,
            M = write_bytes(spec) => Bytes,
            G = gpus,
            BW = settings.hbm.get() => BytesPerSecond,
            e = efficiency.hbm
        ),
        PREFILL,
    );
    let fixed = settings.overhead.prefill.get();
    book.number("prefill.overhead_s", STEP_TIME, fixed, formula!("{t}", t = fixed => Seconds), PREFILL);
    let step = book.number(
        "prefill.step_s",
        STEP_TIME,
        proj_s + attn_s + moe_s + write_s + fixed,
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
    let formula = formula!("max({t_hbm}, {t_comp})", t_hbm = stage.hbm_s => Seconds, t_comp = stage.compute_s => Seconds);
    book.number(id, STEP_TIME, stage.taken_s(), formula, PREFILL)
}
