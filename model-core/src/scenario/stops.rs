//! Where a slider stops: values a reader is likely to want. Any other value within the bound can be typed.

use super::{Bound, Key};

/// Sizes of GPU memory worth a stop, in GiB.
const MEMORY_GIB: [f64; 16] =
    [16.0, 24.0, 32.0, 40.0, 48.0, 64.0, 80.0, 96.0, 128.0, 141.0, 180.0, 192.0, 256.0, 288.0, 384.0, 512.0];

/// Sides of tiles worth a stop.
const TILES: [u64; 5] = [16, 32, 64, 128, 256];

/// Lengths at which a group of a compressed cache, or the ring, is just full.
const BORDERS: [u64; 3] = [4, 8, 128];

/// Sizes of L2 caches worth a stop, in MiB.
const L2_MIB: [f64; 10] = [2.0, 4.0, 8.0, 16.0, 32.0, 50.0, 60.0, 96.0, 126.0, 256.0];

/// Rates of arrival worth a stop, in requests a second.
const ARRIVALS: [f64; 15] = [0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0];
/// Start-up times worth a stop, in µs.
const ALPHAS_US: [f64; 14] =
    [0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// Rates of computation worth a stop, in TFLOP/s: those of the known GPUs, rounded, and what lies between.
const PEAKS_TFLOPS: [f64; 14] = [
    100.0, 296.0, 500.0, 750.0, 1000.0, 1500.0, 1979.0, 2500.0, 3500.0, 4500.0, 5000.0, 7500.0, 10_000.0,
    20_000.0,
];

/// Rates of memory worth a stop, in TB/s.
const HBM_TB_S: [f64; 11] = [0.5, 1.0, 2.0, 3.35, 4.0, 4.8, 6.0, 8.0, 12.0, 16.0, 32.0];

/// Rates on the chip worth a stop, in TB/s.
const NOC_TB_S: [f64; 10] = [2.5, 4.0, 5.5, 7.0, 10.0, 14.0, 20.0, 32.0, 64.0, 128.0];

/// Rates of a path for indexer keys worth a stop, in TB/s.
const INDEXER_TB_S: [f64; 9] = [0.5, 1.0, 1.5, 2.4, 3.2, 4.8, 8.0, 16.0, 32.0];

/// Times between tokens worth a stop, in ms.
const TPOTS_MS: [f64; 20] = [
    1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.5, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 75.0, 100.0, 200.0,
    500.0, 1000.0,
];

/// Times to a first token worth a stop, in ms.
const TTFTS_MS: [f64; 13] = [
    50.0, 100.0, 200.0, 300.0, 500.0, 750.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 60_000.0, 600_000.0,
];

/// Latencies of a layer worth a stop, in µs.
const LATENCIES_US: [f64; 15] =
    [25.0, 50.0, 75.0, 100.0, 125.0, 150.0, 200.0, 250.0, 300.0, 400.0, 500.0, 750.0, 1000.0, 2000.0, 3000.0];

/// Multiples of fixed times worth a stop.
const FIXED_TIMES: [f64; 9] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0];

/// Lengths of a step's parts worth a stop, in ms.
const PARTS_MS: [f64; 19] = [
    0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 32.0, 48.0, 64.0, 100.0, 200.0,
];

/// Speed-ups worth a stop.
const SPEEDUPS: [f64; 11] = [1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 20.0, 50.0];

/// Steps of a slider over numbers without favourites.
const EVEN_STEPS: u32 = 40;

