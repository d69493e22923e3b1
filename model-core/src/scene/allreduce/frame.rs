//! The picture of "allreduce" at a moment: the cards with their chunks, and what travels between them. The comparison
//! and the times, which take the cards' place in their steps, stand in `routes` and `time`.

use core::ops::Range;

use super::words::{Words, place as place_of};
use super::{Event, Parcel, Reducing, Replay, Step};
use crate::collective::Node;
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type, legend};
use crate::format::{self, ByteBase};
use crate::language::Language;
use crate::scenario::CommDtype;
use crate::scene::exercise::Exercise;
use crate::scene::parts::{fade, following};
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime, ease};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene};
use crate::units::Bytes;
use crate::words::{Words as Common, fill};

/// Baseline of the caption under the cards.
const CAPTION_Y: f64 = 860.0;
/// Middle line of the legend under it.
pub(super) const LEGEND_Y: f64 = 886.0;
/// Height of a narrow stage.
const NARROW_HEIGHT: f64 = 1160.0;
/// Baseline of its caption.
const NARROW_CAPTION_Y: f64 = 976.0;
/// Height of a chunk on its way, and how far from a card's middle neighbours send and receive.
const CHIP: (f64, f64) = (26.0, 52.0);
/// Middle lines of the lanes in the band: the upper row's, the lower row's, and the one between rows.
const LANES: [f64; 3] = [stage::BAND[1] + 6.0, stage::BAND[1] + stage::BAND[3] - 6.0, stage::BAND[1] + 32.0];
/// Rows and columns of the narrow stage's table: left, top, pitch across and down, gap.
const TABLE: [f64; 5] = [84.0, 56.0, 79.0, 88.0, 14.0];

/// How far a move has come when what it carries is named, every other parcel a little later.
const LATE: [f64; 2] = [0.1, 0.3];
/// Chunks that turn out wrong together.
const TOGETHER: f64 = 2.0;

/// How much of everything has happened.
pub(super) struct Progress {
    attended: Vec<f64>,
    parted: Vec<f64>,
    summed: Vec<f64>,
    moves: Vec<f64>,
    /// Moves of each algorithm in the comparison.
    pub(super) routes: Vec<Vec<f64>>,
    /// Curves of each algorithm.
    pub(super) curves: Vec<f64>,
    /// Marks and bars of each number format.
    pub(super) payloads: Vec<f64>,
    left: f64,
    wrong: f64,
}

impl Progress {
    fn at(scene: &Reducing, moment: Moment) -> Self {
        let ranks = scene.ranks();
        let moves = scene.replay().map_or(0, |replay| replay.moves.len());
        let mut progress = Self {
            attended: vec![0.0; ranks],
            parted: vec![0.0; ranks],
            summed: vec![0.0; ranks],
            moves: vec![0.0; moves],
            routes: scene.replays.iter().map(|replay| vec![0.0; replay.moves.len()]).collect(),
            curves: vec![0.0; scene.replays.len()],
            payloads: vec![0.0; CommDtype::ALL.len()],
            left: 0.0,
            wrong: 0.0,
        };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in scene.events(step) {
                let happened = timed.progress(t);
                let place = match timed.event {
                    Event::Attend { rank, .. } => progress.attended.get_mut(rank as usize),
                    Event::Part { rank } => progress.parted.get_mut(rank as usize),
                    Event::Term { rank } => progress.summed.get_mut(rank as usize),
                    Event::Move { index } => progress.moves.get_mut(index),
                    Event::Route { algorithm, index } => {
                        progress.routes.get_mut(place_of(algorithm)).and_then(|all| all.get_mut(index))
                    }
                    Event::Curve { algorithm } => progress.curves.get_mut(place_of(algorithm)),
                    Event::Payload { dtype } => {
                        let place = CommDtype::ALL.iter().position(|known| *known == dtype);
                        progress.payloads.get_mut(place.unwrap_or(0))
                    }
                    Event::Leave { .. } => Some(&mut progress.left),
                    Event::Wrong { .. } => Some(&mut progress.wrong),
                };
                if let Some(place) = place {
                    *place = happened;
                }
            }
        }
        progress
    }

    /// Moves that are over.
    fn done(&self) -> usize {
        self.moves.iter().take_while(|happened| **happened >= 1.0).count()
    }

    /// The move under way and how far it has come.
    fn current(&self) -> Option<(usize, f64)> {
        let done = self.done();
        self.moves.get(done).filter(|happened| **happened > 0.0).map(|happened| (done, *happened))
    }
}

/// Which of the three pictures a step shows.
#[derive(Clone, Copy)]
enum View {
    Cards,
    Routes,
    Time,
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Reducing,
    pub(super) progress: Progress,
    pub(super) words: &'a Words,
    pub(super) base: ByteBase,
    common: &'a Common,
    step: Step,
    /// From 0 to 1 while a step's picture takes the place of another.
    appears: f64,
}

