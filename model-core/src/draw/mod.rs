//! Drawings as data: a flat list of marks in paint order, which the page keeps as SVG nodes and the exporter writes
//! as an SVG file. Scenes and charts end here; nothing behind this point adds ink.

pub mod align;
pub mod legend;
pub mod metrics;
pub mod paint;
pub mod svg;

pub use paint::{Paint, Theme};

/// How an area is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Not at all.
    Empty,
    /// With one colour.
    Solid(Paint),
    /// With slanted stripes, for what lies over a limit.
    Hatched(Paint),
    /// With dots on the colour, for what is copied to every GPU.
    Dotted(Paint),
}

impl Fill {
    /// Its colour, if it has one.
    #[must_use]
    pub const fn paint(self) -> Option<Paint> {
        match self {
            Self::Solid(paint) | Self::Hatched(paint) | Self::Dotted(paint) => Some(paint),
            Self::Empty => None,
        }
    }
}

/// An outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub paint: Paint,
    /// Its width in drawing units.
    pub width: f64,
    /// Whether it is dashed.
    pub dashed: bool,
}

/// Where a text's `x` lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its left end.
    Start,
    /// In its middle.
    Middle,
    /// At its right end.
    End,
}

/// The geometry of a mark, in drawing units with `y` downwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle with rounded corners.
    Rect {
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// Corner radius.
        radius: f64,
    },
    /// Straight lines through points, closed or open.
    Path {
        /// The corners in their order.
        points: Vec<(f64, f64)>,
        /// Whether the last joins the first.
        closed: bool,
    },
    /// Several open polylines: one mark for the same line on several cards.
    Lines {
        /// The corners of each.
        lines: Vec<Vec<(f64, f64)>>,
    },
    /// Equal cells filled row by row: one mark for many small things of one kind.
    Cells {
        /// Left edge of the first.
        x: f64,
        /// Upper edge of the first.
        y: f64,
        /// How many stand in a row.
        columns: usize,
        /// How many there are.
        count: usize,
        /// From one cell's left and upper edge to the next one's.
        pitch: (f64, f64),
        /// Width and height of a cell.
        size: (f64, f64),
    },
    /// Rectangles, each with its own place and size: one mark for many bars of one kind.
    Bars {
        /// Left, upper edge, width and height of each.
        areas: Vec<[f64; 4]>,
    },
    /// A circle.
    Circle {
        /// Centre.
        x: f64,
        /// Centre.
        y: f64,
        /// Radius.
        r: f64,
    },
    /// A line of text; `y` is its baseline.
    Text {
        /// Anchor point.
        x: f64,
        /// Baseline.
        y: f64,
        /// The words.
        text: String,
        /// Height of the letters' em.
        size: f64,
        /// Where `x` lies.
        anchor: Anchor,
        /// Whether it is set bold.
        bold: bool,
    },
}

/// The figure a mark shows, for readers and tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureTag {
    /// The figure's name.
    pub id: &'static str,
    /// The value shown, in base units.
    pub value: f64,
}

/// One piece of ink.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its geometry.
    pub shape: Shape,
    /// Its area.
    pub fill: Fill,
    /// Its outline.
    pub stroke: Option<Stroke>,
    /// From 0, invisible, to 1.
    pub opacity: f64,
    /// The figure it shows, if any.
    pub figure: Option<FigureTag>,
}

/// A picture: its size in drawing units, its text description and its marks from back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// A short title.
    pub title: String,
    /// What the picture shows, in a sentence or two.
    pub description: String,
    /// The ink.
    pub marks: Vec<Mark>,
    /// The GPUs' cards in it, for whoever wants to see one of them closer.
    pub cards: Vec<Card>,
}

/// Where a GPU's card stands in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its heading.
    pub name: String,
    /// Left, top, width, height.
    pub area: [f64; 4],
}

/// How a line of text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Height of the em in drawing units.
    pub size: f64,
    /// Bold or regular.
    pub bold: bool,
    /// Its colour.
    pub paint: Paint,
    /// Where the anchor point lies.
    pub anchor: Anchor,
}

impl Type {
    /// Regular text of that size, anchored at its left end.
    #[must_use]
    pub const fn new(size: f64, paint: Paint) -> Self {
        Self { size, bold: false, paint, anchor: Anchor::Start }
    }

    /// The same in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same, anchored elsewhere.
    #[must_use]
    pub const fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

impl Drawing {
    /// An empty picture of that size.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, ..Self::default() }
    }

    /// The figures it shows, each once, in paint order.
    #[must_use]
    pub fn figures(&self) -> Vec<&'static str> {
        let mut ids = Vec::new();
        for figure in self.marks.iter().filter_map(|mark| mark.figure) {
            if !ids.contains(&figure.id) {
                ids.push(figure.id);
            }
        }
        ids
    }

    /// Adds a mark and gives it back for finishing touches.
    // Not copied to every mark of every scene, nor are the three below: the page compiles a scene before it shows.
    #[inline(never)]
    pub fn push(&mut self, shape: Shape, fill: Fill) -> &mut Mark {
        self.marks.push(Mark { shape, fill, stroke: None, opacity: 1.0, figure: None });
        let last = self.marks.len() - 1;
        &mut self.marks[last]
    }

    /// Adds a filled rectangle.
    #[inline(never)]
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], radius: f64, fill: Fill) -> &mut Mark {
        self.push(Shape::Rect { x, y, width: width.max(0.0), height: height.max(0.0), radius }, fill)
    }

    /// Adds a straight line.
    #[inline(never)]
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint, width: f64) -> &mut Mark {
        let shape = Shape::Path { points: vec![from, to], closed: false };
        self.push(shape, Fill::Empty).stroked(paint, width)
    }

    /// Adds a line of text at a baseline.
    #[inline(never)]
    pub fn text(&mut self, (x, y): (f64, f64), text: impl Into<String>, set: Type) -> &mut Mark {
        let Type { size, bold, paint, anchor } = set;
        self.push(Shape::Text { x, y, text: text.into(), size, anchor, bold }, Fill::Solid(paint))
    }
}

