//! The keys: what each dimension is called in each style, and its bounds; lookup with checks.

use super::reason::quoted;
use super::{ImportError, Reason};
use crate::json::{self, Json};
use crate::scene::Text;

/// Whose key names a file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The published `config.json`: `hidden_size`, `compress_ratios`.
    Published,
    /// The reference implementation's `inference/config.json`: `dim`, `n_layers`.
    Reference,
    /// With `layer_types` and `compress_rates`.
    LayerTypes,
}

/// A whole number of the file.
pub(super) struct Field {
    /// Its names; the published one first.
    pub(super) names: &'static [&'static str],
    min: u64,
    max: u64,
    /// What the published models have, where a file may leave it out.
    default: Option<u64>,
}

impl Field {
    const fn new(names: &'static [&'static str], min: u64, max: u64) -> Self {
        Self { names, min, max, default: None }
    }

    const fn or(self, default: u64) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Its published name.
    pub(super) const fn name(&self) -> &'static str {
        match self.names {
            [name, ..] => name,
            [] => "",
        }
    }
}

/// Every whole number that is read. Bounds lie far above published models and keep every product exact.
pub(super) mod field {
    use super::Field;

    const WIDEST: u64 = 1 << 20;

    pub(crate) const HIDDEN: Field = Field::new(&["hidden_size", "dim"], 1, WIDEST);
    pub(crate) const STREAMS: Field = Field::new(&["hc_mult"], 1, 64);
    pub(crate) const HEADS: Field = Field::new(&["num_attention_heads", "n_heads"], 1, 1 << 14);
    pub(crate) const HEAD_DIM: Field = Field::new(&["head_dim"], 1, 1 << 14);
    pub(crate) const ROPE_DIM: Field = Field::new(&["qk_rope_head_dim", "rope_head_dim"], 0, 1 << 14);
    pub(crate) const QUERY_RANK: Field = Field::new(&["q_lora_rank"], 1, WIDEST);
    pub(crate) const OUTPUT_RANK: Field = Field::new(&["o_lora_rank"], 1, WIDEST);
    pub(crate) const OUTPUT_GROUPS: Field = Field::new(&["o_groups"], 1, 1 << 12);
    pub(crate) const INDEXER_HEADS: Field = Field::new(&["index_n_heads"], 1, 1 << 14);
    pub(crate) const INDEXER_HEAD_DIM: Field = Field::new(&["index_head_dim"], 1, 1 << 14);
    pub(crate) const INDEXER_TOP_K: Field = Field::new(&["index_topk"], 1, 1 << 24);
    pub(crate) const WINDOW: Field = Field::new(&["sliding_window", "window_size"], 1, 1 << 24);
    pub(crate) const EXPERTS: Field = Field::new(&["n_routed_experts"], 1, 1 << 14);
    pub(crate) const SHARED_EXPERTS: Field = Field::new(&["n_shared_experts"], 0, 64);
    pub(crate) const EXPERTS_PER_TOKEN: Field =
        Field::new(&["num_experts_per_tok", "n_activated_experts"], 1, 1 << 14);
    pub(crate) const EXPERT_HIDDEN: Field =
        Field::new(&["moe_intermediate_size", "moe_inter_dim"], 1, WIDEST);
    pub(crate) const VOCAB: Field = Field::new(&["vocab_size"], 1, 1 << 24);
    pub(crate) const MAX_CONTEXT: Field = Field::new(&["max_position_embeddings"], 1, 1 << 32).or(1_048_576);
    pub(crate) const LAYERS: Field = Field::new(&["num_hidden_layers", "n_layers"], 1, 1024);
    pub(crate) const HASH_LAYERS: Field = Field::new(&["num_hash_layers", "n_hash_layers"], 0, 1024);
    pub(crate) const DRAFT_BLOCKS: Field = Field::new(&["num_nextn_predict_layers", "n_mtp_layers"], 0, 64);
    /// Tokens of one entry, under `compress_rates`.
    pub(crate) const RATE: Field = Field::new(&["compress_rates"], 1, 1 << 16);
}

