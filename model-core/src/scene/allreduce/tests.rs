//! Tests of the scene: its events, its numbers, and frames that stay inside and readable everywhere.

use core::mem::discriminant;

use proptest::prelude::*;

use super::*;
use crate::draw::{Drawing, Mark, Shape};
use crate::figure::{Ledger, Report};
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::timeline::Moment;
use crate::scene::{Layout, Look, Scene};
use crate::spec::v4_pro;
use crate::units::KIB;

fn derived(ledger: Ledger, choices: &[(Key, &str)]) -> (Reducing, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let spec = v4_pro();
    let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
    (Reducing::new(Facts { report: &report, settings: &settings, spec: &spec }), report)
}

fn reducing(choices: &[(Key, &str)]) -> Reducing {
    derived(Ledger::Tutorial, choices).0
}

/// The sequence of a step as short words.
fn told(scene: &Reducing, step: Step) -> Vec<String> {
    let word = |timed: Timed<Event>| match timed.event {
        Event::Attend { rank, heads } => format!("{rank} works on {heads}"),
        Event::Part { rank } => format!("{rank} has its part"),
        Event::Term { rank } => format!("{rank} is added"),
        Event::Move { index } => format!("move {index}"),
        Event::Route { algorithm, index } => format!("{} {index}", algorithm.name()),
        Event::Curve { algorithm } => algorithm.name().to_owned(),
        Event::Payload { dtype } => dtype.word().to_owned(),
        Event::Leave { rank } => format!("{rank} left out"),
        Event::Wrong { chunks } => format!("{chunks} wrong"),
    };
    scene.events(step).into_iter().map(word).collect()
}

#[test]
fn the_default_tells_the_walkthrough() {
    let scene = reducing(&[]);
    assert_eq!(told(&scene, Step::Heads)[7], "7 works on 16");
    assert_eq!(told(&scene, Step::Parts)[7..9], ["7 has its part", "0 is added"]);
    assert_eq!(told(&scene, Step::Scatter), (0..7).map(|n| format!("move {n}")).collect::<Vec<_>>());
    assert_eq!(told(&scene, Step::Gather), (7..14).map(|n| format!("move {n}")).collect::<Vec<_>>());
    assert_eq!(told(&scene, Step::Others).len(), 14 + 6 + 2);
    assert_eq!(told(&scene, Step::Time), ["ring", "tree", "in_switch", "fp32", "bf16"]);
    assert_eq!(told(&scene, Step::Dropped)[0], "3 left out");
}

#[test]
fn a_single_gpu_has_nothing_to_sum() {
    let scene = reducing(&[(Key::Tp, "1")]);
    assert_eq!(told(&scene, Step::Heads), ["0 works on 128"]);
    assert_eq!(told(&scene, Step::Parts), ["0 has its part", "0 is added"]);
    for step in [Step::Scatter, Step::Gather, Step::Others, Step::Time, Step::Dropped] {
        assert_eq!(told(&scene, step), Vec::<String>::new());
    }
    assert_eq!(scene.clock.cost(Algorithm::Ring, Bytes(1e6)), Cost::default());
}

#[test]
fn sixteen_ranks_on_a_tree_move_eight_times() {
    let scene = reducing(&[(Key::Tp, "16"), (Key::Algorithm, "tree"), (Key::DropRank, "none")]);
    assert_eq!(told(&scene, Step::Heads)[15], "15 works on 8");
    assert_eq!(told(&scene, Step::Scatter), ["move 0", "move 1", "move 2", "move 3"]);
    assert_eq!(told(&scene, Step::Gather).len(), 4);
    assert_eq!(told(&scene, Step::Others).len(), 30 + 8 + 2);
    assert_eq!(told(&scene, Step::Dropped), Vec::<String>::new());
}

