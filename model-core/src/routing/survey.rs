//! Many draws of one router summed up: means with their standard errors, to stand beside the closed forms.

use super::{RoutingError, Sampler, SlowBy, slowest};

/// A mean over draws and how sure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error; zero for a single draw.
    pub standard_error: f64,
}

/// What many draws come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Survey {
    /// Different experts that a batch touches.
    pub distinct: Estimate,
    /// Different experts on the GPU that has most of them.
    pub slowest_experts: Estimate,
    /// Pairs of tokens and experts on the GPU that has most of them.
    pub slowest_pairs: Estimate,
}

/// Sums of values and of their squares.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Tally {
    /// Welford's update: no difference of large sums.
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn estimate(self) -> Estimate {
        let variance = if self.count > 1.0 { self.squares / (self.count - 1.0) } else { 0.0 };
        let standard_error = if self.count > 0.0 { libm::sqrt(variance / self.count) } else { 0.0 };
        Estimate { mean: self.mean, standard_error }
    }
}

/// Draws a batch again and again and sums up.
///
/// # Errors
/// As [`Sampler::draw`] and [`super::Assignment::rank_loads`].
pub fn survey(sampler: &Sampler, tokens: u64, ranks: u32, draws: u64) -> Result<Survey, RoutingError> {
    let mut tallies = [Tally::default(); 3];
    for draw in 0..draws {
        let assignment = sampler.draw(tokens, draw)?;
        let loads = assignment.rank_loads(ranks)?;
        let worst = |by| slowest(&loads, by).map(|(_, load)| load).unwrap_or_default();
        let values = [
            assignment.distinct() as f64,
            f64::from(worst(SlowBy::Experts).distinct_experts),
            f64::from(worst(SlowBy::Pairs).pairs),
        ];
        tallies.iter_mut().zip(values).for_each(|(tally, value)| tally.add(value));
    }
    let [distinct, slowest_experts, slowest_pairs] = tallies.map(Tally::estimate);
    Ok(Survey { distinct, slowest_experts, slowest_pairs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_errors_are_the_textbooks() {
        let mut tally = Tally::default();
        [2.0, 4.0, 4.0, 6.0].into_iter().for_each(|value| tally.add(value));
        let estimate = tally.estimate();
        assert!((estimate.mean - 4.0).abs() < 1e-15);
        assert!((estimate.standard_error - (8.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!(Tally::default().estimate(), Estimate::default());
    }
}
