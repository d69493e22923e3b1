//! Why a value was not taken: typed, and worded in both languages.

use crate::format::count;
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

    /// The whole of it for a reader: what the key is called, why, and what holds instead.
    #[must_use]
    pub fn told(&self, name: &str, language: Language) -> String {
        let why = self.say(language);
        let stays = matches!(
            self.reason,
            Reason::Empty | Reason::NotANumber | Reason::NotWhole | Reason::Below(_) | Reason::Above(_)
        );
        let what = match (language, self.reason) {
            // These speak of no key.
            (_, Reason::NewerForm(_) | Reason::NoSuchRows(_)) => why,
            (Language::Chinese, _) if stays => format!("{name}：{why}，沿用原值"),
            (Language::Chinese, _) => format!("{name}：{why}"),
            (Language::English, _) if stays => format!("{name}: {why}, the last value stays"),
            (Language::English, _) => format!("{name}: {why}"),
        };
        match (self.compared, language) {
            (None, _) => what,
            (Some(place), Language::Chinese) => format!("链接里并排的第 {place} 个方案没有放进来。{what}"),
            (Some(place), Language::English) => {
                format!("Scenario {place} of those the link compares was left out. {what}")
            }
        }
    }

    fn in_chinese(&self) -> String {
        let given = &self.given;
        match self.reason {
            Reason::Empty => "没有填数".to_owned(),
            Reason::NotANumber => format!("“{given}”不是数字"),
            Reason::NotWhole => format!("“{given}”不是整数"),
            Reason::Below(min) => format!("“{given}”低于下限 {}", count(min)),
            Reason::Above(max) => format!("“{given}”超过上限 {}", count(max)),
            Reason::NotOneOf(words) => format!("“{given}”不在可选值里（{}）", words.join("、")),
            Reason::Repeated => "出现了不止一次，只用第一个".to_owned(),
            Reason::UnknownKey => "没有这个参数".to_owned(),
            Reason::CannotCut(dimension, size) => {
                format!("不能切成 {given} 份，{} {}除不尽", count(size as f64), dimension.chinese())
            }
            Reason::TooManyStages(layers) => format!("{given} 段比层数 {layers} 还多"),
            Reason::MustEqual(needed) => format!("“{given}”不行，这种划分下必须等于 {needed}"),
            Reason::MustDivide(group) => format!("{given} 不能整除一组的 {group} 张卡"),
            Reason::TooMany(most) => format!("最多并排 {most} 个，“{given}”没有放进来"),
            Reason::NewerForm(known) => {
                format!("这个链接是第 {given} 版写法，这里只认到第 {known} 版；能读的都读了")
            }
            Reason::NoSuchRows(facet) => self.no_such_rows(facet, Language::Chinese),
        }
    }

    fn in_english(&self) -> String {
        let given = &self.given;
        match self.reason {
            Reason::Empty => "no value given".to_owned(),
            Reason::NotANumber => format!("“{given}” is not a number"),
            Reason::NotWhole => format!("“{given}” is not a whole number"),
            Reason::Below(min) => format!("“{given}” is below {}", count(min)),
            Reason::Above(max) => format!("“{given}” is above {}", count(max)),
            Reason::NotOneOf(words) => format!("“{given}” is none of {}", words.join(", ")),
            Reason::Repeated => "given more than once, the first counts".to_owned(),
            Reason::UnknownKey => "no such setting".to_owned(),
            Reason::CannotCut(dimension, size) => {
                let (size, name) = (count(size as f64), dimension.name());
                format!("cannot be cut into {given}, which does not divide {size} {name}")
            }
            Reason::TooManyStages(layers) => format!("{given} stages are more than {layers} layers"),
            Reason::MustEqual(needed) => format!("{given} will not do, this plan needs {needed}"),
            Reason::MustDivide(group) => format!("{given} does not divide a group of {group} GPUs"),
            Reason::TooMany(most) => {
                format!("at most {most} stand beside the first, “{given}” was left out")
            }
            Reason::NewerForm(known) => format!(
                "This link is of form {given}, and {known} is the newest known here; what could be read was"
            ),
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
