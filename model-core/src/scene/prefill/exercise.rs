//! The exercise of "prefill": how large is the indexer's temporary in the last chunk of a prompt?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise};
use crate::scene::worked::Sheet;
use crate::words::fill;

const BF16_BYTES: f64 = 2.0;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 2);
    let prompt = draw.of(&[32_768.0, 65_536.0, 131_072.0, 262_144.0]);
    let chunk = draw.of(&[1024.0, 2048.0, 4096.0]);
    let heads = draw.of(&[8.0, 16.0, 32.0, 64.0]);
    let ratio = draw.of(&[2.0, 4.0]);
    let question = fill(
        look.say([
            "一段 {prompt} token 的提示词按每块 {chunk} token 处理。压缩层每 {ratio} 个 token 记一个条目，这张卡有 {heads} 个索引头，每个分数是 BF16。处理最后一块时，全部头的打分张量有多大？",
            "A prompt of {prompt} tokens is processed in chunks of {chunk}. A compressed layer keeps one entry for every {ratio} tokens, this GPU has {heads} indexer heads, and scores are BF16. How large is the tensor of all heads' scores in the last chunk?",
        ]),
        &[
            ("prompt", format::count(prompt)),
            ("chunk", format::count(chunk)),
            ("ratio", format::count(ratio)),
            ("heads", format::count(heads)),
        ],
    );
    let mut sheet =
        Sheet::new(look, ["查询只有一块，条目是全部", "The queries of one chunk, the entries of all"]);
    let entries = sheet.line(
        ["到最后一块为止的条目", "Entries by the end of the last chunk"],
        Unit::Count,
        (prompt / ratio).floor(),
        formula!("floor({S} / {m})", S = prompt, m = ratio),
    );
    let query = sheet.line(
        ["一个查询的分数，每个头都要打", "Scores of one query, by every head"],
        Unit::Count,
        heads * entries,
        formula!("{H} × {E}", H = heads, E = entries),
    );
    let scores = sheet.line(
        ["一块里所有查询的分数", "Scores of all queries of the chunk"],
        Unit::Count,
        chunk * query,
        formula!("{T} × {n}", T = chunk, n = query),
    );
    let answer = sheet.line(
        ["每个分数 2 字节", "Two bytes a score"],
        Unit::Bytes,
        scores * BF16_BYTES,
        formula!("{N} × 2", N = scores),
    );
    let mistakes = [
        (
            answer / chunk * prompt,
            [
                "把整段提示词都当成了这一块的查询",
                "All tokens of the prompt were taken for queries of this chunk",
            ],
        ),
        (
            answer / prompt * chunk,
            [
                "只算了这一块自己的条目，前面的也要打分",
                "Only the chunk's own entries were counted; the earlier ones are scored too",
            ],
        ),
        (
            answer * ratio,
            [
                "没有压缩：每个 token 当成了一个条目",
                "Every token was taken for an entry, without compression",
            ],
        ),
    ];
    let right = ["查询只有这一块，条目却是整段的", "Queries are the chunk's, entries are the whole prompt's"];
    draw.ask(look, question, Unit::Bytes, (right, mistakes), sheet.done())
}
