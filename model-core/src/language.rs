//! The two languages the page speaks.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Simplified Chinese, the first.
    #[default]
    Chinese,
    /// English.
    English,
}

impl Language {
    /// Its name in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chinese => "zh",
            Self::English => "en",
        }
    }

    /// Its tag in documents.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-CN",
            Self::English => "en",
        }
    }

    /// What ids begin with in the still that stands in the page before the application arrives.
    #[must_use]
    pub const fn still_name(self) -> &'static str {
        match self {
            Self::Chinese => "still-zh-",
            Self::English => "still-en-",
        }
    }

    /// Reads a link's name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Chinese, Self::English].into_iter().find(|language| language.name() == name)
    }

    /// The language for a browser's preferred tag, such as `zh-TW`.
    #[must_use]
    pub fn for_tag(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or("");
        if primary.eq_ignore_ascii_case("zh") { Self::Chinese } else { Self::English }
    }
}
