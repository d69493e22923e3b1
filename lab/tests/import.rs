//! `lab import` as a user meets it: the specification, and refusals on one line with status 2.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn config(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../model-core/tests/configs").join(name)
}

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().unwrap()
}

fn import(path: &Path) -> Output {
    lab(&["import", path.to_str().unwrap()])
}

/// A file of this test in the target folder.
fn written(name: &str, content: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn refusal(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty());
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn published_configurations_are_printed() {
    for (name, lines) in [
        ("v4-pro.config.json", ["model            v4-pro", "TP can be        1, 2, 4, 8, 16"]),
        ("v4-pro.inference.json", ["keys             reference inference/config.json", "draft blocks     1"]),
        ("v4-flash.config.json", ["model            v4-flash", "checkpoint       148.6 GiB (159.6 GB)"]),
        (
            "tiny-flash.config.json",
            [
                "model            imported",
                "layers           5 (2 CSA of 4, 1 HCA of 16, 2 window only; 1 hash-routed)",
            ],
        ),
    ] {
        let output = import(&config(name));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        for line in lines {
            assert!(text.lines().any(|printed| printed == line), "{line:?} in\n{text}");
        }
    }
}

#[test]
fn bad_input_ends_with_status_2_and_one_line() {
    let pro = std::fs::read_to_string(config("v4-pro.config.json")).unwrap();
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("truncated.json", pro.as_bytes()[..pro.len() / 2].to_vec(), "the text ends too early"),
        ("llama.json", br#"{"model_type": "llama"}"#.to_vec(), "\"llama\" is another architecture"),
        ("binary.json", vec![0xff, 0xfe, 0], "not UTF-8"),
        ("long.json", vec![b' '; (1 << 20) + 5], "too many for a configuration"),
        ("control.json", b"{\"a\\n\\u001b[2J\": 1, \"a\\n\\u001b[2J\": 1}".to_vec(), "given twice"),
        ("empty.json", Vec::new(), "the text ends too early"),
    ];
    for (name, content, expected) in cases {
        let text = refusal(&import(&written(name, &content)));
        assert!(text.contains(expected), "{name}: {text}");
        assert!(!text.contains('\u{1b}'), "{name}");
    }
    for arguments in [&["import"][..], &["import", "no/such/file.json"], &["import", "."], &["nonsense"]] {
        refusal(&lab(arguments));
    }
}
