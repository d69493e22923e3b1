//! Simulations come out the same to the last bit wherever the crate runs; the same number is asked of the wasm build.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/simulated.rs"]
mod simulated;

#[test]
fn the_simulations_come_out_as_everywhere() {
    assert_eq!(simulated::fingerprint(), simulated::EXPECTED);
}

#[test]
fn the_loads_are_what_the_budgets_name() {
    let run = simulated::requests();
    assert!(run.arrived > 2500 && run.finished + run.running + run.waiting == run.arrived, "{run:?}");
    assert!(simulated::waves()().end_s > 0.0);
}
