//! One card seen closer: its ink large on the left, the whole stage small beside it with the card framed, and the step
//! in words below. Made of a finished frame, so that it shows what the frame shows.

use super::stage::WIDE;
use crate::draw::metrics::wrap;
use crate::draw::{Drawing, Fill, Mark, Paint, Shape, Type};

/// Margin around the parts.
const MARGIN: f64 = 16.0;
/// Left, top, width and height of the small stage.
const OVERVIEW: [f64; 4] = [904.0, 16.0, 680.0, 382.5];
/// Size of the words below it, and the lines there is room for.
const WORDS: (f64, usize) = (26.0, 11);

/// The frame with one of its cards opened; the frame itself where it has no such card.
#[must_use]
pub fn zoomed(frame: &Drawing, card: usize) -> Drawing {
    let Some([x, y, width, height]) = frame.cards.get(card).map(|card| card.area) else {
        return frame.clone();
    };
    let (title, description) = (frame.title.clone(), frame.description.clone());
    let mut drawing = Drawing { title, description, ..Drawing::new(WIDE.0, WIDE.1) };
    drawing.cards.clone_from(&frame.cards);
    let large = (WIDE.1 - 2.0 * MARGIN) / height;
    let large = large.min((OVERVIEW[0] - 2.0 * MARGIN) / width);
    let within = |mark: &Mark| {
        let [left, top, right, bottom] = mark.ink();
        let edge = 4.0;
        left >= x - edge && top >= y - edge && right <= x + width + edge && bottom <= y + height + edge
    };
    // Every mark keeps its node whether it lies on the card or not: none is made while a step plays.
    for mark in &frame.marks {
        let shown = within(mark);
        let mut copy = mark.clone().placed(large, MARGIN - x * large, MARGIN - y * large);
        if !shown {
            copy.opacity = 0.0;
            copy.figure = None;
        }
        drawing.marks.push(copy);
    }
    let small = OVERVIEW[2] / frame.width;
    drawing.rect(OVERVIEW, 8.0, Fill::Solid(Paint::Card)).stroked(Paint::Line, 2.0);
    for mark in frame.marks.iter().filter(|mark| !matches!(mark.shape, Shape::Text { .. })) {
        let mut copy = mark.clone().placed(small, OVERVIEW[0], OVERVIEW[1]);
        copy.figure = None;
        drawing.marks.push(copy);
    }
    let framed = [OVERVIEW[0] + x * small, OVERVIEW[1] + y * small, width * small, height * small];
    drawing.rect(framed, 6.0, Fill::Empty).stroked(Paint::Ink, 4.0);
    let set = Type::new(WORDS.0, Paint::Ink);
    let mut baseline = OVERVIEW[1] + OVERVIEW[3] + WORDS.0 * 1.8;
    for line in wrap(&drawing.description.clone(), WORDS.0, false, OVERVIEW[2]).into_iter().take(WORDS.1) {
        drawing.text((OVERVIEW[0], baseline), line, set);
        baseline += WORDS.0 * 1.5;
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::language::Language;
    use crate::scenario::Scenario;
    use crate::scene::{Facts, Layout, Look, SceneId, end_of};

    fn frames() -> impl Iterator<Item = Drawing> {
        SceneId::ALL.iter().flat_map(|scene| {
            let spec = crate::spec::v4_pro();
            let scenario = Scenario::default();
            let report = crate::ledger::report(Ledger::Exact, &scenario, &spec);
            let settings = scenario.resolve(Ledger::Exact);
            let look = Look {
                layout: Layout::Wide,
                language: Language::Chinese,
                base: crate::format::ByteBase::Binary,
            };
            let derived = scene.derive(Facts { report: &report, settings: &settings, spec: &spec });
            let end = end_of(*scene).step;
            (0..=end).map(move |step| derived.frame(crate::scene::timeline::Moment { step, t: 0.6 }, look))
        })
    }

    #[test]
    fn a_card_fills_the_stage_and_nothing_leaves_it() {
        let mut opened = 0;
        for frame in frames() {
            for card in 0..frame.cards.len() {
                let drawing = zoomed(&frame, card);
                opened += 1;
                for mark in drawing.marks.iter().filter(|mark| mark.opacity > 0.0) {
                    let [left, top, right, bottom] = mark.ink();
                    assert!(left >= 0.0 && top >= 0.0 && right <= WIDE.0 && bottom <= WIDE.1, "{mark:?}");
                }
                let tags =
                    |drawing: &Drawing| drawing.marks.iter().filter(|mark| mark.figure.is_some()).count();
                assert!(tags(&drawing) <= tags(&frame));
            }
        }
        assert!(opened >= 8 * 10, "{opened}");
    }

    #[test]
    fn a_card_that_is_not_there_changes_nothing() {
        let frame = Drawing::new(10.0, 10.0);
        assert_eq!(zoomed(&frame, 0), frame);
    }
}
