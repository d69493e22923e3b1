//! The events of "dispatch" for three scenarios; its bytes against figures, the collective module and each other.

use proptest::prelude::*;

use super::*;
use crate::draw::Shape;
use crate::figure::{Ledger, Report};
use crate::format::{self, ByteBase};
use crate::language::Language;
use crate::ledger::report;
use crate::scenario::{Key, Scenario};
use crate::scene::{Layout, Look, Scene, SceneId, end_of, inspect};
use crate::spec::v4_pro;
use crate::units::KIB;

fn derive(ledger: Ledger, choices: &[(Key, &str)]) -> (Dispatch, Report) {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let spec = v4_pro();
    let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
    (Dispatch::new(Facts { report: &report, settings: &settings, spec: &spec }), report)
}

fn dispatch(choices: &[(Key, &str)]) -> Dispatch {
    derive(Ledger::Tutorial, choices).0
}

fn told(dispatch: &Dispatch, step: Step) -> Vec<Event> {
    dispatch.events(step).into_iter().map(|timed| timed.event).collect()
}

const WALKTHROUGH: &[(Key, &str)] = &[(Key::Batch, "32"), (Key::CommDtype, "bf16")];

#[test]
fn eight_gpus_exchange_in_seven_rounds() {
    let dispatch = dispatch(&[]);
    assert_eq!(told(&dispatch, Step::Owners).len(), 8);
    let pack = told(&dispatch, Step::Pack);
    assert_eq!((pack.len(), pack[7], pack[8]), (16, Event::Lay { place: 7 }, Event::Merge { place: 0 }));
    let send = told(&dispatch, Step::Send);
    assert_eq!(send.len(), 56);
    assert_eq!(send[..2], [Event::Send { from: 0, to: 1 }, Event::Send { from: 1, to: 2 }]);
    assert_eq!(send[55], Event::Send { from: 7, to: 6 });
    // In a round each place sends once and receives once.
    for round in dispatch.events(Step::Send).chunks(8) {
        let mut to: Vec<_> = round.iter().map(|timed| format!("{:?}", timed.event)).collect();
        to.sort_unstable();
        to.dedup();
        assert_eq!(to.len(), 8);
        assert!(round.iter().all(|timed| timed.from == round[0].from));
    }
    assert_eq!(told(&dispatch, Step::Return).len(), 56 + 8);
    assert_eq!(told(&dispatch, Step::Matrix).len(), 1 + 8 + 1);
}

#[test]
fn one_gpu_sends_nothing() {
    let dispatch = dispatch(&[(Key::Ep, "1"), (Key::Batch, "4")]);
    assert_eq!(told(&dispatch, Step::Send), []);
    assert_eq!(told(&dispatch, Step::Compute), [Event::Compute { place: 0 }]);
    let (naive, merged) = (Copies { all: 24, remote: 0 }, Copies { all: 4, remote: 0 });
    assert_eq!(dispatch.all(), Flow { naive, merged });
    assert!(dispatch.targets.len() == 1 && dispatch.targets[0].local);
}

#[test]
fn two_gpus_meet_once() {
    let dispatch = dispatch(&[(Key::Ep, "2"), (Key::Batch, "16")]);
    let send = [Event::Send { from: 0, to: 1 }, Event::Send { from: 1, to: 0 }];
    assert_eq!(told(&dispatch, Step::Send), send);
    assert_eq!(dispatch.owned[..2], [8, 8]);
    assert_eq!(dispatch.pairs.iter().sum::<u32>(), 96);
}

#[test]
fn the_walkthroughs_dispatch_is_2688_kib() {
    let (dispatch, report) = derive(Ledger::Tutorial, WALKTHROUGH);
    assert_eq!(report.number("ep.dispatch.bytes"), Some(2688.0 * KIB));
    let [naive, merged, crossing, _] = dispatch.counts;
    assert_eq!(naive.sent.dispatch.get(), 2688.0 * KIB);
    assert_eq!(
        dispatch.bytes(dispatch.all().naive.all).get(),
        2688.0 * KIB,
        "drawn copies come to the figure"
    );
    assert_eq!(naive.sent.combine, naive.sent.dispatch, "two transfers");
    assert!(crossing.sent.dispatch.get() < merged.sent.dispatch.get());
    assert!(merged.sent.dispatch.get() < naive.sent.dispatch.get());
}

#[test]
fn the_reports_payload_is_the_reports() {
    let (dispatch, report) = derive(Ledger::Report, &[]);
    let each = report.number("decode.layer.ep.bytes_per_gpu").unwrap();
    assert!((dispatch.counts[3].sent.total().get() / 8.0 - each).abs() < 1e-6);
    assert_eq!(dispatch.counts[3].sent.combine.get(), 2.0 * dispatch.counts[3].sent.dispatch.get());
}

