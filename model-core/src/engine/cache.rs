//! Cache state as data: the window ring, the compressors' tails, compressed and indexer entries, and the rule for
//! what a query sees. Anyone may read it; only the engine changes it.

use std::ops::Range;

use super::config::{AttentionKind, ModelConfig};

/// The window ring of one layer: slot `p mod window` holds the key-value row of position p.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    dim: usize,
    rows: Vec<f32>,
    positions: Vec<Option<usize>>,
}

impl Ring {
    pub(super) fn new(window: usize, dim: usize) -> Self {
        Self { dim, rows: vec![0.0; window * dim], positions: vec![None; window] }
    }

    /// Slots, which is the window in tokens.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.positions.len()
    }

    /// The slot position `position` belongs in.
    #[must_use]
    pub const fn slot_of(&self, position: usize) -> usize {
        position % self.positions.len()
    }

    /// The position held by each slot, in slot order; `None` while a slot is empty.
    #[must_use]
    pub fn positions(&self) -> &[Option<usize>] {
        &self.positions
    }

    /// The row in `slot` (`[c]`, rotated to its position; zeros while empty); `None` beyond the last slot.
    #[must_use]
    pub fn row(&self, slot: usize) -> Option<&[f32]> {
        self.rows.chunks_exact(self.dim).nth(slot)
    }

    /// Puts `row` of `position` into the slot of `slot_position` (the same, unless a fault is at work).
    pub(super) fn write(&mut self, slot_position: usize, position: usize, row: &[f32]) {
        let slot = self.slot_of(slot_position);
        self.rows[slot * self.dim..(slot + 1) * self.dim].copy_from_slice(row);
        self.positions[slot] = Some(position);
    }

    /// The rows of positions `range` (at most a window) in order of position: those before the ring's end, then
    /// those after its start.
    #[inline]
    pub(super) fn in_order(&self, range: &Range<usize>) -> [&[f32]; 2] {
        let first = self.slot_of(range.start);
        let until_wrap = range.len().min(self.slots() - first);
        [
            &self.rows[first * self.dim..(first + until_wrap) * self.dim],
            &self.rows[..(range.len() - until_wrap) * self.dim],
        ]
    }
}

/// Compressed entries in order of their index j.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
    dim: usize,
    ratio: usize,
    overlap: bool,
    values: Vec<f32>,
}

impl Entries {
    /// How many exist.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.dim
    }

    /// Whether none exists yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Entry `index`: `[c]` (indexer: `[index dim]`), normed and rotated.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<&[f32]> {
        self.values.get(index * self.dim..(index + 1) * self.dim)
    }

    /// All entries, `[len, dim]`.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The first `count` entries, or all there are.
    pub(super) fn first_rows(&self, count: usize) -> &[f32] {
        self.values.get(..count * self.dim).unwrap_or(&self.values)
    }

    /// The positions entry `index` pools: its own group, and the group before where groups overlap.
    #[must_use]
    pub const fn pooled(&self, index: usize) -> Range<usize> {
        let start = index * self.ratio;
        let before = if self.overlap { self.ratio } else { 0 };
        start.saturating_sub(before)..start + self.ratio
    }

    /// The position entry `index` is rotated to: the first of its own group.
    #[must_use]
    pub const fn rope_position(&self, index: usize) -> usize {
        index * self.ratio
    }

    /// The entry completed by the token at `position`, if it completes one.
    pub(super) const fn completed_by(&self, position: usize) -> Option<usize> {
        if (position + 1).is_multiple_of(self.ratio) { Some(position / self.ratio) } else { None }
    }

    /// Appends a zeroed entry and returns its index and values.
    pub(super) fn append(&mut self) -> (usize, &mut [f32]) {
        let index = self.len();
        let start = self.values.len();
        self.values.resize(start + self.dim, 0.0);
        (index, &mut self.values[start..])
    }
}

/// What a compressor keeps of tokens that are not in an entry yet, or will be pooled once more.
#[derive(Debug, Clone, PartialEq)]
pub struct Tail {
    pub(super) width: usize,
    pub(super) ratio: usize,
    /// Positions of the group being filled.
    pub(super) group: Range<usize>,
    /// `[ratio, width]`.
    pub(super) values: Vec<f32>,
    /// `[ratio, width]`, position bias added; minus infinity where there is no row.
    pub(super) gates: Vec<f32>,
    /// The group before, same layout; empty where groups do not overlap.
    pub(super) previous_values: Vec<f32>,
    pub(super) previous_gates: Vec<f32>,
}

impl Tail {
    fn new(ratio: usize, width: usize, overlap: bool) -> Self {
        let size = ratio * width;
        let previous = if overlap { size } else { 0 };
        Self {
            width,
            ratio,
            group: 0..0,
            values: vec![0.0; size],
            gates: vec![f32::NEG_INFINITY; size],
            previous_values: vec![0.0; previous],
            previous_gates: vec![f32::NEG_INFINITY; previous],
        }
    }

    /// Positions waiting in the group being filled.
    #[must_use]
    pub const fn waiting(&self) -> Range<usize> {
        self.group.start..self.group.end
    }