impl Scene for Reducing {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        /// The part of a step in which its picture appears.
        const APPEARS: f64 = 0.12;
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Dropped);
        let changes = matches!(step, Step::Others | Step::Time | Step::Dropped) && self.ranks() > 1;
        let stage = Stage {
            scene: self,
            progress: Progress::at(self, moment),
            words: Words::of(language),
            base,
            common: Common::of(language),
            step,
            appears: if changes { ease((moment.t / APPEARS).clamp(0.0, 1.0)) } else { 1.0 },
        };
        let caption = stage.caption(language);
        let mut drawing = match layout {
            Layout::Wide => stage.wide(&caption),
            Layout::Narrow => stage.narrow(&caption),
        };
        stage.words.title.clone_into(&mut drawing.title);
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
    /// What the step shows, in a sentence with its numbers.
    fn caption(&self, language: Language) -> String {
        let (scene, words) = (self.scene, self.words);
        let count = |number: usize| format::count(number as f64);
        let moves_of = |index: usize| scene.replays.get(index).map_or(0, |replay| replay.moves.len());
        let sum = true_sum(&scene.sums, 0);
        let rank = scene.drop_rank.unwrap_or(0) as usize;
        let wrong = self.last_value(0, 0);
        let template = match (self.step, &scene.dropped) {
            _ if scene.ranks() <= 1 => words.caption_alone,
            (Step::Heads, _) => words.caption_heads,
            (Step::Parts, _) => words.caption_parts,
            (Step::Scatter, _) => Words::by(&words.caption_scatter, scene.algorithm),
            (Step::Gather, _) => Words::by(&words.caption_gather, scene.algorithm),
            (Step::Others, _) => words.caption_others,
            (Step::Time, _) => words.caption_time,
            (Step::Dropped, Some(_)) if wrong == sum => words.caption_lucky,
            (Step::Dropped, Some(_)) => words.caption_dropped,
            (Step::Dropped, None) if scene.drop_rank.is_some() => words.caption_outside,
            (Step::Dropped, None) => words.caption_nobody,
        };
        let half = scene.replay().map_or(0, Replay::half);
        let full = scene.ranks() as f64;
        let complete = scene
            .replay()
            .and_then(|replay| (0..scene.ranks()).find(|chunk| replay.parts_in(half, 0, *chunk) >= full));
        let [fp32, bf16] = [CommDtype::Fp32, CommDtype::Bf16].map(|dtype| {
            let message = scene.clock.message_in(dtype);
            (message, scene.clock.cost(scene.algorithm, message).total())
        });
        let saved = if fp32.1.get() > 0.0 { bf16.1.get() / fp32.1.get() - 1.0 } else { 0.0 };
        let spread = scene.heads.first().map_or(0, |heads| heads.end - heads.start);
        let values = [
            ("all", format::count(self.all_heads() as f64)),
            ("ranks", format::count(f64::from(scene.tp))),
            ("heads", format::count(spread as f64)),
            ("sum", format::count(sum)),
            ("half", count(half)),
            ("moves", count(moves_of(place_of(scene.algorithm)))),
            ("chunk", complete.map_or_else(|| format::ABSENT.to_owned(), chunk_name)),
            ("ring", count(moves_of(0))),
            ("tree", count(moves_of(1))),
            ("switch", count(moves_of(2))),
            ("algorithm", Words::by(&words.algorithms, scene.algorithm).to_owned()),
            ("payload", format::percent(CommDtype::Bf16.bytes() / CommDtype::Fp32.bytes() - 1.0)),
            ("fp32", format::bytes(fp32.0, self.base).to_string()),
            ("bf16", format::bytes(bf16.0, self.base).to_string()),
            ("fp32_time", format::seconds(fp32.1).to_string()),
            ("bf16_time", format::seconds(bf16.1).to_string()),
            ("saved", format::percent(saved)),
            ("rank", count(rank)),
            ("wrong", format::count(wrong)),
            ("n", count(scene.dropped.as_ref().map_or(0, |dropped| dropped.wrong))),
        ];
        let caption = fill(template, &values);
        // Beyond what is simulated the picture stands for more ranks than it has.
        if scene.tp as usize > scene.ranks() && self.step == Step::Heads {
            let simulated = fill(words.shown, &self.shown_values(scene.ranks()));
            let mark = if language == Language::Chinese { "；" } else { "; " };
            return format!("{caption}{mark}{simulated}");
        }
        caption
    }

    fn all_heads(&self) -> u64 {
        // The last rank's range ends with the last head only where all ranks are simulated.
        let each = self.scene.heads.first().map_or(0, |heads| heads.end - heads.start);
        match self.scene.heads.last() {
            Some(last) if self.scene.tp as usize == self.scene.ranks() => last.end,
            _ => each * u64::from(self.scene.tp),
        }
    }

    fn shown_values(&self, shown: usize) -> [(&'static str, String); 2] {
        [("shown", format::count(shown as f64)), ("all", format::count(f64::from(self.scene.tp)))]
    }

    /// What a rank ends with in the last step.
    fn last_value(&self, rank: usize, chunk: usize) -> f64 {
        let replay = self.scene.dropped.as_ref().map(|dropped| &dropped.replay).or(self.scene.replay());
        replay.map_or(0.0, |replay| replay.value(usize::MAX, rank, chunk))
    }

    /// The picture of the step.
    fn view(&self) -> View {
        match self.step {
            _ if self.scene.ranks() <= 1 => View::Cards,
            Step::Others => View::Routes,
            Step::Time => View::Time,
            _ => View::Cards,
        }
    }

    /// Draws the step's picture; a curtain lifts from it where it is new.
    fn views(&self, drawing: &mut Drawing, cards: impl Fn(&mut Drawing), layout: Layout) {
        match self.view() {
            View::Cards => cards(drawing),
            View::Routes => self.routes(drawing, layout),
            View::Time => self.time(drawing, layout),
        }
        if self.scene.ranks() > 1 {
            // The strip of layers stays.
            let left = if layout == Layout::Wide { stage::LEFT - 6.0 } else { 0.0 };
            let area = [left, 0.0, drawing.width - left, drawing.height];
            drawing.rect(area, 0.0, Fill::Solid(Paint::Card)).faded(1.0 - self.appears);
        }
    }

    fn caption_paint(&self) -> Paint {
        let wrong = self.step == Step::Dropped && self.progress.wrong > 0.5;
        if wrong { Paint::Comm } else { Paint::Ink }
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.scene.layers, None, self.common);
        self.views(&mut drawing, |drawing| self.cards(drawing), Layout::Wide);
        let room = stage::ACROSS;
        let sizes = [26.0, 24.0, 22.0, 20.0, 19.0, 18.0];
        let size = sizes.into_iter().find(|size| text_width(caption, *size, true) <= room).unwrap_or(18.0);
        let set = Type::new(size, self.caption_paint()).bold().anchored(Anchor::Middle);
        drawing.text((stage::LEFT + room / 2.0, CAPTION_Y), caption, set);
        drawing
    }

    fn cards(&self, drawing: &mut Drawing) {
        stage::band(drawing);
        for place in 0..PLACES {
            self.card(drawing, place as usize);
        }
        self.band_words(drawing);
        self.chips(drawing);
        let words = self.words;
        let mut entries: Vec<legend::Entry> = vec![
            (Fill::Solid(Paint::Compute), words.legend_heads.to_owned()),
            (Fill::Solid(Paint::Token), words.legend_bar.to_owned()),
        ];
        if self.scene.ranks() > 1 {
            entries.push((Fill::Solid(Paint::Comm), words.legend_chip.to_owned()));
        }
        if self.scene.dropped.is_some() {
            entries.push((Fill::Hatched(Paint::Comm), words.legend_missing.to_owned()));
            if self.scene.ranks() <= PLACES as usize {
                entries.push((Fill::Solid(Paint::Ink), words.legend_true.to_owned()));
            }
        }
        legend::draw(drawing, [stage::LEFT, LEGEND_Y, stage::ACROSS], 18.0, &entries);
        self.note_shown(drawing, (stage::LEFT + stage::ACROSS, LEGEND_Y + 6.5), 18.0);
    }

    /// Says where only some of the ranks are drawn.
    fn note_shown(&self, drawing: &mut Drawing, at: (f64, f64), size: f64) {
        if self.scene.tp > PLACES {
            let note = fill(self.words.shown, &self.shown_values(PLACES as usize));
            drawing.text(at, note, Type::new(size, Paint::Ink).anchored(Anchor::End));
        }
    }

    fn is_dropped(&self, rank: usize) -> bool {
        self.scene.dropped.as_ref().is_some_and(|dropped| dropped.rank as usize == rank)
    }

    fn card(&self, drawing: &mut Drawing, rank: usize) {
        let used = rank < self.scene.ranks();
        let heading = format!("{} {rank}", self.common.gpu);
        let [x, y, width, height] = stage::card(drawing, rank as u32, &heading, used);
        let middle = x + width / 2.0;
        if !used {
            let set = Type::new(22.0, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((middle, y + height / 2.0 + 8.0), self.words.idle, set);
            return;
        }
        if self.is_dropped(rank) {
            let fill = Fill::Empty;
            let outline = drawing.rect([x + 1.0, y + 1.0, width - 2.0, height - 2.0], 13.0, fill);
            outline.stroked(Paint::Comm, 4.0).dashed().faded(self.progress.left);
        }
        let heads = self.scene.heads.get(rank).cloned().unwrap_or(0..0);
        let corner = (x + width - 20.0, y + 38.0);
        let range = format!("{} {}", self.words.query_heads, span(&heads));
        let set = Type::new(20.0, Paint::Mute).anchored(Anchor::End);
        drawing.text(corner, range, set).faded(goes(self.progress.wrong));
        if let Some(dropped) = &self.scene.dropped {
            let sum = true_sum(&self.scene.sums, 0);
            let got = dropped.replay.value(usize::MAX, rank, 0);
            let verdict = if got == sum {
                fill(self.words.chunks_wrong, &[("n", format::count(dropped.wrong as f64))])
            } else {
                format!("{} = {} ≠ {}", chunk_name(0), format::count(got), format::count(sum))
            };
            let set = Type::new(23.0, Paint::Comm).bold().anchored(Anchor::End);
            drawing.text(corner, verdict, set).faded(comes(self.progress.wrong));
        }
        let attended = self.progress.attended.get(rank).copied().unwrap_or(0.0);
        let count = (heads.end - heads.start) as usize;
        stage::cells(drawing, [x + 20.0, y + 54.0, width - 40.0, 22.0], count, attended, Paint::Compute);
        let parted = self.progress.parted.get(rank).copied().unwrap_or(0.0);
        let at = (x + 20.0, y + 103.0);
        drawing.text(at, self.state_words(rank), Type::new(19.0, Paint::Mute)).faded(comes(parted));
        self.inputs(drawing, rank, [x + 20.0, y + 103.0, width - 40.0], attended * goes(parted));
        let cells = chunk_cells([x + 20.0, y + 116.0, width - 40.0, 224.0], self.scene.ranks());
        let high = cells.first().is_some_and(|cell| cell[3] > 80.0);
        self.chunks(drawing, rank, &cells, if high { [20.0, 34.0] } else { [18.0, 23.0] }, comes(parted));
    }

    /// What a rank's parts are made of: its copy of the cache, and its slice of the output projection.
    fn inputs(&self, drawing: &mut Drawing, rank: usize, [x, y, width]: [f64; 3], opacity: f64) {
        const PITCH: f64 = 97.0;
        const HEIGHT: f64 = 52.0;
        let words = self.words;
        let slice = fill(words.slice, &[("n", format::count(rank as f64))]);
        for (row, label) in [words.reads.to_owned(), slice, words.gives.to_owned()].into_iter().enumerate() {
            let top = y + row as f64 * PITCH;
            drawing.text((x, top), label, Type::new(19.0, Paint::Mute)).faded(opacity);
        }
        let row = |index: f64| [x, y + index * PITCH + 12.0, width, HEIGHT];
        drawing.rect(row(0.0), 8.0, Fill::Dotted(Paint::Cache)).faded(opacity);
        let whole = row(1.0);
        drawing.rect(whole, 8.0, Fill::Solid(Paint::Sunk)).faded(opacity);
        let each = width / f64::from(self.scene.tp.max(1));
        let own = [x + each * rank as f64, whole[1], each, HEIGHT];
        drawing.rect(own, 4.0, Fill::Solid(Paint::Weight)).faded(opacity);
        let [left, top, ..] = row(2.0);
        let vector = drawing.rect([left, top, width, 30.0], 8.0, Fill::Empty);
        vector.stroked(Paint::Token, 2.5).dashed().faded(opacity);
    }

    /// What a card's chunks are at this moment.
    fn state_words(&self, rank: usize) -> &'static str {
        let (words, progress) = (self.words, &self.progress);
        let wrong = self.scene.dropped.is_some() && self.step == Step::Dropped;
        if wrong && self.is_dropped(rank) && progress.left > 0.0 {
            words.left_out
        } else if wrong && progress.wrong > 0.5 {
            words.wrong_sums
        } else if progress.moves.first().is_none_or(|first| *first <= 0.0) {
            if self.scene.ranks() > 1 { words.parts } else { words.sums }
        } else if progress.done() < progress.moves.len() {
            words.adding
        } else {
            words.sums
        }
    }

    /// How wrong a chunk's sum has turned out; one chunk after the other does.
    fn wrong(&self, rank: usize, chunk: usize) -> f64 {
        let ranks = self.scene.ranks();
        let count = ranks * ranks.min(PLACES as usize);
        following(self.progress.wrong, rank * ranks + chunk, count, TOGETHER)
    }

    /// What a chunk on a rank has come to.
    fn held(&self, rank: usize, chunk: usize) -> Chunk {
        let Some(replay) = self.scene.replay() else { return Chunk::default() };
        let (done, current) = (self.progress.done(), self.progress.current());
        let (mut value, mut parts) = (replay.value(done, rank, chunk), replay.parts_in(done, rank, chunk));
        let mut under_way = false;
        if let Some((index, happened)) = current {
            let next = replay.parts_in(index + 1, rank, chunk);
            // They are added as they arrive.
            parts += (next - parts) * comes(happened);
            let parcels = replay.moves.get(index).into_iter().flatten();
            under_way = parcels.into_iter().any(|parcel| {
                let own = |node: Node| matches!(node, Node::Gpu(gpu) if gpu as usize == rank);
                (own(parcel.from) || own(parcel.to)) && parcel.chunks.contains(&(chunk as u32))
            });
        }
        let mut wrong = 0.0;
        if let Some(dropped) = self.scene.dropped.as_ref().filter(|_| self.progress.wrong > 0.0) {
            let turned = self.wrong(rank, chunk);
            let without = dropped.replay.value(usize::MAX, rank, chunk);
            let lacking = dropped.replay.parts_in(usize::MAX, rank, chunk);
            parts += (lacking - parts) * turned;
            wrong = if without == value { 0.0 } else { turned };
            value = if turned > 0.5 { without } else { value };
        }
        Chunk { value, parts, under_way, wrong }
    }

    /// A rank's chunks, each with its name, its value, and how many ranks' parts are in it; they appear in turn.
    fn chunks(
        &self,
        drawing: &mut Drawing,
        rank: usize,
        cells: &[[f64; 4]],
        [small, large]: [f64; 2],
        appeared: f64,
    ) {
        let ranks = self.scene.ranks().max(1) as f64;
        let shown = |chunk: usize| following(appeared, chunk, cells.len(), 1.0);
        let held: Vec<Chunk> = (0..cells.len()).map(|chunk| self.held(rank, chunk)).collect();
        for ((chunk, held), [x, y, width, height]) in held.iter().enumerate().zip(cells.iter().copied()) {
            let (paint, edge) = match () {
                () if held.under_way || held.wrong > 0.5 => (Paint::Comm, 3.0),
                () if held.parts >= ranks && ranks > 1.0 => (Paint::Token, 3.0),
                () if chunk == 0 => (Paint::Ink, 2.5),
                () => (Paint::Line, 2.0),
            };
            let card = drawing.rect([x, y, width, height], 8.0, Fill::Solid(Paint::Card));
            card.stroked(paint, edge).faded(shown(chunk));
        }
        // Low cells have room for the bar beside the name only.
        let low = small > 0.0 && cells.first().is_some_and(|cell| cell[3] < 80.0);
        let bar = |[x, y, width, height]: [f64; 4]| match (low, small > 0.0) {
            (true, _) => [x + 44.0, y + 8.0, width - 52.0, 8.0],
            (false, true) => [x + 8.0, y + height - 17.0, width - 16.0, 10.0],
            (false, false) => [x + 8.0, y + height - 13.0, width - 16.0, 6.0],
        };
        // One mark for the grounds of all bars, and one for what is missing in them.
        let there = (0..cells.len()).filter(|chunk| shown(*chunk) >= 0.5).count();
        drawing.push(bars(cells, bar, there), Fill::Solid(Paint::Sunk));
        if self.scene.dropped.is_some() {
            let begun = |chunk: &usize| self.progress.wrong > 0.0 && self.wrong(rank, *chunk) > 0.0;
            let missing = (0..cells.len()).filter(begun).count();
            drawing.push(bars(cells, bar, missing), Fill::Hatched(Paint::Comm));
        }
        for ((chunk, held), cell) in held.iter().enumerate().zip(cells.iter().copied()) {
            let ([x, y, width, height], opacity) = (cell, shown(chunk));
            let [left, top, long, thick] = bar(cell);
            let filled = [left, top, long * (held.parts / ranks).clamp(0.0, 1.0), thick];
            drawing.rect(filled, 2.0, Fill::Solid(Paint::Token)).faded(opacity);
            let baseline = y + small * 0.88 + 2.0;
            if small > 0.0 {
                let set = Type::new(small, Paint::Mute);
                drawing.text((x + 8.0, baseline), chunk_name(chunk), set).faded(opacity);
            }
            if self.scene.dropped.is_some() && small > 0.0 && !low {
                let right = true_sum(&self.scene.sums, chunk);
                let set = Type::new(18.0, Paint::Ink).anchored(Anchor::End);
                let at = (x + width - 8.0, baseline);
                drawing.text(at, format::count(right), set).faded(opacity * comes(held.wrong));
            }
            // Between the name and what lies below.
            let over = y + small * 1.12 + 2.0;
            let under = if low { y + height } else { top };
            let baseline = (over + under) / 2.0 + large * 0.36;
            let paint = if held.wrong > 0.5 { Paint::Comm } else { Paint::Ink };
            let set = Type::new(large, paint).bold().anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, baseline), format::count(held.value), set).faded(opacity);
        }
    }

    /// What stands in the band: its name, how far the moves are, and the sum worked by hand while nothing travels.
    fn band_words(&self, drawing: &mut Drawing) {
        let [x, y, width, height] = stage::BAND;
        let baseline = if self.moving() > 0.0 { 27.0 } else { 39.0 };
        drawing.text((x + 16.0, y + baseline), "NVSwitch", Type::new(20.0, Paint::Mute));
        self.moves_done(drawing, (x + 16.0, y + 52.0), 20.0);
        self.sent(drawing, [(x + width - 14.0, y + 27.0), (x + width - 14.0, y + 52.0)], [18.0, 20.0]);
        let sizes = [30.0, 28.0, 26.0, 24.0, 22.0, 20.0];
        self.worked_sum(drawing, (x + width / 2.0, y + height / 2.0), width - 280.0, &sizes);
    }

    /// From 0 to 1 as soon as the first move is made, in the steps that show moves.
    fn moving(&self) -> f64 {
        let shows = matches!(self.step, Step::Scatter | Step::Gather);
        if shows && self.scene.ranks() > 1 { 1.0 } else { 0.0 }
    }

    fn moves_done(&self, drawing: &mut Drawing, at: (f64, f64), size: f64) {
        let progress = &self.progress;
        let values = [
            ("done", format::count(self.told() as f64)),
            ("all", format::count(progress.moves.len() as f64)),
        ];
        let text = fill(self.words.moves_done, &values);
        drawing.text(at, text, Type::new(size, Paint::Ink).bold()).faded(self.moving());
    }

    /// What the busiest GPU has sent: the label and the bytes.
    fn sent(&self, drawing: &mut Drawing, [label, bytes]: [(f64, f64); 2], [small, large]: [f64; 2]) {
        let Some(replay) = self.scene.replay() else { return };
        let chunks = f64::from(replay.busiest_sent(self.told()));
        let sent = self.scene.clock.message * (chunks / self.scene.ranks().max(1) as f64);
        let text = format::bytes(sent, self.base).to_string();
        // A picture of fewer ranks than the plan has cannot tell the bytes.
        let shown = if self.scene.tp as usize == self.scene.ranks() { self.moving() } else { 0.0 };
        let end = Anchor::End;
        let set = Type::new(small, Paint::Mute).anchored(end);
        drawing.text(label, self.words.sent_so_far, set).faded(shown);
        let mark = drawing.text(bytes, text, Type::new(large, Paint::Ink).bold().anchored(end)).faded(shown);
        if self.scene.sent.is_some_and(|figure| near(figure, sent.get())) {
            mark.shows("allreduce.sent.bytes_per_gpu", sent.get());
        }
    }

    /// One coordinate's parts, term by term, around a point; in the last step without the missing one.
    fn worked_sum(&self, drawing: &mut Drawing, (x, y): (f64, f64), room: f64, sizes: &[f64]) {
        let scene = self.scene;
        let first = scene.parts.iter().map(|own| own.first().copied().unwrap_or(0.0));
        let mut terms: Vec<String> = first.take(PLACES as usize).enumerate().map(term).collect();
        if scene.ranks() > terms.len() {
            terms.push(" + …".to_owned());
        }
        let sum = true_sum(&scene.sums, 0);
        let got = self.last_value(0, 0);
        let wrong = scene.dropped.is_some() && self.progress.wrong > 0.5;
        let mut result = format!(" = {}", format::count(if wrong { got } else { sum }));
        let verdict = format!(" ≠ {}", format::count(sum));
        if wrong && got != sum {
            result.push_str(&verdict);
        }
        let lead = format!("{}: ", chunk_name(0));
        let pieces = || core::iter::once(&lead).chain(&terms);
        // Room for the longest ending, so that nothing moves when it changes.
        let longest = format!(" = {}{verdict}", format::count(got));
        let all = |size: f64| -> f64 {
            pieces().chain([&longest]).map(|piece| text_width(piece, size, true)).sum()
        };
        let last = sizes.last().copied().unwrap_or(18.0);
        let size = sizes.iter().copied().find(|size| all(*size) <= room).unwrap_or(last);
        let baseline = y + size * 0.36;
        let shows = match self.step {
            _ if scene.ranks() <= 1 => 0.0,
            Step::Heads | Step::Scatter => 0.0,
            Step::Gather if self.progress.done() < self.progress.moves.len() => 0.0,
            _ => 1.0,
        };
        let mut left = x - all(size) / 2.0;
        for (index, piece) in pieces().enumerate() {
            let term = index.checked_sub(1);
            let rank = term.unwrap_or(0).min(self.progress.summed.len().saturating_sub(1));
            let happened = self.progress.summed.get(rank).copied().unwrap_or(0.0);
            let wide = text_width(piece, size, true);
            let out = term.is_some_and(|rank| self.is_dropped(rank));
            let paint = if out && self.progress.left > 0.5 { Paint::Comm } else { Paint::Ink };
            // A file's leading space would not be drawn.
            let start = left + wide - text_width(piece.trim_start(), size, true);
            let set = Type::new(size, paint).bold();
            drawing.text((start, baseline), piece.trim_start(), set).faded(happened * shows);
            if out {
                let sign = if term == Some(0) { 0.0 } else { text_width(" + ", size, true) };
                let through = baseline - size * 0.32;
                let from = (left + sign - 3.0, through);
                drawing
                    .line(from, (left + wide + 3.0, through), Paint::Comm, 4.0)
                    .faded(self.progress.left * shows);
            }
            left += wide;
        }
        let happened = self.progress.summed.last().copied().unwrap_or(0.0);
        let paint = if wrong && got != sum { Paint::Comm } else { Paint::Ink };
        let start = left + text_width(" ", size, true);
        let mark = drawing.text((start, baseline), result.trim_start(), Type::new(size, paint).bold());
        mark.faded(happened * shows);
        if !wrong && scene.worked.is_some_and(|figure| figure == sum) {
            mark.shows("allreduce.worked_sum", sum);
        }
    }

    /// The parcels of a move that begin or end at a card.
    fn parcels(&self, index: usize) -> Vec<&Parcel> {
        let all = self.scene.replay().and_then(|replay| replay.moves.get(index)).into_iter().flatten();
        all.filter(|parcel| is_card(parcel.from) || is_card(parcel.to)).collect()
    }

    /// Most parcels that are ever under way together.
    fn pool(&self) -> usize {
        (0..self.progress.moves.len()).map(|index| self.parcels(index).len()).max().unwrap_or(0)
    }

    /// How much of its own way each parcel of the current move has gone; what the switch sends waits for what it gets.
    fn ways(&self) -> Vec<(&Parcel, f64)> {
        /// By how much of a move parcels on the middle lane follow each other.
        const APART: f64 = 0.16;
        let Some((index, happened)) = self.progress.current() else { return Vec::new() };
        let parcels = self.parcels(index);
        let between = parcels.iter().filter(|parcel| lane(parcel) == Lane::Middle).count();
        let mut before = 0;
        let way = |parcel: &Parcel| {
            let (from, to) = match lane(parcel) {
                Lane::Up => (0.0, 0.5),
                Lane::Down => (0.5, 1.0),
                Lane::Row(_) => (0.0, 1.0),
                Lane::Middle => {
                    before += 1;
                    (APART * f64::from(before - 1), 1.0 - APART * (between as f64 - f64::from(before)))
                }
            };
            ((happened - from) / (to - from).max(0.1)).clamp(0.0, 1.0)
        };
        let ways: Vec<f64> = parcels.iter().copied().map(way).collect();
        parcels.into_iter().zip(ways).collect()
    }

    /// The moves of the step.
    fn own_moves(&self) -> Range<usize> {
        let half = self.scene.replay().map_or(0, Replay::half);
        match self.step {
            Step::Scatter => 0..half,
            Step::Gather => half..self.progress.moves.len(),
            _ => 0..0,
        }
    }

    /// The move that is or will be under way, and how far it has come.
    fn next_move(&self) -> (usize, f64) {
        self.progress.current().unwrap_or((self.progress.done(), 0.0))
    }

    /// Moves as their number is told: a little after the last one is over, so that not everything is told at once.
    fn told(&self) -> usize {
        let (own, (next, happened)) = (self.own_moves(), self.next_move());
        let early = next > own.start && next < own.end && happened < LATE[0];
        next - usize::from(early)
    }

    /// The move whose parcels are named in a slot, and whether they are there: the move under way a little after it
    /// began, until then the one before.
    fn named(&self, slot: usize) -> (usize, bool) {
        let (own, (next, happened)) = (self.own_moves(), self.next_move());
        if happened >= LATE[slot % 2] {
            (next, true)
        } else {
            (next.saturating_sub(1), next > own.start && next < own.end)
        }
    }

    /// Chunks on their way through the band: a dot moves, and what it carries stands on the way.
    fn chips(&self, drawing: &mut Drawing) {
        let (ways, pool) = (self.ways(), self.pool());
        for slot in 0..pool {
            let (at, opacity) = match ways.get(slot) {
                Some((parcel, way)) => {
                    let fades = (way / 0.1).min((1.0 - way) / 0.1).clamp(0.0, 1.0);
                    (along(&wide_path(parcel), *way), fades)
                }
                None => ((40.0, 40.0), 0.0),
            };
            let dot = Shape::Circle { x: at.0, y: at.1, r: 8.0 };
            drawing.push(dot, Fill::Solid(Paint::Comm)).faded(opacity);
        }
        for slot in 0..pool {
            let (index, there) = self.named(slot);
            let parcels = self.parcels(index);
            let plate = parcels.get(slot).map(|parcel| {
                let middle = |parcel: &&Parcel| lane(parcel) == Lane::Middle;
                let between = parcels.iter().copied().filter(middle).count();
                let before = parcels.iter().copied().take(slot).filter(middle).count();
                let part = (before as f64 + 1.0) / (between as f64 + 1.0);
                let (next, happened) = self.next_move();
                // To the switch and from it: the same place, one after the other.
                let turn = match lane(parcel) {
                    Lane::Up => index == next && happened < 0.5,
                    Lane::Down => index == next && happened >= 0.5,
                    Lane::Row(_) | Lane::Middle => is_shown(parcel.to),
                };
                (plate_at(parcel, part), self.chip_text(parcel, index), turn)
            });
            let ((x, y), text, shown) = plate.unwrap_or(((40.0, 40.0), String::new(), false));
            let opacity = if there && shown { 1.0 } else { 0.0 };
            let width = text_width(&text, 20.0, true) + 14.0;
            let area = [x - width / 2.0, y - CHIP.0 / 2.0, width, CHIP.0];
            drawing.rect(area, 6.0, Fill::Solid(Paint::Comm)).faded(opacity);
            let set = Type::new(20.0, Paint::OnColour).bold().anchored(Anchor::Middle);
            drawing.text((x, y + 7.0), text, set).faded(opacity);
        }
    }

    /// A parcel's name in a move, and its value where it is one chunk.
    fn chip_text(&self, parcel: &Parcel, index: usize) -> String {
        let Some(replay) = self.scene.replay() else { return String::new() };
        let Range { start, end } = parcel.chunks;
        if end - start > 1 {
            return format!("{}–{}", chunk_name(start as usize), chunk_name(end as usize - 1));
        }
        let value = match (parcel.from, parcel.to) {
            (Node::Gpu(rank), _) => replay.value(index, rank as usize, start as usize),
            (Node::Switch, Node::Gpu(rank)) => replay.value(index + 1, rank as usize, start as usize),
            (Node::Switch, Node::Switch) => 0.0,
        };
        format!("{} = {}", chunk_name(start as usize), format::count(value))
    }

    /// For a phone: a table of ranks and chunks in place of the cards; what is sent moves as a dot.
    fn narrow(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::NARROW_WIDTH, NARROW_HEIGHT);
        self.views(&mut drawing, |drawing| self.table(drawing), Layout::Narrow);
        self.narrow_caption(&mut drawing, caption);
        drawing
    }

    /// The caption in the largest size that fits, always as many lines, those it does not need empty.
    fn narrow_caption(&self, drawing: &mut Drawing, caption: &str) {
        const LINES: usize = 5;
        const LEADING: f64 = 1.42;
        let room = NARROW_HEIGHT - NARROW_CAPTION_Y + 16.0;
        let lines = |size: f64| wrap(caption, size, true, stage::NARROW_WIDTH - 32.0);
        let fits = |size: &f64| lines(*size).len() as f64 * size * LEADING <= room;
        let size = [28.0, 26.0, 24.0].into_iter().find(fits).unwrap_or(24.0);
        let set = Type::new(size, self.caption_paint()).bold();
        let mut lines = lines(size).into_iter();
        for index in 0..LINES {
            let y = NARROW_CAPTION_Y + index as f64 * size * LEADING;
            drawing.text((16.0, y), lines.next().unwrap_or_default(), set);
        }
    }

    fn table(&self, drawing: &mut Drawing) {
        let [left, top, _, down, gap] = TABLE;
        let shown = self.scene.ranks().min(PLACES as usize);
        let mute = Type::new(24.0, Paint::Mute);
        drawing.text((16.0, 40.0), self.common.gpu, mute);
        let started = self.progress.parted.first().copied().unwrap_or(0.0);
        for chunk in 0..shown {
            let [x, _, width, _] = table_cell(shown, 0, chunk);
            let set = mute.anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, 40.0), chunk_name(chunk), set).faded(comes(started));
        }
        for rank in 0..PLACES as usize {
            let y = top + rank as f64 * down;
            let row = [left, y, stage::NARROW_WIDTH - 18.0 - left, down - gap];
            let used = rank < self.scene.ranks();
            let paint = if used { Paint::Ink } else { Paint::Mute };
            let set = Type::new(28.0, paint).bold().anchored(Anchor::Middle);
            drawing.text((38.0, y + row[3] / 2.0 + 10.0), rank.to_string(), set);
            if !used {
                drawing.rect(row, 8.0, Fill::Empty).stroked(Paint::Line, 2.0).dashed();
                let set = mute.anchored(Anchor::Middle);
                drawing.text((left + row[2] / 2.0, y + row[3] / 2.0 + 9.0), self.words.idle, set);
                continue;
            }
            let parted = self.progress.parted.get(rank).copied().unwrap_or(0.0);
            let attended = self.progress.attended.get(rank).copied().unwrap_or(0.0);
            let heads = self.scene.heads.get(rank).cloned().unwrap_or(0..0);
            let range = format!("{} {}", self.words.query_heads, span(&heads));
            drawing.text((left, y + 24.0), range, mute).faded(goes(parted));
            let count = (heads.end - heads.start) as usize;
            let cells = [left, y + 38.0, row[2], 32.0];
            let first = drawing.marks.len();
            stage::cells(drawing, cells, count, attended, Paint::Compute);
            if let Some(cells) = drawing.marks.get_mut(first..) {
                fade(cells, goes(parted));
            }
            let cells: Vec<_> = (0..shown).map(|chunk| table_cell(shown, rank, chunk)).collect();
            self.chunks(drawing, rank, &cells, [0.0, 28.0], comes(parted));
            if self.is_dropped(rank) {
                let around = [6.0, y - 5.0, stage::NARROW_WIDTH - 14.0, row[3] + 10.0];
                let outline = drawing.rect(around, 10.0, Fill::Empty).stroked(Paint::Comm, 3.0);
                outline.dashed().faded(self.progress.left);
            }
        }
        let ways = self.ways();
        for slot in 0..self.pool() {
            let (at, opacity) = match ways.get(slot) {
                Some((parcel, way)) => {
                    let hidden = parcel.chunks.start as usize >= shown;
                    let fades = (way / 0.1).min((1.0 - way) / 0.1).clamp(0.0, 1.0);
                    (along(&narrow_path(parcel, shown), *way), if hidden { 0.0 } else { fades })
                }
                None => ((40.0, 40.0), 0.0),
            };
            let dot = Shape::Circle { x: at.0, y: at.1, r: 8.0 };
            drawing.push(dot, Fill::Solid(Paint::Comm)).faded(opacity);
        }
        let foot = top + f64::from(PLACES) * down;
        self.worked_sum(
            drawing,
            (stage::NARROW_WIDTH / 2.0, foot + 22.0),
            stage::NARROW_WIDTH - 24.0,
            &[30.0, 28.0, 26.0, 24.0],
        );
        self.moves_done(drawing, (16.0, foot + 80.0), 26.0);
        let right = stage::NARROW_WIDTH - 16.0;
        let number = format::bytes(self.scene.clock.message, self.base).to_string();
        let label = right - text_width(&number, 26.0, true).max(150.0) - 12.0;
        self.sent(drawing, [(label, foot + 80.0), (right, foot + 80.0)], [24.0, 26.0]);
        self.note_shown(drawing, (right, foot + 124.0), 24.0);
    }
}

