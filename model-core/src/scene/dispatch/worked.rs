//! The calculation of "dispatch": one copy of a token, then what each saving leaves of all copies.

use super::Dispatch;
use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};

/// The scenario's calculation.
pub(super) fn of(dispatch: &Dispatch, look: Look) -> Worked {
    let mut sheet = Sheet::new(look, ["一层的 dispatch 要发多少字节", "What one layer's dispatch sends"]);
    let (d, s) = (dispatch.hidden, dispatch.dtype.bytes());
    let copy = sheet.line(
        ["一个 token 的一份：{dtype}，每个值 {s} 字节", "One copy of a token: {dtype}, {s} bytes a value"],
        Unit::Bytes,
        dispatch.copy.get(),
        formula!("{d} × {s}", d = d, s = s),
    );
    sheet.filled(&[("dtype", dispatch.dtype.name().to_owned()), ("s", crate::format::count(s))]);
    let [naive, merged, crossing, _] = dispatch.counts;
    let (tokens, picks) = (dispatch.routed.tokens as f64, f64::from(dispatch.routed.shape.per_token()));
    sheet.line(
        ["最直接的办法：给每个选中的专家各发一份", "The plain way: a copy for every expert picked"],
        Unit::Bytes,
        tokens * picks * copy,
        formula!("{B} × {k} × {c}", B = tokens, k = picks, c = copy => Bytes),
    );
    if let Some(id) = dispatch.figure {
        sheet.is(id, Some(naive.sent.dispatch.get()));
    }
    // A batch too large to draw is counted in expectation.
    let of = |count: super::Count| if dispatch.routed.drawn.is_some() { count.sent } else { count.expected };
    let copies = |count: super::Count| of(count).dispatch.get() / copy;
    let packed = if dispatch.dedupe { merged } else { naive };
    let (all, leave) = (copies(packed), copies(crossing));
    let how = if dispatch.dedupe {
        [
            "合并：去同一张卡的只发一份",
            "Merged: one copy for each GPU, however many of its experts are picked",
        ]
    } else {
        ["不合并：选中几个专家就发几份", "Unmerged: a copy for each expert, even on the same GPU"]
    };
    let once = sheet.line(
        how,
        Unit::Bytes,
        of(packed).dispatch.get(),
        formula!("{n} × {c}", n = all, c = copy => Bytes),
    );
    let out = sheet.line(
        ["去掉留在自己卡上的，剩下的才走链路", "Without those that stay home: what crosses a link"],
        Unit::Bytes,
        of(crossing).dispatch.get(),
        formula!("{M} − {n} × {c}", M = once => Bytes, n = all - leave, c = copy => Bytes),
    );
    let both = sheet.line(
        ["结果还要按原路发回", "The results take the same way back"],
        Unit::Bytes,
        of(crossing).total().get(),
        formula!("2 × {M}", M = out => Bytes),
    );
    let gpus = f64::from(dispatch.routed.ranks);
    sheet.line(
        ["来回合计，平均每张卡发出", "Both ways together, each GPU sends on average"],
        Unit::Bytes,
        both / gpus,
        formula!("{M} / {G}", M = both => Bytes, G = gpus),
    );
    sheet.done()
}
