//! Charts: figures over one quantity as data, drawn by plotters into a [`Drawing`]. [`ChartId`] lists them; a page
//! needs one component for all: [`ChartId::derive`] gives a [`Chart`], which draws itself, reads itself aloud at any
//! place, and hands out legend, table and file.

pub(crate) mod axis;
mod backend;
mod data;
mod derive;
mod measured;
mod plot;
mod rows;
#[cfg(test)]
mod tests;
mod words;

pub use data::{Chart, Entry, Form, Name, Place, Reading, Series, Stop};
pub(crate) use derive::part_fill;
pub(crate) use plot::excuse;
pub(crate) use words::{part as part_name, with_unit};

use crate::basis::Basis;
use crate::draw::legend;
use crate::draw::{Drawing, Paint, Type};
use crate::language::Language;
use crate::scenario::Key;
use crate::scene::{Layout, Look, Text};
use words::Told;

/// The charts: name in links and files, the keys their axes are, their words, and what derives them.
macro_rules! charts {
    ($($(#[$doc:meta])* $chart:ident $name:literal $across:expr, $upward:expr, $told:ident, $derive:path;)+) => {
        /// A chart by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ChartId { $($(#[$doc])* $chart),+ }

        impl ChartId {
            /// Every chart, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$chart),+];

            /// Their names, in the same order.
            pub const NAMES: &[&str] = &[$($name),+];

            /// Its name in links, files and test hooks.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$chart => $name),+ }
            }

            /// The scenario key that its horizontal axis is, if it is one.
            #[must_use]
            pub const fn across_key(self) -> Option<Key> {
                match self { $(Self::$chart => $across),+ }
            }

            /// The scenario key that its vertical axis is, if it is one.
            #[must_use]
            pub const fn upward_key(self) -> Option<Key> {
                match self { $(Self::$chart => $upward),+ }
            }

            const fn told(self) -> &'static Told {
                match self { $(Self::$chart => &words::$told),+ }
            }

            /// Derives the chart for a scenario.
            #[must_use]
            pub fn derive(self, basis: Basis) -> Chart {
                let chart = match self { $(Self::$chart => $derive(self, basis)),+ };
                chart.held_to(basis.report)
            }
        }
    };
}

charts! {
    /// Memory of the fullest GPU over context, against its capacity.
    MemoryContext "memory-context" Some(Key::Context), None, MEMORY_CONTEXT, derive::memory_context;
    /// The same over batch.
    MemoryBatch "memory-batch" Some(Key::Batch), None, MEMORY_BATCH, derive::memory_batch;
    /// One request's cache over its context.
    Cache "cache" Some(Key::Context), None, CACHE, derive::cache;
    /// The largest batch over context, by placement of the caches.
    Capacity "capacity" Some(Key::Context), None, CAPACITY, derive::capacity;
    /// A decode step by stage, over batch.
    Decode "decode" Some(Key::Batch), None, DECODE, derive::decode;
    /// Step time over batch and context, with the border of what fits.
    Heat "heat" Some(Key::Batch), Some(Key::Context), HEAT, derive::heat;
    /// Throughput against interactivity, by plan.
    Pareto "pareto" None, None, PARETO, derive::pareto;
    /// The decode stages under the roofline.
    Roofline "roofline" None, None, ROOFLINE, derive::roofline;
    /// Different experts over batch.
    Experts "experts" Some(Key::Batch), None, EXPERTS, derive::experts;
    /// An all-reduce over message size, by algorithm.
    Allreduce "allreduce" None, None, ALLREDUCE, derive::allreduce;
    /// A prefill chunk over its prefix.
    Prefill "prefill" Some(Key::Prefix), None, PREFILL, derive::prefill;
    /// Every clean decode row: its floor, and what was measured.
    Measured "measured" None, None, MEASURED, measured::measured;
}

impl ChartId {
    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|chart| chart.name() == name)
    }

    /// Its title.
    #[must_use]
    pub const fn title(self, look: Look) -> &'static str {
        look.say(self.told().title)
    }

    /// What its rows are called: the key of the horizontal axis; of a cloud of points, the batch that tells them apart.
    const fn row_name(self) -> Text {
        match self {
            Self::Pareto | Self::Roofline => words::BATCH,
            _ => self.told().across,
        }
    }

    /// The same as a column's head in files.
    const fn row_code(self) -> &'static str {
        match (self, self.across_key()) {
            (_, Some(key)) => key.name(),
            (Self::Allreduce, None) => "message_bytes",
            (Self::Measured, None) => "row",
            _ => Key::Batch.name(),
        }
    }
}

/// Size of a chart in drawing units, which are the page's pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Height of the axis labels' em.
    pub text: f64,
}

impl Size {
    /// For a column of a desktop page.
    pub const WIDE: Self = Self { width: 720.0, height: 400.0, text: 15.0 };
    /// For a phone.
    pub const NARROW: Self = Self { width: 358.0, height: 320.0, text: 13.0 };

    /// The size for a layout.
    #[must_use]
    pub const fn of(layout: Layout) -> Self {
        match layout {
            Layout::Wide => Self::WIDE,
            Layout::Narrow => Self::NARROW,
        }
    }
}

/// A token count as axes show it: `512`, `4K`, `1M`.
#[must_use]
pub fn tokens(count: f64) -> String {
    let whole = |number: f64| format!("{}", number.round());
    if count >= 1_048_576.0 {
        format!("{}M", whole(count / 1_048_576.0))
    } else if count >= 1024.0 {
        format!("{}K", whole(count / 1024.0))
    } else {
        whole(count)
    }
}

/// A chart with its title above and its legend below, for a file that stands alone.
pub(crate) fn framed(chart: Drawing, text: f64, entries: &[legend::Entry]) -> Drawing {
    const MARGIN: f64 = 20.0;
    let head = text * 3.4;
    let width = chart.width + 2.0 * MARGIN;
    let mut whole = Drawing::new(width, 0.0);
    let title = Type::new(text * 1.25, Paint::Ink).bold();
    whole.text((MARGIN, text * 2.2), chart.title.clone(), title);
    whole.marks.extend(chart.marks.into_iter().map(|mark| mark.moved(MARGIN, head)));
    let top = head + chart.height + text;
    let end = legend::draw(&mut whole, [MARGIN, top, chart.width], text, entries);
    Drawing { height: end + text, title: chart.title, description: chart.description, ..whole }
}

impl Look {
    /// For what no reader sees: names in files.
    const fn plain() -> Self {
        Self { layout: Layout::Wide, language: Language::English, base: crate::format::ByteBase::Binary }
    }
}
