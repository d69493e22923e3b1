//! What the engine's tests share: reading the fixtures kept beside them.
#![allow(dead_code, reason = "each test file uses its own part")]

use model_core::engine::fixture::{Fixture, FixtureFiles};
use model_core::engine::{Engine, ShardedEngine};

/// The four files of a fixture: config, weights, logits, expected.
pub(crate) fn fixture_files(name: &str) -> [Vec<u8>; 4] {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    ["config.json", "weights.safetensors", "logits.safetensors", "expected.json"]
        .map(|file| std::fs::read(folder.join(file)).unwrap())
}

/// A fixture, read.
pub(crate) fn fixture(name: &str) -> Fixture {
    let [config, weights, logits, expected] = fixture_files(name);
    let files = FixtureFiles { config: &config, weights: &weights, logits: &logits, expected: &expected };
    Fixture::parse(&files).unwrap()
}

/// Its model on one rank.
pub(crate) fn engine(fixture: &Fixture) -> Engine {
    Engine::new(fixture.config.clone(), &fixture.weights).unwrap()
}

/// Its model on several.
pub(crate) fn sharded(fixture: &Fixture, ranks: usize) -> ShardedEngine {
    ShardedEngine::new(fixture.config.clone(), &fixture.weights, ranks).unwrap()
}
