//! What one layer keeps of one request, by the rules of the ledger in use: its window ring, its compressed entries, its
//! indexer keys, and the state of groups not complete yet.

use super::exact::cache::{RowBytes, layer_state};
use super::report::step::{key_bytes, row_bytes};
use crate::figure::Ledger;
use crate::scenario::{KvRows, Settings};
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::Bytes;

/// Rows of one cache and the bytes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    /// How many.
    pub count: u64,
    /// Their size.
    pub bytes: Bytes,
}

/// The caches of one layer for one request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerCache {
    /// The window ring.
    pub window: Rows,
    /// Compressed entries; none in a layer that keeps its window alone.
    pub entries: Rows,
    /// Indexer keys; CSA alone has them.
    pub keys: Rows,
    /// State of groups not complete yet, where the scenario counts it.
    pub state: Bytes,
}

impl LayerCache {
    /// The caches of a layer of that kind, after the scenario's context.
    #[must_use]
    pub fn of(ledger: Ledger, settings: &Settings, spec: &ModelSpec, kind: AttentionKind) -> Self {
        let row = match ledger {
            Ledger::Tutorial => RowBytes::of(spec, KvRows::Reference),
            Ledger::Report => RowBytes { main: row_bytes(spec), key: key_bytes(spec) },
            Ledger::Exact => RowBytes::of(spec, settings.kv_rows),
        };
        let context = settings.context;
        // The report counts begun groups and only the part of the ring that is in use.
        let begun = ledger == Ledger::Report;
        let (csa, hca) = if begun {
            (spec.csa_entries_begun(context), spec.hca_entries_begun(context))
        } else {
            (spec.csa_entries(context), spec.hca_entries(context))
        };
        let window = if begun { context.min(spec.window) } else { spec.window };
        let [csa_state, hca_state] = layer_state(spec);
        let (entries, keys, state) = match kind {
            AttentionKind::Window => (0, 0, 0.0),
            AttentionKind::Csa => (csa, csa, csa_state),
            AttentionKind::Hca => (hca, 0, hca_state),
        };
        let counted = match ledger {
            Ledger::Tutorial => true,
            Ledger::Report => false,
            Ledger::Exact => settings.state,
        };
        let rows = |count: u64, each: f64| Rows { count, bytes: Bytes(count as f64 * each) };
        Self {
            window: rows(window, row.main),
            entries: rows(entries, row.main),
            keys: rows(keys, row.key),
            state: if counted { Bytes(state) } else { Bytes::ZERO },
        }
    }

    /// All of them together.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.window.bytes + self.entries.bytes + self.keys.bytes + self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};

    #[test]
    fn layers_add_up_to_the_request() {
        for ledger in Ledger::ALL {
            for (context, model) in
                [("1", "v4-pro"), ("129", "v4-flash"), ("32768", "v4-pro"), ("1M", "v4-pro")]
            {
                let mut scenario = Scenario::default();
                scenario.choose_text(Key::Context, context).unwrap();
                scenario.choose_text(Key::Model, model).unwrap();
                let settings = scenario.resolve(ledger);
                let spec = crate::spec::of(settings.model);
                let of = |kind| LayerCache::of(ledger, &settings, &spec, kind).total();
                let sum: Bytes = spec.main_layers().iter().map(|layer| of(layer.attention)).sum();
                let request = report(ledger, &scenario, &spec).bytes("cache.request.bytes");
                assert_eq!(sum, request, "{} {context}", ledger.name());
            }
        }
    }
}
