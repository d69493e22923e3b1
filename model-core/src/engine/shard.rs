//! One rank's share of the weights, packed for the kernels.
//!
//! Rank i of G holds vocabulary rows, heads, output groups, indexer heads and routed experts `i·n/G ..(i+1)·n/G`.
//! Query and key latents, compressors, gate, shared expert, norms and stream mixing are replicated: every rank
//! holds a copy. As the copies can never differ, they share storage here; [`RankWeights::bytes`] counts them on
//! each rank.

use std::ops::Range;
use std::sync::Arc;

use super::config::{AttentionKind, ModelConfig};
use super::math::Linear;
use super::weights::{CompressorWeights, LayerWeights, StreamWeights, Weights};

/// What one rank holds.
#[derive(Debug, Clone)]
pub struct RankWeights {
    /// Its number, from 0.
    pub(super) rank: usize,
    /// Its vocabulary ids.
    pub(super) vocab: Range<usize>,
    /// Its attention heads.
    pub(super) heads: Range<usize>,
    /// Its output groups.
    pub(super) groups: Range<usize>,
    /// Its indexer heads.
    pub(super) index_heads: Range<usize>,
    /// Its routed experts.
    pub(super) experts: Range<usize>,
    /// `[local vocab, d]`, rows.
    pub(super) embed: Vec<f32>,
    pub(super) lm_head: Linear,
    pub(super) layers: Vec<RankLayer>,
    pub(super) shared: Arc<ReplicatedHead>,
}

/// The part of the head every rank holds.
#[derive(Debug)]
pub(super) struct ReplicatedHead {
    pub(super) streams: Mixer,
    pub(super) norm: Vec<f32>,
}

/// Stream mixing, packed.
#[derive(Debug)]
pub(super) struct Mixer {
    pub(super) mix: Linear,
    pub(super) base: Vec<f32>,
    pub(super) scale: Vec<f32>,
}

/// A compressor, packed.
#[derive(Debug)]
pub(super) struct Compressor {
    pub(super) kv: Linear,
    pub(super) gate: Linear,
    pub(super) position_bias: Vec<f32>,
    pub(super) norm: Vec<f32>,
    /// Tokens per entry.
    pub(super) ratio: usize,
    /// Values per entry.
    pub(super) entry_dim: usize,
    /// Whether an entry pools the previous group too.
    pub(super) overlap: bool,
}

/// A gated feed-forward block, packed.
#[derive(Debug, Clone)]
pub(super) struct Expert {
    /// Gate rows, then up rows.
    pub(super) gate_up: Linear,
    pub(super) down: Linear,
}

/// One layer of a rank.
#[derive(Debug, Clone)]
pub(super) struct RankLayer {
    pub(super) attention: AttentionKind,
    pub(super) replicated: Arc<Replicated>,
    /// Local heads.
    pub(super) q_b: Linear,
    pub(super) sinks: Vec<f32>,
    /// One per local group.
    pub(super) o_a: Vec<Linear>,
    /// Local groups' columns.
    pub(super) o_b: Linear,
    pub(super) index: Option<RankIndexer>,
    /// Local experts.
    pub(super) experts: Vec<Expert>,
}

/// The sharded part of an indexer.
#[derive(Debug, Clone)]
pub(super) struct RankIndexer {
    pub(super) q_b: Linear,
    pub(super) head_weights: Linear,
}

/// What all ranks hold of a layer.
#[derive(Debug)]
pub(super) struct Replicated {
    pub(super) attention_streams: Mixer,
    pub(super) experts_streams: Mixer,
    pub(super) attention_norm: Vec<f32>,
    pub(super) experts_norm: Vec<f32>,
    pub(super) q_a: Linear,
    pub(super) q_a_norm: Vec<f32>,
    pub(super) kv: Linear,
    pub(super) kv_norm: Vec<f32>,
    pub(super) compressor: Option<Compressor>,
    pub(super) index_compressor: Option<Compressor>,
    pub(super) gate: Linear,
    pub(super) gate_bias: Option<Vec<f32>>,
    pub(super) experts_of_token: Option<Vec<u32>>,
    pub(super) shared_expert: Expert,
}

