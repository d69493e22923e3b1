//! For tests: whether a scene's frames are sound. All ink lies inside, no two texts touch, letters are large enough,
//! and a scenario has the same marks at every moment.

use core::mem::discriminant;

use proptest::prelude::*;

use super::timeline::Moment;
use super::{Facts, Layout, Look, SceneId};
use crate::draw::{Drawing, Mark, Shape};
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::spec::{ModelSpec, v4_flash, v4_pro};

/// Below this a mark is not seen.
const FAINT: f64 = 0.02;

/// Choices of everything that moves the experts about.
pub(super) fn any_load() -> impl Strategy<Value = Vec<(Key, String)>> {
    let number = |key: Key, choices: &'static [&'static str]| {
        prop::option::of(prop::sample::select(choices)).prop_map(move |text| (key, text.map(str::to_owned)))
    };
    let batch = (1..=1024_u64).prop_map(|batch| (Key::Batch, Some(batch.to_string())));
    let seed = any::<u32>().prop_map(|seed| (Key::Seed, Some(seed.to_string())));
    let skew = (0.0..4.0_f64).prop_map(|skew| (Key::Skew, Some(skew.to_string())));
    (
        batch,
        seed,
        skew,
        number(Key::Router, &["uniform", "zipf", "hot", "hash", "engine"]),
        number(Key::Tp, &["1", "2", "4", "5", "7", "8", "16", "24", "48", "128"]),
        number(Key::Ep, &["1", "3", "12", "32", "96", "384", "512"]),
        number(Key::Layout, &["tp", "dp_attention_ep"]),
        number(Key::CommDtype, &["fp32", "bf16"]),
        number(Key::Gpus, &["1", "8", "96", "4096"]),
        number(Key::Dedupe, &["true", "false"]),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j)| {
            let all = [a, b, c, d, e, f, g, h, i, j];
            all.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
        })
}

/// The default, the smallest and the largest scenario and the usual cuts, at every step and within.
pub(super) fn everywhere(scene: SceneId, least_context: f64) {
    let cuts = ["1", "2", "4", "8", "16"];
    let named = |choices: &[(Key, &str)]| {
        choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect::<Vec<_>>()
    };
    let mut all = vec![
        Vec::new(),
        named(&[(Key::Batch, "1"), (Key::Context, "1"), (Key::Tp, "1")]),
        named(&[(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tp, "16")]),
        named(&[(Key::Layout, "dp_attention_ep"), (Key::Ep, "384"), (Key::Batch, "1024")]),
        named(&[(Key::Layout, "dp_attention_ep"), (Key::Gpus, "4096"), (Key::Router, "hot")]),
        named(&[(Key::Router, "hash"), (Key::Batch, "100"), (Key::Dedupe, "false")]),
        named(&[(Key::Router, "engine"), (Key::Batch, "1024")]),
        named(&[(Key::Router, "engine"), (Key::Ep, "16"), (Key::Layout, "dp_attention_ep")]),
    ];
    all.extend(cuts.map(|tp| named(&[(Key::Tp, tp), (Key::Batch, "64"), (Key::Router, "zipf")])));
    for choices in &all {
        for ledger in Ledger::ALL {
            scenario(scene, ledger, choices, 1.0 / least_context);
        }
    }
}

/// One scenario at the ends of all steps, and that far into each.
pub(super) fn scenario(id: SceneId, ledger: Ledger, choices: &[(Key, String)], part: f64) {
    model(id, ledger, choices, part, &v4_pro());
}

/// Models with few, many, uneven and hardly any experts, as an import may bring them.
pub(super) fn odd_models(id: SceneId) {
    let shapes = [(1, 1), (7, 7), (256, 8), (1021, 64), (16_384, 6), (16_384, 16_384)];
    let batch = [(Key::Batch, "1024".to_owned())];
    for (experts, experts_per_token) in shapes {
        let spec = ModelSpec { experts, experts_per_token, ..v4_pro() };
        model(id, Ledger::Exact, &batch, 0.3, &spec);
    }
    model(id, Ledger::Exact, &[], 0.3, &v4_flash());
}

/// The same for a model.
pub(super) fn model(id: SceneId, ledger: Ledger, choices: &[(Key, String)], part: f64, spec: &ModelSpec) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let (report, settings) = (report(ledger, &scenario, spec), scenario.resolve(ledger));
    let scene = id.derive(Facts { report: &report, settings: &settings, spec });
    for layout in [Layout::Wide, Layout::Narrow] {
        for language in [Language::Chinese, Language::English] {
            let mut kinds = None;
            for step in 0..id.steps().len() {
                for t in [0.0, part, 0.5, 1.0 - part, 1.0] {
                    let look = Look { layout, language, base: ByteBase::Binary };
                    let drawing = scene.frame(Moment { step, t }, look);
                    let told = format!("{choices:?} {ledger:?} {layout:?} {language:?} step {step} at {t}");
                    check(&drawing, layout, &told);
                    let fresh: Vec<_> = drawing.marks.iter().map(|mark| discriminant(&mark.shape)).collect();
                    let known = kinds.get_or_insert_with(|| fresh.clone());
                    assert!(*known == fresh, "other marks: {told}");
                }
            }
        }
    }
}

fn check(drawing: &Drawing, layout: Layout, told: &str) {
    let least = if layout == Layout::Wide { 18.0 } else { 24.0 };
    assert!(!drawing.title.is_empty() && !drawing.description.is_empty(), "no words: {told}");
    assert!(!drawing.description.contains('{'), "{}: {told}", drawing.description);
    let mut texts: Vec<(&str, [f64; 4])> = Vec::new();
    for mark in &drawing.marks {
        let ink = mark.ink();
        assert!(ink.iter().chain([&mark.opacity]).all(|side| side.is_finite()), "{mark:?}: {told}");
        if mark.opacity < FAINT || is_empty(mark) {
            continue;
        }
        let [left, top, right, bottom] = ink;
        let inside = left >= 0.0 && top >= 0.0 && right <= drawing.width && bottom <= drawing.height;
        assert!(inside, "{mark:?} sticks out: {told}");
        if let Shape::Text { text, size, .. } = &mark.shape {
            assert!(*size >= least, "{text} is set at {size}: {told}");
            let touches =
                |other: &[f64; 4]| left < other[2] && other[0] < right && top < other[3] && other[1] < bottom;
            if let Some((other, _)) = texts.iter().find(|(_, other)| touches(other)) {
                panic!("“{text}” touches “{other}”: {told}");
            }
            texts.push((text, ink));
        }
    }
}

fn is_empty(mark: &Mark) -> bool {
    matches!(&mark.shape, Shape::Text { text, .. } if text.is_empty())
}
