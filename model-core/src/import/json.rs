//! JSON as it stands in the text: keys in their order and duplicates kept, so that they can be refused.

use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{ImportError, MAX_BYTES, Reason};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Flag(bool),
    /// Without sign, point or exponent, and below 2⁶⁴.
    Whole(u64),
    /// Any other number.
    Number,
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Its type in words.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(_) => "true or false",
            Self::Whole(_) => "a whole number",
            Self::Number => "another number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads a text and refuses any key given twice, at any depth. Nesting beyond 128 levels is no JSON here.
pub(super) fn read(text: &str) -> Result<Json, ImportError> {
    if text.len() > MAX_BYTES {
        return Err(ImportError::new("the text", Reason::TooLong(text.len())));
    }
    // A byte order mark, which some editors leave.
    let json: Json = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(refusal)?;
    match duplicate(&json, "") {
        Some(place) => Err(ImportError::new(place, Reason::Duplicate)),
        None => Ok(json),
    }
}

fn refusal(error: serde_json::Error) -> ImportError {
    let place = format!("line {}, column {}", error.line(), error.column());
    // The library names no kind for this one.
    let too_large = || error.to_string().starts_with("number out of range");
    let reason = match error.classify() {
        serde_json::error::Category::Eof => Reason::Truncated,
        _ if too_large() => Reason::NumberTooLarge,
        _ => Reason::NotJson,
    };
    ImportError::new(place, reason)
}

/// The path of the first key given twice.
fn duplicate(json: &Json, path: &str) -> Option<String> {
    match json {
        Json::List(items) => {
            items.iter().enumerate().find_map(|(index, item)| duplicate(item, &format!("{path}[{index}]")))
        }
        Json::Object(entries) => {
            let mut seen = std::collections::BTreeSet::new();
            entries.iter().find_map(|(key, value)| {
                let shown = key.escape_debug();
                let place = if path.is_empty() { shown.to_string() } else { format!("{path}.{shown}") };
                if seen.insert(key) { duplicate(value, &place) } else { Some(place) }
            })
        }
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
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

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_found_at_any_depth() {
        for (text, place) in [
            (r#"{"a": 1, "a": 1}"#, "a"),
            (r#"{"q": {"b": 1, "b": 2}}"#, "q.b"),
            (r#"{"l": [0, {"x": 1, "x": 1}]}"#, "l[1].x"),
            (r#"{"a": 1, "\u0061": 2}"#, "a"),
        ] {
            assert_eq!(read(text), Err(ImportError::new(place, Reason::Duplicate)), "{text}");
        }
    }

    #[test]
    fn text_that_is_no_json_has_a_place() {
        let reason = |text: &str| read(text).unwrap_err().reason;
        assert_eq!(reason(r#"{"a": "#), Reason::Truncated);
        assert_eq!(reason(""), Reason::Truncated);
        assert_eq!(reason("{]"), Reason::NotJson);
        assert_eq!(reason("{} {}"), Reason::NotJson);
        assert_eq!(reason("[1e999]"), Reason::NumberTooLarge);
        assert_eq!(reason(&"[".repeat(100_000)), Reason::NotJson);
        assert_eq!(reason(&" ".repeat(MAX_BYTES + 1)), Reason::TooLong(MAX_BYTES + 1));
        assert_eq!(read("{\n  x").unwrap_err().place, "line 2, column 3");
    }
}
