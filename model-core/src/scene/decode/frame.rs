//! The picture of "decode" at a moment. The layers' strip stays above; under it stand sampling, the answer, drafts and
//! times, on a narrow stage one at a time.

use super::{ANSWER_TOKENS, Decoding, Event, Step, panels, words};
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type};
use crate::format;
use crate::ledger::pace::Basis;
use crate::scene::captioned::Captioned;
use crate::scene::exercise::Exercise;
use crate::scene::sheet::Sheet;
use crate::scene::stage::{self, layer_paint};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, Text};
use crate::spec::AttentionKind;
use crate::units::Seconds;
use crate::words::fill;

/// With which events marks come.
pub(super) mod group {
    use super::super::sampled::DRAWN;

    pub(in super::super) const STREAMS: usize = 0;
    pub(in super::super) const COLLAPSE: usize = 1;
    pub(in super::super) const LOGITS: usize = 2;
    pub(in super::super) const KEEP: usize = 3;
    pub(in super::super) const DRAW: usize = 4;
    pub(in super::super) const CURVE: usize = 5;
    pub(in super::super) const HERE: usize = 6;
    pub(in super::super) const FIRST: usize = 7;
    pub(in super::super) const FURTHER: usize = 8;
    pub(in super::super) const FASTER: usize = 9;
    pub(in super::super) const APPEND: usize = 10;
    pub(in super::super) const COUNT: usize = APPEND + DRAWN;
    pub(in super::super) const ALWAYS: usize = usize::MAX;
}

/// A place among the panels; on a narrow stage one stands at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    /// Logits, temperature, top-p.
    Sample,
    /// The answer so far.
    Append,
    /// Drafts.
    Draft,
    /// First token and further ones.
    Times,
}

impl Panel {
    const ALL: [Self; 4] = [Self::Sample, Self::Append, Self::Draft, Self::Times];
}

/// What marks are drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Decoding,
    pub(super) look: Look,
    values: Vec<(&'static str, String)>,
}

const BAND: [f64; 4] = [16.0, 264.0, 1568.0, 48.0];
const PANELS: ([f64; 2], [f64; 4]) = ([328.0, 504.0], [440.0, 296.0, 424.0, 360.0]);
const GAP: f64 = 16.0;
const NARROW_PANEL: [f64; 4] = [16.0, 280.0, stage::NARROW_WIDTH - 32.0, 616.0];
const NARROW_CAPTION: f64 = 944.0;
const NARROW_HEIGHT: f64 = 1168.0;
/// Streams that are drawn one by one.
const MOST_STREAMS: u64 = 4;

impl Scene for Decoding {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let still = self.stills.of(look, || still(self, look));
        let open = (look.layout == Layout::Narrow).then(|| panel_of(moment.step) as usize);
        let mut drawing = still.at(moment, &self.happened(moment), open);
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

impl Decoding {
    /// How much of each group has happened.
    fn happened(&self, moment: Moment) -> [f64; group::COUNT] {
        let mut happened = [0.0; group::COUNT];
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in self.events(step) {
                let part = timed.progress(t);
                let place = match timed.event {
                    Event::Pass { .. } => {
                        happened[group::STREAMS] += part / self.layers.len().max(1) as f64;
                        continue;
                    }
                    Event::Collapse => group::COLLAPSE,
                    Event::Logits => group::LOGITS,
                    Event::Keep { .. } => group::KEEP,
                    Event::Draw { .. } => group::DRAW,
                    Event::Append { index, .. } => group::APPEND + index,
                    Event::Curve => group::CURVE,
                    Event::Here { .. } => group::HERE,
                    Event::First => group::FIRST,
                    Event::Further => group::FURTHER,
                    Event::Faster => group::FASTER,
                };
                if let Some(place) = happened.get_mut(place) {
                    *place = part;
                }
            }
        }
        happened
    }
}

/// The panel that is open on a narrow stage.
fn panel_of(step: usize) -> Panel {
    match Step::ALL.get(step) {
        Some(Step::Layers | Step::Head | Step::Sample) => Panel::Sample,
        Some(Step::Append) => Panel::Append,
        Some(Step::Draft) => Panel::Draft,
        Some(Step::Times) | None => Panel::Times,
    }
}

