//! The report's four directions and four difficulties, each as a comparison: what it starts from, what it bends, and what
//! that comes to in the report's own two situations.

use super::{Bench, straight, unbent, words};
use crate::figure::Ledger;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::{Look, Text};
use crate::spec::ModelSpec;

/// On which side of the report's last chapter a preset stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetKind {
    /// Worth silicon.
    Direction,
    /// Stands in the way.
    Difficulty,
}

/// Values of keys, as links write them.
type Choices = &'static [(Key, &'static str)];

/// A direction or a difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name in links and test hooks.
    pub name: &'static str,
    /// Direction or difficulty.
    pub kind: PresetKind,
    title: Text,
    teaches: Text,
    /// What holds before and afterwards.
    pub setting: Choices,
    /// What it bends.
    pub bends: Choices,
    /// Whether as many requests are decoded as fit, on either side.
    pub filled: bool,
}

/// One of the report's two situations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// 32 requests of 1M.
    Long,
    /// 128 requests of 128K.
    Online,
}

impl Case {
    /// Both, in the report's order.
    pub const ALL: [Self; 2] = [Self::Long, Self::Online];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Long => "long",
            Self::Online => "online",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self, look: Look) -> &'static str {
        look.say(match self {
            Self::Long => words::CASE_LONG,
            Self::Online => words::CASE_ONLINE,
        })
    }

    /// Said of a preset that fills the memory where no request fits in it.
    #[must_use]
    pub const fn none_fits(look: Look) -> &'static str {
        look.say(words::NONE_FITS)
    }

    const fn choices(self) -> Choices {
        match self {
            Self::Long => &[(Key::Gpu, "h200"), (Key::Context, "1M"), (Key::Batch, "32")],
            Self::Online => &[(Key::Gpu, "h200"), (Key::Context, "128K"), (Key::Batch, "128")],
        }
    }

    /// The situation as a scenario.
    #[must_use]
    pub fn scenario(self) -> Scenario {
        chosen(self.choices())
    }
}

/// What a preset comes to in a situation.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The situation.
    pub case: Case,
    /// Whether as many requests are decoded as fit, in place of the situation's.
    pub filled: bool,
    /// Both steps.
    pub bench: Bench,
}

impl Effect {
    /// What the situation is called.
    #[must_use]
    pub const fn title(&self, look: Look) -> &'static str {
        match (self.case, self.filled) {
            (Case::Long, true) => look.say(words::CASE_LONG_FILLED),
            (Case::Online, true) => look.say(words::CASE_ONLINE_FILLED),
            (case, false) => case.title(look),
        }
    }
}

const PRESETS: [Preset; 8] = [
    Preset {
        name: "expert-cache",
        kind: PresetKind::Direction,
        title: words::EXPERT_CACHE,
        teaches: words::EXPERT_CACHE_TEACHES,
        setting: &[],
        bends: &[(Key::ExpertCacheHit, "0.5"), (Key::NocTbS, "10")],
        filled: false,
    },
    Preset {
        name: "primitives",
        kind: PresetKind::Direction,
        title: words::PRIMITIVES,
        teaches: words::PRIMITIVES_TEACHES,
        setting: &[(Key::Overlap, "serial")],
        bends: &[(Key::AlphaUs, "0.5"), (Key::FixedTimes, "0.5")],
        filled: false,
    },
    Preset {
        name: "indexer-channel",
        kind: PresetKind::Direction,
        title: words::INDEXER,
        teaches: words::INDEXER_TEACHES,
        setting: &[],
        bends: &[(Key::IndexerTbS, "4.8"), (Key::Fp4Tflops, "3958")],
        filled: false,
    },
    Preset {
        name: "ep-domain",
        kind: PresetKind::Direction,
        title: words::EP_DOMAIN,
        teaches: words::EP_DOMAIN_TEACHES,
        setting: &[(Key::Gpus, "16"), (Key::Overlap, "serial")],
        bends: &[(Key::GpusPerNode, "16")],
        filled: false,
    },
    Preset {
        name: "power",
        kind: PresetKind::Difficulty,
        title: words::POWER,
        teaches: words::POWER_TEACHES,
        setting: &[],
        bends: &[(Key::PowerCap, "0.4")],
        filled: false,
    },
    Preset {
        name: "routing-skew",
        kind: PresetKind::Difficulty,
        title: words::SKEW,
        teaches: words::SKEW_TEACHES,
        setting: &[(Key::Router, "hot"), (Key::Skew, "0.3")],
        bends: &[(Key::SlowestGpu, "true")],
        filled: false,
    },
    Preset {
        name: "capacity",
        kind: PresetKind::Difficulty,
        title: words::CAPACITY,
        teaches: words::CAPACITY_TEACHES,
        setting: &[(Key::ReserveGb, "0")],
        bends: &[(Key::ReserveGb, "8"), (Key::PageRounding, "true")],
        filled: true,
    },
    Preset {
        name: "software",
        kind: PresetKind::Difficulty,
        title: words::SOFTWARE,
        teaches: words::SOFTWARE_TEACHES,
        setting: &[(Key::Overlap, "waves")],
        bends: &[(Key::Overlap, "serial"), (Key::FixedTimes, "2")],
        filled: false,
    },
];

