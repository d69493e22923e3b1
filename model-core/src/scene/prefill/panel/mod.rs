//! The panels beside the layers' caches, one a step, drawn for either arrangement.

mod block;
mod caches;
mod chunks;
mod peak;

use super::frame::fitting;
use crate::draw::metrics::wrap;
use crate::draw::{Drawing, Fill, Mark, Paint, Shape, Type};

/// Which arrangement a panel stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Beside the layers.
    Wide,
    /// Under them, on a phone.
    Narrow,
}

/// A box to draw in.
pub(super) struct Panel {
    /// The marks, in the stage's own units.
    pub(super) drawing: Drawing,
    /// Left edge, top, width, height.
    area: [f64; 4],
    size: Size,
}

impl Panel {
    pub(super) fn new(area: [f64; 4], size: Size) -> Self {
        Self { drawing: Drawing::default(), area, size }
    }

    /// One of two values, by the arrangement.
    fn pick<T>(&self, wide: T, narrow: T) -> T {
        if self.size == Size::Wide { wide } else { narrow }
    }

    /// Letters of the smallest size.
    fn small(&self, paint: Paint) -> Type {
        Type::new(self.pick(20.0, 24.0), paint)
    }

    /// The panel's heading, on its first line.
    fn heading(&mut self, text: &str) {
        let [x, y, width, _] = self.area;
        let sizes = self.pick([24.0, 22.0, 20.0], [28.0, 26.0, 24.0]);
        let size = fitting(text, &sizes, 1, width);
        self.drawing.text((x, y + 26.0), text, Type::new(size, Paint::Ink).bold());
    }

    /// A line of text that shrinks a little where it must.
    fn line(&mut self, at: (f64, f64), text: &str, set: Type, room: f64) -> &mut Mark {
        let least = self.pick(18.0, 24.0);
        let size = fitting(text, &[set.size, (set.size - 1.0).max(least), least], 1, room);
        self.drawing.text(at, text, Type { size, ..set })
    }

    /// Lines of a sentence from a baseline on; gives back the next baseline.
    fn lines(&mut self, (x, y): (f64, f64), text: &str, set: Type, room: f64, opacity: f64) -> f64 {
        let mut baseline = y;
        for line in wrap(text, set.size, set.bold, room) {
            self.drawing.text((x, baseline), line, set).faded(opacity);
            baseline += set.size * 1.36;
        }
        baseline
    }

    /// A sample of a fill with its sentence; gives back the next baseline.
    fn sample(&mut self, (x, y): (f64, f64), fill: Fill, text: &str, room: f64, opacity: f64) -> f64 {
        let set = self.small(Paint::Ink);
        let side = set.size * 0.9;
        self.drawing.rect([x, y - side * 0.86, side, side], 4.0, fill).faded(opacity);
        self.lines((x + side + 10.0, y), text, set, room - side - 10.0, opacity)
    }
}

/// Cells side by side, from the left edge on.
fn row([x, y]: [f64; 2], count: usize, pitch: f64, high: f64) -> Shape {
    let gap = (pitch * 0.16).min(3.0);
    Shape::Cells { x, y, columns: count.max(1), count, pitch: (pitch, high), size: (pitch - gap, high) }
}
