//! Reads what a reader brings: a scenario that was written here, or a model's configuration.

use super::{FORMAT, MAX_BYTES, Place, Reason, Refused, VERSION, key};
use crate::figure::Ledger;
use crate::format::ByteBase;
use crate::import::{self, Imported};
use crate::json::{self, Fault, Json, Step};
use crate::plan;
use crate::scenario::refusal::cut;
use crate::scenario::{Bound, Key, Model, Reason as Why, Refusal, Scenario};
use crate::scene::Text;
use crate::spec;

/// What a file held.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    /// A scenario, and how it was looked at.
    Scenario {
        /// What was chosen.
        scenario: Box<Scenario>,
        /// The ledger in use.
        ledger: Ledger,
        /// GiB or GB.
        base: ByteBase,
        /// The model, where it is none of the built-in ones.
        model: Option<Imported>,
    },
    /// The configuration of a model; [`Imported::fit`] gives the scenario beside it.
    Model(Imported),
    /// The configuration of a built-in model: the scenario's key for it chooses that.
    BuiltIn(Model),
}

/// Keys by one of which a configuration is known.
const CONFIG_KEYS: [&str; 7] =
    ["model_type", "architectures", "hidden_size", "num_hidden_layers", "dim", "n_layers", "compress_ratios"];
const LEDGERS: &[&str] = &["tutorial", "report", "exact"];
const BASES: &[&str] = &["gib", "gb"];

type Entries = Vec<(String, Json)>;

/// The same as [`read`] for bytes, which need not be text.
///
/// # Errors
/// As there, and where the bytes are no UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Opened, Refused> {
    if bytes.len() > MAX_BYTES {
        return Err(Refused::new(Place::Whole, Reason::TooLong(bytes.len())));
    }
    let text = core::str::from_utf8(bytes)
        .map_err(|error| Refused::new(Place::Byte(error.valid_up_to()), Reason::NotText))?;
    read(text)
}

/// Reads a file's text.
///
/// # Errors
/// Says where and why nothing can be made of it.
///
/// ```
/// use model_core::file::read;
/// let text = r#"{"format": "one-token-eight-gpus", "version": 1, "scenario": {"tp": 3}}"#;
/// assert_eq!(
///     read(text).map_err(|refused| refused.to_string()),
///     Err("/scenario/tp: cannot be cut into 3, which does not divide 16 output groups".to_owned())
/// );
/// ```
pub fn read(text: &str) -> Result<Opened, Refused> {
    if text.len() > MAX_BYTES {
        return Err(Refused::new(Place::Whole, Reason::TooLong(text.len())));
    }
    let json = json::read(text).map_err(|(fault, [line, column])| {
        let reason = match fault {
            Fault::Truncated => Reason::Truncated,
            Fault::NotJson => Reason::NotJson,
            Fault::TooDeep => Reason::TooDeep,
            Fault::TooMany => Reason::TooMany,
            Fault::NumberTooLarge => Reason::NumberTooLarge,
        };
        Refused::new(Place::Line(line, column), reason)
    })?;
    if let Some(way) = json::duplicate(&json) {
        return Err(at(&way, Reason::Duplicate));
    }
    let Json::Object(entries) = json else {
        return Err(Refused::new(Place::Whole, Reason::NotOurs));
    };
    let has = |key: &str| entries.iter().any(|(name, _)| name == key);
    if has(key::FORMAT) || has(key::SCENARIO) {
        of_scenario(entries)
    } else if CONFIG_KEYS.into_iter().any(has) {
        if text.len() > import::MAX_BYTES {
            return Err(Refused::new(Place::Whole, Reason::Model(import::Reason::TooLong(text.len()))));
        }
        let imported = import::of_json(Json::Object(entries)).map_err(|error| of_model(error, ""))?;
        Ok(imported.spec.built_in().map_or(Opened::Model(imported), Opened::BuiltIn))
    } else {
        Err(Refused::new(Place::Whole, Reason::NotOurs))
    }
}

