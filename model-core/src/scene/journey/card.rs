//! One card of "journey": memory on the left; streams, heads, the sum and the experts from top to bottom beside it.

use super::frame::Stage;
use super::span::number;
use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type};
use crate::format;
use crate::ledger::journey::Kind;
use crate::scene::parts::Grid;
use crate::scene::stage::{self, PLACES};
use crate::words::fill;

/// From a card's left edge to its memory, and the memory's width.
const MEMORY: (f64, f64) = (20.0, 48.0);
/// From a card's upper edge to the upper and the lower edge of what stands on it.
const INSIDE: (f64, f64) = (58.0, 336.0);
/// From a card's left edge to what stands beside the memory, and its width.
const BESIDE: (f64, f64) = (96.0, 240.0);
/// From a card's upper edge to the cells of the experts, and their height.
const EXPERTS: (f64, f64) = (257.0, 79.0);
/// From a card's upper edge to its heads.
const HEADS: f64 = 140.0;

/// Least width of a head's cell that is drawn apart.
const LEAST_CELL: f64 = 2.4;

impl Stage<'_> {
    pub(super) fn card(&self, drawing: &mut Drawing, place: u32) {
        let shares = &self.journey.shares;
        let used = place < shares.places();
        let name = [self.common.gpu, " ", &shares.heading(place)].concat();
        let [x, y, width, height] = stage::card(drawing, place, &name, used);
        if !used {
            let set = Type::new(22.0, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, y + height / 2.0 + 8.0), self.words.idle, set);
            return;
        }
        let muted = Type::new(18.0, Paint::Mute);
        drawing.text((x + width - 20.0, y + 37.0), self.held(place), muted.anchored(Anchor::End));
        let beside = x + BESIDE.0;
        self.computed_reads(drawing, place, [x, y]);
        self.streams(drawing, place, [beside, y + 56.0]);
        self.heads(drawing, place, [beside, y + HEADS]);
        self.sum_row(drawing, place, [beside, y + 197.0]);
        let experts = u64::from(shares.experts_at(place));
        let text = fill(self.words.experts_held, &[("n", number(experts))]);
        drawing.text((beside, y + 246.0), text, muted);
        let picked = shares.picked_at(place);
        let text = fill(self.words.picked, &[("n", number(picked as u64))]);
        let own = (0..).zip(&shares.picks).filter(|(_, pick)| pick.rank % PLACES == place);
        let done = own.map(|(nth, _): (usize, _)| self.picked(nth)).fold(1.0, f64::min);
        let set = Type::new(18.0, Paint::Ink).bold().anchored(Anchor::End);
        drawing.text((beside + BESIDE.1, y + 246.0), text, set).faded(if picked > 0 { done } else { 0.0 });
        self.experts(drawing, place, [beside, y + EXPERTS.0, BESIDE.1, EXPERTS.1]);
    }

    /// Which heads and experts lie there; how many, where several GPUs do.
    fn held(&self, place: u32) -> String {
        let shares = &self.journey.shares;
        let span = |range: core::ops::Range<u32>| {
            if range.len() > 1 {
                [range.start.to_string(), (range.end - 1).to_string()].join("–")
            } else if range.len() == 1 {
                range.start.to_string()
            } else {
                format::ABSENT.to_owned()
            }
        };
        if shares.ranks > PLACES {
            return fill(self.words.gpus, &[("n", number(shares.ranks_at(place).count() as u64))]);
        }
        ["Q ", &span(shares.heads_of(place)), " · E ", &span(shares.held(place))].concat()
    }

    /// The memories of all used cards, which are alike: one mark for each band, and one for what is read from it, not one
    /// for each card.
    pub(super) fn memories(&self, drawing: &mut Drawing) {
        let (shares, progress) = (&self.journey.shares, &self.progress);
        let corners = || (0..shares.places().min(PLACES)).map(stage::card_box);
        let height = INSIDE.1 - INSIDE.0;
        let up = |part: f64| INSIDE.1 - height * part;
        let bars = |from: f64, to: f64| Shape::Bars {
            areas: corners()
                .map(|[x, y, ..]| [x + MEMORY.0, y + up(to), MEMORY.1, height * (to - from)])
                .collect(),
        };
        drawing.push(bars(0.0, shares.limit), Fill::Solid(Paint::Sunk));
        for slab in &shares.slabs {
            let mark = drawing.push(bars(slab.from, slab.to), slab.fill);
            if let Some((id, value)) = slab.figure {
                mark.shows(id, value);
            }
            if slab.to - slab.from > 0.02 {
                mark.stroked(Paint::Card, 1.5);
            }
        }
        let limit = |[x, y, ..]: [f64; 4]| {
            let (left, y) = (x + MEMORY.0, y + up(shares.limit));
            vec![(left - 4.0, y), (left + MEMORY.1 + 4.0, y)]
        };
        let lines = Shape::Lines { lines: corners().map(limit).collect() };
        drawing.push(lines, Fill::Empty).stroked(Paint::Ink, 2.0).dashed();
        // The name stands in the largest band, clear of the others' edges.
        let largest = shares.slabs.iter().max_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)));
        let (middle, filled) = largest.map_or((0.5, false), |slab| {
            let high = height * (slab.to.min(shares.limit) - slab.from);
            (f64::midpoint(slab.from, slab.to.min(shares.limit)), high > 30.0)
        });
        let paint = if filled { Paint::OnColour } else { Paint::Ink };
        let middle = if filled { up(middle) + 6.0 } else { INSIDE.1 - 10.0 };
        let set = Type::new(18.0, paint).bold().anchored(Anchor::Middle);
        for [x, y, ..] in corners() {
            drawing.text((x + MEMORY.0 + MEMORY.1 / 2.0, y + middle), "HBM", set);
        }
        let lanes = [
            (1, Paint::WeightDeep, progress.project.max(progress.head), HEADS + 38.0, 76.0),
            (2, Paint::Cache, progress.attend, HEADS + 28.0, 82.0),
        ];
        for (band, paint, opacity, to, lane) in lanes {
            let lines = corners().map(|[x, y, ..]| self.lane(band, [x, y], to, lane)).collect();
            let mark = drawing.push(Shape::Lines { lines }, Fill::Empty).stroked(paint, 3.0);
            mark.faded(if self.holds(band) { opacity } else { 0.0 });
        }
    }

    /// What a card's experts read of its memory, each card in its own time.
    fn computed_reads(&self, drawing: &mut Drawing, place: u32, corner: [f64; 2]) {
        let computed = self.progress.compute.get(place as usize).copied().unwrap_or(0.0);
        let points = self.lane(0, corner, EXPERTS.0 + EXPERTS.1 / 2.0, 79.0);
        let mark = drawing.push(Shape::Path { points, closed: false }, Fill::Empty);
        mark.stroked(Paint::Weight, 3.0).faded(if self.holds(0) { computed } else { 0.0 });
    }

    /// Whether a band of the memory has any height.
    fn holds(&self, band: usize) -> bool {
        self.journey.shares.slabs.get(band).is_some_and(|slab| slab.to > slab.from)
    }

    /// The way from a band of a card's memory to what it is read for.
    fn lane(&self, band: usize, [x, y]: [f64; 2], to: f64, lane: f64) -> Vec<(f64, f64)> {
        let slab = self.journey.shares.slabs.get(band);
        let middle = slab.map_or(0.0, |slab| f64::midpoint(slab.from, slab.to));
        let (from, to) = (y + INSIDE.1 - (INSIDE.1 - INSIDE.0) * middle, y + to);
        let tip = x + BESIDE.0 - 4.0;
        vec![
            (x + MEMORY.0 + MEMORY.1, from),
            (x + lane, from),
            (x + lane, to),
            (tip, to),
            (tip - 4.0, to - 4.0),
            (tip, to),
            (tip - 4.0, to + 4.0),
        ]
    }

    /// How strongly a place's activations are drawn: a token that lives on one GPU is elsewhere only with others' eyes.
    fn presence(&self, place: u32) -> f64 {
        if self.journey.shares.owner.is_none_or(|owner| owner == place) { 1.0 } else { 0.25 }
    }

    /// The residual streams, and the one vector they are mixed into.
    fn streams(&self, drawing: &mut Drawing, place: u32, [x, y]: [f64; 2]) {
        let progress = &self.progress;
        let values = [("s", number(self.journey.streams)), ("d", self.journey.hidden.to_string())];
        drawing.text((x, y + 14.0), fill(self.words.streams, &values), Type::new(18.0, Paint::Mute));
        let here = self.presence(place);
        let rows = (self.journey.streams as usize).clamp(1, 8);
        let pitch = 36.0 / rows as f64;
        let lines = Shape::Cells {
            x,
            y: y + 24.0,
            columns: 1,
            count: rows,
            pitch: (BESIDE.1, pitch),
            size: (BESIDE.1 * progress.widen, pitch * 0.6),
        };
        let alone = progress.mix * (1.0 - progress.update);
        drawing.push(lines, Fill::Solid(Paint::Token)).faded(here * (1.0 - 0.65 * alone));
        let found = if self.journey.shares.holder() == place || progress.share >= 1.0 {
            progress.lookup
        } else {
            progress.share
        };
        let single = (found * (1.0 - progress.widen)).max(progress.mix * (1.0 - 0.5 * progress.update));
        let bar = [x, y + 64.0, BESIDE.1, 7.0];
        drawing.rect(bar, 3.0, Fill::Solid(Paint::Token)).faded(here * single.max(0.5 * progress.head));
    }

    /// The heads of the place, at work.
    fn heads(&self, drawing: &mut Drawing, place: u32, [x, y]: [f64; 2]) {
        let shares = &self.journey.shares;
        let count = shares.heads.map(|heads| heads as usize * shares.ranks_at(place).count());
        let text = count.map_or(format::ABSENT.to_owned(), |count| number(count as u64));
        let set = Type::new(18.0, Paint::Mute);
        drawing.text((x, y + 14.0), fill(self.words.heads, &[("n", text)]), set);
        let progress = &self.progress;
        let here = self.presence(place);
        let states = [
            (1.0, Paint::Sunk, 1.0),
            (progress.project, Paint::ComputeSoft, here),
            (progress.attend, Paint::Compute, here),
        ];
        for (part, paint, opacity) in states {
            let cells = count.filter(|count| BESIDE.1 / *count as f64 >= LEAST_CELL);
            let mark: &mut Mark = if let Some(count) = cells {
                let pitch = BESIDE.1 / count as f64;
                let shape = Shape::Cells {
                    x,
                    y: y + 24.0,
                    columns: count,
                    count: (count as f64 * part).round() as usize,
                    pitch: (pitch, 18.0),
                    size: (pitch * 0.78, 18.0),
                };
                drawing.push(shape, Fill::Solid(paint))
            } else {
                drawing.rect([x, y + 24.0, BESIDE.1 * part, 18.0], 3.0, Fill::Solid(paint))
            };
            mark.faded(opacity);
        }
    }

    /// How much of a sum there is at a place: of its own piece, and of everybody's.
    pub(super) fn together(&self, place: u32) -> (f64, f64) {
        let (journey, progress) = (self.journey, &self.progress);
        let computed = progress.compute.get(place as usize).copied().unwrap_or(0.0);
        if !progress.experts_begun() {
            // Heads that are not cut have nothing to add up.
            let whole = if self.presence(place) < 1.0 { 0.0 } else { progress.attend };
            return if journey.is_cut() { (progress.attend, progress.sum) } else { (0.0, whole) };
        }
        // Under expert parallelism only the token's own GPU gathers its results.
        let gathers =
            journey.here(Kind::Combine).is_none() || journey.shares.owner.is_none_or(|owner| owner == place);
        (computed, if gathers { progress.combine } else { 0.0 })
    }

    /// What has come together of a sum: each GPU's own piece, in the end everybody's.
    fn sum_row(&self, drawing: &mut Drawing, place: u32, [x, y]: [f64; 2]) {
        let words = self.words;
        let places = self.journey.shares.places();
        let begun = self.progress.experts_begun();
        let (own, all) = self.together(place);
        let (word, done) = match (begun, all >= 1.0) {
            (false, false) => (words.heads_partial, 0.0),
            (false, true) => (words.heads_sum, 1.0),
            (true, false) => (words.experts_partial, 0.0),
            (true, true) => (words.experts_sum, 1.0),
        };
        drawing.text((x, y + 14.0), word, Type::new(18.0, if done > 0.0 { Paint::Ink } else { Paint::Mute }));
        let (left, pitch) = (x + BESIDE.1 - 8.0 * 17.0, 17.0);
        let cells = |count: usize| Shape::Cells {
            x: left,
            y,
            columns: places as usize,
            count,
            pitch: (pitch, 16.0),
            size: (13.0, 16.0),
        };
        drawing.push(cells(places as usize), Fill::Solid(Paint::Sunk));
        let here = [left + f64::from(place) * pitch, y, 13.0, 16.0];
        drawing.rect(here, 0.0, Fill::Solid(Paint::Comm)).faded(own);
        let count = (f64::from(places) * all).round() as usize;
        drawing.push(cells(count), Fill::Solid(Paint::Comm)).faded(if count > 0 { 1.0 } else { 0.0 });
    }

    /// How far the token's pick of that number has come.
    pub(super) fn picked(&self, nth: usize) -> f64 {
        self.progress.picks.get(nth).copied().unwrap_or(0.0)
    }

    /// The place's experts, the token's picks among them.
    fn experts(&self, drawing: &mut Drawing, place: u32, area: [f64; 4]) {
        let shares = &self.journey.shares;
        let count = shares.experts_at(place).max(1) as usize;
        drawing.push(stage::cell_grid(area, count, count), Fill::Solid(Paint::Sunk));
        let grid = Grid::new(area, count);
        let computed = self.progress.compute.get(place as usize).copied().unwrap_or(0.0);
        let own = shares.picks.iter().enumerate().filter(|(_, pick)| pick.rank % PLACES == place);
        for (nth, pick) in own {
            let there = self.picked(nth);
            let [x, y, width, height] = grid.cell(shares.index_at(*pick) as usize);
            drawing.rect([x, y, width, height], 3.0, Fill::Solid(Paint::Weight)).faded(there);
            let ring = [x - 2.0, y - 2.0, width + 4.0, height + 4.0];
            drawing.rect(ring, 4.0, Fill::Empty).stroked(Paint::Compute, 3.0).faded(computed);
            let r = (width.min(height) * 0.24).max(1.0);
            let dot = Shape::Circle { x: x + width / 2.0, y: y + height / 2.0, r };
            drawing.push(dot, Fill::Solid(Paint::Token)).faded(there);
        }
    }
}
