//! Figures of several cases, line by line: each value, its difference and its ratio to the first case's.

use super::figures::Told;
use super::values::{Names, Valued, differing};
use super::{Case, Group, words};
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, ABSENT, Digits, Shown};
use crate::ledger::memory::Judges;
use crate::scene::{Look, Text};
use crate::table::{Cell, Column, Head, Row, Table};

/// How a value stands to the first case's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is more.
    More,
    /// It is less.
    Less,
    /// It is the same.
    Same,
    /// It is another word, or yes in place of no.
    Other,
    /// One of the two has none.
    Incomparable,
}

impl Mark {
    /// Its sign, which needs no colour.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::More => "▲",
            Self::Less => "▼",
            Self::Same => "=",
            Self::Other => "≠",
            Self::Incomparable => ABSENT,
        }
    }

    /// Its name in files.
    const fn name(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Same => "same",
            Self::Other => "different",
            Self::Incomparable => "",
        }
    }
}

/// Which lines are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Those in which the cases differ.
    #[default]
    Differing,
    /// All that a case has.
    All,
}

impl Which {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Differing, Self::All];
    /// Their names, in the same order.
    pub const NAMES: &[&str] = &["differing", "all"];

    /// Its name in links and test hooks.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|which| which.name() == name)
    }
}

/// One figure in all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Where it belongs.
    pub group: Group,
    /// What it is called.
    pub name: Text,
    /// What it counts in.
    pub unit: Unit,
    /// The figure's id in each case, none where that ledger has no such figure: ledgers may name one part differently.
    pub figures: Vec<Option<&'static str>>,
    /// Its value in each case.
    pub values: Vec<Value>,
}

/// How near two numbers are that only rounding tells apart, as a share.
const ROUNDING: f64 = 1e-12;

/// How a value stands to another.
fn mark(here: &Value, there: &Value) -> Mark {
    match (here, there) {
        (Value::Absent, _) | (_, Value::Absent) => Mark::Incomparable,
        (Value::Number(here), Value::Number(there)) => {
            if (here - there).abs() <= ROUNDING * here.abs().max(there.abs()) {
                Mark::Same
            } else if there > here {
                Mark::More
            } else {
                Mark::Less
            }
        }
        _ if here == there => Mark::Same,
        _ => Mark::Other,
    }
}

impl Line {
    fn of(group: Group, told: &Told, cases: &[Case]) -> Option<Self> {
        let found = |case: &Case| told.ids.iter().find_map(|id| case.report.get(id)).cloned();
        let found: Vec<_> = cases.iter().map(found).collect();
        let unit = found.iter().flatten().next()?.unit;
        Some(Self {
            group,
            name: told.name,
            unit,
            figures: found.iter().map(|figure| figure.as_ref().map(|figure| figure.id)).collect(),
            values: found.into_iter().map(|figure| figure.map_or(Value::Absent, |one| one.value)).collect(),
        })
    }

    /// A case's number, and the first case's.
    fn numbers(&self, case: usize) -> Option<(f64, f64)> {
        self.values.get(case)?.number().zip(self.values.first()?.number())
    }

    /// How much more a case has than the first, in base units.
    #[must_use]
    pub fn difference(&self, case: usize) -> Option<f64> {
        let (there, here) = self.numbers(case)?;
        Some(if self.mark(case) == Mark::Same { 0.0 } else { there - here })
    }

    /// How many times the first case's it is; none where that is nothing.
    #[must_use]
    pub fn ratio(&self, case: usize) -> Option<f64> {
        let (there, here) = self.numbers(case)?;
        Some(there / here).filter(|ratio| ratio.is_finite())
    }

    /// How a case stands to the first.
    #[must_use]
    pub fn mark(&self, case: usize) -> Mark {
        match (self.values.first(), self.values.get(case)) {
            (Some(here), Some(there)) => mark(here, there),
            _ => Mark::Incomparable,
        }
    }

    /// Whether the cases differ in it: in its value, or in whether they have one. A ledger that has no such figure
    /// differs in nothing.
    #[must_use]
    pub fn differs(&self) -> bool {
        let mut named = self.figures.iter().zip(&self.values).filter(|(figure, _)| figure.is_some());
        let Some((_, first)) = named.next() else { return false };
        named.any(|(_, value)| value != first && mark(first, value) != Mark::Same)
    }

    fn cell(&self, case: usize, look: Look) -> Cell {
        let value = self.values.get(case).unwrap_or(&Value::Absent);
        let mut shown = format::value(value, self.unit, look.base);
        let word = match value {
            Value::Flag(true) => Some("true"),
            Value::Flag(false) => Some("false"),
            Value::Word(word) => Some(*word),
            _ => None,
        };
        if let Some(text) = word.and_then(words::shown) {
            look.say(text).clone_into(&mut shown.number);
        }
        let figure = self.figures.get(case).copied().flatten();
        let own = case + 1 == self.values.len() && figure.is_some();
        Cell { value: value.number(), word, figure, own, ..Cell::of(shown) }
    }

