//! The picture of "place" at a moment: cards with a memory column to scale, and what was cut for each beside it.

use core::ops::Range;

use super::words::Words;
use super::{Block, Event, Placing, Share, Step, count};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type, legend};
use crate::format::{self, ByteBase};
use crate::ledger::memory::{Line, Part, Sharing};
use crate::scene::exercise::Exercise;
use crate::scene::parts::of;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, lines};
use crate::units::Bytes;
use crate::words::{Words as Common, fill};

/// Room kept above the taller of need and capacity, as a factor of it.
const HEADROOM: f64 = 1.06;

/// How much of each GPU's blocks and cuts has happened.
struct Progress {
    /// For each GPU and block.
    blocks: Vec<Vec<f64>>,
    /// For each GPU: its stage's layers known.
    layers: Vec<f64>,
    /// For each GPU: experts dealt.
    experts: Vec<f64>,
    /// For each GPU: heads and groups cut.
    heads: Vec<f64>,
    /// For each GPU: requests taken.
    requests: Vec<f64>,
    /// The verdict.
    judged: f64,
}

impl Progress {
    fn at(placing: &Placing, moment: Moment) -> Self {
        let none = vec![0.0; placing.shares.len()];
        let mut progress = Self {
            blocks: placing.shares.iter().map(|share| vec![0.0; share.blocks.len()]).collect(),
            layers: none.clone(),
            experts: none.clone(),
            heads: none.clone(),
            requests: none,
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
                    Event::Stage { gpu, .. } => progress.layers.get_mut(gpu),
                    Event::Take { gpu, .. } => progress.requests.get_mut(gpu),
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
        self.blocks.get(gpu).map_or(0.0, |all| of(all, block))
    }
}

/// Everything a frame is drawn from.
struct Stage<'a> {
    placing: &'a Placing,
    progress: Progress,
    words: &'a Words,
    common: &'a Common,
    base: ByteBase,
    layout: Layout,
}

