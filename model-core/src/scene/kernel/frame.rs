//! The picture of "kernel" at a moment: memory, L2, chip and the way back, with counters, a roofline, and what caches
//! set aside.

use super::roofline::Roofline;
use super::words::Words;
use super::{Block, Event, Opened, SLOTS, Step};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type, legend};
use crate::figure::{Unit, Value};
use crate::format::{self, ByteBase};
use crate::scenario::KernelKind;
use crate::scene::exercise::Exercise;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene};
use crate::units::{Bytes, Seconds};
use crate::words::{Words as Common, fill};

/// Values that a running number takes on in a step: as many as can be read.
const COUNTS: f64 = 12.0;
/// Cells of the block that a kernel reads.
const CELLS: usize = 48;

/// How much has happened.
#[derive(Default)]
struct Progress {
    held: [f64; Block::ALL.len()],
    loaded: [f64; SLOTS],
    multiplied: f64,
    stored: f64,
    weighed: f64,
    reserved: f64,
    used: f64,
}

impl Progress {
    fn at(opened: &Opened, moment: Moment) -> Self {
        let mut progress = Self::default();
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in opened.events(step) {
                let place = match timed.event {
                    Event::Hold { block } => progress.held.get_mut(block as usize),
                    Event::Load { tile } => progress.loaded.get_mut(tile),
                    Event::Multiply { .. } => Some(&mut progress.multiplied),
                    Event::Store => Some(&mut progress.stored),
                    Event::Weigh { .. } => Some(&mut progress.weighed),
                    Event::Reserve => Some(&mut progress.reserved),
                    Event::Use => Some(&mut progress.used),
                };
                if let Some(place) = place {
                    *place = timed.progress(t);
                }
            }
        }
        if opened.tiles() == 0 {
            // Nothing came, so nothing is computed and nothing goes back.
            (progress.multiplied, progress.stored) = (0.0, 0.0);
        }
        progress
    }
}

/// Where the parts of the opened GPU stand, and how large their words are.
struct Places {
    hbm: [f64; 4],
    /// Heights of the block that is read, the other one that stays, and what is there for now.
    blocks: [f64; 3],
    l2: [f64; 4],
    /// Columns of slots in L2, and the room between its top and the slots' end.
    slots: (usize, f64),
    chip: [f64; 4],
    /// On chip: top and height of the tiles, of the tensor cores, of the results.
    tiles: [f64; 2],
    cores: [f64; 2],
    results: [f64; 2],
    /// Height of the way back.
    back: f64,
    /// Sizes of small words, of words, of headings.
    sizes: [f64; 3],
    wide: bool,
}

const WIDE: Places = Places {
    hbm: [136.0, 132.0, 304.0, 424.0],
    blocks: [230.0, 74.0, 74.0],
    l2: [540.0, 132.0, 196.0, 424.0],
    slots: (1, 352.0),
    chip: [826.0, 132.0, 404.0, 424.0],
    tiles: [170.0, 104.0],
    cores: [304.0, 66.0],
    results: [416.0, 122.0],
    back: 530.0,
    sizes: [18.0, 20.0, 22.0],
    wide: true,
};

const NARROW: Places = Places {
    hbm: [16.0, 178.0, 304.0, 500.0],
    blocks: [252.0, 100.0, 100.0],
    l2: [410.0, 178.0, 294.0, 162.0],
    slots: (2, 154.0),
    chip: [410.0, 426.0, 294.0, 252.0],
    tiles: [438.0, 82.0],
    cores: [536.0, 50.0],
    results: [600.0, 66.0],
    back: 648.0,
    sizes: [24.0, 24.0, 24.0],
    wide: false,
};

/// Everything a frame is drawn from.
struct Stage<'a> {
    opened: &'a Opened,
    progress: Progress,
    words: &'a Words,
    common: &'a Common,
    base: ByteBase,
    /// What the words of the frame speak of.
    values: Vec<(&'static str, String)>,
}

