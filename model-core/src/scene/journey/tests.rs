//! The step's events against the figures of each ledger, their order, and the pictures of "journey".

use proptest::prelude::*;

use super::*;
use crate::draw::Shape;
use crate::figure::Report;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::timeline::Moment;
use crate::scene::{Layout, Look, Scene, SceneId, end_of, inspect};
use crate::spec::{v4_flash, v4_pro};

fn derive(ledger: Ledger, choices: &[(Key, &str)], spec: &ModelSpec) -> (Journey, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let (report, settings) = (report(ledger, &scenario, spec), scenario.resolve(ledger));
    (Journey::new(Facts { report: &report, settings: &settings, spec }), report)
}

fn journey(ledger: Ledger, choices: &[(Key, &str)]) -> Journey {
    derive(ledger, choices, &v4_pro()).0
}

const BY_REQUEST: (Key, &str) = (Key::Layout, "dp_attention_ep");

const SCENARIOS: &[&[(Key, &str)]] = &[
    &[],
    &[(Key::Batch, "1"), (Key::Context, "1"), (Key::Tp, "1")],
    &[(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tp, "16")],
    &[(Key::Batch, "300"), (Key::Context, "8192"), (Key::CommDtype, "bf16"), (Key::Algorithm, "tree")],
    &[BY_REQUEST, (Key::Ep, "16"), (Key::Batch, "512")],
    &[BY_REQUEST, (Key::Ep, "32"), (Key::Tp, "2"), (Key::Pp, "2"), (Key::Gpus, "64")],
    &[BY_REQUEST, (Key::Ep, "8"), (Key::Tp, "2"), (Key::Mtp, "true"), (Key::OverheadSmallMs, "20")],
    &[(Key::Pp, "2"), (Key::Mtp, "true"), (Key::DraftDepth, "3"), (Key::OverheadSmallMs, "0.7")],
    &[(Key::Gpu, "b300"), (Key::Batch, "16"), (Key::Draw, "with_replacement")],
    &[(Key::LatencyUsPerLayer, "150"), (Key::Algorithm, "in_switch"), (Key::GpuMemoryGib, "1024")],
    &[(Key::LatencyUsPerLayer, "5"), (Key::Context, "1000000"), (Key::GpuMemoryGib, "1024")],
    &[(Key::KvPlacement, "split"), (Key::AttnEfficiency, "0.02"), (Key::Vocab, "64000")],
];

/// As near as a sum of some hundreds of rounded numbers can be expected.
fn same(own: f64, known: f64) -> bool {
    (own - known).abs() <= 1e-13 * known.abs().max(own.abs()) * 16.0
}

fn everywhere(check: impl Fn(&Journey, &Report, &str)) {
    for ledger in Ledger::ALL {
        for choices in SCENARIOS {
            for spec in [v4_pro(), v4_flash()] {
                let (journey, report) = derive(ledger, choices, &spec);
                check(&journey, &report, &format!("{ledger:?} {choices:?} {}", spec.name));
            }
        }
    }
}

#[test]
fn the_events_add_up_to_the_ledgers_step() {
    let known = core::cell::Cell::new([0; 3]);
    everywhere(|journey, report, told| {
        let all = journey.step.taken_s(|_| true);
        let ends = match journey.ledger {
            Ledger::Tutorial => ["critical_path.before_s"; 2],
            _ if report.number("decode.step_s").is_some() => ["decode.step_s"; 2],
            _ => ["decode.step_low_s", "decode.step_high_s"],
        };
        let ends = ends.map(|id| report.number(id));
        assert_eq!(journey.step.step_s.is_some(), ends[0].is_some(), "{told}");
        if let [Some(low), Some(high)] = ends {
            assert!(same(all[0], low) && same(all[1], high), "{all:?} {low} {high}: {told}");
            let mut counts = known.get();
            counts[journey.ledger as usize] += 1;
            known.set(counts);
        } else if let Some(floor) = report.number("decode.floor_s") {
            assert!(same(all[0], floor) && all[0] == all[1], "{all:?} {floor}: {told}");
        } else {
            assert!(journey.step.events.is_empty(), "{told}");
        }
    });
    assert!(known.get().iter().all(|count| *count >= 8), "{known:?}");
}

