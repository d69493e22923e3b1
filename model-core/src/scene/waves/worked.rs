//! The calculation of "waves": an even load's three parts, what waves make of them, and how much faster that is.

use super::{FORMATS, Waves};
use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};

/// The scenario's calculation.
pub(super) fn of(scene: &Waves, look: Look) -> Worked {
    let mut sheet =
        Sheet::new(look, ["负载均匀时，分波能快几倍", "With an even load, how much faster waves are"]);
    let even = &scene.even;
    let (gpus, waves) = (f64::from(scene.routed.ranks), f64::from(scene.waves));
    let pairs = sheet.line(
        ["每张卡要算的 token–专家对", "Pairs of a token and an expert on each GPU"],
        Unit::Count,
        even.tokens * even.picks / gpus,
        formula!("{T} × {k} / {G}", T = even.tokens, k = even.picks, G = gpus),
    );
    let mut leg = |text, format: crate::collective::Dtype| {
        let bytes = format.bytes();
        sheet.line(
            text,
            Unit::Seconds,
            pairs * (gpus - 1.0) / gpus * even.hidden * bytes / even.link + (gpus - 1.0) * even.alpha_s,
            formula!(
                "{P} × ({G} − 1) / {G} × {h} × {s} / {B} + ({G} − 1) × {t_a}",
                P = pairs,
                G = gpus,
                h = even.hidden,
                s = bytes,
                B = even.link => BytesPerSecond,
                t_a = even.alpha_s => Seconds
            ),
        )
    };
    let [out, back] = FORMATS;
    let dispatch =
        leg(["发去：本卡的不发，每个值 1 字节", "Out, without what stays home: 1 byte a value"], out);
    let combine = leg(["收回：每个值 2 字节", "Back: 2 bytes a value"], back);
    let experts = even.distinct / gpus;
    let work = sheet.line(
        [
            "计算：算一对 6·h·d_ff 次运算，或者读一遍命中的专家，取慢的",
            "Computation: 6·h·d_ff FLOPs a pair, or reading the experts that are hit, whichever is longer",
        ],
        Unit::Seconds,
        (pairs * even.pair_flops() / even.flops).max(experts * even.expert_bytes / even.hbm),
        formula!(
            "max({P} × 6 × {h} × {d_ff} / {C}, {U} × {M_e} / {HBM})",
            P = pairs,
            h = even.hidden,
            d_ff = even.expert_hidden,
            C = even.flops => FlopsPerSecond,
            U = experts,
            M_e = even.expert_bytes => Bytes,
            HBM = even.hbm => BytesPerSecond
        ),
    );
    let serial = sheet.line(
        ["一波到底：三段相加", "One wave: the three parts after each other"],
        Unit::Seconds,
        dispatch + work + combine,
        formula!(
            "{t_out} + {t_c} + {t_in}",
            t_out = dispatch => Seconds,
            t_c = work => Seconds,
            t_in = combine => Seconds
        ),
    );
    let links = sheet.line(
        [
            "分波之后链路一共要忙：每多一波，两段各多付一轮启动",
            "The link's work in waves: each further wave starts once more in both legs",
        ],
        Unit::Seconds,
        dispatch + combine + 2.0 * (waves - 1.0) * (gpus - 1.0) * even.alpha_s,
        formula!(
            "{t_out} + {t_in} + 2 × ({W} − 1) × ({G} − 1) × {t_a}",
            t_out = dispatch => Seconds,
            t_in = combine => Seconds,
            W = waves,
            G = gpus,
            t_a = even.alpha_s => Seconds
        ),
    );
    let taken = sheet.line(
        [
            "两样同时进行：长的那样全算，短的那样只露出头尾一波",
            "Both at once: all of the longer, and of the shorter one wave's share at the ends",
        ],
        Unit::Seconds,
        (work + links / waves).max(links + work / waves),
        formula!(
            "max({t_c} + {t_L} / {W}, {t_L} + {t_c} / {W})",
            t_c = work => Seconds,
            t_L = links => Seconds,
            W = waves
        ),
    );
    sheet.line(
        ["快到几倍", "How many times as fast"],
        Unit::Count,
        serial / taken,
        formula!("{t_1} / {t_W}", t_1 = serial => Seconds, t_W = taken => Seconds),
    );
    sheet.done()
}
