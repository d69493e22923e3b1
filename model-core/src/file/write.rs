//! Writes a scenario and its figures.

use super::{FORMAT, VERSION, key};
use crate::basis::Basis;
use crate::figure::{Figure, Source, Value};
use crate::format::ByteBase;
use crate::import::config;
use crate::json::Json;
use crate::link::Link;
use crate::scenario::{Key, Setting, Switch};

/// The scenario of a basis with every figure of its ledger, as JSON in an order that stays. A model of the reader's own
/// is written whole, and no link then.
///
/// ```
/// use model_core::basis::Basis;
/// use model_core::figure::Ledger;
/// use model_core::file::{Opened, read, write};
/// use model_core::format::ByteBase;
/// use model_core::scenario::{Key, Scenario};
/// let mut scenario = Scenario::default();
/// scenario.choose_text(Key::Batch, "48")?;
/// let (settings, spec) = (scenario.resolve(Ledger::Report), model_core::spec::v4_pro());
/// let report = model_core::ledger::report(Ledger::Report, &scenario, &spec);
/// let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
/// let text = write(basis, ByteBase::Decimal);
/// let scenario = Box::new(scenario);
/// let opened = Opened::Scenario { scenario, ledger: Ledger::Report, base: ByteBase::Decimal, model: None };
/// assert_eq!(read(&text), Ok(opened));
/// # Ok::<(), model_core::scenario::Refusal>(())
/// ```
#[must_use]
pub fn write(basis: Basis, base: ByteBase) -> String {
    let Basis { scenario, report, settings, spec } = basis;
    let ledger = report.ledger;
    let mut choices: Vec<(&str, Json)> =
        scenario.choices().map(|(key, setting)| (key.name(), of_setting(setting))).collect();
    let own = spec.built_in().is_none();
    let in_force = |key: Key| match key {
        // Of a model of the reader's own, the scenario knows neither.
        Key::Model if own => Json::text(spec.name),
        Key::Vocab => Json::Whole(settings.model_in_force(spec).vocab),
        key => of_setting(scenario.in_force(key, ledger)),
    };
    let all = Key::ALL.into_iter().map(|key| (key.name(), in_force(key)));
    choices.push((key::IN_FORCE, Json::object(all)));
    let link = || Link { scenario: scenario.clone(), ledger, base, ..Link::default() }.scenario_query();
    let mut file = vec![
        (key::FORMAT, Json::text(FORMAT)),
        (key::VERSION, Json::Whole(VERSION)),
        (key::LEDGER, Json::text(ledger.name())),
        (key::UNITS, Json::text(base.name())),
    ];
    if own {
        file.push((key::MODEL, config(spec)));
    }
    let figures = report.figures().iter().map(|figure| (figure.id, of_figure(figure, base)));
    file.extend([
        (key::SCENARIO, Json::object(choices)),
        (key::LINK, if own { Json::Null } else { Json::text(link()) }),
        (key::FIGURES, Json::object(figures)),
    ]);
    let mut text = Json::object(file).write();
    text.push('\n');
    text
}

/// Switches become true and false.
fn of_setting(setting: Setting) -> Json {
    match setting {
        Setting::Whole(number) => Json::Whole(number),
        Setting::Real(number) => Json::number(number),
        Setting::Word(word) => match Switch::from_word(word) {
            Some(switch) => Json::Flag(switch == Switch::On),
            None => Json::text(word),
        },
    }
}

fn of_figure(figure: &Figure, base: ByteBase) -> Json {
    let value = match &figure.value {
        Value::Number(number) => Json::number(*number),
        Value::Flag(flag) => Json::Flag(*flag),
        Value::List(list) => Json::List(list.iter().map(|number| Json::Whole(u64::from(*number))).collect()),
        Value::Word(word) => Json::text(*word),
        Value::Absent => Json::Null,
    };
    let formula = &figure.formula;
    let derivation = if formula.template.is_empty() {
        Json::Null
    } else {
        Json::object([
            ("symbols", Json::text(formula.symbolic())),
            ("values", Json::text(formula.substituted(base))),
        ])
    };
    let source = |source: &Source| {
        let (what, place) = source.name();
        Json::Text(if place.is_empty() { what.to_owned() } else { format!("{what}: {place}") })
    };
    Json::object([
        ("value", value),
        ("unit", Json::text(figure.unit.name())),
        ("scope", Json::text(figure.scope.name())),
        ("kind", Json::text(figure.kind.name())),
        ("formula", derivation),
        ("sources", Json::List(figure.sources.iter().map(source).collect())),
    ])
}
