//! A model's weights: every tensor by name and shape, read from a safetensors file or drawn from a seed.
//!
//! [`Weights`] holds the whole model, row-major, as in the file; the ranks' shares are cut from it.

use safetensors::{Dtype, SafeTensors};

use super::{EngineError, config::AttentionKind, config::ModelConfig, config::RouterKind};
use crate::random::SplitMix64;

/// All weights of a model, checked against its configuration and finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The configuration they were checked against.
    config: ModelConfig,
    /// `[vocab, d]`.
    pub(super) embed: Vec<f32>,
    /// In order.
    pub(super) layers: Vec<LayerWeights>,
    /// The streams' collapse before the head: `[n, n·d]`, `[n]`, `[1]`.
    pub(super) head_streams: StreamWeights,
    /// `[d]`.
    pub(super) norm: Vec<f32>,
    /// `[vocab, d]`.
    pub(super) lm_head: Vec<f32>,
}

/// Stream mixing of one sub-layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StreamWeights {
    /// `[n + n + n·n, n·d]` (the head's: `[n, n·d]`).
    pub(super) mix: Vec<f32>,
    /// One per output of `mix`.
    pub(super) base: Vec<f32>,
    /// One per part: pre, post, comb (the head's: pre).
    pub(super) scale: Vec<f32>,
}

/// One layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LayerWeights {
    pub(super) attention_streams: StreamWeights,
    pub(super) experts_streams: StreamWeights,
    /// `[d]`.
    pub(super) attention_norm: Vec<f32>,
    /// `[d]`.
    pub(super) experts_norm: Vec<f32>,
    /// `[q_lora, d]`.
    pub(super) q_a: Vec<f32>,
    /// `[q_lora]`.
    pub(super) q_a_norm: Vec<f32>,
    /// `[H·c, q_lora]`.
    pub(super) q_b: Vec<f32>,
    /// `[c, d]`.
    pub(super) kv: Vec<f32>,
    /// `[c]`.
    pub(super) kv_norm: Vec<f32>,
    /// `[H]`.
    pub(super) sinks: Vec<f32>,
    /// `[groups·o_lora, H/groups·c]`.
    pub(super) o_a: Vec<f32>,
    /// `[d, groups·o_lora]`.
    pub(super) o_b: Vec<f32>,
    /// CSA and HCA layers.
    pub(super) compressor: Option<CompressorWeights>,
    /// CSA layers.
    pub(super) indexer: Option<IndexerWeights>,
    /// `[experts, d]`.
    pub(super) gate: Vec<f32>,
    /// `[experts]`, learned layers.
    pub(super) gate_bias: Option<Vec<f32>>,
    /// `[vocab, k]`, hash layers.
    pub(super) experts_of_token: Option<Vec<u32>>,
    /// `[experts, 2·inner, d]`: gate rows, then up rows.
    pub(super) gate_up: Vec<f32>,
    /// `[experts, d, inner]`.
    pub(super) down: Vec<f32>,
    /// `[inner, d]`.
    pub(super) shared_gate: Vec<f32>,
    /// `[inner, d]`.
    pub(super) shared_up: Vec<f32>,
    /// `[d, inner]`.
    pub(super) shared_down: Vec<f32>,
}

/// A compressor: width is the entry's size, doubled where groups overlap.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompressorWeights {
    /// `[width, d]`.
    pub(super) kv: Vec<f32>,
    /// `[width, d]`.
    pub(super) gate: Vec<f32>,
    /// `[ratio, width]`.
    pub(super) position_bias: Vec<f32>,
    /// `[entry size]`.
    pub(super) norm: Vec<f32>,
}

/// The indexer of a CSA layer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IndexerWeights {
    /// `[index heads·index dim, q_lora]`.
    pub(super) q_b: Vec<f32>,
    /// `[index heads, d]`.
    pub(super) head_weights: Vec<f32>,
    pub(super) compressor: CompressorWeights,
}

