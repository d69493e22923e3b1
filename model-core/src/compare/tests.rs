//! Comparisons, waterfalls and pairs: numbers are the ledgers' and the documents', ways add up, pictures are sound, for
//! any two scenarios.

use proptest::prelude::*;

use super::*;
use crate::draw::{Mark as Ink, Shape, Theme, svg};
use crate::figure::Value;
use crate::format::ByteBase;
use crate::import;
use crate::language::Language;
use crate::ledger::{Topic, walk};
use crate::scenario::{Bound, Key, Setting};
use crate::scene::{Layout, Look};
use crate::spec::{self, ModelSpec};

fn case(query: &str) -> Case {
    Case::from(&Compared::read(query).unwrap())
}

fn of(queries: &[&str]) -> Comparison {
    Comparison::of(queries.iter().map(|query| case(query)).collect())
}

fn looks() -> impl Iterator<Item = Look> {
    [Layout::Wide, Layout::Narrow].into_iter().flat_map(|layout| {
        [Language::Chinese, Language::English].into_iter().flat_map(move |language| {
            [ByteBase::Binary, ByteBase::Decimal].map(|base| Look { layout, language, base })
        })
    })
}

const ENGLISH: Look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Decimal };

/// Names as long as a page's.
const LONG: Names = Names {
    key: |key| {
        if key.name().len() % 2 == 0 {
            "固定开销，批量不超过 128 的时候"
        } else {
            "Share of the peak that experts reach"
        }
    },
    unit: |_, _| "TFLOP/s",
    word: |word| word,
};

/// A model that is none of the built-in ones: V4-Pro with half its experts and a larger vocabulary.
fn own_model() -> ModelSpec {
    let built_in = spec::v4_pro();
    ModelSpec { name: import::NAME, experts: built_in.experts / 2, vocab: built_in.vocab * 2, ..built_in }
}

#[test]
fn a_model_of_the_readers_own_is_one_value_among_those_that_differ() {
    let model = What::Key(Key::Model);
    for ledger in Ledger::ALL {
        let built_in = case(&format!("ledger={}&batch=8", ledger.name()));
        let scenario = case(&format!("ledger={}&batch=16", ledger.name())).scenario;
        let own = Case::with_model(scenario, ledger, own_model());
        let comparison = Comparison::of(vec![built_in.clone(), own.clone()]);
        let valued = comparison.values.iter().find(|valued| valued.what == model).unwrap();
        assert_eq!(valued.values, ["v4-pro", import::NAME].map(Setting::Word));
        assert!(!valued.follows);
        assert!(own.summary(ENGLISH, &Names::LINKS).contains(&"your own model".to_owned()));
        for topic in Topic::ALL {
            for (from, to) in [(&built_in, &own), (&own, &built_in)] {
                let way = Waterfall::of(topic, from, to);
                assert_eq!(
                    way.ends.is_some(),
                    [from, to].iter().all(|case| topic.number(&case.report).is_some())
                );
                adds_up(&way);
                sound(&way, &LONG);
                let Some(ends) = way.ends else { continue };
                assert_eq!(
                    ends.map(|end| end.value),
                    [from, to].map(|case| topic.number(&case.report).unwrap())
                );
                let brings = |stage: &&Stage| stage.changes.iter().any(|change| change.what == model);
                assert_eq!(way.stages.iter().filter(brings).count(), 1, "{topic:?}");
            }
        }
    }
    // Half the experts, half their weights; the load alone makes the rest of the way.
    let built_in = case("ledger=exact");
    let own = Case::with_model(built_in.scenario.clone(), Ledger::Exact, own_model());
    let comparison = Comparison::of(vec![built_in, own]);
    assert_eq!(comparison.line("weights.routed.bytes_per_gpu").unwrap().ratio(1), Some(0.5));
}

const A: &str = "ledger=exact&context=131072&batch=64";

