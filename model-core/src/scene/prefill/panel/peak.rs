//! The peak: what stands in a GPU's memory at once, in chunks, and fused, as columns to one scale over a table.

use super::super::frame::Stage;
use super::super::{Held, Way};
use super::{Panel, Size};
use crate::draw::{Anchor, Fill, Paint, Type};
use crate::format;
use crate::ledger::index_scores::TILE_QUERIES;
use crate::words::fill;

/// Room kept above the tallest column, as a factor.
const HEADROOM: f64 = 1.03;

impl Stage<'_> {
    /// Three columns against the memory, their parts in a table below.
    pub(in super::super) fn peak_panel(&self, panel: &mut Panel) {
        let (scene, words) = (self.scene, self.words);
        let [x, y, width, high] = panel.area;
        let names = panel.pick(224.0, 218.0);
        let share = (width - names) / Way::ALL.len() as f64;
        let middle = |way: Way| x + names + (way as usize as f64 + 0.5) * share;
        self.shape(panel);

        let (top, bottom) = (y + panel.pick(76.0, 84.0), y + panel.pick(300.0, 232.0));
        let full = Way::ALL.into_iter().map(|way| scene.peak(way).get()).fold(scene.capacity.get(), f64::max);
        let full = full.max(1.0) * HEADROOM;
        let to_y = |bytes: f64| bottom - (bottom - top) * bytes / full;
        let limit = to_y(scene.capacity.get());
        let wide = panel.pick(120.0, 78.0);
        for way in Way::ALL {
            let left = middle(way) - wide / 2.0;
            panel.drawing.rect([left, limit, wide, bottom - limit], 4.0, Fill::Solid(Paint::Sunk));
            let mut level = 0.0;
            for held in Held::ALL {
                let amount = scene.held(way, held);
                let bytes = amount.bytes.get() * self.taken(way, held);
                let part = [left, to_y(level + bytes), wide, to_y(level) - to_y(level + bytes)];
                let mark = panel.drawing.rect(part, 1.0, held_fill(held));
                if let Some(id) = amount.figure {
                    mark.shows(id, amount.bytes.get());
                }
                level += bytes;
            }
            // Beside the column, so that its parts keep their colours.
            let over = to_y(level.max(scene.capacity.get()));
            panel.drawing.rect(
                [left + wide + 6.0, over, 16.0, limit - over],
                2.0,
                Fill::Hatched(Paint::Comm),
            );
        }
        panel.drawing.line((x + names - 4.0, limit), (x + width, limit), Paint::Ink, 2.5).dashed();
        let label = self.tell(words.memory);
        let set = panel.pick(panel.small(Paint::Ink).bold(), panel.small(Paint::Ink));
        let baseline = (limit + 7.0).clamp(top + 8.0, bottom);
        panel.line((x, baseline), &label, set, names - 12.0).shows("gpu.memory.bytes", scene.capacity.get());

        self.table(panel, middle, bottom + panel.pick(32.0, 34.0));
        let note = fill(words.fused, &[("tile", format::count(TILE_QUERIES as f64))]);
        let set = panel.small(Paint::Mute);
        let base = y + high - panel.pick(10.0, 46.0);
        if panel.size == Size::Wide {
            panel.line((x, base), &note, set, width);
        } else {
            panel.lines((x, base), &note, set, width, 1.0);
        }
    }

    /// The score tensor's shape, with the scenario's numbers.
    fn shape(&self, panel: &mut Panel) {
        let scene = self.scene;
        let [x, y, width, _] = panel.area;
        let index = scene.pass(Way::Whole);
        let number = |number: u64| format::count(number as f64);
        let factors = [
            number(index.requests),
            number(index.queries),
            format::count(index.heads),
            number(index.entries),
        ];
        let product = format!(
            "{} × 2 B = {}",
            factors.join(" × "),
            self.size(scene.held(Way::Whole, Held::Scores).bytes)
        );
        let set = panel.small(Paint::Mute);
        panel.line((x, y + 20.0), &self.tell(self.words.scores), set, width);
        let set = panel.small(Paint::Ink).bold();
        panel.line((x, y + panel.pick(50.0, 54.0)), &product, set, width);
    }

    /// The same parts as numbers, in the order of the columns from their tops.
    fn table(&self, panel: &mut Panel, middle: impl Fn(Way) -> f64, top: f64) {
        let (scene, words) = (self.scene, self.words);
        let [x, _, width, _] = panel.area;
        let pitch = panel.pick(33.0, 34.0);
        let side = panel.pick(18.0, 22.0);
        let set = panel.small(Paint::Ink);
        for (way, name) in Way::ALL.into_iter().zip(words.ways) {
            panel.drawing.text((middle(way), top), name, set.bold().anchored(Anchor::Middle));
        }
        let mut line = top + pitch;
        for held in Held::ALL.into_iter().rev() {
            panel.drawing.rect([x, line - side * 0.84, side, side], 4.0, held_fill(held));
            let name = words.held.get(held as usize).copied().unwrap_or("");
            panel.drawing.text((x + side + 10.0, line), name, set);
            for way in Way::ALL {
                let amount = scene.held(way, held);
                let none = amount.bytes.get() == 0.0;
                let text = if none { "0".to_owned() } else { self.size(amount.bytes) };
                let set = Type::new(set.size, if none { Paint::Mute } else { Paint::Ink });
                let opacity = if none { self.taken(way, Held::Weights) } else { self.taken(way, held) };
                let mark = panel.drawing.text((middle(way), line), text, set.anchored(Anchor::Middle));
                mark.faded(opacity);
                if let Some(id) = amount.figure {
                    mark.shows(id, amount.bytes.get());
                }
            }
            line += pitch;
        }
        let rule = line - pitch + 9.0;
        panel.drawing.line((x, rule), (x + width, rule), Paint::Line, 2.0);
        line += 4.0;
        panel.drawing.text((x, line), words.peak, set.bold());
        for way in Way::ALL {
            let peak = scene.peak(way);
            let over = peak > scene.capacity;
            let set = Type::new(set.size, if over { Paint::Comm } else { Paint::Ink });
            let taken = Held::ALL.into_iter().rev().map(|held| self.taken(way, held)).fold(0.0, f64::max);
            let last = if self.taken(way, Held::Sum) > 0.0 { self.taken(way, Held::Sum) } else { taken };
            let text = self.size(peak);
            panel.drawing.text((middle(way), line), text, set.bold().anchored(Anchor::Middle)).faded(last);
        }
    }

    fn taken(&self, way: Way, held: Held) -> f64 {
        let all = self.progress.taken.get(way as usize);
        all.and_then(|all| all.get(held as usize)).copied().unwrap_or(0.0)
    }
}

fn held_fill(held: Held) -> Fill {
    match held {
        Held::Weights => Fill::Solid(Paint::Weight),
        Held::Caches => Fill::Solid(Paint::Cache),
        Held::Streams => Fill::Solid(Paint::Token),
        Held::Scores => Fill::Solid(Paint::Compute),
        Held::Product => Fill::Solid(Paint::ComputeSoft),
        Held::Sum => Fill::Dotted(Paint::Compute),
    }
}
