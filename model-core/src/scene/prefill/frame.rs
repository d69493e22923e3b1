//! The picture of "prefill" at a moment: prompt and layers' caches stay in view, one panel a step opens beside them.

use super::panel::{Panel, Size};
use super::words::{Words, kind_name};
use super::{Event, Held, MOST_CHUNKS, Prefill, Step, TURN, Way};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Drawing, Fill, Mark, Paint, Shape, Type, legend};
use crate::format::{self, ByteBase};
use crate::scene::exercise::Exercise;
use crate::scene::parts::{Curtain, fade};
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

/// Names and texts that templates take.
type Values = Vec<(&'static str, String)>;

/// Everything a frame is drawn from.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Prefill,
    pub(super) progress: Progress,
    pub(super) words: &'a Words,
    common: &'a Common,
    base: ByteBase,
    values: &'a [(&'static str, String)],
}

/// What does not move in a look.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Still {
    values: Values,
    /// What lies under all that moves.
    ground: Vec<Mark>,
    /// Each step's panel, done.
    panels: Vec<Vec<Mark>>,
    /// Each step's caption, and the same in lines.
    captions: Vec<(String, Vec<Mark>)>,
}

/// Where everything stands in a layout.
struct Places {
    size: (f64, f64),
    /// The heading over the layers' caches: its place, size and room.
    heading: ((f64, f64), f64, f64),
    rows: Rows,
    front: [f64; 4],
    /// Left edge, top and width of the prompt, and the size of its letters.
    prompt: ([f64; 3], f64),
    panel: ([f64; 4], Size),
    /// Left edge, middle line and width of the legend, and the size of its letters.
    legend: ([f64; 3], f64),
}

impl Places {
    fn of(layout: Layout, scene: &Prefill) -> Self {
        const ROOM: f64 = stage::NARROW_WIDTH - 32.0;
        const TOP: f64 = 182.0;
        const HIGH: f64 = 312.0;
        let layers = scene.layers.len().max(1) as f64;
        let largest = scene.layers.iter().map(|kind| scene.cache(*kind).total().get()).fold(1.0, f64::max);
        match layout {
            Layout::Wide => {
                let pitch = (840.0 - 52.0) / layers;
                Self {
                    size: stage::WIDE,
                    heading: ((124.0, 36.0), 20.0, 516.0),
                    rows: Rows {
                        left: 124.0,
                        scale: 390.0 / largest,
                        top: 52.0,
                        pitch,
                        label: (528.0, 20.0),
                        lowest: 834.0,
                    },
                    front: [24.0, 56.0, 52.0, pitch],
                    prompt: ([RIGHT[0], 16.0, RIGHT[1]], 22.0),
                    panel: ([RIGHT[0], 138.0, RIGHT[1], 616.0], Size::Wide),
                    legend: ([124.0, stage::LEGEND_Y + 6.0, stage::ACROSS], 18.0),
                }
            }
            // For a phone: prompt, layers, panel and words under one another.
            Layout::Narrow => {
                let pitch = HIGH / layers;
                Self {
                    size: (stage::NARROW_WIDTH, 1384.0),
                    heading: ((16.0, TOP - 20.0), 26.0, ROOM),
                    rows: Rows {
                        left: 52.0,
                        scale: 500.0 / largest,
                        top: TOP,
                        pitch,
                        label: (568.0, 24.0),
                        lowest: TOP + HIGH - 4.0,
                    },
                    front: [10.0, TOP, 36.0, pitch],
                    prompt: ([16.0, 12.0, ROOM], 26.0),
                    panel: ([16.0, 606.0, ROOM, 604.0], Size::Narrow),
                    legend: ([16.0, TOP + HIGH + 34.0, ROOM], 24.0),
                }
            }
        }
    }
}

/// Left edge and width of what stands right of the layers' caches on a wide stage, and the box of its caption.
const RIGHT: [f64; 2] = [664.0, 920.0];
const CAPTION: [f64; 4] = [RIGHT[0], 770.0, RIGHT[1], 76.0];

/// Where the layers' caches stand: left edge of the bars, units for a byte, top, height of a row.
struct Rows {
    left: f64,
    scale: f64,
    top: f64,
    pitch: f64,
    /// Left edge and size of the opened layer's label.
    label: (f64, f64),
    /// Lowest baseline of that label.
    lowest: f64,
}

