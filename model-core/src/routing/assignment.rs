//! The outcome of routing: which experts each token takes, and what that means for experts and GPUs.

use super::{RoutingError, RoutingShape};

/// The experts of a batch of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    shape: RoutingShape,
    picks: Vec<u32>,
}

/// One GPU's part of a layer's experts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankLoad {
    /// Pairs of a token and an expert of this GPU: its computation.
    pub pairs: u32,
    /// Tokens with at least one expert here: what reaches it when copies for one GPU are merged.
    pub tokens: u32,
    /// Experts of this GPU that any token takes: the weights it must read.
    pub distinct_experts: u32,
    /// Tokens of its most wanted expert.
    pub busiest_expert: u32,
}

/// What makes a GPU slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowBy {
    /// Weights to read: small batches.
    Experts,
    /// Pairs to compute: large batches.
    Pairs,
}

impl Assignment {
    /// Wraps picks laid out token by token; all must be below the number of experts.
    pub(super) fn new(shape: RoutingShape, picks: Vec<u32>) -> Self {
        Self { shape, picks }
    }

    /// The experts that each token takes, as something else chose them.
    ///
    /// # Errors
    /// Where a token takes another number of experts than the shape has, or one that does not exist.
    pub fn of_tokens(shape: RoutingShape, tokens: &[Vec<u32>]) -> Result<Self, RoutingError> {
        let wrong = |own: &&Vec<u32>| own.len() != shape.per_token() as usize;
        if let Some(own) = tokens.iter().find(wrong) {
            return Err(RoutingError::PerToken(own.len() as u32));
        }
        let picks = tokens.concat();
        match picks.iter().find(|pick| **pick >= shape.experts()) {
            Some(pick) => Err(RoutingError::HotExpert(*pick)),
            None => Ok(Self::new(shape, picks)),
        }
    }

    /// Experts and picks per token.
    #[must_use]
    pub const fn shape(&self) -> RoutingShape {
        self.shape
    }

