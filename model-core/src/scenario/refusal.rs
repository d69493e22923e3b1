//! Why a value was not taken: typed, so that each language words it for itself.

/// Why a value was not taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Nothing stands there.
    Empty,
    /// It is not a plain number.
    NotANumber,
    /// It is a number, but not a whole one.
    NotWhole,
    /// It is less than the bound.
    Below(f64),
    /// It is more than the bound.
    Above(f64),
    /// It is none of the words.
    NotOneOf(&'static [&'static str]),
    /// The key stands there more than once; the first value counts.
    Repeated,
    /// There is no such key.
    UnknownKey,
    /// The model cannot be cut into that many parts: they do not divide one of its dimensions.
    CannotCut(Dimension, u64),
    /// There are more stages than layers.
    TooManyStages(u64),
    /// The plan makes another number necessary.
    MustEqual(u64),
    /// It does not divide the number of GPUs that share the experts.
    MustDivide(u64),
}

/// A dimension of the model that GPUs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Groups of the output projection.
    OutputGroups,
    /// Query heads.
    QueryHeads,
    /// Indexer heads.
    IndexerHeads,
    /// Routed experts.
    Experts,
    /// Entries of the vocabulary.
    Vocabulary,
}

impl Dimension {
    /// Its name in plain English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutputGroups => "output groups",
            Self::QueryHeads => "query heads",
            Self::IndexerHeads => "indexer heads",
            Self::Experts => "routed experts",
            Self::Vocabulary => "vocabulary entries",
        }
    }
}

/// A value that was not taken, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The key as it was given.
    pub key: String,
    /// The value as it was given, cut to a length fit to be shown.
    pub given: String,
    /// Why it was not taken.
    pub reason: Reason,
}

/// Longer values are cut for messages.
const SHOWN_CHARS: usize = 40;

impl Refusal {
    /// Notes a refused value.
    #[must_use]
    pub fn new(key: &str, given: &str, reason: Reason) -> Self {
        Self { key: cut(key), given: cut(given), reason }
    }
}

fn cut(text: &str) -> String {
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(SHOWN_CHARS).collect();
    if text.chars().count() > SHOWN_CHARS {
        shown.push('…');
    }
    shown
}

impl core::fmt::Display for Refusal {
    /// One plain English line, for the command line.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { key, given, reason } = self;
        match reason {
            Reason::Empty => write!(f, "{key}: no value given"),
            Reason::NotANumber => write!(f, "{key}: '{given}' is not a number"),
            Reason::NotWhole => write!(f, "{key}: '{given}' is not a whole number"),
            Reason::Below(min) => write!(f, "{key}: '{given}' is below {min}"),
            Reason::Above(max) => write!(f, "{key}: '{given}' is above {max}"),
            Reason::NotOneOf(words) => write!(f, "{key}: '{given}' is none of {}", words.join(", ")),
            Reason::Repeated => write!(f, "{key}: given more than once"),
            Reason::UnknownKey => write!(f, "{key}: no such key"),
            Reason::CannotCut(dimension, size) => {
                write!(
                    f,
                    "{key}: the model cannot be cut into {given}: that does not divide its {size} {}",
                    dimension.name()
                )
            }
            Reason::TooManyStages(layers) => write!(f, "{key}: {given} stages for {layers} layers"),
            Reason::MustEqual(needed) => write!(f, "{key}: is {given}, but the plan makes it {needed}"),
            Reason::MustDivide(group) => write!(f, "{key}: {given} does not divide a group of {group} GPUs"),
        }
    }
}

impl core::error::Error for Refusal {}
