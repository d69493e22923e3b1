//! A chart as data: what it plots over what, and what a pointer, a legend, a table and a file say of it.

use super::axis::Scale;
use super::words;
use super::{ChartId, tokens};
use crate::draw::{Fill, Paint};
use crate::figure::Unit;
use crate::format::{self, Digits};
use crate::ledger::memory::Part;
use crate::scene::{Look, Text};
use crate::words::Words;

/// What a series is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Name {
    /// A part of memory.
    Part(Part),
    /// The same words in Chinese and in English.
    Said(Text),
    /// The same in every language.
    Own(String),
}

impl Name {
    /// In the look's language.
    #[must_use]
    pub fn say(&self, look: Look) -> String {
        match self {
            Self::Part(part) => (Words::of(look.language).part)(*part).to_owned(),
            Self::Said(text) => look.say(*text).to_owned(),
            Self::Own(name) => name.clone(),
        }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An area on top of the ones before it.
    Band,
    /// A line; dashed where its fill is hatched.
    Line,
    /// Separate dots.
    Dots,
    /// Separate diamonds: what was measured.
    Diamonds,
    /// A row of cells, the darker the more.
    Cells,
}

/// A point that rows do not tell apart: it has a value of its own for what rows are, and a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What would be the row's value.
    pub row: f64,
    /// What the point is called.
    pub name: Name,
}

/// One thing that is plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: Name,
    /// Its colour and pattern; a hatched line is dashed.
    pub fill: Fill,
    /// How it is drawn.
    pub form: Form,
    /// The figure it follows, if one does.
    pub figure: Option<&'static str>,
    /// Whether it is that figure of the scenario's own report where the scenario stands.
    pub own: bool,
    /// Where its values lie across, where that is not the chart's own rows.
    pub across: Option<Vec<Option<f64>>>,
    /// Its points, where those are not the chart's own rows.
    pub places: Vec<Place>,
    /// A value for each row, in base units; none where the ledger has none.
    pub values: Vec<Option<f64>>,
}

impl Series {
    /// A series over the chart's rows.
    pub(super) fn new(name: Name, form: Form, fill: Fill, values: Vec<Option<f64>>) -> Self {
        Self { name, fill, form, figure: None, own: false, across: None, places: Vec::new(), values }
    }

    pub(super) fn value(&self, row: usize) -> Option<f64> {
        self.values.get(row).copied().flatten()
    }
}

/// A chart, derived once for a scenario and drawn for any look.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Which one.
    pub id: ChartId,
    pub(super) scales: [Scale; 2],
    /// The value across, or what tells points of a series apart.
    pub rows: Vec<f64>,
    /// What rows are called, where they are no numbers but places side by side.
    pub labels: Vec<Name>,
    /// Whether a line joins the values of a row.
    pub(super) joined: bool,
    /// What is plotted, from the bottom up.
    pub series: Vec<Series>,
    /// The row at which the scenario stands, if it is in the chart.
    pub marked: Option<usize>,
    /// The series that the scenario itself is on.
    pub own: Option<usize>,
    pub(super) limit: Option<f64>,
    /// A line that bounds the points: of a roofline.
    pub(super) guide: Vec<(f64, f64)>,
    /// Whether each row fits; of cells, for each series.
    pub(super) fits: Vec<Vec<bool>>,
    /// The value upwards of each series of cells.
    pub(super) levels: Vec<f64>,
    /// Row and level at which the scenario stands among cells, on the grid or between.
    pub(super) cell: Option<(f64, f64)>,
    /// The figure that all bands of a row are together, where that is one.
    pub(super) total: Option<&'static str>,
    /// Whether its times are floors, since no latency is known.
    pub floor: bool,
    /// Why there is nothing to show.
    pub reason: Option<Text>,
}

/// A place in a chart: a row, and a series where rows alone do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// The row.
    pub row: usize,
    /// The series.
    pub series: Option<usize>,
}

/// One line of a reading or a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its colour and pattern.
    pub fill: Fill,
    /// How it is drawn.
    pub form: Form,
    /// The figure it follows, if one does.
    pub figure: Option<&'static str>,
    /// Its value in base units, in a reading.
    pub value: Option<f64>,
    /// That value as shown.
    pub shown: String,
}