impl Weights {
    /// Reads the tensors `config` asks for from a safetensors file's bytes; tensors it does not ask for are
    /// left alone.
    ///
    /// # Errors
    /// [`EngineError::File`] for a broken file, [`EngineError::MissingTensor`], [`EngineError::TensorShape`],
    /// [`EngineError::TensorDtype`], [`EngineError::NotFinite`] or [`EngineError::ExpertId`] naming the tensor,
    /// [`EngineError::Config`] if `config` is not valid.
    pub fn from_safetensors(config: &ModelConfig, bytes: &[u8]) -> Result<Self, EngineError> {
        let file = SafeTensors::deserialize(bytes)
            .map_err(|error| EngineError::File { what: "weights.safetensors", problem: error.to_string() })?;
        Self::build(config, &mut FileSource(&file))
    }

    /// Draws weights from `seed`: the same seed gives the same weights everywhere. Norms lie around 1, matrices
    /// keep their inputs' size, biases are small.
    ///
    /// # Errors
    /// [`EngineError::Config`] if `config` is not valid.
    pub fn seeded(config: &ModelConfig, seed: u64) -> Result<Self, EngineError> {
        Self::build(config, &mut SeedSource(SplitMix64::new(seed)))
    }

    /// Whether these are weights of `config`.
    pub(super) fn check(&self, config: &ModelConfig) -> Result<(), EngineError> {
        if self.config == *config {
            return Ok(());
        }
        let problem = "the weights were made for another configuration".to_owned();
        Err(EngineError::Config { key: "(all)".to_owned(), problem })
    }

    fn build(config: &ModelConfig, source: &mut impl Source) -> Result<Self, EngineError> {
        config.validate()?;
        let (vocab, d) = (config.vocab_size, config.hidden_size);
        let mixes = config.streams * d;
        Ok(Self {
            config: config.clone(),
            embed: source.floats("model.embed_tokens.weight".to_owned(), &[vocab, d], Draw::Matrix(d))?,
            layers: (0..config.layers.len())
                .map(|layer| LayerWeights::build(config, layer, source))
                .collect::<Result<_, _>>()?,
            head_streams: StreamWeights {
                mix: source.floats(
                    "model.hc_head.hc_fn".to_owned(),
                    &[config.streams, mixes],
                    Draw::Matrix(mixes),
                )?,
                base: source.floats(
                    "model.hc_head.hc_base".to_owned(),
                    &[config.streams],
                    Draw::Around(0.0, 0.5),
                )?,
                scale: source.floats("model.hc_head.hc_scale".to_owned(), &[1], Draw::Around(0.6, 0.05))?,
            },
            norm: source.floats("model.norm.weight".to_owned(), &[d], Draw::Around(1.0, 0.2))?,
            lm_head: source.floats("lm_head.weight".to_owned(), &[vocab, d], Draw::Matrix(d))?,
        })
    }
}

