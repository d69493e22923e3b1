//! The exercise of "experts": how many different experts does a batch read?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::power::whole_power;
use crate::routing::closed_form::distinct_top_k;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 5);
    let experts = draw.of(&[96.0, 128.0, 160.0, 256.0, 384.0]);
    let picks = draw.of(&[5.0, 6.0, 7.0, 8.0]);
    // Never as many picks as there are experts: that would make two of the mistakes one.
    let share = draw.of(&[16.0, 12.0, 4.0, 3.0]);
    let tokens = (experts / share).floor();
    let question = fill(
        look.say([
            "一层有 {experts} 个路由专家，每个 token 选 {picks} 个不同的，各专家被选中的机会相同。一批 {tokens} 个 token，平均要读几个不同的专家？",
            "A layer has {experts} routed experts. Each token takes {picks} different ones, all equally likely. How many different experts does a batch of {tokens} tokens read on average?",
        ]),
        &[
            ("experts", format::count(experts)),
            ("picks", format::count(picks)),
            ("tokens", format::count(tokens)),
        ],
    );
    let mut sheet = Sheet::new(look, ["先算没人选的", "Count those that nobody takes"]);
    let passed = sheet.line(
        ["一个 token 没选的专家", "Experts that one token passes by"],
        Unit::Count,
        experts - picks,
        formula!("{E} − {k}", E = experts, k = picks),
    );
    let left = sheet.line(
        [
            "每多一个 token，没人选过的专家就再按这个比例减少",
            "Each further token leaves the same share of what nobody took so far",
        ],
        Unit::Count,
        experts * whole_power(passed / experts, tokens as u64),
        formula!("{E} × ({n} / {E}) ^ {B}", E = experts, n = passed, B = tokens),
    );
    sheet.line(
        ["剩下的都要读", "All others are read"],
        Unit::Count,
        distinct_top_k(experts, picks, tokens as u64),
        formula!("{E} − {n}", E = experts, n = left),
    );
    let mistakes = [
        (
            picks * tokens,
            [
                "没去掉重复：几个 token 会选到同一个专家",
                "Repeats were counted: several tokens take the same expert",
            ],
        ),
        (
            distinct_top_k(experts, 1.0, tokens as u64),
            ["每个 token 只算了选一个专家", "Each token was given a single expert"],
        ),
        (experts, ["当成了每个专家都有人选", "Every expert was taken to be picked by someone"]),
    ];
    let right = ["总数减去没人选的", "All experts less those that nobody takes"];
    draw.ask(look, question, Unit::Count, (right, mistakes), sheet.done())
}
