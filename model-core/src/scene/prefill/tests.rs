//! Sequences of events for three scenarios, numbers against figures, and every frame of many scenarios.

use super::*;
use crate::draw::{Drawing, Shape};
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::timeline::Moment;
use crate::scene::{Layout, Look, Scene};
use proptest::prelude::*;

fn scene_in(ledger: Ledger, choices: &[(Key, &str)]) -> (Prefill, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let settings = scenario.resolve(ledger);
    let spec = crate::spec::of(settings.model);
    let report = report(ledger, &scenario, &spec);
    (Prefill::new(Facts { report: &report, settings: &settings, spec: &spec }), report)
}

fn scene(choices: &[(Key, &str)]) -> Prefill {
    scene_in(Ledger::Tutorial, choices).0
}

/// The sequence of a step as short words.
fn told(scene: &Prefill, step: Step) -> Vec<String> {
    let word = |timed: Timed<Event>| match timed.event {
        Event::Arrive { request } => format!("{request} arrives"),
        Event::Look { query, tokens, entries } => format!("{query} sees {tokens} + {entries}"),
        Event::Pass { layer, entries, keys } => format!("{layer} keeps {entries} + {keys}"),
        Event::Open { row, rows } => format!("{row}: {rows}"),
        Event::Cut(border) => format!("{} leaves {} and {}", border.at, border.csa_left, border.hca_left),
        Event::MaskWithin => "mask".to_owned(),
        Event::Carry(border) => format!("carry {} and {}", border.csa_left, border.hca_left),
        Event::Take { way, held } => format!("{way:?} takes {held:?}"),
    };
    scene.events(step).into_iter().map(word).collect()
}

#[test]
fn the_default_tells_the_walkthrough() {
    let scene = scene(&[]);
    assert_eq!(told(&scene, Step::Prompt).len(), 8);
    assert_eq!(told(&scene, Step::Mask)[2..4], ["2 sees 3 + 0", "3 sees 4 + 1"]);
    let layers = told(&scene, Step::Layers);
    assert_eq!(layers[..3], ["0 keeps 256 + 0", "1 keeps 256 + 0", "2 keeps 8192 + 8192"]);
    assert_eq!((layers.len(), layers[60].as_str()), (61, "60 keeps 8192 + 8192"));
    assert_eq!(told(&scene, Step::Caches), ["0: 128", "1: 8192", "2: 8192", "3: 0"]);
    assert_eq!(
        told(&scene, Step::Chunks),
        ["8192 leaves 0 and 0", "16384 leaves 0 and 0", "24576 leaves 0 and 0", "mask", "carry 2 and 6"]
    );
    assert_eq!(
        told(&scene, Step::Peak)[..7],
        [
            "Whole takes Weights",
            "Whole takes Caches",
            "Whole takes Streams",
            "Whole takes Scores",
            "Whole takes Product",
            "Whole takes Sum",
            "Chunked takes Weights"
        ]
    );
    assert_eq!(told(&scene, Step::Peak)[12..].join(", "), {
        let fused = ["Weights", "Caches", "Streams", "Sum"].map(|held| format!("Fused takes {held}"));
        fused.join(", ")
    });
}

#[test]
fn a_crooked_chunk_leaves_remainders() {
    let scene = scene(&[(Key::Context, "3000"), (Key::Chunk, "1001"), (Key::Layer, "3"), (Key::Batch, "1")]);
    assert_eq!(told(&scene, Step::Prompt), ["0 arrives"]);
    assert_eq!(
        told(&scene, Step::Chunks),
        ["1001 leaves 1 and 105", "2002 leaves 2 and 82", "mask", "carry 2 and 6"]
    );
    assert_eq!(told(&scene, Step::Caches), ["0: 128", "1: 23", "2: 0", "3: 56"]);
    assert_eq!(scene.opened().0, AttentionKind::Hca);
}

#[test]
fn pieces_end_where_the_prompt_ends() {
    for (context, chunk) in
        [("65", "1"), ("1000", "7"), ("1048576", "1"), ("33", "1"), ("32", "1"), ("1", "8")]
    {
        let scene = scene(&[(Key::Context, context), (Key::Chunk, chunk)]);
        assert!((1..=MOST_CHUNKS).contains(&scene.pieces()), "{context} {chunk}");
        for timed in scene.events(Step::Chunks) {
            if let Event::Cut(border) = timed.event {
                assert!(border.at < scene.load.1, "{context} {chunk}: {border:?}");
            }
        }
    }
}

