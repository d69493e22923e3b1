//! The workbench: a reader bends the hardware and sees what a decode step becomes, stage by stage, beside the step of the
//! hardware as it is: what each resource would take, which one binds, and what the whole gains.
//!
//! [`Bench::of`] compares a scenario with the same one unbent. [`presets`] are the report's directions and difficulties,
//! each a comparison of its own; [`Sensitivity`] doubles one resource after the other; [`claims`] holds what the report
//! says of the hardware against what comes out.

mod claims;
mod domain;
mod draw;
mod model;
mod preset;
mod sensitivity;
mod skew;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use claims::{Claim, claims};
pub use domain::{Domain, DomainLink};
pub use model::{POWER_SHARES, Resource, StageTime, Step};
pub use preset::{Case, Effect, Preset, PresetKind, presets};
pub use sensitivity::{Gain, Sensitivity};
pub use tables::effects_table;

use crate::basis::Basis;
use crate::draw::legend;
use crate::figure::Ledger;
use crate::ledger::demands::demands;
use crate::plan;
use crate::scenario::{Key, Scenario, Settings};
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// What the workbench bends, in the order in which it is offered. Without a choice for any of these a step is the
/// ledger's own.
pub const BENDS: &[Key] = &[
    Key::HbmTbS,
    Key::NocTbS,
    Key::ExpertCacheHit,
    Key::L2Mib,
    Key::IndexerTbS,
    Key::PeakTflops,
    Key::Fp4Tflops,
    Key::Bf16Tflops,
    Key::LinkGbS,
    Key::NetworkGbS,
    Key::AlphaUs,
    Key::GpusPerNode,
    Key::FixedTimes,
    Key::PowerCap,
    Key::SlowestGpu,
];

/// Ledgers that time a step, and so have one to bend.
pub const LEDGERS: &[Ledger] = &[Ledger::Report, Ledger::Exact];

/// What the workbench turns beside the hardware, for both steps alike: where exchanges stand, and who picks experts.
pub const BESIDE: &[Key] = &[Key::Overlap, Key::Router, Key::Skew, Key::Seed];

/// Two steps beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// By whose bookkeeping.
    pub ledger: Ledger,
    /// The step before anything is bent.
    pub before: Step,
    /// The step afterwards.
    pub after: Step,
    /// Whether computation hides the experts' exchange on each link, after bending.
    pub domain: Domain,
    /// What differs between the two, bends first.
    pub bent: Vec<Key>,
    /// Why there is nothing to compare.
    pub reason: Option<Text>,
}

impl Bench {
    /// A scenario beside the same one unbent; where a preset is in force, beside what that starts from.
    #[must_use]
    pub fn of(basis: Basis) -> Self {
        let (ledger, scenario, spec) = (basis.ledger(), basis.scenario, basis.spec);
        let before = match Preset::in_force(ledger, scenario, spec) {
            Some(preset) => preset.before(ledger, scenario, spec),
            None => unbent(scenario),
        };
        Self::between(ledger, [&before, scenario], spec)
    }

    /// Any two scenarios of a model.
    #[must_use]
    pub fn between(ledger: Ledger, [before, after]: [&Scenario; 2], spec: &ModelSpec) -> Self {
        let settings = [before, after].map(|scenario| scenario.resolve(ledger));
        let differs = |key: &Key| before.in_force(*key, ledger) != after.in_force(*key, ledger);
        let legal = [before, after].iter().all(|scenario| plan::check(ledger, scenario, spec).is_ok());
        let reason = match ledger {
            Ledger::Tutorial => Some(words::NO_TIMES),
            _ if !legal => Some(words::NO_PLAN),
            _ => None,
        };
        let there = reason.is_none();
        let step = |scenario: &Scenario, settings: &Settings| {
            if there {
                step(ledger, settings, spec, contained(ledger, scenario, spec))
            } else {
                Step::default()
            }
        };
        let [as_is, bent] = &settings;
        let after_step = step(after, bent);
        Self {
            ledger,
            domain: Domain::of(ledger, bent, spec, &after_step),
            before: step(before, as_is),
            after: after_step,
            bent: bends_first().filter(differs).collect(),
            reason,
        }
    }

    /// How many times as fast the step has become; 1 where there is none.
    #[must_use]
    pub fn speedup(&self) -> f64 {
        let (before, after) = (self.before.total.get(), self.after.total.get());
        if before > 0.0 && after > 0.0 { before / after } else { 1.0 }
    }

    /// How many times as many tokens are served in a second: where the requests change, that is what a bend is worth, and
    /// no longer the step's time.
    #[must_use]
    pub fn served(&self) -> f64 {
        let (before, after) = (self.before.tokens_per_s, self.after.tokens_per_s);
        if before > 0.0 { after / before } else { 1.0 }
    }

    /// Whether the requests of the step change.
    #[must_use]
    pub fn refilled(&self) -> bool {
        self.before.batch != self.after.batch
    }

