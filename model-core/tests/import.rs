//! Published configurations come out exactly; anything else is refused with its place, and nothing ever breaks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use model_core::collective::{Load, collectives};
use model_core::import::{ImportError, Imported, Reason, Style, import};
use model_core::scenario::Dtypes;
use model_core::spec::{AttentionKind, ModelSpec, Routing, tensors, v4_flash, v4_pro};
use proptest::prelude::*;
use serde_json::{Value, json};

const PRO: &str = include_str!("configs/v4-pro.config.json");
const PRO_REFERENCE: &str = include_str!("configs/v4-pro.inference.json");
const FLASH: &str = include_str!("configs/v4-flash.config.json");
const TINY_PRO: &str = include_str!("configs/tiny-pro.config.json");
const TINY_FLASH: &str = include_str!("configs/tiny-flash.config.json");
const ALL: [&str; 5] = [PRO, PRO_REFERENCE, FLASH, TINY_PRO, TINY_FLASH];

#[test]
fn copies_equal_the_shared_originals() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    for (path, copy) in [
        ("facts/v4-pro.config.json", PRO),
        ("facts/v4-flash.config.json", FLASH),
        ("fixtures/tiny-pro/config.json", TINY_PRO),
        ("fixtures/tiny-flash/config.json", TINY_FLASH),
    ] {
        if let Ok(original) = std::fs::read_to_string(shared.join(path)) {
            assert_eq!(original, copy, "{path}");
        }
    }
}

#[test]
fn published_configurations_are_the_built_in_models() {
    for (text, spec, style) in [
        (PRO, v4_pro(), Style::Published),
        (PRO_REFERENCE, v4_pro(), Style::Reference),
        (FLASH, v4_flash(), Style::Published),
    ] {
        let imported = import(text).unwrap();
        assert_eq!(imported.spec, spec);
        assert_eq!(imported.style, style);
        let assumed: &[&str] = if style == Style::Reference { &["max_position_embeddings"] } else { &[] };
        assert_eq!(imported.assumed, assumed, "what the file does not say is named");
    }
}

#[test]
fn the_toy_models_are_read_by_their_layer_names() {
    let imported = import(TINY_FLASH).unwrap();
    let spec = &imported.spec;
    assert_eq!((imported.style, spec.name), (Style::LayerTypes, "imported"));
    let kinds: Vec<_> = spec.schedule.iter().map(|layer| layer.attention).collect();
    use AttentionKind::{Csa, Hca, Window};
    assert_eq!(kinds, [Window, Window, Csa, Hca, Csa]);
    assert_eq!(spec.schedule.iter().filter(|layer| layer.routing == Routing::Hash).count(), 1);
    assert_eq!((spec.csa_ratio, spec.hca_ratio, spec.window, spec.experts), (4, 16, 16, 16));
    assert!(imported.assumed.contains(&"max_position_embeddings"));
    let pro = import(TINY_PRO).unwrap().spec;
    assert_eq!((pro.layers, pro.hca_ratio, pro.draft_blocks().len()), (6, 128, 0));
}

#[test]
fn active_parameters_of_an_unknown_model_are_counted_from_its_shapes() {
    let golden: Value = serde_json::from_str(include_str!("golden/exact.json")).unwrap();
    let figures = golden["figures"].as_array().unwrap();
    let active = figures.iter().find(|figure| figure["id"] == "active.params").unwrap();
    // Another window changes no weight, but makes it another model.
    let other = pro_with(json!({"sliding_window": 256})).unwrap().spec;
    assert_eq!((other.name, other.window), ("imported", 256));
    assert_eq!(other.active_params_nominal, active["value"].as_f64().unwrap());
}

/// The configuration of V4-Pro with some keys set (or, by `null`, taken away).
fn pro_with(changes: Value) -> Result<Imported, ImportError> {
    import(&changed(PRO, changes))
}

fn changed(text: &str, changes: Value) -> String {
    let mut config: Value = serde_json::from_str(text).unwrap();
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config.to_string()
}