/// A scenario that was written here.
fn of_scenario(entries: Entries) -> Result<Opened, Refused> {
    let (mut ledger, mut base) = (Ledger::default(), ByteBase::default());
    let (mut choices, mut config, mut version) = (None, None, None);
    for (name, value) in entries {
        let way = [Step::Key(&name)];
        match name.as_str() {
            key::FORMAT => {
                word(&value, &way, &[FORMAT], |word| (word == FORMAT).then_some(()))?;
            }
            key::VERSION => version = Some(value),
            key::LEDGER => ledger = word(&value, &way, LEDGERS, Ledger::from_name)?,
            key::UNITS => base = word(&value, &way, BASES, ByteBase::from_name)?,
            key::MODEL => config = Some(value),
            key::SCENARIO => match value {
                Json::Object(entries) => choices = Some(entries),
                other => return Err(wrong_type(&way, json::OBJECT, &other)),
            },
            // Derived: what it says follows from the rest.
            key::LINK | key::FIGURES => {}
            _ => return Err(at(&way, Reason::UnknownKey)),
        }
    }
    let missing = |key| at(&[Step::Key(key)], Reason::Missing);
    let way = [Step::Key(key::VERSION)];
    match version.ok_or_else(|| missing(key::VERSION))? {
        Json::Whole(number) if number > VERSION => return Err(at(&way, Reason::NewerVersion(number))),
        Json::Whole(number) if number > 0 => {}
        other => return Err(wrong_type(&way, json::WHOLE, &other)),
    }
    let mut scenario = Scenario::default();
    for (name, value) in choices.ok_or_else(|| missing(key::SCENARIO))? {
        if name != key::IN_FORCE {
            choose(&mut scenario, &name, value)?;
        }
    }
    let mut model = None;
    if let Some(config) = config {
        let imported = import::of_json(config).map_err(|error| of_model(error, "/model"))?;
        match imported.spec.built_in() {
            Some(known) => choose(&mut scenario, Key::Model.name(), Json::text(known.word()))?,
            None => model = Some(imported),
        }
    }
    let built_in;
    let spec = match &model {
        Some(imported) => &imported.spec,
        None => {
            built_in = spec::of(scenario.resolve(ledger).model);
            &built_in
        }
    };
    plan::check(ledger, &scenario, spec).map_err(|refusal| {
        let key = refusal.key.clone();
        at(&[Step::Key(key::SCENARIO), Step::Key(&key)], Reason::Refused(refusal))
    })?;
    Ok(Opened::Scenario { scenario: Box::new(scenario), ledger, base, model })
}

/// Chooses one value: numbers as numbers or as they are typed, words and switches by their words.
fn choose(scenario: &mut Scenario, name: &str, value: Json) -> Result<(), Refused> {
    let way = [Step::Key(key::SCENARIO), Step::Key(name)];
    let key = Key::from_name(name).ok_or_else(|| at(&way, Reason::UnknownKey))?;
    let words = matches!(key.bound(), Bound::OneOf(_));
    let chosen = match value {
        Json::Text(text) => scenario.choose_text(key, &text),
        Json::Flag(flag) if words => scenario.choose_text(key, if flag { "true" } else { "false" }),
        Json::Whole(number) if words => scenario.choose_text(key, &number.to_string()),
        Json::Whole(number) => scenario.choose_number(key, number as f64),
        Json::Number(number) if !words => scenario.choose_number(key, number),
        other => return Err(wrong_type(&way, if words { json::TEXT } else { json::WHOLE }, &other)),
    };
    chosen.map_err(|refusal| at(&way, Reason::Refused(refusal)))
}

/// One word of a few.
fn word<T>(
    value: &Json,
    way: &[Step],
    words: &'static [&'static str],
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, Refused> {
    let Json::Text(text) = value else { return Err(wrong_type(way, json::TEXT, value)) };
    read(text).ok_or_else(|| at(way, Reason::Refused(Refusal::new("", text, Why::NotOneOf(words)))))
}

fn wrong_type(way: &[Step], wanted: Text, found: &Json) -> Refused {
    at(way, Reason::WrongType { wanted, found: found.kind() })
}

/// A refusal at the end of a way, as a JSON pointer; long names are cut.
fn at(way: &[Step], reason: Reason) -> Refused {
    let pointer = way.iter().fold(String::new(), |pointer, step| match step {
        Step::Index(index) => format!("{pointer}/{index}"),
        Step::Key(key) => format!("{pointer}/{}", cut(key).replace('~', "~0").replace('/', "~1")),
    });
    Refused::new(Place::Pointer(pointer), reason)
}

/// A model's refusal, its place as a JSON pointer below another.
fn of_model(error: import::ImportError, below: &str) -> Refused {
    let inner = if error.place == import::THE_WHOLE {
        String::new()
    } else {
        format!("/{}", error.place.replace(']', "").replace(['.', '['], "/"))
    };
    let pointer = format!("{below}{inner}");
    let place = if pointer.is_empty() { Place::Whole } else { Place::Pointer(pointer) };
    Refused::new(place, Reason::Model(error.reason))
}