/// What a key must hold if it is given at all.
enum Must {
    Whole(u64),
    Flag(bool),
    Text(&'static str),
    Absent,
}

/// Values that the figures rest on: with any other they would be wrong. The last column says what is modelled.
const MODELLED: &[(&str, Must, Text)] = &[
    ("num_key_value_heads", Must::Whole(1), ["一个 KV 头", "one key-value head"]),
    ("tie_word_embeddings", Must::Flag(false), ["单独的输出头", "a head of its own"]),
    ("attention_bias", Must::Flag(false), ["不带偏置的投影", "projections without bias"]),
    ("scoring_func", Must::Text("sqrtsoftplus"), ["sqrtsoftplus 打分", "sqrtsoftplus scores"]),
    ("score_func", Must::Text("sqrtsoftplus"), ["sqrtsoftplus 打分", "sqrtsoftplus scores"]),
    ("expert_dtype", Must::Text("fp4"), ["FP4 专家", "fp4 experts"]),
    ("dtype", Must::Text("fp8"), ["FP8 投影", "fp8 projections"]),
    ("scale_fmt", Must::Text("ue8m0"), ["UE8M0 缩放", "ue8m0 scales"]),
    ("quantization_config.quant_method", Must::Text("fp8"), ["FP8 投影", "fp8 projections"]),
    ("quantization_config.fmt", Must::Text("e4m3"), ["E4M3 投影", "e4m3 projections"]),
    ("quantization_config.scale_fmt", Must::Text("ue8m0"), ["UE8M0 缩放", "ue8m0 scales"]),
    ("dspark_block_size", Must::Absent, ["MTP 草稿块", "MTP draft blocks"]),
];

/// Kinds of number that a transformers file gives under `dtype` for the unquantised tensors.
const PLAIN_DTYPES: [&str; 3] = ["bfloat16", "float16", "float32"];

/// A file's keys and what was looked up so far.
pub(super) struct Document {
    entries: Vec<(String, Json)>,
    style: Style,
    assumed: Vec<&'static str>,
}

impl Document {
    pub(super) fn new(json: Json) -> Result<Self, ImportError> {
        let Json::Object(entries) = json else {
            let reason = Reason::WrongType { wanted: json::OBJECT, found: json.kind() };
            return Err(ImportError::new(super::THE_WHOLE, reason));
        };
        let has = |name: &str| entries.iter().any(|(key, _)| key == name);
        let style = if has("layer_types") {
            Style::LayerTypes
        } else if has("dim") || has("n_layers") {
            Style::Reference
        } else {
            Style::Published
        };
        Ok(Self { entries, style, assumed: Vec::new() })
    }

    pub(super) const fn style(&self) -> Style {
        self.style
    }

    pub(super) fn assumed(self) -> Vec<&'static str> {
        self.assumed
    }

    /// Notes a key that took the published models' value.
    pub(super) fn assume(&mut self, name: &'static str) {
        self.assumed.push(name);
    }

    /// The value at a path; `null` is as good as absent.
    pub(super) fn get(&self, path: &str) -> Option<&Json> {
        let mut names = path.split('.');
        let mut value = lookup(&self.entries, names.next()?)?;
        for name in names {
            let Json::Object(entries) = value else { return None };
            value = lookup(entries, name)?;
        }
        (*value != Json::Null).then_some(value)
    }

    /// A refusal at the name by which the file calls a field.
    pub(super) fn error(&self, field: &Field, reason: Reason) -> ImportError {
        let given = field.names.iter().find(|name| self.get(name).is_some());
        ImportError::new(*given.unwrap_or(&field.name()), reason)
    }

    /// A whole number that may be absent. Given under two names, both must agree.
    pub(super) fn optional(&self, field: &Field) -> Result<Option<u64>, ImportError> {
        let mut found: Option<(&str, u64)> = None;
        for name in field.names {
            let Some(json) = self.get(name) else { continue };
            let value = bounded(name, json, field)?;
            match found {
                Some((other, before)) if before != value => {
                    let text = [
                        format!("这里是 {value}，{other} 却是 {before}"),
                        format!("{value}, but {other} is {before}"),
                    ];
                    return Err(ImportError::new(*name, Reason::Contradiction(text)));
                }
                _ => found = Some((name, value)),
            }
        }
        Ok(found.map(|(_, value)| value))
    }

    /// A whole number; absent, it takes the published value if it may.
    pub(super) fn whole(&mut self, field: &Field) -> Result<u64, ImportError> {
        match (self.optional(field)?, field.default) {
            (Some(value), _) => Ok(value),
            (None, Some(default)) => {
                self.assume(field.name());
                Ok(default)
            }
            (None, None) => {
                let others = field.names.get(1..).unwrap_or(&[]);
                Err(ImportError::new(field.name(), Reason::Missing(others)))
            }
        }
    }

