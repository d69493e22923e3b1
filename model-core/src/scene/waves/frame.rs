//! The picture of "waves" at a moment: three runs on one time axis, speed-up and links beside them.

use super::gantt::{CALM, Gantt, WAITING};
use super::{Event, Step, Waves, words};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type, legend};
use crate::format;
use crate::scene::exercise::Exercise;
use crate::scene::parts::fade;
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, Text, lines, stage};
use crate::units::Seconds;
use crate::words::{Words as Common, fill};

/// Width of a narrow stage and the baseline of its caption.
const NARROW: (f64, f64) = (stage::NARROW_WIDTH, 1044.0);

/// How far each thing has come.
#[derive(Default)]
pub(super) struct Progress {
    play: [f64; 3],
    wait: [f64; 2],
    pub(super) tried: Vec<f64>,
    pub(super) weighed: Vec<f64>,
}

impl Progress {
    fn at(scene: &Waves, moment: Moment) -> Self {
        let tried = scene.curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
        let mut progress =
            Self { tried: vec![0.0; tried], weighed: vec![0.0; scene.links.len()], ..Self::default() };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in scene.events(step) {
                let place = match timed.event {
                    Event::Play { run } => progress.play.get_mut(run),
                    Event::Wait { run } => progress.wait.get_mut(run),
                    Event::Try { index } => progress.tried.get_mut(index),
                    Event::Weigh { row } => progress.weighed.get_mut(row),
                };
                if let Some(place) = place {
                    // A run keeps to its own time: nothing in it is hurried.
                    let plays = matches!(timed.event, Event::Play { .. });
                    *place = if plays { t } else { timed.progress(t) };
                }
            }
        }
        progress
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Waves,
    pub(super) look: Look,
    pub(super) progress: Progress,
    values: Vec<(&'static str, String)>,
}

impl Scene for Waves {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Links);
        let stage =
            Stage { scene: self, look, progress: Progress::at(self, moment), values: values(self, look) };
        let caption = stage.caption(step);
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

/// Everything the sentences speak of.
fn values(scene: &Waves, look: Look) -> Vec<(&'static str, String)> {
    let time = |seconds: f64| format::seconds(Seconds(seconds)).to_string();
    let [serial, waved, slowed] = &scene.runs;
    let [prefill, decode] = &scene.curves;
    let (best, best_gain) = prefill.best();
    let own = scene.own().map_or(f64::NAN, |(own, _)| own.round());
    vec![
        ("serial", time(serial.end_s)),
        ("waved", time(waved.end_s)),
        ("slowed", time(slowed.end_s)),
        ("wait0", time(serial.idle_mean_s())),
        ("wait1", time(waved.idle_mean_s())),
        ("wait2", time(slowed.idle_mean_s())),
        ("gain", format::count(round(scene.gain()))),
        ("best", best.to_string()),
        ("best_gain", format::count(round(best_gain))),
        ("small_gain", format::count(round(decode.best().1))),
        ("alpha", time(scene.alpha_s)),
        ("waves", scene.waves.to_string()),
        ("gpu", format!("{} {}", Common::of(look.language).gpu, scene.slow)),
        ("own", format::count(own)),
        ("limit", format::count(scene.threshold)),
        ("plan", format::count(f64::from(scene.plan_ranks))),
        ("ranks", format::count(f64::from(scene.routed.ranks))),
    ]
}

/// Two decimals.
fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

impl Stage<'_> {
    /// A sentence with the scene's values and further ones.
    pub(super) fn tell(&self, text: Text, more: &[(&str, String)]) -> String {
        fill(&fill(self.look.say(text), more), &self.values)
    }

    fn caption(&self, step: Step) -> String {
        let [hidden, exposed, nothing] = words::CLOSING;
        let text = match (step, self.scene.own()) {
            (Step::Links, None) => nothing,
            (Step::Links, Some((_, true))) => hidden,
            (Step::Links, Some((_, false))) => exposed,
            (Step::Slow, _) if !self.scene.slow_shows() => words::SLOW_HIDDEN,
            _ => words::caption(step),
        };
        self.tell(text, &[])
    }

    /// A card with a heading.
    pub(super) fn panel(
        &self,
        drawing: &mut Drawing,
        [x, y, width, height]: [f64; 4],
        title: Text,
        size: f64,
    ) {
        drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
        let sizes = [size * 1.15, size * 1.08, size];
        let (size, _) = lines::fit(self.look.say(title), true, width - 40.0, 1, &sizes);
        drawing.text((x + 20.0, y + size * 1.6), self.look.say(title), Type::new(size, Paint::Ink).bold());
    }