    /// How many tokens there are.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.picks.len() / self.shape.per_token() as usize
    }

    /// The experts of one token in the order of its picks; empty for a token that is not there.
    #[must_use]
    pub fn of_token(&self, token: usize) -> &[u32] {
        let each = self.shape.per_token() as usize;
        let first = token.saturating_mul(each);
        self.picks.get(first..first.saturating_add(each)).unwrap_or(&[])
    }

    /// How many tokens each expert has.
    #[must_use]
    pub fn tokens_per_expert(&self) -> Vec<u32> {
        let mut counts = vec![0; self.shape.experts() as usize];
        for pick in &self.picks {
            if let Some(count) = counts.get_mut(*pick as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// How many experts have any token.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.tokens_per_expert().iter().filter(|count| **count > 0).count()
    }

    /// What each of that many GPUs has to do; GPU i holds the i-th run of experts.
    ///
    /// # Errors
    /// Where the GPUs do not share the experts evenly.
    pub fn rank_loads(&self, ranks: u32) -> Result<Vec<RankLoad>, RoutingError> {
        let each = self.experts_per_rank(ranks)?;
        let mut loads: Vec<RankLoad> = self
            .tokens_per_expert()
            .chunks(each as usize)
            .map(|own| RankLoad {
                pairs: own.iter().sum(),
                tokens: 0,
                distinct_experts: own.iter().filter(|count| **count > 0).count() as u32,
                busiest_expert: own.iter().copied().max().unwrap_or(0),
            })
            .collect();
        for token in 0..self.tokens() {
            self.for_each_rank(token, each, true, |rank| {
                if let Some(load) = loads.get_mut(rank) {
                    load.tokens += 1;
                }
            });
        }
        Ok(loads)
    }

    /// Copies of tokens that go from one GPU (row) to another (column).
    ///
    /// Tokens lie on the GPUs in even runs. Merged, a token goes once to a GPU, else once for each of its experts
    /// there. The diagonal stays at home.
    ///
    /// # Errors
    /// Where the GPUs do not share the experts evenly.
    pub fn traffic(&self, ranks: u32, merged: bool) -> Result<Vec<Vec<u32>>, RoutingError> {
        let each = self.experts_per_rank(ranks)?;
        let tokens = self.tokens();
        let mut copies = vec![vec![0; ranks as usize]; ranks as usize];
        for token in 0..tokens {
            let Some(row) = copies.get_mut(owner(token, tokens, ranks)) else { continue };
            self.for_each_rank(token, each, merged, |rank| {
                if let Some(count) = row.get_mut(rank) {
                    *count += 1;
                }
            });
        }
        Ok(copies)
    }

    fn experts_per_rank(&self, ranks: u32) -> Result<u32, RoutingError> {
        let experts = self.shape.experts();
        if ranks > 0 && experts.is_multiple_of(ranks) {
            Ok(experts / ranks)
        } else {
            Err(RoutingError::Ranks(ranks))
        }
    }

    /// Visits the GPUs of a token's experts, each once or once for each expert.
    fn for_each_rank(&self, token: usize, each: u32, merged: bool, mut visit: impl FnMut(usize)) {
        let own = self.of_token(token);
        for (place, expert) in own.iter().enumerate() {
            let rank = expert / each;
            let seen = || own.iter().take(place).any(|earlier| earlier / each == rank);
            if !merged || !seen() {
                visit(rank as usize);
            }
        }
    }
}

/// The GPU on which a token lies when a batch is laid out in even runs.
#[must_use]
pub fn owner(token: usize, tokens: usize, ranks: u32) -> usize {
    let place = token as u128 * u128::from(ranks);
    place.checked_div(tokens as u128).unwrap_or(0) as usize
}

/// The GPU that the others wait for, and its load; the first of equals. `None` where there are no GPUs.
#[must_use]
pub fn slowest(loads: &[RankLoad], by: SlowBy) -> Option<(usize, RankLoad)> {
    let weight = |load: &RankLoad| match by {
        SlowBy::Experts => (load.distinct_experts, load.pairs),
        SlowBy::Pairs => (load.pairs, load.distinct_experts),
    };
    loads.iter().copied().enumerate().rev().max_by_key(|(_, load)| weight(load))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four experts on two GPUs, two for each token.
    fn small() -> Assignment {
        Assignment::new(RoutingShape::new(4, 2).unwrap(), vec![0, 1, 0, 3, 0, 2])
    }

    #[test]
    fn loads_are_counted_by_hand() {
        let loads = small().rank_loads(2).unwrap();
        assert_eq!(small().tokens_per_expert(), [3, 1, 1, 1]);
        assert_eq!(loads[0], RankLoad { pairs: 4, tokens: 3, distinct_experts: 2, busiest_expert: 3 });
        assert_eq!(loads[1], RankLoad { pairs: 2, tokens: 2, distinct_experts: 2, busiest_expert: 1 });
        assert_eq!(slowest(&loads, SlowBy::Pairs).map(|(rank, _)| rank), Some(0));
        assert_eq!(slowest(&[], SlowBy::Pairs), None);
        assert_eq!(slowest(&[RankLoad::default(); 3], SlowBy::Experts).map(|(rank, _)| rank), Some(0));
    }

    #[test]
    fn copies_for_one_gpu_are_merged() {
        // Tokens 0 and 1 lie on GPU 0, token 2 on GPU 1.
        assert_eq!(small().traffic(2, false).unwrap(), [[3, 1], [1, 1]]);
        assert_eq!(small().traffic(2, true).unwrap(), [[2, 1], [1, 1]]);
        assert_eq!([0, 1, 2].map(|token| owner(token, 3, 2)), [0, 0, 1]);
    }

    #[test]
    fn picks_from_elsewhere_are_checked() {
        let of = |tokens: &[Vec<u32>]| Assignment::of_tokens(RoutingShape::new(4, 2).unwrap(), tokens);
        assert_eq!(of(&[vec![0, 1], vec![0, 3], vec![0, 2]]), Ok(small()));
        assert_eq!(of(&[vec![0, 1], vec![0]]), Err(RoutingError::PerToken(1)));
        assert_eq!(of(&[vec![0, 4]]), Err(RoutingError::HotExpert(4)));
    }

    #[test]
    fn uneven_cuts_are_refused() {
        for ranks in [0, 3, 8] {
            assert_eq!(small().rank_loads(ranks), Err(RoutingError::Ranks(ranks)));
            assert_eq!(small().traffic(ranks, true), Err(RoutingError::Ranks(ranks)));
        }
        assert!(small().of_token(3).is_empty() && small().of_token(usize::MAX).is_empty());
    }
}
