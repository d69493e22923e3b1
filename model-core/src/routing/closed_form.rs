//! How many different experts a batch touches, in expectation, when all are equally likely.

use crate::power::whole_power;

/// Each of the tokens takes k different experts: E · (1 − (1 − k/E)^B).
#[must_use]
pub fn distinct_top_k(experts: f64, per_token: f64, tokens: u64) -> f64 {
    experts * (1.0 - whole_power(1.0 - per_token / experts, tokens))
}

/// k · B single draws, a token's own draws may coincide: E · (1 − (1 − 1/E)^(k·B)).
#[must_use]
pub fn distinct_with_replacement(experts: f64, per_token: u64, tokens: u64) -> f64 {
    experts * (1.0 - whole_power(1.0 - 1.0 / experts, per_token.saturating_mul(tokens)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_token_takes_its_k() {
        assert!((distinct_top_k(384.0, 6.0, 1) - 6.0).abs() < 1e-12);
        assert!(distinct_with_replacement(384.0, 6, 1) < 6.0);
        assert_eq!(distinct_top_k(384.0, 6.0, 0), 0.0);
    }

    #[test]
    fn a_large_batch_touches_all_and_never_more() {
        let mut before = 0.0;
        for tokens in (0..4000).step_by(37) {
            let now = distinct_top_k(384.0, 6.0, tokens);
            assert!(now >= before && now <= 384.0);
            assert!(distinct_with_replacement(384.0, 6, tokens) <= now);
            before = now;
        }
        assert!(before > 383.999);
        assert_eq!(distinct_with_replacement(384.0, u64::MAX, u64::MAX), 384.0);
    }
}
