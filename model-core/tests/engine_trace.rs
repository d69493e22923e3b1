//! The trace: what the events of a step say, and that watching changes nothing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

#[path = "common/fingerprint.rs"]
mod fingerprint;

use model_core::engine::collective::{Alone, InProcess, Place};
use model_core::engine::trace::{Detail, Event, Operation, SubLayer, Trace};
use model_core::engine::{AttentionKind, Logits, ModelConfig, ShardedEngine, Watch, Weights};

#[test]
fn the_build_agrees_with_all_others_to_the_last_bit() {
    assert_eq!(fingerprint::fingerprint(), fingerprint::EXPECTED);
}

/// The events of the last of `tokens` as a step, and the same step's logits untraced.
fn traced_step(ranks: usize, tokens: &[u32]) -> (Vec<Event>, ModelConfig) {
    let config = ModelConfig::page6();
    let weights = Weights::seeded(&config, 9).unwrap();
    let engine = ShardedEngine::new(config.clone(), &weights, ranks).unwrap();
    let collective = &mut InProcess::new();
    let (last, prompt) = tokens.split_last().unwrap();
    let mut request = engine.start();
    engine.prefill(&mut request, prompt, collective).unwrap();
    let mut unwatched = request.clone();

    let mut trace = Trace::watching(5);
    let mut watch = Watch { trace: Some(&mut trace), ..Watch::default() };
    let logits = engine.run(&mut request, &[*last], Logits::Last, collective, &mut watch).unwrap();
    assert_eq!(logits, engine.step(&mut unwatched, *last, collective).unwrap());
    for layer in 0..config.layers.len() {
        assert!(request.cache(0, layer) == unwatched.cache(0, layer));
    }
    (trace.take(), config)
}

fn tokens(count: u32) -> Vec<u32> {
    (0..count).map(|index| index * 23 % 128).collect()
}

#[test]
fn every_rank_does_every_operation_of_its_layers_in_order() {
    let (events, config) = traced_step(8, &tokens(128));
    for (layer, spec) in config.layers.iter().enumerate() {
        let csa = spec.attention == AttentionKind::Csa;
        let mut expected =
            vec![Operation::MixIn(SubLayer::Attention), Operation::QueryKeyValue, Operation::Compress];
        if csa {
            expected.extend([
                Operation::CompressIndex,
                Operation::IndexScores,
                Operation::Exchange,
                Operation::IndexPick,
            ]);
        }
        expected.extend([
            Operation::Attend,
            Operation::OutputProjection,
            Operation::Exchange,
            Operation::MixOut(SubLayer::Attention),
            Operation::MixIn(SubLayer::Experts),
            Operation::Route,
            Operation::RoutedExperts,
            Operation::Exchange,
            Operation::SharedExpert,
            Operation::MixOut(SubLayer::Experts),
        ]);
        for rank in 0..8 {
            let operations: Vec<Operation> = events
                .iter()
                .filter(|event| event.layer == Some(layer) && event.rank.is_none_or(|of| of == rank))
                .map(|event| event.operation)
                .collect();
            assert_eq!(operations, expected, "layer {layer} rank {rank}");
        }
    }
    assert!(events.iter().all(|event| event.positions == (127..128)));
    assert!(
        events.iter().all(|event| event.bytes_read > 0
            || event.operation == Operation::Embed
            || event.operation == Operation::RoutedExperts),
        "only a rank without work reads nothing"
    );
}

#[test]
fn details_tell_entries_picks_experts_and_partial_sums() {
    let (events, config) = traced_step(8, &tokens(128));
    let top = config.experts_per_token;
    for event in &events {
        let kind = event.layer.map(|layer| config.layers[layer].attention);
        match &event.detail {
            // Token 127 completes CSA entry 31 and HCA entry 0.
            Detail::Entries(made) => {
                let (entry, pooled) =
                    if kind == Some(AttentionKind::Csa) { (31, 120..128) } else { (0, 0..128) };
                assert_eq!((made.len(), made[0].entry, made[0].pooled.clone()), (1, entry, pooled));
            }
            Detail::Picks(picks) => {
                assert_eq!(picks[0].entries.len(), config.index_top_k);
                assert_eq!(picks[0].scores.len(), config.index_top_k);
                assert!(picks[0].entries.is_sorted() && picks[0].entries.iter().all(|&entry| entry < 32));
            }
            Detail::Attended { writes, seen } => {
                assert_eq!((writes[0].position, writes[0].slot, writes[0].replaced), (127, 127, None));
                assert_eq!(seen[0].window, 0..128);
                assert_eq!(seen[0].entries, if kind == Some(AttentionKind::Csa) { 32 } else { 1 });
            }
            Detail::Experts(picks) => {
                assert_eq!(picks[0].experts.len(), top);
                let total: f32 = picks[0].weights.iter().sum();
                assert!((total - config.routed_scaling_factor).abs() < 1e-5);
            }
            Detail::Exchange(exchange) if exchange.call.place != Place::Logits => {
                assert_eq!(exchange.partials.len(), 8);
                let sum: f32 = exchange.partials.iter().sum();
                assert_eq!(sum, exchange.result, "{exchange:?}");
            }
            _ => {}
        }
    }
    for layer in 0..config.layers.len() {
        let pairs: usize = events
            .iter()
            .filter(|event| event.layer == Some(layer))
            .map(|event| if let Detail::Pairs(pairs) = event.detail { pairs } else { 0 })
            .sum();
        assert_eq!(pairs, top, "every chosen expert is computed on exactly one rank");
    }
}

#[test]
fn one_rank_alone_exchanges_nothing() {
    let config = ModelConfig::page6();
    let weights = Weights::seeded(&config, 9).unwrap();
    let engine = ShardedEngine::new(config, &weights, 1).unwrap();
    let mut trace = Trace::default();
    let mut watch = Watch { trace: Some(&mut trace), ..Watch::default() };
    engine.run(&mut engine.start(), &[1, 2, 3], Logits::Last, &mut Alone, &mut watch).unwrap();
    assert!(trace.events().iter().all(|event| event.operation != Operation::Exchange));
    assert!(!trace.events().is_empty());
}
