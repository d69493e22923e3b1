//! The calculation of "request": pages of a prompt, its chunks, the time to the first token on an idle engine, and the
//! whole answer.

use super::Requests;
use super::traffic::restore_s;
use crate::figure::Unit;
use crate::formula;
use crate::hardware::host;
use crate::scene::Look;
use crate::scene::worked::{MOST_TERMS, Sheet, Worked, sum_of};

/// The scenario's calculation.
pub(super) fn of(scene: &Requests, look: Look) -> Worked {
    let title = ["一条典型请求：引擎空着时要多久", "A typical request on an idle engine"];
    let mut sheet = Sheet::new(look, title);
    let traffic = &scene.traffic;
    let (prompt, found) = (traffic.typical.prompt as f64, traffic.typical.found as f64);
    let page = traffic.engine.page_tokens as f64;
    sheet.line(
        ["提示词占几页 KV，最后一页多半装不满", "Pages of the prompt; the last one is seldom full"],
        Unit::Count,
        (prompt / page).ceil(),
        formula!("ceil({P} / {p})", P = prompt, p = page),
    );
    let read = traffic.read();
    let restore = sheet.line(
        [
            "从盘上读回找到的前缀，一块盘的四条 PCIe 通道是最窄处",
            "Reading the found prefix through the four lanes of a drive",
        ],
        Unit::Seconds,
        restore_s(read),
        formula!("{M} / {r}", M = read.get() => Bytes, r = host::DRIVE.get() => BytesPerSecond),
    );
    let again = traffic.recomputed() as f64;
    let chunk = traffic.engine.chunk as f64;
    if scene.chunks.len() < super::traffic::MOST_TIMED {
        sheet.line(
            [
                "还要算几块：没找到的，加上窗口缺口里补算的",
                "Chunks to compute: what was not found, and what is redone",
            ],
            Unit::Count,
            scene.chunks.len() as f64,
            formula!("ceil(({P} − {h} + {a}) / {c})", P = prompt, h = found, a = again, c = chunk),
        );
    } else {
        sheet.line(
            ["还要算几个 token", "Tokens to compute"],
            Unit::Count,
            prompt - found + again,
            formula!("{P} − {h} + {a}", P = prompt, h = found, a = again),
        );
    }
    let known = !scene.chunks_s.is_empty();
    let sum = scene.chunks_s.iter().sum::<f64>();
    let prefill = sheet.line(
        ["各块的时间相加，越往后前缀越长", "The chunks' times; each has more before it"],
        Unit::Seconds,
        if known { sum } else { f64::NAN },
        if scene.chunks_s.len() <= MOST_TERMS {
            sum_of(&scene.chunks_s, Unit::Seconds)
        } else {
            formula!("{t}", t = sum => Seconds)
        },
    );
    let parts: Vec<f64> = scene
        .step
        .iter()
        .flat_map(|step| {
            let stages = step.stages.iter().map(|stage| stage.hbm.max(stage.compute).get());
            stages.chain([step.fixed.get(), step.latency.get()]).filter(|s| *s > 0.0).collect::<Vec<_>>()
        })
        .collect();
    let step_s = scene.step.map_or(f64::NAN, |step| step.total.get());
    // Drafts take time beside these parts; then the whole is given as one number.
    let adds_up = (parts.iter().sum::<f64>() / step_s - 1.0).abs() < 1e-9;
    let first = sheet.line(
        [
            "一步 decode：各段取带宽与算力中较长的，再加固定开销和每层延迟",
            "A decode step: the longer of bytes and FLOPs for each stage, fixed time and latency",
        ],
        Unit::Seconds,
        step_s,
        if adds_up { sum_of(&parts, Unit::Seconds) } else { formula!("{t}", t = step_s => Seconds) },
    );
    if let Some((id, value)) = scene.step_figure() {
        sheet.is(id, Some(value));
    }
    let ttft = sheet.line(
        ["不排队时的 TTFT：读回、预填充、首步", "TTFT without a queue: disk, chunks, first step"],
        Unit::Seconds,
        restore + prefill + first,
        formula!("{t_d} + {t_p} + {t_1}", t_d = restore => Seconds, t_p = prefill => Seconds, t_1 = first => Seconds),
    );
    let output = traffic.typical.output as f64;
    sheet.line(
        ["答完：其余 token 每个再走一步", "To the end of the answer: a step for each further token"],
        Unit::Seconds,
        ttft + (output - 1.0) * first,
        formula!("{t} + ({n} − 1) × {t_1}", t = ttft => Seconds, n = output, t_1 = first => Seconds),
    );
    sheet.done()
}