#[test]
fn every_figure_of_every_ledger_has_a_line_or_is_left_out_by_name() {
    let left_out = [
        "plan.legal_tp",
        "allreduce.worked_sum",
        "critical_path.",
        "checkpoint.",
        "layers.",
        "gpu.h200.",
        "gpu.memory.gb.",
        "gpu.memory.gib.",
        "gpu.memory.reported.",
    ];
    let listed: Vec<&str> =
        Group::ALL.iter().flat_map(|group| group.figures()).flat_map(|told| told.ids).copied().collect();
    let mut apart = listed.clone();
    apart.sort_unstable();
    apart.dedup();
    assert_eq!(apart.len(), listed.len(), "no figure stands twice");
    let mut known = Vec::new();
    for ledger in Ledger::ALL {
        for figure in Case::new(Scenario::default(), ledger).report.figures() {
            let out = left_out.iter().any(|name| figure.id.starts_with(name));
            assert!(out != listed.contains(&figure.id), "{} {}", ledger.name(), figure.id);
            known.push(figure.id);
        }
    }
    let stale: Vec<_> = listed.iter().filter(|id| !known.contains(id)).collect();
    assert!(stale.iter().all(|id| ["other", "mtp"].iter().any(|stage| id.contains(stage))), "{stale:?}");
}

#[test]
fn lines_hold_the_reports_values_and_their_differences() {
    let comparison =
        of(&[A, "ledger=exact&context=131072&batch=64&layout=dp_attention_ep", "ledger=report&batch=64"]);
    assert!(comparison.lines.len() > 100);
    for line in &comparison.lines {
        for (case, report) in comparison.cases.iter().map(|case| &case.report).enumerate() {
            let own = line.figures[case].and_then(|id| report.get(id));
            assert_eq!(own.map_or(&Value::Absent, |figure| &figure.value), &line.values[case]);
            let (here, there) = (line.values[0].number(), line.values[case].number());
            match here.zip(there) {
                Some((here, there)) => {
                    let difference = line.difference(case).unwrap();
                    assert!((here + difference - there).abs() <= 1e-12 * there.abs(), "{:?}", line.figures);
                    let wanted = if difference > 0.0 {
                        Mark::More
                    } else if difference < 0.0 {
                        Mark::Less
                    } else {
                        Mark::Same
                    };
                    assert_eq!((line.mark(case), line.ratio(case).is_some()), (wanted, here != 0.0));
                }
                None => assert_eq!((line.difference(case), line.ratio(case)), (None, None)),
            }
        }
    }
    let need = comparison.line("memory.bytes_per_gpu").unwrap();
    assert_eq!((need.mark(0), need.mark(1)), (Mark::Same, Mark::Less));
    let fits = comparison.line("memory.fits").unwrap();
    assert_eq!((fits.mark(1), fits.ratio(1)), (Mark::Other, None));
    // The report's ledger has no such figure: nothing to compare there; what makes a difference are the other two.
    let streams = comparison.line("weights.streams.bytes_per_gpu").unwrap();
    assert_eq!(
        (streams.mark(2), streams.mark(1), streams.differs()),
        (Mark::Incomparable, Mark::Same, false)
    );
    // Whether there is a throughput at all is a difference: under TP the load does not fit.
    let rate = comparison.line("decode.tokens_per_s_at_most").unwrap();
    assert_eq!((rate.mark(1), rate.differs()), (Mark::Incomparable, true));
}

#[test]
fn alike_cases_differ_in_nothing() {
    let comparison = of(&[A, A]);
    assert_eq!(comparison.values, []);
    assert_eq!(comparison.shown(Which::Differing).count(), 0);
    assert!(comparison.shown(Which::All).all(|line| matches!(line.mark(1), Mark::Same | Mark::Incomparable)));
    for look in looks() {
        let tables = [comparison.table(Which::Differing, look), comparison.values_table(look, &Names::LINKS)];
        assert!(tables.iter().all(|table| table.reason.is_some() && table.rows.is_empty()));
    }
}

#[test]
fn values_that_follow_stand_after_those_that_were_chosen() {
    let comparison = of(&["ledger=exact", "ledger=exact&gpu=b300&batch=16&seed=5"]);
    let named = |follows: bool| -> Vec<&str> {
        let own = comparison.values.iter().filter(|valued| valued.follows == follows);
        own.map(|valued| valued.what.name()).collect()
    };
    assert_eq!(named(false), ["gpu", "batch", "seed"]);
    assert!(named(true).contains(&"hbm_tb_s") && !named(true).contains(&"l2_mib"));
    let batch = &comparison.values[1];
    assert_eq!(batch.values, [8, 16].map(Setting::Whole));
    let ledgers = of(&["", "ledger=report"]);
    assert_eq!(ledgers.values[0].what, What::Ledger);
}

