//! The picture of "caches" at a moment. Wide: ring and bytes on the left, groups and what the query sees on the right,
//! where the comparison takes their place for its step. Narrow: one panel at a time.

use super::words;
use super::{Caches, Event, Step, TURN};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::format;
use crate::scene::exercise::Exercise;
use crate::scene::parts::{Curtain, fade};
use crate::scene::timeline::{Moment, StepTime, ease};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, Text, lines, stage};
use crate::spec::AttentionKind;
use crate::units::Bytes;
use crate::words::fill;

/// Ring segments at most; larger windows put several slots into one.
const MOST_SEGMENTS: u64 = 128;
/// Height of a narrow stage, and where its caption begins.
const NARROW: (f64, f64) = (1140.0, 1000.0);

/// How much of everything has happened.
#[derive(Default)]
pub(super) struct Progress {
    filled: f64,
    next: f64,
    /// For each token of the drawn groups.
    pub(super) joined: Vec<f64>,
    pub(super) pooled: f64,
    pub(super) counted: f64,
    pub(super) entries: f64,
    pub(super) keys: f64,
    pub(super) picked: f64,
    /// For each kind that the model has.
    pub(super) seen: Vec<f64>,
    /// For each entry that stays out of sight.
    pub(super) hidden: Vec<f64>,
    /// For each layer compared.
    pub(super) compared: Vec<f64>,
    pub(super) deviated: f64,
    pub(super) turns: f64,
    pub(super) grown: f64,
}

impl Progress {
    fn at(scene: &Caches, moment: Moment) -> Self {
        let mut progress = Self::default();
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            for timed in scene.events(step) {
                let happened = timed.progress(t);
                match timed.event {
                    Event::Fill(_) => progress.filled = happened,
                    Event::Next { .. } => progress.next = happened,
                    Event::Join(_) => progress.joined.push(happened),
                    Event::Pool { .. } => progress.pooled = happened,
                    Event::Count(_) => progress.counted = happened,
                    Event::Entries(_) => progress.entries = happened,
                    Event::Keys(_) => progress.keys = happened,
                    Event::Pick { .. } => progress.picked = happened,
                    Event::See(..) => progress.seen.push(happened),
                    Event::Hide { .. } => progress.hidden.push(happened),
                    Event::Compare { .. } => progress.compared.push(happened),
                    Event::Deviate { .. } => progress.deviated = happened,
                    Event::Turns { .. } => progress.turns = happened,
                    Event::Grow => progress.grown = happened,
                }
            }
        }
        progress
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Caches,
    pub(super) progress: Progress,
    pub(super) look: Look,
    /// Values that sentences may name.
    values: Vec<(&'static str, String)>,
}

/// What takes another's place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Panel {
    /// Ring and sight on a narrow stage.
    Ring,
    /// The groups; on a wide stage with what is seen.
    Groups,
    Check,
    Growth,
}

impl Scene for Caches {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let progress = Progress::at(self, moment);
        let stage = Stage { scene: self, progress, look, values: values(self, look) };
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Grows);
        let caption = stage.tell(words::caption(step), &[]);
        let mut drawing = if stage.narrow() { stage.tall(moment) } else { stage.wide(moment) };
        stage.caption(&mut drawing, &caption);
        look.say(words::TITLE).clone_into(&mut drawing.title);
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

/// The values that sentences of several panels name.
fn values(scene: &Caches, look: Look) -> Vec<(&'static str, String)> {
    let number = |number: u64| format::count(number as f64);
    let [csa, hca] = [AttentionKind::Csa, AttentionKind::Hca].map(|kind| scene.seen(kind));
    let waiting = scene.waiting(AttentionKind::Hca);
    let size = |bytes: Bytes| format::bytes(bytes, look.base).to_string().replace(' ', "\u{a0}");
    vec![
        ("p", place(scene.position)),
        ("window", number(scene.window)),
        ("slot", number(scene.position % scene.window)),
        ("used", number(csa.window.end - csa.window.start)),
        ("m", number(scene.ratios.0)),
        ("n", number(scene.ratios.1)),
        ("k", number(scene.top_k)),
        ("csa", number(csa.entries)),
        ("attended", number(csa.attended)),
        ("hca", number(hca.entries)),
        ("hca_left", number(waiting.end - waiting.start)),
        ("layer", number(scene.chosen as u64)),
        ("context", number(scene.context)),
        ("request", size(scene.request)),
        ("constant", size(scene.growth.0)),
        ("slope", size(scene.growth.1)),
    ]
}

