//! However a prompt is cut, the caches and the logits are the same: prefill of k tokens and steps, chunks of any
//! size, two requests side by side.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{engine, fixture, sharded};
use model_core::engine::collective::InProcess;
use model_core::engine::compare::whole_against_step;
use model_core::engine::faults::Faults;
use model_core::engine::fixture::Fixture;
use model_core::engine::{
    AttentionKind, Engine, LayerSpec, Logits, ModelConfig, Request, RouterKind, ShardedEngine, Watch, Weights,
};
use model_core::random::SplitMix64;
use proptest::prelude::*;

fn all_logits(engine: &Engine, request: &mut Request, tokens: &[u32]) -> Vec<f32> {
    engine.run(request, tokens, Logits::All, &mut Watch::default()).unwrap()
}

/// The request after the whole prompt, and all logits.
fn whole(engine: &Engine, tokens: &[u32]) -> (Request, Vec<f32>) {
    let mut request = engine.start();
    let logits = all_logits(engine, &mut request, tokens);
    (request, logits)
}

fn assert_same_caches(one: &Request, other: &Request, layers: usize) {
    assert_eq!(one.position(), other.position());
    for rank in 0..one.ranks() {
        for layer in 0..layers {
            assert!(one.cache(rank, layer) == other.cache(rank, layer), "rank {rank} layer {layer}");
        }
    }
}

/// Prefill of `split` tokens, then single steps, all against the whole prompt: bit for bit,
/// logits and caches.
fn assert_split(fixture: &Fixture, engine: &Engine, split: usize, expected: &(Request, Vec<f32>)) {
    let vocab = fixture.config.vocab_size;
    let mut request = engine.start();
    let mut logits = all_logits(engine, &mut request, &fixture.tokens[..split]);
    for &token in &fixture.tokens[split..] {
        logits.extend(engine.step(&mut request, token).unwrap());
    }
    assert_eq!(logits.len(), fixture.tokens.len() * vocab);
    assert!(logits == expected.1, "logits after a split at {split}");
    assert_same_caches(&request, &expected.0, fixture.config.layers.len());
}

#[test]
fn every_split_of_tiny_flash_is_the_whole() {
    let fixture = fixture("tiny-flash");
    let engine = engine(&fixture);
    let expected = whole(&engine, &fixture.tokens);
    for split in 1..=fixture.tokens.len() {
        assert_split(&fixture, &engine, split, &expected);
    }
}

#[test]
fn every_split_of_tiny_pro_is_the_whole() {
    let fixture = fixture("tiny-pro");
    let engine = engine(&fixture);
    let expected = whole(&engine, &fixture.tokens);
    for split in 1..=fixture.tokens.len() {
        assert_split(&fixture, &engine, split, &expected);
    }
}

#[test]
fn splits_hold_on_eight_ranks() {
    let fixture = fixture("tiny-pro");
    let engine = sharded(&fixture, 8);
    let run = |splits: &[usize]| {
        let mut request = engine.start();
        let mut collective = InProcess::new();
        let mut logits = Vec::new();
        let mut start = 0;
        for &end in splits {
            let tokens = &fixture.tokens[start..end];
            logits.extend(
                engine
                    .run(&mut request, tokens, Logits::All, &mut collective, &mut Watch::default())
                    .unwrap(),
            );
            start = end;
        }
        (request, logits)
    };
    let (whole_request, whole_logits) = run(&[300]);
    for split in [3, 4, 5, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 256, 257] {
        let mut ends = vec![split];
        ends.extend(split + 1..=300);
        let (request, logits) = run(&ends);
        assert!(logits == whole_logits, "{split}");
        assert_same_caches(&request, &whole_request, fixture.config.layers.len());
    }
}

#[test]
fn chunks_of_any_size_are_the_whole() {
    for name in ["tiny-flash", "tiny-pro"] {
        let fixture = fixture(name);
        let engine = engine(&fixture);
        let expected = whole(&engine, &fixture.tokens);
        let mut random = SplitMix64::new(11);
        // Every size for the short prompt; for the long one the small sizes, those around borders and a few more.
        let sizes: Vec<usize> = match fixture.tokens.len() {
            count @ ..100 => (1..=count).collect(),
            _ => (1..=20)
                .chain([31, 32, 33, 64, 77, 100, 127, 128, 129, 150, 199, 255, 256, 257, 299, 300])
                .collect(),
        };
        for size in sizes {
            // Beside equal chunks, chunks of mixed sizes up to this one.
            for mixed in [false, true] {
                let mut request = engine.start();
                let mut logits = Vec::new();
                let mut rest = fixture.tokens.as_slice();
                while !rest.is_empty() {
                    let next = if mixed { 1 + random.below(size as u64) as usize } else { size };
                    let (chunk, after) = rest.split_at(next.min(rest.len()));
                    logits.extend(all_logits(&engine, &mut request, chunk));
                    rest = after;
                }
                assert!(logits == expected.1, "{name} chunks of {size}, mixed {mixed}");
                assert_same_caches(&request, &expected.0, fixture.config.layers.len());
            }
        }
    }
}