/// A chunk on a rank.
#[derive(Clone, Copy, Default)]
struct Chunk {
    value: f64,
    /// How many ranks' parts are in it.
    parts: f64,
    /// Whether it is sent or awaited.
    under_way: bool,
    /// How wrong it has turned out.
    wrong: f64,
}

/// Whether a node has a card.
fn is_card(node: Node) -> bool {
    matches!(node, Node::Gpu(gpu) if gpu < PLACES)
}

/// Whether a node stands on the stage.
fn is_shown(node: Node) -> bool {
    is_card(node) || node == Node::Switch
}

/// The first `count` of the bars that stand in equal cells.
fn bars(cells: &[[f64; 4]], bar: impl Fn([f64; 4]) -> [f64; 4], count: usize) -> Shape {
    let first = cells.first().copied().unwrap_or_default();
    let columns = cells.iter().take_while(|cell| cell[1] == first[1]).count().max(1);
    let right = cells.get(1).map_or(0.0, |next| (next[0] - first[0]).max(0.0));
    let down = cells.get(columns).map_or(0.0, |below| below[1] - first[1]);
    let [x, y, width, height] = bar(first);
    Shape::Cells { x, y, columns, count, pitch: (right, down), size: (width, height) }
}

/// Where a parcel travels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// Within the upper or the lower row.
    Row(usize),
    /// Between the rows, or from one end of the ring to the other.
    Middle,
    /// To the switch.
    Up,
    /// From it.
    Down,
}

