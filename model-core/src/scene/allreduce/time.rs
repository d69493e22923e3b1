//! What an all-reduce takes: start-up and transfer over the message's size for three algorithms, and the same message
//! in two number formats.

use super::frame::{Stage, near, size};
use super::words::Words;
use crate::collective::Algorithm;
use crate::draw::metrics::wrap;
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type};
use crate::figure::{Unit, Value};
use crate::format::{self, ByteBase};
use crate::scenario::CommDtype;
use crate::scene::Layout;
use crate::scene::stage;
use crate::units::{Bytes, Seconds};
use crate::words::fill;

/// Points of a curve.
const POINTS: usize = 48;

/// Logarithmic axes over a box.
struct Axes {
    area: [f64; 4],
    /// Logarithms to base 10 of the smallest and the largest message.
    sizes: (f64, f64),
    /// The same of the times, whole numbers.
    times: (f64, f64),
}

impl Axes {
    fn x(&self, bytes: Bytes) -> f64 {
        let (low, high) = self.sizes;
        let share = (log(bytes.get()) - low) / (high - low);
        self.area[0] + self.area[2] * share.clamp(0.0, 1.0)
    }

    fn y(&self, time: Seconds) -> f64 {
        let (low, high) = self.times;
        let share = (log(time.get()) - low) / (high - low).max(1.0);
        self.area[1] + self.area[3] * (1.0 - share.clamp(0.0, 1.0))
    }

    fn message(&self, part: f64) -> Bytes {
        let (low, high) = self.sizes;
        Bytes(libm::exp10(low + (high - low) * part))
    }
}

fn log(value: f64) -> f64 {
    libm::log10(value.max(1e-30))
}