impl Scene for Opened {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let (progress, values) = (Progress::at(self, moment), Vec::new());
        let mut stage = Stage { opened: self, progress, words, common, base, values };
        stage.values = stage.values();
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Preallocate);
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
    fn bytes(&self, amount: f64) -> String {
        format::bytes(Bytes(amount), self.base).to_string()
    }

    fn of_kind(&self, list: &[&'static str; KernelKind::ALL.len()]) -> &'static str {
        list.get(self.opened.kind as usize).copied().unwrap_or("")
    }

    fn fill(&self, template: &str) -> String {
        fill(template, &self.values)
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let opened = self.opened;
        let number = format::count;
        let shown = |value: f64, unit| format::value(&Value::Number(value), unit, self.base).to_string();
        let (columns, tiling) =
            opened.largest.map_or((0.0, None), |(product, tiling)| (product.columns, Some(tiling)));
        let tile = |of: fn(&super::tiling::Tiling) -> f64| tiling.as_ref().map_or(0.0, of);
        let [weights, cache] = opened.resident;
        let (batch, context, longest) = opened.load;
        vec![
            ("layer", number(opened.layer as f64)),
            ("products", number(opened.kernel.products.len() as f64)),
            ("m", number(columns)),
            ("columns", number(tile(|tiling| tiling.passes * tiling.columns))),
            ("rows", number(tile(|tiling| tiling.rows))),
            ("picked", number(opened.picks.read)),
            ("depth", number(tile(|tiling| tiling.depth))),
            ("deep", number(opened.run_length())),
            ("done", number(self.summed())),
            ("tile", self.bytes(tile(|tiling| tiling.tile_bytes))),
            ("tiles", number(opened.tiles() as f64)),
            ("all", number(opened.picks.all)),
            ("operand", self.of_kind(&self.words.operands).to_owned()),
            ("weights", self.bytes(weights.get())),
            ("cache", self.bytes(cache.get())),
            ("temporary", self.bytes(opened.kernel.taken() + opened.kernel.written())),
            ("read", self.bytes(opened.kernel.read())),
            ("flops", shown(opened.kernel.flops(), Unit::Flop)),
            ("written", self.bytes(opened.kernel.written())),
            (
                "intensity",
                format::value(&Value::Number(opened.intensity), Unit::FlopPerByte, self.base).number,
            ),
            ("ridge", format::value(&Value::Number(opened.ridge), Unit::FlopPerByte, self.base).number),
            ("share", format::percent(opened.idle_share())),
            ("rate", shown(opened.hbm.get(), Unit::BytesPerSecond)),
            ("size", self.bytes(opened.l2.get())),
            ("n", number(f64::from(opened.processors.unwrap_or(0)))),
            ("max", number(longest as f64)),
            ("batch", number(batch as f64)),
            ("context", number(context as f64)),
            ("reserved", self.bytes(opened.reserved.get())),
            ("used", self.bytes(opened.used.get())),
        ]
    }

    fn with_bytes(&self, template: &str, amount: f64) -> String {
        self.fill(&fill(template, &[("bytes", self.bytes(amount))]))
    }

    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let (opened, words) = (self.opened, self.words);
        let nothing = opened.kernel.read() <= 0.0;
        let template = match step {
            Step::Load | Step::Compute | Step::Store | Step::Roofline if nothing => words.nothing,
            Step::Roofline if !opened.waits() => words.past_ridge,
            Step::Preallocate if opened.used >= opened.reserved => words.full,
            _ => words.captions.get(step as usize).copied().unwrap_or(""),
        };
        self.fill(template)
    }

    /// How much is multiplied, as it is told: in few steps, shifted by a part of one so that not everything is told
    /// anew at once.
    fn told(&self, shift: f64) -> f64 {
        let multiplied = self.progress.multiplied;
        if multiplied >= 1.0 { 1.0 } else { ((multiplied * COUNTS + shift).floor() / COUNTS).min(1.0) }
    }

    /// Tiles that came into L2 so far, of which so much is told as multiplied.
    fn arrived(&self, told: f64) -> f64 {
        let first: f64 = self.progress.loaded.iter().sum();
        first + told * (self.opened.tiles() as f64 - first).max(0.0)
    }

    /// Tiles summed up for the block of results that is being worked on.
    fn summed(&self) -> f64 {
        let deep = self.opened.run_length();
        let done = (self.told(0.5) * self.opened.tiles() as f64).floor();
        if self.progress.multiplied >= 1.0 || deep <= 0.0 {
            if done > 0.0 { deep } else { 0.0 }
        } else if done < 1.0 {
            0.0
        } else {
            (done - 1.0) % deep + 1.0
        }
    }

    /// The share of what is to be read that has come.
    fn share_read(&self) -> f64 {
        let all = self.opened.tiles() as f64;
        if self.progress.multiplied >= 1.0 {
            1.0
        } else if all > 0.0 {
            (self.arrived(self.told(0.5)) / all).min(1.0)
        } else {
            0.0
        }
    }

    /// Strong and soft colour of what the kernel reads.
    fn paints(&self) -> [Paint; 2] {
        match self.opened.kind {
            KernelKind::Projection | KernelKind::Expert => [Paint::Weight, Paint::WeightSoft],
            KernelKind::Attention => [Paint::Cache, Paint::CacheSoft],
            KernelKind::Indexer => [Paint::CacheDeep, Paint::CacheFaint],
        }
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        let words = self.words;
        stage::layer_strip(&mut drawing, &self.opened.layers, Some(self.opened.layer), self.common);
        drawing
            .rect([stage::LEFT, 80.0, stage::ACROSS, 696.0], 14.0, Fill::Solid(Paint::Card))
            .stroked(Paint::Line, 2.0);
        self.overview(&mut drawing, [stage::LEFT, 16.0, 48.0, 40.0], 60.0, 80.0, 20.0);
        let title = self.fill(self.of_kind(&words.kernels));
        let room = stage::LEFT + stage::ACROSS - 624.0;
        fitted(&mut drawing, (624.0, 46.0), &title, Type::new(28.0, Paint::Ink).bold(), room, 18.0);
        self.gpu(&mut drawing, &WIDE);
        let [_, y, _, height] = WIDE.l2;
        let note = Type::new(18.0, Paint::Mute).anchored(Anchor::Middle);
        self.held(&mut drawing, (WIDE.l2[0] + WIDE.l2[2] / 2.0, y + height + 26.0), note);
        let told = self.with_bytes(words.to_chip, self.opened.kernel.to_chip());
        let middle = WIDE.chip[0] + WIDE.chip[2] / 2.0;
        drawing.text((middle, y + height + 26.0), told, note).faded(self.progress.multiplied);

        let right = 1270.0;
        for (index, (label, mark)) in self.counters(36.0).into_iter().enumerate() {
            let top = 150.0 + index as f64 * 76.0;
            drawing.text((right, top), label, Type::new(20.0, Paint::Mute));
            drawing.marks.push(mark.moved(right, top + 40.0));
        }
        self.roofline(&mut drawing, [right, 378.0, 290.0, 178.0], 18.0);
        drawing.text((right, y + height + 26.0), self.fill(words.ridge), Type::new(18.0, Paint::Mute));

        self.times(&mut drawing, [136.0, 608.0, 150.0, 930.0], 22.0, 20.0);
        let waits = self.fill(if self.opened.waits() { words.waits_hbm } else { words.waits_compute });
        let set = Type::new(24.0, Paint::Ink).bold();
        fitted(&mut drawing, (right, 646.0), &waits, set, 290.0, 18.0).faded(self.progress.weighed);
        self.caches(&mut drawing);

        let band = [stage::LEFT, 788.0, stage::ACROSS, 54.0];
        drawing.rect(band, 12.0, Fill::Solid(Paint::Band));
        let set = Type::new(26.0, Paint::Ink).bold().anchored(Anchor::Middle);
        fitted(&mut drawing, (band[0] + band[2] / 2.0, band[1] + 36.0), caption, set, band[2] - 40.0, 18.0);
        self.legend(&mut drawing, [stage::LEFT, 872.0, stage::ACROSS], 20.0);
        drawing
    }

    /// The eight GPUs, the opened one marked and joined to what is opened.
    fn overview(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        pitch: f64,
        card: f64,
        size: f64,
    ) {
        for place in 0..PLACES {
            let left = x + f64::from(place) * pitch;
            let (opened, used) = (place == 0, place < self.opened.gpus);
            let paint = if opened { Paint::Ink } else { Paint::Line };
            let mini = drawing.rect([left, y, width, height], 8.0, Fill::Solid(Paint::Card));
            mini.stroked(paint, if opened { 3.5 } else { 2.0 });
            if !used {
                mini.dashed();
            }
            let set = Type::new(size, if opened { Paint::Ink } else { Paint::Mute }).anchored(Anchor::Middle);
            let set = if opened { set.bold() } else { set };
            drawing.text((left + width / 2.0, y + height / 2.0 + size * 0.36), place.to_string(), set);
        }
        drawing.line((x + width / 2.0, y + height), (x + width / 2.0, card), Paint::Ink, 3.5);
    }

    /// Memory, L2, chip, and the ways between them.
    fn gpu(&self, drawing: &mut Drawing, at: &Places) {
        let words = self.words;
        let chip = if self.opened.processors.is_some() { words.processors } else { words.chip };
        for ([x, y, width, _], word) in [(at.hbm, words.hbm), (at.l2, words.l2), (at.chip, chip)] {
            let set = Type::new(at.sizes[2], Paint::Ink).bold();
            // On a phone the chip stands below L2, beside the arrow between them.
            let shift = if at.wide || y < 400.0 { 0.0 } else { 64.0 };
            fitted(
                drawing,
                (x + shift, y - 14.0),
                &self.fill(word),
                set,
                width - shift,
                if at.wide { 18.0 } else { 24.0 },
            );
        }
        self.memory(drawing, at);
        self.slots(drawing, at);
        self.chip(drawing, at);
        let [strong, _] = self.paints();
        let coming = self.progress.loaded.iter().copied().fold(0.0, f64::max);
        let running = self.progress.multiplied.min(0.05) * 20.0;
        let stored = self.progress.stored;
        let hbm_right = at.hbm[0] + at.hbm[2];
        let (from, to) = (hbm_right + 8.0, at.l2[0] - 8.0);
        let middle = at.l2[1] + if at.wide { 130.0 } else { at.l2[3] / 2.0 };
        arrow(drawing, [(from, middle), (to, middle)], 14.0, Fill::Solid(strong)).faded(coming);
        if at.wide {
            let tile = self.opened.largest.map_or(0.0, |(_, tiling)| tiling.tile_bytes);
            let set = Type::new(18.0, Paint::Mute).anchored(Anchor::Middle);
            let told = self.bytes(tile);
            fitted(drawing, ((hbm_right + at.l2[0]) / 2.0, middle - 24.0), &told, set, 96.0, 18.0)
                .faded(coming);
            let (from, to) = (at.l2[0] + at.l2[2] + 8.0, at.chip[0] - 8.0);
            let level = at.tiles[0] + at.tiles[1] / 2.0;
            arrow(drawing, [(from, level), (to, level)], 14.0, Fill::Solid(strong)).faded(running);
        } else {
            let x = at.chip[0] + 28.0;
            arrow(
                drawing,
                [(x, at.l2[1] + at.l2[3] + 8.0), (x, at.chip[1] - 8.0)],
                14.0,
                Fill::Solid(strong),
            )
            .faded(running);
        }
        let (from, to) = (at.chip[0] - 2.0, hbm_right + 4.0);
        drawing.line((from, at.back), (to + 18.0, at.back), Paint::Token, 5.0).dashed().faded(stored);
        let head = vec![(to, at.back), (to + 18.0, at.back - 11.0), (to + 18.0, at.back + 11.0)];
        drawing.push(Shape::Path { points: head, closed: true }, Fill::Solid(Paint::Token)).faded(stored);
        if at.wide {
            let told = self.with_bytes(self.words.write, self.opened.kernel.written());
            let set = Type::new(19.0, Paint::Ink).anchored(Anchor::Middle);
            let middle = at.l2[0] + at.l2[2] / 2.0;
            fitted(drawing, (middle, at.back - 14.0), &told, set, at.l2[2] - 12.0, 18.0).faded(stored);
        }
    }

    /// What lies in memory: the block that is read with its cells, the other one, and what is there for now.
    fn memory(&self, drawing: &mut Drawing, at: &Places) {
        let words = self.words;
        let [x, y, width, height] = at.hbm;
        drawing.rect([x, y, width, height], 12.0, Fill::Solid(Paint::Sunk));
        let weights_read = matches!(self.opened.kind, KernelKind::Projection | KernelKind::Expert);
        let [read, beside, passing] = at.blocks;
        let (pad, gap) = (12.0, (height - 24.0 - read - beside - passing) / 2.0);
        let heights = if weights_read { [read, beside, passing] } else { [beside, read, passing] };
        let temporary = self.opened.kernel.taken() + self.opened.kernel.written();
        let [weights, cache] = self.opened.resident.map(Bytes::get);
        let rows = [
            (words.weights, weights, Paint::Weight),
            (words.cache, cache, Paint::Cache),
            (words.temporary, temporary, Paint::Token),
        ];
        let mut top = y + pad;
        for (index, (word, amount, paint)) in rows.into_iter().enumerate() {
            let high = heights.get(index).copied().unwrap_or(passing);
            let held = self.progress.held.get(index).copied().unwrap_or(0.0);
            let area = [x + pad, top, width - 2.0 * pad, high];
            let passes = index == Block::Temporary as usize;
            let ink = if passes {
                drawing.rect(area, 8.0, Fill::Solid(Paint::Card)).stroked(paint, 3.0).dashed().faded(held);
                Paint::Ink
            } else {
                drawing.rect(area, 8.0, Fill::Solid(paint)).faded(held);
                Paint::OnColour
            };
            let is_read = !passes && (index == 0) == weights_read;
            let [small, body, head] = at.sizes;
            let middle = area[0] + area[2] / 2.0;
            let first = if is_read { top + 30.0 } else { top + high / 2.0 - 6.0 };
            let set = Type::new(head, ink).bold().anchored(Anchor::Middle);
            fitted(drawing, (middle, first), word, set, area[2] - 12.0, small).faded(held);
            let set = Type::new(body, ink).anchored(Anchor::Middle);
            let line = body * 1.4;
            fitted(drawing, (middle, first + line), &self.bytes(amount), set, area[2] - 12.0, small)
                .faded(held);
            if is_read {
                let told = self.fill(self.of_kind(&words.picks));
                fitted(drawing, (middle, first + 2.0 * line), &told, set, area[2] - 12.0, small).faded(held);
                let from = first + 2.0 * line + 16.0;
                self.cells(drawing, [area[0] + 12.0, from, area[2] - 24.0, top + high - from - 12.0], held);
            }
            top += high + gap;
        }
    }

    /// Cells of what lies there: faint, those a kernel picks stronger, those it has read bright.
    fn cells(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], held: f64) {
        let picks = self.opened.picks;
        let whole = self.opened.kind == KernelKind::Projection;
        let count = if whole { CELLS } else { (picks.all.ceil() as usize).min(CELLS) };
        let chosen = chosen(count, picks.read / picks.all.max(1.0), picks.last / picks.all.max(1.0));
        let wanted = chosen.iter().filter(|chosen| **chosen).count() as f64;
        let mut left = (self.share_read() * wanted).floor();
        let columns = count.clamp(1, 12);
        let rows = count.div_ceil(columns).max(1);
        let pitch = (width / columns as f64, height / rows as f64);
        for (index, is_chosen) in chosen.into_iter().enumerate() {
            let (column, row) = ((index % columns) as f64, (index / columns) as f64);
            let cell = [x + column * pitch.0 + 1.5, y + row * pitch.1 + 1.5, pitch.0 - 3.0, pitch.1 - 3.0];
            let bright = is_chosen && left >= 1.0;
            if bright {
                left -= 1.0;
            }
            let opacity = match (is_chosen, bright) {
                (_, true) => 0.96,
                (true, false) => 0.5,
                (false, false) => 0.16,
            };
            drawing.rect(cell, 3.0, Fill::Solid(Paint::OnColour)).faded(opacity * held);
        }
    }

    /// The tiles that stand in L2, the newest first.
    fn slots(&self, drawing: &mut Drawing, at: &Places) {
        let [x, y, width, height] = at.l2;
        drawing.rect([x, y, width, height], 12.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 3.0);
        let (columns, room) = at.slots;
        let rows = SLOTS.div_ceil(columns);
        let (pad, gap) = (12.0, 8.0);
        let pitch = ((width - 2.0 * pad + gap) / columns as f64, (room - 2.0 * pad + gap) / rows as f64);
        let newest = self.arrived(self.told(0.0)).ceil().max(self.opened.tiles().min(SLOTS as u64) as f64);
        let [strong, soft] = self.paints();
        for slot in 0..SLOTS {
            let (column, row) = ((slot % columns) as f64, (slot / columns) as f64);
            let area = [x + pad + column * pitch.0, y + pad + row * pitch.1, pitch.0 - gap, pitch.1 - gap];
            let number = newest - slot as f64;
            // Of the first tiles each comes for itself; afterwards all places are taken.
            let first = self.progress.loaded.get((number as usize).wrapping_sub(1)).copied();
            let there = if number < 1.0 { 0.0 } else { first.unwrap_or(1.0) };
            let (paint, ink) = if slot == 0 { (strong, Paint::OnColour) } else { (soft, Paint::Ink) };
            drawing.rect(area, 6.0, Fill::Solid(paint)).faded(there);
            let digits = format::count(number.max(0.0));
            let told = fill(self.words.tile, &[("n", digits.clone())]);
            let size = at.sizes[1];
            let told = if text_width(&told, size, true) <= area[2] - 8.0 { told } else { digits };
            let set = Type::new(size, ink).bold().anchored(Anchor::Middle);
            let middle = (area[0] + area[2] / 2.0, area[1] + area[3] / 2.0 + size * 0.36);
            fitted(drawing, middle, &told, set, area[2] - 4.0, at.sizes[0]).faded(there);
        }
    }

    /// A tile and a block of activations, the tensor cores, and the results in registers.
    fn chip(&self, drawing: &mut Drawing, at: &Places) {
        let words = self.words;
        let [x, y, width, height] = at.chip;
        let [small, body, head] = at.sizes;
        drawing.rect([x, y, width, height], 12.0, Fill::Solid(Paint::Band));
        let pad = if at.wide { 20.0 } else { 12.0 };
        let (left, inner) = (x + pad, width - 2.0 * pad);
        if at.wide {
            drawing.text((left, at.tiles[0] - 12.0), words.shared_memory, Type::new(small, Paint::Mute));
        }
        let there = self.progress.multiplied.min(0.05) * 20.0;
        let [strong, _] = self.paints();
        let tiling = self.opened.largest.map(|(_, tiling)| tiling);
        let size_of = |a: f64, b: f64| format!("{} × {}", format::count(a), format::count(b));
        let (operand, block) = tiling.map_or((size_of(0.0, 0.0), size_of(0.0, 0.0)), |tiling| {
            (size_of(tiling.rows, tiling.depth), size_of(tiling.columns, tiling.depth))
        });
        let (gap, tops) = (12.0, at.tiles);
        let each = (inner - gap) / 2.0;
        let boxes = [
            (left, self.of_kind(&words.operand_tiles), operand, Fill::Solid(strong), Paint::OnColour),
            (
                left + each + gap,
                self.of_kind(&words.token_tiles),
                block,
                Fill::Solid(Paint::Card),
                Paint::Ink,
            ),
        ];
        for (from, word, told, fill, ink) in boxes {
            let area = [from, tops[0], each, tops[1]];
            let mark = drawing.rect(area, 8.0, fill);
            if ink == Paint::Ink {
                mark.stroked(Paint::Token, 4.0);
            }
            mark.faded(there);
            let middle = from + each / 2.0;
            let set = Type::new(head, ink).bold().anchored(Anchor::Middle);
            fitted(drawing, (middle, tops[0] + tops[1] / 2.0 - 4.0), word, set, each - 8.0, small)
                .faded(there);
            let set = Type::new(body, ink).anchored(Anchor::Middle);
            let told_at = (middle, tops[0] + tops[1] / 2.0 + body * 1.15);
            fitted(drawing, told_at, &told, set, each - 8.0, small).faded(there);
            drawing
                .line((middle, tops[0] + tops[1] + 3.0), (middle, at.cores[0] - 3.0), Paint::Ink, 3.0)
                .faded(there);
        }
        let cores = [left, at.cores[0], inner, at.cores[1]];
        drawing.rect(cores, 8.0, Fill::Solid(Paint::Compute));
        let sum = self.fill(words.sum);
        let told = if at.wide { format!("{} · {sum}", words.tensor_core) } else { sum };
        let set = Type::new(head, Paint::OnColour).bold().anchored(Anchor::Middle);
        let middle = (left + inner / 2.0, cores[1] + cores[3] / 2.0 + head * 0.36);
        fitted(drawing, middle, &told, set, inner - 16.0, small);
        if at.wide {
            let told = self.fill(words.registers);
            let set = Type::new(small, Paint::Mute);
            fitted(drawing, (left, at.results[0] - 14.0), &told, set, inner, small);
        }
        self.results(drawing, [left, at.results[0], inner, at.results[1]]);
    }

    /// A block of results: a row for each column of activations; what is filled up stays empty.
    fn results(&self, drawing: &mut Drawing, area: [f64; 4]) {
        const ACROSS: usize = 16;
        const DOWN: usize = 8;
        let [x, y, width, height] = area;
        let pitch = (width / ACROSS as f64, height / DOWN as f64);
        let gap = (pitch.1 * 0.25).min(4.0);
        let all = ACROSS * DOWN;
        let there = self.opened.tiles() > 0;
        let filled = self.opened.largest.filter(|_| there).map_or(0.0, |(_, tiling)| tiling.filled);
        let deep = self.opened.run_length();
        let used = (all as f64 * filled).ceil();
        let summed = if deep > 0.0 { self.summed() / deep } else { 0.0 };
        let cells = |count: usize| Shape::Cells {
            x,
            y,
            columns: ACROSS,
            count,
            pitch,
            size: (pitch.0 - gap, pitch.1 - gap),
        };
        drawing.push(cells(all), Fill::Solid(Paint::Card));
        drawing.push(cells(used as usize), Fill::Solid(Paint::ComputeSoft));
        drawing.push(cells((used * summed).round() as usize), Fill::Solid(Paint::Compute));
    }

    /// What L2 should hold, or what it costs that it does not.
    fn held(&self, drawing: &mut Drawing, at: (f64, f64), set: Type) {
        let again = self.opened.kernel.again();
        let (told, paint) = if again > 0.0 {
            (self.with_bytes(self.words.again, again), Paint::Comm)
        } else {
            (self.with_bytes(self.words.held, self.opened.kernel.held()), set.paint)
        };
        let there = self.progress.loaded.iter().copied().fold(0.0, f64::max);
        drawing.text(at, told, Type { paint, ..set }).faded(there);
    }

    /// Bytes, FLOPs and their quotient so far, each at the origin.
    fn counters(&self, size: f64) -> [(&'static str, Mark); 3] {
        let opened = self.opened;
        let share = self.share_read();
        let read = opened.kernel.read() * share;
        let flops = opened.kernel.flops() * self.told(0.5);
        let set = Type::new(size, Paint::Ink).bold();
        let mark = |text: String| {
            let mut one = Drawing::default();
            one.text((0.0, 0.0), text, set).clone()
        };
        let number = |value, unit| format::value(&Value::Number(value), unit, self.base);
        let mut bytes = mark(self.bytes(read));
        if let Some(id) = opened.read_figure {
            bytes.shows(id, read);
        }
        let flops = mark(number(flops, Unit::Flop).to_string());
        let quotient = format::value(&Value::Number(opened.intensity), Unit::FlopPerByte, self.base).number;
        let known = self.progress.multiplied > 0.0;
        let intensity = mark(if known { quotient } else { format::ABSENT.to_owned() });
        [(self.words.read, bytes), (self.words.computed, flops), (self.words.intensity, intensity)]
    }

    fn roofline(&self, drawing: &mut Drawing, area: [f64; 4], size: f64) {
        let (intensity, ridge) = (self.opened.intensity, self.opened.ridge);
        let words = [self.words.slope, self.words.flat];
        Roofline { intensity, ridge, shown: self.progress.weighed, words, size }.draw(drawing, area);
    }

    /// Two bars to one scale: reading, and computing. The area is left, top, room for words, room for bars.
    fn times(&self, drawing: &mut Drawing, [x, y, words, bars]: [f64; 4], high: f64, size: f64) {
        let [strong, _] = self.paints();
        let rows = [
            (self.words.read_time, self.opened.hbm_time, strong),
            (self.words.compute_time, self.opened.compute_time, Paint::Compute),
        ];
        let told = |time: Seconds| format::seconds(time).to_string();
        let widest = rows.iter().map(|(_, time, _)| text_width(&told(*time), size, true)).fold(0.0, f64::max);
        let room = bars - widest - 16.0;
        let longest = self.opened.hbm_time.max(self.opened.compute_time).get();
        let pitch = high + 14.0;
        for (index, (word, time, paint)) in rows.into_iter().enumerate() {
            let top = y + index as f64 * pitch;
            let share = if longest > 0.0 { time.get() / longest } else { 0.0 };
            let baseline = top + high / 2.0 + size * 0.36;
            drawing.text((x, baseline), word, Type::new(size, Paint::Mute));
            let left = x + words;
            drawing.rect([left, top, room, high], 5.0, Fill::Solid(Paint::Sunk));
            let grown = room * share * self.progress.weighed;
            drawing.rect([left, top, grown, high], 5.0_f64.min(grown / 2.0), Fill::Solid(paint));
            let set = Type::new(size, Paint::Ink).bold();
            drawing.text((left + room + 12.0, baseline), told(time), set).faded(self.progress.weighed);
        }
    }

    /// Shares of the caches' bar: set aside, used, and the memory.
    fn cache_shares(&self) -> [f64; 3] {
        let [reserved, used, capacity] =
            [self.opened.reserved, self.opened.used, self.opened.capacity].map(Bytes::get);
        let full = reserved.max(capacity).max(used).max(1.0) * 1.02;
        [reserved / full, used / full, capacity / full]
    }

    /// The caches' bar: left, top, width, height.
    fn cache_bar(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4]) {
        let opened = self.opened;
        let [reserved, used, capacity] = self.cache_shares();
        let (grown, filled) = (width * reserved * self.progress.reserved, width * used * self.progress.used);
        drawing.rect([x, y, width, height], 6.0, Fill::Solid(Paint::Sunk));
        drawing
            .rect([x, y, grown, height], 6.0_f64.min(grown / 2.0), Fill::Solid(Paint::CacheFaint))
            .stroked(Paint::Cache, 3.0)
            .dashed()
            .faded(self.progress.reserved);
        drawing
            .rect([x, y, filled, height], 6.0_f64.min(filled / 2.0), Fill::Solid(Paint::Cache))
            .shows("cache.batch.bytes_per_gpu", opened.used.get());
        let over = (grown - width * capacity).max(0.0);
        let above = [x + width * capacity, y, over, height];
        drawing.rect(above, 0.0, Fill::Solid(Paint::Card)).faded(0.55);
        drawing.rect(above, 0.0, Fill::Hatched(Paint::Comm));
        let limit = x + width * capacity;
        drawing.line((limit, y - 8.0), (limit, y + height + 8.0), Paint::Ink, 3.0).dashed();
    }

    /// On a wide stage: the bar with its words under it.
    fn caches(&self, drawing: &mut Drawing) {
        let (words, opened) = (self.words, self.opened);
        let bar = [286.0, 696.0, 1274.0, 26.0];
        drawing.text((136.0, 716.0), words.caches, Type::new(20.0, Paint::Mute));
        self.cache_bar(drawing, bar);
        let y = 756.0;
        let used = self.with_bytes(words.used, opened.used.get());
        let set = Type::new(20.0, Paint::Ink).bold();
        drawing
            .text((bar[0], y), used, set)
            .faded(self.progress.used)
            .shows("cache.batch.bytes_per_gpu", opened.used.get());
        let reserved = self.with_bytes(words.reserved_for, opened.reserved.get());
        let paint = if opened.reserved > opened.capacity { Paint::Comm } else { Paint::Ink };
        let set = Type::new(20.0, paint).bold().anchored(Anchor::Middle);
        drawing.text((bar[0] + bar[2] / 2.0, y), reserved, set).faded(self.progress.reserved);
        let set = Type::new(20.0, Paint::Mute).anchored(Anchor::End);
        drawing
            .text((bar[0] + bar[2], y), self.with_bytes(words.capacity, opened.capacity.get()), set)
            .shows("gpu.memory.bytes", opened.capacity.get());
    }

    /// Gives back its lower edge.
    fn legend(&self, drawing: &mut Drawing, area: [f64; 3], size: f64) -> f64 {
        let paints = [Paint::Weight, Paint::Cache, Paint::Token, Paint::Compute];
        let entries: Vec<legend::Entry> = paints
            .into_iter()
            .zip(self.words.legend)
            .map(|(paint, word)| (Fill::Solid(paint), word.to_owned()))
            .collect();
        legend::draw(drawing, area, size, &entries)
    }

    /// For a phone: memory at the left, L2 and the chip at the right, everything else below.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        let (words, opened) = (self.words, self.opened);
        let mut drawing = Drawing::new(WIDTH, 0.0);
        self.overview(&mut drawing, [16.0, 12.0, 76.0, 46.0], 87.4, 70.0, 26.0);
        let title = self.fill(self.of_kind(&words.kernels));
        fitted(&mut drawing, (16.0, 108.0), &title, Type::new(28.0, Paint::Ink).bold(), WIDTH - 32.0, 24.0);
        self.gpu(&mut drawing, &NARROW);
        self.held(&mut drawing, (16.0, 716.0), Type::new(24.0, Paint::Mute));

        for (index, (label, mark)) in self.counters(30.0).into_iter().enumerate() {
            let left = [16.0, 270.0, 524.0].get(index).copied().unwrap_or(0.0);
            drawing.text((left, 764.0), label, Type::new(24.0, Paint::Mute));
            drawing.marks.push(mark.moved(left, 804.0));
        }
        self.times(&mut drawing, [16.0, 832.0, 130.0, 558.0], 26.0, 24.0);
        let waits = self.fill(if opened.waits() { words.waits_hbm } else { words.waits_compute });
        drawing.text((16.0, 936.0), waits, Type::new(26.0, Paint::Ink).bold()).faded(self.progress.weighed);
        self.roofline(&mut drawing, [20.0, 966.0, 316.0, 176.0], 24.0);
        drawing.text((20.0, 1174.0), self.fill(words.ridge), Type::new(24.0, Paint::Mute));

        let left = 384.0;
        let lines = [
            (words.capacity, opened.capacity, 1.0, "gpu.memory.bytes", Paint::Mute),
            (words.reserved, opened.reserved, self.progress.reserved, "", Paint::Ink),
            (words.used, opened.used, self.progress.used, "cache.batch.bytes_per_gpu", Paint::Ink),
        ];
        drawing.text((left, 990.0), words.caches, Type::new(24.0, Paint::Mute));
        self.cache_bar(&mut drawing, [left, 1012.0, WIDTH - 16.0 - left, 34.0]);
        for (index, (word, amount, shown, id, paint)) in lines.into_iter().enumerate() {
            let set = Type::new(24.0, paint);
            let set = if index == 0 { set } else { set.bold() };
            let told = self.with_bytes(word, amount.get());
            let mark = drawing.text((left, 1094.0 + index as f64 * 40.0), told, set).faded(shown);
            if !id.is_empty() {
                mark.shows(id, amount.get());
            }
        }
        let under = self.legend(&mut drawing, [16.0, 1216.0, WIDTH - 32.0], 24.0);
        // As many lines at every step as the longest caption needs, and as much room.
        let set = Type::new(26.0, Paint::Ink).bold();
        let lines_of = |text: &str| wrap(text, set.size, set.bold, WIDTH - 32.0);
        let longest = Step::ALL.into_iter().map(|step| lines_of(&self.caption(step)).len()).max();
        let longest = longest.unwrap_or(1);
        let lines = lines_of(caption).into_iter().map(Some).chain(core::iter::repeat(None));
        for (index, line) in lines.take(longest).enumerate() {
            let shown = if line.is_some() { 1.0 } else { 0.0 };
            let baseline = under + 32.0 + index as f64 * set.size * 1.42;
            drawing.text((16.0, baseline), line.unwrap_or_default(), set).faded(shown);
        }
        drawing.height = under + 16.0 + longest as f64 * set.size * 1.42;
        drawing
    }
}