impl LayerWeights {
    fn build(config: &ModelConfig, layer: usize, source: &mut impl Source) -> Result<Self, EngineError> {
        let spec = config.layers[layer];
        let (d, c, inner) = (config.hidden_size, config.head_dim, config.expert_hidden_size);
        let (heads, experts, latent) = (config.heads, config.experts, config.q_lora_rank);
        let outputs = config.o_groups * config.o_lora_rank;
        let group = heads / config.o_groups * c;
        let prefix = format!("model.layers.{layer}.");
        let name = |tail: &str| format!("{prefix}{tail}");
        let matrix = Draw::Matrix;
        let compressed = spec.attention.ratio(config);
        let overlap = spec.attention == AttentionKind::Csa;
        Ok(Self {
            attention_streams: StreamWeights::build(config, &name("attn_hc."), source)?,
            experts_streams: StreamWeights::build(config, &name("ffn_hc."), source)?,
            attention_norm: source.floats(name("input_layernorm.weight"), &[d], Draw::Around(1.0, 0.2))?,
            experts_norm: source.floats(
                name("post_attention_layernorm.weight"),
                &[d],
                Draw::Around(1.0, 0.2),
            )?,
            q_a: source.floats(name("self_attn.q_a_proj.weight"), &[latent, d], matrix(d))?,
            q_a_norm: source.floats(name("self_attn.q_a_norm.weight"), &[latent], Draw::Around(1.0, 0.2))?,
            q_b: source.floats(name("self_attn.q_b_proj.weight"), &[heads * c, latent], matrix(latent))?,
            kv: source.floats(name("self_attn.kv_proj.weight"), &[c, d], matrix(d))?,
            kv_norm: source.floats(name("self_attn.kv_norm.weight"), &[c], Draw::Around(1.0, 0.2))?,
            sinks: source.floats(name("self_attn.sinks"), &[heads], Draw::Around(0.0, 0.9))?,
            o_a: source.floats(name("self_attn.o_a_proj.weight"), &[outputs, group], matrix(group))?,
            o_b: source.floats(name("self_attn.o_b_proj.weight"), &[d, outputs], matrix(outputs))?,
            compressor: match compressed {
                None => None,
                Some(ratio) => Some(CompressorWeights::build(
                    [d, ratio, c],
                    overlap,
                    &name("self_attn.compressor."),
                    source,
                )?),
            },
            indexer: if overlap {
                let (index_heads, index_dim) = (config.index_heads, config.index_head_dim);
                let inside = name("self_attn.compressor.indexer.");
                Some(IndexerWeights {
                    q_b: source.floats(
                        format!("{inside}q_b_proj.weight"),
                        &[index_heads * index_dim, latent],
                        matrix(latent),
                    )?,
                    head_weights: source.floats(
                        format!("{inside}scorer.weights_proj.weight"),
                        &[index_heads, d],
                        matrix(d),
                    )?,
                    compressor: CompressorWeights::build(
                        [d, config.csa_ratio, index_dim],
                        true,
                        &inside,
                        source,
                    )?,
                })
            } else {
                None
            },
            gate: source.floats(name("mlp.gate.weight"), &[experts, d], matrix(d))?,
            gate_bias: match spec.router {
                RouterKind::Hash => None,
                RouterKind::Learned => Some(source.floats(
                    name("mlp.gate.e_score_correction_bias"),
                    &[experts],
                    Draw::Around(0.0, 0.3),
                )?),
            },
            experts_of_token: match spec.router {
                RouterKind::Hash => Some(source.experts(
                    name("mlp.gate.tid2eid"),
                    [config.vocab_size, config.experts_per_token],
                    experts,
                )?),
                RouterKind::Learned => None,
            },
            gate_up: source.floats(name("mlp.experts.gate_up_proj"), &[experts, 2 * inner, d], matrix(d))?,
            down: source.floats(name("mlp.experts.down_proj"), &[experts, d, inner], matrix(inner))?,
            shared_gate: source.floats(
                name("mlp.shared_experts.gate_proj.weight"),
                &[inner, d],
                matrix(d),
            )?,
            shared_up: source.floats(name("mlp.shared_experts.up_proj.weight"), &[inner, d], matrix(d))?,
            shared_down: source.floats(
                name("mlp.shared_experts.down_proj.weight"),
                &[d, inner],
                matrix(inner),
            )?,
        })
    }
}

impl StreamWeights {
    fn build(config: &ModelConfig, prefix: &str, source: &mut impl Source) -> Result<Self, EngineError> {
        let (n, mixes) = (config.streams, config.streams * config.hidden_size);
        let outputs = n * (n + 2);
        Ok(Self {
            mix: source.floats(format!("{prefix}fn"), &[outputs, mixes], Draw::Matrix(mixes))?,
            base: source.floats(format!("{prefix}base"), &[outputs], Draw::Around(0.0, 1.0))?,
            scale: source.floats(format!("{prefix}scale"), &[3], Draw::Around(0.6, 0.05))?,
        })
    }
}

impl CompressorWeights {
    fn build(
        [inputs, ratio, entry]: [usize; 3],
        overlap: bool,
        prefix: &str,
        source: &mut impl Source,
    ) -> Result<Self, EngineError> {
        let width = if overlap { 2 * entry } else { entry };
        Ok(Self {
            kv: source.floats(format!("{prefix}kv_proj.weight"), &[width, inputs], Draw::Matrix(inputs))?,
            gate: source.floats(
                format!("{prefix}gate_proj.weight"),
                &[width, inputs],
                Draw::Matrix(inputs),
            )?,
            position_bias: source.floats(
                format!("{prefix}position_bias"),
                &[ratio, width],
                Draw::Around(0.0, 0.9),
            )?,
            norm: source.floats(format!("{prefix}kv_norm.weight"), &[entry], Draw::Around(1.0, 0.2))?,
        })
    }
}

