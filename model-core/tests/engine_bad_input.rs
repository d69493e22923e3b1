//! Bad fixtures, prompts and plans: an error that names the tensor or value, never a panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{engine, fixture, fixture_files, sharded};
use model_core::engine::collective::InProcess;
use model_core::engine::fixture::{Fixture, FixtureFiles};
use model_core::engine::{Engine, EngineError, ModelConfig, ShardedEngine, Weights};
use proptest::prelude::*;

const NAME: &str = "tiny-flash";

/// The message a changed fixture is refused with.
fn refusal(change: impl FnOnce(&mut [Vec<u8>; 4])) -> String {
    let mut files = fixture_files(NAME);
    change(&mut files);
    parse(&files).and_then(|fixture| fixture.check(2).map(|_| ())).unwrap_err().to_string()
}

fn parse([config, weights, logits, expected]: &[Vec<u8>; 4]) -> Result<Fixture, EngineError> {
    Fixture::parse(&FixtureFiles { config, weights, logits, expected })
}

/// Replaces the first occurrence of `from` by the equally long `to`.
fn patch(bytes: &mut [u8], from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
}

/// Replaces text of any length in a JSON file.
fn replace(bytes: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(from), "{from}");
    *bytes = text.replacen(from, to, 1).into_bytes();
}

/// Where a tensor's data starts in a safetensors file.
fn data_start(bytes: &[u8], tensor: &str) -> usize {
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    8 + header + json[tensor]["data_offsets"][0].as_u64().unwrap() as usize
}

#[test]
fn a_missing_tensor_is_named() {
    let name = "model.layers.2.self_attn.kv_norm.weight";
    let message = refusal(|files| patch(&mut files[1], name, "model.layers.2.self_attn.kv_norm.weighs"));
    assert_eq!(message, format!("tensor `{name}` is missing"));
}

#[test]
fn a_wrong_shape_is_named_with_both() {
    let message = refusal(|files| replace(&mut files[0], "\"q_lora_rank\": 16", "\"q_lora_rank\": 8"));
    assert_eq!(
        message,
        "tensor `model.layers.0.self_attn.q_a_proj.weight` has shape [16, 32], expected [8, 32]"
    );
    let message = refusal(|files| replace(&mut files[0], "\"hidden_size\": 32", "\"hidden_size\": 16"));
    assert!(message.contains("model.embed_tokens.weight"), "{message}");
}

#[test]
fn a_wrong_dtype_is_named_with_both() {
    let message = refusal(|files| {
        let at = String::from_utf8_lossy(&files[1]).find("\"model.norm.weight\"").unwrap();
        patch(&mut files[1][at..], "F32", "I32");
    });
    assert_eq!(message, "tensor `model.norm.weight` has dtype I32, expected F32");
    let message = refusal(|files| {
        let at = String::from_utf8_lossy(&files[1]).find("tid2eid").unwrap();
        patch(&mut files[1][at..], "I32", "U32");
    });
    assert_eq!(message, "tensor `model.layers.0.mlp.gate.tid2eid` has dtype U32, expected I32");
}

