//! The exercise of "decode": time for a token with drafts.

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 8);
    let acceptance = draw.of(&[0.5, 0.6, 0.7, 0.8]);
    let plain_s = draw.of(&[0.02, 0.025, 0.03, 0.04]);
    let more = draw.of(&[1.2, 1.3, 1.4]);
    let draft_s = draw.of(&[0.001, 0.0015, 0.002]);
    let verify_s = plain_s * more;
    let s = |s: f64| given(s, Unit::Seconds, look);
    let question = fill(
        look.say([
            "不打草稿时一步 {plain}，出一个 token。现在每步先打 2 个草稿，每个 {draft}，再用 {verify} 把它们一起验证。每个草稿在前面都被接受时有 {chance} 的机会被接受。平均每个 token 要多久？",
            "Without drafts a step takes {plain} and gives one token. Now each step first makes 2 drafts, {draft} each, and verifies them together in {verify}. A draft is accepted with a chance of {chance} if those before it were. How long does a token take on average?",
        ]),
        &[
            ("plain", s(plain_s)),
            ("draft", s(draft_s)),
            ("verify", s(verify_s)),
            ("chance", format::percent(acceptance)),
        ],
    );
    let mut sheet = Sheet::new(look, ["时间除以期望的个数", "Time over the tokens expected"]);
    let step = sheet.line(
        ["一步的时间", "Time of a step"],
        Unit::Seconds,
        verify_s + 2.0 * draft_s,
        formula!("{t_v} + 2 × {t_d}", t_v = verify_s => Seconds, t_d = draft_s => Seconds),
    );
    let gained = sheet.line(
        ["一步期望几个：第二个草稿要第一个先被接受", "Tokens expected: the second draft needs the first"],
        Unit::Count,
        1.0 + acceptance + acceptance * acceptance,
        formula!("1 + {a} + {a} × {a}", a = acceptance),
    );
    sheet.line(
        ["每个 token", "A token"],
        Unit::Seconds,
        step / gained,
        formula!("{t} / {n}", t = step => Seconds, n = gained),
    );
    let mistakes = [
        (
            step / (1.0 + 2.0 * acceptance),
            ["把两个草稿当成各自独立地被接受", "Both drafts were taken to be accepted on their own"],
        ),
        (
            step / (acceptance + acceptance * acceptance),
            ["漏了验证本身给出的那个 token", "The token that verifying itself gives was left out"],
        ),
        (step / 3.0, ["当成草稿全被接受", "All drafts were taken to be accepted"]),
    ];
    let right = ["期望个数是 1 + a + a²", "The tokens expected are 1 + a + a²"];
    draw.ask(look, question, Unit::Seconds, (right, mistakes), sheet.done())
}
