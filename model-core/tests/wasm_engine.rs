//! The engine in wasm: the recorded models come out as they do natively, and how long it takes.
//!
//! Built for wasm32 only; timings are printed, never asserted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]
#![cfg(target_arch = "wasm32")]

#[path = "common/fingerprint.rs"]
mod fingerprint;
#[path = "common/timed.rs"]
mod timed;

use model_core::engine::collective::InProcess;
use model_core::engine::fixture::{Fixture, FixtureFiles};
use model_core::engine::{ModelConfig, ShardedEngine, Weights};
use timed::timed;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

macro_rules! fixture {
    ($name:literal) => {
        Fixture::parse(&FixtureFiles {
            config: include_bytes!(concat!("fixtures/", $name, "/config.json")),
            weights: include_bytes!(concat!("fixtures/", $name, "/weights.safetensors")),
            logits: include_bytes!(concat!("fixtures/", $name, "/logits.safetensors")),
            expected: include_bytes!(concat!("fixtures/", $name, "/expected.json")),
        })
        .unwrap()
    };
}

#[wasm_bindgen_test]
fn both_fixtures_are_reproduced() {
    for fixture in [fixture!("tiny-pro"), fixture!("tiny-flash")] {
        for ranks in [1, 8] {
            let report = fixture.check(ranks).unwrap();
            assert!(report.max_abs_logit_diff < 1e-4 && report.max_abs_rank_diff < 1e-4, "{report:?}");
            assert_eq!(report.max_abs_step_diff, 0.0);
            assert_eq!((report.router_mismatches, report.indexer_mismatches), (0, 0));
            assert!(report.greedy_match);
        }
    }
}

#[wasm_bindgen_test]
fn the_build_agrees_with_all_others_to_the_last_bit() {
    assert_eq!(fingerprint::fingerprint(), fingerprint::EXPECTED);
}

#[wasm_bindgen_test]
fn how_long_it_takes() {
    let fixture = fixture!("tiny-pro");
    for ranks in [1, 8] {
        let engine = ShardedEngine::new(fixture.config.clone(), &fixture.weights, ranks).unwrap();
        let time = timed(21, || {
            engine.prefill(&mut engine.start(), &fixture.tokens, &mut InProcess::new()).unwrap();
        });
        console_log!("wasm: prefill of 300 tokens, tiny-pro, {ranks} ranks: {time}");
    }

    let config = ModelConfig::page61();
    let weights = Weights::seeded(&config, 61).unwrap();
    let prompt: Vec<u32> = (0..300).map(|index| index * 37 % 128).collect();
    for ranks in [1, 8] {
        let engine = ShardedEngine::new(config.clone(), &weights, ranks).unwrap();
        let mut request = engine.start();
        let mut collective = InProcess::new();
        engine.prefill(&mut request, &prompt, &mut collective).unwrap();
        // The runtime compiles twice, the second time well and in the background: give it time to.
        let mut warm_up = request.clone();
        for _ in 0..400 {
            engine.step(&mut warm_up, 7, &mut collective).unwrap();
        }
        let time = timed(101, || {
            engine.step(&mut request, 7, &mut collective).unwrap();
        });
        console_log!("wasm: decode step, 61 layers, {ranks} ranks, 300 to 400 tokens in: {time}");
    }

    // The costliest step: token 383 completes an entry in every layer.
    let engine = ShardedEngine::new(config, &weights, 8).unwrap();
    let mut request = engine.start();
    let prompt: Vec<u32> = (0..383).map(|index| index * 37 % 128).collect();
    engine.prefill(&mut request, &prompt, &mut InProcess::new()).unwrap();
    let mut copies = vec![request; 31];
    let time = timed(31, || {
        engine.step(&mut copies.pop().unwrap(), 7, &mut InProcess::new()).unwrap();
    });
    console_log!("wasm: decode step completing every entry, 8 ranks: {time}");
}
