//! The workbench as pictures: bars of each stage before and after bending, and bars of what each doubling saves. What binds
//! is said beside each bar, so that no colour is needed to tell it.

use super::model::{Resource, StageTime, Step};
use super::sensitivity::{Gain, Sensitivity};
use super::{Bench, words};
use crate::chart::{Size, excuse, framed};
use crate::draw::legend;
use crate::draw::metrics::text_width;
use crate::draw::{Drawing, Fill, Paint, Type};
use crate::format::{ByteBase, Digits, Shown};
use crate::scene::{Layout, Look};
use crate::units::Seconds;
use crate::words::fill;

/// Height of a bar, and what lies between the bars of a row and between rows, in heights of the text.
const BAR: f64 = 0.95;
const BETWEEN: f64 = 0.55;
const GAP: f64 = 0.9;

/// How a resource is filled.
pub(super) const fn fill_of(resource: Resource) -> Fill {
    match resource {
        Resource::Hbm => Fill::Solid(Paint::Weight),
        Resource::Noc => Fill::Dotted(Paint::Weight),
        Resource::Compute => Fill::Solid(Paint::Compute),
        Resource::Link => Fill::Solid(Paint::Comm),
        Resource::Power => Fill::Hatched(Paint::Token),
        Resource::Fixed => Fill::Solid(Paint::Mute),
    }
}

pub(super) fn legend_of(bench: &Bench, look: Look) -> Vec<legend::Entry> {
    let binds = |resource: &Resource| {
        let of = |step: &Step| {
            let stage = step.stages.iter().any(|stage| stage.bound == *resource && stage.taken.get() > 0.0);
            stage || *resource == Resource::Fixed && step.rest().get() > 0.0
        };
        of(&bench.before) || of(&bench.after)
    };
    Resource::ALL.into_iter().filter(binds).map(|resource| entry(resource, look)).collect()
}

fn entry(resource: Resource, look: Look) -> legend::Entry {
    (fill_of(resource), look.say(words::resource(resource)).to_owned())
}

/// A stretch of a bar: how long, and how it is filled.
type Stretch = (f64, Fill);

/// One bar with what stands behind it.
struct Bar {
    stretches: Vec<Stretch>,
    /// Only outlined: as it was.
    hollow: bool,
    said: String,
}

impl Bar {
    fn length(&self) -> f64 {
        self.stretches.iter().map(|(length, _)| length).sum()
    }
}

/// A row of bars under one name.
struct Bars {
    name: String,
    bars: Vec<Bar>,
    /// Set apart from the rows above.
    total: bool,
}

/// Sets rows one under the other; gives back the drawing, as high as they need.
fn set(rows: &[Bars], look: Look) -> Drawing {
    let Size { width, text, .. } = Size::of(look.layout);
    let wide = look.layout == Layout::Wide;
    let name_size = |row: &Bars| text_width(&row.name, text, row.total);
    let left = if wide { rows.iter().map(name_size).fold(0.0, f64::max) + text } else { 0.0 };
    let all = || rows.iter().flat_map(|row| &row.bars);
    let longest = all().map(Bar::length).fold(0.0, f64::max);
    let said = all().map(|bar| text_width(&bar.said, text, false)).fold(0.0, f64::max);
    let room = (width - left - said - text * 0.8).max(text);
    let scale = if longest > 0.0 { room / longest } else { 0.0 };
    let mut drawing = Drawing::new(width, 0.0);
    let mut y = text * 0.4;
    for row in rows {
        if row.total {
            drawing.line((1.0, y), (width - 1.0, y), Paint::Line, 1.0);
            y += text * GAP * 0.7;
        }
        let high = row.bars.len() as f64 * text * (BAR + BETWEEN) - text * BETWEEN;
        let name = if row.total { Type::new(text, Paint::Ink).bold() } else { Type::new(text, Paint::Ink) };
        if wide {
            drawing.text((0.0, y + high / 2.0 + text * 0.36), row.name.clone(), name);
        } else {
            drawing.text((0.0, y + text * 0.9), row.name.clone(), name);
            y += text * 1.4;
        }
        for bar in &row.bars {
            let end = put(&mut drawing, bar, [left, y, scale], text);
            let paint = if bar.hollow { Paint::Mute } else { Paint::Ink };
            let at = (end + text * 0.5, y + text * (BAR / 2.0 + 0.36));
            drawing.text(at, bar.said.clone(), Type::new(text, paint));
            y += text * (BAR + BETWEEN);
        }
        y += text * (GAP - BETWEEN);
    }
    drawing.height = y.max(text);
    drawing
}

