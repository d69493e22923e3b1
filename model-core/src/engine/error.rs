//! What can be wrong with a model, its weights, a prompt or a plan: every error names the tensor or the value.

use std::fmt;

/// Why the engine refuses. Nothing has been computed or changed when one of these comes back, save
/// [`EngineError::Logits`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineError {
    /// A key of the configuration is missing, of the wrong kind, or holds a value this engine cannot run.
    Config {
        /// The key, as written in the file.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file is not what it should be (not JSON, a broken header, a truncated body).
    File {
        /// Which file or part.
        what: &'static str,
        /// What the reader said.
        problem: String,
    },
    /// A tensor the configuration asks for is absent.
    MissingTensor {
        /// Its name.
        name: String,
    },
    /// A tensor has another shape than the configuration asks for.
    TensorShape {
        /// Its name.
        name: String,
        /// The shape asked for.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
    },
    /// A tensor has another element type than the engine reads.
    TensorDtype {
        /// Its name.
        name: String,
        /// The type asked for.
        expected: &'static str,
        /// The type in the file.
        found: String,
    },
    /// A weight is NaN or infinite.
    NotFinite {
        /// The tensor's name.
        name: String,
        /// Which element, counted flat.
        index: usize,
    },
    /// The hash table names an expert the layer does not have.
    ExpertId {
        /// The table's name.
        name: String,
        /// The token whose row it is.
        token: usize,
        /// The expert named.
        expert: i64,
        /// How many experts there are.
        experts: usize,
    },
    /// A token id lies outside the vocabulary.
    Token {
        /// Where in the prompt, from 0.
        index: usize,
        /// The id.
        token: u32,
        /// The vocabulary's size.
        vocab_size: usize,
    },
    /// The prompt is empty.
    NoTokens,
    /// The model cannot be cut into this many ranks.
    Ranks {
        /// The rank count asked for.
        ranks: usize,
        /// What would have to be divisible.
        what: &'static str,
        /// How many of it there are.
        count: usize,
    },
    /// A request was started by an engine of another model or rank count.
    Request,
    /// The logits came out NaN or infinite: the weights, though finite, overflow. The request is spoilt.
    Logits {
        /// The vocabulary entry.
        index: usize,
    },
    /// A sampling parameter is outside its bounds.
    Sampling {
        /// The parameter.
        name: &'static str,
        /// Its bounds, in words.
        bounds: &'static str,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config { key, problem } => write!(f, "config key `{key}`: {problem}"),
            Self::File { what, problem } => write!(f, "{what}: {}", problem.replace(['\n', '\r'], " ")),
            Self::MissingTensor { name } => write!(f, "tensor `{name}` is missing"),
            Self::TensorShape { name, expected, found } => {
                write!(f, "tensor `{name}` has shape {found:?}, expected {expected:?}")
            }
            Self::TensorDtype { name, expected, found } => {
                write!(f, "tensor `{name}` has dtype {found}, expected {expected}")
            }
            Self::NotFinite { name, index } => {
                write!(f, "tensor `{name}` holds NaN or infinity at element {index}")
            }
            Self::ExpertId { name, token, expert, experts } => {
                write!(f, "tensor `{name}` names expert {expert} for token {token}; there are {experts}")
            }
            Self::Token { index, token, vocab_size } => {
                write!(f, "token id {token} at index {index} is outside the vocabulary of {vocab_size}")
            }
            Self::NoTokens => f.write_str("zero tokens: at least one is needed"),
            Self::Ranks { ranks, what, count } => {
                write!(f, "{ranks} ranks do not divide the model's {count} {what}")
            }
            Self::Request => f.write_str("the request belongs to another model or rank count"),
            Self::Logits { index } => write!(f, "the logit of token id {index} is NaN or infinite"),
            Self::Sampling { name, bounds } => write!(f, "sampling parameter `{name}` must be {bounds}"),
        }
    }
}

impl std::error::Error for EngineError {}
