//! The ledgers in wasm: the golden figures, the same bits as natively, and how long a slider's move costs.
//!
//! Built for wasm32 only; timings are printed, never asserted.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]
#![cfg(target_arch = "wasm32")]

#[path = "common/ledger_bits.rs"]
mod bits;

use model_core::figure::{Ledger, Value};
use model_core::ledger::{BATCHES, batch_scan, report};
use model_core::scenario::{Key, Scenario};
use model_core::spec;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen_test]
fn the_build_agrees_with_the_native_one_to_the_last_bit() {
    assert_eq!(bits::ledger_bits(), bits::EXPECTED);
}

#[wasm_bindgen_test]
fn golden_numbers_come_out() {
    let files = [
        (Ledger::Tutorial, include_str!("golden/tutorial.json")),
        (Ledger::Report, include_str!("golden/report.json")),
        (Ledger::Exact, include_str!("golden/exact.json")),
    ];
    for (ledger, text) in files {
        let golden: serde_json::Value = serde_json::from_str(text).unwrap();
        for expected in golden["figures"].as_array().unwrap() {
            let mut scenario = Scenario::default();
            for (name, value) in expected["scenario"].as_object().into_iter().flatten() {
                let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                scenario.choose_text(Key::from_name(name).unwrap(), &text).unwrap();
            }
            let report = report(ledger, &scenario, &spec::of(scenario.resolve(ledger).model));
            let figure = report.get(expected["id"].as_str().unwrap()).unwrap();
            if let (Value::Number(number), Some(golden)) = (&figure.value, expected["value"].as_f64()) {
                assert!(
                    (number - golden).abs() <= 1e-12 * golden.abs(),
                    "{}: {number}, not {golden}",
                    figure.id
                );
            }
        }
    }
}

#[wasm_bindgen_test]
fn the_cost_of_a_move_is_printed() {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into()).unwrap();
    let now: js_sys::Function = js_sys::Reflect::get(&performance, &"now".into()).unwrap().into();
    let now_ms = || now.call0(&performance).unwrap().as_f64().unwrap();
    let mut times_ms: Vec<f64> = (0..201_u32)
        .map(|run| {
            let mut scenario = Scenario::default();
            scenario.choose_number(Key::Context, f64::from(1 + run * 5000)).unwrap();
            let start_ms = now_ms();
            let spec = spec::of(scenario.resolve(Ledger::Exact).model);
            for ledger in Ledger::ALL {
                std::hint::black_box(report(ledger, &scenario, &spec));
            }
            std::hint::black_box(batch_scan(Ledger::Exact, &scenario, &spec, &BATCHES));
            now_ms() - start_ms
        })
        .collect();
    times_ms.sort_by(f64::total_cmp);
    console_log!(
        "figures of all ledgers and a 12-point scan: median {:.3} ms, best {:.3} ms",
        times_ms[100],
        times_ms[0]
    );
}
