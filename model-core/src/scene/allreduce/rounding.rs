//! What the number format on the wire does to a sum: one coordinate's parts, added in an algorithm's order, with every
//! value that travels rounded to the format.

use crate::collective::Algorithm;
use crate::random::SplitMix64;
use crate::scenario::CommDtype;

/// One sum over so many ranks of parts between −2 and 2, the same for the same seed, in both formats of
/// [`CommDtype::ALL`].
pub(super) fn sums(algorithm: Algorithm, ranks: usize, seed: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(seed);
    let parts: Vec<f64> = (0..ranks).map(|_| 4.0 * random.unit_f64() - 2.0).collect();
    CommDtype::ALL.iter().map(|dtype| sum(algorithm, &parts, *dtype)).collect()
}

/// The sum as it arrives. A ring passes it from rank to rank, a tree adds two and two, a switch adds all and rounds
/// once.
fn sum(algorithm: Algorithm, parts: &[f64], dtype: CommDtype) -> f64 {
    let round = |value: f64| match dtype {
        CommDtype::Fp32 => f64::from(value as f32),
        CommDtype::Bf16 => to_bf16(value),
    };
    let mut values: Vec<f64> = parts.iter().copied().map(round).collect();
    match algorithm {
        Algorithm::Ring => values.into_iter().reduce(|sum, part| round(sum + part)).unwrap_or(0.0),
        Algorithm::Tree => {
            while values.len() > 1 {
                values = values.chunks(2).map(|pair| round(pair.iter().sum())).collect();
            }
            values.first().copied().unwrap_or(0.0)
        }
        Algorithm::InSwitch => round(values.iter().sum()),
    }
}

/// The nearest value with eight significant bits, ties to even.
fn to_bf16(value: f64) -> f64 {
    let bits = (value as f32).to_bits();
    let tie = 0x7fff + ((bits >> 16) & 1);
    f64::from(f32::from_bits(bits.wrapping_add(tie) & 0xffff_0000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bits_are_kept() {
        for (value, kept) in [(1.0, 1.0), (1.003, 1.0), (1.005, 1.0078125), (257.0, 256.0), (-3.3, -3.296875)]
        {
            assert_eq!(to_bf16(value), kept, "{value}");
        }
        // Halfway: to the even one.
        assert_eq!((to_bf16(1.00390625), to_bf16(1.01171875)), (1.0, 1.015625));
    }

    #[test]
    fn each_addition_may_lose_a_little() {
        for (algorithm, roundings) in
            [(Algorithm::Ring, 8.0), (Algorithm::Tree, 4.0), (Algorithm::InSwitch, 2.0)]
        {
            let mut changed = 0;
            for seed in 0..200 {
                let found = sums(algorithm, 8, seed);
                // Values stay below 16, where neighbours lie 1/16 apart.
                assert!((found[1] - found[0]).abs() <= roundings / 16.0, "{algorithm:?} {seed}: {found:?}");
                changed += usize::from(found[0] != found[1]);
            }
            assert!(changed > 190, "{algorithm:?}: {changed}");
        }
        assert_eq!(sum(Algorithm::Ring, &[256.0, 1.0, 1.0], CommDtype::Bf16), 256.0);
        assert_eq!(sum(Algorithm::InSwitch, &[256.0, 1.0, 1.0], CommDtype::Bf16), 258.0);
        assert_eq!(sum(Algorithm::Ring, &[256.0, 1.0, 1.0], CommDtype::Fp32), 258.0);
    }
}
