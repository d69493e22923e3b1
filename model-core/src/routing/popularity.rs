//! How likely each expert is to be taken.

use super::{RoutingError, RoutingShape};
use crate::random::SplitMix64;
use crate::scenario::{Router, Settings};

/// Keeps the stream that chooses hot experts apart from a sampler's of the same seed.
const HOT_SALT: u64 = 0x686f_745f_6c69_7374;
/// Of so many experts one is hot.
const HOT_OF: u32 = 32;

/// A distribution over the experts of a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Popularity {
    /// All alike.
    Uniform,
    /// The n-th most popular has weight n^−exponent; who is how popular is shuffled by the seed.
    Zipf {
        /// 0 is uniform, 1 the classic law, more is steeper.
        exponent: f64,
    },
    /// Some experts take a share among them, the others the rest, evenly within each group.
    Hot {
        /// The hot experts.
        experts: Vec<u32>,
        /// Their share of all single draws, from 0 to 1.
        share: f64,
    },
}

impl Popularity {
    /// What the scenario asks for. The hot list is drawn from the seed: one of 32 experts, a token's picks at least.
    #[must_use]
    pub fn of(settings: &Settings, shape: RoutingShape) -> Self {
        match settings.router {
            // A table and a learned router favour nobody from the start.
            Router::Uniform | Router::Hash | Router::Engine => Self::Uniform,
            Router::Zipf => Self::Zipf { exponent: settings.skew },
            Router::Hot => {
                let mut experts: Vec<u32> = (0..shape.experts()).collect();
                shuffle(&mut experts, &mut SplitMix64::new(settings.seed ^ HOT_SALT));
                experts.truncate((shape.experts() / HOT_OF).max(shape.per_token()) as usize);
                Self::Hot { experts, share: settings.skew.min(1.0) }
            }
        }
    }

    /// The weight of each expert; they need not sum to one.
    ///
    /// # Errors
    /// Says which parameter is out of bounds.
    pub fn weights(&self, shape: RoutingShape, seed: u64) -> Result<Vec<f64>, RoutingError> {
        let count = shape.experts() as usize;
        match self {
            Self::Uniform => Ok(vec![1.0; count]),
            Self::Zipf { exponent } => {
                if !exponent.is_finite() || *exponent < 0.0 {
                    return Err(RoutingError::Exponent(*exponent));
                }
                let mut weights: Vec<f64> =
                    (0..count).map(|place| libm::pow(place as f64 + 1.0, -exponent)).collect();
                shuffle(&mut weights, &mut SplitMix64::new(seed));
                Ok(weights)
            }
            Self::Hot { experts, share } => hot_weights(shape, experts, *share),
        }
    }
}

fn hot_weights(shape: RoutingShape, hot: &[u32], share: f64) -> Result<Vec<f64>, RoutingError> {
    if !(0.0..=1.0).contains(&share) {
        return Err(RoutingError::Share(share));
    }
    if hot.is_empty() && share > 0.0 {
        return Err(RoutingError::NoHotExperts);
    }
    let count = shape.experts() as usize;
    let cold = count.saturating_sub(hot.len());
    let cold_weight = if cold == 0 { 0.0 } else { (1.0 - share) / cold as f64 };
    let mut weights = vec![cold_weight; count];
    let mut named = vec![false; count];
    for expert in hot {
        let place = *expert as usize;
        let slots = weights.get_mut(place).zip(named.get_mut(place)).filter(|(_, named)| !**named);
        let Some((weight, named)) = slots else { return Err(RoutingError::HotExpert(*expert)) };
        *weight = if cold == 0 { 1.0 } else { share / hot.len() as f64 };
        *named = true;
    }
    Ok(weights)
}

/// Fisher and Yates' shuffle.
fn shuffle<T>(values: &mut [T], random: &mut SplitMix64) {
    for last in (1..values.len()).rev() {
        let other = random.below(last as u64 + 1) as usize;
        values.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> RoutingShape {
        RoutingShape::new(8, 2).unwrap()
    }

    #[test]
    fn zipf_weights_are_the_law_in_another_order() {
        let mut weights = Popularity::Zipf { exponent: 1.0 }.weights(shape(), 3).unwrap();
        assert_ne!(weights[0], 1.0, "shuffled with this seed");
        weights.sort_by(|a, b| b.total_cmp(a));
        for (place, weight) in weights.iter().enumerate() {
            assert!((weight * (place as f64 + 1.0) - 1.0).abs() < 1e-15);
        }
        assert_eq!(
            Popularity::Zipf { exponent: 0.0 }.weights(shape(), 3),
            Popularity::Uniform.weights(shape(), 3)
        );
    }

    #[test]
    fn hot_experts_share_their_share() {
        let weights = Popularity::Hot { experts: vec![7, 1], share: 0.5 }.weights(shape(), 0).unwrap();
        assert!((weights[1] + weights[7] - 0.5).abs() < 1e-15);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_scenario_names_its_law() {
        use crate::figure::Ledger;
        use crate::scenario::{Key, Scenario};
        let of = |router: &str, skew: &str| {
            let mut scenario = Scenario::default();
            scenario.choose_text(Key::Router, router).unwrap();
            scenario.choose_text(Key::Skew, skew).unwrap();
            Popularity::of(&scenario.resolve(Ledger::Exact), RoutingShape::new(384, 6).unwrap())
        };
        assert_eq!(of("uniform", "2"), Popularity::Uniform);
        assert_eq!(of("zipf", "1.5"), Popularity::Zipf { exponent: 1.5 });
        let Popularity::Hot { experts, share } = of("hot", "4") else { panic!("a hot list") };
        assert_eq!((experts.len(), share), (12, 1.0));
        assert_ne!(experts, (0..12).collect::<Vec<_>>(), "shuffled with this seed");
    }

    #[test]
    fn odd_parameters_are_refused() {
        let hot = |experts: &[u32], share| Popularity::Hot { experts: experts.to_vec(), share };
        let cases = [
            (Popularity::Zipf { exponent: -1.0 }, RoutingError::Exponent(-1.0)),
            (Popularity::Zipf { exponent: f64::INFINITY }, RoutingError::Exponent(f64::INFINITY)),
            (hot(&[0], 1.5), RoutingError::Share(1.5)),
            (hot(&[8], 0.5), RoutingError::HotExpert(8)),
            (hot(&[3, 3], 0.5), RoutingError::HotExpert(3)),
            (hot(&[], 0.5), RoutingError::NoHotExperts),
        ];
        for (popularity, error) in cases {
            assert_eq!(popularity.weights(shape(), 0), Err(error));
        }
        assert!(matches!(hot(&[0], f64::NAN).weights(shape(), 0), Err(RoutingError::Share(_))));
        assert!(hot(&[0, 1, 2, 3, 4, 5, 6, 7], 0.0).weights(shape(), 0).is_ok());
    }
}
