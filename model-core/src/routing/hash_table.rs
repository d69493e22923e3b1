//! Layers that route by the token's id: a fixed table from id to experts, here filled from a seed.

use super::{Assignment, MAX_PAIRS, RoutingError, RoutingShape};
use crate::random::SplitMix64;

/// Keeps the table's stream apart from a sampler's of the same seed.
const SALT: u64 = 0x7469_6432_6569_6400;

/// The table of one such layer. Rows are made when asked for; nothing of the vocabulary's size is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashTable {
    shape: RoutingShape,
    seed: u64,
}

impl HashTable {
    /// A table for those experts; every layer should have a seed of its own.
    #[must_use]
    pub const fn new(shape: RoutingShape, seed: u64) -> Self {
        Self { shape, seed }
    }

    /// The experts of a token id, in the table's order.
    #[must_use]
    pub fn row(&self, token_id: u64) -> Vec<u32> {
        let mut row = Vec::with_capacity(self.shape.per_token() as usize);
        self.push_row(token_id, &mut row);
        row
    }

    /// The experts of those tokens. Equal ids take equal experts, so a batch of repeated words touches few.
    ///
    /// # Errors
    /// Where there are more than [`MAX_PAIRS`] picks to make.
    pub fn assign(&self, token_ids: &[u64]) -> Result<Assignment, RoutingError> {
        let (tokens, per_token) = (token_ids.len() as u64, u64::from(self.shape.per_token()));
        if tokens.checked_mul(per_token).is_none_or(|pairs| pairs > MAX_PAIRS) {
            return Err(RoutingError::TooManyTokens(tokens));
        }
        let mut picks = Vec::with_capacity((tokens * per_token) as usize);
        for token_id in token_ids {
            self.push_row(*token_id, &mut picks);
        }
        Ok(Assignment::new(self.shape, picks))
    }

    /// Floyd's way to draw k different numbers: one draw each, no repetition.
    fn push_row(&self, token_id: u64, picks: &mut Vec<u32>) {
        let mut mixed = SplitMix64::new(SplitMix64::new(self.seed ^ SALT).next_u64() ^ token_id);
        let mut random = SplitMix64::new(mixed.next_u64());
        let first = picks.len();
        let (experts, per_token) = (self.shape.experts(), self.shape.per_token());
        for last in experts - per_token..experts {
            let drawn = random.below(u64::from(last) + 1) as u32;
            let taken = picks.get(first..).is_some_and(|own| own.contains(&drawn));
            picks.push(if taken { last } else { drawn });
        }
    }
}

/// Ids of that many tokens, all of the vocabulary alike; real text repeats itself far more.
#[must_use]
pub fn uniform_token_ids(vocabulary: u64, tokens: usize, seed: u64) -> Vec<u64> {
    let mut random = SplitMix64::new(seed);
    (0..tokens).map(|_| random.below(vocabulary)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::distinct_top_k;

    fn table(seed: u64) -> HashTable {
        HashTable::new(RoutingShape::new(384, 6).unwrap(), seed)
    }

    #[test]
    fn equal_tokens_take_equal_experts() {
        let assignment = table(1).assign(&[42, 42, 7, 42]).unwrap();
        assert_eq!(assignment.of_token(0), assignment.of_token(3));
        assert_ne!(assignment.of_token(0), assignment.of_token(2));
        assert_eq!(assignment.of_token(2), table(1).row(7));
        assert!(assignment.distinct() <= 12);
        assert_ne!(table(1).row(42), table(2).row(42), "layers differ");
    }

    #[test]
    fn rows_hold_different_experts_that_exist() {
        for shape in [(384, 6), (6, 6), (7, 3), (1, 1)] {
            let table = HashTable::new(RoutingShape::new(shape.0, shape.1).unwrap(), 9);
            for id in 0..200 {
                let mut row = table.row(id);
                row.sort_unstable();
                row.dedup();
                assert_eq!(row.len(), shape.1 as usize);
                assert!(row.iter().all(|expert| *expert < shape.0));
            }
        }
    }

    #[test]
    fn different_tokens_spread_like_uniform_ones() {
        let mut sum = 0.0;
        for seed in 0..200 {
            let ids: Vec<u64> = (0..32).map(|token| seed * 1000 + token).collect();
            sum += table(seed).assign(&ids).unwrap().distinct() as f64;
        }
        assert!((sum / 200.0 - distinct_top_k(384.0, 6.0, 32)).abs() < 1.2, "{}", sum / 200.0);
        assert_eq!(uniform_token_ids(0, 3, 1), [0, 0, 0]);
    }
}
