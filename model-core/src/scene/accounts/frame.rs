//! The picture of "accounts" at a moment: roofline and tail on the left, path, overlap and clocks on the right.

use super::{Accounts, Event, Step, words};
use crate::draw::{Drawing, Fill, Paint, Type};
use crate::figure::Unit;
use crate::format;
use crate::ledger::StepPart;
use crate::scene::exercise::{Exercise, given};
use crate::scene::parts::fade;
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, Text, lines, stage};
use crate::simulate::critical_path::Part;
use crate::words::fill;

/// Size of a narrow stage and the baseline of its caption.
const NARROW: [f64; 3] = [stage::NARROW_WIDTH, 1064.0, 896.0];

/// How far each thing has come.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) decode: f64,
    pub(super) prefill: f64,
    pub(super) laid: [f64; 4],
    pub(super) own: f64,
    pub(super) tried: [f64; 5],
    pub(super) overlap: f64,
    pub(super) clocks: f64,
    pub(super) sorted: f64,
    pub(super) told: [f64; 3],
}

impl Progress {
    fn at(scene: &Accounts, moment: Moment) -> Self {
        let mut progress = Self::default();
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in scene.events(step) {
                // What stands for time goes by evenly.
                let plays = matches!(timed.event, Event::Overlap | Event::Clocks);
                if let Some(place) = progress.place_of(timed.event) {
                    *place = if plays { t } else { timed.progress(t) };
                }
            }
        }
        progress
    }

    fn place_of(&mut self, event: Event) -> Option<&mut f64> {
        match event {
            Event::Decode => Some(&mut self.decode),
            Event::Prefill => Some(&mut self.prefill),
            Event::Lay { part } => self.laid.get_mut(part),
            Event::Own => Some(&mut self.own),
            Event::Try { change } => self.tried.get_mut(change),
            Event::Overlap => Some(&mut self.overlap),
            Event::Clocks => Some(&mut self.clocks),
            Event::Sort => Some(&mut self.sorted),
            Event::Tell { share } => self.told.get_mut(share),
        }
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Accounts,
    pub(super) look: Look,
    pub(super) progress: Progress,
    values: Vec<(&'static str, String)>,
}

impl Scene for Accounts {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Tail);
        let stage =
            Stage { scene: self, look, progress: Progress::at(self, moment), values: values(self, look) };
        let text = match (step, self.tail.told_s()) {
            (Step::Tail, [p50, _, _]) if !p50.is_finite() => words::NO_TAIL,
            (Step::Tail, [p50, _, p99]) if p99 <= p50 => words::EVEN,
            _ => words::caption(step),
        };
        let caption = stage.tell(text, &[]);
        let mut drawing = match look.layout {
            Layout::Wide => stage.wide(&caption),
            Layout::Narrow => stage.narrow(step, &caption),
        };
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

/// A duration without zeros that say nothing.
pub(super) fn time(seconds: f64, look: Look) -> String {
    given(seconds, Unit::Seconds, look)
}

/// A ratio.
pub(super) fn times(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.2}×") } else { "—".to_owned() }
}

/// FLOPs a byte in as few digits as tell them apart.
pub(super) fn intensity(value: f64) -> String {
    format::count(if value < 100.0 { (value * 10.0).round() / 10.0 } else { value.round() })
}

/// Everything the sentences speak of.
fn values(scene: &Accounts, look: Look) -> Vec<(&'static str, String)> {
    let seconds = |seconds: f64| time(seconds, look);
    let experts = |prefill: bool| {
        let points = if prefill { &scene.stages.prefill } else { &scene.stages.decode };
        let found = points.iter().find(|point| point.part == StepPart::Moe);
        intensity(found.map_or(f64::NAN, crate::ledger::RoofPoint::intensity))
    };
    let best = scene.best();
    let [_, faster, ..] = scene.changes;
    let [p50, p95, p99] = scene.tail.told_s();
    let (overlap, clocks) = (scene.overlap, scene.clocks);
    let x = format::count(scene.speedup);
    let hidden = seconds(scene.hidden_s);
    let name = match best.part {
        None => look.say(words::HIDING),
        Some(part) => {
            let at = Part::ALL.iter().position(|other| *other == part).unwrap_or(0);
            words::FASTER.get(at).map_or("", |text| look.say(*text))
        }
    };
    vec![
        ("ridge", intensity(scene.roof.ridge())),
        ("moe", experts(false)),
        ("moe_prefill", experts(true)),
        ("peak", format::percent(scene.share_of_peak(false))),
        ("total", seconds(scene.parts.total_s())),
        ("attention", seconds(scene.parts.attention_s)),
        ("experts", seconds(scene.parts.experts_s)),
        ("exposed", seconds(scene.parts.exposed_s)),
        ("cpu", seconds(scene.parts.cpu_s)),
        ("expert_gain", times(faster.gain)),
        ("best", fill(name, &[("x", x.clone()), ("h", hidden.clone())])),
        ("best_total", seconds(best.parts.total_s())),
        ("best_gain", times(best.gain)),
        ("beside", seconds(overlap.summed_s - overlap.passed_s)),
        ("summed", seconds(overlap.summed_s)),
        ("passed", seconds(overlap.passed_s)),
        ("returned", seconds(clocks.returned_s)),
        ("events", seconds(clocks.events_s)),
        ("synchronised", seconds(clocks.synchronised_s)),
        ("p50", seconds(p50)),
        ("p95", seconds(p95)),
        ("p99", seconds(p99)),
        ("draws", format::count(scene.tail.rising_s.len() as f64)),
        ("x", x),
        ("h", hidden),
    ]
}

