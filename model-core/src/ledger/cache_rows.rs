//! How many rows a request's caches hold: the rule is the same in every ledger, only the bytes of a row differ.

use crate::spec::{AttentionKind, Layer, ModelSpec};

/// How many layers attend in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerCounts {
    /// Layers with nothing behind the window.
    pub window_only: u64,
    /// CSA layers.
    pub csa: u64,
    /// HCA layers.
    pub hca: u64,
}

impl LayerCounts {
    /// Counts a run of layers.
    #[must_use]
    pub fn of(layers: &[Layer]) -> Self {
        let count = |kind| layers.iter().filter(|layer| layer.attention == kind).count() as u64;
        Self {
            window_only: count(AttentionKind::Window),
            csa: count(AttentionKind::Csa),
            hca: count(AttentionKind::Hca),
        }
    }

    /// All of them.
    #[must_use]
    pub const fn all(self) -> u64 {
        self.window_only + self.csa + self.hca
    }

    /// How many attend that way.
    #[must_use]
    pub const fn of_kind(self, kind: AttentionKind) -> u64 {
        match kind {
            AttentionKind::Window => self.window_only,
            AttentionKind::Csa => self.csa,
            AttentionKind::Hca => self.hca,
        }
    }
}

/// Rows of one request over some layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheRows {
    /// Rows of the window rings, allocated whole.
    pub window: u64,
    /// Compressed entries of the CSA layers.
    pub csa: u64,
    /// Compressed entries of the HCA layers.
    pub hca: u64,
    /// Indexer keys of the CSA layers.
    pub indexer: u64,
}

impl CacheRows {
    /// Rows over all main layers after that many tokens; only complete groups count.
    #[must_use]
    pub fn at(spec: &ModelSpec, context: u64) -> Self {
        Self::over(spec, LayerCounts::of(spec.main_layers()), context)
    }

    /// Rows over so many layers.
    #[must_use]
    pub fn over(spec: &ModelSpec, layers: LayerCounts, context: u64) -> Self {
        let csa = layers.csa * spec.csa_entries(context);
        Self {
            window: layers.all() * spec.window,
            csa,
            hca: layers.hca * spec.hca_entries(context),
            indexer: csa,
        }
    }
}