/// What a hover, a tap or the focus says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Where.
    pub stop: Stop,
    /// The value of the horizontal axis' key there, for a crosshair in every chart with that key; for cells and points
    /// the row's value.
    pub row: f64,
    /// A heading.
    pub title: String,
    /// What each series says.
    pub entries: Vec<Entry>,
}

impl Reading {
    /// All of it as a sentence.
    #[must_use]
    pub fn sentence(&self, look: Look) -> String {
        let [between, after] = words::joints(look.language);
        let said: Vec<String> =
            self.entries.iter().map(|entry| format!("{} {}", entry.name, entry.shown)).collect();
        format!("{}{after}{}", self.title, said.join(between))
    }
}

impl Chart {
    /// A chart without anything in it yet.
    pub(super) fn new(id: ChartId, across: Scale, upward: Scale, rows: Vec<f64>) -> Self {
        Self {
            id,
            scales: [across, upward],
            rows,
            labels: Vec::new(),
            joined: false,
            series: Vec::new(),
            marked: None,
            own: None,
            limit: None,
            guide: Vec::new(),
            fits: Vec::new(),
            levels: Vec::new(),
            cell: None,
            total: None,
            floor: false,
            reason: None,
        }
    }

    /// A chart that says why it is empty.
    pub(super) fn without(id: ChartId, reason: Text) -> Self {
        let scale = Scale::log(Unit::Count);
        Self { reason: Some(reason), ..Self::new(id, scale, scale, Vec::new()) }
    }

    /// Marks the row of that value.
    pub(super) fn marked_at(mut self, here: f64) -> Self {
        self.marked = self.rows.iter().position(|row| *row == here);
        self
    }

    /// Says so where no series has a value.
    pub(super) fn or_reason(self, reason: Text) -> Self {
        let some = self.series.iter().any(|series| series.values.iter().any(Option::is_some));
        if some { self } else { Self::without(self.id, reason) }
    }

    pub(super) fn form(&self) -> Form {
        self.series.first().map_or(Form::Line, |series| series.form)
    }

    /// Whether points have places of their own across.
    pub(super) fn free(&self) -> bool {
        self.series.iter().any(|series| series.across.is_some())
    }

    pub(super) fn across(&self, series: &Series, row: usize) -> Option<f64> {
        match &series.across {
            Some(across) => across.get(row).copied().flatten(),
            None => self.rows.get(row).copied(),
        }
    }

    /// What a row of a series stands for.
    pub(super) fn point_row(&self, series: Option<&Series>, row: usize) -> Option<f64> {
        match series.filter(|series| !series.places.is_empty()) {
            Some(series) => series.places.get(row).map(|place| place.row),
            None => self.rows.get(row).copied(),
        }
    }

    /// A series' name at one of its points.
    pub(super) fn point_name(&self, series: &Series, row: usize, look: Look) -> String {
        let name = series.name.say(look);
        match series.places.get(row) {
            Some(place) => format!("{name} {}", place.name.say(look)),
            None => name,
        }
    }

    /// The bands of a row together, that many of them.
    pub(super) fn level(&self, row: usize, bands: usize) -> f64 {
        let bands = self.series.iter().filter(|series| series.form == Form::Band).take(bands);
        bands.map(|series| series.value(row).unwrap_or(0.0)).sum()
    }

    /// All bands of a row together; none where the chart stacks nothing.
    #[must_use]
    pub fn total(&self, row: usize) -> Option<f64> {
        let stacked = self.form() == Form::Band && row < self.rows.len();
        stacked.then(|| self.level(row, self.series.len()))
    }

    pub(super) fn names(&self, look: Look) -> [&'static str; 2] {
        let told = self.id.told();
        let floor = self.floor && self.form() == Form::Band;
        [look.say(told.across), look.say(if floor { words::FLOOR } else { told.upward })]
    }

    pub(super) fn show(&self, value: Option<f64>, unit: Unit, look: Look) -> String {
        Digits::Fit(unit).show(value, look.base).to_string()
    }

