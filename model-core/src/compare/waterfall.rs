//! From one case's number to another's, one changed value at a time: what each adds or takes away, and where that leads.

use super::lines::signed;
use super::path::path;
use super::values::{Change, Names};
use super::{Case, LETTERS, words};
use crate::chart::{Entry, Form};
use crate::draw::{Fill, Paint};
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, Digits, Shown};
use crate::ledger::Topic;
use crate::scene::{Look, Text};
use crate::table::{Cell, Row, Table};
use crate::words::fill;

/// One change, or several that only together lead to a plan that can be carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What changes.
    pub changes: Vec<Change>,
    /// What that adds, in base units; negative where it takes away.
    pub amount: f64,
    /// What stands there afterwards.
    pub after: Point,
}

/// A number on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// In base units.
    pub value: f64,
    /// The figure it is, where it is one.
    pub figure: Option<&'static str>,
    /// Whether it is a floor: the ledger does not know the number itself.
    pub floor: bool,
    /// Between what measured latencies put the number, where it is a floor and the load fits.
    pub range: Option<[f64; 2]>,
}

/// The way from case A to case B in one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Waterfall {
    /// Which number.
    pub topic: Topic,
    /// What its two cases are called.
    pub letters: [&'static str; 2],
    /// A's and B's; none where there is no way.
    pub ends: Option<[Point; 2]>,
    /// The changes, in their order; the last one ends at B's number. Some add nothing.
    pub stages: Vec<Stage>,
    /// Why there is no way.
    pub(super) reason: Option<Text>,
}

/// The figure of a step's floor.
const FLOOR: &str = "decode.floor_s";

impl Point {
    /// A case's number; its floor where that is asked for.
    pub(super) fn of(topic: Topic, case: &Case, floor: bool) -> Option<Self> {
        let report = &case.report;
        let floor = floor && case.ledger == Ledger::Exact;
        let figure = if floor { Some(FLOOR) } else { topic.figure(case.ledger) };
        let value = if floor { report.number(FLOOR)? } else { topic.number(report)? };
        let end = |id| report.number(id);
        let range = end("decode.step_low_s").zip(end("decode.step_high_s")).filter(|_| floor);
        Some(Self { value, figure, floor, range: range.map(|(least, most)| [least, most]) })
    }

    /// As it is shown.
    #[must_use]
    pub fn shown(&self, unit: Unit, look: Look) -> Shown {
        format::value(&Value::Number(self.value), unit, look.base)
    }
}

impl Waterfall {
    /// The way from a case to another.
    ///
    /// Under the exact ledger a step counts as such where every place on the way knows it, else all of them count as
    /// floors: the two never stand in one way.
    #[must_use]
    pub fn of(topic: Topic, from: &Case, to: &Case) -> Self {
        let [a, b, ..] = LETTERS;
        let letters = [a, b];
        let none = |reason| Self { topic, letters, ends: None, stages: Vec::new(), reason: Some(reason) };
        if !from.legal() || !to.legal() {
            return none(words::NO_PLAN);
        }
        let useful = |case: &Case| case.legal() && topic.number(&case.report).is_some();
        if !useful(from) || !useful(to) {
            return none(words::NO_TIMES);
        }
        let places = path(from, to, useful);
        let cases = || core::iter::once(from).chain(places.iter().map(|place| &place.case));
        let known = |case: &Case| topic.figure(case.ledger).is_none_or(|id| case.report.number(id).is_some());
        let floor = topic == Topic::DecodeStep && !cases().all(known);
        let point = |case: &Case| Point::of(topic, case, floor);
        let Some(ends) = point(from).zip(point(to)) else { return none(words::NO_TIMES) };
        let mut at = ends.0.value;
        let stages = places.iter().filter_map(|place| {
            let after = point(&place.case)?;
            let amount = after.value - at;
            at = after.value;
            Some(Stage { changes: place.changes.clone(), amount, after })
        });
        Self { topic, letters, stages: stages.collect(), ends: Some([ends.0, ends.1]), reason: None }
    }

