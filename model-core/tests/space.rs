//! The whole scenario space: whatever a reader turns, every figure is a number or a dash, sums add up, and what must
//! rise rises.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::figure::{Ledger, Report, Unit, Value};
use model_core::format::ByteBase;
use model_core::ledger::{
    BATCHES, CONTEXTS, Cause, PREFIXES, Topic, batch_scan, capacity_table, prefill_table, report, walk,
};
use model_core::scenario::{Bound, Key, Scenario};
use model_core::spec::{ModelSpec, of};
use model_core::{checks, plan};
use proptest::prelude::*;

/// Any value of a key, its bounds among them.
fn any_text(key: Key) -> BoxedStrategy<String> {
    match key.bound() {
        Bound::Whole(min, max) => {
            let powers = (0..22_u32).prop_map(move |power| (1_u64 << power).clamp(min, max));
            prop_oneof![Just(min), Just(max), min..=max, min..=max.min(min + 16), powers]
                .prop_map(|number| number.to_string())
                .boxed()
        }
        Bound::Real(min, max) => {
            prop_oneof![Just(min), Just(max), min..=max].prop_map(|number| format!("{number:.6}")).boxed()
        }
        Bound::OneOf(words) => proptest::sample::select(words).prop_map(ToOwned::to_owned).boxed(),
    }
}

/// Any scenario: each key chosen or left, a third of them chosen.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let choices: Vec<_> =
        Key::ALL.into_iter().map(|key| proptest::option::weighted(0.3, any_text(key))).collect();
    choices.prop_map(|choices| {
        let mut scenario = Scenario::default();
        for (key, text) in Key::ALL.into_iter().zip(choices) {
            if let Some(text) = text {
                // Six decimals may round past a bound; the key then stays as it was.
                let _ = scenario.choose_text(key, &text);
            }
        }
        scenario
    })
}

/// Any scenario whose plan the model can be cut into.
fn any_legal_scenario() -> impl Strategy<Value = Scenario> {
    let layouts = prop_oneof![
        prop_oneof![Just(1), Just(2), Just(4), Just(8)].prop_map(|tp| ("tp", tp, tp)),
        prop_oneof![Just(8), Just(16), Just(32), Just(64)].prop_map(|ep| ("dp_attention_ep", 1, ep)),
    ];
    (any_scenario(), layouts, 1_u32..=4).prop_map(|(mut scenario, (layout, tp, ep), pp)| {
        scenario.forget(Key::Vocab);
        scenario.choose_text(Key::Layout, layout).unwrap();
        for (key, number) in [(Key::Tp, tp), (Key::Ep, ep), (Key::Pp, pp), (Key::Gpus, ep * pp)] {
            scenario.choose_number(key, f64::from(number)).unwrap();
        }
        scenario
    })
}

/// Any model of the architecture, within what an importer takes; dimensions need not go together.
fn any_model() -> impl Strategy<Value = ModelSpec> {
    let width = || prop_oneof![1_u64..=64, 1_u64..=16_384, Just(1 << 20)];
    let small = || prop_oneof![1_u64..=16, 1_u64..=512];
    let ratios = proptest::collection::vec(proptest::sample::select(vec![0_u64, 4, 128]), 1..80);
    let widths = (width(), width(), width(), width(), width());
    let counts = (small(), small(), small(), small(), small(), small());
    (ratios, widths, counts, 0..4_usize, 0_u64..=3).prop_map(|(ratios, widths, counts, drafts, shared)| {
        let (hidden, query_rank, output_rank, expert_hidden, vocab) = widths;
        let (heads, head_dim, output_groups, indexer_heads, experts, experts_per_token) = counts;
        ModelSpec {
            hidden,
            query_rank,
            output_rank,
            expert_hidden,
            vocab,
            heads,
            head_dim,
            rope_dim: head_dim.min(64),
            output_groups,
            indexer_heads,
            experts,
            experts_per_token: experts_per_token.min(experts),
            shared_experts: shared,
            layers: ratios.len().saturating_sub(drafts),
            schedule: model_core::spec::schedule(&ratios, 3).unwrap(),
            ..model_core::spec::v4_pro()
        }
    })
}