/// How a seeded tensor's values are spread.
#[derive(Clone, Copy)]
enum Draw {
    /// Around 0 with variance 1 / inputs.
    Matrix(usize),
    /// Evenly within the second number of the first.
    Around(f32, f32),
}

/// Where tensors come from.
trait Source {
    fn floats(&mut self, name: String, shape: &[usize], draw: Draw) -> Result<Vec<f32>, EngineError>;

    /// A table `[tokens, k]` of expert ids below `experts`.
    fn experts(&mut self, name: String, shape: [usize; 2], experts: usize) -> Result<Vec<u32>, EngineError>;
}

struct FileSource<'a>(&'a SafeTensors<'a>);

/// The bytes of tensor `name` if it is there with this shape and type.
fn tensor_bytes<'a>(
    file: &'a SafeTensors<'a>,
    name: &str,
    shape: &[usize],
    dtype: (Dtype, &'static str),
) -> Result<&'a [u8], EngineError> {
    let tensor = file.tensor(name).map_err(|_| EngineError::MissingTensor { name: name.to_owned() })?;
    if tensor.dtype() != dtype.0 {
        return Err(EngineError::TensorDtype {
            name: name.to_owned(),
            expected: dtype.1,
            found: format!("{:?}", tensor.dtype()),
        });
    }
    if tensor.shape() != shape {
        return Err(EngineError::TensorShape {
            name: name.to_owned(),
            expected: shape.to_vec(),
            found: tensor.shape().to_vec(),
        });
    }
    Ok(tensor.data())
}

/// Reads tensor `name` (f32, `shape`) from an opened file, refusing NaN and infinity.
pub(super) fn read_floats(
    file: &SafeTensors<'_>,
    name: &str,
    shape: &[usize],
) -> Result<Vec<f32>, EngineError> {
    let bytes = tensor_bytes(file, name, shape, (Dtype::F32, "F32"))?;
    let (words, _) = bytes.as_chunks::<4>();
    let values: Vec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(EngineError::NotFinite { name: name.to_owned(), index }),
        None => Ok(values),
    }
}

impl Source for FileSource<'_> {
    fn floats(&mut self, name: String, shape: &[usize], _: Draw) -> Result<Vec<f32>, EngineError> {
        read_floats(self.0, &name, shape)
    }

    fn experts(&mut self, name: String, shape: [usize; 2], experts: usize) -> Result<Vec<u32>, EngineError> {
        let bytes = tensor_bytes(self.0, &name, &shape, (Dtype::I32, "I32"))?;
        let (words, _) = bytes.as_chunks::<4>();
        words
            .iter()
            .enumerate()
            .map(|(index, &word)| {
                let expert = i32::from_le_bytes(word);
                match u32::try_from(expert) {
                    Ok(id) if (id as usize) < experts => Ok(id),
                    _ => Err(EngineError::ExpertId {
                        name: name.clone(),
                        token: index / shape[1],
                        expert: i64::from(expert),
                        experts,
                    }),
                }
            })
            .collect()
    }
}

struct SeedSource(SplitMix64);

impl Source for SeedSource {
    fn floats(&mut self, _: String, shape: &[usize], draw: Draw) -> Result<Vec<f32>, EngineError> {
        let (centre, spread) = match draw {
            // An even spread of ±s has variance s²/3.
            Draw::Matrix(inputs) => (0.0, (3.0 / inputs as f32).sqrt()),
            Draw::Around(centre, spread) => (centre, spread),
        };
        let count = shape.iter().product();
        Ok((0..count).map(|_| centre + spread * (2.0 * self.0.unit_f32() - 1.0)).collect())
    }

    fn experts(
        &mut self,
        _: String,
        [tokens, k]: [usize; 2],
        experts: usize,
    ) -> Result<Vec<u32>, EngineError> {
        let mut ids: Vec<u32> = (0..experts as u32).collect();
        let mut table = Vec::with_capacity(tokens * k);
        for _ in 0..tokens {
            // The first k steps of a shuffle: k distinct experts.
            for place in 0..k {
                let other = place + self.0.below((experts - place) as u64) as usize;
                ids.swap(place, other);
            }
            table.extend_from_slice(&ids[..k]);
        }
        Ok(table)
    }
}
