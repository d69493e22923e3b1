//! Beside the runs of "waves": speed-up over the number of waves, and links against the threshold.

use super::frame::Stage;
use super::{Curve, LinkKind, words};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::figure::{Ledger, Unit};
use crate::format;
use crate::scenario::Key;
use crate::scene::exercise::given;
use crate::scene::parts::of;

impl Stage<'_> {
    /// Speed-up over the number of waves.
    pub(super) fn speed(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], size: f64) {
        self.panel(drawing, [x, y, width, height], words::SPEED, size);
        let curves = &self.scene.curves;
        let all = || curves.iter().flat_map(|curve| curve.points.iter().copied());
        let last = all().map(|(waves, _)| waves).max().unwrap_or(1);
        let most = self.scene.most;
        let highest = all().map(|(_, gain)| gain).fold(most.max(1.0), f64::max);
        let lowest = all().map(|(_, gain)| gain).fold(1.0, f64::min);
        let (left, right) = (x + size * 3.6, x + width - size * 1.6);
        let (top, foot) = (y + size * 3.4, y + height - size * 4.6);
        let room = (highest - lowest).max(0.1) * 1.12;
        let doublings = libm::log2(f64::from(last)).max(1.0);
        let to_x = |waves: u32| {
            left + size * 0.6 + (right - left - size * 0.6) * libm::log2(f64::from(waves)) / doublings
        };
        let to_y = |gain: f64| foot - size * 0.6 - (foot - size * 0.6 - top) * (gain - lowest) / room;
        let corner = vec![(left, top - size * 0.4), (left, foot), (right, foot)];
        drawing.push(Shape::Path { points: corner, closed: false }, Fill::Empty).stroked(Paint::Line, 2.0);
        drawing.line((left, to_y(1.0)), (right, to_y(1.0)), Paint::Mute, 1.5).dashed();
        let end = Type::new(size, Paint::Mute).anchored(Anchor::End);
        drawing.text((left - 8.0, to_y(1.0) + size * 0.36), times(1.0), end);
        // The limit gives its number's place to the line of no gain where both are near each other.
        let apart = (to_y(1.0) - to_y(most)).abs() > size * 1.4;
        drawing.line((left, to_y(most)), (right, to_y(most)), Paint::Ink, 1.5).faded(if apart {
            1.0
        } else {
            0.0
        });
        let set = Type::new(size, Paint::Ink).anchored(Anchor::End);
        let text = self.tell(words::MOST, &[("most", times(most))]);
        drawing.text((right, to_y(most) - size * 0.4), text, set).faded(if apart { 1.0 } else { 0.0 });
        let mut free = f64::NEG_INFINITY;
        let mut counts: Vec<u32> = all().map(|(waves, _)| waves).collect();
        counts.sort_unstable();
        counts.dedup();
        for waves in counts {
            let own = waves == self.scene.waves;
            let set = Type::new(size, if own { Paint::Ink } else { Paint::Mute }).anchored(Anchor::Middle);
            let text = waves.to_string();
            let half = text_width(&text, size, true) / 2.0;
            // A number that would touch its neighbour is left out; the dot stays.
            let fits = to_x(waves) - half > free;
            free = if fits { to_x(waves) + half + 4.0 } else { free };
            let set = if own { set.bold() } else { set };
            drawing.text((to_x(waves), foot + size * 1.3), text, set).faded(if fits { 1.0 } else { 0.0 });
        }
        for (index, curve) in curves.iter().enumerate().rev() {
            self.curve(drawing, curve, index, size, (&to_x, &to_y));
        }
        let mut key = x + 20.0;
        for (index, (curve, text)) in curves.iter().zip(words::CURVES).enumerate() {
            let y = y + height - size * 1.1;
            let dot = Shape::Circle { x: key + size * 0.4, y: y - size * 0.36, r: size * 0.36 };
            let (fill, paint) = dot_fill(index);
            drawing.push(dot, fill).stroked(paint, 2.5);
            let text = self.tell(text, &[("n", format::count(curve.tokens as f64))]);
            let wide = text_width(&text, size, false);
            drawing.text((key + size * 1.1, y), text, Type::new(size, Paint::Mute));
            key += size * 2.4 + wide;
        }
    }

    fn curve(
        &self,
        drawing: &mut Drawing,
        curve: &Curve,
        index: usize,
        size: f64,
        (to_x, to_y): (&dyn Fn(u32) -> f64, &dyn Fn(f64) -> f64),
    ) {
        let (fill, paint) = dot_fill(index);
        let places: Vec<_> = curve.points.iter().map(|(waves, gain)| (to_x(*waves), to_y(*gain))).collect();
        for (at, pair) in places.windows(2).enumerate() {
            let [from, to] = pair else { continue };
            let line = drawing.line(*from, *to, paint, 3.0);
            if index > 0 {
                line.dashed();
            }
            line.faded(of(&self.progress.tried, at + 1));
        }
        for (at, ((x, y), (waves, _))) in places.iter().zip(&curve.points).enumerate() {
            let own = *waves == self.scene.waves;
            let r = size * if own { 0.48 } else { 0.3 };
            let mark = drawing.push(Shape::Circle { x: *x, y: *y, r }, fill);
            mark.stroked(if own { Paint::Ink } else { paint }, 2.5).faded(of(&self.progress.tried, at));
        }
    }

    /// Links against the threshold, on a scale of doublings.
    pub(super) fn links(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], size: f64) {
        self.panel(drawing, [x, y, width, height], words::THRESHOLD, size);
        let (scene, look) = (self.scene, self.look);
        let known = || scene.links.iter().map(|row| row.flops_per_byte).filter(|value| value.is_finite());
        let low = libm::log2(known().fold(scene.threshold, f64::min).max(1e-9)) - 1.0;
        let high = libm::log2(known().fold(scene.threshold, f64::max).max(1e-9)) + 0.5;
        let (left, right) = (x + 20.0, x + width - 20.0);
        let to_x =
            |value: f64| left + (right - left) * (libm::log2(value.max(1e-9)) - low) / (high - low).max(1.0);
        let head = size * 2.5;
        let foot = y + height - size * 1.9;
        let pitch = (foot - y - head) / scene.links.len().max(1) as f64;
        let limit = to_x(scene.threshold);
        let reached = Key::LinkEfficiency.default(Ledger::Report).real();
        for (index, row) in scene.links.iter().enumerate() {
            let top = y + head + index as f64 * pitch;
            let seen = of(&self.progress.weighed, index);
            let rate = row.rate.unwrap_or(0.0);
            let values = [
                ("rate", row.rate.map_or_else(String::new, |rate| given(rate, Unit::BytesPerSecond, look))),
                ("share", format::percent(reached)),
                ("gbit", format::count(rate * 8.0 / 1e9)),
            ];
            let text = self.tell(words::link(row.kind), &values);
            let own = row.kind == LinkKind::Own;
            let set = Type::new(size, Paint::Ink);
            let set = if own { set.bold() } else { set };
            let baseline = top + size * 1.05;
            drawing.text((left, baseline), text.trim_end(), set).faded(seen);
            let hidden = row.flops_per_byte <= scene.threshold;
            let verdict = match row.rate {
                Some(_) => {
                    let [exposed, fine] = words::VERDICTS.map(|text| look.say(text));
                    let word = if hidden { fine } else { exposed };
                    format!("{} · {word}", format::count(row.flops_per_byte.round()))
                }
                None => look.say(words::NOTHING).to_owned(),
            };
            let paint = if hidden || row.rate.is_none() { Paint::Ink } else { Paint::Comm };
            let set = Type::new(size, paint).bold().anchored(Anchor::End);
            let mark = drawing.text((right, baseline), verdict, set);
            if let Some(id) = row.figure {
                mark.shows(id, row.flops_per_byte);
            }
            mark.faded(seen);
            let track = [left, top + size * 1.42, right - left, size * 0.44];
            drawing.rect(track, size * 0.2, Fill::Solid(Paint::Sunk));
            let bar = [left, track[1], (to_x(row.flops_per_byte.max(1e-9)) - left).max(0.0) * seen, track[3]];
            let fill = if hidden { Fill::Solid(Paint::Compute) } else { Fill::Hatched(Paint::Comm) };
            let shown = if row.rate.is_some() { seen } else { 0.0 };
            drawing.rect(if row.rate.is_some() { bar } else { track }, size * 0.2, fill).faded(shown);
            let (over, under) = (track[1] - size * 0.1, track[1] + track[3] + size * 0.25);
            drawing.line((limit, over), (limit, under), Paint::Ink, 3.0);
        }
        let text = self.tell(words::LIMIT, &[("limit", format::count(scene.threshold))]);
        let half = text_width(&text, size, true) / 2.0;
        let middle = limit.clamp(left + half, right - half);
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        let mark = drawing.text((middle, foot + size * 1.0), text, set);
        if let Some(id) = scene.threshold_figure {
            mark.shows(id, scene.threshold);
        }
    }
}

/// How a curve's dots are filled, and its colour.
const fn dot_fill(index: usize) -> (Fill, Paint) {
    if index == 0 {
        (Fill::Solid(Paint::Compute), Paint::Compute)
    } else {
        (Fill::Solid(Paint::Card), Paint::Token)
    }
}

/// A speed-up.
pub(super) fn times(gain: f64) -> String {
    format!("{gain:.2}×")
}
