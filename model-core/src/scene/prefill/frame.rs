//! The picture of "prefill" at a moment: prompt and layers' caches stay in view, one panel a step opens beside them.

use super::panel::{Panel, Size};
use super::words::{Words, kind_name};
use super::{Event, Held, MOST_CHUNKS, Prefill, Step, TURN, Way};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Paint, Type, legend};
use crate::format::{self, ByteBase};
use crate::scene::exercise::Exercise;
use crate::scene::stage;
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene};
use crate::spec::AttentionKind;
use crate::units::Bytes;
use crate::words::{Words as Common, fill};

/// How much of everything has happened.
pub(super) struct Progress {
    /// For each request drawn: its tokens are there.
    pub(super) arrived: Vec<f64>,
    /// For each query of the example: it has looked.
    pub(super) looked: Vec<f64>,
    /// For each layer: the block has passed.
    pub(super) passed: Vec<f64>,
    /// For each cache of the opened layer.
    pub(super) opened: [f64; 4],
    /// For each border drawn, with its place.
    pub(super) cuts: Vec<(u64, f64)>,
    /// The mask within a chunk.
    pub(super) masked: f64,
    /// The remainder carried over.
    pub(super) carried: f64,
    /// For each way, what has been taken.
    pub(super) taken: [[f64; Held::ALL.len()]; Way::ALL.len()],
}

impl Progress {
    fn at(scene: &Prefill, moment: Moment) -> Self {
        let mut progress = Self {
            arrived: Vec::new(),
            looked: Vec::new(),
            passed: Vec::with_capacity(scene.layers.len()),
            opened: [0.0; 4],
            cuts: Vec::new(),
            masked: 0.0,
            carried: 0.0,
            taken: [[0.0; Held::ALL.len()]; Way::ALL.len()],
        };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            for timed in scene.events(step) {
                let happened = timed.progress(t);
                match timed.event {
                    Event::Arrive { .. } => progress.arrived.push(happened),
                    Event::Look { .. } => progress.looked.push(happened),
                    Event::Pass { .. } => progress.passed.push(happened),
                    Event::Open { row, .. } => {
                        if let Some(place) = progress.opened.get_mut(row) {
                            *place = happened;
                        }
                    }
                    Event::Cut(border) => progress.cuts.push((border.at, happened)),
                    Event::MaskWithin => progress.masked = happened,
                    Event::Carry(_) => progress.carried = happened,
                    Event::Take { way, held } => {
                        let ways = progress.taken.get_mut(way as usize);
                        if let Some(place) = ways.and_then(|all| all.get_mut(held as usize)) {
                            *place = happened;
                        }
                    }
                }
            }
        }
        progress
    }
}

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Prefill,
    pub(super) progress: Progress,
    pub(super) words: &'a Words,
    common: &'a Common,
    base: ByteBase,
}

/// Where the layers' caches stand: left edge of the bars, their room, top, height of a row.
struct Rows {
    left: f64,
    room: f64,
    top: f64,
    pitch: f64,
    /// Left edge and size of the opened layer's label.
    label: (f64, f64),
    /// Lowest baseline of that label.
    lowest: f64,
}

