//! What charts and tables are derived from: a scenario with everything that follows from it under one ledger.

use crate::figure::{Ledger, Report};
use crate::ledger::{ScanRow, batch_scan};
use crate::plan;
use crate::scenario::{Scenario, Settings};
use crate::scene::Facts;
use crate::spec::ModelSpec;

/// A scenario under a ledger.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// The reader's choices.
    pub scenario: &'a Scenario,
    /// All figures of the ledger in use.
    pub report: &'a Report,
    /// Every value in force.
    pub settings: &'a Settings,
    /// The model.
    pub spec: &'a ModelSpec,
}

impl<'a> Basis<'a> {
    pub(crate) const fn ledger(&self) -> Ledger {
        self.report.ledger
    }

    pub(crate) const fn facts(&self) -> Facts<'a> {
        Facts { report: self.report, settings: self.settings, spec: self.spec }
    }

    pub(crate) fn scan(&self, batches: &[u64]) -> Vec<ScanRow> {
        batch_scan(self.ledger(), self.scenario, self.spec, batches)
    }

    pub(crate) fn legal(&self) -> bool {
        plan::check(self.ledger(), self.scenario, self.spec).is_ok()
    }
}
