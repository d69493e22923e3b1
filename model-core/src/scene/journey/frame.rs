//! The picture of "journey" at a moment: how far everything has come, the strip of layers, the band between the cards.

use super::words::Words;
use super::{Event, Journey, Step};
use crate::collective::Algorithm;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type};
use crate::figure::Ledger;
use crate::format::{self, ByteBase, Shown};
use crate::ledger::journey::{Kind, Part};
use crate::scene::exercise::Exercise;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, lines};
use crate::spec::{AttentionKind, Routing};
use crate::units::{Bytes, Seconds};
use crate::words::{Words as Common, fill};

/// Places as a length.
const SLOTS: usize = PLACES as usize;
/// Picks that can be on their way.
const PICKS: usize = 16;

/// How far each thing has come.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    pub(super) lookup: f64,
    pub(super) share: f64,
    pub(super) widen: f64,
    /// Layers passed before and behind the opened one.
    pub(super) passed: [f64; 2],
    pub(super) mix: f64,
    pub(super) project: f64,
    pub(super) scores: f64,
    pub(super) attend: f64,
    pub(super) sum: f64,
    pub(super) score: f64,
    pub(super) picks: [f64; PICKS],
    pub(super) dispatch: f64,
    pub(super) compute: [f64; SLOTS],
    pub(super) combine: f64,
    pub(super) update: f64,
    pub(super) head: f64,
    pub(super) gather: f64,
    pub(super) sample: f64,
}

impl Progress {
    fn at(journey: &Journey, moment: Moment) -> Self {
        let mut progress = Self::default();
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in journey.events(step) {
                if let Some(place) = progress.place_of(timed.event) {
                    *place = timed.progress(t);
                }
            }
        }
        progress
    }

    fn place_of(&mut self, event: Event) -> Option<&mut f64> {
        Some(match event {
            Event::Lookup => &mut self.lookup,
            Event::Share => &mut self.share,
            Event::Widen => &mut self.widen,
            Event::Pass { from: 0, .. } => &mut self.passed[0],
            Event::Pass { .. } => &mut self.passed[1],
            Event::Mix => &mut self.mix,
            Event::Project => &mut self.project,
            Event::Scores => &mut self.scores,
            Event::Attend => &mut self.attend,
            Event::Sum => &mut self.sum,
            Event::Score => &mut self.score,
            Event::Pick { nth } => return self.picks.get_mut(nth),
            Event::Dispatch => &mut self.dispatch,
            Event::Compute { place } => return self.compute.get_mut(place as usize),
            Event::Combine => &mut self.combine,
            Event::Update => &mut self.update,
            Event::Head => &mut self.head,
            Event::Gather => &mut self.gather,
            Event::Sample => &mut self.sample,
        })
    }

    /// Whether the experts have begun: from then on partial sums are theirs.
    pub(super) fn experts_begun(&self) -> bool {
        self.compute.iter().any(|part| *part > 0.0)
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) journey: &'a Journey,
    pub(super) progress: Progress,
    pub(super) step: Step,
    pub(super) t: f64,
    pub(super) words: &'a Words,
    pub(super) common: &'a Common,
    pub(super) base: ByteBase,
}

impl Scene for Journey {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Next);
        let progress = Progress::at(self, moment);
        let (words, common) = (Words::of(language), Common::of(language));
        let stage = Stage { journey: self, progress, step, t: moment.t, words, common, base };
        let caption = stage.caption();
        let mut drawing = match layout {
            Layout::Wide => stage.wide(&caption),
            Layout::Narrow => stage.narrow(&caption),
        };
        words.title.clone_into(&mut drawing.title);
        drawing.description = caption;
        if step == Step::Next {
            let [time, rate] = stage.ends();
            drawing.description.extend([
                words.stop,
                words.step,
                " ",
                &time.whole(),
                words.comma,
                &rate.whole(),
            ]);
        }
        drawing
    }

    fn worked(&self, look: Look) -> Worked {
        super::worked::of(&self.basis, look)
    }

    fn exercise(&self, draw: u64, look: Look) -> Exercise {
        super::exercise::of(draw, look)
    }

    fn durations(&self) -> Vec<StepTime> {
        Step::ALL.map(|step| self.duration(step)).to_vec()
    }
}

