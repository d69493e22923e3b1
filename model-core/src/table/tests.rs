//! All tables: the report's own print digit for digit, every row complete, sums that add up, for any scenario.

use proptest::prelude::*;

use super::*;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::language::Language;
use crate::ledger::report;
use crate::link::Link;
use crate::scenario::{Key, Scenario};
use crate::scene::Layout;
use crate::spec::of;

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

fn look(language: Language, base: ByteBase) -> Look {
    Look { layout: Layout::Wide, language, base }
}

const LOOKS: [(Language, ByteBase); 4] = [
    (Language::Chinese, ByteBase::Binary),
    (Language::Chinese, ByteBase::Decimal),
    (Language::English, ByteBase::Binary),
    (Language::English, ByteBase::Decimal),
];

fn derive(id: TableId, ledger: Ledger, scenario: &Scenario, look: Look) -> Table {
    let settings = scenario.resolve(ledger);
    let spec = of(settings.model);
    let report = report(ledger, scenario, &spec);
    id.derive(Basis { scenario, report: &report, settings: &settings, spec: &spec }, look)
}

/// A table as the report prints it: decimal units.
fn printed(id: TableId, choices: &[(Key, &str)]) -> Table {
    derive(id, Ledger::Report, &chosen(choices), look(Language::English, ByteBase::Decimal))
}

