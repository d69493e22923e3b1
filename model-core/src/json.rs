//! JSON as it stands in a text: keys in their order and duplicates kept, so that they can be refused.

use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::scene::Text;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Flag(bool),
    /// Without sign, point or exponent, and below 2⁶⁴.
    Whole(u64),
    /// Any other number.
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// What values are called in messages.
pub(crate) const NULL: Text = ["null", "null"];
pub(crate) const FLAG: Text = ["true 或 false", "true or false"];
pub(crate) const WHOLE: Text = ["整数", "a whole number"];
pub(crate) const NUMBER: Text = ["别的数", "another number"];
pub(crate) const TEXT: Text = ["文字", "text"];
pub(crate) const LIST: Text = ["列表", "a list"];
pub(crate) const OBJECT: Text = ["对象", "an object"];

impl Json {
    /// Its type in words.
    pub(crate) const fn kind(&self) -> Text {
        match self {
            Self::Null => NULL,
            Self::Flag(_) => FLAG,
            Self::Whole(_) => WHOLE,
            Self::Number(_) => NUMBER,
            Self::Text(_) => TEXT,
            Self::List(_) => LIST,
            Self::Object(_) => OBJECT,
        }
    }
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It ends before its JSON does.
    Truncated,
    /// Something else stands where JSON should.
    NotJson,
    /// A number that no computer number holds.
    NumberTooLarge,
    /// Lists and objects inside each other beyond the depth that is read.
    TooDeep,
    /// More values than are read.
    TooMany,
}

/// How many values are read: a hundred times what files of ours have, and little enough to be held.
const MOST_VALUES: usize = 1 << 18;

/// Where a value stands in the one around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Reads a text, nested no deeper than 128 levels; a fault comes with its line and column.
pub(crate) fn read(text: &str) -> Result<Json, (Fault, [usize; 2])> {
    // A byte order mark, which some editors leave.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut source = serde_json::Deserializer::from_str(text);
    let read = Reader { left: &Cell::new(MOST_VALUES) }.deserialize(&mut source);
    read.and_then(|json| source.end().map(|()| json)).map_err(|error| {
        // The library names no kinds for the last two.
        let said = |what: &str| error.to_string().starts_with(what);
        let fault = match error.classify() {
            serde_json::error::Category::Eof => Fault::Truncated,
            // The reader itself gave up.
            serde_json::error::Category::Data => Fault::TooMany,
            _ if said("number out of range") => Fault::NumberTooLarge,
            _ if said("recursion limit") => Fault::TooDeep,
            _ => Fault::NotJson,
        };
        (fault, [error.line(), error.column()])
    })
}

/// The way to the first key given twice, at any depth.
pub(crate) fn duplicate(json: &Json) -> Option<Vec<Step<'_>>> {
    fn find<'a>(json: &'a Json, way: &mut Vec<Step<'a>>) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        let mut inside = |step: Step<'a>, value: &'a Json| {
            way.push(step);
            let found = matches!(step, Step::Key(key) if !seen.insert(key)) || find(value, way);
            if !found {
                way.pop();
            }
            found
        };
        match json {
            Json::List(items) => {
                items.iter().enumerate().any(|(index, item)| inside(Step::Index(index), item))
            }
            Json::Object(entries) => entries.iter().any(|(key, value)| inside(Step::Key(key), value)),
            _ => false,
        }
    }
    let mut way = Vec::new();
    find(json, &mut way).then_some(way)
}

impl Json {
    /// A number; a whole one without a point, what is not finite as nothing.
    pub(crate) fn number(number: f64) -> Self {
        // Beyond that not every whole number is one that a computer number holds.
        const MOST: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && (0.0..=MOST).contains(&number) {
            Self::Whole(number as u64)
        } else {
            Self::Number(number)
        }
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An object with keys in this order.
    pub(crate) fn object<'a>(entries: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        Self::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// As text, on a line for each value.
    pub(crate) fn write(&self) -> String {
        // Writing to memory cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Whole(number) => serializer.serialize_u64(*number),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// Reads one value, and those in it, while there are not too many.
#[derive(Clone, Copy)]
struct Reader<'a> {
    left: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| D::Error::custom("too many values"))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Flag(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Whole(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(key) = entries.next_key()? {
            object.push((key, entries.next_value_seed(self)?));
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_found_at_any_depth() {
        use Step::{Index, Key};
        let cases: [(&str, &[Step]); 4] = [
            (r#"{"a": 1, "a": 1}"#, &[Key("a")]),
            (r#"{"q": {"b": 1, "b": 2}}"#, &[Key("q"), Key("b")]),
            (r#"{"l": [0, {"x": 1, "x": 1}]}"#, &[Key("l"), Index(1), Key("x")]),
            (r#"{"a": 1, "\u0061": 2}"#, &[Key("a")]),
        ];
        for (text, way) in cases {
            assert_eq!(duplicate(&read(text).unwrap()).as_deref(), Some(way), "{text}");
        }
        assert_eq!(duplicate(&read(r#"{"a": {"b": 1}, "b": [{"a": 1}, {"a": 1}]}"#).unwrap()), None);
    }

    #[test]
    fn text_that_is_no_json_has_a_place() {
        let fault = |text: &str| read(text).unwrap_err().0;
        assert_eq!(fault(r#"{"a": "#), Fault::Truncated);
        assert_eq!(fault(""), Fault::Truncated);
        assert_eq!(fault("{]"), Fault::NotJson);
        assert_eq!(fault("{} {}"), Fault::NotJson);
        assert_eq!(fault("[1e999]"), Fault::NumberTooLarge);
        assert_eq!(fault(&"[".repeat(100_000)), Fault::TooDeep);
        assert_eq!(fault(&r#"{"a":"#.repeat(100_000)), Fault::TooDeep);
        assert_eq!(fault(&format!("[{}0]", "0,".repeat(MOST_VALUES))), Fault::TooMany);
        assert_eq!(read(&format!("[{}0]", "0,".repeat(MOST_VALUES - 2))).map(|_| ()), Ok(()));
        assert_eq!(read("{\n  x").unwrap_err().1, [2, 3]);
    }
}