    /// What the widest run takes is the width of all.
    fn scale_s(&self) -> f64 {
        self.scene.runs.iter().map(|run| run.end_s).fold(1e-12, f64::max)
    }

    /// One run in a card: heading, what it took, and its rows.
    fn run(
        &self,
        drawing: &mut Drawing,
        index: usize,
        [x, y, width, height]: [f64; 4],
        size: f64,
        tall: bool,
    ) {
        let (Some(run), Some(title)) = (self.scene.runs.get(index), words::RUNS.get(index)) else { return };
        let shown = self.progress.play.get(index).copied().unwrap_or(0.0);
        let waits = match index {
            2 => self.progress.wait[1],
            _ => self.progress.wait.get(index).copied().unwrap_or(0.0),
        };
        drawing.rect([x, y, width, height], 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
        let values = [
            ("end", format::seconds(Seconds(run.end_s)).to_string()),
            ("wait", format::seconds(Seconds(run.idle_mean_s())).to_string()),
        ];
        let took = self.tell(words::TOOK, &values);
        let done = if shown >= 1.0 { 1.0 } else { 0.0 };
        let set = Type::new(size, Paint::Ink).bold();
        let room = width - 40.0 - if tall { 0.0 } else { text_width(&took, size, true) + 24.0 };
        let title = self.tell(*title, &[]);
        let (large, _) = lines::fit(&title, true, room, 1, &[size * 1.1, size * 1.05, size]);
        let paint = if shown > 0.0 { Paint::Ink } else { Paint::Mute };
        let head = y + size * 1.5;
        drawing.text((x + 20.0, head), title, Type::new(large, paint).bold());
        let at = if tall { (x + 20.0, head + size * 1.35) } else { (x + width - 20.0, head) };
        let set = if tall { set } else { set.anchored(Anchor::End) };
        drawing.text(at, took, set).faded(done);
        let small = if tall { 24.0 } else { 18.0 };
        let strip = head + size * if tall { 2.6 } else { 1.25 };
        let left = x + if tall { 60.0 } else { 88.0 };
        let top = strip + small * 0.35;
        let gantt = Gantt {
            area: [left, top, x + width - 20.0 - left, y + height - 10.0 - top],
            scale_s: self.scale_s(),
            ranks: run.idle_s.len(),
            shown,
            waits,
            // A phone has room for the number alone.
            name: if tall { "" } else { "GPU " },
            size: small,
        };
        gantt.draw(drawing, &run.spans, run.end_s);
        gantt.numbers(drawing, &run.spans, run.end_s, strip);
        // Where the one wave ended, for the others to be held against.
        let serial = self.scene.runs.first().map_or(0.0, |run| run.end_s);
        let seen = if index > 0 && serial > 0.0 { 1.0 } else { 0.0 };
        let end = gantt.x(serial);
        let [_, top, _, high] = gantt.area;
        drawing.line((end, top - 2.0), (end, top + high + 2.0), Paint::Mute, 1.5).dashed().faded(seen);
    }

    fn wide(&self, caption: &str) -> Drawing {
        const LEFT: f64 = 1016.0;
        const RIGHT: [f64; 2] = [1040.0, 544.0];
        const BAND: [f64; 4] = [16.0, 808.0, 1568.0, 76.0];
        let mut drawing = stage::blank(Layout::Wide);
        for index in 0..3 {
            self.run(
                &mut drawing,
                index,
                [16.0, 16.0 + 248.0 * index as f64, LEFT - 16.0, 240.0],
                20.0,
                false,
            );
        }
        self.speed(&mut drawing, [RIGHT[0], 16.0, RIGHT[1], 340.0], 18.0);
        self.links(&mut drawing, [RIGHT[0], 364.0, RIGHT[1], 388.0], 18.0);
        self.legend(&mut drawing, [16.0, 782.0, 1568.0], 18.0);
        drawing.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        let (size, wrapped) = lines::fit(caption, true, BAND[2] - 48.0, 2, &[24.0, 22.0, 20.0]);
        let first = BAND[1] + if wrapped.len() > 1 { 32.0 } else { 46.0 };
        let set = Type::new(size, Paint::Ink).bold();
        lines::draw(&mut drawing, (BAND[0] + 24.0, first), &wrapped, 2, set);
        drawing
    }

    /// For a phone: the first two runs, and under them what the step is about.
    fn narrow(&self, step: Step, caption: &str) -> Drawing {
        const ROOM: f64 = NARROW.0 - 32.0;
        let mut drawing = Drawing::new(NARROW.0, 1328.0);
        for index in 0..2 {
            self.run(&mut drawing, index, [16.0, 12.0 + 276.0 * index as f64, ROOM, 268.0], 26.0, true);
        }
        let lower = [16.0, 564.0, ROOM, 436.0];
        for panel in [Step::Wait, Step::Slow, Step::Count, Step::Links] {
            let now = match step {
                Step::Serial | Step::Waves | Step::Wait => panel == Step::Wait,
                _ => panel == step,
            };
            let first = drawing.marks.len();
            match panel {
                Step::Slow => self.run(&mut drawing, 2, lower, 26.0, true),
                Step::Count => self.speed(&mut drawing, lower, 24.0),
                Step::Links => self.links(&mut drawing, lower, 24.0),
                _ => self.shares(&mut drawing, lower, 24.0),
            }
            let marks = drawing.marks.get_mut(first..).unwrap_or_default();
            if !now {
                fade(marks, 0.0);
                for mark in marks {
                    mark.figure = None;
                }
            }
        }
        let (size, wrapped) = lines::fit(caption, true, ROOM, 4, &[28.0, 26.0, 24.0]);
        let set = Type::new(size, Paint::Ink).bold();
        lines::draw(&mut drawing, (16.0, NARROW.1), &wrapped, 4, set);
        self.legend(&mut drawing, [16.0, 1184.0, ROOM], 24.0);
        drawing
    }

    /// How an average GPU spends a run: computing or waiting.
    fn shares(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4], size: f64) {
        self.panel(drawing, [x, y, width, height], words::SHARES, size);
        let pitch = (height - size * 3.0) / 2.0;
        for (index, run) in self.scene.runs.iter().take(2).enumerate() {
            let top = y + size * 2.6 + index as f64 * pitch;
            let seen = self.progress.play.get(index).copied().unwrap_or(0.0);
            let marked = self.progress.wait.get(index).copied().unwrap_or(0.0);
            let room = width - 40.0;
            let idle_s = run.idle_mean_s();
            let values = [
                ("count", if index == 0 { 1 } else { self.scene.waves }.to_string()),
                ("work", format::seconds(Seconds(run.end_s - idle_s)).to_string()),
                ("wait", format::seconds(Seconds(idle_s)).to_string()),
            ];
            let text = self.tell(words::SHARE, &values);
            let done = if seen >= 1.0 { 1.0 } else { 0.0 };
            drawing.text((x + 20.0, top + size * 1.1), text, Type::new(size, Paint::Ink)).faded(done);
            let scale = room / self.scale_s() * seen;
            let work = (run.end_s - idle_s) * scale;
            let bar = [x + 20.0, top + size * 1.7, work, size * 2.6];
            drawing.rect(bar, 4.0, Fill::Solid(Paint::Compute));
            drawing.rect([bar[0] + work, bar[1], idle_s * scale, bar[3]], 4.0, WAITING).faded(marked * CALM);
            let (left, right) = (bar[0] + work, bar[0] + work + idle_s * scale);
            let frame = [left, bar[1], right - left, bar[3]];
            drawing.rect(frame, 4.0, Fill::Empty).stroked(Paint::Mute, 1.5);
        }
    }