    /// The cells beside a case's value: the difference with its mark, and the ratio.
    fn against(&self, case: usize, look: Look) -> [Cell; 2] {
        let mark = self.mark(case);
        let sign = || Shown { number: mark.sign().to_owned(), unit: "" };
        let difference = self.difference(case);
        let amount = match difference {
            Some(difference) if mark != Mark::Same => {
                let shown = signed(difference, self.unit, look);
                Shown { number: format!("{} {}", mark.sign(), shown.number), unit: shown.unit }
            }
            _ => sign(),
        };
        let word = if difference.is_none() && mark != Mark::Incomparable { Some(mark.name()) } else { None };
        let ratio = self.ratio(case);
        let times = match ratio {
            Some(ratio) => {
                let number = format::value(&Value::Number(ratio), Unit::Count, look.base).number;
                Shown { number, unit: "×" }
            }
            None => Digits::Fixed(0).show(None, look.base),
        };
        [Cell { value: difference, word, ..Cell::of(amount) }, Cell { value: ratio, ..Cell::of(times) }]
    }

    fn row(&self, look: Look) -> Row {
        let group = Shown { number: self.group.title(look).to_owned(), unit: "" };
        let mut cells = vec![Cell { word: Some(self.group.name()), ..Cell::of(group) }];
        for case in 0..self.values.len() {
            cells.push(self.cell(case, look));
            if case > 0 {
                cells.extend(self.against(case, look));
            }
        }
        let verdict = |id: &&str| Ledger::ALL.iter().any(|ledger| Judges::of(*ledger).fits == *id);
        let judges = self.figures.iter().flatten().any(verdict);
        Row {
            head: look.say(self.name).to_owned(),
            code: self.figures.iter().flatten().next().copied().unwrap_or_default().into(),
            paint: Some(self.group.paint()),
            bad: judges && self.values.contains(&Value::Flag(false)),
            cells,
            ..Row::default()
        }
    }
}

/// A difference with its sign.
pub(super) fn signed(difference: f64, unit: Unit, look: Look) -> Shown {
    let shown = format::value(&Value::Number(difference), unit, look.base);
    let plus = if difference > 0.0 { "+" } else { "" };
    Shown { number: format!("{plus}{}", shown.number), unit: shown.unit }
}

/// Two to four cases side by side; the first is what the others are set against, the last is the reader's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The cases.
    pub cases: Vec<Case>,
    /// The values they differ in.
    pub values: Vec<Valued>,
    /// Every figure that a case has, in the order in which they are shown.
    pub lines: Vec<Line>,
}

impl Comparison {
    /// Compares cases.
    #[must_use]
    pub fn of(cases: Vec<Case>) -> Self {
        let of_group = |group: Group| {
            let cases = &cases;
            group.figures().iter().filter_map(move |told| Line::of(group, told, cases))
        };
        let lines = Group::ALL.into_iter().flat_map(of_group).collect();
        Self { values: differing(&cases), lines, cases }
    }

    /// The line of a figure, by its id in any of the ledgers.
    #[must_use]
    pub fn line(&self, id: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.figures.iter().flatten().any(|own| *own == id))
    }

    /// The lines of one kind.
    pub fn shown(&self, which: Which) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| which == Which::All || line.differs())
    }

    /// The figures as a table: values, differences and ratios.
    #[must_use]
    pub fn table(&self, which: Which, look: Look) -> Table {
        let rows: Vec<Row> = self.shown(which).map(|line| line.row(look)).collect();
        let mut columns = vec![words::FIGURE.column(look), words::GROUP.column(look)];
        for (case, heads) in words::CASES.iter().take(self.cases.len()).enumerate() {
            let heads = if case == 0 { &heads[..1] } else { &heads[..] };
            columns.extend(heads.iter().map(|head| head.column(look)));
        }
        filled("compare", [words::FIGURES, words::FIGURES_ABOUT], columns, rows, look)
    }

    /// The values they differ in as a table.
    #[must_use]
    pub fn values_table(&self, look: Look, names: &Names) -> Table {
        let rows = self.values.iter().map(|valued| valued.row(look, names)).collect();
        let cases = words::CASES.iter().take(self.cases.len()).map(|[own, ..]| own);
        let columns =
            core::iter::once(&words::VALUE).chain(cases).map(|head: &Head| head.column(look)).collect();
        filled("compare-values", [words::VALUES, words::VALUES_ABOUT], columns, rows, look)
    }
}

fn filled(
    name: &'static str,
    [title, about]: [Text; 2],
    columns: Vec<Column>,
    rows: Vec<Row>,
    look: Look,
) -> Table {
    let filled = if rows.is_empty() { Err(words::ALIKE) } else { Ok((columns, rows)) };
    Table::of(name, look.say(title), look.say(about), filled, look)
}
