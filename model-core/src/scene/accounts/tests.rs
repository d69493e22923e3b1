//! The events of "accounts" for three scenarios; its accounts against the documents' and the ledgers' figures.

use proptest::prelude::*;

use super::*;
use crate::figure::{Ledger, Report};
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::{SceneId, inspect};
use crate::spec::v4_pro;

fn derive(ledger: Ledger, choices: &[(Key, &str)]) -> (Accounts, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let spec = v4_pro();
    let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
    (Accounts::new(Facts { report: &report, settings: &settings, spec: &spec }), report)
}

fn told(scene: &Accounts, step: Step) -> Vec<Event> {
    scene.events(step).into_iter().map(|timed| timed.event).collect()
}

#[test]
fn each_step_shows_one_account() {
    for (ledger, choices) in [
        (Ledger::Tutorial, &[][..]),
        (Ledger::Report, &[(Key::Batch, "128")][..]),
        (Ledger::Exact, &[(Key::PartCommMs, "0"), (Key::Ep, "1")][..]),
    ] {
        let scene = derive(ledger, choices).0;
        assert_eq!(told(&scene, Step::Roof), [Event::Decode, Event::Prefill]);
        assert_eq!(told(&scene, Step::Path)[3..], [Event::Lay { part: 3 }, Event::Own]);
        let changes: Vec<_> = (0..5).map(|change| Event::Try { change }).collect();
        assert_eq!(told(&scene, Step::Change), changes);
        assert_eq!(
            (told(&scene, Step::Overlap), told(&scene, Step::Clocks)),
            (vec![Event::Overlap], vec![Event::Clocks])
        );
        assert_eq!(told(&scene, Step::Tail).len(), 4);
    }
}

#[test]
fn the_walkthroughs_step_and_its_changes() {
    let (scene, report) = derive(Ledger::Tutorial, &[]);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(scene.parts.total_s(), 0.028) && scene.figure == Some("critical_path.before_s"));
    let totals = scene.changes.map(|change| change.parts.total_s());
    assert!(
        totals.into_iter().zip([0.025, 0.024, 0.022, 0.027, 0.020]).all(|(a, b)| close(a, b)),
        "{totals:?}"
    );
    assert_eq!(scene.best().part, None, "hiding communication is worth most");
    assert!(close(scene.best().gain, 1.4));
    for change in scene.changes {
        let Some(id) = change.figure else { continue };
        assert!(close(report.number(id).unwrap(), change.parts.total_s()));
    }
    assert_eq!(scene.changes.iter().filter(|change| change.figure.is_some()).count(), 2);
    assert!(close(scene.overlap.summed_s - scene.overlap.passed_s, 0.008));
    assert!(close(scene.clocks.returned_s, 0.002) && close(scene.clocks.events_s, 0.026));
}

#[test]
fn figures_follow_what_the_reader_turns() {
    let (scene, report) =
        derive(Ledger::Tutorial, &[(Key::PartExpertsMs, "20"), (Key::Speedup, "4"), (Key::HiddenMs, "50")]);
    assert_eq!(report.number("critical_path.experts_2x_s"), Some(scene.changes[1].parts.total_s()));
    assert!((scene.changes[1].parts.total_s() - 0.025).abs() < 1e-12);
    assert!((scene.changes[4].parts.total_s() - 0.028).abs() < 1e-12, "no more is hidden than is exposed");
    assert_eq!(scene.best().part, Some(Part::Experts));
}

#[test]
fn decode_waits_for_memory_and_prefill_for_compute() {
    for ledger in Ledger::ALL {
        let scene = derive(ledger, &[]).0;
        let of = |points: &[crate::ledger::RoofPoint]| {
            points.iter().find(|point| point.part == StepPart::Moe).unwrap().intensity()
        };
        assert!(of(&scene.stages.decode) < scene.roof.ridge() / 4.0, "{ledger:?}");
        assert!(of(&scene.stages.prefill) > scene.roof.ridge() / 2.0, "{ledger:?}");
        assert!(scene.share_of_peak(false) < 0.1 && scene.share_of_peak(true) > 0.3, "{ledger:?}");
        for point in scene.stages.decode.iter().chain(&scene.stages.prefill) {
            assert!(
                point.reached().get() <= scene.roof.at(point.intensity()).get() * (1.0 + 1e-9),
                "{point:?}"
            );
        }
    }
}

