//! Who is busy when: a row for each GPU, with its link in, its computation and its link out below each other. All
//! bars of a kind are one mark, however many there are.

use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::simulate::waves::{Leg, Log};

/// Kinds of bars.
const KINDS: usize = 5;
/// Tokens on their way out.
const DISPATCH: usize = 0;
/// Results on their way back.
const COMBINE: usize = 1;
/// Computation of waves with even numbers, then of those with odd ones.
const COMPUTE: usize = 2;
/// Waiting.
const WAIT: usize = 4;
/// Lanes of a row: link in, computation, link out, each with its upper and lower edge as shares of the row.
const LANES: [[f64; 2]; 3] = [[0.04, 0.26], [0.3, 0.66], [0.7, 0.92]];
/// How opaque the marks of waiting are: they fill much of a picture and are not what happens in it.
pub(super) const CALM: f64 = 0.6;
/// How waiting is marked.
pub(super) const WAITING: Fill = Fill::Hatched(Paint::Mute);
/// Gaps below this share of a run are not seen.
const UNSEEN: f64 = 1.0 / 1600.0;

/// Something that is busy.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    row: u8,
    lane: u8,
    start_s: f64,
    end_s: f64,
}

/// All of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    kinds: [Vec<Span>; KINDS],
    /// When the first GPU computes each wave.
    first: Vec<(u8, f64, f64)>,
}

impl Spans {
    pub(super) fn of(log: &Log, ranks: usize, end_s: f64) -> Self {
        let mut spans = Self::default();
        for message in &log.messages {
            let kind = if message.leg == Leg::Dispatch { DISPATCH } else { COMBINE };
            for (row, lane) in [(message.from, 2), (message.to, 0)] {
                spans.kinds[kind].push(Span { row, lane, start_s: message.start_s, end_s: message.end_s });
            }
        }
        for kind in [DISPATCH, COMBINE] {
            spans.kinds[kind] = joined(core::mem::take(&mut spans.kinds[kind]), end_s * UNSEEN);
        }
        let mut until_s = vec![0.0; ranks];
        let wait = |row: u8, start_s: f64, end_s: f64| Span { row, lane: 1, start_s, end_s };
        for work in &log.works {
            let kind = COMPUTE + usize::from(work.wave % 2);
            spans.kinds[kind].push(wait(work.rank, work.start_s, work.end_s));
            if let Some(until_s) = until_s.get_mut(work.rank as usize) {
                if work.start_s > *until_s {
                    spans.kinds[WAIT].push(wait(work.rank, *until_s, work.start_s));
                }
                *until_s = work.end_s;
            }
            if work.rank == 0 {
                spans.first.push((work.wave, work.start_s, work.end_s));
            }
        }
        for (row, until_s) in until_s.into_iter().enumerate() {
            if until_s < end_s {
                spans.kinds[WAIT].push(wait(row as u8, until_s, end_s));
            }
        }
        for kind in [COMPUTE, COMPUTE + 1, WAIT] {
            sort(&mut spans.kinds[kind]);
        }
        spans
    }
}

fn sort(spans: &mut [Span]) {
    spans.sort_by(|a, b| (a.row, a.lane).cmp(&(b.row, b.lane)).then(a.start_s.total_cmp(&b.start_s)));
}

/// Spans that follow each other without a gap that could be seen, as one.
fn joined(mut spans: Vec<Span>, gap_s: f64) -> Vec<Span> {
    sort(&mut spans);
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last)
                if (last.row, last.lane) == (span.row, span.lane) && span.start_s - last.end_s <= gap_s =>
            {
                last.end_s = span.end_s;
            }
            _ => joined.push(span),
        }
    }
    joined
}

/// Where a run is drawn.
#[derive(Clone, Copy)]
pub(super) struct Gantt {
    /// Left, top, width and height of the rows.
    pub(super) area: [f64; 4],
    /// What the width stands for, in seconds.
    pub(super) scale_s: f64,
    /// Rows.
    pub(super) ranks: usize,
    /// How much of the run has gone by.
    pub(super) shown: f64,
    /// How much its waiting is marked.
    pub(super) waits: f64,
    /// What stands before the first row's number.
    pub(super) name: &'static str,
    /// Size of the rows' numbers.
    pub(super) size: f64,
}

