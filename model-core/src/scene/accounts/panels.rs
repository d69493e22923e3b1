//! The two plots of "accounts": stages under the roofline, and step times from fast to slow.

use super::frame::{Stage, intensity, time};
use super::words;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::ledger::StepPart;
use crate::scene::parts::of;

/// The stages that have a row of their own.
const STAGES: [StepPart; 5] =
    [StepPart::Proj, StepPart::Attn, StepPart::Moe, StepPart::Head, StepPart::Other];

/// The colour of a stage.
const fn paint(part: StepPart) -> Paint {
    match part {
        StepPart::Proj => Paint::Weight,
        StepPart::Attn => Paint::Cache,
        StepPart::Moe => Paint::Compute,
        StepPart::Head => Paint::WeightDeep,
        StepPart::Other | StepPart::Draft | StepPart::Fixed => Paint::Mute,
    }
}

/// A circle for decode, a diamond for prefill.
fn sign(prefill: bool, x: f64, y: f64, r: f64) -> Shape {
    if prefill {
        let points = vec![(x, y - r * 1.2), (x + r * 1.2, y), (x, y + r * 1.2), (x - r * 1.2, y)];
        Shape::Path { points, closed: true }
    } else {
        Shape::Circle { x, y, r }
    }
}

impl Stage<'_> {
    /// The roofline with all stages, and a table of them.
    pub(super) fn roof(&self, drawing: &mut Drawing, area: [f64; 4], size: f64, tall: bool) {
        let [x, y, width, height] = area;
        self.panel(drawing, area, words::ROOF, size);
        let head = size * 2.4;
        let table = if tall { width - 40.0 } else { 328.0 };
        let rows = (STAGES.len() + 2) as f64;
        let pitch = if tall { size * 1.8 } else { size * 2.2 };
        let (plot, list) = if tall {
            let foot = height - head - rows * pitch - size * 1.6;
            ([x + 20.0, y + head, width - 40.0, foot], [x + 20.0, y + head + foot + size * 1.2])
        } else {
            let room = width - 40.0 - table - 32.0;
            (
                [x + 20.0, y + head, room, height - head - size * 0.9],
                [x + width - 20.0 - table, y + head + size],
            )
        };
        self.plot(drawing, plot, size);
        self.table(drawing, [list[0], list[1], table], pitch, size);
    }

    fn plot(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], size: f64) {
        let (scene, roof) = (self.scene, &self.scene.roof);
        let log = |value: f64| libm::log2(value.max(1e-30));
        let all = || scene.stages.decode.iter().chain(&scene.stages.prefill);
        let ridge = roof.ridge();
        let low = log(all().map(|point| point.intensity()).fold(ridge / 4.0, f64::min)) - 1.0;
        let high = log(all().map(|point| point.intensity()).fold(ridge * 4.0, f64::max)) + 1.0;
        let reached = all().map(|point| point.reached().get()).fold(f64::INFINITY, f64::min);
        let least = log(reached.min(roof.at(libm::exp2(low)).get())) - 0.5;
        let foot = y + height - size * 1.7;
        let top = y + size * 1.6;
        let most = log(roof.peak.get());
        let to_x = |intensity: f64| {
            x + 8.0 + (width - 16.0) * ((log(intensity) - low) / (high - low)).clamp(0.0, 1.0)
        };
        let to_y = |rate: f64| {
            foot - (foot - top) * ((log(rate) - least) / (most - least).max(1e-9)).clamp(0.0, 1.0)
        };
        let corner = vec![(x, y), (x, foot), (x + width, foot)];
        drawing.push(Shape::Path { points: corner, closed: false }, Fill::Empty).stroked(Paint::Line, 2.0);
        let edge = (to_x(ridge), top);
        drawing.line(edge, (edge.0, foot), Paint::Mute, 1.5).dashed();
        let start = libm::exp2(low);
        let points = vec![(to_x(start), to_y(roof.at(start).get())), edge, (x + width, top)];
        drawing.push(Shape::Path { points, closed: false }, Fill::Empty).stroked(Paint::Ink, 3.0);
        let set = Type::new(size, Paint::Mute);
        let text = self.tell(words::RIDGE, &[]);
        let half = text_width(&text, size, false) / 2.0;
        let middle = edge.0.clamp(x + half, x + width - half);
        drawing.text((middle, foot + size * 1.3), text, set.anchored(Anchor::Middle));
        let [slope, flat] = [words::SLOPE, words::FLAT].map(|text| self.look.say(text));
        drawing.text((x + width, top - size * 0.7), flat, set.anchored(Anchor::End));
        let wide = text_width(slope, size, false);
        let beside = (edge.0 - wide - size).max(x + 8.0);
        let fits = beside + wide < x + width - text_width(flat, size, false) - 8.0;
        drawing.text((beside, top - size * 0.7), slope, set).faded(if fits { 1.0 } else { 0.0 });
        for (prefill, points, seen) in [
            (true, &scene.stages.prefill, self.progress.prefill),
            (false, &scene.stages.decode, self.progress.decode),
        ] {
            for point in points {
                let at = (to_x(point.intensity()), to_y(point.reached().get()));
                let fill = Fill::Solid(paint(point.part));
                drawing
                    .push(sign(prefill, at.0, at.1, size * 0.4), fill)
                    .stroked(Paint::Card, 2.0)
                    .faded(seen);
            }
        }
    }

    /// FLOPs a byte of each stage, and the share of the peak that all of them use.
    fn table(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], pitch: f64, size: f64) {
        let scene = self.scene;
        let columns = [x + width * 0.62, x + width];
        let muted = Type::new(size, Paint::Mute);
        let [unit, decode, prefill] = words::COLUMNS.map(|text| self.look.say(text));
        drawing.text((x, y), unit, muted);
        for (at, (word, diamond)) in columns.into_iter().zip([(decode, false), (prefill, true)]) {
            drawing.text((at, y), word, muted.anchored(Anchor::End));
            let left = at - text_width(word, size, false) - size * 0.8;
            drawing.push(sign(diamond, left, y - size * 0.34, size * 0.34), Fill::Solid(Paint::Mute));
        }
        let shown = [self.progress.decode, self.progress.prefill];
        for (row, part) in STAGES.into_iter().enumerate() {
            let line = y + (row as f64 + 1.0) * pitch;
            let chip = [x, line - size * 0.8, size * 0.9, size * 0.9];
            drawing.rect(chip, 3.0, Fill::Solid(paint(part)));
            drawing.text(
                (x + size * 1.4, line),
                self.look.say(words::stage(part)),
                Type::new(size, Paint::Ink),
            );
            for (at, (points, seen)) in
                columns.into_iter().zip([&scene.stages.decode, &scene.stages.prefill].into_iter().zip(shown))
            {
                let found = points.iter().find(|point| point.part == part);
                let text = found.map_or_else(|| "—".to_owned(), |point| intensity(point.intensity()));
                let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::End);
                drawing.text((at, line), text, set).faded(seen);
            }
        }
        let line = y + (STAGES.len() as f64 + 1.2) * pitch;
        drawing.line((x, line - size * 1.25), (x + width, line - size * 1.25), Paint::Line, 2.0);
        drawing.text((x, line), self.look.say(words::PEAK), Type::new(size, Paint::Ink));
        for (at, (prefill, seen)) in columns.into_iter().zip([false, true].into_iter().zip(shown)) {
            let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::End);
            let share = scene.share_of_peak(prefill);
            let text = if share.is_finite() { format::percent(share) } else { "—".to_owned() };
            drawing.text((at, line), text, set).faded(seen);
        }
    }

    /// Step times from fast to slow, and what the told shares do not exceed.
    pub(super) fn tail(&self, drawing: &mut Drawing, area: [f64; 4], size: f64) {
        let [x, y, width, height] = area;
        let rising = &self.scene.tail.rising_s;
        let title = if rising.is_empty() { words::NO_TAIL } else { words::TAIL };
        self.panel(drawing, area, title, size);
        let (first, last) = (rising.first().copied().unwrap_or(0.0), rising.last().copied().unwrap_or(0.0));
        let (left, right) = (x + 20.0, x + width - 20.0 - size * 7.6);
        let (top, foot) = (y + size * 3.0, y + height - size * 2.4);
        // The foot is no zero: the picture is about differences.
        let low = first - (last - first).max(first * 0.01).max(1e-12) * 0.25;
        let to_y =
            |seconds: f64| foot - (foot - top) * ((seconds - low) / (last - low).max(1e-12)).clamp(0.0, 1.0);
        let each = (right - left) / rising.len().max(1) as f64;
        let mut points = vec![(left, foot)];
        for (index, seconds) in rising.iter().enumerate() {
            let (from, high) = (left + index as f64 * each, to_y(*seconds));
            points.extend([(from, high), (from + each, high)]);
        }
        points.push((right, foot));
        let shape = Shape::Path { points, closed: true };
        drawing.push(shape, Fill::Solid(Paint::ComputeSoft)).faded(self.progress.sorted);
        drawing.line((left, foot), (right, foot), Paint::Line, 2.0);
        let set = Type::new(size, Paint::Mute);
        drawing.text((left, foot + size * 1.4), self.look.say(words::STEPS), set);
        let told = self.scene.tail.told_s();
        // Names stand apart however near their times are, and below the heading.
        let mut free = f64::INFINITY;
        let mut places = [0.0; super::SHARES.len()];
        let above = (0..places.len()).rev();
        for ((place, seconds), above) in places.iter_mut().zip(told).zip(above) {
            let own = if seconds.is_finite() { to_y(seconds) } else { foot } + size * 0.36;
            *place = own.min(free).max(top + (above as f64 * 1.3 + 0.4) * size);
            free = *place - size * 1.3;
        }
        for (index, ((share, seconds), baseline)) in
            super::SHARES.into_iter().zip(told).zip(places).enumerate()
        {
            let known = if seconds.is_finite() { 1.0 } else { 0.0 };
            let seen = of(&self.progress.told, index) * known;
            let at = left + (right - left) * share;
            let high = if seconds.is_finite() { to_y(seconds) } else { foot };
            drawing.line((at, high), (at, foot), Paint::Compute, 2.5).faded(seen);
            let bend =
                vec![(at, high), (right + size * 0.5, high), (right + size * 0.9, baseline - size * 0.36)];
            drawing
                .push(Shape::Path { points: bend, closed: false }, Fill::Empty)
                .stroked(Paint::Mute, 1.5)
                .faded(seen);
            let name = format!("p{} {}", format::count((share * 100.0).round()), time(seconds, self.look));
            let set = Type::new(size, Paint::Ink).bold();
            drawing.text((right + size * 1.1, baseline), name, set).faded(seen);
        }
    }
}
