//! Three algorithms beside each other: the same parts above, time downwards, a line for each parcel, the same sums
//! below.

use super::Replay;
use super::frame::{LEGEND_Y, Stage, chunk_name, near, size};
use super::words::Words;
use crate::collective::{Algorithm, Node};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::scene::Layout;
use crate::scene::stage;
use crate::words::fill;

/// Widths of lines that carry the worked chunk and of others.
const STRONG: f64 = 4.5;
const WEAK: f64 = 1.8;

/// Where a diagram stands: the first and the last rank's line, its top, and a move's height.
#[derive(Clone, Copy)]
struct Grid {
    left: f64,
    right: f64,
    top: f64,
    pitch: f64,
    ranks: usize,
}

impl Grid {
    fn x(&self, rank: usize) -> f64 {
        self.left + (self.right - self.left) * rank as f64 / self.ranks.saturating_sub(1).max(1) as f64
    }

    fn y(&self, moves: f64) -> f64 {
        self.top + self.pitch * moves
    }
}

impl Stage<'_> {
    /// The three diagrams with what each costs.
    pub(super) fn routes(&self, drawing: &mut Drawing, layout: Layout) {
        match layout {
            Layout::Wide => self.routes_wide(drawing),
            Layout::Narrow => self.routes_narrow(drawing),
        }
    }

    fn routes_wide(&self, drawing: &mut Drawing) {
        const TALLEST: f64 = 412.0;
        const GAP: f64 = 16.0;
        let ranks = self.scene.ranks();
        let pitch = (TALLEST / self.scene.longest().max(1) as f64).min(56.0);
        let width = (stage::ACROSS - 2.0 * GAP) / 3.0;
        for (index, replay) in self.scene.replays.iter().enumerate() {
            let x = stage::LEFT + index as f64 * (width + GAP);
            self.panel(drawing, [x, 16.0, width, 808.0], replay.algorithm);
            self.panel_title(drawing, (x + 24.0, 64.0), replay.algorithm, 30.0);
            let grid = Grid { left: x + 88.0, right: x + width - 32.0, top: 164.0, pitch, ranks };
            let small = if ranks > 8 { 18.0 } else { 20.0 };
            let set = Type::new(small, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((x + 24.0, 112.0), "GPU", Type::new(18.0, Paint::Mute));
            for rank in 0..ranks {
                drawing.text((grid.x(rank), 112.0), rank.to_string(), set);
            }
            drawing.text((x + 24.0, 148.0), chunk_name(0), Type::new(20.0, Paint::Mute));
            let large = if ranks > 8 { 18.0 } else { 26.0 };
            self.values(drawing, replay, grid, large, (148.0, large * 1.15));
            self.diagram(drawing, index, grid);
            self.costs(drawing, replay.algorithm, [x + 24.0, x + width - 24.0, 684.0, 46.0], 24.0);
        }
        self.key(drawing);
    }

    /// What the lines are.
    fn key(&self, drawing: &mut Drawing) {
        const SAMPLE: f64 = 36.0;
        let words = self.words;
        let worked = fill(words.legend_worked, &[("chunk", chunk_name(0))]);
        let (mut x, y) = (stage::LEFT, LEGEND_Y);
        let entries =
            [(worked, STRONG), (words.legend_others.to_owned(), WEAK), (words.legend_switch.to_owned(), 0.0)];
        for (word, width) in entries {
            if width > 0.0 {
                drawing.line((x, y), (x + SAMPLE, y), Paint::Comm, width);
            } else {
                drawing.rect([x, y - 5.0, SAMPLE, 10.0], 5.0, Fill::Solid(Paint::Mute));
            }
            let wide = text_width(&word, 18.0, false);
            drawing.text((x + SAMPLE + 9.0, y + 6.5), word, Type::new(18.0, Paint::Mute));
            x += SAMPLE + wide + 38.0;
        }
    }

    fn routes_narrow(&self, drawing: &mut Drawing) {
        const ROOM: f64 = 500.0;
        const TEXT: f64 = 24.0;
        let ranks = self.scene.ranks();
        let all: usize = self.scene.replays.iter().map(|replay| replay.moves.len()).sum();
        let pitch = (ROOM / all.max(1) as f64).min(28.0);
        let mut y = 16.0;
        for (index, replay) in self.scene.replays.iter().enumerate() {
            let moves = replay.moves.len() as f64;
            let height = (moves * pitch + 94.0).max(154.0);
            self.panel(drawing, [8.0, y, stage::NARROW_WIDTH - 16.0, height], replay.algorithm);
            self.panel_title(drawing, (448.0, y + 36.0), replay.algorithm, 26.0);
            let grid = Grid { left: 36.0, right: 416.0, top: y + 46.0, pitch, ranks };
            self.values(drawing, replay, grid, TEXT, (y + 32.0, TEXT * 1.15));
            self.diagram(drawing, index, grid);
            self.costs(drawing, replay.algorithm, [448.0, stage::NARROW_WIDTH - 24.0, y + 74.0, 33.0], TEXT);
            y += height + 12.0;
        }
    }

    fn is_chosen(&self, algorithm: Algorithm) -> bool {
        algorithm == self.scene.algorithm
    }

    fn panel(&self, drawing: &mut Drawing, area: [f64; 4], algorithm: Algorithm) {
        let (paint, width) = if self.is_chosen(algorithm) { (Paint::Comm, 3.0) } else { (Paint::Line, 2.0) };
        drawing.rect(area, 14.0, Fill::Solid(Paint::Card)).stroked(paint, width);
    }

    fn panel_title(&self, drawing: &mut Drawing, at: (f64, f64), algorithm: Algorithm, size: f64) {
        let paint = if self.is_chosen(algorithm) { Paint::Comm } else { Paint::Ink };
        drawing.text(at, Words::by(&self.words.algorithms, algorithm), Type::new(size, paint).bold());
    }

    /// The worked coordinate on every rank, before the first move and after the last.
    fn values(
        &self,
        drawing: &mut Drawing,
        replay: &Replay,
        grid: Grid,
        size: f64,
        (before, under): (f64, f64),
    ) {
        let moves = replay.moves.len();
        let done = self.routes_of(replay.algorithm).last().copied().unwrap_or(0.0);
        let set = Type::new(size, Paint::Ink).anchored(Anchor::Middle);
        for rank in 0..grid.ranks {
            let x = grid.x(rank);
            drawing.text((x, before), format::count(replay.value(0, rank, 0)), set);
            let sum = format::count(replay.value(moves, rank, 0));
            drawing.text((x, grid.y(moves as f64) + under), sum, set.bold()).faded(done);
        }
    }

    fn routes_of(&self, algorithm: Algorithm) -> &[f64] {
        self.progress.routes.get(super::words::place(algorithm)).map_or(&[], Vec::as_slice)
    }

    fn diagram(&self, drawing: &mut Drawing, index: usize, grid: Grid) {
        let Some(replay) = self.scene.replays.get(index) else { return };
        let happened = self.routes_of(replay.algorithm);
        let bottom = grid.y(replay.moves.len() as f64);
        let (pitch, size) = ((grid.x(1) - grid.x(0), 0.0), (2.0, bottom - grid.top));
        let (x, y, count) = (grid.x(0) - 1.0, grid.top, grid.ranks);
        let lines = Shape::Cells { x, y, columns: count.max(1), count, pitch, size };
        drawing.push(lines, Fill::Solid(Paint::Line));
        match replay.algorithm {
            Algorithm::Ring => ring_lines(drawing, replay, happened, grid),
            Algorithm::Tree => parcel_lines(drawing, replay, happened, grid),
            Algorithm::InSwitch => switch_lines(drawing, replay, happened, grid),
        }
    }

    /// Moves, bytes and time of an algorithm: labels at the left, values at the right.
    fn costs(
        &self,
        drawing: &mut Drawing,
        algorithm: Algorithm,
        [left, right, y, pitch]: [f64; 4],
        text: f64,
    ) {
        let clock = self.scene.clock;
        let cost = clock.cost(algorithm, clock.message);
        let rows = [
            (self.words.waits, fill(self.words.moves, &[("n", format::count(f64::from(cost.steps)))])),
            (self.words.busiest, size(cost.sent_per_gpu, self.base)),
            (self.words.takes, format::seconds(cost.total()).to_string()),
        ];
        // On a phone there is room for the values alone.
        let labelled = right - left > 300.0;
        for (row, (label, value)) in rows.into_iter().enumerate() {
            let baseline = y + row as f64 * pitch;
            let at = if labelled { (right, baseline) } else { (left, baseline) };
            let anchor = if labelled { Anchor::End } else { Anchor::Start };
            if labelled {
                drawing.text((left, baseline), label, Type::new(22.0, Paint::Mute));
            }
            let mark = drawing.text(at, value, Type::new(text, Paint::Ink).bold().anchored(anchor));
            let sent = cost.sent_per_gpu.get();
            if row == 1 && self.scene.sent.is_some_and(|figure| near(figure, sent)) {
                mark.shows("allreduce.sent.bytes_per_gpu", sent);
            }
        }
    }
}