impl Stage<'_> {
    /// The plot and the question beside it, or under it on a phone.
    pub(super) fn time(&self, drawing: &mut Drawing, layout: Layout) {
        match layout {
            Layout::Wide => {
                let plot = [stage::LEFT, 16.0, 900.0, 808.0];
                drawing.rect(plot, 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
                drawing.text((plot[0] + 24.0, 62.0), self.words.plot, Type::new(24.0, Paint::Ink).bold());
                self.plot(drawing, [plot[0] + 108.0, 136.0, 590.0, 612.0], 20.0, 22.0);
                let side = [1028.0, 16.0, 556.0, 808.0];
                drawing.rect(side, 14.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
                self.formats(drawing, [side[0] + 24.0, 62.0, side[2] - 48.0], 24.0, 96.0);
            }
            Layout::Narrow => {
                let width = stage::NARROW_WIDTH - 32.0;
                self.plot(drawing, [116.0, 56.0, 430.0, 290.0], 24.0, 24.0);
                self.formats(drawing, [16.0, 428.0, width], 24.0, 34.0);
            }
        }
    }

    fn axes(&self, area: [f64; 4]) -> Axes {
        let (low, high) = match self.base {
            ByteBase::Binary => (1024.0, 1024.0_f64 * 1024.0 * 1024.0),
            ByteBase::Decimal => (1e3, 1e9),
        };
        let clock = self.scene.clock;
        let times = |message: f64| {
            Algorithm::ALL.map(|algorithm| clock.cost(algorithm, Bytes(message)).total().get())
        };
        let least = times(low).into_iter().fold(f64::INFINITY, f64::min);
        let most = times(high).into_iter().fold(0.0, f64::max);
        let times = (log(least).floor(), log(most).ceil());
        Axes { area, sizes: (log(low), log(high)), times: (times.0, times.1.max(times.0 + 1.0)) }
    }

    fn plot(&self, drawing: &mut Drawing, area: [f64; 4], small: f64, label: f64) {
        let axes = self.axes(area);
        let [x, y, width, height] = area;
        self.ticks(drawing, &axes, small);
        drawing.line((x, y), (x, y + height), Paint::Mute, 2.0);
        drawing.line((x, y + height), (x + width, y + height), Paint::Mute, 2.0);
        let clock = self.scene.clock;
        let chosen = self.scene.algorithm;
        // The chosen one last, above the others.
        let mut order = Algorithm::ALL.to_vec();
        order.sort_by_key(|algorithm| *algorithm == chosen);
        for algorithm in &order {
            let happened = self.progress.curves.get(super::words::place(*algorithm)).copied().unwrap_or(0.0);
            let drawn = (POINTS as f64 * happened).ceil() as usize;
            let at = |index: usize| {
                let part = (index as f64 / POINTS as f64).min(happened);
                let message = axes.message(part);
                (axes.x(message), axes.y(clock.cost(*algorithm, message).total()))
            };
            let points = (0..=drawn).map(at).collect();
            let strong = *algorithm == chosen;
            let (paint, thick) = if strong { (Paint::Comm, 6.0) } else { (Paint::Mute, 3.0) };
            let mark = drawing.push(Shape::Path { points, closed: false }, Fill::Empty).stroked(paint, thick);
            if *algorithm == Algorithm::Tree {
                mark.dashed();
            }
        }
        self.names(drawing, &axes, label);
        self.marks(drawing, &axes, label);
    }

    /// Decades and sizes along the axes.
    fn ticks(&self, drawing: &mut Drawing, axes: &Axes, small: f64) {
        let [x, y, width, height] = axes.area;
        let decades = (axes.times.1 - axes.times.0) as usize;
        // Far-reaching axes name every second or third decade.
        let each = ((decades as f64 * small * 1.6) / height).ceil().max(1.0) as usize;
        for decade in (0..=decades).step_by(each) {
            let exponent = axes.times.0 as i32 + decade as i32;
            let at = axes.y(Seconds(libm::exp10(f64::from(exponent))));
            drawing.line((x, at), (x + width, at), Paint::Line, 1.5);
            let set = Type::new(small, Paint::Mute).anchored(Anchor::End);
            drawing.text((x - 10.0, at + small * 0.36), decade_name(exponent), set);
        }
        let step = if self.base == ByteBase::Binary { 1024.0 } else { 1000.0 };
        let mut bytes = step;
        for _ in 0..3 {
            let at = axes.x(Bytes(bytes));
            drawing.line((at, y), (at, y + height), Paint::Line, 1.5);
            let name = format!("1 {}", format::bytes(Bytes(bytes), self.base).unit);
            let set = Type::new(small, Paint::Mute).anchored(Anchor::Middle);
            drawing.text((at, y + height + small * 1.65), name, set);
            bytes *= step;
        }
    }

    /// Each curve's name at its right end, pushed apart where they end close together, and none below the axis: there
    /// stand the sizes.
    fn names(&self, drawing: &mut Drawing, axes: &Axes, text: f64) {
        let clock = self.scene.clock;
        let mut ends = Algorithm::ALL.map(|algorithm| {
            (algorithm, axes.y(clock.cost(algorithm, axes.message(1.0)).total()) + text * 0.36)
        });
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        let pitch = text * 1.25;
        let mut free = 0.0_f64;
        for (place, (_, baseline)) in ends.iter_mut().enumerate() {
            let below = (Algorithm::ALL.len() - 1 - place) as f64;
            *baseline = baseline.max(free).min(axes.area[1] + axes.area[3] - below * pitch);
            free = *baseline + pitch;
        }
        for (algorithm, baseline) in ends {
            let strong = algorithm == self.scene.algorithm;
            let paint = if strong { Paint::Comm } else { Paint::Mute };
            let set = Type { bold: strong, ..Type::new(text, paint) };
            let happened = self.progress.curves.get(super::words::place(algorithm)).copied().unwrap_or(0.0);
            let at = (axes.area[0] + axes.area[2] + 12.0, baseline);
            drawing.text(at, Words::by(&self.words.algorithms, algorithm), set).faded(happened);
        }
    }

    /// The scenario's message in both formats on the chosen curve; the one in force is filled.
    fn marks(&self, drawing: &mut Drawing, axes: &Axes, text: f64) {
        let clock = self.scene.clock;
        for (index, dtype) in CommDtype::ALL.iter().enumerate() {
            let happened = self.progress.payloads.get(index).copied().unwrap_or(0.0);
            let message = clock.message_in(*dtype);
            let at = (axes.x(message), axes.y(clock.cost(self.scene.algorithm, message).total()));
            let top = axes.area[1];
            drawing.line((at.0, top - 6.0), at, Paint::Ink, 2.0).dashed().faded(happened);
            let in_force = *dtype == clock.dtype;
            let fill = if in_force { Paint::Comm } else { Paint::Card };
            let dot = Shape::Circle { x: at.0, y: at.1, r: 9.0 };
            drawing.push(dot, Fill::Solid(fill)).stroked(Paint::Comm, 3.0).faded(happened);
            let (anchor, shift) = match dtype {
                CommDtype::Fp32 => (Anchor::Start, -4.0),
                CommDtype::Bf16 => (Anchor::End, 4.0),
            };
            let set = Type { bold: in_force, ..Type::new(text, Paint::Ink) };
            drawing.text((at.0 + shift, top - 16.0), name(*dtype), set.anchored(anchor)).faded(happened);
        }
    }

    /// The same message in both formats as bars of start-up and transfer, and what halving it saves.
    fn formats(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], text: f64, bar: f64) {
        let clock = self.scene.clock;
        let algorithm = self.scene.algorithm;
        // Where the bars are high there is room between them too.
        let air = if bar > 60.0 { 1.4 } else { 1.0 };
        let title = Type::new(text + 3.0, Paint::Ink).bold();
        let mut top = y;
        for line in wrap(self.words.question, title.size, true, width) {
            drawing.text((x, top), line, title);
            top += title.size * 1.4;
        }
        top += text * 0.6;
        let costs = CommDtype::ALL.iter().map(|dtype| {
            let message = clock.message_in(*dtype);
            (*dtype, message, clock.cost(algorithm, message))
        });
        let costs: Vec<_> = costs.collect();
        let longest = costs.iter().map(|(_, _, cost)| cost.total().get()).fold(0.0, f64::max).max(1e-30);
        for (index, (dtype, message, cost)) in costs.iter().enumerate() {
            let happened = self.progress.payloads.get(index).copied().unwrap_or(0.0);
            let in_force = *dtype == clock.dtype;
            let set = Type::new(text, Paint::Ink).bold();
            let heading = format!("{} · {}", name(*dtype), size(*message, self.base));
            let mark = drawing.text((x, top), heading, set).faded(happened);
            if in_force && self.scene.message.is_some_and(|figure| near(figure, message.get())) {
                mark.shows("allreduce.message.bytes", message.get());
            }
            let total = format::seconds(cost.total()).to_string();
            drawing.text((x + width, top), total, set.anchored(Anchor::End)).faded(happened);
            let long = |time: Seconds| width * (time.get() / longest).clamp(0.0, 1.0) * happened;
            let (startup, transfer) = (long(cost.startup), long(cost.transfer));
            let at = top + text * 0.55;
            drawing.rect([x, at, startup, bar], 0.0, Fill::Hatched(Paint::Comm)).stroked(Paint::Comm, 2.0);
            drawing.rect([x + startup, at, transfer, bar], 0.0, Fill::Solid(Paint::Comm));
            let values = [
                ("startup", format::seconds(cost.startup).to_string()),
                ("transfer", format::seconds(cost.transfer).to_string()),
            ];
            let split = fill(self.words.split, &values);
            let under = at + bar + text * 1.2;
            drawing.text((x, under), split, Type::new(text, Paint::Mute)).faded(happened);
            top = under + text * 1.9 * air;
        }
        self.answer(
            drawing,
            [x, top + text * 0.2, width],
            [text, text * 1.75 * air],
            &costs.iter().map(|(_, _, cost)| cost.total()).collect::<Vec<_>>(),
        );
    }

    /// How message, time and a sum change from four bytes to two, and where start-up and transfer are alike.
    fn answer(
        &self,
        drawing: &mut Drawing,
        [x, y, width]: [f64; 3],
        [text, pitch]: [f64; 2],
        totals: &[Seconds],
    ) {
        let clock = self.scene.clock;
        let change = |from: f64, to: f64| {
            if from > 0.0 { format::percent(to / from - 1.0) } else { format::percent(0.0) }
        };
        let [wide, half] = [CommDtype::Fp32, CommDtype::Bf16].map(CommDtype::bytes);
        let time = |index: usize| totals.get(index).map_or(0.0, |total| total.get());
        let shown = |sum: &f64| format::value(&Value::Number(*sum), Unit::Count, self.base).number;
        let sums: Vec<String> = self.scene.rounded.iter().map(shown).collect();
        let rows = [
            (self.words.payload, change(wide, half), 1.35),
            (self.words.duration, change(time(0), time(1)), 1.35),
            (self.words.bend, size(clock.bend(self.scene.algorithm), self.base), 1.0),
            (self.words.rounded, sums.join(" → "), 1.0),
        ];
        let happened = self.progress.payloads.last().copied().unwrap_or(0.0);
        let mut baseline = y + text;
        for (label, value, larger) in rows {
            drawing.text((x, baseline), label, Type::new(text, Paint::Mute)).faded(happened);
            let set = Type::new(text * larger, Paint::Ink).bold().anchored(Anchor::End);
            drawing.text((x + width, baseline), value, set).faded(happened);
            baseline += pitch;
        }
        let entries = [
            (Fill::Hatched(Paint::Comm), self.words.startup.to_owned()),
            (Fill::Solid(Paint::Comm), self.words.transfer.to_owned()),
        ];
        crate::draw::legend::draw(drawing, [x, baseline, width], text, &entries);
    }
}

const fn name(dtype: CommDtype) -> &'static str {
    match dtype {
        CommDtype::Fp32 => "FP32",
        CommDtype::Bf16 => "BF16",
    }
}

/// A power of ten of a second in the unit it is spoken in.
fn decade_name(exponent: i32) -> String {
    let (unit, zero) = match exponent {
        ..=-7 => ("ns", -9),
        -6..=-4 => ("µs", -6),
        -3..=-1 => ("ms", -3),
        _ => ("s", 0),
    };
    format!("{} {unit}", format::count(libm::exp10(f64::from(exponent - zero))))
}
