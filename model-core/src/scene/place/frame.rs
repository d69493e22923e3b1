//! The picture of "place" at a moment: cards with a memory column to scale, and what was cut for each beside it.

use core::ops::Range;

use super::words::Words;
use super::{Block, Event, Placing, Share, Step};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type, legend};
use crate::format::{self, ByteBase};
use crate::ledger::memory::{Part, Sharing};
use crate::scene::exercise::Exercise;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene};
use crate::units::Bytes;
use crate::words::{Words as Common, fill};

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
    common: &'a Common,
    base: ByteBase,
}

impl Scene for Placing {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let stage = Stage { placing: self, progress: Progress::at(self, moment), words, common, base };
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Verdict);
        let caption = stage.caption(step);
        let mut drawing = match layout {
            Layout::Wide => stage.wide(&caption),
            Layout::Narrow => stage.narrow(&caption),
        };
        words.title.clone_into(&mut drawing.title);
        drawing.description = caption;
        drawing
    }

    fn worked(&self, look: Look) -> Worked {
        super::worked::of(self, look)
    }

    fn exercise(&self, draw: u64, look: Look) -> Exercise {
        super::exercise::of(draw, look)
    }

    fn durations(&self) -> Vec<StepTime> {
        Step::ALL.map(|step| self.duration(step)).to_vec()
    }
}

