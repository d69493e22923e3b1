//! Why a file was not taken, and at which place, in both languages.

use crate::import;
use crate::language::Language;
use crate::scenario::Refusal;
use crate::scene::Text;

/// Where in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A value, as a JSON pointer such as `/scenario/tp`.
    Pointer(String),
    /// Line and column, counted from 1, of a text that is no JSON.
    Line(usize, usize),
    /// Bytes before the first one that is no text.
    Byte(usize),
}

/// What is the matter there.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// More bytes than are read.
    TooLong(usize),
    /// Bytes that are no UTF-8.
    NotText,
    /// The text ends before its JSON does.
    Truncated,
    /// Not JSON.
    NotJson,
    /// A number that no computer number holds.
    NumberTooLarge,
    /// Lists and objects inside each other, too deep to be read.
    TooDeep,
    /// More values than any such file has.
    TooMany,
    /// A key given twice.
    Duplicate,
    /// JSON, but neither a scenario of ours nor a model's configuration.
    NotOurs,
    /// Of a version that came later.
    NewerVersion(u64),
    /// No such key.
    UnknownKey,
    /// Not there.
    Missing,
    /// Of another type.
    WrongType {
        /// What is wanted.
        wanted: Text,
        /// What is there.
        found: Text,
    },
    /// A value or a plan that is not taken.
    Refused(Refusal),
    /// A model that is not taken.
    Model(import::Reason),
}

/// A refusal; nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: Reason,
}

impl Place {
    /// In a language; empty for the whole.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::Whole, _) => String::new(),
            (Self::Pointer(pointer), _) => pointer.clone(),
            (Self::Line(line, column), Language::Chinese) => format!("第 {line} 行第 {column} 列"),
            (Self::Line(line, column), Language::English) => format!("line {line}, column {column}"),
            (Self::Byte(before), Language::Chinese) => format!("第 {before} 字节之后"),
            (Self::Byte(before), Language::English) => format!("after byte {before}"),
        }
    }
}

impl Refused {
    pub(super) fn new(place: Place, reason: Reason) -> Self {
        Self { place, reason }
    }

    /// Place and reason in a language.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let (place, reason) = (self.place.say(language), self.reason.say(language));
        match language {
            _ if place.is_empty() => reason,
            Language::Chinese => format!("{place}：{reason}"),
            Language::English => format!("{place}: {reason}"),
        }
    }
}

impl Reason {
    /// What is the matter, in a language.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let pick = |[chinese, english]: [String; 2]| match language {
            Language::Chinese => chinese,
            Language::English => english,
        };
        let both = |text: Text| pick(text.map(ToOwned::to_owned));
        match self {
            Self::TooLong(bytes) => pick([
                format!("文件有 {bytes} 字节，最多读 {} 字节", super::MAX_BYTES),
                format!("the file has {bytes} bytes, {} are read at most", super::MAX_BYTES),
            ]),
            Self::NotText => both(["这里不是 UTF-8 文本", "this is no UTF-8 text"]),
            Self::Truncated => both(["文件没写完就断了", "the file ends too early"]),
            Self::NotJson => both(["这里不是 JSON", "this is not JSON"]),
            Self::NumberTooLarge => both(["数太大，存不下", "a number too large to hold"]),
            Self::TooDeep => both(["嵌套太深", "nested too deep"]),
            Self::TooMany => both(["值太多，这里的文件没有这么多", "more values than such a file has"]),
            Self::Duplicate => both(["这个键写了两次", "this key is given twice"]),
            Self::NotOurs => both([
                "既不是这里导出的场景，也不是模型的 config.json",
                "neither a scenario exported here nor a model's config.json",
            ]),
            Self::NewerVersion(version) => pick([
                format!("文件是第 {version} 版，这里只认到第 {} 版，请换新一些的页面打开", super::VERSION),
                format!(
                    "the file is of version {version}, and this page reads up to {}: open it in a newer one",
                    super::VERSION
                ),
            ]),
            Self::UnknownKey => both(["没有这个键", "no such key"]),
            Self::Missing => both(["缺这一项", "missing"]),
            Self::WrongType { wanted: [wanted_zh, wanted], found: [found_zh, found] } => {
                pick([format!("要{wanted_zh}，这里是{found_zh}"), format!("{wanted} is wanted, not {found}")])
            }
            Self::Refused(refusal) => refusal.say(language),
            Self::Model(reason) => reason.say(language),
        }
    }
}

impl core::fmt::Display for Refused {
    /// One plain English line.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

impl core::error::Error for Refused {}