/// A number or a range with its unit.
pub(super) struct Span {
    pub(super) low: String,
    /// Empty where there is one number.
    pub(super) high: String,
    pub(super) unit: &'static str,
}

impl Span {
    pub(super) fn of(ends: Option<[f64; 2]>, shown: impl Fn(f64) -> Shown) -> Self {
        let Some([low, high]) = ends else {
            return Self { low: format::ABSENT.to_owned(), high: String::new(), unit: "" };
        };
        let (low, high) = (shown(low), shown(high));
        if low == high {
            return Self { low: low.number, high: String::new(), unit: low.unit };
        }
        Self { low: low.number, high: ["–", &high.number].concat(), unit: high.unit }
    }

    /// Times; both ends of a range in the unit of its upper one.
    pub(super) fn seconds(ends: Option<[f64; 2]>) -> Self {
        let span = Self::of(ends, |seconds| format::seconds(Seconds(seconds)));
        match ends {
            Some([low, _]) if !span.high.is_empty() && format::seconds(Seconds(low)).unit != span.unit => {
                Self { low: in_unit(low, span.unit, 100.0), ..span }
            }
            _ => span,
        }
    }

    /// The same in as few digits as a small place has room for.
    pub(super) fn short_seconds([low, high]: [f64; 2]) -> Self {
        let unit = format::seconds(Seconds(high)).unit;
        let [low, high] = [low, high].map(|end| in_unit(end, unit, 10.0));
        if low == high {
            Self { low, high: String::new(), unit }
        } else {
            Self { low, high: ["–", &high].concat(), unit }
        }
    }

    pub(super) fn whole(&self) -> String {
        let space = if self.unit.is_empty() { "" } else { " " };
        [self.low.as_str(), &self.high, space, self.unit].concat()
    }
}

/// A time in a unit, rounded to such a part of it.
fn in_unit(seconds: f64, unit: &str, part: f64) -> String {
    let factor = match unit {
        "ms" => 1e3,
        "µs" => 1e6,
        "ns" => 1e9,
        _ => 1.0,
    };
    let mut shown = format::count((seconds * factor * part).round() / part);
    if part < 100.0 && shown.contains('.') {
        shown.truncate(shown.trim_end_matches('0').len());
    }
    shown
}

pub(super) fn number(count: u64) -> String {
    format::count(count as f64)
}

/// An expectation in as many digits as a sentence needs.
fn about(expected: f64) -> String {
    let digits = if expected < 100.0 { 10.0 } else { 1.0 };
    let mut shown = format::count((expected * digits).round() / digits);
    if shown.contains('.') {
        shown.truncate(shown.trim_end_matches('0').len());
    }
    shown
}

/// Upper end of the strip of layers.
const STRIP_TOP: f64 = 66.0;
/// Its middle line.
const STRIP_X: f64 = 52.0;