#[test]
fn tables_are_whole_and_the_same_in_every_look() {
    let cases: [&[&str]; 3] = [
        &["", "ledger=report", "ledger=exact", "ledger=exact&gpu=b300&tp=4&pp=2"],
        &[A, "ledger=exact&context=131072&batch=64&layout=dp_attention_ep"],
        &["ledger=report", "ledger=exact"],
    ];
    for queries in cases {
        let comparison = of(queries);
        let width = 3 * queries.len();
        for which in [Which::Differing, Which::All] {
            let tables: Vec<_> = looks().map(|look| comparison.table(which, look)).collect();
            for table in &tables {
                assert_eq!((table.columns.len(), table.reason.is_some()), (width, false));
                assert!(table.rows.iter().all(|row| row.cells.len() + 1 == width && !row.code.is_empty()));
                assert!(table.csv().lines().all(|line| line.split(',').count() == width), "{}", table.csv());
                assert_eq!(table.csv(), tables[0].csv());
            }
        }
        let values = comparison.values_table(ENGLISH, &LONG);
        assert_eq!(values.columns.len(), queries.len() + 1);
        assert!(values.csv().lines().all(|line| line.split(',').count() == queries.len() + 1));
        let needed = comparison.table(Which::All, ENGLISH).rows.into_iter().nth(1).unwrap();
        assert_eq!(needed.head, "Needed per GPU");
        let own: Vec<bool> =
            needed.cells.iter().filter(|cell| cell.figure.is_some()).map(|cell| cell.own).collect();
        assert_eq!(own.iter().position(|own| *own), Some(queries.len() - 1), "the reader's own is the last");
    }
    let table = of(&["ledger=report", "ledger=report&batch=64"]).table(Which::Differing, ENGLISH);
    let row = table.rows.iter().find(|row| row.code == "decode.step_s").unwrap();
    let shown: Vec<String> = row.cells.iter().map(|cell| cell.shown.to_string()).collect();
    assert_eq!(shown, ["Decode step", "13.16 ms", "20.63 ms", "▲ +7.471 ms", "1.568 ×"]);
}

#[test]
fn each_value_adds_what_it_alone_changes() {
    let (a, b) = (case("ledger=exact&batch=8"), case("ledger=exact&batch=16&context=131072&chunk=4096"));
    let way = Waterfall::of(Topic::MemoryPerGpu, &a, &b);
    let names: Vec<&str> = way.stages.iter().map(|stage| stage.changes[0].what.name()).collect();
    assert_eq!(names, ["context", "batch", "chunk"]);
    let need = |query| case(query).report.number("memory.bytes_per_gpu").unwrap();
    let longer = need("ledger=exact&batch=8&context=131072");
    assert_eq!(way.stages[0].amount, longer - need("ledger=exact&batch=8"));
    assert_eq!(way.stages[1].amount, need("ledger=exact&batch=16&context=131072") - longer);
    assert_eq!(way.stages[2].amount, 0.0);
    assert_eq!(way.stages[1].words(ENGLISH, &Names::LINKS), "batch: 8 → 16");
}

#[test]
fn values_that_are_legal_only_together_change_together() {
    let (a, b) = (case("ledger=exact"), case("ledger=exact&layout=dp_attention_ep&ep=16&batch=64"));
    let way = Waterfall::of(Topic::MemoryPerGpu, &a, &b);
    let names: Vec<Vec<&str>> = way
        .stages
        .iter()
        .map(|stage| stage.changes.iter().map(|change| change.what.name()).collect())
        .collect();
    assert_eq!(names, [vec!["ep", "layout"], vec!["batch"]]);
    // Another model has room for less tensor parallelism: the plan goes along, whatever stands between the keys.
    let (a, b) = (case("ledger=exact&tp=16"), case("ledger=exact&model=v4-flash&gpu=b300&tp=4"));
    let way = Waterfall::of(Topic::WeightsPerGpu, &a, &b);
    let names: Vec<&str> = way.stages[0].changes.iter().map(|change| change.what.name()).collect();
    assert_eq!(names, ["model", "tp"]);
    assert_eq!(way.stages.len(), 2);
}