/// Cuts `weights` into `ranks` shares; the rank count has been checked.
pub(super) fn cut(config: &ModelConfig, weights: &Weights, ranks: usize) -> Vec<RankWeights> {
    let d = config.hidden_size;
    let layers: Vec<Arc<Replicated>> = weights
        .layers
        .iter()
        .zip(&config.layers)
        .map(|(layer, spec)| Arc::new(Replicated::pack(config, spec.attention, layer)))
        .collect();
    let shared = Arc::new(ReplicatedHead {
        streams: Mixer::pack(config, &weights.head_streams),
        norm: weights.norm.clone(),
    });
    (0..ranks)
        .map(|rank| {
            let share = |count: usize| rank * count / ranks..(rank + 1) * count / ranks;
            let vocab = share(config.vocab_size);
            RankWeights {
                rank,
                heads: share(config.heads),
                groups: share(config.o_groups),
                index_heads: share(config.index_heads),
                experts: share(config.experts),
                embed: rows(&weights.embed, d, &vocab).to_vec(),
                lm_head: Linear::from_rows(vocab.len(), d, rows(&weights.lm_head, d, &vocab)),
                vocab,
                layers: weights
                    .layers
                    .iter()
                    .zip(&layers)
                    .zip(&config.layers)
                    .map(|((layer, replicated), spec)| {
                        RankLayer::cut(config, spec.attention, layer, replicated, &share)
                    })
                    .collect(),
                shared: Arc::clone(&shared),
            }
        })
        .collect()
}

/// Rows `range` of a row-major matrix with `width` columns.
fn rows<'a>(matrix: &'a [f32], width: usize, range: &Range<usize>) -> &'a [f32] {
    &matrix[range.start * width..range.end * width]
}

impl RankLayer {
    fn cut(
        config: &ModelConfig,
        attention: AttentionKind,
        layer: &LayerWeights,
        replicated: &Arc<Replicated>,
        share: &impl Fn(usize) -> Range<usize>,
    ) -> Self {
        let (d, c, inner) = (config.hidden_size, config.head_dim, config.expert_hidden_size);
        let (latent, o_lora) = (config.q_lora_rank, config.o_lora_rank);
        let heads = share(config.heads);
        let groups = share(config.o_groups);
        let group_inputs = config.heads / config.o_groups * c;
        let all_outputs = config.o_groups * o_lora;
        // o_b is cut by columns: a rank multiplies only what its own groups produce.
        let columns: Vec<f32> = layer
            .o_b
            .chunks_exact(all_outputs)
            .flat_map(|row| &row[groups.start * o_lora..groups.end * o_lora])
            .copied()
            .collect();
        Self {
            attention,
            replicated: Arc::clone(replicated),
            q_b: Linear::from_rows(heads.len() * c, latent, rows(&layer.q_b, c * latent, &heads)),
            sinks: layer.sinks[heads].to_vec(),
            o_a: groups
                .clone()
                .map(|group| {
                    let block = rows(&layer.o_a, o_lora * group_inputs, &(group..group + 1));
                    Linear::from_rows(o_lora, group_inputs, block)
                })
                .collect(),
            o_b: Linear::from_rows(d, groups.len() * o_lora, &columns),
            index: layer.indexer.as_ref().map(|indexer| {
                let heads = share(config.index_heads);
                let dim = config.index_head_dim;
                RankIndexer {
                    q_b: Linear::from_rows(
                        heads.len() * dim,
                        latent,
                        rows(&indexer.q_b, dim * latent, &heads),
                    ),
                    head_weights: Linear::from_rows(heads.len(), d, rows(&indexer.head_weights, d, &heads)),
                }
            }),
            experts: share(config.experts)
                .map(|expert| Expert {
                    gate_up: Linear::from_rows(
                        2 * inner,
                        d,
                        rows(&layer.gate_up, 2 * inner * d, &(expert..expert + 1)),
                    ),
                    down: Linear::from_rows(d, inner, rows(&layer.down, d * inner, &(expert..expert + 1))),
                })
                .collect(),
        }
    }
}

impl Replicated {
    fn pack(config: &ModelConfig, attention: AttentionKind, layer: &LayerWeights) -> Self {
        let (d, c, inner) = (config.hidden_size, config.head_dim, config.expert_hidden_size);
        let overlap = attention == AttentionKind::Csa;
        let ratio = attention.ratio(config).unwrap_or(1);
        let shared_rows = [layer.shared_gate.as_slice(), &layer.shared_up].concat();
        Self {
            attention_streams: Mixer::pack(config, &layer.attention_streams),
            experts_streams: Mixer::pack(config, &layer.experts_streams),
            attention_norm: layer.attention_norm.clone(),
            experts_norm: layer.experts_norm.clone(),
            q_a: Linear::from_rows(config.q_lora_rank, d, &layer.q_a),
            q_a_norm: layer.q_a_norm.clone(),
            kv: Linear::from_rows(c, d, &layer.kv),
            kv_norm: layer.kv_norm.clone(),
            compressor: layer
                .compressor
                .as_ref()
                .map(|weights| Compressor::pack(weights, [d, ratio, c], overlap)),
            index_compressor: layer.indexer.as_ref().map(|indexer| {
                Compressor::pack(&indexer.compressor, [d, ratio, config.index_head_dim], true)
            }),
            gate: Linear::from_rows(config.experts, d, &layer.gate),
            gate_bias: layer.gate_bias.clone(),
            experts_of_token: layer.experts_of_token.clone(),
            shared_expert: Expert {
                gate_up: Linear::from_rows(2 * inner, d, &shared_rows),
                down: Linear::from_rows(d, inner, &layer.shared_down),
            },
        }
    }

