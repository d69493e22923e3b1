//! Deliberate faults for teaching: off by default, each the kind of mistake that survives a quick test.

use super::collective::Place;

/// Which compressor a fault strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompressorKind {
    /// The one whose entries are attended.
    Main,
    /// The indexer's.
    Indexer,
}

/// One mistake. `layer: None` strikes every layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A rank does not take part in an all-reduce: its share is missing, and it goes on with its own.
    SkipRank {
        /// The rank.
        rank: usize,
        /// The layer (the embedding has none: use `None`).
        layer: Option<usize>,
        /// Which all-reduce.
        place: Place,
    },
    /// A compressor starts every chunk but the first with an empty tail.
    ResetTail {
        /// The layer.
        layer: Option<usize>,
        /// Which compressor.
        compressor: CompressorKind,
    },
    /// An entry becomes visible one token late: `floor(p / m)` instead of `floor((p + 1) / m)`.
    LateEntry {
        /// The layer.
        layer: Option<usize>,
    },
    /// The row of p is also written into the slot of p + 1, before the query at p has read what was there.
    EarlyOverwrite {
        /// The layer.
        layer: Option<usize>,
    },
}

/// The faults at work, usually none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// None.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// These.
    #[must_use]
    pub fn new(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self(faults.into_iter().collect())
    }

    /// Them all.
    #[must_use]
    pub fn list(&self) -> &[Fault] {
        &self.0
    }

    /// The rank to leave out of the all-reduce at `place`.
    pub(super) fn absent(&self, place: Place, layer: Option<usize>) -> Option<usize> {
        self.0.iter().find_map(|fault| match *fault {
            Fault::SkipRank { rank, layer: at, place: where_ }
                if where_ == place && (at.is_none() || at == layer) =>
            {
                Some(rank)
            }
            _ => None,
        })
    }

    pub(super) fn reset_tail(&self, layer: usize, kind: CompressorKind) -> bool {
        self.0.iter().any(|fault| {
            matches!(*fault, Fault::ResetTail { layer: at, compressor } if compressor == kind && strikes(at, layer))
        })
    }

    pub(super) fn late_entry(&self, layer: usize) -> bool {
        self.0.iter().any(|fault| matches!(*fault, Fault::LateEntry { layer: at } if strikes(at, layer)))
    }

    pub(super) fn early_overwrite(&self, layer: usize) -> bool {
        self.0.iter().any(|fault| matches!(*fault, Fault::EarlyOverwrite { layer: at } if strikes(at, layer)))
    }
}

fn strikes(at: Option<usize>, layer: usize) -> bool {
    at.is_none_or(|at| at == layer)
}
