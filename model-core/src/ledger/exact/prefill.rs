//! Prefill: one chunk of one request's prompt after a prefix, and the time to the first token.

use super::decode::Steps;
use super::step::Work;
use super::*;

pub(super) fn write(book: &mut Book, settings: &Settings, work: &Work, first: &Steps, fits: bool) {
    let step = work.prefill();
    let tokens = settings.chunk as f64;
    book.number(
        "prefill.kv_read.bytes_per_gpu",
        STEP_BYTES,
        step.attn.bytes,
        formula!("{M}", M = step.attn.bytes => Bytes),
        CACHES,
    );
    for (id, stage) in [
        ("prefill.proj.flops_per_gpu", &step.proj),
        ("prefill.attn.flops_per_gpu", &step.attn),
        ("prefill.moe.flops_per_gpu", &step.moe),
    ] {
        book.number(id, STEP_FLOPS, stage.flops, formula!("{F}", F = stage.flops => Flop), FLOOR);
    }
    for (id, stage) in [
        ("prefill.proj_s", &step.proj),
        ("prefill.attn_s", &step.attn),
        ("prefill.moe_s", &step.moe),
        ("prefill.head_s", &step.head),
        ("prefill.other_s", &step.other),
    ] {
        book.number(
            id,
            STEP_TIME,
            stage.taken_s(),
            formula!("max({t_hbm}, {t_comp})", t_hbm = stage.hbm_s => Seconds, t_comp = stage.compute_s => Seconds),
            FLOOR,
        );
    }
    let floor_s = step.floor_s();
    let [proj, attn, moe, head, other, _] = step.stages().map(|stage| stage.taken_s());
    book.number(
        "prefill.floor_s",
        STEP_TIME,
        floor_s,
        formula!(
            "{t_proj} + {t_attn} + {t_moe} + {t_head} + {t_other}",
            t_proj = proj => Seconds,
            t_attn = attn => Seconds,
            t_moe = moe => Seconds,
            t_head = head => Seconds,
            t_other = other => Seconds
        ),
        FLOOR,
    );
    let exchange = step.exchange.total_s();
    book.number(
        "prefill.exchange_s",
        STEP_TIME,
        exchange,
        formula!(
            "{t_a} + {t_b}",
            t_a = step.exchange.startup_s => Seconds,
            t_b = step.exchange.transfer_s => Seconds
        ),
        LINKS,
    );
    let overhead = settings.overhead.prefill.get();
    let total = floor_s + exchange + overhead;
    book.number_if(
        fits,
        "prefill.step_s",
        STEP_TIME,
        total,
        formula!(
            "{t_floor} + {t_x} + {t_0}",
            t_floor = floor_s => Seconds,
            t_x = exchange => Seconds,
            t_0 = overhead => Seconds
        ),
        FLOOR,
    );
    book.number_if(
        fits,
        "prefill.tokens_per_s",
        RATE,
        tokens / total,
        formula!("{T} / {t}", T = tokens, t = total => Seconds),
        FLOOR,
    );
    let queue = settings.queue.get();
    let [low, high] = first.range;
    let known = first.known.unwrap_or(0.0);
    for (id, there, decode) in
        [("ttft_s", first.known.is_some(), known), ("ttft_low_s", fits, low), ("ttft_high_s", fits, high)]
    {
        book.number_if(
            there,
            id,
            STEP_TIME,
            queue + total + decode,
            formula!(
                "{t_queue} + {t_prefill} + {t_step}",
                t_queue = queue => Seconds,
                t_prefill = total => Seconds,
                t_step = decode => Seconds
            ),
            LATENCY,
        );
    }
}
