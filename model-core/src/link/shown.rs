//! What a reader chose to see in the rooms, as far as addresses carry it.

use crate::chart::ChartId;
use crate::compare::Which;
use crate::ledger::Topic;
use crate::reality::Filter;
use crate::scenario::{Reason, Refusal};

const ROWS: &str = "rows";
const CHART: &str = "chart";
const FIGURES: &str = "figures";
const WAY: &str = "way";

/// The choices; each room has its own first view where none is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Which published rows.
    pub rows: Filter,
    /// The chart that stands large.
    pub chart: Option<ChartId>,
    /// Which figures are set side by side.
    pub figures: Which,
    /// The number whose way from one scenario to another stands beside the usual ones.
    pub way: Option<Topic>,
}

impl Shown {
    /// Whether a key of an address speaks of it.
    pub(super) fn has(name: &str) -> bool {
        [ROWS, CHART, FIGURES, WAY].contains(&name)
    }

    /// Takes the value of one of its keys.
    ///
    /// # Errors
    /// Where there is no such choice; the last one stays.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let none_of = |words| Refusal::new(name, value, Reason::NotOneOf(words));
        match name {
            CHART => {
                self.chart = Some(ChartId::from_name(value).ok_or_else(|| none_of(ChartId::NAMES))?);
            }
            FIGURES => self.figures = Which::from_name(value).ok_or_else(|| none_of(Which::NAMES))?,
            WAY => self.way = Some(Topic::from_name(value).ok_or_else(|| none_of(Topic::NAMES))?),
            _ => {
                self.rows = Filter::read(value)
                    .map_err(|error| Refusal::new(name, &error.given, Reason::NoSuchRows(error.facet)))?;
            }
        }
        Ok(())
    }

    /// Its keys and values, without those that are not chosen.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        let rows = (self.rows != Filter::default()).then(|| (ROWS, self.rows.write()));
        let chart = self.chart.map(|chart| (CHART, chart.name().to_owned()));
        let figures = (self.figures != Which::default()).then(|| (FIGURES, self.figures.name().to_owned()));
        let way = self.way.map(|way| (WAY, way.name().to_owned()));
        [rows, chart, figures, way].into_iter().flatten()
    }
}
