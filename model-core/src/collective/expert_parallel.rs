//! What expert parallelism sends: tokens go out to their experts' GPUs (dispatch), results come back (combine).
//!
//! Two transfers, each with its number format. Either can send one copy for each expert a token takes, or one for each
//! GPU that holds at least one of them; what an expert needs from its own GPU crosses no link.

use super::Dtype;
use crate::units::Bytes;

/// Who sends how much to whom, before any number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficShape {
    /// Tokens of all GPUs together, B.
    pub tokens: u64,
    /// Values of one token, d.
    pub hidden: u64,
    /// Routed experts of a layer, E.
    pub experts: u64,
    /// Different experts one token takes, k.
    pub experts_per_token: u64,
    /// GPUs that share the experts, G.
    pub ranks: u64,
}

/// How one of the two transfers is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Number format.
    pub dtype: Dtype,
    /// One copy for a token and a GPU, not for a token and an expert.
    pub merged: bool,
    /// Whether what stays on its GPU is counted too.
    pub with_local: bool,
}

/// Bytes of both transfers of one layer, over all GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Tokens to experts.
    pub dispatch: Bytes,
    /// Results to tokens.
    pub combine: Bytes,
}

impl Traffic {
    /// Both transfers of one layer for uniformly drawn experts, in expectation.
    #[must_use]
    pub fn new(shape: TrafficShape, dispatch: Leg, combine: Leg) -> Self {
        Self { dispatch: shape.leg(dispatch), combine: shape.leg(combine) }
    }

    /// Dispatch and combine together.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.dispatch + self.combine
    }
}

impl TrafficShape {
    /// Copies of a token that a leg moves, over all tokens; fractions are expectations.
    ///
    /// Tokens lie evenly on the GPUs, experts too (the first E mod G have one more), and every set of k different
    /// experts is equally likely.
    #[must_use]
    pub fn copies(&self, merged: bool, with_local: bool) -> f64 {
        let (tokens, ranks) = (self.tokens as f64, self.ranks.max(1) as f64);
        let of_a_token =
            if merged { self.ranks_reached() } else { self.experts_per_token.min(self.experts) as f64 };
        // A token's own GPU is any of them alike, so it takes an equal share of the copies.
        let remote = if with_local { 1.0 } else { (ranks - 1.0) / ranks };
        tokens * of_a_token * remote
    }

    /// How many different GPUs a token's experts lie on, in expectation.
    #[must_use]
    pub fn ranks_reached(&self) -> f64 {
        let ranks = self.ranks.max(1);
        let (each, more) = (self.experts / ranks, self.experts % ranks);
        let fewer = ranks - more;
        more as f64 * self.reached(each + 1) + fewer as f64 * self.reached(each)
    }

    /// Probability that at least one of k different experts is among those of one GPU: 1 − C(E − n, k) / C(E, k).
    fn reached(&self, on_gpu: u64) -> f64 {
        let mut missed = 1.0;
        for drawn in 0..self.experts_per_token.min(self.experts) {
            let left = self.experts - drawn;
            // Once only this GPU's experts are left, one of them must be taken.
            missed *= left.saturating_sub(on_gpu) as f64 / left as f64;
            if missed == 0.0 {
                break;
            }
        }
        1.0 - missed
    }

    fn leg(&self, leg: Leg) -> Bytes {
        Bytes(self.copies(leg.merged, leg.with_local) * self.hidden as f64 * leg.dtype.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::KIB;

    const PRO: TrafficShape =
        TrafficShape { tokens: 32, hidden: 7168, experts: 384, experts_per_token: 6, ranks: 8 };

    fn leg(dtype: Dtype, merged: bool, with_local: bool) -> Leg {
        Leg { dtype, merged, with_local }
    }

    #[test]
    fn the_walkthroughs_dispatch_is_2688_kib() {
        let naive = leg(Dtype::Bf16, false, true);
        let traffic = Traffic::new(PRO, naive, naive);
        assert_eq!(traffic.dispatch.get() / KIB, 2688.0);
        assert_eq!(traffic.total().get() / KIB, 2.0 * 2688.0, "two transfers");
    }

    #[test]
    fn fp8_out_and_bf16_back_are_three_bytes_a_value() {
        let traffic = Traffic::new(PRO, leg(Dtype::Fp8, false, false), leg(Dtype::Bf16, false, false));
        assert_eq!(traffic.total().get() / 8.0, 451_584.0, "each GPU, without what stays local");
        assert_eq!(traffic.combine.get(), 2.0 * traffic.dispatch.get());
    }

    #[test]
    fn merging_follows_the_hypergeometric_chance() {
        // Counted by hand: 4 experts on 2 GPUs, 2 taken: 2 of the 6 pairs lie on one GPU.
        let small = TrafficShape { tokens: 1, hidden: 1, experts: 4, experts_per_token: 2, ranks: 2 };
        assert!((small.ranks_reached() - 10.0 / 6.0).abs() < 1e-15);
        // Uneven: 3 experts on 2 GPUs, 2 taken: {0,1} on one GPU, {0,2} and {1,2} on two.
        let uneven = TrafficShape { experts: 3, ..small };
        assert!((uneven.ranks_reached() - 5.0 / 3.0).abs() < 1e-15);
        assert!(PRO.copies(true, true) < PRO.copies(false, true));
        assert_eq!(PRO.copies(false, true), 192.0);
    }

    #[test]
    fn a_single_gpu_sends_nothing_and_many_merge_nothing() {
        let alone = TrafficShape { ranks: 1, ..PRO };
        assert_eq!((alone.copies(true, false), alone.copies(true, true)), (0.0, 32.0));
        let one_each = TrafficShape { ranks: 384, ..PRO };
        assert!((one_each.copies(true, true) - 192.0).abs() < 1e-9);
    }

    #[test]
    fn degenerate_shapes_stay_finite() {
        for shape in [
            TrafficShape { ranks: 0, ..PRO },
            TrafficShape { experts: 0, ..PRO },
            TrafficShape { experts_per_token: 1000, ..PRO },
            TrafficShape { tokens: u64::MAX, hidden: u64::MAX, ..PRO },
        ] {
            for (merged, with_local) in [(false, false), (true, true)] {
                let bytes = shape.leg(leg(Dtype::Fp32, merged, with_local)).get();
                assert!(bytes.is_finite() && bytes >= 0.0, "{shape:?}");
            }
        }
    }
}
