//! The calculation of "allreduce": one coordinate added by hand, then what the whole message sends and how long it takes.

use super::Reducing;
use crate::collective::Algorithm;
use crate::figure::Unit;
use crate::formula;
use crate::formula::Formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked, sum_of};

/// The scenario's calculation.
pub(super) fn of(scene: &Reducing, look: Look) -> Worked {
    let mut sheet = Sheet::new(
        look,
        ["把部分和加起来，要发多少、等多久", "Adding up: what it sends and how long it takes"],
    );
    let clock = &scene.clock;
    let own: Vec<f64> = scene.parts.iter().filter_map(|chunks| chunks.first().copied()).collect();
    sheet.line(
        ["一个坐标：各卡的部分和相加", "One coordinate: the parts of all GPUs"],
        Unit::Count,
        own.iter().sum(),
        sum_of(&own, Unit::Count),
    );
    sheet.is("allreduce.worked_sum", scene.worked);
    let (d, s) = (scene.hidden, clock.dtype.bytes());
    let (message, gpus) = (clock.message.get(), f64::from(clock.gpus));
    sheet.line(
        [
            "消息：每个 token 一条向量，每个值 {s} 字节",
            "The message: a vector for each token, {s} bytes a value",
        ],
        Unit::Bytes,
        message,
        formula!("{B} × {d} × {s}", B = message / (d * s), d = d, s = s),
    );
    sheet.filled(&[("s", crate::format::count(s))]);
    sheet.is("allreduce.message.bytes", scene.message);
    let cost = clock.cost(scene.algorithm, clock.message);
    let steps = f64::from(cost.steps);
    let (text, formula) = match scene.algorithm {
        Algorithm::Ring => (
            [
                "环：一圈累加、一圈分发，每步只发 G 分之一",
                "Ring: once round to add, once to hand out, a G-th in each move",
            ],
            formula!("2 × ({G} − 1) / {G} × {M}", G = gpus, M = message => Bytes),
        ),
        Algorithm::Tree => (
            [
                "树：最忙的卡往下发时，每层发一整条",
                "Tree: on the way down the busiest GPU sends it whole at each level",
            ],
            formula!("{n} / 2 × {M}", n = steps, M = message => Bytes),
        ),
        Algorithm::InSwitch => (
            [
                "交换机：上行一整条，再上行自己求和的那一份",
                "In the switch: the whole goes up, and then a GPU's own share of the sums",
            ],
            formula!("(1 + 1 / {G}) × {M}", G = gpus, M = message => Bytes),
        ),
    };
    let Some(link) = clock.link else {
        sheet.line(["只有一张卡，不用发", "A single GPU sends nothing"], Unit::Bytes, 0.0, Formula::GIVEN);
        sheet.is("allreduce.sent.bytes_per_gpu", scene.sent);
        sheet.line(["也就不花时间", "So no time passes either"], Unit::Seconds, 0.0, Formula::GIVEN);
        return sheet.done();
    };
    let sent = sheet.line(text, Unit::Bytes, cost.sent_per_gpu.get(), formula);
    sheet.is("allreduce.sent.bytes_per_gpu", scene.sent);
    let (alpha, rate) = (link.alpha().get(), link.rate().get());
    let startup = sheet.line(
        ["启动：每一步先等一次", "Start-up: every move waits once"],
        Unit::Seconds,
        cost.startup.get(),
        formula!("{n} × {t_move}", n = steps, t_move = alpha => Seconds),
    );
    let (text, formula) = match scene.algorithm {
        Algorithm::Tree => (
            [
                "传输：整条消息一步接一步地走",
                "Transfer: the whole message in every move, one after the other",
            ],
            formula!("{n} × {M} / {R}", n = steps, M = message => Bytes, R = rate => BytesPerSecond),
        ),
        Algorithm::Ring | Algorithm::InSwitch => (
            ["传输：发出的字节除以链路速率", "Transfer: the bytes sent over the link's rate"],
            formula!("{M} / {R}", M = sent => Bytes, R = rate => BytesPerSecond),
        ),
    };
    let transfer = sheet.line(text, Unit::Seconds, cost.transfer.get(), formula);
    sheet.line(
        ["一次 all-reduce 的时间", "Time of one all-reduce"],
        Unit::Seconds,
        cost.total().get(),
        formula!("{t_start} + {t_bytes}", t_start = startup => Seconds, t_bytes = transfer => Seconds),
    );
    sheet.done()
}