/// Draws one bar; gives back where it ends.
fn put(drawing: &mut Drawing, bar: &Bar, [left, y, scale]: [f64; 3], text: f64) -> f64 {
    /// A line that a bar of next to nothing still shows.
    const LEAST: f64 = 1.5;
    const OUTLINE: f64 = 1.5;
    let high = text * BAR;
    let mut x = left;
    for (index, (length, filled)) in bar.stretches.iter().enumerate() {
        let wide = length * scale;
        let edge = filled.paint().unwrap_or(Paint::Mute);
        let shown = if index == 0 { wide.max(LEAST) } else { wide };
        if bar.hollow && shown <= 2.0 * OUTLINE {
            drawing.rect([x, y, shown, high], 0.0, Fill::Solid(edge));
        } else if bar.hollow {
            let half = OUTLINE / 2.0;
            let inner = [x + half, y + half, (shown - OUTLINE).max(0.0), high - OUTLINE];
            let mark = drawing.rect(inner, 2.0, Fill::Empty);
            mark.stroked(edge, OUTLINE);
        } else {
            drawing.rect([x, y, shown, high], 2.0, *filled);
        }
        if index > 0 && !bar.hollow && wide > 2.0 * LEAST {
            drawing.line((x, y), (x, y + high), Paint::Card, LEAST);
        }
        x += shown;
    }
    x
}

/// Times in one unit, so that bars can be compared by their numbers.
fn millis(time: Seconds) -> String {
    Digits::Millis(2).show(Some(time.get()), ByteBase::Decimal).to_string()
}

impl Step {
    /// The whole step in the unit of the pictures.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Digits::Millis(2).show(Some(self.total.get()), ByteBase::Decimal)
    }
}

impl Bench {
    /// Bars of each stage and of the step, as it was in outline and as it is filled.
    #[must_use]
    pub fn draw(&self, look: Look) -> Drawing {
        let mut drawing = match self.reason {
            Some(reason) => excused(look.say(reason), look),
            None => set(&self.bars(look), look),
        };
        look.say(words::TITLE).clone_into(&mut drawing.title);
        drawing.description = self.description(look);
        drawing
    }

    /// The same with title and legend, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, look: Look) -> Drawing {
        framed(self.draw(look), Size::of(look.layout).text, &self.legend(look))
    }

    fn bars(&self, look: Look) -> Vec<Bars> {
        let pair = |[before, after]: [(Seconds, Resource); 2], named: bool| {
            let bar = |(time, resource): (Seconds, Resource), hollow: bool, side| {
                let bound = if named && time.get() > 0.0 {
                    format!(" · {}", look.say(words::resource(resource)))
                } else {
                    String::new()
                };
                let said = format!("{} {}{bound}", look.say(side), millis(time));
                Bar { stretches: vec![(time.get(), fill_of(resource))], hollow, said }
            };
            vec![bar(before, true, words::BEFORE), bar(after, false, words::AFTER)]
        };
        let mut rows: Vec<Bars> = Vec::new();
        for (before, after) in self.before.stages.iter().zip(&self.after.stages) {
            if before.taken.get() <= 0.0 && after.taken.get() <= 0.0 {
                continue;
            }
            let (name, _) = words::part(Some(before.part));
            let bars = pair([(before.taken, before.bound), (after.taken, after.bound)], true);
            rows.push(Bars { name: look.say(name).to_owned(), bars, total: false });
        }
        let rests = [self.before.rest(), self.after.rest()];
        if rests.iter().any(|rest| rest.get() > 0.0) {
            let bars = pair(rests.map(|rest| (rest, Resource::Fixed)), false);
            rows.push(Bars { name: look.say(words::REST).to_owned(), bars, total: false });
        }
        let whole = |step: &Step, hollow: bool, side, more: &str| {
            let stages = step.stages.iter().map(|stage| (stage.taken.get(), fill_of(stage.bound)));
            let rest = [(step.rest().get(), fill_of(Resource::Fixed))];
            let stretches = stages.chain(rest).filter(|(length, _)| *length > 0.0).collect();
            Bar { stretches, hollow, said: format!("{} {}{more}", look.say(side), millis(step.total)) }
        };
        let times = format!(" · {}", self.times());
        let mut before = whole(&self.before, true, words::BEFORE, "");
        before.stretches = vec![(self.before.total.get(), Fill::Empty)];
        let after = whole(&self.after, false, words::AFTER, &times);
        rows.push(Bars { name: look.say(words::STEP).to_owned(), bars: vec![before, after], total: true });
        rows
    }

    /// What the comparison says.
    #[must_use]
    pub fn description(&self, look: Look) -> String {
        if let Some(reason) = self.reason {
            return look.say(reason).to_owned();
        }
        let moved = match self.moved() {
            None => look.say(words::DESCRIPTION_SAME).to_owned(),
            Some(moved) => {
                let [was, is] = moved.bound.map(|one| look.say(words::resource(one)).to_owned());
                let values = [
                    ("part", look.say(words::part(moved.part).0).to_owned()),
                    ("before", millis(moved.before)),
                    ("after", millis(moved.after)),
                    ("bound_before", was),
                    ("bound_after", is),
                ];
                fill(look.say(words::DESCRIPTION_MOVED), &values)
            }
        };
        let values = [
            ("before", millis(self.before.total)),
            ("after", millis(self.after.total)),
            ("times", format!("{:.2}", self.speedup())),
            ("moved", moved),
        ];
        let mut told = fill(look.say(words::DESCRIPTION), &values);
        if let Some(note) = self.note(look) {
            told.push_str(look.say(words::BETWEEN_SENTENCES));
            told.push_str(note);
        }
        told
    }

    /// How many times as fast the step has become, as readers see it.
    #[must_use]
    pub fn times(&self) -> String {
        format!("{:.2}×", self.speedup())
    }

    /// How many times as many tokens are served, as readers see it.
    #[must_use]
    pub fn times_served(&self) -> String {
        format!("{:.2}×", self.served())
    }

    /// What binds now: the stage that takes longest, and every stage that is bound by another resource than before.
    #[must_use]
    pub fn binding(&self, look: Look) -> Vec<String> {
        let name = |stage: &StageTime| look.say(words::part(Some(stage.part)).0).to_owned();
        let bound = |stage: &StageTime| look.say(words::resource(stage.bound)).to_owned();
        let longest = self.longest().map(|stage| {
            let values = [("part", name(stage)), ("time", millis(stage.taken)), ("bound", bound(stage))];
            fill(look.say(words::LONGEST), &values)
        });
        let moved = self.rebound().map(|(before, after)| {
            let values = [("part", name(after)), ("before", bound(before)), ("after", bound(after))];
            fill(look.say(words::REBOUND), &values)
        });
        longest.into_iter().chain(moved).collect()
    }

    /// Why there is nothing to compare, in words.
    #[must_use]
    pub fn excuse(&self, look: Look) -> Option<&'static str> {
        self.reason.map(|reason| look.say(reason))
    }

    /// What the step rests on where no latency is known for the GPU.
    #[must_use]
    pub fn note(&self, look: Look) -> Option<&'static str> {
        let guessed = self.reason.is_none() && !self.after.latency_known;
        guessed.then(|| look.say(words::LATENCY_GUESSED))
    }
}

