//! The tiny model's specification: sizes, layer order, and reading them from a published-style `config.json`.

use serde_json::{Map, Value};

use super::EngineError;

/// How a layer's attention reaches further back than its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttentionKind {
    /// Not at all: the window only.
    Window,
    /// Compressed sparse attention: overlapping entries of a small ratio, the best few picked by an indexer.
    Csa,
    /// Heavily compressed attention: entries of a large ratio, all of them attended.
    Hca,
}

/// How a layer chooses its experts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RouterKind {
    /// A fixed table from token id to experts.
    Hash,
    /// The best scores of a learned gate.
    Learned,
}

/// One layer of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LayerSpec {
    /// Its attention.
    pub attention: AttentionKind,
    /// Its expert choice.
    pub router: RouterKind,
}

/// YaRN: how the compressed layers' rotary frequencies are slowed for long contexts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Yarn {
    /// How many times longer than the original the context may be.
    pub factor: f64,
    /// The original context, tokens.
    pub original_positions: f64,
    /// Turns over the original context above which a frequency is kept.
    pub beta_fast: f64,
    /// Turns below which a frequency is slowed by the whole factor.
    pub beta_slow: f64,
}

/// Every size and constant of a model, in the notation of the equations: counts are counts, dimensions are
/// numbers of f32 values, ratios and the window are tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// Vocabulary entries.
    pub vocab_size: usize,
    /// Hidden size d.
    pub hidden_size: usize,
    /// Parallel residual streams n: 1, 2, 4 or 8.
    pub streams: usize,
    /// Row-and-column normalisations of the stream mixing matrix, the first one included.
    pub sinkhorn_iters: usize,
    /// Added where stream mixing divides.
    pub hc_eps: f32,
    /// Added under the root of every RMS norm.
    pub norm_eps: f32,
    /// Attention heads H.
    pub heads: usize,
    /// Size c of a head and of a cached row.
    pub head_dim: usize,
    /// Rotated values at the end of a head, even.
    pub rope_dims: usize,
    /// Size of the query latent.
    pub q_lora_rank: usize,
    /// Groups the heads are cut into for the output projection.
    pub o_groups: usize,
    /// Output size of each group's first projection.
    pub o_lora_rank: usize,
    /// Indexer heads.
    pub index_heads: usize,
    /// Size of an indexer head and of an indexer key.
    pub index_head_dim: usize,
    /// Entries the indexer picks.
    pub index_top_k: usize,
    /// Routed experts.
    pub experts: usize,
    /// Experts a token is sent to.
    pub experts_per_token: usize,
    /// Inner size of an expert.
    pub expert_hidden_size: usize,
    /// Factor on the renormalised routing weights.
    pub routed_scaling_factor: f32,
    /// Bound on an expert's gate (from above) and up values (both ways).
    pub swiglu_limit: f32,
    /// Window, tokens.
    pub window: usize,
    /// Tokens per CSA entry.
    pub csa_ratio: usize,
    /// Tokens per HCA entry.
    pub hca_ratio: usize,
    /// Rotary base of window-only layers.
    pub rope_theta: f64,
    /// Rotary base of layers with compression.
    pub compress_rope_theta: f64,
    /// YaRN of layers with compression.
    pub yarn: Option<Yarn>,
    /// The layers in order.
    pub layers: Vec<LayerSpec>,
}

impl AttentionKind {
    /// Tokens per compressed entry under `config`; `None` where nothing is compressed.
    #[must_use]
    pub const fn ratio(self, config: &ModelConfig) -> Option<usize> {
        match self {
            Self::Window => None,
            Self::Csa => Some(config.csa_ratio),
            Self::Hca => Some(config.hca_ratio),
        }
    }
}

impl ModelConfig {
    /// The page's model: 61 small layers in V4-Pro's true order (HCA, HCA, CSA, HCA, … CSA; three hash-routed
    /// ones first), with Pro's window, ratios, stream count and top-6, every other size small enough for a step to
    /// take a millisecond or so. It can be cut into 1, 2, 4 or 8 ranks.
    #[must_use]
    pub fn page61() -> Self {
        Self::page(61)
    }