    /// The same way where its cases are called otherwise.
    #[must_use]
    pub fn called(self, letters: [&'static str; 2]) -> Self {
        Self { letters, ..self }
    }

    /// Its name in files and test hooks.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.topic {
            Topic::WeightsPerGpu => "waterfall-weights",
            Topic::CachePerRequest => "waterfall-request",
            Topic::CachePerGpu => "waterfall-caches",
            Topic::MemoryPerGpu => "waterfall-memory",
            Topic::DistinctExperts => "waterfall-experts",
            Topic::DecodeFloor => "waterfall-floor",
            Topic::DecodeStep => "waterfall-step",
        }
    }

    /// Its title.
    #[must_use]
    pub fn title(&self, look: Look) -> String {
        self.named(look.say(words::WATERFALL), look)
    }

    /// What a topic is called.
    #[must_use]
    pub const fn topic_title(topic: Topic, look: Look) -> &'static str {
        look.say(words::topic(topic))
    }

    /// A text with its topic and the names of its cases.
    fn named(&self, text: &str, look: Look) -> String {
        let [a, b] = self.letters.map(ToOwned::to_owned);
        fill(text, &[("topic", look.say(words::topic(self.topic)).to_owned()), ("a", a), ("b", b)])
    }

    /// How it is read, and what is to be known about its numbers.
    #[must_use]
    pub fn about(&self, look: Look) -> String {
        let mut about = self.named(look.say(words::WATERFALL_ABOUT), look);
        if self.topic == Topic::MemoryPerGpu {
            about.push_str(look.say(words::MEMORY_ABOUT));
        }
        if self.floors() {
            about.push_str(look.say(words::FLOOR_ABOUT));
        }
        about
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.ends.iter().flatten().chain(self.stages.iter().map(|stage| &stage.after))
    }

    fn floors(&self) -> bool {
        self.points().any(|point| point.floor)
    }

    /// What a case's number is called, such as `A`, or `B, floor`.
    pub(super) fn end_name(&self, end: usize, look: Look) -> String {
        let letter = self.letters.get(end).copied().unwrap_or_default();
        let floor = self.ends.and_then(|ends| ends.get(end).copied()).is_some_and(|point| point.floor);
        if floor {
            format!("{letter}{}{}", look.say(words::COMMA), look.say(words::FLOOR))
        } else {
            letter.to_owned()
        }
    }

    /// The colour of what it counts.
    pub(super) const fn paint(&self) -> Paint {
        match self.topic {
            Topic::WeightsPerGpu | Topic::DistinctExperts => Paint::Weight,
            Topic::CachePerRequest | Topic::CachePerGpu => Paint::Cache,
            Topic::MemoryPerGpu => Paint::Ink,
            Topic::DecodeFloor | Topic::DecodeStep => Paint::Compute,
        }
    }

    /// What its colours and patterns stand for.
    #[must_use]
    pub fn legend(&self, look: Look) -> Vec<Entry> {
        let kinds = [
            (words::WHOLE, Fill::Solid(self.paint()), self.ends.is_some()),
            (words::MORE, MORE, self.stages.iter().any(|stage| stage.amount > 0.0)),
            (words::LESS, LESS, self.stages.iter().any(|stage| stage.amount < 0.0)),
        ];
        let entry = |(name, fill, _): (Text, Fill, bool)| Entry {
            name: look.say(name).to_owned(),
            fill,
            form: Form::Band,
            figure: None,
            value: None,
            shown: String::new(),
        };
        kinds.into_iter().filter(|(_, _, there)| *there).map(entry).collect()
    }

    /// It in sentences.
    #[must_use]
    pub fn description(&self, look: Look, names: &Names) -> String {
        let Some(ends) = self.ends else {
            return self.reason.map_or("", |reason| look.say(reason)).to_owned();
        };
        let unit = self.topic.unit();
        let difference = signed(ends[1].value - ends[0].value, unit, look);
        let end =
            |end: usize| ends.get(end).map(|point| point.shown(unit, look).to_string()).unwrap_or_default();
        let told = [
            ("name_a", self.end_name(0, look)),
            ("a", end(0)),
            ("name_b", self.end_name(1, look)),
            ("b", end(1)),
            ("difference", difference.to_string()),
        ];
        let mut text = fill(look.say(words::TOLD), &told);
        let list = |stages: &[&Stage], amounts: bool| {
            let each = stages.iter().map(|stage| match amounts {
                true => format!("{} ({})", stage.words(look, names), signed(stage.amount, unit, look)),
                false => stage.words(look, names),
            });
            each.collect::<Vec<_>>().join(look.say(words::SEMICOLON))
        };
        let (acting, idle): (Vec<&Stage>, Vec<&Stage>) =
            self.stages.iter().partition(|stage| stage.amount != 0.0);
        if !acting.is_empty() {
            text.push_str(&list(&acting, true));
            text.push_str(look.say(words::STOP));
        }
        if !idle.is_empty() {
            text.push_str(&fill(look.say(words::NO_EFFECT), &[("changes", list(&idle, false))]));
        }
        for (case, point) in self.letters.iter().zip(&ends) {
            if let Some([least, most]) = point.range {
                let range = Digits::Millis(1).between(least, most, look.base).to_string();
                text.push_str(&fill(
                    look.say(words::RANGES),
                    &[("case", (*case).to_owned()), ("range", range)],
                ));
            }
        }
        text.trim_end().to_owned()
    }

    /// The way as a table: every change, what it adds, and where that leads.
    #[must_use]
    pub fn table(&self, look: Look, names: &Names) -> Table {
        let filled = match (self.ends, self.reason) {
            (Some(ends), None) => {
                let mut heads = vec![words::CHANGED, words::AMOUNT, words::AFTER];
                if self.points().any(|point| point.range.is_some()) {
                    heads.push(words::RANGE);
                }
                let ranged = heads.len() > 3;
                let columns = heads.iter().map(|head| head.column(look)).collect();
                let end = |end: usize| Row {
                    head: self.end_name(end, look),
                    code: ["a", "b"].get(end).copied().unwrap_or_default().into(),
                    paint: Some(self.paint()),
                    cells: ends
                        .get(end)
                        .map(|point| self.cells(None, point, ranged, look))
                        .unwrap_or_default(),
                    ..Row::default()
                };
                let stage = |stage: &Stage| Row {
                    head: stage.words(look, names),
                    code: stage.code().into(),
                    cells: self.cells(Some(stage.amount), &stage.after, ranged, look),
                    ..Row::default()
                };
                let stages = self.stages.iter().map(stage);
                let rows = core::iter::once(end(0)).chain(stages);
                let last = Row { total: true, ..end(1) };
                Ok((columns, rows.chain(core::iter::once(last)).collect()))
            }
            (_, reason) => Err(reason.unwrap_or(words::NO_TIMES)),
        };
        Table::of(self.name(), &self.title(look), &self.about(look), filled, look)
    }

    fn cells(&self, amount: Option<f64>, point: &Point, ranged: bool, look: Look) -> Vec<Cell> {
        let unit = self.topic.unit();
        let nothing = || Digits::Fixed(0).show(None, look.base);
        let adds = amount.map_or_else(nothing, |amount| signed(amount, unit, look));
        let mut cells = vec![
            Cell { value: amount, ..Cell::of(adds) },
            Cell { value: Some(point.value), figure: point.figure, ..Cell::of(point.shown(unit, look)) },
        ];
        if ranged {
            cells.push(match point.range {
                Some([least, most]) => {
                    let shown = Digits::Millis(1).between(least, most, look.base);
                    Cell { value: Some(least), most: Some(most), ..Cell::of(shown) }
                }
                None => Cell::of(nothing()),
            });
        }
        cells
    }
}

/// What more and less are filled with, wherever they are drawn.
pub(super) const MORE: Fill = Fill::Hatched(Paint::Comm);
pub(super) const LESS: Fill = Fill::Solid(Paint::Mute);

impl Stage {
    /// What changes, in words.
    #[must_use]
    pub fn words(&self, look: Look, names: &Names) -> String {
        let each: Vec<String> = self.changes.iter().map(|change| change.words(look, names)).collect();
        each.join(look.say(words::COMMA))
    }

    /// What changes, as files say it.
    fn code(&self) -> String {
        let each =
            self.changes.iter().map(|change| format!("{}={}>{}", change.what.name(), change.from, change.to));
        each.collect::<Vec<_>>().join(";")
    }
}
