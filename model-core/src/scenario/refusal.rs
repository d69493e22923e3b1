//! Why a value was not taken: typed, and worded in both languages.

use crate::language::Language;
use crate::reality::{Facet, FilterError};

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
    /// There are that many already, and no more are taken.
    TooMany(usize),
    /// The link says that it is of a newer form than the one known; it is read as far as that goes.
    NewerForm(u64),
    /// No published row has it on that side, or there is no such side.
    NoSuchRows(Option<Facet>),
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

    /// The same in Chinese, with its measure word.
    const fn chinese(self) -> &'static str {
        match self {
            Self::OutputGroups => "个输出组",
            Self::QueryHeads => "个 Q 头",
            Self::IndexerHeads => "个索引头",
            Self::Experts => "个路由专家",
            Self::Vocabulary => "个词表项",
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
    /// Of a scenario that a link compares: at which place it stands there, from 1.
    pub compared: Option<usize>,
}

/// Longer values are cut for messages.
const SHOWN_CHARS: usize = 40;

impl Refusal {
    /// Notes a refused value.
    #[must_use]
    pub fn new(key: &str, given: &str, reason: Reason) -> Self {
        Self { key: cut(key), given: cut(given), reason, compared: None }
    }

    /// The same within the scenario that a link compares at a place, counted from 1.
    #[must_use]
    pub fn within(self, place: usize) -> Self {
        Self { compared: Some(place), ..self }
    }
}

pub(crate) fn cut(text: &str) -> String {
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(SHOWN_CHARS).collect();
    if text.chars().count() > SHOWN_CHARS {
        shown.push('…');
    }
    shown
}

impl Refusal {
    /// Why, in a language, without the key.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::Chinese => self.in_chinese(),
            Language::English => self.in_english(),
        }
    }

    fn in_chinese(&self) -> String {
        let given = &self.given;
        match self.reason {
            Reason::Empty => "没有给值".to_owned(),
            Reason::NotANumber => format!("“{given}”不是数"),
            Reason::NotWhole => format!("“{given}”不是整数"),
            Reason::Below(min) => format!("“{given}”比下限 {min} 小"),
            Reason::Above(max) => format!("“{given}”比上限 {max} 大"),
            Reason::NotOneOf(words) => format!("“{given}”不是 {} 之一", words.join("、")),
            Reason::Repeated => "给了不止一次".to_owned(),
            Reason::UnknownKey => "没有这个键".to_owned(),
            Reason::CannotCut(dimension, size) => {
                format!("模型切不成 {given} 份：{size} {}除不尽", dimension.chinese())
            }
            Reason::TooManyStages(layers) => format!("{given} 段，层数只有 {layers}"),
            Reason::MustEqual(needed) => format!("这里是 {given}，按这种划分应是 {needed}"),
            Reason::MustDivide(group) => format!("{given} 除不尽一组的 {group} 张卡"),
            Reason::TooMany(most) => format!("旁边已有 {most} 个，“{given}”多出来了"),
            Reason::NewerForm(known) => {
                format!("链接是第 {given} 版写法，这里认到第 {known} 版，认得的都读了")
            }
            Reason::NoSuchRows(facet) => self.no_such_rows(facet, Language::Chinese),
        }
    }

    fn in_english(&self) -> String {
        let given = &self.given;
        match self.reason {
            Reason::Empty => "no value given".to_owned(),
            Reason::NotANumber => format!("'{given}' is not a number"),
            Reason::NotWhole => format!("'{given}' is not a whole number"),
            Reason::Below(min) => format!("'{given}' is below {min}"),
            Reason::Above(max) => format!("'{given}' is above {max}"),
            Reason::NotOneOf(words) => format!("'{given}' is none of {}", words.join(", ")),
            Reason::Repeated => "given more than once".to_owned(),
            Reason::UnknownKey => "no such key".to_owned(),
            Reason::CannotCut(dimension, size) => {
                let name = dimension.name();
                format!("the model cannot be cut into {given}: that does not divide its {size} {name}")
            }
            Reason::TooManyStages(layers) => format!("{given} stages for {layers} layers"),
            Reason::MustEqual(needed) => format!("is {given}, but the plan makes it {needed}"),
            Reason::MustDivide(group) => format!("{given} does not divide a group of {group} GPUs"),
            Reason::TooMany(most) => format!("'{given}' is one too many beside {most}"),
            Reason::NewerForm(known) => {
                format!("the link is of form {given}, known is {known}; what is known of it was read")
            }
            Reason::NoSuchRows(facet) => self.no_such_rows(facet, Language::English),
        }
    }

    /// Which published rows there are instead.
    fn no_such_rows(&self, facet: Option<Facet>, language: Language) -> String {
        FilterError { given: self.given.clone(), facet }.sentence(language)
    }
}

impl core::fmt::Display for Refusal {
    /// One plain English line, for the command line.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(place) = self.compared {
            write!(f, "with {place}, ")?;
        }
        write!(f, "{}: {}", self.key, self.say(Language::English))
    }
}

impl core::error::Error for Refusal {}