#[test]
fn every_arrow_adds_up() {
    let router = |word| [(Key::Router, word), (Key::Batch, "100")];
    let (hash, engine) = (router("hash"), router("engine"));
    let sixteen = [(Key::Ep, "16"), (Key::Batch, "100")];
    let cases = [&[][..], WALKTHROUGH, &sixteen, &[(Key::Ep, "96")], &hash, &engine];
    for (choices, dedupe) in cases.into_iter().flat_map(|case| [(case, "true"), (case, "false")]) {
        let dispatch = dispatch(&[choices, &[(Key::Dedupe, dedupe)]].concat());
        let tokens = dispatch.routed.tokens as u32;
        let all = dispatch.all();
        assert_eq!(all.naive.all, tokens * 6);
        assert_eq!(dispatch.pairs.iter().sum::<u32>(), all.naive.all);
        assert_eq!(dispatch.owned.iter().sum::<u32>(), tokens);
        assert_eq!(dispatch.packed(all), if dedupe == "true" { all.merged } else { all.naive });
        let remote = |flow: Flow| dispatch.bytes(dispatch.packed(flow).remote);
        let sent: Bytes = (0..PLACES).map(|place| remote(dispatch.sent(place))).sum();
        let received: Bytes = (0..PLACES).map(|place| remote(dispatch.received(place))).sum();
        assert_eq!((sent, received), (dispatch.counts[2].sent.dispatch, dispatch.counts[2].sent.combine));
        let first: usize = dispatch.targets.iter().map(|target| target.experts.len()).sum();
        assert_eq!(first, 6);
    }
}

#[test]
fn copies_travel_as_long_as_the_busiest_place_needs() {
    let dispatch = dispatch(WALKTHROUGH);
    let [send, back] = [Step::Send, Step::Return].map(|step| dispatch.duration(step).model_s.unwrap());
    let average = dispatch.counts[2].sent.dispatch.get() / 8.0 / 450e9;
    assert_eq!(send, back);
    assert!((1.0..1.6).contains(&(send / average)), "{send} {average}");
    assert_eq!(self::dispatch(&[(Key::Ep, "1")]).duration(Step::Send).model_s, None);
}

#[test]
fn unmerged_copies_stay_as_they_are() {
    let choices = [WALKTHROUGH, &[(Key::Dedupe, "false")]].concat();
    let (off, on) = (dispatch(&choices), dispatch(WALKTHROUGH));
    let pack = told(&off, Step::Pack);
    assert_eq!((pack.len(), pack[7], pack[8]), (16, Event::Lay { place: 7 }, Event::Keep { place: 0 }));
    assert_eq!(told(&off, Step::Send), told(&on, Step::Send), "the rounds are the same");
    // The first two ways and the published one are compared whatever is sent.
    for way in [0, 1, 3] {
        assert_eq!(off.counts[way], on.counts[way]);
    }
    assert_eq!(off.counts[0].sent.dispatch.get(), 2688.0 * KIB);
    assert_eq!(off.counts[2].sent.dispatch, off.bytes(off.all().naive.remote));
    assert!(off.counts[2].sent.dispatch.get() > on.counts[2].sent.dispatch.get());
    assert_eq!((off.figure, on.figure), (Some("ep.dispatch.bytes"), Some("ep.dispatch.bytes")));
}

#[test]
fn the_small_models_tokens_travel_too() {
    let dispatch = dispatch(&[(Key::Router, "engine"), (Key::Batch, "1024")]);
    assert_eq!((dispatch.routed.tokens, dispatch.routed.each(), dispatch.layers.len()), (64, 6, 6));
    assert_eq!(dispatch.figure, None, "the ledger counts the whole batch");
    assert_eq!(told(&dispatch, Step::Send).len(), 56);
    assert_eq!(dispatch.owned, [8; 8]);
    let small = derive(Ledger::Tutorial, &[(Key::Router, "engine")]).0;
    assert_eq!(small.figure, Some("ep.dispatch.bytes"), "eight tokens of six experts are as many copies");
}

#[test]
fn drawn_copies_lie_near_their_expectation() {
    let dispatch = dispatch(&[(Key::Batch, "1024")]);
    for count in dispatch.counts {
        let (sent, expected) = (count.sent.total().get(), count.expected.total().get());
        assert!((sent / expected - 1.0).abs() < 0.02, "{sent} {expected}");
    }
}

#[test]
fn rows_of_the_matrix_are_drawn_as_they_are() {
    for dedupe in ["true", "false"] {
        rows_are_drawn(&dispatch(&[WALKTHROUGH, &[(Key::Dedupe, dedupe)]].concat()));
    }
}

fn rows_are_drawn(dispatch: &Dispatch) {
    let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
    let drawing = dispatch.frame(end_of(SceneId::Dispatch), look);
    let seen = |wanted: &str| {
        drawing.marks.iter().any(|mark| {
            mark.opacity > 0.9 && matches!(&mark.shape, Shape::Text { text, .. } if text.as_str() == wanted)
        })
    };
    for place in 0..PLACES {
        let bytes = dispatch.bytes(dispatch.packed(dispatch.sent(place)).remote);
        assert!(seen(&format::kilo(bytes, ByteBase::Binary).to_string()), "row {place}");
    }
    let tagged = drawing.marks.iter().filter_map(|mark| mark.figure);
    assert!(tagged.into_iter().all(|tag| tag.id == "ep.dispatch.bytes" && tag.value == 2688.0 * KIB));
}

#[test]
fn every_frame_is_sound() {
    inspect::everywhere(SceneId::Dispatch, 8.0);
}

#[test]
fn odd_models_are_drawn() {
    inspect::odd_models(SceneId::Dispatch);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_scenario_is_drawn(choices in inspect::any_load(), ledger in 0..3_usize, part in 0.05..0.95_f64) {
        inspect::scenario(SceneId::Dispatch, Ledger::ALL[ledger], &choices, part);
    }
}
