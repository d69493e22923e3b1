//! Why a file was refused, and at which place.

/// A refusal.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportError {
    /// The key, with its path, such as `compress_ratios[3]`; of a text that is not JSON, line and column.
    pub place: String,
    /// What is the matter there.
    pub reason: Reason,
}

/// What is the matter.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// More bytes than are read.
    TooLong(usize),
    /// The text ends before its JSON does.
    Truncated,
    /// Not JSON.
    NotJson,
    /// A number that no computer number holds.
    NumberTooLarge,
    /// Given twice.
    Duplicate,
    /// Not given; what else it may be called is listed.
    Missing(&'static [&'static str]),
    /// Of another type.
    WrongType {
        /// What is wanted.
        wanted: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A whole number outside its bounds.
    OutOfBounds {
        /// The number.
        value: u64,
        /// The least that is allowed.
        min: u64,
        /// The most that is allowed.
        max: u64,
    },
    /// A model of another kind, by its name.
    OtherArchitecture(String),
    /// Something that the figures cannot account for.
    Unmodelled {
        /// What is there.
        found: String,
        /// What can be accounted for.
        modelled: &'static str,
    },
    /// A compression ratio that means no known kind of attention.
    UnknownRatio(u64),
    /// A kind of layer of unknown name.
    UnknownLayerType(String),
    /// It does not go with another key.
    Contradiction(String),
    /// All tensors together are larger than a figure can hold.
    TooLarge,
}

impl ImportError {
    pub(super) fn new(place: impl Into<String>, reason: Reason) -> Self {
        Self { place: place.into(), reason }
    }
}

/// Text from the file, shortened and on one line.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

impl core::fmt::Display for ImportError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl core::fmt::Display for Reason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong(bytes) => write!(f, "{bytes} bytes are too many for a configuration"),
            Self::Truncated => f.write_str("the text ends too early"),
            Self::NotJson => f.write_str("this is not JSON"),
            Self::NumberTooLarge => f.write_str("a number too large to hold"),
            Self::Duplicate => f.write_str("given twice"),
            Self::Missing([]) => f.write_str("missing"),
            Self::Missing(others) => write!(f, "missing (or as {})", others.join(", ")),
            Self::WrongType { wanted, found } => write!(f, "{wanted} is wanted, not {found}"),
            Self::OutOfBounds { value, min, max } => write!(f, "{value} is not within {min} and {max}"),
            Self::OtherArchitecture(name) => write!(f, "{} is another architecture", quoted(name)),
            Self::Unmodelled { found, modelled } => {
                write!(f, "{found} cannot be accounted for, only {modelled}")
            }
            Self::UnknownRatio(ratio) => write!(f, "ratio {ratio} is unknown, only 0, 4 and 128 are"),
            Self::UnknownLayerType(name) => write!(f, "{} is an unknown kind of layer", quoted(name)),
            Self::Contradiction(text) => f.write_str(text),
            Self::TooLarge => f.write_str("larger than 2^53 bytes"),
        }
    }
}

impl core::error::Error for ImportError {}
