//! How long the figures take: all figures of all ledgers with a 12-point scan, and the scan alone. Prints medians.
//!
//! Run with `cargo bench -p model-core --bench ledgers`.

use std::hint::black_box;
use std::time::Instant;

use model_core::figure::Ledger;
use model_core::ledger::{BATCHES, batch_scan, report};
use model_core::scenario::{Key, Scenario};
use model_core::spec::v4_pro;

/// Runs of each measurement.
const RUNS: usize = 1001;

fn median_us(mut run: impl FnMut(u64)) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|index| {
            let start = Instant::now();
            run(index as u64);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(RUNS / 2).copied().unwrap_or(f64::NAN)
}

/// A new context each time, as a slider would give.
fn moved(index: u64) -> Scenario {
    let mut scenario = Scenario::default();
    let context = 1 + (index * 1_048_573) % 1_048_576;
    if let Err(refusal) = scenario.choose_number(Key::Context, context as f64) {
        println!("{refusal}");
    }
    scenario
}

fn main() {
    let spec = v4_pro();
    let scan = |ledger, index| {
        let rows = batch_scan(ledger, black_box(&moved(index)), &spec, &BATCHES);
        black_box(rows);
    };
    println!("{:44} {:>10}", "measured", "median, µs");
    for ledger in Ledger::ALL {
        let figures = median_us(|index| drop(black_box(report(ledger, black_box(&moved(index)), &spec))));
        println!("{:44} {figures:>10.1}", format!("figures, {} ledger", ledger.name()));
        let rows = median_us(|index| scan(ledger, index));
        println!("{:44} {rows:>10.1}", format!("12-point scan, {} ledger", ledger.name()));
    }
    let all = median_us(|index| {
        for ledger in Ledger::ALL {
            black_box(report(ledger, black_box(&moved(index)), &spec));
        }
        scan(Ledger::Exact, index);
    });
    println!("{:44} {all:>10.1}", "figures of all ledgers and an exact scan");
}
