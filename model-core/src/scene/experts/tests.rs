//! The events of "experts" for three scenarios, its numbers against figures and by hand.

use proptest::prelude::*;

use super::*;
use crate::figure::Ledger;
use crate::ledger::report;
use crate::routing::hash_table::uniform_token_ids;
use crate::scenario::{Key, Scenario};
use crate::scene::routed::Source;
use crate::scene::{SceneId, inspect};
use crate::spec::v4_pro;

fn experts(ledger: Ledger, choices: &[(Key, &str)]) -> Experts {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    let spec = v4_pro();
    let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
    Experts::new(Facts { report: &report, settings: &settings, spec: &spec })
}

fn told(experts: &Experts, step: Step) -> Vec<Event> {
    experts.events(step).into_iter().map(|timed| timed.event).collect()
}

#[test]
fn eight_gpus_each_do_their_part() {
    let experts = experts(Ledger::Tutorial, &[]);
    let route = told(&experts, Step::Route);
    assert_eq!(route.len(), 8 + 6);
    assert_eq!(route[7..9], [Event::Tally { place: 7 }, Event::Route { pick: 0 }]);
    let mut computed = told(&experts, Step::Local);
    computed.sort_unstable_by_key(|event| format!("{event:?}"));
    assert_eq!(computed, (0..6).map(|pick| Event::Compute { pick }).collect::<Vec<_>>());
    assert_eq!(told(&experts, Step::Weigh).len(), 6 + 8);
    let sum = told(&experts, Step::Sum);
    assert_eq!(
        (sum[0], sum[8], sum[9]),
        (Event::Send { place: 0 }, Event::Total, Event::Receive { place: 0 })
    );
    assert_eq!(told(&experts, Step::Shared), [Event::AddShared]);
    let spread = told(&experts, Step::Spread);
    assert_eq!((spread[0], spread[9]), (Event::Leave, Event::Plot));
}

#[test]
fn one_gpu_computes_all_by_itself() {
    let experts = experts(Ledger::Exact, &[(Key::Tp, "1"), (Key::Batch, "1")]);
    assert_eq!(told(&experts, Step::Route).len(), 1 + 6);
    let six = (0..6).map(|pick| Event::Compute { pick }).collect::<Vec<_>>();
    assert_eq!(told(&experts, Step::Local), six);
    assert_eq!(told(&experts, Step::Sum).len(), 3);
    assert_eq!(experts.partial(0), experts.total());
    assert_eq!((experts.distinct(), experts.slowest().1.distinct_experts), (6, 6));
}

#[test]
fn sixteen_gpus_stand_two_at_a_place() {
    let experts = experts(Ledger::Exact, &[(Key::Tp, "16"), (Key::Batch, "1024")]);
    assert_eq!(told(&experts, Step::Sum).len(), 8 + 1 + 8);
    assert_eq!((experts.loads.len(), experts.routed.each()), (16, 24));
    assert_eq!(experts.distinct(), 384, "1024 tokens reach every expert");
}

#[test]
fn sums_come_out_by_hand() {
    for seed in ["0", "1", "7", "4294967295"] {
        let experts = experts(Ledger::Tutorial, &[(Key::Seed, seed), (Key::Batch, "32")]);
        assert_eq!(experts.picks.iter().map(|pick| pick.weight).sum::<i64>(), HUNDREDTHS);
        assert!(experts.picks.windows(2).all(|pair| pair[0].weight >= pair[1].weight));
        assert!(experts.picks.iter().all(|pick| (1..=3).contains(&pick.output.abs())));
        assert_eq!((0..8).map(|place| experts.partial(place)).sum::<i64>(), experts.total());
        assert_eq!(experts.counts.iter().sum::<u32>(), 32 * 6);
        assert_eq!(
            experts.loads.iter().map(|load| load.distinct_experts).sum::<u32>() as usize,
            experts.distinct()
        );
        for pick in &experts.picks {
            assert!(experts.counts[pick.expert as usize] > 0 && pick.rank == pick.expert / 48);
        }
    }
}

