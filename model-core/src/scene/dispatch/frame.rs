//! The picture of "dispatch" at a moment: what each GPU owns, sends, receives and computes; then the same columns as a
//! matrix, and bytes.

use super::words::Words;
use super::{Dispatch, Event, Flow, Step};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type, legend};
use crate::format::{self, ByteBase};
use crate::scene::exercise::Exercise;
use crate::scene::parts::{Curtain, between, fade, following, of, squares, strength};
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, lines};
use crate::units::Bytes;
use crate::words::{Words as Common, fill};

/// Places as a length.
const SLOTS: usize = PLACES as usize;

/// How far each thing has come.
struct Progress {
    own: Vec<f64>,
    lay: Vec<f64>,
    merge: Vec<f64>,
    /// From place to place, row by row.
    send: Vec<f64>,
    compute: Vec<f64>,
    /// From the experts' place to the owner's, row by row.
    back: Vec<f64>,
    order: Vec<f64>,
    leave: f64,
    line_up: Vec<f64>,
    count: f64,
}

/// The number of a pair of places.
const fn pair(from: u32, to: u32) -> usize {
    from as usize * SLOTS + to as usize
}

impl Progress {
    fn at(dispatch: &Dispatch, moment: Moment) -> Self {
        let places = vec![0.0; SLOTS];
        let mut progress = Self {
            own: places.clone(),
            lay: places.clone(),
            merge: places.clone(),
            send: vec![0.0; SLOTS * SLOTS],
            compute: places.clone(),
            back: vec![0.0; SLOTS * SLOTS],
            order: places.clone(),
            leave: 0.0,
            line_up: places,
            count: 0.0,
        };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in dispatch.events(step) {
                if let Some(place) = progress.place_of(timed.event) {
                    *place = timed.progress(t);
                }
            }
        }
        progress
    }

    fn place_of(&mut self, event: Event) -> Option<&mut f64> {
        match event {
            Event::Own { place } => self.own.get_mut(place as usize),
            Event::Lay { place } => self.lay.get_mut(place as usize),
            Event::Merge { place } | Event::Keep { place } => self.merge.get_mut(place as usize),
            Event::Send { from, to } => self.send.get_mut(pair(from, to)),
            Event::Compute { place } => self.compute.get_mut(place as usize),
            Event::Return { from, to } => self.back.get_mut(pair(from, to)),
            Event::Order { place } => self.order.get_mut(place as usize),
            Event::Leave => Some(&mut self.leave),
            Event::LineUp { place } => self.line_up.get_mut(place as usize),
            Event::Count => Some(&mut self.count),
        }
    }

    /// How much of a flow has arrived; what stays has from when it is merged.
    fn arrived(&self, from: u32, to: u32) -> f64 {
        if from == to { of(&self.merge, from) } else { of(&self.send, pair(from, to)) }
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) dispatch: &'a Dispatch,
    progress: Progress,
    pub(super) words: &'a Words,
    pub(super) common: &'a Common,
    pub(super) base: ByteBase,
}

impl Scene for Dispatch {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let stage = Stage { dispatch: self, progress: Progress::at(self, moment), words, common, base };
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Matrix);
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

fn number(count: u32) -> String {
    format::count(f64::from(count))
}

