//! The picture of "request" at a moment. Wide: all stages side by side over the parts of the machine, panels under them.
//! Narrow: the stages under one another with the part that each presses most, and one panel at a time.

use super::panels::{self, seconds_round};
use super::press::{Press, Resource, Stage as Part};
use super::sheet::{Group, Panel};
use super::words;
use super::{Requests, STAGES, Step};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type};
use crate::format;
use crate::ledger::pace::Basis;
use crate::scene::captioned::Captioned;
use crate::scene::exercise::Exercise;
use crate::scene::sheet::Sheet;
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, Text, stage};
use crate::units::{Bytes, Seconds};
use crate::words::fill;

/// What marks are drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Requests,
    pub(super) look: Look,
    values: Vec<(&'static str, String)>,
}

/// Left edge of the columns, their pitch; top of the rows, their pitch.
const COLUMNS: (f64, f64) = (160.0, 109.0);
const ROWS: (f64, f64) = (104.0, 40.0);
/// The band of the caption.
const BAND: [f64; 4] = [16.0, 400.0, 1568.0, 48.0];
/// Top and height of the panels, and their widths.
const PANELS: ([f64; 2], [f64; 5]) = ([464.0, 376.0], [288.0, 296.0, 264.0, 304.0, 352.0]);
const GAP: f64 = 16.0;
/// Narrow: top and pitch of the stages; the panel; the caption; the height.
const LIST: (f64, f64) = (52.0, 42.0);
const NARROW_PANEL: [f64; 4] = [16.0, 612.0, stage::NARROW_WIDTH - 32.0, 476.0];
const NARROW_CAPTION: f64 = 1132.0;
const NARROW_HEIGHT: f64 = 1392.0;

/// Ends of the scale of times, in seconds.
const SCALE: [f64; 2] = [1e-6, 10.0];

impl Scene for Requests {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let still = self.stills.of(look, || still(self, look));
        let mut happened = [0.0; Group::COUNT];
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in self.events(step) {
                if let Some(place) = happened.get_mut(Group::of(timed.event).0) {
                    *place = timed.progress(t);
                }
            }
        }
        let open = (look.layout == Layout::Narrow).then(|| panel_of(moment.step) as usize);
        let mut drawing = still.at(moment, &happened, open);
        look.say(words::TITLE).clone_into(&mut drawing.title);
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

/// The panel that is open on a narrow stage.
fn panel_of(step: usize) -> Panel {
    match Step::ALL.get(step) {
        Some(Step::Prefix) => Panel::Prefix,
        Some(Step::Pages) => Panel::Pages,
        Some(Step::Queue | Step::Prefill | Step::Decode) => Panel::First,
        Some(Step::Batch) => Panel::Batch,
        Some(Step::Run) | None => Panel::Run,
    }
}

/// All marks of a look.
fn still(scene: &Requests, look: Look) -> Captioned {
    let stage = Stage { scene, look, values: values(scene, look) };
    let mut sheet = if look.layout == Layout::Wide { stage.wide() } else { stage.tall() };
    sheet.group(Group::ALWAYS);
    let captions = Step::ALL.map(|step| stage.say(stage.caption(step)));
    Captioned::new(sheet, look, BAND, NARROW_CAPTION, captions)
}

/// Colour of a part of the machine.
const fn paint(part: Resource) -> Paint {
    match part {
        Resource::Cpu => Paint::Mute,
        Resource::Ssd => Paint::CacheDeep,
        Resource::Pcie | Resource::Link => Paint::Comm,
        Resource::Hbm => Paint::Weight,
        Resource::Noc => Paint::WeightSoft,
        Resource::Compute => Paint::Compute,
    }
}

/// Values that sentences name.
fn values(scene: &Requests, look: Look) -> Vec<(&'static str, String)> {
    let traffic = &scene.traffic;
    let run = &traffic.run;
    let there = run.started > 0;
    let tight = |text: String| text.replace(' ', "\u{a0}");
    let s = |s: f64| tight(format::seconds(Seconds(if there { s } else { f64::NAN })).to_string());
    let plain = |s: f64| tight(format::seconds(Seconds(s)).to_string());
    let number = |count: u64| format::count(count as f64);
    let [low, high] = match scene.ground.map(|ground| ground.basis) {
        Some(Basis::Known(each)) => [each, each],
        Some(Basis::Range(range)) => range,
        _ => [Seconds(f64::NAN); 2],
    };
    let rate = crate::figure::Value::Number(if run.seconds > 0.0 { run.tokens_per_s } else { f64::NAN });
    let rate = format::value(&rate, crate::figure::Unit::TokensPerSecond, look.base);
    let ratio = traffic.shapes.window_row / traffic.shapes.compressed;
    let pages = traffic.typical.prompt.div_ceil(traffic.engine.page_tokens);
    let (all, _) = scene.experts;
    vec![
        ("arrivals", format::count(traffic.load.arrivals_per_s)),
        ("wait", s(run.first.queue_s)),
        ("hits", tight(format::percent(traffic.load.hits))),
        ("found", number(traffic.typical.found)),
        ("read", tight(format::bytes(traffic.read(), look.base).to_string())),
        ("again", number(traffic.recomputed())),
        ("page", number(traffic.engine.page_tokens)),
        ("prompt", number(traffic.typical.prompt)),
        ("pages", number(pages)),
        ("chunks", number(scene.chunks.len() as u64)),
        ("ttft", s(run.first.total_s())),
        ("step", plain(scene.here.step_s)),
        ("batch", number(scene.here.batch)),
        ("regime", look.say(words::REGIMES[scene.regime() as usize]).to_owned()),
        ("distinct", format::count((scene.here.touched * all as f64).round())),
        ("each", format::count((scene.tokens_per_expert() * 100.0).round() / 100.0)),
        ("span", tight(seconds_round(run.seconds))),
        ("arrived", number(run.arrived)),
        ("finished", number(run.finished)),
        ("p50", s(run.ttft.p50_s)),
        ("p99", s(run.ttft.p99_s)),
        ("rate", tight(rate.to_string())),
        ("low", plain(low.get())),
        ("high", plain(high.get())),
        (
            "ratio",
            if ratio.is_finite() {
                format::count((ratio * 10.0).round() / 10.0)
            } else {
                format::ABSENT.to_owned()
            },
        ),
    ]
}

