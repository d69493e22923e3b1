//! Drawing a chart: axes and series by plotters, then what points at places in them.

use plotters::prelude::{ChartBuilder, Color, IntoDrawingArea, IntoFont, PathElement, Polygon};

use super::axis::Axis;
use super::backend::{Canvas, SCALE, ink};
use super::data::{Chart, Form, Series, Stop};
use super::{Size, framed, words};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type};
use crate::format;
use crate::scene::Look;
use crate::scene::lines::LEADING;

/// A chart's axes and where they lie.
struct Sheet {
    size: Size,
    /// Left, top, width, height of the plot.
    area: [f64; 4],
    x: Axis,
    y: Axis,
}

impl Sheet {
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [left, top, width, height] = self.area;
        (left + width * self.x.share(x), top + height * (1.0 - self.y.share(y)))
    }
}

impl Sheet {
    /// Drops labels of the horizontal axis that would stick out or touch the one before.
    fn thin_out(&mut self) {
        let [left, _, width, _] = self.area;
        let mut free = 0.0;
        for index in 0..self.x.ticks.len() {
            let Some((value, label)) = self.x.ticks.get(index).cloned() else { continue };
            let half = text_width(&label, self.size.text, false) / 2.0;
            let middle = left + width * self.x.share(value);
            let fits = middle - half >= free && middle + half <= self.size.width;
            if fits {
                free = middle + half + self.size.text * 0.4;
            } else if let Some((_, label)) = self.x.ticks.get_mut(index) {
                label.clear();
            }
        }
    }
}

/// How far a stack is drawn beyond a limit, as a multiple of it: else the limit would lie at the foot.
const BEYOND: f64 = 2.0;

/// Opacity of the fastest and of the slowest cell.
const CELL_SHADES: (f64, f64) = (0.1, 0.75);

/// The first row and column of cells that is drawn, and how many there are to the next: on a phone every second one,
/// the usual batches and contexts among them.
fn cells_shown(size: Size) -> (usize, usize) {
    if size.width < Size::WIDE.width { (1, 2) } else { (0, 1) }
}

fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

impl Chart {
    /// The values to be shown across and upwards.
    fn extents(&self) -> [(f64, f64); 2] {
        let [across_log, upward_log] = self.scales.map(|scale| scale.log);
        let shown = |log: bool, value: &f64| !log || *value > 0.0;
        let places = self.series.iter().flat_map(|series| {
            let rows = 0..series.values.len();
            rows.filter(|row| series.value(*row).is_some()).filter_map(|row| self.across(series, row))
        });
        let places: Vec<f64> = if self.free() {
            places.chain(self.guide.iter().map(|(x, _)| *x)).collect()
        } else {
            self.rows.clone()
        };
        let across = extent(places.into_iter().filter(|value| shown(across_log, value)));
        let values = self.series.iter().flat_map(|series| series.values.iter().flatten().copied());
        let mut upward = if self.form() == Form::Band && upward_log {
            // A band begins at the first part that is there.
            let first = |row: usize| {
                self.series.iter().filter_map(|series| series.value(row)).find(|part| *part > 0.0)
            };
            extent((0..self.rows.len()).filter_map(first))
        } else {
            extent(values.chain(self.guide.iter().map(|(_, y)| *y)).filter(|value| shown(upward_log, value)))
        };
        let totals = extent((0..self.rows.len()).filter_map(|row| self.total(row)));
        upward.1 = upward.1.max(totals.1);
        if let Some(limit) = self.limit {
            upward.1 = upward.1.min(limit * BEYOND).max(limit * 1.1);
        }
        [across, upward]
    }

    /// The ends of both axes.
    #[cfg(test)]
    pub(super) fn ends(&self, look: Look) -> [(f64, f64); 2] {
        let sheet = self.sheet(look);
        [(sheet.x.low, sheet.x.high), (sheet.y.low, sheet.y.high)]
    }

