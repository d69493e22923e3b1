//! Times the engine natively: one decode step of the page's 61-layer model on eight ranks, and the prefill of the
//! 300-token fixture. Prints medians; asserts nothing.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use model_core::engine::collective::InProcess;
use model_core::engine::fixture::{Fixture, FixtureFiles};
use model_core::engine::{Engine, ModelConfig, ShardedEngine, Weights};

/// Median and best of `runs` timings, milliseconds, as text.
fn timed(runs: usize, mut work: impl FnMut()) -> String {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    format!("{:.3} ms (best {:.3}, of {runs})", times[runs / 2], times[0])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny-pro");
    let read = |name: &str| std::fs::read(folder.join(name));
    let (config, weights) = (read("config.json")?, read("weights.safetensors")?);
    let (logits, expected) = (read("logits.safetensors")?, read("expected.json")?);
    let files = FixtureFiles { config: &config, weights: &weights, logits: &logits, expected: &expected };
    let fixture = Fixture::parse(&files)?;
    for ranks in [1, 8] {
        let engine = ShardedEngine::new(fixture.config.clone(), &fixture.weights, ranks)?;
        let time = timed(11, || {
            let logits = engine.prefill(&mut engine.start(), &fixture.tokens, &mut InProcess::new());
            black_box(logits.is_ok());
        });
        println!("native: prefill of {} tokens, tiny-pro, {ranks} ranks: {time}", fixture.tokens.len());
    }

    let config = ModelConfig::page61();
    let weights = Weights::seeded(&config, 61)?;
    let prompt: Vec<u32> = (0..300).map(|index| index * 37 % 128).collect();
    let whole = Engine::new(config.clone(), &weights)?;
    let mut request = whole.start();
    whole.prefill(&mut request, &prompt)?;
    let time = timed(101, || {
        black_box(whole.step(&mut request, 7).is_ok());
    });
    println!("native: decode step, 61 layers, 1 rank, 300 to 400 tokens in: {time}");
    let engine = ShardedEngine::new(config, &weights, 8)?;
    let mut request = engine.start();
    let mut collective = InProcess::new();
    engine.prefill(&mut request, &prompt, &mut collective)?;
    let time = timed(101, || {
        black_box(engine.step(&mut request, 7, &mut collective).is_ok());
    });
    println!("native: decode step, 61 layers, 8 ranks, 300 to 400 tokens in: {time}");

    // The costliest step: token 383 completes an entry in every layer.
    let mut request = engine.start();
    let prompt: Vec<u32> = (0..383).map(|index| index * 37 % 128).collect();
    engine.prefill(&mut request, &prompt, &mut collective)?;
    let mut copies = vec![request; 31];
    let time = timed(31, || {
        let Some(mut request) = copies.pop() else { return };
        black_box(engine.step(&mut request, 7, &mut collective).is_ok());
    });
    println!("native: decode step completing every entry, 8 ranks: {time}");
    Ok(())
}