impl Stage<'_> {
    /// A text with its values.
    pub(super) fn say(&self, text: Text) -> String {
        fill(self.look.say(text), &self.values)
    }

    /// What the axis of the traffic ends in.
    pub(super) fn most_of(&self, most: f64) -> String {
        fill(self.look.say(words::AXIS), &[("most", format::count(most))])
    }

    fn caption(&self, step: Step) -> Text {
        match step {
            Step::Prefix if self.scene.traffic.typical.found == 0 => words::NO_HITS,
            Step::Pages if !self.scene.traffic.fits => words::NO_ROOM,
            _ => words::caption(step),
        }
    }

    fn ground(&self) -> Text {
        words::GROUNDS[match self.scene.ground.map(|ground| ground.basis) {
            Some(Basis::Roofline) => 0,
            Some(Basis::Known(_)) => 1,
            Some(Basis::Range(_)) => 2 + self.scene.ground.is_some_and(|ground| ground.borrowed) as usize,
            None => 4,
        }]
    }

    /// What a cell says.
    fn told(&self, press: Press) -> String {
        match press {
            Press::Nothing | Press::Unknown => String::new(),
            Press::Busy(seconds, _) => format::seconds(seconds).to_string(),
            Press::Room(bytes, _) => self.bytes(bytes),
        }
    }

    fn bytes(&self, bytes: Bytes) -> String {
        format::bytes(bytes, self.look.base).to_string()
    }

    /// A press as a bar.
    fn meter(&self, sheet: &mut Sheet, [x, y, width, height]: [f64; 4], press: Press, paint: Paint) {
        let share = match press {
            Press::Nothing => 0.0,
            Press::Unknown => 1.0,
            Press::Busy(seconds, _) => {
                let [least, most] = SCALE;
                (libm::log(seconds.get() / least) / libm::log(most / least)).clamp(0.02, 1.0)
            }
            Press::Room(_, share) => share.clamp(0.02, 1.0),
        };
        let fill = if press == Press::Unknown { Fill::Hatched(paint) } else { Fill::Solid(paint) };
        let mark = sheet.bar([x, y, width * share, height], fill);
        if let Press::Busy(seconds, Some(id)) = press {
            mark.shows(id, seconds.get());
        }
    }

    fn wide(&self) -> Sheet {
        let mut sheet = Sheet::new(stage::blank(Layout::Wide));
        let muted = Type::new(18.0, Paint::Mute);
        let (left, pitch) = COLUMNS;
        let end = left + pitch * STAGES as f64;
        let border = left + pitch * Part::PROMPT.len() as f64;
        for ((from, to), name) in [(left, border - 10.0), (border, end - 8.0)].into_iter().zip(words::GROUPS)
        {
            sheet.text((from, 32.0), self.look.say(name), Type::new(20.0, Paint::Ink).bold());
            sheet.line((from, 42.0), (to, 42.0), Paint::Mute, 2.0);
        }
        for (row, name) in words::PARTS.into_iter().enumerate() {
            let y = ROWS.0 + row as f64 * ROWS.1;
            sheet.text((16.0, y + 27.0), self.look.say(name), Type::new(20.0, Paint::Ink));
            sheet.line((16.0, y), (end - 8.0, y), Paint::Line, 1.5);
        }
        for (column, name) in words::STAGE_NAMES.into_iter().enumerate() {
            let x = left + column as f64 * pitch;
            sheet.group(Group::ALWAYS);
            let decode = column.checked_sub(Part::PROMPT.len());
            let number = decode.map_or_else(|| format!("{}", column + 1), |part| format!("D{}", part + 1));
            sheet.text((x, 66.0), number, muted.bold());
            sheet.text((x, 92.0), self.look.say(name), Type::new(20.0, Paint::Ink));
            sheet.group(Group::stage(column));
            let presses = self.scene.presses.get(column).copied().unwrap_or_default();
            for (row, press) in presses.into_iter().enumerate() {
                let sent = column != Part::Dispatch as usize || row != Resource::Link as usize;
                if press == Press::Nothing && sent {
                    continue;
                }
                let part = Resource::ALL.get(row).copied().unwrap_or(Resource::Cpu);
                let y = ROWS.0 + row as f64 * ROWS.1;
                if press == Press::Nothing {
                    sheet.text((x, y + 27.0), self.look.say(words::NOT_SENT), muted);
                    continue;
                }
                sheet.rect([x, y + 29.0, pitch - 14.0, 6.0], 2.0, Fill::Solid(Paint::Sunk));
                self.meter(&mut sheet, [x, y + 29.0, pitch - 14.0, 6.0], press, paint(part));
                let told = self.told(press);
                sheet.text((x, y + 23.0), told, Type::new(18.0, Paint::Ink));
            }
        }
        sheet.group(Group::ALWAYS);
        sheet.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        let ([top, height], widths) = PANELS;
        let mut x = BAND[0];
        for (panel, width) in Panel::ALL.into_iter().zip(widths) {
            panels::draw(self, &mut sheet, panel, [x, top, width, height], 18.0);
            x += width + GAP;
        }
        self.legend(&mut sheet);
        sheet
    }

    fn legend(&self, sheet: &mut Sheet) {
        let y = stage::LEGEND_Y + 6.0;
        let set = Type::new(18.0, Paint::Mute);
        let scale = self.look.say(words::SCALE);
        sheet.text((16.0, y), scale, set);
        let x = 16.0 + text_width(scale, 18.0, false) + 32.0;
        sheet.rect([x, y - 12.0, 40.0, 10.0], 2.0, Fill::Hatched(Paint::Mute));
        let word = self.look.say(words::UNKNOWN);
        sheet.text((x + 48.0, y), word, set);
        let ground = self.say(self.ground());
        let ink = Type::new(18.0, Paint::Ink).anchored(Anchor::End);
        sheet.text((BAND[0] + BAND[2], y), ground, ink);
    }

    fn tall(&self) -> Sheet {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        let mut sheet = Sheet::new(Drawing::new(WIDTH, NARROW_HEIGHT));
        let muted = Type::new(24.0, Paint::Mute);
        sheet.text((16.0, 34.0), self.look.say(words::TITLE), Type::new(26.0, Paint::Ink).bold());
        let (top, pitch) = LIST;
        for (index, name) in words::STAGE_NAMES.into_iter().enumerate() {
            let y = top + index as f64 * pitch;
            sheet.group(Group::ALWAYS);
            let decode = index.checked_sub(Part::PROMPT.len());
            let number = decode.map_or_else(|| format!("{}", index + 1), |part| format!("D{}", part + 1));
            sheet.line((16.0, y), (WIDTH - 16.0, y), Paint::Line, 1.5);
            sheet.text((16.0, y + 30.0), number, muted.bold());
            sheet.text((64.0, y + 30.0), self.look.say(name), Type::new(24.0, Paint::Ink));
            sheet.group(Group::stage(index));
            let (press, part) = self.hardest(index);
            let name = words::PARTS.get(part as usize).copied().unwrap_or(words::PARTS[0]);
            let told = self.look.say(if press == Press::Nothing { words::NOT_SENT } else { name });
            sheet.text((208.0, y + 30.0), told, muted);
            sheet.rect([372.0, y + 16.0, 180.0, 12.0], 3.0, Fill::Solid(Paint::Sunk));
            self.meter(&mut sheet, [372.0, y + 16.0, 180.0, 12.0], press, paint(part));
            let end = Type::new(24.0, Paint::Ink).bold().anchored(Anchor::End);
            let told = if press == Press::Unknown { "?".to_owned() } else { self.told(press) };
            sheet.text((WIDTH - 16.0, y + 30.0), told, end);
        }
        sheet.group(Group::ALWAYS);
        for panel in Panel::ALL {
            panels::draw(self, &mut sheet, panel, NARROW_PANEL, 24.0);
        }
        let set = Type::new(24.0, Paint::Mute);
        let notes = [self.look.say(words::SCALE).to_owned(), self.say(self.ground())];
        let mut y = NARROW_CAPTION + 164.0;
        for note in notes {
            sheet.lines((16.0, y), WIDTH - 32.0, &note, 2, &[24.0], set);
            y += 34.0;
        }
        sheet
    }

    /// What a stage keeps busy longest.
    fn hardest(&self, stage: usize) -> (Press, Resource) {
        let presses = self.scene.presses.get(stage).copied().unwrap_or_default();
        let weight = |press: &Press| match press {
            Press::Nothing => -1.0,
            // Takes the row from what is over in no time.
            Press::Unknown => SCALE[0] * 10.0,
            Press::Busy(seconds, _) => seconds.get(),
            Press::Room(..) => f64::MAX,
        };
        let cells = presses.into_iter().zip(Resource::ALL);
        // Of equals the outer one: what memory is read for passes the chip too.
        let most = cells.rev().max_by(|(a, _), (b, _)| weight(a).total_cmp(&weight(b)));
        most.unwrap_or((Press::Nothing, Resource::Cpu))
    }
}
