//! The simulations in wasm: they come out as they do natively, and how long they take.
//!
//! Built for wasm32 only; timings are printed, never asserted.
#![allow(clippy::unwrap_used, reason = "a test may")]
#![cfg(target_arch = "wasm32")]

#[path = "common/simulated.rs"]
mod simulated;
#[path = "common/timed.rs"]
mod timed;

use std::hint::black_box;

use timed::timed;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen_test]
fn the_simulations_come_out_as_everywhere() {
    assert_eq!(simulated::fingerprint(), simulated::EXPECTED);
}

#[wasm_bindgen_test]
fn how_long_they_take() {
    let time = timed(15, || drop(black_box(simulated::requests())));
    console_log!("wasm: 60 s of requests at 50 a second: {time}");
    let waves = simulated::waves();
    let time = timed(101, || {
        black_box(waves());
    });
    console_log!("wasm: 32 waves over 16 GPUs: {time}");
}
