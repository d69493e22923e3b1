//! The events of "decode" for three scenarios, its numbers against the ledgers and the engine, and every frame of many
//! scenarios.

use super::sampled::DRAWN;
use super::*;
use crate::engine::sampling::{Sampler, greedy};
use crate::engine::{Engine, ModelConfig, Weights};
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::timeline::Moment;
use crate::scene::{Layout, Look, Scene, SceneId, inspect};
use crate::spec::{ModelSpec, v4_flash, v4_pro};

fn scene_of(ledger: Ledger, choices: &[(Key, &str)], spec: &ModelSpec) -> Decoding {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let settings = scenario.resolve(ledger);
    let report = report(ledger, &scenario, spec);
    Decoding::new(Facts { report: &report, settings: &settings, spec })
}

fn scene(ledger: Ledger, choices: &[(Key, &str)]) -> Decoding {
    scene_of(ledger, choices, &v4_pro())
}

fn told(scene: &Decoding, step: Step) -> Vec<Event> {
    scene.events(step).into_iter().map(|timed| timed.event).collect()
}

#[test]
fn a_token_passes_61_layers_in_their_true_order() {
    let scene = scene(Ledger::Tutorial, &[]);
    let layers = told(&scene, Step::Layers);
    assert_eq!(layers.len(), 61);
    for (index, event) in layers.iter().enumerate() {
        let kind = if index < 2 || index % 2 == 1 { AttentionKind::Hca } else { AttentionKind::Csa };
        assert_eq!(*event, Event::Pass { layer: index, kind, hash: index < 3 });
    }
    assert_eq!(told(&scene, Step::Head), [Event::Collapse, Event::Logits]);
    assert_eq!(told(&scene, Step::Append).len(), DRAWN);
    assert_eq!(told(&scene, Step::Draft), [Event::Curve, Event::Here { depth: 1 }]);
    assert_eq!(told(&scene, Step::Times), [Event::First, Event::Further, Event::Faster]);
}

#[test]
fn flash_begins_with_windows_alone() {
    let scene = scene_of(Ledger::Exact, &[(Key::DraftDepth, "3")], &v4_flash());
    let layers = told(&scene, Step::Layers);
    assert_eq!(layers.len(), 43);
    assert_eq!(layers[1], Event::Pass { layer: 1, kind: AttentionKind::Window, hash: true });
    assert_eq!(told(&scene, Step::Draft)[1], Event::Here { depth: 3 });
}

/// Without temperature each token is the likeliest of the logits that the engine gives after the ones before it.
#[test]
fn without_temperature_the_likeliest_is_taken() {
    let scene = scene(Ledger::Exact, &[(Key::Temperature, "0"), (Key::Seed, "5")]);
    let sampled = scene.sampled.as_ref().unwrap();
    assert_eq!(told(&scene, Step::Sample)[0], Event::Keep { candidates: 1 });
    assert!(sampled.drawn.iter().all(|drawn| (drawn.probability, drawn.candidates) == (1.0, 1)));
    let config = ModelConfig::page6();
    let engine = Engine::new(config.clone(), &Weights::seeded(&config, 5).unwrap()).unwrap();
    let mut random = crate::random::SplitMix64::new(5 ^ 0x6465_636f_6465_0000);
    let prompt: Vec<u32> = (0..12).map(|_| random.below(128) as u32).collect();
    let mut request = engine.start();
    let mut logits = engine.prefill(&mut request, &prompt).unwrap();
    for drawn in &sampled.drawn {
        assert_eq!(greedy(&logits), Some(drawn.token));
        logits = engine.step(&mut request, drawn.token).unwrap();
    }
}

#[test]
fn heat_and_a_wide_nucleus_leave_more() {
    let kept = |temperature: f64, top_p: f64| Sampled::run(1, temperature, top_p).unwrap().kept;
    assert!(kept(0.3, 0.9).len() <= kept(1.0, 0.9).len() && kept(1.0, 0.9).len() <= kept(2.0, 0.9).len());
    assert!(kept(1.0, 0.5).len() < kept(1.0, 1.0).len());
    for (temperature, top_p) in [(0.5, 0.7), (1.0, 0.9), (2.0, 1.0)] {
        let kept = kept(temperature, top_p);
        assert!((kept.iter().map(|c| c.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(Sampler::new(temperature, top_p, 1).is_ok(), kept[0].probability > 0.0);
    }
}

#[test]
fn drafts_pay_when_they_hold() {
    for ledger in Ledger::ALL {
        let at = |acceptance: &str, depth: &str| {
            scene(ledger, &[(Key::Acceptance, acceptance), (Key::DraftDepth, depth), (Key::Batch, "8")])
        };
        let (never, always) = (at("0", "4"), at("1", "4"));
        assert_eq!((never.best(), never.here.gained), (0, 1.0), "{ledger:?}");
        assert!(never.speed_up(&never.here) < 1.0);
        assert_eq!(always.here.gained, 5.0);
        assert!(always.speed_up(&always.here) > 1.0 && always.best() > 0, "{ledger:?}");
        assert!((always.here.tpot_s() * 5.0 - always.here.step.total().get()).abs() < 1e-15);
    }
}

#[test]
fn the_first_token_takes_the_chunks_and_a_step() {
    let choices = [(Key::Context, "8192"), (Key::LatencyUsPerLayer, "300"), (Key::Tp, "16")];
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(key, text).unwrap();
    }
    let figures = report(Ledger::Exact, &scenario, &v4_pro());
    let scene = scene(Ledger::Exact, &choices);
    assert!((scene.ttft_s() / figures.number("ttft_s").unwrap() - 1.0).abs() < 1e-12);
    assert!((scene.plain_s() / figures.number("decode.step_s").unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn frames_are_sound_everywhere() {
    inspect::everywhere(SceneId::Decode, 7.0);
    for choices in [
        &[(Key::Temperature, "2"), (Key::TopP, "1"), (Key::DraftDepth, "8"), (Key::Acceptance, "1")][..],
        &[(Key::Temperature, "0"), (Key::TopP, "0.05"), (Key::Acceptance, "0"), (Key::Seed, "4294967295")],
        &[(Key::Context, "1M"), (Key::Chunk, "1"), (Key::Batch, "1024")],
        &[(Key::LatencyUsPerLayer, "5000"), (Key::HbmTbS, "0.1"), (Key::PeakTflops, "1")],
        &[(Key::Mtp, "true"), (Key::DraftDepth, "8"), (Key::Tp, "7"), (Key::Batch, "1024")],
    ] {
        let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
        for ledger in Ledger::ALL {
            inspect::scenario(SceneId::Decode, ledger, &choices, 0.2);
        }
    }
}

#[test]
fn frames_of_odd_models_are_sound() {
    inspect::odd_models(SceneId::Decode);
}

#[test]
fn little_changes_from_frame_to_frame() {
    let scene = scene(Ledger::Exact, &[]);
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
        assert!(before.figures().contains(&"decode.step_low_s"), "{:?}", before.figures());
    }
}
