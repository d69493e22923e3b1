//! The cache chart as the first view shows it: its curve is kept while the reader moves along it.

use super::ChartId;
use super::data::Chart;
use super::derive::cache_of;
use crate::draw::Drawing;
use crate::figure::{Ledger, Report};
use crate::ledger::at_context;
use crate::ledger::memory::{Part, request_cache, request_over};
use crate::scenario::{Key, Scenario};
use crate::scene::Look;
use crate::spec::ModelSpec;
use crate::units::Bytes;

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
        let stops: Vec<u64> = Key::Context.stops().into_iter().map(|stop| stop as u64).collect();
        let sizes = request_over(ledger, &settings, spec, &stops);
        let sample = |(context, parts): (u64, Vec<Bytes>)| Sample {
            context,
            parts: parts.into_iter().map(Bytes::get).collect(),
        };
        let samples = stops.into_iter().zip(sizes).map(sample).collect();
        let here = at_context(ledger, scenario, spec, settings.context);
        let here = Sample::of(&here, &parts, settings.context);
        Self { parts, samples, here }
    }

    /// The same chart for another context of the same scenario.
    #[must_use]
    pub fn moved(&self, report: &Report, context: u64) -> Self {
        Self { here: Sample::of(report, &self.parts, context), ..self.clone() }
    }

    /// The chart in the shape that all charts have.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let mut samples: Vec<&Sample> = self
            .samples
            .iter()
            .filter(|sample| sample.context != self.here.context)
            .chain([&self.here])
            .collect();
        samples.sort_by_key(|sample| sample.context);
        let contexts = samples.iter().map(|sample| sample.context as f64).collect();
        let column = |index: usize| samples.iter().map(|sample| sample.parts.get(index).copied()).collect();
        let chart = cache_of(ChartId::Cache, contexts, &self.parts, (0..self.parts.len()).map(column));
        chart.marked_at(self.here.context as f64)
    }

    /// The data as comma-separated values with a heading line; bytes in base units.
    #[must_use]
    pub fn csv(&self) -> String {
        self.chart().csv()
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self, look: Look) -> Drawing {
        self.chart().draw(look)
    }

    /// The chart with its title and legend inside, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, look: Look) -> Drawing {
        self.chart().draw_whole(look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Theme, svg};
    use crate::format::ByteBase;
    use crate::language::Language;
    use crate::scene::Layout;
    use crate::spec::v4_pro;

    fn look(layout: Layout, language: Language, base: ByteBase) -> Look {
        Look { layout, language, base }
    }

    fn chart(context: &str) -> CacheChart {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Context, context).unwrap();
        CacheChart::new(Ledger::Tutorial, &scenario, &v4_pro())
    }

    #[test]
    fn the_marker_holds_the_ledgers_total() {
        let chart = chart("32768");
        assert_eq!(chart.here.total(), 349_405_184.0);
        let drawing = chart.draw(look(Layout::Wide, Language::English, ByteBase::Binary));
        let tagged = drawing.marks.iter().find(|mark| mark.figure.is_some()).unwrap();
        assert_eq!(tagged.figure.unwrap().value, 349_405_184.0);
        assert!(drawing.description.contains("333.2 MiB"));
    }

    #[test]
    fn all_ink_lies_inside() {
        for context in ["1", "127", "4096", "1048576"] {
            for language in [Language::Chinese, Language::English] {
                for layout in [Layout::Wide, Layout::Narrow] {
                    for base in [ByteBase::Binary, ByteBase::Decimal] {
                        let drawing = chart(context).draw(look(layout, language, base));
                        for mark in &drawing.marks {
                            let [left, top, right, bottom] = mark.ink();
                            let inside = left >= 0.0
                                && top >= 0.0
                                && right <= drawing.width
                                && bottom <= drawing.height;
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
        let drawing = chart("131072").draw_whole(look(Layout::Wide, Language::Chinese, ByteBase::Binary));
        assert!(drawing.marks.iter().all(|mark| {
            let [left, top, right, bottom] = mark.ink();
            left >= 0.0 && top >= 0.0 && right <= drawing.width && bottom <= drawing.height
        }));
        let file = svg::write(&drawing, svg::Ink::Literal(Theme::Dark), &svg::Origin::default());
        assert!(!file.contains("var(") && !file.contains("NaN") && !file.contains("href"));
    }
}
