//! One layer opened: its ring, its entries, its keys and its tail, each filled as far as the prompt fills it.

use super::super::frame::{CACHE_PAINTS, Stage};
use super::Panel;
use crate::draw::{Fill, Paint, Shape, Type};
use crate::format;
use crate::ledger::layer_cache::Rows;
use crate::scene::stage::cell_grid;
use crate::spec::AttentionKind;
use crate::words::fill;

/// Cells a cache is drawn with at most.
const MOST_CELLS: u64 = 256;

/// A cache as it is drawn.
struct Drawn {
    details: String,
    cells: u64,
    filled: u64,
    mark: Option<u64>,
}

impl Stage<'_> {
    /// The opened layer.
    pub(in super::super) fn caches_panel(&self, panel: &mut Panel) {
        let (scene, words) = (self.scene, self.words);
        let [x, y, width, high] = panel.area;
        let (kind, cache) = scene.opened();
        panel.heading(&self.tell(words.opened));
        let border = scene.border(scene.load.1);
        let (left, group) = match kind {
            AttentionKind::Window => (0, 0),
            AttentionKind::Csa => (border.csa_left, scene.ratios.0),
            AttentionKind::Hca => (border.hca_left, scene.ratios.1),
        };
        let entries = self.entries(kind != AttentionKind::Window, cache.entries);
        let keys = self.entries(kind == AttentionKind::Csa, cache.keys);
        let drawn = [self.ring(), entries, keys, self.tail(left, group)];
        let step = panel.pick(122.0, 109.0);
        for (index, (drawn, paint)) in drawn.into_iter().zip(CACHE_PAINTS).enumerate() {
            let top = y + panel.pick(78.0, 68.0) + index as f64 * step;
            let opened = self.progress.opened.get(index).copied().unwrap_or(0.0);
            let name = words.caches.get(index).copied().unwrap_or("");
            let set = panel.small(Paint::Ink).bold();
            panel.drawing.text((x, top), name, set);
            let indent = panel.pick(150.0, 164.0);
            let set = panel.small(Paint::Mute);
            panel.line((x + indent, top), &drawn.details, set, width - indent);
            let area = [x, top + 14.0, width, panel.pick(56.0, 48.0)];
            let count = drawn.cells as usize;
            let grid = |shown: u64| cell_grid(area, count.max(1), shown as usize);
            panel.drawing.push(grid(drawn.cells), Fill::Solid(Paint::Sunk));
            let shown = (drawn.filled as f64 * opened).round() as u64;
            panel.drawing.push(grid(shown), Fill::Solid(paint));
            // The slot that is written next stands out.
            if let Some(slot) = drawn.mark
                && let Shape::Cells { x, y, columns, pitch, size, .. } = grid(drawn.cells)
            {
                let (column, line) = (slot as usize % columns.max(1), slot as usize / columns.max(1));
                let at = [x + column as f64 * pitch.0, y + line as f64 * pitch.1, size.0, size.1];
                panel.drawing.rect(at, 2.0, Fill::Solid(Paint::Token)).faded(opened);
            }
        }
        let base = y + high - panel.pick(40.0, 40.0);
        let set = Type::new(panel.pick(21.0, 24.0), Paint::Ink).bold();
        let [one, all] = words.totals.map(|template| self.tell(template));
        panel.line((x, base), &one, set, width);
        let mark = panel.line((x, base + panel.pick(30.0, 34.0)), &all, set, width);
        if let Some(id) = scene.caches.figure {
            mark.shows(id, scene.caches.bytes.get());
        }
    }

    fn ring(&self) -> Drawn {
        let scene = self.scene;
        let (_, cache) = scene.opened();
        let (slots, used) = (scene.window.max(1), scene.load.1.min(scene.window));
        let slot = scene.load.1 % slots;
        let number = |number: u64| format::count(number as f64);
        let values = [
            ("slots", number(slots)),
            ("used", number(used)),
            ("slot", number(slot)),
            ("bytes", self.size(cache.window.bytes)),
        ];
        Drawn { details: fill(self.words.ring, &values), cells: slots, filled: used, mark: Some(slot) }
    }

    /// Entries or keys, a cell for one or for several; `has` says whether such a layer keeps any.
    fn entries(&self, has: bool, Rows { count, bytes }: Rows) -> Drawn {
        if !has {
            return Drawn { details: self.words.lacks.to_owned(), cells: 0, filled: 0, mark: None };
        }
        let each = count.div_ceil(MOST_CELLS).max(1);
        let cells = count.div_ceil(each);
        let template = if each > 1 { self.words.rows_by } else { self.words.rows };
        let number = |number: u64| format::count(number as f64);
        let values = [("rows", number(count)), ("bytes", self.size(bytes)), ("n", number(each))];
        Drawn { details: fill(template, &values), cells, filled: cells, mark: None }
    }

    fn tail(&self, left: u64, group: u64) -> Drawn {
        if group == 0 {
            return Drawn { details: self.words.lacks.to_owned(), cells: 0, filled: 0, mark: None };
        }
        let number = |number: u64| format::count(number as f64);
        let (_, cache) = self.scene.opened();
        let bytes = self.size(cache.state);
        let values = [("left", number(left)), ("group", number(group)), ("bytes", bytes)];
        Drawn { details: fill(self.words.tail, &values), cells: group, filled: left, mark: None }
    }
}