#[test]
fn what_cannot_be_modelled_is_refused_with_place_and_reason() {
    let cases = [
        (json!({"model_type": "deepseek_v3"}), "model_type: \"deepseek_v3\" is another architecture"),
        (
            json!({"architectures": ["LlamaForCausalLM"]}),
            "architectures[0]: \"LlamaForCausalLM\" is another architecture",
        ),
        (json!({"hidden_size": null}), "hidden_size: missing (or as dim)"),
        (json!({"compress_ratios": null}), "compress_ratios: missing (or as layer_types)"),
        (json!({"num_hash_layers": null}), "num_hash_layers: missing (or as n_hash_layers, mlp_layer_types)"),
        (json!({"hidden_size": "7168"}), "hidden_size: a whole number is wanted, not text"),
        (json!({"hidden_size": 7168.5}), "hidden_size: a whole number is wanted, not another number"),
        (json!({"hidden_size": -1}), "hidden_size: a whole number is wanted, not another number"),
        (json!({"hidden_size": 0}), "hidden_size: 0 is not within 1 and 1048576"),
        (json!({"vocab_size": u64::MAX}), "vocab_size: 18446744073709551615 is not within 1 and 16777216"),
        (json!({"dim": 4096}), "dim: 4096, but hidden_size is 7168"),
        (json!({"compress_ratios": [128, 4]}), "compress_ratios: 2 entries for 61 layers"),
        (json!({"compress_ratios": {}}), "compress_ratios: a list is wanted, not an object"),
        (
            json!({"num_hidden_layers": 60}),
            "compress_ratios[60]: 4 cannot be accounted for, only draft blocks without compression",
        ),
        (
            json!({"num_nextn_predict_layers": 3}),
            "num_nextn_predict_layers: 3, but compress_ratios has 1 entries beyond the layers",
        ),
        (json!({"num_hash_layers": 62}), "num_hash_layers: more than the 61 layers"),
        (
            json!({"num_experts_per_tok": 385}),
            "num_experts_per_tok: a token takes more than the 384 there are",
        ),
        (json!({"o_groups": 24}), "o_groups: they do not divide 128 heads evenly"),
        (json!({"qk_rope_head_dim": 256}), "qk_rope_head_dim: more than an indexer head has (128)"),
        (
            json!({"num_key_value_heads": 8}),
            "num_key_value_heads: 8 cannot be accounted for, only one key-value head",
        ),
        (
            json!({"tie_word_embeddings": true}),
            "tie_word_embeddings: true cannot be accounted for, only a head of its own",
        ),
        (json!({"expert_dtype": "fp8"}), "expert_dtype: \"fp8\" cannot be accounted for, only fp4 experts"),
        (
            json!({"scoring_func": "softmax"}),
            "scoring_func: \"softmax\" cannot be accounted for, only sqrtsoftplus scores",
        ),
        (json!({"quantization_config": 8}), "quantization_config: an object is wanted, not a whole number"),
        (
            json!({"quantization_config": {"weight_block_size": [64, 64]}}),
            "quantization_config.weight_block_size: a list cannot be accounted for, only blocks of 128 × 128",
        ),
        (
            json!({"dspark_block_size": 5}),
            "dspark_block_size: 5 cannot be accounted for, only MTP draft blocks",
        ),
        (
            json!({"moe_intermediate_size": 1 << 20, "hidden_size": 1 << 20, "n_routed_experts": 1 << 14}),
            "the whole: larger than 2^53 bytes",
        ),
    ];
    for (changes, line) in cases {
        assert_eq!(pro_with(changes.clone()).unwrap_err().to_string(), line, "{changes}");
    }
    let mut ratios = vec![128; 62];
    ratios[5] = 16;
    let error = pro_with(json!({"compress_ratios": ratios})).unwrap_err();
    assert_eq!((error.place.as_str(), error.reason), ("compress_ratios[5]", Reason::UnknownRatio(16)));
    let kinds = vec!["sliding_attention"; 61];
    let error = pro_with(json!({"layer_types": kinds})).unwrap_err();
    assert!(matches!(error.reason, Reason::Contradiction(_)), "{error}");
    let endless = vec![0; 100_000];
    let error = pro_with(json!({"compress_ratios": endless, "num_nextn_predict_layers": null})).unwrap_err();
    assert!(matches!(error.reason, Reason::OutOfBounds { max: 64, .. }), "{error}");
}

#[test]
fn toy_contradictions_are_refused_too() {
    let tiny_with = |changes| import(&changed(TINY_PRO, changes)).unwrap_err().to_string();
    assert_eq!(
        tiny_with(json!({"layer_types": vec!["linear_attention"; 6]})),
        "layer_types[0]: \"linear_attention\" is an unknown kind of layer"
    );
    assert_eq!(tiny_with(json!({"num_hash_layers": 2})), "num_hash_layers: mlp_layer_types says otherwise");
    assert_eq!(
        tiny_with(json!({"compress_rates": {"compressed_sparse_attention": 4}})),
        "compress_rates.heavily_compressed_attention: missing"
    );
}

#[test]
fn duplicate_keys_are_refused_even_where_they_agree() {
    let doubled = PRO.replacen("\"head_dim\": 512,", "\"head_dim\": 512,\n  \"head_dim\": 512,", 1);
    let error = import(&doubled).unwrap_err();
    assert_eq!((error.place.as_str(), error.reason), ("head_dim", Reason::Duplicate));
}

