//! DeepSeek-V4-Flash as its published configuration has it (April 2026 checkpoint).

use super::{ModelSpec, schedule};

/// Compression ratio of each layer, the last entry being the draft block: two window layers, then CSA and HCA in turn.
fn ratios() -> Vec<u64> {
    let main = [0, 0].into_iter().chain([4, 128].into_iter().cycle().take(40)).chain([4]);
    main.chain([0]).collect()
}

/// The specification of V4-Flash.
#[must_use]
pub fn v4_flash() -> ModelSpec {
    ModelSpec {
        name: "v4-flash",
        hidden: 4096,
        streams: 4,
        heads: 64,
        head_dim: 512,
        rope_dim: 64,
        query_rank: 1024,
        output_rank: 1024,
        output_groups: 8,
        indexer_heads: 64,
        indexer_head_dim: 128,
        indexer_top_k: 512,
        window: 128,
        csa_ratio: 4,
        hca_ratio: 128,
        experts: 256,
        shared_experts: 1,
        experts_per_token: 6,
        expert_hidden: 2048,
        vocab: 129_280,
        max_context: 1_048_576,
        active_params_nominal: 13e9,
        schedule: schedule(&ratios(), 3).unwrap_or_default(),
        layers: 43,
    }
}

#[cfg(test)]
mod tests {
    use super::super::AttentionKind;
    use super::*;

    #[test]
    fn the_schedule_is_the_published_one() {
        let spec = v4_flash();
        assert_eq!(spec.schedule.len(), 44);
        let counts = AttentionKind::ALL.map(|kind| spec.layers_of(kind));
        assert_eq!(counts, [2, 21, 20]);
        assert_eq!(spec.draft_blocks().len(), 1);
        assert_eq!(spec.legal_tp(), [1, 2, 4, 8]);
    }
}
