//! Scenarios side by side: which figures differ and by how much, which values the cases differ in, and which of those
//! is responsible. Plain data: [`Comparison`] and [`Waterfall`] give tables, and a waterfall draws itself.

mod drawing;
mod figures;
mod lines;
mod pair;
mod path;
#[cfg(test)]
mod tests;
mod values;
mod waterfall;
mod words;

pub use figures::Group;
pub use lines::{Comparison, Line, Mark, Which};
pub use pair::{Pair, pair_of, pairs};
pub use values::{Change, Names, Valued, What};
pub use waterfall::{Point, Stage, Waterfall};

use crate::chart::tokens;
use crate::figure::{Ledger, Report};
use crate::ledger::{Topic, report};
use crate::link::{Compared, Link, MOST_COMPARED};
use crate::plan::{self, Plan};
use crate::scenario::{Key, Scenario, Setting, Settings};
use crate::scene::Look;
use crate::spec::{self, ModelSpec};
use crate::words::fill;

/// What the cases are called, in their order. What was put aside comes first, what the reader turns last: so everything
/// is set against something that stays.
pub const LETTERS: [&str; MOST_COMPARED + 1] = ["A", "B", "C", "D"];

/// A scenario under a ledger with all that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The reader's choices.
    pub scenario: Scenario,
    /// The ledger.
    pub ledger: Ledger,
    /// Every value in force.
    pub settings: Settings,
    /// The model.
    pub spec: ModelSpec,
    /// All figures.
    pub report: Report,
}

impl Case {
    /// The case of a scenario.
    #[must_use]
    pub fn new(scenario: Scenario, ledger: Ledger) -> Self {
        Self::of(scenario, ledger, None)
    }

    /// The case of a scenario with a model in place of the one that it names, as a reader may bring one along.
    #[must_use]
    pub fn with_model(scenario: Scenario, ledger: Ledger, spec: ModelSpec) -> Self {
        Self::of(scenario, ledger, Some(spec))
    }

    fn of(scenario: Scenario, ledger: Ledger, own_model: Option<ModelSpec>) -> Self {
        let settings = scenario.resolve(ledger);
        let spec = own_model.unwrap_or_else(|| spec::of(settings.model));
        let report = report(ledger, &scenario, &spec);
        Self { scenario, ledger, settings, spec, report }
    }

    /// Its model, where it is none of the built-in ones.
    fn own_model(&self) -> Option<&ModelSpec> {
        Some(&self.spec).filter(|spec| spec.built_in().is_none())
    }

    /// One of the values in which cases may differ.
    #[must_use]
    pub fn in_force(&self, what: What) -> Setting {
        what.in_force(&self.scenario, self.ledger, self.own_model())
    }

    /// The cases of a link: those beside its own scenario, then that one.
    ///
    /// ```
    /// use model_core::compare::{Case, Comparison, Mark};
    /// use model_core::link::Link;
    /// let (link, _) = Link::read("ledger=report&draw=distinct_top6&with=ledger%3Dreport");
    /// let comparison = Comparison::of(Case::of_link(&link));
    /// let experts = comparison.line("moe.distinct_experts").unwrap();
    /// assert_eq!(experts.mark(1), Mark::More);
    /// assert_eq!(experts.difference(1).map(|more| (more * 100.0).round()), Some(77.0));
    /// ```
    #[must_use]
    pub fn of_link(link: &Link) -> Vec<Self> {
        let own = Self::new(link.scenario.clone(), link.ledger);
        link.compared.iter().map(Self::from).chain(core::iter::once(own)).collect()
    }

    /// Whether its plan can be carried out.
    #[must_use]
    pub fn legal(&self) -> bool {
        plan::check(self.ledger, &self.scenario, &self.spec).is_ok()
    }

    /// What tells it from others at a glance: ledger, model, GPUs with their plan, load.
    #[must_use]
    pub fn summary(&self, look: Look, names: &Names) -> Vec<String> {
        let settings = &self.settings;
        let shown = |what: What| what.show(self.in_force(what), look, names).to_string();
        let key = |key: Key| shown(What::Key(key));
        let context = tokens(settings.context as f64);
        vec![
            shown(What::Ledger),
            key(Key::Model),
            format!("{} × {}", settings.gpus, key(Key::Gpu)),
            Plan::of(settings).to_string(),
            fill(look.say(words::LOAD), &[("batch", settings.batch.to_string()), ("context", context)]),
        ]
    }

    /// How long its decode step takes; the floor where the ledger knows no more, nothing where it counts no time.
    #[must_use]
    pub fn step(&self) -> Option<Point> {
        let topic = Topic::DecodeStep;
        let known = topic.figure(self.ledger).is_some_and(|id| self.report.number(id).is_some());
        Point::of(topic, self, !known)
    }
}

impl From<&Compared> for Case {
    fn from(compared: &Compared) -> Self {
        Self::new(compared.scenario.clone(), compared.ledger)
    }
}