impl Key {
    /// The values a slider stops at, rising; both ends of the bound among them. None for words.
    #[must_use]
    pub fn stops(self) -> Vec<f64> {
        match (self, self.bound()) {
            // Neighbouring layers attend differently: each is worth a stop.
            (Self::Layer, Bound::Whole(low, high)) => (low..=high).map(|stop| stop as f64).collect(),
            (Self::Tile, _) => TILES.map(|side| side as f64).to_vec(),
            (Self::Position, Bound::Whole(low, high)) => positions(low, high),
            (_, Bound::Whole(low, high)) => {
                quarter_doublings(low, high).into_iter().map(|stop| stop as f64).collect()
            }
            (Self::GpuMemoryGib, Bound::Real(low, high)) => between(low, &MEMORY_GIB, high),
            (Self::L2Mib, Bound::Real(low, high)) => between(low, &L2_MIB, high),
            (Self::ArrivalsPerS, Bound::Real(low, high)) => between(low, &ARRIVALS, high),
            (
                Self::PartAttentionMs
                | Self::PartExpertsMs
                | Self::PartCommMs
                | Self::PartCpuMs
                | Self::HiddenMs,
                Bound::Real(low, high),
            ) => between(low, &PARTS_MS, high),
            (Self::Speedup, Bound::Real(low, high)) => between(low, &SPEEDUPS, high),
            (Self::AlphaUs, Bound::Real(low, high)) => between(low, &ALPHAS_US, high),
            (Self::PeakTflops | Self::Fp4Tflops | Self::Bf16Tflops, Bound::Real(low, high)) => {
                between(low, &PEAKS_TFLOPS, high)
            }
            (Self::NocTbS, Bound::Real(low, high)) => between(low, &NOC_TB_S, high),
            (Self::IndexerTbS, Bound::Real(low, high)) => between(low, &INDEXER_TB_S, high),
            (Self::MeasuredTpotMs, Bound::Real(low, high)) => between(low, &TPOTS_MS, high),
            (Self::MeasuredTtftMs, Bound::Real(low, high)) => between(low, &TTFTS_MS, high),
            (Self::LatencyUsPerLayer, Bound::Real(low, high)) => between(low, &LATENCIES_US, high),
            (Self::FixedTimes, Bound::Real(low, high)) => between(low, &FIXED_TIMES, high),
            (Self::HbmTbS, Bound::Real(low, high)) => between(low, &HBM_TB_S, high),
            (_, Bound::Real(low, high)) => (0..=EVEN_STEPS)
                .map(|step| low + (high - low) * f64::from(step) / f64::from(EVEN_STEPS))
                .collect(),
            (_, Bound::OneOf(_)) => Vec::new(),
        }
    }
}

/// Both ends, the round numbers, and the tokens before, at and after the group borders that are easy to get wrong.
fn positions(low: u64, high: u64) -> Vec<f64> {
    let mut stops: Vec<u64> = BORDERS.into_iter().flat_map(|border| border - 1..=border + 1).collect();
    stops.extend(quarter_doublings(low, high));
    stops.retain(|stop| (low..=high).contains(stop));
    stops.sort_unstable();
    stops.dedup();
    stops.into_iter().map(|stop| stop as f64).collect()
}

/// Both ends, and those of the stops that lie between them.
fn between(low: f64, stops: &[f64], high: f64) -> Vec<f64> {
    let inner = stops.iter().copied().filter(|stop| *stop > low && *stop < high);
    core::iter::once(low).chain(inner).chain([high]).collect()
}

/// Whole numbers from `low` to `high` with at most four to each doubling.
fn quarter_doublings(low: u64, high: u64) -> Vec<u64> {
    let doublings =
        core::iter::successors(Some(1_u64), |power| power.checked_mul(2)).take_while(|p| *p <= high);
    let quarters = doublings.flat_map(|power| [0, 1, 2, 3].map(|quarter| power + power * quarter / 4));
    let mut stops: Vec<u64> =
        quarters.filter(|stop| (low..=high).contains(stop)).chain([low, high]).collect();
    stops.sort_unstable();
    stops.dedup();
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_rise_within_the_bound() {
        for key in Key::ALL {
            let stops = key.stops();
            assert!(stops.windows(2).all(|pair| pair[0] < pair[1]), "{}", key.name());
            assert!(stops.iter().all(|stop| key.bound().check(*stop).is_ok()), "{}", key.name());
        }
        assert_eq!(Key::Context.stops()[..6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(Key::Context.stops().contains(&131_072.0));
        for stop in [0, 3, 4, 5, 7, 8, 9, 127, 128, 129, 1_048_575] {
            assert!(Key::Position.stops().contains(&f64::from(stop)), "{stop}");
        }
    }
}
