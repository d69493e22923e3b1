//! What ranks exchange: the recorded list equals the published reference's for the layer schedule at hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{fixture, sharded};
use model_core::engine::collective::{Call, CollectiveKind, InProcess, Place, Shape, WireType};
use model_core::engine::{AttentionKind, Logits, ModelConfig, ShardedEngine, Watch, Weights};

/// The reference's list for `tokens` tokens after `start`: written down here from its rules, apart from the engine.
fn reference(config: &ModelConfig, start: usize, tokens: usize) -> Vec<Call> {
    let d = config.hidden_size;
    let call = |kind, dtype, shape, layer, place| Call { kind, dtype, shape, layer, place };
    let sum = CollectiveKind::AllReduce;
    let mut calls = vec![call(sum, WireType::Bf16, Shape::three(1, tokens, d), None, Place::Embedding)];
    for (layer, spec) in config.layers.iter().enumerate() {
        if spec.attention == AttentionKind::Csa {
            let scores = Shape::three(1, tokens, (start + tokens) / 4);
            calls.push(call(sum, WireType::Bf16, scores, Some(layer), Place::IndexScores));
        }
        let output = Shape::three(1, tokens, d);
        calls.push(call(sum, WireType::F32, output, Some(layer), Place::AttentionOutput));
        calls.push(call(sum, WireType::F32, Shape::two(tokens, d), Some(layer), Place::RoutedSum));
    }
    let logits = Shape::two(1, config.vocab_size);
    calls.push(call(CollectiveKind::AllGather, WireType::F32, logits, None, Place::Logits));
    calls
}

#[test]
fn the_page_models_step_makes_153_all_reduces_and_one_all_gather() {
    let config = ModelConfig::page61();
    let weights = Weights::seeded(&config, 4).unwrap();
    let engine = ShardedEngine::new(config.clone(), &weights, 8).unwrap();
    let mut request = engine.start();
    let mut collective = InProcess::recording();
    engine.prefill(&mut request, &[1, 2, 3], &mut collective).unwrap();
    assert_eq!(collective.calls(), reference(&config, 0, 3), "an empty score tensor is exchanged too");
    for (position, token) in (3..9).zip(10..) {
        collective.clear();
        engine.step(&mut request, token, &mut collective).unwrap();
        assert_eq!(collective.calls(), reference(&config, position, 1));
        let count = |kind| collective.calls().iter().filter(|call| call.kind == kind).count();
        assert_eq!((count(CollectiveKind::AllReduce), count(CollectiveKind::AllGather)), (153, 1));
    }
    let of = |place| collective.calls().iter().filter(|call| call.place == place).count();
    assert_eq!(
        [Place::Embedding, Place::IndexScores, Place::AttentionOutput, Place::RoutedSum, Place::Logits]
            .map(of),
        [1, 30, 61, 61, 1]
    );
}

#[test]
fn both_fixtures_lists_are_the_references() {
    for name in ["tiny-pro", "tiny-flash"] {
        let fixture = fixture(name);
        for ranks in [2, 4, 8] {
            let engine = sharded(&fixture, ranks);
            let mut request = engine.start();
            let mut collective = InProcess::recording();
            let (first, rest) = fixture.tokens.split_at(50);
            engine.prefill(&mut request, first, &mut collective).unwrap();
            assert_eq!(collective.calls(), reference(&fixture.config, 0, 50));
            collective.clear();
            engine.prefill(&mut request, rest, &mut collective).unwrap();
            assert_eq!(collective.calls(), reference(&fixture.config, 50, rest.len()));
        }
    }
}

#[test]
fn bytes_follow_type_and_shape() {
    let fixture = fixture("tiny-flash");
    let engine = sharded(&fixture, 8);
    let mut request = engine.start();
    let mut collective = InProcess::recording();
    engine.prefill(&mut request, &fixture.tokens, &mut collective).unwrap();
    let bytes = |place| collective.calls().iter().find(|call| call.place == place).unwrap().bytes();
    assert_eq!(bytes(Place::Embedding), 75 * 32 * 2);
    assert_eq!(bytes(Place::IndexScores), 75 * 18 * 2);
    assert_eq!(bytes(Place::AttentionOutput), 75 * 32 * 4);
    assert_eq!(bytes(Place::RoutedSum), 75 * 32 * 4);
    assert_eq!(bytes(Place::Logits), 64 * 4);
}

#[test]
fn a_rank_holds_its_shares_and_a_copy_of_the_rest() {
    let fixture = fixture("tiny-pro");
    let whole = sharded(&fixture, 1);
    let cut = sharded(&fixture, 8);
    let total: u64 = cut.ranks().iter().map(|rank| rank.sharded_bytes()).sum();
    assert_eq!(total, whole.ranks()[0].sharded_bytes());
    for (number, rank) in cut.ranks().iter().enumerate() {
        assert_eq!(rank.rank(), number);
        assert_eq!(rank.replicated_bytes(), whole.ranks()[0].replicated_bytes());
        assert_eq!(rank.heads(), number..number + 1);
        assert_eq!(rank.groups(), number..number + 1);
        assert_eq!(rank.index_heads(), number..number + 1);
        assert_eq!(rank.experts(), 2 * number..2 * number + 2);
        assert_eq!(rank.vocab(), 8 * number..8 * number + 8);
    }
    // Everything in the file is held: 1 063 516 bytes less the header and its length.
    let [_, weights, ..] = common::fixture_files("tiny-pro");
    let header = 8 + u64::from_le_bytes(weights[..8].try_into().unwrap());
    assert_eq!(whole.ranks()[0].bytes(), weights.len() as u64 - header);
    assert_eq!(whole.ranks()[0].bytes(), 4 * fixture.config.parameters());
}

#[test]
fn replicas_stay_equal_on_every_rank() {
    let fixture = fixture("tiny-pro");
    let engine = sharded(&fixture, 8);
    let mut request = engine.start();
    let mut collective = InProcess::new();
    engine.run(&mut request, &fixture.tokens, Logits::Last, &mut collective, &mut Watch::default()).unwrap();
    for layer in 0..fixture.config.layers.len() {
        for rank in 1..8 {
            assert!(request.cache(rank, layer) == request.cache(0, layer), "rank {rank} layer {layer}");
        }
    }
}

#[test]
fn the_page_model_on_eight_ranks_is_the_page_model_on_one() {
    use model_core::engine::compare::{Probe, compare_picks, max_abs_difference};
    let config = ModelConfig::page61();
    let weights = Weights::seeded(&config, 61).unwrap();
    let tokens: Vec<u32> = (0..160_u32).map(|index| index * index * 31 % 128).collect();
    let mut probes = Vec::new();
    let mut logits = Vec::new();
    for ranks in [1, 8] {
        let engine = ShardedEngine::new(config.clone(), &weights, ranks).unwrap();
        let mut probe = Probe::on_rank(ranks - 1);
        let mut watch = Watch { probe: Some(&mut probe), ..Watch::default() };
        let collective = &mut InProcess::new();
        logits.push(engine.run(&mut engine.start(), &tokens, Logits::All, collective, &mut watch).unwrap());
        probes.push(probe);
    }
    let picks = compare_picks(&probes[0], &probes[1]);
    let difference = max_abs_difference(&logits[0], &logits[1]);
    println!("page61, 160 tokens: {difference:e} {picks:?}");
    assert_eq!(picks.mismatches, 0, "{picks:?}");
    assert!(difference < 1e-4 || picks.turned_ties > 0, "{difference}");
}