impl Stage<'_> {
    /// The step's time and its rate, as the report has them.
    pub(super) fn ends(&self) -> [Span; 2] {
        let step = &self.journey.step;
        let rate = |value| {
            format::value(
                &crate::figure::Value::Number(value),
                crate::figure::Unit::TokensPerSecond,
                self.base,
            )
        };
        // The lower time gives the higher rate; both are told from low to high.
        [Span::seconds(step.step_s), Span::of(step.tokens_per_s, rate)]
    }

    /// The layer that the token is in, counted from 0; as many as there are when it has left the last.
    pub(super) fn at_layer(&self) -> f64 {
        let (opened, all) = (self.journey.opened as f64, self.journey.layers.len() as f64);
        let [before, behind] = self.progress.passed;
        let left = if self.progress.update >= 1.0 { 1.0 } else { 0.0 };
        let rest = (all - opened - 1.0).max(0.0);
        // Nothing lies behind the last layer.
        let behind = if rest > 0.0 { behind } else { left };
        (opened * before).max((opened + left + rest * behind) * if self.begun() { 1.0 } else { 0.0 })
    }

    /// Whether the opened layer has been reached.
    fn begun(&self) -> bool {
        self.step != Step::Embed
    }

    /// What has just happened, in a sentence with its numbers.
    fn caption(&self) -> String {
        let (journey, words) = (self.journey, self.words);
        let shares = &journey.shares;
        let size = |bytes: f64| format::bytes(Bytes(bytes), self.base).to_string();
        let read = |kind: Kind| size(journey.here(kind).map_or(0.0, |event| event.read_bytes));
        let bound = |part: Part| {
            let share = journey.parts.iter().find(|share| share.part == part);
            share.and_then(|share| share.bound).map_or("", |bound| words.bound(bound))
        };
        let sent = |kinds: [Kind; 2]| {
            let event = kinds.into_iter().find_map(|kind| journey.here(kind));
            size(event.map_or(0.0, |event| event.sent_bytes))
        };
        let count_of = |kind: AttentionKind| {
            let behind = journey.layers.iter().skip(journey.opened + 1);
            number(behind.filter(|layer| layer.attention == kind).count() as u64)
        };
        let experts = self.span_of(&[Part::Experts]);
        let wait = self.waiting();
        let longest = journey.parts.iter().max_by(|a, b| a.step_s[1].total_cmp(&b.step_s[1]));
        let total = journey.step.step_s.map_or(f64::NAN, |ends| ends[1]);
        let values = [
            ("streams", number(journey.streams)),
            ("d", journey.hidden.to_string()),
            ("at", number(journey.opened as u64)),
            ("layer", number(journey.opened as u64)),
            ("kind", words.kind(journey.attention()).to_owned()),
            ("holder", shares.heading(shares.holder())),
            ("heads", shares.heads.map_or(format::ABSENT.to_owned(), |heads| number(u64::from(heads)))),
            ("proj", read(Kind::Project)),
            ("kv", read(Kind::Attend)),
            ("proj_bound", bound(Part::Proj).to_owned()),
            ("attn_bound", bound(Part::Attn).to_owned()),
            ("attn_s", self.span_of(&[Part::Proj, Part::Attn])),
            ("algorithm", words.algorithm(journey.algorithm).to_owned()),
            ("ranks", number(u64::from(shares.ranks))),
            ("sent", sent([Kind::OutputSum, Kind::OutputSum])),
            ("sum_s", self.span_of(&[Part::HeadSum])),
            ("E", number(journey.experts[0])),
            ("k", number(journey.experts[1])),
            ("homes", number(shares.homes() as u64)),
            ("batch", number(journey.batch)),
            ("distinct", about(journey.distinct)),
            ("experts", read(Kind::Experts)),
            ("experts_s", experts),
            ("bound", bound(Part::Experts).to_owned()),
            ("back", sent([Kind::Combine, Kind::RoutedSum])),
            ("layer_s", Span::seconds(journey.layer_s()).whole()),
            ("rest", number((journey.layers.len() - journey.opened).saturating_sub(1) as u64)),
            ("csa", count_of(AttentionKind::Csa)),
            ("hca", count_of(AttentionKind::Hca)),
            ("layers", number(journey.layers.len() as u64)),
            ("short", size(journey.short.get())),
            ("wait", wait),
            ("longest", longest.map_or("", |share| words.part(share.part, journey)).to_owned()),
            ("percent", format::percent(longest.map_or(f64::NAN, |share| share.step_s[1] / total))),
        ];
        fill(self.template(), &values)
    }

    /// The sentence of the step, as the scenario has it.
    fn template(&self) -> &'static str {
        let (journey, words) = (self.journey, self.words);
        let known = !journey.step.events.is_empty();
        match self.step {
            Step::Next if !known => words.illegal,
            Step::Next if journey.ledger == Ledger::Tutorial && journey.fits => words.tutorial,
            Step::Next if journey.ledger == Ledger::Tutorial => words.tutorial_short,
            Step::Next if journey.step.step_s.is_none() => words.no_step,
            Step::Next if journey.ledger == Ledger::Report && journey.fits => words.report,
            Step::Next if journey.ledger == Ledger::Report => words.report_short,
            Step::Next if journey.step.step_s.is_some_and(|[low, high]| low == high) => words.calibrated,
            Step::Next => words.range,
            Step::Layers if journey.opened + 1 >= journey.layers.len() => words.none_behind,
            Step::Embed if journey.shares.owner.is_some() => words.embed_own,
            Step::Embed if journey.shares.ranks <= 1 => words.embed_alone,
            Step::Embed => words.embed,
            _ if !known => words.illegal,
            Step::Attention if journey.here(Kind::Project).is_none() => words.attention_whole,
            Step::Attention => words.attention,
            Step::Sum if journey.here(Kind::OutputSum).is_some_and(|sum| sum.sent_bytes > 0.0) => words.sum,
            Step::Sum if journey.shares.ranks <= 1 => words.sum_alone,
            Step::Sum if journey.ledger == Ledger::Report => words.sum_uncounted,
            Step::Sum => words.sum_own,
            Step::Route if journey.by_table() => words.table,
            Step::Route => words.route,
            Step::Experts if journey.here(Kind::Experts).is_some_and(|e| e.read_bytes > 0.0) => words.experts,
            Step::Experts => words.experts_timed,
            Step::Combine if journey.here(Kind::Combine).is_some() => words.combine_back,
            Step::Combine if journey.shares.ranks <= 1 => words.combine_alone,
            Step::Combine => words.combine,
            Step::Layers => words.layers,
        }
    }

    /// What parts take of the opened layer together.
    fn span_of(&self, parts: &[Part]) -> String {
        let own = self.journey.parts.iter().filter(|share| parts.contains(&share.part));
        let [low, high] = own.fold([0.0; 2], |[a, b], share| [a + share.layer_s[0], b + share.layer_s[1]]);
        Span::seconds(Some([low, high])).whole()
    }

    /// The part of the step that is neither bytes nor FLOPs, in percent.
    fn waiting(&self) -> String {
        let step = &self.journey.step;
        let waits = step.taken_s(|event| event.kind.sends() || event.kind == Kind::Wait);
        let Some(total) = step.step_s else { return format::ABSENT.to_owned() };
        let percent = |end: usize| (waits[end] / total[end] * 100.0).round();
        let (low, high) = (percent(0), percent(1));
        if low == high { format!("{low} %") } else { format!("{low}–{high} %") }
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        self.strip(&mut drawing);
        stage::band(&mut drawing);
        for place in 0..PLACES {
            self.card(&mut drawing, place);
        }
        self.band(&mut drawing, caption);
        self.chips(&mut drawing);
        self.table(&mut drawing, [stage::LEFT, 836.0, stage::ACROSS]);
        drawing
    }

    /// One bar for each layer, the token on its way along them.
    fn strip(&self, drawing: &mut Drawing) {
        let (journey, words) = (self.journey, self.words);
        let kinds = AttentionKind::ALL.into_iter().rev();
        let there = |kind: &AttentionKind| journey.layers.iter().any(|layer| layer.attention == *kind);
        let hashed = journey.layers.iter().any(|layer| layer.routing == Routing::Hash);
        let mut y = 890.0;
        let muted = Type::new(18.0, Paint::Mute);
        if hashed {
            drawing.push(
                crate::draw::Shape::Circle { x: 30.0, y: y - 6.0, r: 4.0 },
                Fill::Solid(Paint::Compute),
            );
            drawing.text((44.0, y), words.hashed, muted);
            y -= 24.0;
        }
        for kind in kinds.filter(there) {
            drawing.rect([23.0, y - 13.0, 14.0, 14.0], 3.0, Fill::Solid(stage::layer_paint(kind)));
            drawing.text((44.0, y), words.kind(kind), muted);
            y -= 24.0;
        }
        let bottom = y - 16.0;
        let count = journey.layers.len();
        let pitch = (bottom - STRIP_TOP) / count.max(1) as f64;
        let heading = Type::new(20.0, Paint::Mute).anchored(Anchor::Middle);
        drawing.text((STRIP_X, 34.0), self.common.layers, heading);
        let at = self.at_layer();
        for (index, layer) in journey.layers.iter().enumerate() {
            let wide = if index == journey.opened { 48.0 } else { 32.0 };
            let bar = [STRIP_X - wide / 2.0, STRIP_TOP + index as f64 * pitch, wide, (pitch - 2.4).max(0.6)];
            let passed =
                if (index as f64) < at || index == journey.opened && self.begun() { 1.0 } else { 0.3 };
            drawing.rect(bar, 2.0, Fill::Solid(stage::layer_paint(layer.attention))).faded(passed);
            if layer.routing == Routing::Hash {
                let dot = crate::draw::Shape::Circle { x: 29.0, y: bar[1] + bar[3] / 2.0, r: 3.0 };
                drawing.push(dot, Fill::Solid(Paint::Compute));
            }
        }
        let opened = journey.opened as f64;
        let middle = STRIP_TOP + (opened + 0.5) * pitch;
        let last = count.saturating_sub(1);
        for (index, y) in [(0, STRIP_TOP + 11.0), (last, bottom - 2.0)] {
            // An end gives way to the opened layer's number near it.
            let near = (STRIP_TOP + (index as f64 + 0.5) * pitch - middle).abs() < 46.0;
            drawing.text((74.0, y), number(index as u64), muted).faded(if near { 0.0 } else { 1.0 });
        }
        let middle = middle.clamp(STRIP_TOP + 14.0, bottom - 24.0);
        drawing.text((80.0, middle + 2.0), number(journey.opened as u64), Type::new(20.0, Paint::Ink).bold());
        let kind = Type::new(18.0, Paint::Mute).anchored(Anchor::End);
        drawing.text((109.0, middle + 24.0), words.kind(journey.attention()), kind);
        // The next token waits where this one began.
        let token = |drawing: &mut Drawing, y: f64, fill: Fill, opacity: f64| {
            let mark = drawing.push(crate::draw::Shape::Circle { x: STRIP_X, y, r: 8.0 }, fill);
            mark.stroked(if fill == Fill::Empty { Paint::Token } else { Paint::Card }, 3.0).faded(opacity);
        };
        token(drawing, STRIP_TOP - 13.0, Fill::Empty, self.progress.sample);
        let y = if at <= 0.0 && !self.begun() {
            STRIP_TOP - 13.0
        } else {
            let beyond = if at >= count as f64 { 12.0 } else { pitch / 2.0 };
            STRIP_TOP + at.min(count as f64) * pitch + beyond
        };
        token(drawing, y, Fill::Solid(Paint::Token), self.progress.lookup.max(0.4));
    }

    /// The band: a sentence; in the end time and rate on both sides of it.
    fn band(&self, drawing: &mut Drawing, caption: &str) {
        let ends = self.step == Step::Next;
        let shown = if ends { 1.0 } else { 0.0 };
        let step = &self.journey.step;
        let [time, rate] = self.ends();
        let baseline = stage::BAND[1] + 44.0;
        let (large, small) = (Type::new(34.0, Paint::Ink).bold(), Type::new(20.0, Paint::Mute));
        let wide = |text: &str, set: Type| text_width(text, set.size, set.bold);
        let left = stage::BAND[0] + 24.0;
        drawing.text((left, baseline), self.words.step, small).faded(shown);
        let mut x = left + wide(self.words.step, small) + 12.0;
        let figures = [(time, step.step_s, step.step_figures), (rate, step.tokens_per_s, step.rate_figures)];
        let mut edges = [x, stage::BAND[0] + stage::BAND[2] - 24.0];
        for (index, (span, values, ids)) in figures.into_iter().enumerate() {
            let unit = if span.unit.is_empty() && index == 1 { self.words.rate } else { span.unit };
            let all = wide(&span.low, large) + wide(&span.high, large) + wide(unit, small) + 8.0;
            if index == 1 {
                x = edges[1] - all;
                edges[1] = x;
            }
            let [low, high] = values.unwrap_or_default();
            for (end, (text, value)) in [(&span.low, low), (&span.high, high)].into_iter().enumerate() {
                let opacity = if text.is_empty() { 0.0 } else { shown };
                let mark = drawing.text((x, baseline), text.clone(), large).faded(opacity);
                if let (true, Some(id)) = (values.is_some() && opacity > 0.0, ids.get(end)) {
                    mark.shows(id, value);
                }
                x += wide(text, large);
            }
            drawing.text((x + 8.0, baseline), unit, small).faded(shown);
            if index == 0 {
                edges[0] = x + 8.0 + wide(unit, small);
            }
        }
        let (middle, room) = if ends {
            (f64::midpoint(edges[0], edges[1]), edges[1] - edges[0] - 80.0)
        } else {
            (stage::BAND[0] + stage::BAND[2] / 2.0, stage::BAND[2] - 48.0)
        };
        let (size, text) = if ends {
            parted(caption, room)
        } else {
            lines::fit(caption, true, room, 1, &[24.0, 22.0, 20.0, 18.0])
        };
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        let two = text.len() > 1;
        let first = stage::BAND[1] + if two { 32.0 - size * 0.3 } else { 32.0 + size * 0.36 };
        lines::draw(drawing, (middle, first), &text, 2, set);
    }

    /// What is under way over the band, one piece for each place.
    fn chips(&self, drawing: &mut Drawing) {
        let progress = &self.progress;
        let (places, owner) = (self.journey.shares.places(), self.journey.shares.owner);
        let by_request = self.journey.here(Kind::Dispatch).is_some();
        let sums = [progress.share, progress.scores, progress.sum, progress.gather];
        let under_way = |part: &f64| *part > 0.0 && *part < 1.0;
        let sum = sums.into_iter().chain((!by_request).then_some(progress.combine)).find(under_way);
        let [out, back] = [progress.dispatch, if by_request { progress.combine } else { 0.0 }];
        for place in 0..places {
            let home = owner.unwrap_or(0);
            let travels = self.journey.shares.picked_at(place) > 0 && place != home;
            let (way, part) = match sum {
                Some(part) => self.round(place, part),
                None if under_way(&out) && travels => (way(home, place), out),
                None if under_way(&back) && travels => (way(place, home), back),
                None => (way(place, place), 0.0),
            };
            let (x, y) = along(&way, part);
            let opacity = if part > 0.0 && part < 1.0 { 1.0 } else { 0.0 };
            drawing.rect([x - 16.0, y - 6.0, 32.0, 12.0], 5.0, Fill::Solid(Paint::Comm)).faded(opacity);
        }
    }

    /// The way of a place's piece in a sum: round the ring, to its partner and back, or to the switch and back.
    fn round(&self, place: u32, part: f64) -> ([(f64, f64); 4], f64) {
        let places = self.journey.shares.places();
        let (there, rest) = if part < 0.5 { (true, part * 2.0) } else { (false, part * 2.0 - 1.0) };
        match self.journey.algorithm {
            Algorithm::Ring => {
                let hop = u32::from(!there);
                (way((place + hop) % places, (place + hop + 1) % places), rest)
            }
            Algorithm::Tree => {
                let partner = if place ^ 1 < places { place ^ 1 } else { 0 };
                if there { (way(place, partner), rest) } else { (way(partner, place), rest) }
            }
            Algorithm::InSwitch => {
                let [start, lane, ..] = way(place, place);
                let middle = (stage::BAND[0] + stage::BAND[2] / 2.0, lane.1);
                let mut path = [start, lane, middle, middle];
                if !there {
                    path.reverse();
                }
                (path, rest)
            }
        }
    }
}