impl Scene for Prefill {
    fn frame(&self, moment: Moment, look: Look) -> Drawing {
        let places = Places::of(look.layout, self);
        let still = self.stills.of(look, || Still::new(self, look, &places));
        let stage = Stage::new(self, moment, look, &still.values);
        let mut drawing = stage.drawn(still, moment, &places);
        stage.words.title.clone_into(&mut drawing.title);
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

impl Still {
    fn new(scene: &Prefill, look: Look, places: &Places) -> Self {
        let end = Moment::done(Step::ALL.len() - 1);
        let values = Stage::new(scene, end, look, &[]).values();
        let stage = Stage::new(scene, end, look, &values);
        let mut ground = Drawing::default();
        stage.ground(&mut ground, look.layout, places);
        let panels = Step::ALL.map(|step| stage.panel(step, places)).to_vec();
        let caption = |step| {
            let text = stage.caption(step);
            let mut drawing = Drawing::default();
            caption_lines(&mut drawing, &text, look.layout);
            (text, drawing.marks)
        };
        let captions = Step::ALL.map(caption).to_vec();
        Self { ground: ground.marks, panels, captions, values }
    }
}

impl<'a> Stage<'a> {
    fn new(
        scene: &'a Prefill,
        moment: Moment,
        Look { language, base, .. }: Look,
        values: &'a [(&'static str, String)],
    ) -> Self {
        let (words, common) = (Words::of(language), Common::of(language));
        Self { scene, progress: Progress::at(scene, moment), words, common, base, values }
    }

    /// A size as shown; no line breaks before its unit.
    pub(super) fn size(&self, amount: Bytes) -> String {
        format::bytes(amount, self.base).to_string().replace(' ', "\u{a0}")
    }

    /// Puts the scene's values into a template.
    pub(super) fn tell(&self, template: &str) -> String {
        fill(template, self.values)
    }

