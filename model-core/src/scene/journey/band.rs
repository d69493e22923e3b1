//! The band between the cards of "journey": the sentence, time and rate in the end, and what is under way.

use super::Step;
use super::frame::Stage;
use crate::collective::Algorithm;
use crate::draw::metrics::text_width;
use crate::draw::{Anchor, Drawing, Fill, Paint, Type};
use crate::ledger::journey::Kind;
use crate::scene::lines;
use crate::scene::stage;

impl Stage<'_> {
    /// The band: a sentence; in the end time and rate on both sides of it.
    pub(super) fn band(&self, drawing: &mut Drawing, caption: &str) {
        let ends = self.step == Step::Next;
        let shown = if ends { 1.0 } else { 0.0 };
        let step = &self.journey.step;
        let [time, rate] = self.ends();
        let baseline = stage::BAND[1] + 44.0;
        let (large, small) = (Type::new(34.0, Paint::Ink).bold(), Type::new(20.0, Paint::Mute));
        let wide = |text: &str, set: Type| text_width(text, set.size, set.bold);
        let left = stage::BAND[0] + 24.0;
        drawing.text((left, baseline), self.words.step, small).faded(shown);
        let mut x = left + wide(self.words.step, small) + 12.0;
        let figures = [(time, step.step_s, step.step_figures), (rate, step.tokens_per_s, step.rate_figures)];
        let mut edges = [x, stage::BAND[0] + stage::BAND[2] - 24.0];
        for (index, (span, values, ids)) in figures.into_iter().enumerate() {
            let unit = if span.unit.is_empty() && index == 1 { self.words.rate } else { span.unit };
            let all = wide(&span.low, large) + wide(&span.high, large) + wide(unit, small) + 8.0;
            if index == 1 {
                x = edges[1] - all;
                edges[1] = x;
            }
            let [low, high] = values.unwrap_or_default();
            for (end, (text, value)) in [(&span.low, low), (&span.high, high)].into_iter().enumerate() {
                let opacity = if text.is_empty() { 0.0 } else { shown };
                let mark = drawing.text((x, baseline), text.clone(), large).faded(opacity);
                if let (true, Some(id)) = (values.is_some() && opacity > 0.0, ids.get(end)) {
                    mark.shows(id, value);
                }
                x += wide(text, large);
            }
            drawing.text((x + 8.0, baseline), unit, small).faded(shown);
            if index == 0 {
                edges[0] = x + 8.0 + wide(unit, small);
            }
        }
        let (middle, room) = if ends {
            (f64::midpoint(edges[0], edges[1]), edges[1] - edges[0] - 80.0)
        } else {
            (stage::BAND[0] + stage::BAND[2] / 2.0, stage::BAND[2] - 48.0)
        };
        let (size, text) = if ends {
            parted(caption, room)
        } else {
            lines::fit(caption, true, room, 1, &[24.0, 22.0, 20.0, 18.0])
        };
        let set = Type::new(size, Paint::Ink).bold().anchored(Anchor::Middle);
        let two = text.len() > 1;
        let first = stage::BAND[1] + if two { 32.0 - size * 0.3 } else { 32.0 + size * 0.36 };
        lines::draw(drawing, (middle, first), &text, 2, set);
    }

    /// What is under way over the band, one piece for each place.
    pub(super) fn chips(&self, drawing: &mut Drawing) {
        let progress = &self.progress;
        let (places, owner) = (self.journey.shares.places(), self.journey.shares.owner);
        let by_request = self.journey.here(Kind::Dispatch).is_some();
        let sums = [progress.share, progress.scores, progress.sum, progress.gather];
        let under_way = |part: &f64| *part > 0.0 && *part < 1.0;
        let sum = sums.into_iter().chain((!by_request).then_some(progress.combine)).find(under_way);
        let [out, back] = [progress.dispatch, if by_request { progress.combine } else { 0.0 }];
        for place in 0..places {
            let home = owner.unwrap_or(0);
            let travels = self.journey.shares.picked_at(place) > 0 && place != home;
            let (way, part, opacity) = match sum {
                Some(part) => {
                    let (way, part) = self.round(place, part);
                    (way, part, 1.0)
                }
                None if under_way(&out) && travels => (way(home, place), out, 1.0),
                None if under_way(&back) && travels => (way(place, home), back, 1.0),
                None => (way(place, place), 0.0, 0.0),
            };
            let (x, y) = along(&way, part);
            drawing.rect([x - 16.0, y - 6.0, 32.0, 12.0], 5.0, Fill::Solid(Paint::Comm)).faded(opacity);
        }
    }

    /// The way of a place's piece in a sum: round the ring, to its partner and back, or to the switch and back.
    fn round(&self, place: u32, part: f64) -> ([(f64, f64); 4], f64) {
        let places = self.journey.shares.places();
        let (there, rest) = if part < 0.5 { (true, part * 2.0) } else { (false, part * 2.0 - 1.0) };
        match self.journey.algorithm {
            Algorithm::Ring => {
                let hop = u32::from(!there);
                (way((place + hop) % places, (place + hop + 1) % places), rest)
            }
            Algorithm::Tree => {
                let partner = if place ^ 1 < places { place ^ 1 } else { 0 };
                if there { (way(place, partner), rest) } else { (way(partner, place), rest) }
            }
            Algorithm::InSwitch => {
                let [start, lane, ..] = way(place, place);
                let middle = (stage::BAND[0] + stage::BAND[2] / 2.0, lane.1);
                let mut path = [start, lane, middle, middle];
                if !there {
                    path.reverse();
                }
                (path, rest)
            }
        }
    }
}

