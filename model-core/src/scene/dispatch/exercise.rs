//! The exercise of "dispatch": how much crosses the links when copies are merged and some stay home?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 6);
    let tokens = draw.of(&[32.0, 64.0, 96.0, 128.0]);
    let hidden = draw.of(&[4096.0, 5120.0, 7168.0]);
    let width = draw.of(&[2.0, 4.0]);
    let picks = draw.of(&[6.0, 8.0]);
    let homes = draw.of(&[3.0, 4.0, 5.0]);
    let question = fill(
        look.say([
            "一批 {tokens} 个 token 分散在各卡上，每个 token 有 {hidden} 个值，每个值 {width} 字节。每个 token 选 {picks} 个专家，正好落在 {homes} 张卡上，其中一张就是它自己那张。去同一张卡的合并成一份。一次 dispatch 经过链路的共有多少字节？",
            "A batch of {tokens} tokens is spread over the GPUs, {hidden} values a token, {width} bytes a value. Each token's {picks} experts lie on exactly {homes} GPUs, one of them its own, and copies for the same GPU are merged. How many bytes cross the links in one dispatch?",
        ]),
        &[
            ("tokens", format::count(tokens)),
            ("hidden", format::count(hidden)),
            ("width", format::count(width)),
            ("picks", format::count(picks)),
            ("homes", format::count(homes)),
        ],
    );
    let mut sheet = Sheet::new(look, ["数清要走链路的份数", "Count the copies that leave"]);
    let copy = sheet.line(
        ["一份的大小", "One copy"],
        Unit::Bytes,
        hidden * width,
        formula!("{d} × {s}", d = hidden, s = width),
    );
    let leave = sheet.line(
        ["每个 token 发出几份：一张卡一份，自己的不发", "Copies a token sends: one to each GPU but its own"],
        Unit::Count,
        homes - 1.0,
        formula!("{r} − 1", r = homes),
    );
    let all = sheet.line(
        ["整批一共几份", "Copies of the whole batch"],
        Unit::Count,
        tokens * leave,
        formula!("{B} × {n}", B = tokens, n = leave),
    );
    let answer = sheet.line(
        ["合计字节", "Bytes in all"],
        Unit::Bytes,
        all * copy,
        formula!("{N} × {c}", N = all, c = copy => Bytes),
    );
    let mistakes = [
        (
            tokens * picks * copy,
            ["每个专家发了一份，没有合并", "A copy was sent for every expert, without merging"],
        ),
        (
            tokens * homes * copy,
            ["把留在自己卡上的那份也算进去了", "The copy that stays on its own GPU was counted"],
        ),
        (answer / width, ["只数了多少个值，没有乘每个值的字节数", "Values were counted, not their bytes"]),
    ];
    let right = ["一张卡一份，自己那份不走链路", "One copy for each GPU, and none to the token's own"];
    draw.ask(look, question, Unit::Bytes, (right, mistakes), sheet.done())
}
