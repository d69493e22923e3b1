//! What stands between a GPU and the host: lanes of PCI Express 5.0, at the rate that the standard gives. Drives and
//! slots reach less, so that times from these rates are lower bounds.

use crate::units::BytesPerSecond;

/// Transfers of a lane in a second, of one bit each.
const LANE: f64 = 32e9;
/// Bits of data among those sent.
const CODE: f64 = 128.0 / 130.0;

/// The rate of so many lanes in one direction.
const fn lanes(count: f64) -> BytesPerSecond {
    BytesPerSecond(count * LANE * CODE / 8.0)
}

/// The slot of a GPU: sixteen lanes.
pub const GPU_SLOT: BytesPerSecond = lanes(16.0);
/// A drive: four lanes.
pub const DRIVE: BytesPerSecond = lanes(4.0);
