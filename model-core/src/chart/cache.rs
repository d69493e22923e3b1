//! Chart: the cache of one request over its context, its parts stacked, both axes logarithmic.

use plotters::prelude::{ChartBuilder, Color, IntoDrawingArea, IntoFont, IntoLogRange, LineSeries, Polygon};

use super::backend::{Canvas, SCALE, ink};
use super::{Size, framed, tokens, widest};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::figure::{Ledger, Report};
use crate::format::{self, ByteBase};
use crate::ledger::at_context;
use crate::ledger::memory::{Part, request_cache};
use crate::scenario::{Key, Scenario};
use crate::spec::ModelSpec;
use crate::units::Bytes;
use crate::words::{Words, fill};

/// One context and what each part takes there.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Tokens so far.
    pub context: u64,
    /// Bytes of the parts in the chart's order.
    pub parts: Vec<f64>,
}

impl Sample {
    fn of(report: &Report, parts: &[(Part, &'static str)], context: u64) -> Self {
        Self { context, parts: parts.iter().map(|(_, figure)| report.bytes(figure).get()).collect() }
    }

    /// All parts together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.parts.iter().sum()
    }

    /// The first parts together, that many of them.
    fn level(&self, parts: usize) -> f64 {
        self.parts.iter().take(parts).sum()
    }
}

/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheChart {
    /// The parts from the bottom up, each with the figure that holds its size.
    pub parts: Vec<(Part, &'static str)>,
    /// Samples with rising context.
    pub samples: Vec<Sample>,
    /// The scenario's own context.
    pub here: Sample,
}

impl CacheChart {
    /// Computes the data for a scenario.
    #[must_use]
    pub fn new(ledger: Ledger, scenario: &Scenario, spec: &ModelSpec) -> Self {
        let settings = scenario.resolve(ledger);
        let parts = request_cache(ledger, &settings);
        let sample = |context| Sample::of(&at_context(ledger, scenario, spec, context), &parts, context);
        let samples = Key::Context.stops().into_iter().map(|stop| sample(stop as u64)).collect();
        let here = sample(settings.context);
        Self { parts, samples, here }
    }

    /// The same chart for another context of the same scenario.
    #[must_use]
    pub fn moved(&self, report: &Report, context: u64) -> Self {
        Self { here: Sample::of(report, &self.parts, context), ..self.clone() }
    }

    /// The data as comma-separated values with a heading line; bytes in base units.
    #[must_use]
    pub fn csv(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|(_, figure)| *figure).collect();
        let mut text = format!("context,{},total\n", names.join(","));
        for sample in &self.samples {
            let parts: Vec<String> = sample.parts.iter().map(f64::to_string).collect();
            text.push_str(&format!("{},{},{}\n", sample.context, parts.join(","), sample.total()));
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
        let entry = |(part, _): &(Part, _)| (Fill::Solid(part.paint()), (words.part)(*part).to_owned());
        let entries: Vec<_> = self.parts.iter().map(entry).collect();
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
        for (index, (part, _)) in self.parts.iter().enumerate().rev() {
            let edge = |parts: usize| {
                let level = move |sample: &Sample| if parts == 0 { axis.low } else { sample.level(parts) };
                self.samples
                    .iter()
                    .map(move |sample| (sample.context as f64, level(sample)))
                    .collect::<Vec<_>>()
            };
            let (top, floor) = (edge(index + 1), edge(index));
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
#[derive(Clone, Copy)]
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