#[test]
fn nan_and_infinity_are_named_with_their_place() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let tensor = "model.layers.3.mlp.gate.weight";
        let message = refusal(|files| {
            let at = data_start(&files[1], tensor) + 4 * 17;
            files[1][at..at + 4].copy_from_slice(&bad.to_le_bytes());
        });
        assert_eq!(message, format!("tensor `{tensor}` holds NaN or infinity at element 17"));
    }
    let message = refusal(|files| {
        let at = data_start(&files[2], "logits");
        files[2][at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    assert_eq!(message, "tensor `logits` holds NaN or infinity at element 0");
}

#[test]
fn weights_that_overflow_are_told_by_their_logits() {
    let tensor = "lm_head.weight";
    let message = refusal(|files| {
        let at = data_start(&files[1], tensor) + 4 * 32 * 3;
        for element in 0..32 {
            files[1][at + 4 * element..at + 4 * element + 4].copy_from_slice(&f32::MAX.to_le_bytes());
        }
    });
    assert_eq!(message, "the logit of token id 3 is NaN or infinite");
}

#[test]
fn an_unknown_expert_is_named() {
    let tensor = "model.layers.0.mlp.gate.tid2eid";
    for bad in [16_i32, -1, i32::MIN] {
        let message = refusal(|files| {
            let at = data_start(&files[1], tensor) + 4 * 31;
            files[1][at..at + 4].copy_from_slice(&bad.to_le_bytes());
        });
        assert_eq!(message, format!("tensor `{tensor}` names expert {bad} for token 10; there are 16"));
    }
}

#[test]
fn bad_tokens_are_named_and_change_nothing() {
    let fixture = fixture(NAME);
    let engine = engine(&fixture);
    let mut request = engine.start();
    engine.prefill(&mut request, &fixture.tokens[..20]).unwrap();
    let mut untouched = request.clone();
    let error = engine.prefill(&mut request, &[1, 2, 64]).unwrap_err();
    assert_eq!(error.to_string(), "token id 64 at index 2 is outside the vocabulary of 64");
    assert_eq!(engine.prefill(&mut request, &[]).unwrap_err(), EngineError::NoTokens);
    assert!(engine.step(&mut request, u32::MAX).is_err());
    assert_eq!(engine.step(&mut request, 5).unwrap(), engine.step(&mut untouched, 5).unwrap());

    let message = refusal(|files| replace(&mut files[3], "\"tokens\": [", "\"tokens\": [64, "));
    assert!(message.contains("token id 64"), "{message}");
    let message = refusal(|files| {
        let text = String::from_utf8(files[3].clone()).unwrap();
        let end = text.find(']').unwrap();
        files[3] = format!("{{\"tokens\": [{}", &text[end..]).into_bytes();
    });
    assert_eq!(message, "zero tokens: at least one is needed");
}

#[test]
fn rank_counts_that_do_not_divide_are_named() {
    let fixture = fixture(NAME);
    for ranks in [0, 3, 5, 6, 7, 9, 16, usize::MAX] {
        let message =
            ShardedEngine::new(fixture.config.clone(), &fixture.weights, ranks).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{ranks} ranks do not divide")), "{message}");
    }
}

#[test]
fn another_models_request_or_weights_are_refused() {
    let (flash, pro) = (fixture("tiny-flash"), fixture("tiny-pro"));
    let engine = engine(&flash);
    let mut other = common::engine(&pro).start();
    assert_eq!(engine.step(&mut other, 1).unwrap_err(), EngineError::Request);
    let eight = sharded(&flash, 8);
    assert_eq!(eight.step(&mut engine.start(), 1, &mut InProcess::new()).unwrap_err(), EngineError::Request);
    assert!(matches!(Engine::new(pro.config, &flash.weights), Err(EngineError::Config { .. })));
}

#[test]
fn config_keys_are_named() {
    let cases = [
        ("\"head_dim\": 16", "\"head_dim\": 0", "`head_dim`: must be at least 1"),
        ("\"head_dim\": 16", "\"head_dim\": -16", "`head_dim`: is not a whole number"),
        ("\"head_dim\": 16", "\"head_dims\": 16", "`head_dim`: is missing"),
        ("\"head_dim\": 16", "\"head_dim\": \"16\"", "`head_dim`: is not a whole number"),
        ("\"hidden_size\": 32", "\"hidden_size\": 18446744073709551615", "`hidden_size`: "),
        ("\"hc_mult\": 4", "\"hc_mult\": 3", "`hc_mult`: 3 is not"),
        ("\"qk_rope_head_dim\": 4", "\"qk_rope_head_dim\": 3", "`qk_rope_head_dim`: must be even"),
        ("\"qk_rope_head_dim\": 4", "\"qk_rope_head_dim\": 12", "`qk_rope_head_dim`: exceeds"),
        ("\"num_experts_per_tok\": 3", "\"num_experts_per_tok\": 17", "`num_experts_per_tok`: exceeds"),
        ("\"o_groups\": 8", "\"o_groups\": 3", "`o_groups`: does not divide"),
        ("\"rms_norm_eps\": 1e-06", "\"rms_norm_eps\": -1e-06", "`rms_norm_eps`: -0.00000"),
        ("\"swiglu_limit\": 10.0", "\"swiglu_limit\": 0", "`swiglu_limit`: 0 is not"),
        ("\"sqrtsoftplus\"", "\"softmax\"", "`scoring_func`: `softmax`"),
        ("\"sliding_attention\"", "\"linear_attention\"", "`layer_types`: unknown kind"),
        ("\"num_hidden_layers\": 5", "\"num_hidden_layers\": 6", "`layer_types`: has 5 entries for 6 layers"),
        ("\"compressed_sparse_attention\": 4", "\"compressed_sparse_attention\": 0", "compress_rates."),
        (
            "\"rope_type\": \"default\",\n   \"partial",
            "\"rope_type\": \"linear\",\n   \"partial",
            "rope_type",
        ),
    ];
    for (from, to, expected) in cases {
        let mut files = fixture_files(NAME);
        let config = String::from_utf8(files[0].clone()).unwrap();
        // The last rope_type is the compressed layers'.
        let at = config.rfind(from).unwrap();
        files[0] = format!("{}{to}{}", &config[..at], &config[at + from.len()..]).into_bytes();
        let message = parse(&files).unwrap_err().to_string();
        assert!(message.contains(expected), "{to}: {message}");
    }
    assert!(refusal(|files| files[0] = b"[]".to_vec()).contains("config.json"));
    assert!(refusal(|files| files[0] = vec![0xff]).contains("config.json"));
    assert!(refusal(|files| files[3] = b"{}".to_vec()).contains("expected.json"));
    assert!(refusal(|files| files[1].truncate(1000)).contains("weights.safetensors"));
    assert!(refusal(|files| files[2].clear()).contains("logits.safetensors"));
}

#[test]
fn a_published_size_is_refused_before_anything_is_allocated() {
    let mut config = ModelConfig::page6();
    config.vocab_size = 129_280;
    let error = Weights::seeded(&config, 1).unwrap_err();
    assert_eq!(error.to_string(), "config key `vocab_size`: 129280 is above 4096, more than a toy model's");
    let mut config = ModelConfig::page6();
    (config.hidden_size, config.expert_hidden_size, config.experts) = (4096, 4096, 4096);
    let error = Weights::seeded(&config, 1).unwrap_err();
    assert!(error.to_string().contains("more than a toy model's"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes change in whichever file: a result or an error, and no multi-line message.
    #[test]
    fn damaged_files_never_panic(
        file in 0_usize..4,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        front in any::<bool>(),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut files = fixture_files(NAME);
        let bytes = &mut files[file];
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // Headers are small beside the data: aim at them half of the time.
        let reach = if front { bytes.len().min(12_000) } else { bytes.len() };
        if reach > 0 {
            for (index, value) in damage {
                bytes[index.index(reach)] = value;
            }
        }
        if let Err(error) = parse(&files).and_then(|fixture| fixture.check(8)) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}
