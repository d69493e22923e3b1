//! From logits to a token: greedy, or drawn with a temperature and a nucleus (top-p) from a seeded generator.

use super::EngineError;
use crate::random::SplitMix64;

/// The most likely token; among equals the lower id. `None` for no logits or only NaN.
#[must_use]
pub fn greedy(logits: &[f32]) -> Option<u32> {
    let mut best: Option<(usize, f32)> = None;
    for (token, &logit) in logits.iter().enumerate() {
        if !logit.is_nan() && best.is_none_or(|(_, largest)| logit > largest) {
            best = Some((token, logit));
        }
    }
    best.map(|(token, _)| token as u32)
}

/// A token that may be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Its id.
    pub token: u32,
    /// Its probability among the candidates.
    pub probability: f64,
}

/// How tokens are drawn.
#[derive(Debug, Clone)]
pub struct Sampler {
    temperature: f64,
    top_p: f64,
    random: SplitMix64,
}

impl Sampler {
    /// A sampler dividing logits by `temperature` (0 is greedy) and drawing from the fewest likeliest tokens
    /// whose probabilities reach `top_p`.
    ///
    /// # Errors
    /// [`EngineError::Sampling`] unless `temperature` is within 0 ..= 100 and `top_p` above 0 and at most 1.
    pub fn new(temperature: f64, top_p: f64, seed: u64) -> Result<Self, EngineError> {
        if !(0.0..=100.0).contains(&temperature) {
            return Err(EngineError::Sampling { name: "temperature", bounds: "within 0 and 100" });
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return Err(EngineError::Sampling { name: "top_p", bounds: "above 0 and at most 1" });
        }
        Ok(Self { temperature, top_p, random: SplitMix64::new(seed) })
    }

    /// The candidates for `logits`, likeliest first, with probabilities that add up to 1. NaN logits count as
    /// impossible; empty if nothing is possible.
    #[must_use]
    pub fn candidates(&self, logits: &[f32]) -> Vec<Candidate> {
        let Some(best) = greedy(logits) else { return Vec::new() };
        let largest = f64::from(logits[best as usize]);
        if self.temperature == 0.0 || largest.is_infinite() {
            return vec![Candidate { token: best, probability: 1.0 }];
        }
        let mut candidates: Vec<Candidate> = logits
            .iter()
            .enumerate()
            .filter(|(_, logit)| !logit.is_nan())
            .map(|(token, &logit)| Candidate {
                token: token as u32,
                probability: libm::exp((f64::from(logit) - largest) / self.temperature),
            })
            .collect();
        candidates.sort_by(|one, other| {
            other.probability.total_cmp(&one.probability).then(one.token.cmp(&other.token))
        });
        let total: f64 = candidates.iter().map(|candidate| candidate.probability).sum();
        let mut reached = 0.0;
        let mut kept = 0;
        for candidate in &candidates {
            reached += candidate.probability;
            kept += 1;
            if reached >= self.top_p * total {
                break;
            }
        }
        candidates.truncate(kept);
        for candidate in &mut candidates {
            candidate.probability /= reached;
        }
        candidates
    }

    /// Draws a token; one random number is used whatever the settings. `None` if nothing is possible.
    pub fn draw(&mut self, logits: &[f32]) -> Option<u32> {
        let mut rest = self.random.unit_f64();
        let candidates = self.candidates(logits);
        for candidate in &candidates {
            rest -= candidate.probability;
            if rest < 0.0 {
                return Some(candidate.token);
            }
        }
        // Rounding may leave a sliver above the last candidate.
        candidates.last().map(|candidate| candidate.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGITS: [f32; 4] = [1.0, 3.0, 2.0, 3.0];

    #[test]
    fn greedy_prefers_the_lower_of_two_equals() {
        assert_eq!(greedy(&LOGITS), Some(1));
        assert_eq!(greedy(&[f32::NAN, -1.0]), Some(1));
        assert_eq!(greedy(&[]), None);
    }

    #[test]
    fn top_p_keeps_the_fewest_that_reach_it() {
        let sampler = Sampler::new(1.0, 0.75, 1).unwrap();
        let tokens: Vec<u32> = sampler.candidates(&LOGITS).iter().map(|candidate| candidate.token).collect();
        assert_eq!(tokens, [1, 3]);
        let all = Sampler::new(2.0, 1.0, 1).unwrap().candidates(&LOGITS);
        assert_eq!(all.len(), 4);
        assert!((all.iter().map(|candidate| candidate.probability).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn draws_follow_the_probabilities_and_the_seed() {
        let mut one = Sampler::new(1.0, 1.0, 5).unwrap();
        let mut same = Sampler::new(1.0, 1.0, 5).unwrap();
        let mut counts = [0_u32; 4];
        for _ in 0..4000 {
            let token = one.draw(&LOGITS).unwrap();
            assert_eq!(same.draw(&LOGITS), Some(token));
            counts[token as usize] += 1;
        }
        for candidate in one.candidates(&LOGITS) {
            let share = f64::from(counts[candidate.token as usize]) / 4000.0;
            assert!((share - candidate.probability).abs() < 0.03, "{counts:?}");
        }
        assert_eq!(Sampler::new(0.0, 1.0, 9).unwrap().draw(&LOGITS), Some(1));
    }

    #[test]
    fn settings_out_of_bounds_are_named() {
        for (temperature, top_p) in [(-1.0, 1.0), (f64::NAN, 1.0), (1.0, 0.0), (1.0, 1.5), (1.0, f64::NAN)] {
            let message = Sampler::new(temperature, top_p, 0).unwrap_err().to_string();
            assert!(message.contains("temperature") || message.contains("top_p"), "{message}");
        }
    }
}