#[test]
fn every_truncation_is_refused_as_one() {
    for text in ALL {
        let whole = text.trim_end();
        for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let error = import(&whole[..end]).unwrap_err();
            assert_eq!(error.reason, Reason::Truncated, "{end} bytes: {error}");
        }
    }
}

/// Whatever is accepted gives numbers.
fn assert_sound(spec: &ModelSpec) {
    let mut bytes = 0.0;
    for (_, tensor) in tensors::all(spec) {
        for dtypes in [Dtypes::Stored, Dtypes::Reference] {
            let own = tensor.bytes(dtypes);
            assert!(own.is_finite() && own >= 0.0, "{}: {own}", tensor.name);
            bytes += own;
        }
    }
    assert!(bytes > 0.0 && bytes <= 2.0 * 9_007_199_254_740_992.0);
    assert!(spec.active_params_nominal.is_finite() && spec.active_params_nominal > 0.0);
    assert!(spec.layers >= 1 && spec.schedule.len() >= spec.layers);
    let _ = (spec.legal_tp(), spec.core_attention_params(), spec.shared_experts * spec.expert_params());
    let load = Load { batch: 1024, positions: 1, end: spec.max_context };
    assert!(collectives(spec, load).all(|collective| collective.bytes().get().is_finite()));
}

fn assert_one_line(error: &ImportError) {
    let line = error.to_string();
    assert!(!line.contains(['\n', '\r', '\u{1b}']), "{line:?}");
    assert!(!error.place.is_empty());
}

fn try_import(text: &str) {
    match import(text) {
        Ok(imported) => assert_sound(&imported.spec),
        Err(error) => assert_one_line(&error),
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u64..300).prop_map(Value::from),
        (0_u32..64).prop_map(|power| Value::from(1_u64 << power)),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::hash_map("[a-z_\\n]{1,10}", inner, 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        try_import(&text);
    }

    #[test]
    fn any_json_is_read_or_refused(value in any_json()) {
        try_import(&value.to_string());
    }

    #[test]
    fn any_value_under_any_key_is_read_or_refused(
        which in 0..ALL.len(),
        keys in proptest::collection::vec((any::<proptest::sample::Index>(), any_json()), 1..4),
    ) {
        let mut config: Value = serde_json::from_str(ALL[which]).unwrap();
        let names: Vec<String> = config.as_object().unwrap().keys().cloned().collect();
        for (key, value) in keys {
            config[key.get(&names)] = value;
        }
        try_import(&config.to_string());
    }

    #[test]
    fn sizes_within_and_beyond_bounds_never_overflow(
        which in 0..ALL.len(),
        powers in proptest::collection::vec((any::<proptest::sample::Index>(), 0_u32..64, -1_i64..2), 1..8),
    ) {
        let mut config: Value = serde_json::from_str(ALL[which]).unwrap();
        let names: Vec<String> = config
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, value)| value.is_u64())
            .map(|(key, _)| key.clone())
            .collect();
        for (key, power, off) in powers {
            config[key.get(&names)] = Value::from((1_u64 << power).wrapping_add_signed(off));
        }
        try_import(&config.to_string());
    }

    #[test]
    fn mangled_text_is_read_or_refused(
        which in 0..ALL.len(),
        at in any::<proptest::sample::Index>(),
        length in 0_usize..40,
        replacement in prop_oneof![Just(""), Just("}"), Just("1e999"), Just("\""), Just(",,"), Just("99999999999999999999")],
    ) {
        let characters: Vec<char> = ALL[which].chars().collect();
        let start = at.index(characters.len());
        let end = (start + length).min(characters.len());
        let text: String = characters[..start]
            .iter()
            .copied()
            .chain(replacement.chars())
            .chain(characters[end..].iter().copied())
            .collect();
        try_import(&text);
    }

    #[test]
    fn any_key_given_twice_is_refused(which in 0..ALL.len(), key in any::<proptest::sample::Index>(), value in any_json()) {
        let config: Value = serde_json::from_str(ALL[which]).unwrap();
        let names: Vec<String> = config.as_object().unwrap().keys().cloned().collect();
        let name = key.get(&names);
        let text = config.to_string();
        let doubled = format!("{},{}:{}}}", &text[..text.len() - 1], json!(name), value);
        let error = import(&doubled).unwrap_err();
        prop_assert_eq!(error.reason, Reason::Duplicate);
        // Another key within the added value may itself be doubled only if the value is an object: never here.
        prop_assert_eq!(&error.place, name);
    }
}
