//! How a kernel cuts a product into tiles, and what that moves on each level: pure arithmetic on shapes and sizes.
//!
//! The operand that stays in memory is cut into tiles; each is brought on chip and multiplied with a block of
//! activations. Rows of tiles are taken one after the other, so the tiles of a row and all activations of the product
//! are what the L2 cache should hold.

/// Activations are filled up to a multiple of so many columns for the tensor cores.
const COLUMNS: f64 = 8.0;

/// Operands of one shape, and what they are multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// The operand's name.
    pub name: &'static str,
    /// Rows of an operand: a matrix's outputs, a cache's entries.
    pub rows: f64,
    /// Values of a row.
    pub depth: f64,
    /// How many operands are read, in expectation.
    pub operands: f64,
    /// Bytes of one operand with its scales.
    pub bytes: f64,
    /// Vectors that an operand meets at once: tokens, or heads.
    pub columns: f64,
    /// FLOPs of all operands.
    pub flops: f64,
    /// Bytes of activations that one operand is multiplied with.
    pub taken: f64,
    /// Bytes of results that one operand gives.
    pub written: f64,
    /// Whether a tile takes rows whole, as caches are read.
    pub whole_rows: bool,
}

/// A product cut into tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// Rows of a tile.
    pub rows: f64,
    /// Values of a tile's row.
    pub depth: f64,
    /// Columns of a block of activations, filled up.
    pub columns: f64,
    /// Rows of tiles in an operand.
    pub across: f64,
    /// Tiles in such a row: so many are summed up for one block of results.
    pub deep: f64,
    /// Blocks of activations, which each tile meets.
    pub passes: f64,
    /// Tiles of all operands.
    pub tiles: f64,
    /// Bytes of a tile.
    pub tile_bytes: f64,
    /// Share of the multiplied columns that carry something.
    pub filled: f64,
    /// Bytes that L2 should hold: the activations, and one row of tiles.
    pub held: f64,
    /// Bytes read from memory again where L2 does not hold them.
    pub again: f64,
    /// Bytes that pass from L2 onto the chip.
    pub to_chip: f64,
}

impl Tiling {
    /// Cuts a product into tiles of that side beside an L2 cache of that size.
    #[must_use]
    pub fn of(product: &Product, side: u64, l2_bytes: f64) -> Self {
        let side = side.max(1) as f64;
        let rows = product.rows.min(side);
        let depth = if product.whole_rows { product.depth } else { product.depth.min(side) };
        let (across, deep) = (tiles_of(product.rows, side), tiles_of(product.depth, depth));
        let passes = tiles_of(product.columns, side);
        let columns = ((product.columns / COLUMNS).ceil() * COLUMNS).min(side.max(COLUMNS));
        let strip = if across > 0.0 { product.bytes / product.rows * rows } else { 0.0 };
        let held = product.taken + strip;
        let inputs_again = if held > l2_bytes { product.taken * (across - 1.0).max(0.0) } else { 0.0 };
        let strips_again = if strip > l2_bytes { product.bytes * (passes - 1.0).max(0.0) } else { 0.0 };
        let multiplied = passes * columns;
        Self {
            rows,
            depth,
            columns,
            across,
            deep,
            passes,
            tiles: product.operands * across * deep,
            tile_bytes: if deep > 0.0 { strip / deep } else { 0.0 },
            filled: if multiplied > 0.0 { product.columns / multiplied } else { 0.0 },
            held,
            again: product.operands * (inputs_again + strips_again),
            to_chip: product.operands * (product.bytes * passes + product.taken * across),
        }
    }
}

/// How many tiles cover a length.
fn tiles_of(length: f64, side: f64) -> f64 {
    if side > 0.0 { (length / side).ceil() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: Product = Product {
        name: "w2",
        rows: 7168.0,
        depth: 3072.0,
        operands: 6.0,
        bytes: 7168.0 * 3072.0,
        columns: 1.5,
        flops: 0.0,
        taken: 2.0 * 1.5 * 3072.0,
        written: 0.0,
        whole_rows: false,
    };

    #[test]
    fn tiles_cover_an_operand_once() {
        let tiling = Tiling::of(&DOWN, 128, 50e6);
        assert_eq!((tiling.across, tiling.deep, tiling.passes), (56.0, 24.0, 1.0));
        assert_eq!(tiling.tiles, 6.0 * 56.0 * 24.0);
        assert_eq!(tiling.tile_bytes, 128.0 * 128.0);
        assert_eq!(tiling.tiles * tiling.tile_bytes, 6.0 * DOWN.bytes);
        assert_eq!((tiling.columns, tiling.filled), (8.0, 1.5 / 8.0));
        assert_eq!(tiling.again, 0.0);
    }

    #[test]
    fn smaller_tiles_carry_activations_onto_the_chip_more_often() {
        let moved = |side| Tiling::of(&DOWN, side, 50e6).to_chip;
        assert!(moved(16) > moved(64) && moved(64) > moved(256));
        assert!(moved(256) > 6.0 * DOWN.bytes);
    }

    #[test]
    fn what_l2_does_not_hold_is_read_again() {
        let wide = Product { columns: 512.0, taken: 2.0 * 512.0 * 3072.0, ..DOWN };
        let [large, small, tiny] =
            [50e6, 1e6, 1e5].map(|l2| Tiling::of(&Product { operands: 1.0, ..wide }, 128, l2));
        assert_eq!(large.again, 0.0);
        assert_eq!(small.again, wide.taken * 55.0);
        assert_eq!(tiny.again, wide.taken * 55.0 + wide.bytes * 3.0);
        assert_eq!((large.passes, large.columns, large.filled), (4.0, 128.0, 1.0));
    }

    #[test]
    fn nothing_gives_nothing() {
        let none = Product { rows: 0.0, bytes: 0.0, columns: 0.0, operands: 0.0, taken: 0.0, ..DOWN };
        let tiling = Tiling::of(&none, 128, 1e6);
        assert_eq!((tiling.tiles, tiling.tile_bytes, tiling.filled, tiling.to_chip), (0.0, 0.0, 0.0, 0.0));
    }
}
