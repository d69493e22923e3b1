//! All charts: their data is the ledgers', their pictures hold all ink and keep texts apart, for any scenario.

use proptest::prelude::*;

use super::*;
use crate::collective::{Algorithm, all_reduce};
use crate::draw::{Fill, Mark, Shape, Theme, svg};
use crate::figure::{Ledger, Report};
use crate::format::ByteBase;
use crate::ledger::{Roof, report};
use crate::scenario::Scenario;
use crate::scene::{Facts, allreduce::Clock};
use crate::spec::of;
use crate::units::Bytes;

const DEFAULT: &[(Key, &str)] = &[];
/// Ends of the bounds, a cut that splits the model and much that counts.
const EXTREME: &[(Key, &str)] = &[
    (Key::Context, "1048576"),
    (Key::Batch, "1024"),
    (Key::Layout, "dp_attention_ep"),
    (Key::Ep, "64"),
    (Key::Mtp, "true"),
    (Key::Prefix, "1000000"),
    (Key::Gpu, "b300"),
];

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

fn derive(id: ChartId, ledger: Ledger, scenario: &Scenario) -> Chart {
    let settings = scenario.resolve(ledger);
    let spec = of(settings.model);
    let report = report(ledger, scenario, &spec);
    id.derive(Basis { scenario, report: &report, settings: &settings, spec: &spec })
}

fn figures(ledger: Ledger, scenario: &Scenario, key: Key, number: f64) -> Report {
    let mut there = scenario.clone();
    there.choose_number(key, number).unwrap();
    report(ledger, &there, &of(there.resolve(ledger).model))
}

fn looks() -> impl Iterator<Item = Look> {
    [Layout::Wide, Layout::Narrow].into_iter().flat_map(|layout| {
        [Language::Chinese, Language::English].into_iter().flat_map(move |language| {
            [ByteBase::Binary, ByteBase::Decimal].map(|base| Look { layout, language, base })
        })
    })
}

