//! Ledgers: each turns a scenario into a report of figures by its own bookkeeping.

mod book;
pub mod cache_rows;
mod experts;
mod report;
mod tutorial;

use crate::figure::{Ledger, Report};
use crate::scenario::Scenario;
use crate::spec::ModelSpec;

/// Every figure of a ledger for a scenario.
#[must_use]
pub fn report(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Report {
    let settings = scenario.resolve(ledger);
    let figures = match ledger {
        Ledger::Tutorial => tutorial::figures(&settings, spec),
        Ledger::Report => report::figures(&settings, spec),
        Ledger::Exact => Vec::new(),
    };
    Report::new(ledger, figures)
}