fn model(scenario: &Scenario) -> ModelSpec {
    of(scenario.resolve(Ledger::Exact).model)
}

fn with(scenario: &Scenario, key: Key, number: u64) -> Scenario {
    let mut other = scenario.clone();
    other.choose_number(key, number as f64).unwrap();
    other
}

fn assert_sound(report: &Report) {
    for figure in report.figures() {
        let Value::Number(number) = figure.value else {
            assert!(figure.formula.template.is_empty(), "{}: a formula without a number", figure.id);
            continue;
        };
        assert!(number.is_finite() && number >= 0.0, "{}: {number}", figure.id);
        if figure.unit == Unit::Bytes {
            assert!(number < 1e30, "{}: {number}", figure.id);
        }
        if figure.formula.template.is_empty() {
            continue;
        }
        let derived = figure.formula.evaluate().unwrap_or_else(|| panic!("{}: malformed", figure.id));
        let near = (derived - number).abs() <= 1e-9 * number.abs().max(1e-12);
        assert!(
            near,
            "{}: {} = {derived}, not {number}",
            figure.id,
            figure.formula.substituted(ByteBase::Binary)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_figure_is_a_number_or_a_dash(scenario in any_scenario()) {
        let spec = model(&scenario);
        for ledger in Ledger::ALL {
            let figures = report(ledger, &scenario, &spec);
            assert_sound(&figures);
            let plain = report(ledger, &Scenario::default(), &spec);
            prop_assert_eq!(figures.figures().len(), plain.figures().len(), "every figure keeps its name");
            for (one, other) in figures.figures().iter().zip(plain.figures()) {
                prop_assert_eq!((one.id, one.unit), (other.id, other.unit));
            }
        }
    }

    #[test]
    fn scans_and_walks_hold_everywhere(scenario in any_scenario()) {
        let spec = model(&scenario);
        for ledger in Ledger::ALL {
            for row in batch_scan(ledger, &scenario, &spec, &BATCHES) {
                prop_assert!((0.0..=spec.experts as f64).contains(&row.distinct_experts));
                let bytes = [row.memory_per_gpu, row.expert_read, row.cache_read];
                prop_assert!(bytes.into_iter().flatten().all(|bytes| bytes.get().is_finite() && bytes.get() >= 0.0));
                let times = [row.floor, row.step, row.exchange];
                prop_assert!(times.into_iter().flatten().all(|time| time.get().is_finite() && time.get() >= 0.0));
                prop_assert!(row.step.zip(row.floor).is_none_or(|(step, floor)| step >= floor));
            }
            for topic in Topic::ALL {
                if let Some(walk) = walk(topic, ledger, Ledger::Exact, &scenario, &spec) {
                    prop_assert!(walk.differences.iter().all(|one| one.cause != Cause::Unexplained), "{walk:?}");
                    prop_assert_eq!(walk.differences.last().map_or(walk.start, |last| last.after), walk.end);
                }
            }
        }
        prop_assert!(checks::run(&scenario).iter().all(|check| check.passed), "{:?}", checks::run(&scenario));
    }

    #[test]
    fn any_model_has_sound_figures(scenario in any_scenario(), spec in any_model()) {
        for ledger in Ledger::ALL {
            assert_sound(&report(ledger, &scenario, &spec));
            for row in batch_scan(ledger, &scenario, &spec, &[1, 1024]) {
                let bytes = [row.memory_per_gpu, row.expert_read, row.cache_read];
                prop_assert!(bytes.into_iter().flatten().all(|bytes| bytes.get().is_finite() && bytes.get() >= 0.0));
            }
            prop_assert!(capacity_table(ledger, &scenario, &spec, &CONTEXTS).len() <= CONTEXTS.len());
            prop_assert!(prefill_table(ledger, &scenario, &spec, &PREFIXES).len() <= PREFIXES.len());
            for topic in Topic::ALL {
                let walk = walk(topic, ledger, Ledger::Exact, &scenario, &spec);
                prop_assert!(walk.is_none_or(|walk| walk.end.is_finite()));
            }
        }
    }

    #[test]
    fn a_plan_is_legal_or_refused_with_a_reason(scenario in any_scenario()) {
        let spec = model(&scenario);
        let figures = report(Ledger::Exact, &scenario, &spec);
        let refused = plan::check(Ledger::Exact, &scenario, &spec);
        prop_assert_eq!(figures.flag("plan.legal"), refused.is_ok());
        prop_assert_eq!(figures.number("memory.bytes_per_gpu").is_some(), refused.is_ok());
        if let Err(refusal) = refused {
            prop_assert!(Key::from_name(&refusal.key).is_some() && !refusal.to_string().contains('\n'));
        }
    }

    #[test]
    fn what_is_not_essential_changes_nothing(scenario in any_scenario()) {
        for ledger in Ledger::ALL {
            let essential = scenario.essential(ledger);
            prop_assert_eq!(essential.resolve(ledger), scenario.resolve(ledger));
            prop_assert_eq!(essential.essential(ledger), essential);
        }
    }

    #[test]
    fn memory_rises_with_context_and_batch(
        scenario in any_legal_scenario(),
        contexts in (1_u64..=1_048_576, 1_u64..=1_048_576),
        batches in (1_u64..=1024, 1_u64..=1024),
    ) {
        let spec = model(&scenario);
        for (ledger, id) in [
            (Ledger::Tutorial, "memory.partial.bytes_per_gpu"),
            (Ledger::Report, "memory.bytes_per_gpu"),
            (Ledger::Exact, "memory.bytes_per_gpu"),
        ] {
            let memory = |key, number| report(ledger, &with(&scenario, key, number), &spec).number(id).unwrap();
            for (key, (one, other)) in [(Key::Context, contexts), (Key::Batch, batches)] {
                // Pages round up, so a page more may take less rounding, never less memory.
                let (low, high) = (memory(key, one.min(other)), memory(key, one.max(other)));
                prop_assert!(low <= high, "{} {}: {low} > {high}", ledger.name(), key.name());
            }
            let distinct = |batch| {
                report(ledger, &with(&scenario, Key::Batch, batch), &spec).number("moe.distinct_experts").unwrap()
            };
            let (low, high) = (distinct(batches.0.min(batches.1)), distinct(batches.0.max(batches.1)));
            prop_assert!(low <= high && high <= spec.experts as f64);
        }
    }

    #[test]
    fn parts_add_up_exactly(scenario in any_legal_scenario()) {
        let spec = model(&scenario);
        prop_assume!(plan::check(Ledger::Exact, &scenario, &spec).is_ok());
        let figures = report(Ledger::Exact, &scenario, &spec);
        let sum = |ids: &[&str]| ids.iter().map(|id| figures.number(id).unwrap()).sum::<f64>();
        let weights = [
            "weights.routed.bytes_per_gpu",
            "weights.shared.bytes_per_gpu",
            "weights.attention.bytes_per_gpu",
            "weights.router.bytes_per_gpu",
            "weights.streams.bytes_per_gpu",
            "weights.embedding.bytes_per_gpu",
            "weights.head.bytes_per_gpu",
            "weights.mtp.bytes_per_gpu",
        ];
        let caches = [
            "cache.window.bytes_per_gpu",
            "cache.csa.bytes_per_gpu",
            "cache.hca.bytes_per_gpu",
            "cache.indexer.bytes_per_gpu",
            "cache.state.bytes_per_gpu",
            "cache.page_rounding.bytes_per_gpu",
            "cache.mtp.bytes_per_gpu",
        ];
        prop_assert_eq!(Some(sum(&weights)), figures.number("weights.bytes_per_gpu"));
        // Caches split over three GPUs and the like end in fractions of a byte.
        let cache = figures.number("cache.batch.bytes_per_gpu").unwrap();
        prop_assert!((sum(&caches) - cache).abs() <= 1e-12 * cache);
        let total = sum(&["weights.bytes_per_gpu", "cache.batch.bytes_per_gpu"]);
        prop_assert_eq!(Some(total), figures.number("memory.bytes_per_gpu"));
        let stages = ["proj", "attn", "moe", "head", "other", "mtp"].map(|name| format!("decode.{name}_s"));
        let floor = stages.iter().map(|id| figures.number(id).unwrap()).sum::<f64>();
        prop_assert_eq!(Some(floor), figures.number("decode.floor_s"));
    }
}

#[test]
fn weights_per_gpu_fall_with_tp_and_stay_whole_in_the_group() {
    for name in ["v4-pro", "v4-flash"] {
        let mut before = f64::INFINITY;
        for tp in [1_u64, 2, 4, 8] {
            let mut scenario = with(&Scenario::default(), Key::Tp, tp);
            scenario.choose_text(Key::Model, name).unwrap();
            let figures = report(Ledger::Exact, &scenario, &model(&scenario));
            let weights = figures.number("weights.bytes_per_gpu").unwrap();
            assert!(weights < before, "{name} TP{tp}");
            before = weights;
            for (part, whole) in [
                ("weights.routed.bytes_per_gpu", "checkpoint.routed.bytes"),
                ("weights.embedding.bytes_per_gpu", "checkpoint.embedding.bytes"),
                ("weights.head.bytes_per_gpu", "checkpoint.head.bytes"),
            ] {
                let per_gpu = figures.number(part).unwrap();
                assert_eq!(Some(per_gpu * tp as f64), figures.number(whole), "{part} is cut, not copied");
            }
            let shared = figures.number("weights.shared.bytes_per_gpu");
            assert_eq!(shared, figures.number("checkpoint.shared.bytes"), "copied on each GPU");
        }
    }
}

/// A few values of a key, its bounds among them.
fn some_texts(key: Key) -> Vec<String> {
    match key.bound() {
        Bound::Whole(min, max) => {
            [min, 2, 16, 1000, max].map(|number| number.clamp(min, max).to_string()).into()
        }
        Bound::Real(min, max) => [min, 0.5, max].map(|number| number.clamp(min, max).to_string()).into(),
        Bound::OneOf(words) => words.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn keys_act_where_they_say() {
    let beside: [&[(Key, &str)]; 9] = [
        &[],
        &[(Key::Mtp, "true")],
        &[(Key::Layout, "dp_attention_ep")],
        &[(Key::Tp, "16")],
        &[(Key::Engine, "sglang_h20")],
        &[(Key::Pp, "2"), (Key::Gpus, "16")],
        &[(Key::Batch, "100")],
        &[(Key::Batch, "1000")],
        &[(Key::Gpu, "gb300"), (Key::LatencyUsPerLayer, "100")],
    ];
    let values = |ledger, scenario: &Scenario| -> Vec<Value> {
        report(ledger, scenario, &model(scenario))
            .figures()
            .iter()
            .map(|figure| figure.value.clone())
            .collect()
    };
    for ledger in Ledger::ALL {
        for key in Key::ALL {
            let acts = beside.iter().any(|choices| {
                let mut scenario = Scenario::default();
                for (key, text) in *choices {
                    scenario.choose_text(*key, text).unwrap();
                }
                let before = values(ledger, &scenario);
                some_texts(key).iter().any(|text| {
                    let mut turned = scenario.clone();
                    turned.choose_text(key, text).unwrap();
                    values(ledger, &turned) != before
                })
            });
            assert_eq!(key.acts_in(ledger), acts, "{} in the {} ledger", key.name(), ledger.name());
        }
    }
}

#[test]
fn cost_does_not_grow_with_the_load() {
    // Not a timed test: the same figures, hence the same work, at the smallest and the largest load.
    let small = with(&with(&Scenario::default(), Key::Context, 1), Key::Batch, 1);
    let large = with(&with(&Scenario::default(), Key::Context, 1_048_576), Key::Batch, 1024);
    for ledger in Ledger::ALL {
        let count = |scenario| report(ledger, scenario, &model(scenario)).figures().len();
        assert_eq!(count(&small), count(&large));
    }
}
