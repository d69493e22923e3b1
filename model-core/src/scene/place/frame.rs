//! The picture of "place" at a moment: cards with a memory column to scale, and what was cut for each beside it.

use core::ops::Range;

use super::{Block, Event, PLACES, Part, Placing, Share, Sharing, Step};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type, legend};
use crate::format::{self, ByteBase};
use crate::scene::Layout;
use crate::scene::timeline::Moment;
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::Bytes;
use crate::words::{Words, fill};

/// Room kept above the taller of need and capacity, as a factor of it.
const HEADROOM: f64 = 1.06;

/// How much of each GPU's blocks and cuts has happened.
struct Progress {
    /// For each GPU and block.
    blocks: Vec<Vec<f64>>,
    /// For each GPU: experts dealt.
    experts: Vec<f64>,
    /// For each GPU: heads and groups cut.
    heads: Vec<f64>,
    /// The verdict.
    judged: f64,
}

impl Progress {
    fn at(placing: &Placing, moment: Moment) -> Self {
        let gpus = placing.shares.len();
        let mut progress = Self {
            blocks: vec![vec![0.0; placing.blocks.len()]; gpus],
            experts: vec![0.0; gpus],
            heads: vec![0.0; gpus],
            judged: 0.0,
        };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in placing.events(step) {
                let happened = timed.progress(t);
                let place = match timed.event {
                    Event::Fill { gpu, block } => {
                        progress.blocks.get_mut(gpu).and_then(|all| all.get_mut(block))
                    }
                    Event::Deal { gpu, .. } => progress.experts.get_mut(gpu),
                    Event::Cut { gpu, .. } => progress.heads.get_mut(gpu),
                    Event::Judge { .. } => Some(&mut progress.judged),
                };
                if let Some(place) = place {
                    *place = happened;
                }
            }
        }
        progress
    }

    fn block(&self, gpu: usize, block: usize) -> f64 {
        self.blocks.get(gpu).and_then(|all| all.get(block)).copied().unwrap_or(0.0)
    }
}

/// Everything a frame is drawn from.
struct Stage<'a> {
    placing: &'a Placing,
    progress: Progress,
    words: &'a Words,
    base: ByteBase,
}

/// Draws the scene at a moment.
#[must_use]
pub fn frame(
    placing: &Placing,
    spec: &ModelSpec,
    moment: Moment,
    layout: Layout,
    words: &Words,
    base: ByteBase,
) -> Drawing {
    let stage = Stage { placing, progress: Progress::at(placing, moment), words, base };
    let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Verdict);
    let caption = stage.caption(step);
    let mut drawing = match layout {
        Layout::Wide => stage.wide(spec, &caption),
        Layout::Narrow => stage.narrow(&caption),
    };
    words.place_title.clone_into(&mut drawing.title);
    drawing.description = caption;
    drawing
}

