//! Chart: the cache of one request over its context, its parts stacked, both axes logarithmic.

use plotters::prelude::{ChartBuilder, Color, IntoDrawingArea, IntoFont, IntoLogRange, LineSeries, Polygon};

use super::backend::{Canvas, SCALE, ink};
use super::{Size, framed, tokens, widest};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::figure::{Ledger, Report};
use crate::format::{self, ByteBase};
use crate::ledger::at_context;
use crate::scenario::{Key, Scenario};
use crate::spec::ModelSpec;
use crate::units::Bytes;
use crate::words::{Words, fill};

/// A part of a request's cache, from the bottom of the stack to its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Groups that are not complete yet.
    State,
    /// The last tokens, uncompressed.
    Window,
    /// Compressed entries.
    Compressed,
    /// Indexer keys.
    Indexer,
}

impl Part {
    /// Every part, from the bottom up.
    pub const ALL: [Self; 4] = [Self::State, Self::Window, Self::Compressed, Self::Indexer];

    /// The figure that holds its size.
    #[must_use]
    pub const fn figure(self) -> &'static str {
        match self {
            Self::State => "cache.state.bytes",
            Self::Window => "cache.window.bytes",
            Self::Compressed => "cache.compressed.bytes",
            Self::Indexer => "cache.indexer.bytes",
        }
    }

    /// Its colour.
    #[must_use]
    pub const fn paint(self) -> Paint {
        match self {
            Self::State => Paint::CacheFaint,
            Self::Window => Paint::CacheSoft,
            Self::Compressed => Paint::Cache,
            Self::Indexer => Paint::CacheDeep,
        }
    }

    /// Its name in a language's words.
    #[must_use]
    pub const fn word(self, words: &Words) -> &'static str {
        match self {
            Self::State => words.state,
            Self::Window => words.window,
            Self::Compressed => words.compressed,
            Self::Indexer => words.indexer,
        }
    }
}

/// One context and what each part takes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Tokens so far.
    pub context: u64,
    /// Bytes of the parts in the order of [`Part::ALL`].
    pub parts: [f64; Part::ALL.len()],
}

impl Sample {
    fn of(report: &Report, context: u64) -> Self {
        Self { context, parts: Part::ALL.map(|part| report.bytes(part.figure()).get()) }
    }

    /// All parts together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.parts.iter().sum()
    }

    /// The top of each part in the stack.
    fn tops(&self) -> [f64; Part::ALL.len()] {
        let mut level = 0.0;
        self.parts.map(|part| {
            level += part;
            level
        })
    }
}

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheChart {
    /// Samples with rising context.
    pub samples: Vec<Sample>,
    /// The scenario's own context.
    pub here: Sample,
}

impl CacheChart {
    /// Computes the data for a scenario.
    #[must_use]
    pub fn new(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Self {
        let sample = |context| Sample::of(&at_context(ledger, scenario, spec, context), context);
        let here = scenario.resolve(ledger).context;
        let stops = Key::Context.stops();
        Self { samples: stops.into_iter().map(|stop| sample(stop as u64)).collect(), here: sample(here) }
    }

    /// The same chart for another context of the same scenario.
    #[must_use]
    pub fn moved(&self, report: &Report, context: u64) -> Self {
        Self { samples: self.samples.clone(), here: Sample::of(report, context) }
    }

    /// The data as comma-separated values with a heading line; bytes in base units.
    #[must_use]
    pub fn csv(&self) -> String {
        let names = Part::ALL.map(Part::figure).join(",");
        let mut text = format!("context,{names},cache.request.bytes\n");
        for sample in &self.samples {
            let parts = sample.parts.map(|part| part.to_string()).join(",");
            text.push_str(&format!("{},{parts},{}\n", sample.context, sample.total()));
        }
        text
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self, size: Size, words: &Words, base: ByteBase) -> Drawing {
        let mut drawing = Drawing::new(size.width, size.height);
        words.cache_chart_title.clone_into(&mut drawing.title);
        let amount = |bytes: f64| format::bytes(Bytes(bytes), base).to_string();
        drawing.description = fill(
            words.cache_chart_description,
            &[("context", format::count(self.here.context as f64)), ("total", amount(self.here.total()))],
        );
        let mute = Type::new(size.text, Paint::Mute);
        drawing.text((0.0, size.text), words.cache_axis, mute);
        let corner = (size.width - size.text * 0.6, size.height - size.text * 0.5);
        drawing.text(corner, words.context_axis, mute.anchored(Anchor::End));
        // The canvas itself never fails; whatever plotters finds wrong leaves the axes' names standing.
        if let Ok((x, y)) = self.plot(&mut drawing, size, base) {
            self.mark_here(&mut drawing, (x, y), size, base);
        }
        drawing
    }

    /// The chart with its title and legend inside, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, words: &Words, base: ByteBase) -> Drawing {
        let entries = Part::ALL.map(|part| (Fill::Solid(part.paint()), part.word(words).to_owned()));
        framed(self.draw(Size::WIDE, words, base), Size::WIDE.text, &entries)
    }

