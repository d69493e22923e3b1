//! What the tests of rows and of judgements share.

mod point;
mod rows;

use super::*;
use crate::basis::Basis;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::measured::{Layout as Cut, ROWS, row};
use crate::scenario::{Bound, Key, Scenario};
use crate::scene::{Layout, Look};
use crate::spec::of;
use crate::table::Table;

const ENGLISH: Look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
const CHINESE: Look = Look { language: Language::Chinese, ..ENGLISH };

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

/// Something derived from a scenario under a ledger.
fn with<T>(ledger: Ledger, scenario: &Scenario, derive: impl FnOnce(Basis) -> T) -> T {
    let settings = scenario.resolve(ledger);
    let spec = of(settings.model);
    let report = report(ledger, scenario, &spec);
    derive(Basis { scenario, report: &report, settings: &settings, spec: &spec })
}

fn exact<T>(scenario: &Scenario, derive: impl FnOnce(Basis) -> T) -> T {
    with(Ledger::Exact, scenario, derive)
}

fn figure(scenario: &Scenario, id: &str) -> Option<f64> {
    report(Ledger::Exact, scenario, &of(scenario.resolve(Ledger::Exact).model)).number(id)
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a / b - 1.0).abs() < tolerance
}
