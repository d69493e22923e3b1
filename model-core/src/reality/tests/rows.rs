//! Rows and filters: complete, over the ledger's own floors.

use super::*;

fn table(filter: &Filter, look: Look) -> Table {
    exact(&Scenario::default(), |basis| published_table(basis, filter, look))
}

#[test]
fn all_rows_are_there_with_their_sources() {
    assert_eq!(ROWS.len(), 55);
    for look in [ENGLISH, CHINESE] {
        let table = table(&Filter::default(), look);
        let ids: Vec<&str> = table.rows.iter().map(|row| row.head.as_str()).collect();
        // In the order of the collection, those with a floor beside them first.
        let mut rows = ROWS.iter().collect::<Vec<_>>();
        rows.sort_by_key(|row| row.decode.is_none());
        assert_eq!(ids, rows.iter().map(|row| row.id).collect::<Vec<_>>());
        assert!(table.rows.iter().all(|row| row.cells.len() + 1 == table.columns.len()));
        assert_eq!(table.csv().lines().count(), 56);
    }
    // The same columns on a phone, those with numbers first.
    let [wide, narrow] =
        [Layout::Wide, Layout::Narrow].map(|layout| table(&Filter::default(), Look { layout, ..ENGLISH }));
    let named = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_ne!(named(&wide), named(&narrow));
    assert_eq!(sorted(named(&wide)), sorted(named(&narrow)));
    for (wide_row, narrow_row) in wide.rows.iter().zip(&narrow.rows) {
        for (name, cell) in named(&wide).iter().skip(1).zip(&wide_row.cells) {
            let at = named(&narrow).iter().skip(1).position(|other| other == name).unwrap();
            assert_eq!(&narrow_row.cells[at], cell, "{} {name}", wide_row.head);
        }
    }
    for published in published() {
        let origin = published.origin.unwrap();
        assert!(origin.url().starts_with("https://") && !origin.url().contains(' '), "{}", origin.key);
    }
}

#[test]
fn every_filter_parts_the_rows() {
    for facet in Facet::ALL {
        let choices = facet.choices(ENGLISH);
        assert_eq!((choices[0].code, choices[0].rows), (None, 55));
        assert_eq!(choices[1..].iter().map(|choice| choice.rows).sum::<usize>(), 55, "{}", facet.name());
        for choice in &choices {
            let mut filter = Filter::default();
            filter.set(facet, choice.code.unwrap_or_default()).unwrap();
            assert_eq!(filter.rows().count(), choice.rows, "{}", choice.name);
            assert_eq!(filter.count(facet, choice.code), choice.rows);
            assert_eq!(table(&filter, CHINESE).rows.len(), choice.rows);
            assert_eq!(Filter::read(&filter.write()), Ok(filter));
            let plain = |sign: char| sign.is_ascii_alphanumeric() || "-._".contains(sign);
            assert!(filter.write().chars().all(plain), "{}", filter.write());
        }
    }
    let filter = Filter::read("hardware-h200.engine-sglang.plan-tp.speculation-none").unwrap();
    assert_eq!(filter.rows().map(|row| row.id).collect::<Vec<_>>(), ["M4", "M5", "M49"]);
    assert_eq!(filter.write(), "hardware-H200.engine-SGLang.plan-tp.speculation-none");
    let none = Filter::read("hardware-MI355X.plan-pp").unwrap();
    assert!(table(&none, ENGLISH).reason.is_some() && none.rows().count() == 0);
}

#[test]
fn an_unknown_filter_is_refused_and_leaves_the_last_one() {
    for text in ["hardware", "gpu-h200", "hardware-h300", "plan-", "=&?", "hardware-H200.x"] {
        let error = Filter::read(text).unwrap_err();
        assert!(
            !error.given.is_empty() && error.sentence(Language::English) != error.sentence(Language::Chinese)
        );
    }
    let mut filter = Filter::read("plan-tp").unwrap();
    filter.set(Facet::Plan, "nonsense").unwrap_err();
    assert_eq!(filter.write(), "plan-tp");
    filter.set(Facet::Plan, "").unwrap();
    assert_eq!(filter, Filter::default());
}

