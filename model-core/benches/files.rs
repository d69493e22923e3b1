//! How long files take: written, read back, and megabytes of junk refused. Prints medians.
//!
//! Run with `cargo bench -p model-core --bench files`.

use std::hint::black_box;
use std::time::Instant;

use model_core::basis::Basis;
use model_core::figure::Ledger;
use model_core::file::{MAX_BYTES, read_bytes, write};
use model_core::format::ByteBase;
use model_core::ledger::report;
use model_core::scenario::Scenario;
use model_core::spec::v4_pro;

/// Runs of each measurement.
const RUNS: usize = 11;

fn median_ms(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(RUNS / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let (scenario, spec) = (Scenario::default(), v4_pro());
    for ledger in Ledger::ALL {
        let settings = scenario.resolve(ledger);
        let report = report(ledger, &scenario, &spec);
        let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
        let text = write(basis, ByteBase::Binary);
        let written = median_ms(|| {
            black_box(write(basis, ByteBase::Binary));
        });
        let read = median_ms(|| {
            let _ = black_box(read_bytes(text.as_bytes()));
        });
        println!(
            "{:10} {:>8} bytes {written:>8.3} ms written {read:>8.3} ms read",
            ledger.name(),
            text.len()
        );
    }
    let long = "k".repeat(MAX_BYTES / 4);
    let junk = [
        ("open brackets", "[".repeat(MAX_BYTES)),
        ("digits", "7".repeat(MAX_BYTES)),
        ("zeros in a list", format!("[{}0]", "0,".repeat(MAX_BYTES / 2 - 2))),
        ("lists in a list", format!("[{}[]]", "[],".repeat(MAX_BYTES / 3 - 2))),
        ("keys", {
            let keys = (0..300_000).map(|index| format!("\"k{index}\":{index},")).collect::<String>();
            format!("{{{keys}\"k\":0}}")
        }),
        (
            "a long key over many",
            format!("{{\"{long}\":[{}{{\"x\":0,\"x\":0}}]}}", "{},".repeat(MAX_BYTES / 8)),
        ),
        ("escapes", format!("\"{}\"", "\\u0041".repeat(MAX_BYTES / 6 - 1))),
        ("no text", "\u{0}".repeat(MAX_BYTES)),
    ];
    for (name, text) in junk {
        let time = median_ms(|| {
            let _ = black_box(read_bytes(text.as_bytes()));
        });
        println!("{name:24} {:>8} bytes {time:>8.1} ms", text.len());
    }
}