    /// Draws axes and areas; gives back where the scenario's own context and total lie.
    fn plot(
        &self,
        drawing: &mut Drawing,
        size: Size,
        base: ByteBase,
    ) -> Result<(f64, f64), Box<dyn core::error::Error>> {
        let axis = Axis::new(self, base);
        let labels = axis.ticks().map(|tick| axis.label(tick));
        let left = widest(labels, size.text) + 12.0;
        let pixels = |units: f64| (units * SCALE) as i32;
        let area = Canvas::new(drawing).into_drawing_area();
        let contexts = self.samples.first().map_or(1.0, |sample| sample.context as f64)
            ..self.samples.last().map_or(2.0, |sample| sample.context as f64);
        let mut chart = ChartBuilder::on(&area)
            .margin_top(pixels(size.text * 2.2))
            .margin_right(pixels(size.text * 1.6))
            .margin_bottom(pixels(size.text * 1.6))
            .x_label_area_size(pixels(size.text * 1.8))
            .y_label_area_size(pixels(left))
            .build_cartesian_2d(
                contexts.log_scale().base(CONTEXT_STEP),
                (axis.low..axis.high).log_scale().base(axis.step),
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(ink(Paint::Line, 0.0))
            .bold_line_style(ink(Paint::Line, 1.0).stroke_width(10))
            .axis_style(ink(Paint::Mute, 1.0).stroke_width(10))
            .set_all_tick_mark_size(pixels(5.0))
            .x_labels(8)
            .y_labels(axis.ticks().count())
            .x_label_formatter(&|context| tokens(*context))
            .y_label_formatter(&|bytes| axis.label(*bytes))
            .label_style(("sans-serif", size.text * SCALE).into_font().color(&ink(Paint::Mute, 1.0)))
            .draw()?;
        let tops: Vec<[f64; 4]> = self.samples.iter().map(Sample::tops).collect();
        for (index, part) in Part::ALL.into_iter().enumerate().rev() {
            let xs = || self.samples.iter().map(|sample| sample.context as f64);
            let top: Vec<_> = xs().zip(tops.iter().map(|tops| tops[index])).collect();
            let below = |tops: &[f64; 4]| if index == 0 { axis.low } else { tops[index - 1] };
            let floor: Vec<_> = xs().zip(tops.iter().map(below)).collect();
            let outline: Vec<_> = top.iter().chain(floor.iter().rev()).copied().collect();
            chart.draw_series([Polygon::new(outline, ink(part.paint(), 0.9).filled())])?;
            chart.draw_series(LineSeries::new(top, ink(Paint::Card, 1.0).stroke_width(12)))?;
        }
        let (x, y) = chart.backend_coord(&(self.here.context as f64, self.here.total()));
        Ok((f64::from(x) / SCALE, f64::from(y) / SCALE))
    }

    /// A line and a dot at the scenario's context, with the total beside them.
    fn mark_here(&self, drawing: &mut Drawing, (x, y): (f64, f64), size: Size, base: ByteBase) {
        let bottom = size.height - size.text * 3.4;
        drawing.line((x, size.text * 2.2), (x, bottom), Paint::Ink, 1.5).dashed();
        drawing.push(Shape::Circle { x, y, r: 5.0 }, Fill::Solid(Paint::Card)).stroked(Paint::Ink, 2.5);
        let label = format::bytes(Bytes(self.here.total()), base).to_string();
        let wide = text_width(&label, size.text, true);
        let (at, anchor) =
            if x > size.width / 2.0 { (x - 10.0, Anchor::End) } else { (x + 10.0, Anchor::Start) };
        let baseline = (y - 12.0).max(size.text * 3.0);
        let left = if anchor == Anchor::End { at - wide } else { at };
        let behind = [left - 5.0, baseline - size.text, wide + 10.0, size.text * 1.4];
        drawing.rect(behind, 4.0, Fill::Solid(Paint::Card)).faded(0.85);
        let set = Type::new(size.text, Paint::Ink).bold().anchored(anchor);
        drawing.text((at, baseline), label, set).shows("cache.request.bytes", self.here.total());
    }
}

/// Contexts between two labels of the horizontal axis.
const CONTEXT_STEP: f64 = 16.0;

/// The vertical axis: powers of `step` bytes from one at or below all that is shown to one at or above it.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    base: ByteBase,
}