    fn sheet(&self, look: Look) -> Sheet {
        let size = Size::of(look.layout);
        let [across, upward] = self.extents();
        let narrow = size.width < Size::WIDE.width;
        let height = size.height - size.text * 5.6;
        let (x, y) = if self.form() == Form::Cells {
            let labels = |values: &[f64]| values.iter().map(|value| super::tokens(*value)).collect();
            (
                Axis::of_places(labels(&self.shown(&self.rows, size))),
                Axis::of_places(labels(&self.shown(&self.levels, size))),
            )
        } else {
            let free = self.free();
            let most = if narrow { 5 } else { 8 };
            let x = Axis::new(self.scales[0], across, look.base, most, !free);
            let most = (height / (size.text * 2.6)).floor() as usize;
            (x, Axis::new(self.scales[1], upward, look.base, most, false))
        };
        let widest = y.ticks.iter().map(|(_, label)| text_width(label, size.text, false)).fold(0.0, f64::max);
        let left = (widest + 12.0).max(size.text * 1.6);
        let area = [left, size.text * 2.2, size.width - left - size.text * 1.8, height];
        let mut sheet = Sheet { size, area, x, y };
        sheet.thin_out();
        sheet
    }

    /// Rows or columns of cells that are drawn: every second one where there is room for few.
    fn shown(&self, all: &[f64], size: Size) -> Vec<f64> {
        let (first, each) = cells_shown(size);
        all.iter().copied().skip(first).step_by(each).collect()
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self, look: Look) -> Drawing {
        let size = Size::of(look.layout);
        let mut drawing = Drawing::new(size.width, size.height);
        look.say(self.id.told().title).clone_into(&mut drawing.title);
        drawing.description = self.description(look);
        if let Some(reason) = self.reason {
            excuse(&mut drawing, look.say(reason), size);
            return drawing;
        }
        let sheet = self.sheet(look);
        self.axis_names(&mut drawing, &sheet, look);
        // The canvas itself never fails; whatever plotters finds wrong leaves the axes' names standing.
        let _ = self.plot(&mut drawing, &sheet);
        if self.form() == Form::Cells {
            self.cells(&mut drawing, &sheet);
        } else {
            self.limit(&mut drawing, &sheet, look);
            self.unfit(&mut drawing, &sheet, look);
            self.dots(&mut drawing, &sheet, look);
            self.mark(&mut drawing, &sheet, look);
        }
        drawing
    }