#[test]
fn the_scenarios_own_step_is_the_ledgers() {
    let (scene, report) = derive(Ledger::Report, &[]);
    assert!((scene.own.total_s() / report.number("decode.step_s").unwrap() - 1.0).abs() < 1e-9);
    let (scene, report) = derive(Ledger::Exact, &[]);
    let wanted = report.number("decode.floor_s").unwrap() + report.number("decode.exchange_s").unwrap();
    assert!((scene.own.total_s() / wanted - 1.0).abs() < 1e-9);
    let refused = derive(Ledger::Exact, &[(Key::Tp, "5")]).0;
    assert_eq!((refused.own.total_s(), refused.stages.decode.len()), (0.0, 0));
}

#[test]
fn the_tail_rises_and_skew_makes_it_longer() {
    let times = |choices: &[(Key, &str)]| derive(Ledger::Tutorial, choices).0.tail;
    let even = times(&[]);
    assert_eq!((even.rising_s.len(), even.tokens), (DRAWS as usize, 8));
    assert!(even.rising_s.windows(2).all(|pair| pair[0] <= pair[1]));
    let [p50, p95, p99] = even.told_s();
    assert!(0.028 < p50 && p50 < p95 && p95 <= p99, "the fullest GPU is above the mean: {p50} {p95} {p99}");
    let skewed = times(&[(Key::Router, "zipf"), (Key::Skew, "1.5")]);
    assert!(skewed.told_s()[0] > p50);
    let alone = times(&[(Key::Tp, "1"), (Key::Ep, "1")]);
    assert!(alone.told_s()[0] < p50, "one GPU has no others to wait for");
}

#[test]
fn every_frame_is_sound() {
    inspect::everywhere(SceneId::Accounts, 8.0);
}

#[test]
fn extreme_turns_are_drawn() {
    let cases: [&[(Key, &str)]; 5] = [
        &[
            (Key::PartAttentionMs, "0"),
            (Key::PartExpertsMs, "0"),
            (Key::PartCommMs, "0"),
            (Key::PartCpuMs, "0"),
        ],
        &[
            (Key::PartAttentionMs, "1000"),
            (Key::PartExpertsMs, "1000"),
            (Key::PartCommMs, "1000"),
            (Key::PartCpuMs, "1000"),
            (Key::HiddenMs, "1000"),
        ],
        &[(Key::PartCpuMs, "1000"), (Key::Speedup, "100"), (Key::HiddenMs, "0")],
        &[(Key::PeakTflops, "1"), (Key::HbmTbS, "100"), (Key::Speedup, "1.2345")],
        &[(Key::PeakTflops, "100000"), (Key::HbmTbS, "0.1"), (Key::Context, "1048576"), (Key::Chunk, "1")],
    ];
    for choices in cases {
        let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
        for ledger in Ledger::ALL {
            inspect::scenario(SceneId::Accounts, ledger, &choices, 0.3);
        }
    }
}

#[test]
fn odd_models_are_drawn() {
    inspect::odd_models(SceneId::Accounts);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_scenario_is_drawn(
        choices in inspect::any_load(), ledger in 0..3_usize, part in 0.05..0.95_f64,
        parts in prop::array::uniform4(0.0..1000.0_f64), speedup in 1.0..100.0_f64, hidden in 0.0..1000.0_f64,
    ) {
        let mut choices = choices;
        let keys = [Key::PartAttentionMs, Key::PartExpertsMs, Key::PartCommMs, Key::PartCpuMs];
        choices.extend(keys.into_iter().zip(parts).map(|(key, ms)| (key, ms.to_string())));
        choices.push((Key::Speedup, speedup.to_string()));
        choices.push((Key::HiddenMs, hidden.to_string()));
        inspect::scenario(SceneId::Accounts, Ledger::ALL[ledger], &choices, part);
    }
}
