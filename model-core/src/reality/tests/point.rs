//! Judgements and terms: equal to the ledger, sound for any scenario and any value.

use proptest::prelude::*;

use super::*;

/// SGLang's constants on eight H200 hold the draft block already, so it is not loaded beside them.
const DEFAULT: &[(Key, &str)] = &[];

/// A scenario with a measured value.
fn measured(choices: &[(Key, &str)], key: Key, value: f64) -> Scenario {
    let mut scenario = chosen(choices);
    scenario.choose_number(key, value).unwrap();
    scenario
}

fn explained(judged: &Judged, assumption: Assumption) -> &Explanation {
    let found = judged.explanations.iter().find(|one| one.assumption == assumption);
    found.unwrap_or_else(|| panic!("{assumption:?} is not among {:?}", judged.explanations))
}

#[test]
fn a_possible_time_implies_a_latency_that_gives_it_back() {
    for choices in [
        &[(Key::Gpu, "b300"), (Key::Tp, "4"), (Key::Context, "8704"), (Key::Batch, "1")][..],
        &[(Key::Mtp, "true"), (Key::DraftDepth, "3"), (Key::Acceptance, "0.6"), (Key::Tp, "16")],
        &[(Key::OverheadSmallMs, "1.5"), (Key::Tp, "16")],
    ] {
        let scenario = measured(choices, Key::MeasuredTpotMs, 10.2);
        let judged = exact(&scenario, judge).tpot.unwrap();
        assert!(near(judged.measured, 10.2e-3, 1e-12));
        let taken = judged.take.unwrap().applied(&scenario);
        let gained = assume::tokens_a_step(&scenario.resolve(Ledger::Exact));
        assert!(near(figure(&taken, "decode.step_s").unwrap() / gained, 10.2e-3, 1e-4), "{choices:?}");
        assert!(judged.explanations.is_empty() && judged.ratio.unwrap() > 1.0);
    }
    // The row itself, judged as a reader's point, implies what the row implies.
    let m19 = published().into_iter().find(|published| published.row.id == "M19").unwrap();
    let mut there = m19.situation().unwrap().applied(&Scenario::default());
    there.choose_number(Key::MeasuredTpotMs, 10.2).unwrap();
    let judged = exact(&there, judge).tpot.unwrap();
    assert_eq!((judged.verdict, judged.bound), (Verdict::Usual, m19.implied.unwrap().floor.get()));
    assert!(near(judged.per_layer.unwrap().get(), m19.implied.unwrap().per_layer.get(), 1e-12));
}

#[test]
fn a_first_token_that_took_longer_leaves_a_fixed_time() {
    let plain = [(Key::Gpu, "b300"), (Key::LatencyUsPerLayer, "200")];
    for millis in [623.0, 45_971.0] {
        let scenario = measured(&plain, Key::MeasuredTtftMs, millis);
        let judged = exact(&scenario, judge).ttft.unwrap();
        assert_eq!(Some(judged.bound), figure(&scenario, "prefill.floor_s"));
        let taken = judged.take.unwrap().applied(&scenario);
        assert!(near(figure(&taken, "ttft_s").unwrap(), millis / 1e3, 1e-4), "{millis}");
    }
}

#[test]
fn an_impossible_step_is_told_with_what_would_explain_it() {
    let base = [(Key::Gpu, "b300"), (Key::Batch, "64"), (Key::Context, "1048576")];
    let floor = figure(&chosen(&base), "decode.floor_s").unwrap();
    let scenario = measured(&base, Key::MeasuredTpotMs, floor * 0.6 * 1e3);
    let judged = exact(&scenario, judge).tpot.unwrap();
    assert_eq!(judged.verdict, Verdict::Impossible);
    assert!(judged.take.is_none() && judged.per_layer.is_none());
    let facts = judged.facts(ENGLISH);
    let names: Vec<&str> = facts.iter().map(|fact| fact.figure).collect();
    assert_eq!(names, ["measured.tpot.floor_s", "measured.tpot.ratio"]);
    assert!(facts[0].value == floor && near(facts[1].value, 0.6, 1e-9));
    let drafts = explained(&judged, Assumption::Speculation);
    let taken = drafts.take.as_ref().unwrap().applied(&scenario);
    let whole = figure(&taken, "decode.floor_s").unwrap();
    assert!(near(drafts.value.unwrap(), whole / judged.measured, 1e-12) && whole > floor);
    let depth = taken.in_force(Key::DraftDepth, Ledger::Exact).real();
    assert!(drafts.value.unwrap() <= depth + 1.0 && drafts.value.unwrap() > depth);
    let share = explained(&judged, Assumption::BatchOfAll);
    assert_eq!(share.value, Some(8.0));
    for assumption in [Assumption::Batch, Assumption::Context, Assumption::MemoryRate, Assumption::Placement]
    {
        let one = explained(&judged, assumption);
        let taken = one.take.as_ref().unwrap().applied(&scenario);
        assert_eq!(figure(&taken, "decode.floor_s"), Some(one.bound), "{assumption:?}");
    }
    // One request more, one token more, and it is impossible again.
    let fewer = explained(&judged, Assumption::Batch).value.unwrap();
    let mut more = scenario.clone();
    more.choose_number(Key::Batch, fewer + 1.0).unwrap();
    assert!(figure(&more, "decode.floor_s").unwrap() > judged.measured);
    for look in [ENGLISH, CHINESE] {
        assert!(judged.likely(look).unwrap().contains(&judged.explanations[0].sentence(look)));
    }
}