    /// The scene's values as text.
    fn values(&self) -> Values {
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
        vec![
            ("batch", number(scene.load.0)),
            ("context", number(scene.load.1)),
            ("chunk", number(scene.chunk)),
            ("chunks", number(scene.chunks())),
            ("drawn", number(scene.pieces())),
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
        ]
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

    /// The picture: what stands still, and what moves over it.
    fn drawn(&self, still: &Still, moment: Moment, places: &Places) -> Drawing {
        let mut drawing = Drawing::new(places.size.0, places.size.1);
        let marks: usize = still.panels.iter().map(Vec::len).sum();
        drawing.marks.reserve(still.ground.len() + marks + 5 * self.scene.layers.len() + 64);
        drawing.marks.extend_from_slice(&still.ground);
        self.rows(&mut drawing, &places.rows);
        self.front(&mut drawing, places.front);
        self.prompt(&mut drawing, places.prompt);
        // One panel at most is in view; it goes before the next one comes.
        let half = TURN / 2.0;
        let (down, up) = match moment.step {
            0 => (1.0, 1.0),
            _ => ((moment.t / half).min(1.0), ((moment.t - half) / half).clamp(0.0, 1.0)),
        };
        let curtain = Curtain { down, up };
        for (index, (step, done)) in Step::ALL.into_iter().zip(&still.panels).enumerate() {
            let leaves = index + 1 == moment.step && curtain.before() > 0.0;
            if index == moment.step && curtain.before() == 0.0 {
                drawing.marks.extend(self.panel(step, places));
            } else {
                let from = drawing.marks.len();
                drawing.marks.extend_from_slice(done);
                if !leaves {
                    fade(&mut drawing.marks[from..], 0.0);
                }
            }
        }
        let [x, y, width, height] = places.panel.0;
        curtain.cover(&mut drawing, [x - 8.0, y - 4.0, width + 16.0, height + 8.0]);
        if let Some((text, lines)) = still.captions.get(moment.step).or(still.captions.last()) {
            drawing.description.clone_from(text);
            drawing.marks.extend_from_slice(lines);
        }
        drawing
    }

    /// What lies under all that moves.
    fn ground(&self, drawing: &mut Drawing, layout: Layout, places: &Places) {
        let rows = &places.rows;
        if layout == Layout::Wide {
            stage::layer_strip(drawing, &self.scene.layers, Some(self.scene.chosen), self.common);
            drawing.rect(CAPTION, 12.0, Fill::Solid(Paint::Band));
        } else {
            let bar = |(index, kind): (usize, &AttentionKind)| {
                (*kind, [16.0, rows.top + index as f64 * rows.pitch, 24.0, rows.pitch - 1.2], true)
            };
            stage::layer_bars(drawing, self.scene.layers.iter().enumerate().map(bar));
        }
        let (at, size, room) = places.heading;
        self.heading(drawing, at, Type::new(size, Paint::Ink).bold(), room);
        let ghost = |(index, kind): (usize, &AttentionKind)| {
            let y = rows.top + index as f64 * rows.pitch;
            [rows.left, y, rows.scale * self.scene.cache(*kind).total().get(), rows.pitch * 0.8]
        };
        let areas = self.scene.layers.iter().enumerate().map(ghost).collect();
        drawing.push(Shape::Bars { areas }, Fill::Solid(Paint::Sunk));
        let ([x, y, width], size) = places.legend;
        self.legend(drawing, x, y, width, size);
    }

    /// A step's panel as it is now.
    fn panel(&self, step: Step, places: &Places) -> Vec<Mark> {
        let (area, size) = places.panel;
        let mut panel = Panel::new(area, size);
        match step {
            Step::Prompt => self.prompt_panel(&mut panel),
            Step::Mask => self.mask_panel(&mut panel),
            Step::Layers => self.layers_panel(&mut panel),
            Step::Caches => self.caches_panel(&mut panel),
            Step::Chunks => self.chunks_panel(&mut panel),
            Step::Peak => self.peak_panel(&mut panel),
        }
        panel.drawing.marks
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
    fn prompt(&self, drawing: &mut Drawing, ([x, y, width], size): ([f64; 3], f64)) {
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
        let high = rows.pitch * 0.8;
        // One mark for each part of all layers: a row is there once the block has passed it.
        let mut parts = CACHE_PAINTS.map(|_| Vec::with_capacity(scene.layers.len()));
        for (index, kind) in scene.layers.iter().enumerate() {
            if self.progress.passed.get(index).copied().unwrap_or(0.0) < 1.0 {
                continue;
            }
            let y = rows.top + index as f64 * rows.pitch;
            let cache = scene.cache(*kind);
            let mut x = rows.left;
            let bytes = [cache.window.bytes, cache.entries.bytes, cache.keys.bytes, cache.state];
            for (bytes, part) in bytes.into_iter().zip(&mut parts) {
                let width = rows.scale * bytes.get();
                part.push([x, y, width, high]);
                x += width;
            }
        }
        for (areas, paint) in parts.into_iter().zip(CACHE_PAINTS) {
            drawing.push(Shape::Bars { areas }, Fill::Solid(paint));
        }
        let (kind, opened) = scene.opened();
        let y = rows.top + scene.chosen as f64 * rows.pitch;
        let width = rows.scale * opened.total().get();
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
fn caption_lines(drawing: &mut Drawing, caption: &str, layout: Layout) {
    let (x, room, marks) = match layout {
        Layout::Wide => (CAPTION[0] + 24.0, CAPTION[2] - 48.0, 2),
        Layout::Narrow => (16.0, stage::NARROW_WIDTH - 32.0, 4),
    };
    let size = match layout {
        Layout::Narrow => fitting(caption, &[28.0, 26.0, 24.0], marks, room),
        Layout::Wide => {
            let one = fitting(caption, &[24.0, 22.0], 1, room);
            let size = if text_width(caption, one, true) <= room { one } else { 22.0 };
            fitting(caption, &[size, 20.0], marks, room)
        }
    };
    let lines = balanced(caption, size, room);
    let y = match layout {
        Layout::Narrow => 1252.0,
        // One line stands in the middle of the box, two around it.
        Layout::Wide => CAPTION[1] + if lines.len() > 1 { 32.0 } else { 46.0 },
    };
    for index in 0..marks {
        let text = lines.get(index).cloned().unwrap_or_default();
        let set = Type::new(size, Paint::Ink).bold();
        drawing.text((x, y + index as f64 * size * 1.35), text, set);
    }
}