#[test]
fn parts_are_the_ledgers_stages() {
    everywhere(|journey, report, told| {
        if journey.ledger == Ledger::Tutorial || journey.step.events.is_empty() {
            return;
        }
        for part in Part::ALL {
            let Some(id) = part.figure().filter(|id| *id != "decode.overhead_s") else { continue };
            let Some(taken) = report.number(id) else { continue };
            let own = |event: &&Done| event.kind.part() == part;
            let [low, high] = journey.step.taken_s(|event| event.kind.part() == part);
            assert!(same(low, taken) && low == high, "{low} {taken}: {id} {told}");
            let stem = id.trim_end_matches("_s");
            let of = |unit: &str| report.number(&[stem, unit].concat()).unwrap();
            let read: f64 = journey.step.events.iter().filter(own).map(|event| event.read_bytes).sum();
            let flops: f64 = journey.step.events.iter().filter(own).map(|event| event.flops).sum();
            assert!(same(read, of(".bytes_per_gpu")), "{read}: {id} {told}");
            assert!(same(flops, of(".flops_per_gpu")), "{flops}: {id} {told}");
        }
    });
}

#[test]
fn bytes_on_the_links_are_the_ledgers() {
    everywhere(|journey, report, told| {
        let events = &journey.step.events;
        if events.is_empty() {
            return;
        }
        let sum = |of: fn(&Done) -> f64| events.iter().map(of).sum::<f64>();
        let layers = journey.layers.len() as f64;
        match journey.ledger {
            Ledger::Exact => {
                let [startup, transfer] = ["decode.exchange.startup_s", "decode.exchange.transfer_s"];
                assert!(same(sum(|e| e.link_s[0]), report.number(startup).unwrap()), "{told}");
                assert!(same(sum(|e| e.link_s[1]), report.number(transfer).unwrap()), "{told}");
                let sent = report.number("allreduce.sent.bytes_per_gpu").unwrap();
                let heads = events.iter().filter(|event| event.kind == Kind::OutputSum);
                assert!(heads.clone().all(|event| same(event.sent_bytes, sent)), "{told}");
                let ep = report.number("decode.layer.ep.bytes_per_gpu").unwrap();
                let legs = events.iter().filter(|e| matches!(e.kind, Kind::Dispatch | Kind::Combine));
                assert!(same(legs.map(|event| event.sent_bytes).sum(), layers * ep), "{told}");
            }
            Ledger::Report => {
                let ep = report.number("decode.layer.ep.bytes_per_gpu").unwrap();
                assert!(same(sum(|e| e.sent_bytes), layers * ep), "{told}");
                assert!(same(sum(|e| e.link_s[1]), report.number("decode.ep_s").unwrap()), "{told}");
            }
            Ledger::Tutorial => {
                let reduced = report.number("allreduce.sent.bytes_per_gpu").unwrap();
                let copies = report.number("ep.dispatch.bytes").unwrap() / f64::from(journey.shares.ranks);
                let each = if journey.shares.owner.is_some() { copies } else { reduced };
                assert!(same(sum(|e| e.sent_bytes), 2.0 * layers * each), "{told}");
            }
        }
    });
}

#[test]
fn a_token_passes_every_layer_once_and_in_order() {
    everywhere(|journey, _, told| {
        let events = &journey.step.events;
        if events.is_empty() {
            return;
        }
        let count = journey.layers.len();
        assert!(count == 61 || count == 43, "{told}");
        // What stands before the layers, they themselves, what stands behind: nothing ever goes back.
        let at = |event: &Done| {
            let behind =
                matches!(event.kind, Kind::Collapse | Kind::Head | Kind::Gather | Kind::Draft | Kind::Finish);
            (event.layer.map_or(if behind { count + 1 } else { 0 }, |layer| layer + 1), event.kind)
        };
        assert!(events.windows(2).all(|pair| at(&pair[0]) < at(&pair[1])), "{told}");
        for layer in (0..count).map(Some) {
            for kind in [Kind::Mix, Kind::Attend, Kind::Route, Kind::Experts] {
                assert!(journey.step.event(kind, layer).is_some(), "{kind:?} {layer:?} {told}");
            }
        }
        let seen = |event: &Done| event.taken_s[0] >= 0.0 && event.taken_s[0] <= event.taken_s[1];
        assert!(events.iter().all(seen), "{told}");
        // The steps of the scene show all of them, in the same order.
        let steps: Vec<_> =
            events.iter().map(|event| Step::showing(event, journey.opened) as usize).collect();
        assert!(steps.is_sorted(), "{told}");
    });
}

#[test]
fn steps_that_keep_to_real_time_take_a_step_together() {
    everywhere(|journey, _, told| {
        let times = Step::ALL.map(|step| journey.duration(step));
        let all: f64 = times.iter().filter_map(|time| time.model_s).sum();
        match journey.step.step_s {
            Some([low, high]) if low == high => assert!(same(all, low), "{all} {low} {told}"),
            Some([low, _]) => assert!(all > 0.0 && all < low, "{told}"),
            None => {}
        }
    });
}

