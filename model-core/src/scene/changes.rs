//! For tests: how much of a picture changes from one frame to the next while a step plays. What a frame costs the
//! browser grows with the marks that differ, and text that moves or is reworded is dearest.

use super::timeline::Moment;
use super::{Facts, Layout, Look, Scene, SceneId};
use crate::draw::{Drawing, Shape};
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::spec;

/// Frames that a step is played in.
const FRAMES: u32 = 60;
/// Most marks that may differ between two frames, but for one pair of frames in twenty.
const MOST_MARKS: usize = 48;
/// Of these, most texts that may move or say something else.
const MOST_TEXTS: usize = 8;

/// Marks that differ between two frames, and texts among them that moved or say something else.
fn changed(before: &Drawing, after: &Drawing) -> [usize; 2] {
    let pairs = || before.marks.iter().zip(&after.marks).filter(|(a, b)| a != b);
    let texts = pairs().filter(|(a, b)| matches!(a.shape, Shape::Text { .. }) && a.shape != b.shape).count();
    [pairs().count() + before.marks.len().abs_diff(after.marks.len()), texts]
}

/// Marks and texts that change in a frame of a step, at the 95th percentile.
fn in_a_step(scene: &dyn Scene, step: usize, look: Look) -> [usize; 2] {
    let frame = |index: u32| scene.frame(Moment { step, t: f64::from(index) / f64::from(FRAMES) }, look);
    let mut before = frame(0);
    let mut counts = [const { Vec::new() }; 2];
    for index in 1..=FRAMES {
        let after = frame(index);
        for (list, count) in counts.iter_mut().zip(changed(&before, &after)) {
            list.push(count);
        }
        before = after;
    }
    counts.map(|mut list| {
        list.sort_unstable();
        list[(FRAMES * 19 / 20) as usize - 1]
    })
}

#[test]
fn few_marks_change_from_frame_to_frame() {
    let large = [(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tp, "16")];
    let mut dear = Vec::new();
    for id in SceneId::ALL.iter().copied() {
        for choices in [&[][..], &large] {
            for ledger in Ledger::ALL {
                let mut scenario = Scenario::default();
                for (key, text) in choices {
                    scenario.choose_text(*key, text).unwrap();
                }
                let settings = scenario.resolve(ledger);
                let spec = spec::of(settings.model);
                let report = report(ledger, &scenario, &spec);
                let scene = id.derive(Facts { report: &report, settings: &settings, spec: &spec });
                for layout in [Layout::Wide, Layout::Narrow] {
                    let look = Look { layout, language: Language::Chinese, base: ByteBase::Binary };
                    for (step, name) in id.steps().iter().enumerate() {
                        let [marks, texts] = in_a_step(&*scene, step, look);
                        if marks > MOST_MARKS || texts > MOST_TEXTS {
                            dear.push(format!(
                                "{} {name}, {layout:?}, {}, {} choices: {marks} marks, {texts} texts",
                                id.name(),
                                ledger.name(),
                                choices.len(),
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(dear.is_empty(), "{}", dear.join("\n"));
}