    /// The same with its first six layers only, for quick scenes.
    #[must_use]
    pub fn page6() -> Self {
        Self::page(6)
    }

    fn page(layer_count: usize) -> Self {
        let layers = (0..layer_count)
            .map(|layer| LayerSpec {
                attention: if layer < 2 || layer % 2 == 1 { AttentionKind::Hca } else { AttentionKind::Csa },
                router: if layer < 3 { RouterKind::Hash } else { RouterKind::Learned },
            })
            .collect();
        Self {
            vocab_size: 128,
            hidden_size: 16,
            streams: 4,
            sinkhorn_iters: 20,
            hc_eps: 1e-6,
            norm_eps: 1e-6,
            heads: 8,
            head_dim: 8,
            rope_dims: 4,
            q_lora_rank: 8,
            o_groups: 8,
            o_lora_rank: 4,
            index_heads: 8,
            index_head_dim: 8,
            index_top_k: 16,
            experts: 48,
            experts_per_token: 6,
            expert_hidden_size: 8,
            routed_scaling_factor: 2.5,
            swiglu_limit: 10.0,
            window: 128,
            csa_ratio: 4,
            hca_ratio: 128,
            rope_theta: 10_000.0,
            compress_rope_theta: 160_000.0,
            yarn: Some(Yarn { factor: 16.0, original_positions: 65_536.0, beta_fast: 32.0, beta_slow: 1.0 }),
            layers,
        }
    }

    /// Reads a `config.json` (key names as published, with `layer_types`, `mlp_layer_types`, `compress_rates` and
    /// `rope_parameters`).
    ///
    /// # Errors
    /// [`EngineError::File`] if it is not a JSON object, [`EngineError::Config`] naming the first key that is
    /// missing or has a value the engine cannot run.
    pub fn from_json(text: &str) -> Result<Self, EngineError> {
        let not_json = |problem: String| EngineError::File { what: "config.json", problem };
        let value: Value = serde_json::from_str(text).map_err(|error| not_json(error.to_string()))?;
        let Value::Object(root) = value else { return Err(not_json("not a JSON object".to_owned())) };
        let root = Keys { map: &root, prefix: "" };

        let scoring = root.text("scoring_func")?;
        if scoring != "sqrtsoftplus" {
            return Err(problem("scoring_func", format!("`{scoring}` is not `sqrtsoftplus`")));
        }
        if root.count("n_shared_experts")? != 1 {
            return Err(problem("n_shared_experts", "must be 1".to_owned()));
        }
        let layer_count = root.count("num_hidden_layers")?;
        let attention = root.list("layer_types", layer_count, |name| match name {
            "sliding_attention" => Some(AttentionKind::Window),
            "compressed_sparse_attention" => Some(AttentionKind::Csa),
            "heavily_compressed_attention" => Some(AttentionKind::Hca),
            _ => None,
        })?;
        let routers = root.list("mlp_layer_types", layer_count, |name| match name {
            "hash_moe" => Some(RouterKind::Hash),
            "moe" => Some(RouterKind::Learned),
            _ => None,
        })?;
        let layers = attention
            .into_iter()
            .zip(routers)
            .map(|(attention, router)| LayerSpec { attention, router })
            .collect();
        let rates = root.object("compress_rates")?;
        let rates = Keys { map: rates, prefix: "compress_rates." };
        let rope = root.object("rope_parameters")?;
        let rope = Keys { map: rope, prefix: "rope_parameters." };
        let compress = rope.object("compress")?;
        let compress = Keys { map: compress, prefix: "rope_parameters.compress." };
        let yarn = match compress.text("rope_type")? {
            "default" => None,
            "yarn" => Some(Yarn {
                factor: compress.number("factor")?,
                original_positions: compress.number("original_max_position_embeddings")?,
                beta_fast: compress.number("beta_fast")?,
                beta_slow: compress.number("beta_slow")?,
            }),
            other => {
                return Err(problem(
                    "rope_parameters.compress.rope_type",
                    format!("`{other}` is neither `default` nor `yarn`"),
                ));
            }
        };
        let config = Self {
            vocab_size: root.count("vocab_size")?,
            hidden_size: root.count("hidden_size")?,
            streams: root.count("hc_mult")?,
            sinkhorn_iters: root.count("hc_sinkhorn_iters")?,
            hc_eps: root.number("hc_eps")? as f32,
            norm_eps: root.number("rms_norm_eps")? as f32,
            heads: root.count("num_attention_heads")?,
            head_dim: root.count("head_dim")?,
            rope_dims: root.count("qk_rope_head_dim")?,
            q_lora_rank: root.count("q_lora_rank")?,
            o_groups: root.count("o_groups")?,
            o_lora_rank: root.count("o_lora_rank")?,
            index_heads: root.count("index_n_heads")?,
            index_head_dim: root.count("index_head_dim")?,
            index_top_k: root.count("index_topk")?,
            experts: root.count("n_routed_experts")?,
            experts_per_token: root.count("num_experts_per_tok")?,
            expert_hidden_size: root.count("moe_intermediate_size")?,
            routed_scaling_factor: root.number("routed_scaling_factor")? as f32,
            swiglu_limit: root.number("swiglu_limit")? as f32,
            window: root.count("sliding_window")?,
            csa_ratio: rates.count("compressed_sparse_attention")?,
            hca_ratio: rates.count("heavily_compressed_attention")?,
            rope_theta: root.number("rope_theta")?,
            compress_rope_theta: root.number("compress_rope_theta")?,
            yarn,
            layers,
        };
        config.validate()?;
        Ok(config)
    }