#[test]
fn the_tutorials_example_is_spread_over_the_layers() {
    let journey = journey(Ledger::Tutorial, &[(Key::Batch, "32")]);
    let [attention, experts, waiting] =
        [Kind::Attend, Kind::Experts, Kind::OutputSum].map(|kind| journey.here(kind).unwrap().taken_s[0]);
    assert!(same(attention, 6e-3 / 61.0) && same(experts, 8e-3 / 61.0) && same(waiting, 6e-3 / 61.0));
    assert_eq!(journey.here(Kind::RoutedSum).unwrap().sent_bytes, 1568.0 * crate::units::KIB);
    assert!(journey.step.step_s.is_some_and(|[low, high]| low == high && same(low, 0.028)));
    assert_eq!(journey.step.tokens_per_s, None);
}

#[test]
fn a_latency_below_its_sums_is_shared_by_them() {
    let choices = [(Key::LatencyUsPerLayer, "5"), (Key::GpuMemoryGib, "1024")];
    let journey = journey(Ledger::Exact, &choices);
    let of = |kind| journey.here(kind).unwrap();
    let sums = [Kind::ScoreSum, Kind::OutputSum, Kind::RoutedSum].map(of);
    let taken: f64 = sums.iter().map(|sum| sum.taken_s[0]).sum();
    assert!(same(taken, 5e-6) && of(Kind::Wait).taken_s == [0.0; 2]);
    assert!(sums.iter().all(|sum| sum.taken_s[0] < sum.link_s[0]));
}

fn told(journey: &Journey, step: Step) -> Vec<Event> {
    journey.events(step).into_iter().map(|timed| timed.event).collect()
}

#[test]
fn eight_gpus_walk_through_the_opened_layer() {
    let journey = journey(Ledger::Exact, &[]);
    assert_eq!((journey.opened, journey.attention()), (24, AttentionKind::Csa));
    use Event::*;
    assert_eq!(told(&journey, Step::Embed), [Lookup, Share, Widen, Pass { from: 0, to: 24 }]);
    assert_eq!(told(&journey, Step::Attention), [Mix, Project, Scores, Attend]);
    assert_eq!(told(&journey, Step::Sum), [Sum]);
    let picks: Vec<_> = (0..6).map(|nth| Pick { nth }).collect();
    assert_eq!(told(&journey, Step::Route), [vec![Score], picks].concat());
    let homes = told(&journey, Step::Experts);
    assert_eq!(homes.len(), journey.shares.homes());
    assert!(homes.iter().all(|event| matches!(event, Compute { .. })));
    assert_eq!(told(&journey, Step::Combine), [Combine, Update]);
    assert_eq!(told(&journey, Step::Layers), [Pass { from: 25, to: 61 }]);
    assert_eq!(told(&journey, Step::Next), [Head, Gather, Sample]);
}

#[test]
fn one_gpu_sends_nothing() {
    let choices = [(Key::Tp, "1"), (Key::GpuMemoryGib, "1024"), (Key::Layer, "0")];
    let journey = journey(Ledger::Exact, &choices);
    use Event::*;
    assert_eq!(told(&journey, Step::Embed), [Lookup, Widen]);
    assert_eq!(told(&journey, Step::Attention), [Mix, Project, Attend], "layer 0 has no indexer");
    assert_eq!(told(&journey, Step::Sum), []);
    assert_eq!(told(&journey, Step::Experts), [Compute { place: 0 }]);
    assert_eq!(told(&journey, Step::Combine), [Update]);
    assert_eq!(told(&journey, Step::Next), [Head, Sample]);
    assert!(journey.by_table() && journey.shares.picks.len() == 6);
}

#[test]
fn requests_of_their_own_travel_to_the_experts() {
    let journey = journey(Ledger::Exact, &[BY_REQUEST, (Key::Layer, "60"), (Key::Batch, "64")]);
    use Event::*;
    assert_eq!(told(&journey, Step::Embed), [Lookup, Widen, Pass { from: 0, to: 60 }]);
    assert_eq!(told(&journey, Step::Sum), []);
    assert_eq!(told(&journey, Step::Experts)[0], Dispatch);
    assert_eq!(told(&journey, Step::Combine), [Combine, Update]);
    assert_eq!(told(&journey, Step::Layers), []);
    assert_eq!(told(&journey, Step::Next), [Head, Sample]);
    assert_eq!(journey.shares.owner, Some(0));
}

