//! Drawing a waterfall: a row for each end and each change, its bar from where the way stands to where it leads.

use super::lines::signed;
use super::values::Names;
use super::waterfall::{LESS, MORE, Stage, Waterfall};
use super::words;
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Size, excuse, framed, with_unit};
use crate::draw::metrics::{text_width, wrap};
use crate::draw::{Anchor, Drawing, Fill, Paint, Type};
use crate::scene::lines::LEADING;
use crate::scene::{Layout, Look};
use crate::words::fill;

/// More changes than these are told as one row, the smallest of them.
const MOST_CHANGES: usize = 12;
/// More values than these in one change are told as a number of them.
const MOST_VALUES: usize = 5;
/// Share of a wide drawing that the names of the rows get.
const NAMES_SHARE: f64 = 0.4;
/// Above this share of the highest value lie all of them where the axis leaves out the first stretch.
const CROWDED: f64 = 0.75;
/// Air around texts and between rows.
const AIR: f64 = 8.0;

/// One row.
struct Bar {
    name: Vec<String>,
    shown: String,
    /// From where to where, in base units; an end begins at the foot of the axis.
    from: Option<f64>,
    to: f64,
    figure: Option<&'static str>,
}

impl Bar {
    const fn is_end(&self) -> bool {
        self.from.is_none()
    }

    fn fill(&self, whole: Paint) -> (Fill, Paint) {
        match self.from {
            None => (Fill::Solid(whole), whole),
            Some(from) if self.to > from => (MORE, Paint::Comm),
            Some(_) => (LESS, Paint::Mute),
        }
    }
}

/// Where everything lies.
struct Sheet {
    size: Size,
    /// Left and width of the plot.
    left: f64,
    width: f64,
    axis: Axis,
    /// Upper edge of each row, and the lower edge of the last.
    tops: Vec<f64>,
    foot: f64,
    /// Whether the names stand above the bars.
    stacked: bool,
}

impl Sheet {
    fn x(&self, value: f64) -> f64 {
        self.left + self.width * self.axis.share(value)
    }

    fn bar_height(&self) -> f64 {
        self.size.text * 1.3
    }

    fn name_height(&self, bar: &Bar) -> f64 {
        bar.name.len() as f64 * self.size.text * LEADING
    }

    fn row_height(&self, bar: &Bar) -> f64 {
        let (name, own) = (self.name_height(bar), self.bar_height());
        if self.stacked { name + own + 1.5 * AIR } else { name.max(own) + 1.5 * AIR }
    }

    /// The upper edge of a row's bar.
    fn bar_top(&self, row: usize, bar: &Bar) -> f64 {
        let top = self.tops.get(row).copied().unwrap_or(0.0);
        let free = self.row_height(bar) - self.bar_height();
        if self.stacked { top + free - 0.5 * AIR } else { top + free / 2.0 }
    }

    fn zoomed(&self) -> bool {
        self.axis.low > 0.0
    }
}

impl Waterfall {
    /// Draws it; the wider the words, the taller it gets.
    #[must_use]
    pub fn draw(&self, look: Look, names: &Names) -> Drawing {
        let size = Size::of(look.layout);
        let mut drawing = Drawing::new(size.width, size.height);
        drawing.title = self.title(look);
        drawing.description = self.description(look, names);
        let bars = self.bars(look, names);
        if bars.is_empty() {
            let reason = drawing.description.clone();
            excuse(&mut drawing, &reason, size);
            return drawing;
        }
        let sheet = self.sheet(&bars, look);
        self.axis(&mut drawing, &sheet, look);
        connect(&mut drawing, &sheet, &bars);
        for (row, bar) in bars.iter().enumerate() {
            self.bar(&mut drawing, &sheet, row, bar);
        }
        drawing.height = sheet.foot + size.text * 3.4;
        drawing
    }

    /// The drawing with its title and legend inside, for a file that stands alone.
    #[must_use]
    pub fn draw_whole(&self, look: Look, names: &Names) -> Drawing {
        let entries: Vec<_> = self.legend(look).into_iter().map(|entry| (entry.fill, entry.name)).collect();
        framed(self.draw(look, names), Size::of(look.layout).text, &entries)
    }