    /// Checks what the engine relies on: no zero size, divisible heads, even and fitting rotary sizes, sane
    /// constants, and a total small enough to be a toy.
    ///
    /// # Errors
    /// [`EngineError::Config`] naming the key (by its published name).
    pub fn validate(&self) -> Result<(), EngineError> {
        let counts = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("hc_sinkhorn_iters", self.sinkhorn_iters),
            ("num_attention_heads", self.heads),
            ("head_dim", self.head_dim),
            ("qk_rope_head_dim", self.rope_dims),
            ("q_lora_rank", self.q_lora_rank),
            ("o_groups", self.o_groups),
            ("o_lora_rank", self.o_lora_rank),
            ("index_n_heads", self.index_heads),
            ("index_head_dim", self.index_head_dim),
            ("index_topk", self.index_top_k),
            ("n_routed_experts", self.experts),
            ("num_experts_per_tok", self.experts_per_token),
            ("moe_intermediate_size", self.expert_hidden_size),
            ("sliding_window", self.window),
            ("compress_rates.compressed_sparse_attention", self.csa_ratio),
            ("compress_rates.heavily_compressed_attention", self.hca_ratio),
            ("num_hidden_layers", self.layers.len()),
        ];
        for (key, count) in counts {
            if count == 0 {
                return Err(problem(key, "must be at least 1".to_owned()));
            }
            // A toy's sizes: this also keeps every product below from overflowing.
            if count > LARGEST_COUNT {
                return Err(problem(
                    key,
                    format!("{count} is above {LARGEST_COUNT}, more than a toy model's"),
                ));
            }
        }
        if ![1, 2, 4, 8].contains(&self.streams) {
            return Err(problem("hc_mult", format!("{} is not 1, 2, 4 or 8", self.streams)));
        }
        let parameters = self.parameters();
        if parameters > MOST_PARAMETERS {
            return Err(problem(
                "num_hidden_layers",
                format!(
                    "{parameters} parameters in all are above {MOST_PARAMETERS}, more than a toy model's"
                ),
            ));
        }
        if !self.heads.is_multiple_of(self.o_groups) {
            return Err(problem("o_groups", format!("does not divide the {} heads", self.heads)));
        }
        if !self.rope_dims.is_multiple_of(2) {
            return Err(problem("qk_rope_head_dim", "must be even".to_owned()));
        }
        if self.rope_dims > self.head_dim.min(self.index_head_dim) {
            return Err(problem("qk_rope_head_dim", "exceeds head_dim or index_head_dim".to_owned()));
        }
        if self.experts_per_token > self.experts {
            return Err(problem("num_experts_per_tok", format!("exceeds the {} experts", self.experts)));
        }
        let mut positive = vec![
            ("hc_eps", f64::from(self.hc_eps)),
            ("rms_norm_eps", f64::from(self.norm_eps)),
            ("routed_scaling_factor", f64::from(self.routed_scaling_factor)),
            ("swiglu_limit", f64::from(self.swiglu_limit)),
        ];
        let mut above_one =
            vec![("rope_theta", self.rope_theta), ("compress_rope_theta", self.compress_rope_theta)];
        if let Some(yarn) = &self.yarn {
            positive.push(("rope_parameters.compress.factor", yarn.factor));
            positive.push(("rope_parameters.compress.beta_fast", yarn.beta_fast));
            positive.push(("rope_parameters.compress.beta_slow", yarn.beta_slow));
            above_one
                .push(("rope_parameters.compress.original_max_position_embeddings", yarn.original_positions));
        }
        for (key, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(problem(key, format!("{value} is not a positive number")));
            }
        }
        for (key, value) in above_one {
            if !(value.is_finite() && value > 1.0) {
                return Err(problem(key, format!("{value} is not a number above 1")));
            }
        }
        Ok(())
    }

    /// Whether the model can be cut into `ranks` equal shares.
    ///
    /// # Errors
    /// [`EngineError::Ranks`] naming the first count that is not divisible; only 1, 2, 4 and 8 divide the eight
    /// cards.
    pub fn check_ranks(&self, ranks: usize) -> Result<(), EngineError> {
        let divided = [
            ("output groups", self.o_groups),
            ("attention heads", self.heads),
            ("indexer heads", self.index_heads),
            ("routed experts", self.experts),
            ("vocabulary entries", self.vocab_size),
            ("cards", MOST_RANKS),
        ];
        for (what, count) in divided {
            if ranks == 0 || !count.is_multiple_of(ranks) {
                return Err(EngineError::Ranks { ranks, what, count });
            }
        }
        Ok(())
    }

    /// Weights in all, the hash tables' ids included.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        let product = |sizes: &[usize]| sizes.iter().map(|&size| size as u64).product::<u64>();
        let (d, c, n, latent) = (self.hidden_size, self.head_dim, self.streams, self.q_lora_rank);
        let outputs = self.o_groups * self.o_lora_rank;
        let mixes = n * (n + 2);
        let compressor = |ratio, entry, halves| {
            2 * product(&[halves, entry, d]) + product(&[ratio, halves, entry]) + product(&[entry])
        };
        let layer = |spec: &LayerSpec| {
            let streams = 2 * (product(&[mixes, n, d]) + product(&[mixes + 3]));
            let norms = product(&[2 * d + latent + c + self.heads]);
            let queries = product(&[latent, d]) + product(&[self.heads, c, latent]) + product(&[c, d]);
            let output = product(&[outputs, self.heads / self.o_groups, c]) + product(&[d, outputs]);
            let compressed = match spec.attention {
                AttentionKind::Window => 0,
                AttentionKind::Hca => compressor(self.hca_ratio, c, 1),
                AttentionKind::Csa => {
                    let index = product(&[self.index_heads, self.index_head_dim, latent])
                        + product(&[self.index_heads, d]);
                    index
                        + compressor(self.csa_ratio, c, 2)
                        + compressor(self.csa_ratio, self.index_head_dim, 2)
                }
            };
            let choice = match spec.router {
                RouterKind::Hash => product(&[self.vocab_size, self.experts_per_token]),
                RouterKind::Learned => product(&[self.experts]),
            };
            let experts =
                product(&[self.experts + 1, 3, self.expert_hidden_size, d]) + product(&[self.experts, d]);
            streams + norms + queries + output + compressed + choice + experts
        };
        let head = product(&[n, n, d]) + product(&[n + 1 + d]) + 2 * product(&[self.vocab_size, d]);
        head + self.layers.iter().map(layer).sum::<u64>()
    }

    /// Compressed entries of `kind` that exist once `tokens` tokens are in: those a query at the last of them sees.
    #[must_use]
    pub const fn entries_after(&self, kind: AttentionKind, tokens: usize) -> usize {
        match kind.ratio(self) {
            Some(ratio) => tokens / ratio,
            None => 0,
        }
    }
}

