//! Draws against closed forms, and what must hold for every draw.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::collective::TrafficShape;
use model_core::routing::{
    HashTable, Popularity, RoutingShape, Sampler, SlowBy, distinct_top_k, distinct_with_replacement, slowest,
    survey,
};
use model_core::spec::v4_pro;
use proptest::prelude::*;

fn pro(popularity: &Popularity, seed: u64) -> Sampler {
    Sampler::new(RoutingShape::of(&v4_pro()).unwrap(), popularity, seed).unwrap()
}

#[test]
fn closed_forms_give_the_golden_figures() {
    let text = include_str!("golden/exact.json");
    let golden: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut seen = 0;
    for figure in golden["figures"].as_array().unwrap() {
        if figure["id"] != "moe.distinct_experts" {
            continue;
        }
        let tokens = figure["scenario"]["batch"].as_u64().unwrap();
        let value = match figure["scenario"]["draw"].as_str().unwrap() {
            "distinct_top6" => distinct_top_k(384.0, 6.0, tokens),
            "with_replacement" => distinct_with_replacement(384.0, 6, tokens),
            other => panic!("unknown draw {other}"),
        };
        let expected = figure["value"].as_f64().unwrap();
        assert!((value - expected).abs() <= 1e-12 * expected, "{figure}");
        seen += 1;
    }
    assert_eq!(seen, 14);
}

#[test]
fn the_mean_of_many_draws_is_the_closed_form() {
    for tokens in [1, 8, 16, 32, 64, 128] {
        let survey = survey(&pro(&Popularity::Uniform, 2026), tokens, 8, 600).unwrap();
        let off = (survey.distinct.mean - distinct_top_k(384.0, 6.0, tokens)).abs();
        assert!(off <= 3.0 * survey.distinct.standard_error + 1e-12, "B = {tokens}: off by {off}");
        assert!(survey.slowest_experts.mean * 8.0 >= survey.distinct.mean);
        assert!(survey.slowest_pairs.mean * 8.0 >= 6.0 * tokens as f64);
    }
}

#[test]
fn skew_touches_fewer_experts_and_slows_the_slowest() {
    let of = |popularity| survey(&pro(&popularity, 5), 64, 8, 200).unwrap();
    let uniform = of(Popularity::Uniform);
    let zipf = of(Popularity::Zipf { exponent: 1.0 });
    let hot = of(Popularity::Hot { experts: (0..8).collect(), share: 0.5 });
    for skewed in [zipf, hot] {
        assert!(skewed.distinct.mean + 10.0 < uniform.distinct.mean);
        assert!(skewed.slowest_pairs.mean > uniform.slowest_pairs.mean);
    }
}

#[test]
fn drawn_traffic_is_the_expected_one() {
    let shape = TrafficShape { tokens: 32, hidden: 7168, experts: 384, experts_per_token: 6, ranks: 8 };
    let sampler = pro(&Popularity::Uniform, 77);
    let draws = 500;
    for (merged, with_local) in [(false, true), (true, true), (false, false), (true, false)] {
        let (mut sum, mut squares) = (0.0, 0.0);
        for draw in 0..draws {
            let traffic = sampler.draw(32, draw).unwrap().traffic(8, merged).unwrap();
            let copies: u32 = (0..8)
                .flat_map(|from| (0..8).map(move |to| (from, to)))
                .filter(|(from, to)| with_local || from != to)
                .map(|(from, to): (usize, usize)| traffic[from][to])
                .sum();
            sum += f64::from(copies);
            squares += f64::from(copies).powi(2);
        }
        let mean = sum / draws as f64;
        let error = ((squares / draws as f64 - mean * mean).max(0.0) / draws as f64).sqrt();
        let expected = shape.copies(merged, with_local);
        assert!((mean - expected).abs() <= 3.0 * error + 1e-9, "{mean} against {expected} ± {error}");
    }
}

#[test]
fn draws_are_the_same_everywhere() {
    // Pinned, so that another platform or a changed generator is noticed.
    let first = |popularity| pro(&popularity, 1).draw(1, 0).unwrap().of_token(0).to_vec();
    let pinned = [
        first(Popularity::Uniform),
        first(Popularity::Zipf { exponent: 1.1 }),
        HashTable::new(RoutingShape::of(&v4_pro()).unwrap(), 1).row(0),
    ];
    assert_eq!(
        format!("{pinned:?}"),
        "[[266, 373, 163, 309, 137, 324], [285, 358, 169, 159, 117, 49], [341, 53, 137, 0, 40, 30]]"
    );
}

fn any_popularity() -> impl Strategy<Value = Popularity> {
    prop_oneof![
        Just(Popularity::Uniform),
        (0.0..20.0).prop_map(|exponent| Popularity::Zipf { exponent }),
        (proptest::collection::btree_set(0_u32..48, 1..6), 0.0..=1.0)
            .prop_map(|(experts, share)| Popularity::Hot { experts: experts.into_iter().collect(), share }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_is_lost_and_nothing_doubled(
        popularity in any_popularity(),
        per_token in 1_u32..12,
        tokens in 0_u64..80,
        ranks in prop_oneof![Just(1_u32), Just(2), Just(6), Just(8), Just(48)],
        seed in any::<u64>(),
    ) {
        let shape = RoutingShape::new(48, per_token).unwrap();
        let assignment = Sampler::new(shape, &popularity, seed).unwrap().draw(tokens, 0).unwrap();
        let pairs = tokens as u32 * per_token;
        let counts = assignment.tokens_per_expert();
        prop_assert_eq!(counts.iter().sum::<u32>(), pairs);
        prop_assert!(counts.iter().all(|count| u64::from(*count) <= tokens));

        let loads = assignment.rank_loads(ranks).unwrap();
        prop_assert_eq!(loads.len(), ranks as usize);
        prop_assert_eq!(loads.iter().map(|load| load.pairs).sum::<u32>(), pairs);
        let distinct: u32 = loads.iter().map(|load| load.distinct_experts).sum();
        prop_assert_eq!(distinct as usize, assignment.distinct());
        prop_assert!(tokens == 0 || distinct >= per_token);

        let naive: u32 = assignment.traffic(ranks, false).unwrap().iter().flatten().sum();
        let merged: u32 = assignment.traffic(ranks, true).unwrap().iter().flatten().sum();
        prop_assert_eq!(naive, pairs);
        prop_assert_eq!(merged, loads.iter().map(|load| load.tokens).sum::<u32>());
        prop_assert!(merged <= naive);

        let (_, worst) = slowest(&loads, SlowBy::Pairs).unwrap();
        prop_assert!(loads.iter().all(|load| load.pairs <= worst.pairs));
    }
}