/// Every value of a chart whose series follow figures, against the report at that place.
fn follows(id: ChartId, ledger: Ledger, choices: &[(Key, &str)]) {
    let scenario = chosen(choices);
    let chart = derive(id, ledger, &scenario);
    let key = chart.axis().unwrap();
    assert_eq!(chart.reason, None, "{} {}", id.name(), ledger.name());
    let (mut compared, mut named) = (0, 0);
    for (index, row) in
        chart.rows.iter().enumerate().filter(|(index, _)| index % 5 == 0 || chart.marked == Some(*index))
    {
        let report = figures(ledger, &scenario, key, *row);
        for series in &chart.series {
            let Some(figure) = series.figure else { continue };
            named += 1;
            // What depends on everything fitting has no figure where it does not; the table has the number all the same.
            if let Some(number) = report.number(figure) {
                assert_eq!(
                    series.value(index),
                    Some(number),
                    "{figure} at {row}, {} {}",
                    id.name(),
                    ledger.name()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 0 && compared * 2 > named, "{} {}: {compared} of {named}", id.name(), ledger.name());
}

#[test]
fn values_are_the_reports() {
    for choices in [DEFAULT, EXTREME, &[(Key::Tp, "8"), (Key::Pp, "2"), (Key::PageRounding, "true")]] {
        for ledger in Ledger::ALL {
            follows(ChartId::MemoryContext, ledger, choices);
            follows(ChartId::MemoryBatch, ledger, choices);
            follows(ChartId::Cache, ledger, choices);
            follows(ChartId::Experts, ledger, choices);
        }
        for ledger in [Ledger::Report, Ledger::Exact] {
            follows(ChartId::Decode, ledger, choices);
            follows(ChartId::Prefill, ledger, choices);
            follows(ChartId::Capacity, ledger, choices);
        }
    }
}

#[test]
fn stacks_reach_what_the_reports_add_up() {
    for ledger in Ledger::ALL {
        let scenario = Scenario::default();
        let (chart, report) = (
            derive(ChartId::MemoryContext, ledger, &scenario),
            report(ledger, &scenario, &of(scenario.resolve(ledger).model)),
        );
        let need = crate::ledger::memory::Judges::of(ledger).need;
        let whole = report.bytes(need).get() + report.bytes("memory.reserve.bytes_per_gpu").get();
        let total = chart.total(chart.marked.unwrap()).unwrap();
        assert!((total / whole - 1.0).abs() < 1e-12);
        assert_eq!(chart.limit, report.number("gpu.memory.bytes"));
    }
    let scenario = chosen(&[(Key::Gpu, "b300")]);
    for ledger in [Ledger::Report, Ledger::Exact] {
        for (id, figure) in [(ChartId::Decode, "decode.step_s"), (ChartId::Prefill, "prefill.step_s")] {
            let chart = derive(id, ledger, &scenario);
            let row = chart.marked.unwrap();
            let number =
                figures(ledger, &scenario, chart.axis().unwrap(), chart.rows[row]).number(figure).unwrap();
            assert!((chart.total(row).unwrap() / number - 1.0).abs() < 1e-12, "{figure} {}", ledger.name());
        }
    }
}

#[test]
fn rates_points_cells_and_messages_are_the_models() {
    let scenario = chosen(&[(Key::Gpu, "b300")]);
    for ledger in [Ledger::Report, Ledger::Exact] {
        let settings = scenario.resolve(ledger);
        let spec = of(settings.model);
        let own = report(ledger, &scenario, &spec);
        let pareto = derive(ChartId::Pareto, ledger, &scenario);
        let series = &pareto.series[pareto.own.unwrap()];
        for (row, batch) in pareto.rows.iter().enumerate() {
            let rate = figures(ledger, &scenario, Key::Batch, *batch).number("decode.tokens_per_s");
            match (series.value(row), pareto.across(series, row), rate) {
                (Some(each), Some(user), Some(rate)) => {
                    assert!((each * f64::from(settings.gpus) / rate - 1.0).abs() < 1e-12);
                    assert!((user * batch / rate - 1.0).abs() < 1e-12);
                }
                (value, _, rate) => assert_eq!((value, rate.filter(|_| value.is_none())), (value, None)),
            }
        }
        let roof = Roof::of(&settings);
        let roofline = derive(ChartId::Roofline, ledger, &scenario);
        assert!(roofline.series.len() >= 4);
        for series in &roofline.series {
            let (at, reached) = (roofline.across(series, 0).unwrap(), series.value(0).unwrap());
            assert!(reached <= roof.at(at).get() * (1.0 + 1e-12));
            let time = own.number(series.figure.unwrap()).unwrap();
            let flops = own.number(&series.figure.unwrap().replace("_s", ".flops_per_gpu")).unwrap();
            assert_eq!(reached, flops / time);
        }
        let heat = derive(ChartId::Heat, ledger, &scenario);
        for (level, series) in heat.series.iter().enumerate().step_by(3) {
            for (row, batch) in heat.rows.iter().enumerate().step_by(3) {
                let mut there = scenario.clone();
                there.choose_number(Key::Context, heat.levels[level]).unwrap();
                let there = figures(ledger, &there, Key::Batch, *batch);
                let fits = there.flag("memory.fits");
                assert_eq!(heat.fits[level][row], fits);
                assert_eq!(series.value(row), there.number("decode.step_s").filter(|_| fits));
            }
        }
        let reduce = derive(ChartId::Allreduce, ledger, &scenario);
        let clock = Clock::of(Facts { report: &own, settings: &settings, spec: &spec });
        assert_eq!(reduce.rows[reduce.marked.unwrap()], clock.message.get());
        for (algorithm, series) in Algorithm::ALL.into_iter().zip(&reduce.series) {
            for (row, message) in reduce.rows.iter().enumerate() {
                let cost = all_reduce(algorithm, Bytes(*message), clock.gpus, clock.link.unwrap());
                assert_eq!(series.value(row), Some(cost.total().get()));
            }
        }
    }
}

/// The series of what was measured.
fn diamonds(chart: &Chart) -> Option<&Series> {
    chart.series.iter().find(|series| series.form == Form::Diamonds)
}

#[test]
fn measured_points_stand_beside_plans_of_their_kind() {
    type Case<'a> = (&'a [(Key, &'a str)], &'a [&'a str]);
    let cases: [Case; 4] = [
        (&[(Key::Gpu, "h20-141")], &["M34", "M35", "M36", "M37", "M38"]),
        (&[(Key::Gpu, "b300")], &["M19", "M20", "M21", "M33"]),
        (&[(Key::Gpu, "gb200"), (Key::Layout, "dp_attention_ep")], &["M24", "M25"]),
        (&[(Key::Gpu, "h200"), (Key::GpuMemoryGib, "141")], &[]),
    ];
    for ledger in [Ledger::Report, Ledger::Exact] {
        for (choices, ids) in cases {
            let chart = derive(ChartId::Pareto, ledger, &chosen(choices));
            let Some(series) = diamonds(&chart) else {
                assert!(ids.is_empty(), "{choices:?}");
                continue;
            };
            let index = chart.series.len() - 1;
            assert_eq!(series.places.len(), ids.len());
            for (place, id) in ids.iter().enumerate() {
                let row = crate::measured::row(id).unwrap();
                let (point, tpot) = (row.decode.unwrap(), row.tpot.unwrap().get());
                assert_eq!(chart.across(series, place), Some(1.0 / tpot));
                let each = point.batch as f64 / tpot / f64::from(point.layout.gpus());
                assert_eq!(series.value(place), Some(each));
                let stop = Stop { row: place, series: Some(index) };
                assert!(chart.stops().contains(&stop));
                for look in looks() {
                    let reading = chart.read(stop, look).unwrap();
                    assert!(reading.title.contains(id) && reading.row == point.batch as f64);
                    assert_eq!(chart.nearest(look, chart.place(look, stop).unwrap()), Some(stop));
                    assert!(chart.table(look).rows.iter().any(|row| row.head.contains(id)));
                    assert!(chart.legend(look).iter().any(|entry| entry.form == Form::Diamonds));
                }
            }
        }
    }
    let own = chosen(&[(Key::MeasuredTpotMs, "20"), (Key::Batch, "32")]);
    let chart = derive(ChartId::Pareto, Ledger::Report, &own);
    let series = diamonds(&chart).unwrap();
    assert_eq!((chart.across(series, 0), series.value(0)), (Some(50.0), Some(200.0)));
}

#[test]
fn rows_stand_over_their_floors() {
    for ledger in Ledger::ALL {
        let chart = derive(ChartId::Measured, ledger, &Scenario::default());
        let rows = crate::reality::clean_rows();
        assert_eq!((chart.rows.len(), chart.marked), (rows.len(), None));
        for (index, implied) in rows.iter().enumerate() {
            assert_eq!(chart.series[0].value(index), Some(implied.floor.get()));
            assert_eq!(chart.series[1].value(index), Some(implied.measured.get()));
            let reading = chart.read(Stop { row: index, series: None }, Look::plain()).unwrap();
            assert!(reading.title.contains(implied.row.id) && reading.entries.len() == 2);
        }
        assert!(chart.csv().starts_with("row,Floor,◆ Measured\nM19,"), "{}", chart.csv());
        let own = chosen(&[(Key::MeasuredTpotMs, "20")]);
        let chart = derive(ChartId::Measured, ledger, &own);
        let floor = figures(Ledger::Exact, &own, Key::Batch, own.in_force(Key::Batch, Ledger::Exact).real());
        assert_eq!(chart.marked, Some(rows.len()));
        assert_eq!(chart.series[0].value(rows.len()), floor.number("decode.floor_s"));
        assert_eq!(chart.series[1].value(rows.len()), Some(0.02));
    }
}

#[test]
fn a_ledger_without_figures_says_so() {
    for id in [
        ChartId::Decode,
        ChartId::Heat,
        ChartId::Pareto,
        ChartId::Roofline,
        ChartId::Prefill,
        ChartId::Capacity,
    ] {
        let chart = derive(id, Ledger::Tutorial, &Scenario::default());
        assert!(chart.reason.is_some() && chart.series.is_empty(), "{}", id.name());
        for look in looks() {
            assert!(chart.description(look).contains(look.say(chart.reason.unwrap())));
            assert!(chart.table(look).rows.is_empty() && chart.legend(look).is_empty());
        }
    }
    let cannot = chosen(&[(Key::Tp, "3")]);
    for id in [ChartId::MemoryContext, ChartId::Decode, ChartId::Heat, ChartId::Roofline, ChartId::Prefill] {
        assert_eq!(derive(id, Ledger::Exact, &cannot).reason, Some(words::NO_PLAN), "{}", id.name());
    }
    let alone = chosen(&[(Key::Tp, "1")]);
    assert_eq!(derive(ChartId::Allreduce, Ledger::Exact, &alone).reason, Some(words::NOTHING_SENT));
}

#[test]
fn what_is_pointed_at_is_read() {
    let scenario = chosen(&[(Key::Gpu, "b300")]);
    for ledger in Ledger::ALL {
        for id in ChartId::ALL {
            let chart = derive(*id, ledger, &scenario);
            for look in looks().filter(|_| chart.reason.is_none()) {
                for stop in chart.stops() {
                    let reading = chart.read(stop, look).unwrap();
                    assert!(!reading.entries.is_empty() && !reading.title.is_empty());
                    let narrow_cells = chart.form() == Form::Cells && look.layout == Layout::Narrow;
                    if let Some(at) = chart.place(look, stop).filter(|_| !narrow_cells) {
                        let near = chart.nearest(look, at).unwrap();
                        let [ours, theirs] = [stop, near].map(|stop| chart.place(look, stop).unwrap());
                        assert!((ours.0 - theirs.0).abs() < 1e-6, "{} {stop:?} {near:?}", id.name());
                    }
                }
                if let (Some(stop), Some(key)) = (chart.marked_stop(), chart.axis()) {
                    let here = scenario.in_force(key, ledger).real();
                    let Some(x) = chart.crosshair(look, here) else { continue };
                    let at = chart.place(look, stop).unwrap().0;
                    assert!((x - at).abs() < 1e-6, "{} {x} {at}", id.name());
                }
                assert_eq!(chart.table(look).rows.len(), chart.csv().lines().count() - 1, "{}", id.name());
                let table = chart.table(look);
                assert!(table.rows.iter().all(|row| row.cells.len() + 1 == table.columns.len()));
                let shown = chart.rows.len() == table.rows.len() || chart.free();
                assert!(shown && table.reason.is_none());
            }
        }
    }
    let chart = derive(ChartId::Cache, Ledger::Tutorial, &Scenario::default());
    let look = Look::plain();
    let reading = chart.read(chart.marked_stop().unwrap(), look).unwrap();
    assert_eq!(reading.entries.last().unwrap().value, Some(349_405_184.0));
    assert!(
        reading.sentence(look).starts_with("Context (tokens) 32\u{a0}768: "),
        "{}",
        reading.sentence(look)
    );
    assert_eq!(chart.nearest(look, (-50.0, 0.0)).unwrap().row, 0);
}

#[test]
fn cells_of_tables_are_the_figures_they_name() {
    let slow = [(Key::LatencyUsPerLayer, "150"), (Key::Gpu, "h200")];
    let (mut own, mut others) = (0, 0);
    for choices in [DEFAULT, EXTREME, &slow] {
        for ledger in Ledger::ALL {
            let scenario = chosen(choices);
            let here = report(ledger, &scenario, &of(scenario.resolve(ledger).model));
            for id in ChartId::ALL {
                let table = derive(*id, ledger, &scenario).table(Look::plain());
                for (index, row) in table.rows.iter().enumerate() {
                    let there = (index % 7 == 0).then(|| match row.takes.first() {
                        Some((key, number)) => figures(ledger, &scenario, *key, *number),
                        None => here.clone(),
                    });
                    for cell in &row.cells {
                        let Some(figure) = cell.figure else { continue };
                        assert!(!cell.own || row.here, "{} {figure}", id.name());
                        let report = if row.here { Some(&here) } else { there.as_ref() };
                        let Some(number) = report.and_then(|report| report.number(figure)) else {
                            assert!(!cell.own, "{} {figure}", id.name());
                            continue;
                        };
                        let value = cell.value.unwrap();
                        let near = (value - number).abs() <= 1e-9 * number.abs();
                        assert!(near, "{} {} {figure}: {value}, {number}", ledger.name(), id.name());
                        *if cell.own { &mut own } else { &mut others } += 1;
                    }
                }
            }
        }
    }
    assert!(own > 100 && others > 300, "{own} {others}");
}

#[test]
fn legends_tell_every_series_apart() {
    for ledger in Ledger::ALL {
        for choices in [DEFAULT, EXTREME] {
            for id in ChartId::ALL {
                let chart = derive(*id, ledger, &chosen(choices));
                let names: Vec<String> =
                    chart.legend(Look::plain()).into_iter().map(|entry| entry.name).collect();
                let mut apart = names.clone();
                apart.sort();
                apart.dedup();
                assert_eq!(apart.len(), names.len(), "{names:?}");
                let lines = chart
                    .series
                    .iter()
                    .filter(|series| series.form != Form::Band && series.form != Form::Cells);
                let mut fills: Vec<Fill> = Vec::new();
                for series in lines {
                    assert!(!fills.contains(&series.fill), "{} draws two lines alike", id.name());
                    fills.push(series.fill);
                }
            }
        }
    }
}

fn sound(chart: &Chart, told: &str) {
    for look in looks() {
        let size = Size::of(look.layout);
        for drawing in [chart.draw(look), chart.draw_whole(look)] {
            assert!(!drawing.title.is_empty() && !drawing.description.is_empty());
            let mut texts: Vec<(&str, [f64; 4])> = Vec::new();
            for mark in drawing.marks.iter().filter(|mark: &&Mark| mark.opacity > 0.0) {
                let ink = mark.ink();
                assert!(ink.iter().all(|side| side.is_finite()), "{mark:?}: {told}");
                let [left, top, right, bottom] = ink;
                let inside = left >= -1e-9
                    && top >= -1e-9
                    && right <= drawing.width + 1e-9
                    && bottom <= drawing.height + 1e-9;
                assert!(inside, "{mark:?} sticks out: {told} {look:?}");
                if let Shape::Text { text, size: set, .. } = &mark.shape {
                    assert!(*set >= size.text, "{text} is set at {set}: {told}");
                    let touches = |other: &[f64; 4]| {
                        left < other[2] && other[0] < right && top + 2.0 < other[3] && other[1] + 2.0 < bottom
                    };
                    if let Some((other, _)) = texts.iter().find(|(_, other)| touches(other)) {
                        panic!("“{text}” touches “{other}”: {told} {look:?}");
                    }
                    texts.push((text, ink));
                }
            }
            let file = svg::write(&drawing, svg::Ink::Literal(Theme::Dark), &svg::Origin::default());
            assert!(!file.contains("NaN") && !file.contains("var("));
        }
    }
}

#[test]
fn pictures_hold_all_ink_and_keep_texts_apart() {
    let small = [(Key::Context, "1"), (Key::Batch, "1"), (Key::Tp, "1"), (Key::GpuMemoryGib, "1024")];
    let tight = [(Key::GpuMemoryGib, "8"), (Key::Batch, "1024"), (Key::Context, "1")];
    let flash =
        [(Key::Model, "v4-flash"), (Key::Tp, "4"), (Key::Draw, "with_replacement"), (Key::Batch, "100")];
    for choices in
        [DEFAULT, EXTREME, &small, &tight, &flash, &[(Key::Router, "engine"), (Key::Batch, "1000")]]
    {
        for ledger in Ledger::ALL {
            for id in ChartId::ALL {
                let chart = derive(*id, ledger, &chosen(choices));
                sound(&chart, &format!("{} {} {choices:?}", id.name(), ledger.name()));
            }
        }
    }
}

/// Any scenario: some keys chosen within their bounds.
fn any_choices() -> impl Strategy<Value = Vec<(Key, String)>> {
    let text = |key: Key| match key.bound() {
        crate::scenario::Bound::Whole(low, high) => {
            prop_oneof![Just(low), Just(high), low..=high, low..=high.min(low + 64)]
                .prop_map(|n| n.to_string())
                .boxed()
        }
        crate::scenario::Bound::Real(low, high) => {
            prop_oneof![Just(low), Just(high), low..=high].prop_map(|n| n.to_string()).boxed()
        }
        crate::scenario::Bound::OneOf(words) => {
            let quick: Vec<_> =
                words.iter().filter(|word| **word != "engine").map(|word| (*word).to_owned()).collect();
            proptest::sample::select(quick).boxed()
        }
    };
    let each: Vec<_> = Key::ALL
        .into_iter()
        .map(|key| {
            proptest::option::weighted(0.25, text(key)).prop_map(move |text| text.map(|text| (key, text)))
        })
        .collect();
    each.prop_map(|choices| choices.into_iter().flatten().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_is_drawn_soundly(choices in any_choices()) {
        let mut scenario = Scenario::default();
        for (key, text) in &choices {
            let _ = scenario.choose_text(*key, text);
        }
        for ledger in Ledger::ALL {
            for id in ChartId::ALL {
                let chart = derive(*id, ledger, &scenario);
                for series in &chart.series {
                    prop_assert!(series.values.iter().flatten().all(|value| value.is_finite() && *value >= 0.0));
                }
                for look in looks() {
                    if chart.reason.is_none() && chart.form() != Form::Cells {
                        let [x, y] = chart.ends(look);
                        prop_assert!(x.0 < x.1 && y.0 < y.1, "{}: {x:?} {y:?}", id.name());
                        let [across, upward] = chart.scales;
                        prop_assert!((!across.log || x.0 > 0.0) && (!upward.log || y.0 > 0.0));
                    }
                }
                sound(&chart, &format!("{} {} {choices:?}", id.name(), ledger.name()));
            }
        }
    }
}

#[test]
fn pictures_are_as_they_were() {
    let mut told = String::new();
    for (name, choices) in [("default", DEFAULT), ("extreme", EXTREME)] {
        for ledger in Ledger::ALL {
            for id in ChartId::ALL {
                let drawing = derive(*id, ledger, &chosen(choices)).draw(Look::plain());
                let file = svg::write(&drawing, svg::Ink::Literal(Theme::Light), &svg::Origin::default());
                // The words in full, the shapes as a fingerprint: a change of either shows.
                let words = drawing.marks.iter().filter_map(|mark| match &mark.shape {
                    Shape::Text { text, .. } => Some(text.as_str()),
                    _ => None,
                });
                let words = words.collect::<Vec<_>>().join(" | ");
                let print = file.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
                    (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
                });
                told.push_str(&format!(
                    "{name} {} {}: {} marks, {print:016x}\n  {words}\n  {}\n",
                    ledger.name(),
                    id.name(),
                    drawing.marks.len(),
                    drawing.description
                ));
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn the_cache_chart_holds_the_ledgers_total_where_the_scenario_stands() {
    let chart = derive(ChartId::Cache, Ledger::Tutorial, &chosen(&[(Key::Context, "32768")]));
    let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };
    let drawing = chart.draw(look);
    let tagged = drawing.marks.iter().find(|mark| mark.figure.is_some()).unwrap();
    assert_eq!(tagged.figure.unwrap().value, 349_405_184.0);
    assert!(drawing.description.contains("333.2 MiB"), "{}", drawing.description);
    assert!(chart.csv().ends_with("10353082368\n"));
}
