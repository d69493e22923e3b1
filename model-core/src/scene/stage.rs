//! What all stages share: eight cards in fixed places around a band, the strip of layers, captions and small cells.
//! A reader never searches for GPU 3: it stands where it stood in every other scene.

use super::Layout;
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{self, Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::spec::AttentionKind;
use crate::words::Words;

/// GPUs that have a place on the stage; further ones stand beside them in the same places.
pub const PLACES: u32 = 8;

/// Size of a wide stage.
pub const WIDE: (f64, f64) = (1600.0, 900.0);
/// Width of a narrow stage.
pub const NARROW_WIDTH: f64 = 720.0;
/// Height of a narrow stage before its scene is there.
const NARROW_BLANK_HEIGHT: f64 = 1168.0;
/// Left edge of the cards of a wide stage; left of it stands the strip of layers.
pub const LEFT: f64 = 112.0;
/// Width of all cards together.
pub const ACROSS: f64 = 1472.0;
/// Width and height of a card.
pub const CARD: (f64, f64) = (356.0, 356.0);
/// The band between the rows of cards: left, top, width, height.
pub const BAND: [f64; 4] = [LEFT, 388.0, ACROSS, 64.0];
/// Middle line of the legend under the cards.
pub const LEGEND_Y: f64 = 868.0;

const GAP: f64 = 16.0;
const ROWS: [f64; 2] = [16.0, 468.0];

/// A stage on which nothing stands yet; a narrow one is as high as most scenes are there.
#[must_use]
pub fn blank(layout: Layout) -> Drawing {
    match layout {
        Layout::Wide => Drawing::new(WIDE.0, WIDE.1),
        Layout::Narrow => Drawing::new(NARROW_WIDTH, NARROW_BLANK_HEIGHT),
    }
}

/// The box of a card: left, top, width, height.
#[must_use]
pub fn card_box(place: u32) -> [f64; 4] {
    let x = LEFT + f64::from(place % 4) * (CARD.0 + GAP);
    let y = ROWS.get(place as usize / 4 % 2).copied().unwrap_or(0.0);
    [x, y, CARD.0, CARD.1]
}

/// Where a card's link meets the band.
#[must_use]
pub fn port(place: u32) -> (f64, f64) {
    let [x, y, width, _] = card_box(place);
    (x + width / 2.0, if y < BAND[1] { BAND[1] } else { BAND[1] + BAND[3] })
}

/// Draws the band that joins the cards.
pub fn band(drawing: &mut Drawing) {
    drawing.rect(BAND, 12.0, Fill::Solid(Paint::Band));
}

/// Draws a card with its link and heading; an unused one is dashed and muted.
pub fn card(drawing: &mut Drawing, place: u32, heading: &str, used: bool) -> [f64; 4] {
    let [x, y, width, height] = card_box(place);
    let (port_x, port_y) = port(place);
    let edge = if y < BAND[1] { y + height } else { y };
    drawing.line((port_x, edge), (port_x, port_y), Paint::Line, 3.0);
    let card = drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    if !used {
        card.dashed();
    }
    let paint = if used { Paint::Ink } else { Paint::Mute };
    drawing.cards.push(draw::Card { name: heading.to_owned(), area: [x, y, width, height] });
    drawing.text((x + 20.0, y + 38.0), heading, Type::new(25.0, paint).bold());
    [x, y, width, height]
}

/// A sentence in the band, in the largest size that fits.
pub fn caption(drawing: &mut Drawing, text: &str, paint: Paint) {
    let room = BAND[2] - 40.0;
    let sizes = [26.0, 24.0, 22.0, 20.0, 18.0];
    let size = sizes.into_iter().find(|size| text_width(text, *size, true) <= room).unwrap_or(18.0);
    let set = Type::new(size, paint).bold().anchored(Anchor::Middle);
    drawing.text((BAND[0] + BAND[2] / 2.0, BAND[1] + BAND[3] / 2.0 + size * 0.36), text, set);
}

/// Lines of a sentence on a narrow stage, from a baseline on; gives back the next baseline.
pub fn lines(drawing: &mut Drawing, y: f64, text: &str, set: Type) -> f64 {
    let mut baseline = y;
    for line in wrap(text, set.size, set.bold, NARROW_WIDTH - 32.0) {
        drawing.text((16.0, baseline), line, set);
        baseline += set.size * 1.42;
    }
    baseline
}

/// The colour of a layer by how it attends.
#[must_use]
pub const fn layer_paint(kind: AttentionKind) -> Paint {
    match kind {
        AttentionKind::Csa => Paint::Cache,
        AttentionKind::Hca => Paint::CacheSoft,
        AttentionKind::Window => Paint::CacheFaint,
    }
}

/// Upper and lower end of the strip of layers.
const STRIP: (f64, f64) = (52.0, 840.0);

fn layer_pitch(layers: usize) -> f64 {
    (STRIP.1 - STRIP.0) / layers.max(1) as f64
}

/// Lines across the strip of layers where a stage ends and the next one begins, each before its layer.
pub fn stage_ends(drawing: &mut Drawing, layers: usize, ends: impl Iterator<Item = u64>) {
    for end in ends {
        let y = STRIP.0 + end as f64 * layer_pitch(layers) - 1.2;
        drawing.line((22.0, y), (82.0, y), Paint::Ink, 3.0);
    }
}

/// Bars of layers in the colours of their kinds, those that are not passed fainter: one mark for each of the two of a
/// kind, however many layers there are.
pub fn layer_bars(drawing: &mut Drawing, bars: impl Iterator<Item = (AttentionKind, [f64; 4], bool)>) {
    let mut areas = [const { [Vec::new(), Vec::new()] }; AttentionKind::ALL.len()];
    for (kind, area, passed) in bars {
        areas[kind as usize][usize::from(passed)].push(area);
    }
    for (kind, areas) in AttentionKind::ALL.into_iter().zip(areas) {
        for (areas, opacity) in areas.into_iter().zip([0.3, 1.0]) {
            drawing.push(Shape::Bars { areas }, Fill::Solid(layer_paint(kind))).faded(opacity);
        }
    }
}

/// One bar for each main layer; the current one, if any, stands out with its number.
pub fn layer_strip(drawing: &mut Drawing, layers: &[AttentionKind], current: Option<usize>, words: &Words) {
    let pitch = layer_pitch(layers.len());
    let heading = Type::new(20.0, Paint::Mute).anchored(Anchor::Middle);
    drawing.text((52.0, 36.0), words.layers, heading);
    let bar = |(index, kind): (usize, &AttentionKind)| {
        let (x, width) = if current == Some(index) { (28.0, 48.0) } else { (36.0, 32.0) };
        (*kind, [x, STRIP.0 + index as f64 * pitch, width, pitch - 2.4], true)
    };
    layer_bars(drawing, layers.iter().enumerate().map(bar));
    let number = |index: usize| format::count(index as f64);
    let last = layers.len().saturating_sub(1);
    for (index, y) in [(0, STRIP.0 + 10.0), (last, STRIP.1 - 2.0)] {
        // An end gives way to the current layer's number near it.
        let free = current.is_none_or(|at| at.abs_diff(index) > 2);
        let opacity = if free { 1.0 } else { 0.0 };
        drawing.text((80.0, y), number(index), Type::new(18.0, Paint::Mute)).faded(opacity);
    }
    if let Some(at) = current {
        let y = STRIP.0 + (at as f64 + 0.5) * pitch + 7.0;
        drawing.text((80.0, y), number(at), Type::new(20.0, Paint::Ink).bold());
    }
}

/// Small equal cells that fill a box in full rows: faint ones for all, strong ones for the part that has happened.
pub fn cells(drawing: &mut Drawing, area: [f64; 4], count: usize, happened: f64, paint: Paint) {
    drawing.push(cell_grid(area, count, count), Fill::Solid(Paint::Sunk));
    let placed = (count as f64 * happened).round() as usize;
    drawing.push(cell_grid(area, count, placed), Fill::Solid(paint));
}

/// The first `shown` of `count` cells that fill a box: of the divisors, the rows that make them most nearly square.
#[must_use]
pub fn cell_grid([x, y, width, height]: [f64; 4], count: usize, shown: usize) -> Shape {
    let ideal = if height < 30.0 { 1.0 } else { (count as f64 * height / width).sqrt() };
    let divisors = (1..=count).filter(|rows| count.is_multiple_of(*rows));
    let far = |rows: &usize| (*rows as f64 / ideal).max(ideal / *rows as f64);
    let rows = divisors.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(1);
    let columns = count.div_ceil(rows).max(1);
    let pitch = (width / columns as f64, height / rows as f64);
    let gap = (pitch.0.min(pitch.1) * 0.22).min(5.0);
    Shape::Cells { x, y, columns, count: shown, pitch, size: (pitch.0 - gap, pitch.1 - gap) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_band_stay_apart_and_inside() {
        for place in 0..PLACES {
            let [x, y, width, height] = card_box(place);
            assert!(x >= LEFT && x + width <= WIDE.0 && y >= 0.0 && y + height <= LEGEND_Y);
            assert!(y + height <= BAND[1] || y >= BAND[1] + BAND[3]);
        }
    }

    #[test]
    fn cells_fill_full_rows() {
        let Shape::Cells { columns, .. } = cell_grid([0.0, 0.0, 166.0, 76.0], 48, 48) else { unreachable!() };
        assert_eq!(columns, 12);
    }
}
