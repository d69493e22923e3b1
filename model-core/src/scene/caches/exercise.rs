//! The exercise of "caches": how many rows does a query attend to?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 7);
    let window = draw.of(&[16.0, 24.0, 32.0, 40.0]);
    let ratio = draw.of(&[4.0, 8.0]);
    let groups = draw.of(&[7.0, 9.0, 10.0, 11.0, 13.0, 14.0, 15.0, 17.0, 18.0, 20.0]);
    // The query's own token completes a group: counting the tokens before it alone misses that one.
    let position = window * 2.0 + groups * ratio - 1.0;
    let question = fill(
        look.say([
            "一层有 {window} 槽的窗口环，每 {ratio} 个 token 出一条压缩条目，条目全部可见。位置从 0 数起，位置 {position} 的 query 一共看到多少行？",
            "A layer has a window ring of {window} slots and makes an entry of every {ratio} tokens; all entries are visible. Positions count from 0. How many rows does the query at position {position} see in all?",
        ]),
        &[
            ("window", format::count(window)),
            ("ratio", format::count(ratio)),
            ("position", format::count(position)),
        ],
    );
    let mut sheet = Sheet::new(look, ["自己那个 token 也已经到了", "The query's own token is in, too"]);
    let tokens = sheet.line(
        ["已经到的 token", "Tokens that are in"],
        Unit::Count,
        position + 1.0,
        formula!("{p} + 1", p = position),
    );
    let entries = sheet.line(
        ["完整的组各有一条", "One entry for every complete group"],
        Unit::Count,
        (tokens / ratio).floor(),
        formula!("floor({T} / {m})", T = tokens, m = ratio),
    );
    sheet.line(
        ["加上环里的行，环早已满了", "The ring's rows are added; it has been full for long"],
        Unit::Count,
        window + entries,
        formula!("{w} + {E}", w = window, E = entries),
    );
    let mistakes = [
        (
            window + (position / ratio).floor(),
            [
                "位置从 0 数，token 却有 p + 1 个：最后一组刚好满",
                "There are p + 1 tokens when positions count from 0: the last group is just full",
            ],
        ),
        (
            window + ((tokens - window) / ratio).floor(),
            [
                "窗口里的 token 也在条目里，两边都看",
                "Tokens in the window are in entries as well, and are seen both ways",
            ],
        ),
        (
            window + tokens,
            ["没有压缩：把每个 token 都当成一行", "Every token was taken for a row, without entries"],
        ),
    ];
    let right = ["环里的行，加上全部完整的条目", "The ring's rows and all complete entries"];
    draw.ask(look, question, Unit::Count, (right, mistakes), sheet.done())
}