impl Stage<'_> {
    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let placing = self.placing;
        let size = |amount: Bytes| format::bytes(amount, self.base).to_string();
        let block =
            |part| placing.blocks.iter().filter(|block| block.part == part).map(|b| b.bytes).sum::<Bytes>();
        let each = |range: fn(&Share) -> Range<u64>| {
            let share = placing.shares.first().map_or(0..0, range);
            format::count((share.end - share.start) as f64)
        };
        let template = match (step, placing.fits, placing.min_tp) {
            (Step::Verdict, true, _) => self.words.place_fits,
            (Step::Verdict, false, None) => self.words.place_none_fits,
            _ => self.words.place_captions.get(step as usize).copied().unwrap_or(""),
        };
        let values = [
            ("capacity", size(placing.capacity)),
            ("need", size(placing.need)),
            ("short", size(placing.short)),
            ("free", size(placing.free)),
            ("shared", size(block(Part::Shared))),
            ("routed", size(block(Part::Routed))),
            ("cache", size(block(Part::Cache))),
            ("experts", each(|share| share.experts.clone())),
            ("experts_all", format::count(placing.experts_all as f64)),
            ("heads", each(|share| share.heads.clone())),
            ("groups", each(|share| share.groups.clone())),
            ("batch", format::count(placing.load.0 as f64)),
            ("context", format::count(placing.load.1 as f64)),
            ("min_tp", placing.min_tp.map_or_else(|| format::ABSENT.to_owned(), |tp| tp.to_string())),
        ];
        fill(template, &values)
    }

    /// Bytes at the top of every column.
    fn full(&self) -> f64 {
        self.placing.need.max(self.placing.capacity).get().max(1.0) * HEADROOM
    }

    fn wide(&self, spec: &ModelSpec, caption: &str) -> Drawing {
        const LEFT: f64 = 112.0;
        const GAP: f64 = 16.0;
        const CARD: (f64, f64) = (356.0, 356.0);
        const ROWS: [f64; 2] = [16.0, 468.0];
        const BAND: [f64; 4] = [LEFT, 388.0, 1472.0, 64.0];
        let mut drawing = Drawing::new(1600.0, 900.0);
        self.layer_strip(&mut drawing, spec);
        drawing.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        for place in 0..PLACES {
            let x = LEFT + f64::from(place % 4) * (CARD.0 + GAP);
            let y = ROWS.get(place as usize / 4).copied().unwrap_or(0.0);
            let to_band = if place < 4 { (y + CARD.1, BAND[1]) } else { (BAND[1] + BAND[3], y) };
            let middle = x + CARD.0 / 2.0;
            drawing.line((middle, to_band.0), (middle, to_band.1), Paint::Line, 3.0);
            self.card(&mut drawing, place, [x, y, CARD.0, CARD.1]);
        }
        let paint = self.caption_paint();
        let set = Type::new(26.0, paint).bold().anchored(Anchor::Middle);
        let size = if text_width(caption, 26.0, true) > BAND[2] - 40.0 { 22.0 } else { 26.0 };
        drawing.text((BAND[0] + BAND[2] / 2.0, BAND[1] + 42.0), caption, Type { size, ..set });
        self.legend(&mut drawing, LEFT, 868.0, 1472.0, 20.0);
        drawing
    }

    fn caption_paint(&self) -> Paint {
        if self.progress.judged > 0.5 && !self.placing.fits { Paint::Comm } else { Paint::Ink }
    }

    /// One bar for each main layer, coloured by the kind of its attention.
    fn layer_strip(&self, drawing: &mut Drawing, spec: &ModelSpec) {
        const TOP: f64 = 52.0;
        let pitch = (840.0 - TOP) / spec.main_layers().len().max(1) as f64;
        drawing.text((52.0, 36.0), self.words.layers, Type::new(20.0, Paint::Mute).anchored(Anchor::Middle));
        for (index, layer) in spec.main_layers().iter().enumerate() {
            let paint = match layer.attention {
                AttentionKind::Csa => Paint::Cache,
                AttentionKind::Hca => Paint::CacheSoft,
                AttentionKind::Window => Paint::CacheFaint,
            };
            drawing.rect([36.0, TOP + index as f64 * pitch, 32.0, pitch - 2.4], 2.0, Fill::Solid(paint));
        }
        for (index, y) in [(0, TOP + 10.0), (spec.main_layers().len().saturating_sub(1), 838.0)] {
            let set = Type::new(18.0, Paint::Mute).anchored(Anchor::Start);
            drawing.text((76.0, y), format::count(index as f64), set);
        }
    }

    /// The GPUs that stand at a place: one, or one of each group of eight.
    fn gpus_at(&self, place: u32) -> Vec<usize> {
        (place as usize..self.placing.shares.len()).step_by(PLACES as usize).collect()
    }

    fn card(&self, drawing: &mut Drawing, place: u32, [x, y, width, height]: [f64; 4]) {
        let gpus = self.gpus_at(place);
        let used = !gpus.is_empty();
        let card = drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card));
        card.stroked(Paint::Line, 2.0);
        if !used {
            card.dashed();
        }
        let names: Vec<String> = gpus.iter().map(|gpu| gpu.to_string()).collect();
        let names = if used { names.join(" · ") } else { place.to_string() };
        let heading = format!("{} {names}", self.words.gpu);
        let paint = if used { Paint::Ink } else { Paint::Mute };
        drawing.text((x + 20.0, y + 38.0), heading, Type::new(25.0, paint).bold());
        let column = [x + 20.0, y + 58.0, 88.0, height - 78.0];
        if !used {
            drawing.rect(column, 6.0, Fill::Solid(Paint::Sunk)).faded(0.5);
            let set = Type::new(22.0, Paint::Mute);
            drawing.text((x + 172.0, y + height / 2.0 + 8.0), self.words.idle, set);
            return;
        }
        let each = column[2] / gpus.len() as f64;
        for (slot, gpu) in gpus.iter().enumerate() {
            let gap = if gpus.len() > 1 { 4.0 } else { 0.0 };
            self.column(drawing, *gpu, [column[0] + slot as f64 * each, column[1], each - gap, column[3]]);
        }
        self.limit(drawing, column, x + 114.0, 18.0);
        if self.progress.judged > 0.0 {
            let set = Type::new(23.0, self.caption_paint()).bold().anchored(Anchor::End);
            let need = format::bytes(self.placing.need, self.base).to_string();
            drawing
                .text((x + width - 18.0, y + 38.0), need, set)
                .faded(self.progress.judged)
                .shows("memory.partial.bytes_per_gpu", self.placing.need.get());
        }
        self.shares(drawing, &gpus, [x + 172.0, y + 64.0, width - 190.0]);
    }

    /// The memory of one GPU, filled from the bottom to scale.
    fn column(&self, drawing: &mut Drawing, gpu: usize, [x, y, width, height]: [f64; 4]) {
        let full = self.full();
        let to_y = |bytes: f64| y + height * (1.0 - bytes / full);
        let capacity = self.placing.capacity.get();
        let free_top = to_y(capacity);
        drawing.rect([x, free_top, width, y + height - free_top], 6.0, Fill::Solid(Paint::Sunk));
        let mut level = 0.0;
        for (index, block) in self.placing.blocks.iter().enumerate() {
            let bytes = block.bytes.get() * self.progress.block(gpu, index);
            self.block(drawing, block, [x, to_y(level + bytes), width, height * bytes / full]);
            level += bytes;
        }
        // What lies above the limit is hatched, whatever part it is.
        let over = (level - capacity).max(0.0);
        let above = [x, to_y(capacity + over), width, height * over / full];
        drawing.rect(above, 4.0, Fill::Solid(Paint::Card)).faded(0.55);
        drawing
            .rect(above, 4.0, Fill::Hatched(Paint::Comm))
            .shows("memory.short.bytes_per_gpu", self.placing.short.get());
    }

    fn block(&self, drawing: &mut Drawing, block: &Block, [x, y, width, height]: [f64; 4]) {
        drawing.rect([x, y, width, height], 3.0, block_fill(block)).shows(block.figure, block.bytes.get());
        let label = format::giga(block.bytes, self.base).number;
        let size = 22.0;
        let fits = height > size + 4.0 && text_width(&label, size, true) < width - 4.0;
        let set = Type::new(size, Paint::OnColour).bold().anchored(Anchor::Middle);
        let opacity = if fits { 1.0 } else { 0.0 };
        drawing.text((x + width / 2.0, y + height - 14.0), label, set).faded(opacity);
    }

    /// The capacity as a dashed line with its size.
    fn limit(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], right: f64, size: f64) {
        let at = y + height * (1.0 - self.placing.capacity.get() / self.full());
        drawing.line((x - 8.0, at), (x + width + 6.0, at), Paint::Ink, 2.5).dashed();
        let label = format::giga(self.placing.capacity, self.base).number;
        let wide = text_width(&label, size, false) + 8.0;
        if right > 0.0 {
            drawing.rect([right, at - 13.0, wide, 26.0], 4.0, Fill::Solid(Paint::Card));
            let set = Type::new(size, Paint::Ink);
            drawing
                .text((right + 4.0, at + 6.5), label, set)
                .shows("gpu.memory.bytes", self.placing.capacity.get());
        }
    }

    /// What is cut for the GPUs of a place, and what they hold whole.
    fn shares(&self, drawing: &mut Drawing, gpus: &[usize], [x, y, width]: [f64; 3]) {
        let of = |range: fn(&Share) -> Range<u64>| -> Vec<Range<u64>> {
            gpus.iter().filter_map(|gpu| self.placing.shares.get(*gpu)).map(range).collect()
        };
        let first = gpus.first().copied().unwrap_or(0);
        let cut = self.progress.heads.get(first).copied().unwrap_or(0.0);
        let dealt = self.progress.experts.get(first).copied().unwrap_or(0.0);
        let rows = [
            (self.words.query_heads, of(|share| share.heads.clone()), cut, Paint::Compute, 20.0),
            (self.words.output_groups, of(|share| share.groups.clone()), cut, Paint::Compute, 20.0),
            (self.words.experts, of(|share| share.experts.clone()), dealt, Paint::Weight, 76.0),
        ];
        let mut top = y;
        for (word, ranges, happened, paint, high) in rows {
            let set = Type::new(19.0, Paint::Mute);
            drawing.text((x, top + 14.0), format!("{word} {}", spans(&ranges)), set);
            let count = ranges.iter().map(|range| range.end - range.start).sum::<u64>() as usize;
            cells(drawing, [x, top + 24.0, width, high], count, happened, paint);
            top += high + 36.0;
        }
        let copied = self.placing.blocks.iter().position(|block| block.sharing == Sharing::Copied);
        let held = copied.map_or(0.0, |block| self.progress.block(first, block));
        drawing.rect([x, top - 3.0, 22.0, 22.0], 4.0, Fill::Dotted(Paint::WeightSoft)).faded(held);
        drawing.text((x + 30.0, top + 15.0), self.words.copied, Type::new(19.0, Paint::Mute)).faded(held);
        drawing.text((x, top + 43.0), self.words.copied_parts, Type::new(18.0, Paint::Mute)).faded(held);
    }

    fn legend(&self, drawing: &mut Drawing, x: f64, y: f64, width: f64, size: f64) {
        let words = self.words;
        let entries = [
            (Fill::Solid(Paint::Weight), format!("{} · {}", words.routed, words.cut)),
            (Fill::Dotted(Paint::WeightSoft), format!("{} · {}", words.shared, words.copied)),
            (Fill::Dotted(Paint::Cache), format!("{} · {}", words.cache, words.copied)),
            (Fill::Solid(Paint::Sunk), words.free.to_owned()),
            (Fill::Hatched(Paint::Comm), words.over.to_owned()),
        ];
        legend::draw(drawing, [x, y, width], size, &entries);
    }

    /// For a phone: eight columns side by side, then the words.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = 720.0;
        const COLUMNS: [f64; 2] = [84.0, 460.0];
        let mut drawing = Drawing::new(WIDTH, 880.0);
        let pitch = (WIDTH - 24.0) / f64::from(PLACES);
        let middle = Anchor::Middle;
        drawing.text((12.0, 32.0), self.words.gpu, Type::new(26.0, Paint::Mute));
        for place in 0..PLACES {
            let gpus = self.gpus_at(place);
            let x = 12.0 + f64::from(place) * pitch;
            let column = [x + 6.0, COLUMNS[0], pitch - 12.0, COLUMNS[1]];
            let paint = if gpus.is_empty() { Paint::Mute } else { Paint::Ink };
            let set = Type::new(26.0, paint).bold().anchored(middle);
            drawing.text((x + pitch / 2.0, 68.0), place.to_string(), set);
            if gpus.is_empty() {
                drawing.rect(column, 6.0, Fill::Solid(Paint::Sunk)).faded(0.4);
            }
            let each = column[2] / gpus.len().max(1) as f64;
            for (slot, gpu) in gpus.iter().enumerate() {
                let gap = if gpus.len() > 1 { 3.0 } else { 0.0 };
                self.column(
                    &mut drawing,
                    *gpu,
                    [column[0] + slot as f64 * each, column[1], each - gap, column[3]],
                );
            }
            self.limit(&mut drawing, column, 0.0, 0.0);
        }
        let capacity = format::bytes(self.placing.capacity, self.base).to_string();
        let set = Type::new(24.0, Paint::Mute).anchored(Anchor::End);
        drawing
            .text((WIDTH - 16.0, 32.0), format!("- - {capacity}"), set)
            .shows("gpu.memory.bytes", self.placing.capacity.get());
        self.legend(&mut drawing, 16.0, COLUMNS[0] + COLUMNS[1] + 34.0, WIDTH - 32.0, 24.0);
        let mut y = 720.0;
        for line in wrap(caption, 28.0, true, WIDTH - 32.0) {
            drawing.text((16.0, y), line, Type::new(28.0, self.caption_paint()).bold());
            y += 40.0;
        }
        if let Some(share) = self.placing.shares.first() {
            let words = self.words;
            let told = format!(
                "{} 0 · {} {} · {} {} · {} {}",
                words.gpu,
                words.query_heads,
                spans(core::slice::from_ref(&share.heads)),
                words.output_groups,
                spans(core::slice::from_ref(&share.groups)),
                words.experts,
                spans(core::slice::from_ref(&share.experts)),
            );
            let cut = self.progress.heads.first().copied().unwrap_or(0.0);
            for line in wrap(&told, 24.0, false, WIDTH - 32.0) {
                drawing.text((16.0, y), line, Type::new(24.0, Paint::Mute)).faded(cut);
                y += 36.0;
            }
        }
        drawing
    }
}