#[test]
fn requests_side_by_side_never_touch() {
    let fixture = fixture("tiny-pro");
    let engine = engine(&fixture);
    let mirrored: Vec<u32> = fixture.tokens.iter().rev().copied().collect();
    let alone = [whole(&engine, &fixture.tokens), whole(&engine, &mirrored)];

    let mut requests = [engine.start(), engine.start()];
    let mut logits = [Vec::new(), Vec::new()];
    let mut random = SplitMix64::new(3);
    let mut at = [0, 0];
    while at != [300, 300] {
        let which = random.below(2) as usize;
        let end = (at[which] + 1 + random.below(9) as usize).min(300);
        let tokens = if which == 0 { &fixture.tokens } else { &mirrored };
        if at[which] < end {
            logits[which].extend(all_logits(&engine, &mut requests[which], &tokens[at[which]..end]));
            at[which] = end;
        }
    }
    for which in 0..2 {
        assert!(logits[which] == alone[which].1);
        assert_same_caches(&requests[which], &alone[which].0, fixture.config.layers.len());
    }
}

#[test]
fn a_cloned_request_goes_its_own_way() {
    let fixture = fixture("tiny-flash");
    let engine = engine(&fixture);
    let (request, _) = whole(&engine, &fixture.tokens);
    let mut one = request.clone();
    let mut other = request.clone();
    let first = engine.step(&mut one, 1).unwrap();
    engine.prefill(&mut other, &[2, 3, 4, 5, 6]).unwrap();
    let mut again = request;
    assert_eq!(engine.step(&mut again, 1).unwrap(), first);
    assert_same_caches(&again, &one, fixture.config.layers.len());
}

/// A small model of odd sizes.
fn any_config() -> impl Strategy<Value = ModelConfig> {
    let layers = proptest::collection::vec((0_usize..3, any::<bool>()), 1..5);
    let sizes = (1_usize..13, 0_usize..4, 1_usize..9, 1_usize..4, 1_usize..10, 1_usize..5);
    let reach = (1_usize..12, 1_usize..6, 1_usize..9, 1_usize..5);
    (layers, sizes, reach).prop_map(|(layers, sizes, reach)| {
        let kinds = [AttentionKind::Window, AttentionKind::Csa, AttentionKind::Hca];
        let (hidden, streams, half_head, groups, latent, top) = sizes;
        let (window, csa_ratio, hca_ratio, index_top_k) = reach;
        ModelConfig {
            vocab_size: 20,
            hidden_size: hidden,
            streams: 1 << streams,
            head_dim: 2 * half_head + 1,
            rope_dims: 2 * half_head.min(2),
            heads: 4 * groups,
            o_groups: 2 * groups,
            q_lora_rank: latent,
            o_lora_rank: latent,
            index_heads: 2,
            index_head_dim: 5,
            index_top_k,
            experts: 6,
            experts_per_token: top,
            expert_hidden_size: 3,
            window,
            csa_ratio,
            hca_ratio,
            layers: layers
                .into_iter()
                .map(|(kind, hash)| LayerSpec {
                    attention: kinds[kind],
                    router: if hash { RouterKind::Hash } else { RouterKind::Learned },
                })
                .collect(),
            ..ModelConfig::page6()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the sizes, ratios and window: cut anywhere, on one rank or two, the numbers are the same.
    #[test]
    fn models_of_any_size_may_be_cut_anywhere(
        config in any_config(),
        seed in any::<u64>(),
        tokens in proptest::collection::vec(0_u32..20, 2..48),
        cuts in proptest::collection::vec(1_usize..9, 1..6),
        ranks in 1_usize..3,
    ) {
        let weights = Weights::seeded(&config, seed).unwrap();
        let engine = ShardedEngine::new(config, &weights, ranks).unwrap();
        let check = whole_against_step(&engine, &tokens, &cuts, &Faults::none(), 0.0).unwrap();
        prop_assert_eq!((check.first, check.max_abs_logit_diff), (None, 0.0));
    }
}
