//! One number for the bits of every figure of every ledger over a grid of scenarios: equal wherever the crate runs.

use model_core::figure::{Ledger, Value};
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::spec;

/// What the grid comes to. A change of any figure changes it.
pub(crate) const EXPECTED: u64 = 11_044_348_183_027_626_559;

/// Mixes a number into the sum (FNV-1a over its bytes).
fn mix(sum: u64, bits: u64) -> u64 {
    bits.to_le_bytes()
        .iter()
        .fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Computes the grid.
pub(crate) fn ledger_bits() -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for model in ["v4-pro", "v4-flash"] {
        for (tp, layout) in [("1", "tp"), ("8", "tp"), ("1", "dp_attention_ep")] {
            for context in ["1", "127", "32768", "1048576"] {
                for batch in ["1", "33", "1024"] {
                    let mut scenario = Scenario::default();
                    let choices = [
                        (Key::Model, model),
                        (Key::Tp, tp),
                        (Key::Layout, layout),
                        (Key::Context, context),
                        (Key::Batch, batch),
                    ];
                    for (key, text) in choices {
                        scenario.choose_text(key, text).unwrap();
                    }
                    for ledger in Ledger::ALL {
                        let spec = spec::of(scenario.resolve(ledger).model);
                        for figure in report(ledger, &scenario, &spec).figures() {
                            sum = match &figure.value {
                                Value::Number(number) => mix(sum, number.to_bits()),
                                Value::Flag(flag) => mix(sum, u64::from(*flag)),
                                Value::List(list) => list.iter().fold(sum, |sum, n| mix(sum, u64::from(*n))),
                                Value::Word(word) => word.bytes().fold(sum, |sum, b| mix(sum, u64::from(b))),
                                Value::Absent => mix(sum, 0),
                            };
                        }
                    }
                }
            }
        }
    }
    sum
}
