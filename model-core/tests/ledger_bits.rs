//! Figures are the same to the last bit wherever the crate runs; the same number is asked of the wasm build.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/ledger_bits.rs"]
mod bits;

#[test]
fn the_grid_comes_out_as_everywhere() {
    assert_eq!(bits::ledger_bits(), bits::EXPECTED);
}
