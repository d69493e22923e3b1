//! Numbers of "journey" as they are shown: one, or a range of two, with their unit.

use crate::format::{self, Shown};
use crate::units::Seconds;

/// A number or a range with its unit.
pub(super) struct Span {
    pub(super) low: String,
    /// Empty where there is one number.
    pub(super) high: String,
    pub(super) unit: &'static str,
}

impl Span {
    pub(super) fn of(ends: Option<[f64; 2]>, shown: impl Fn(f64) -> Shown) -> Self {
        let Some([low, high]) = ends else {
            return Self { low: format::ABSENT.to_owned(), high: String::new(), unit: "" };
        };
        let (low, high) = (shown(low), shown(high));
        if low == high {
            return Self { low: low.number, high: String::new(), unit: low.unit };
        }
        Self { low: low.number, high: ["–", &high.number].concat(), unit: high.unit }
    }

    /// Times; both ends of a range in the unit of its upper one.
    pub(super) fn seconds(ends: Option<[f64; 2]>) -> Self {
        let span = Self::of(ends, |seconds| format::seconds(Seconds(seconds)));
        match ends {
            Some([low, _]) if !span.high.is_empty() && format::seconds(Seconds(low)).unit != span.unit => {
                Self { low: in_unit(low, span.unit, 100.0), ..span }
            }
            _ => span,
        }
    }

    /// The same in as few digits as a small place has room for.
    pub(super) fn short_seconds([low, high]: [f64; 2]) -> Self {
        let unit = format::seconds(Seconds(high)).unit;
        let [low, high] = [low, high].map(|end| in_unit(end, unit, 10.0));
        if low == high {
            Self { low, high: String::new(), unit }
        } else {
            Self { low, high: ["–", &high].concat(), unit }
        }
    }

    pub(super) fn whole(&self) -> String {
        let space = if self.unit.is_empty() { "" } else { " " };
        [self.low.as_str(), &self.high, space, self.unit].concat()
    }
}

/// A time in a unit, rounded to such a part of it.
fn in_unit(seconds: f64, unit: &str, part: f64) -> String {
    let factor = match unit {
        "ms" => 1e3,
        "µs" => 1e6,
        "ns" => 1e9,
        _ => 1.0,
    };
    let mut shown = format::count((seconds * factor * part).round() / part);
    if part < 100.0 && shown.contains('.') {
        shown.truncate(shown.trim_end_matches('0').len());
    }
    shown
}

pub(super) fn number(count: u64) -> String {
    format::count(count as f64)
}

/// An expectation in as many digits as a sentence needs.
pub(super) fn about(expected: f64) -> String {
    let digits = if expected < 100.0 { 10.0 } else { 1.0 };
    let mut shown = format::count((expected * digits).round() / digits);
    if shown.contains('.') {
        shown.truncate(shown.trim_end_matches('0').len());
    }
    shown
}