/// A sentence in one line, or in two that part behind a sign and are about as long as each other; as large as fits.
fn parted(text: &str, room: f64) -> (f64, Vec<String>) {
    let sizes = [22.0, 20.0, 18.0];
    if text_width(text, 20.0, true) <= room {
        return lines::fit(text, true, room, 1, &sizes);
    }
    let ends =
        text.match_indices(['，', '；', '。', '：', ',', '.', ';', ':']).map(|(at, sign)| at + sign.len());
    let longer = |at: &usize| {
        let (first, second) = text.split_at(*at);
        text_width(first.trim(), 1.0, true).max(text_width(second.trim(), 1.0, true))
    };
    // A point within a number is no end.
    let ends = ends.filter(|at| {
        text.get(at - 1..*at).is_none_or(|sign| !sign.is_ascii()) || text.get(*at..=*at) == Some(" ")
    });
    let best = ends.min_by(|a, b| longer(a).total_cmp(&longer(b)));
    let fits = best.map(|at| (at, sizes.into_iter().find(|size| longer(&at) * size <= room)));
    if let Some((at, Some(size))) = fits {
        let (first, second) = text.split_at(at);
        return (size, vec![first.trim().to_owned(), second.trim().to_owned()]);
    }
    lines::fit(text, true, room, 2, &sizes)
}

/// The way between two places: down its link, along its side of the band, over to the other side where it must.
fn way(from: u32, to: u32) -> [(f64, f64); 4] {
    let edge = |place: u32| {
        let [_, y, _, height] = stage::card_box(place);
        if y < stage::BAND[1] { y + height - 2.0 } else { y + 2.0 }
    };
    let lane = |place: u32| {
        let upper = stage::card_box(place)[1] < stage::BAND[1];
        if upper { stage::BAND[1] + 8.0 } else { stage::BAND[1] + stage::BAND[3] - 8.0 }
    };
    let (start, end) = (stage::port(from).0, stage::port(to).0);
    [(start, edge(from)), (start, lane(from)), (end, lane(from)), (end, edge(to))]
}

/// The point that lies such a part of its length along a way.
fn along(way: &[(f64, f64); 4], part: f64) -> (f64, f64) {
    let length = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs();
    let legs = || way.iter().zip(way.iter().skip(1)).map(|(a, b)| (*a, *b));
    let mut left = legs().map(|(a, b)| length(a, b)).sum::<f64>() * part;
    for (a, b) in legs() {
        let long = length(a, b);
        if left <= long && long > 0.0 {
            return (a.0 + (b.0 - a.0) * left / long, a.1 + (b.1 - a.1) * left / long);
        }
        left -= long;
    }
    way[3]
}