/// All of them, in the report's order.
#[must_use]
pub const fn presets() -> &'static [Preset] {
    &PRESETS
}

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    put(&mut scenario, choices);
    scenario
}

fn put(scenario: &mut Scenario, choices: &[(Key, &str)]) {
    for (key, text) in choices {
        // The table's own values lie within the bounds; a test holds them to that.
        let _ = scenario.choose_text(*key, text);
    }
}

impl Preset {
    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// What it is called.
    #[must_use]
    pub const fn title(&self, look: Look) -> &'static str {
        look.say(self.title)
    }

    /// What it teaches.
    #[must_use]
    pub const fn teaches(&self, look: Look) -> &'static str {
        look.say(self.teaches)
    }

    /// What it chooses, as a link's query string.
    #[must_use]
    pub fn query(&self) -> String {
        let mut scenario = Scenario::default();
        self.apply(&mut scenario);
        let pairs: Vec<String> =
            scenario.choices().map(|(key, setting)| format!("{}={setting}", key.name())).collect();
        pairs.join("&")
    }

    /// Chooses all of it in a scenario.
    pub fn apply(&self, scenario: &mut Scenario) {
        put(scenario, self.setting);
        put(scenario, self.bends);
    }

    /// Keys that it chooses.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        let filled = self.filled.then_some(Key::Batch);
        self.setting.iter().chain(self.bends).map(|(key, _)| *key).chain(filled)
    }

    /// The preset that a scenario has whole, if there is one.
    #[must_use]
    pub fn in_force(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.holds(ledger, scenario, spec))
    }

    fn holds(&self, ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> bool {
        let mut wanted = Scenario::default();
        self.apply(&mut wanted);
        let mut choices = wanted.choices();
        choices.all(|(key, setting)| scenario.in_force(key, ledger) == setting)
            && (!self.filled || {
                // Where none fits the load is the reader's.
                let mut full = scenario.clone();
                Self::fill(ledger, &mut full, spec).is_none()
                    || full.in_force(Key::Batch, ledger) == scenario.in_force(Key::Batch, ledger)
            })
    }

    /// A scenario with this preset in place of whatever was bent before, as many requests being decoded as fit where it
    /// says so.
    #[must_use]
    pub fn applied(&self, ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Scenario {
        let mut applied = straight(ledger, scenario, spec);
        self.apply(&mut applied);
        if self.filled {
            // Where none fits the load stays.
            let _ = Self::fill(ledger, &mut applied, spec);
        }
        applied
    }

    /// What a scenario that has this preset starts from.
    pub(super) fn before(&self, ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Scenario {
        let mut before = unbent(scenario);
        self.bends.iter().for_each(|(key, _)| before.forget(*key));
        put(&mut before, self.setting);
        if self.filled && Self::fill(ledger, &mut scenario.clone(), spec).is_some() {
            let _ = Self::fill(ledger, &mut before, spec);
        }
        before
    }

    /// Chooses as many requests as fit; none where not one does.
    fn fill(ledger: Ledger, scenario: &mut Scenario, spec: &ModelSpec) -> Option<()> {
        let fit = report(ledger, scenario, spec).number("capacity.max_batch_reserved");
        let most = fit.filter(|fit| *fit >= 1.0)?;
        // More than the bound allows stays as it was.
        let _ = scenario.choose_number(Key::Batch, most);
        Some(())
    }

    /// What it comes to in a situation; none where no request fits beside the weights.
    #[must_use]
    pub fn effect(&self, case: Case, ledger: Ledger, spec: &ModelSpec) -> Option<Effect> {
        let mut before = case.scenario();
        put(&mut before, self.setting);
        let mut after = before.clone();
        put(&mut after, self.bends);
        if self.filled {
            for scenario in [&mut before, &mut after] {
                Self::fill(ledger, scenario, spec)?;
            }
        }
        let bench = Bench::between(ledger, [&before, &after], spec);
        Some(Effect { case, filled: self.filled, bench })
    }

    /// What it comes to in both situations.
    #[must_use]
    pub fn effects(&self, ledger: Ledger, spec: &ModelSpec) -> Vec<Effect> {
        Case::ALL.into_iter().filter_map(|case| self.effect(case, ledger, spec)).collect()
    }
}
