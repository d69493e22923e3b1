//! The parts of a step as bars: one after the other, changed one at a time, beside each other, and under two clocks.

use super::frame::{Stage, time, times};
use super::words;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::scene::lines;
use crate::scene::parts::of;
use crate::simulate::critical_path::{Part, Parts};

/// The colour of a part.
const fn paint(part: Part) -> Paint {
    match part {
        Part::Attention => Paint::Cache,
        Part::Experts => Paint::Compute,
        Part::Exposed => Paint::Comm,
        Part::Cpu => Paint::Mute,
    }
}

impl Stage<'_> {
    /// The path, its changes, and the scenario's own step.
    pub(super) fn path(&self, drawing: &mut Drawing, area: [f64; 4], size: f64, tall: bool) {
        let [x, y, width, height] = area;
        self.panel(drawing, area, words::PATH, size);
        let scene = self.scene;
        let (left, right) = (x + 20.0, x + width - 20.0);
        let key = y + size * if tall { 3.5 } else { 3.2 };
        self.keys(drawing, [left, key, right - left], if tall { 24.0 } else { 18.0 });
        let rows = scene.changes.len() + 2;
        let head = size * if tall { 4.7 } else { 3.9 };
        let pitch = (height - head - 8.0) / rows as f64;
        let scale_s = scene.parts.total_s().max(1e-12);
        let best = scene.best();
        for row in 0..rows {
            let top = y + head + row as f64 * pitch;
            let change = row.checked_sub(2).and_then(|at| scene.changes.get(at));
            let own = row == 1;
            let (parts, seen) = match change {
                Some(change) => (change.parts, of(&self.progress.tried, row - 2)),
                None if own => (scene.own, self.progress.own),
                None => (scene.parts, 1.0),
            };
            let name = match (change, row) {
                (Some(change), _) if change.part.is_none() => words::HIDING,
                (Some(_), row) => words::FASTER.get(row - 2).copied().unwrap_or(words::NOW),
                (None, 0) => words::NOW,
                (None, _) => words::OWN,
            };
            let total_s = parts.total_s();
            let value = match change {
                Some(change) => format!("{} · {}", time(total_s, self.look), times(change.gain)),
                None if own && total_s <= 0.0 => "—".to_owned(),
                None => time(total_s, self.look),
            };
            let shown = if row == 0 { of(&self.progress.laid, 3_usize) } else { seen };
            let strong = row == 0 || change.is_some_and(|change| change.part == best.part);
            let set = Type::new(size, Paint::Ink);
            let set = if strong { set.bold() } else { set };
            let baseline = if tall { top + size * 1.05 } else { top + pitch / 2.0 + size * 0.36 };
            let told = self.tell(name, &[]);
            let room = if tall { right - left - text_width(&value, size, true) - 16.0 } else { 208.0 };
            let (fit, _) = lines::fit(&told, strong, room, 1, &[size, size * 0.95, size * 0.9]);
            let least = if tall { 24.0 } else { 18.0 };
            drawing.text((left, baseline), told, Type { size: fit.max(least), ..set }).faded(seen);
            let mark = drawing.text((right, baseline), value, set.anchored(Anchor::End));
            let figure = change.map_or(if row == 0 { scene.figure } else { None }, |change| change.figure);
            if let Some(id) = figure {
                mark.shows(id, total_s);
            }
            mark.faded(shown);
            let bar = if tall {
                [left, top + size * 1.5, right - left, (pitch - size * 2.0).min(size * 1.6)]
            } else {
                [left + 224.0, top + pitch * 0.16, right - left - 224.0 - 200.0, pitch * 0.68]
            };
            let scale_s = if own { total_s.max(1e-12) } else { scale_s };
            self.bar(drawing, bar, &parts, scale_s, |part| {
                if row == 0 { of(&self.progress.laid, part) } else { seen }
            });
        }
    }

    /// What the colours stand for.
    fn keys(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], size: f64) {
        let words = Part::ALL.map(|part| self.look.say(words::part(part)));
        let needs = |size: f64| {
            words.iter().map(|word| text_width(word, size, false) + size * 2.6).sum::<f64>() - size
        };
        let least = if size >= 24.0 { 24.0 } else { 18.0 };
        let size = if needs(size) <= width { size } else { least };
        let mut left = x;
        for (part, word) in Part::ALL.into_iter().zip(words) {
            drawing.rect([left, y - size * 0.8, size * 0.9, size * 0.9], 3.0, Fill::Solid(paint(part)));
            drawing.text((left + size * 1.3, y), word, Type::new(size, Paint::Mute));
            left += text_width(word, size, false) + size * 2.6;
        }
    }

    /// Parts after each other.
    fn bar(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        parts: &Parts,
        scale_s: f64,
        seen: impl Fn(usize) -> f64,
    ) {
        let mut left = x;
        for (index, part) in Part::ALL.into_iter().enumerate() {
            let wide = width * (parts.of(part) / scale_s).clamp(0.0, 1.0);
            let seen = seen(index);
            drawing.rect([left, y, (wide - 2.0).max(0.0) * seen, height], 3.0, Fill::Solid(paint(part)));
            left += wide;
        }
    }

    /// Communication beside computation, and the two ways to count.
    pub(super) fn overlap(&self, drawing: &mut Drawing, area: [f64; 4], size: f64) {
        let [x, y, width, height] = area;
        self.panel(drawing, area, words::OVERLAP, size);
        let scene = self.scene;
        let (overlap, parts) = (scene.overlap, scene.parts);
        let label = size * 5.0;
        let (left, right) = (x + 20.0 + label, x + width - 20.0);
        let scale_s = overlap.summed_s.max(1e-12);
        let to_x = |seconds: f64| left + (right - left) * (seconds / scale_s).clamp(0.0, 1.0);
        let head = size * 2.4;
        let pitch = (height - head - size * 2.1) / 2.0;
        let lane = |index: usize| [y + head + index as f64 * pitch + pitch * 0.1, pitch * 0.72];
        for (index, text) in words::LANES.into_iter().enumerate() {
            let [top, high] = lane(index);
            let set = Type::new(size, Paint::Mute);
            drawing.text((x + 20.0, top + high / 2.0 + size * 0.36), self.look.say(text), set);
        }
        let now_s = overlap.passed_s * self.progress.overlap;
        let mut span = |index: usize, from_s: f64, to_s: f64, fill: Fill| {
            let [top, high] = lane(index);
            let (from, to) = (to_x(from_s.min(now_s)), to_x(to_s.min(now_s)));
            drawing.rect([from, top, (to - from - 1.0).max(0.0), high], 3.0, fill);
        };
        let attention_s = parts.cpu_s + parts.attention_s;
        let computed_s = attention_s + parts.experts_s;
        span(0, 0.0, parts.cpu_s, Fill::Solid(paint(Part::Cpu)));
        span(0, parts.cpu_s, attention_s, Fill::Solid(paint(Part::Attention)));
        span(0, attention_s, computed_s, Fill::Solid(paint(Part::Experts)));
        span(1, overlap.comm_from_s, computed_s, Fill::Hatched(Paint::Comm));
        span(1, computed_s.max(overlap.comm_from_s), overlap.passed_s, Fill::Solid(Paint::Comm));
        let [top, _] = lane(0);
        let [low, high] = lane(1);
        let seen = if self.progress.overlap > 0.0 { 1.0 } else { 0.0 };
        let now = to_x(now_s);
        drawing.line((now, top - 4.0), (now, low + high + 4.0), Paint::Ink, 2.5).faded(seen);
        // Where the items added up would end.
        drawing.line((right, top - 4.0), (right, low + high + 4.0), Paint::Mute, 2.0).dashed().faded(seen);
        let done = if self.progress.overlap >= 1.0 { 1.0 } else { 0.0 };
        let [passed, summed] = words::SUMS.map(|text| self.tell(text, &[]));
        let baseline = y + height - size * 0.7;
        let set = Type::new(size, Paint::Ink).bold();
        drawing.text((x + 20.0, baseline), passed, set).faded(done);
        let set = Type::new(size, Paint::Mute).anchored(Anchor::End);
        drawing.text((right, baseline), summed, set).faded(done);
    }

    /// Host and GPU at work, the three ways to time them, and both clocks.
    pub(super) fn clocks(&self, drawing: &mut Drawing, area: [f64; 4], size: f64, tall: bool) {
        let [x, y, width, height] = area;
        self.panel(drawing, area, words::CLOCKS, size);
        let scene = self.scene;
        let (parts, clocks) = (scene.parts, scene.clocks);
        let total_s = clocks.synchronised_s.max(1e-12);
        let now_s = total_s * self.progress.clocks;
        let dials = if tall { 0.0 } else { 116.0 };
        let label = if tall { size * 3.4 } else { 188.0 };
        let (left, right) = (x + 20.0 + label, x + width - 20.0 - dials);
        let to_x = |seconds: f64| left + (right - left) * (seconds / total_s).clamp(0.0, 1.0);
        let head = size * 2.3;
        let rows = if tall { 8.6 } else { 5.0 };
        let pitch = (height - head - size * 0.5) / rows;
        let lane = |row: f64| [y + head + row * pitch + pitch * 0.14, pitch * 0.62];
        let word = |drawing: &mut Drawing, row: f64, text: String, seen: f64| {
            let [top, high] = lane(row);
            let (fit, _) = lines::fit(&text, false, label - 8.0, 1, &[size, size * 0.9]);
            let fit = fit.max(if tall { 24.0 } else { 18.0 });
            let set = Type::new(fit, Paint::Mute);
            drawing.text((x + 20.0, top + high / 2.0 + size * 0.36), text, set).faded(seen);
        };
        for (row, text) in words::SIDES.into_iter().enumerate() {
            word(drawing, row as f64, self.look.say(text).to_owned(), 1.0);
        }
        let span = |drawing: &mut Drawing, row: f64, from_s: f64, to_s: f64, fill: Fill| {
            let [top, high] = lane(row);
            let (from, to) = (to_x(from_s.min(now_s)), to_x(to_s.min(now_s)));
            drawing.rect([from, top, (to - from - 1.0).max(0.0), high], 3.0, fill);
        };
        span(drawing, 0.0, 0.0, parts.cpu_s, Fill::Solid(paint(Part::Cpu)));
        span(drawing, 0.0, parts.cpu_s, total_s, Fill::Hatched(Paint::Mute));
        let mut from_s = parts.cpu_s;
        for part in [Part::Attention, Part::Experts, Part::Exposed] {
            let to_s = from_s + parts.of(part);
            span(drawing, 1.0, from_s, to_s, Fill::Solid(paint(part)));
            from_s = to_s;
        }
        let ways = [
            (0.0, clocks.returned_s),
            (clocks.returned_s, clocks.synchronised_s),
            (0.0, clocks.synchronised_s),
        ];
        for (index, ((from_s, to_s), text)) in ways.into_iter().zip(words::WAYS).enumerate() {
            let row = if tall { 2.6 + index as f64 * 2.0 } else { 2.0 + index as f64 };
            let reached = if now_s >= to_s * (1.0 - 1e-9) && self.progress.clocks > 0.0 { 1.0 } else { 0.0 };
            let begun = if now_s > from_s { 1.0 } else { 0.0 };
            let value = time(to_s - from_s, self.look);
            // The only way that sees the whole step stands out.
            let whole = index == 2;
            let line_row = if tall { row + 0.68 } else { row };
            let [top, high] = lane(line_row);
            let middle = top + high / 2.0;
            let (from, to) = (to_x(from_s), to_x(to_s.min(now_s).max(from_s)));
            let paint = if whole { Paint::Ink } else { Paint::Mute };
            drawing.line((from, middle), (to, middle), paint, 3.0).faded(begun);
            for end in [from, to] {
                drawing.line((end, middle - 7.0), (end, middle + 7.0), paint, 3.0).faded(begun);
            }
            if tall {
                let [top, high] = lane(row);
                let baseline = top + high / 2.0 + size * 0.3;
                drawing.text((x + 20.0, baseline), self.look.say(text), Type::new(size, Paint::Mute));
                let set = Type::new(size, Paint::Ink).anchored(Anchor::End);
                let set = if whole { set.bold() } else { set };
                drawing.text((x + width - 20.0, baseline), value, set).faded(reached);
                continue;
            }
            word(drawing, row, self.look.say(text).to_owned(), 1.0);
            let set = Type::new(size, Paint::Ink);
            let set = if whole { set.bold() } else { set };
            // Beside the line where there is room, else over its end.
            let wide = text_width(&value, size, true);
            let (at, set) = match to_x(to_s) + 12.0 + wide < right {
                true => (to_x(to_s) + 12.0, set),
                false => (x + width - 20.0, set.anchored(Anchor::End)),
            };
            drawing.text((at, middle + size * 0.36), value, set).faded(reached);
        }
        if !tall {
            let centre = x + width - 20.0 - dials / 2.0 + 20.0;
            for (row, shown_s) in [now_s, (now_s - clocks.returned_s).max(0.0)].into_iter().enumerate() {
                let [top, high] = lane(row as f64);
                let stopped_s = if row == 0 { now_s.min(clocks.returned_s) } else { shown_s };
                let middle = (centre, top + high / 2.0);
                self.dial(drawing, middle, pitch * 0.42, [stopped_s / total_s, shown_s / total_s]);
            }
        }
    }

    /// A clock with a hand that has stopped and one that has gone on; the same where there is but one.
    fn dial(&self, drawing: &mut Drawing, (x, y): (f64, f64), r: f64, parts: [f64; 2]) {
        let ring = Shape::Circle { x, y, r };
        drawing.push(ring, Fill::Solid(Paint::Sunk)).stroked(Paint::Mute, 2.0);
        for (part, (paint, width)) in parts.into_iter().zip([(Paint::Mute, 2.0), (Paint::Ink, 3.0)]) {
            let (sin, cos) = libm::sincos(part.clamp(0.0, 1.0) * core::f64::consts::TAU);
            drawing.line((x, y), (x + sin * r * 0.78, y - cos * r * 0.78), paint, width);
        }
    }
}