/// Which of so many cells a kernel reads: a share of them, scattered, and those at the end.
fn chosen(count: usize, share: f64, last: f64) -> Vec<bool> {
    /// So many are scattered however few are picked, or nobody would see that they are.
    const FEWEST: usize = 6;
    let fewest = if share > last && last > 0.0 { FEWEST } else { usize::from(share > 0.0) };
    let wanted = ((count as f64 * share).round() as usize).max(fewest).min(count);
    let at_end =
        ((count as f64 * last).round() as usize).clamp(usize::from(last > 0.0), wanted.max(1)).min(wanted);
    let mut order: Vec<usize> = (0..count - at_end).collect();
    // Scattered, and always in the same way.
    order.sort_by_key(|index| (index * index * 31 + index * 17 + 5) % 97);
    let mut chosen = vec![false; count];
    for index in order.into_iter().take(wanted - at_end).chain(count - at_end..count) {
        if let Some(cell) = chosen.get_mut(index) {
            *cell = true;
        }
    }
    chosen
}

/// A line of text in the largest size that fits its room, not below a smallest one.
fn fitted<'a>(
    drawing: &'a mut Drawing,
    at: (f64, f64),
    text: &str,
    set: Type,
    room: f64,
    smallest: f64,
) -> &'a mut Mark {
    let mut size = set.size;
    while size > smallest && text_width(text, size, set.bold) > room {
        size -= 1.0;
    }
    drawing.text(at, text, Type { size: size.max(smallest), ..set })
}