#[test]
fn a_single_token_has_no_entries() {
    let scene = scene(&[(Key::Context, "1"), (Key::Batch, "1"), (Key::Chunk, "1")]);
    assert_eq!(told(&scene, Step::Layers)[2], "2 keeps 0 + 0");
    assert_eq!(told(&scene, Step::Caches), ["0: 1", "1: 0", "2: 0", "3: 1"]);
    assert_eq!(told(&scene, Step::Chunks), ["mask", "carry 2 and 6"]);
    assert_eq!(scene.temporaries(Way::Whole), Bytes::ZERO);
}

#[test]
fn numbers_are_those_of_the_figures() {
    for ledger in [Ledger::Tutorial, Ledger::Exact] {
        for choices in [
            &[][..],
            &[(Key::Context, "131072"), (Key::Batch, "3"), (Key::Chunk, "5000")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "40")],
        ] {
            let (scene, report) = scene_in(ledger, choices);
            for way in Way::ALL {
                for held in Held::ALL {
                    let Amount { bytes, figure } = scene.held(way, held);
                    assert!(figure.is_none_or(|id| report.bytes(id) == bytes), "{ledger:?} {way:?} {held:?}");
                }
            }
            assert_eq!(scene.temporaries(Way::Whole), report.bytes("prefill.index_peak.bytes_per_gpu"));
            let chunked = report.bytes("prefill.index_peak_chunked.bytes_per_gpu");
            assert_eq!(scene.temporaries(Way::Chunked), chunked);
        }
    }
    let (scene, _) = scene_in(Ledger::Tutorial, &[(Key::Batch, "1")]);
    assert_eq!(scene.held(Way::Whole, Held::Scores).bytes, Bytes::from_gib(4.0));
    assert_eq!(scene.temporaries(Way::Whole), Bytes::from_gib(8.5));
}

#[test]
fn the_resident_part_is_what_the_ledger_needs() {
    for ledger in Ledger::ALL {
        let (scene, report) = scene_in(ledger, &[]);
        let resident = scene.weights.bytes + scene.caches.bytes;
        assert_eq!(resident, report.bytes(Judges::of(ledger).need), "{}", ledger.name());
    }
}

/// What is wrong with a frame: it must be finite, inside, with texts apart, and tell its caption to the end.
fn faults(drawing: &Drawing, least: f64) -> Vec<String> {
    let mut faults = Vec::new();
    let mut texts: Vec<([f64; 4], &str)> = Vec::new();
    for mark in drawing.marks.iter().filter(|mark| mark.opacity > 0.02) {
        let ink = mark.ink();
        let [left, top, right, bottom] = ink;
        let inside =
            left >= -0.5 && top >= -0.5 && right <= drawing.width + 0.5 && bottom <= drawing.height + 0.5;
        if !inside || ink.iter().any(|edge| !edge.is_finite()) {
            faults.push(format!("outside: {ink:?} {:?}", mark.shape));
        }
        let Shape::Text { text, size, .. } = &mark.shape else { continue };
        if text.is_empty() {
            continue;
        }
        if text.contains('{') || text.contains("NaN") || *size < least {
            faults.push(format!("badly set: {text:?} at {size}"));
        }
        // Line boxes of a block of text touch; letters must not.
        let high = (bottom - top) * 0.12;
        let [t, b] = [top + high, bottom - high];
        let over =
            texts.iter().filter(|([l2, t2, r2, b2], _)| *l2 < right && *r2 > left && *t2 < b && *b2 > t);
        faults.extend(over.map(|(_, other)| format!("{text:?} over {other:?}")));
        texts.push(([left, t, right, b], text));
    }
    let end: String = drawing.description.chars().rev().take(2).collect();
    let end: String = end.chars().rev().collect();
    if !texts.iter().any(|(_, text)| text.ends_with(&end)) {
        faults.push(format!("caption cut: {}", drawing.description));
    }
    if drawing.title.is_empty() {
        faults.push("no title".to_owned());
    }
    faults
}

