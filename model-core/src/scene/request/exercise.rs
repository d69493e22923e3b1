//! The exercise of "request": how long until the first token?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 0);
    let prompt = draw.of(&[24_576.0, 32_768.0, 65_536.0]);
    let chunk = draw.of(&[4096.0, 8192.0]);
    let share = draw.of(&[0.5, 0.75]);
    let chunk_s = draw.of(&[0.06, 0.08, 0.12]);
    let queue_s = draw.of(&[0.15, 0.3, 0.7]);
    let restore_s = draw.of(&[0.03, 0.05, 0.09]);
    let step_s = draw.of(&[0.036, 0.04, 0.045]);
    // Whole chunks are found, so that none is cut.
    let found = (prompt * share / chunk).floor() * chunk;
    let s = |s: f64| given(s, Unit::Seconds, look);
    let question = fill(
        look.say([
            "一条 {prompt} 个 token 的请求排队 {queue}。前缀缓存里找到它前面的 {found} 个 token，窗口也在，从盘上读回用了 {restore}。其余的按每块 {chunk} 个 token 预填充，每块 {each}。一步 decode 要 {step}。从到达到首个 token 一共多久？",
            "A request of {prompt} tokens waits {queue} in the queue. The prefix cache holds its first {found} tokens with their window, and reading them from disk takes {restore}. The rest is computed in chunks of {chunk} tokens, {each} a chunk; a decode step takes {step}. How long is it from arrival to the first token?",
        ]),
        &[
            ("prompt", format::count(prompt)),
            ("queue", s(queue_s)),
            ("found", format::count(found)),
            ("restore", s(restore_s)),
            ("chunk", format::count(chunk)),
            ("each", s(chunk_s)),
            ("step", s(step_s)),
        ],
    );
    let mut sheet = Sheet::new(look, ["把 TTFT 的几段接起来", "Put the parts of TTFT together"]);
    let chunks = sheet.line(
        ["没找到的要算几块", "Chunks of what was not found"],
        Unit::Count,
        ((prompt - found) / chunk).ceil(),
        formula!("ceil(({P} − {h}) / {c})", P = prompt, h = found, c = chunk),
    );
    let prefill = sheet.line(
        ["预填充", "Prefill"],
        Unit::Seconds,
        chunks * chunk_s,
        formula!("{n} × {t}", n = chunks, t = chunk_s => Seconds),
    );
    let answer = sheet.line(
        [
            "排队、读回、预填充，再加给出首 token 的那一步",
            "Queue, disk, prefill, and the step that gives the token",
        ],
        Unit::Seconds,
        queue_s + restore_s + prefill + step_s,
        formula!(
            "{t_q} + {t_d} + {t_p} + {t_1}",
            t_q = queue_s => Seconds,
            t_d = restore_s => Seconds,
            t_p = prefill => Seconds,
            t_1 = step_s => Seconds
        ),
    );
    let whole = (prompt / chunk).ceil() * chunk_s;
    let mistakes = [
        (
            queue_s + restore_s + whole + step_s,
            ["命中的前缀又算了一遍", "The prefix that was found was computed again"],
        ),
        (
            answer - queue_s,
            ["漏了排队：用户从到达那一刻就在等", "The queue was left out: the user waits from arrival on"],
        ),
        (
            answer - step_s,
            [
                "停在预填充结束：还要一步 decode 才有 token",
                "It stops at the end of prefill: a decode step must follow",
            ],
        ),
    ];
    let right = ["四段首尾相接", "Four parts, one after the other"];
    draw.ask(look, question, Unit::Seconds, (right, mistakes), sheet.done())
}