    /// A row for A, one for each change that adds or takes away, one for B.
    fn bars(&self, look: Look, names: &Names) -> Vec<Bar> {
        let Some(ends) = self.ends else { return Vec::new() };
        let unit = self.topic.unit();
        let size = Size::of(look.layout);
        let room = match look.layout {
            Layout::Wide => size.width * NAMES_SHARE - AIR,
            Layout::Narrow => size.width - AIR,
        };
        let end = |index: usize| {
            let point = ends.get(index)?;
            Some(Bar {
                name: vec![self.end_name(index, look)],
                shown: point.shown(unit, look).to_string(),
                from: None,
                to: point.value,
                figure: point.figure,
            })
        };
        let acting: Vec<&Stage> = self.stages.iter().filter(|stage| stage.amount != 0.0).collect();
        let (told, others) = parted(acting);
        let mut at = ends[0].value;
        let mut bar = |name: String, amount: f64| {
            let from = at;
            at += amount;
            let name = wrap(&name, size.text, false, room);
            Bar {
                name,
                shown: signed(amount, unit, look).to_string(),
                from: Some(from),
                to: at,
                figure: None,
            }
        };
        let mut bars: Vec<Bar> = end(0).into_iter().collect();
        bars.extend(told.iter().map(|stage| bar(stage.short_words(look, names), stage.amount)));
        if !others.is_empty() {
            let count = others.len().to_string();
            let sum = others.iter().map(|stage| stage.amount).sum();
            bars.push(bar(fill(look.say(words::OTHERS), &[("count", count)]), sum));
        }
        bars.extend(end(1));
        bars
    }

    fn sheet(&self, bars: &[Bar], look: Look) -> Sheet {
        let size = Size::of(look.layout);
        let stacked = look.layout == Layout::Narrow;
        let values = || bars.iter().map(|bar| bar.to);
        let (low, high) =
            values().fold((f64::INFINITY, 0.0_f64), |(low, high), to| (low.min(to), high.max(to)));
        let (scale, most) = (Scale::linear(self.topic.unit()), if stacked { 4 } else { 6 });
        // Bars that would all end in the last stretch are told apart only where the axis leaves out the first.
        let axis = if low > high * CROWDED && high > low {
            Axis::zoomed(scale, ((low - (high - low) * 0.2).max(0.0), high), look.base, most)
        } else {
            Axis::new(scale, (0.0, high), look.base, most, false)
        };
        let widest =
            bars.iter().map(|bar| text_width(&bar.shown, size.text, bar.is_end())).fold(0.0, f64::max);
        let first = axis.ticks.first().map_or(0.0, |(_, label)| text_width(label, size.text, false));
        let left = if stacked { first / 2.0 + 1.0 } else { size.width * NAMES_SHARE };
        let width = size.width - left - widest - 2.0 * AIR;
        let mut sheet = Sheet { size, left, width, axis, tops: Vec::new(), foot: AIR, stacked };
        for bar in bars {
            sheet.tops.push(sheet.foot);
            sheet.foot += sheet.row_height(bar);
        }
        sheet
    }

    /// Lines and labels of the axis, and its name.
    fn axis(&self, drawing: &mut Drawing, sheet: &Sheet, look: Look) {
        let Size { width, text, .. } = sheet.size;
        let mute = Type::new(text, Paint::Mute);
        let mut free = 0.0;
        for (tick, label) in &sheet.axis.ticks {
            let x = sheet.x(*tick);
            drawing.line((x, AIR / 2.0), (x, sheet.foot), Paint::Line, 1.0);
            let half = text_width(label, text, false) / 2.0;
            if x - half >= free && x + half <= width {
                drawing.text((x, sheet.foot + text * 1.3), label.clone(), mute.anchored(Anchor::Middle));
                free = x + half + text * 0.4;
            }
        }
        let mut name = with_unit(look.say(words::topic(self.topic)), sheet.axis.unit, look.language);
        if sheet.zoomed() {
            name.push_str(look.say(words::COMMA));
            name.push_str(look.say(words::NOT_FROM_ZERO));
        }
        drawing.text((width - AIR / 2.0, sheet.foot + text * 2.8), name, mute.anchored(Anchor::End));
    }

