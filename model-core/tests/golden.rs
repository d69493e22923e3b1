//! Every figure that the documents print, compared with what the ledgers give for the same scenario.
//!
//! The golden files lie in `tests/golden`; where the shared originals are at hand, the copies must equal them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::{Path, PathBuf};

use model_core::figure::{Figure, Ledger, Unit, Value};
use model_core::format::ByteBase;
use model_core::ledger::report;
use model_core::scenario::Settings;
use model_core::scenario::{Key, Scenario};
use model_core::spec::{ModelSpec, v4_pro};
use serde_json::Value as Json;

/// Relative tolerance for sums that may be taken in another order; whole numbers must be equal.
const TOLERANCE: f64 = 1e-12;

fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn golden(ledger: Ledger) -> Vec<Json> {
    let text = std::fs::read_to_string(golden_path(&format!("{}.json", ledger.name()))).unwrap();
    serde_json::from_str::<Json>(&text).unwrap()["figures"].as_array().unwrap().clone()
}

fn scenario_of(figure: &Json) -> Scenario {
    let mut scenario = Scenario::default();
    for (name, value) in figure["scenario"].as_object().into_iter().flatten() {
        let key = Key::from_name(name).unwrap_or_else(|| panic!("unknown scenario key {name}"));
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        scenario.choose_text(key, &text).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    scenario
}

fn model_of(figure: &Json) -> ModelSpec {
    model_core::spec::of(Settings::new(&scenario_of(figure), Ledger::Exact).model)
}

fn assert_equals(found: &Figure, expected: &Json) {
    let context = format!("{} for {}", found.id, expected["scenario"]);
    assert_eq!(found.unit.name(), expected["unit"].as_str().unwrap(), "unit of {context}");
    match &found.value {
        Value::Number(number) => {
            let golden = expected["value"].as_f64().unwrap();
            let near = if golden.fract() == 0.0 && found.unit != Unit::Seconds {
                *number == golden
            } else {
                (number - golden).abs() <= TOLERANCE * golden.abs()
            };
            assert!(near, "{context}: {number} is not {golden}");
        }
        Value::Flag(flag) => assert_eq!(*flag, expected["value"].as_bool().unwrap(), "{context}"),
        Value::List(list) => assert_eq!(serde_json::json!(list), expected["value"], "{context}"),
        Value::Word(word) => assert_eq!(*word, expected["value"].as_str().unwrap(), "{context}"),
        Value::Absent => assert!(expected["value"].is_null(), "{context}"),
    }
}

#[test]
fn every_golden_figure_comes_out() {
    for ledger in Ledger::ALL {
        let golden = golden(ledger);
        assert!(golden.len() > 50, "the golden file is whole");
        for expected in &golden {
            let report = report(ledger, &scenario_of(expected), &model_of(expected));
            let id = expected["id"].as_str().unwrap();
            let found = report.get(id).unwrap_or_else(|| panic!("no figure {id}"));
            assert_equals(found, expected);
        }
    }
}

#[test]
fn every_formula_gives_its_figure() {
    for ledger in Ledger::ALL {
        for expected in &golden(ledger) {
            for figure in report(ledger, &scenario_of(expected), &model_of(expected)).figures() {
                if figure.formula.template.is_empty() {
                    continue;
                }
                let value = figure.value.number().unwrap();
                let derived = figure.formula.evaluate();
                let derived = derived.unwrap_or_else(|| panic!("{}: malformed formula", figure.id));
                assert!(
                    (derived - value).abs() <= TOLERANCE * value.abs(),
                    "{}: {} gives {derived}, not {value}",
                    figure.id,
                    figure.formula.substituted(ByteBase::Binary)
                );
            }
        }
    }
}

#[test]
fn figures_have_distinct_names() {
    for ledger in Ledger::ALL {
        let report = report(ledger, &Scenario::default(), &v4_pro());
        let mut names: Vec<_> = report.figures().iter().map(|figure| figure.id).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}

#[test]
fn copies_equal_the_shared_originals() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden");
    for entry in std::fs::read_dir(golden_path("")).unwrap() {
        let name = entry.unwrap().file_name();
        let original = shared.join(&name);
        if original.exists() {
            let copy = std::fs::read(golden_path(name.to_str().unwrap())).unwrap();
            assert_eq!(copy, std::fs::read(original).unwrap(), "{}", name.display());
        }
    }
}