#[test]
fn the_worked_coordinate_is_the_walkthroughs_however_it_is_cut() {
    let (scene, report) = derived(Ledger::Tutorial, &[]);
    let first: Vec<f64> = scene.parts.iter().map(|own| own[0]).collect();
    assert_eq!(first, [2.0, 3.0, -1.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(report.number("allreduce.worked_sum"), Some(scene.sums[0]));
    for tp in ["1", "2", "3", "4", "8", "16", "128"] {
        assert_eq!(reducing(&[(Key::Tp, tp)]).sums[0], 8.0, "{tp}");
    }
    // Fewer ranks hold the same heads, so every chunk they share sums to the same.
    assert_eq!(reducing(&[(Key::Tp, "4")]).sums[..], scene.sums[..4]);
}

#[test]
fn after_the_first_half_each_rank_of_a_ring_has_one_chunk_complete() {
    let scene = reducing(&[]);
    let ring = scene.replay().unwrap();
    assert_eq!((ring.half(), ring.moves.len()), (7, 14));
    for rank in 0..8 {
        let complete: Vec<usize> = (0..8).filter(|chunk| ring.parts_in(7, rank, *chunk) == 8.0).collect();
        assert_eq!(complete, [(rank + 1) % 8]);
        assert_eq!(ring.value(7, rank, complete[0]), scene.sums[complete[0]]);
        assert_eq!(ring.held[14][rank], scene.sums);
    }
    assert_eq!(ring.busiest_sent(14), 14);
}

#[test]
fn parcels_are_the_transfers_put_together() {
    for replay in &reducing(&[]).replays {
        let parcels: Vec<usize> = replay.moves.iter().map(Vec::len).collect();
        match replay.algorithm {
            Algorithm::Ring => assert_eq!(parcels, [8; 14]),
            Algorithm::Tree => assert_eq!(parcels, [4, 2, 1, 1, 2, 4]),
            Algorithm::InSwitch => assert_eq!(parcels, [16, 16]),
        }
    }
}

#[test]
fn a_rank_left_out_is_missing_from_every_sum() {
    for algorithm in ["ring", "tree", "in_switch"] {
        let scene = reducing(&[(Key::Algorithm, algorithm), (Key::DropRank, "3")]);
        let dropped = scene.dropped.as_ref().unwrap();
        for held in dropped.replay.held.last().unwrap() {
            for (chunk, value) in held.iter().enumerate() {
                assert_eq!(*value, scene.sums[chunk] - scene.parts[3][chunk]);
            }
        }
        let wrong = scene.parts[3].iter().filter(|part| **part != 0.0).count();
        assert_eq!(dropped.wrong, wrong);
        assert_eq!(dropped.replay.value(usize::MAX, 0, 0), 4.0);
    }
    assert_eq!(reducing(&[(Key::Tp, "2"), (Key::DropRank, "5")]).dropped, None);
}

#[test]
fn bytes_and_times_are_the_ledgers() {
    let (scene, report) = derived(Ledger::Tutorial, &[(Key::Batch, "32")]);
    assert_eq!(scene.clock.message.get(), 896.0 * KIB);
    assert_eq!(scene.clock.message_in(CommDtype::Bf16).get(), 448.0 * KIB);
    let cost = scene.clock.cost(Algorithm::Ring, scene.clock.message);
    assert_eq!(report.number("allreduce.sent.bytes_per_gpu"), Some(cost.sent_per_gpu.get()));
    let ring = scene.replay().unwrap();
    let sent = scene.clock.message * (f64::from(ring.busiest_sent(14)) / 8.0);
    assert_eq!(sent, cost.sent_per_gpu);
    let at_bend = scene.clock.cost(Algorithm::Ring, scene.clock.bend(Algorithm::Ring));
    assert!((at_bend.startup.get() / at_bend.transfer.get() - 1.0).abs() < 1e-12);
    // Half the bytes save far less than half the time.
    let half = scene.clock.cost(Algorithm::Ring, scene.clock.message_in(CommDtype::Bf16));
    assert!(half.total().get() > 0.9 * cost.total().get());
}

#[test]
fn both_halves_take_the_whole_time() {
    for algorithm in ["ring", "tree", "in_switch"] {
        for tp in ["2", "8", "16"] {
            let scene = reducing(&[(Key::Algorithm, algorithm), (Key::Tp, tp)]);
            let [scatter, gather] =
                [Step::Scatter, Step::Gather].map(|step| scene.duration(step).model_s.unwrap());
            let cost = scene.clock.cost(scene.algorithm, scene.clock.message);
            assert!(((scatter + gather) / cost.total().get() - 1.0).abs() < 1e-12, "{algorithm} {tp}");
            assert!(scatter >= gather, "{algorithm} {tp}");
        }
    }
    let default = reducing(&[]);
    let lengths = Step::ALL.map(|step| default.duration(step).equal_s);
    assert!((4.0..4.2).contains(&(lengths[2] + lengths[3])), "the ring's fourteen moves: {lengths:?}");
    let alone = reducing(&[(Key::Tp, "1")]);
    assert!(Step::ALL.iter().all(|step| alone.duration(*step).model_s.is_none()));
}

fn visible(drawing: &Drawing) -> impl Iterator<Item = &Mark> {
    drawing.marks.iter().filter(|mark| mark.opacity > 0.05)
}

fn text_of(mark: &Mark) -> Option<&str> {
    match &mark.shape {
        Shape::Text { text, .. } if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// What is wrong with a frame: ink outside, a text too small, two texts over each other, a number that is none.
fn complaints(drawing: &Drawing, layout: Layout) -> Vec<String> {
    let least = if layout == Layout::Wide { 18.0 } else { 24.0 };
    let mut found = Vec::new();
    for mark in visible(drawing) {
        let [left, top, right, bottom] = mark.ink();
        let inside =
            left >= -0.5 && top >= -0.5 && right <= drawing.width + 0.5 && bottom <= drawing.height + 0.5;
        if !inside {
            found.push(format!("{mark:?} lies at {:?}", mark.ink()));
        }
        if let Shape::Text { size, text, .. } = &mark.shape
            && *size < least
        {
            found.push(format!("{text:?} is set at {size}"));
        }
    }
    let texts: Vec<_> = visible(drawing).filter_map(|mark| Some((text_of(mark)?, mark.ink()))).collect();
    for (index, (text, a)) in texts.iter().enumerate() {
        for (other, b) in texts.iter().skip(index + 1) {
            if a[2] > b[0] && b[2] > a[0] && a[3] > b[1] && b[3] > a[1] {
                found.push(format!("{text:?} {a:?} over {other:?} {b:?}"));
            }
        }
    }
    let told = &drawing.description;
    if told.contains('{') || told.contains("NaN") || told.is_empty() {
        found.push(format!("told: {told}"));
    }
    let sound = |mark: &Mark| mark.opacity.is_finite() && mark.ink().iter().all(|edge| edge.is_finite());
    if !drawing.marks.iter().all(sound) {
        found.push("not a number".to_owned());
    }
    found
}

#[test]
fn every_frame_is_whole_and_readable() {
    /// Odd fractions meet chunks at many places of their way.
    const PARTS: [f64; 11] = [0.0, 0.03, 0.11, 0.21, 0.37, 0.5, 0.58, 0.73, 0.86, 0.93, 1.0];
    let cases: [(Ledger, &[(Key, &str)]); 15] = [
        (Ledger::Tutorial, &[]),
        (Ledger::Tutorial, &[(Key::Tp, "1"), (Key::Batch, "1"), (Key::Context, "1")]),
        (Ledger::Tutorial, &[(Key::Tp, "2"), (Key::DropRank, "1"), (Key::Batch, "1024")]),
        (Ledger::Tutorial, &[(Key::Tp, "2"), (Key::Algorithm, "in_switch"), (Key::DropRank, "7")]),
        (Ledger::Tutorial, &[(Key::Tp, "4"), (Key::Algorithm, "in_switch"), (Key::CommDtype, "bf16")]),
        (Ledger::Tutorial, &[(Key::Algorithm, "tree"), (Key::DropRank, "6")]),
        (Ledger::Tutorial, &[(Key::Algorithm, "in_switch"), (Key::DropRank, "none")]),
        (Ledger::Tutorial, &[(Key::Tp, "16"), (Key::Batch, "1024"), (Key::Seed, "7")]),
        (Ledger::Exact, &[(Key::Tp, "16"), (Key::Algorithm, "tree")]),
        (Ledger::Exact, &[(Key::Tp, "16"), (Key::Algorithm, "in_switch"), (Key::DropRank, "5")]),
        (Ledger::Exact, &[(Key::Gpus, "4096"), (Key::AlphaUs, "0"), (Key::LinkGbS, "10000")]),
        (Ledger::Exact, &[(Key::Layout, "dp_attention_ep"), (Key::Gpus, "64")]),
        (Ledger::Report, &[(Key::AlphaUs, "10000"), (Key::LinkGbS, "0.1"), (Key::Batch, "1")]),
        (Ledger::Report, &[(Key::Tp, "3"), (Key::Gpu, "b200")]),
        (Ledger::Tutorial, &[(Key::Tp, "4"), (Key::Algorithm, "tree"), (Key::AlphaUs, "0")]),
    ];
    let mut found = Vec::new();
    for (ledger, choices) in cases {
        let scene = derived(ledger, choices).0;
        for (layout, (language, base)) in [Layout::Wide, Layout::Narrow].into_iter().flat_map(|layout| {
            let binary = (layout, (Language::Chinese, ByteBase::Binary));
            [binary, (layout, (Language::English, ByteBase::Decimal))]
        }) {
            let kinds = |drawing: &Drawing| -> Vec<_> {
                drawing.marks.iter().map(|mark| discriminant(&mark.shape)).collect()
            };
            let look = Look { layout, language, base };
            // While a step plays its picture keeps its marks.
            let first: Vec<_> =
                (0..Step::ALL.len()).map(|step| kinds(&scene.frame(Moment { step, t: 0.0 }, look))).collect();
            for (step, t) in (0..Step::ALL.len()).flat_map(|step| PARTS.map(|t| (step, t))) {
                let drawing = scene.frame(Moment { step, t }, look);
                let mut now = complaints(&drawing, layout);
                if kinds(&drawing) != first[step] {
                    now.push("other marks".to_owned());
                }
                let about = format!("{ledger:?} {choices:?} {layout:?} {language:?} {step} {t}");
                found.extend(now.into_iter().take(2).map(|complaint| format!("{about}: {complaint}")));
            }
        }
    }
    let told: Vec<_> = found.iter().step_by(found.len().div_ceil(40).max(1)).cloned().collect();
    assert!(found.is_empty(), "{} complaints:\n{}", found.len(), told.join("\n"));
}

#[test]
fn the_last_still_shows_the_wrong_sum_against_the_true_one() {
    let scene = reducing(&[]);
    let look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Binary };
    let drawing = scene.frame(Moment::done(6), look);
    let verdicts = visible(&drawing).filter_map(text_of).filter(|text| *text == "c0 = 4 ≠ 8").count();
    assert_eq!(verdicts, 8);
    let shown = |step: usize, id: &str| {
        let drawing = scene.frame(Moment::done(step), look);
        let value = visible(&drawing).find_map(|mark| mark.figure.filter(|figure| figure.id == id));
        value.map(|figure| figure.value)
    };
    assert_eq!(shown(1, "allreduce.worked_sum"), Some(8.0));
    assert_eq!(shown(3, "allreduce.sent.bytes_per_gpu"), scene.sent);
    assert_eq!(shown(5, "allreduce.message.bytes"), scene.message);
}

/// Where start-up is all, the curves end at one height: their names keep clear of the sizes under the axis.
#[test]
fn names_of_curves_stay_above_the_axis() {
    for alpha in ["0", "5000", "10000"] {
        let scene = derived(
            Ledger::Tutorial,
            &[
                (Key::Tp, "2"),
                (Key::DropRank, "none"),
                (Key::Batch, "1"),
                (Key::Seed, "0"),
                (Key::AlphaUs, alpha),
            ],
        )
        .0;
        for layout in [Layout::Wide, Layout::Narrow] {
            for t in [0.145, 0.6, 1.0] {
                let look = Look { layout, language: Language::Chinese, base: ByteBase::Binary };
                let found = complaints(&scene.frame(Moment { step: 5, t }, look), layout);
                assert!(found.is_empty(), "{alpha} µs, {layout:?} at {t}: {}", found.join("\n"));
            }
        }
    }
}

proptest! {
    /// Whatever the reader turns, wherever the moment is.
    #[test]
    fn any_scenario_at_any_moment(
        tp in prop::sample::select(vec!["1", "2", "4", "8", "16", "128"]),
        algorithm in prop::sample::select(vec!["ring", "tree", "in_switch"]),
        drop_rank in prop::sample::select(vec!["none", "0", "1", "2", "3", "4", "5", "6", "7"]),
        dtype in prop::sample::select(vec!["fp32", "bf16"]),
        (batch, seed, alpha) in (1_u32..=1024, 0_u32..1000, 0_u32..=10_000),
        (ledger, layout) in (
            prop::sample::select(Ledger::ALL.to_vec()),
            prop::sample::select(vec![Layout::Wide, Layout::Narrow]),
        ),
        language in prop::sample::select(vec![Language::Chinese, Language::English]),
        (step, t) in (0..Step::ALL.len(), 0.0..=1.0),
    ) {
        let [batch, seed, alpha] = [batch, seed, alpha].map(|number| number.to_string());
        let scene = derived(ledger, &[
            (Key::Tp, tp),
            (Key::Algorithm, algorithm),
            (Key::DropRank, drop_rank),
            (Key::CommDtype, dtype),
            (Key::Batch, &batch),
            (Key::Seed, &seed),
            (Key::AlphaUs, &alpha),
        ]).0;
        let look = Look { layout, language, base: ByteBase::Binary };
        let found = complaints(&scene.frame(Moment { step, t }, look), layout);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
