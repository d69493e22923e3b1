//! What the workbench shows: presets and claims come to numbers, pictures hold all ink and keep texts apart, tables have
//! a cell for each column.

use proptest::prelude::*;

use super::super::*;
use super::{TIMED, any_bent, basis, bench, with};
use crate::draw::{Drawing, Shape};
use crate::format::ByteBase;
use crate::language::Language;
use crate::scenario::Overlap;
use crate::scene::Layout;
use crate::spec::v4_pro;
use crate::table::Table;

#[test]
fn every_preset_moves_a_situation() {
    let spec = v4_pro();
    for preset in presets() {
        for (key, text) in preset.setting.iter().chain(preset.bends) {
            assert!(key.bound().read(text).is_ok(), "{} {text}", key.name());
        }
        assert_eq!(Preset::from_name(preset.name).unwrap().name, preset.name);
        assert!(preset.query().split('&').all(|pair| {
            let (key, value) = pair.split_once('=').unwrap();
            Key::from_name(key).unwrap().bound().read(value).is_ok()
        }));
        let effects = preset.effects(Ledger::Report, &spec);
        assert_eq!(effects.len(), 2, "{}", preset.name);
        let change = |effect: &Effect| (effect.bench.speedup() - 1.0).abs();
        assert!(effects.iter().any(|effect| change(effect) > 0.005), "{}", preset.name);
        assert!(effects.iter().all(|effect| effect.bench.moved().is_some()), "{}", preset.name);
        for effect in &effects {
            let bench = &effect.bench;
            if preset.kind == PresetKind::Direction {
                assert!(bench.speedup() > 1.0, "{} {:?}", preset.name, effect.case);
            }
        }
        // A difficulty costs time or requests.
        let costs = |e: &Effect| e.bench.speedup() < 0.99 || e.bench.after.batch < e.bench.before.batch;
        assert_eq!(preset.kind == PresetKind::Difficulty, effects.iter().any(costs), "{}", preset.name);
    }
    let kinds = presets().iter().filter(|preset| preset.kind == PresetKind::Direction).count();
    assert_eq!((kinds, presets().len()), (4, 8));
}

/// Applied to a situation of the report, the bench shows what the preset says of it; straightened, nothing is left.
#[test]
fn a_preset_applied_is_its_effect_and_straightening_undoes_it() {
    let spec = v4_pro();
    for ledger in LEDGERS.iter().copied() {
        for preset in presets() {
            for case in Case::ALL {
                let scenario = case.scenario();
                let applied = preset.applied(ledger, &scenario, &spec);
                assert_eq!(Preset::in_force(ledger, &applied, &spec).map(|p| p.name), Some(preset.name));
                let Some(effect) = preset.effect(case, ledger, &spec) else { continue };
                let here = bench(ledger, &applied);
                assert_eq!(
                    (&here.before, &here.after),
                    (&effect.bench.before, &effect.bench.after),
                    "{}",
                    preset.name
                );
                assert!(
                    preset.bends.iter().all(|(key, _)| here.bent.contains(key)),
                    "{} {:?}",
                    preset.name,
                    here.bent
                );
                assert!(preset.filled || straight(ledger, &applied, &spec) == scenario);
                // Another takes its place.
                let other = &presets()[0];
                if !preset.filled {
                    assert_eq!(
                        other.applied(ledger, &applied, &spec),
                        other.applied(ledger, &scenario, &spec)
                    );
                }
            }
        }
        assert!(Preset::in_force(ledger, &Scenario::default(), &spec).is_none());
    }
}

#[test]
fn what_binds_is_told_in_words() {
    for look in looks() {
        let scenario = with(&Case::Long.scenario(), &[(Key::ExpertCacheHit, "1"), (Key::NocTbS, "1")]);
        let bent = bench(Ledger::Report, &scenario);
        assert_eq!(bent.longest().map(|stage| stage.bound), Some(Resource::Noc));
        let told = bent.binding(look);
        assert_eq!(told.len(), 1 + bent.rebound().count());
        assert!(told.len() > 1 && told.iter().all(|sentence| !sentence.contains('{')), "{told:?}");
        let none = bench(Ledger::Tutorial, &Scenario::default());
        assert!(none.binding(look).is_empty() && none.excuse(look).is_some());
        for hits in ["0", "0.5"] {
            let settings = with(&scenario, &[(Key::ExpertCacheHit, hits)]).resolve(Ledger::Report);
            let need = CacheNeed::of(Ledger::Report, &settings, &v4_pro()).unwrap();
            assert!(!need.told(look).contains('{'), "{}", need.told(look));
        }
    }
}