/// The ranks of the largest machine shown.
const MOST_RANKS: usize = 8;

/// No size of a toy exceeds this; published sizes do.
const LARGEST_COUNT: usize = 4096;

/// 256 MiB of f32.
const MOST_PARAMETERS: u64 = 1 << 26;

fn problem(key: &str, problem: String) -> EngineError {
    EngineError::Config { key: key.to_owned(), problem }
}

/// Typed access to a JSON object's keys; errors carry the whole path.
struct Keys<'a> {
    map: &'a Map<String, Value>,
    prefix: &'static str,
}

impl<'a> Keys<'a> {
    fn get<T>(
        &self,
        key: &str,
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<T, EngineError> {
        let path = format!("{}{key}", self.prefix);
        match self.map.get(key) {
            None => Err(problem(&path, "is missing".to_owned())),
            Some(value) => read(value).ok_or_else(|| problem(&path, format!("is not {wanted}"))),
        }
    }

    fn count(&self, key: &str) -> Result<usize, EngineError> {
        self.get(key, "a whole number", |value| value.as_u64().and_then(|count| usize::try_from(count).ok()))
    }

    fn number(&self, key: &str) -> Result<f64, EngineError> {
        self.get(key, "a number", Value::as_f64)
    }

    fn text(&self, key: &str) -> Result<&'a str, EngineError> {
        self.get(key, "a text", Value::as_str)
    }