    /// Every place that can be read, in the order in which arrow keys pass them.
    #[must_use]
    pub fn stops(&self) -> Vec<Stop> {
        if self.free() || self.form() == Form::Cells {
            let of = |index: usize, series: &Series| {
                let there = |row: &usize| {
                    self.form() == Form::Cells || series.value(*row).and(self.across(series, *row)).is_some()
                };
                let rows: Vec<usize> = (0..series.values.len()).filter(there).collect();
                rows.into_iter().map(move |row| Stop { row, series: Some(index) })
            };
            self.series.iter().enumerate().flat_map(|(index, series)| of(index, series)).collect()
        } else {
            (0..self.rows.len()).map(|row| Stop { row, series: None }).collect()
        }
    }

    /// Where the scenario stands.
    #[must_use]
    pub fn marked_stop(&self) -> Option<Stop> {
        let row = self.marked?;
        let apart = self.free() || self.form() == Form::Cells;
        let stop = Stop { row, series: if apart { Some(self.own?) } else { None } };
        self.stops().contains(&stop).then_some(stop)
    }

    /// The column nearest to a value of the horizontal axis' key; none where a place is not a column.
    #[must_use]
    pub fn stop_at(&self, value: f64) -> Option<Stop> {
        if self.reason.is_some() || self.free() || self.form() == Form::Cells {
            return None;
        }
        // In proportion, as the axes are logarithmic.
        let far = |row: f64| (row - value).abs() / (row + value).max(1.0);
        let near = |(_, one): &(usize, &f64), (_, other): &(usize, &f64)| far(**one).total_cmp(&far(**other));
        self.rows.iter().enumerate().min_by(near).map(|(row, _)| Stop { row, series: None })
    }

    /// What stands at a place.
    #[must_use]
    pub fn read(&self, stop: Stop, look: Look) -> Option<Reading> {
        let row = self.point_row(stop.series.and_then(|index| self.series.get(index)), stop.row)?;
        let [across_name, upward_name] = self.names(look);
        let key_name = look.say(self.id.row_name());
        let title = format!("{key_name} {}", self.row_label(stop.row, row, look));
        let [across_scale, upward_scale] = self.scales;
        let entry = |series: &Series, name: String, value: Option<f64>, unit: Unit| Entry {
            name,
            fill: series.fill,
            form: series.form,
            figure: series.figure,
            value,
            shown: self.show(value, unit, look),
        };
        if let Some(index) = stop.series {
            let series = self.series.get(index)?;
            let value = series.value(stop.row);
            let name = self.point_name(series, stop.row, look);
            if self.form() == Form::Cells {
                let fits = self.fits.get(index).and_then(|fits| fits.get(stop.row)).copied().unwrap_or(true);
                let judged = Entry {
                    name: look.say(if fits { words::FITS } else { words::DOES_NOT_FIT }).to_owned(),
                    shown: String::new(),
                    ..entry(series, String::new(), None, Unit::Flag)
                };
                let title = format!("{title} · {across_name} {name}", across_name = look.say(words::CONTEXT));
                let label = look.say(self.cell_name()).to_owned();
                let entries = vec![entry(series, label, value, Unit::Seconds), judged];
                return Some(Reading { stop, row, title, entries });
            }
            let title = if self.rows.len() > 1 { format!("{name} · {title}") } else { name };
            let at = self.across(series, stop.row);
            let entries = vec![
                entry(series, across_name.to_owned(), at, across_scale.unit),
                entry(series, upward_name.to_owned(), value, upward_scale.unit),
            ];
            return Some(Reading { stop, row, title, entries });
        }
        let mut entries: Vec<Entry> = self
            .series
            .iter()
            .filter(|series| {
                let scattered = matches!(series.form, Form::Dots | Form::Diamonds);
                !scattered || series.value(stop.row).is_some()
            })
            .map(|series| entry(series, series.name.say(look), series.value(stop.row), upward_scale.unit))
            .collect();
        if let Some(total) = self.total(stop.row).filter(|_| entries.len() > 1) {
            let shown = self.show(Some(total), upward_scale.unit, look);
            entries.push(Entry {
                name: look.say(words::TOTAL).to_owned(),
                fill: Fill::Empty,
                form: Form::Line,
                figure: None,
                value: Some(total),
                shown,
            });
        }
        Some(Reading { stop, row, title, entries })
    }

    pub(super) fn cell_name(&self) -> Text {
        if self.floor { words::FLOOR } else { words::DECODE.upward }
    }