#[test]
fn the_ledger_changes_first_and_brings_its_bookkeeping_but_no_load() {
    let (a, b) = (case("ledger=report&context=1048576"), case("ledger=exact&context=1048576&batch=16"));
    let way = Waterfall::of(Topic::MemoryPerGpu, &a, &b);
    let names: Vec<&str> = way.stages.iter().map(|stage| stage.changes[0].what.name()).collect();
    assert_eq!(names, ["ledger", "batch"]);
    // What the ledger adds is what the walk between the ledgers explains.
    let walked = walk(Topic::MemoryPerGpu, Ledger::Report, Ledger::Exact, &a.scenario, &a.spec).unwrap();
    assert_eq!((walked.start, walked.end), (way.ends.unwrap()[0].value, way.stages[0].after.value));
}

#[test]
fn steps_are_floors_where_one_place_knows_no_latency() {
    let (hopper, known) = (case("ledger=exact"), case("ledger=exact&gpu=b300"));
    assert_eq!(hopper.report.number("decode.step_s"), None);
    let way = Waterfall::of(Topic::DecodeStep, &hopper, &known);
    let [a, b] = way.ends.unwrap();
    for (point, case) in [(a, &hopper), (b, &known)] {
        assert!(point.floor && point.figure == Some("decode.floor_s"));
        assert_eq!(Some(point.value), case.report.number("decode.floor_s"));
        let [least, most] = point.range.unwrap();
        assert!(least > point.value && most >= least);
    }
    assert!(way.table(ENGLISH, &Names::LINKS).csv().lines().next().unwrap().ends_with("step_s,step_s_most"));
    let more = case("ledger=exact&gpu=b300&batch=16");
    let way = Waterfall::of(Topic::DecodeStep, &known, &more);
    let [a, b] = way.ends.unwrap();
    assert_eq!([a.value, b.value].map(Some), [&known, &more].map(|case| case.report.number("decode.step_s")));
    assert!(!a.floor && !b.floor && a.range.is_none());
}

#[test]
fn without_a_plan_or_a_time_there_is_a_reason() {
    let (tutorial, report) = (case(""), case("ledger=report"));
    let mut scenario = Scenario::default();
    scenario.choose_text(Key::Tp, "3").unwrap();
    let illegal = Case::new(scenario, Ledger::Exact);
    let reasons = [
        (Waterfall::of(Topic::DecodeStep, &tutorial, &report), words::NO_TIMES),
        (Waterfall::of(Topic::MemoryPerGpu, &case("ledger=exact"), &illegal), words::NO_PLAN),
    ];
    for (way, reason) in reasons {
        assert_eq!((way.ends, way.reason, way.stages.len()), (None, Some(reason), 0));
        for look in looks() {
            assert!(way.description(look, &LONG).contains(look.say(reason)));
            assert_eq!(way.table(look, &LONG).reason.as_deref(), Some(look.say(reason)));
            assert!(way.legend(look).is_empty());
            sound(&way, &LONG);
        }
    }
}

/// All ink inside, no text on another, no bar without its number.
fn sound(way: &Waterfall, names: &Names) {
    for look in looks() {
        let told = format!("{} {look:?} {:?}", way.name(), way.stages);
        for drawing in [way.draw(look, names), way.draw_whole(look, names)] {
            assert!(!drawing.title.is_empty() && !drawing.description.is_empty());
            let mut texts: Vec<(&str, [f64; 4])> = Vec::new();
            for mark in drawing.marks.iter().filter(|mark: &&Ink| mark.opacity > 0.0) {
                let ink @ [left, top, right, bottom] = mark.ink();
                assert!(ink.iter().all(|side| side.is_finite()), "{mark:?}: {told}");
                let inside = left >= -1e-9
                    && top >= -1e-9
                    && right <= drawing.width + 1e-9
                    && bottom <= drawing.height + 1e-9;
                assert!(inside, "{mark:?} sticks out of {} × {}: {told}", drawing.width, drawing.height);
                if let Shape::Text { text, .. } = &mark.shape {
                    let touches = |other: &[f64; 4]| {
                        left < other[2] && other[0] < right && top + 2.0 < other[3] && other[1] + 2.0 < bottom
                    };
                    if let Some((other, _)) = texts.iter().find(|(_, other)| touches(other)) {
                        panic!("“{text}” touches “{other}”: {told}");
                    }
                    texts.push((text, ink));
                }
            }
            let file = svg::write(&drawing, svg::Ink::Literal(Theme::Dark), &svg::Origin::default());
            assert!(!file.contains("NaN") && !file.contains("var("));
        }
        let acting = way.stages.iter().filter(|stage| stage.amount != 0.0).count();
        let told = way.description(look, names).matches('→').count();
        assert!(told >= acting, "every change is told");
        let table = way.table(look, names);
        assert!(table.ends_add_up(way), "{told}");
    }
}