/// Each chunk's way round the ring as one line, the worked one strong.
fn ring_lines(drawing: &mut Drawing, replay: &Replay, happened: &[f64], grid: Grid) {
    // The worked chunk last, so that it lies above the others.
    for chunk in (0..grid.ranks).rev() {
        let mut points = vec![(grid.x(chunk), grid.top)];
        for (index, parcels) in replay.moves.iter().enumerate() {
            let part = happened.get(index).copied().unwrap_or(0.0);
            let parcel = parcels.iter().find(|parcel| parcel.chunks.contains(&(chunk as u32)));
            let Some((Node::Gpu(from), Node::Gpu(to))) = parcel.map(|parcel| (parcel.from, parcel.to)) else {
                break;
            };
            if part <= 0.0 {
                break;
            }
            let (a, b) = (grid.x(from as usize), grid.x(to as usize));
            points.push((a + (b - a) * part, grid.y(index as f64 + part)));
        }
        let strong = chunk == 0;
        let (width, opacity) = if strong { (STRONG, 1.0) } else { (WEAK, 0.45) };
        let shape = Shape::Path { points, closed: false };
        drawing.push(shape, Fill::Empty).stroked(Paint::Comm, width).faded(opacity);
    }
}

/// One thick line for each parcel that holds every chunk.
fn parcel_lines(drawing: &mut Drawing, replay: &Replay, happened: &[f64], grid: Grid) {
    for (index, parcels) in replay.moves.iter().enumerate() {
        let part = happened.get(index).copied().unwrap_or(0.0);
        for parcel in parcels {
            let (Node::Gpu(from), Node::Gpu(to)) = (parcel.from, parcel.to) else { continue };
            let (a, b) = (grid.x(from as usize), grid.x(to as usize));
            let start = (a, grid.y(index as f64));
            let end = (a + (b - a) * part, grid.y(index as f64 + part));
            drawing.line(start, end, Paint::Comm, STRONG).faded(if part > 0.0 { 1.0 } else { 0.0 });
        }
    }
}

