//! The events of "request" for three scenarios, its numbers against figures, and every frame of many scenarios.

use super::press::Resource;
use super::*;
use crate::figure::{Ledger, Report};
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::{Scene, SceneId, end_of, inspect};
use crate::spec::v4_pro;

fn scene_in(ledger: Ledger, choices: &[(Key, &str)]) -> (Requests, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let (spec, settings) = (v4_pro(), scenario.resolve(ledger));
    let report = report(ledger, &scenario, &spec);
    (Requests::new(Facts { report: &report, settings: &settings, spec: &spec }), report)
}

fn told(scene: &Requests, step: Step) -> Vec<Event> {
    scene.events(step).into_iter().map(|timed| timed.event).collect()
}

const TP16: &[(Key, &str)] = &[(Key::Tp, "16")];

#[test]
fn the_default_restores_and_computes_the_rest() {
    let (scene, _) = scene_in(Ledger::Tutorial, &[]);
    assert_eq!(told(&scene, Step::Queue), [Event::Press(Stage::Queue), Event::Wait]);
    // A prompt is three quarters of the context on average, and three quarters of it are found.
    assert_eq!(
        told(&scene, Step::Prefix)[..3],
        [Event::Press(Stage::Prefix), Event::Restore { tokens: 18_432 }, Event::Keep(0)]
    );
    assert_eq!(told(&scene, Step::Pages)[1], Event::Allot { pages: 192 });
    assert_eq!(
        told(&scene, Step::Prefill),
        [
            Event::Press(Stage::Prefill),
            Event::Chunk { index: 0, prefix: 16_384, tokens: 8192 },
            Event::Press(Stage::First),
            Event::First
        ]
    );
    assert_eq!(told(&scene, Step::Decode), Stage::DECODE.map(Event::Press));
    assert_eq!(told(&scene, Step::Batch)[1], Event::Here { batch: 8, regime: Regime::Small });
    assert_eq!(told(&scene, Step::Run), [Event::Traffic, Event::Percentiles]);
}

#[test]
fn without_hits_everything_is_computed() {
    let choices =
        [(Key::PrefixHits, "0"), (Key::Context, "10000"), (Key::Chunk, "3000"), (Key::Batch, "128")];
    let (scene, _) = scene_in(Ledger::Report, &choices);
    assert_eq!(told(&scene, Step::Prefix)[1], Event::Keep(0));
    let chunk = |index, prefix, tokens| Event::Chunk { index, prefix, tokens };
    assert_eq!(
        told(&scene, Step::Prefill)[1..4],
        [chunk(0, 0, 3000), chunk(1, 3000, 3000), chunk(2, 6000, 1500)]
    );
    assert_eq!(told(&scene, Step::Batch)[1], Event::Here { batch: 128, regime: Regime::Medium });
    assert_eq!(scene.traffic.run.tokens.restored, 0);
}

#[test]
fn many_chunks_are_drawn_together() {
    let choices = [(Key::Chunk, "1"), (Key::Context, "100000"), (Key::Batch, "1024")];
    let (scene, _) = scene_in(Ledger::Exact, &choices);
    let chunks = scene.drawn_chunks();
    assert!(chunks.len() <= MOST_CHUNKS);
    let sum: u64 = chunks.iter().map(|(_, tokens)| tokens).sum();
    assert_eq!(sum, 75_000 - 56_192 + scene.traffic.recomputed());
    assert_eq!(told(&scene, Step::Batch)[1], Event::Here { batch: 1024, regime: Regime::Large });
}

#[test]
fn a_plan_that_cannot_be_cut_has_no_times() {
    let (scene, _) = scene_in(Ledger::Exact, &[(Key::Tp, "7")]);
    assert_eq!((scene.step, scene.ground, scene.chunks_s.len()), (None, None, 0));
    assert_eq!(scene.traffic.run.arrived, 0);
}

#[test]
fn presses_are_those_of_the_figures() {
    for ledger in [Ledger::Report, Ledger::Exact] {
        let (scene, report) = scene_in(ledger, TP16);
        let figures = scene.presses.iter().flatten().filter_map(|press| match press {
            Press::Busy(seconds, Some(id)) => Some((*id, seconds.get())),
            _ => None,
        });
        let figures: Vec<_> = figures.collect();
        assert_eq!(figures.len(), 4, "{ledger:?}");
        for (id, value) in figures {
            assert!((report.number(id).unwrap() / value - 1.0).abs() < 1e-12, "{id}");
        }
        // What a step asks of memory is what its parts ask, the write and the router's own share apart.
        let busy = |stage: Stage, part: Resource| match scene.presses[stage as usize][part as usize] {
            Press::Busy(seconds, _) => seconds.get(),
            _ => 0.0,
        };
        let parts = [Stage::Attention, Stage::Experts, Stage::Head].map(|stage| busy(stage, Resource::Hbm));
        assert!((parts.iter().sum::<f64>() / busy(Stage::First, Resource::Hbm) - 1.0).abs() < 1e-9);
        let links = [Stage::Attention, Stage::Dispatch, Stage::Combine, Stage::Head];
        let links: f64 = links.map(|stage| busy(stage, Resource::Link)).iter().sum();
        assert!((links / busy(Stage::First, Resource::Link) - 1.0).abs() < 1e-9);
    }
}