impl crate::table::Table {
    /// Whether its rows are the way's, first and last being its ends.
    fn ends_add_up(&self, way: &Waterfall) -> bool {
        let Some([a, b]) = way.ends else { return self.rows.is_empty() };
        let then = |row: Option<&crate::table::Row>| row.and_then(|row| row.cells.get(1)?.value);
        let ends = (then(self.rows.first()), then(self.rows.last())) == (Some(a.value), Some(b.value));
        ends && self.rows.len() == way.stages.len() + 2
    }
}

fn adds_up(way: &Waterfall) {
    let Some([a, b]) = way.ends else { return };
    let mut at = a.value;
    for stage in &way.stages {
        assert!(!stage.changes.is_empty() && stage.amount == stage.after.value - at, "{way:?}");
        at = stage.after.value;
    }
    assert_eq!(at, b.value, "{way:?}");
    let sum: f64 = way.stages.iter().map(|stage| stage.amount).sum();
    let scale = way.stages.iter().map(|stage| stage.after.value).fold(a.value, f64::max);
    assert!((a.value + sum - b.value).abs() <= 1e-12 * scale, "{way:?}");
}

/// Any scenario whose plan can be carried out: some keys chosen within their bounds.
fn any_case() -> impl Strategy<Value = Case> {
    let text = |key: Key| match key.bound() {
        Bound::Whole(low, high) => prop_oneof![Just(low), Just(high), low..=high, low..=high.min(low + 64)]
            .prop_map(|n| n.to_string())
            .boxed(),
        Bound::Real(low, high) => {
            prop_oneof![Just(low), Just(high), low..=high].prop_map(|number| number.to_string()).boxed()
        }
        Bound::OneOf(words) => proptest::sample::select(words).prop_map(ToOwned::to_owned).boxed(),
    };
    let each: Vec<_> = Key::ALL.into_iter().map(|key| proptest::option::weighted(0.25, text(key))).collect();
    let plans = prop_oneof![
        proptest::sample::select(vec![1, 2, 4, 8]).prop_map(|tp| ("tp", tp, tp)),
        proptest::sample::select(vec![8, 16, 32, 64]).prop_map(|ep| ("dp_attention_ep", 1, ep)),
    ];
    let plan = proptest::option::weighted(0.7, (plans, 1..4));
    let brought = proptest::option::weighted(0.3, proptest::strategy::Just(own_model()));
    let ledgers = proptest::sample::select(Ledger::ALL.to_vec());
    (each, plan, ledgers, brought).prop_map(|(texts, plan, ledger, brought)| {
        let mut scenario = Scenario::default();
        for (key, text) in Key::ALL.into_iter().zip(texts).filter_map(|(key, text)| Some((key, text?))) {
            let _ = scenario.choose_text(key, &text);
        }
        for key in [Key::Vocab, Key::Layout, Key::Tp, Key::Ep, Key::Pp, Key::Gpus] {
            scenario.forget(key);
        }
        if let Some(((layout, tp, ep), pp)) = plan {
            scenario.choose_text(Key::Layout, layout).unwrap();
            for (key, number) in [(Key::Tp, tp), (Key::Ep, ep), (Key::Pp, pp), (Key::Gpus, ep * pp)] {
                scenario.choose_number(key, f64::from(number)).unwrap();
            }
        }
        Case::of(scenario, ledger, brought)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_cases_are_told_apart_soundly(a in any_case(), b in any_case()) {
        let mut drawn = 0;
        for topic in Topic::ALL {
            let way = Waterfall::of(topic, &a, &b);
            prop_assert_eq!(way.ends.is_none(), way.reason.is_some());
            drawn += usize::from(way.ends.is_some());
            adds_up(&way);
            sound(&way, &Names::LINKS);
            sound(&way, &LONG);
        }
        prop_assert_eq!(drawn > 0, a.legal() && b.legal());
        let comparison = Comparison::of(vec![a, b]);
        for line in &comparison.lines {
            let finite = |number: Option<f64>| number.is_none_or(f64::is_finite);
            prop_assert!(finite(line.difference(1)) && finite(line.ratio(1)));
        }
        let table = comparison.table(Which::All, ENGLISH);
        prop_assert!(table.csv().lines().all(|line| line.split(',').count() == 6));
    }
}

fn pair(name: &str) -> (Pair, Comparison) {
    let pair = *pairs().iter().find(|pair| pair.name == name).unwrap();
    (pair, of(&pair.queries))
}

/// A figure of both sides, as shown.
fn figures(name: &str, id: &str) -> [String; 2] {
    let (_, comparison) = pair(name);
    let line = comparison.line(id).unwrap();
    [0, 1].map(|case| crate::format::value(&line.values[case], line.unit, ByteBase::Decimal).to_string())
}

#[test]
fn pairs_give_the_documents_figures() {
    let cases = [
        ("experts-drawn", "moe.distinct_experts", ["152.01", "151.24"]),
        ("link-rate", "network.flops_per_byte", ["2199 FLOP/B", "4398 FLOP/B"]),
        ("link-rate", "network.hide_threshold", ["6144 FLOP/B", "6144 FLOP/B"]),
        ("report-exact", "decode.step_s", ["14.36 ms", "—"]),
        ("gb-gib", "gpu.memory.bytes", ["141.0 GB", "151.4 GB"]),
        ("weight-formats", "weights.bytes_per_gpu", ["112.6 GB", "114.9 GB"]),
        ("cache-rows", "cache.row.bytes", ["1.024 KB", "584 B"]),
        ("index-keys", "cache.indexer_row.bytes", ["132 B", "68 B"]),
    ];
    for (name, id, wanted) in cases {
        let shown = figures(name, id).map(|shown| shown.replace('\u{a0}', ""));
        assert_eq!(shown, wanted, "{name} {id}");
    }
    let (_, kv) = pair("kv-placement");
    let cache = kv.line("cache.batch.bytes_per_gpu").unwrap();
    assert_eq!(cache.ratio(1), Some(8.0), "a copy on each of eight");
    // 32 requests of 5.69 GB on every GPU, beside an eighth of 865 GB.
    assert_eq!(
        kv.line("memory.bytes_per_gpu").unwrap().values[1].number(),
        Some(32.0 * 5_687_255_040.0 + 865e9 / 8.0)
    );
    let (_, tutorial) = pair("tutorial-exact");
    let needed = tutorial.line("memory.partial.bytes_per_gpu").unwrap();
    assert_eq!(needed.figures[1], Some("memory.bytes_per_gpu"));
}

#[test]
fn pairs_differ_in_what_they_are_about_and_say_so_in_numbers() {
    for pair in pairs() {
        let [a, b] = pair.compared();
        assert_eq!([a.write(), b.write()].map(|query| Compared::read(&query).unwrap()), [a.clone(), b]);
        let (link, refusals) = Link::read(&pair.query());
        assert_eq!((refusals.len(), link.compared.len()), (0, 1), "{}", pair.name);
        let comparison = Comparison::of(Case::of_link(&link));
        let chosen = comparison.values.iter().filter(|valued| !valued.follows).count();
        assert!((1..=2).contains(&chosen), "{}: {:?}", pair.name, comparison.values);
        for look in looks() {
            let meaning = pair.meaning(look);
            assert!(!meaning.contains(['{', '}', '—']), "{}: {meaning}", pair.name);
            assert!(meaning.chars().filter(char::is_ascii_digit).count() > 4);
        }
    }
    // The load fits, or does not, as the sentences say.
    let fits = |name: &str, id| {
        let (_, comparison) = pair(name);
        let line = comparison.line(id).unwrap().values.clone();
        [line[0] == Value::Flag(true), line[1] == Value::Flag(true)]
    };
    assert_eq!(fits("kv-placement", "memory.fits"), [true, false]);
    assert_eq!(fits("gb-gib", "memory.fits"), [false, true]);
    assert_eq!(fits("tutorial-exact", "memory.fits"), [false, false]);
    assert_eq!(fits("report-exact", "memory.fits"), [true, false]);
    assert_eq!(fits("link-rate", "network.hidden"), [true, true]);
    let (_, label) = pair("gb-gib");
    let memory = |id| label.cases[0].report.number(id).unwrap();
    let off = |id| (memory("gpu.memory.reported.bytes") - memory(id)).abs();
    assert!(
        off("gpu.memory.gib.bytes") * 5.0 < off("gpu.memory.gb.bytes"),
        "the driver's list is near the second"
    );
}

#[test]
fn ways_of_the_pairs_are_drawn_soundly() {
    for pair in pairs() {
        let [a, b] = pair.compared().map(|compared| Case::from(&compared));
        for topic in Topic::ALL {
            let way = Waterfall::of(topic, &a, &b);
            adds_up(&way);
            sound(&way, &Names::LINKS);
        }
    }
}

#[test]
fn a_summary_tells_ledger_model_gpus_plan_and_load() {
    let told = |query: &str| case(query).summary(ENGLISH, &Names::LINKS).join(" · ").replace('\u{a0}', "");
    assert_eq!(
        told("ledger=exact&batch=64&context=1M"),
        "Exact · v4-pro · 8 × H200 SXM · TP8 · 64 requests × 1M"
    );
    assert_eq!(told("ledger=report&gpus=16"), "Report · v4-pro · 16 × H200 SXM · TP16 · 32 requests × 128K");
    assert_eq!(told(""), "Tutorial · v4-pro · 8 × H100 SXM · TP8 · 8 requests × 32K");
    for query in ["ledger=exact&layout=dp_attention_ep&ep=16", "ledger=exact&model=v4-flash&pp=2"] {
        assert_eq!(case(query).summary(ENGLISH, &Names::LINKS).len(), 5);
    }
}

#[test]
fn a_case_has_its_step_or_its_floor_or_no_time_at_all() {
    let step =
        |query: &str| case(query).step().map(|point| (point.figure, point.floor, point.range.is_some()));
    assert_eq!(step(""), None);
    assert_eq!(step("ledger=report"), Some((Some("decode.step_s"), false, false)));
    assert_eq!(step("ledger=exact"), Some((Some("decode.floor_s"), true, true)));
    assert_eq!(step("ledger=exact&gpu=b300"), Some((Some("decode.step_s"), false, false)));
}

#[test]
fn a_link_is_set_against_what_was_put_aside() {
    let (link, _) =
        Link::read("ledger=report&batch=64&with=ledger%3Dreport&with=ledger%3Dreport%26batch%3D128");
    let batches: Vec<_> = Case::of_link(&link).iter().map(|case| case.settings.batch).collect();
    assert_eq!(batches, [32, 128, 64]);
}

#[test]
fn a_pair_is_known_again_in_either_unit() {
    for pair in pairs() {
        let (link, _) = Link::read(&pair.query());
        let own = Compared::new(&link.scenario, link.ledger, ByteBase::Binary);
        assert_eq!(pair_of([&link.compared[0], &own]), Some(pair));
        assert_eq!(pair_of([&own, &own]), None);
    }
}

#[test]
fn a_way_is_called_as_its_cases_are() {
    let way = Waterfall::of(Topic::MemoryPerGpu, &case("ledger=exact"), &case("ledger=exact&batch=8"));
    assert!(way.title(ENGLISH).ends_with("from A to B"));
    let way = way.called(["A", "D"]);
    assert!(way.title(ENGLISH).ends_with("from A to D"));
    assert!(
        way.about(ENGLISH).starts_with("Starting from A,")
            && way.description(ENGLISH, &LONG).contains("; D: ")
    );
    assert_eq!(way.table(ENGLISH, &LONG).rows.last().map(|row| row.head.as_str()), Some("D"));
}