#[test]
fn rows_that_are_not_clean_say_why() {
    for published in published() {
        let clean = published.row.decode.is_some();
        assert_eq!(published.unclean.is_empty(), clean, "{}: {:?}", published.row.id, published.unclean);
        assert_eq!(published.implied.is_some(), clean);
        assert_eq!(published.latency().is_some() && published.situation().is_some(), clean);
    }
    let why = |id| Unclean::of(row(id).unwrap());
    assert_eq!(why("K1"), [Unclean::Kernel]);
    assert_eq!(why("M1"), [Unclean::Speculation]);
    assert_eq!(why("M4"), [Unclean::PrefillMixed]);
    assert_eq!(why("M26"), [Unclean::LoadUnknown]);
    assert_eq!(why("M43"), [Unclean::PromptOnly]);
    assert!(why("M32").contains(&Unclean::SpeculationUnstated));
    assert!(why("M28").contains(&Unclean::PlanUnstated));
    assert!(why("M45").contains(&Unclean::NoStepTime));
}

#[test]
fn plans_read_off_the_text_are_those_of_the_clean_rows() {
    for implied in clean_rows() {
        let kind = match implied.point.layout {
            Cut::Tp(_) => PlanKind::Tp,
            Cut::TpEp(_) => PlanKind::TpEp,
            Cut::PpTp(..) => PlanKind::Pp,
            Cut::DpEp(_) => PlanKind::DpEp,
        };
        assert_eq!(PlanKind::of(implied.row), kind, "{}", implied.row.id);
        assert!(Facet::Hardware.of(implied.row).eq_ignore_ascii_case(implied.point.gpu));
        assert_eq!(implied.row.model, "Pro");
    }
    assert_eq!(Facet::Hardware.of(row("K1").unwrap()), Facet::Hardware.of(row("K4").unwrap()));
}

#[test]
fn a_rows_situation_gives_its_floor_and_its_time() {
    let busy = chosen(&[(Key::HbmEfficiency, "0.5"), (Key::Mtp, "true"), (Key::Seed, "7")]);
    for published in published().iter().filter(|published| published.implied.is_some()) {
        let implied = published.implied.unwrap();
        let there = published.situation().unwrap().applied(&busy);
        let floor = figure(&there, "decode.floor_s").unwrap();
        assert_eq!(floor, implied.floor.get(), "{}", implied.row.id);
        assert!(published.here(&there) && !published.here(&busy));
        assert_eq!(there.in_force(Key::Seed, Ledger::Exact).whole(), 7, "what does not act stays");
        let step = floor + figure(&there, "decode.latency_s").unwrap();
        assert!(near(step, implied.measured.get(), 1e-4), "{}", implied.row.id);
        assert!(implied.ratio > 1.0 && near(implied.ratio, implied.measured / implied.floor, 1e-12));
        let latency = published.latency().unwrap().applied(&busy);
        assert_eq!(latency.chosen(Key::Batch), None);
        let micros = latency.in_force(Key::LatencyUsPerLayer, Ledger::Exact).real();
        assert!((micros - implied.per_layer.get() * 1e6).abs() <= 0.005 + 1e-9);
    }
}

/// Where requests are divided, the shared expert is copied in engines as in the reference; under TP engines cut it, and
/// what that saves is some microseconds a layer.
#[test]
fn latencies_are_the_worked_out_ones() {
    let rows = clean_rows();
    let micros = |id: &str| rows.iter().find(|one| one.row.id == id).unwrap().per_layer.get() * 1e6;
    for (id, worked_out) in [("M24", 412.0), ("M25", 508.0)] {
        assert!((micros(id) - worked_out).abs() < 1.0, "{id}: {}", micros(id));
    }
    let under_tp =
        [("M19", 142.0), ("M20", 144.0), ("M22", 202.0), ("M29", 271.0), ("M33", 219.0), ("M34", 406.0)];
    for (id, worked_out) in under_tp {
        assert!((0.0..20.0).contains(&(worked_out - micros(id))), "{id}: {}", micros(id));
    }
}

