//! The model behind the page: units, the scenario, the model's specification, ledgers, scenes and charts.
//!
//! Everything here is pure: no web, no clock, no global state, no randomness but a seed in the scenario, and no
//! panic on any input. Native and wasm give the same results.

pub mod engine;
pub mod random;