/// Digits of some columns of a row, grouped as the report groups them.
fn digits(table: &Table, row: usize, columns: &[usize]) -> String {
    let row = &table.rows[row];
    let cell = |column: &usize| match column {
        0 => row.head.clone(),
        _ => row.cells[column - 1].shown.number.replace('\u{a0}', ","),
    };
    columns.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

const A: [(Key, &str); 1] = [(Key::Context, "1048576")];
const B: [(Key, &str); 1] = [(Key::Batch, "128")];

#[test]
fn stages_are_the_reports() {
    let cases = [
        (
            &A,
            [
                "19.1 | 1.22 | 0.711636 | 0.193318 | 0.71",
                "37.6 | 6.58 | 1.39893 | 1.186867 | 1.40",
                "306.7 | 1.81 | 11.411729 | 0.380094 | 11.41",
                "0.93 | 0.06 | 0.034475 | 0.009365 | 0.03",
                "— | — | — | — | 0.80",
                "364.4 | 9.67 | — | — | 14.36",
            ],
        ),
        (
            &B,
            [
                "19.1 | 4.90 | 0.711636 | 0.77327 | 0.77",
                "21.3 | 4.42 | 0.791932 | 0.797575 | 0.80",
                "671.3 | 7.22 | 24.973106 | 1.520377 | 24.97",
                "0.93 | 0.24 | 0.034475 | 0.03746 | 0.04",
                "— | — | — | — | 1.20",
                "712.6 | 16.77 | — | — | 27.78",
            ],
        ),
    ];
    for (choices, wanted) in cases {
        let table = printed(TableId::Stages, choices);
        let rows: Vec<_> = (0..wanted.len()).map(|row| digits(&table, row, &[1, 2, 3, 4, 6])).collect();
        assert_eq!(rows, wanted);
        let units = [1, 2, 3, 4, 6].map(|column| table.unit(column));
        assert_eq!(units, ["GB", "TFLOP", "ms", "ms", "ms"].map(Some));
    }
    // The report names the cause in words: reads of weights bind, but attention over 128K at 128 requests computes.
    let bounds = |choices| {
        let table = printed(TableId::Stages, choices);
        table.rows.iter().filter_map(|row| row.cells[4].word).collect::<Vec<_>>()
    };
    assert_eq!(bounds(&A), ["hbm", "hbm", "hbm", "hbm"]);
    assert_eq!(bounds(&B), ["compute", "compute", "hbm", "compute"]);
}

#[test]
fn layers_are_the_reports() {
    let cases = [
        (
            &A,
            [
                "30 | 324 MB | 1.09 GB | 167.8 GFLOP | 0.053 ms",
                "31 | 304 MB | 153.4 MB | 89.2 GFLOP | 0.024 ms",
                "61 | 5.03 GB | — | 29.6 GFLOP | 0.187 ms",
            ],
            ["0.45 MB", "0.72 µs"],
        ),
        (
            &B,
            [
                "30 | 324 MB | 0.62 GB | 190.3 GFLOP | 0.036 ms",
                "31 | 304 MB | 84.9 MB | 116.4 GFLOP | 0.019 ms",
                "61 | 11.00 GB | — | 118.4 GFLOP | 0.409 ms",
            ],
            ["1.81 MB", "2.87 µs"],
        ),
    ];
    for (choices, wanted, exchange) in cases {
        let table = printed(TableId::Layers, choices);
        let cell = |row: usize, column: usize| table.rows[row].cells[column - 1].shown.to_string();
        for (row, wanted) in wanted.iter().enumerate() {
            assert_eq!([1, 2, 3, 4, 6].map(|column| cell(row, column)).join(" | "), *wanted);
        }
        assert_eq!([5, 6].map(|column| cell(3, column)), exchange);
    }
}

#[test]
fn the_scan_is_the_reports() {
    let wanted = [
        "128K | 16 | 85.04 | 109.55 | fits | 173.35 | 2.66 | 0.02 | 8.09 | 1,977",
        "128K | 32 | 151.24 | 110.98 | fits | 306.75 | 5.32 | 0.04 | 13.16 | 2,432",
        "128K | 64 | 242.92 | 113.84 | fits | 491.46 | 10.64 | 0.09 | 20.63 | 3,103",
        "128K | 128 | 332.17 | 119.56 | fits | 671.28 | 21.29 | 0.17 | 27.78 | 4,607",
        "128K | 256 | 377.00 | 131.00 | fits | 761.62 | 42.57 | 0.35 | 33.15 | 7,722",
        "128K | 512 | 383.87 | 153.87 | does not fit | 775.46 | 85.15 | 0.70 | 36.88 | 13,882",
        "1M | 16 | 85.04 | 119.50 | fits | 173.35 | 18.80 | 0.02 | 8.69 | 1,840",
        "1M | 32 | 151.24 | 130.87 | fits | 306.75 | 37.60 | 0.04 | 14.36 | 2,229",
        "1M | 64 | 242.92 | 153.62 | does not fit | 491.46 | 75.21 | 0.09 | 23.03 | 2,779",
        "1M | 128 | 332.17 | 199.12 | does not fit | 671.28 | 150.41 | 0.17 | 32.58 | 3,929",
        "1M | 256 | 377.00 | 290.12 | does not fit | 761.62 | 300.83 | 0.35 | 42.75 | 5,989",
        "1M | 512 | 383.87 | 472.11 | does not fit | 775.46 | 601.65 | 0.70 | 56.07 | 9,131",
    ];
    let table = printed(TableId::Scan, &[]);
    let columns: Vec<usize> = (0..10).collect();
    let batches = [16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
    let rows: Vec<_> = (0..table.rows.len())
        .filter(|row| batches.contains(&table.rows[*row].cells[0].value.unwrap()))
        .map(|row| digits(&table, row, &columns))
        .collect();
    assert_eq!(rows, wanted);
    for row in &table.rows {
        assert_eq!(row.bad, row.cells[3].word == Some("false"));
    }
}

#[test]
fn capacity_is_the_reports() {
    let table = printed(TableId::Capacity, &[]);
    let rows: Vec<_> = (0..table.rows.len()).map(|row| digits(&table, row, &[0, 1, 2, 3, 4])).collect();
    let wanted = [
        "8K | 0.05 | 0.01 | 5,378 | 4,070",
        "32K | 0.18 | 0.02 | 1,444 | 1,092",
        "128K | 0.71 | 0.09 | 367 | 278",
        "1M | 5.69 | 0.71 | 46 | 34",
    ];
    assert_eq!(rows, wanted);
    let bad =
        |choices| printed(TableId::Capacity, choices).rows.iter().map(|row| row.bad).collect::<Vec<_>>();
    assert_eq!(bad(&[]), [false; 4]);
    assert_eq!(bad(&[(Key::Batch, "279")]), [false, false, true, true]);
}

#[test]
fn prefill_is_the_reports() {
    let table = printed(TableId::Prefill, &[]);
    let columns = [1, 2, 3, 4, 5, 7, 8, 9];
    let rows: Vec<_> = (0..table.rows.len()).map(|row| digits(&table, row, &columns)).collect();
    let wanted = [
        "8,192 | 49.49 | 16.06 | 53.07 | 0.01 | 121.64 | 67,348 | 218.69",
        "8,192 | 49.49 | 52.17 | 53.07 | 0.01 | 157.75 | 51,930 | 1,399.27",
        "8,192 | 49.49 | 359.50 | 53.07 | 0.01 | 465.08 | 17,614 | 9,663.32",
    ];
    assert_eq!(rows, wanted);
    assert_eq!(table.rows.iter().map(|row| row.head.as_str()).collect::<Vec<_>>(), ["0", "128K", "1M"]);
}

const SCENARIOS: [&[(Key, &str)]; 7] = [
    &[],
    &[(Key::Context, "1048576"), (Key::Batch, "32")],
    &[(Key::Layout, "dp_attention_ep"), (Key::Batch, "64"), (Key::Context, "131072")],
    &[
        (Key::Layout, "dp_attention_ep"),
        (Key::Ep, "64"),
        (Key::Gpu, "b300"),
        (Key::Mtp, "true"),
        (Key::DraftDepth, "3"),
        (Key::OverheadLargeMs, "2"),
        (Key::Batch, "1024"),
    ],
    &[(Key::Gpu, "b300"), (Key::OverheadSmallMs, "1.5"), (Key::Pp, "2")],
    &[(Key::Model, "v4-flash"), (Key::Tp, "1"), (Key::Context, "1"), (Key::Batch, "1")],
    &[(Key::Tp, "16"), (Key::Context, "1000"), (Key::Prefix, "12345"), (Key::Batch, "7")],
];

fn complete(table: &Table) {
    let name = table.name;
    assert_eq!(table.reason.is_some(), table.rows.is_empty(), "{name}");
    assert_eq!(table.rows.is_empty(), table.columns.is_empty(), "{name}");
    for row in &table.rows {
        assert_eq!(row.cells.len() + 1, table.columns.len(), "{name} {}", row.head);
        assert!(!row.head.is_empty() && (row.value.is_some() || !row.code.is_empty()), "{name}");
        for (cell, column) in row.cells.iter().zip(&table.columns[1..]) {
            assert!(cell.share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{name} {}", column.name);
            assert!(cell.word.is_none() || !column.numeric, "{name} {}", column.name);
            assert!(!cell.own || cell.figure.is_some(), "{name} {}", column.name);
            assert!(cell.most.is_none_or(|most| most >= cell.value.unwrap()), "{name} {}", column.name);
        }
        for (key, number) in &row.takes {
            assert_eq!(Scenario::default().choose_number(*key, *number), Ok(()), "{name}");
        }
    }
    for column in 0..table.columns.len() {
        for descending in [false, true] {
            let mut order = table.sorted(column, descending);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..table.rows.len()), "{name}");
        }
    }
    let width = table.columns.len();
    assert!(table.tsv().lines().all(|line| line.split('\t').count() == width.max(1)), "{name}");
    let columns = table.csv().lines().next().map_or(0, |head| head.split(',').count());
    assert!(table.csv().lines().all(|line| line.split(',').count() == columns), "{name}\n{}", table.csv());
    assert_eq!(table.markdown().lines().count(), if width == 0 { 2 } else { table.rows.len() + 2 });
}

#[test]
fn every_row_is_complete_in_both_languages() {
    for choices in SCENARIOS {
        let scenario = chosen(choices);
        for ledger in Ledger::ALL {
            for id in TableId::ALL {
                let tables =
                    LOOKS.map(|(language, base)| derive(*id, ledger, &scenario, look(language, base)));
                tables.iter().for_each(complete);
                let [chinese, _, english, _] = &tables;
                assert_eq!(chinese.csv(), english.csv(), "files are the same in every look");
                assert_eq!(chinese.rows.len(), english.rows.len());
                for (one, other) in chinese.columns.iter().zip(&english.columns) {
                    assert_eq!(one.code, other.code);
                    assert!(!other.name.chars().any(|sign| sign > '\u{2fff}'), "{}", other.name);
                    assert!(one.name.chars().any(|sign| sign > '\u{2fff}'), "{}", one.name);
                }
            }
        }
    }
}

#[test]
fn own_figures_are_the_reports_and_stand_where_the_scenario_does() {
    for choices in SCENARIOS {
        let scenario = chosen(choices);
        for ledger in Ledger::ALL {
            let own = report(ledger, &scenario, &of(scenario.resolve(ledger).model));
            for id in TableId::ALL {
                let table = derive(*id, ledger, &scenario, look(Language::English, ByteBase::Binary));
                let over_key = matches!(id, TableId::Scan | TableId::Capacity | TableId::Prefill);
                if over_key && table.reason.is_none() {
                    assert_eq!(table.rows.iter().filter(|row| row.here).count(), 1, "{}", id.name());
                }
                // With drafts the scan counts the experts that all positions touch, the figure those of one token each.
                let drafted = choices.contains(&(Key::Mtp, "true"));
                for row in table.rows.iter().filter(|row| row.here || !over_key) {
                    for (cell, column) in row.cells.iter().zip(&table.columns[1..]) {
                        let place = format!("{} {} {}", id.name(), ledger.name(), column.name);
                        match cell.figure {
                            // What does not fit has no step: then neither has the cell.
                            Some(figure) => {
                                let there = &own.get(figure).unwrap().value;
                                assert_eq!(cell.own, *there != crate::figure::Value::Absent, "{place}");
                                assert!(cell.own == (cell.value.is_some() || cell.word.is_some()), "{place}");
                            }
                            None => {
                                let drafts = drafted && column.code == "distinct_experts";
                                let named = *id == TableId::Scan && column.code != "batch" && !drafts;
                                assert!(!cell.own && !named, "{place}");
                            }
                        }
                    }
                }
                let elsewhere = table.rows.iter().filter(|row| over_key && !row.here);
                assert!(elsewhere.flat_map(|row| &row.cells).all(|cell| !cell.own));
            }
        }
    }
}

/// The numbers of a column in rows that add up, and those of the sums.
fn sums(table: &Table, column: usize) -> (f64, Vec<f64>) {
    let of = |row: &Row| row.cells[column - 1].value.filter(|_| row.cells[column - 1].most.is_none());
    let parts = table.rows.iter().filter(|row| !row.total && !row.aside).filter_map(of).sum();
    (parts, table.rows.iter().filter(|row| row.total).filter_map(of).collect())
}

#[test]
fn totals_add_up() {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    let english = look(Language::English, ByteBase::Decimal);
    let (mut steps, mut ranges) = (0, 0);
    for choices in SCENARIOS {
        let scenario = chosen(choices);
        for ledger in [Ledger::Report, Ledger::Exact] {
            let own = report(ledger, &scenario, &of(scenario.resolve(ledger).model));
            let table = derive(TableId::Stages, ledger, &scenario, english);
            if table.reason.is_none() {
                let (parts, totals) = sums(&table, 6);
                if let Some(step) = own.number("decode.step_s") {
                    assert!(near(parts, step) && near(*totals.last().unwrap(), step), "{choices:?}");
                    steps += 1;
                }
                for column in [1, 2] {
                    let (parts, totals) = sums(&table, column);
                    assert!(totals.len() == 1 && near(parts, totals[0]), "{choices:?}");
                }
                let step = table.rows.iter().find(|row| row.code == "step").unwrap();
                if let Some(most) = step.cells[5].most {
                    assert_eq!(Some(most), own.number("decode.step_high_s"));
                    assert!(step.cells[5].shown.number.contains('–'));
                    ranges += 1;
                }
                let shares: f64 = table.rows.iter().filter_map(|row| row.cells[6].share).sum();
                assert!(near(shares, 1.0), "{shares}");
            }
            let table = derive(TableId::Exchanges, ledger, &scenario, english);
            if ledger == Ledger::Exact && table.reason.is_none() {
                for column in [1, 3, 4, 5] {
                    let (parts, totals) = sums(&table, column);
                    assert!(near(parts, totals[0]), "{choices:?} {column}");
                }
            }
            for row in &derive(TableId::Prefill, ledger, &scenario, english).rows {
                let exchange = usize::from(ledger == Ledger::Exact);
                let total = 6 + exchange;
                let parts: f64 = row.cells[1..total].iter().map(|cell| cell.value.unwrap()).sum();
                assert!(near(parts, row.cells[total].value.unwrap()), "{choices:?}");
            }
        }
    }
    assert!(steps > 3 && ranges > 0, "{steps} steps, {ranges} ranges");
}

#[test]
fn what_a_ledger_does_not_speak_of_is_said() {
    let english = look(Language::English, ByteBase::Binary);
    let empty = |ledger, choices: &[(Key, &str)]| -> Vec<&str> {
        let none = |id: &&TableId| derive(**id, ledger, &chosen(choices), english).reason.is_some();
        TableId::ALL.iter().filter(none).map(|id| id.name()).collect()
    };
    assert_eq!(empty(Ledger::Tutorial, &[]), ["stages", "layers", "prefill"]);
    assert_eq!(empty(Ledger::Report, &[]), [""; 0]);
    assert_eq!(empty(Ledger::Exact, &[]), [""; 0]);
    assert_eq!(empty(Ledger::Exact, &[(Key::Tp, "1")]), ["exchanges"]);
    assert_eq!(empty(Ledger::Report, &[(Key::Gpus, "1")]), ["exchanges"]);
    assert_eq!(empty(Ledger::Exact, &[(Key::Tp, "7")]).len(), TableId::ALL.len());
}

#[test]
fn rows_are_sorted_by_number_with_nothing_last_and_sums_below() {
    let table = printed(TableId::Stages, &A);
    let codes = |column, descending| -> Vec<&str> {
        table.sorted(column, descending).into_iter().map(|row| &*table.rows[row].code).collect()
    };
    assert_eq!(codes(6, true), ["moe", "attn", "fixed", "proj", "head", "step", "exchange"]);
    assert_eq!(codes(6, false), ["head", "proj", "fixed", "attn", "moe", "step", "exchange"]);
    assert_eq!(codes(1, false), ["head", "proj", "attn", "moe", "fixed", "step", "exchange"]);
    assert_eq!(codes(0, true), ["fixed", "head", "moe", "attn", "proj", "step", "exchange"]);
    let scan = printed(TableId::Scan, &[]);
    let first = &scan.rows[scan.sorted(9, true)[0]];
    assert_eq!((first.head.as_str(), first.cells[0].value), ("128K", Some(1024.0)));
    assert_eq!(scan.sorted(0, false), (0..24).collect::<Vec<_>>(), "equal heads keep their order");
    assert_eq!(scan.sorted(99, false).len(), 24);
}

#[test]
fn files_carry_what_is_shown_or_base_units() {
    let table = printed(TableId::Capacity, &[]);
    assert_eq!(
        table.csv().lines().take(2).collect::<Vec<_>>(),
        [
            "context,cache_bytes_per_request,cache_bytes_per_request_and_gpu,max_batch,max_batch_reserved",
            "8192,48893952,6111744,5378,4070"
        ]
    );
    assert_eq!(
        table.tsv().lines().take(2).collect::<Vec<_>>(),
        [
            "Context\tCache per request [GB]\tOf it on each GPU [GB]\tLargest batch\tWith the reserve kept",
            "8K\t0.05\t0.01\t5378\t4070"
        ]
    );
    assert_eq!(
        table.markdown().lines().take(3).collect::<Vec<_>>(),
        [
            "| Context | Cache per request [GB] | Of it on each GPU [GB] | Largest batch | With the reserve kept |",
            "| ---: | ---: | ---: | ---: | ---: |",
            "| 8K | 0.05 | 0.01 | 5\u{a0}378 | 4\u{a0}070 |"
        ]
    );
    // Cells of one column in different units carry their own.
    assert!(printed(TableId::Layers, &A).tsv().contains("\t1.09 GB\t"));
    // Ranges have a column for the most, and words are those of the figures.
    let scenario = chosen(&[(Key::Layout, "dp_attention_ep"), (Key::Batch, "64")]);
    let scan = derive(TableId::Scan, Ledger::Exact, &scenario, look(Language::Chinese, ByteBase::Binary));
    let csv = scan.csv();
    assert!(csv.lines().next().unwrap().ends_with("step_s,step_s_most,tokens_per_s,tokens_per_s_most"));
    assert!(csv.contains(",true,") && !csv.contains('—'));
}

#[test]
fn cases_are_links_that_are_taken_as_they_are() {
    let mut names: Vec<_> = presets().iter().map(|preset| preset.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), presets().len());
    let mut told = Vec::new();
    for preset in presets() {
        let (link, refusals) = Link::read(preset.query);
        assert_eq!(refusals, [], "{}", preset.name);
        assert_eq!(link.write(), preset.query, "{}", preset.name);
        let fits = report(link.ledger, &link.scenario, &crate::spec::v4_pro())
            .flag(crate::ledger::memory::Judges::of(link.ledger).fits);
        told.push((preset.name, fits));
    }
    let fit: Vec<_> = told.iter().filter(|(_, fits)| *fits).map(|(name, _)| *name).collect();
    assert_eq!(
        fit,
        [
            "tutorial-16-gpus",
            "report-long",
            "report-online",
            "report-prefill-1m",
            "exact-dp8-ep8",
            "exact-b300"
        ]
    );
}