impl Stage<'_> {
    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let dispatch = self.dispatch;
        let all = dispatch.all();
        let kilo = |bytes: Bytes| format::kilo(bytes, self.base).to_string();
        let (least, most) = dispatch.owned_range;
        let range =
            if least == most { number(most) } else { format!("{}–{}", number(least), number(most)) };
        let (busiest, pairs) = dispatch.busiest();
        let values = [
            ("batch", format::count(dispatch.routed.tokens as f64)),
            ("ranks", number(dispatch.routed.ranks)),
            ("range", range),
            ("k", number(dispatch.routed.shape.per_token())),
            ("homes", format::count(dispatch.targets.len() as f64)),
            ("remote", number(dispatch.packed(all).remote)),
            ("copy", kilo(dispatch.copy)),
            ("bytes", kilo(dispatch.bytes(dispatch.packed(all).remote))),
            ("merged", kilo(dispatch.bytes(all.merged.all))),
            ("naive", kilo(dispatch.bytes(all.naive.all))),
            ("least", kilo(dispatch.bytes(all.merged.remote))),
            ("busiest", format!("{} {}", self.common.gpu, dispatch.routed.heading(busiest))),
            ("pairs", number(pairs)),
        ];
        let [pack, back, count] = self.words.unmerged;
        let template = match step {
            Step::Pack if !dispatch.dedupe => pack,
            Step::Return if !dispatch.dedupe => back,
            Step::Matrix if !dispatch.dedupe => count,
            _ => self.words.captions.get(step as usize).copied().unwrap_or(""),
        };
        fill(template, &values)
    }

    /// How cards and matrix change places.
    fn curtain(&self) -> Curtain {
        Curtain { down: self.progress.leave, up: self.progress.count }
    }

    fn places(&self) -> u32 {
        self.dispatch.routed.places()
    }

    /// The most copies of any flow before merging.
    fn most(&self) -> u32 {
        self.dispatch.flows.iter().flatten().map(|flow| flow.naive.all).max().unwrap_or(0).max(1)
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.dispatch.layers, self.dispatch.routed.layer(), self.common);
        stage::band(&mut drawing);
        for place in 0..PLACES {
            let start = drawing.marks.len();
            self.card(&mut drawing, place);
            fade(&mut drawing.marks[start..], self.curtain().before());
        }
        let start = drawing.marks.len();
        self.matrix_words(&mut drawing);
        let beside = stage::LEFT + 824.0;
        let right = stage::LEFT + stage::ACROSS;
        let panel = [beside, 16.0, right - beside, 356.0];
        drawing.rect(panel, 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
        self.example(&mut drawing, [beside + 24.0, 56.0, right - beside - 48.0], 22.0, 48.0);
        let lower = stage::card_box(4);
        self.bars(&mut drawing, [stage::LEFT, lower[1], stage::ACROSS, lower[3]], 20.0, false);
        fade(&mut drawing.marks[start..], self.curtain().after());
        self.curtain().draw(&mut drawing);
        for from in 0..self.places() {
            for to in 0..self.places() {
                self.flow(&mut drawing, from, to);
            }
        }
        self.packets(&mut drawing);
        let room = stage::BAND[2] - 48.0;
        let (size, text) = lines::fit(caption, true, room, 1, &[24.0, 22.0, 20.0, 18.0]);
        let text = text.first().cloned().unwrap_or_default();
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        let middle = stage::BAND[1] + stage::BAND[3] / 2.0 + size * 0.36;
        drawing.text((stage::BAND[0] + stage::BAND[2] / 2.0, middle), text, set);
        self.legend(&mut drawing, [stage::LEFT, stage::LEGEND_Y, stage::ACROSS], 20.0);
        drawing
    }

    fn card(&self, drawing: &mut Drawing, place: u32) {
        let (dispatch, words) = (self.dispatch, self.words);
        let used = place < self.places();
        let name = format!("{} {}", self.common.gpu, dispatch.routed.heading(place));
        let [x, y, width, height] = stage::card(drawing, place, &name, used);
        if !used {
            let set = Type::new(22.0, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, y + height / 2.0 + 8.0), words.idle, set);
            return;
        }
        let (left, right) = (x + 20.0, x + width - 20.0);
        let owned = of_list(&dispatch.owned, place);
        let muted = Type::new(19.0, Paint::Mute);
        let end = muted.anchored(Anchor::End);
        let own = of(&self.progress.own, place);
        let text = fill(words.owns, &[("n", number(owned))]);
        drawing.text((right, y + 37.0), text, end).faded(own);
        let area = [left, y + 54.0, right - left, 30.0];
        self.tokens(drawing, area, owned, own, Paint::Token);

        let sent = dispatch.sent(place);
        let packed = dispatch.packed(sent);
        let lay = of(&self.progress.lay, place);
        let merge = of(&self.progress.merge, place);
        drawing.text((left, y + 112.0), words.sends, muted).faded(lay);
        let values = [
            ("naive", number(sent.naive.all)),
            ("merged", number(packed.all)),
            ("remote", number(packed.remote)),
        ];
        let template = if merge >= 1.0 || !dispatch.dedupe { words.leaves } else { words.merges };
        let told = if merge > 0.0 { fill(template, &values) } else { String::new() };
        drawing.text((right, y + 112.0), told, end).faded(merge);
        self.feet(drawing, place, y + 178.0, lay);
        for to in 0..self.places() {
            let [bar_x, _, bar_width, _] = self.slot(place, to);
            let paint = if to == place { Paint::Mute } else { Paint::Ink };
            let set = Type::new(18.0, paint).anchored(Anchor::Middle);
            drawing.text((bar_x + bar_width / 2.0, y + 200.0), to.to_string(), set).faded(lay);
            self.away(drawing, place, to);
        }

        let received = dispatch.received(place);
        let arrived = (0..self.places()).map(|from| self.progress.arrived(from, place));
        let all_here = arrived.fold(1.0, f64::min);
        let first = self.progress.send.iter().copied().fold(0.0, f64::max);
        let shown = if self.places() == 1 { merge } else { first };
        drawing.text((left, y + 232.0), words.receives, muted).faded(shown);
        let text = fill(words.copies, &[("remote", number(dispatch.packed(received).remote))]);
        drawing.text((right, y + 232.0), text, end).faded(all_here);
        let laid = self.progress.lay.iter().copied().fold(0.0, f64::max);
        self.feet(drawing, place, y + 286.0, laid);
        for from in 0..self.places() {
            self.inbox(drawing, place, from, [x, y]);
        }

        let computed = of(&self.progress.compute, place);
        let pairs = of_list(&dispatch.pairs, place);
        let (_, busiest) = dispatch.busiest();
        let full = (right - left) * f64::from(pairs) / f64::from(busiest.max(1));
        drawing.rect([left, y + 296.0, right - left, 10.0], 4.0, Fill::Solid(Paint::Sunk));
        drawing.rect([left, y + 296.0, full * computed, 10.0], 4.0, Fill::Solid(Paint::Compute));
        let text = fill(words.runs, &[("pairs", number(pairs))]);
        let set = Type { paint: Paint::Compute, ..muted }.bold();
        drawing.text((left, y + 336.0), text, set).faded(computed);
        let order = of(&self.progress.order, place);
        let text = fill(words.back, &[("n", number(owned))]);
        drawing.text((right, y + 336.0), text, end).faded(order);
        let inner = [left - 6.0, y + 48.0, right - left + 12.0, 40.0];
        drawing.rect(inner, 8.0, Fill::Empty).stroked(Paint::Compute, 3.0).faded(order);
    }

    /// A GPU's tokens, as many of them as are there.
    fn tokens(&self, drawing: &mut Drawing, area: [f64; 4], count: u32, there: f64, paint: Paint) {
        let count = count as usize;
        let shown = (count as f64 * there).round() as usize;
        drawing.push(squares(area, count, count, area[3]), Fill::Solid(Paint::Sunk));
        drawing.push(squares(area, count, shown, area[3]), Fill::Solid(paint));
    }

    /// The box in which a flow's bar stands on its sender's card.
    fn slot(&self, from: u32, to: u32) -> [f64; 4] {
        let [x, y, width, _] = stage::card_box(from);
        let pitch = (width - 40.0) / f64::from(PLACES);
        [x + 20.0 + f64::from(to) * pitch + 3.0, y + 120.0, pitch - 6.0, 60.0]
    }

    /// The lines that the bars on a card stand on.
    fn feet(&self, drawing: &mut Drawing, place: u32, y: f64, shown: f64) {
        let [[x, _, width, _], [next, ..]] = [0, 1].map(|to| self.slot(place, to));
        let count = self.places() as usize;
        let (pitch, size) = ((next - x, 2.0), (width, 2.0));
        let shape = Shape::Cells { x, y, columns: count.max(1), count, pitch, size };
        drawing.push(shape, Fill::Solid(Paint::Line)).faded(shown);
    }

    /// What is merged away of a flow.
    fn away(&self, drawing: &mut Drawing, from: u32, to: u32) {
        let flow = self.dispatch.flow(from, to);
        let packed = self.dispatch.packed(flow);
        let [x, y, width, height] = self.slot(from, to);
        let part = |count: u32| height * f64::from(count) / f64::from(self.most());
        let merge = of(&self.progress.merge, from);
        let top = part(flow.naive.all);
        let away = [x, y + height - top, width, top - part(packed.all)];
        let duplicates = if flow.naive.all > packed.all { merge } else { 0.0 };
        drawing.rect(away, 3.0, Fill::Hatched(Paint::Comm)).faded(duplicates);
    }

    /// A flow: on its sender's card a bar, in the end a cell of the matrix.
    fn flow(&self, drawing: &mut Drawing, from: u32, to: u32) {
        let flow = self.dispatch.flow(from, to);
        let packed = self.dispatch.packed(flow);
        let most = self.most();
        let [x, y, width, height] = self.slot(from, to);
        let part = |count: u32| height * f64::from(count) / f64::from(most);
        let bar = |high: f64| [x, y + height - high, width, high];
        let (lay, merge) = (of(&self.progress.lay, from), of(&self.progress.merge, from));
        let moved = of(&self.progress.line_up, from);
        let high = part(flow.naive.all) + (part(packed.all) - part(flow.naive.all)) * merge;
        let cell = self.cell(from, to);
        let at = between(bar(high * lay), cell, moved);
        let stays = from == to && packed.remote == 0;
        let (fill, paint) =
            if stays { (Fill::Empty, Paint::Mute) } else { (Fill::Solid(Paint::Comm), Paint::Comm) };
        // Until it is packed, what stays at home looks like any other copy.
        let kept = stays && merge > 0.5;
        let fill = if kept { fill } else { Fill::Solid(Paint::Comm) };
        let calm = if stays { 1.0 } else { strength(packed.all, most) * 0.6 };
        let opacity = if packed.all == 0 { 0.0 } else { 1.0 + (calm - 1.0) * moved };
        let mark = drawing.rect(at, 4.0, fill).faded(opacity * if lay > 0.0 { 1.0 } else { 0.0 });
        if kept {
            mark.stroked(paint, 2.0).dashed();
        }
        let set = Type::new(20.0, if stays { Paint::Mute } else { Paint::Ink }).anchored(Anchor::Middle);
        let set = if stays { set } else { set.bold() };
        let text = if packed.all > 0 { number(packed.all) } else { "·".to_owned() };
        let at = (cell[0] + cell[2] / 2.0, cell[1] + cell[3] / 2.0 + 7.0);
        let places = self.places() as usize;
        drawing.text(at, text, set).faded(following(self.progress.count, from as usize, places, 1.0));
    }

    /// The cell of a flow in the matrix.
    fn cell(&self, from: u32, to: u32) -> [f64; 4] {
        let places = f64::from(self.places());
        let (wide, high) = ((544.0 / places).min(96.0), (320.0 / places).min(64.0));
        let (x, y) = (MATRIX.0 + f64::from(to) * wide, MATRIX.1 + f64::from(from) * high);
        [x + 2.0, y + 2.0, wide - 4.0, high - 4.0]
    }

    /// What a place has received from another, as a bar on its card.
    fn inbox(&self, drawing: &mut Drawing, place: u32, from: u32, [x, y]: [f64; 2]) {
        let packed = self.dispatch.packed(self.dispatch.flow(from, place));
        let [slot_x, _, width, _] = self.slot(0, from);
        let left = x + slot_x - stage::card_box(0)[0];
        let arrived = self.progress.arrived(from, place);
        let high = 46.0 * f64::from(packed.all) / f64::from(self.most()) * arrived;
        let stays = from == place && packed.remote == 0;
        let fill = if stays { Fill::Empty } else { Fill::Solid(Paint::Token) };
        let seen = if packed.all > 0 && arrived > 0.0 { 1.0 } else { 0.0 };
        let mark = drawing.rect([left, y + 286.0 - high, width, high], 3.0, fill).faded(seen);
        if stays {
            mark.stroked(Paint::Mute, 2.0).dashed();
        }
    }

    /// Packets on their way over the band, out and back.
    fn packets(&self, drawing: &mut Drawing) {
        for from in 0..self.places() {
            for to in (0..self.places()).filter(|to| *to != from) {
                let out = of(&self.progress.send, pair(from, to));
                let back = of(&self.progress.back, pair(from, to));
                let part = if back > 0.0 { back } else { out };
                let (sender, receiver) = if back > 0.0 { (to, from) } else { (from, to) };
                // On the way back a flow is known by where it went out.
                let copies = self.dispatch.packed(self.dispatch.flow(sender, receiver)).remote;
                let (x, y) = along(&way(from, to), part);
                let moving = part > 0.0 && part < 1.0 && copies > 0;
                let chip = [x - 16.0, y - 6.0, 32.0, 12.0];
                let fill = if back > 0.0 { Fill::Hatched(Paint::Comm) } else { Fill::Solid(Paint::Comm) };
                let mark = drawing.rect(chip, 4.0, fill).faded(if moving { 1.0 } else { 0.0 });
                mark.stroked(Paint::Comm, 1.5);
            }
        }
    }

    /// Names of rows and columns, and what each row sends.
    fn matrix_words(&self, drawing: &mut Drawing) {
        let places = self.places();
        let muted = Type::new(20.0, Paint::Mute);
        let sum_right = stage::LEFT + 800.0;
        drawing.text((stage::LEFT, 36.0), self.words.from, muted);
        drawing.text((sum_right, 36.0), self.words.out, muted.anchored(Anchor::End));
        let title_room = self.cell(0, places.saturating_sub(1));
        let columns_left = MATRIX.0;
        let several = places > 1;
        let heading = if several { self.words.to } else { "" };
        let middle = f64::midpoint(columns_left, title_room[0] + title_room[2]);
        let set = muted.anchored(Anchor::Middle);
        drawing.text((middle, 30.0), heading, set).faded(if several { 1.0 } else { 0.0 });
        for place in 0..places {
            let [x, y, width, height] = self.cell(place, place);
            let set = Type::new(18.0, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, 54.0), place.to_string(), set);
            let heading = self.dispatch.routed.heading(place);
            let name = format!("{} {heading}", self.common.gpu);
            let name =
                if text_width(&name, 20.0, true) > MATRIX.0 - stage::LEFT - 8.0 { heading } else { name };
            let middle = y + height / 2.0 + 7.0;
            drawing.text((stage::LEFT, middle), name, Type::new(20.0, Paint::Ink).bold());
            let sent = self.dispatch.bytes(self.dispatch.packed(self.dispatch.sent(place)).remote);
            let text = format::kilo(sent, self.base).to_string();
            let set = Type::new(20.0, Paint::Ink).anchored(Anchor::End);
            drawing.text((sum_right, middle), text, set);
        }
    }

    fn legend(&self, drawing: &mut Drawing, place: [f64; 3], size: f64) {
        let words = self.words;
        let entry = |fill: Fill, word: &str| (fill, word.to_owned());
        let mut entries = vec![
            entry(Fill::Solid(Paint::Token), words.tokens),
            entry(Fill::Solid(Paint::Comm), words.travels),
        ];
        if self.dispatch.dedupe {
            entries.push(entry(Fill::Hatched(Paint::Comm), words.duplicate));
        }
        entries.push(entry(Fill::Empty, words.stays));
        entries.push(entry(Fill::Solid(Paint::Compute), words.works));
        // A note has no sample: its own is left unseen.
        let note = self.dispatch.routed.note(self.common).map(|note| (Fill::Solid(Paint::Card), note));
        entries.extend(note);
        let start = drawing.marks.len();
        legend::draw(drawing, place, size, &entries);
        // The sample without a filling is the one that is framed.
        let framed = drawing.marks.iter_mut().skip(start).filter(|mark| mark.fill == Fill::Empty);
        for mark in framed {
            mark.stroked(Paint::Mute, 2.0).dashed();
        }
    }

    /// For a phone: the matrix fills from the start; under it the example, in the end the bytes.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        let mut drawing = Drawing::new(WIDTH, 1168.0);
        let dispatch = self.dispatch;
        let places = self.places();
        let (wide, high) = ((520.0 / f64::from(places)).min(120.0), (368.0 / f64::from(places)).min(120.0));
        let muted = Type::new(24.0, Paint::Mute);
        drawing.text((16.0, 34.0), self.words.from, muted);
        let end = muted.anchored(Anchor::End);
        let (computed, lay) = (&self.progress.compute, &self.progress.lay);
        let working = of(computed, 0_u32);
        let shown = if self.progress.count > 0.0 { self.progress.count } else { of(lay, 0_u32) };
        drawing.text((WIDTH - 16.0, 34.0), self.words.to, end).faded(shown.max(working));
        let left = 100.0;
        for from in 0..places {
            let top = 76.0 + f64::from(from) * high;
            let middle = top + high / 2.0 + 9.0;
            drawing.text((20.0, middle), from.to_string(), Type::new(26.0, Paint::Ink).bold());
            let x = left + f64::from(from) * wide + wide / 2.0;
            drawing.text((x, 70.0), from.to_string(), muted.anchored(Anchor::Middle)).faded(of(lay, 0_u32));
            let owned = of_list(&dispatch.owned, from);
            let tokens = [48.0, top + 5.0, 44.0, high - 10.0];
            self.tokens(&mut drawing, tokens, owned, of(&self.progress.own, from), Paint::Token);
            for to in 0..places {
                let area = [left + f64::from(to) * wide + 2.0, top + 2.0, wide - 4.0, high - 4.0];
                self.narrow_cell(&mut drawing, from, to, area);
            }
            let sent = dispatch.sent(from);
            let (laid, merge) = (of(lay, from), of(&self.progress.merge, from));
            // A little after the row itself, so that not everything is written at once.
            let count = if merge >= 0.75 { dispatch.packed(sent).remote } else { sent.naive.all };
            let set = Type::new(24.0, Paint::Ink).bold().anchored(Anchor::End);
            drawing.text((WIDTH - 16.0, middle), number(count), set).faded(laid);
        }
        let start = drawing.marks.len();
        self.example(&mut drawing, [20.0, 494.0, WIDTH - 40.0], 24.0, 46.0);
        fade(&mut drawing.marks[start..], self.curtain().before());
        let start = drawing.marks.len();
        self.bars(&mut drawing, [12.0, 456.0, WIDTH - 24.0, 428.0], 24.0, true);
        fade(&mut drawing.marks[start..], self.curtain().after());
        self.curtain().cover(&mut drawing, [8.0, 452.0, WIDTH - 16.0, 436.0]);
        let (size, text) = lines::fit(caption, true, WIDTH - 32.0, 3, &[30.0, 28.0, 26.0, 24.0]);
        lines::draw(&mut drawing, (16.0, 932.0), &text, 3, Type::new(size, Paint::Ink).bold());
        self.legend(&mut drawing, [16.0, 1060.0, WIDTH - 32.0], 24.0);
        drawing
    }

    fn narrow_cell(&self, drawing: &mut Drawing, from: u32, to: u32, area: [f64; 4]) {
        let flow: Flow = self.dispatch.flow(from, to);
        let packed = self.dispatch.packed(flow);
        let (lay, merge) = (of(&self.progress.lay, from), of(&self.progress.merge, from));
        let stays = from == to && packed.remote == 0;
        drawing.rect(area, 6.0, Fill::Solid(Paint::Sunk)).faded(0.6 * lay);
        let arrived = if stays { 0.0 } else { self.progress.arrived(from, to) };
        let deep = strength(packed.all, self.most()) * 0.6 * arrived;
        drawing.rect(area, 6.0, Fill::Solid(Paint::Comm)).faded(if packed.all > 0 { deep } else { 0.0 });
        let kept = if stays && packed.all > 0 { merge } else { 0.0 };
        drawing.rect(area, 6.0, Fill::Empty).stroked(Paint::Mute, 2.5).dashed().faded(kept);
        // Results are back: a frame around what came home.
        let back = of(&self.progress.back, pair(to, from));
        let seen = if packed.remote > 0 && from != to { back } else { 0.0 };
        drawing
            .rect(area, 6.0, Fill::Empty)
            .stroked(Paint::Compute, 3.0)
            .faded(seen * (1.0 - of(&self.progress.line_up, from)));
        let count = if merge >= 0.5 { packed.all } else { flow.naive.all };
        let text = if count > 0 { number(count) } else { "·".to_owned() };
        let set = Type::new(24.0, if stays { Paint::Mute } else { Paint::Ink }).anchored(Anchor::Middle);
        let at = (area[0] + area[2] / 2.0, area[1] + area[3] / 2.0 + 9.0);
        drawing.text(at, text, set).faded(lay);
    }
}

