//! The tiny engine against the recorded models: logits, picks, greedy continuation.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{fixture, fixture_files};
use model_core::engine::fixture::Fixture;

#[test]
fn both_fixtures_are_reproduced_whole_stepped_and_on_one_to_eight_ranks() {
    for name in ["tiny-pro", "tiny-flash"] {
        let fixture = fixture(name);
        for ranks in [1, 2, 4, 8] {
            let report = fixture.check(ranks).unwrap();
            println!("{name} on {ranks} ranks: {report:?}");
            assert!(report.max_abs_logit_diff < 1e-4, "{name} {report:?}");
            assert_eq!((report.router_mismatches, report.indexer_mismatches), (0, 0), "{name}");
            assert!(report.greedy_match, "{name}");
            assert_eq!(report.max_abs_step_diff, 0.0, "{name}: a step is the same computation, bit for bit");
            assert!(report.max_abs_rank_diff < 1e-4, "{name} {report:?}");
            let picks = report.rank_picks;
            assert_eq!((picks.near_ties, picks.turned_ties, picks.mismatches), (0, 0, 0), "{name} {picks:?}");
        }
    }
}

#[test]
fn the_copies_here_are_the_shared_ones() {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures");
    if !shared.is_dir() {
        return;
    }
    for name in ["tiny-pro", "tiny-flash"] {
        let ours = fixture_files(name);
        let files = ["config.json", "weights.safetensors", "logits.safetensors", "expected.json"];
        for (file, bytes) in files.iter().zip(&ours) {
            assert!(std::fs::read(shared.join(name).join(file)).unwrap() == *bytes, "{name}/{file} differs");
        }
    }
}

#[test]
fn a_fixture_keeps_what_the_files_say() {
    let fixture: Fixture = fixture("tiny-flash");
    assert_eq!((fixture.tokens.len(), fixture.greedy_continuation.len()), (75, 24));
    assert_eq!(fixture.router_experts.len(), 5);
    assert_eq!(fixture.indexer_entries.keys().copied().collect::<Vec<_>>(), [2, 4]);
}
