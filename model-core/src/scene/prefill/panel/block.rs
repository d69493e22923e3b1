//! The block itself: what it becomes, who may look at whom in it, and what each kind of layer keeps of it.

use super::super::frame::Stage;
use super::super::{EXAMPLE_QUERIES, MOST_REQUESTS, Prefill};
use super::{Panel, Size, row};
use crate::draw::{Anchor, Fill, Paint, Shape, Type};
use crate::format;
use crate::scene::stage::layer_paint;
use crate::spec::AttentionKind;
use crate::words::fill;

impl Stage<'_> {
    /// Requests as rows of tokens; below them what the embedding makes of each.
    pub(in super::super) fn prompt_panel(&self, panel: &mut Panel) {
        let (scene, words) = (self.scene, self.words);
        let [x, y, width, _] = panel.area;
        let (requests, tokens) = (scene.load.0.min(MOST_REQUESTS) as usize, scene.load.1);
        let columns = tokens.clamp(1, panel.pick(32, 16));
        let pitch = (width / columns as f64).min(60.0);
        let top = y + panel.pick(10.0, 6.0);
        let high = (250.0 / requests.max(1) as f64).min(40.0);
        for index in 0..requests {
            let at = [x, top + index as f64 * high];
            let arrived = self.progress.arrived.get(index).copied().unwrap_or(0.0);
            let shown = (columns as f64 * arrived).round() as usize;
            panel.drawing.push(row(at, columns as usize, pitch, high - 5.0), Fill::Solid(Paint::Sunk));
            let mut cells = row(at, columns as usize, pitch, high - 5.0);
            if let Shape::Cells { count, .. } = &mut cells {
                *count = shown;
            }
            panel.drawing.push(cells, Fill::Solid(Paint::Token));
        }
        let under = top + requests as f64 * high + panel.pick(24.0, 26.0);
        let template = if tokens.is_multiple_of(columns) { words.cell } else { words.about_cell };
        let mut note = fill(template, &[("n", format::count((tokens as f64 / columns as f64).round()))]);
        if scene.load.0 > MOST_REQUESTS {
            note += &fill(words.some_requests, &[("n", format::count(MOST_REQUESTS as f64))]);
        }
        let set = panel.small(Paint::Mute);
        panel.line((x, under), &note, set, width);

        let known = self.progress.arrived.last().copied().unwrap_or(0.0);
        let top = under + panel.pick(30.0, 24.0);
        let (middle, tip) = (x + 24.0, top + panel.pick(58.0, 46.0));
        panel.drawing.line((middle, top), (middle, tip - 12.0), Paint::Token, 5.0).faded(known);
        let points = vec![(middle - 12.0, tip - 14.0), (middle + 12.0, tip - 14.0), (middle, tip)];
        let head = Shape::Path { points, closed: true };
        panel.drawing.push(head, Fill::Solid(Paint::Token)).faded(known);
        let set = panel.small(Paint::Mute);
        let text = self.tell(words.embed);
        panel.line((x + 56.0, (top + tip) / 2.0 + 8.0), &text, set, width - 56.0).faded(known);

        let streams = scene.streams.0.min(8) as usize;
        let top = tip + 18.0;
        for index in 0..streams {
            let line = [x, top + index as f64 * 24.0, width * known, 14.0];
            panel.drawing.rect(line, 4.0, Fill::Solid(Paint::Token)).faded(known);
        }
        let base = top + streams as f64 * 24.0 + panel.pick(30.0, 30.0);
        let set = panel.small(Paint::Ink).bold();
        let text = self.tell(words.residual);
        panel
            .line((x, base), &text, Type { size: set.size + panel.pick(3.0, 1.0), ..set }, width)
            .faded(known);
        let set = panel.small(Paint::Mute);
        let text = self.tell(words.residual_chunk);
        panel.line((x, base + panel.pick(36.0, 36.0)), &text, set, width).faded(known);
    }

    /// A small block: which key each query sees, and from when on a compressed entry is there.
    pub(in super::super) fn mask_panel(&self, panel: &mut Panel) {
        let (scene, words) = (self.scene, self.words);
        let [x, y, width, _] = panel.area;
        let queries = panel.pick(EXAMPLE_QUERIES, 8);
        let entries = queries / scene.ratios.0;
        let pitch = panel.pick(37.0, 33.0);
        panel.heading(&fill(words.mask, &[("n", format::count(queries as f64))]));
        let (left, top) = (x + 40.0, y + 74.0);
        let aside = left + queries as f64 * pitch + 28.0;
        let number = panel.pick(18.0, 24.0);
        let middle = Type::new(number, Paint::Mute).anchored(Anchor::Middle);
        for column in 0..queries {
            let at = (left + (column as f64 + 0.45) * pitch, top - 9.0);
            panel.drawing.text(at, column.to_string(), middle);
        }
        for column in 0..entries {
            let at = (aside + (column as f64 + 0.45) * pitch, top - 9.0);
            panel.drawing.text(at, column.to_string(), middle);
        }
        for query in 0..queries {
            let line = top + query as f64 * pitch;
            let looked = self.progress.looked.get(query as usize).copied().unwrap_or(0.0);
            let end = Type::new(number, Paint::Mute).anchored(Anchor::End);
            panel.drawing.text((left - 12.0, line + pitch * 0.66), query.to_string(), end);
            let cells = |from: f64, count: u64| row([from, line], count as usize, pitch, pitch - 5.0);
            panel.drawing.push(cells(left, queries), Fill::Solid(Paint::Sunk));
            panel.drawing.push(cells(left, query + 1), Fill::Solid(Paint::Token)).faded(looked);
            panel.drawing.push(cells(aside, entries), Fill::Solid(Paint::Sunk));
            let complete = (query + 1) / scene.ratios.0;
            panel.drawing.push(cells(aside, complete), Fill::Solid(Paint::Cache)).faded(looked);
        }
        let bottom = top + queries as f64 * pitch + panel.pick(20.0, 24.0);
        let set = panel.small(Paint::Mute);
        let [tokens, csa] = words.mask_columns;
        panel.drawing.text((left, bottom), tokens, set);
        panel.drawing.text((aside, bottom), csa, set);

        let notes = (aside + entries as f64 * pitch + panel.pick(44.0, 28.0)).max(aside + 110.0);
        let room = x + width - notes;
        let m = fill(words.mask_notes[2], &[("m", format::count(scene.ratios.0 as f64))]);
        let mut line = top + 18.0;
        for (paint, text) in [
            (Paint::Token, words.mask_notes[0]),
            (Paint::Sunk, words.mask_notes[1]),
            (Paint::Cache, m.as_str()),
        ] {
            line = panel.sample((notes, line), Fill::Solid(paint), text, room, 1.0) + 12.0;
        }
        let text = self.last_query();
        let set = panel.small(Paint::Ink);
        let seen = self.progress.looked.last().copied().unwrap_or(0.0);
        if panel.size == Size::Wide {
            panel.lines((notes, line + 16.0), &text, set, room, seen);
        } else {
            panel.lines((x, bottom + 40.0), &text, set, width, seen);
        }
    }

    /// What the last token of the prompt sees.
    fn last_query(&self) -> String {
        let scene = self.scene;
        let (context, csa) = (scene.load.1, scene.load.1 / scene.ratios.0);
        let number = |number: u64| format::count(number as f64);
        let values = [
            ("window", number(context.min(scene.window))),
            ("csa", number(csa)),
            ("picked", number(csa.min(scene.top_k))),
            ("hca", number(context / scene.ratios.1)),
        ];
        fill(self.words.last_query, &values)
    }

    /// The same tokens over what each kind of layer keeps of them, entry under group; below, the order within a layer.
    pub(in super::super) fn layers_panel(&self, panel: &mut Panel) {
        let (scene, words) = (self.scene, self.words);
        let [x, y, width, high] = panel.area;
        panel.heading(&self.tell(words.kept));
        let tokens = scene.ratios.1 as usize;
        let pitch = width / tokens.max(1) as f64;
        panel.drawing.push(row([x, y + 46.0], tokens, pitch, 32.0), Fill::Solid(Paint::Token));
        let mut top = y + panel.pick(138.0, 122.0);
        for kind in [AttentionKind::Hca, AttentionKind::Csa, AttentionKind::Window] {
            let count = scene.layers_of(kind);
            if count == 0 {
                continue;
            }
            let passed = passed(scene, kind, &self.progress.passed);
            let side = 20.0;
            panel.drawing.rect([x, top - 17.0, side, side], 3.0, Fill::Solid(layer_paint(kind)));
            let template = words.kinds.get(kind as usize).copied().unwrap_or("");
            let text = self.tell(&fill(template, &[("count", format::count(count as f64))]));
            let set = panel.small(Paint::Ink);
            let next = panel.lines((x + 32.0, top), &text, set, width - 32.0, 1.0);
            let each = match kind {
                AttentionKind::Window => 0,
                AttentionKind::Csa => tokens as u64 / scene.ratios.0,
                AttentionKind::Hca => 1,
            } as usize;
            let pitch = width / each.max(1) as f64;
            let rows: &[(Paint, f64)] = match kind {
                AttentionKind::Window => &[],
                AttentionKind::Csa => &[(Paint::Cache, 40.0), (Paint::CacheDeep, 18.0)],
                AttentionKind::Hca => &[(Paint::Cache, 40.0)],
            };
            let mut under = next - set.size * 1.36 + 14.0;
            for (paint, high) in rows {
                panel.drawing.push(row([x, under], each, pitch, *high), Fill::Solid(Paint::Sunk));
                panel.drawing.push(row([x, under], each, pitch, *high), Fill::Solid(*paint)).faded(passed);
                under += high + 4.0;
            }
            top = under + panel.pick(54.0, 40.0);
        }
        let base = y + high - panel.pick(94.0, 86.0);
        let set = panel.small(Paint::Mute);
        panel.line((x, base), &self.tell(words.within), set, width);
        let paints = [Paint::Token, Paint::Compute, Paint::Comm, Paint::Weight, Paint::Comm];
        let share = width / paints.len() as f64;
        for (index, (paint, word)) in paints.into_iter().zip(words.parts).enumerate() {
            let left = x + index as f64 * share;
            panel.drawing.rect([left, base + 18.0, share - 6.0, 12.0], 4.0, Fill::Solid(paint));
            let set = panel.small(Paint::Ink);
            panel.drawing.text((left, base + panel.pick(56.0, 60.0)), word, set);
        }
    }
}

/// How far the block has come through the layers of a kind.
fn passed(scene: &Prefill, kind: AttentionKind, passed: &[f64]) -> f64 {
    let of_kind = scene.layers.iter().zip(passed).filter(|(known, _)| **known == kind);
    let (count, sum) = of_kind.fold((0.0, 0.0), |(count, sum), (_, done)| (count + 1.0, sum + done));
    if count > 0.0 { sum / count } else { 0.0 }
}