/// Left upper corner of the matrix on a wide stage.
const MATRIX: (f64, f64) = (stage::LEFT + 128.0, 56.0);

/// A count of a place.
fn of_list(list: &[u32], place: u32) -> u32 {
    list.get(place as usize).copied().unwrap_or(0)
}

/// The way between two places: down its link, along its side of the band, over to the other side where it must.
fn way(from: u32, to: u32) -> [(f64, f64); 4] {
    let edge = |place: u32| {
        let [_, y, _, height] = stage::card_box(place);
        if y < stage::BAND[1] { y + height - 2.0 } else { y + 2.0 }
    };
    let lane = |place: u32| {
        let upper = stage::card_box(place)[1] < stage::BAND[1];
        if upper { stage::BAND[1] + 8.0 } else { stage::BAND[1] + stage::BAND[3] - 8.0 }
    };
    let (start, end) = (stage::port(from).0, stage::port(to).0);
    [(start, edge(from)), (start, lane(from)), (end, lane(from)), (end, edge(to))]
}

/// The point that lies such a part of its length along a way.
fn along(way: &[(f64, f64)], part: f64) -> (f64, f64) {
    let length = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs();
    let legs = || way.iter().zip(way.iter().skip(1)).map(|(a, b)| (*a, *b));
    let mut left = legs().map(|(a, b)| length(a, b)).sum::<f64>() * part;
    for (a, b) in legs() {
        let long = length(a, b);
        if left <= long && long > 0.0 {
            return (a.0 + (b.0 - a.0) * left / long, a.1 + (b.1 - a.1) * left / long);
        }
        left -= long;
    }
    way.last().copied().unwrap_or_default()
}
