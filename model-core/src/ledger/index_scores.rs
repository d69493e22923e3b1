//! The reference indexer's temporaries in one CSA layer of a prefill: every head's score of every query against every
//! entry, the same again weighted, and the sum over heads; and what chunks and a fused kernel make of them.

use super::book::{Book, What};
use crate::figure::{Kind, Scope, Source, Unit};
use crate::formula;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
use crate::units::Bytes;

/// Queries a fused kernel scores before it picks and reuses its buffer: the what-if's own assumption.
pub const TILE_QUERIES: u64 = 128;
const BF16_BYTES: f64 = 2.0;

const EXACT: What = (Unit::Bytes, Scope::PerGpu, Kind::Exact);
const ASSUMED: What = (Unit::Bytes, Scope::PerGpu, Kind::Assumed);

/// The temporaries of one forward pass on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexScores {
    /// Requests on the GPU, B.
    pub requests: u64,
    /// Queries of each request.
    pub queries: u64,
    /// Indexer heads on the GPU.
    pub heads: f64,
    /// Entries each query is scored against.
    pub entries: u64,
}

impl IndexScores {
    /// The whole prompt in one pass.
    #[must_use]
    pub fn whole(settings: &Settings, spec: &ModelSpec, requests: u64) -> Self {
        let heads = spec.indexer_heads as f64 / f64::from(settings.tp.max(1));
        let entries = spec.csa_entries(settings.context);
        Self { requests, queries: settings.context, heads, entries }
    }

    /// The chunk with the largest temporaries: the last full one, or the rest after it.
    #[must_use]
    pub fn chunked(settings: &Settings, spec: &ModelSpec, requests: u64) -> Self {
        let whole = Self::whole(settings, spec, requests);
        let chunk = settings.chunk.clamp(1, settings.context.max(1));
        let rest = settings.context % chunk;
        let at = |queries, end: u64| Self { queries, entries: spec.csa_entries(end), ..whole };
        let [full, last] = [at(chunk, settings.context - rest), at(rest, settings.context)];
        if last.scores() > full.scores() { last } else { full }
    }

    /// Every head's scores, in BF16. The weighted product is a second tensor of the same size.
    #[must_use]
    pub fn scores(&self) -> Bytes {
        self.summed() * self.heads
    }

    /// The sum over heads.
    #[must_use]
    pub fn summed(&self) -> Bytes {
        Bytes(self.requests as f64 * self.queries as f64 * self.entries as f64 * BF16_BYTES)
    }

    /// All that is alive when the sum is written.
    #[must_use]
    pub fn peak(&self) -> Bytes {
        self.scores() * 2.0 + self.summed()
    }

    /// What a kernel keeps that sums heads on the chip and takes a tile of queries at a time.
    #[must_use]
    pub fn fused(&self) -> Bytes {
        let tile = TILE_QUERIES.min(self.queries.saturating_mul(self.requests));
        Bytes(tile as f64 * self.entries as f64 * BF16_BYTES)
    }
}

/// Writes the figures of whole prompt, chunks and fused kernel.
pub(super) fn write(
    book: &mut Book,
    settings: &Settings,
    spec: &ModelSpec,
    requests: u64,
    sources: &'static [Source],
) {
    let whole = IndexScores::whole(settings, spec, requests);
    let (b, s, m) = (requests as f64, settings.context as f64, spec.csa_ratio as f64);
    let (heads, tp) = (spec.indexer_heads as f64, f64::from(settings.tp));
    for id in ["prefill.index_scores.bytes_per_gpu", "prefill.index_product.bytes_per_gpu"] {
        book.number(
            id,
            EXACT,
            whole.scores().get(),
            formula!(
                "{B} × {S} × {H_I} / {TP} × floor({S} / {m}) × 2",
                B = b,
                S = s,
                H_I = heads,
                TP = tp,
                m = m
            ),
            sources,
        );
    }
    book.number(
        "prefill.index_scores_summed.bytes",
        EXACT,
        whole.summed().get(),
        formula!("{B} × {S} × floor({S} / {m}) × 2", B = b, S = s, m = m),
        sources,
    );
    let chunked = IndexScores::chunked(settings, spec, requests);
    for (id, pass) in
        [("prefill.index_peak.bytes_per_gpu", whole), ("prefill.index_peak_chunked.bytes_per_gpu", chunked)]
    {
        book.number(
            id,
            ASSUMED,
            pass.peak().get(),
            formula!(
                "{B} × {T} × (2 × {H_I} / {TP} + 1) × {E} × 2",
                B = b,
                T = pass.queries as f64,
                H_I = heads,
                TP = tp,
                E = pass.entries as f64
            ),
            sources,
        );
    }
    book.number(
        "prefill.index_peak_fused.bytes_per_gpu",
        ASSUMED,
        chunked.fused().get(),
        formula!(
            "min({T_q}, {B} × {T}) × {E} × 2",
            T_q = TILE_QUERIES as f64,
            B = b,
            T = chunked.queries as f64,
            E = chunked.entries as f64
        ),
        sources,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    fn settings(choices: &[(Key, &str)]) -> Settings {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        scenario.resolve(Ledger::Tutorial)
    }

    #[test]
    fn one_request_peaks_at_twice_four_gibibytes_and_a_half() {
        let whole = IndexScores::whole(&settings(&[]), &v4_pro(), 1);
        assert_eq!(whole.scores(), Bytes::from_gib(4.0));
        assert_eq!(whole.peak(), Bytes::from_gib(8.5));
        let chunked = IndexScores::chunked(&settings(&[]), &v4_pro(), 1);
        assert_eq!((chunked.queries, chunked.entries), (8192, 8192));
        assert_eq!(chunked.peak(), whole.peak() / 4.0);
        assert_eq!(chunked.fused(), Bytes(128.0 * 8192.0 * 2.0));
    }

    #[test]
    fn the_largest_chunk_is_the_last_full_one_or_the_rest() {
        let of = |chunk| {
            let chunked = IndexScores::chunked(&settings(&[(Key::Chunk, chunk)]), &v4_pro(), 1);
            (chunked.queries, chunked.entries)
        };
        assert_eq!(of("30000"), (30_000, 7500));
        assert_eq!(of("1M"), (32_768, 8192));
        assert_eq!(of("1"), (1, 8192));
    }
}