    /// The chart with its title and legend inside, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, look: Look) -> Drawing {
        let entries: Vec<_> = self.legend(look).into_iter().map(|entry| (entry.fill, entry.name)).collect();
        framed(self.draw(look), Size::of(look.layout).text, &entries)
    }

    fn axis_names(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        let Size { width, height, text } = sheet.size;
        let [across, upward] = self.names(look);
        let mute = Type::new(text, Paint::Mute);
        drawing.text((0.0, text), words::with_unit(upward, sheet.y.unit, look.language), mute);
        if self.form() == Form::Cells {
            let slowest =
                extent(self.series.iter().flat_map(|series| series.values.iter().flatten().copied())).1;
            let cell = words::with_unit(look.say(self.cell_name()), cell_unit(slowest).1, look.language);
            drawing.text((width - text * 0.6, text), cell, mute.anchored(Anchor::End));
        }
        let corner = (width - text * 0.6, height - text * 0.5);
        let name = words::with_unit(across, sheet.x.unit, look.language);
        drawing.text(corner, name, mute.anchored(Anchor::End));
    }

    /// Axes, bands and lines.
    fn plot(&self, drawing: &mut Drawing, sheet: &Sheet) -> Result<(), Box<dyn core::error::Error>> {
        let Sheet { size, area: [left, top, width, height], .. } = *sheet;
        let pixels = |units: f64| (units * SCALE).round() as i32;
        let canvas = Canvas::new(drawing).into_drawing_area();
        let mut chart = ChartBuilder::on(&canvas)
            .margin_top(pixels(top))
            .margin_right(pixels(size.width - left - width))
            .margin_bottom(pixels(size.height - top - height - size.text * 1.8))
            .x_label_area_size(pixels(size.text * 1.8))
            .y_label_area_size(pixels(left))
            .build_cartesian_2d(sheet.x.clone(), sheet.y.clone())?;
        let cells = self.form() == Form::Cells;
        let mesh = if cells { 0.0 } else { 1.0 };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(ink(Fill::Solid(Paint::Line), 0.0))
            .bold_line_style(ink(Fill::Solid(Paint::Line), mesh).stroke_width(10))
            .axis_style(ink(Fill::Solid(Paint::Mute), mesh).stroke_width(10))
            .set_all_tick_mark_size(pixels(5.0))
            .label_style(
                ("sans-serif", size.text * SCALE).into_font().color(&ink(Fill::Solid(Paint::Mute), 1.0)),
            )
            .draw()?;
        for (index, series) in
            self.series.iter().enumerate().rev().filter(|(_, series)| series.form == Form::Band)
        {
            let edge = |bands: usize| {
                let level = move |row: usize| if bands == 0 { sheet.y.low } else { self.level(row, bands) };
                self.rows.iter().enumerate().map(move |(row, x)| (*x, level(row))).collect::<Vec<_>>()
            };
            let (upper, lower) = (edge(index + 1), edge(index));
            let outline: Vec<_> = upper.iter().chain(lower.iter().rev()).copied().collect();
            chart.draw_series([Polygon::new(outline, ink(series.fill, 0.9).filled())])?;
            if index + 1 < self.series.len() {
                let edge = ink(Fill::Solid(Paint::Card), 1.0).stroke_width(8);
                chart.draw_series([PathElement::new(upper, edge)])?;
            }
        }
        if let Some(limit) = self.limit {
            let top = |row: usize| self.level(row, self.series.len()).max(limit);
            let over: Vec<_> = self.rows.iter().enumerate().map(|(row, x)| (*x, top(row))).collect();
            if over.iter().any(|(_, top)| *top > limit) {
                let ends = [(sheet.x.high, limit), (sheet.x.low, limit)];
                let outline: Vec<_> = over.into_iter().chain(ends).collect();
                // The parts fade where they have no room.
                chart.draw_series([Polygon::new(
                    outline.clone(),
                    ink(Fill::Solid(Paint::Card), 0.55).filled(),
                )])?;
                chart.draw_series([Polygon::new(outline, ink(Fill::Hatched(Paint::Comm), 1.0).filled())])?;
            }
        }
        if !self.guide.is_empty() {
            let style = ink(Fill::Solid(Paint::Mute), 1.0).stroke_width(30);
            chart.draw_series([PathElement::new(self.guide.clone(), style)])?;
        }
        for (index, series) in self.series.iter().enumerate().filter(|(_, series)| series.form == Form::Line)
        {
            let width = if self.own == Some(index) { 34 } else { 22 };
            for points in self.runs(series) {
                chart.draw_series([PathElement::new(points, ink(series.fill, 1.0).stroke_width(width))])?;
            }
        }
        Ok(())
    }

    /// A series' points without the gaps: what has no value, and on a logarithmic axis what is not above zero.
    fn runs(&self, series: &Series) -> Vec<Vec<(f64, f64)>> {
        let mut runs = vec![Vec::new()];
        for row in 0..series.values.len() {
            match (self.point(series, row), runs.last_mut()) {
                (Some(point), Some(run)) => run.push(point),
                (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
                _ => {}
            }
        }
        runs.retain(|run| !run.is_empty());
        runs
    }

    fn point(&self, series: &Series, row: usize) -> Option<(f64, f64)> {
        let (x, y) = (self.across(series, row)?, series.value(row)?);
        let [across, upward] = self.scales;
        ((!across.log || x > 0.0) && (!upward.log || y > 0.0)).then_some((x, y))
    }

    /// The capacity with its name.
    fn limit(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        let Some(limit) = self.limit else { return };
        let [left, _, width, _] = sheet.area;
        let (_, y) = sheet.at((sheet.x.low, limit));
        drawing.line((left, y), (left + width, y), Paint::Ink, 2.0).dashed();
        let shown = self.show(Some(limit), self.scales[1].unit, look);
        let text = format!("{} {shown}", look.say(words::CAPACITY_LINE));
        let set = Type::new(sheet.size.text, Paint::Ink);
        let size = set.size;
        let places = [(left + 8.0, y - size * 0.5), (left + 8.0, y + size * 1.3)];
        if let Some(mark) = label(drawing, sheet, &places.map(|at| (at, Anchor::Start)), &text, set) {
            mark.shows("gpu.memory.bytes", limit);
        }
    }

    /// Where a load does not fit at all.
    fn unfit(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        let Some(fits) = self.fits.first() else { return };
        let Some(first) = fits.iter().position(|fits| !fits) else { return };
        let from = self.rows.get(first).copied().unwrap_or(sheet.x.low);
        let [left, top, width, height] = sheet.area;
        let (x, _) = sheet.at((from, sheet.y.low));
        let x = x.min(left + width - 6.0);
        let wide = left + width - x;
        drawing.rect([x, top, wide, height], 0.0, Fill::Solid(Paint::Card)).faded(0.45);
        drawing.rect([x, top, wide, height], 0.0, Fill::Hatched(Paint::Comm)).faded(0.4);
        let text = look.say(words::DOES_NOT_FIT);
        let set = Type::new(sheet.size.text, Paint::Ink);
        let at = (left + width - 6.0, top + set.size * 1.3);
        label(drawing, sheet, &[(at, Anchor::End)], text, set);
    }

    /// Samples, and the points of a cloud with their names.
    fn dots(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        for series in self.series.iter().filter(|series| series.form == Form::Dots) {
            for row in 0..series.values.len() {
                let Some(point) = self.point(series, row) else { continue };
                let (x, y) = sheet.at(point);
                let named = self.free();
                let (fill, r) = if named { (series.fill, 7.0) } else { (Fill::Solid(Paint::Card), 4.0) };
                let stroke = if named { Paint::Ink } else { paint(series.fill) };
                let dot = drawing.push(Shape::Circle { x, y, r }, fill);
                dot.stroked(stroke, 2.0);
                if let (true, Some(id)) = (named, series.figure) {
                    dot.shows(id, series.value(row).unwrap_or(0.0));
                }
            }
        }
        if self.form() == Form::Dots {
            for series in &self.series {
                if let Some(point) = self.point(series, 0) {
                    let (x, y) = sheet.at(point);
                    let set = Type::new(sheet.size.text, Paint::Ink);
                    label(drawing, sheet, &around((x, y), sheet), &series.name.say(look), set);
                }
            }
        }
    }

    /// A line and dots where the scenario stands, with what it comes to.
    fn mark(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        let Some(row) = self.marked else { return };
        if self.form() == Form::Dots {
            return;
        }
        let [_, top, _, height] = sheet.area;
        if !self.free()
            && let Some(here) = self.rows.get(row)
        {
            let (x, _) = sheet.at((*here, sheet.y.low));
            drawing.line((x, top), (x, top + height), Paint::Ink, 1.5).dashed();
        }
        let mut dot = |point: (f64, f64), own: bool| {
            let (x, y) = sheet.at(point);
            let (r, width) = if own { (5.5, 2.5) } else { (3.5, 2.0) };
            drawing.push(Shape::Circle { x, y, r }, Fill::Solid(Paint::Card)).stroked(Paint::Ink, width);
        };
        let mut main = None;
        if let Some(total) = self.total(row) {
            let point = self.rows.get(row).map(|x| (*x, total));
            main = point.map(|point| (point, total, self.total_figure()));
        } else {
            for (index, series) in
                self.series.iter().enumerate().filter(|(_, series)| series.form == Form::Line)
            {
                let own = self.own == Some(index);
                match self.point(series, row) {
                    Some(point) if own => main = Some((point, point.1, series.figure)),
                    Some(point) if !self.free() => dot(point, false),
                    _ => {}
                }
            }
        }
        let Some((point, value, figure)) = main else { return };
        dot(point, true);
        let mut text = self.show(Some(value), self.scales[1].unit, look);
        if self.free() {
            let batch = self.rows.get(row).copied().unwrap_or(0.0);
            text = format!("{} {}", look.say(words::BATCH_SHORT), format::count(batch));
        }
        let set = Type::new(sheet.size.text, Paint::Ink).bold();
        let at = sheet.at(point);
        if let (Some(mark), Some(id), false) =
            (label(drawing, sheet, &around(at, sheet), &text, set), figure, self.free())
        {
            mark.shows(id, value);
        }
    }

    /// The figure that a stack's whole height is, where the ledger has it.
    fn total_figure(&self) -> Option<&'static str> {
        matches!(self.id, super::ChartId::Cache).then_some("cache.request.bytes")
    }

    /// Cells with their numbers, the border of what fits, and a frame around the scenario's own.
    fn cells(&self, drawing: &mut Drawing, sheet: &Sheet) {
        let (first, each) = cells_shown(sheet.size);
        let (columns, rows) = (sheet.x.ticks.len(), sheet.y.ticks.len());
        let [left, top, width, height] = sheet.area;
        let (wide, high) = (width / columns.max(1) as f64, height / rows.max(1) as f64);
        let corner =
            |column: usize, row: usize| (left + column as f64 * wide, top + height - (row + 1) as f64 * high);
        let (fastest, slowest) =
            extent(self.series.iter().flat_map(|series| series.values.iter().flatten().copied()));
        let spread = libm::log(slowest / fastest);
        let (unit, _) = cell_unit(slowest);
        let at = |column: usize, row: usize| (first + column * each, first + row * each);
        let fits = |column: usize, row: usize| {
            let (column, row) = at(column, row);
            self.fits.get(row).and_then(|fits| fits.get(column)).copied().unwrap_or(false)
        };
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = corner(column, row);
                let (from, level) = at(column, row);
                let value = self.series.get(level).and_then(|series| series.value(from));
                let area = [x + 0.5, y + 0.5, wide - 1.0, high - 1.0];
                let Some(value) = value else {
                    drawing.rect(area, 0.0, Fill::Hatched(Paint::Comm)).faded(0.45);
                    continue;
                };
                let share = if spread > 0.0 { libm::log(value / fastest) / spread } else { 0.0 };
                let (light, dark) = CELL_SHADES;
                drawing.rect(area, 0.0, Fill::Solid(Paint::Compute)).faded(light + (dark - light) * share);
                let text = short(value / unit);
                let set = Type::new(sheet.size.text, Paint::Ink).anchored(Anchor::Middle);
                if text_width(&text, set.size, false) > wide - 2.0 {
                    continue;
                }
                drawing.text((x + wide / 2.0, y + high / 2.0 + set.size * 0.36), text, set);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let ((x, y), fit) = (corner(column, row), fits(column, row));
                if column + 1 < columns && fits(column + 1, row) != fit {
                    drawing.line((x + wide, y), (x + wide, y + high), Paint::Comm, 3.5);
                }
                if row + 1 < rows && fits(column, row + 1) != fit {
                    drawing.line((x, y), (x + wide, y), Paint::Comm, 3.5);
                }
            }
        }
        if let Some((row, level)) = self.cell
            && let Some(column) = between(&self.shown(&self.rows, sheet.size), row)
            && let Some(line) = between(&self.shown(&self.levels, sheet.size), level)
        {
            let frame = [left + column * wide, top + height - (line + 1.0) * high, wide, high];
            drawing.rect(frame, 0.0, Fill::Empty).stroked(Paint::Ink, 3.0);
        }
    }

    /// The plot's left, top, width and height within the drawing, for a page that places a crosshair.
    #[must_use]
    pub fn plot_area(&self, look: Look) -> [f64; 4] {
        self.sheet(look).area
    }

    /// Where a value of the horizontal axis' key lies in the drawing; none outside the axis or where it has no key.
    #[must_use]
    pub fn crosshair(&self, look: Look, value: f64) -> Option<f64> {
        self.axis().filter(|_| self.reason.is_none())?;
        let sheet = self.sheet(look);
        let value = if self.form() == Form::Cells {
            between(&self.shown(&self.rows, sheet.size), value)?
        } else {
            value
        };
        (value >= sheet.x.low && value <= sheet.x.high).then(|| sheet.at((value, sheet.y.low)).0)
    }

    /// Where a stop lies in the drawing.
    #[must_use]
    pub fn place(&self, look: Look, stop: Stop) -> Option<(f64, f64)> {
        if self.reason.is_some() {
            return None;
        }
        self.place_on(&self.sheet(look), stop)
    }

    fn place_on(&self, sheet: &Sheet, stop: Stop) -> Option<(f64, f64)> {
        if self.form() == Form::Cells {
            let (first, each) = cells_shown(sheet.size);
            let place = |index: usize| (index as f64 - first as f64) / each as f64;
            return Some(sheet.at((place(stop.row), place(stop.series?))));
        }
        let own = stop.series.or(self.own).or(Some(0)).and_then(|index| self.series.get(index));
        match (self.total(stop.row), own) {
            (Some(total), _) => Some(sheet.at((*self.rows.get(stop.row)?, total))),
            (None, Some(series)) => {
                let foot = self.across(series, stop.row).map(|x| (x, sheet.y.low));
                self.point(series, stop.row).or(foot).map(|point| sheet.at(point))
            }
            (None, None) => None,
        }
    }

    /// The stop nearest to a place in the drawing: by column where a column has one, else by distance.
    #[must_use]
    pub fn nearest(&self, look: Look, (x, y): (f64, f64)) -> Option<Stop> {
        if self.reason.is_some() {
            return None;
        }
        let sheet = self.sheet(look);
        let columns = !self.free() && self.form() != Form::Cells;
        let far = |stop: &Stop| {
            let (at_x, at_y) = self.place_on(&sheet, *stop).unwrap_or((f64::INFINITY, f64::INFINITY));
            let down = if columns { 0.0 } else { at_y - y };
            (at_x - x) * (at_x - x) + down * down
        };
        self.stops().into_iter().min_by(|one, other| far(one).total_cmp(&far(other)))
    }
}

