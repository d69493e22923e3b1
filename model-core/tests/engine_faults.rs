//! Deliberate faults: each is caught by the whole-against-step check and named at the tensor it spoils first.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{fixture, sharded};
use model_core::engine::ShardedEngine;
use model_core::engine::collective::Place;
use model_core::engine::compare::{Deviation, Tensor, whole_against_step};
use model_core::engine::faults::{CompressorKind, Fault, Faults};

/// Where the step run with `fault` first deviates: layer, position, tensor.
fn first(engine: &ShardedEngine, tokens: &[u32], chunks: &[usize], fault: Fault) -> (usize, usize, Tensor) {
    let check = whole_against_step(engine, tokens, chunks, &Faults::new([fault]), 0.0).unwrap();
    let Some(Deviation { layer, position, tensor, max_abs, .. }) = check.first else {
        panic!("{fault:?} was not caught");
    };
    assert!(max_abs > 0.0);
    assert!(check.max_abs_logit_diff > 0.0, "{fault:?} reaches the logits");
    (layer, position, tensor)
}

#[test]
fn without_a_fault_nothing_deviates() {
    for (name, ranks) in [("tiny-pro", 1), ("tiny-flash", 8)] {
        let fixture = fixture(name);
        let engine = sharded(&fixture, ranks);
        for chunks in [&[1_usize][..], &[7, 5, 1], &[130, 1]] {
            let check = whole_against_step(&engine, &fixture.tokens, chunks, &Faults::none(), 0.0).unwrap();
            assert_eq!((check.first, check.max_abs_logit_diff), (None, 0.0));
        }
    }
}

#[test]
fn a_skipped_rank_shows_where_its_sum_goes() {
    let fixture = fixture("tiny-pro");
    let engine = sharded(&fixture, 8);
    let tokens = &fixture.tokens[..60];
    let skip = |rank, layer, place| first(&engine, tokens, &[1], Fault::SkipRank { rank, layer, place });
    for rank in [0, 5] {
        assert_eq!(skip(rank, Some(3), Place::AttentionOutput), (3, 0, Tensor::AttentionOutput));
        assert_eq!(skip(rank, None, Place::AttentionOutput), (0, 0, Tensor::AttentionOutput));
        let (layer, _, tensor) = skip(rank, Some(4), Place::RoutedSum);
        assert_eq!((layer, tensor), (4, Tensor::ExpertOutput));
        // Picks are free to differ only once there are more than eight entries, from token 35 on.
        let (layer, position, tensor) = skip(rank, Some(2), Place::IndexScores);
        assert_eq!((layer, tensor), (2, Tensor::TopK));
        assert!(position >= 35);
    }
    // Rank 6 is left with the few rows it owns (ids 48 to 55, not the first token's): its streams start empty.
    assert_eq!(skip(6, None, Place::Embedding), (0, 0, Tensor::Ring));
    let fault = Fault::SkipRank { rank: 6, layer: None, place: Place::Embedding };
    let check = whole_against_step(&engine, tokens, &[1], &Faults::new([fault]), 0.0).unwrap();
    assert_eq!(check.first.unwrap().rank, 6);
}

#[test]
fn a_reset_tail_shows_in_the_next_entry() {
    let fixture = fixture("tiny-pro");
    let engine = sharded(&fixture, 1);
    let reset = |layer, compressor, chunks: &[usize]| {
        first(&engine, &fixture.tokens, chunks, Fault::ResetTail { layer: Some(layer), compressor })
    };
    // HCA: the border at 130 empties a group whose entry is due at 255.
    assert_eq!(reset(0, CompressorKind::Main, &[130, 170]), (0, 255, Tensor::MainCompressed));
    // CSA: in mid-group, and at a group's end, where the overlap's first halves are lost.
    assert_eq!(reset(2, CompressorKind::Main, &[130, 170]), (2, 131, Tensor::MainCompressed));
    assert_eq!(reset(2, CompressorKind::Main, &[128, 172]), (2, 131, Tensor::MainCompressed));
    assert_eq!(reset(4, CompressorKind::Indexer, &[130, 170]), (4, 131, Tensor::IndexerKeys));
    // HCA at a group's end: there is nothing to lose.
    let fault = Fault::ResetTail { layer: Some(0), compressor: CompressorKind::Main };
    let check =
        whole_against_step(&engine, &fixture.tokens, &[128, 172], &Faults::new([fault]), 0.0).unwrap();
    assert_eq!(check.first, None);
}

#[test]
fn a_late_entry_shows_in_what_the_query_attends() {
    let fixture = fixture("tiny-pro");
    let engine = sharded(&fixture, 1);
    let late = |layer| first(&engine, &fixture.tokens, &[1], Fault::LateEntry { layer });
    assert_eq!(late(Some(2)), (2, 3, Tensor::TopK));
    assert_eq!(late(None), (0, 127, Tensor::TopK));
}

#[test]
fn an_early_overwrite_shows_in_the_ring() {
    let flash = fixture("tiny-flash");
    let engine = sharded(&flash, 1);
    let early = |layer| first(&engine, &flash.tokens, &[1], Fault::EarlyOverwrite { layer });
    // The window is 16: the query at 15 is the first to look for a row that is gone, position 0's.
    assert_eq!(early(None), (0, 15, Tensor::Ring));
    assert_eq!(early(Some(3)), (3, 15, Tensor::Ring));
    let pro = fixture("tiny-pro");
    let engine = sharded(&pro, 8);
    let found = first(&engine, &pro.tokens[..200], &[1], Fault::EarlyOverwrite { layer: Some(1) });
    assert_eq!(found, (1, 127, Tensor::Ring));
}
