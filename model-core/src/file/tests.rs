//! Files come back as they were written; whatever else is read is refused at its place or gives a scenario that can be
//! carried out, and nothing breaks.

use proptest::prelude::*;

use super::*;
use crate::basis::Basis;
use crate::chart::ChartId;
use crate::derivation;
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::import::{self, Imported, config, import, not_in_link};
use crate::json::{self, Json};
use crate::language::Language;
use crate::ledger::report;
use crate::plan;
use crate::scenario::{Bound, Key, Model, Scenario, Setting};
use crate::scene::{Facts, Layout, Look, SceneId, end_of};
use crate::spec::{AttentionKind, ModelSpec, Routing, of, v4_flash, v4_pro};
use crate::table::TableId;

const TINY: &str = include_str!("../../tests/configs/tiny-pro.config.json");
const TINY_FLASH: &str = include_str!("../../tests/configs/tiny-flash.config.json");
const FLASH: &str = include_str!("../../tests/configs/v4-flash.config.json");
const ENGLISH: Look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Binary };

fn chosen(choices: &[(Key, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (key, text) in choices {
        scenario.choose_text(*key, text).unwrap();
    }
    scenario
}

fn written(scenario: &Scenario, ledger: Ledger, base: ByteBase, spec: &ModelSpec) -> String {
    let settings = scenario.resolve(ledger);
    let report = report(ledger, scenario, spec);
    write(Basis { scenario, report: &report, settings: &settings, spec }, base)
}

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

/// A file of ours with a scenario of these entries.
fn file(entries: &str) -> String {
    format!(
        r#"{{"format": "one-token-eight-gpus", "version": 1, "ledger": "exact", "scenario": {{{entries}}}}}"#
    )
}

fn of_scenario(scenario: Scenario, ledger: Ledger, base: ByteBase, model: Option<Imported>) -> Opened {
    Opened::Scenario { scenario: Box::new(scenario), ledger, base, model }
}

/// V4-Pro with another window: no built-in model.
fn own_model() -> Imported {
    let spec = ModelSpec { window: 256, ..v4_pro() };
    import(&config(&spec).write()).unwrap()
}

#[test]
fn a_file_reads_as_it_did() {
    let scenario = chosen(&[(Key::Batch, "48"), (Key::GpuMemoryGib, "141.5"), (Key::State, "false")]);
    let text = written(&scenario, Ledger::Tutorial, ByteBase::Binary, &v4_pro());
    let figures = text.lines().position(|line| line.starts_with("  \"figures\"")).unwrap();
    insta::assert_snapshot!(text.lines().take(figures + 60).collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_figure_is_in_the_file_in_its_order() {
    for ledger in Ledger::ALL {
        let scenario = Scenario::default();
        let text = written(&scenario, ledger, ByteBase::Decimal, &v4_pro());
        let Json::Object(entries) = json::read(&text).unwrap() else { panic!("{text}") };
        let Some((name, Json::Object(figures))) = entries.last() else { panic!("{text}") };
        assert_eq!(name, key::FIGURES);
        let report = report(ledger, &scenario, &v4_pro());
        assert_eq!(figures.len(), report.figures().len());
        for ((id, json), figure) in figures.iter().zip(report.figures()) {
            let Json::Object(fields) = json else { panic!("{id}") };
            assert_eq!(id, figure.id);
            let (_, value) = &fields[0];
            let number = match value {
                Json::Whole(number) => Some(*number as f64),
                Json::Number(number) => Some(*number),
                _ => None,
            };
            assert_eq!(number, figure.value.number(), "{id}");
            let derived = fields.iter().any(|(key, value)| key == "formula" && *value != Json::Null);
            assert_eq!(derived, !figure.formula.template.is_empty(), "{id}");
        }
    }
}

#[test]
fn a_model_of_the_readers_own_travels_in_the_file() {
    let model = own_model();
    let (scenario, told) = model.fit(Ledger::Exact, &chosen(&[(Key::Vocab, "1000"), (Key::Batch, "3")]));
    assert_eq!(told, []);
    assert_eq!((scenario.chosen(Key::Vocab), scenario.chosen(Key::Batch)), (None, Some(Setting::Whole(3))));
    // Another window changes no weight.
    assert_eq!(scenario.chosen(Key::WeightsGb), Some(Setting::Real(864.704_792_696)));
    let text = written(&scenario, Ledger::Exact, ByteBase::Binary, &model.spec);
    assert!(text.contains("\"link\": null") && text.contains("\"model\": \"imported\""));
    let (ledger, base) = (Ledger::Exact, ByteBase::Binary);
    assert_eq!(read(&text), Ok(of_scenario(scenario, ledger, base, Some(model.clone()))));
    assert!(not_in_link(&model.spec, ENGLISH).is_some() && not_in_link(&v4_pro(), ENGLISH).is_none());
    assert!(model.notes(ENGLISH).len() >= 2);
    // Written from a built-in model's shapes, it is that one again.
    let text =
        file("\"batch\": 3").replacen('{', &format!("{{\"model\": {}, ", config(&v4_flash()).write()), 1);
    let flash = chosen(&[(Key::Batch, "3"), (Key::Model, "v4-flash")]);
    assert_eq!(read(&text), Ok(of_scenario(flash, ledger, base, None)));
}

#[test]
fn a_configuration_comes_through_the_same_door() {
    assert_eq!(read(FLASH), Ok(Opened::BuiltIn(Model::V4Flash)));
    assert_eq!(read_bytes(FLASH.as_bytes()), Ok(Opened::BuiltIn(Model::V4Flash)));
    assert_eq!(read(TINY), Ok(Opened::Model(import(TINY).unwrap())));
    let model = import(TINY).unwrap();
    for ledger in Ledger::ALL {
        let (scenario, told) = model.fit(ledger, &chosen(&[(Key::Tp, "16")]));
        assert_eq!(plan::check(ledger, &scenario, &model.spec), Ok(()), "{}", ledger.name());
        // A toy is smaller than the least size of a checkpoint; that and the plan are told.
        let keys: Vec<&str> = told.iter().map(|refusal| refusal.key.as_str()).collect();
        assert_eq!(keys, ["weights_gb", "tp"], "{}", ledger.name());
        let report = report(ledger, &scenario, &model.spec);
        assert!(report.number("cache.request.bytes").is_some_and(|bytes| bytes > 0.0));
    }
}

#[test]
fn a_model_of_the_readers_own_goes_wherever_a_model_goes() {
    for text in [TINY, TINY_FLASH] {
        let model = import(text).unwrap();
        for ledger in Ledger::ALL {
            let (scenario, _) = model.fit(ledger, &Scenario::default());
            let (settings, spec) = (scenario.resolve(ledger), &model.spec);
            let report = report(ledger, &scenario, spec);
            let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec };
            let charts = ChartId::ALL.iter().filter(|id| id.derive(basis).draw(ENGLISH).marks.len() > 10);
            assert!(charts.count() >= 4, "{}", ledger.name());
            let tables = TableId::ALL.iter().filter(|id| !id.derive(basis, ENGLISH).rows.is_empty());
            assert!(tables.count() >= 2, "{}", ledger.name());
            for figure in report.figures() {
                let derivation = derivation::of(figure.id, basis, ENGLISH).unwrap();
                assert_eq!(&derivation.figure, figure);
            }
            for id in SceneId::ALL {
                let scene = id.derive(Facts { report: &report, settings: &settings, spec });
                assert!(!scene.frame(end_of(*id), ENGLISH).marks.is_empty(), "{}", id.name());
            }
        }
    }
}

#[test]
fn refusals_name_place_and_reason() {
    let head = r#"{"format": "one-token-eight-gpus", "version": 1, "#;
    for (text, line) in [
        (file(r#""tp": 3"#), "/scenario/tp: cannot be cut into 3, which does not divide 16 output groups"),
        (file(r#""batch": 0"#), "/scenario/batch: “0” is below 1"),
        (file(r#""batch": 1.5"#), "/scenario/batch: “1.5” is not a whole number"),
        (file(r#""batch": 1e300"#), &format!("/scenario/batch: “1{}…” is above 1\u{a0}024", "0".repeat(39))),
        (file(r#""batch": -0.0"#), "/scenario/batch: “-0” is below 1"),
        (file(r#""batch": true"#), "/scenario/batch: a whole number is wanted, not true or false"),
        (file(r#""batch": null"#), "/scenario/batch: a whole number is wanted, not null"),
        (file(r#""batch": "many""#), "/scenario/batch: “many” is not a number"),
        (file(r#""gpu": "h300""#), "/scenario/gpu: “h300” is none of"),
        (file(r#""gpu": {}"#), "/scenario/gpu: text is wanted, not an object"),
        (file(r#""a/b~c": 1"#), "/scenario/a~1b~0c: no such key"),
        (file(r#""batch": 1, "batch": 1"#), "/scenario/batch: this key is given twice"),
        (format!("{head}\"scenario\": []}}"), "/scenario: an object is wanted, not a list"),
        (
            format!("{head}\"ledger\": \"mine\", \"scenario\": {{}}}}"),
            "/ledger: “mine” is none of tutorial, report, exact",
        ),
        (format!("{head}\"units\": 8, \"scenario\": {{}}}}"), "/units: text is wanted, not a whole number"),
        (format!("{head}\"extra\": 8, \"scenario\": {{}}}}"), "/extra: no such key"),
        (
            format!("{head}\"figures\": {{\"a\": [1, {{\"x\": 1, \"x\": 2}}]}}}}"),
            "/figures/a/1/x: this key is given twice",
        ),
        (format!("{head}\"ledger\": \"exact\"}}"), "/scenario: missing"),
        (r#"{"scenario": {}}"#.to_owned(), "/version: missing"),
        (r#"{"version": 2, "scenario": {}}"#.to_owned(), "/version: the file is of version 2"),
        (r#"{"version": "1", "scenario": {}}"#.to_owned(), "/version: a whole number is wanted, not text"),
        (
            r#"{"format": "other", "version": 1}"#.to_owned(),
            "/format: “other” is none of one-token-eight-gpus",
        ),
        (
            format!("{head}\"model\": {{\"model_type\": \"llama\"}}, \"scenario\": {{}}}}"),
            "/model/model_type: \"llama\" is another architecture",
        ),
        (
            format!("{head}\"model\": 1, \"scenario\": {{}}}}"),
            "/model: an object is wanted, not a whole number",
        ),
        (r#"{"model_type": "llama"}"#.to_owned(), "/model_type: \"llama\" is another architecture"),
        (
            FLASH
                .replace("[\n    0,", "[\n    7,")
                .replace("\"compress_ratios\": [0", "\"compress_ratios\": [7"),
            "/compress_ratios/0: ratio 7 is unknown",
        ),
        ("{}".to_owned(), "neither a scenario exported here nor a model's config.json"),
        ("[1, 2]".to_owned(), "neither a scenario"),
        (String::new(), "line 1, column 0: the file ends too early"),
        ("{\n x".to_owned(), "line 2, column 2: this is not JSON"),
        ("[1e999]".to_owned(), "line 1, column 6: a number too large to hold"),
        ("[".repeat(100_000), "line 1, column 128: nested too deep"),
        (format!("[{}0]", "0,".repeat(300_000)), "line 1, column 524287: more values than such a file has"),
        (" ".repeat(MAX_BYTES + 1), "the file has 5242881 bytes, 5242880 are read at most"),
    ] {
        assert!(refused(&text).starts_with(line), "{} for {}", refused(&text), &text[..text.len().min(200)]);
    }
    let refused = read_bytes(b"{\"a\": \"\xff\"}").unwrap_err();
    assert_eq!((&refused.place, &refused.reason), (&Place::Byte(7), &Reason::NotText));
    assert_eq!(refused.say(Language::Chinese), "第 7 字节之后：这里不是 UTF-8 文本");
}

#[test]
fn values_may_be_given_as_they_are_typed() {
    let text = file(
        r#""context": "128K", "state": "true", "mtp": true, "drop_rank": 5, "link_gb_s": 450, "skew": 1e-3"#,
    );
    let scenario = chosen(&[
        (Key::Context, "131072"),
        (Key::State, "true"),
        (Key::Mtp, "true"),
        (Key::DropRank, "5"),
        (Key::LinkGbS, "450"),
        (Key::Skew, "0.001"),
    ]);
    let (ledger, base) = (Ledger::Exact, ByteBase::Binary);
    assert_eq!(read(&text), Ok(of_scenario(scenario, ledger, base, None)));
}

/// A refusal speaks both languages, on one line, and says nothing of what it quotes that would break one.
fn spoken(refused: &Refused) {
    let han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let [chinese, english] = [Language::Chinese, Language::English].map(|language| refused.say(language));
    assert!(han(&refused.reason.say(Language::Chinese)), "{chinese}");
    for line in [&chinese, &english] {
        assert!(!line.is_empty() && !line.contains(['\n', '\r', '\u{1b}']), "{line:?}");
        assert!(line.len() < 20_000, "{}", line.len());
    }
}

/// What is read is a scenario that can be carried out, or refused in words; reading it again says the same.
fn sound(bytes: &[u8]) {
    let opened = read_bytes(bytes);
    assert_eq!(opened, read_bytes(bytes));
    match opened {
        Ok(Opened::Scenario { scenario, ledger, base, model }) => {
            let spec = model.map_or_else(|| of(scenario.resolve(ledger).model), |model| model.spec);
            assert_eq!(plan::check(ledger, &scenario, &spec), Ok(()));
            assert!(read(&written(&scenario, ledger, base, &spec)).is_ok());
        }
        Ok(Opened::Model(model)) => assert!(model.spec.built_in().is_none()),
        Ok(Opened::BuiltIn(_)) => {}
        Err(refused) => spoken(&refused),
    }
}

#[test]
fn megabytes_of_anything_are_answered() {
    let most = MAX_BYTES;
    let numbered = (0..400_000).map(|index| format!("\"k{index}\":{index},")).collect::<String>();
    let long = "k".repeat(most / 4);
    for junk in [
        "[".repeat(most),
        "{\"a\":".repeat(most / 5),
        " ".repeat(most),
        "7".repeat(most),
        format!("[{}0]", "0,".repeat(most / 2 - 2)),
        format!("[{}[]]", "[],".repeat(most / 3 - 2)),
        format!("{{{}\"k0\":0}}", numbered.get(..numbered.len().min(most - 10)).unwrap()),
        format!("{{\"{long}\":[{}{{\"x\":0,\"x\":0}}]}}", "{},".repeat(most / 8)),
        format!("\"{}\"", "\\u0041".repeat(most / 6 - 1)),
        format!("{{\"scenario\":{{}},\"version\":1,\"figures\":\"{}\"}}", "é".repeat(most / 2 - 60)),
        file(&format!("\"{long}\": 1")),
        file(&format!("\"gpu\": \"{long}\"")),
        file(&format!("\"batch\": \"{}\"", "9".repeat(most / 2))),
        "\u{0}".repeat(most),
        "é".repeat(most / 2),
    ] {
        assert!(junk.len() <= most, "{}", junk.len());
        sound(junk.as_bytes());
    }
    let mut noise = crate::random::SplitMix64::new(7);
    sound(&(0..most).map(|_| noise.next_u64() as u8).collect::<Vec<u8>>());
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    let text = |key: Key| match key.bound() {
        Bound::Whole(low, high) => {
            prop_oneof![Just(low), Just(high), low..=high].prop_map(|number| number.to_string()).boxed()
        }
        Bound::Real(low, high) => (low..=high).prop_map(|number| number.to_string()).boxed(),
        Bound::OneOf(words) => proptest::sample::select(words).prop_map(ToOwned::to_owned).boxed(),
    };
    let each: Vec<_> = Key::ALL.into_iter().map(|key| proptest::option::weighted(0.3, text(key))).collect();
    each.prop_map(|texts| {
        let mut scenario = Scenario::default();
        for (key, text) in Key::ALL.into_iter().zip(texts) {
            if let Some(text) = text {
                let _ = scenario.choose_text(key, &text);
            }
        }
        scenario
    })
}

fn any_ledger() -> impl Strategy<Value = Ledger> {
    proptest::sample::select(Ledger::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_scenario_comes_back_as_it_was(scenario in any_scenario(), ledger in any_ledger(), decimal in any::<bool>()) {
        let base = if decimal { ByteBase::Decimal } else { ByteBase::Binary };
        let spec = of(scenario.resolve(ledger).model);
        let read = read(&written(&scenario, ledger, base, &spec));
        match plan::check(ledger, &scenario, &spec) {
            Ok(()) => prop_assert_eq!(read, Ok(of_scenario(scenario, ledger, base, None))),
            Err(refusal) => {
                let refused = read.unwrap_err();
                prop_assert_eq!(refused.place, Place::Pointer(format!("/scenario/{}", refusal.key)));
                prop_assert_eq!(refused.reason, Reason::Refused(refusal));
            }
        }
    }

    #[test]
    fn a_specification_comes_back_as_it_was(
        [window, experts, width, rates] in [1_u64..1000, 8..64, 1..4096, 2..200],
        kinds in proptest::collection::vec((0_usize..3, any::<bool>()), 1..90),
        drafts in 0_usize..3,
    ) {
        let mut spec = ModelSpec {
            name: "imported", window, experts, expert_hidden: width, csa_ratio: rates, hca_ratio: 3 * rates, ..v4_flash()
        };
        let layer = |(kind, hashed): (usize, bool)| crate::spec::Layer {
            attention: AttentionKind::ALL[kind],
            routing: if hashed { Routing::Hash } else { Routing::Learned },
        };
        let draft = crate::spec::Layer { attention: AttentionKind::Window, routing: Routing::Learned };
        spec.layers = kinds.len();
        spec.schedule = kinds.into_iter().map(layer).chain(std::iter::repeat_n(draft, drafts)).collect();
        let imported = import::of_json(config(&spec)).unwrap();
        spec.active_params_nominal = imported.spec.active_params_nominal;
        prop_assert_eq!(imported.spec, spec);
        prop_assert_eq!(imported.assumed, Vec::<&str>::new());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        sound(&bytes);
        sound(String::from_utf8_lossy(&bytes).as_bytes());
    }

    #[test]
    fn mangled_files_are_read_or_refused(
        which in 0_usize..4,
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..12, proptest::sample::select(vec![
            "", "}", "{", "[", "1e999", "\"", ",", "99999999999999999999", "-1", "null", "\\", "\u{fffd}", "\"tp\": 3,",
        ])), 1..4),
    ) {
        let own = own_model();
        let whole = match which {
            0 => FLASH.to_owned(),
            1 => TINY.to_owned(),
            2 => file(r#""batch": 16, "context": 1000, "in_force": {"batch": 16}"#),
            _ => written(&Scenario::default(), Ledger::Tutorial, ByteBase::Binary, &own.spec),
        };
        let mut characters: Vec<char> = whole.chars().collect();
        for (at, length, put) in cuts {
            let start = at.index(characters.len().max(1)).min(characters.len());
            let end = (start + length).min(characters.len());
            characters.splice(start..end, put.chars());
        }
        sound(characters.into_iter().collect::<String>().as_bytes());
    }

    #[test]
    fn whatever_is_nested_however_deep_is_answered(
        parts in proptest::collection::vec((proptest::sample::select(vec!["[", "{\"a\":", "[0,", "{\"scenario\":"]), 1_usize..3000), 1..6),
        tail in proptest::sample::select(vec!["", "0", "]", "}", "\"", "{}"]),
    ) {
        let text: String = parts.into_iter().map(|(part, times)| part.repeat(times)).collect();
        sound((text + tail).as_bytes());
    }
}
