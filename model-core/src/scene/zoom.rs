//! One card seen closer: its ink large, the whole stage small beside or below it with the card framed, and the step in
//! words. Made of a finished wide frame, so that it shows what the frame shows; a phone's own frame has no room for what
//! stands on a card.

use super::Layout;
use super::stage::{NARROW_WIDTH, WIDE};
use crate::draw::metrics::wrap;
use crate::draw::{Drawing, Fill, Paint, Shape, Type, around};

/// Margin around the parts.
const MARGIN: f64 = 16.0;
/// Size of the words.
const WORDS: f64 = 26.0;

/// Where the parts stand.
struct Places {
    /// Width and height of the whole.
    size: (f64, f64),
    /// Width and height that the card may have, from the margin on.
    card: (f64, f64),
    /// Left, top, width and height of the small stage; the words stand below it.
    overview: [f64; 4],
    /// As many lines as there is room for.
    lines: usize,
}

impl Places {
    const fn of(layout: Layout) -> Self {
        match layout {
            Layout::Wide => Self {
                size: WIDE,
                card: (872.0, WIDE.1 - 2.0 * MARGIN),
                overview: [904.0, MARGIN, 680.0, 382.5],
                lines: 11,
            },
            Layout::Narrow => Self {
                size: (NARROW_WIDTH, 1380.0),
                card: (NARROW_WIDTH - 2.0 * MARGIN, NARROW_WIDTH - 2.0 * MARGIN),
                overview: [MARGIN, 724.0, NARROW_WIDTH - 2.0 * MARGIN, 387.0],
                lines: 6,
            },
        }
    }
}

/// A wide frame with one of its cards opened, set out for a layout; the frame itself where it has no such card.
#[must_use]
pub fn zoomed(frame: &Drawing, card: usize, layout: Layout) -> Drawing {
    let Some([x, y, width, height]) = frame.cards.get(card).map(|card| card.area) else {
        return frame.clone();
    };
    let Places { size, card: room, overview, lines } = Places::of(layout);
    let (title, description) = (frame.title.clone(), frame.description.clone());
    let mut drawing = Drawing { title, description, ..Drawing::new(size.0, size.1) };
    drawing.cards.clone_from(&frame.cards);
    let large = (room.0 / width).min(room.1 / height);
    let inside = |[left, top, right, bottom]: [f64; 4]| {
        let edge = 4.0;
        left >= x - edge && top >= y - edge && right <= x + width + edge && bottom <= y + height + edge
    };
    // Every mark keeps its node whether it lies on the card or not: none is made while a step plays.
    for mark in &frame.marks {
        let mut copy = mark.clone();
        // Of what one mark draws on all cards, this card's.
        match &mut copy.shape {
            Shape::Bars { areas } => {
                areas.retain(|[x, y, width, height]| inside([*x, *y, x + width, y + height]))
            }
            Shape::Lines { lines } => lines.retain(|line| inside(around(line.iter()))),
            _ => {}
        }
        let shown = copy.is_there() && inside(copy.ink());
        let mut copy = copy.placed(large, MARGIN - x * large, MARGIN - y * large);
        if !shown {
            copy.opacity = 0.0;
            copy.figure = None;
        }
        drawing.marks.push(copy);
    }
    let small = overview[2] / frame.width;
    drawing.rect(overview, 8.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    for mark in frame.marks.iter().filter(|mark| !matches!(mark.shape, Shape::Text { .. })) {
        let mut copy = mark.clone().placed(small, overview[0], overview[1]);
        copy.figure = None;
        drawing.marks.push(copy);
    }
    let framed = [overview[0] + x * small, overview[1] + y * small, width * small, height * small];
    drawing.rect(framed, 6.0, Fill::Empty).stroked(Paint::Ink, 4.0);
    let set = Type::new(WORDS, Paint::Ink);
    let mut baseline = overview[1] + overview[3] + WORDS * 1.8;
    for line in wrap(&drawing.description.clone(), WORDS, false, overview[2]).into_iter().take(lines) {
        drawing.text((overview[0], baseline), line, set);
        baseline += WORDS * 1.5;
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::language::Language;
    use crate::scenario::Scenario;
    use crate::scene::{Facts, Look, SceneId, end_of};

    fn frames_in(language: Language) -> impl Iterator<Item = Drawing> {
        SceneId::ALL.iter().flat_map(move |scene| {
            let spec = crate::spec::v4_pro();
            let scenario = Scenario::default();
            let report = crate::ledger::report(Ledger::Exact, &scenario, &spec);
            let settings = scenario.resolve(Ledger::Exact);
            let look = Look { layout: Layout::Wide, language, base: crate::format::ByteBase::Binary };
            let derived = scene.derive(Facts { report: &report, settings: &settings, spec: &spec });
            let end = end_of(*scene).step;
            (0..=end).map(move |step| derived.frame(crate::scene::timeline::Moment { step, t: 0.6 }, look))
        })
    }

    #[test]
    fn a_card_fills_the_stage_and_nothing_leaves_it() {
        let mut opened = 0;
        for frame in frames_in(Language::Chinese) {
            for card in 0..frame.cards.len() {
                for layout in [Layout::Wide, Layout::Narrow] {
                    let drawing = zoomed(&frame, card, layout);
                    opened += 1;
                    for mark in drawing.marks.iter().filter(|mark| mark.opacity > 0.0) {
                        let [left, top, right, bottom] = mark.ink();
                        let inside =
                            left >= 0.0 && top >= 0.0 && right <= drawing.width && bottom <= drawing.height;
                        assert!(inside, "{mark:?}");
                    }
                    let tags =
                        |drawing: &Drawing| drawing.marks.iter().filter(|mark| mark.figure.is_some()).count();
                    assert!(tags(&drawing) <= tags(&frame));
                }
            }
        }
        assert!(opened >= 2 * 8 * 10, "{opened}");
    }

    #[test]
    fn no_sentence_is_cut_off() {
        for language in [Language::Chinese, Language::English] {
            for frame in frames_in(language) {
                for layout in [Layout::Wide, Layout::Narrow] {
                    let Places { overview, lines, .. } = Places::of(layout);
                    let needed = wrap(&frame.description, WORDS, false, overview[2]).len();
                    assert!(needed <= lines, "{needed} lines: {}", frame.description);
                }
            }
        }
    }

    #[test]
    fn a_card_that_is_not_there_changes_nothing() {
        let frame = Drawing::new(10.0, 10.0);
        assert_eq!(zoomed(&frame, 0, Layout::Narrow), frame);
    }
}