#[test]
fn names_are_read_back() {
    for id in TableId::ALL {
        assert_eq!(TableId::from_name(id.name()), Some(*id));
        for (language, base) in LOOKS {
            let look = look(language, base);
            assert!(!id.title(look).is_empty() && !id.about(look).is_empty());
        }
    }
    assert_eq!(TableId::from_name("nothing"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_table_breaks_at_any_scenario(
        choices in prop::collection::vec((0..Key::ALL.len(), 0.0..1.0_f64, 0..8_usize), 0..8),
    ) {
        let mut scenario = Scenario::default();
        for (key, share, word) in choices {
            let key = Key::ALL[key];
            let _ = match key.bound() {
                crate::scenario::Bound::Whole(low, high) => {
                    // Small numbers as likely as large ones.
                    let number = low as f64 + ((high - low) as f64 + 1.0).powf(share) - 1.0;
                    scenario.choose_number(key, number.floor())
                }
                crate::scenario::Bound::Real(low, high) => scenario.choose_number(key, low + share * (high - low)),
                crate::scenario::Bound::OneOf(words) => scenario.choose_text(key, words[word % words.len()]),
            };
        }
        for ledger in Ledger::ALL {
            for id in TableId::ALL {
                complete(&derive(*id, ledger, &scenario, look(Language::Chinese, ByteBase::Binary)));
            }
        }
    }
}