    /// A row's name, bar and number.
    fn bar(&self, drawing: &mut Drawing, sheet: &Sheet, row: usize, bar: &Bar) {
        let text = sheet.size.text;
        let (top, height) = (sheet.bar_top(row, bar), sheet.bar_height());
        let names = sheet.name_height(bar);
        // Names begin above the bar, or stand in its middle beside it.
        let first = if sheet.stacked { top - names - 2.0 } else { top + height / 2.0 - names / 2.0 };
        let mut set = Type::new(text, Paint::Ink);
        if bar.is_end() {
            set = set.bold();
        }
        for (line, words) in bar.name.iter().enumerate() {
            let baseline = first + line as f64 * text * LEADING + text * (LEADING / 2.0 + 0.36);
            if sheet.stacked {
                behind(drawing, (0.0, baseline), words, set);
            }
            drawing.text((0.0, baseline), words.clone(), set);
        }
        let start = sheet.x(bar.from.unwrap_or(sheet.axis.low));
        let end = sheet.x(bar.to);
        let (fill, edge) = bar.fill(self.paint());
        let area = [start.min(end), top, (start - end).abs().max(2.0), height];
        drawing.rect(area, 2.0, fill).stroked(edge, 1.5);
        if bar.is_end() && sheet.zoomed() {
            // Where the axis leaves out the first stretch, so does the bar.
            for shift in [10.0, 16.0] {
                let x = sheet.left + shift;
                drawing.line((x - 3.0, top + height + 1.0), (x + 3.0, top - 1.0), Paint::Card, 2.5);
            }
        }
        let at = (area[0] + area[2] + AIR, top + height / 2.0 + text * 0.36);
        behind(drawing, at, &bar.shown, set);
        let mark = drawing.text(at, bar.shown.clone(), set);
        if let Some(id) = bar.figure {
            mark.shows(id, bar.to);
        }
    }
}

/// Those that are told one by one, in their order, and the smaller rest of them where there are many.
fn parted(stages: Vec<&Stage>) -> (Vec<&Stage>, Vec<&Stage>) {
    if stages.len() <= MOST_CHANGES {
        return (stages, Vec::new());
    }
    let mut sizes: Vec<f64> = stages.iter().map(|stage| stage.amount.abs()).collect();
    sizes.sort_by(|one, other| other.total_cmp(one));
    // Of equal ones all are told, or none.
    let least = sizes.get(MOST_CHANGES - 1).copied().unwrap_or(0.0);
    stages.into_iter().partition(|stage| stage.amount.abs() > least)
}

/// From each bar's end to the next bar.
fn connect(drawing: &mut Drawing, sheet: &Sheet, bars: &[Bar]) {
    for (row, pair) in bars.windows(2).enumerate() {
        let [above, below] = pair else { continue };
        let x = sheet.x(above.to);
        let from = sheet.bar_top(row, above) + sheet.bar_height();
        drawing.line((x, from), (x, sheet.bar_top(row + 1, below)), Paint::Mute, 1.0);
    }
}

/// Clears the ground behind a text, which lines of the axis cross.
fn behind(drawing: &mut Drawing, (x, baseline): (f64, f64), text: &str, set: Type) {
    let width = text_width(text, set.size, set.bold);
    let area = [x, baseline - set.size, width, set.size * 1.3];
    drawing.rect(area, 2.0, Fill::Solid(Paint::Card)).faded(0.85);
}

impl Stage {
    /// What changes, in as many words as a picture has room for.
    fn short_words(&self, look: Look, names: &Names) -> String {
        let Some((told, others)) =
            self.changes.split_at_checked(MOST_VALUES).filter(|(_, rest)| rest.len() > 1)
        else {
            return self.words(look, names);
        };
        let mut each: Vec<String> = told.iter().map(|change| change.words(look, names)).collect();
        each.push(fill(look.say(words::OTHERS), &[("count", others.len().to_string())]));
        each.join(look.say(words::COMMA))
    }
}