impl Axis {
    fn new(chart: &CacheChart, base: ByteBase) -> Self {
        let step = match base {
            ByteBase::Binary => 4.0,
            ByteBase::Decimal => 10.0,
        };
        let first = |sample: &Sample| sample.parts.iter().copied().find(|part| *part > 0.0).unwrap_or(1.0);
        let lowest = chart.samples.iter().map(first).fold(f64::INFINITY, f64::min);
        let highest = chart.samples.iter().map(Sample::total).fold(1.0, f64::max);
        let mut low = 1.0;
        while low * step <= lowest.min(highest) {
            low *= step;
        }
        let mut high = low * step;
        while high < highest {
            high *= step;
        }
        Self { low, high, step, base }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (step, high) = (self.step, self.high);
        core::iter::successors(Some(self.low), move |tick| (tick * step <= high).then_some(tick * step))
    }

    /// A power has no digits after the point worth showing.
    fn label(&self, bytes: f64) -> String {
        let shown = format::bytes(Bytes(bytes), self.base);
        let whole = shown.number.split('.').next().unwrap_or(&shown.number);
        format!("{whole} {}", shown.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Theme, svg};
    use crate::language::Language;
    use crate::spec::v4_pro;

    fn chart(context: &str) -> CacheChart {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Context, context).unwrap();
        CacheChart::new(Ledger::Tutorial, &scenario, &v4_pro())
    }

    #[test]
    fn the_marker_holds_the_ledgers_total() {
        let chart = chart("32768");
        assert_eq!(chart.here.total(), 349_405_184.0);
        let drawing = chart.draw(Size::WIDE, Words::of(Language::English), ByteBase::Binary);
        let tagged = drawing.marks.iter().find(|mark| mark.figure.is_some()).unwrap();
        assert_eq!(tagged.figure.unwrap().value, 349_405_184.0);
        assert!(drawing.description.contains("333.2 MiB"));
    }

    #[test]
    fn all_ink_lies_inside() {
        for context in ["1", "127", "4096", "1048576"] {
            for language in [Language::Chinese, Language::English] {
                for size in [Size::WIDE, Size::NARROW] {
                    for base in [ByteBase::Binary, ByteBase::Decimal] {
                        let drawing = chart(context).draw(size, Words::of(language), base);
                        for mark in &drawing.marks {
                            let [left, top, right, bottom] = mark.ink();
                            let inside =
                                left >= 0.0 && top >= 0.0 && right <= size.width && bottom <= size.height;
                            assert!(inside, "{context} {language:?}: {mark:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_stack_adds_up_and_never_falls() {
        let chart = chart("1");
        assert_eq!(chart.samples.first().unwrap().context, 1);
        assert_eq!(chart.samples.last().unwrap().context, 1_048_576);
        assert!(chart.samples.windows(2).all(|pair| pair[0].total() <= pair[1].total()));
        assert_eq!(chart.csv().lines().count(), chart.samples.len() + 1);
        assert!(chart.csv().ends_with("10353082368\n"));
    }

    #[test]
    fn an_exported_file_stands_alone() {
        let drawing = chart("131072").draw_whole(Words::of(Language::Chinese), ByteBase::Binary);
        assert!(drawing.marks.iter().all(|mark| {
            let [left, top, right, bottom] = mark.ink();
            left >= 0.0 && top >= 0.0 && right <= drawing.width && bottom <= drawing.height
        }));
        let file = svg::write(&drawing, svg::Ink::Literal(Theme::Dark), &svg::Origin::default());
        assert!(!file.contains("var(") && !file.contains("NaN") && !file.contains("href"));
    }
}
