//! A table as data: columns, rows, the order in which they are sorted, and the files they become.

use core::cmp::Ordering;
use std::borrow::Cow;

use crate::draw::Paint;
use crate::format::{ABSENT, Shown};
use crate::scenario::Key;

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its head, without a unit.
    pub name: String,
    /// Its head in files of base units.
    pub code: &'static str,
    /// Whether it holds numbers, which stand at the right.
    pub numeric: bool,
}

/// What stands at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As it is shown.
    pub shown: Shown,
    /// The number in base units; of a range the least.
    pub value: Option<f64>,
    /// Of a range the most.
    pub most: Option<f64>,
    /// What stands in files where the cell is no number.
    pub word: Option<&'static str>,
    /// The figure it is, at the row's place.
    pub figure: Option<&'static str>,
    /// Whether it is that figure of this very report, so that its derivation can be opened.
    pub own: bool,
    /// How long a bar it gets, from 0 to 1.
    pub share: Option<f64>,
    /// Where what it names stands, as a browser opens it.
    pub address: Option<&'static str>,
}

impl Cell {
    /// What is shown, and nothing more.
    pub(crate) const fn of(shown: Shown) -> Self {
        Self {
            shown,
            value: None,
            most: None,
            word: None,
            figure: None,
            own: false,
            share: None,
            address: None,
        }
    }
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What the row speaks of.
    pub head: String,
    /// The same in files.
    pub code: Cow<'static, str>,
    /// The number that the head stands for, in base units.
    pub value: Option<f64>,
    /// Its colour in the pictures.
    pub paint: Option<Paint>,
    /// Whether the scenario stands here.
    pub here: bool,
    /// Whether it does not fit.
    pub bad: bool,
    /// Whether it is a sum of rows before it.
    pub total: bool,
    /// Whether it is in no sum.
    pub aside: bool,
    /// Whether it is of another context than the scenario's: a report of one page has no room for it.
    pub elsewhere: bool,
    /// What choosing the row chooses.
    pub takes: Vec<(Key, f64)>,
    /// One cell for each column but the first, which the head is.
    pub cells: Vec<Cell>,
}

/// A table in the words of one look.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in files and test hooks.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows, and how it is read.
    pub about: String,
    /// Its columns; the first one names the rows.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Why there is nothing in it.
    pub reason: Option<String>,
}

/// What a row is sorted by.
struct SortKey<'a> {
    absent: bool,
    number: f64,
    text: &'a str,
}