fn lane(parcel: &Parcel) -> Lane {
    match (parcel.from, parcel.to) {
        (Node::Gpu(from), Node::Gpu(to)) => {
            let (row, other) = (from / 4, to / 4);
            let whole = parcel.chunks.end - parcel.chunks.start > 1;
            let onward = to == from + 1;
            if row == other && from < PLACES && to < PLACES && (whole || onward) {
                Lane::Row(row as usize)
            } else {
                Lane::Middle
            }
        }
        (_, Node::Switch) => Lane::Up,
        (Node::Switch, _) => Lane::Down,
    }
}

/// A parcel's corners on a wide stage; ranks without a card lie past the band's right end.
fn wide_path(parcel: &Parcel) -> Vec<(f64, f64)> {
    let edge = |rank: u32| {
        let [_, y, _, height] = stage::card_box(rank);
        if y < stage::BAND[1] { y + height } else { y }
    };
    let middle = |rank: u32| stage::port(rank).0;
    let beyond = (stage::port(3).0 + 20.0, LANES[2]);
    let end = |node: Node, shift: f64, lane_y: f64| match node {
        Node::Gpu(rank) if rank < PLACES => {
            let x = middle(rank) + shift;
            [(x, edge(rank)), (x, lane_y)]
        }
        _ => [beyond, beyond],
    };
    match (lane(parcel), parcel.from, parcel.to) {
        (Lane::Row(row), from, to) => {
            let y = LANES.get(row).copied().unwrap_or(LANES[2]);
            let onward = matches!((from, to), (Node::Gpu(a), Node::Gpu(b)) if b > a);
            let shift = if onward { CHIP.1 } else { -CHIP.1 };
            let ([a, b], [d, c]) = (end(from, shift, y), end(to, -shift, y));
            vec![a, b, c, d]
        }
        (Lane::Middle, from, to) => {
            let ([a, b], [d, c]) = (end(from, 0.0, LANES[2]), end(to, 0.0, LANES[2]));
            vec![a, b, c, d]
        }
        (Lane::Up, Node::Gpu(rank), _) | (Lane::Down, _, Node::Gpu(rank)) => {
            let y = LANES.get((rank / 4) as usize).copied().unwrap_or(LANES[2]);
            let [a, b] = end(Node::Gpu(rank), 0.0, y);
            if lane(parcel) == Lane::Up { vec![a, b] } else { vec![b, a] }
        }
        _ => vec![beyond],
    }
}

