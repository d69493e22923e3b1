//! Draws experts for tokens, one after the other without replacement, each with a chance in proportion to its weight.

use super::{Assignment, MAX_PAIRS, Popularity, RoutingError, RoutingShape};
use crate::random::SplitMix64;

/// How often a draw that hits a taken expert is repeated before the rest is summed up instead. Both ways draw from the
/// same distribution; the sum takes longer but always ends.
const TRIES: u32 = 8;

/// A layer's router as a random draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    shape: RoutingShape,
    weights: Vec<f64>,
    cumulative: Vec<f64>,
    seed: u64,
}

impl Sampler {
    /// A sampler for that distribution; the seed fixes every draw.
    ///
    /// # Errors
    /// Says which parameter of the distribution is out of bounds.
    pub fn new(shape: RoutingShape, popularity: &Popularity, seed: u64) -> Result<Self, RoutingError> {
        let weights = popularity.weights(shape, seed)?;
        let mut sum = 0.0;
        let cumulative = weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        Ok(Self { shape, weights, cumulative, seed })
    }

    /// The weight of each expert.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Draws the experts of that many tokens. Different draw numbers give independent draws of the same router.
    ///
    /// # Errors
    /// Where there are more than [`MAX_PAIRS`] picks to make.
    pub fn draw(&self, tokens: u64, draw: u64) -> Result<Assignment, RoutingError> {
        let per_token = self.shape.per_token() as usize;
        if tokens.checked_mul(per_token as u64).is_none_or(|pairs| pairs > MAX_PAIRS) {
            return Err(RoutingError::TooManyTokens(tokens));
        }
        // Passing seed and number through the generator keeps neighbouring draws apart.
        let mut random = SplitMix64::new(SplitMix64::new(self.seed).next_u64() ^ draw);
        let mut random = SplitMix64::new(random.next_u64());
        let mut picks: Vec<u32> = Vec::with_capacity(tokens as usize * per_token);
        for _ in 0..tokens {
            let first = picks.len();
            for _ in 0..per_token {
                let taken = picks.get(first..).unwrap_or(&[]);
                let expert = self.one_not_in(taken, &mut random);
                picks.push(expert);
            }
        }
        Ok(Assignment::new(self.shape, picks))
    }

    fn one_not_in(&self, taken: &[u32], random: &mut SplitMix64) -> u32 {
        for _ in 0..TRIES {
            let expert = self.one(random);
            if !taken.contains(&expert) {
                return expert;
            }
        }
        self.one_of_the_rest(taken, random)
    }

    /// One expert, taken or not.
    fn one(&self, random: &mut SplitMix64) -> u32 {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let target = random.unit_f64() * total;
        let place = self.cumulative.partition_point(|sum| *sum <= target);
        (place as u32).min(self.shape.experts() - 1)
    }

    /// One expert among those not taken; where none of them has a weight, all of them alike.
    fn one_of_the_rest(&self, taken: &[u32], random: &mut SplitMix64) -> u32 {
        let rest = || (0_u32..).zip(&self.weights).filter(|(expert, _)| !taken.contains(expert));
        let total: f64 = rest().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            let place = random.below(rest().count() as u64) as usize;
            return rest().nth(place).map_or(0, |(expert, _)| expert);
        }
        let mut target = random.unit_f64() * total;
        let mut last = 0;
        for (expert, weight) in rest().filter(|(_, weight)| **weight > 0.0) {
            if target < *weight {
                return expert;
            }
            target -= weight;
            last = expert;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(experts: u32, per_token: u32, popularity: &Popularity, seed: u64) -> Sampler {
        Sampler::new(RoutingShape::new(experts, per_token).unwrap(), popularity, seed).unwrap()
    }

    #[test]
    fn a_token_takes_different_experts_even_from_a_steep_law() {
        for popularity in [
            Popularity::Uniform,
            Popularity::Zipf { exponent: 1.2 },
            Popularity::Zipf { exponent: 300.0 },
            Popularity::Hot { experts: vec![5, 9], share: 1.0 },
        ] {
            for (experts, per_token) in [(384, 6), (16, 16), (12, 5)] {
                let assignment = sampler(experts, per_token, &popularity, 11).draw(50, 0).unwrap();
                for token in 0..50 {
                    let mut own = assignment.of_token(token).to_vec();
                    assert!(own.iter().all(|expert| *expert < experts));
                    own.sort_unstable();
                    own.dedup();
                    assert_eq!(own.len(), per_token as usize, "{popularity:?} {experts}");
                }
            }
        }
    }

    #[test]
    fn single_draws_follow_the_weights() {
        let sampler = sampler(6, 1, &Popularity::Zipf { exponent: 1.0 }, 5);
        let tokens = 60_000;
        let counts = sampler.draw(tokens, 0).unwrap().tokens_per_expert();
        let total: f64 = sampler.weights().iter().sum();
        for (count, weight) in counts.iter().zip(sampler.weights()) {
            let (p, n) = (weight / total, tokens as f64);
            let standard_error = (n * p * (1.0 - p)).sqrt();
            assert!((f64::from(*count) - n * p).abs() < 4.0 * standard_error, "{count} of {}", n * p);
        }
    }

    #[test]
    fn both_ways_of_drawing_agree() {
        // Two of three with weights 1, 1/2, 1/3: each first pick, then the second among the rest.
        let sampler = sampler(3, 2, &Popularity::Zipf { exponent: 1.0 }, 1);
        let weights = sampler.weights().to_vec();
        let total: f64 = weights.iter().sum();
        let mut random = SplitMix64::new(4);
        for scan in [false, true] {
            let mut missing = [0.0_f64; 3];
            for _ in 0..30_000 {
                let first = sampler.one(&mut random);
                let second = if scan {
                    sampler.one_of_the_rest(&[first], &mut random)
                } else {
                    sampler.one_not_in(&[first], &mut random)
                };
                missing[3 - (first + second) as usize] += 1.0;
            }
            for left in 0..3 {
                let (a, b) = (weights[(left + 1) % 3], weights[(left + 2) % 3]);
                let p = a * b / total * (1.0 / (total - a) + 1.0 / (total - b));
                let standard_error = (30_000.0 * p * (1.0 - p)).sqrt();
                assert!((missing[left] - 30_000.0 * p).abs() < 4.0 * standard_error);
            }
        }
    }

    #[test]
    fn seeds_and_draw_numbers_decide() {
        let of = |seed, draw| sampler(384, 6, &Popularity::Uniform, seed).draw(32, draw).unwrap();
        assert_eq!(of(7, 0), of(7, 0));
        assert_ne!(of(7, 0), of(7, 1));
        assert_ne!(of(7, 0), of(8, 0));
    }

    #[test]
    fn too_many_tokens_are_refused_before_memory_is_taken() {
        let sampler = sampler(384, 6, &Popularity::Uniform, 0);
        for tokens in [u64::MAX, MAX_PAIRS] {
            assert_eq!(sampler.draw(tokens, 0), Err(RoutingError::TooManyTokens(tokens)));
        }
        assert_eq!(sampler.draw(0, 0).unwrap().distinct(), 0);
    }
}
