//! The exercise of "journey": how long does a whole step take, when each layer's parts are known?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 11);
    let layers = draw.of(&[40.0, 50.0, 60.0]);
    let attention = draw.of(&[40e-6, 60e-6, 80e-6]);
    let experts = draw.of(&[100e-6, 150e-6, 200e-6]);
    let sum = draw.of(&[30e-6, 40e-6, 50e-6]);
    let head = draw.of(&[500e-6, 1e-3]);
    let picks = draw.of(&[6.0, 8.0]);
    let seconds = |value| given(value, Unit::Seconds, look);
    let question = fill(
        look.say([
            "一个模型有 {layers} 层。每层注意力用 {attention}，选中的 {picks} 个专家分在各卡上同时算，用 {experts}；注意力后和专家后各做一次 all-reduce，一次 {sum}，都藏不住。最后输出头用 {head}。一步要多久？",
            "A model has {layers} layers. In each, attention takes {attention}; the {picks} experts picked lie on several GPUs and run at the same time, {experts}; behind attention and behind the experts stands an all-reduce of {sum}, and neither is hidden. At the end the output head takes {head}. How long is a step?",
        ]),
        &[
            ("layers", format::count(layers)),
            ("attention", seconds(attention)),
            ("picks", format::count(picks)),
            ("experts", seconds(experts)),
            ("sum", seconds(sum)),
            ("head", seconds(head)),
        ],
    );
    let mut sheet = Sheet::new(look, ["一层一层加起来", "Add it up layer by layer"]);
    let sums = sheet.line(
        ["一层里两次相加", "Two sums in a layer"],
        Unit::Seconds,
        2.0 * sum,
        formula!("2 × {s}", s = sum => Seconds),
    );
    let layer = sheet.line(
        ["一层共用", "One layer"],
        Unit::Seconds,
        attention + sums + experts,
        formula!("{a} + {s} + {e}", a = attention => Seconds, s = sums => Seconds, e = experts => Seconds),
    );
    let all = sheet.line(
        ["所有层，一层等一层", "All layers, each waiting for the one before"],
        Unit::Seconds,
        layers * layer,
        formula!("{L} × {t}", L = layers, t = layer => Seconds),
    );
    let answer = sheet.line(
        ["输出头只有一次", "The head comes once"],
        Unit::Seconds,
        all + head,
        formula!("{T} + {h}", T = all => Seconds, h = head => Seconds),
    );
    let mistakes = [
        (
            answer - layers * sum,
            [
                "每层只算了一次 all-reduce，专家后面还有一次",
                "Only one all-reduce a layer was counted; the experts have theirs",
            ],
        ),
        (
            answer + layers * experts * (picks - 1.0),
            [
                "把几个专家的时间一个个加了起来，它们在各卡上是同时算的",
                "The experts' times were added up, though they run at the same time",
            ],
        ),
        (layers * (layer + head), ["输出头算成了每层一次", "The head was counted in every layer"]),
    ];
    let right =
        ["每层四段相加，乘以层数，再加一次输出头", "Four parts a layer, times the layers, and the head once"];
    draw.ask(look, question, Unit::Seconds, (right, mistakes), sheet.done())
}
