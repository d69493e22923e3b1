//! The bytes beside it: a wedge for each part over the context, what is constant below, what grows above.

use super::frame::Stage;
use super::words;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::scene::lines;
use crate::words::Words;

impl Stage<'_> {
    /// The chart with the list of its parts.
    pub(super) fn growth(&self, drawing: &mut Drawing, [x, y, width, high]: [f64; 4]) {
        let (scene, grown) = (self.scene, self.progress.grown);
        let small = self.small(Paint::Mute);
        let line = small.size * lines::LEADING;
        let large = self.pick(21.0, 28.0);
        let first = drawing.marks.len();
        self.heading(drawing, (x, y + large), &self.tell(words::GROWTH, &[]), width);
        if let Some(mark) = drawing.marks.get_mut(first).filter(|_| scene.request.get().is_finite()) {
            mark.shows("cache.request.bytes", scene.request.get());
        }
        let told = self.tell(words::SLOPE, &[]);
        self.sentence(drawing, (x, y + large + line), &told, small, (width, self.pick(1, 2)), 1.0);
        let top = y + large + line * self.pick(1.0, 2.0) + 16.0;
        let chart = match self.narrow() {
            false => [x, top, 232.0, y + high - top - line],
            true => [x, top, width, 400.0],
        };
        self.wedges(drawing, chart);
        let base = chart[1] + chart[3] + small.size * 1.1;
        drawing.text((chart[0], base), "0", small);
        let end = small.anchored(Anchor::End);
        drawing.text((chart[0] + chart[2], base), format::count(scene.context as f64), end);
        let list = match self.narrow() {
            false => [x + 252.0, top, width - 252.0],
            true => [x, base + 24.0, width],
        };
        // As many rows as there are parts, closer together where they are many.
        let pitch = line.min((y + high - top) / scene.parts.len().max(1) as f64);
        for (index, share) in scene.parts.iter().enumerate() {
            let base = list[1] + index as f64 * pitch + small.size * 0.9;
            let side = small.size * 0.8;
            let swatch = [list[0], base - side * 0.9, side, side];
            drawing.rect(swatch, 3.0, Fill::Solid(share.part.paint()));
            let name = (Words::of(self.look.language).part)(share.part);
            let set = Type::new(self.pick(18.0, 24.0), Paint::Ink);
            drawing.text((list[0] + side + 8.0, base), name, set);
            let amount = format::bytes(share.bytes, self.look.base).to_string();
            drawing
                .text((list[0] + list[2], base), amount, set.anchored(Anchor::End))
                .shows(share.figure, share.bytes.get())
                .faded(grown);
        }
    }

    /// The parts stacked, each from what it has at first to what it has after the context.
    fn wedges(&self, drawing: &mut Drawing, [x, y, width, high]: [f64; 4]) {
        let (scene, grown) = (self.scene, self.progress.grown);
        let total = scene.request.get().max(1.0);
        let bottom = y + high;
        let level = |bytes: f64| bottom - bytes / total * high;
        let mut start = 0.0;
        let mut end = 0.0;
        let mut shapes = Vec::with_capacity(scene.parts.len());
        for share in &scene.parts {
            let (from, to) = (share.constant.get(), share.bytes.get());
            let along = |part: f64| x + width * part;
            let at = |first: f64, last: f64, part: f64| level(first + (last - first) * part);
            let points = vec![
                (along(0.0), at(start, end, 0.0)),
                (along(grown), at(start, end, grown)),
                (along(grown), at(start + from, end + to, grown)),
                (along(0.0), at(start + from, end + to, 0.0)),
            ];
            (start, end) = (start + from, end + to);
            shapes.push((points, share.part.paint()));
        }
        let outline = vec![(x, bottom), (x + width, bottom), (x + width, level(end)), (x, level(start))];
        drawing.push(Shape::Path { points: outline, closed: true }, Fill::Solid(Paint::Sunk));
        for (points, paint) in shapes {
            // Neighbours of one colour are told apart by the seam.
            drawing.push(Shape::Path { points, closed: true }, Fill::Solid(paint)).stroked(Paint::Card, 1.0);
        }
        drawing.line((x, bottom), (x + width, bottom), Paint::Mute, 2.0);
    }
}
