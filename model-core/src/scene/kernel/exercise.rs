//! The exercise of "kernel": a matrix of weights, a few tokens or many: how long does it take at least?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 3);
    let rows = draw.of(&[2048.0, 4096.0, 7168.0]);
    let depth = draw.of(&[2048.0, 3072.0, 7168.0]);
    // Well on either side of every ridge below.
    let tokens = draw.of(&[24.0, 32.0, 48.0, 1536.0, 3072.0]);
    let hbm = draw.of(&[3e12, 4e12, 8e12]);
    let peak = draw.of(&[1e15, 2e15, 4e15]);
    let question = fill(
        look.say([
            "{rows} × {depth} 的权重矩阵用 FP8 存，每个值 1 字节，要乘 {tokens} 个 token。显存带宽 {hbm}，算力 {peak}，读和算可以同时进行，只计读权重。最少要多久？",
            "A weight matrix of {rows} × {depth} in FP8, one byte a value, is multiplied with {tokens} tokens. Memory gives {hbm}, compute {peak}; reading and computing run side by side, and only the weights' bytes count. How long does it take at least?",
        ]),
        &[
            ("rows", format::count(rows)),
            ("depth", format::count(depth)),
            ("tokens", format::count(tokens)),
            ("hbm", given(hbm, Unit::BytesPerSecond, look)),
            ("peak", given(peak, Unit::FlopsPerSecond, look)),
        ],
    );
    let mut sheet = Sheet::new(look, ["读和算，取慢的那个", "Reading and computing: the slower one counts"]);
    let read = sheet.line(
        ["权重只读一遍", "The weights, read once"],
        Unit::Bytes,
        rows * depth,
        formula!("{R} × {D} × 1", R = rows, D = depth),
    );
    let flops = sheet.line(
        ["每个权重对每个 token 一乘一加", "For each weight and token, one multiplication and one addition"],
        Unit::Flop,
        2.0 * rows * depth * tokens,
        formula!("2 × {R} × {D} × {M}", R = rows, D = depth, M = tokens),
    );
    let reading = sheet.line(
        ["读的时间", "Time to read"],
        Unit::Seconds,
        read / hbm,
        formula!("{W} / {B}", W = read => Bytes, B = hbm => BytesPerSecond),
    );
    let computing = sheet.line(
        ["算的时间", "Time to compute"],
        Unit::Seconds,
        flops / peak,
        formula!("{F} / {P}", F = flops => Flop, P = peak => FlopsPerSecond),
    );
    sheet.line(
        ["同时进行，取长的", "Side by side, the longer of the two"],
        Unit::Seconds,
        reading.max(computing),
        formula!("max({t_read}, {t_compute})", t_read = reading => Seconds, t_compute = computing => Seconds),
    );
    let sum = (
        reading + computing,
        ["把两段时间加了起来，其实可以重叠", "The two times were added, though they overlap"],
    );
    let answers = if reading > computing {
        (
            ["没到屋脊，读权重更慢", "Below the ridge, reading the weights takes longer"],
            [
                sum,
                (
                    computing,
                    ["只看了算，这里慢的是读", "Only computing was looked at; reading is slower here"],
                ),
                (
                    reading * tokens,
                    [
                        "每个 token 都重读了一遍权重，其实一遍供所有 token 用",
                        "The weights were read again for each token; once serves them all",
                    ],
                ),
            ],
        )
    } else {
        (
            ["过了屋脊，计算更慢", "Past the ridge, computing takes longer"],
            [
                sum,
                (reading, ["只看了读，这里慢的是算", "Only reading was looked at; computing is slower here"]),
                (
                    computing / 2.0,
                    [
                        "一乘一加是两次运算，只算了一次",
                        "A multiplication and an addition are two operations, not one",
                    ],
                ),
            ],
        )
    };
    draw.ask(look, question, Unit::Seconds, answers, sheet.done())
}