/// A sentence in one line, or in two that part behind a sign and are about as long as each other; as large as fits.
fn parted(text: &str, room: f64) -> (f64, Vec<String>) {
    let sizes = [22.0, 20.0, 18.0];
    if text_width(text, 20.0, true) <= room {
        return lines::fit(text, true, room, 1, &sizes);
    }
    let ends =
        text.match_indices(['，', '；', '。', '：', ',', '.', ';', ':']).map(|(at, sign)| at + sign.len());
    let longer = |at: &usize| {
        let (first, second) = text.split_at(*at);
        text_width(first.trim(), 1.0, true).max(text_width(second.trim(), 1.0, true))
    };
    // A point within a number is no end.
    let ends = ends.filter(|at| {
        text.get(at - 1..*at).is_none_or(|sign| !sign.is_ascii()) || text.get(*at..=*at) == Some(" ")
    });
    let best = ends.min_by(|a, b| longer(a).total_cmp(&longer(b)));
    let fits = best.map(|at| (at, sizes.into_iter().find(|size| longer(&at) * size <= room)));
    if let Some((at, Some(size))) = fits {
        let (first, second) = text.split_at(at);
        return (size, vec![first.trim().to_owned(), second.trim().to_owned()]);
    }
    lines::fit(text, true, room, 2, &sizes)
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
fn along(way: &[(f64, f64); 4], part: f64) -> (f64, f64) {
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
    way[3]
}
