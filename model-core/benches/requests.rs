//! How long the simulated traffic takes: sixty seconds at fifty requests a second, and deriving the whole scene. Prints
//! medians and the slowest.
//!
//! Run with `cargo bench -p model-core --bench requests`.

use std::hint::black_box;
use std::time::Instant;

use model_core::figure::Ledger;
use model_core::ledger::pace::Pace;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::{Facts, SceneId};
use model_core::simulate::load::{Lengths, Load};
use model_core::simulate::requests::{Engine, Times, run};
use model_core::spec::v4_pro;

/// Runs of each measurement.
const RUNS: usize = 15;

fn told(mut work: impl FnMut()) -> [f64; 2] {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    [RUNS / 2, RUNS - 1].map(|at| times.get(at).copied().unwrap_or(f64::NAN))
}

fn main() {
    let spec = v4_pro();
    println!("{:56} {:>10} {:>10}", "measured", "median, ms", "slowest");
    for ledger in [Ledger::Report, Ledger::Exact] {
        let settings = Scenario::default().resolve(ledger);
        let Some(pace) = Pace::new(ledger, &settings, &spec) else { continue };
        for (name, prompt, batch) in
            [("short prompts, batch 1024", 200, 1024), ("8K prompts, batch 64", 8192, 64)]
        {
            let load = Load {
                arrivals_per_s: 50.0,
                seconds: 60.0,
                prompt: Lengths::around(prompt),
                output: Lengths::around(256),
                hits: 0.5,
                page_tokens: 128,
                seed: 1,
            };
            let engine = Engine {
                batch,
                chunk: 8192,
                pages: 100_000,
                page_tokens: 128,
                state_pages: 32,
                most_work: u64::MAX,
            };
            let times = Times {
                chunk_s: &|prefix, tokens| pace.chunk_s(prefix, tokens),
                step_s: &|batch| pace.step_s(batch),
                restore_s: &|tokens| tokens as f64 * 1e-6,
                recomputed: &|tokens| tokens % 8192,
            };
            let [median, slowest] =
                told(|| drop(black_box(run(black_box(&load.draw()), engine, times, load.seconds))));
            let what = format!("60 s at 50/s, {}, {name}", ledger.name());
            println!("{what:56} {median:>10.2} {slowest:>10.2}");
        }
    }
    let loads: [&[(Key, &str)]; 5] = [
        &[],
        &[(Key::ArrivalsPerS, "50"), (Key::Batch, "1024"), (Key::Context, "8192")],
        &[(Key::ArrivalsPerS, "100"), (Key::Batch, "1024"), (Key::Context, "100")],
        &[(Key::Chunk, "1"), (Key::Batch, "256")],
        &[(Key::Context, "1M"), (Key::Chunk, "4096")],
    ];
    for ledger in Ledger::ALL {
        for choices in loads {
            let mut scenario = Scenario::default();
            if choices.iter().any(|(key, text)| scenario.choose_text(*key, text).is_err()) {
                continue;
            }
            let settings = scenario.resolve(ledger);
            let report = report(ledger, &scenario, &spec);
            let facts = Facts { report: &report, settings: &settings, spec: &spec };
            let [median, slowest] = told(|| drop(black_box(SceneId::Request.derive(facts))));
            let words: Vec<String> =
                choices.iter().map(|(key, text)| format!("{}={text}", key.name())).collect();
            let what = format!("scene, {}, {}", ledger.name(), words.join(" "));
            println!("{what:56} {median:>10.2} {slowest:>10.2}");
        }
    }
}
