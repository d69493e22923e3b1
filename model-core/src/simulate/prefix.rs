//! A prefix cache on disk. Compressed entries are all kept; what differs is what is kept of the window rows, which are
//! many times larger, and what must be computed again where they are missing.

use crate::units::Bytes;

/// What is kept of the window rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every token's rows.
    All,
    /// The window at every so many tokens.
    Periodic,
    /// None.
    Nothing,
}

impl Policy {
    /// All of them, from the most bytes to the least.
    pub const ALL: [Self; 3] = [Self::All, Self::Periodic, Self::Nothing];
}

/// The shapes that the costs follow from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shapes {
    /// Layers.
    pub layers: u64,
    /// Tokens of a window.
    pub window: u64,
    /// Bytes of a token's window rows over all layers.
    pub window_row: f64,
    /// Bytes of a token's compressed entries and keys over all layers.
    pub compressed: f64,
    /// Tokens between two kept windows.
    pub period: u64,
}

/// What a policy costs for a prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Bytes written to disk when the prefix was computed, compressed entries among them.
    pub stored: Bytes,
    /// Bytes read from disk for a hit.
    pub read: Bytes,
    /// Tokens computed again for a hit: until the last window is there.
    pub recomputed: u64,
}

impl Shapes {
    /// What a policy costs for a prefix of so many tokens.
    #[must_use]
    pub fn cost(&self, policy: Policy, tokens: u64) -> Cost {
        let window = self.window.min(tokens) as f64 * self.window_row;
        let compressed = tokens as f64 * self.compressed;
        let (kept, read, recomputed) = match policy {
            Policy::All => (tokens as f64 * self.window_row, window, 0),
            Policy::Periodic => {
                let period = self.period.max(1);
                let windows = tokens / period;
                let read = if windows > 0 { window } else { 0.0 };
                // Before the first kept window there is nothing to go on from.
                (windows as f64 * self.window.min(period) as f64 * self.window_row, read, tokens % period)
            }
            // Every layer needs a window of the layer below it.
            Policy::Nothing => (0.0, 0.0, tokens.min(self.window.saturating_mul(self.layers))),
        };
        Cost { stored: Bytes(compressed + kept), read: Bytes(compressed + read), recomputed }
    }
}