#[test]
fn the_nearest_rows_come_first_and_say_how_near() {
    let scenario = chosen(&[(Key::Gpu, "h20-141"), (Key::Batch, "16"), (Key::Context, "262144")]);
    let rows = exact(&scenario, nearest);
    assert_eq!(rows.len(), 14);
    let near = &rows[0];
    assert_eq!(near.implied.row.id, "M36");
    assert!(near.same_gpu && near.same_kind && near.doublings() == 0.0);
    assert!(
        rows.windows(2)
            .all(|pair| (pair[0].same_gpu, pair[0].same_kind) >= (pair[1].same_gpu, pair[1].same_kind))
    );
    for near in &rows {
        assert!(near.sentence(ENGLISH).starts_with(near.implied.row.id));
        assert_ne!(near.sentence(ENGLISH), near.sentence(CHINESE));
        let there = near.situation().unwrap().applied(&scenario);
        let first = &exact(&there, nearest)[0];
        assert!(first.same_gpu && first.same_kind && first.doublings() == 0.0, "{}", near.implied.row.id);
    }
    let none = exact(&Scenario::default(), nearest);
    assert!(none.iter().all(|near| !near.same_gpu), "no clean row of an H200 is published");
}

#[test]
fn what_is_expected_is_the_ledgers_own_time() {
    let cases: [(&[(Key, &str)], RestsOn); 5] = [
        (&[(Key::LatencyUsPerLayer, "200"), (Key::Tp, "16")], RestsOn::Chosen),
        (&[(Key::Gpu, "b300")], RestsOn::Row),
        (&[(Key::Gpu, "b300"), (Key::LatencyUsPerLayer, "0")], RestsOn::OwnRows),
        (&[(Key::Tp, "16")], RestsOn::OtherRows),
        (&[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16")], RestsOn::OtherRows),
    ];
    for (choices, rests_on) in cases {
        let scenario = chosen(choices);
        let expected = exact(&scenario, expected).unwrap();
        assert_eq!(expected.rests_on, rests_on, "{choices:?}");
        assert_eq!(expected.rows.is_empty(), rests_on == RestsOn::Chosen);
        assert_eq!(Some(expected.floor.get()), figure(&scenario, "decode.floor_s"));
        let equal = |time: crate::units::Seconds, id: &str| {
            figure(&scenario, id).is_some_and(|number| near(number, time.get(), 1e-12))
        };
        match expected.step {
            crate::measured::Prediction::Number(step) => assert!(equal(step, "decode.step_s")),
            crate::measured::Prediction::Range(low, high) => {
                assert!(equal(low, "decode.step_low_s") && equal(high, "decode.step_high_s"), "{choices:?}");
            }
        }
        assert_ne!(expected.sentence(ENGLISH), expected.sentence(CHINESE));
        let [floor, step, _] = expected.facts(ENGLISH);
        for fact in [&floor, &step] {
            assert!(figure(&scenario, fact.figure).is_some_and(|number| near(number, fact.value, 1e-12)));
        }
        let [least, low] = expected.shares();
        assert!(0.0 < least && least <= low && low <= 1.0, "{choices:?}");
        assert_eq!(low == 1.0, matches!(expected.step, crate::measured::Prediction::Number(_)));
    }
    let own = exact(&chosen(&[(Key::Gpu, "b300")]), expected).unwrap();
    assert_eq!(own.rows, ["M19"]);
    assert_eq!(exact(&chosen(&[(Key::Tp, "3")]), expected), None);
}