    pub(super) fn row_label(&self, index: usize, row: f64, look: Look) -> String {
        if let Some(label) = self.labels.get(index) {
            return label.say(look);
        }
        match self.id.across_key() {
            None if !self.free() => self.show(Some(row), self.scales.map(|scale| scale.unit)[0], look),
            _ => format::count(row),
        }
    }

    /// The scenario key that the horizontal axis is; a crosshair moves in all charts with the same one.
    #[must_use]
    pub fn axis(&self) -> Option<crate::scenario::Key> {
        self.id.across_key()
    }

    /// What colours, patterns and lines stand for.
    #[must_use]
    pub fn legend(&self, look: Look) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut add = |name: String, fill: Fill, form: Form, figure: Option<&'static str>| {
            entries.push(Entry { name, fill, form, figure, value: None, shown: String::new() });
        };
        if self.form() != Form::Cells {
            for series in &self.series {
                add(series.name.say(look), series.fill, series.form, series.figure);
            }
        }
        if self.limit.is_some() {
            add(look.say(words::CAPACITY_LINE).to_owned(), Fill::Hatched(Paint::Ink), Form::Line, None);
        }
        let over = self.limit.is_some_and(|limit| {
            (0..self.rows.len()).any(|row| self.total(row).is_some_and(|total| total > limit))
        });
        let hatched = Fill::Hatched(Paint::Comm);
        if over {
            add(look.say(words::OVER).to_owned(), hatched, Form::Band, None);
        }
        if self.fits.iter().flatten().any(|fits| !fits) {
            add(look.say(words::DOES_NOT_FIT).to_owned(), hatched, Form::Band, None);
        }
        entries
    }

    /// The chart in words: what it shows, and what stands where the scenario is.
    #[must_use]
    pub fn description(&self, look: Look) -> String {
        let mut about = look.say(self.id.told().about).to_owned();
        if self.floor {
            about = format!("{about} {}", look.say(words::FLOOR_NOTE));
        }
        if self.free() && self.series.iter().any(|series| series.form == Form::Diamonds) {
            about = format!("{about} {}", look.say(words::DIAMONDS_NOTE));
        }
        let more = match self.reason {
            Some(reason) => look.say(reason).to_owned(),
            None => {
                let reading = self.marked_stop().and_then(|stop| self.read(stop, look));
                reading.map(|reading| reading.sentence(look)).unwrap_or_default()
            }
        };
        if more.is_empty() { about } else { format!("{about} {more}") }
    }

    /// The data as comma-separated values with a heading line, in base units; what has no value is left empty.
    #[must_use]
    pub fn csv(&self) -> String {
        let english = Look::plain();
        let quoted = |text: String| if text.contains(',') { format!("\"{text}\"") } else { text };
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let row_name = self.id.row_code();
        let mut text = String::new();
        let mut line = |cells: Vec<String>| {
            text.push_str(&cells.join(","));
            text.push('\n');
        };
        if self.free() {
            line(["series", row_name, "across", "upward"].map(ToOwned::to_owned).to_vec());
            for stop in self.stops() {
                if let Some(series) = stop.series.and_then(|index| self.series.get(index)) {
                    line(vec![
                        quoted(self.point_name(series, stop.row, english)),
                        number(self.point_row(Some(series), stop.row)),
                        number(self.across(series, stop.row)),
                        number(series.value(stop.row)),
                    ]);
                }
            }
            return text;
        }
        let stacked = self.form() == Form::Band;
        let named = |series: &Series| {
            series.figure.map_or_else(|| quoted(series.name.say(english)), ToOwned::to_owned)
        };
        let mut head = vec![row_name.to_owned()];
        head.extend(self.series.iter().map(named));
        if stacked {
            head.push("total".to_owned());
        }
        line(head);
        for (index, row) in self.rows.iter().enumerate() {
            let label = self.labels.get(index).map(|label| quoted(label.say(english)));
            let mut cells = vec![label.unwrap_or_else(|| number(Some(*row)))];
            cells.extend(self.series.iter().map(|series| number(series.value(index))));
            if stacked {
                cells.push(number(self.total(index)));
            }
            line(cells);
        }
        text
    }
}

/// A label of a row of cells.
pub(super) fn level_name(context: u64) -> Name {
    Name::Own(tokens(context as f64))
}