fn check(ledger: Ledger, choices: &[(Key, &str)]) -> Vec<String> {
    check_scene(ledger, &scene_in(ledger, choices).0)
}

fn check_scene(ledger: Ledger, scene: &Prefill) -> Vec<String> {
    let mut all = Vec::new();
    for layout in [Layout::Wide, Layout::Narrow] {
        let least = if layout == Layout::Wide { 18.0 } else { 24.0 };
        for language in [Language::Chinese, Language::English] {
            let look = Look { layout, language, base: ByteBase::Binary };
            let mut kinds: Option<Vec<_>> = None;
            for step in 0..Step::ALL.len() {
                for t in [0.0, 0.05, 0.12, 0.5, 0.93, 1.0] {
                    let drawing = scene.frame(Moment { step, t }, look);
                    let place = format!("{} {layout:?} {} {step}", ledger.name(), language.name());
                    all.extend(faults(&drawing, least).into_iter().map(|fault| format!("{place}: {fault}")));
                    let now: Vec<_> =
                        drawing.marks.iter().map(|mark| core::mem::discriminant(&mark.shape)).collect();
                    if kinds.as_ref().is_some_and(|known| *known != now) {
                        all.push(format!("{place} {t}: other marks"));
                    }
                    kinds = Some(now);
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

#[test]
fn frames_are_well_set_at_the_corners() {
    let corners: [&[(Key, &str)]; 9] = [
        &[],
        &[(Key::Context, "1"), (Key::Batch, "1"), (Key::Chunk, "1"), (Key::Layer, "0")],
        &[(Key::Context, "1M"), (Key::Batch, "1024"), (Key::Chunk, "1M"), (Key::Layer, "60")],
        &[(Key::Context, "1M"), (Key::Batch, "1024"), (Key::Chunk, "1"), (Key::Tp, "1")],
        &[(Key::Tp, "16"), (Key::Layer, "30"), (Key::GpuMemoryGib, "8")],
        &[
            (Key::Layout, "dp_attention_ep"),
            (Key::Ep, "64"),
            (Key::Batch, "1024"),
            (Key::GpuMemoryGib, "1024"),
        ],
        &[(Key::Gpus, "4096"), (Key::Context, "129")],
        &[(Key::Model, "v4-flash"), (Key::Tp, "4"), (Key::Layer, "1"), (Key::Chunk, "1001")],
        &[(Key::Model, "v4-flash"), (Key::Layer, "60"), (Key::Context, "777777"), (Key::Chunk, "33333")],
    ];
    for ledger in Ledger::ALL {
        for choices in corners {
            assert_eq!(check(ledger, choices), Vec::<String>::new(), "{} {choices:?}", ledger.name());
        }
    }
}

/// An imported model may have windows alone.
#[test]
fn a_model_without_entries_is_drawn() {
    let published = crate::spec::v4_pro();
    let window =
        |layer: &crate::spec::Layer| crate::spec::Layer { attention: AttentionKind::Window, ..*layer };
    let schedule = published.schedule.iter().map(window).collect();
    let spec = crate::spec::ModelSpec { schedule, csa_ratio: 0, hca_ratio: 0, ..published };
    for ledger in Ledger::ALL {
        let scenario = Scenario::default();
        let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
        let scene = Prefill::new(Facts { report: &report, settings: &settings, spec: &spec });
        assert_eq!(check_scene(ledger, &scene), Vec::<String>::new());
        assert_eq!(scene.temporaries(Way::Whole), Bytes::ZERO);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn frames_are_well_set_anywhere(
        ledger in 0_usize..3,
        context in prop_oneof![1_u64..=300, 1_u64..=1_048_576],
        chunk in prop_oneof![1_u64..=300, 1_u64..=1_048_576],
        layer in 0_u64..=60,
        batch in prop_oneof![1_u64..=12, 1_u64..=1024],
        tp in prop::sample::select(vec!["1", "2", "4", "8", "16"]),
    ) {
        let found = check(Ledger::ALL[ledger], &[
            (Key::Context, &context.to_string()),
            (Key::Chunk, &chunk.to_string()),
            (Key::Layer, &layer.to_string()),
            (Key::Batch, &batch.to_string()),
            (Key::Tp, tp),
        ]);
        prop_assert_eq!(found, Vec::<String>::new());
    }
}
