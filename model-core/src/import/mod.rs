//! Reads a published `config.json` into a specification, or says why not.
//!
//! Three styles of keys are understood: the published one (`hidden_size`, `compress_ratios` …), that of the reference
//! implementation (`dim`, `n_layers` …), and the one with `layer_types` and `compress_rates`. Everything that bears on
//! a figure is checked; what this model cannot account for is refused with the place and the reason, never guessed.

mod beside;
mod config;
mod fields;
mod layers;
mod reason;

pub use beside::not_in_link;
pub(crate) use config::config;
pub use fields::Style;
pub use reason::{ImportError, Reason};

use crate::figure::Ledger;
use crate::json::{self, Fault, Json};
use crate::ledger;
use crate::scenario::{Dtypes, Scenario};
use crate::spec::{ModelSpec, tensors, v4_flash, v4_pro};
use fields::{Document, field};

/// Longest text that is read; published files have about two kilobytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Largest checkpoint: the last whole number that a figure holds exactly, 2⁵³ bytes.
pub const MAX_CHECKPOINT_BYTES: f64 = 9_007_199_254_740_992.0;

/// What an imported model is called where built-in ones have their names.
pub const NAME: &str = "imported";

/// The place of what is the matter with no single key.
pub(crate) const THE_WHOLE: &str = "the whole";

/// A specification and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The specification.
    pub spec: ModelSpec,
    /// Whose key names the file uses.
    pub style: Style,
    /// Keys that were not given and took the value of the published models.
    pub assumed: Vec<&'static str>,
}

/// Reads the text of a `config.json`.
///
/// # Errors
/// Says where and why it cannot be a model of this architecture.
///
/// ```
/// use model_core::import::{Reason, import};
///
/// let error = import(r#"{"model_type": "llama"}"#).unwrap_err();
/// assert_eq!(error.place, "model_type");
/// assert_eq!(error.to_string(), "model_type: \"llama\" is another architecture");
/// assert!(matches!(import("{").unwrap_err().reason, Reason::Truncated));
/// ```
pub fn import(text: &str) -> Result<Imported, ImportError> {
    if text.len() > MAX_BYTES {
        return Err(ImportError::new("the text", Reason::TooLong(text.len())));
    }
    let json = json::read(text).map_err(|(fault, [line, column])| {
        let reason = match fault {
            Fault::Truncated => Reason::Truncated,
            Fault::NotJson => Reason::NotJson,
            Fault::TooDeep => Reason::TooDeep,
            Fault::TooMany => Reason::TooMany,
            Fault::NumberTooLarge => Reason::NumberTooLarge,
        };
        ImportError::new(format!("line {line}, column {column}"), reason)
    })?;
    match json::duplicate(&json) {
        Some(way) => Err(ImportError::new(path(&way), Reason::Duplicate)),
        None => of_json(json),
    }
}

/// A way through JSON as it is told: `a.b[3]`.
fn path(way: &[json::Step]) -> String {
    way.iter().fold(String::new(), |path, step| match step {
        json::Step::Index(index) => format!("{path}[{index}]"),
        json::Step::Key(key) if path.is_empty() => key.escape_debug().to_string(),
        json::Step::Key(key) => format!("{path}.{}", key.escape_debug()),
    })
}

/// Reads a configuration in which no key stands twice.
pub(crate) fn of_json(json: Json) -> Result<Imported, ImportError> {
    let mut document = Document::new(json)?;
    document.check_architecture()?;
    document.check_unmodelled()?;
    let layers = layers::read(&mut document)?;
    let head_dim = document.whole(&field::HEAD_DIM)?;
    let spec = ModelSpec {
        name: NAME,
        hidden: document.whole(&field::HIDDEN)?,
        streams: document.whole(&field::STREAMS)?,
        heads: document.whole(&field::HEADS)?,
        head_dim,
        rope_dim: document.whole(&field::ROPE_DIM)?,
        query_rank: document.whole(&field::QUERY_RANK)?,
        output_rank: document.whole(&field::OUTPUT_RANK)?,
        output_groups: document.whole(&field::OUTPUT_GROUPS)?,
        indexer_heads: document.whole(&field::INDEXER_HEADS)?,
        indexer_head_dim: document.whole(&field::INDEXER_HEAD_DIM)?,
        indexer_top_k: document.whole(&field::INDEXER_TOP_K)?,
        window: document.whole(&field::WINDOW)?,
        csa_ratio: layers.csa_ratio,
        hca_ratio: layers.hca_ratio,
        experts: document.whole(&field::EXPERTS)?,
        shared_experts: document.whole(&field::SHARED_EXPERTS)?,
        experts_per_token: document.whole(&field::EXPERTS_PER_TOKEN)?,
        expert_hidden: document.whole(&field::EXPERT_HIDDEN)?,
        vocab: document.whole(&field::VOCAB)?,
        max_context: document.whole(&field::MAX_CONTEXT)?,
        active_params_nominal: 0.0,
        schedule: layers.schedule,
        layers: layers.main,
    };
    check_sizes(&document, &spec)?;
    Ok(Imported { spec: named(spec), style: document.style(), assumed: document.assumed() })
}

/// What one key says must agree with what the others say.
fn check_sizes(document: &Document, spec: &ModelSpec) -> Result<(), ImportError> {
    let contradiction = |key, text: [String; 2]| Err(document.error(key, Reason::Contradiction(text)));
    if spec.experts_per_token > spec.experts {
        return contradiction(
            &field::EXPERTS_PER_TOKEN,
            [
                format!("每个 token 取的比总数 {} 还多", spec.experts),
                format!("a token takes more than the {} there are", spec.experts),
            ],
        );
    }
    if !spec.heads.is_multiple_of(spec.output_groups) {
        return contradiction(
            &field::OUTPUT_GROUPS,
            [
                format!("除不尽 {} 个头", spec.heads),
                format!("they do not divide {} heads evenly", spec.heads),
            ],
        );
    }
    for (wide, [chinese, english]) in
        [(spec.head_dim, ["一个头", "a head"]), (spec.indexer_head_dim, ["一个索引头", "an indexer head"])]
    {
        if spec.rope_dim > wide {
            let text =
                [format!("比{chinese}的宽度 {wide} 还大"), format!("more than {english} has ({wide})")];
            return contradiction(&field::ROPE_DIM, text);
        }
    }
    let bytes: f64 = tensors::all(spec).map(|(_, tensor)| tensor.bytes(Dtypes::Reference)).sum();
    if bytes <= MAX_CHECKPOINT_BYTES { Ok(()) } else { Err(ImportError::new(THE_WHOLE, Reason::TooLarge)) }
}

/// A model that equals a built-in one is that one. Another counts its active parameters from its shapes.
fn named(spec: ModelSpec) -> ModelSpec {
    let like = |known: &ModelSpec| ModelSpec {
        name: known.name,
        active_params_nominal: known.active_params_nominal,
        ..spec.clone()
    };
    match [v4_pro(), v4_flash()].into_iter().find(|known| *known == like(known)) {
        Some(known) => known,
        None => ModelSpec { active_params_nominal: active_params(&spec), ..spec },
    }
}

/// Parameters that take part in one token, as the exact ledger counts them.
fn active_params(spec: &ModelSpec) -> f64 {
    ledger::report(Ledger::Exact, &Scenario::default(), spec).number("active.params").unwrap_or(0.0)
}
