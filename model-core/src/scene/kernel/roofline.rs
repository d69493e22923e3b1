//! A small roofline: attainable rate over FLOPs a byte, both logarithmic, with a kernel as a point on it.

use crate::draw::metrics::text_width;
use crate::draw::{Drawing, Fill, Paint, Shape, Type};

/// Doublings shown beyond the point and the ridge.
const MARGIN: f64 = 2.0;

/// What is drawn and how.
pub(super) struct Roofline<'a> {
    /// The kernel's FLOPs a byte.
    pub(super) intensity: f64,
    /// The ridge's.
    pub(super) ridge: f64,
    /// How much of the point is there.
    pub(super) shown: f64,
    /// Words for the slope and the flat part.
    pub(super) words: [&'a str; 2],
    /// Size of the words.
    pub(super) size: f64,
}

impl Roofline<'_> {
    /// Draws it into a box: left, top, width, height. Axes stand at its left and lower edge.
    pub(super) fn draw(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4]) {
        let ridge = libm::log2(self.ridge.max(1e-9));
        let at = if self.intensity > 0.0 { libm::log2(self.intensity) } else { ridge - 4.0 * MARGIN };
        let (low, high) = (at.min(ridge - MARGIN) - MARGIN, at.max(ridge) + MARGIN);
        let top = y + height * 0.2;
        let to_x = |doublings: f64| x + width * (doublings - low) / (high - low);
        // The slope gains a doubling of the rate with each doubling of the intensity.
        let to_y = |doublings: f64| {
            let below = (ridge - doublings).max(0.0) / (ridge - low);
            top + (y + height - 8.0 - top) * below
        };
        let foot = y + height;
        let corner = Shape::Path { points: vec![(x, y), (x, foot), (x + width, foot)], closed: false };
        drawing.push(corner, Fill::Empty).stroked(Paint::Line, 2.0);
        drawing.line((to_x(ridge), top), (to_x(ridge), foot), Paint::Mute, 1.5).dashed();
        let points = vec![(to_x(low), to_y(low)), (to_x(ridge), top), (to_x(high), top)];
        drawing.push(Shape::Path { points, closed: false }, Fill::Empty).stroked(Paint::Ink, 3.0);
        let set = Type::new(self.size, Paint::Mute);
        let [slope, flat] = self.words;
        let flat_x = to_x(ridge).min(x + width - text_width(flat, self.size, false));
        drawing.text((flat_x, top - 10.0), flat, set);
        // Above the slope where there is room, else beside its foot.
        let wide = text_width(slope, self.size, false);
        let under = to_x((low + ridge) / 2.0).max(x + wide + 24.0);
        let at_slope = if under < to_x(ridge) {
            let rise = (under - x) / (to_x(ridge) - x);
            (under - 16.0 - wide, to_y(low + (ridge - low) * rise) - 6.0)
        } else {
            ((to_x(ridge) + 12.0).min(x + width - wide), foot - 12.0)
        };
        drawing.text(at_slope, slope, set);
        let point = (to_x(at), to_y(at));
        drawing.line(point, (point.0, foot), Paint::Token, 2.5).dashed().faded(self.shown);
        let dot = Shape::Circle { x: point.0, y: point.1, r: self.size * 0.5 };
        drawing.push(dot, Fill::Solid(Paint::Token)).stroked(Paint::Ink, 2.0).faded(self.shown);
    }
}
