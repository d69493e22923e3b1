//! A chart as a table: the same rows and values, each cell with the figure that it is.

use super::data::{Chart, Form, Name, Series};
use super::words;
use crate::figure::{Report, Unit};
use crate::format::Digits;
use crate::scenario::Key;
use crate::scene::Look;
use crate::table::{Cell, Column, Filled, Head, Row, Table};
use crate::words::Words;

impl Chart {
    /// The same data to be read as a table. A cell that follows a figure carries its name, and where the scenario stands
    /// it opens that figure's derivation.
    #[must_use]
    pub fn table(&self, look: Look) -> Table {
        let told = self.id.told();
        Table::of(self.id.name(), self.id.title(look), look.say(told.about), self.filled(look), look)
    }

    /// Notes which series are the report's own figures where the scenario stands.
    pub(super) fn held_to(mut self, report: &Report) -> Self {
        let Some(row) = self.marked else { return self };
        let is = |figure: Option<&str>, value: Option<f64>| {
            let both = figure.and_then(|figure| report.number(figure)).zip(value);
            both.is_some_and(|(number, value)| (number - value).abs() <= 1e-9 * number.abs())
        };
        let free = self.free();
        for series in &mut self.series {
            series.own = !free && is(series.figure, series.value(row));
        }
        self.total = self.total.filter(|total| is(Some(total), self.total(row)));
        self
    }

    fn filled(&self, look: Look) -> Filled {
        if let Some(reason) = self.reason {
            return Err(reason);
        }
        Ok(if self.free() { self.points(look) } else { self.grid(look) })
    }

    /// A line for each point of a cloud.
    fn points(&self, look: Look) -> (Vec<Column>, Vec<Row>) {
        let [across, upward] = self.names(look);
        let [across_unit, upward_unit] = self.scales.map(|scale| scale.unit);
        let column = |name: &str, code, numeric| Column { name: name.to_owned(), code, numeric };
        let columns = vec![
            column(look.say(words::SERIES), "series", false),
            column(look.say(self.id.row_name()), self.id.row_code(), true),
            column(across, "across", true),
            column(upward, "upward", true),
        ];
        let row = |stop: super::Stop| {
            let series = self.series.get(stop.series?)?;
            let at = self.point_row(Some(series), stop.row)?;
            let here = self.marked == Some(stop.row) && self.own.is_none_or(|own| Some(own) == stop.series);
            Some(Row {
                head: self.point_name(series, stop.row, look),
                code: code(series).into(),
                paint: series.fill.paint(),
                here,
                cells: vec![
                    cell(Some(at), Unit::Count, look),
                    cell(self.across(series, stop.row), across_unit, look),
                    cell(series.value(stop.row), upward_unit, look),
                ],
                ..Row::default()
            })
        };
        (columns, self.stops().into_iter().filter_map(row).collect())
    }

    /// A line for each value across, a column for each series.
    fn grid(&self, look: Look) -> (Vec<Column>, Vec<Row>) {
        let cells = self.form() == Form::Cells;
        let stacked = self.form() == Form::Band && self.series.len() > 1;
        let unit = if cells { Unit::Seconds } else { self.scales.map(|scale| scale.unit)[1] };
        let prefix = if cells { format!("{} ", look.say(words::CONTEXT)) } else { String::new() };
        let first = Head { name: self.id.row_name(), code: self.id.row_code(), numeric: true };
        let total = Head { name: words::TOTAL, code: "total", numeric: true };
        let mut columns = vec![first.column(look)];
        columns.extend(self.series.iter().map(|series| Column {
            name: format!("{prefix}{}", series.name.say(look)),
            code: code(series),
            numeric: true,
        }));
        columns.extend(stacked.then(|| total.column(look)));
        let row = |(index, at): (usize, &f64)| {
            let here = self.marked == Some(index);
            let mut line: Vec<Cell> = Vec::with_capacity(columns.len());
            for series in &self.series {
                let value = series.value(index);
                // Where the scenario stands it is that very figure, or it is none.
                let figure = series.figure.filter(|_| !here || series.own);
                line.push(Cell { figure, own: here && figure.is_some(), ..cell(value, unit, look) });
            }
            if stacked {
                let sum = cell(self.total(index), unit, look);
                line.push(Cell { figure: self.total, own: here && self.total.is_some(), ..sum });
            }
            Row {
                head: self.row_label(index, *at, look),
                value: Some(*at),
                here,
                bad: self.does_not_fit(index),
                takes: self.id.across_key().map(|key: Key| (key, *at)).into_iter().collect(),
                cells: line,
                ..Row::default()
            }
        };
        let rows = self.rows.iter().enumerate().map(row).collect();
        (columns, rows)
    }

    /// Whether a row lies over the limit, or nothing of it fits.
    fn does_not_fit(&self, row: usize) -> bool {
        let over = self.limit.zip(self.total(row)).is_some_and(|(limit, total)| total > limit);
        let mut known = self.fits.iter().filter_map(|fits| fits.get(row)).peekable();
        over || known.peek().is_some() && known.all(|fits| !fits)
    }
}

fn cell(value: Option<f64>, unit: Unit, look: Look) -> Cell {
    let shown = Digits::Fit(unit).show(value, look.base);
    Cell { value, ..Cell::of(shown) }
}

/// What a series is called in files: its figure, else its English words.
fn code(series: &Series) -> &'static str {
    match (series.figure, &series.name) {
        (Some(figure), _) => figure,
        (None, Name::Part(part)) => (Words::of(crate::language::Language::English).part)(*part),
        (None, Name::Said([_, english])) => english,
        (None, Name::Own(_)) => "value",
    }
}