const fn paint(fill: Fill) -> Paint {
    match fill.paint() {
        Some(paint) => paint,
        None => Paint::Ink,
    }
}

/// The unit of cells by the slowest of them: milliseconds, or seconds where those would take five digits.
fn cell_unit(slowest: f64) -> (f64, &'static str) {
    if slowest < 9.9995 { (1e-3, "ms") } else { (1.0, "s") }
}

/// Three digits, or as many as stand before the point.
fn short(number: f64) -> String {
    let decimals = if number < 9.995 { 2 } else { usize::from(number < 99.95) };
    format!("{number:.decimals$}")
}

/// How far along rising values one lies, in places: between two as its logarithm is.
fn between(values: &[f64], value: f64) -> Option<f64> {
    let after = values.iter().position(|known| *known >= value)?;
    let here = *values.get(after)?;
    match after.checked_sub(1).and_then(|before| values.get(before)) {
        Some(before) => Some(after as f64 - libm::log(here / value) / libm::log(here / before)),
        None => (here == value).then_some(0.0),
    }
}

/// Places for a label beside a point, best first.
fn around((x, y): (f64, f64), sheet: &Sheet) -> Vec<((f64, f64), Anchor)> {
    let size = sheet.size.text;
    let right = (x + 10.0, Anchor::Start);
    let left = (x - 10.0, Anchor::End);
    let sides = if x > sheet.size.width / 2.0 { [left, right] } else { [right, left] };
    let heights = [-12.0, size * 1.6, -size * 1.9, size * 2.7, -size * 3.2, size * 4.0, -size * 4.6];
    heights.iter().flat_map(|shift| sides.map(|(x, anchor)| ((x, y + shift), anchor))).collect()
}