impl Scene for Prefill {
    fn frame(&self, moment: Moment, Look { layout, language, base }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let stage = Stage { scene: self, progress: Progress::at(self, moment), words, common, base };
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Peak);
        let caption = stage.caption(step);
        let mut drawing = match layout {
            Layout::Wide => stage.wide(moment, &caption),
            Layout::Narrow => stage.narrow(moment, &caption),
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

impl Stage<'_> {
    /// A size as shown; no line breaks before its unit.
    pub(super) fn size(&self, amount: Bytes) -> String {
        format::bytes(amount, self.base).to_string().replace(' ', "\u{a0}")
    }

    /// Puts the scene's values into a template.
    pub(super) fn tell(&self, template: &str) -> String {
        let scene = self.scene;
        let number = |number: u64| format::count(number as f64);
        let (kind, opened) = scene.opened();
        let border = scene.first_border();
        let kinds = [AttentionKind::Window, AttentionKind::Csa, AttentionKind::Hca]
            .into_iter()
            .filter(|kind| scene.layers_of(*kind) > 0)
            .map(|kind| format!("{} {}", number(scene.layers_of(kind) as u64), kind_name(kind)))
            .collect::<Vec<_>>()
            .join(" + ");
        let resident = scene.weights.bytes + scene.caches.bytes;
        let values = [
            ("batch", number(scene.load.0)),
            ("context", number(scene.load.1)),
            ("chunk", number(scene.chunk)),
            ("chunks", number(scene.chunks())),
            ("drawn", number(MOST_CHUNKS)),
            ("layers", number(scene.layers.len() as u64)),
            ("layer", number(scene.chosen as u64)),
            ("kind", kind_name(kind).to_owned()),
            ("kinds", kinds),
            ("layer_bytes", self.size(opened.total())),
            ("request", self.size(scene.request.bytes)),
            ("all", self.size(scene.caches.bytes)),
            ("streams", number(scene.streams.0)),
            ("hidden", number(scene.streams.1)),
            ("residual", self.size(scene.residual(Way::Whole))),
            ("residual_chunk", self.size(scene.residual(Way::Chunked))),
            ("at", number(border.at)),
            ("csa_left", number(border.csa_left)),
            ("hca_left", number(border.hca_left)),
            ("m", number(scene.ratios.0)),
            ("n", number(scene.ratios.1)),
            ("k", number(scene.top_k)),
            ("peak", self.size(scene.peak(Way::Whole))),
            ("chunked", self.size(scene.peak(Way::Chunked))),
            ("fused", self.size(scene.peak(Way::Fused))),
            ("resident", self.size(resident)),
            ("capacity", self.size(scene.capacity)),
        ];
        fill(template, &values)
    }

    /// What the step shows, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let scene = self.scene;
        let resident = scene.weights.bytes + scene.caches.bytes;
        let template = match step {
            Step::Chunks if scene.chunks() == 1 => self.words.one_chunk,
            Step::Chunks if scene.aligned() => self.words.aligned,
            Step::Peak if scene.peak(Way::Whole) <= scene.capacity => self.words.peak_fits,
            Step::Peak if resident > scene.capacity => self.words.peak_hopeless,
            _ => self.words.captions.get(step as usize).copied().unwrap_or(""),
        };
        self.tell(template)
    }

