//! The time beside the cards of "journey": a bar to scale, and under it each part with its name, its time and what bounds
//! it; of the opened layer while it is walked through, of the whole step before and after.

use super::frame::Stage;
use super::span::{Span, number};
use super::{Share, Step};
use crate::draw::metrics::text_width;
use crate::draw::{Drawing, Fill, Paint, Shape, Type};
use crate::ledger::journey::Part;
use crate::words::fill;

/// How strongly a part is drawn that is not the step's that is shown.
pub(super) const UNLIT: f64 = 0.35;

/// How a part is filled.
pub(super) const fn fill_of(part: Part) -> Fill {
    match part {
        Part::Streams => Fill::Solid(Paint::Token),
        Part::Proj => Fill::Solid(Paint::WeightDeep),
        Part::Attn => Fill::Solid(Paint::Cache),
        Part::HeadSum | Part::Dispatch | Part::ExpertSum => Fill::Solid(Paint::Comm),
        Part::Experts => Fill::Solid(Paint::Weight),
        Part::Wait => Fill::Solid(Paint::Mute),
        Part::Head => Fill::Solid(Paint::WeightSoft),
        Part::Draft => Fill::Solid(Paint::ComputeSoft),
        Part::Fixed => Fill::Solid(Paint::Compute),
    }
}

const fn paint_of(part: Part) -> Paint {
    match fill_of(part) {
        Fill::Solid(paint) => paint,
        _ => Paint::Mute,
    }
}