    fn object(&self, key: &str) -> Result<&'a Map<String, Value>, EngineError> {
        self.get(key, "an object", Value::as_object)
    }

    /// A list of `length` names, each turned into a kind.
    fn list<T>(
        &self,
        key: &str,
        length: usize,
        kind: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, EngineError> {
        let values = self.get(key, "a list", Value::as_array)?;
        if values.len() != length {
            return Err(problem(key, format!("has {} entries for {length} layers", values.len())));
        }
        values
            .iter()
            .map(|value| {
                value.as_str().and_then(&kind).ok_or_else(|| problem(key, format!("unknown kind {value}")))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_model_has_pros_layer_order() {
        let config = ModelConfig::page61();
        config.validate().unwrap();
        let count = |kind| config.layers.iter().filter(|layer| layer.attention == kind).count();
        assert_eq!((count(AttentionKind::Csa), count(AttentionKind::Hca)), (30, 31));
        assert_eq!(config.layers[60].attention, AttentionKind::Csa);
        assert_eq!(config.layers.iter().filter(|layer| layer.router == RouterKind::Hash).count(), 3);
        for ranks in [1, 2, 4, 8] {
            config.check_ranks(ranks).unwrap();
        }
        assert_eq!(ModelConfig::page6().layers, config.layers[..6]);
    }

    #[test]
    fn rank_counts_that_do_not_divide_are_named() {
        let mut config = ModelConfig::page6();
        for ranks in [0, 3, 5, 6, 7, 16] {
            let message = config.check_ranks(ranks).unwrap_err().to_string();
            assert!(message.contains(&format!("{ranks} ranks")), "{message}");
        }
        config.experts = 12;
        assert_eq!(
            config.check_ranks(8).unwrap_err().to_string(),
            "8 ranks do not divide the model's 12 routed experts"
        );
    }
}