/// All marks of a look.
fn still(scene: &Decoding, look: Look) -> Captioned {
    let stage = Stage { scene, look, values: values(scene) };
    let sheet = if look.layout == Layout::Wide { stage.wide() } else { stage.tall() };
    let captions = Step::ALL.map(|step| stage.say(words::caption(step)));
    Captioned::new(sheet, look, BAND, NARROW_CAPTION, captions)
}

/// Values that sentences name.
fn values(scene: &Decoding) -> Vec<(&'static str, String)> {
    let tight = |text: String| text.replace(' ', "\u{a0}");
    let s = |s: f64| tight(format::seconds(Seconds(s)).to_string());
    let number = |count: u64| format::count(count as f64);
    let rounded = |number: f64| {
        if number.is_finite() {
            format::count((number * 100.0).round() / 100.0)
        } else {
            format::ABSENT.to_owned()
        }
    };
    let [low, high] = match scene.ground {
        Some((Basis::Known(each), _)) => [each, each],
        Some((Basis::Range(range), _)) => range,
        _ => [Seconds(f64::NAN); 2],
    };
    let [streams, hidden, vocab] = scene.shapes;
    let sampled = scene.sampled.as_ref();
    let first = sampled.and_then(|sampled| sampled.drawn.first());
    let [temperature, top_p] = scene.rule;
    let [m, n] = scene.ratios;
    let hash = scene.layers.iter().filter(|(_, hash)| *hash).count();
    vec![
        ("layers", number(scene.layers.len() as u64)),
        ("hash", number(hash as u64)),
        ("streams", number(streams)),
        ("hidden", hidden.to_string()),
        ("entries", number(vocab)),
        ("temperature", rounded(temperature)),
        ("top_p", rounded(top_p)),
        ("kept", first.map_or_else(|| format::ABSENT.to_owned(), |drawn| number(drawn.candidates as u64))),
        ("token", first.map_or_else(|| format::ABSENT.to_owned(), |drawn| drawn.token.to_string())),
        ("small", sampled.map_or_else(String::new, |sampled| number(sampled.vocab as u64))),
        ("m", number(m)),
        ("n", number(n)),
        ("depth", number(scene.here.depth)),
        ("acceptance", tight(format::percent(scene.acceptance))),
        ("gained", rounded(scene.here.gained)),
        ("step", s(scene.here.step.total().get())),
        ("speed", rounded(scene.speed_up(&scene.here))),
        ("prompt", number(scene.prefill.0)),
        ("ttft", s(scene.ttft_s())),
        ("plain", s(scene.plain_s())),
        ("tpot", s(scene.here.tpot_s())),
        ("answer", number(ANSWER_TOKENS)),
        ("low", s(low.get())),
        ("high", s(high.get())),
    ]
}

