//! The groups of "caches": CSA with its overlap, entries and keys, HCA, and what the query sees of them all.

use super::frame::{Stage, place};
use super::words;
use super::{GROUPS, Seen};
use crate::draw::{Anchor, Drawing, Fill, Paint, Shape, Type, legend};
use crate::format;
use crate::scene::lines;
use crate::scene::parts::of;
use crate::spec::AttentionKind;

/// Cells of a row of entries at most.
const MOST_CELLS: u64 = 64;
/// HCA entries that are drawn with their numbers: the last ones.
const CHIPS: u64 = 8;
/// Cells of an HCA group at most.
const MOST_TOKENS: u64 = 128;
/// Points of a curve.
const BENDS: u32 = 12;

fn number(number: u64) -> String {
    format::count(number as f64)
}

/// A row of cells from the left edge on, the first `shown` of them.
fn cells([x, y, width, high]: [f64; 4], count: u64, shown: u64) -> Shape {
    let pitch = width / count.max(1) as f64;
    let size = (pitch - (pitch * 0.2).min(4.0), high);
    Shape::Cells { x, y, columns: count.max(1) as usize, count: shown as usize, pitch: (pitch, high), size }
}

impl Stage<'_> {
    /// A heading with how far the current group has come.
    fn group_heading(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3], text: &str, kind: AttentionKind) {
        let (there, of) = (self.scene.in_group(kind), self.scene.ratio_of(kind).unwrap_or(1));
        let told = if there == of {
            self.look.say(words::FULL).to_owned()
        } else {
            self.tell(words::FILLED, &[("there", number(there)), ("of", number(of))])
        };
        let set = self.small(Paint::Mute).anchored(Anchor::End);
        let y = y + self.pick(23.0, 29.0);
        self.heading(drawing, (x, y), text, width * self.pick(0.7, 0.62));
        drawing.text((x + width, y), told, set);
    }

    /// The last CSA groups, and the newest entry with the rows it pools; all entries, keys and picks under them.
    pub(super) fn csa(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let scene = self.scene;
        let m = scene.ratios.0;
        let title = self.tell(words::CSA, &[]);
        self.group_heading(drawing, [x, y, width], &title, AttentionKind::Csa);
        let small = self.small(Paint::Mute);
        let line = small.size * lines::LEADING;
        let left = self.pick(110.0, 0.0);
        let gap = self.pick(18.0, 12.0);
        let group = (width - left - gap * (GROUPS - 1) as f64) / GROUPS as f64;
        let top = y + self.pick(23.0, 29.0) + line + 16.0;
        let row = self.pick([28.0, 22.0], [34.0, 28.0]);
        let (high, pad) = (row[0] + 2.0 * row[1] + 26.0, 7.0);
        let rows = [top + pad, top + pad + row[0] + 6.0, top + pad + row[0] + row[1] + 12.0];
        let newest = scene.seen(AttentionKind::Csa).entries.checked_sub(1);
        let current = scene.position / m;
        let pooled = self.progress.pooled;
        let mut joined = self.progress.joined.iter();
        let mut centres = [0.0; 2];
        for column in 0..GROUPS {
            let at = x + left + column as f64 * (group + gap);
            // Groups before the first one are left empty.
            let index = (current + 1 + column).checked_sub(GROUPS);
            let area = [at, top, group, high];
            let full = index.is_some_and(|index| newest.is_some_and(|newest| index <= newest));
            let outline = drawing.rect(area, 10.0, Fill::Empty).stroked(Paint::Line, 2.0);
            if !full {
                outline.dashed().faded(if index.is_some() { 1.0 } else { 0.0 });
            }
            let range = index.map(|index| format!("{}–{}", place(index * m), place(index * m + m - 1)));
            let set = small.anchored(Anchor::Middle);
            drawing.text((at + group / 2.0, top - 9.0), range.unwrap_or_default(), set);
            let there = match index {
                Some(_) => joined.by_ref().take(m as usize).filter(|happened| **happened >= 0.5).count(),
                None => 0,
            };
            let inner = [at + pad, rows[0], group - pad, row[0]];
            let kinds = [(0, Paint::Token, row[0]), (1, Paint::CacheSoft, row[1]), (2, Paint::Cache, row[1])];
            for (row, paint, high) in kinds {
                let area = [inner[0], of(&rows, row as usize), inner[2], high];
                let ghost = if index.is_some() { m } else { 0 };
                drawing.push(cells(area, m, ghost), Fill::Solid(Paint::Sunk));
                drawing.push(cells(area, m, there as u64), Fill::Solid(paint));
            }
            // The rows that the newest entry pools: first halves of the group before, second halves of its own.
            let role = newest.and_then(|newest| (index? + 1).checked_sub(newest)).filter(|role| *role < 2);
            let at_row = if role == Some(0) { rows[1] } else { rows[2] };
            let frame = [at + 3.0, at_row - 3.0, group - 6.0, row[1] + 6.0];
            let shown = if role.is_some() { pooled } else { 0.0 };
            drawing.rect(frame, 5.0, Fill::Empty).stroked(Paint::Ink, 2.0).faded(shown);
            if let Some(centre) = role.and_then(|role| centres.get_mut(role as usize)) {
                *centre = at + group / 2.0;
            }
        }
        // Which half is which stands beside the rows, or where there is no room, below.
        for (half, row_at) in words::HALVES.into_iter().zip([rows[1], rows[2]]).filter(|_| !self.narrow()) {
            let set = small.anchored(Anchor::End);
            let base = row_at + row[1] / 2.0 + small.size * 0.36;
            drawing.text((x + left - 12.0, base), self.look.say(half), set);
        }
        let chip = self.pick((150.0, 32.0), (190.0, 40.0));
        let chip_top = top + high + 26.0;
        self.pool(drawing, centres, (top + high, chip_top), chip, newest);
        let mut base = chip_top + chip.1 + line;
        base = self.pool_words(drawing, (x, base), width, newest);
        if self.narrow() {
            let paints = [Paint::CacheSoft, Paint::Cache].map(Fill::Solid);
            let named = paints.into_iter().zip(words::HALVES.map(|half| self.look.say(half).to_owned()));
            base = legend::draw(drawing, [x, base, width], small.size, &named.collect::<Vec<_>>()) + line;
        }
        self.entries(drawing, [x, base - line + self.pick(16.0, 20.0), width]);
    }

    /// The newest entry under its group, and where its rows come from.
    fn pool(
        &self,
        drawing: &mut Drawing,
        [before, own]: [f64; 2],
        (from, to): (f64, f64),
        chip: (f64, f64),
        newest: Option<u64>,
    ) {
        let pooled = if newest.is_some() { self.progress.pooled } else { 0.0 };
        let overlaps = if newest.is_some_and(|newest| newest > 0) { pooled } else { 0.0 };
        let bend = |step: u32| {
            let part = f64::from(step) / f64::from(BENDS);
            let level = part * part * (3.0 - 2.0 * part);
            (before + (own - chip.0 / 2.0 - before) * part, from + (to + chip.1 / 2.0 - from) * level)
        };
        let curve = Shape::Path { points: (0..=BENDS).map(bend).collect(), closed: false };
        drawing.push(curve, Fill::Empty).stroked(Paint::CacheSoft, 5.0).faded(overlaps);
        drawing.line((own, from), (own, to), Paint::Cache, 5.0).faded(pooled);
        let area = [own - chip.0 / 2.0, to, chip.0, chip.1];
        drawing.rect(area, 7.0, Fill::Solid(Paint::Cache)).faded(pooled);
        let named = [("entry", newest.map_or_else(String::new, place))];
        let set = Type { size: self.pick(19.0, 24.0), ..Type::new(19.0, Paint::OnColour) };
        let at = (own, to + chip.1 / 2.0 + set.size * 0.36);
        let text = self.tell(words::ENTRY, &named);
        drawing.text(at, text, set.bold().anchored(Anchor::Middle)).faded(pooled);
    }

    fn pool_words(&self, drawing: &mut Drawing, at: (f64, f64), width: f64, newest: Option<u64>) -> f64 {
        let scene = self.scene;
        let (told, opacity) = match newest {
            Some(entry) => {
                let pooled = scene.pooled(entry);
                let named = [
                    ("entry", place(entry)),
                    ("rows", number(pooled.end - pooled.start)),
                    ("from", place(pooled.start)),
                    ("to", place(pooled.end - 1)),
                ];
                (self.tell(words::POOLS, &named), self.progress.pooled)
            }
            None => (self.tell(words::NO_ENTRY, &[("first", place(scene.ratios.0 - 1))]), 1.0),
        };
        let at = (at.0 + self.pick(110.0, 0.0), at.1);
        let room = (width - self.pick(110.0, 0.0), self.pick(1, 2));
        self.sentence(drawing, at, &told, self.small(Paint::Ink), room, opacity)
    }

    /// All entries and their keys, a cell for one or for several; those picked stand out where it is known which.
    fn entries(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let scene = self.scene;
        let Seen { entries, attended, .. } = scene.seen(AttentionKind::Csa);
        let each = entries.div_ceil(MOST_CELLS).max(1);
        let count = entries.div_ceil(each);
        let picks = scene.picks();
        let small = self.small(Paint::Mute);
        let left = self.pick(110.0, 140.0);
        let (high, pitch) = self.pick((22.0, 30.0), (30.0, 40.0));
        let (keys, picked) = (self.progress.keys, self.progress.picked);
        for (index, (name, paint)) in
            words::ROWS.into_iter().zip([Paint::Cache, Paint::CacheDeep]).enumerate()
        {
            let area = [x + left, y + index as f64 * pitch, width - left, high];
            let base = area[1] + high / 2.0 + small.size * 0.36;
            drawing.text((x, base), self.look.say(name), small);
            // As wide as full rows would be, so that few entries stay small.
            let columns = count.max(MOST_CELLS / 2);
            drawing.push(cells(area, columns, columns), Fill::Solid(Paint::Sunk)).faded(0.55);
            let happened = if index == 0 { self.progress.pooled } else { keys };
            let shown = (count as f64 * happened).round() as u64;
            let known = if picks.is_some() { 1.0 - 0.7 * picked } else { 1.0 };
            drawing.push(cells(area, columns, shown), Fill::Solid(paint)).faded(known);
            let pitch = area[2] / columns as f64;
            let wide = pitch - (pitch * 0.2).min(4.0);
            for entry in picks.unwrap_or_default() {
                let at = [area[0] + f64::from(*entry) * pitch, area[1], wide, high];
                drawing.rect(at, 2.0, Fill::Solid(paint)).faded(picked);
            }
        }
        let named = [
            ("entries", number(entries)),
            ("each", number(each)),
            ("picked", number(picks.map_or(attended, |picks| picks.len() as u64))),
        ];
        let template = match picks {
            _ if entries == 0 => words::PICKS_NONE,
            Some(_) => words::PICKS,
            None if attended == entries => words::PICKS_ALL,
            None => words::PICKS_RULE,
        };
        let base = y + 2.0 * pitch + small.size * 1.05;
        let room = (width, self.pick(1, 2));
        let told = self.tell(template, &named);
        self.sentence(drawing, (x, base), &told, self.small(Paint::Ink), room, picked);
    }

    /// The current HCA group token by token, and the last entries.
    pub(super) fn hca(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let scene = self.scene;
        let kind = AttentionKind::Hca;
        let title = self.tell(words::HCA, &[]);
        self.group_heading(drawing, [x, y, width], &title, kind);
        let n = scene.ratios.1;
        let each = n.div_ceil(MOST_TOKENS);
        let count = n.div_ceil(each);
        let there = (scene.in_group(kind).div_ceil(each) as f64 * self.progress.counted).round() as u64;
        let top = y + self.pick(23.0, 29.0) + 12.0;
        let high = self.pick(26.0, 34.0);
        let area = [x, top, width, high];
        drawing.push(cells(area, count, count), Fill::Solid(Paint::Sunk));
        drawing.push(cells(area, count, there), Fill::Solid(Paint::Token));
        let small = self.small(Paint::Mute);
        let entries = scene.seen(kind).entries;
        let first = entries.saturating_sub(CHIPS);
        let wide = self.pick(74.0, 79.0);
        let chip_high = self.pick(32.0, 40.0);
        let chips = top + high + 12.0;
        for place_at in 0..CHIPS {
            let entry = first + place_at;
            let shown = if entry < entries { self.progress.entries } else { 0.0 };
            let area = [x + place_at as f64 * (wide + 8.0), chips, wide, chip_high];
            drawing.rect(area, 7.0, Fill::Solid(Paint::Cache)).faded(shown);
            let set = Type::new(small.size, Paint::OnColour).bold().anchored(Anchor::Middle);
            let at = (area[0] + wide / 2.0, chips + chip_high / 2.0 + set.size * 0.36);
            drawing.text(at, place(entry), set).faded(shown);
        }
        let drawn = (entries - first) as f64;
        let told = if entries == 0 { words::NO_HCA } else { words::ALL_HCA };
        let at = match self.narrow() {
            false => (x + drawn * (wide + 8.0) + 10.0, chips + chip_high / 2.0 + small.size * 0.36),
            true => (x, chips + chip_high + small.size * 1.4),
        };
        drawing.text(at, self.tell(told, &[]), small).faded(self.progress.entries);
    }

    /// What the query sees in each kind of layer, to one scale; and what it does not.
    pub(super) fn sees(&self, drawing: &mut Drawing, [x, y, width]: [f64; 3]) {
        let scene = self.scene;
        let large = self.pick(23.0, 29.0);
        self.heading(drawing, (x, y + large), &self.tell(words::SEES, &[]), width);
        let small = self.small(Paint::Mute);
        let left = self.pick(96.0, 112.0);
        let high = self.pick(20.0, 28.0);
        let line = small.size * lines::LEADING;
        let rows = |seen: &Seen| seen.window.end - seen.window.start;
        let most = scene.kinds().map(|kind| scene.seen(kind)).map(|seen| rows(&seen) + seen.attended).max();
        let scale = (width - left - 4.0) / most.unwrap_or(1).max(1) as f64;
        let mut base = y + large + 14.0;
        for (index, kind) in scene.kinds().enumerate() {
            let seen = scene.seen(kind);
            let shown = of(&self.progress.seen, index);
            let opened = kind == scene.kind();
            let name = Type { bold: opened, ..self.small(if opened { Paint::Ink } else { Paint::Mute }) };
            drawing.text((x, base + high / 2.0 + name.size * 0.36), self.look.say(words::kind(kind)), name);
            let window = rows(&seen) as f64 * scale;
            let area = [x + left, base, window * shown, high];
            drawing.rect(area, 4.0, Fill::Solid(Paint::CacheSoft));
            let area = [x + left + window + 4.0, base, seen.attended as f64 * scale * shown, high];
            drawing.rect(area, 4.0, Fill::Solid(Paint::Cache));
            let named = [
                ("window", number(rows(&seen))),
                ("entries", number(seen.entries)),
                ("attended", number(seen.attended)),
            ];
            let template = match kind {
                AttentionKind::Window => words::SEES_WINDOW,
                _ if seen.entries == 0 => words::SEES_NONE,
                _ if seen.attended == seen.entries => words::SEES_ENTRIES,
                _ => words::SEES_PICKED,
            };
            let mut told = self.tell(template, &named);
            if opened && !self.narrow() {
                told += &self.tell(words::OPENED, &[]);
            }
            let set = self.small(Paint::Ink);
            let at = (x + left, base + high + set.size * 1.05);
            self.sentence(drawing, at, &told, set, (width - left, 1), shown);
            base += high + line + self.pick(6.0, 10.0);
        }
        base += small.size * 0.9;
        let kinds = scene.kinds().filter_map(|kind| Some((kind, scene.ratio_of(kind)?)));
        for (index, (kind, ratio)) in kinds.enumerate() {
            let waiting = scene.waiting(kind);
            let named = [
                ("kind", self.look.say(words::kind(kind)).to_owned()),
                ("entry", place(scene.seen(kind).entries)),
                ("from", place(waiting.start)),
                ("to", place(waiting.start + ratio - 1)),
                ("lacks", number(ratio - (waiting.end - waiting.start))),
            ];
            let told = self.tell(self.pick(words::HIDDEN, words::HIDDEN_SHORT), &named);
            let shown = of(&self.progress.hidden, index);
            base = self.sentence(drawing, (x, base), &told, small, (width, 1), shown);
        }
        let gone = scene.seen(AttentionKind::Window).window.start.checked_sub(1);
        let told = match gone {
            Some(last) => self.tell(words::GONE, &[("last", place(last))]),
            None => self.look.say(words::NOTHING_GONE).to_owned(),
        };
        let shown = self.progress.hidden.last().or(self.progress.seen.last()).copied().unwrap_or(0.0);
        self.sentence(drawing, (x, base), &told, small, (width, 1), shown);
    }
}