impl Gantt {
    /// The place of a time.
    pub(super) fn x(&self, time_s: f64) -> f64 {
        let [x, _, width, _] = self.area;
        x + width * (time_s / self.scale_s).clamp(0.0, 1.0)
    }

    fn pitch(&self) -> f64 {
        self.area[3] / self.ranks.max(1) as f64
    }

    /// Draws a run that ends at `end_s`.
    pub(super) fn draw(&self, drawing: &mut Drawing, spans: &Spans, end_s: f64) {
        let [x, y, width, height] = self.area;
        let pitch = self.pitch();
        let every = (self.size * 1.12 / pitch).ceil().max(1.0) as usize;
        for row in (0..self.ranks).step_by(every) {
            let middle = y + (row as f64 + 0.48) * pitch + self.size * 0.36;
            let set = Type::new(self.size, Paint::Mute).anchored(Anchor::End);
            let name = if row == 0 { format!("{}0", self.name) } else { row.to_string() };
            drawing.text((x - 12.0, middle), name, set);
        }
        let fills = [
            Fill::Solid(Paint::Comm),
            Fill::Solid(Paint::Token),
            Fill::Solid(Paint::Compute),
            Fill::Solid(Paint::ComputeSoft),
            WAITING,
        ];
        for (kind, fill) in spans.kinds.iter().zip(fills) {
            let mark = drawing.push(self.bars(kind), fill);
            if fill == WAITING {
                mark.faded(self.waits * CALM);
            }
        }
        // What has not gone by yet lies under a cover: nothing else changes while a run plays.
        let now = self.x(end_s * self.shown);
        let right = x + width + 2.0;
        let covered = if self.shown < 1.0 { 1.0 } else { 0.0 };
        let cover = [now, y - 1.0, right - now, height + 2.0];
        drawing.rect(cover, 0.0, Fill::Solid(Paint::Card)).faded(covered);
        let playing = self.shown > 0.0 && self.shown < 1.0;
        let line = if playing { now } else { self.x(end_s) };
        let seen = if self.shown > 0.0 && end_s > 0.0 { 1.0 } else { 0.0 };
        drawing.line((line, y - 4.0), (line, y + height + 4.0), Paint::Ink, 2.5).faded(seen);
    }

    /// Writes each wave's number over the first GPU's computation of it, where there is room.
    pub(super) fn numbers(&self, drawing: &mut Drawing, spans: &Spans, end_s: f64, baseline: f64) {
        let set = Type::new(self.size, Paint::Compute).bold().anchored(Anchor::Middle);
        let mut free = f64::NEG_INFINITY;
        for (wave, start_s, done_s) in &spans.first {
            let number = (u32::from(*wave) + 1).to_string();
            let (middle, half) =
                (self.x(f64::midpoint(*start_s, *done_s)), text_width(&number, self.size, true) / 2.0);
            if middle - half < free {
                continue;
            }
            free = middle + half + 6.0;
            let seen = if *start_s < end_s * self.shown { 1.0 } else { 0.0 };
            drawing.text((middle, baseline), number, set).faded(seen);
        }
    }

    /// Bars as one outline: along the foot of each lane, up and down at each bar, and back again.
    fn bars(&self, spans: &[Span]) -> Shape {
        let [left, top, ..] = self.area;
        let pitch = self.pitch();
        let mut points = Vec::with_capacity(spans.len() * 4 + self.ranks * 6 + 1);
        points.push((left, top));
        let mut rest = spans;
        while let Some(first) = rest.first() {
            let own = rest.iter().take_while(|span| (span.row, span.lane) == (first.row, first.lane)).count();
            let (lane, after) = rest.split_at(own);
            rest = after;
            let edges = LANES.get(first.lane as usize).copied().unwrap_or([0.0; 2]);
            let [high, foot] = edges.map(|share| top + (f64::from(first.row) + share) * pitch);
            points.push((left, foot));
            for span in lane {
                let (from, to) = (self.x(span.start_s), self.x(span.end_s));
                points.extend([(from, foot), (from, high), (to, high), (to, foot)]);
            }
            points.push((left, foot));
        }
        Shape::Path { points, closed: true }
    }
}
