//! The GPU with most experts to compute: how many times the average's work it has, from drawn batches.

use crate::ledger::demands::StepDemands;
use crate::routing::{Popularity, RoutingShape, Sampler, survey};
use crate::scenario::Settings;
use crate::spec::ModelSpec;

/// Batches that are drawn.
const DRAWS: u64 = 16;
/// Most picks of a token, and of a batch, that are drawn; published models stay far below.
const MOST_PICKS: (u64, u64) = (64, 1 << 17);

/// How many times the ledger's average the slowest GPU has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slow {
    /// Routed experts to read.
    pub(super) experts: f64,
    /// Pairs of a token and an expert to compute.
    pub(super) pairs: f64,
}

impl Slow {
    /// As the ledgers have it: all alike.
    pub(super) const NONE: Self = Self { experts: 1.0, pairs: 1.0 };

    /// The slowest GPU where the scenario asks for it.
    pub(super) fn of(settings: &Settings, spec: &ModelSpec, demands: &StepDemands) -> Self {
        let picks = demands.tokens.saturating_mul(spec.experts_per_token);
        let drawable = spec.experts_per_token <= MOST_PICKS.0 && picks <= MOST_PICKS.1;
        if !settings.bends.slowest_gpu || demands.ranks <= 1 || !drawable {
            return Self::NONE;
        }
        Self::drawn(settings, spec, demands).unwrap_or(Self::NONE)
    }

    /// The slowest GPU of drawn batches.
    pub(super) fn drawn(settings: &Settings, spec: &ModelSpec, demands: &StepDemands) -> Option<Self> {
        let shape = RoutingShape::of(spec).ok()?;
        let sampler = Sampler::new(shape, &Popularity::of(settings, shape), settings.seed).ok()?;
        let survey = survey(&sampler, demands.tokens, demands.ranks, DRAWS).ok()?;
        let ranks = f64::from(demands.ranks);
        let pairs = demands.tokens as f64 * spec.experts_per_token as f64;
        let (experts, pairs) = (demands.distinct / ranks, pairs / ranks);
        (experts > 0.0 && pairs > 0.0).then(|| Self {
            experts: survey.slowest_experts.mean / experts,
            // The busiest never has less than the average.
            pairs: (survey.slowest_pairs.mean / pairs).max(1.0),
        })
    }
}
