//! The calculation of "caches": where a row goes, what a query sees, and what a request's caches take.

use super::Caches;
use crate::figure::Unit;
use crate::formula;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};
use crate::spec::AttentionKind;

/// The scenario's calculation.
pub(super) fn of(scene: &Caches, look: Look) -> Worked {
    let mut sheet =
        Sheet::new(look, ["一个位置写到哪里、看到多少", "Where a position is written, and how much it sees"]);
    let (p, w) = (scene.position as f64, scene.window as f64);
    let (m, n) = (scene.ratios.0 as f64, scene.ratios.1 as f64);
    sheet.line(
        ["这个位置的行写进的槽", "The slot that this position's row goes into"],
        Unit::Count,
        (scene.position % scene.window) as f64,
        formula!("{p} − {w} × floor({p} / {w})", p = p, w = w),
    );
    let seen = scene.seen(AttentionKind::Csa);
    let window = sheet.line(
        ["query 在环里看到的行，自己也算", "Rows of the ring that the query sees, its own among them"],
        Unit::Count,
        (seen.window.end - seen.window.start) as f64,
        formula!("min({w}, {p} + 1)", w = w, p = p),
    );
    let csa = sheet.line(
        ["已经完整的 CSA 条目", "CSA entries that are complete"],
        Unit::Count,
        seen.entries as f64,
        formula!("floor(({p} + 1) / {m})", p = p, m = m),
    );
    sheet.line(
        ["CSA 层一共参加注意力的行", "All rows that a CSA layer attends to"],
        Unit::Count,
        window + seen.attended as f64,
        formula!("{R} + min({k}, {E})", R = window, k = scene.top_k as f64, E = csa),
    );
    let hca = scene.seen(AttentionKind::Hca).entries as f64;
    sheet.line(
        ["HCA 层一共参加注意力的行", "All rows that an HCA layer attends to"],
        Unit::Count,
        window + hca,
        formula!("{R} + floor(({p} + 1) / {n})", R = window, p = p, n = n),
    );
    let request = scene.parts.iter().map(|share| share.bytes.get()).collect::<Vec<_>>();
    sheet.line(
        [
            "整个上下文读完，一个请求各部分缓存之和",
            "After the whole context: a request's caches, part by part",
        ],
        Unit::Bytes,
        scene.request.get(),
        crate::scene::worked::sum_of(&request, Unit::Bytes),
    );
    sheet.is("cache.request.bytes", Some(scene.request.get()).filter(|bytes| bytes.is_finite()));
    sheet.done()
}