    /// The part whose time changed most, with both its times; none where nothing moved.
    #[must_use]
    pub fn moved(&self) -> Option<Moved> {
        let change = |moved: &Moved| (moved.after - moved.before).get().abs();
        let pairs = self.before.stages.iter().zip(&self.after.stages).map(|(before, after)| Moved {
            part: Some(before.part),
            before: before.taken,
            after: after.taken,
            bound: [before.bound, after.bound],
        });
        let rest = Moved {
            part: None,
            before: self.before.rest(),
            after: self.after.rest(),
            bound: [Resource::Fixed; 2],
        };
        let moved = pairs.chain([rest]).max_by(|a, b| change(a).total_cmp(&change(b)))?;
        (change(&moved) > 1e-9 * self.before.total.get()).then_some(moved)
    }

    /// Stages whose binding resource is another one afterwards.
    pub fn rebound(&self) -> impl Iterator<Item = (&StageTime, &StageTime)> {
        self.before
            .stages
            .iter()
            .zip(&self.after.stages)
            .filter(|(before, after)| before.bound != after.bound)
    }

    /// The stage that takes longest afterwards; none where there is no step.
    #[must_use]
    pub fn longest(&self) -> Option<&StageTime> {
        let working = self.after.stages.iter().filter(|stage| stage.taken.get() > 0.0);
        working.max_by(|a, b| a.taken.get().total_cmp(&b.taken.get()))
    }

    /// Resources that bind anywhere in the picture, with their fills.
    #[must_use]
    pub fn legend(&self, look: Look) -> Vec<legend::Entry> {
        draw::legend_of(self, look)
    }
}

/// The part that changed most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Which stage; none for fixed time with latency.
    pub part: Option<crate::ledger::StepPart>,
    /// Its time before.
    pub before: Seconds,
    /// Its time afterwards.
    pub after: Seconds,
    /// What bound it before, and what binds it now.
    pub bound: [Resource; 2],
}

/// The scenario on hardware as it is.
#[must_use]
pub fn unbent(scenario: &Scenario) -> Scenario {
    let mut unbent = scenario.clone();
    BENDS.iter().for_each(|key| unbent.forget(*key));
    unbent
}

/// The scenario with everything straightened: hardware as it is, and nothing left of the preset in force.
#[must_use]
pub fn straight(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Scenario {
    let mut straight = unbent(scenario);
    if let Some(preset) = Preset::in_force(ledger, scenario, spec) {
        preset.keys().for_each(|key| straight.forget(key));
    }
    straight
}

/// Every key, what the workbench bends before all others.
fn bends_first() -> impl Iterator<Item = Key> {
    BENDS.iter().copied().chain(Key::ALL.into_iter().filter(|key| !BENDS.contains(key)))
}

/// The exchanges that a scenario's latency contains: whatever it was measured on, they stayed within one node of
/// hardware as it is.
fn contained(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Seconds {
    let home = Settings { gpus_per_node: u32::MAX, ..unbent(scenario).resolve(ledger) };
    demands(ledger, &home, spec).map_or(Seconds::ZERO, |home| home.exchange())
}

/// The step of a scenario; an empty one where there is none.
fn step(ledger: Ledger, settings: &Settings, spec: &ModelSpec, contained: Seconds) -> Step {
    let Some(demands) = demands(ledger, settings, spec) else { return Step::default() };
    let slow = skew::Slow::of(settings, spec, &demands);
    Step::of(&demands, settings, slow, contained)
}

/// What of the experts' weights a cache of the scenario's L2 could hold, and how large it must be for the hits in force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CacheNeed {
    /// Routed experts that one layer's step reads on one GPU.
    pub layer: Bytes,
    /// Routed experts that all layers keep on one GPU.
    pub resident: Bytes,
    /// L2.
    pub l2: Bytes,
    /// What must be kept close for the hits in force, picks being uniform.
    pub needed: Bytes,
}

impl CacheNeed {
    /// For a scenario; nothing where the ledger times nothing.
    #[must_use]
    pub fn of(ledger: Ledger, settings: &Settings, spec: &ModelSpec) -> Option<Self> {
        let spec = &*settings.model_in_force(spec);
        let demands = demands(ledger, settings, spec)?;
        let ranks = f64::from(demands.ranks.max(1));
        let layers = spec.main_layers().len() as f64;
        let resident = demands.expert_bytes * (layers * spec.experts as f64 / ranks);
        Some(Self {
            layer: demands.expert_bytes * (demands.distinct / ranks),
            resident,
            l2: settings.l2,
            needed: resident * settings.bends.expert_hits,
        })
    }

    /// What the hits in force ask for, in words.
    #[must_use]
    pub fn told(&self, look: Look) -> String {
        let size = |bytes: Bytes| crate::format::bytes(bytes, look.base).to_string();
        let values = [
            ("resident", size(self.resident)),
            ("needed", size(self.needed)),
            ("l2", size(self.l2)),
            ("held", format!("{:.2} %", self.held() * 100.0)),
        ];
        let told = if self.needed.get() > 0.0 { words::CACHE_NEEDED } else { words::CACHE_HELD };
        crate::words::fill(look.say(told), &values)
    }

    /// The share of reads that L2 itself could serve from one step to the next.
    #[must_use]
    pub fn held(&self) -> f64 {
        if self.resident.get() > 0.0 { (self.l2 / self.resident).min(1.0) } else { 0.0 }
    }
}