/// Where what a parcel carries is named: in its lane; between the rows at that part of its way.
fn plate_at(parcel: &Parcel, part: f64) -> (f64, f64) {
    let path = wide_path(parcel);
    match lane(parcel) {
        Lane::Row(_) => along(&path, 0.5),
        Lane::Up => path.last().copied().unwrap_or_default(),
        Lane::Down => path.first().copied().unwrap_or_default(),
        Lane::Middle => match path.as_slice() {
            [_, b, c, _] => (b.0 + (c.0 - b.0) * part, b.1),
            _ => along(&path, 0.5),
        },
    }
}

/// A parcel's corners on a narrow stage: beside its column, or left of all where it holds every chunk.
fn narrow_path(parcel: &Parcel, shown: usize) -> Vec<(f64, f64)> {
    let [_, top, _, down, gap] = TABLE;
    let whole = parcel.chunks.end - parcel.chunks.start > 1;
    let chunk = if whole { 0 } else { (parcel.chunks.start as usize).min(shown.saturating_sub(1)) };
    let x = table_cell(shown, 0, chunk)[0] - gap / 2.0;
    let y = |node: Node| match node {
        Node::Gpu(rank) => top + f64::from(rank.min(PLACES)) * down + (down - gap) / 2.0,
        Node::Switch => top + f64::from(PLACES) * down,
    };
    vec![(x, y(parcel.from)), (x, y(parcel.to))]
}

