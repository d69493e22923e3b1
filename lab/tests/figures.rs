//! The binary itself: every golden figure through `lab figures`, and its behaviour on bad input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().unwrap()
}

fn golden(ledger: &str) -> Vec<Json> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model-core/tests/golden");
    let text = std::fs::read_to_string(folder.join(format!("{ledger}.json"))).unwrap();
    serde_json::from_str::<Json>(&text).unwrap()["figures"].as_array().unwrap().clone()
}

fn choices(figure: &Json) -> Vec<String> {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let scenario = figure["scenario"].as_object();
    scenario.into_iter().flatten().map(|(key, value)| format!("{key}={}", text(value))).collect()
}

fn printed(ledger: &str, choices: &[String]) -> Json {
    let mut arguments = vec!["figures", "--ledger", ledger, "--json"];
    arguments.extend(choices.iter().map(String::as_str));
    let output = lab(&arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn compare(ledger: &str) {
    let mut by_scenario: BTreeMap<Vec<String>, Vec<Json>> = BTreeMap::new();
    for figure in golden(ledger) {
        by_scenario.entry(choices(&figure)).or_default().push(figure);
    }
    for (choices, expected) in by_scenario {
        let printed = printed(ledger, &choices);
        for figure in expected {
            let found = &printed[figure["id"].as_str().unwrap()];
            assert_eq!(found["unit"], figure["unit"], "{} {choices:?}", figure["id"]);
            let near = match (found["value"].as_f64(), figure["value"].as_f64()) {
                (Some(found), Some(golden)) => (found - golden).abs() <= 1e-12 * golden.abs(),
                _ => found["value"] == figure["value"],
            };
            assert!(near, "{} {choices:?}: {} is not {}", figure["id"], found["value"], figure["value"]);
        }
    }
}

#[test]
fn the_tutorials_figures_are_printed() {
    compare("tutorial");
}

#[test]
fn the_reports_figures_are_printed() {
    compare("report");
}

#[test]
fn the_exact_figures_are_printed() {
    compare("exact");
}

#[test]
fn lab_alone_prints_the_walkthroughs_lines() {
    let output = lab(&[]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "minimum TP for routed weights on 80 GiB: 16",
        "routed FP4+scale: 765.597656 GiB total",
        "cache @ 32768: 333.218750 MiB/request/rank",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line}");
    }
    assert_eq!(text.lines().last(), Some("all checks passed"));
    let output = lab(&["--context", "131072", "--batch", "8"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("cache @ 131072: 1256.468750 MiB/request/rank\n"), "{text}");
    assert!(text.ends_with("all checks passed\n"));
}

#[test]
fn bad_input_ends_with_status_2_and_one_line() {
    let cases: [&[&str]; 16] = [
        &["figures", "nonsense=1"],
        &["figures", "context=0"],
        &["figures", "context=-1"],
        &["figures", "context=1e9"],
        &["figures", "context="],
        &["figures", "context"],
        &["figures", "batch=八"],
        &["figures", "batch=8", "batch=9"],
        &["figures", "--ledger", "exact", "tp=3"],
        &["figures", "--ledger", "tutorial", "tp=3"],
        &["figures", "--ledger", "report", "gpus=7"],
        &["figures", "--ledger", "exact", "gpus=12", "tp=8"],
        &["figures", "--ledger", "exact", "model=v4-flash", "tp=16"],
        &["figures", "--ledger", "imaginary"],
        &["--context", "three"],
        &["dance"],
    ];
    for arguments in cases {
        let output = lab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(complaint.trim_end().lines().count(), 1, "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn tensors_add_up_to_the_checkpoint() {
    let text = String::from_utf8(lab(&["tensors"]).stdout).unwrap();
    let bytes = |line: &str| line.rsplit('\t').next().unwrap().parse::<f64>();
    let sum: f64 =
        text.lines().skip(1).filter(|line| !line.starts_with("total")).map(|line| bytes(line).unwrap()).sum();
    assert_eq!(sum, 864_704_792_696.0);
    assert_eq!(bytes(text.lines().last().unwrap()).unwrap(), sum);
    assert_eq!(lab(&["tensors", "--model", "v5"]).status.code(), Some(2));
}

#[test]
fn an_imported_model_has_the_same_figures_as_the_built_in_one() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model-core/tests/configs");
    for model in ["v4-pro", "v4-flash"] {
        let config = configs.join(format!("{model}.config.json"));
        for ledger in ["tutorial", "report", "exact"] {
            let arguments = ["figures", "--ledger", ledger, "--json", &format!("model={model}")];
            let built_in = lab(&arguments);
            let imported = lab(&[&arguments[..], &["--config", config.to_str().unwrap()]].concat());
            assert!(built_in.status.success());
            let figures = |output: Output| serde_json::from_slice::<Json>(&output.stdout).unwrap();
            let (mut built_in, mut imported) = (figures(built_in), figures(imported));
            // A card's rounded figure, which no config states.
            for figures in [&mut built_in, &mut imported] {
                figures.as_object_mut().unwrap().remove("active.params_nominal");
            }
            assert_eq!(imported, built_in, "{model}, {ledger}");
        }
    }
    assert_eq!(lab(&["figures", "--config", "no-such-file.json"]).status.code(), Some(2));
}

#[test]
fn help_names_every_key() {
    let text = String::from_utf8(lab(&["figures", "--help"]).stdout).unwrap();
    for key in model_core::scenario::Key::ALL {
        assert!(text.contains(key.name()), "{}", key.name());
    }
}