    /// Positions of the group before that the next entry will pool too; empty where groups do not overlap.
    #[must_use]
    pub const fn kept(&self) -> Range<usize> {
        if self.previous_values.is_empty() {
            return self.group.start..self.group.start;
        }
        self.group.start.saturating_sub(self.ratio)..self.group.start
    }

    /// The projected row of the group's token `place` (`[width]`, value then gate with its bias).
    #[must_use]
    pub fn row(&self, place: usize) -> Option<(&[f32], &[f32])> {
        let range = place * self.width..(place + 1) * self.width;
        Some((self.values.get(range.clone())?, self.gates.get(range)?))
    }

    /// Bytes the tail takes, f32.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        ((self.values.len() + self.gates.len() + self.previous_values.len() + self.previous_gates.len())
            * size_of::<f32>()) as u64
    }

    /// Forgets every row (a teaching fault).
    pub(super) fn reset(&mut self) {
        self.values.fill(0.0);
        self.gates.fill(f32::NEG_INFINITY);
        self.previous_values.fill(0.0);
        self.previous_gates.fill(f32::NEG_INFINITY);
    }
}

/// A compressor's state: the tail and the entries it has made.
#[derive(Debug, Clone, PartialEq)]
pub struct CompressorCache {
    pub(super) tail: Tail,
    pub(super) entries: Entries,
}

impl CompressorCache {
    fn new(ratio: usize, dim: usize, overlap: bool) -> Self {
        Self {
            tail: Tail::new(ratio, if overlap { 2 * dim } else { dim }, overlap),
            entries: Entries { dim, ratio, overlap, values: Vec::new() },
        }
    }

    /// The tail.
    #[must_use]
    pub const fn tail(&self) -> &Tail {
        &self.tail
    }

    /// The entries.
    #[must_use]
    pub const fn entries(&self) -> &Entries {
        &self.entries
    }
}

/// All one rank caches of one layer for one request.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerCache {
    pub(super) ring: Ring,
    pub(super) main: Option<CompressorCache>,
    pub(super) index: Option<CompressorCache>,
}

impl LayerCache {
    pub(super) fn new(config: &ModelConfig, kind: AttentionKind) -> Self {
        let overlap = kind == AttentionKind::Csa;
        Self {
            ring: Ring::new(config.window, config.head_dim),
            main: kind.ratio(config).map(|ratio| CompressorCache::new(ratio, config.head_dim, overlap)),
            index: overlap.then(|| CompressorCache::new(config.csa_ratio, config.index_head_dim, true)),
        }
    }

    /// The window ring.
    #[must_use]
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }

    /// The attended compressed entries and their tail (CSA and HCA layers).
    #[must_use]
    pub const fn main(&self) -> Option<&CompressorCache> {
        self.main.as_ref()
    }

    /// The indexer's keys and their tail (CSA layers).
    #[must_use]
    pub const fn index(&self) -> Option<&CompressorCache> {
        self.index.as_ref()
    }
}

/// What a query may see: positions of the window, and compressed entries `0 ..entries` (of which a CSA layer
/// attends the indexer's picks).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// Positions, the query's own included.
    pub window: Range<usize>,
    /// Compressed entries.
    pub entries: usize,
}

/// What a query at `position` sees in a layer of `kind`: the last `window` positions, and every entry whose last
/// token is in. Tokens inside the window are seen both ways.
#[must_use]
pub const fn visible(config: &ModelConfig, kind: AttentionKind, position: usize) -> Visible {
    Visible {
        window: (position + 1).saturating_sub(config.window)..position + 1,
        entries: config.entries_after(kind, position + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_hands_rows_out_in_order_of_position() {
        let mut ring = Ring::new(4, 1);
        for position in 0..7_usize {
            ring.write(position, position, &[position as f32]);
        }
        assert_eq!(ring.positions(), [Some(4), Some(5), Some(6), Some(3)]);
        assert_eq!(ring.in_order(&(3..7)), [[3.0].as_slice(), &[4.0, 5.0, 6.0]]);
        assert_eq!(ring.in_order(&(5..7)), [[5.0, 6.0].as_slice(), &[]]);
        assert_eq!(ring.row(3), Some([3.0].as_slice()));
        assert_eq!(ring.row(4), None);
    }

    #[test]
    fn visibility_starts_with_the_groups_last_token() {
        let config = ModelConfig::page6();
        let seen = |kind, position| visible(&config, kind, position);
        assert_eq!(seen(AttentionKind::Csa, 2).entries, 0);
        assert_eq!(seen(AttentionKind::Csa, 3).entries, 1);
        assert_eq!(seen(AttentionKind::Hca, 126).entries, 0);
        assert_eq!(seen(AttentionKind::Hca, 127), Visible { window: 0..128, entries: 1 });
        assert_eq!(seen(AttentionKind::Window, 128), Visible { window: 1..129, entries: 0 });
    }

    #[test]
    fn entries_know_what_they_pool() {
        let cache = LayerCache::new(&ModelConfig::page6(), AttentionKind::Csa);
        let entries = cache.main().unwrap().entries();
        assert_eq!((entries.pooled(0), entries.pooled(3), entries.rope_position(3)), (0..4, 8..16, 12));
    }
}
