//! The two traps of chunks: the mask within one, and what a border cuts off. A chunk of a few tokens shows them; the
//! scenario's own border stands below.

use super::super::EXAMPLE_CHUNK;
use super::super::frame::Stage;
use super::{Panel, row};
use crate::draw::{Anchor, Fill, Paint, Shape, Type};
use crate::format;
use crate::words::fill;

impl Stage<'_> {
    /// Both traps, one under the other.
    pub(in super::super) fn chunks_panel(&self, panel: &mut Panel) {
        let [x, y, width, high] = panel.area;
        self.first_trap(panel, [x, y, width]);
        self.second_trap(panel, [x, y + panel.pick(272.0, 232.0), width]);
        self.own_border(panel, [x, y + high - panel.pick(64.0, 52.0), width]);
    }

    /// What the scenario's own first border cuts off: tokens of a CSA and of an HCA group that wait.
    fn own_border(&self, panel: &mut Panel, [x, y, width]: [f64; 3]) {
        let (scene, carried) = (self.scene, self.progress.carried);
        let set = Type::new(panel.pick(21.0, 24.0), Paint::Ink).bold();
        let own = self.tell(self.words.own_border);
        panel.line((x, y), &own, set, width).faded(carried);
        let border = scene.first_border();
        let csa = width * 0.1;
        for (group, left, from, wide) in [
            (scene.ratios.0, border.csa_left, x, csa),
            (scene.ratios.1, border.hca_left, x + csa + 24.0, width - csa - 24.0),
        ] {
            let pitch = wide / group as f64;
            let cells = |count: u64| row([from, y + 16.0], count as usize, pitch, 26.0);
            panel.drawing.push(cells(group), Fill::Solid(Paint::Sunk)).faded(carried);
            panel.drawing.push(cells(left), Fill::Solid(Paint::Token)).faded(carried);
        }
    }

    /// The second chunk's queries against both chunks' keys: the past whole, the present up to itself.
    fn first_trap(&self, panel: &mut Panel, [x, y, width]: [f64; 3]) {
        let words = self.words;
        panel.heading(words.traps[0]);
        let pitch = panel.pick((34.0, 31.0), (27.0, 23.0));
        let (left, top) = (x + 42.0, y + panel.pick(66.0, 64.0));
        let number = panel.pick(18.0, 24.0);
        let shown = self.progress.masked;
        for column in [0, EXAMPLE_CHUNK - 1, EXAMPLE_CHUNK, 2 * EXAMPLE_CHUNK - 1] {
            let at = (left + (column as f64 + 0.45) * pitch.0, top - 8.0);
            let set = Type::new(number, Paint::Mute).anchored(Anchor::Middle);
            panel.drawing.text(at, column.to_string(), set);
        }
        for query in 0..EXAMPLE_CHUNK {
            let line = top + query as f64 * pitch.1;
            if query == 0 || query + 1 == EXAMPLE_CHUNK {
                let set = Type::new(number, Paint::Mute).anchored(Anchor::End);
                let label = (EXAMPLE_CHUNK + query).to_string();
                panel.drawing.text((left - 10.0, line + pitch.1 * 0.5 + number * 0.3), label, set);
            }
            let own = left + EXAMPLE_CHUNK as f64 * pitch.0;
            let cells = |from: f64, count: u64| row([from, line], count as usize, pitch.0, pitch.1 - 4.0);
            panel.drawing.push(cells(left, EXAMPLE_CHUNK), Fill::Solid(Paint::CacheSoft));
            panel.drawing.push(cells(own, EXAMPLE_CHUNK), Fill::Solid(Paint::Sunk));
            let leak = own + (query + 1) as f64 * pitch.0;
            panel
                .drawing
                .push(cells(leak, EXAMPLE_CHUNK - query - 1), Fill::Hatched(Paint::Comm))
                .faded(shown);
            panel.drawing.push(cells(own, query + 1), Fill::Solid(Paint::Token)).faded(shown);
        }
        let border = left + EXAMPLE_CHUNK as f64 * pitch.0 - 2.5;
        let bottom = top + EXAMPLE_CHUNK as f64 * pitch.1;
        panel.drawing.line((border, top - 6.0), (border, bottom), Paint::Ink, 2.5).dashed();
        let notes = left + 2.0 * EXAMPLE_CHUNK as f64 * pitch.0 + panel.pick(32.0, 16.0);
        let room = x + width - notes;
        let mut line = top + panel.pick(24.0, 12.0);
        let fills = [Fill::Solid(Paint::CacheSoft), Fill::Solid(Paint::Token), Fill::Hatched(Paint::Comm)];
        for (fill, text) in fills.into_iter().zip(words.first_notes) {
            line = panel.sample((notes, line), fill, text, room, 1.0) + panel.pick(18.0, 0.0);
        }
    }

    /// Groups of tokens across the border, the entries they make, and the group before that an entry also needs.
    fn second_trap(&self, panel: &mut Panel, [x, y, width]: [f64; 3]) {
        let (words, scene) = (self.words, self.scene);
        let carried = self.progress.carried;
        let sizes = panel.pick(24.0, 28.0);
        let set = Type::new(sizes, Paint::Ink).bold();
        panel.line((x, y + 26.0), words.traps[1], set, width);
        let tokens = 2 * EXAMPLE_CHUNK;
        let group = scene.ratios.0.min(tokens);
        let pitch = panel.pick(48.0, 55.0);
        let high = panel.pick(36.0, 34.0);
        let top = y + panel.pick(70.0, 76.0);
        let border = scene.border(EXAMPLE_CHUNK);
        for token in 0..tokens {
            let at = [x + token as f64 * pitch, top, pitch - 5.0, high];
            // The first chunk is there; what the border cuts off is framed.
            let there = token < EXAMPLE_CHUNK;
            let fill = Fill::Solid(if there { Paint::Token } else { Paint::Sunk });
            panel.drawing.rect(at, 5.0, fill);
            if !there {
                panel.drawing.rect(at, 5.0, Fill::Solid(Paint::Token)).faded(0.45 * carried);
            }
            let cut_off = there && token >= EXAMPLE_CHUNK - border.csa_left;
            if cut_off {
                let frame = [at[0] - 1.5, at[1] - 1.5, at[2] + 3.0, at[3] + 3.0];
                panel.drawing.rect(frame, 6.0, Fill::Empty).stroked(Paint::Ink, 3.5).faded(carried);
            }
            let set = Type::new(panel.pick(18.0, 24.0), Paint::Mute).anchored(Anchor::Middle);
            panel.drawing.text((at[0] + at[2] / 2.0, top - 9.0), token.to_string(), set);
        }
        let edge = x + EXAMPLE_CHUNK as f64 * pitch - 2.5;
        panel.drawing.line((edge, top - 8.0), (edge, top + high + 8.0), Paint::Ink, 2.5).dashed();
        // Entries under their groups; each but the first also reaches back to the group before it.
        let below = top + high + panel.pick(42.0, 34.0);
        let groups = tokens / group;
        let wide = group as f64 * pitch - 5.0;
        for index in 0..groups {
            let left = x + (index * group) as f64 * pitch;
            let middle = left + wide / 2.0;
            let straddles = index * group < EXAMPLE_CHUNK && (index + 1) * group > EXAMPLE_CHUNK;
            let later = if (index + 1) * group <= EXAMPLE_CHUNK { 1.0 } else { carried };
            let (from, to) = (top + high + 4.0, below - 4.0);
            panel.drawing.line((middle, from), (middle, to), Paint::Cache, 4.0).faded(later);
            if straddles {
                let before = (middle - wide * 0.75, from);
                let points = vec![before, (middle - wide * 0.2, to)];
                let shape = Shape::Path { points, closed: false };
                let mark = panel.drawing.push(shape, Fill::Empty);
                mark.stroked(Paint::CacheSoft, 4.0).faded(later);
            }
            let entry = [middle - wide * 0.36, below, wide * 0.72, high];
            panel.drawing.rect(entry, 6.0, Fill::Solid(Paint::Sunk));
            panel.drawing.rect(entry, 6.0, Fill::Solid(Paint::Cache)).faded(later);
            let set = Type::new(panel.pick(19.0, 24.0), Paint::OnColour).anchored(Anchor::Middle).bold();
            let name = fill(words.entry, &[("n", format::count(index as f64))]);
            panel.drawing.text((middle, below + high * 0.68), name, set).faded(later);
        }
        let number = |number: u64| format::count(number as f64);
        let values = [
            ("chunk", number(EXAMPLE_CHUNK)),
            ("left", number(border.csa_left)),
            ("rest", number(group - border.csa_left)),
        ];
        let [cut, before] = words.second_notes.map(|template| fill(template, &values));
        let (notes, room) = panel.pick((x + tokens as f64 * pitch + 28.0, width), (x, width));
        let room = x + room - notes;
        let line = panel.pick(top + 18.0, below + high + 34.0);
        let set = panel.small(Paint::Ink);
        let next = panel.lines((notes, line), &cut, set, room, 1.0) + panel.pick(10.0, 0.0);
        panel.lines((notes, next), &before, set, room, 1.0);
    }
}