#[test]
fn the_wrong_assumption_is_found() {
    let of = |choices: &[(Key, &str)], key, value| {
        let judgement = exact(&measured(choices, key, value), judge);
        let judged = judgement.all().next().unwrap().clone();
        (judged.explanations.first().map(|first| first.assumption), judged)
    };
    // Requests divided over 64 GPUs: the number given was that of all of them.
    let divided = [(Key::Layout, "dp_attention_ep"), (Key::Ep, "8"), (Key::Gpu, "h200")];
    let each = figure(&chosen(&[divided[0], divided[1], divided[2], (Key::Batch, "8")]), "decode.floor_s");
    let (_, judged) = of(
        &[divided[0], divided[1], divided[2], (Key::Batch, "64")],
        Key::MeasuredTpotMs,
        each.unwrap() * 1.01 * 1e3,
    );
    assert_eq!(explained(&judged, Assumption::BatchOfAll).value, Some(8.0));
    // Eight times the cache that a rank can hold under TP8: split, not copied.
    let bound = of(&[], Key::MeasuredKvTokens, 1e9).1.bound;
    let (first, judged) = of(&[], Key::MeasuredKvTokens, (bound * 7.5).floor());
    assert_eq!(first, Some(Assumption::Placement));
    assert!(near(explained(&judged, Assumption::Placement).bound, bound * 8.0, 1e-9));
    // The sum over eight ranks.
    let bound = of(&divided, Key::MeasuredKvTokens, 1e9).1.bound;
    let (_, judged) = of(&divided, Key::MeasuredKvTokens, (bound * 8.0).floor());
    assert_eq!(judged.explanations[0].assumption, Assumption::AllRanks);
    assert_eq!(explained(&judged, Assumption::AllRanks).value, Some(8.0));
    // 141 GiB taken for 141 GB.
    let gb = [(Key::MemoryReading, "gb")];
    let gib = of(&[(Key::MemoryReading, "gib")], Key::MeasuredKvTokens, 1e9).1.bound;
    let (first, judged) = of(&gb, Key::MeasuredKvTokens, gib.floor());
    assert_eq!(first, Some(Assumption::MemoryReading));
    assert!(near(explained(&judged, Assumption::MemoryReading).bound, gib, 1e-12));
    // Half of the prompt came from the cache.
    let half = figure(&chosen(&[(Key::Prefix, "4096"), (Key::Chunk, "4096")]), "prefill.floor_s").unwrap();
    let (first, judged) = of(&[(Key::Chunk, "8192")], Key::MeasuredTtftMs, half * 1e3 * (1.0 + 1e-9));
    assert!(first.is_some(), "{first:?}");
    assert_eq!(explained(&judged, Assumption::PrefixCached).value, Some(4096.0));
    // A published step with drafts is possible without, but quicker than any of those.
    let m1 = [(Key::Gpu, "h200"), (Key::Batch, "1"), (Key::Context, "8704")];
    assert_eq!(of(&m1, Key::MeasuredTpotMs, 5.64).1.verdict, Verdict::Better);
    // Seconds typed as milliseconds.
    let (_, judged) = of(&[(Key::Gpu, "b300")], Key::MeasuredTpotMs, 0.0102);
    explained(&judged, Assumption::Unit);
}