/// A point some part of the way along corners.
fn along(corners: &[(f64, f64)], part: f64) -> (f64, f64) {
    let legs = corners.windows(2).map(|leg| match leg {
        [a, b] => ((b.0 - a.0).abs() + (b.1 - a.1).abs(), *a, *b),
        _ => (0.0, (0.0, 0.0), (0.0, 0.0)),
    });
    let legs: Vec<_> = legs.collect();
    let mut left = legs.iter().map(|leg| leg.0).sum::<f64>() * part.clamp(0.0, 1.0);
    for (long, a, b) in legs {
        if left <= long && long > 0.0 {
            let t = left / long;
            return (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        }
        left -= long;
    }
    corners.last().copied().unwrap_or((0.0, 0.0))
}

/// Equal cells for a card's chunks, at most four in a row.
fn chunk_cells([x, y, width, height]: [f64; 4], count: usize) -> Vec<[f64; 4]> {
    const GAP: f64 = 8.0;
    const TALLEST: f64 = 108.0;
    let columns = count.clamp(1, 4);
    let rows = count.div_ceil(columns).max(1);
    let wide = (width - GAP * (columns - 1) as f64) / columns as f64;
    let high = ((height - GAP * (rows - 1) as f64) / rows as f64).min(TALLEST);
    let cell = |index: usize| {
        let (row, column) = ((index / columns) as f64, (index % columns) as f64);
        [x + column * (wide + GAP), y + row * (high + GAP), wide, high]
    };
    (0..count).map(cell).collect()
}

/// A chunk's place in the narrow stage's table.
fn table_cell(columns: usize, rank: usize, chunk: usize) -> [f64; 4] {
    let [left, top, across, down, gap] = TABLE;
    let pitch = across * PLACES as f64 / columns.max(1) as f64;
    [left + chunk as f64 * pitch, top + rank as f64 * down, pitch - gap, down - gap]
}

/// A term of the worked sum: a negative one in brackets.
fn term((index, value): (usize, f64)) -> String {
    let number = format::count(value);
    let number = if value < 0.0 && index > 0 { format!("({number})") } else { number };
    if index == 0 { number } else { format!(" + {number}") }
}

/// The true sum of a chunk.
fn true_sum(sums: &[f64], chunk: usize) -> f64 {
    sums.get(chunk).copied().unwrap_or(0.0)
}

/// The name of a chunk.
pub(super) fn chunk_name(chunk: usize) -> String {
    format!("c{chunk}")
}

/// Numbers of a range, such as `0–15`.
fn span(range: &Range<u64>) -> String {
    match range.end.saturating_sub(range.start) {
        0 => format::ABSENT.to_owned(),
        1 => range.start.to_string(),
        _ => format!("{}–{}", range.start, range.end - 1),
    }
}

/// Whether two amounts are the same but for rounding.
pub(super) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// How visible the first of two things is that give way to each other.
fn goes(happened: f64) -> f64 {
    (1.0 - 2.0 * happened).clamp(0.0, 1.0)
}

/// How visible the second is.
fn comes(happened: f64) -> f64 {
    (2.0 * happened - 1.0).clamp(0.0, 1.0)
}

/// Bytes of a message as text.
pub(super) fn size(bytes: Bytes, base: ByteBase) -> String {
    format::bytes(bytes, base).to_string()
}