/// Sets a label at the first place where it lies in the plot and touches no other text; nowhere if there is none.
fn label<'a>(
    drawing: &'a mut Drawing,
    sheet: &Sheet,
    places: &[((f64, f64), Anchor)],
    text: &str,
    set: Type,
) -> Option<&'a mut Mark> {
    const AIR: f64 = 4.0;
    let [left, top, _, height] = sheet.area;
    let wide = text_width(text, set.size, set.bold);
    let free = |((x, baseline), anchor): &&((f64, f64), Anchor)| {
        let start = if *anchor == Anchor::End { x - wide } else { *x };
        let own = [start - AIR, baseline - set.size, start + wide + AIR, baseline + set.size * 0.3];
        let inside = own[0] >= left - 0.5
            && own[2] <= sheet.size.width
            && own[1] >= top - set.size
            && own[3] <= top + height;
        let touches = |mark: &Mark| {
            let [l, t, r, b] = mark.ink();
            let dot = matches!(mark.shape, Shape::Circle { .. });
            (dot || matches!(mark.shape, Shape::Text { .. }))
                && own[0] < r
                && l < own[2]
                && own[1] < b
                && t < own[3]
        };
        inside && !drawing.marks.iter().any(touches)
    };
    let ((x, baseline), anchor) = *places.iter().find(free)?;
    let start = if anchor == Anchor::End { x - wide } else { x };
    let behind = [start - AIR, baseline - set.size, wide + 2.0 * AIR, set.size * 1.35];
    let [l, _, w, _] = sheet.area;
    let right = (behind[0] + behind[2]).min(l + w + sheet.size.text * 1.8);
    drawing
        .rect([behind[0], behind[1], right - behind[0], behind[3]], 4.0, Fill::Solid(Paint::Card))
        .faded(0.85);
    Some(drawing.text((x, baseline), text, set.anchored(anchor)))
}

/// A panel with a sentence in the middle.
pub(crate) fn excuse(drawing: &mut Drawing, reason: &str, size: Size) {
    let [left, top, width, height] = [1.0, 1.0, size.width - 2.0, size.height - 2.0];
    drawing.rect([left, top, width, height], 12.0, Fill::Solid(Paint::Band)).stroked(Paint::Line, 1.5);
    let set = Type::new(size.text + 1.0, Paint::Mute).anchored(Anchor::Middle);
    let lines = wrap(reason, set.size, false, width * 0.8);
    let first = size.height / 2.0 - (lines.len() as f64 - 1.0) / 2.0 * set.size * LEADING + set.size * 0.36;
    for (index, line) in lines.into_iter().enumerate() {
        drawing.text((size.width / 2.0, first + index as f64 * set.size * LEADING), line, set);
    }
}