#[test]
fn drawn_batches_lie_on_the_closed_form() {
    let experts = experts(Ledger::Tutorial, &[(Key::Batch, "32")]);
    assert_eq!(format!("{:.1}", experts.expected.unwrap()), "152.0");
    assert_eq!(experts.samples.len(), 11);
    let at_32 = experts.samples[5];
    assert_eq!((at_32.tokens, at_32.distinct as usize), (32, experts.distinct()), "the map's own batch");
    for sample in &experts.samples {
        let expected = crate::routing::distinct_top_k(384.0, 6.0, sample.tokens);
        assert!((f64::from(sample.distinct) - expected).abs() < 25.0, "{sample:?} {expected}");
        assert!(sample.slowest * 8 >= sample.distinct);
    }
}

#[test]
fn a_hot_list_gathers_the_batch() {
    let hot = [(Key::Batch, "32"), (Key::Router, "hot"), (Key::Skew, "1")];
    assert!(experts(Ledger::Tutorial, &hot).distinct() <= 12);
    let zipf = [(Key::Batch, "32"), (Key::Router, "zipf"), (Key::Skew, "1.5")];
    assert!(experts(Ledger::Tutorial, &zipf).distinct() < 120);
}

#[test]
fn a_table_picks_by_token_id() {
    let choices = |router| [(Key::Batch, "32"), (Key::Router, router)];
    let hash = experts(Ledger::Tutorial, &choices("hash"));
    let Some(Source::Table { table, vocab, seed, layers }) = hash.routed.source.clone() else { panic!() };
    assert_eq!((vocab, seed, layers), (129_280, 1, 3));
    let ids = uniform_token_ids(vocab, 32, seed);
    for (token, id) in ids.iter().enumerate() {
        assert_eq!(hash.routed.of_token(token), table.row(*id));
    }
    assert_eq!(hash.picks.iter().map(|pick| pick.expert).collect::<Vec<_>>(), table.row(ids[0]));
    assert_eq!(hash.samples[5].distinct as usize, hash.distinct(), "the curve holds the map's own batch");
    let drawn = experts(Ledger::Tutorial, &choices("uniform"));
    for step in Step::ALL.into_iter().filter(|step| *step != Step::Local) {
        assert_eq!(told(&hash, step), told(&drawn, step), "the same story, told of other experts");
    }
}

#[test]
fn the_small_models_picks_come_with_its_own_weights() {
    let experts = experts(Ledger::Exact, &[(Key::Router, "engine"), (Key::Batch, "1024")]);
    let run = crate::scene::small_model::SmallModel::run(1).unwrap();
    assert_eq!((experts.routed.tokens, experts.routed.batch), (64, 1024));
    assert_eq!((experts.loads.len(), experts.routed.each(), experts.layers.len()), (8, 6, 6));
    assert_eq!(experts.picks.iter().map(|pick| pick.expert).collect::<Vec<_>>(), run.picks[0]);
    assert!(experts.picks.iter().all(|pick| pick.rank == pick.expert / 6));
    assert_eq!(experts.picks.iter().map(|pick| pick.weight).sum::<i64>(), HUNDREDTHS);
    let sum: f64 = run.scores.iter().sum();
    for (pick, score) in experts.picks.iter().zip(&run.scores) {
        assert!((pick.weight as f64 / 100.0 - score / sum).abs() < 0.011, "{pick:?} {score}");
    }
    assert_eq!((0..8).map(|place| experts.partial(place)).sum::<i64>(), experts.total());
    assert_eq!(
        experts.samples.iter().map(|sample| sample.tokens).collect::<Vec<_>>(),
        [1, 2, 4, 8, 16, 32, 64]
    );
    assert_eq!(experts.samples[6].distinct as usize, experts.distinct());
    assert_eq!(experts.expected, Some(crate::routing::distinct_top_k(48.0, 6.0, 64)));
    assert_eq!(told(&experts, Step::Route).len(), 8 + 6);
}

#[test]
fn every_frame_is_sound() {
    inspect::everywhere(SceneId::Experts, 8.0);
}

#[test]
fn odd_models_are_drawn() {
    inspect::odd_models(SceneId::Experts);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_scenario_is_drawn(choices in inspect::any_load(), ledger in 0..3_usize, part in 0.05..0.95_f64) {
        inspect::scenario(SceneId::Experts, Ledger::ALL[ledger], &choices, part);
    }
}