#[test]
fn capacity_is_the_reports_and_then_less() {
    let preset = Preset::from_name("capacity").unwrap();
    let requests = |ledger| {
        let effects = preset.effects(ledger, &v4_pro());
        effects.iter().map(|e| (e.bench.before.batch, e.bench.after.batch)).collect::<Vec<_>>()
    };
    assert_eq!(requests(Ledger::Report), [(46, 34), (367, 278)]);
    for (before, after) in requests(Ledger::Exact) {
        assert!(after < before && before < 46 * 8);
    }
}

#[test]
fn claims_stand_beside_the_truth() {
    let spec = v4_pro();
    for look in looks() {
        let all = claims(&spec, look);
        for claim in &all {
            for text in [&claim.said, &claim.truth] {
                assert!(!text.contains(['{', '}', '—']) && !text.contains("NaN"), "{text}");
            }
            assert!(claim.numbers.iter().all(|number| number.is_finite()));
            assert!(Preset::from_name(claim.preset).is_some());
        }
        let of = |name: &str| all.iter().find(|claim| claim.name == name).unwrap();
        let [said, truth] = of("link-rate").numbers.map(f64::round);
        assert_eq!((said, truth, of("link-rate").holds), (2199.0, 4398.0, true));
        assert_eq!((of("network").numbers[0].round(), of("network").holds), (39_580.0, false));
        // The published step lies below the floor of an HBM at its peak.
        assert!(of("step").numbers[0] < of("step").numbers[1] && !of("step").holds);
        let [even, skewed] = of("skew").numbers;
        assert!(even > 1.05 && skewed < even && !of("skew").holds, "{even} {skewed}");
        assert_eq!((of("capacity").numbers[0], of("capacity").holds), (34.0, false));
        assert!(of("l2").holds && !of("fixed").holds);
    }
}

#[test]
fn doubling_is_sorted_and_is_what_bending_does() {
    for ledger in TIMED {
        for case in Case::ALL {
            for overlap in Overlap::ALL {
                let scenario = with(&case.scenario(), &[(Key::Overlap, overlap.word())]);
                let found = basis(ledger, &scenario, Sensitivity::of);
                assert!(found.gains.windows(2).all(|pair| pair[0].gain >= pair[1].gain));
                let gain = |code: &str| *found.gains.iter().find(|gain| gain.code == code).unwrap();
                let twice = bench(ledger, &with(&scenario, &[(Key::HbmTbS, "9.6")]));
                let speedup = gain("hbm").speedup;
                assert!((speedup / twice.speedup() - 1.0).abs() < 1e-12, "{speedup}");
                assert!(
                    found.gains.iter().all(|gain| gain.gain.get() >= -1e-12 && gain.speedup >= 1.0 - 1e-9)
                );
                if *overlap == Overlap::Ledger {
                    assert_eq!(gain("link").gain.get() + gain("startup").gain.get(), 0.0);
                } else if *overlap == Overlap::Serial {
                    assert!(gain("link").gain.get() > 0.0 && gain("startup").gain.get() > 0.0);
                }
            }
        }
    }
    let none = basis(Ledger::Tutorial, &Scenario::default(), Sensitivity::of);
    assert!(none.gains.is_empty() && none.reason.is_some());
}

#[test]
fn no_l2_holds_a_layers_experts() {
    let settings = Case::Long.scenario().resolve(Ledger::Exact);
    let need = CacheNeed::of(Ledger::Exact, &settings, &v4_pro()).unwrap();
    // 19 of 35.09 MB each, and 822 GB over eight GPUs.
    assert!((need.layer.get() / (152.01 / 8.0 * 35.094_528e6) - 1.0).abs() < 1e-3);
    assert!((need.resident.get() / 102.755e9 - 1.0).abs() < 1e-3, "{:?}", need.resident);
    assert!(need.l2 < need.layer && need.held() < 1e-3);
    assert_eq!(need.needed, Bytes::ZERO);
}

fn looks() -> Vec<Look> {
    let mut all = Vec::new();
    for layout in [Layout::Wide, Layout::Narrow] {
        for language in [Language::Chinese, Language::English] {
            all.push(Look { layout, language, base: ByteBase::Decimal });
        }
    }
    all
}

