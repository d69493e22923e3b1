//! What the reader may take over into the scenario: choices, and what must be given back for them to mean the same.

use crate::figure::Ledger;
use crate::measured::Implied;
use crate::scenario::{Key, Scenario, Setting};
use crate::scene::{Look, Text};
use crate::units::Seconds;

/// Choices that stand ready.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    pub(super) label: Text,
    /// What is chosen.
    pub choices: Vec<(Key, Setting)>,
    /// What goes back to the ledger's default.
    pub forgets: Vec<Key>,
}

/// Latencies are taken to a hundredth of a microsecond: links stay short.
const HUNDREDTHS: f64 = 100.0;

impl Take {
    /// A number, if the key takes it.
    pub(super) fn number(label: Text, key: Key, number: f64) -> Option<Self> {
        let rounded = (number * HUNDREDTHS).round() / HUNDREDTHS;
        let setting = key.bound().check(rounded).ok()?;
        Some(Self { label, choices: vec![(key, setting)], forgets: Vec::new() })
    }

    /// A latency per layer. One of nothing cannot be chosen: it would stand for an unknown one.
    pub(super) fn latency(label: Text, per_layer: Seconds) -> Option<Self> {
        let taken = Self::number(label, Key::LatencyUsPerLayer, per_layer.get() * 1e6)?;
        taken.choices.iter().all(|(_, setting)| setting.real() > 0.0).then_some(taken)
    }

    /// All that a row was measured in: what else acts in the exact ledger goes back to its default.
    pub(super) fn situation(label: Text, implied: &Implied) -> Option<Self> {
        let latency = Self::latency(label, implied.per_layer)?;
        let mut choices = vec![(Key::Model, Setting::Word(crate::scenario::Model::V4Pro.word()))];
        choices.extend(implied.point.choices());
        choices.extend(latency.choices);
        let kept = |key: &Key| choices.iter().any(|(chosen, _)| chosen == key);
        let forgets = Key::ALL.into_iter().filter(|key| key.acts_in(Ledger::Exact) && !kept(key)).collect();
        Some(Self { label, choices, forgets })
    }

    /// What it is called.
    #[must_use]
    pub const fn title(&self, look: Look) -> &'static str {
        look.say(self.label)
    }

    /// The scenario with all of it taken.
    #[must_use]
    pub fn applied(&self, scenario: &Scenario) -> Scenario {
        let mut taken = scenario.clone();
        for key in &self.forgets {
            taken.forget(*key);
        }
        for (key, setting) in &self.choices {
            // Choices are checked when they are made.
            let _ = taken.choose(*key, *setting);
        }
        taken
    }
}
