//! Mistakes that people really made with such calculators, each named by where it was told.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::figure::{Ledger, Report, Value};
use model_core::ledger::{Cause, Topic, report, walk};
use model_core::scenario::{Key, Scenario, Setting};
use model_core::spec::v4_pro;
use model_core::units::{GB, GIB, KIB, MIB};

fn figures(ledger: Ledger, choices: &[(Key, &str)]) -> Report {
    report(ledger, &scenario(choices), &v4_pro())
}

fn scenario(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

/// tenstorrent/vllm#50: one key-value head under TP is copied; no integer division makes it nothing.
#[test]
fn one_key_value_head_is_copied_never_zero() {
    for tp in ["1", "8", "16"] {
        let figures = figures(Ledger::Exact, &[(Key::Tp, tp)]);
        let request = figures.number("cache.request.bytes").unwrap();
        assert!(request > 0.0);
        assert_eq!(figures.number("cache.request.bytes_per_gpu"), Some(request), "a full copy, not a {tp}th");
    }
    let spread = figures(Ledger::Exact, &[(Key::Layout, "dp_attention_ep"), (Key::Batch, "16")]);
    assert_eq!(spread.number("cache.requests_per_gpu"), Some(2.0), "whole requests, dealt out");
}

/// inference-sim#1545: what a group needs is not compared with one GPU's memory.
#[test]
fn every_size_says_whose_it_is() {
    use model_core::figure::{Scope, Unit};
    for ledger in Ledger::ALL {
        for figure in figures(ledger, &[]).figures() {
            if figure.unit == Unit::Bytes && figure.id.ends_with("_per_gpu") {
                assert_eq!(figure.scope, Scope::PerGpu, "{}", figure.id);
            }
        }
    }
}

/// omlx#2521, vllm#44376: no dense formula for the caches.
#[test]
fn thirty_two_thousand_tokens_are_333_mib_in_reference_rows() {
    let figures = figures(Ledger::Exact, &[(Key::Context, "32768"), (Key::KvRows, "reference")]);
    assert_eq!(figures.number("cache.request.bytes").unwrap() / MIB, 333.218_75);
}

/// vllm#51041: tokens per request are no single rate, and what fits is solved on the curve.
#[test]
fn caches_are_a_constant_and_a_slope() {
    let at = |context| {
        let figures = figures(Ledger::Exact, &[(Key::Context, context)]);
        let number = |id| figures.number(id).unwrap();
        (number("cache.request.bytes"), number("cache.fixed.bytes"), number("cache.bytes_per_token"))
    };
    for (context, tokens) in [("128", 128.0), ("131072", 131_072.0), ("1M", 1_048_576.0)] {
        let (request, fixed, slope) = at(context);
        assert_eq!(request, fixed + tokens * slope, "{context}");
    }
    let most = figures(Ledger::Exact, &[]).number("capacity.max_context").unwrap();
    let fits = |context: f64| {
        let mut scenario = Scenario::default();
        scenario.choose_number(Key::Context, context).unwrap();
        report(Ledger::Exact, &scenario, &v4_pro()).flag("memory.fits")
    };
    assert!(fits(most) && !fits(most + 1.0));
}

/// vllm-ascend#9975: pages and state are lines of their own.
#[test]
fn pages_and_state_stand_apart() {
    let request = |state, pages| {
        let figures = figures(Ledger::Exact, &[(Key::State, state), (Key::PageRounding, pages)]);
        let number = |id| figures.number(id).unwrap();
        (number("cache.request.bytes"), number("cache.state.bytes"), number("cache.page_rounding.bytes"))
    };
    let (bare, state, pages) = request("false", "false");
    assert_eq!(state, 17.843_75 * MIB);
    assert!(pages > 0.0);
    assert_eq!(request("true", "true").0, bare + state + pages);
}

/// aiconfigurator#437: what does not fit says so, and has no times.
#[test]
fn what_does_not_fit_says_so_and_has_no_times() {
    let small = [(Key::GpuMemoryGib, "80"), (Key::LatencyUsPerLayer, "200"), (Key::ReserveGb, "0")];
    let exact = figures(Ledger::Exact, &small);
    assert!(!exact.flag("memory.fits"));
    assert!(exact.number("memory.short.bytes_per_gpu").unwrap() > 20.0 * GB);
    for id in ["decode.step_s", "decode.tokens_per_s", "ttft_s", "prefill.step_s", "capacity.max_batch"] {
        assert_eq!(exact.get(id).unwrap().value, Value::Absent, "{id}");
    }
    let smallest = ["plan.min_gpus", "plan.min_tp", "plan.min_pp", "plan.min_gpus_one_stage"];
    assert_eq!(smallest.map(|id| exact.number(id)), [12.0, 4.0, 3.0, 16.0].map(Some));
    let tutorial = figures(Ledger::Tutorial, &[]);
    let gib = |id| tutorial.number(id).unwrap() / GIB;
    assert!((gib("memory.partial.bytes_per_gpu") - 102.06).abs() < 0.005);
    assert!((gib("memory.short.bytes_per_gpu") - 22.06).abs() < 0.005);
    assert_eq!(tutorial.number("plan.min_tp"), Some(16.0));
}

/// modular#6268: the reserve is each GPU's own.
#[test]
fn the_reserve_is_taken_on_every_gpu() {
    for gpus in ["8", "16"] {
        let free = |reserve| {
            let figures = figures(Ledger::Exact, &[(Key::Tp, gpus), (Key::ReserveGb, reserve)]);
            figures.number("memory.free.bytes_per_gpu").unwrap()
        };
        assert_eq!(free("0") - free("8"), 8.0 * GB, "{gpus} GPUs");
    }
}

/// lambda-tensorflow-benchmark#10: GB and GiB are told apart, and an H200 has three memories.
#[test]
fn advertised_memory_is_read_three_ways() {
    let weights = figures(Ledger::Report, &[]).number("weights.bytes_per_gpu").unwrap();
    assert_eq!((weights / GB, (weights / GIB * 10.0).round() / 10.0), (108.125, 100.7));
    for (reading, bytes) in [("gb", 141e9), ("gib", 141.0 * GIB), ("reported", 143_771.0 * MIB)] {
        let figures = figures(Ledger::Exact, &[(Key::MemoryReading, reading)]);
        assert_eq!(figures.number("gpu.memory.bytes"), Some(bytes), "{reading}");
    }
}

/// llmfit#230: memory holds all experts, a step reads the distinct ones. inference-sim#764: not all at any batch.
#[test]
fn memory_holds_all_experts_and_a_step_reads_the_distinct_ones() {
    for (batch, distinct) in [("1", 6.0), ("16", 85.53), ("32", 152.01), ("64", 243.85), ("128", 332.85)] {
        let figures = figures(Ledger::Exact, &[(Key::Batch, batch)]);
        let number = |id| figures.number(id).unwrap();
        assert!((number("moe.distinct_experts") - distinct).abs() < 0.005, "{batch}");
        assert_eq!(number("weights.routed.bytes_per_gpu") / GIB, 95.699_707_031_25);
        assert!(number("decode.moe.bytes_per_gpu") < number("weights.routed.bytes_per_gpu"));
    }
    assert_eq!(figures(Ledger::Tutorial, &[]).number("shard.routed_experts_per_gpu"), Some(48.0));
}

/// AIInfraGuide#44: the verdict on a link says which convention it is by.
#[test]
fn links_are_judged_by_the_convention_that_is_shown() {
    let judged = |link: &str, efficiency: &str| {
        let figures = figures(Ledger::Report, &[(Key::Link, link), (Key::LinkEfficiency, efficiency)]);
        let rounded = |id| figures.number(id).unwrap().round();
        (
            rounded("network.flops_per_byte"),
            rounded("network.flops_per_byte_reached"),
            figures.flag("network.hidden_reached"),
        )
    };
    assert_eq!(judged("nvlink_900", "0.7"), (2199.0, 6283.0, false));
    assert_eq!(judged("nvlink_450", "1"), (4398.0, 4398.0, true));
    assert_eq!(judged("ib_400g", "0.7").0, 39_580.0);
    // Times go one way, whichever convention is shown.
    let transfer = |link| figures(Ledger::Exact, &[(Key::Link, link)]).number("decode.exchange.transfer_s");
    assert_eq!(transfer("nvlink_900"), transfer("nvlink_450"));
}

/// nccl-tests#212: the ring's factor is there, and a switch does not follow it.
#[test]
fn sums_send_what_their_algorithm_sends() {
    let sent = |choices: &[(Key, &str)]| {
        let choices = [&[(Key::Batch, "32")], choices].concat();
        figures(Ledger::Exact, &choices).number("allreduce.sent.bytes_per_gpu").unwrap() / KIB
    };
    assert_eq!(sent(&[]), 1568.0);
    assert_eq!(sent(&[(Key::CommDtype, "bf16")]), 784.0);
    assert_eq!(sent(&[(Key::Tp, "1")]), 0.0);
    assert_eq!(sent(&[(Key::Algorithm, "in_switch")]), 1008.0);
}

/// A TP group over two nodes uses the slow link, and says so.
#[test]
fn a_group_over_two_nodes_is_slower_and_says_so() {
    let of = |tp| figures(Ledger::Exact, &[(Key::Tp, tp), (Key::Context, "1M")]);
    let (one, two) = (of("8"), of("16"));
    let crosses = |figures: &Report| figures.get("plan.tp_crosses").unwrap().value.clone();
    assert_eq!((crosses(&one), crosses(&two)), (Value::Word("node"), Value::Word("network")));
    let transfer = |figures: &Report| figures.number("decode.exchange.transfer_s").unwrap();
    assert!(transfer(&two) > 5.0 * transfer(&one));
}

/// LMCache#2248: three ledgers, one rule for rows: in the same rows they agree.
#[test]
fn ledgers_agree_where_their_rules_do() {
    let choices = [(Key::Context, "131072"), (Key::KvRows, "reference")];
    let cache = |ledger| figures(ledger, &choices).number("cache.request.bytes");
    assert_eq!(cache(Ledger::Tutorial), cache(Ledger::Exact));
    let walk = walk(
        Topic::CachePerRequest,
        Ledger::Report,
        Ledger::Exact,
        &scenario(&[(Key::Context, "131072")]),
        &v4_pro(),
    );
    let causes: Vec<_> = walk.unwrap().differences.iter().map(|one| one.cause).collect();
    assert_eq!(causes, [Cause::MainRows, Cause::IndexerRows, Cause::State]);
}

/// boemly#86: a value out of bounds leaves the last good one, and its figures.
#[test]
fn a_refused_value_changes_no_figure() {
    let mut scenario = scenario(&[(Key::Batch, "32")]);
    let before = report(Ledger::Exact, &scenario, &v4_pro());
    for text in ["", "NaN", "-3", "1e99", "0", "一"] {
        assert!(scenario.choose_text(Key::Batch, text).is_err());
    }
    assert_eq!(scenario.chosen(Key::Batch), Some(Setting::Whole(32)));
    assert_eq!(report(Ledger::Exact, &scenario, &v4_pro()), before);
}
