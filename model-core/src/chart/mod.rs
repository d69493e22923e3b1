//! Charts: figures over one quantity as data, drawn by plotters into a [`Drawing`](crate::draw::Drawing).

mod backend;
pub mod cache;

use crate::draw::legend::{self, Entry};
use crate::draw::metrics::text_width;
use crate::draw::{Drawing, Paint, Type};

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

/// The room the longest of some labels takes.
fn widest(labels: impl Iterator<Item = String>, size: f64) -> f64 {
    labels.map(|label| text_width(&label, size, false)).fold(0.0, f64::max)
}

/// A chart with its title above and its legend below, for a file that stands alone.
fn framed(chart: Drawing, text: f64, entries: &[Entry]) -> Drawing {
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