impl Stage<'_> {
    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let placing = self.placing;
        let size = |amount: Bytes| format::bytes(amount, self.base).to_string();
        let placed =
            |of: Step| placing.blocks.iter().filter(|b| b.step == of).map(|b| b.line.bytes).sum::<Bytes>();
        let each = |range: fn(&Share) -> Range<u64>| {
            let share = placing.shares.first().map_or(0..0, range);
            format::count((share.end - share.start) as f64)
        };
        let lumped = placing.blocks.iter().any(|block| block.line.part == Part::Weights);
        let something = placed(step).get() > 0.0;
        let template = match step {
            Step::Empty if something => self.words.reserve,
            Step::Copied if !something => self.words.no_line,
            Step::Experts if lumped => self.words.all_weights,
            Step::Heads if something => self.words.dense_cut,
            Step::Verdict if placing.fits => self.words.fits,
            Step::Verdict if placing.smallest.is_none() => self.words.none_fits,
            _ => self.words.captions.get(step as usize).copied().unwrap_or(""),
        };
        let values = [
            ("capacity", size(placing.capacity)),
            ("need", size(placing.need)),
            ("short", size(placing.short)),
            ("free", size(placing.free)),
            ("reserve", size(placed(Step::Empty))),
            ("shared", size(placed(Step::Copied))),
            ("routed", size(placed(Step::Experts))),
            ("weights", size(placed(Step::Experts))),
            ("dense", size(placed(Step::Heads))),
            ("cache", size(placed(Step::Cache))),
            ("experts", each(|share| share.experts.clone())),
            ("experts_all", format::count(placing.experts_all as f64)),
            ("heads", each(|share| share.heads.clone())),
            ("groups", each(|share| share.groups.clone())),
            ("batch", format::count(placing.load.0 as f64)),
            ("context", format::count(placing.load.1 as f64)),
            ("smallest", placing.smallest.clone().unwrap_or_default()),
        ];
        fill(template, &values)
    }

    /// Bytes at the top of every column.
    fn full(&self) -> f64 {
        let placed: Bytes = self.placing.blocks.iter().map(|block| block.line.bytes).sum();
        placed.max(self.placing.capacity).get().max(1.0) * HEADROOM
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.placing.layers, None, self.common);
        stage::band(&mut drawing);
        for place in 0..PLACES {
            self.card(&mut drawing, place);
        }
        stage::caption(&mut drawing, caption, self.caption_paint());
        self.legend(&mut drawing, stage::LEFT, stage::LEGEND_Y, stage::ACROSS, 20.0);
        drawing
    }

    fn caption_paint(&self) -> Paint {
        if self.progress.judged > 0.5 && !self.placing.fits { Paint::Comm } else { Paint::Ink }
    }

    /// The GPUs that stand at a place: one, or one of each group of eight.
    fn gpus_at(&self, place: u32) -> Vec<usize> {
        (place as usize..self.placing.shares.len()).step_by(PLACES as usize).collect()
    }

    fn card(&self, drawing: &mut Drawing, place: u32) {
        let gpus = self.gpus_at(place);
        let used = !gpus.is_empty();
        let names: Vec<String> = gpus.iter().map(|gpu| gpu.to_string()).collect();
        let names = if used { names.join(" · ") } else { place.to_string() };
        let heading = format!("{} {names}", self.common.gpu);
        let [x, y, width, height] = stage::card(drawing, place, &heading, used);
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
                .shows(self.placing.need_figure, self.placing.need.get());
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
            let bytes = block.line.bytes.get() * self.progress.block(gpu, index);
            self.block(drawing, block, [x, to_y(level + bytes), width, height * bytes / full], free_top);
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

    fn block(&self, drawing: &mut Drawing, block: &Block, [x, y, width, height]: [f64; 4], limit: f64) {
        drawing
            .rect([x, y, width, height], 3.0, block_fill(block))
            .shows(block.line.figure, block.line.bytes.get());
        let label = format::short_giga(block.line.bytes, self.base);
        let size = 22.0;
        // The label stands below the limit; what lies above it is hatched over.
        let fits = y + height - limit.max(y) > size + 4.0 && text_width(&label, size, true) < width - 4.0;
        let set = Type::new(size, Paint::OnColour).bold().anchored(Anchor::Middle);
        let opacity = if fits { 1.0 } else { 0.0 };
        drawing.text((x + width / 2.0, y + height - 14.0), label, set).faded(opacity);
    }

    /// The capacity as a dashed line with its size.
    fn limit(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], right: f64, size: f64) {
        let at = y + height * (1.0 - self.placing.capacity.get() / self.full());
        drawing.line((x - 8.0, at), (x + width + 6.0, at), Paint::Ink, 2.5).dashed();
        let label = format::short_giga(self.placing.capacity, self.base);
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
            stage::cells(drawing, [x, top + 24.0, width, high], count, happened, paint);
            top += high + 36.0;
        }
        let copied = self.placing.blocks.iter().position(|block| block.step == Step::Copied);
        let held = copied.map_or(0.0, |block| self.progress.block(first, block));
        drawing.rect([x, top - 3.0, 22.0, 22.0], 4.0, Fill::Dotted(Paint::WeightSoft)).faded(held);
        drawing.text((x + 30.0, top + 15.0), self.words.copied, Type::new(19.0, Paint::Mute)).faded(held);
        drawing.text((x, top + 43.0), self.words.copied_parts, Type::new(18.0, Paint::Mute)).faded(held);
    }

    fn legend(&self, drawing: &mut Drawing, x: f64, y: f64, width: f64, size: f64) {
        let words = self.words;
        let mut entries: Vec<legend::Entry> = Vec::new();
        for block in &self.placing.blocks {
            let fill = block_fill(block);
            let word = match block.line.part {
                Part::Shared | Part::Router | Part::Streams => words.whole,
                Part::Attention | Part::Embedding | Part::Head | Part::Mtp => words.dense,
                part if part.is_cache() => words.caches,
                part => (self.common.part)(part),
            };
            let entry = match block.line.sharing {
                Sharing::Cut | Sharing::Copied | Sharing::ByRequest if word != words.dense => {
                    (fill, format!("{word} · {}", (self.common.sharing)(block.line.sharing)))
                }
                _ => (fill, word.to_owned()),
            };
            if !entries.iter().any(|(_, known)| *known == entry.1) {
                entries.push(entry);
            }
        }
        entries.push((Fill::Solid(Paint::Sunk), self.common.free.to_owned()));
        entries.push((Fill::Hatched(Paint::Comm), self.common.over.to_owned()));
        legend::draw(drawing, [x, y, width], size, &entries);
    }

    /// For a phone: eight columns side by side, then the words.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        const COLUMNS: [f64; 2] = [84.0, 460.0];
        let mut drawing = Drawing::new(WIDTH, 880.0);
        let pitch = (WIDTH - 24.0) / f64::from(PLACES);
        let middle = Anchor::Middle;
        drawing.text((12.0, 32.0), self.common.gpu, Type::new(26.0, Paint::Mute));
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
        let set = Type::new(28.0, self.caption_paint()).bold();
        let y = stage::lines(&mut drawing, 720.0, caption, set);
        if let Some(share) = self.placing.shares.first() {
            let words = self.words;
            let told = format!(
                "{} 0 · {} {} · {} {} · {} {}",
                self.common.gpu,
                words.query_heads,
                spans(core::slice::from_ref(&share.heads)),
                words.output_groups,
                spans(core::slice::from_ref(&share.groups)),
                words.experts,
                spans(core::slice::from_ref(&share.experts)),
            );
            if self.progress.heads.first().is_some_and(|cut| *cut > 0.0) {
                stage::lines(&mut drawing, y, &told, Type::new(24.0, Paint::Mute));
            }
        }
        drawing
    }
}

/// Copies are dotted, whatever their colour.
fn block_fill(block: &Block) -> Fill {
    let paint = block.line.part.paint();
    if block.line.sharing == Sharing::Copied { Fill::Dotted(paint) } else { Fill::Solid(paint) }
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