impl Scene for Placing {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let stage =
            Stage { placing: self, progress: Progress::at(self, moment), words, common, base, layout };
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

/// A whole number as it is shown.
fn number(amount: u64) -> String {
    format::count(amount as f64)
}

impl Stage<'_> {
    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let (placing, words) = (self.placing, self.words);
        let size = |amount: Bytes| format::bytes(amount, self.base).to_string();
        let placed =
            |of: Step| placing.blocks.iter().filter(|b| b.step == of).map(|b| b.line.bytes).sum::<Bytes>();
        let first = |range: fn(&Share) -> &Range<u64>| {
            number(placing.shares.first().map_or(0, |share| count(range(share))))
        };
        let lumped = placing.blocks.iter().any(|block| block.line.part == Part::Weights);
        let something = placed(step).get() > 0.0;
        let whole = placing.shares.first().is_some_and(|share| count(&share.heads) == placing.all[0]);
        let cache = placing.blocks.iter().find(|block| block.step == Step::Cache);
        let cache = cache.map_or(Sharing::Copied, |block| block.line.sharing);
        let template = match step {
            Step::Verdict if !placing.legal => words.illegal,
            Step::Empty if something => words.reserve,
            Step::Copied if !something => words.no_line,
            Step::Experts if lumped => words.all_weights,
            Step::Heads if whole && placing.by_request && placing.blocks.iter().any(is_dense) => {
                words.heads_copied
            }
            Step::Heads if whole && placing.by_request => words.heads_whole,
            Step::Heads if something => words.dense_cut,
            Step::Cache if cache == Sharing::ByRequest => words.cache_by_request,
            Step::Cache if cache == Sharing::Cut => words.cache_split,
            Step::Verdict if placing.fits => words.fits,
            Step::Verdict if placing.smallest.is_none() => words.none_fits,
            _ => words.captions.get(step as usize).copied().unwrap_or(""),
        };
        let dense = placing.blocks.iter().filter(|block| is_dense(block)).map(|block| block.line.bytes);
        let whole_parts = placing.blocks.iter().filter(|block| block.step == Step::Copied);
        let [whose, fullest] = words.whose;
        let most = placing.shares.iter().map(|share| count(&share.requests)).max().unwrap_or(0);
        let values = [
            ("whose", (if placing.uneven() { fullest } else { whose }).to_owned()),
            ("capacity", size(placing.capacity)),
            ("need", size(placing.need)),
            ("short", size(placing.short)),
            ("free", size(placing.free)),
            ("reserve", size(placed(Step::Empty))),
            ("shared", size(whole_parts.map(|block| block.line.bytes).sum())),
            ("routed", size(placed(Step::Experts))),
            ("weights", size(placed(Step::Experts))),
            ("dense", size(dense.sum())),
            ("cache", size(placed(Step::Cache))),
            ("experts", first(|share| &share.experts)),
            ("experts_all", number(placing.all[2])),
            ("heads", first(|share| &share.heads)),
            ("groups", first(|share| &share.groups)),
            ("batch", number(placing.load.0)),
            ("context", number(placing.load.1)),
            ("own", number(most)),
            ("all_layers", number(placing.layers.len() as u64)),
            ("group", number(u64::from(placing.stages.0))),
            ("stages", number(u64::from(placing.stages.1))),
            ("smallest", placing.smallest.clone().unwrap_or_default()),
        ];
        let mut told = fill(template, &values);
        if step == Step::Empty && placing.staged() {
            told.push_str(&fill(words.staged, &values));
        }
        told
    }

    /// What stands for GPUs that are not shown.
    fn badge(&self) -> Option<String> {
        let placing = self.placing;
        let shown = placing.shares.len() as u64;
        let template = if placing.alike { self.words.alike } else { self.words.some };
        let values = [
            ("nodes", number(u64::from(placing.nodes))),
            ("gpus", number(u64::from(placing.gpus))),
            ("shown", number(shown)),
        ];
        (u64::from(placing.gpus) > shown).then(|| fill(template, &values))
    }

    /// Bytes at the top of every column.
    fn full(&self) -> f64 {
        let placed = |share: &Share| share.blocks.iter().map(|block| block.line.bytes).sum::<Bytes>();
        let most = self.placing.shares.iter().map(placed).fold(self.placing.capacity, Bytes::max);
        most.get().max(1.0) * HEADROOM
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.placing.layers, None, self.common);
        self.stage_ends(&mut drawing);
        stage::band(&mut drawing);
        let full = self.full();
        for place in 0..PLACES {
            self.card(&mut drawing, place, full);
        }
        self.told(&mut drawing, caption);
        let entries = self.entries(20.0, stage::ACROSS);
        // One row in the middle where it fits, else two.
        let wide: f64 = entries.iter().map(|(_, word)| text_width(word, 20.0, false) + 61.0).sum();
        let (y, size) = if wide < stage::ACROSS { (stage::LEGEND_Y, 20.0) } else { (845.0, 18.0) };
        legend::draw(&mut drawing, [stage::LEFT, y, stage::ACROSS], size, &entries);
        drawing
    }

    /// Where one stage's layers end on the strip.
    fn stage_ends(&self, drawing: &mut Drawing) {
        let (stages, layers) = (self.placing.stages.1, self.placing.layers.len());
        let (stages, all) = (u64::from(stages), layers as u64);
        let end = |stage: u64| stage * (all / stages) + stage.min(all % stages);
        stage::stage_ends(drawing, layers, (1..stages.min(all)).map(end));
    }

    /// The caption in the band, beside the badge if there is one.
    fn told(&self, drawing: &mut Drawing, caption: &str) {
        let [left, top, width, height] = stage::BAND;
        let badge = self.badge();
        let taken = badge.as_ref().map_or(0.0, |badge| text_width(badge, 20.0, true) + 56.0);
        let room = width - 40.0 - taken;
        let (mut size, mut text) = lines::fit(caption, true, room, 1, &[26.0, 24.0, 22.0]);
        if text.len() > 1 {
            (size, text) = lines::fit(caption, true, room, 2, &[22.0, 20.0, 18.0]);
        }
        let up = (text.len() as f64 - 1.0) / 2.0 * size * lines::LEADING;
        let at = (left + 20.0 + room / 2.0, top + height / 2.0 + size * 0.36 - up);
        let set = Type::new(size, self.caption_paint()).bold().anchored(Anchor::Middle);
        lines::draw(drawing, at, &text, 2, set);
        if let Some(badge) = badge {
            let pill = [left + width - taken - 4.0, top + 12.0, taken - 8.0, height - 24.0];
            drawing.rect(pill, 20.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
            let at = (pill[0] + pill[2] / 2.0, top + height / 2.0 + 7.0);
            drawing.text(at, badge, Type::new(20.0, Paint::Ink).bold().anchored(Anchor::Middle));
        }
    }

    fn caption_paint(&self) -> Paint {
        if self.progress.judged > 0.5 && !self.placing.fits { Paint::Comm } else { Paint::Ink }
    }

    /// The GPUs that stand at a place: one, or one of each node shown.
    fn gpus_at(&self, place: u32) -> Vec<usize> {
        (place as usize..self.placing.shares.len()).step_by(PLACES as usize).collect()
    }

    /// Columns that every place has room for.
    fn slots(&self) -> usize {
        if self.placing.shares.len() > PLACES as usize { 2 } else { 1 }
    }

    fn share(&self, gpu: usize) -> Option<&Share> {
        self.placing.shares.get(gpu)
    }

    /// Lines under a column: its node where there are several, its stage's layers where there are several stages.
    fn feet(&self, gpu: usize) -> Vec<(String, f64)> {
        let Some(share) = self.share(gpu) else { return Vec::new() };
        let mut feet = Vec::new();
        if self.placing.nodes > 1 {
            let named = format!("{} {}", self.words.node, share.node);
            // A number of four digits stands alone.
            let named = if share.node > 999 { share.node.to_string() } else { named };
            feet.push((named, 1.0));
        }
        if self.placing.staged() {
            let layers = format!("{} {}", self.words.layers, spans(core::slice::from_ref(&share.layers)));
            feet.push((layers, of(&self.progress.layers, gpu)));
        }
        feet
    }

    fn card(&self, drawing: &mut Drawing, place: u32, full: f64) {
        let gpus = self.gpus_at(place);
        let used = !gpus.is_empty();
        let names: Vec<String> =
            gpus.iter().filter_map(|gpu| self.share(*gpu)).map(|share| share.gpu.to_string()).collect();
        let names = if used { names.join(" · ") } else { place.to_string() };
        let heading = format!("{} {names}", self.common.gpu);
        let [x, y, width, height] = stage::card(drawing, place, &heading, used);
        let slots = self.slots();
        let (pitch, wide) = if slots > 1 { (78.0, 66.0) } else { (88.0, 88.0) };
        if !used {
            drawing.rect([x + 20.0, y + 58.0, 88.0, height - 78.0], 6.0, Fill::Solid(Paint::Sunk)).faded(0.5);
            let set = Type::new(22.0, Paint::Mute);
            drawing.text((x + 172.0, y + height / 2.0 + 8.0), self.words.idle, set);
            return;
        }
        let uneven = self.placing.uneven();
        let over = if uneven && slots > 1 { 24.0 } else { 0.0 };
        let feet = self.feet(0).len() as f64 * 23.0;
        let (top, high) = (y + 58.0 + over, height - 78.0 - over - feet);
        for (slot, gpu) in gpus.iter().enumerate() {
            let left = x + 20.0 + slot as f64 * pitch;
            self.column(drawing, *gpu, [left, top, wide, high], full);
            let middle = left + wide / 2.0;
            let small = Type::new(18.0, Paint::Mute).anchored(Anchor::Middle);
            for (line, (foot, shown)) in self.feet(*gpu).into_iter().enumerate() {
                drawing.text((middle, top + high + 22.0 + line as f64 * 23.0), foot, small).faded(shown);
            }
            let Some(share) = self.share(*gpu).filter(|_| over > 0.0) else { continue };
            let need = format::short_giga(share.need, self.base);
            let set = Type { paint: self.need_paint(share), ..small }.bold();
            let mark = drawing.text((middle, y + 74.0), need, set).faded(self.progress.judged);
            if self.placing.is_fullest(share) {
                mark.shows(self.placing.need_figure, share.need.get());
            }
        }
        let columns = [x + 20.0, top, pitch * (gpus.len() as f64 - 1.0) + wide, high];
        self.limit(drawing, columns, columns[0] + columns[2] + 6.0, 18.0, full);
        if let Some(share) = gpus.first().and_then(|gpu| self.share(*gpu)).filter(|_| over == 0.0) {
            let set = Type::new(23.0, self.need_paint(share)).bold().anchored(Anchor::End);
            let need = format::bytes(share.need, self.base).to_string();
            let mark = drawing.text((x + width - 18.0, y + 38.0), need, set).faded(self.progress.judged);
            if self.placing.is_fullest(share) {
                mark.shows(self.placing.need_figure, share.need.get());
            }
        }
        if slots > 1 {
            self.counts(drawing, &gpus, [x + 230.0, y + 64.0, width - 248.0]);
        } else {
            self.shares(drawing, &gpus, [x + 172.0, y + 64.0, width - 190.0]);
        }
    }

    /// What a GPU needs is written in the colour of its own verdict.
    fn need_paint(&self, share: &Share) -> Paint {
        let all: Bytes = share.blocks.iter().map(|block| block.line.bytes).sum();
        if all > self.placing.capacity { self.caption_paint() } else { Paint::Ink }
    }

    /// The memory of one GPU, filled from the bottom to scale.
    fn column(&self, drawing: &mut Drawing, gpu: usize, [x, y, width, height]: [f64; 4], full: f64) {
        let Some(share) = self.share(gpu) else { return };
        let to_y = |bytes: f64| y + height * (1.0 - bytes / full);
        let capacity = self.placing.capacity.get();
        let free_top = to_y(capacity);
        let fullest = self.placing.is_fullest(share);
        let free = drawing.rect([x, free_top, width, y + height - free_top], 6.0, Fill::Solid(Paint::Sunk));
        if fullest && self.placing.fits {
            free.shows("memory.free.bytes_per_gpu", self.placing.free.get());
        }
        // In the order in which they come every block grows where it will lie, and nothing is pushed up.
        let mut blocks: Vec<(usize, &Block)> = share.blocks.iter().enumerate().collect();
        blocks.sort_by_key(|(_, block)| block.step as usize);
        let (mut base, mut level) = (0.0, 0.0);
        for (index, block) in blocks {
            let (bytes, filled) = (block.line.bytes.get(), self.progress.block(gpu, index));
            let whole = [x, to_y(base + bytes), width, height * bytes / full];
            self.block(drawing, block, whole, filled, free_top);
            base += bytes;
            level += bytes * filled;
        }
        // What lies above the limit is hatched, whatever part it is.
        let over = (level - capacity).max(0.0);
        let above = [x, to_y(capacity + over), width, height * over / full];
        drawing.rect(above, 4.0, Fill::Solid(Paint::Card)).faded(0.55);
        let hatched = drawing.rect(above, 4.0, Fill::Hatched(Paint::Comm));
        if fullest {
            hatched.shows("memory.short.bytes_per_gpu", self.placing.short.get());
        }
    }

    /// A block, filled from its lower edge; its label appears in its place as soon as it is nearly full.
    fn block(
        &self,
        drawing: &mut Drawing,
        block: &Block,
        [x, y, width, height]: [f64; 4],
        filled: f64,
        limit: f64,
    ) {
        let high = height * filled;
        let mark = drawing.rect([x, y + height - high, width, high], 3.0, line_fill(&block.line));
        // A hairline between neighbours of one colour, where there is room for it.
        if high > 6.0 {
            mark.stroked(Paint::Card, 1.0);
        }
        // The figure speaks of the fullest GPU.
        if self.placing.blocks.contains(block) {
            mark.shows(block.line.figure, block.line.bytes.get());
        }
        let label = format::short_giga(block.line.bytes, self.base);
        let size = match self.layout {
            Layout::Narrow => 24.0,
            Layout::Wide if width < 80.0 => 20.0,
            Layout::Wide => 22.0,
        };
        // The label stands below the limit; what lies above it is hatched over.
        let fits = y + height - limit.max(y) > size + 4.0 && text_width(&label, size, true) < width - 4.0;
        if !fits {
            return;
        }
        let set = Type::new(size, Paint::OnColour).bold().anchored(Anchor::Middle);
        let opacity = (filled - 0.75) * 4.0;
        // In a low block the digits stand in its middle.
        let baseline = y + height - (size * 0.64).min((height - size * 0.65) / 2.0);
        if let Fill::Dotted(paint) = line_fill(&block.line) {
            // Dots would run through the digits.
            let wide = text_width(&label, size, true) + 6.0;
            let under = [x + (width - wide) / 2.0, baseline - size * 0.82, wide, size * 0.94];
            drawing.rect(under, 3.0, Fill::Solid(paint)).faded(opacity);
        }
        drawing.text((x + width / 2.0, baseline), label, set).faded(opacity);
    }

    /// The capacity as a dashed line with its size.
    fn limit(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        right: f64,
        size: f64,
        full: f64,
    ) {
        let at = y + height * (1.0 - self.placing.capacity.get() / full);
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

    /// What falls to the GPUs of a place, in rows: name, ranges, how many in all, how far, colour, whether whole.
    fn rows(&self, gpus: &[usize]) -> [Row; 3] {
        let (placing, words) = (self.placing, self.words);
        let ranges = |range: fn(&Share) -> &Range<u64>| -> Vec<Range<u64>> {
            gpus.iter().filter_map(|gpu| self.share(*gpu)).map(|share| range(share).clone()).collect()
        };
        let first = gpus.first().copied().unwrap_or(0);
        let row = |name: &'static str, range, happened: &[f64], paint, all: u64| {
            let ranges = ranges(range);
            let whole = all > 0 && ranges.iter().all(|range| count(range) == all);
            Row { name, ranges, happened: of(happened, first), paint, whole }
        };
        let [heads, groups, experts] = placing.all;
        let progress = &self.progress;
        let second = if placing.by_request {
            row(words.requests, |share| &share.requests, &progress.requests, Paint::Cache, 0)
        } else {
            row(words.output_groups, |share| &share.groups, &progress.heads, Paint::Compute, groups)
        };
        [
            row(words.query_heads, |share| &share.heads, &progress.heads, Paint::Compute, heads),
            second,
            row(words.experts, |share| &share.experts, &progress.experts, Paint::Weight, experts),
        ]
    }

    /// The rows of a place with one GPU, and what it holds whole.
    fn shares(&self, drawing: &mut Drawing, gpus: &[usize], [x, y, width]: [f64; 3]) {
        let mut top = y;
        for (index, row) in self.rows(gpus).into_iter().enumerate() {
            let high = if index == 2 { 76.0 } else { 20.0 };
            let told = format!("{} {}", row.name, spans(&row.ranges));
            drawing.text((x, top + 14.0), told, Type::new(19.0, Paint::Mute));
            row.draw(drawing, [x, top + 24.0, width, high]);
            top += high + 36.0;
        }
        let first = gpus.first().copied().unwrap_or(0);
        let blocks = self.share(first).map_or(&[][..], |share| &share.blocks);
        let copied = blocks.iter().position(|block| block.step == Step::Copied);
        let held = copied.map_or(0.0, |block| self.progress.block(first, block));
        let dots = Fill::Dotted(Paint::WeightSoft);
        drawing.rect([x, top - 3.0, 22.0, 22.0], 4.0, dots).faded(held);
        drawing.text((x + 30.0, top + 15.0), self.words.copied, Type::new(19.0, Paint::Mute)).faded(held);
        let words = self.words;
        let cache = blocks.iter().find(|block| block.step == Step::Cache);
        let parts = match cache.map(|block| block.line.sharing) {
            _ if self.placing.by_request => words.copied_by_request,
            Some(Sharing::Cut) => words.copied_but_cache,
            _ => words.copied_parts,
        };
        drawing.text((x, top + 43.0), parts, Type::new(18.0, Paint::Mute)).faded(held);
    }

    /// The rows of a place with a GPU of each node, name over numbers.
    fn counts(&self, drawing: &mut Drawing, gpus: &[usize], [x, y, width]: [f64; 3]) {
        let mut top = y;
        for (index, row) in self.rows(gpus).into_iter().enumerate() {
            let high = if index == 2 { 60.0 } else { 18.0 };
            drawing.text((x, top + 14.0), row.name, Type::new(19.0, Paint::Mute));
            drawing.text((x, top + 38.0), spans(&row.ranges), Type::new(19.0, Paint::Ink));
            row.draw(drawing, [x, top + 48.0, width, high]);
            top += high + 64.0;
        }
    }

    /// What each colour stands for: the parts of one colour side by side, and how they are shared where there is room.
    fn entries(&self, size: f64, width: f64) -> Vec<legend::Entry> {
        let mut groups: Vec<(Fill, Vec<&Line>)> = Vec::new();
        for line in &self.placing.parts {
            let fill = line_fill(line);
            match groups.iter_mut().find(|(known, _)| *known == fill) {
                Some((_, parts)) => parts.push(line),
                None => groups.push((fill, vec![line])),
            }
        }
        let mut before = "";
        let mut entries: Vec<legend::Entry> = Vec::new();
        for (fill, parts) in groups {
            let names: Vec<&str> = parts.iter().map(|line| (self.common.part)(line.part)).collect();
            let alike = parts.windows(2).all(|pair| pair[0].sharing == pair[1].sharing);
            let sharing = parts.first().map_or(Sharing::Mixed, |line| line.sharing);
            let sharing = (self.common.sharing)(if alike { sharing } else { Sharing::Mixed });
            let names = names.join(self.words.and);
            // Said once for neighbours that are shared alike.
            let longer = format!("{names} · {sharing}");
            let room = width - size * 1.5;
            let word =
                if sharing == before || text_width(&longer, size, false) > room { names } else { longer };
            before = sharing;
            entries.push((fill, word));
        }
        entries.push((Fill::Solid(Paint::Sunk), self.common.free.to_owned()));
        entries.push((Fill::Hatched(Paint::Comm), self.common.over.to_owned()));
        entries
    }

    /// For a phone: eight columns side by side, those of a second node beside the first, then the words.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        const HIGH: f64 = 460.0;
        let slots = self.slots();
        let top = 84.0 + (slots as f64 - 1.0) * 30.0;
        let mut drawing = Drawing::new(WIDTH, 0.0);
        let full = self.full();
        let pitch = (WIDTH - 24.0) / f64::from(PLACES);
        let middle = Anchor::Middle;
        drawing.text((12.0, 32.0), self.common.gpu, Type::new(26.0, Paint::Mute));
        for place in 0..PLACES {
            let gpus = self.gpus_at(place);
            let x = 12.0 + f64::from(place) * pitch;
            let column = [x + 6.0, top, pitch - 12.0, HIGH];
            if gpus.is_empty() {
                let set = Type::new(26.0, Paint::Mute).bold().anchored(middle);
                drawing.text((x + pitch / 2.0, 68.0), place.to_string(), set);
                drawing.rect(column, 6.0, Fill::Solid(Paint::Sunk)).faded(0.4);
            }
            let each = column[2] / slots as f64;
            let gap = if slots > 1 { 3.0 } else { 0.0 };
            for (slot, gpu) in gpus.iter().enumerate() {
                let name = self.share(*gpu).map_or(0, |share| share.gpu);
                let set = Type::new(26.0, if slot > 0 { Paint::Mute } else { Paint::Ink });
                let at = (x + pitch / 2.0, 68.0 + slot as f64 * 30.0);
                drawing.text(at, name.to_string(), set.bold().anchored(middle));
                let left = column[0] + slot as f64 * each;
                self.column(&mut drawing, *gpu, [left, column[1], each - gap, HIGH], full);
            }
            self.limit(&mut drawing, column, 0.0, 0.0, full);
        }
        let capacity = format::bytes(self.placing.capacity, self.base).to_string();
        let set = Type::new(24.0, Paint::Mute).anchored(Anchor::End);
        drawing
            .text((WIDTH - 16.0, 32.0), format!("- - {capacity}"), set)
            .shows("gpu.memory.bytes", self.placing.capacity.get());
        let mut y = legend::draw(
            &mut drawing,
            [16.0, top + HIGH + 34.0, WIDTH - 32.0],
            24.0,
            &self.entries(24.0, WIDTH - 32.0),
        );
        y += 36.0;
        if let Some(badge) = self.badge() {
            drawing.text((16.0, y), badge, Type::new(24.0, Paint::Mute).bold());
            y += 40.0;
        }
        let (size, text) = lines::fit(caption, true, WIDTH - 32.0, 3, &[28.0, 26.0, 24.0]);
        lines::draw(&mut drawing, (16.0, y), &text, 3, Type::new(size, self.caption_paint()).bold());
        y += 3.0 * 28.0 * lines::LEADING;
        // The first GPU, and the last where it has something else.
        let last = self.placing.shares.len().saturating_sub(1);
        let others = if self.placing.staged() || slots > 1 { vec![0, last] } else { vec![0] };
        for gpu in others {
            let told = self.told_share(gpu);
            let (size, text) = lines::fit(&told, false, WIDTH - 32.0, 2, &[24.0]);
            let start = drawing.marks.len();
            lines::draw(&mut drawing, (16.0, y), &text, 2, Type::new(size, Paint::Mute));
            crate::scene::parts::fade(&mut drawing.marks[start..], of(&self.progress.heads, gpu));
            y += 2.0 * 24.0 * lines::LEADING;
        }
        drawing.height = y.ceil();
        drawing
    }

    /// What falls to a GPU, in a line of words.
    fn told_share(&self, gpu: usize) -> String {
        let name = self.share(gpu).map_or(0, |share| share.gpu);
        let mut told = vec![format!("{} {name}", self.common.gpu)];
        told.extend(self.feet(gpu).into_iter().map(|(foot, _)| foot));
        let rows = self.rows(&[gpu]).into_iter();
        told.extend(rows.map(|row| format!("{} {}", row.name, spans(&row.ranges))));
        told.join(" · ")
    }
}