#[test]
fn logged_capacities_lie_under_the_bound() {
    let h20 = [(Key::Gpu, "h20-141"), (Key::Pp, "2"), (Key::Tp, "8")];
    for (choices, logged) in [
        (&h20[..], 1_089_024.0),
        (&h20[..], 4_869_888.0),
        (&h20[..], 11_044_906.0),
        (&[(Key::Gpu, "h20-141"), (Key::Layout, "dp_attention_ep"), (Key::Ep, "32")][..], 5_731_328.0),
        (DEFAULT, 138_240.0),
    ] {
        let judged = exact(&measured(choices, Key::MeasuredKvTokens, logged), judge).kv_tokens.unwrap();
        assert_ne!(judged.verdict, Verdict::Impossible, "{choices:?} {logged}");
        assert!(judged.ratio.unwrap() < 1.0 && judged.engines.len() == 3);
        let reserved = judged.take.unwrap().applied(&measured(choices, Key::MeasuredKvTokens, logged));
        let tokens = exact(&reserved, terms).into_iter().find(|term| term.code == "kv_tokens").unwrap();
        let kept = tokens.ours.unwrap() + tokens.gap[0].amount;
        assert!(near(kept, logged, 0.02), "{kept} for {logged}");
    }
    for (choices, logged) in [(&h20[..], 4_869_888.0), (DEFAULT, 138_240.0)] {
        let usual = measured(choices, Key::MeasuredKvTokens, logged);
        assert_eq!(exact(&usual, judge).kv_tokens.unwrap().verdict, Verdict::Usual, "{logged}");
    }
}

#[test]
fn what_was_measured_changes_no_figure() {
    let mut given = Scenario::default();
    for quantity in Quantity::ALL {
        assert_eq!(exact(&given, judge), Judgement::default());
        assert_eq!(quantity.key().default(Ledger::Exact).real(), 0.0);
    }
    for quantity in Quantity::ALL {
        given.choose_number(quantity.key(), 5000.0).unwrap();
    }
    for ledger in Ledger::ALL {
        let spec = of(given.resolve(ledger).model);
        assert_eq!(report(ledger, &given, &spec), report(ledger, &Scenario::default(), &spec));
    }
    assert_eq!(exact(&given, judge).all().count(), 3);
    // It is the exact ledger's judgement in whichever ledger the reader is.
    let others = [Ledger::Tutorial, Ledger::Report].map(|ledger| with(ledger, &given, judge));
    assert!(others.iter().all(|other| *other == exact(&given, judge)));
}

#[test]
fn a_plan_that_cannot_be_cut_is_not_judged() {
    let cannot = measured(&[(Key::Tp, "3")], Key::MeasuredTpotMs, 10.0);
    let judgement = exact(&cannot, judge);
    assert!(judgement.cannot_cut && judgement.all().count() == 0 && judgement.reason(ENGLISH).is_some());
    assert!(exact(&cannot, terms).is_empty());
    assert!(exact(&cannot, |basis| terms_table(basis, ENGLISH)).reason.is_some());
}

fn gaps_add_up(term: &Term) {
    if let (Some(ours), Some(prints)) = (term.ours, term.prints) {
        let sum = ours + term.gap.iter().map(|gap| gap.amount).sum::<f64>();
        assert!((sum - prints).abs() <= 1e-9 * ours.abs().max(prints.abs()).max(1e-12), "{}", term.code);
    }
}

#[test]
fn terms_have_the_ledgers_numbers() {
    let scenario = chosen(&[
        (Key::Gpu, "h20-141"),
        (Key::Pp, "2"),
        (Key::Tp, "8"),
        (Key::Engine, "sglang_h20"),
        (Key::ReserveGb, "0"),
    ]);
    let all = exact(&scenario, terms);
    let term = |code: &str| all.iter().find(|term| term.code == code).unwrap();
    all.iter().for_each(gaps_add_up);
    let logged = term("kv_tokens").prints.unwrap();
    assert!(near(logged, figure(&scenario, "capacity.engine_tokens").unwrap(), 1e-4));
    assert!(logged % 128.0 == 0.0 && near(logged, 4_869_888.0, 0.08), "{logged}");
    assert_eq!(term("page_tokens").ours, Some(128.0));
    assert_eq!(term("weights").ours, figure(&scenario, "weights.bytes_per_gpu"));
    assert_eq!(term("concurrency").ours, figure(&scenario, "capacity.max_batch"));
    assert_eq!(term("tpot").prints, figure(&scenario, "decode.step_s"));
    assert!(near(term("ttft").prints.unwrap(), figure(&scenario, "ttft_s").unwrap(), 1e-12));
    assert_eq!(term("memory_fraction").prints, Some(0.91));
    // Without constants: the reserve, windows and tails, pages, and whole groups alone.
    let plain = exact(&Scenario::default(), terms).swap_remove(0);
    assert_eq!((plain.code, plain.gap.len()), ("kv_tokens", 4));
    let slope = figure(&Scenario::default(), "cache.bytes_per_token").unwrap();
    assert!(near(plain.gap[0].amount, -8e9 / slope, 1e-9), "{:?}", plain.gap);
    assert!(plain.gap.iter().all(|gap| gap.amount < 0.0) && plain.prints.unwrap() % 128.0 == 0.0);
    // Under DP each rank counts its own requests.
    let divided = chosen(&[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "64")]);
    let running = exact(&divided, terms).into_iter().find(|term| term.code == "running").unwrap();
    assert_eq!((running.ours, running.prints), (Some(64.0), Some(4.0)));
    for look in [ENGLISH, CHINESE] {
        let table = exact(&scenario, |basis| terms_table(basis, look));
        assert_eq!(table.rows.len(), all.len());
        assert!(table.rows.iter().all(|row| row.cells.len() + 1 == table.columns.len()));
    }
}