/// A straight arrow.
fn arrow(drawing: &mut Drawing, [from, to]: [(f64, f64); 2], thick: f64, fill: Fill) -> &mut Mark {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = libm::sqrt(dx * dx + dy * dy).max(1.0);
    let (along, across) = ((dx / length, dy / length), (-dy / length, dx / length));
    let head = thick * 1.2;
    let point = |forward: f64, aside: f64| {
        (from.0 + along.0 * forward + across.0 * aside, from.1 + along.1 * forward + across.1 * aside)
    };
    let shaft = length - head;
    let points = vec![
        point(0.0, thick / 2.0),
        point(shaft, thick / 2.0),
        point(shaft, thick),
        point(length, 0.0),
        point(shaft, -thick),
        point(shaft, -thick / 2.0),
        point(0.0, -thick / 2.0),
    ];
    drawing.push(Shape::Path { points, closed: true }, fill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::language::Language;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::scene::Facts;

    const MOMENTS: [f64; 2] = [0.37, 1.0];

    /// Some ink that is there: faded-out marks are not.
    fn seen(mark: &Mark) -> bool {
        mark.opacity > 0.0
    }

    fn is_text(mark: &Mark) -> bool {
        matches!(mark.shape, Shape::Text { .. })
    }

    fn check(drawing: &Drawing, told: &str) {
        let smallest = if drawing.width > 1000.0 { 18.0 } else { 24.0 };
        let ink: Vec<_> =
            drawing.marks.iter().filter(|mark| seen(mark)).map(|mark| (mark, mark.ink())).collect();
        for (mark, [left, top, right, bottom]) in &ink {
            let finite = [left, top, right, bottom].iter().all(|edge| edge.is_finite());
            assert!(finite, "{told}: {mark:?}");
            let inside = *left >= 0.0 && *top >= 0.0 && *right <= drawing.width && *bottom <= drawing.height;
            assert!(inside, "{told}: outside: {mark:?}");
            if let Shape::Text { size, text, .. } = &mark.shape {
                assert!(*size >= smallest, "{told}: {text}");
                assert!(
                    !text.contains(['{', '}']) && !text.contains("NaN") && !text.contains("inf"),
                    "{told}: {text}"
                );
            }
        }
        let texts: Vec<_> = ink.iter().filter(|(mark, _)| is_text(mark)).collect();
        for (index, (one, a)) in texts.iter().enumerate() {
            for (other, b) in &texts[index + 1..] {
                let apart =
                    a[2] <= b[0] + 0.5 || b[2] <= a[0] + 0.5 || a[3] <= b[1] + 3.0 || b[3] <= a[1] + 3.0;
                assert!(apart, "{told}: {:?} on {:?}", one.shape, other.shape);
            }
        }
        // A text that begins in a box ends in it.
        let boxes = ink.iter().filter(|(mark, area)| {
            matches!(mark.shape, Shape::Rect { .. }) && area[2] - area[0] > 100.0 && area[3] - area[1] > 30.0
        });
        for (_, area) in boxes {
            for (mark, text) in &texts {
                let middle = ((text[0] + text[2]) / 2.0, (text[1] + text[3]) / 2.0);
                let within =
                    middle.0 > area[0] && middle.0 < area[2] && middle.1 > area[1] && middle.1 < area[3];
                let held = text[0] >= area[0] && text[2] <= area[2];
                assert!(!within || held, "{told}: {:?} leaves {area:?}", mark.shape);
            }
        }
    }

    #[test]
    fn every_frame_is_whole_in_every_scenario() {
        let loads: [&[(Key, &str)]; 12] = [
            &[],
            &[(Key::Batch, "1"), (Key::Context, "1"), (Key::Tile, "16"), (Key::L2Mib, "1")],
            &[(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tile, "16"), (Key::L2Mib, "1")],
            &[(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tp, "1"), (Key::Tile, "256")],
            &[(Key::Tp, "16"), (Key::Batch, "777"), (Key::Context, "999999"), (Key::Tile, "17")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "64"), (Key::Batch, "100")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "384"), (Key::Gpus, "384"), (Key::Batch, "3")],
            &[(Key::Gpus, "4096"), (Key::L2Mib, "512")],
            &[(Key::Tp, "3"), (Key::Batch, "2"), (Key::KvPlacement, "split")],
            &[
                (Key::HbmTbS, "0.1"),
                (Key::PeakTflops, "100000"),
                (Key::HbmEfficiency, "0.01"),
                (Key::Mtp, "true"),
            ],
            &[(Key::HbmTbS, "100"), (Key::PeakTflops, "1"), (Key::Gpu, "mi355x"), (Key::Batch, "1024")],
            &[(Key::Gpu, "b200"), (Key::Model, "v4-flash"), (Key::Context, "130"), (Key::Batch, "1024")],
        ];
        for (load, ledger) in loads.into_iter().zip(Ledger::ALL.into_iter().cycle()) {
            for kernel in KernelKind::WORDS {
                let mut scenario = Scenario::default();
                for (key, text) in load.iter().copied().chain([(Key::Kernel, *kernel)]) {
                    scenario.choose_text(key, text).unwrap();
                }
                let settings = scenario.resolve(ledger);
                let spec = crate::spec::of(settings.model);
                let report = report(ledger, &scenario, &spec);
                let opened = Opened::new(Facts { report: &report, settings: &settings, spec: &spec });
                let moments = (0..Step::ALL.len()).flat_map(|step| MOMENTS.map(|t| Moment { step, t }));
                let faces = [Layout::Wide, Layout::Narrow].into_iter().flat_map(|layout| {
                    [Language::Chinese, Language::English].map(|language| (layout, language))
                });
                for (layout, language) in faces {
                    let mut kinds = None;
                    for moment in moments.clone() {
                        let drawing = opened.frame(moment, Look { layout, language, base: ByteBase::Binary });
                        let told =
                            format!("{kernel} {load:?} {} {moment:?} {layout:?} {language:?}", ledger.name());
                        check(&drawing, &told);
                        assert!(!drawing.title.is_empty() && !drawing.description.contains('{'), "{told}");
                        let pool: Vec<_> =
                            drawing.marks.iter().map(|mark| core::mem::discriminant(&mark.shape)).collect();
                        assert_eq!(*kinds.get_or_insert_with(|| pool.clone()), pool, "{told}");
                    }
                }
            }
        }
    }

    /// What is done at the end of a step is there at the beginning of the next.
    #[test]
    fn steps_join() {
        let scenario = Scenario::default();
        let settings = scenario.resolve(Ledger::Exact);
        let spec = crate::spec::v4_pro();
        let report = report(Ledger::Exact, &scenario, &spec);
        let opened = Opened::new(Facts { report: &report, settings: &settings, spec: &spec });
        let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
        for step in 1..Step::ALL.len() {
            let [before, after] =
                [Moment::done(step - 1), Moment { step, t: 0.0 }].map(|moment| opened.frame(moment, look));
            // All but the caption.
            let differing = before.marks.iter().zip(&after.marks).filter(|(a, b)| a != b).count();
            assert!(differing <= 1, "step {step}: {differing} marks jump");
        }
    }

    #[test]
    fn scattered_cells_are_as_many_as_wanted() {
        for (count, share, last) in
            [(48, 0.5, 0.1), (48, 1.0, 0.0), (1, 0.01, 0.01), (0, 0.0, 0.0), (7, 0.9, 0.5)]
        {
            let chosen = chosen(count, share, last);
            assert_eq!(chosen.len(), count);
            let wanted = chosen.iter().filter(|chosen| **chosen).count();
            let share = (count as f64 * share).round() as usize;
            assert!(wanted == share || wanted == 1 || wanted <= 6 && last > 0.0, "{wanted} and {share}");
        }
    }
}
