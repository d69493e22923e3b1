//! The bytes of "dispatch": four ways to count them, out and back side by side, and the example token beside.

use super::frame::Stage;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::units::Bytes;
use crate::words::fill;

/// Rows of the example; a token of more GPUs is shown in part.
const MOST_TARGETS: usize = 6;
/// Which of the ways to count is the one that the picture sends.
const SENT: usize = 2;
/// Experts named in a row.
const MOST_NAMES: usize = 3;

impl Stage<'_> {
    /// The four ways with their bars, in a card; `size` is the letters' size. `stacked` sets words above bars.
    pub(super) fn bars(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        size: f64,
        stacked: bool,
    ) {
        let (dispatch, words) = (self.dispatch, self.words);
        drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
        let heading = Type::new(size * 1.1, Paint::Ink).bold();
        drawing.text((x + 20.0, y + size * 1.7), words.counted, heading);
        let most = dispatch.counts.iter().flat_map(|count| [count.sent.total(), count.expected.total()]);
        let most = most.fold(Bytes(1.0), Bytes::max);
        let head = size * if stacked { 4.4 } else { 2.6 };
        let key = if stacked { [x + 20.0, y + size * 3.2] } else { [x + width * 0.42, y + size * 1.66] };
        self.bar_keys(drawing, key, size - if stacked { 0.0 } else { 2.0 });
        let pitch = (height - head - 8.0) / dispatch.counts.len() as f64;
        let total_room = text_width("0 000 000 KiB", size, true);
        for (index, (count, way)) in dispatch.counts.iter().zip(words.ways).enumerate() {
            let figure = dispatch.figure.filter(|_| index == 0);
            let way = if index == SENT && !dispatch.dedupe { words.way_unmerged } else { way };
            let top = y + head + index as f64 * pitch;
            let (bar_left, bar_top, bar_high) = if stacked {
                (x + 20.0, top + size * 1.35, pitch - size * 1.9)
            } else {
                (x + 440.0, top + 10.0, pitch - 28.0)
            };
            let room = x + width - 20.0 - bar_left - total_room - 12.0;
            let way = fill(way, &[("dtype", dispatch.dtype.name().to_owned())]);
            let set = Type::new(size, Paint::Ink);
            // What the picture sends stands out among the ways to count.
            let set = if index == SENT { set.bold() } else { set };
            drawing.text((x + 20.0, top + size * 1.05), way, set);
            let kilo = |bytes: Bytes| format::kilo(bytes, self.base).to_string();
            if !stacked {
                let values = [("out", kilo(count.sent.dispatch)), ("back", kilo(count.sent.combine))];
                let text = fill(words.both, &values);
                let set = Type::new(size - 2.0, Paint::Mute);
                let mark = drawing.text((x + 20.0, top + size * 2.35), text, set);
                if let Some(id) = figure {
                    mark.shows(id, count.sent.dispatch.get());
                }
            }
            let scale = |bytes: Bytes| room * bytes.get() / most.get();
            let out = scale(count.sent.dispatch);
            let out_bar = drawing.rect([bar_left, bar_top, out, bar_high], 3.0, Fill::Solid(Paint::Comm));
            if let Some(id) = figure {
                out_bar.shows(id, count.sent.dispatch.get());
            }
            let back = [bar_left + out, bar_top, scale(count.sent.combine), bar_high];
            drawing.rect(back, 3.0, Fill::Hatched(Paint::Comm)).stroked(Paint::Comm, 1.5);
            let at = bar_left + scale(count.expected.total());
            // Where nothing was drawn there is nothing to expect.
            let chance = if count.sent == count.expected { 0.0 } else { 1.0 };
            let tick = ((at, bar_top - 5.0), (at, bar_top + bar_high + 5.0));
            drawing.line(tick.0, tick.1, Paint::Ink, 3.0).faded(chance);
            let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::End);
            let baseline = bar_top + bar_high / 2.0 + size * 0.36;
            drawing.text((x + width - 20.0, baseline), kilo(count.sent.total()), set);
        }
    }

    fn bar_keys(&self, drawing: &mut Drawing, [left, y]: [f64; 2], size: f64) {
        let set = Type::new(size, Paint::Mute);
        let words = self.words;
        let mut x = left;
        for (index, word) in [words.dispatch, words.combine, words.expected].into_iter().enumerate() {
            let sample = [x, y - size * 0.8, size, size * 0.9];
            let wide = if index < 2 { size } else { size * 0.3 };
            match index {
                0 => drawing.rect(sample, 3.0, Fill::Solid(Paint::Comm)),
                1 => drawing.rect(sample, 3.0, Fill::Hatched(Paint::Comm)).stroked(Paint::Comm, 1.5),
                _ => drawing.line((x + 3.0, sample[1] - 2.0), (x + 3.0, y + 3.0), Paint::Ink, 3.0),
            };
            drawing.text((x + wide + size * 0.4, y), word, set);
            x += wide + size * 1.2 + text_width(word, size, false);
        }
    }

    /// Where the first token goes, a GPU in a row.
    pub(super) fn example(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], size: f64, pitch: f64) {
        let (dispatch, words) = (self.dispatch, self.words);
        let home = super::owner(0, dispatch.routed.tokens as usize, dispatch.routed.ranks);
        let gpu = format!("{} {home}", self.common.gpu);
        let dot = Shape::Circle { x: x + size * 0.4, y: y - size * 0.36, r: size * 0.36 };
        drawing.push(dot, Fill::Solid(Paint::Token));
        let heading = fill(words.example, &[("gpu", gpu)]);
        drawing.text((x + size * 1.2, y), heading, Type::new(size * 1.1, Paint::Ink).bold());
        for (index, target) in dispatch.targets.iter().take(MOST_TARGETS).enumerate() {
            let line = y + (index as f64 + 1.0) * pitch;
            let paint = if target.local { Paint::Mute } else { Paint::Comm };
            let tip = x + size * 1.1;
            let middle = line - size * 0.36;
            let arrow = [
                (x, middle),
                (tip, middle),
                (tip - 7.0, middle - 6.0),
                (tip, middle),
                (tip - 7.0, middle + 6.0),
            ];
            let shape = Shape::Path { points: arrow.to_vec(), closed: false };
            let mark = drawing.push(shape, Fill::Empty).stroked(paint, 3.0);
            if target.local {
                mark.faded(0.0);
            }
            let name = format!("{} {}", self.common.gpu, target.rank);
            drawing.text((x + size * 1.6, line), name, Type::new(size, Paint::Ink).bold());
            let mut names: Vec<String> =
                target.experts.iter().take(MOST_NAMES).map(|expert| format!("E{expert}")).collect();
            if target.experts.len() > MOST_NAMES {
                names.push("…".to_owned());
            }
            drawing.text((x + size * 6.6, line), names.join(" "), Type::new(size, Paint::Weight));
            let template = match target.experts.len() {
                _ if target.local => words.at_home,
                1 => words.one,
                _ if !dispatch.dedupe => words.each,
                _ => words.several,
            };
            let text = fill(template, &[("n", format::count(target.experts.len() as f64))]);
            let set = Type::new(size, paint).anchored(Anchor::End);
            drawing.text((x + width, line), text, set);
        }
    }
}
