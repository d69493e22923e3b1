//! Why a file was refused, and at which place, in both languages.

use crate::language::Language;
use crate::scene::Text;

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
    /// Lists and objects inside each other, too deep to be read.
    TooDeep,
    /// More values than any configuration has.
    TooMany,
    /// A number that no computer number holds.
    NumberTooLarge,
    /// Given twice.
    Duplicate,
    /// Not given; what else it may be called is listed.
    Missing(&'static [&'static str]),
    /// Of another type.
    WrongType {
        /// What is wanted.
        wanted: Text,
        /// What is there.
        found: Text,
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
        found: [String; 2],
        /// What can be accounted for.
        modelled: Text,
    },
    /// A compression ratio that means no known kind of attention.
    UnknownRatio(u64),
    /// A kind of layer of unknown name.
    UnknownLayerType(String),
    /// It does not go with another key.
    Contradiction([String; 2]),
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

impl ImportError {
    /// Place and reason in a language.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::Chinese => format!("{}：{}", self.place, self.reason.say(language)),
            Language::English => format!("{}: {}", self.place, self.reason.say(language)),
        }
    }
}

impl Reason {
    /// What is the matter, in a language.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::Chinese => self.in_chinese(),
            Language::English => self.in_english(),
        }
    }

    fn in_chinese(&self) -> String {
        match self {
            Self::TooLong(bytes) => format!("有 {bytes} 字节，配置文件不会这么长"),
            Self::Truncated => "文本没写完就断了".to_owned(),
            Self::NotJson => "不是 JSON".to_owned(),
            Self::TooDeep => "嵌套太深".to_owned(),
            Self::TooMany => "值太多，配置文件没有这么多".to_owned(),
            Self::NumberTooLarge => "数太大，存不下".to_owned(),
            Self::Duplicate => "写了两次".to_owned(),
            Self::Missing([]) => "缺这一项".to_owned(),
            Self::Missing(others) => format!("缺这一项（也可写作 {}）", others.join("、")),
            Self::WrongType { wanted: [wanted, _], found: [found, _] } => {
                format!("要{wanted}，这里是{found}")
            }
            Self::OutOfBounds { value, min, max } => format!("{value} 不在 {min} 到 {max} 之间"),
            Self::OtherArchitecture(name) => format!("{} 是另一种架构", quoted(name)),
            Self::Unmodelled { found: [found, _], modelled: [modelled, _] } => {
                format!("{found} 算不了，只认{modelled}")
            }
            Self::UnknownRatio(ratio) => format!("压缩比 {ratio} 没见过，只认 0、4 和 128"),
            Self::UnknownLayerType(name) => format!("没有 {} 这种层", quoted(name)),
            Self::Contradiction([text, _]) => text.clone(),
            Self::TooLarge => "超过 2^53 字节".to_owned(),
        }
    }

    fn in_english(&self) -> String {
        match self {
            Self::TooLong(bytes) => format!("{bytes} bytes are too many for a configuration"),
            Self::Truncated => "the text ends too early".to_owned(),
            Self::NotJson => "this is not JSON".to_owned(),
            Self::TooDeep => "nested too deep".to_owned(),
            Self::TooMany => "more values than a configuration has".to_owned(),
            Self::NumberTooLarge => "a number too large to hold".to_owned(),
            Self::Duplicate => "given twice".to_owned(),
            Self::Missing([]) => "missing".to_owned(),
            Self::Missing(others) => format!("missing (or as {})", others.join(", ")),
            Self::WrongType { wanted: [_, wanted], found: [_, found] } => {
                format!("{wanted} is wanted, not {found}")
            }
            Self::OutOfBounds { value, min, max } => format!("{value} is not within {min} and {max}"),
            Self::OtherArchitecture(name) => format!("{} is another architecture", quoted(name)),
            Self::Unmodelled { found: [_, found], modelled: [_, modelled] } => {
                format!("{found} cannot be accounted for, only {modelled}")
            }
            Self::UnknownRatio(ratio) => format!("ratio {ratio} is unknown, only 0, 4 and 128 are"),
            Self::UnknownLayerType(name) => format!("{} is an unknown kind of layer", quoted(name)),
            Self::Contradiction([_, text]) => text.clone(),
            Self::TooLarge => "larger than 2^53 bytes".to_owned(),
        }
    }
}

impl core::fmt::Display for ImportError {
    /// One plain English line, for the command line.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

impl core::error::Error for ImportError {}