impl Stage<'_> {
    /// Whether the whole step is shown, not the opened layer.
    pub(super) const fn whole(&self) -> bool {
        matches!(self.step, Step::Embed | Step::Layers | Step::Next)
    }

    /// What a part takes of what is shown.
    pub(super) const fn seconds(&self, share: &Share) -> [f64; 2] {
        if self.whole() { share.step_s } else { share.layer_s }
    }

    /// Everything that is shown, at most.
    pub(super) fn most(&self) -> f64 {
        self.journey.parts.iter().map(|share| self.seconds(share)[1]).sum()
    }

    /// Whether a part belongs to the step that is shown.
    pub(super) const fn lit(&self, part: Part) -> bool {
        match self.step {
            Step::Embed | Step::Layers | Step::Next => true,
            Step::Attention => matches!(part, Part::Streams | Part::Proj | Part::Attn),
            Step::Sum => matches!(part, Part::HeadSum),
            Step::Route | Step::Experts => matches!(part, Part::Experts | Part::Dispatch),
            Step::Combine => matches!(part, Part::ExpertSum | Part::Wait),
        }
    }

    /// What the total is called, and what it is.
    pub(super) fn total(&self) -> (String, Span) {
        let (journey, words) = (self.journey, self.words);
        if self.whole() {
            let name = fill(words.all, &[("n", number(journey.layers.len() as u64))]);
            return (name, Span::seconds(journey.step.step_s));
        }
        let bare = journey.step.step_s.is_some() || journey.step.events.is_empty();
        let name = if bare { words.layer } else { words.layer_floor };
        (fill(name, &[("n", number(journey.opened as u64))]), Span::seconds(journey.layer_s()))
    }

    /// Where the token is in the opened layer's bar, from 0 to 1.
    pub(super) fn marker(&self) -> Option<f64> {
        if self.whole() {
            return None;
        }
        let parts = &self.journey.parts;
        let first = parts.iter().position(|share| self.lit(share.part))?;
        let last = parts.iter().rposition(|share| self.lit(share.part))?;
        let all = self.most();
        let until = |count: usize| {
            let passed: f64 = parts.iter().take(count).map(|share| share.layer_s[1]).sum();
            if all > 0.0 { (passed / all).clamp(0.0, 1.0) } else { 0.0 }
        };
        let (from, to) = (until(first), until(last + 1));
        // The router's share of the experts is passed in its own step.
        let (from, to) = match self.step {
            Step::Route => (from, from + (to - from) * 0.1),
            Step::Experts => (from + (to - from) * 0.1, to),
            _ => (from, to),
        };
        Some(from + (to - from) * self.t)
    }

    /// Bar and columns of a wide stage.
    pub(super) fn table(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let words = self.words;
        let parts = &self.journey.parts;
        self.bar(drawing, [x, y, width, 14.0]);
        let columns = parts.len() as f64 + 1.15;
        let pitch = width / columns;
        for (index, share) in parts.iter().enumerate() {
            let left = x + index as f64 * pitch;
            let room = pitch - 12.0;
            let lit = self.lit(share.part);
            let sample = [left, y + 21.0, 13.0, 13.0];
            drawing.rect(sample, 3.0, fill_of(share.part)).faded(if lit { 1.0 } else { UNLIT });
            let name = words.part(share.part, self.journey);
            let set = Type::new(18.0, if lit && !self.whole() { Paint::Ink } else { Paint::Mute });
            let mark = drawing.text((left + 20.0, y + 34.0), name, set);
            if let Some((id, value)) = share.because {
                mark.shows(id, value);
            }
            let ends = self.seconds(share);
            let span = Span::seconds(Some(ends));
            let there = ends[1] > 0.0;
            let bold =
                |size| Type { bold: lit, ..Type::new(size, if lit { Paint::Ink } else { Paint::Mute }) };
            let mut text = span.whole();
            let set = bold(if text_width(&text, 20.0, true) <= room { 20.0 } else { 18.0 });
            if text_width(&text, set.size, true) > room {
                text = Span::short_seconds(ends).whole();
            }
            let wide = text_width(&text, set.size, true);
            let seen = if there { 1.0 } else { 0.0 };
            let mark = drawing.text((left, y + 58.0), text, set).faded(seen);
            if let (true, Some((id, value))) = (self.whole(), share.figure) {
                mark.shows(id, value);
            }
            let bound = share.bound.map_or("", |bound| words.bound(bound));
            let fits = wide + 10.0 + text_width(bound, 18.0, false) <= room;
            let told = if there { fits } else { share.step_s[1] <= 0.0 };
            let beside = if there { left + wide + 10.0 } else { left };
            let set = Type::new(18.0, Paint::Mute);
            drawing.text((beside, y + 58.0), bound, set).faded(if told { 1.0 } else { 0.0 });
        }
        let (name, span) = self.total();
        let left = x + parts.len() as f64 * pitch;
        drawing.text((left, y + 34.0), name, Type::new(18.0, Paint::Mute));
        let text = span.whole();
        let size = if text_width(&text, 22.0, true) <= pitch * 1.15 { 22.0 } else { 18.0 };
        drawing.text((left, y + 58.0), text, Type::new(size, Paint::Ink).bold());
    }

    /// The parts to scale, each with what is sure of it and, hatched, what it may take beyond; the token's place on it.
    pub(super) fn bar(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4]) {
        let all = self.most();
        drawing.rect([x, y, width, height], 3.0, Fill::Solid(Paint::Sunk));
        let mut left = x;
        for share in &self.journey.parts {
            let ends = self.seconds(share);
            let [low, high] = ends.map(|end| if all > 0.0 { width * end / all } else { 0.0 });
            let strength = if self.lit(share.part) { 1.0 } else { UNLIT };
            // A hair of the ground between neighbours.
            let gap = |wide: f64| (wide - 2.0).max(wide * 0.5);
            let mark = drawing.rect([left, y, gap(low), height], 2.0, fill_of(share.part)).faded(strength);
            if let Some((id, value)) = share.because {
                mark.shows(id, value);
            }
            let beyond = [left + low, y, gap(high - low), height];
            drawing.rect(beyond, 2.0, Fill::Hatched(paint_of(share.part))).faded(strength);
            left += high;
        }
        let at = self.marker();
        let middle = x + width * at.unwrap_or(0.0);
        let points = vec![(middle, y + 2.0), (middle + 7.0, y - 7.0), (middle - 7.0, y - 7.0)];
        let mark = drawing.push(Shape::Path { points, closed: true }, Fill::Solid(Paint::Ink));
        mark.stroked(Paint::Card, 1.5).faded(if at.is_some() { 1.0 } else { 0.0 });
    }
}