    fn legend(&self, drawing: &mut Drawing, place: [f64; 3], size: f64) {
        let fills =
            [Fill::Solid(Paint::Comm), Fill::Solid(Paint::Token), Fill::Solid(Paint::Compute), WAITING];
        let mut entries: Vec<_> =
            fills.into_iter().zip(words::LEGEND).map(|(fill, text)| (fill, self.tell(text, &[]))).collect();
        // Notes have no sample: theirs is left unseen.
        let unseen = Fill::Solid(Paint::Paper);
        let note = self.scene.routed.note(Common::of(self.look.language));
        let capped = self.scene.plan_ranks > self.scene.routed.ranks;
        // Two notes leave no room for the lanes in one row.
        if self.look.layout == Layout::Wide && !(capped && note.is_some()) {
            entries.push((unseen, self.tell(words::LANES, &[])));
        }
        entries.extend(note.map(|note| (unseen, note)));
        entries.extend(capped.then(|| (unseen, self.tell(words::CAPPED, &[]))));
        let first = drawing.marks.len();
        legend::draw(drawing, place, size, &entries);
        for mark in drawing.marks.iter_mut().skip(first) {
            match mark.fill {
                fill if fill == unseen => mark.faded(0.0),
                WAITING => mark.faded(CALM),
                _ => mark,
            };
        }
    }
}
