//! The picture of "experts" at a moment: a heat map laid onto the cards, the example token's sums under it; then the
//! same map in rows, and two curves.

use super::plot::{self, Panel};
use super::words::Words;
use super::{Event, Experts, HUNDREDTHS, Step};
use crate::draw::{Anchor, Drawing, Fill, Mark, Paint, Shape, Type, metrics::text_width};
use crate::format;
use crate::scene::exercise::Exercise;
use crate::scene::parts::{Curtain, Grid, between, fade, following, of, strength};
use crate::scene::routed::Source;
use crate::scene::stage::{self, PLACES};
use crate::scene::timeline::{Moment, StepTime};
use crate::scene::worked::Worked;
use crate::scene::{Layout, Look, Scene, lines};
use crate::words::{Words as Common, fill};

/// Rows of picks that a card has room for.
const MOST_ROWS: usize = 6;
/// Picks that are ringed on the map and listed on a narrow stage.
const MOST_RINGS: usize = 8;

/// Cells that are counted, and that are on their way into their row, together.
const TOGETHER: [f64; 2] = [8.0, 16.0];

/// How far each thing has come.
struct Progress {
    tally: Vec<f64>,
    route: Vec<f64>,
    compute: Vec<f64>,
    weigh: Vec<f64>,
    partial: Vec<f64>,
    send: Vec<f64>,
    total: f64,
    receive: Vec<f64>,
    shared: f64,
    leave: f64,
    line_up: Vec<f64>,
    plot: f64,
}

impl Progress {
    fn at(experts: &Experts, moment: Moment) -> Self {
        let places = vec![0.0; PLACES as usize];
        let picks = vec![0.0; experts.picks.len()];
        let mut progress = Self {
            tally: places.clone(),
            route: picks.clone(),
            compute: picks.clone(),
            weigh: picks,
            partial: places.clone(),
            send: places.clone(),
            total: 0.0,
            receive: places.clone(),
            shared: 0.0,
            leave: 0.0,
            line_up: places,
            plot: 0.0,
        };
        for (index, step) in Step::ALL.into_iter().enumerate() {
            let t = moment.within(index);
            if t <= 0.0 {
                break;
            }
            for timed in experts.events(step) {
                if let Some(place) = progress.place_of(timed.event) {
                    *place = timed.progress(t);
                }
            }
        }
        progress
    }

    fn place_of(&mut self, event: Event) -> Option<&mut f64> {
        match event {
            Event::Tally { place } => self.tally.get_mut(place as usize),
            Event::Route { pick } => self.route.get_mut(pick),
            Event::Compute { pick } => self.compute.get_mut(pick),
            Event::Weigh { pick } => self.weigh.get_mut(pick),
            Event::Partial { place } => self.partial.get_mut(place as usize),
            Event::Send { place } => self.send.get_mut(place as usize),
            Event::Total => Some(&mut self.total),
            Event::Receive { place } => self.receive.get_mut(place as usize),
            Event::AddShared => Some(&mut self.shared),
            Event::Leave => Some(&mut self.leave),
            Event::LineUp { place } => self.line_up.get_mut(place as usize),
            Event::Plot => Some(&mut self.plot),
        }
    }
}

/// Everything a frame is drawn from.
struct Stage<'a> {
    experts: &'a Experts,
    progress: Progress,
    words: &'a Words,
    common: &'a Common,
}