impl Stage<'_> {
    /// A text with its values.
    pub(super) fn say(&self, text: Text) -> String {
        fill(self.look.say(text), &self.values)
    }

    fn ground(&self) -> Text {
        words::GROUNDS[match self.scene.ground {
            Some((Basis::Roofline, _)) => 0,
            Some((Basis::Known(_), _)) => 1,
            Some((Basis::Range(_), borrowed)) => 2 + borrowed as usize,
            None => 4,
        }]
    }

    /// All layers from left to right, the streams above them, the head at the end.
    fn strip(&self, sheet: &mut Sheet, [x, y, width]: [f64; 3], high: f64, size: f64) {
        let layers = &self.scene.layers;
        let head = [x + width - size * 7.0, y, size * 7.0, high];
        let across = head[0] - x - 24.0;
        let pitch = across / layers.len().max(1) as f64;
        let streams = self.scene.shapes[0].min(MOST_STREAMS);
        let top = y + 12.0 * streams as f64 + 4.0;
        sheet.group(group::STREAMS);
        for stream in 0..streams {
            let line = [x, y + 12.0 * stream as f64, across, 5.0];
            sheet.group(group::ALWAYS);
            sheet.rect(line, 2.0, Fill::Solid(Paint::Sunk));
            sheet.group(group::STREAMS);
            sheet.bar(line, Fill::Solid(Paint::Token)).faded(1.0);
        }
        sheet.group(group::ALWAYS);
        let gap = (pitch * 0.2).min(4.0);
        for (index, (kind, hash)) in layers.iter().enumerate() {
            let left = x + index as f64 * pitch;
            let bottom = y + high - 16.0;
            sheet.rect([left, top, pitch - gap, bottom - top], 2.0, Fill::Solid(layer_paint(*kind)));
            // Phones have no room for numbers.
            if index % 10 == 0 && self.look.layout == Layout::Wide {
                let at = (left, y + high + 16.0);
                sheet.text(at, index.to_string(), Type::new(18.0, Paint::Mute));
            }
            if *hash {
                sheet.rect([left, bottom + 4.0, pitch - gap, 8.0], 1.0, Fill::Solid(Paint::Compute));
            }
        }
        sheet.group(group::COLLAPSE);
        let middle = y + high / 2.0;
        sheet.rect(head, 8.0, Fill::Solid(Paint::Card)).stroked(Paint::WeightDeep, 3.0);
        sheet.line((head[0] - 20.0, middle), (head[0], middle), Paint::Token, 5.0);
        let centre = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        let at = head[0] + head[2] / 2.0;
        sheet.text((at, middle - size * 0.4), self.look.say(words::HEAD), centre);
        let vocab = format::count(self.scene.shapes[2] as f64);
        sheet.text((at, middle + size), vocab, Type { bold: false, ..centre });
        sheet.group(group::ALWAYS);
    }

    /// What the colours of the strip mean, in a row or two.
    fn legend(&self, sheet: &mut Sheet, [x, y, width]: [f64; 3], size: f64) {
        let has = |kind| self.scene.layers.iter().any(|(own, _)| *own == kind);
        let hash = self.scene.layers.iter().any(|(_, hash)| *hash);
        let entries = [
            (has(AttentionKind::Csa), layer_paint(AttentionKind::Csa)),
            (has(AttentionKind::Hca), layer_paint(AttentionKind::Hca)),
            (has(AttentionKind::Window), layer_paint(AttentionKind::Window)),
            (hash, Paint::Compute),
            (true, Paint::Token),
        ];
        let (mut left, mut line) = (x, y);
        for ((there, paint), name) in entries.into_iter().zip(words::KINDS) {
            if !there {
                continue;
            }
            let name = self.look.say(name);
            let wide = size * 1.4 + text_width(name, size, false);
            if left > x && left + wide > x + width {
                (left, line) = (x, line + size * 1.6);
            }
            sheet.rect([left, line - size * 0.8, size * 0.9, size * 0.9], 3.0, Fill::Solid(paint));
            sheet.text((left + size * 1.4, line), name, Type::new(size, Paint::Mute));
            left += wide + size * 1.6;
        }
    }

    fn wide(&self) -> Sheet {
        let mut sheet = Sheet::new(stage::blank(Layout::Wide));
        sheet.text((16.0, 36.0), self.say(words::STRIP), Type::new(20.0, Paint::Ink).bold());
        self.strip(&mut sheet, [16.0, 56.0, 1568.0], 152.0, 20.0);
        self.legend(&mut sheet, [16.0, 250.0, 1568.0], 18.0);
        sheet.rect(BAND, 12.0, Fill::Solid(Paint::Band));
        let ([top, height], widths) = PANELS;
        let mut x = BAND[0];
        for (panel, width) in Panel::ALL.into_iter().zip(widths) {
            panels::draw(self, &mut sheet, panel, [x, top, width, height], 18.0);
            x += width + GAP;
        }
        let set = Type::new(18.0, Paint::Mute).anchored(Anchor::End);
        sheet.text((BAND[0] + BAND[2], 872.0), self.say(self.ground()), set);
        sheet
    }

    fn tall(&self) -> Sheet {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        let mut sheet = Sheet::new(Drawing::new(WIDTH, NARROW_HEIGHT));
        sheet.text((16.0, 34.0), self.say(words::NARROW_STRIP), Type::new(26.0, Paint::Ink).bold());
        self.strip(&mut sheet, [16.0, 52.0, WIDTH - 32.0], 128.0, 24.0);
        self.legend(&mut sheet, [16.0, 214.0, WIDTH - 32.0], 24.0);
        for panel in Panel::ALL {
            panels::draw(self, &mut sheet, panel, NARROW_PANEL, 24.0);
        }
        let ground = self.say(self.ground());
        let at = (16.0, NARROW_CAPTION + 168.0);
        sheet.lines(at, WIDTH - 32.0, &ground, 2, &[24.0], Type::new(24.0, Paint::Mute));
        sheet
    }
}
