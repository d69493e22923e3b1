//! The exercise of "allreduce": how long does a ring take?

use crate::collective::{Algorithm, Link, all_reduce};
use crate::figure::Unit;
use crate::format;
use crate::formula;
use crate::scene::Look;
use crate::scene::exercise::{Draw, Exercise, given};
use crate::scene::worked::Sheet;
use crate::units::{Bytes, BytesPerSecond, Seconds};
use crate::words::fill;

pub(super) fn of(draw: u64, look: Look) -> Exercise {
    let mut draw = Draw::new(draw, 4);
    let gpus = draw.of(&[4.0, 8.0, 16.0]);
    let tokens = draw.of(&[16.0, 32.0, 64.0, 128.0]);
    let hidden = draw.of(&[4096.0, 5120.0, 7168.0]);
    let width = draw.of(&[2.0, 4.0]);
    let alpha = draw.of(&[1e-6, 2e-6, 3e-6]);
    let rate = draw.of(&[50e9, 200e9, 450e9]);
    let question = fill(
        look.say([
            "{gpus} 张卡用环做一次 all-reduce：{tokens} 个 token，每个 {hidden} 个值，每个值 {width} 字节。每一步启动要 {alpha}，链路单向 {rate}。一共要多久？",
            "{gpus} GPUs run an all-reduce in a ring: {tokens} tokens of {hidden} values, {width} bytes a value. Each move takes {alpha} to start, and links carry {rate} one way. How long does it take?",
        ]),
        &[
            ("gpus", format::count(gpus)),
            ("tokens", format::count(tokens)),
            ("hidden", format::count(hidden)),
            ("width", format::count(width)),
            ("alpha", given(alpha, Unit::Seconds, look)),
            ("rate", given(rate, Unit::BytesPerSecond, look)),
        ],
    );
    let message = tokens * hidden * width;
    let link = Link::new(Seconds(alpha), BytesPerSecond(rate));
    let cost =
        link.map(|link| all_reduce(Algorithm::Ring, Bytes(message), gpus as u32, link)).unwrap_or_default();
    let mut sheet = Sheet::new(look, ["启动加传输", "Start-up and transfer"]);
    sheet.line(
        ["消息大小", "Size of the message"],
        Unit::Bytes,
        message,
        formula!("{B} × {d} × {s}", B = tokens, d = hidden, s = width),
    );
    let sent = sheet.line(
        ["每张卡发出的字节", "Bytes that each GPU sends"],
        Unit::Bytes,
        cost.sent_per_gpu.get(),
        formula!("2 × ({G} − 1) / {G} × {M}", G = gpus, M = message => Bytes),
    );
    let startup = sheet.line(
        ["启动：2(G − 1) 步，每步一次", "Start-up: 2(G − 1) moves, once in each"],
        Unit::Seconds,
        cost.startup.get(),
        formula!("2 × ({G} − 1) × {t_move}", G = gpus, t_move = alpha => Seconds),
    );
    let transfer = sheet.line(
        ["传输", "Transfer"],
        Unit::Seconds,
        cost.transfer.get(),
        formula!("{M} / {R}", M = sent => Bytes, R = rate => BytesPerSecond),
    );
    let answer = sheet.line(
        ["合计", "Together"],
        Unit::Seconds,
        cost.total().get(),
        formula!("{t_start} + {t_bytes}", t_start = startup => Seconds, t_bytes = transfer => Seconds),
    );
    let mistakes = [
        (transfer, ["漏了每一步的启动", "The start-up of each move was left out"]),
        (
            answer / 2.0,
            [
                "只走了一半：累加之后还要再传一圈",
                "Only half the way: after adding, the sums go round once more",
            ],
        ),
        (
            startup + transfer * gpus,
            [
                "每步都发了整条消息，其实只发一块，即 G 分之一",
                "The whole message was sent in every move; it is one chunk, a G-th",
            ],
        ),
    ];
    let right =
        ["2(G − 1) 步，每步一次启动加一块的传输", "2(G − 1) moves, each with a start-up and one chunk"];
    draw.ask(look, question, Unit::Seconds, (right, mistakes), sheet.done())
}