/// Steps from nothing to fully opaque.
const SHADES: f64 = 16.0;

impl Mark {
    /// Gives it an outline.
    pub fn stroked(&mut self, paint: Paint, width: f64) -> &mut Self {
        self.stroke = Some(Stroke { paint, width, dashed: false });
        self
    }

    /// Makes its outline dashed.
    pub fn dashed(&mut self) -> &mut Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.dashed = true;
        }
        self
    }

    /// Sets how opaque it is, from 0 to 1, in as many shades as an eye tells apart while something fades: a mark that
    /// keeps its shade from one frame to the next costs nothing.
    pub fn faded(&mut self, opacity: f64) -> &mut Self {
        self.opacity = (opacity.clamp(0.0, 1.0) * SHADES).round() / SHADES;
        self
    }

    /// Notes the figure it shows.
    pub fn shows(&mut self, id: &'static str, value: f64) -> &mut Self {
        self.figure = Some(FigureTag { id, value });
        self
    }

    /// The same mark elsewhere.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Self {
        self.placed(1.0, dx, dy)
    }

    /// The same mark with every length times `scale`, then moved.
    #[must_use]
    pub fn placed(mut self, scale: f64, dx: f64, dy: f64) -> Self {
        let at = |x: &mut f64, y: &mut f64| (*x, *y) = (*x * scale + dx, *y * scale + dy);
        let size = |lengths: [&mut f64; 2]| lengths.into_iter().for_each(|length| *length *= scale);
        match &mut self.shape {
            Shape::Rect { x, y, width, height, radius } => {
                at(x, y);
                size([width, height]);
                *radius *= scale;
            }
            Shape::Circle { x, y, r } => {
                at(x, y);
                *r *= scale;
            }
            Shape::Cells { x, y, pitch, size: cell, .. } => {
                at(x, y);
                size([&mut pitch.0, &mut pitch.1]);
                size([&mut cell.0, &mut cell.1]);
            }
            Shape::Bars { areas } => {
                for [x, y, width, height] in areas {
                    at(x, y);
                    size([width, height]);
                }
            }
            Shape::Text { x, y, size, .. } => {
                at(x, y);
                *size *= scale;
            }
            Shape::Path { points, .. } => points.iter_mut().for_each(|(x, y)| at(x, y)),
            Shape::Lines { lines } => lines.iter_mut().flatten().for_each(|(x, y)| at(x, y)),
        }
        if let Some(stroke) = &mut self.stroke {
            stroke.width *= scale;
        }
        self
    }

    /// Whether it has any part at all.
    #[must_use]
    pub(crate) fn is_there(&self) -> bool {
        match &self.shape {
            Shape::Bars { areas } => !areas.is_empty(),
            Shape::Lines { lines } => !lines.is_empty(),
            _ => true,
        }
    }

    /// The smallest box around its ink: left, top, right, bottom.
    #[must_use]
    pub fn ink(&self) -> [f64; 4] {
        let half = self.stroke.map_or(0.0, |stroke| stroke.width / 2.0);
        let [left, top, right, bottom] = match &self.shape {
            Shape::Rect { x, y, width, height, .. } => [*x, *y, x + width, y + height],
            Shape::Circle { x, y, r } => [x - r, y - r, x + r, y + r],
            Shape::Cells { x, y, columns, count, pitch, size } => {
                let (wide, high) =
                    ((*columns).min(*count).max(1) - 1, count.saturating_sub(1) / (*columns).max(1));
                [*x, *y, x + wide as f64 * pitch.0 + size.0, y + high as f64 * pitch.1 + size.1]
            }
            Shape::Bars { areas } => areas
                .iter()
                .map(|[x, y, width, height]| [*x, *y, x + width, y + height])
                .reduce(|[l, t, r, b], [x, y, u, v]| [l.min(x), t.min(y), r.max(u), b.max(v)])
                .unwrap_or_default(),
            Shape::Path { points, .. } => around(points.iter()),
            Shape::Lines { lines } => around(lines.iter().flatten()),
            Shape::Text { x, y, text, size, anchor, bold } => {
                let width = metrics::text_width(text, *size, *bold);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                [left, y - size * metrics::ASCENT, left + width, y + size * metrics::DESCENT]
            }
        };
        [left - half, top - half, right + half, bottom + half]
    }
}

/// The smallest box around points: left, top, right, bottom.
pub(crate) fn around<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> [f64; 4] {
    points
        .fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |[l, t, r, b], (x, y)| {
            [l.min(*x), t.min(*y), r.max(*x), b.max(*y)]
        })
}
