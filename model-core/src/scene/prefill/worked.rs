//! The calculation of "prefill": entries of a prompt, the bytes they take, and the peak of the indexer's temporaries.

use super::{Prefill, Way};
use crate::figure::Unit;
use crate::formula;
use crate::ledger::layer_cache::LayerCache;
use crate::scene::Look;
use crate::scene::worked::{Sheet, Worked};
use crate::spec::AttentionKind;

/// The scenario's calculation.
pub(super) fn of(scene: &Prefill, look: Look) -> Worked {
    let mut sheet = Sheet::new(
        look,
        ["一段提示词留下多少，又临时占多少", "What a prompt leaves behind, and what it takes for a while"],
    );
    caches(&mut sheet, scene);
    if scene.indexed {
        temporaries(&mut sheet, scene);
    }
    sheet.done()
}

/// Entries of the layers with compressed caches, and one request's bytes over all layers.
fn caches(sheet: &mut Sheet, scene: &Prefill) {
    let s = scene.load.1 as f64;
    let (csa, hca) = scene.ratios;
    let texts = [
        (
            AttentionKind::Csa,
            csa as f64,
            ["一个 CSA 层的条目数", "Entries of a CSA layer"],
            [
                "一个 CSA 层留下的：窗口、条目、索引键，计入时还有未满组的暂存",
                "What a CSA layer keeps: window, entries, index keys and any tail state",
            ],
        ),
        (
            AttentionKind::Hca,
            hca as f64,
            ["一个 HCA 层的条目数", "Entries of an HCA layer"],
            [
                "一个 HCA 层留下的：窗口、条目，计入时还有未满组的暂存",
                "What an HCA layer keeps: window, entries and any tail state",
            ],
        ),
    ];
    let [(l, m), (k, n)] = texts.map(|(kind, ratio, entries_text, text)| {
        let (cache, layers) = (scene.cache(kind), scene.layers_of(kind) as f64);
        if layers == 0.0 {
            return (0.0, 0.0);
        }
        let entries = cache.entries.count as f64;
        // One bookkeeping counts begun groups too.
        let formula = if entries == (s / ratio).floor() {
            formula!("floor({S} / {m})", S = s, m = ratio)
        } else {
            formula!("ceil({S} / {m})", S = s, m = ratio)
        };
        sheet.line(entries_text, Unit::Count, entries, formula);
        (layers, layer(sheet, text, &cache))
    });
    let window = scene.cache(AttentionKind::Window);
    let alone = scene.layers_of(AttentionKind::Window) as f64;
    let formula = if alone > 0.0 {
        formula!(
            "{L_CSA} × {M_CSA} + {L_HCA} × {M_HCA} + {L_W} × {w} × {r}",
            L_CSA = l,
            M_CSA = m => Bytes,
            L_HCA = k,
            M_HCA = n => Bytes,
            L_W = alone,
            w = window.window.count as f64,
            r = row_of(&window) => Bytes
        )
    } else {
        formula!(
            "{L_CSA} × {M_CSA} + {L_HCA} × {M_HCA}",
            L_CSA = l,
            M_CSA = m => Bytes,
            L_HCA = k,
            M_HCA = n => Bytes
        )
    };
    let request = l * m + k * n + alone * window.total().get();
    sheet.line(
        ["一个请求在所有层里的缓存", "One request's caches over all layers"],
        Unit::Bytes,
        request,
        formula,
    );
    if let Some(id) = scene.request.figure {
        sheet.is(id, Some(scene.request.bytes.get()));
    }
}

/// Bytes of a row.
fn row_of(cache: &LayerCache) -> f64 {
    if cache.window.count > 0 { cache.window.bytes.get() / cache.window.count as f64 } else { 0.0 }
}

/// What a layer keeps of one request.
fn layer(sheet: &mut Sheet, text: [&'static str; 2], cache: &LayerCache) -> f64 {
    let (w, r, t) = (cache.window.count as f64, row_of(cache), cache.state.get());
    let (entries, keys) = (cache.entries.count as f64, cache.keys.count as f64);
    let key = if keys > 0.0 { cache.keys.bytes.get() / keys } else { 0.0 };
    let mut formula = formula!(
        "({w} + {E}) × {r} + {E} × {r_I} + {T}",
        w = w,
        E = entries,
        r = r => Bytes,
        r_I = key => Bytes,
        T = t => Bytes
    );
    // What the layer has not, or the ledger does not count, is left out.
    formula.template = match (keys > 0.0, t > 0.0) {
        (true, true) => formula.template,
        (true, false) => "({w} + {E}) × {r} + {E} × {r_I}",
        (false, true) => "({w} + {E}) × {r} + {T}",
        (false, false) => "({w} + {E}) × {r}",
    };
    formula.inputs.retain(|input| match input.symbol {
        "r_I" => keys > 0.0,
        "T" => t > 0.0,
        _ => true,
    });
    sheet.line(text, Unit::Bytes, cache.total().get(), formula)
}

/// The score tensor of a CSA layer, the peak that goes with it, and what chunks make of it.
fn temporaries(sheet: &mut Sheet, scene: &Prefill) {
    let [whole, chunk] = [scene.pass(Way::Whole), scene.pass(Way::Chunked)];
    let figure = |id: &'static str, bytes: f64| (id, Some(bytes).filter(|_| scene.index_figures));
    let scores = sheet.line(
        [
            "整段一次算：每个查询、每个索引头对每个条目各有一个 BF16 分数",
            "All at once: a BF16 score for every query, indexer head and entry",
        ],
        Unit::Bytes,
        whole.scores().get(),
        formula!(
            "{B} × {S} × {H} × {E} × 2",
            B = whole.requests as f64,
            S = whole.queries as f64,
            H = whole.heads,
            E = whole.entries as f64
        ),
    );
    let (id, number) = figure("prefill.index_scores.bytes_per_gpu", scores);
    sheet.is(id, number);
    let peak = sheet.line(
        [
            "峰值：全部分数、同样大的加权结果，再加各头之和",
            "Peak: the scores, as much again weighted, and their sum over heads",
        ],
        Unit::Bytes,
        whole.peak().get(),
        formula!("2 × {A} + {A} / {H}", A = scores => Bytes, H = whole.heads),
    );
    let (id, number) = figure("prefill.index_peak.bytes_per_gpu", peak);
    sheet.is(id, number);
    let peak = sheet.line(
        ["分块以后，最大的一块的峰值", "In chunks: the peak of the largest one"],
        Unit::Bytes,
        chunk.peak().get(),
        formula!(
            "{B} × {T} × (2 × {H} + 1) × {E} × 2",
            B = chunk.requests as f64,
            T = chunk.queries as f64,
            H = chunk.heads,
            E = chunk.entries as f64
        ),
    );
    let (id, number) = figure("prefill.index_peak_chunked.bytes_per_gpu", peak);
    sheet.is(id, number);
}