    fn wide(&self, moment: Moment, caption: &str) -> Drawing {
        const RIGHT: [f64; 2] = [664.0, 920.0];
        const CAPTION: [f64; 4] = [RIGHT[0], 770.0, RIGHT[1], 76.0];
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.scene.layers, Some(self.scene.chosen), self.common);
        let heading = Type::new(20.0, Paint::Ink).bold();
        self.heading(&mut drawing, (124.0, 36.0), heading, 516.0);
        let pitch = (840.0 - 52.0) / self.scene.layers.len().max(1) as f64;
        self.rows(
            &mut drawing,
            &Rows { left: 124.0, room: 390.0, top: 52.0, pitch, label: (528.0, 20.0), lowest: 834.0 },
        );
        self.front(&mut drawing, [24.0, 56.0, 52.0, pitch]);
        self.prompt(&mut drawing, [RIGHT[0], 16.0, RIGHT[1]], 22.0);
        let area = [RIGHT[0], 138.0, RIGHT[1], 616.0];
        self.panels(&mut drawing, moment, area, Size::Wide);
        drawing.rect(CAPTION, 12.0, Fill::Solid(Paint::Band));
        let room = CAPTION[2] - 48.0;
        let one = fitting(caption, &[24.0, 22.0], 1, room);
        let size = if text_width(caption, one, true) <= room { one } else { 22.0 };
        let size = fitting(caption, &[size, 20.0], 2, room);
        let set = Type::new(size, Paint::Ink).bold();
        let lines = balanced(caption, size, room);
        // One line stands in the middle of the box, two around it.
        let first = CAPTION[1] + if lines.len() > 1 { 32.0 } else { 46.0 };
        caption_lines(&mut drawing, (CAPTION[0] + 24.0, first), &lines, 2, set);
        self.legend(&mut drawing, 124.0, stage::LEGEND_Y + 6.0, stage::ACROSS, 18.0);
        drawing
    }

    /// For a phone: prompt, layers, panel and words under one another.
    fn narrow(&self, moment: Moment, caption: &str) -> Drawing {
        const ROOM: f64 = stage::NARROW_WIDTH - 32.0;
        const TOP: f64 = 182.0;
        const HIGH: f64 = 312.0;
        let mut drawing = Drawing::new(stage::NARROW_WIDTH, 1384.0);
        self.prompt(&mut drawing, [16.0, 12.0, ROOM], 26.0);
        let heading = Type::new(26.0, Paint::Ink).bold();
        self.heading(&mut drawing, (16.0, TOP - 20.0), heading, ROOM);
        let pitch = HIGH / self.scene.layers.len().max(1) as f64;
        for (index, kind) in self.scene.layers.iter().enumerate() {
            let bar = [16.0, TOP + index as f64 * pitch, 24.0, pitch - 1.2];
            drawing.rect(bar, 1.0, Fill::Solid(stage::layer_paint(*kind)));
        }
        self.rows(
            &mut drawing,
            &Rows {
                left: 52.0,
                room: 500.0,
                top: TOP,
                pitch,
                label: (568.0, 24.0),
                lowest: TOP + HIGH - 4.0,
            },
        );
        self.front(&mut drawing, [10.0, TOP, 36.0, pitch]);
        self.legend(&mut drawing, 16.0, TOP + HIGH + 34.0, ROOM, 24.0);
        self.panels(&mut drawing, moment, [16.0, 606.0, ROOM, 604.0], Size::Narrow);
        let set = Type::new(fitting(caption, &[28.0, 26.0, 24.0], 4, ROOM), Paint::Ink).bold();
        let lines = balanced(caption, set.size, ROOM);
        caption_lines(&mut drawing, (16.0, 1252.0), &lines, 4, set);
        drawing
    }

    /// What stands over the layers' caches.
    fn heading(&self, drawing: &mut Drawing, at: (f64, f64), set: Type, room: f64) {
        let text = self.tell(self.words.own_caches);
        let sizes = [set.size, set.size - 2.0];
        let set = Type { size: fitting(&text, &sizes, 1, room), ..set };
        let mark = drawing.text(at, text, set);
        if let Some(id) = self.scene.request.figure {
            mark.shows(id, self.scene.request.bytes.get());
        }
    }

    /// The prompt as a bar to scale, cut where chunks end.
    fn prompt(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], size: f64) {
        let label = self.tell(self.words.prompt);
        drawing.text((x, y + size), label, Type::new(size, Paint::Ink).bold());
        let bar = [x, y + size * 1.55, width, 30.0];
        drawing.rect(bar, 5.0, Fill::Solid(Paint::Sunk));
        let arrived = &self.progress.arrived;
        let there = arrived.iter().sum::<f64>() / arrived.len().max(1) as f64;
        drawing.rect([bar[0], bar[1], bar[2] * there, bar[3]], 5.0, Fill::Solid(Paint::Token));
        for (at, cut) in &self.progress.cuts {
            let at = x + width * *at as f64 / self.scene.load.1.max(1) as f64;
            drawing.line((at, bar[1] - 3.0), (at, bar[1] + bar[3] + 3.0), Paint::Card, 5.0).faded(*cut);
        }
        let many = self.scene.chunks() > MOST_CHUNKS;
        let template = if many { self.words.cut_many } else { self.words.cut };
        let small = if size > 24.0 { 24.0 } else { 19.0 };
        let set = Type::new(small, Paint::Mute);
        drawing
            .text((x, bar[1] + bar[3] + small * 1.15), self.tell(template), set)
            .faded(self.progress.masked);
    }

    /// One row of caches for each layer, all to one scale.
    fn rows(&self, drawing: &mut Drawing, rows: &Rows) {
        let scene = self.scene;
        let largest = scene.layers.iter().map(|kind| scene.cache(*kind).total().get()).fold(1.0, f64::max);
        let high = rows.pitch * 0.8;
        for (index, kind) in scene.layers.iter().enumerate() {
            let y = rows.top + index as f64 * rows.pitch;
            let passed = self.progress.passed.get(index).copied().unwrap_or(0.0);
            let cache = scene.cache(*kind);
            let to_width = |bytes: Bytes| rows.room * bytes.get() / largest;
            let ghost = [rows.left, y, to_width(cache.total()), high];
            drawing.rect(ghost, 2.0, Fill::Solid(Paint::Sunk));
            let mut x = rows.left;
            let parts = [cache.window.bytes, cache.entries.bytes, cache.keys.bytes, cache.state];
            for (bytes, paint) in parts.into_iter().zip(CACHE_PAINTS) {
                let width = to_width(bytes) * passed;
                drawing.rect([x, y, width, high], 1.0, Fill::Solid(paint));
                x += width;
            }
        }
        let (kind, opened) = scene.opened();
        let y = rows.top + scene.chosen as f64 * rows.pitch;
        let width = rows.room * opened.total().get() / largest;
        let frame = [rows.left - 4.0, y - 3.0, width + 8.0, high + 6.0];
        drawing.rect(frame, 4.0, Fill::Empty).stroked(Paint::Ink, 2.0);
        let (x, size) = rows.label;
        let first = (y + high / 2.0).clamp(rows.top + size * 0.8, rows.lowest - size * 1.25);
        let line = [(rows.left + width + 5.0, y + high / 2.0), (x - 6.0, y + high / 2.0)];
        drawing.line(line[0], line[1], Paint::Line, 2.0);
        drawing.text((x, first), kind_name(kind), Type::new(size, Paint::Ink).bold());
        drawing.text((x, first + size * 1.25), self.size(opened.total()), Type::new(size, Paint::Ink));
    }

    /// The block on its way down the layers.
    fn front(&self, drawing: &mut Drawing, [x, top, width, pitch]: [f64; 4]) {
        let passed: f64 = self.progress.passed.iter().sum();
        let under_way = passed > 0.0 && passed < self.progress.passed.len() as f64;
        let high = pitch.max(9.0);
        let y = top + passed * pitch - high;
        let opacity = if under_way { 1.0 } else { 0.0 };
        drawing.rect([x, y.max(0.0), width, high], 3.0, Fill::Solid(Paint::Token)).faded(opacity);
    }

    /// All panels, of which one is in view; two never are.
    fn panels(&self, drawing: &mut Drawing, moment: Moment, area: [f64; 4], size: Size) {
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let mut panel = Panel::new(area, size);
            match step {
                Step::Prompt => self.prompt_panel(&mut panel),
                Step::Mask => self.mask_panel(&mut panel),
                Step::Layers => self.layers_panel(&mut panel),
                Step::Caches => self.caches_panel(&mut panel),
                Step::Chunks => self.chunks_panel(&mut panel),
                Step::Peak => self.peak_panel(&mut panel),
            }
            let opacity = in_view(index, moment);
            for mut mark in panel.drawing.marks {
                mark.opacity *= opacity;
                drawing.marks.push(mark);
            }
        }
    }

    fn legend(&self, drawing: &mut Drawing, x: f64, y: f64, width: f64, size: f64) {
        let caches = CACHE_PAINTS.into_iter().zip(self.words.caches);
        let entries: Vec<legend::Entry> = core::iter::once((Paint::Token, self.words.tokens))
            .chain(caches)
            .map(|(paint, word)| (Fill::Solid(paint), word.to_owned()))
            .collect();
        legend::draw(drawing, [x, y, width], size, &entries);
    }
}

