//! The model behind the page: units, the scenario, the model's specification, ledgers, scenes and charts.
//!
//! Everything here is pure: no web, no clock, no global state, no randomness but a seed in the scenario, and no
//! panic on any input. Native and wasm give the same results.

pub mod basis;
pub mod chart;
pub mod checks;
pub mod collective;
pub mod compare;
pub mod derivation;
pub mod draw;
pub mod embed;
pub mod engine;
pub mod figure;
pub mod file;
pub mod format;
pub mod formula;
pub mod hardware;
pub mod import;
mod json;
pub mod language;
pub mod ledger;
pub mod link;
pub mod measured;
pub mod plan;
pub mod power;
pub mod random;
pub mod reality;
pub mod routing;
pub mod scenario;
pub mod scene;
pub mod simulate;
pub mod spec;
pub mod table;
pub mod units;
pub mod words;
pub mod workbench;
