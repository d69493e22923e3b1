//! Rotary position embedding: inverse frequencies (plain or YaRN) and a table of cosines and sines by position.

use super::config::Yarn;

/// Cosines and sines of every position asked for so far, for one base. Pair `i` of position `p` turns by
/// `p · inverse[i]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RopeTable {
    /// One per pair, radians per position.
    inverse: Vec<f32>,
    /// `[position][pair] = (cos, sin)`.
    turns: Vec<(f32, f32)>,
}

impl RopeTable {
    /// A table without positions for `rope_dims` (even) rotated values.
    pub(super) fn new(rope_dims: usize, theta: f64, yarn: Option<&Yarn>) -> Self {
        Self { inverse: inverse_frequencies(rope_dims, theta, yarn), turns: Vec::new() }
    }

    /// Makes positions `0 ..end` available.
    pub(super) fn extend_to(&mut self, end: usize) {
        let pairs = self.inverse.len();
        for position in self.turns.len() / pairs.max(1)..end {
            for &inverse in &self.inverse {
                let angle = position as f32 * inverse;
                self.turns.push((libm::cosf(angle), libm::sinf(angle)));
            }
        }
    }

    /// The turns of one position, empty if [`Self::extend_to`] has not reached it.
    fn at(&self, position: usize) -> &[(f32, f32)] {
        let pairs = self.inverse.len();
        self.turns.get(position * pairs..(position + 1) * pairs).unwrap_or_default()
    }

    /// Turns the last values of `vector`, pair by neighbouring pair, to `position`.
    #[inline]
    pub(super) fn rotate(&self, vector: &mut [f32], position: usize) {
        self.turn(vector, position, 1.0);
    }

    /// Turns them back.
    #[inline]
    pub(super) fn rotate_back(&self, vector: &mut [f32], position: usize) {
        self.turn(vector, position, -1.0);
    }

    #[inline]
    fn turn(&self, vector: &mut [f32], position: usize, direction: f32) {
        let start = vector.len().saturating_sub(2 * self.inverse.len());
        let (pairs, _) = vector[start..].as_chunks_mut::<2>();
        for ([x, y], &(cos, sin)) in pairs.iter_mut().zip(self.at(position)) {
            let sin = sin * direction;
            (*x, *y) = (*x * cos - *y * sin, *x * sin + *y * cos);
        }
    }
}

/// `base^(-2i/r)` for each pair, slowed down by YaRN where it applies.
fn inverse_frequencies(rope_dims: usize, theta: f64, yarn: Option<&Yarn>) -> Vec<f32> {
    let dims = rope_dims as f64;
    // Where on the scale of pairs a wave makes `turns` full turns over the original context.
    let pair_of = |yarn: &Yarn, turns: f64| {
        dims * libm::log(yarn.original_positions / (2.0 * std::f64::consts::PI * turns))
            / (2.0 * libm::log(theta))
    };
    (0..rope_dims / 2)
        .map(|pair| {
            let plain = libm::pow(theta, -2.0 * pair as f64 / dims);
            let Some(yarn) = yarn else { return plain as f32 };
            let low = libm::floor(pair_of(yarn, yarn.beta_fast)).max(0.0);
            let mut high = libm::ceil(pair_of(yarn, yarn.beta_slow)).min(dims - 1.0);
            if high == low {
                high += 0.001;
            }
            let ramp = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
            (plain / yarn.factor * ramp + plain * (1.0 - ramp)) as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_there_and_back_is_nothing() {
        let mut table = RopeTable::new(4, 10_000.0, None);
        table.extend_to(50);
        let start = [9.0, 8.0, 1.0, 2.0, 3.0, 4.0];
        let mut vector = start;
        table.rotate(&mut vector, 49);
        assert_eq!(vector[..2], start[..2]);
        assert!((vector[2] - start[2]).abs() > 0.1);
        table.rotate_back(&mut vector, 49);
        assert!(vector.iter().zip(start).all(|(a, b)| (a - b).abs() < 1e-5));
    }

    #[test]
    fn yarn_slows_the_slow_pairs_only() {
        let yarn = Yarn { factor: 16.0, original_positions: 65_536.0, beta_fast: 32.0, beta_slow: 1.0 };
        let plain = inverse_frequencies(64, 160_000.0, None);
        let slowed = inverse_frequencies(64, 160_000.0, Some(&yarn));
        assert_eq!(plain[0], slowed[0]);
        assert!((plain[31] / slowed[31] - 16.0).abs() < 1e-3);
        assert!(slowed.windows(2).all(|pair| pair[0] > pair[1]));
    }
}