/// Something that falls to the GPUs of a place.
struct Row {
    name: &'static str,
    /// One range for each of them.
    ranges: Vec<Range<u64>>,
    happened: f64,
    paint: Paint,
    /// Whether each has all of it.
    whole: bool,
}

impl Row {
    /// Cells for what is dealt; a dotted bar for what is whole on each, a plain one for what is too many to tell apart.
    fn draw(&self, drawing: &mut Drawing, area: [f64; 4]) {
        /// Cells narrower than this are drawn as a bar.
        const LEAST: f64 = 2.4;
        let [x, y, width, height] = area;
        let count = self.ranges.iter().map(count).sum::<u64>() as usize;
        let rows = if height < 30.0 { 1.0 } else { (height / 7.0).floor() };
        if self.whole || width * rows / (count.max(1) as f64) < LEAST {
            let fill = if self.whole { Fill::Dotted(self.paint) } else { Fill::Solid(self.paint) };
            drawing.rect(area, 4.0, Fill::Solid(Paint::Sunk));
            drawing.rect([x, y, width * self.happened, height], 4.0, fill);
        } else {
            stage::cells(drawing, area, count, self.happened, self.paint);
        }
    }
}

/// Whether a block is one of attention, vocabulary or drafts.
fn is_dense(block: &Block) -> bool {
    matches!(block.line.part, Part::Attention | Part::Embedding | Part::Head | Part::Mtp)
}

/// Copies are dotted, whatever their colour.
fn line_fill(line: &Line) -> Fill {
    let paint = line.part.paint();
    if line.sharing == Sharing::Copied { Fill::Dotted(paint) } else { Fill::Solid(paint) }
}

/// What falls to the GPUs of a place: one GPU's range such as `0–15`, or the counts of several, `8 + 8`.
fn spans(ranges: &[Range<u64>]) -> String {
    match ranges {
        [only] if count(only) > 1 => format!("{}–{}", only.start, only.end - 1),
        [only] if count(only) == 1 => only.start.to_string(),
        [_] => format::ABSENT.to_owned(),
        _ => ranges.iter().map(|range| count(range).to_string()).collect::<Vec<_>>().join(" + "),
    }
}