/// Any scenario: some keys chosen within their bounds.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let text = |key: Key| match key.bound() {
        Bound::Whole(low, high) => prop_oneof![Just(low), Just(high), low..=high, low..=high.min(low + 64)]
            .prop_map(|number| number.to_string())
            .boxed(),
        Bound::Real(low, high) => prop_oneof![Just(low), Just(high), low..=high, low..=high.min(low + 20.0)]
            .prop_map(|number| number.to_string())
            .boxed(),
        Bound::OneOf(words) => proptest::sample::select(words).prop_map(ToOwned::to_owned).boxed(),
    };
    let plans = prop_oneof![
        Just(&[][..]),
        Just(&[(Key::Tp, "16")][..]),
        Just(&[(Key::Tp, "4"), (Key::Pp, "3")][..]),
        Just(&[(Key::Layout, "dp_attention_ep"), (Key::Ep, "64")][..]),
    ];
    let each: Vec<_> = Key::ALL
        .into_iter()
        .map(|key| proptest::option::weighted(0.2, text(key)).prop_map(move |text| (key, text)))
        .collect();
    let given =
        Quantity::ALL.map(|quantity| text(quantity.key()).prop_map(move |text| (quantity.key(), text)));
    (each, given, plans, any::<bool>()).prop_map(|(choices, given, plan, legal)| {
        let mut scenario = Scenario::default();
        for (key, text) in choices.into_iter().filter_map(|(key, text)| Some((key, text?))).chain(given) {
            let _ = scenario.choose_text(key, &text);
        }
        if legal {
            for key in [Key::Tp, Key::Ep, Key::Pp, Key::Gpus, Key::Layout, Key::Vocab] {
                scenario.forget(key);
            }
            for (key, text) in plan {
                scenario.choose_text(*key, text).unwrap();
            }
        }
        scenario
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_judged_soundly(scenario in any_scenario()) {
        let judgement = exact(&scenario, judge);
        for judged in judgement.all() {
            prop_assert!(judged.bound.is_finite() && judged.measured > 0.0);
            prop_assert_ne!(judged.sentence(ENGLISH), judged.sentence(CHINESE));
            prop_assert!(!judged.sentence(ENGLISH).contains("NaN"));
            let impossible = judged.verdict == Verdict::Impossible;
            prop_assert_eq!(judged.likely(CHINESE).is_some(), impossible);
            prop_assert!(judged.explanations.is_empty() || impossible);
            let rank = |one: &Explanation| (one.assumption.rank(), one.asked);
            prop_assert!(judged.explanations.windows(2).all(|pair| rank(&pair[0]) <= rank(&pair[1])));
            for one in &judged.explanations {
                let tokens = judged.quantity == Quantity::KvTokens;
                let allows = if tokens { one.bound >= judged.measured } else { one.bound <= judged.measured };
                prop_assert!(allows || one.assumption == Assumption::Unit, "{one:?}");
                prop_assert!(one.asked >= 1.0 - 1e-9 && one.asked.is_finite(), "{one:?}");
                prop_assert_ne!(one.sentence(ENGLISH), one.sentence(CHINESE));
                if let Some(take) = &one.take {
                    let again = exact(&take.applied(&scenario), |basis| {
                        search::bound(judged.quantity, basis.scenario, basis.spec)
                    });
                    prop_assert_eq!(again, Some(one.bound), "{:?}", one);
                }
            }
            if let Some(take) = &judged.take {
                prop_assert!(take.choices.iter().all(|(key, setting)| key.bound().check(setting.real()).is_ok()));
            }
        }
        for term in exact(&scenario, terms) {
            gaps_add_up(&term);
            prop_assert!(term.ours.is_none_or(f64::is_finite) && term.prints.is_none_or(|n| n.is_finite() && n >= 0.0), "{term:?}");
        }
        prop_assert_eq!(exact(&scenario, nearest).len(), 14);
        if let Some(expected) = exact(&scenario, expected) {
            prop_assert!(!expected.sentence(ENGLISH).contains('—'));
        }
    }

    #[test]
    fn any_text_is_a_filter_or_refused(text in ".{0,60}") {
        if let Ok(filter) = Filter::read(&text) {
            prop_assert_eq!(Filter::read(&filter.write()), Ok(filter));
        }
    }
}
