//! The picture of "journey" at a moment: how far everything has come, what is said of it, and the strip of layers.

use super::span::{Span, about, number};
use super::words::Words;
use super::{Event, Journey, Step};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::figure::Ledger;
use crate::format::{self, ByteBase};
use crate::ledger::journey::{Kind, Part};
use crate::scene::exercise::Exercise;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene};
use crate::spec::{AttentionKind, Layer, Routing};
use crate::units::Bytes;
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
        self.step != Step::Embed && !self.journey.step.events.is_empty()
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
            ("sum_s", Span::seconds(Some([self.sum_s(); 2])).whole()),
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

    /// What one sum behind the heads takes: its share of the step, else what it takes by itself.
    fn sum_s(&self) -> f64 {
        let sum = self.journey.here(Kind::OutputSum);
        sum.map_or(
            0.0,
            |sum| if sum.taken_s[1] > 0.0 { sum.taken_s[1] } else { sum.link_s[0] + sum.link_s[1] },
        )
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
        self.memories(&mut drawing);
        self.band(&mut drawing, caption);
        self.chips(&mut drawing);
        self.table(&mut drawing, [stage::LEFT, 832.0, stage::ACROSS]);
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
            drawing.push(Shape::Circle { x: 30.0, y: y - 6.0, r: 4.0 }, Fill::Solid(Paint::Compute));
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
        let high = (pitch - 2.4).max(0.6);
        let top = |index: usize| STRIP_TOP + index as f64 * pitch;
        let layers = journey.layers.iter().enumerate();
        let bar = |(index, layer): (usize, &Layer)| {
            let wide = if index == journey.opened { 48.0 } else { 32.0 };
            let passed = (index as f64) < at || index == journey.opened && self.begun();
            (layer.attention, [STRIP_X - wide / 2.0, top(index), wide, high], passed)
        };
        stage::layer_bars(drawing, layers.clone().map(bar));
        for (index, _) in layers.filter(|(_, layer)| layer.routing == Routing::Hash) {
            let dot = Shape::Circle { x: 29.0, y: top(index) + high / 2.0, r: 3.0 };
            drawing.push(dot, Fill::Solid(Paint::Compute));
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
            let mark = drawing.push(Shape::Circle { x: STRIP_X, y, r: 8.0 }, fill);
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
}
