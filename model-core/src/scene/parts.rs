//! Small parts of steps and frames: runs of events, cells in a grid, boxes on their way, things that fade.

use super::stage::{self, PLACES};
use super::timeline::{Timed, staggered};
use crate::collective::Link;
use crate::draw::{Drawing, Fill, Mark, Paint, Shape};
use crate::plan::Crossing;
use crate::scenario::Settings;
use crate::units::BytesPerSecond;

/// The link that a group's exchange crosses; none where it crosses nothing.
pub(super) fn link_over(crossing: Crossing, settings: &Settings) -> Option<Link> {
    let rate = match crossing {
        Crossing::Nothing => return None,
        Crossing::Node => settings.link,
        Crossing::Network => settings.network,
    };
    Link::new(settings.alpha, BytesPerSecond(rate.get() * settings.efficiency.link))
}

/// A value of a list, or nothing yet.
pub(super) fn of(list: &[f64], index: impl TryInto<usize>) -> f64 {
    index.try_into().ok().and_then(|index: usize| list.get(index)).copied().unwrap_or(0.0)
}

/// How strongly a cell is coloured.
pub(super) fn strength(count: u32, most: u32) -> f64 {
    match (count, most) {
        (0, _) => 0.0,
        (_, 0 | 1) => 0.75,
        _ => 0.3 + 0.7 * (f64::from(count - 1) / f64::from(most - 1)).sqrt(),
    }
}

/// Cells of a map in an area.
pub(super) struct Grid {
    origin: (f64, f64),
    columns: usize,
    pitch: (f64, f64),
    size: (f64, f64),
}

impl Grid {
    /// So many cells that fill an area.
    pub(super) fn new(area: [f64; 4], count: usize) -> Self {
        let mut grid = Self { origin: (area[0], area[1]), columns: 1, pitch: (0.0, 0.0), size: (0.0, 0.0) };
        if let Shape::Cells { columns, pitch, size, .. } = stage::cell_grid(area, count, count) {
            (grid.columns, grid.pitch, grid.size) = (columns.max(1), pitch, size);
        }
        grid
    }

    /// The box of a cell.
    pub(super) fn cell(&self, index: usize) -> [f64; 4] {
        let (column, row) = ((index % self.columns) as f64, (index / self.columns) as f64);
        let (x, y) = (self.origin.0 + column * self.pitch.0, self.origin.1 + row * self.pitch.1);
        [x, y, self.size.0, self.size.1]
    }
}

/// A box on its way from one to another.
pub(super) fn between(from: [f64; 4], to: [f64; 4], part: f64) -> [f64; 4] {
    core::array::from_fn(|side| from[side] + (to[side] - from[side]) * part)
}

/// Fades marks further.
pub(super) fn fade(marks: &mut [Mark], opacity: f64) {
    for mark in marks {
        mark.faded(mark.opacity * opacity);
    }
}

/// One event and its part of the step.
pub(super) const fn during<E>(from: f64, to: f64, event: E) -> Timed<E> {
    Timed { from, to, event }
}

/// Two runs of events, each staggered within its part of the step.
pub(super) fn chain<E>(first: (f64, f64, Vec<E>), second: (f64, f64, Vec<E>)) -> Vec<Timed<E>> {
    let within = |(from, to, events): (f64, f64, Vec<E>)| {
        let scaled = move |timed: Timed<E>| Timed {
            from: from + timed.from * (to - from),
            to: from + timed.to * (to - from),
            event: timed.event,
        };
        staggered(events).into_iter().map(scaled)
    };
    within(first).chain(within(second)).collect()
}

/// Events one after the other within a part of the step, each reaching halfway into the next: few things move at once.
pub(super) fn in_turn<E>(from: f64, to: f64, events: Vec<E>) -> Vec<Timed<E>> {
    let pitch = (to - from) / (events.len() as f64 + 1.0);
    let turn = |(index, event): (usize, E)| {
        let start = from + index as f64 * pitch;
        Timed { from: start, to: (start + 2.0 * pitch).min(to), event }
    };
    events.into_iter().enumerate().map(turn).collect()
}

/// Events one after the other within a part of the step, none of them together with another.
pub(super) fn one_by_one<E>(from: f64, to: f64, events: Vec<E>) -> Vec<Timed<E>> {
    let pitch = (to - from) / events.len().max(1) as f64;
    let start = |index: usize| from + index as f64 * pitch;
    let turn = |(index, event)| Timed { from: start(index), to: start(index + 1), event };
    events.into_iter().enumerate().map(turn).collect()
}

/// How far one of many small things has come that follow each other while all of them come so far: so many of them
/// are under way together.
pub(super) fn following(happened: f64, index: usize, count: usize, together: f64) -> f64 {
    ((happened * (count as f64 + together) - index as f64) / together).clamp(0.0, 1.0)
}

/// How one set of marks makes room for another without each of them being faded: a curtain comes down, all are
/// exchanged behind it in one go, and it lifts again.
#[derive(Clone, Copy)]
pub(super) struct Curtain {
    /// How far it is down.
    pub(super) down: f64,
    /// How far it has been lifted since.
    pub(super) up: f64,
}

impl Curtain {
    /// The opacity of what leaves.
    pub(super) fn before(self) -> f64 {
        if self.down < 1.0 { 1.0 } else { 0.0 }
    }

    /// The opacity of what comes.
    pub(super) fn after(self) -> f64 {
        if self.up > 0.0 { 1.0 } else { 0.0 }
    }

    /// Draws it over both rows of cards; what is drawn later stands before it.
    pub(super) fn draw(self, drawing: &mut Drawing) {
        if self.down >= 1.0 {
            drawing.cards.clear();
        }
        for place in [0, PLACES / 2] {
            let [x, y, _, height] = stage::card_box(place);
            // The cards' outlines and links stand out a little.
            let edge = if y < stage::BAND[1] { y - 4.0 } else { stage::BAND[1] + stage::BAND[3] };
            let area = [x - 4.0, edge, stage::ACROSS + 8.0, height + 16.0];
            self.cover(drawing, area);
        }
    }

    /// Draws it over an area.
    pub(super) fn cover(self, drawing: &mut Drawing, area: [f64; 4]) {
        drawing.rect(area, 0.0, Fill::Solid(Paint::Card)).faded(self.down * (1.0 - self.up));
    }
}

/// Equal square cells that fill an area as well as they can, in rows that need not be full: the first `shown` of them.
pub(super) fn squares([x, y, width, height]: [f64; 4], count: usize, shown: usize, largest: f64) -> Shape {
    let pitch_with = |rows: usize| (width / count.div_ceil(rows).max(1) as f64).min(height / rows as f64);
    let best = (1..=count.clamp(1, 64)).max_by(|a, b| pitch_with(*a).total_cmp(&pitch_with(*b))).unwrap_or(1);
    let pitch = pitch_with(best).min(largest);
    let columns = if best == 1 { count } else { ((width / pitch).floor() as usize).min(count) }.max(1);
    let side = pitch * 0.8;
    Shape::Cells { x, y, columns, count: shown, pitch: (pitch, pitch), size: (side, side) }
}