    /// A list, where it is given.
    pub(super) fn list(&self, name: &str) -> Result<Option<&[Json]>, ImportError> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::List(items)) => Ok(Some(items)),
            Some(other) => Err(wrong_type(name, json::LIST, other)),
        }
    }

    /// The file must name this architecture where it names one.
    pub(super) fn check_architecture(&self) -> Result<(), ImportError> {
        let refuse = |place: &str, name: &str| {
            Err(ImportError::new(place, Reason::OtherArchitecture(name.to_owned())))
        };
        match self.get("model_type") {
            None => {}
            Some(Json::Text(name)) if name == "deepseek_v4" => {}
            Some(Json::Text(name)) => return refuse("model_type", name),
            Some(other) => return Err(wrong_type("model_type", json::TEXT, other)),
        }
        for (index, item) in self.list("architectures")?.unwrap_or(&[]).iter().enumerate() {
            let place = format!("architectures[{index}]");
            match item {
                Json::Text(name) if name == "DeepseekV4ForCausalLM" => {}
                Json::Text(name) => return refuse(&place, name),
                other => return Err(wrong_type(&place, json::TEXT, other)),
            }
        }
        Ok(())
    }

    /// Nothing may be given that the figures cannot account for.
    pub(super) fn check_unmodelled(&mut self) -> Result<(), ImportError> {
        match self.get("quantization_config") {
            None | Some(Json::Object(_)) => {}
            Some(other) => return Err(wrong_type("quantization_config", json::OBJECT, other)),
        }
        for (path, must, modelled) in MODELLED {
            let Some(found) = self.get(path) else { continue };
            let holds = match (must, found) {
                (Must::Whole(wanted), Json::Whole(number)) => number == wanted,
                (Must::Flag(wanted), Json::Flag(flag)) => flag == wanted,
                (Must::Text(_), Json::Text(text)) if *path == "dtype" && PLAIN_DTYPES.contains(&&**text) => {
                    self.style != Style::Reference
                }
                (Must::Text(wanted), Json::Text(text)) => text == wanted,
                (Must::Absent, _) => false,
                (Must::Whole(_), other) => return Err(wrong_type(path, json::WHOLE, other)),
                (Must::Flag(_), other) => return Err(wrong_type(path, json::FLAG, other)),
                (Must::Text(_), other) => return Err(wrong_type(path, json::TEXT, other)),
            };
            if !holds {
                return Err(unmodelled(path, found, *modelled));
            }
        }
        let block = "quantization_config.weight_block_size";
        if let Some(found) = self.get(block)
            && *found != Json::List(vec![Json::Whole(128), Json::Whole(128)])
        {
            return Err(unmodelled(block, found, ["128 × 128 的分块", "blocks of 128 × 128"]));
        }
        if self.get("expert_dtype").is_none() {
            self.assume("expert_dtype");
        }
        Ok(())
    }
}

fn lookup<'a>(entries: &'a [(String, Json)], name: &str) -> Option<&'a Json> {
    entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// A whole number within a field's bounds.
pub(super) fn bounded(place: &str, json: &Json, field: &Field) -> Result<u64, ImportError> {
    let Json::Whole(value) = *json else { return Err(wrong_type(place, json::WHOLE, json)) };
    if (field.min..=field.max).contains(&value) {
        Ok(value)
    } else {
        Err(ImportError::new(place, Reason::OutOfBounds { value, min: field.min, max: field.max }))
    }
}

pub(super) fn wrong_type(place: &str, wanted: Text, found: &Json) -> ImportError {
    ImportError::new(place, Reason::WrongType { wanted, found: found.kind() })
}

pub(super) fn unmodelled(place: &str, found: &Json, modelled: Text) -> ImportError {
    let same = |text: String| [text.clone(), text];
    let found = match found {
        Json::Whole(number) => same(number.to_string()),
        Json::Flag(flag) => same(flag.to_string()),
        Json::Text(text) => same(quoted(text)),
        other => other.kind().map(ToOwned::to_owned),
    };
    ImportError::new(place, Reason::Unmodelled { found, modelled })
}
