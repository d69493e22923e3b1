//! The exercise of "waves": which link does computation just hide?

use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 10);
    let peak = draw.of(&[500e12, 800e12, 1000e12, 1500e12, 2000e12, 4500e12]);
    let inner = draw.of(&[1536.0, 2048.0, 2560.0, 3072.0]);
    let hidden = draw.of(&[4096.0, 5120.0, 7168.0, 8192.0]);
    let question = fill(
        look.say([
            "一张卡的 FP8 算力是 {peak}。专家的输入宽 {h}、中间宽 {d}，有三个矩阵；token 发去每个值 1 字节，结果收回每个值 2 字节。计算一直是满的，链路单向至少要多快，才刚好藏得住传输？",
            "A GPU reaches {peak} in FP8. An expert has three matrices, its input is {h} wide and its inner width is {d}; tokens go out at 1 byte a value and results come back at 2. If computation never pauses, how fast must the link be in one direction to be just hidden?",
        ]),
        &[
            ("peak", given(peak, Unit::FlopsPerSecond, look)),
            ("h", crate::format::count(hidden)),
            ("d", crate::format::count(inner)),
        ],
    );
    let mut sheet =
        Sheet::new(look, ["一对算多久，就能传多久", "A pair may travel as long as it is computed"]);
    let flops = sheet.line(
        ["一对 token 和专家的运算：三个矩阵，一乘一加", "FLOPs of a pair: three matrices, multiply and add"],
        Unit::Flop,
        6.0 * hidden * inner,
        formula!("2 × 3 × {h} × {d}", h = hidden, d = inner),
    );
    let bytes = sheet.line(
        ["一对来回的字节", "Bytes of a pair, out and back"],
        Unit::Bytes,
        3.0 * hidden,
        formula!("(1 + 2) × {h}", h = hidden),
    );
    let threshold = sheet.line(
        ["每字节能陪多少运算：h 约掉，剩 2·d", "FLOPs for each byte: h cancels, 2·d is left"],
        Unit::FlopPerByte,
        flops / bytes,
        formula!("{F} / {M}", F = flops => Flop, M = bytes => Bytes),
    );
    let answer = sheet.line(
        ["链路至少这么快", "The link must be at least so fast"],
        Unit::BytesPerSecond,
        peak / threshold,
        formula!("{C} / {r}", C = peak => FlopsPerSecond, r = threshold => FlopPerByte),
    );
    let mistakes = [
        (
            answer / 3.0,
            ["只算了发去，漏了收回的 2 字节", "Only the way out was counted, not the 2 bytes back"],
        ),
        (
            peak / (2.0 * hidden),
            ["用了模型宽度 h，该用专家的中间宽度", "The model's width was taken, not the expert's inner one"],
        ),
        (
            2.0 * answer,
            ["两个方向加在一起了，那是双向口径", "Both directions were added up, as data sheets do"],
        ),
    ];
    let right = ["算力除以 2·d，单向", "Compute rate over 2·d, in one direction"];
    draw.ask(look, question, Unit::BytesPerSecond, (right, mistakes), sheet.done())
}
