//! How long all charts of one scenario take, derived and drawn, and each of them. Prints medians.
//!
//! Run with `cargo bench -p model-core --bench charts`.

use std::hint::black_box;
use std::time::Instant;

use model_core::basis::Basis;
use model_core::chart::ChartId;
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::{Layout, Look};
use model_core::spec::v4_pro;

/// Runs of each measurement.
const RUNS: usize = 101;

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

fn main() {
    let spec = v4_pro();
    let look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Binary };
    for ledger in Ledger::ALL {
        let all = |ids: &[ChartId], drawn: bool, index: u64| {
            let mut scenario = Scenario::default();
            // A new context each time, as a slider would give.
            let _ = scenario.choose_number(Key::Context, (1 + (index * 1_048_573) % 1_048_576) as f64);
            let settings = scenario.resolve(ledger);
            let report = report(ledger, &scenario, &spec);
            for id in ids {
                let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
                let chart = black_box(id.derive(basis));
                if drawn {
                    black_box(chart.draw(look));
                }
            }
        };
        for id in ChartId::ALL {
            let [derived, drawn] = [false, true].map(|drawn| median_us(|index| all(&[*id], drawn, index)));
            println!("{:10} {:16} {derived:>9.1} µs derived {drawn:>9.1} µs drawn", ledger.name(), id.name());
        }
        let [derived, drawn] = [false, true].map(|drawn| median_us(|index| all(ChartId::ALL, drawn, index)));
        println!("{:10} {:16} {derived:>9.1} µs derived {drawn:>9.1} µs drawn", ledger.name(), "all of them");
    }
}