impl Stage<'_> {
    /// A sentence with the scene's values and further ones.
    pub(super) fn tell(&self, text: Text, more: &[(&str, String)]) -> String {
        fill(&fill(self.look.say(text), more), &self.values)
    }

    /// A card with a heading; gives back the baseline under it.
    pub(super) fn panel(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        title: Text,
        size: f64,
    ) {
        drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
        let title = self.tell(title, &[]);
        let (size, _) = lines::fit(&title, true, width - 40.0, 1, &[size * 1.15, size * 1.08, size]);
        drawing.text((x + 20.0, y + size * 1.5), title, Type::new(size, Paint::Ink).bold());
    }

    fn wide(&self, caption: &str) -> Drawing {
        const LEFT: [f64; 2] = [16.0, 760.0];
        const RIGHT: [f64; 2] = [792.0, 792.0];
        const BAND: [f64; 4] = [16.0, 808.0, 1568.0, 76.0];
        let mut drawing = stage::blank(Layout::Wide);
        self.roof(&mut drawing, [LEFT[0], 16.0, LEFT[1], 432.0], 20.0, false);
        self.tail(&mut drawing, [LEFT[0], 456.0, LEFT[1], 336.0], 20.0);
        self.path(&mut drawing, [RIGHT[0], 16.0, RIGHT[1], 344.0], 20.0, false);
        self.overlap(&mut drawing, [RIGHT[0], 368.0, RIGHT[1], 168.0], 20.0);
        self.clocks(&mut drawing, [RIGHT[0], 544.0, RIGHT[1], 248.0], 20.0, false);
        drawing.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        let (size, wrapped) = lines::fit(caption, true, BAND[2] - 48.0, 2, &[24.0, 22.0, 20.0]);
        let first = BAND[1] + if wrapped.len() > 1 { 32.0 } else { 46.0 };
        let set = Type::new(size, Paint::Ink).bold();
        lines::draw(&mut drawing, (BAND[0] + 24.0, first), &wrapped, 2, set);
        drawing
    }

    /// For a phone: what the step is about.
    fn narrow(&self, step: Step, caption: &str) -> Drawing {
        const ROOM: f64 = NARROW[0] - 32.0;
        let mut drawing = Drawing::new(NARROW[0], NARROW[1]);
        let page = |step: Step| match step {
            Step::Roof => 0,
            Step::Path | Step::Change => 1,
            Step::Overlap | Step::Clocks => 2,
            Step::Tail => 3,
        };
        for index in 0..4 {
            let first = drawing.marks.len();
            match index {
                0 => self.roof(&mut drawing, [16.0, 12.0, ROOM, 832.0], 24.0, true),
                1 => self.path(&mut drawing, [16.0, 12.0, ROOM, 832.0], 24.0, true),
                2 => {
                    self.overlap(&mut drawing, [16.0, 12.0, ROOM, 268.0], 24.0);
                    self.clocks(&mut drawing, [16.0, 292.0, ROOM, 552.0], 24.0, true);
                }
                _ => self.tail(&mut drawing, [16.0, 12.0, ROOM, 832.0], 24.0),
            }
            let marks = drawing.marks.get_mut(first..).unwrap_or_default();
            if index != page(step) {
                fade(marks, 0.0);
                for mark in marks {
                    mark.figure = None;
                }
            }
        }
        let (size, wrapped) = lines::fit(caption, true, ROOM, 4, &[28.0, 26.0, 24.0]);
        let set = Type::new(size, Paint::Ink).bold();
        lines::draw(&mut drawing, (16.0, NARROW[2]), &wrapped, 4, set);
        drawing
    }
}
