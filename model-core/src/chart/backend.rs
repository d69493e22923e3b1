//! plotters' drawing backend onto a [`Drawing`]: lengths of text come from our table, never from a browser, and
//! colours stay paints, so that charts are the same everywhere and follow the theme.

use core::convert::Infallible;

use plotters::style::RGBAColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type};

/// plotters counts in whole pixels; ten of them to a drawing unit keep curves smooth.
pub(super) const SCALE: f64 = 10.0;

/// Draws into a drawing.
pub(super) struct Canvas<'a> {
    drawing: &'a mut Drawing,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(drawing: &'a mut Drawing) -> Self {
        Self { drawing }
    }

    fn finish(mark: &mut Mark, color: BackendColor, filled: bool, width: u32) {
        let Some(paint) = paint_of(color) else { return };
        mark.opacity = color.alpha;
        if filled {
            mark.fill = match color.rgb.1 {
                HATCHED => Fill::Hatched(paint),
                DOTTED => Fill::Dotted(paint),
                _ => Fill::Solid(paint),
            };
        } else {
            mark.stroked(paint, f64::from(width) / SCALE);
            if color.rgb.1 == HATCHED {
                mark.dashed();
            }
        }
    }
}

/// A fill as a colour plotters can carry: its paint's number in the red channel, its pattern's in the green one. A line
/// of a hatched colour is dashed.
pub(super) fn ink(fill: Fill, opacity: f64) -> RGBAColor {
    let (paint, pattern) = match fill {
        Fill::Empty => return RGBAColor(0, 0, 0, 0.0),
        Fill::Solid(paint) => (paint, 0),
        Fill::Hatched(paint) => (paint, HATCHED),
        Fill::Dotted(paint) => (paint, DOTTED),
    };
    let index = Paint::ALL.iter().position(|known| *known == paint).unwrap_or(0);
    RGBAColor(index as u8, pattern, 0, opacity)
}

const HATCHED: u8 = 1;
const DOTTED: u8 = 2;

fn paint_of(color: BackendColor) -> Option<Paint> {
    Paint::ALL.get(usize::from(color.rgb.0)).copied()
}

fn unit(coordinate: i32) -> f64 {
    f64::from(coordinate) / SCALE
}

fn point((x, y): BackendCoord) -> (f64, f64) {
    (unit(x), unit(y))
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        ((self.drawing.width * SCALE) as u32, (self.drawing.height * SCALE) as u32)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (point(upper_left), point(bottom_right));
        let mark = self.drawing.rect([left, top, right - left, bottom - top], 0.0, Fill::Empty);
        Self::finish(mark, style.color(), fill, style.stroke_width());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<_> = path.into_iter().map(point).collect();
        if style.color().alpha > 0.0 && points.len() > 1 {
            let mark = self.drawing.push(Shape::Path { points, closed: false }, Fill::Empty);
            Self::finish(mark, style.color(), false, style.stroke_width());
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (x, y) = point(center);
        let mark = self.drawing.push(Shape::Circle { x, y, r: f64::from(radius) / SCALE }, Fill::Empty);
        Self::finish(mark, style.color(), fill, style.stroke_width());
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vertices: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<_> = vertices.into_iter().map(point).collect();
        let mark = self.drawing.push(Shape::Path { points, closed: true }, Fill::Empty);
        Self::finish(mark, style.color(), true, 0);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, at: BackendCoord) -> Drawn {
        let Some(paint) = paint_of(style.color()).filter(|_| !text.is_empty()) else { return Ok(()) };
        let size = style.size() / SCALE;
        let anchor = style.anchor();
        let (x, y) = point(at);
        // Baselines, since viewers disagree on every other reference line.
        let baseline = match anchor.v_pos {
            VPos::Top => y + size * 0.85,
            VPos::Center => y + size * 0.36,
            VPos::Bottom => y - size * 0.15,
        };
        let along = match anchor.h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        self.drawing.text((x, baseline), text, Type::new(size, paint).anchored(along));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = crate::draw::metrics::text_width(text, style.size(), false);
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }
}
