//! "journey" for a phone: the layers side by side, eight small cards, the sentence, and the parts of the time as a list.

use super::Step;
use super::frame::Stage;
use super::span::{Span, number};
use super::time::{UNLIT, fill_of};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::scene::lines;
use crate::scene::parts::Grid;
use crate::scene::stage::{self, PLACES};
use crate::spec::Layer;
use crate::words::fill;

const WIDTH: f64 = stage::NARROW_WIDTH;
/// Width and height of a small card, and from one's left and upper edge to the next one's.
const CARD: (f64, f64) = (164.0, 176.0);
const PITCH: (f64, f64) = (174.667, 188.0);
/// Upper edge of the first row.
const CARDS_TOP: f64 = 112.0;

impl Stage<'_> {
    pub(super) fn narrow(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(WIDTH, 0.0);
        self.row_of_layers(&mut drawing);
        for place in 0..PLACES {
            self.small_card(&mut drawing, place);
        }
        let mut y = CARDS_TOP + 2.0 * PITCH.1 + 30.0;
        let (size, text) = lines::fit(caption, true, WIDTH - 32.0, 3, &[28.0, 26.0, 24.0]);
        lines::draw(&mut drawing, (16.0, y), &text, 3, Type::new(size, Paint::Ink).bold());
        y += 3.0 * 28.0 * lines::LEADING - 8.0;
        self.bar(&mut drawing, [16.0, y, WIDTH - 32.0, 16.0]);
        y += 52.0;
        y = self.list(&mut drawing, y);
        drawing.height = y.ceil();
        drawing
    }

    /// One bar for each layer from left to right, the token on its way along them.
    fn row_of_layers(&self, drawing: &mut Drawing) {
        let journey = self.journey;
        let count = journey.layers.len();
        let pitch = (WIDTH - 64.0) / count.max(1) as f64;
        let at = self.at_layer();
        let bar = |(index, layer): (usize, &Layer)| {
            let high = if index == journey.opened { 44.0 } else { 28.0 };
            let x = 32.0 + index as f64 * pitch;
            let passed = (index as f64) < at || index == journey.opened && self.step != Step::Embed;
            (layer.attention, [x, 80.0 - high / 2.0, (pitch - 2.0).max(0.6), high], passed)
        };
        stage::layer_bars(drawing, journey.layers.iter().enumerate().map(bar));
        let opened = (journey.opened as f64 + 0.5) * pitch + 32.0;
        let name = fill(self.words.layer, &[("n", number(journey.opened as u64))]);
        let text = [name.as_str(), " ", self.words.kind(journey.attention())].concat();
        let set = Type::new(26.0, Paint::Ink).bold().anchored(Anchor::Middle);
        let half = crate::draw::metrics::text_width(&text, 26.0, true) / 2.0;
        let middle = opened.clamp(16.0 + half, WIDTH - 16.0 - half);
        drawing.text((middle, 42.0), text, set);
        let (first, last) = (middle - half, middle + half);
        let muted = Type::new(24.0, Paint::Mute);
        let ends = [
            (16.0, "0".to_owned(), Anchor::Start),
            (WIDTH - 16.0, number(count.saturating_sub(1) as u64), Anchor::End),
        ];
        for (x, text, anchor) in ends {
            let near = x > first - 48.0 && x < last + 48.0;
            drawing.text((x, 42.0), text, muted.anchored(anchor)).faded(if near { 0.0 } else { 1.0 });
        }
        let beyond = if at >= count as f64 { 14.0 } else { pitch / 2.0 };
        let x = if self.step == Step::Embed && at <= 0.0 {
            18.0
        } else {
            32.0 + at.min(count as f64) * pitch + beyond
        };
        let x = x.min(WIDTH - 16.0);
        for (x, fill, opacity) in [
            (18.0, Fill::Empty, self.progress.sample),
            (x, Fill::Solid(Paint::Token), self.progress.lookup.max(0.4)),
        ] {
            let mark = drawing.push(Shape::Circle { x, y: 80.0, r: 10.0 }, fill);
            mark.stroked(if fill == Fill::Empty { Paint::Token } else { Paint::Card }, 3.0).faded(opacity);
        }
    }

    /// A card with what is seen from afar: streams, heads, what has come together, the token's experts.
    fn small_card(&self, drawing: &mut Drawing, place: u32) {
        let (journey, progress) = (self.journey, &self.progress);
        let shares = &journey.shares;
        let used = place < shares.places();
        let (column, row) = (f64::from(place % 4), f64::from(place / 4));
        let (x, y) = (16.0 + column * PITCH.0, CARDS_TOP + row * PITCH.1);
        let card = drawing.rect([x, y, CARD.0, CARD.1], 12.0, Fill::Solid(Paint::Card));
        card.stroked(Paint::Line, 2.0);
        if !used {
            card.dashed();
        }
        let paint = if used { Paint::Ink } else { Paint::Mute };
        let heading = if used { shares.heading(place) } else { place.to_string() };
        drawing.text((x + 12.0, y + 32.0), heading, Type::new(24.0, paint).bold());
        if !used {
            return;
        }
        let (left, wide) = (x + 12.0, CARD.0 - 24.0);
        let here = if shares.owner.is_none_or(|owner| owner == place) { 1.0 } else { 0.25 };
        let rows = (journey.streams as usize).clamp(1, 8);
        let pitch = 32.0 / rows as f64;
        let lines = Shape::Cells {
            x: left,
            y: y + 46.0,
            columns: 1,
            count: rows,
            pitch: (wide, pitch),
            size: (wide * progress.widen, pitch * 0.6),
        };
        drawing.push(lines, Fill::Solid(Paint::Token)).faded(here);
        drawing.rect([left, y + 86.0, wide, 14.0], 4.0, Fill::Solid(Paint::Sunk));
        drawing
            .rect([left, y + 86.0, wide * progress.project, 14.0], 4.0, Fill::Solid(Paint::ComputeSoft))
            .faded(here);
        drawing
            .rect([left, y + 86.0, wide * progress.attend, 14.0], 4.0, Fill::Solid(Paint::Compute))
            .faded(here);
        self.small_sum(drawing, place, [left, y + 108.0, wide]);
        let count = shares.experts_at(place).max(1) as usize;
        let area = [left, y + 130.0, wide, 36.0];
        drawing.push(stage::cell_grid(area, count, count), Fill::Solid(Paint::Sunk));
        let grid = Grid::new(area, count);
        let computed = progress.compute.get(place as usize).copied().unwrap_or(0.0);
        let own = shares.picks.iter().enumerate().filter(|(_, pick)| pick.rank % PLACES == place);
        for (nth, pick) in own {
            let [x, y, width, height] = grid.cell(shares.index_at(*pick) as usize);
            let larger = [x - 3.0, y - 3.0, width + 6.0, height + 6.0];
            drawing.rect(larger, 3.0, Fill::Solid(Paint::Weight)).faded(self.picked(nth));
            let dot = Shape::Circle { x: x + width / 2.0, y: y + height / 2.0, r: 4.0 };
            let paint = if computed > 0.0 { Paint::Compute } else { Paint::Token };
            drawing.push(dot, Fill::Solid(Paint::Token)).stroked(paint, 2.0).faded(self.picked(nth));
        }
    }

    /// The list of the parts: name, what bounds it, time; then the total and the rate.
    fn list(&self, drawing: &mut Drawing, top: f64) -> f64 {
        let words = self.words;
        let mut y = top;
        let end = WIDTH - 16.0;
        for share in &self.journey.parts {
            let lit = self.lit(share.part);
            let paint = if lit { Paint::Ink } else { Paint::Mute };
            drawing.rect([16.0, y - 20.0, 22.0, 22.0], 5.0, fill_of(share.part)).faded(if lit {
                1.0
            } else {
                UNLIT
            });
            let name = words.part(share.part, self.journey);
            let mark = drawing.text((50.0, y), name, Type::new(26.0, paint));
            if let Some((id, value)) = share.because {
                mark.shows(id, value);
            }
            let bound = share.bound.map_or("", |bound| words.bound(bound));
            let ends = self.seconds(share);
            let told = if ends[1] > 0.0 || share.step_s[1] <= 0.0 { 1.0 } else { 0.0 };
            drawing.text((268.0, y), bound, Type::new(24.0, Paint::Mute)).faded(told);
            let text = Span::seconds(Some(ends)).whole();
            let set = Type { bold: lit, ..Type::new(26.0, paint).anchored(Anchor::End) };
            let mark = drawing.text((end, y), text, set).faded(if ends[1] > 0.0 { 1.0 } else { 0.0 });
            if let (true, Some((id, value))) = (self.whole(), share.figure) {
                mark.shows(id, value);
            }
            y += 42.0;
        }
        drawing.line((16.0, y - 30.0), (end, y - 30.0), Paint::Line, 2.0);
        y += 10.0;
        let (name, span) = self.total();
        let bold = Type::new(28.0, Paint::Ink).bold();
        drawing.text((16.0, y), name, bold);
        let step = &self.journey.step;
        let figure = step.step_s.filter(|_| self.whole());
        let mark = drawing.text((end, y), span.whole(), bold.anchored(Anchor::End));
        if let Some([low, _]) = figure {
            mark.shows(step.step_figures[0], low);
        }
        y += 44.0;
        let [_, rate] = self.ends();
        let shown = if self.step == Step::Next { 1.0 } else { 0.0 };
        drawing.text((16.0, y), words.rate_of, bold).faded(shown);
        let mark = drawing.text((end, y), rate.whole(), bold.anchored(Anchor::End)).faded(shown);
        if let (Some([low, _]), true) = (step.tokens_per_s, shown > 0.0) {
            mark.shows(step.rate_figures[0], low);
        }
        y + 20.0
    }

    fn small_sum(&self, drawing: &mut Drawing, place: u32, [x, y, width]: [f64; 3]) {
        let (own, all) = self.together(place);
        let places = self.journey.shares.places();
        let pitch = width / f64::from(places);
        let cells = |count: usize| Shape::Cells {
            x,
            y,
            columns: places as usize,
            count,
            pitch: (pitch, 14.0),
            size: (pitch - 3.0, 14.0),
        };
        drawing.push(cells(places as usize), Fill::Solid(Paint::Sunk));
        let here = [x + f64::from(place) * pitch, y, pitch - 3.0, 14.0];
        drawing.rect(here, 0.0, Fill::Solid(Paint::Comm)).faded(own);
        let count = (f64::from(places) * all).round() as usize;
        drawing.push(cells(count), Fill::Solid(Paint::Comm)).faded(if count > 0 { 1.0 } else { 0.0 });
    }
}
