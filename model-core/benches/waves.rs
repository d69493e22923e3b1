//! How long the simulation of waves takes: 16 GPUs, a prefill chunk's picks, each number of waves. Prints medians and
//! what nineteen of twenty stay below.
//!
//! Run with `cargo bench -p model-core --bench waves`.

use std::hint::black_box;
use std::time::Instant;

use model_core::routing::{Popularity, RoutingShape, Sampler};
use model_core::simulate::waves::{Log, Pace, Tally};

/// Runs that are timed.
const RUNS: usize = 101;

fn told(what: &str, mut work: impl FnMut()) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{what:40} {:>9.1} µs {:>9.1} µs", times[RUNS / 2], times[RUNS * 95 / 100]);
}

fn main() {
    let pace = Pace {
        alpha_s: 2e-6,
        dispatch_s: 16e-9,
        combine_s: 32e-9,
        pair_s: 67e-9,
        expert_s: 10e-6,
        slow: None,
    };
    let Ok(shape) = RoutingShape::new(384, 6) else { return };
    for skew in [0.0, 1.0] {
        let sampler = Sampler::new(shape, &Popularity::Zipf { exponent: skew }, 1);
        let Some(picks) = sampler.ok().and_then(|sampler| sampler.draw(8192, 0).ok()) else { return };
        for ranks in [8, 16] {
            told(&format!("skew {skew}, {ranks} GPUs, tally"), || {
                drop(black_box(Tally::new(&picks, ranks)));
            });
            let Ok(tally) = Tally::new(&picks, ranks) else { return };
            for waves in [1, 4, 32] {
                let load = tally.load(waves);
                told(&format!("skew {skew}, {ranks} GPUs, {} waves", load.waves()), || {
                    black_box(load.run(&pace, None));
                });
                told(&format!("skew {skew}, {ranks} GPUs, {} waves, log", load.waves()), || {
                    let mut log = Log::default();
                    black_box(load.run(&pace, Some(&mut log)));
                });
            }
        }
    }
}
