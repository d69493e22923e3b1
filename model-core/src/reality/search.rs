//! What bounds a measured value, in the scenario as it is and with something changed; and the least change that would
//! make the value possible.

use super::take::Take;
use super::{Quantity, words as say};
use crate::basis::Basis;
use crate::figure::Ledger;
use crate::ledger::pace::Pace;
use crate::ledger::stage_rooms;
use crate::scenario::{Key, KvPlacement, Scenario, Setting, Settings};
use crate::spec::ModelSpec;
use crate::units::Seconds;

/// The bound of a quantity in a scenario, in base units: the least time, the most tokens. None where the model cannot
/// be cut as its plan says.
pub(super) fn bound(quantity: Quantity, scenario: &Scenario, spec: &ModelSpec) -> Option<f64> {
    let settings = scenario.resolve(Ledger::Exact);
    let spec = &*settings.model_in_force(spec);
    let bound = match quantity {
        Quantity::Tpot => {
            let pace = Pace::new(Ledger::Exact, &settings, spec)?;
            pace.step_floor(settings.batch).get() / pace.gained_tokens()
        }
        Quantity::Ttft => {
            let pace = Pace::new(Ledger::Exact, &settings, spec)?;
            pace.chunk_floor(settings.prefix, settings.chunk).get()
        }
        Quantity::KvTokens => most_tokens(&settings, spec)?,
    };
    bound.is_finite().then_some(bound)
}

/// The least time between tokens that the exact ledger allows in a scenario.
pub(crate) fn step_bound(basis: Basis) -> Option<Seconds> {
    bound(Quantity::Tpot, basis.scenario, basis.spec).map(Seconds)
}

/// Over how many GPUs a group spreads the rows of one token.
pub(super) fn spread(settings: &Settings) -> f64 {
    if settings.kv_placement == KvPlacement::Split { f64::from(settings.ep.max(1)) } else { 1.0 }
}

/// Tokens whose rows and keys fill all that weights leave on the stage with the least room: whatever an engine keeps
/// beside them, it cannot hold more.
fn most_tokens(settings: &Settings, spec: &ModelSpec) -> Option<f64> {
    let fit = |room: crate::ledger::StageRoom| {
        ((settings.gpu_memory - room.weights) / room.per_token).max(0.0) * spread(settings)
    };
    let stages = stage_rooms(settings, spec)?.into_iter().filter(|room| room.per_token.get() > 0.0);
    stages.map(fit).reduce(f64::min)
}

/// A measured value that is to be made possible.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) basis: Basis<'a>,
    pub(super) quantity: Quantity,
    pub(super) measured: f64,
    pub(super) bound: f64,
}

/// How often an interval is halved.
const HALVINGS: usize = 40;

impl Bench<'_> {
    /// Whether a bound allows the measured value.
    pub(super) fn allows(&self, bound: f64) -> bool {
        match self.quantity {
            Quantity::Tpot | Quantity::Ttft => bound <= self.measured,
            Quantity::KvTokens => bound >= self.measured,
        }
    }

    /// By which factor a bound lies on the other side of the scenario's; of the value's where the scenario has no room
    /// at all.
    pub(super) fn effect(&self, bound: f64) -> f64 {
        match self.quantity {
            Quantity::Tpot | Quantity::Ttft => self.bound / bound,
            Quantity::KvTokens if self.bound > 0.0 => bound / self.bound,
            Quantity::KvTokens => bound / self.measured,
        }
    }

    /// The bound with choices made and others given back; none where a choice is refused.
    pub(super) fn with(&self, choices: &[(Key, Setting)], forgets: &[Key]) -> Option<f64> {
        let mut scenario = self.basis.scenario.clone();
        for key in forgets {
            scenario.forget(*key);
        }
        for (key, setting) in choices {
            scenario.choose(*key, *setting).ok()?;
        }
        bound(self.quantity, &scenario, self.basis.spec)
    }

    /// The same as something that can be taken, where it allows the value.
    pub(super) fn tried(&self, choices: &[(Key, Setting)], forgets: &[Key]) -> Option<(Take, f64)> {
        let bound = self.with(choices, forgets).filter(|bound| self.allows(*bound))?;
        let take = Take { label: say::ASSUME, choices: choices.to_vec(), forgets: forgets.to_vec() };
        Some((take, bound))
    }

    /// The largest whole number below one given for which the choices allow the value; the bound must fall with it.
    pub(super) fn largest(
        &self,
        below: u64,
        choices: impl Fn(u64) -> Vec<(Key, Setting)>,
    ) -> Option<(u64, Take, f64)> {
        let allowed = |number: u64| self.tried(&choices(number), &[]);
        let (mut low, mut high) = (1, below);
        if below <= 1 || allowed(low).is_none() {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if allowed(middle).is_some() { low = middle } else { high = middle }
        }
        allowed(low).map(|(take, bound)| (low, take, bound))
    }

    /// The least number above one given, up to the key's bound, that allows the value; the bound must ease with it.
    pub(super) fn least(&self, key: Key, above: f64) -> Option<(f64, Take, f64)> {
        let crate::scenario::Bound::Real(_, most) = key.bound() else { return None };
        let allowed = |number: f64| self.tried(&[(key, Setting::Real(number))], &[]);
        let (mut low, mut high) = (above, most);
        allowed(high)?;
        for _ in 0..HALVINGS {
            let middle = libm::sqrt(low * high);
            if allowed(middle).is_some() { high = middle } else { low = middle }
        }
        allowed(high).map(|(take, bound)| (high, take, bound))
    }
}
