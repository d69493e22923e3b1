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
pub use pair::{Pair, pairs};
pub use values::{Change, Names, Valued, What};
pub use waterfall::{Point, Stage, Waterfall};

use crate::figure::{Ledger, Report};
use crate::ledger::report;
use crate::link::{Compared, Link, MOST_COMPARED};
use crate::plan;
use crate::scenario::{Scenario, Settings};
use crate::spec::{self, ModelSpec};

/// What the cases are called, in their order.
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
        let settings = scenario.resolve(ledger);
        let spec = spec::of(settings.model);
        let report = report(ledger, &scenario, &spec);
        Self { scenario, ledger, settings, spec, report }
    }

    /// The cases of a link: its own scenario, then those beside it.
    ///
    /// ```
    /// use model_core::compare::{Case, Comparison, Mark};
    /// use model_core::link::Link;
    /// let (link, _) = Link::read("ledger=report&with=ledger%3Dreport%26draw%3Ddistinct_top6");
    /// let comparison = Comparison::of(Case::of_link(&link));
    /// let experts = comparison.line("moe.distinct_experts").unwrap();
    /// assert_eq!(experts.mark(1), Mark::More);
    /// assert_eq!(experts.difference(1).map(|more| (more * 100.0).round()), Some(77.0));
    /// ```
    #[must_use]
    pub fn of_link(link: &Link) -> Vec<Self> {
        let own = Self::new(link.scenario.clone(), link.ledger);
        core::iter::once(own).chain(link.compared.iter().map(Self::from)).collect()
    }

    /// Whether its plan can be carried out.
    #[must_use]
    pub fn legal(&self) -> bool {
        plan::check(self.ledger, &self.scenario, &self.spec).is_ok()
    }
}

impl From<&Compared> for Case {
    fn from(compared: &Compared) -> Self {
        Self::new(compared.scenario.clone(), compared.ledger)
    }
}
