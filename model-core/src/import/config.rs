//! A specification as a configuration: what [`super::import`] reads, the other way round.

use crate::json::Json;
use crate::spec::{AttentionKind, ModelSpec, Routing};

/// A configuration that is read back as the same specification. Layers are named one by one, so that any order and any
/// ratio can be said.
pub(crate) fn config(spec: &ModelSpec) -> Json {
    let layers = |name: fn(&crate::spec::Layer) -> &'static str| {
        Json::List(spec.main_layers().iter().map(|layer| Json::text(name(layer))).collect())
    };
    let whole = Json::Whole;
    Json::object([
        ("model_type", Json::text("deepseek_v4")),
        ("hidden_size", whole(spec.hidden)),
        ("num_hidden_layers", whole(spec.main_layers().len() as u64)),
        ("num_nextn_predict_layers", whole(spec.draft_blocks().len() as u64)),
        ("hc_mult", whole(spec.streams)),
        ("num_attention_heads", whole(spec.heads)),
        ("head_dim", whole(spec.head_dim)),
        ("qk_rope_head_dim", whole(spec.rope_dim)),
        ("q_lora_rank", whole(spec.query_rank)),
        ("o_lora_rank", whole(spec.output_rank)),
        ("o_groups", whole(spec.output_groups)),
        ("index_n_heads", whole(spec.indexer_heads)),
        ("index_head_dim", whole(spec.indexer_head_dim)),
        ("index_topk", whole(spec.indexer_top_k)),
        ("sliding_window", whole(spec.window)),
        (
            "compress_rates",
            Json::object([
                ("compressed_sparse_attention", whole(spec.csa_ratio)),
                ("heavily_compressed_attention", whole(spec.hca_ratio)),
            ]),
        ),
        ("n_routed_experts", whole(spec.experts)),
        ("n_shared_experts", whole(spec.shared_experts)),
        ("num_experts_per_tok", whole(spec.experts_per_token)),
        ("moe_intermediate_size", whole(spec.expert_hidden)),
        ("expert_dtype", Json::text("fp4")),
        ("vocab_size", whole(spec.vocab)),
        ("max_position_embeddings", whole(spec.max_context)),
        (
            "layer_types",
            layers(|layer| match layer.attention {
                AttentionKind::Window => "sliding_attention",
                AttentionKind::Csa => "compressed_sparse_attention",
                AttentionKind::Hca => "heavily_compressed_attention",
            }),
        ),
        (
            "mlp_layer_types",
            layers(|layer| match layer.routing {
                Routing::Hash => "hash_moe",
                Routing::Learned => "moe",
            }),
        ),
    ])
}
