//! The comparison of "caches": every sample of the small model's two runs in the order in which they are compared, as
//! far as they agree; and two requests with caches of their own.

use super::frame::{Stage, place};
use super::words;
use super::{Event, LAYERS, live};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape};
use crate::engine::compare::Tensor;
use crate::format;
use crate::scenario::FaultKind;
use crate::scene::lines;
use crate::scene::parts::of;

/// What is compared, in the order in which a deviation spreads.
pub(super) const TENSORS: [Tensor; 6] = [
    Tensor::Ring,
    Tensor::MainCompressed,
    Tensor::IndexerKeys,
    Tensor::TopK,
    Tensor::AttentionOutput,
    Tensor::ExpertOutput,
];

/// Its place in that order.
pub(super) fn place_of(tensor: Tensor) -> usize {
    TENSORS.iter().position(|known| *known == tensor).unwrap_or(0)
}

impl Stage<'_> {
    /// The comparison, layer by layer.
    pub(super) fn check(&self, drawing: &mut Drawing, [x, y, width, _]: [f64; 4]) {
        let scene = self.scene;
        let small = self.small(Paint::Mute);
        let line = small.size * lines::LEADING;
        let large = self.pick(23.0, 29.0);
        let count = |number: usize| format::count(number as f64);
        let named = [
            ("tokens", count(live::TOKENS)),
            ("first", count(live::FIRST_CHUNK)),
            ("last", count(live::TOKENS - 1)),
            ("fault", self.look.say(words::fault(scene.fault)).to_owned()),
        ];
        self.heading(drawing, (x, y + large), &self.tell(words::CHECK, &named), width);
        let mut base = y + large + line;
        let set = self.small(if scene.fault == FaultKind::None { Paint::Mute } else { Paint::Comm });
        let room = (width, self.pick(1, 2));
        base = self.sentence(drawing, (x, base), &self.tell(words::FAULT, &named), set.bold(), room, 1.0);
        let mut columns = self.tell(words::READING, &named);
        for (index, tensor) in TENSORS.into_iter().enumerate() {
            let name = self.look.say(words::tensor(tensor)).replace(' ', "\u{a0}");
            let comma = if index == 0 { "" } else { self.look.say(words::COMMA) };
            columns += &format!("{comma}{}\u{a0}{name}", index + 1);
        }
        base = self.sentence(drawing, (x, base), &columns, small, (width, self.pick(2, 3)), 1.0);
        let grid_top = base + line * 1.4;
        let pitch = self.pick(20.0, 17.0);
        self.samples(drawing, [x, grid_top, width], pitch);
        base = grid_top + pitch * live::TOKENS as f64 + line * 1.2;
        base = self.result(drawing, (x, base), width);
        self.requests(drawing, [x, base + 8.0, width]);
    }

    /// The samples of each layer, downwards by position, across by tensor.
    fn samples(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], pitch: f64) {
        let small = self.small(Paint::Mute);
        let (left, gap) = (self.pick(40.0, 44.0), self.pick(26.0, 18.0));
        let block = (width - left - gap * (LAYERS.len() - 1) as f64) / LAYERS.len() as f64;
        let column = block / TENSORS.len() as f64;
        let agree = |wanted: usize| {
            let of_layer = |event: &Event| match event {
                Event::Compare { layer, agree } if *layer == wanted => Some(*agree),
                _ => None,
            };
            self.scene.compared().iter().find_map(of_layer).unwrap_or(0)
        };
        for (layer, kind) in LAYERS.into_iter().enumerate() {
            let at = x + left + layer as f64 * (block + gap);
            let named =
                [("layer", place(layer as u64)), ("kind", self.look.say(words::kind(kind)).to_owned())];
            let heading = self.tell(words::LAYER, &named);
            let set = self.small(Paint::Ink).bold();
            drawing.text((at, y - small.size * 1.6), heading, set);
            for index in 0..TENSORS.len() {
                let middle = at + (index as f64 + 0.45) * column;
                let set = small.anchored(Anchor::Middle);
                drawing.text((middle, y - small.size * 0.4), place(index as u64 + 1), set);
            }
            let cells = |count: usize| Shape::Cells {
                x: at,
                y,
                columns: TENSORS.len(),
                count,
                pitch: (column, pitch),
                size: (column * 0.9, pitch * 0.78),
            };
            drawing.push(cells(TENSORS.len() * live::TOKENS), Fill::Solid(Paint::Sunk));
            let done = (agree(layer) as f64 * of(&self.progress.compared, layer)).round() as usize;
            drawing.push(cells(done), Fill::Solid(Paint::Cache));
        }
        let cut = y + pitch * live::FIRST_CHUNK as f64 - pitch * 0.11;
        drawing.line((x + left - 6.0, cut), (x + width, cut), Paint::Ink, 2.0);
        for position in [0, live::FIRST_CHUNK, live::TOKENS - 1] {
            let base = y + (position as f64 + 0.5) * pitch + small.size * 0.36;
            let set = small.anchored(Anchor::End);
            drawing.text((x + left - 10.0, base), place(position as u64), set);
        }
        let first = self.scene.live.as_ref().and_then(|live| live.first);
        let (layer, position, tensor) =
            first.map_or((0, 0, 0), |first| (first.layer, first.position, place_of(first.tensor)));
        let area = [
            x + left + layer as f64 * (block + gap) + tensor as f64 * column,
            y + position as f64 * pitch,
            column * 0.9,
            pitch * 0.78,
        ];
        let shown = self.progress.deviated;
        drawing.rect(area, 1.0, Fill::Solid(Paint::Comm)).stroked(Paint::Comm, 3.0).faded(shown);
    }

    /// What came of it, in a sentence.
    fn result(&self, drawing: &mut Drawing, at: (f64, f64), width: f64) -> f64 {
        let live = self.scene.live.as_ref();
        let first = live.and_then(|live| live.first);
        let logits = live.map_or(0.0, |live| f64::from(live.logits));
        let named = [
            ("layer", first.map_or_else(String::new, |first| place(first.layer as u64))),
            ("position", first.map_or_else(String::new, |first| place(first.position as u64))),
            ("tensor", first.map_or("", |first| self.look.say(words::tensor(first.tensor))).to_owned()),
            ("logits", format::count(logits)),
        ];
        let (template, paint) = match first {
            Some(_) => (words::DIFFERS, Paint::Comm),
            None if self.scene.fault == FaultKind::None => (words::SAME, Paint::Ink),
            None => (words::UNTOUCHED, Paint::Ink),
        };
        let shown = if first.is_some() {
            self.progress.deviated
        } else {
            self.progress.compared.last().copied().unwrap_or(0.0)
        };
        let told = self.tell(template, &named);
        self.sentence(drawing, at, &told, self.small(paint).bold(), (width, self.pick(1, 2)), shown)
    }

    /// Two requests' rings side by side, unlike in length.
    fn requests(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let turns = self.progress.turns;
        let small = self.small(Paint::Mute);
        let half = (width - 24.0) / 2.0;
        let left = self.pick(136.0, 0.0);
        let high = self.pick(22.0, 26.0);
        let drop = self.pick(0.0, small.size * 1.3);
        for (index, (name, tokens)) in words::REQUESTS.into_iter().zip(live::REQUESTS).enumerate() {
            let at = x + index as f64 * (half + 24.0);
            let base = if self.narrow() { y + small.size * 0.3 } else { y + high / 2.0 - 4.0 };
            drawing.text((at, base), self.look.say(name), small);
            let pitch = (half - left) / live::WINDOW as f64;
            let top = y - small.size * 0.75 + drop;
            let cells = |count: usize| Shape::Cells {
                x: at + left,
                y: top,
                columns: live::WINDOW,
                count,
                pitch: (pitch, high),
                size: (pitch * 0.8, high),
            };
            drawing.push(cells(live::WINDOW), Fill::Solid(Paint::Sunk));
            let filled = (tokens as f64 * turns).round() as usize;
            drawing.push(cells(filled), Fill::Solid(Paint::CacheSoft));
        }
        let apart = self.scene.live.as_ref().is_some_and(|live| live.apart);
        let told = self.look.say(if apart { words::APART } else { words::MIXED });
        let base = y + high + drop + small.size * 0.6;
        self.sentence(drawing, (x, base), told, self.small(Paint::Ink), (width, self.pick(1, 2)), turns);
    }
}
