//! The exercise of "accounts": what is a faster part worth on the critical path?

use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 9);
    let attention = draw.of(&[0.005, 0.006, 0.007]);
    let experts = draw.of(&[0.008, 0.010, 0.012]);
    let comm = draw.of(&[0.014, 0.016, 0.018]);
    let hidden = draw.of(&[0.0025, 0.0035]);
    let times = draw.of(&[2.0, 4.0]);
    let time = |seconds: f64| given(seconds, Unit::Seconds, look);
    let question = fill(
        look.say([
            "一步里，注意力 {a}、专家 {e}，通信共 {c}，其中 {h} 已经藏在计算后面，剩下的露在外面。专家 kernel 优化到 {x} 倍快，藏住的通信还藏得住。整步变成多久？",
            "In a step, attention takes {a} and the experts {e}; communication takes {c} in all, of which {h} are hidden behind computation and the rest is exposed. The experts get {x} times as fast, and what is hidden stays hidden. How long is the step then?",
        ]),
        &[
            ("a", time(attention)),
            ("e", time(experts)),
            ("c", time(comm)),
            ("h", time(hidden)),
            ("x", format::count(times)),
        ],
    );
    let mut sheet = Sheet::new(look, ["只数露在路上的", "Count what lies on the path"]);
    let exposed = sheet.line(
        ["露在外面的通信", "Communication that is exposed"],
        Unit::Seconds,
        comm - hidden,
        formula!("{c} − {h}", c = comm => Seconds, h = hidden => Seconds),
    );
    let faster = sheet.line(
        ["变快的专家", "The faster experts"],
        Unit::Seconds,
        experts / times,
        formula!("{e} / {x}", e = experts => Seconds, x = times),
    );
    let answer = sheet.line(
        ["三段一段接一段", "The three parts after each other"],
        Unit::Seconds,
        attention + faster + exposed,
        formula!("{a} + {f} + {p}", a = attention => Seconds, f = faster => Seconds, p = exposed => Seconds),
    );
    let mistakes = [
        (
            answer + hidden,
            [
                "把藏住的通信也加上了，那段没有占时间",
                "Hidden communication was added, which takes no time of its own",
            ],
        ),
        (
            (attention + experts + exposed) / times,
            ["整步都除了，其实只有专家变快", "The whole step was divided, but only the experts got faster"],
        ),
        (attention + experts + exposed, ["专家的提速没有算进去", "The faster experts were left out"]),
    ];
    let right = [
        "藏住的不占时间，提速只作用在专家自己",
        "What is hidden takes no time; only the experts' own part shrinks",
    ];
    draw.ask(look, question, Unit::Seconds, (right, mistakes), sheet.done())
}
