//! The calculation of "kernel": from one tile to the kernel's bytes and FLOPs, and to the one of them that takes longer.

use super::Opened;
use crate::figure::Unit;
use crate::formula;
use crate::formula::Formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};

/// The scenario's calculation.
pub(super) fn of(opened: &Opened, look: Look) -> Worked {
    let mut sheet = Sheet::new(
        look,
        ["这个 kernel 要多久，被什么拖住", "How long this kernel takes, and what holds it up"],
    );
    if let Some((product, tiling)) = opened.largest.filter(|(_, tiling)| tiling.tiles > 0.0) {
        let values = product.rows * product.depth;
        let for_a_value = product.flops / (product.operands * values * product.columns);
        let (r, d, n) = (tiling.rows, product.depth, tiling.deep);
        let text = if n > 1.0 {
            [
                "一个块：{all} 行里取 {rows} 行，再按列均分成 {n} 块",
                "One tile: {rows} of {all} rows, of which {n} tiles hold equal shares",
            ]
        } else {
            ["一个块：{all} 行里取 {rows} 行", "One tile: {rows} of {all} rows"]
        };
        sheet.line(
            text,
            Unit::Bytes,
            tiling.tile_bytes,
            formula!("{W} × {r} / {R} / {n}", W = product.bytes => Bytes, r = r, R = product.rows, n = n),
        );
        let number = crate::format::count;
        sheet.filled(&[("all", number(product.rows)), ("rows", number(r)), ("n", number(n))]);
        sheet.line(
            ["这个块与 M 列激活相乘的运算量", "Its FLOPs with M columns of activations"],
            Unit::Flop,
            r * d / n * product.columns * for_a_value,
            formula!(
                "{r} × {D} / {n} × {M} × {f}",
                r = r,
                D = d,
                n = n,
                M = product.columns,
                f = for_a_value
            ),
        );
    }
    let (e, one, one_flops) = opened.largest.map_or((0.0, 0.0, 0.0), |(product, _)| {
        let each = if product.operands > 0.0 { product.flops / product.operands } else { 0.0 };
        (product.operands, product.bytes, each)
    });
    let (all_read, all_flops) = (opened.kernel.read(), opened.kernel.flops());
    let read = sheet.line(
        [
            "整个 kernel 读多少：最大的一组矩阵或缓存，再加其余（如果有）",
            "What the whole kernel reads: its largest operands, and the rest if any",
        ],
        Unit::Bytes,
        all_read,
        two_parts(
            formula!("{n} × {W} + {W_rest}", n = e, W = one => Bytes, W_rest = all_read - e * one => Bytes),
            "{n} × {W}",
        ),
    );
    if let Some(id) = opened.read_figure {
        sheet.is(id, Some(read));
    }
    let flops = sheet.line(
        ["整个 kernel 算多少，同样分开算", "What it computes, taken apart in the same way"],
        Unit::Flop,
        all_flops,
        two_parts(
            formula!("{n} × {F} + {F_rest}", n = e, F = one_flops => Flop, F_rest = all_flops - e * one_flops => Flop),
            "{n} × {F}",
        ),
    );
    let (hbm, peak) = (opened.hbm_reached.get(), opened.peak_reached.get());
    if read > 0.0 {
        sheet.line(
            ["算术强度：每读 1 字节做几次运算", "Intensity: FLOPs for each byte read"],
            Unit::FlopPerByte,
            opened.intensity,
            formula!("{F} / {W}", F = flops => Flop, W = read => Bytes),
        );
    }
    sheet.line(
        ["屋脊：算力和带宽正好都用满的地方", "The ridge, where compute and bandwidth are both just used up"],
        Unit::FlopPerByte,
        opened.ridge,
        formula!("{P} / {R}", P = peak => FlopsPerSecond, R = hbm => BytesPerSecond),
    );
    let text = match (opened.waits(), read > 0.0) {
        (_, false) => ["没有要读的，也就没有要等的", "Nothing to read, nothing to wait for"],
        (true, _) => [
            "没到屋脊：读比算慢，时间由带宽决定",
            "Below the ridge: reading takes longer, so bandwidth sets the time",
        ],
        (false, _) => [
            "过了屋脊：算比读慢，时间由算力决定",
            "Past the ridge: computing takes longer, so compute sets the time",
        ],
    };
    sheet.line(
        text,
        Unit::Seconds,
        opened.hbm_time.max(opened.compute_time).get(),
        formula!(
            "max({W} / {R}, {F} / {P})",
            W = read => Bytes,
            R = hbm => BytesPerSecond,
            F = flops => Flop,
            P = peak => FlopsPerSecond
        ),
    );
    sheet.done()
}

/// The formula without its third value where that is nothing.
fn two_parts(mut formula: Formula, first: &'static str) -> Formula {
    if formula.inputs.last().is_some_and(|rest| rest.value == 0.0) {
        formula.template = first;
        formula.inputs.pop();
    }
    formula
}
