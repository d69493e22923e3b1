//! DeepSeek-V4-Pro as its published configuration has it (April 2026 checkpoint).

use super::{ModelSpec, schedule};

/// Compression ratio of each layer, the last entry being the draft block: two HCA layers, then CSA and HCA in turn.
fn ratios() -> Vec<u64> {
    let main = [128, 128].into_iter().chain([4, 128].into_iter().cycle().take(58)).chain([4]);
    main.chain([0]).collect()
}

/// The specification of V4-Pro.
#[must_use]
pub fn v4_pro() -> ModelSpec {
    ModelSpec {
        name: "v4-pro",
        hidden: 7168,
        streams: 4,
        heads: 128,
        head_dim: 512,
        rope_dim: 64,
        query_rank: 1536,
        output_rank: 1024,
        output_groups: 16,
        indexer_heads: 64,
        indexer_head_dim: 128,
        indexer_top_k: 1024,
        window: 128,
        csa_ratio: 4,
        hca_ratio: 128,
        experts: 384,
        shared_experts: 1,
        experts_per_token: 6,
        expert_hidden: 3072,
        vocab: 129_280,
        max_context: 1_048_576,
        active_params_nominal: 49e9,
        schedule: schedule(&ratios(), 3).unwrap_or_default(),
        layers: 61,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AttentionKind, Routing};
    use super::*;

    #[test]
    fn the_schedule_is_the_published_one() {
        let spec = v4_pro();
        assert_eq!(spec.schedule.len(), 62);
        assert_eq!(spec.layers_of(AttentionKind::Csa), 30);
        assert_eq!(spec.layers_of(AttentionKind::Hca), 31);
        assert_eq!(spec.layers_of(AttentionKind::Window), 0);
        let kinds: Vec<_> = spec.schedule.iter().map(|layer| layer.attention).collect();
        assert_eq!(
            kinds[..4],
            [AttentionKind::Hca, AttentionKind::Hca, AttentionKind::Csa, AttentionKind::Hca]
        );
        assert_eq!(kinds[60..], [AttentionKind::Csa, AttentionKind::Window]);
        assert_eq!(spec.main_layers().iter().filter(|layer| layer.routing == Routing::Hash).count(), 3);
    }

    #[test]
    fn legal_cuts_follow_from_the_dimensions() {
        assert_eq!(v4_pro().legal_tp(), [1, 2, 4, 8, 16]);
        assert!(!v4_pro().can_cut(3) && !v4_pro().can_cut(0) && !v4_pro().can_cut(32));
    }
}
