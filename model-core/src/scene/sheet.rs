//! A sheet of marks drawn once for a look: each knows with which group of events it comes and in which panel it stands,
//! so that a frame only copies and fades.

use super::lines;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type};

#[derive(Clone, Copy, Debug)]
struct Tag {
    group: usize,
    panel: Option<usize>,
    grows: bool,
}

/// The marks with their tags.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    drawing: Drawing,
    tags: Vec<Tag>,
    group: usize,
    panel: Option<usize>,
}

impl Sheet {
    pub(super) fn new(drawing: Drawing) -> Self {
        Self { drawing, group: usize::MAX, ..Self::default() }
    }

    /// What follows comes with a group.
    pub(super) fn group(&mut self, group: impl Into<usize>) {
        self.group = group.into();
    }

    /// What follows stands in a panel, or always.
    pub(super) fn panel(&mut self, panel: Option<usize>) {
        self.panel = panel;
    }

    fn tag(&mut self, grows: bool) {
        let tag = Tag { group: self.group, panel: self.panel, grows };
        self.tags.resize(self.drawing.marks.len(), tag);
    }

    pub(super) fn rect(&mut self, area: [f64; 4], radius: f64, fill: Fill) -> &mut Mark {
        self.push(|drawing| _ = drawing.rect(area, radius, fill), false)
    }

    /// A bar that grows from its left end.
    pub(super) fn bar(&mut self, area: [f64; 4], fill: Fill) -> &mut Mark {
        self.push(|drawing| _ = drawing.rect(area, 2.0, fill), true)
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint, width: f64) -> &mut Mark {
        self.push(|drawing| _ = drawing.line(from, to, paint, width), false)
    }

    pub(super) fn shape(&mut self, shape: Shape, fill: Fill) -> &mut Mark {
        self.push(|drawing| _ = drawing.push(shape, fill), false)
    }

    pub(super) fn text(&mut self, at: (f64, f64), text: impl Into<String>, set: Type) -> &mut Mark {
        let text = text.into();
        self.push(|drawing| _ = drawing.text(at, text, set), false)
    }

    fn push(&mut self, draw: impl FnOnce(&mut Drawing), grows: bool) -> &mut Mark {
        draw(&mut self.drawing);
        self.tag(grows);
        let last = self.drawing.marks.len() - 1;
        &mut self.drawing.marks[last]
    }

    /// A name at the left and its value at the right of a line; the value alone where there is no room for both.
    pub(super) fn pair(
        &mut self,
        [x, y, width]: [f64; 3],
        name: &str,
        value: String,
        size: f64,
    ) -> &mut Mark {
        let room = width - text_width(&value, size, true) - size * 0.5;
        let fits = text_width(name, size, false) <= room;
        self.text((x, y), if fits { name } else { "" }, Type::new(size, Paint::Mute));
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::End);
        self.text((x + width, y), value, set)
    }

    /// A sentence in so many lines.
    pub(super) fn lines(
        &mut self,
        at: (f64, f64),
        width: f64,
        text: &str,
        count: usize,
        sizes: &[f64],
        set: Type,
    ) {
        let (size, wrapped) = lines::fit(text, set.bold, width, count, sizes);
        lines::draw(&mut self.drawing, at, &wrapped, count, Type { size, ..set });
        self.tag(false);
    }

    /// The marks as they stand, with so much of each group and only the panel that is open.
    pub(super) fn at(&self, happened: &[f64], open: Option<usize>) -> Drawing {
        let mut drawing = self.drawing.clone();
        for (mark, tag) in drawing.marks.iter_mut().zip(&self.tags) {
            let part = happened.get(tag.group).copied().unwrap_or(1.0);
            let shown = open.is_none() || tag.panel.is_none() || tag.panel == open;
            if tag.grows
                && let Shape::Rect { width, .. } = &mut mark.shape
            {
                *width *= part;
            }
            if !shown {
                mark.faded(0.0);
            } else if part < 1.0 {
                mark.faded(mark.opacity * part);
            }
        }
        drawing
    }
}