fn block_fill(block: &Block) -> Fill {
    match (block.part, block.sharing) {
        (Part::Routed, Sharing::Cut) => Fill::Solid(Paint::Weight),
        (Part::Routed, Sharing::Copied) => Fill::Dotted(Paint::Weight),
        (Part::Shared, Sharing::Copied) => Fill::Dotted(Paint::WeightSoft),
        (Part::Shared, Sharing::Cut) => Fill::Solid(Paint::WeightSoft),
        (Part::Cache, Sharing::Copied) => Fill::Dotted(Paint::Cache),
        (Part::Cache, Sharing::Cut) => Fill::Solid(Paint::Cache),
    }
}

/// What falls to the GPUs of a place: one GPU's range such as `0–15`, or the counts of several, `8 + 8`.
fn spans(ranges: &[Range<u64>]) -> String {
    let count = |range: &Range<u64>| range.end.saturating_sub(range.start);
    match ranges {
        [only] if count(only) > 1 => format!("{}–{}", only.start, only.end - 1),
        [only] => only.start.to_string(),
        _ => ranges.iter().map(|range| count(range).to_string()).collect::<Vec<_>>().join(" + "),
    }
}

/// Small equal cells that fill a box: faint ones for all, strong ones for those that have been placed.
fn cells(drawing: &mut Drawing, [x, y, width, height]: [f64; 4], count: usize, happened: f64, paint: Paint) {
    // Full rows only: of the divisors, the one that makes the cells most nearly square.
    let ideal = if height < 30.0 { 1.0 } else { (count as f64 * height / width).sqrt() };
    let divisors = (1..=count).filter(|rows| count.is_multiple_of(*rows));
    let far = |rows: &usize| (*rows as f64 / ideal).max(ideal / *rows as f64);
    let rows = divisors.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(1);
    let columns = count.div_ceil(rows).max(1);
    let pitch = (width / columns as f64, height / count.div_ceil(columns).max(1) as f64);
    let gap = (pitch.0.min(pitch.1) * 0.22).min(5.0);
    let size = (pitch.0 - gap, pitch.1 - gap);
    let shape = |count| Shape::Cells { x, y, columns, count, pitch, size };
    drawing.push(shape(count), Fill::Solid(Paint::Sunk));
    let placed = (count as f64 * happened).round() as usize;
    drawing.push(shape(placed), Fill::Solid(paint));
}
