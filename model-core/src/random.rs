//! Seeded randomness: one small generator (SplitMix64) whose stream is the same natively and in wasm.

/// A SplitMix64 generator: 64 bits of state, equidistributed, good enough for weights, sampling and load models.
///
/// The same seed always yields the same numbers, on every platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose stream is fixed by `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number in `0.0 ..1.0` on a grid of 2^-24, exact in f32.
    pub fn unit_f32(&mut self) -> f32 {
        // 24 bits fit an f32's significand, so neither the cast nor the product rounds.
        (self.next_u64() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// A number in `0.0 ..1.0` on a grid of 2^-53, exact in f64.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A whole number in `0 ..bound`, every one equally likely; 0 when `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Multiply-shift, with the few draws that would favour small results thrown away.
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = self.next_u64() as u128 * bound as u128;
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_in_range() {
        let mut random = SplitMix64::new(7);
        let mut seen = [0_u32; 6];
        for _ in 0..6000 {
            assert!((0.0..1.0).contains(&random.unit_f32()));
            assert!((0.0..1.0).contains(&random.unit_f64()));
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }
}