impl Table {
    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.rows.get(row)?.cells.get(column.checked_sub(1)?)
    }

    fn sort_key(&self, row: usize, column: usize) -> SortKey<'_> {
        if column == 0 {
            // Rows without a number keep the order they come in.
            let number = self.rows.get(row).and_then(|row| row.value).unwrap_or(row as f64);
            return SortKey { absent: false, number, text: "" };
        }
        match self.cell(row, column) {
            Some(Cell { value: Some(number), .. }) => SortKey { absent: false, number: *number, text: "" },
            Some(Cell { word: Some(_), shown, .. }) => {
                SortKey { absent: false, number: 0.0, text: &shown.number }
            }
            _ => SortKey { absent: true, number: 0.0, text: "" },
        }
    }

    /// Indices of the rows sorted by a column: where nothing stands comes last, sums and what is in none stay at the
    /// end.
    #[must_use]
    pub fn sorted(&self, column: usize, descending: bool) -> Vec<usize> {
        let below = |row: usize| self.rows.get(row).is_some_and(|row| row.total || row.aside);
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|a, b| {
            if below(*a) || below(*b) {
                return below(*a).cmp(&below(*b));
            }
            let (one, other) = (self.sort_key(*a, column), self.sort_key(*b, column));
            let by_value = one.number.total_cmp(&other.number).then_with(|| one.text.cmp(other.text));
            let by_value = if descending { by_value.reverse() } else { by_value };
            one.absent.cmp(&other.absent).then(if one.absent { Ordering::Equal } else { by_value })
        });
        order
    }

    /// The unit that every number of a column is shown in, if that is one.
    #[must_use]
    pub fn unit(&self, column: usize) -> Option<&'static str> {
        let mut units = (0..self.rows.len())
            .filter_map(|row| self.cell(row, column))
            .filter(|cell| cell.value.is_some())
            .map(|cell| cell.shown.unit);
        let first = units.next().filter(|unit| !unit.is_empty())?;
        units.all(|unit| unit == first).then_some(first)
    }

    /// Heads and rows as shown, units in the heads where a column has one; both files of shown text are made of it.
    fn lines(&self, plain: bool) -> Vec<Vec<String>> {
        let units: Vec<Option<&str>> = (0..self.columns.len()).map(|column| self.unit(column)).collect();
        let head = self.columns.iter().zip(&units).map(|(column, unit)| match unit {
            Some(unit) => format!("{} [{unit}]", column.name),
            None => column.name.clone(),
        });
        let mut lines = vec![head.collect::<Vec<_>>()];
        for row in &self.rows {
            let mut line = vec![row.head.clone()];
            for (cell, unit) in row.cells.iter().zip(units.iter().skip(1)) {
                let number = if plain { ungrouped(&cell.shown.number) } else { cell.shown.number.clone() };
                line.push(if unit.is_some() || cell.shown.unit.is_empty() {
                    number
                } else {
                    format!("{number} {}", cell.shown.unit)
                });
            }
            lines.push(line);
        }
        lines
    }

    /// For a spreadsheet: as shown, without the spaces between groups of digits; nothing where nothing stands.
    #[must_use]
    pub fn tsv(&self) -> String {
        let mut text = String::new();
        for line in self.lines(true) {
            text.push_str(&line.join("\t"));
            text.push('\n');
        }
        text
    }

    /// For a document: as shown, numbers at the right.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, line) in self.lines(false).into_iter().enumerate() {
            for cell in &line {
                text.push_str("| ");
                text.push_str(&cell.replace('|', "\\|"));
                text.push(' ');
            }
            text.push_str("|\n");
            if index == 0 {
                for column in &self.columns {
                    text.push_str(if column.numeric { "| ---: " } else { "| --- " });
                }
                text.push_str("|\n");
            }
        }
        text
    }

    /// For a program: base units under English heads, the same in every look. A column of ranges has a second one for
    /// the most.
    #[must_use]
    pub fn csv(&self) -> String {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let ranged: Vec<bool> = (0..self.columns.len())
            .map(|column| {
                let most = |row| self.cell(row, column).is_some_and(|cell| cell.most.is_some());
                (0..self.rows.len()).any(most)
            })
            .collect();
        let mut text = String::new();
        let mut line = |cells: Vec<String>| {
            text.push_str(&cells.join(","));
            text.push('\n');
        };
        let mut head = Vec::new();
        for (column, ranged) in self.columns.iter().zip(&ranged) {
            head.push(column.code.to_owned());
            if *ranged {
                head.push(format!("{}_most", column.code));
            }
        }
        line(head);
        for row in &self.rows {
            let mut cells =
                vec![row.value.map_or_else(|| row.code.clone().into_owned(), |value| value.to_string())];
            for (cell, ranged) in row.cells.iter().zip(ranged.iter().skip(1)) {
                cells.push(cell.word.map_or_else(|| number(cell.value), ToOwned::to_owned));
                if *ranged {
                    cells.push(number(cell.most.or(cell.value)));
                }
            }
            line(cells);
        }
        text
    }
}

/// Digits as programs read them.
fn ungrouped(number: &str) -> String {
    if number == ABSENT {
        return String::new();
    }
    number.chars().filter(|sign| *sign != '\u{a0}').map(|sign| if sign == '−' { '-' } else { sign }).collect()
}