/// Lines to the switch and back.
fn switch_lines(drawing: &mut Drawing, replay: &Replay, happened: &[f64], grid: Grid) {
    let thick = (grid.pitch * 0.3).min(12.0);
    for (index, parcels) in replay.moves.iter().enumerate() {
        let part = happened.get(index).copied().unwrap_or(0.0);
        let (top, middle, bottom) =
            (grid.y(index as f64), grid.y(index as f64 + 0.5), grid.y(index as f64 + 1.0));
        for parcel in parcels {
            let width = if parcel.chunks.contains(&0) { STRONG } else { WEAK };
            let (rank, from, to, part) = match (parcel.from, parcel.to) {
                (Node::Gpu(rank), _) => (rank, top, middle, part * 2.0),
                (_, Node::Gpu(rank)) => (rank, middle, bottom, part * 2.0 - 1.0),
                (Node::Switch, Node::Switch) => continue,
            };
            let part = part.clamp(0.0, 1.0);
            let x = grid.x(rank as usize);
            let line = drawing.line((x, from), (x, from + (to - from) * part), Paint::Comm, width);
            line.faded(if part > 0.0 { 1.0 } else { 0.0 });
        }
        let switch = [grid.left - 12.0, middle - thick / 2.0, grid.right - grid.left + 24.0, thick];
        drawing.rect(switch, thick / 2.0, Fill::Solid(Paint::Mute));
    }
}