/// Colours of a layer's caches: ring, entries, keys, tail. They always stand in this order.
pub(super) const CACHE_PAINTS: [Paint; 4] =
    [Paint::CacheSoft, Paint::Cache, Paint::CacheDeep, Paint::CacheFaint];

/// How far a step's panel is in view: it goes before the next one comes.
fn in_view(step: usize, Moment { step: at, t }: Moment) -> f64 {
    let half = TURN / 2.0;
    if at == step && step == 0 {
        1.0
    } else if at == step {
        ((t - half) / half).clamp(0.0, 1.0)
    } else if at == step + 1 {
        (1.0 - t / half).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The largest of the sizes in which a text takes at most so many lines; the last where none does.
pub(super) fn fitting(text: &str, sizes: &[f64], lines: usize, room: f64) -> f64 {
    let fits = |size: &&f64| {
        let wrapped = wrap(text, **size, true, room);
        wrapped.len() <= lines && wrapped.iter().all(|line| text_width(line, **size, true) <= room)
    };
    sizes.iter().find(fits).or(sizes.last()).copied().unwrap_or(18.0)
}

/// Bold lines of about one length, as many as the room asks for: none is left with a word or two, and a line ends with
/// its clause where it can.
fn balanced(text: &str, size: f64, room: f64) -> Vec<String> {
    let most = wrap(text, size, true, room).len();
    let widths = (10..=40).map(|step| room * f64::from(step) / 40.0);
    let all: Vec<_> =
        widths.map(|width| wrap(text, size, true, width)).filter(|lines| lines.len() <= most).collect();
    let closes = |line: &String| line.ends_with(['，', '。', '；', '：', '、', ',', ';', ':', '.']);
    let clause =
        |lines: &&Vec<String>| lines.split_last().is_some_and(|(_, before)| before.iter().all(closes));
    all.iter().find(clause).or(all.first()).cloned().unwrap_or_default()
}

/// Lines of a caption; always as many marks, so that another step's caption moves none.
fn caption_lines(drawing: &mut Drawing, (x, y): (f64, f64), lines: &[String], marks: usize, set: Type) {
    let set = set.anchored(Anchor::Start);
    for index in 0..marks {
        let text = lines.get(index).cloned().unwrap_or_default();
        drawing.text((x, y + index as f64 * set.size * 1.35), text, set);
    }
}