fn assert_readable(drawing: &Drawing) {
    assert!(!drawing.title.is_empty() && !drawing.description.is_empty());
    assert!(!drawing.description.contains('{'), "{}", drawing.description);
    let mut texts: Vec<(&str, [f64; 4])> = Vec::new();
    for mark in &drawing.marks {
        let ink = mark.ink();
        let [left, top, right, bottom] = ink;
        assert!(ink.iter().all(|side| side.is_finite()), "{mark:?}");
        let inside = left >= 0.0 && top >= 0.0 && right <= drawing.width + 1e-6 && bottom <= drawing.height;
        assert!(inside, "{mark:?} sticks out of {} × {}", drawing.width, drawing.height);
        if let Shape::Text { text, size, .. } = &mark.shape {
            assert!(*size >= 13.0, "{text} is small");
            let touches =
                |other: &[f64; 4]| left < other[2] && other[0] < right && top < other[3] && other[1] < bottom;
            if let Some((other, _)) = texts.iter().find(|(_, other)| touches(other)) {
                panic!("“{text}” touches “{other}”");
            }
            texts.push((text, ink));
        }
    }
}

fn assert_table(table: &Table) {
    for row in &table.rows {
        assert_eq!(row.cells.len() + 1, table.columns.len(), "{}", row.head);
    }
    assert_eq!(table.csv().lines().count(), table.rows.len() + 1);
    assert_eq!(table.rows.is_empty(), table.reason.is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn pictures_and_tables_hold_whatever_is_bent((scenario, ledger) in any_bent()) {
        basis(ledger, &scenario, |basis| {
            let (bench, found) = (Bench::of(basis), Sensitivity::of(basis));
            for look in looks() {
                for drawing in [bench.draw(look), bench.draw_whole(look), found.draw(look), found.draw_whole(look)] {
                    assert_readable(&drawing);
                }
                for table in [
                    bench.table(basis, look),
                    bench.before_table(basis, look),
                    bench.after_table(basis, look),
                    bench.domain_table(basis, look),
                    found.table(basis, look),
                ] {
                    assert_table(&table);
                }
            }
        });
    }
}

#[test]
fn pictures_tell_what_binds_without_colour() {
    for look in looks() {
        let basis_of = |scenario: &Scenario| bench(Ledger::Report, scenario).draw(look);
        let preset = Preset::from_name("expert-cache").unwrap();
        let mut scenario = Case::Online.scenario();
        preset.apply(&mut scenario);
        let drawing = basis_of(&scenario);
        let texts: Vec<&str> = drawing
            .marks
            .iter()
            .filter_map(
                |mark| if let Shape::Text { text, .. } = &mark.shape { Some(text.as_str()) } else { None },
            )
            .collect();
        for resource in [Resource::Hbm, Resource::Compute] {
            let word = look.say(words::resource(resource));
            assert!(texts.iter().any(|text| text.ends_with(&format!("· {word}"))), "{word}");
        }
        assert_readable(&bench(Ledger::Tutorial, &Scenario::default()).draw(look));
        let legend = bench(Ledger::Report, &scenario).legend(look);
        assert!(legend.len() >= 2);
    }
}

#[test]
fn presets_are_a_table_in_every_ledger() {
    let scenario = Scenario::default();
    for ledger in Ledger::ALL {
        basis(ledger, &scenario, |basis| {
            for look in looks() {
                let table = effects_table(ledger, basis.spec, basis, look);
                assert_table(&table);
                assert!(ledger == Ledger::Tutorial || table.rows.len() >= 15, "{}", table.rows.len());
            }
        });
    }
}

#[test]
fn cells_name_the_figures_they_are() {
    basis(Ledger::Report, &Case::Long.scenario(), |basis| {
        let table = Bench::of(basis).table(basis, looks()[0]);
        let named: Vec<_> = table.rows.iter().filter_map(|row| row.cells[0].figure).collect();
        let wanted = [
            "decode.proj_s",
            "decode.attn_s",
            "decode.moe_s",
            "decode.head_s",
            "decode.overhead_s",
            "decode.step_s",
        ];
        assert_eq!(named, wanted);
        let links = Bench::of(basis).domain_table(basis, looks()[0]);
        assert_eq!(links.rows[0].cells[1].figure, Some("network.flops_per_byte"));
    });
}
