//! `lab engine` as a user meets it: the JSON object, and refusals on one line with status 2.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../model-core/tests/fixtures").join(name)
}

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = lab(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn both_fixtures_pass() {
    for name in ["tiny-pro", "tiny-flash"] {
        let folder = fixture(name);
        let output = lab(&["engine", "--fixture", folder.to_str().unwrap(), "--ranks", "8", "--json"]);
        assert!(output.status.success());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["router_mismatches"], 0);
        assert_eq!(report["indexer_mismatches"], 0);
        assert_eq!(report["greedy_match"], true);
        for key in ["max_abs_logit_diff", "max_abs_step_diff", "max_abs_rank_diff"] {
            assert!(report[key].as_f64().unwrap() < 1e-4, "{name} {report}");
        }
        assert_eq!(report.as_object().unwrap().len(), 6);
    }
}

#[test]
fn refusals_name_the_value() {
    let flash = fixture("tiny-flash");
    let flash = flash.to_str().unwrap();
    assert!(
        refusal(&["engine", "--fixture", "/no/such/folder", "--json"])
            .contains("/no/such/folder/config.json")
    );
    assert!(refusal(&["engine", "--fixture", flash, "--ranks", "3"]).contains("3 ranks"));
    assert!(refusal(&["engine", "--fixture", flash, "--ranks", "0"]).contains("0 ranks"));
    assert!(refusal(&["engine", "--fixture", flash, "--ranks", "many"]).contains("many"));
    assert!(refusal(&["engine"]).contains("--fixture"));
    assert!(refusal(&["engines"]).contains("engines"));
}
