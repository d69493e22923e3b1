//! The exercise of "place": experts are dealt out, the rest is copied; what does one GPU hold?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given, mega_giga};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let (mega, giga) = mega_giga(look);
    let mut draw = Draw::new(draw, 1);
    let experts = draw.of(&[128.0, 256.0, 384.0]);
    let layers = draw.of(&[40.0, 48.0, 60.0]);
    let one = draw.of(&[16.0, 24.0, 32.0]) * mega;
    let gpus = draw.of(&[4.0, 8.0, 16.0]);
    let copied = draw.of(&[6.0, 10.0, 14.0]) * giga;
    let question = fill(
        look.say([
            "一个模型有 {layers} 层，每层 {experts} 个路由专家，每个专家 {one}，平分给 {gpus} 张卡。其余权重共 {copied}，每张卡都放一份。一张卡上的权重有多大？",
            "A model has {layers} layers with {experts} routed experts each. An expert takes {one}, and the experts are dealt evenly to {gpus} GPUs. All other weights, {copied}, are copied to every GPU. How large are the weights on one GPU?",
        ]),
        &[
            ("layers", format::count(layers)),
            ("experts", format::count(experts)),
            ("one", given(one, Unit::Bytes, look)),
            ("gpus", format::count(gpus)),
            ("copied", given(copied, Unit::Bytes, look)),
        ],
    );
    let mut sheet =
        Sheet::new(look, ["先分专家，再加每卡一份的部分", "Deal the experts, then add what is copied"]);
    let each = sheet.line(
        ["一层里一张卡分到的专家", "Experts of one layer on a GPU"],
        Unit::Count,
        experts / gpus,
        formula!("{E} / {G}", E = experts, G = gpus),
    );
    let layer = sheet.line(
        ["这些专家在一层里的大小", "Their size in one layer"],
        Unit::Bytes,
        each * one,
        formula!("{n} × {M_e}", n = each, M_e = one => Bytes),
    );
    let routed = sheet.line(
        ["所有层合计", "The same in all layers"],
        Unit::Bytes,
        layers * layer,
        formula!("{L} × {M}", L = layers, M = layer => Bytes),
    );
    sheet.line(
        ["加上每张卡都有的部分", "With what every GPU has a copy of"],
        Unit::Bytes,
        routed + copied,
        formula!("{M_routed} + {M_copied}", M_routed = routed => Bytes, M_copied = copied => Bytes),
    );
    let mistakes = [
        (
            routed + copied / gpus,
            ["把每卡各存一份的部分也平分了", "What is copied was divided among the GPUs too"],
        ),
        (routed, ["漏了每张卡都要放的那一份", "The copy that every GPU holds was left out"]),
        (layer + copied, ["专家只算了一层", "The experts of only one layer were counted"]),
    ];
    let right = ["专家按卡数分，复制的部分不分", "Experts are divided by the number of GPUs, copies are not"];
    draw.ask(look, question, Unit::Bytes, (right, mistakes), sheet.done())
}
