//! What one request's caches take: rows by their format, the state of groups not complete yet, what pages add.

use crate::ledger::cache_rows::{CacheRows, LayerCounts};
use crate::scenario::{KvRows, Settings};
use crate::spec::ModelSpec;

/// Tokens of one page in the engines.
pub(crate) const PAGE_TOKENS: u64 = 256;
/// Engines pad a page to a multiple of this many bytes.
const PAGE_STEP: f64 = 576.0;
/// Values of a cached row under one scale.
const ROW_SCALE_GROUP: f64 = 64.0;
/// Rows are aligned to this many bytes.
const ROW_STEP: f64 = 8.0;
/// Values of an FP4 indexer key under one scale.
const KEY_SCALE_GROUP: f64 = 32.0;

/// Bytes of one row of each cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowBytes {
    /// A window or compressed row.
    pub(crate) main: f64,
    /// An indexer key.
    pub(crate) key: f64,
}

impl RowBytes {
    /// Rows in a format. FP8 keeps the values that carry the position in BF16.
    pub(crate) fn of(spec: &ModelSpec, rows: KvRows) -> Self {
        let (c, rope, key) = (spec.head_dim as f64, spec.rope_dim as f64, spec.indexer_head_dim as f64);
        let plain = (c - rope).max(0.0);
        let fp8 = plain + 2.0 * rope + (plain / ROW_SCALE_GROUP).ceil();
        let fp8 = (fp8 / ROW_STEP).ceil() * ROW_STEP;
        match rows {
            KvRows::Reference => Self { main: 2.0 * c, key: 2.0 * key },
            KvRows::Fp8 => Self { main: fp8, key: key + 4.0 },
            KvRows::Fp8Fp4Idx => Self { main: fp8, key: key / 2.0 + (key / KEY_SCALE_GROUP).ceil() },
        }
    }
}

/// A request's caches by part, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::ledger) struct CacheParts {
    /// Window rings.
    pub(in crate::ledger) window: f64,
    /// Compressed entries of CSA layers.
    pub(in crate::ledger) csa: f64,
    /// Compressed entries of HCA layers.
    pub(in crate::ledger) hca: f64,
    /// Indexer keys.
    pub(in crate::ledger) indexer: f64,
    /// FP32 values and gates of groups that are not complete yet.
    pub(in crate::ledger) state: f64,
    /// What rounding up to pages adds.
    pub(in crate::ledger) pages: f64,
    /// The draft blocks' window rings.
    pub(in crate::ledger) draft: f64,
}

impl CacheParts {
    /// The caches of a request over some layers and draft blocks. State, pages and drafts are there whatever the
    /// scenario counts; see [`Self::counted`].
    pub(in crate::ledger) fn of(
        spec: &ModelSpec,
        rows: KvRows,
        layers: LayerCounts,
        drafts: u64,
        context: u64,
    ) -> Self {
        let bytes = RowBytes::of(spec, rows);
        let counts = CacheRows::over(spec, layers, context);
        let [csa_state, hca_state] = layer_state(spec);
        Self {
            window: counts.window as f64 * bytes.main,
            csa: counts.csa as f64 * bytes.main,
            hca: counts.hca as f64 * bytes.main,
            indexer: counts.indexer as f64 * bytes.key,
            state: layers.csa as f64 * csa_state + layers.hca as f64 * hca_state,
            pages: page_rounding(spec, rows, layers, context),
            draft: (drafts * spec.window) as f64 * bytes.main,
        }
    }

    /// The same, with what the scenario leaves out set to nothing.
    pub(in crate::ledger) fn counted(self, settings: &Settings) -> Self {
        let only = |wanted, bytes| if wanted { bytes } else { 0.0 };
        Self {
            state: only(settings.state, self.state),
            pages: only(settings.page_rounding, self.pages),
            draft: only(settings.mtp, self.draft),
            ..self
        }
    }

    /// All parts together.
    pub(in crate::ledger) fn total(&self) -> f64 {
        self.window + self.csa + self.hca + self.indexer + self.state + self.pages + self.draft
    }
}

/// State of a CSA and of an HCA layer: values and gates in FP32. CSA holds two groups of twice the width, for main
/// entries and for the indexer's; HCA one group.
pub(in crate::ledger) fn layer_state(spec: &ModelSpec) -> [f64; 2] {
    let (c, key) = (spec.head_dim as f64, spec.indexer_head_dim as f64);
    let (m, n) = (spec.csa_ratio as f64, spec.hca_ratio as f64);
    [2.0 * 2.0 * m * (2.0 * c + 2.0 * key) * 4.0, 2.0 * n * c * 4.0]
}

/// What whole pages take beyond the rows in them. The reference has no pages.
fn page_rounding(spec: &ModelSpec, rows: KvRows, layers: LayerCounts, context: u64) -> f64 {
    if rows == KvRows::Reference {
        return 0.0;
    }
    let bytes = RowBytes::of(spec, rows);
    let beyond = |count: u64, ratio: u64, row: f64| {
        let page_rows = (PAGE_TOKENS / ratio.max(1)).max(1);
        let page = (page_rows as f64 * row / PAGE_STEP).ceil() * PAGE_STEP;
        count.div_ceil(page_rows) as f64 * page - count as f64 * row
    };
    let csa = beyond(spec.csa_entries(context), spec.csa_ratio, bytes.main)
        + beyond(spec.csa_entries(context), spec.csa_ratio, bytes.key);
    layers.all() as f64 * beyond(spec.window, 1, bytes.main)
        + layers.csa as f64 * csa
        + layers.hca as f64 * beyond(spec.hca_entries(context), spec.hca_ratio, bytes.main)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::v4_pro;

    #[test]
    fn rows_have_the_engines_sizes() {
        let of = |rows| RowBytes::of(&v4_pro(), rows);
        assert_eq!(of(KvRows::Reference), RowBytes { main: 1024.0, key: 256.0 });
        assert_eq!(of(KvRows::Fp8), RowBytes { main: 584.0, key: 132.0 });
        assert_eq!(of(KvRows::Fp8Fp4Idx), RowBytes { main: 584.0, key: 68.0 });
    }

    #[test]
    fn pages_have_the_engines_sizes() {
        let one = |layers| {
            let parts = CacheParts::of(&v4_pro(), KvRows::Fp8, layers, 0, 256);
            parts.window + parts.csa + parts.hca + parts.indexer + parts.pages
        };
        let window = 149_760.0;
        assert_eq!(one(LayerCounts { window_only: 1, ..Default::default() }), window);
        assert_eq!(one(LayerCounts { csa: 1, ..Default::default() }), window + 37_440.0 + 8_640.0);
        assert_eq!(one(LayerCounts { hca: 1, ..Default::default() }), window + 1_728.0);
    }

    #[test]
    fn windows_are_flat_past_their_length_and_never_absent() {
        let layers = LayerCounts::of(v4_pro().main_layers());
        let at = |context| CacheParts::of(&v4_pro(), KvRows::Fp8, layers, 0, context);
        assert_eq!(at(128).window, at(1_048_576).window);
        assert!(at(1).window > 0.0);
    }
}
