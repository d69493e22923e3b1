//! Closed sums over a chunk's positions, so that no cost depends on how long it is.

/// Σ ⌊i / m⌋ for i from 1 to n.
fn sum_of_quotients(n: u64, m: u64) -> f64 {
    let Some(whole) = n.checked_div(m) else { return 0.0 };
    let (q, rest, m) = (whole as f64, (n % m) as f64, m as f64);
    m * q * (q - 1.0) / 2.0 + q * (rest + 1.0)
}

/// Σ min(⌊i / m⌋, k) for i from 1 to n.
fn sum_of_capped_quotients(n: u64, m: u64, k: u64) -> f64 {
    // From here on the cap holds.
    let start = m.saturating_mul(k);
    if n < start || m == 0 {
        sum_of_quotients(n, m)
    } else {
        sum_of_quotients(start.saturating_sub(1), m) + (n - start.max(1) + 1) as f64 * k as f64
    }
}

/// Tokens at positions `prefix` to `prefix + tokens − 1`, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Positions {
    /// Tokens before the first one.
    pub(super) prefix: u64,
    /// How many there are.
    pub(super) tokens: u64,
}

impl Positions {
    /// Entries of groups of `m` that each token sees, summed: ⌊(p + 1) / m⌋ at position p.
    pub(super) fn entries(self, m: u64) -> f64 {
        let end = self.prefix.saturating_add(self.tokens);
        sum_of_quotients(end, m) - sum_of_quotients(self.prefix, m)
    }

    /// The same with at most `k` for each token.
    pub(super) fn capped_entries(self, m: u64, k: u64) -> f64 {
        let end = self.prefix.saturating_add(self.tokens);
        sum_of_capped_quotients(end, m, k) - sum_of_capped_quotients(self.prefix, m, k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_sums_equal_sums() {
        for (prefix, tokens) in [(0, 1), (0, 17), (3, 5), (100, 300), (128, 128), (4095, 2)] {
            for (m, k) in [(4, 8), (4, 1024), (128, 1), (1, 128), (7, 3)] {
                let positions = Positions { prefix, tokens };
                let seen = |p: u64| (p + 1) / m;
                let all: u64 = (prefix..prefix + tokens).map(seen).sum();
                let capped: u64 = (prefix..prefix + tokens).map(|p| seen(p).min(k)).sum();
                assert_eq!(positions.entries(m), all as f64, "{prefix} {tokens} {m}");
                assert_eq!(positions.capped_entries(m, k), capped as f64, "{prefix} {tokens} {m} {k}");
            }
        }
    }
}