#[test]
fn every_pick_lies_on_the_gpu_that_holds_it() {
    for choices in SCENARIOS {
        for ledger in Ledger::ALL {
            let shares = journey(ledger, choices).shares;
            assert_eq!(shares.picks.len(), 6);
            let held: u32 = (0..shares.ranks).map(|rank| shares.held(rank).len() as u32).sum();
            assert_eq!(held, 384, "{choices:?}");
            for pick in &shares.picks {
                assert!(shares.held(pick.rank).contains(&pick.expert), "{pick:?} {choices:?}");
                assert!(shares.index_at(*pick) < shares.experts_at(pick.rank % super::super::stage::PLACES));
            }
            let mut own: Vec<_> = shares.picks.iter().map(|pick| pick.expert).collect();
            own.sort_unstable();
            own.dedup();
            assert_eq!(own.len(), 6, "{choices:?}");
        }
    }
}

#[test]
fn the_last_frame_tells_time_and_rate() {
    let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
    let seen = |ledger, choices: &[(Key, &str)]| {
        let drawing = journey(ledger, choices).frame(end_of(SceneId::Journey), look);
        let tags: Vec<_> =
            drawing.marks.iter().filter(|mark| mark.opacity > 0.9).filter_map(|m| m.figure).collect();
        let dashes = drawing.marks.iter().filter(|mark| {
            mark.opacity > 0.9 && matches!(&mark.shape, Shape::Text { text, .. } if text == "—")
        });
        (tags.iter().map(|tag| tag.id).collect::<Vec<_>>(), dashes.count())
    };
    let (range, none) = seen(Ledger::Exact, &[]);
    for id in ["decode.step_low_s", "decode.step_high_s", "decode.tokens_per_s_low", "decode.moe_s"] {
        assert!(range.contains(&id), "{range:?}");
    }
    assert_eq!(none, 0);
    let (one, none) = seen(Ledger::Report, &[]);
    assert!(one.contains(&"decode.step_s") && one.contains(&"decode.tokens_per_s") && none == 0);
    let (tutorial, rate) = seen(Ledger::Tutorial, &[]);
    assert!(tutorial.contains(&"critical_path.before_s"));
    assert_eq!(rate, 1, "the tutorial has no rate");
    // Nothing fits, or nothing can be cut: neither time nor rate, in the band and under the cards.
    let full = [(Key::Batch, "1024"), (Key::Context, "1M"), (Key::Tp, "16")];
    for choices in [&full[..], &[(Key::Tp, "7")]] {
        let (ids, dashes) = seen(Ledger::Exact, choices);
        assert!(dashes >= 3 && !ids.contains(&"decode.step_s"), "{ids:?} {dashes}");
    }
}

#[test]
fn figures_carry_their_values() {
    everywhere(|journey, report, told| {
        for layout in [Layout::Wide, Layout::Narrow] {
            let look = Look { layout, language: Language::Chinese, base: ByteBase::Decimal };
            for step in 0..Step::ALL.len() {
                for tag in journey.frame(Moment::done(step), look).marks.iter().filter_map(|mark| mark.figure)
                {
                    let known = report.number(tag.id).unwrap_or(f64::NAN);
                    assert_eq!(
                        tag.value.to_bits(),
                        known.to_bits(),
                        "{} {} {known}: {told}",
                        tag.id,
                        tag.value
                    );
                }
            }
        }
    });
}

#[test]
fn few_marks_change_from_frame_to_frame() {
    let journey = journey(Ledger::Exact, &[]);
    for layout in [Layout::Wide, Layout::Narrow] {
        let look = Look { layout, language: Language::Chinese, base: ByteBase::Binary };
        for step in 0..Step::ALL.len() {
            let mut before = journey.frame(Moment { step, t: 0.0 }, look);
            assert!(before.marks.len() <= 450, "{} marks", before.marks.len());
            for part in 1..=90 {
                let after = journey.frame(Moment { step, t: f64::from(part) / 90.0 }, look);
                let changed = after.marks.iter().zip(&before.marks).filter(|(a, b)| a != b).count();
                assert!(changed <= 60, "{changed} marks in step {step} at {part}");
                before = after;
            }
        }
    }
}

#[test]
fn every_frame_is_sound() {
    inspect::everywhere(SceneId::Journey, 8.0);
}

#[test]
fn frames_of_other_layers_and_plans_are_sound() {
    for choices in SCENARIOS {
        let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
        for ledger in Ledger::ALL {
            inspect::model(SceneId::Journey, ledger, &choices, 0.35, &v4_flash());
            for layer in ["0", "1", "58", "60"] {
                let more = [choices.clone(), vec![(Key::Layer, layer.to_owned())]].concat();
                inspect::scenario(SceneId::Journey, ledger, &more, 0.2);
            }
        }
    }
}

#[test]
fn odd_models_are_drawn() {
    inspect::odd_models(SceneId::Journey);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_scenario_is_drawn(choices in inspect::any_load(), ledger in 0..3_usize, part in 0.05..0.95_f64) {
        inspect::scenario(SceneId::Journey, Ledger::ALL[ledger], &choices, part);
    }
}