/// The report writes 40,555.5 bytes a token, and its caches come to the figure.
#[test]
fn bytes_of_a_token_are_the_reports() {
    let (scene, report) = scene_in(Ledger::Report, &[(Key::Context, "1M")]);
    let shapes = scene.traffic.shapes;
    assert!((shapes.window_row + shapes.compressed - 40_555.5).abs() < 1e-6);
    let request = shapes.compressed * 1_048_576.0 + shapes.window_row * 128.0;
    assert!((report.number("cache.request.bytes").unwrap() / request - 1.0).abs() < 1e-12);
    // Eight GPUs share it.
    assert!((scene.traffic.share - 0.125).abs() < 1e-12);
}

/// The pool holds as many requests as the report's own capacity says, but for whole pages.
#[test]
fn the_pool_is_what_memory_leaves() {
    let (scene, report) = scene_in(Ledger::Report, &[(Key::Context, "128K")]);
    let traffic = &scene.traffic;
    assert!(traffic.fits);
    let each = traffic.typical.prompt.max(131_072).div_ceil(128) + traffic.engine.state_pages;
    let most = report.number("capacity.max_batch_reserved").unwrap();
    let held = (traffic.engine.pages / each) as f64;
    assert!((held / most - 1.0).abs() < 0.02, "{held} of {most}");
    let (crowded, _) = scene_in(Ledger::Tutorial, &[]);
    assert!(!crowded.traffic.fits && crowded.traffic.room.get() < 0.0);
}

#[test]
fn more_arrivals_wait_longer() {
    let wait = |rate| {
        let (scene, _) = scene_in(Ledger::Exact, &[(Key::ArrivalsPerS, rate)]);
        scene.traffic.run.first.queue_s
    };
    let waits = ["0.3", "2", "20"].map(wait);
    assert!(waits[0] < waits[1] && waits[1] < waits[2], "{waits:?}");
}

#[test]
fn more_hits_answer_more() {
    let done = |hits| {
        let choices = [(Key::ArrivalsPerS, "20"), (Key::PrefixHits, hits), (Key::Batch, "64")];
        scene_in(Ledger::Exact, &choices).0.traffic.run.finished
    };
    assert!(done("0") < done("0.5") && done("0.5") < done("1"));
}

#[test]
fn frames_are_sound_everywhere() {
    inspect::everywhere(SceneId::Request, 7.0);
    for choices in [
        &[(Key::ArrivalsPerS, "100"), (Key::PrefixHits, "1"), (Key::Batch, "1024")][..],
        &[(Key::ArrivalsPerS, "0.1"), (Key::PrefixHits, "0"), (Key::Context, "1M")],
        &[(Key::Chunk, "1"), (Key::Context, "1M"), (Key::Batch, "1")],
        &[(Key::Chunk, "1M"), (Key::Context, "1M"), (Key::Tp, "16"), (Key::ArrivalsPerS, "50")],
        &[(Key::LatencyUsPerLayer, "5000"), (Key::HbmTbS, "0.1"), (Key::PeakTflops, "1")],
        &[(Key::HbmTbS, "100"), (Key::Gpus, "4096"), (Key::Layout, "dp_attention_ep")],
        &[(Key::Mtp, "true"), (Key::DraftDepth, "8"), (Key::KvPlacement, "split"), (Key::Tp, "7")],
    ] {
        let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
        for ledger in Ledger::ALL {
            inspect::scenario(SceneId::Request, ledger, &choices, 0.2);
        }
    }
}

#[test]
fn frames_of_odd_models_are_sound() {
    inspect::odd_models(SceneId::Request);
}

#[test]
fn little_changes_from_frame_to_frame() {
    use crate::format::ByteBase;
    use crate::language::Language;
    use crate::scene::timeline::Moment;
    use crate::scene::{Layout, Look};
    let (scene, _) = scene_in(Ledger::Exact, &[]);
    for layout in [Layout::Wide, Layout::Narrow] {
        let look = Look { layout, language: Language::English, base: ByteBase::Binary };
        let mut before = scene.frame(Moment { step: 0, t: 0.0 }, look);
        assert!(before.marks.len() < 450, "{}", before.marks.len());
        for step in 0..Step::ALL.len() {
            for part in 1..72 {
                let after = scene.frame(Moment { step, t: f64::from(part) / 72.0 }, look);
                let changed = after.marks.iter().zip(&before.marks).filter(|(a, b)| a != b).count();
                assert!(changed <= 60 || (part == 1 && changed < 110), "{layout:?} {step} {part}: {changed}");
                before = after;
            }
        }
        let last = scene.frame(end_of(SceneId::Request), look);
        assert!(last.figures().contains(&"decode.moe.hbm_s"));
    }
}