impl Scene for Experts {
    fn frame(&self, moment: Moment, Look { layout, language, .. }: Look) -> Drawing {
        let (words, common) = (Words::of(language), Common::of(language));
        let stage = Stage { experts: self, progress: Progress::at(self, moment), words, common };
        let step = Step::ALL.get(moment.step).copied().unwrap_or(Step::Spread);
        let caption = stage.caption(step);
        let mut drawing = match layout {
            Layout::Wide => stage.wide(&caption),
            Layout::Narrow => stage.narrow(&caption),
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

/// A number of hundredths with two decimals and a true minus.
fn hundredths(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}.{:02}", value.abs() / HUNDREDTHS, value.abs() % HUNDREDTHS)
}

/// A whole number with a true minus.
fn whole(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", value.abs())
}

impl Stage<'_> {
    /// What has just happened, in a sentence with its numbers.
    fn caption(&self, step: Step) -> String {
        let experts = self.experts;
        let mut homes: Vec<u32> = experts.picks.iter().map(|pick| pick.rank).collect();
        homes.sort_unstable();
        homes.dedup();
        let (slowest, load) = experts.slowest();
        let number = |value: f64| format::count(value);
        let first = match experts.routed.source {
            Some(Source::Table { .. }) => self.words.looked_up,
            Some(Source::Small(_)) => self.words.ran,
            _ => "",
        };
        let values = [
            ("batch", number(experts.routed.tokens as f64)),
            ("all", number(f64::from(experts.routed.shape.experts()))),
            ("k", number(f64::from(experts.routed.shape.per_token()))),
            ("homes", number(homes.len() as f64)),
            ("total", hundredths(experts.total())),
            ("shared", hundredths(experts.shared)),
            ("result", hundredths(experts.total() + experts.shared)),
            ("distinct", number(experts.distinct() as f64)),
            ("slowest_name", format!("{} {slowest}", self.common.gpu)),
            ("slowest", number(f64::from(load.distinct_experts))),
        ];
        let template = match step {
            Step::Route if !first.is_empty() => first,
            _ => self.words.captions.get(step as usize).copied().unwrap_or(""),
        };
        fill(template, &values)
    }

    /// Where an expert's cell stands among those of its place.
    fn cell_of(&self, expert: u32) -> usize {
        let routed = &self.experts.routed;
        let grain = super::grain(routed);
        let before = routed.home(expert) / PLACES * routed.each().div_ceil(grain);
        (before + expert % routed.each() / grain) as usize
    }

    /// How cards and curves change places.
    fn curtain(&self) -> Curtain {
        Curtain { down: self.progress.leave, up: self.progress.plot }
    }

    /// The map of a place on its way from one area to another, and its rings.
    fn map(&self, drawing: &mut Drawing, place: u32, from: [f64; 4], to: [f64; 4]) {
        let cells = self.experts.cells.get(place as usize).map_or(&[][..], Vec::as_slice);
        let (tally, moved) = (of(&self.progress.tally, place), of(&self.progress.line_up, place));
        let (start, end) = (Grid::new(from, cells.len()), Grid::new(to, cells.len()));
        let at = |index: usize| {
            let moved = following(moved, index, cells.len(), TOGETHER[1]);
            between(start.cell(index), end.cell(index), moved)
        };
        for (index, count) in cells.iter().enumerate() {
            // One mark a cell: it changes its colour as its tokens begin to be counted.
            let tally = following(tally, index, cells.len(), TOGETHER[0]);
            let counted = *count > 0 && tally > 0.0;
            let fill = if counted { Paint::Weight } else { Paint::Sunk };
            let opacity = if counted { strength(*count, self.experts.most) * tally } else { 1.0 };
            drawing.rect(at(index), 3.0, Fill::Solid(fill)).faded(opacity);
        }
        for (pick, taken) in self.experts.at(place).take_while(|(pick, _)| *pick < MOST_RINGS) {
            let [x, y, width, height] = at(self.cell_of(taken.expert));
            let ring = [x - 2.0, y - 2.0, width + 4.0, height + 4.0];
            let shown = of(&self.progress.route, pick);
            drawing.rect(ring, 5.0, Fill::Empty).stroked(Paint::Token, 4.0).faded(shown);
        }
    }

    fn wide(&self, caption: &str) -> Drawing {
        let mut drawing = Drawing::new(stage::WIDE.0, stage::WIDE.1);
        stage::layer_strip(&mut drawing, &self.experts.layers, self.experts.routed.layer(), self.common);
        stage::band(&mut drawing);
        let places = self.experts.routed.places();
        for place in 0..PLACES {
            let start = drawing.marks.len();
            self.card(&mut drawing, place);
            fade(&mut drawing.marks[start..], self.curtain().before());
        }
        let start = drawing.marks.len();
        self.panels(&mut drawing);
        for place in 0..places {
            self.row_words(&mut drawing, place);
        }
        fade(&mut drawing.marks[start..], self.curtain().after());
        self.curtain().draw(&mut drawing);
        for place in 0..places {
            self.map(&mut drawing, place, self.card_map(place), row(place, places));
        }
        self.packets(&mut drawing);
        self.equation(&mut drawing);
        let room = EQUATION - stage::LEFT - 60.0;
        let (mut size, mut text) = lines::fit(caption, true, room, 1, &[26.0, 24.0, 22.0, 20.0]);
        if text.len() > 1 {
            (size, text) = lines::fit(caption, true, room, 2, &[22.0, 20.0, 18.0]);
        }
        let middle = stage::BAND[1] + stage::BAND[3] / 2.0;
        let up = (text.len() as f64 - 1.0) / 2.0 * size * lines::LEADING;
        let at = (stage::LEFT + 24.0, middle + size * 0.36 - up);
        lines::draw(&mut drawing, at, &text, 2, Type::new(size, Paint::Ink).bold());
        self.legend(&mut drawing, [stage::LEFT, stage::LEGEND_Y], 20.0);
        drawing
    }

    /// Rows of picks that each card keeps room for, and the height of one.
    fn rows(&self) -> (usize, f64) {
        let most = (0..PLACES).map(|place| self.experts.at(place).count()).max().unwrap_or(0);
        let rows = most.clamp(2, MOST_ROWS);
        (rows, if rows > 4 { 24.0 } else { 30.0 })
    }

    /// The map's area on a card.
    fn card_map(&self, place: u32) -> [f64; 4] {
        let [x, y, width, height] = stage::card_box(place);
        let (rows, pitch) = self.rows();
        let top = if y < stage::BAND[1] { y + 56.0 } else { y + 108.0 };
        [x + 20.0, top, width - 40.0, height - 56.0 - 52.0 - 16.0 - rows as f64 * pitch]
    }

    /// The row of token and sum on a card: nearest to the band.
    fn sum_row(place: u32) -> [f64; 4] {
        let [x, y, width, height] = stage::card_box(place);
        let top = if y < stage::BAND[1] { y + height - 54.0 } else { y + 54.0 };
        [x + 20.0, top, width - 40.0, 40.0]
    }

    fn card(&self, drawing: &mut Drawing, place: u32) {
        let routed = &self.experts.routed;
        let ranks = routed.ranks_at(place);
        let heading = format!("{} {}", self.common.gpu, routed.heading(place));
        let [x, y, width, height] = stage::card(drawing, place, &heading, !ranks.is_empty());
        if ranks.is_empty() {
            let set = Type::new(22.0, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((x + width / 2.0, y + height / 2.0 + 8.0), self.words.idle, set);
            return;
        }
        if let [rank] = ranks.as_slice() {
            let held = routed.held(*rank);
            let set = Type::new(20.0, Paint::Mute).anchored(Anchor::End);
            let last = held.end.saturating_sub(1);
            drawing.text((x + width - 20.0, y + 37.0), format!("E{}–E{last}", held.start), set);
        }
        self.picks(drawing, place);
        let row = Self::sum_row(place);
        self.token(drawing, [row[0], row[1], 108.0, row[3]]);
        self.sum(drawing, place, [row[0] + 120.0, row[1], row[2] - 120.0, row[3]]);
    }

    /// The picks of a place, one in a row: weight × output = product.
    fn picks(&self, drawing: &mut Drawing, place: u32) {
        let map = self.card_map(place);
        let (x, width) = (map[0], map[2]);
        let (rows, pitch) = self.rows();
        let top = map[1] + map[3] + 8.0;
        let own: Vec<_> = self.experts.at(place).collect();
        if own.is_empty() {
            let (size, text) = lines::fit(self.words.nothing, false, width, 1, &[20.0, 19.0, 18.0]);
            let known = self.progress.route.iter().copied().fold(1.0, f64::min);
            let shown = if self.progress.route.is_empty() { 0.0 } else { known };
            let at = (x, top + pitch * 0.5 + 7.0);
            let text = text.first().cloned().unwrap_or_default();
            drawing.text(at, text, Type::new(size, Paint::Mute)).faded(shown);
        }
        for (index, (pick, taken)) in own.iter().take(rows).enumerate() {
            let y = top + pitch * (index as f64 + 0.5) + 7.0;
            let size = 20.0;
            let routed = of(&self.progress.route, *pick);
            let strong = Type::new(size, Paint::Ink).bold();
            let set = Type::new(size, Paint::Ink);
            drawing
                .push(Shape::Circle { x: x + 7.0, y: y - 7.0, r: 6.0 }, Fill::Solid(Paint::Token))
                .faded(routed);
            drawing.text((x + 22.0, y), format!("E{}", taken.expert), strong).faded(routed);
            let at = (x + 148.0, y);
            drawing.text(at, hundredths(taken.weight), set.anchored(Anchor::End)).faded(routed);
            let computed = of(&self.progress.compute, *pick);
            let output = Type { paint: Paint::Compute, ..strong };
            drawing.text((x + 156.0, y), format!("× {}", whole(taken.output)), output).faded(computed);
            let product = format!("= {}", hundredths(taken.product()));
            let at = (x + width, y);
            drawing.text(at, product, set.anchored(Anchor::End)).faded(of(&self.progress.weigh, *pick));
        }
    }

    /// The copy of the token.
    fn token(&self, drawing: &mut Drawing, [x, y, width, height]: [f64; 4]) {
        drawing.rect([x, y, width, height], 8.0, Fill::Empty).stroked(Paint::Token, 2.5);
        let dot = Shape::Circle { x: x + 18.0, y: y + height / 2.0, r: 7.0 };
        drawing.push(dot, Fill::Solid(Paint::Token));
        drawing.text((x + 34.0, y + height / 2.0 + 7.0), self.words.token, Type::new(20.0, Paint::Ink));
    }

    /// What a place has in its accumulator: its own sum, the total, then the result.
    fn sum(&self, drawing: &mut Drawing, place: u32, area: [f64; 4]) {
        let (label, value) = self.accumulated(place);
        let paint = if of(&self.progress.receive, place) >= 0.5 { Paint::Token } else { Paint::Compute };
        let shown = of(&self.progress.partial, place);
        let own = self.experts.at(place).next().is_some() || paint == Paint::Token;
        for (index, mark) in labelled(drawing, area, label, &hundredths(value), paint).iter_mut().enumerate()
        {
            mark.faded(mark.opacity * shown);
            // A sum of nothing is dashed.
            if index == 0 && !own {
                mark.dashed();
            }
        }
    }

    fn accumulated(&self, place: u32) -> (&'static str, i64) {
        let total = self.experts.total();
        if self.progress.shared >= 0.5 {
            (self.words.result, total + self.experts.shared)
        } else if of(&self.progress.receive, place) >= 0.5 {
            (self.words.total, total)
        } else {
            (self.words.partial, self.experts.partial(place))
        }
    }

    /// Partial sums on their way into the band, the total on its way back.
    fn packets(&self, drawing: &mut Drawing) {
        for place in 0..self.experts.routed.places() {
            let [x, y, width, height] = Self::sum_row(place);
            let (port_x, port_y) = stage::port(place);
            let from = (x + width / 2.0, y + height / 2.0);
            for (way, paint) in [(&self.progress.send, Paint::Comm), (&self.progress.receive, Paint::Token)] {
                let along = of(way, place);
                let toward = if paint == Paint::Comm { along } else { 1.0 - along };
                let (px, py) = (from.0 + (port_x - from.0) * toward, from.1 + (port_y - from.1) * toward);
                let under_way = if along > 0.0 && along < 1.0 { 1.0 } else { 0.0 };
                drawing.rect([px - 16.0, py - 9.0, 32.0, 18.0], 5.0, Fill::Solid(paint)).faded(under_way);
            }
        }
    }

    /// Total + shared = result, at the right end of the band.
    fn equation(&self, drawing: &mut Drawing) {
        let (total, shared) = (self.experts.total(), self.experts.shared);
        let boxes = [
            (0.0, 160.0, self.words.total, total, Paint::Comm, self.progress.total),
            (184.0, 160.0, self.words.shared, shared, Paint::WeightSoft, self.progress.shared),
            (368.0, 160.0, self.words.result, total + shared, Paint::Token, self.progress.shared),
        ];
        for (offset, width, label, value, paint, shown) in boxes {
            let area = [EQUATION + offset, stage::BAND[1] + 12.0, width, 40.0];
            for mark in labelled(drawing, area, label, &hundredths(value), paint) {
                mark.faded(mark.opacity * shown);
            }
        }
        for (x, sign) in [(172.0, "+"), (356.0, "=")] {
            let set = Type::new(22.0, Paint::Ink).bold().anchored(Anchor::Middle);
            let at = (EQUATION + x, stage::BAND[1] + 40.0);
            drawing.text(at, sign, set).faded(self.progress.shared);
        }
    }

    /// What stands beside a row of the map.
    fn row_words(&self, drawing: &mut Drawing, place: u32) {
        let routed = &self.experts.routed;
        let [x, y, width, height] = row(place, routed.places());
        let middle = y + height / 2.0;
        let name = format!("{} {}", self.common.gpu, routed.heading(place));
        let size = if text_width(&name, 20.0, true) > ROW_NAME - 8.0 { 18.0 } else { 20.0 };
        let name = if routed.ranks > PLACES { routed.heading(place) } else { name };
        drawing.text((stage::LEFT, middle + 7.0), name, Type::new(size, Paint::Ink).bold());
        let (slowest, _) = self.experts.slowest();
        let own = routed.ranks_at(place);
        let load_of = |rank: u32| self.experts.loads.get(rank as usize).copied().unwrap_or_default();
        let is_slowest = own.iter().any(|rank| *rank as usize == slowest);
        let load = own.into_iter().map(load_of).max_by_key(|load| load.distinct_experts).unwrap_or_default();
        let left = x + width + 20.0;
        let bar = [left, middle - 8.0, 116.0, 16.0];
        drawing.rect(bar, 4.0, Fill::Solid(Paint::Sunk));
        let part = f64::from(load.distinct_experts) / f64::from(routed.each().max(1));
        let paint = if is_slowest { Paint::Comm } else { Paint::Weight };
        drawing.rect([bar[0], bar[1], bar[2] * part, bar[3]], 4.0, Fill::Solid(paint));
        let text = format!("{} / {}", load.distinct_experts, routed.each());
        let set = Type::new(20.0, Paint::Ink).anchored(Anchor::End);
        let set = if is_slowest { set.bold() } else { set };
        drawing.text((left + 204.0, middle + 7.0), text, set);
        let tag = if is_slowest { 1.0 } else { 0.0 };
        let set = Type::new(20.0, Paint::Comm).bold().anchored(Anchor::End);
        drawing.text((stage::LEFT + stage::ACROSS, middle + 7.0), self.words.slowest, set).faded(tag);
    }

    /// The two curves where the lower cards stood, and the heading of the rows.
    fn panels(&self, drawing: &mut Drawing) {
        let left = row(0, 1)[0] + ROW_WIDTH + 20.0;
        drawing.text((left, 34.0), self.words.read, Type::new(20.0, Paint::Mute));
        let lower = stage::card_box(4)[1];
        let width = (stage::ACROSS - 16.0) / 2.0;
        let type_size = 20.0;
        for (side, panel) in [Panel::Distinct, Panel::Slowest].into_iter().enumerate() {
            let x = stage::LEFT + side as f64 * (width + 16.0);
            plot::draw(drawing, self.experts, self.words, panel, [x, lower, width, 356.0], type_size);
        }
    }

    /// What colours, depths and rings mean; gives back the lower edge.
    fn legend(&self, drawing: &mut Drawing, [left, y]: [f64; 2], size: f64) -> f64 {
        let most = self.experts.most;
        let note = self.experts.routed.note(self.common).unwrap_or_default();
        let many = fill(self.words.many_tokens, &[("most", format::count(f64::from(most)))]);
        let single = most < 2;
        let entries = [
            (Fill::Solid(Paint::Sunk), 1.0, None, self.words.unread, true),
            (Fill::Solid(Paint::Weight), strength(1, most), None, self.words.one_token, true),
            (Fill::Solid(Paint::Weight), 1.0, None, many.as_str(), !single),
            (Fill::Empty, 1.0, Some(Paint::Token), self.words.example, true),
            (Fill::Solid(Paint::Comm), 1.0, None, self.words.under_way, true),
            (Fill::Empty, 0.0, None, note.as_str(), !note.is_empty()),
        ];
        let right = drawing.width - 16.0;
        let (mut x, mut line) = (left, y);
        for (fill, opacity, ring, word, _) in entries.into_iter().filter(|entry| entry.4) {
            let needs = size * 1.45 + text_width(word, size, false);
            if x > left && x + needs > right {
                (x, line) = (left, line + size * 1.7);
            }
            let sample = [x, line - size * 0.48, size * 0.95, size * 0.95];
            let mark = drawing.rect(sample, 4.0, fill);
            if let Some(paint) = ring {
                mark.stroked(paint, 4.0);
            }
            mark.faded(opacity);
            let at = (x + size * 1.45, line + size * 0.36);
            drawing.text(at, word, Type::new(size, Paint::Mute));
            x += needs + size * 1.6;
        }
        line + size
    }

    /// For a phone: the map in rows from the start, the example's sums under it, then one curve in their place.
    fn narrow(&self, caption: &str) -> Drawing {
        const WIDTH: f64 = stage::NARROW_WIDTH;
        let mut drawing = Drawing::new(WIDTH, 1096.0);
        let routed = &self.experts.routed;
        let places = routed.places();
        let head = Type::new(24.0, Paint::Mute);
        drawing.text((16.0, 36.0), self.common.gpu, head);
        let end = |text: &str, drawing: &mut Drawing, shown: f64| {
            let set = head.anchored(Anchor::End);
            drawing.text((WIDTH - 16.0, 36.0), text, set).faded(shown);
        };
        let leaving = 1.0 - self.progress.leave;
        let summed = self.progress.partial.iter().copied().fold(0.0, f64::max);
        end(self.accumulated(0).0, &mut drawing, summed * leaving);
        end(self.words.read, &mut drawing, self.progress.plot);
        let pitch = 376.0 / f64::from(places);
        for place in 0..places {
            let top = 52.0 + f64::from(place) * pitch;
            let area = [72.0, top + 4.0, 520.0, pitch - 8.0];
            let middle = top + pitch / 2.0 + 9.0;
            let name = if routed.ranks > PLACES { place.to_string() } else { routed.heading(place) };
            drawing.text((20.0, middle), name, Type::new(26.0, Paint::Ink).bold());
            self.map(&mut drawing, place, area, area);
            let set = Type::new(24.0, Paint::Ink).anchored(Anchor::End);
            let value = hundredths(self.accumulated(place).1);
            let shown = of(&self.progress.partial, place) * leaving;
            drawing.text((WIDTH - 16.0, middle), value, set.bold()).faded(shown);
            let loads = routed.ranks_at(place).into_iter();
            let read = loads.filter_map(|rank| self.experts.loads.get(rank as usize));
            let read = read.map(|load| load.distinct_experts).max().unwrap_or(0);
            let text = format!("{read} / {}", routed.each());
            drawing.text((WIDTH - 16.0, middle), text, set).faded(self.progress.plot);
        }
        let start = drawing.marks.len();
        self.narrow_picks(&mut drawing, 472.0);
        fade(&mut drawing.marks[start..], self.curtain().before());
        let start = drawing.marks.len();
        let area = [12.0, 448.0, WIDTH - 24.0, 380.0];
        plot::draw(&mut drawing, self.experts, self.words, Panel::Distinct, area, 24.0);
        fade(&mut drawing.marks[start..], self.curtain().after());
        self.curtain().cover(&mut drawing, [8.0, 444.0, WIDTH - 16.0, 388.0]);
        let (size, text) = lines::fit(caption, true, WIDTH - 32.0, 3, &[30.0, 28.0, 26.0, 24.0]);
        lines::draw(&mut drawing, (16.0, 876.0), &text, 3, Type::new(size, Paint::Ink).bold());
        self.legend(&mut drawing, [16.0, 996.0], 24.0);
        drawing
    }

    fn narrow_picks(&self, drawing: &mut Drawing, top: f64) {
        const PITCH: f64 = 40.0;
        let shown = self.experts.picks.iter().enumerate().take(MOST_RINGS.min(MOST_ROWS));
        for (index, taken) in shown {
            let y = top + index as f64 * PITCH + 26.0;
            let set = Type::new(26.0, Paint::Ink);
            let routed = of(&self.progress.route, index);
            let dot = Shape::Circle { x: 28.0, y: y - 9.0, r: 8.0 };
            drawing.push(dot, Fill::Solid(Paint::Token)).faded(routed);
            drawing.text((48.0, y), format!("E{}", taken.expert), set.bold()).faded(routed);
            let home = format!("{} {}", self.common.gpu, taken.rank);
            drawing.text((170.0, y), home, Type::new(26.0, Paint::Mute)).faded(routed);
            let weight = hundredths(taken.weight);
            drawing.text((420.0, y), weight, set.anchored(Anchor::End)).faded(routed);
            let output = format!("× {}", whole(taken.output));
            let strong = Type::new(26.0, Paint::Compute).bold();
            drawing.text((440.0, y), output, strong).faded(of(&self.progress.compute, index));
            let product = format!("= {}", hundredths(taken.product()));
            let at = (stage::NARROW_WIDTH - 24.0, y);
            drawing.text(at, product, set.anchored(Anchor::End)).faded(of(&self.progress.weigh, index));
        }
        let y = top + MOST_ROWS as f64 * PITCH + 12.0;
        let (total, shared) = (self.experts.total(), self.experts.shared);
        let boxes = [
            (self.words.total, total, Paint::Comm, self.progress.total),
            (self.words.shared, shared, Paint::WeightSoft, self.progress.shared),
            (self.words.result, total + shared, Paint::Token, self.progress.shared),
        ];
        for (index, (label, value, paint, shown)) in boxes.into_iter().enumerate() {
            let x = 16.0 + index as f64 * 236.0;
            for mark in tall(drawing, [x, y, 212.0, 80.0], label, &hundredths(value), paint) {
                mark.faded(mark.opacity * shown);
            }
        }
        for (x, sign) in [(240.0, "+"), (476.0, "=")] {
            let set = Type::new(26.0, Paint::Ink).bold().anchored(Anchor::Middle);
            drawing.text((x, y + 48.0), sign, set).faded(self.progress.shared);
        }
    }
}

/// Left edge of total + shared = result.
const EQUATION: f64 = stage::LEFT + stage::ACROSS - 544.0;
/// Room for a row's name.
const ROW_NAME: f64 = 104.0;
/// Width of a row of the map.
const ROW_WIDTH: f64 = 1056.0;

/// The area of a place's row once the map has lined up where the upper cards stood.
fn row(place: u32, places: u32) -> [f64; 4] {
    const TOP: f64 = 48.0;
    const BOTTOM: f64 = 376.0;
    let pitch = (BOTTOM - TOP) / f64::from(places.max(1));
    [stage::LEFT + ROW_NAME, TOP + f64::from(place) * pitch, ROW_WIDTH, pitch - 8.0]
}

/// A word and its value side by side in a framed box; gives back the marks.
fn labelled<'a>(
    drawing: &'a mut Drawing,
    [x, y, width, height]: [f64; 4],
    label: &str,
    value: &str,
    paint: Paint,
) -> &'a mut [Mark] {
    let start = drawing.marks.len();
    let middle = y + height / 2.0;
    drawing.rect([x, y, width, height], 8.0, Fill::Solid(Paint::Card)).stroked(paint, 2.5);
    drawing.text((x + 12.0, middle + 7.0), label, Type::new(19.0, Paint::Mute));
    let set = Type::new(22.0, Paint::Ink).bold().anchored(Anchor::End);
    drawing.text((x + width - 12.0, middle + 8.0), value, set);
    &mut drawing.marks[start..]
}

/// A word over its value in a framed box; gives back the marks.
fn tall<'a>(
    drawing: &'a mut Drawing,
    [x, y, width, height]: [f64; 4],
    label: &str,
    value: &str,
    paint: Paint,
) -> &'a mut [Mark] {
    let start = drawing.marks.len();
    drawing.rect([x, y, width, height], 8.0, Fill::Solid(Paint::Card)).stroked(paint, 3.0);
    let set = Type::new(24.0, Paint::Mute).anchored(Anchor::Middle);
    drawing.text((x + width / 2.0, y + 30.0), label, set);
    let set = Type::new(30.0, Paint::Ink).bold().anchored(Anchor::Middle);
    drawing.text((x + width / 2.0, y + 66.0), value, set);
    &mut drawing.marks[start..]
}
