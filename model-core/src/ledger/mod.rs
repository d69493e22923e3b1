//! Ledgers: each turns a scenario into a report of figures by its own bookkeeping.

mod book;
pub mod cache_rows;
pub mod demands;
mod exact;
mod exchanges;
mod experts;
pub mod index_scores;
pub mod journey;
pub mod layer_cache;
pub mod memory;
pub mod pace;
mod report;
mod roofline;
mod scan;
mod tables;
mod tutorial;
mod walk;

use crate::figure::{Ledger, Report};
use crate::scenario::{Key, Scenario, Settings};
use crate::spec::ModelSpec;

pub(crate) use exact::cache::{PAGE_TOKENS, RowBytes};
pub(crate) use exact::latency_range;
pub use exact::room::{StageRoom, stage_rooms};
pub use exchanges::{ExchangeKind, ExchangeRow, exchanges};
pub(crate) use experts::distinct_experts;
pub use experts::distinct_over;
pub use roofline::{Roof, RoofPoint, StageAccounts, roof_points, stage_accounts};
pub use scan::{BATCHES, ScanRow, StepPart, batch_scan, decode_floor, step_grid};
pub use tables::{CONTEXTS, CapacityRow, PREFIXES, PrefillRow, capacity_table, prefill_table};
pub(crate) use tutorial::WORKED_PARTS;
pub(crate) use walk::with_load_of;
pub use walk::{Cause, Difference, Topic, Walk, walk};

/// Every figure of a ledger for a scenario.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::scenario::{Key, Scenario};
/// let mut scenario = Scenario::default();
/// scenario.choose_text(Key::Context, "1M")?;
/// let report = model_core::ledger::report(Ledger::Report, &scenario, &model_core::spec::v4_pro());
/// assert_eq!(report.number("cache.request.bytes"), Some(5_687_255_040.0));
/// # Ok::<(), model_core::scenario::Refusal>(())
/// ```
#[must_use]
pub fn report(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Report {
    report_of(ledger, &scenario.resolve(ledger), spec)
}

/// The same for values already in force.
#[must_use]
pub fn report_of(ledger: Ledger, settings: &Settings, spec: &ModelSpec) -> Report {
    let spec = &*settings.model_in_force(spec);
    let figures = match ledger {
        Ledger::Tutorial => tutorial::figures(settings, spec),
        Ledger::Report => report::figures(settings, spec),
        Ledger::Exact => exact::figures(settings, spec),
    };
    Report::new(ledger, figures)
}

/// The same at another context, in tokens.
#[must_use]
pub fn at_context(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec, context: u64) -> Report {
    let mut there = scenario.clone();
    // A context outside the bound leaves the scenario as it is.
    let _ = there.choose_number(Key::Context, context as f64);
    report(ledger, &there, spec)
}