    /// Bytes of f32 (and of the hash table's ids) this layer's copy takes.
    fn bytes(&self) -> u64 {
        let vectors = [&self.attention_norm, &self.experts_norm, &self.q_a_norm, &self.kv_norm];
        vectors.iter().map(|vector| f32_bytes(vector.len())).sum::<u64>()
            + self.attention_streams.bytes()
            + self.experts_streams.bytes()
            + self.q_a.bytes()
            + self.kv.bytes()
            + self.compressor.as_ref().map_or(0, Compressor::bytes)
            + self.index_compressor.as_ref().map_or(0, Compressor::bytes)
            + self.gate.bytes()
            + f32_bytes(self.gate_bias.as_ref().map_or(0, Vec::len))
            + f32_bytes(self.experts_of_token.as_ref().map_or(0, Vec::len))
            + self.shared_expert.bytes()
    }
}

impl Mixer {
    fn pack(config: &ModelConfig, weights: &StreamWeights) -> Self {
        Self {
            mix: Linear::from_rows(weights.base.len(), config.streams * config.hidden_size, &weights.mix),
            base: weights.base.clone(),
            scale: weights.scale.clone(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.mix.bytes() + f32_bytes(self.base.len() + self.scale.len())
    }
}

impl Compressor {
    fn pack(weights: &CompressorWeights, [inputs, ratio, entry_dim]: [usize; 3], overlap: bool) -> Self {
        let width = if overlap { 2 * entry_dim } else { entry_dim };
        Self {
            kv: Linear::from_rows(width, inputs, &weights.kv),
            gate: Linear::from_rows(width, inputs, &weights.gate),
            position_bias: weights.position_bias.clone(),
            norm: weights.norm.clone(),
            ratio,
            entry_dim,
            overlap,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.kv.bytes() + self.gate.bytes() + f32_bytes(self.position_bias.len() + self.norm.len())
    }
}

impl Expert {
    pub(super) const fn bytes(&self) -> u64 {
        self.gate_up.bytes() + self.down.bytes()
    }
}

impl RankWeights {
    /// The rank's number, from 0.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The vocabulary ids whose embedding and head rows it holds.
    #[must_use]
    pub fn vocab(&self) -> Range<usize> {
        self.vocab.clone()
    }

    /// The attention heads it holds.
    #[must_use]
    pub fn heads(&self) -> Range<usize> {
        self.heads.clone()
    }

    /// The output groups it holds.
    #[must_use]
    pub fn groups(&self) -> Range<usize> {
        self.groups.clone()
    }

    /// The indexer heads it holds.
    #[must_use]
    pub fn index_heads(&self) -> Range<usize> {
        self.index_heads.clone()
    }

    /// The routed experts it holds, in every layer.
    #[must_use]
    pub fn experts(&self) -> Range<usize> {
        self.experts.clone()
    }

    /// Bytes of weights this rank holds: its shares, and its copy of everything replicated.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sharded_bytes() + self.replicated_bytes()
    }

    /// Bytes of the shares only this rank holds.
    #[must_use]
    pub fn sharded_bytes(&self) -> u64 {
        let layers = self.layers.iter().map(|layer| {
            layer.q_b.bytes()
                + f32_bytes(layer.sinks.len())
                + layer.o_a.iter().map(Linear::bytes).sum::<u64>()
                + layer.o_b.bytes()
                + layer.index.as_ref().map_or(0, |index| index.q_b.bytes() + index.head_weights.bytes())
                + layer.experts.iter().map(Expert::bytes).sum::<u64>()
        });
        f32_bytes(self.embed.len()) + self.lm_head.bytes() + layers.sum::<u64>()
    }

    /// Bytes of the copy of what every rank holds.
    #[must_use]
    pub fn replicated_bytes(&self) -> u64 {
        self.shared.streams.bytes()
            + f32_bytes(self.shared.norm.len())
            + self.layers.iter().map(|layer| layer.replicated.bytes()).sum::<u64>()
    }
}

const fn f32_bytes(count: usize) -> u64 {
    (count * size_of::<f32>()) as u64
}