impl Sensitivity {
    /// Bars of what each doubling saves.
    #[must_use]
    pub fn draw(&self, look: Look) -> Drawing {
        let row = |gain: &Gain| Bars {
            name: look.say(gain.name).to_owned(),
            bars: vec![Bar {
                stretches: vec![(gain.gain.get().max(0.0), fill_of(resource_of(gain.code)))],
                hollow: false,
                said: if gain.gain.get() > 0.0 {
                    format!("−{} · {:.2}×", millis(gain.gain), gain.speedup)
                } else {
                    look.say(words::NOTHING).to_owned()
                },
            }],
            total: false,
        };
        let rows: Vec<Bars> = self.gains.iter().map(row).collect();
        let mut drawing = match self.reason {
            Some(reason) => excused(look.say(reason), look),
            None => set(&rows, look),
        };
        look.say(words::TORNADO_TITLE).clone_into(&mut drawing.title);
        drawing.description = self.description(look);
        drawing
    }

    /// The same with its title, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, look: Look) -> Drawing {
        framed(self.draw(look), Size::of(look.layout).text, &self.legend(look))
    }

    /// Fills of what is doubled.
    #[must_use]
    pub fn legend(&self, look: Look) -> Vec<legend::Entry> {
        let there = |resource: &Resource| self.gains.iter().any(|gain| resource_of(gain.code) == *resource);
        Resource::ALL.into_iter().filter(there).map(|resource| entry(resource, look)).collect()
    }

    /// What it says.
    #[must_use]
    pub fn description(&self, look: Look) -> String {
        if let Some(reason) = self.reason {
            return look.say(reason).to_owned();
        }
        let Some(first) = self.gains.first() else { return String::new() };
        let values = [
            ("step", millis(self.step)),
            ("name", look.say(first.name).to_owned()),
            ("gain", millis(first.gain)),
        ];
        fill(look.say(words::TORNADO_DESCRIPTION), &values)
    }

    /// Why links save nothing, where that is so by bookkeeping alone.
    #[must_use]
    pub const fn note(&self, look: Look) -> Option<&'static str> {
        if self.links_count { None } else { Some(look.say(words::LINKS_IDLE)) }
    }
}

/// The resource that a doubling is of.
fn resource_of(code: &str) -> Resource {
    match code {
        "hbm" => Resource::Hbm,
        "noc" => Resource::Noc,
        "compute" => Resource::Compute,
        "fixed" => Resource::Fixed,
        _ => Resource::Link,
    }
}

/// Why there is nothing to draw.
fn excused(reason: &str, look: Look) -> Drawing {
    let size = Size::of(look.layout);
    let mut drawing = Drawing::new(size.width, size.height);
    excuse(&mut drawing, reason, size);
    drawing
}