/// A position as its digits: a name, not an amount.
pub(super) fn place(position: u64) -> String {
    position.to_string()
}

impl Stage<'_> {
    pub(super) fn narrow(&self) -> bool {
        self.look.layout == Layout::Narrow
    }

    /// One of two values, by the arrangement.
    pub(super) fn pick<T>(&self, wide: T, narrow: T) -> T {
        if self.narrow() { narrow } else { wide }
    }

    /// Letters of the smallest size.
    pub(super) fn small(&self, paint: Paint) -> Type {
        Type::new(self.pick(19.0, 24.0), paint)
    }

    /// A sentence with the scene's values and further ones.
    pub(super) fn tell(&self, text: Text, more: &[(&str, String)]) -> String {
        fill(&fill(self.look.say(text), more), &self.values)
    }

    /// A heading, as large as its room allows.
    pub(super) fn heading(&self, drawing: &mut Drawing, at: (f64, f64), text: &str, room: f64) {
        let sizes = self.pick([23.0, 21.0, 19.0], [29.0, 26.0, 24.0]);
        let (size, _) = lines::fit(text, true, room, 1, &sizes);
        drawing.text(at, text, Type::new(size, Paint::Ink).bold());
    }

    /// A sentence in at most so many lines; gives back the baseline after them.
    pub(super) fn sentence(
        &self,
        drawing: &mut Drawing,
        (x, y): (f64, f64),
        text: &str,
        set: Type,
        (room, most): (f64, usize),
        opacity: f64,
    ) -> f64 {
        let least = self.pick(18.0, 24.0);
        let (size, wrapped) = lines::fit(text, set.bold, room, most, &[set.size, least]);
        let first = drawing.marks.len();
        lines::draw(drawing, (x, y), &wrapped, most, Type { size, ..set });
        fade(drawing.marks.get_mut(first..).unwrap_or_default(), opacity);
        y + most as f64 * size * lines::LEADING
    }

    fn wide(&self, moment: Moment) -> Drawing {
        const LEFT: [f64; 2] = [24.0, 544.0];
        const RIGHT: [f64; 2] = [608.0, 968.0];
        let mut drawing = stage::blank(Layout::Wide);
        self.ring(&mut drawing, [LEFT[0], 16.0, LEFT[1]]);
        self.growth(&mut drawing, [LEFT[0], 566.0, LEFT[1], 226.0]);
        let panel = |step| if step == Step::Check { Panel::Check } else { Panel::Groups };
        self.in_turn(&mut drawing, moment, panel, |panel, drawing| match panel {
            Panel::Check => self.check(drawing, [RIGHT[0], 16.0, RIGHT[1], 776.0]),
            Panel::Groups => {
                self.csa(drawing, [RIGHT[0], 16.0, RIGHT[1]]);
                self.hca(drawing, [RIGHT[0], 392.0, RIGHT[1]]);
                self.sees(drawing, [RIGHT[0], 526.0, RIGHT[1]]);
            }
            _ => {}
        });
        drawing
    }

    /// For a phone: one panel at a time.
    fn tall(&self, moment: Moment) -> Drawing {
        const ROOM: f64 = stage::NARROW_WIDTH - 32.0;
        let mut drawing = Drawing::new(stage::NARROW_WIDTH, NARROW.0);
        let panel = |step| match step {
            Step::Ring | Step::Sees => Panel::Ring,
            Step::Csa | Step::Hca | Step::Index => Panel::Groups,
            Step::Check => Panel::Check,
            Step::Grows => Panel::Growth,
        };
        self.in_turn(&mut drawing, moment, panel, |panel, drawing| match panel {
            Panel::Ring => {
                self.ring(drawing, [16.0, 12.0, ROOM]);
                self.sees(drawing, [16.0, 592.0, ROOM]);
            }
            Panel::Groups => {
                self.csa(drawing, [16.0, 12.0, ROOM]);
                self.hca(drawing, [16.0, 660.0, ROOM]);
            }
            Panel::Check => self.check(drawing, [16.0, 12.0, ROOM, 930.0]),
            Panel::Growth => self.growth(drawing, [16.0, 12.0, ROOM, 900.0]),
        });
        drawing
    }

    /// All panels, one of them in view: a curtain covers the change from one to the next.
    fn in_turn(
        &self,
        drawing: &mut Drawing,
        moment: Moment,
        panel: impl Fn(Step) -> Panel,
        draw: impl Fn(Panel, &mut Drawing),
    ) {
        let of = |step: usize| Step::ALL.get(step).copied().map_or(Panel::Growth, &panel);
        let (now, before) = (of(moment.step), of(moment.step.saturating_sub(1)));
        let turned = (moment.t / TURN * 2.0).clamp(0.0, 2.0);
        let curtain = Curtain { down: ease(turned.min(1.0)), up: ease((turned - 1.0).max(0.0)) };
        let mut drawn: Vec<Panel> = Vec::with_capacity(4);
        for own in Step::ALL.into_iter().map(&panel) {
            if drawn.contains(&own) {
                continue;
            }
            drawn.push(own);
            let opacity = match (own == now, own == before) {
                (true, true) => 1.0,
                (true, false) => curtain.after(),
                (false, true) => curtain.before(),
                (false, false) => 0.0,
            };
            let first = drawing.marks.len();
            draw(own, drawing);
            fade(drawing.marks.get_mut(first..).unwrap_or_default(), opacity);
            if opacity == 0.0 {
                for mark in drawing.marks.iter_mut().skip(first) {
                    mark.figure = None;
                }
            }
        }
        let left = self.pick(590.0, 0.0);
        let area = [left, 0.0, drawing.width - left, self.pick(804.0, NARROW.1 - 34.0)];
        let down = if now == before { 0.0 } else { curtain.down * (1.0 - curtain.up) };
        drawing.rect(area, 0.0, Fill::Solid(Paint::Card)).faded(down);
    }

    fn caption(&self, drawing: &mut Drawing, text: &str) {
        const BAND: [f64; 4] = [16.0, 812.0, 1568.0, 72.0];
        if self.narrow() {
            let set = Type::new(28.0, Paint::Ink).bold();
            let (size, wrapped) =
                lines::fit(text, true, stage::NARROW_WIDTH - 32.0, 4, &[set.size, 26.0, 24.0]);
            lines::draw(drawing, (16.0, NARROW.1), &wrapped, 4, Type { size, ..set });
            return;
        }
        drawing.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        let (size, wrapped) = lines::fit(text, true, BAND[2] - 48.0, 2, &[24.0, 22.0, 20.0]);
        let first = BAND[1] + if wrapped.len() > 1 { 30.0 } else { 44.0 };
        let set = Type::new(size, Paint::Ink).bold();
        lines::draw(drawing, (BAND[0] + 24.0, first), &wrapped, 2, set);
    }

    /// The ring with its slots, the newest strongest; the slot that goes next is marked outside.
    fn ring(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let scene = self.scene;
        let middle = x + width / 2.0;
        let centred = |set: Type| set.anchored(Anchor::Middle);
        let title = self.tell(words::RING, &[]);
        let large = self.pick(23.0, 29.0);
        drawing.text((middle, y + large), title, centred(Type::new(large, Paint::Ink).bold()));
        let outer = self.pick(196.0, 200.0);
        let centre = (middle, y + large + 32.0 + outer);
        self.segments(drawing, centre, outer);
        let small = self.small(Paint::Mute);
        let (window, up) = (scene.window, small.size * 0.36);
        for quarter in 0..4 {
            let (sin, cos) = turn(f64::from(quarter) / 4.0);
            let reach = outer - self.pick(56.0, 66.0);
            let at = (centre.0 + reach * sin, centre.1 - reach * cos + up);
            drawing.text(at, format::count((window * quarter as u64 / 4) as f64), centred(small));
        }
        let line = small.size * lines::LEADING;
        drawing.text((centre.0, centre.1 - line), self.look.say(words::POSITION), centred(small));
        let big = Type::new(self.pick(36.0, 42.0), Paint::Ink).bold();
        drawing.text((centre.0, centre.1 + big.size * 0.36), place(scene.position), centred(big));
        drawing.text((centre.0, centre.1 + line * 1.7), self.tell(words::SLOT, &[]), centred(small));
        let next = scene.tokens() % window;
        let out = scene.tokens().checked_sub(window);
        let named = [("next", format::count(next as f64)), ("out", out.map_or_else(String::new, place))];
        let template = if out.is_some() { words::NEXT } else { words::NEXT_FREE };
        let (r, base) = (small.size * 0.42, centre.1 + outer + self.pick(46.0, 54.0));
        let notes = [(self.tell(words::HERE, &[]), 1.0), (self.tell(template, &named), self.progress.next)];
        for (index, (note, opacity)) in notes.into_iter().enumerate() {
            let y = base + index as f64 * line;
            let left = x + self.pick(70.0, 40.0);
            let mark = drawing.push(Shape::Circle { x: left, y: y - up, r }, Fill::Solid(Paint::Token));
            if index > 0 {
                mark.fill = Fill::Empty;
            }
            mark.stroked(Paint::Token, 3.0).faded(opacity);
            let room = width - (left - x) - 20.0;
            self.sentence(drawing, (left + 20.0, y), &note, self.small(Paint::Ink), (room, 1), opacity);
        }
    }

    fn segments(&self, drawing: &mut Drawing, centre: (f64, f64), outer: f64) {
        let scene = self.scene;
        let each = scene.window.div_ceil(MOST_SEGMENTS);
        let count = scene.window.div_ceil(each);
        let inner = outer - self.pick(30.0, 34.0);
        let at = |radius: f64, turned: f64| {
            let (sin, cos) = turn(turned);
            (centre.0 + radius * sin, centre.1 - radius * cos)
        };
        let window = scene.seen(AttentionKind::Window).window;
        let used = (window.end - window.start) as f64;
        for segment in 0..count {
            let (from, to) = (segment as f64 / count as f64, (segment as f64 + 0.72) / count as f64);
            let points = vec![at(inner, from), at(outer, from), at(outer, to), at(inner, to)];
            let held = scene.held_by(segment * each);
            // Filled in the order in which the rows came.
            let come = held.map(|held| (held - window.start) as f64);
            let there = come.is_some_and(|come| come < (self.progress.filled * used).round());
            let own = scene.position % scene.window / each == segment;
            let (paint, opacity) = match come {
                _ if !there => (Paint::Sunk, 1.0),
                _ if own => (Paint::Token, 1.0),
                Some(come) => (Paint::Cache, 0.25 + 0.75 * come / used),
                None => (Paint::Sunk, 1.0),
            };
            drawing.push(Shape::Path { points, closed: true }, Fill::Solid(paint)).faded(opacity);
        }
        let next = (scene.tokens() % scene.window / each) as f64;
        let (x, y) = at(outer + 14.0, (next + 0.36) / count as f64);
        drawing
            .push(Shape::Circle { x, y, r: 7.0 }, Fill::Empty)
            .stroked(Paint::Token, 3.0)
            .faded(self.progress.next);
    }
}

/// Sine and cosine of a part of a full turn.
fn turn(part: f64) -> (f64, f64) {
    libm::sincos(part * core::f64::consts::TAU)
}
