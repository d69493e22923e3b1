//! How many rows a request's caches hold: the rule is the same in every ledger, only the bytes of a row differ.

use crate::spec::{AttentionKind, ModelSpec};

/// Rows of one request over all main layers.
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
    /// Rows after that many tokens; only complete groups count.
    #[must_use]
    pub fn at(spec: &ModelSpec, context: u64) -> Self {
        let csa = spec.layers_of(AttentionKind::Csa) * (context / spec.csa_ratio);
        Self {
            window: spec.main_layers().len() as u64 * spec.window,
            csa,
            hca: spec.layers_of(AttentionKind::Hca) * (context / spec.hca_ratio),
            indexer: csa,
        }
    }
}
