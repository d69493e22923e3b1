//! The values in which cases differ, and a change from one to another, in words.

use super::{Case, words};
use crate::draw::Paint;
use crate::figure::{Ledger, Unit, Value};
use crate::format::{self, Shown};
use crate::hardware;
use crate::import;
use crate::scenario::{Key, Scenario, Setting};
use crate::scene::Look;
use crate::spec::ModelSpec;
use crate::table::{Cell, Row};

/// What a page calls keys, their units and their words: its catalogue stands with its other prose.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// A key.
    pub key: fn(Key) -> &'static str,
    /// What a number of it counts; empty where they are plain.
    pub unit: fn(Key, f64) -> &'static str,
    /// One of the words that a key takes.
    pub word: fn(&'static str) -> &'static str,
}

impl Names {
    /// As links have them.
    pub const LINKS: Self = Self { key: Key::name, unit: |_, _| "", word: |word| word };
}

/// What cases differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The ledger.
    Ledger,
    /// A key of the scenario.
    Key(Key),
}

impl What {
    /// Its name in links and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::Key(key) => key.name(),
        }
    }

    /// Its value in a scenario under a ledger, beside which a reader's own model may stand.
    pub(super) fn in_force(
        self,
        scenario: &Scenario,
        ledger: Ledger,
        own_model: Option<&ModelSpec>,
    ) -> Setting {
        match (self, own_model) {
            (Self::Ledger, _) => Setting::Word(ledger.name()),
            (Self::Key(Key::Model), Some(spec)) => Setting::Word(spec.name),
            (Self::Key(key), _) => scenario.in_force(key, ledger),
        }
    }

    /// What it is called.
    #[must_use]
    pub fn title(self, look: Look, names: &Names) -> &'static str {
        match self {
            Self::Ledger => look.say(words::LEDGER),
            Self::Key(key) => (names.key)(key),
        }
    }

    /// One of its values.
    #[must_use]
    pub fn show(self, setting: Setting, look: Look, names: &Names) -> Shown {
        let plain = |number: String| Shown { number, unit: "" };
        match (self, setting) {
            (Self::Ledger, Setting::Word(word)) => plain(
                Ledger::from_name(word).map_or(word, |ledger| look.say(words::ledger(ledger))).to_owned(),
            ),
            (Self::Key(Key::Model), Setting::Word(import::NAME)) => {
                plain(look.say(words::OWN_MODEL).to_owned())
            }
            (Self::Key(Key::Gpu), Setting::Word(word)) => plain(hardware::preset(word).label.to_owned()),
            (_, Setting::Word(word)) => plain((names.word)(word).to_owned()),
            (Self::Key(key), number) => {
                let unit = (names.unit)(key, number.real());
                let number = format::value(&Value::Number(number.real()), Unit::Count, look.base).number;
                Shown { number, unit }
            }
            (Self::Ledger, number) => plain(number.to_string()),
        }
    }
}

/// A value that changes from one case to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// What changes.
    pub what: What,
    /// The value before.
    pub from: Setting,
    /// The value after.
    pub to: Setting,
}

impl Change {
    /// It in words, such as `batch: 8 → 16`.
    #[must_use]
    pub fn words(&self, look: Look, names: &Names) -> String {
        let [from, to] = [self.from, self.to].map(|setting| self.what.show(setting, look, names));
        // The unit stands once.
        let from = if from.unit == to.unit { from.number } else { from.to_string() };
        format!("{}{}{from} → {to}", self.what.title(look, names), look.say(words::COLON))
    }
}

/// A value that is not the same in all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// What differs.
    pub what: What,
    /// The value in force in each case.
    pub values: Vec<Setting>,
    /// Whether nobody chose it: it follows from the ledger or from another value.
    pub follows: bool,
}

/// What the cases differ in: the ledger, then what was chosen, then what follows and changes a figure.
pub(super) fn differing(cases: &[Case]) -> Vec<Valued> {
    let of = |what: What, follows: bool| {
        let values: Vec<Setting> = cases.iter().map(|case| case.in_force(what)).collect();
        let differ = values.iter().any(|value| Some(value) != values.first());
        differ.then_some(Valued { what, values, follows })
    };
    let brought = |key: Key| key == Key::Model && cases.iter().any(|case| case.own_model().is_some());
    let chosen = |key: Key| {
        let stands = |case: &Case| case.scenario.essential(case.ledger).chosen(key).is_some();
        brought(key) || cases.iter().any(stands)
    };
    let acts = |key: Key| cases.iter().any(|case| key.acts_in(case.ledger));
    let keys = |follows: bool| {
        let wanted = move |key: &Key| chosen(*key) != follows && (!follows || acts(*key));
        Key::ALL.into_iter().filter(wanted).filter_map(move |key| of(What::Key(key), follows))
    };
    of(What::Ledger, false).into_iter().chain(keys(false)).chain(keys(true)).collect()
}

impl Valued {
    /// Its row in the table of values.
    pub(super) fn row(&self, look: Look, names: &Names) -> Row {
        let cell = |setting: &Setting| {
            // Each row counts in a unit of its own, so none may move to the head.
            let number = self.what.show(*setting, look, names).to_string();
            let shown = Cell::of(Shown { number, unit: "" });
            match setting {
                Setting::Word(word) => Cell { word: Some(*word), ..shown },
                number => Cell { value: Some(number.real()), ..shown },
            }
        };
        Row {
            head: self.what.title(look, names).to_owned(),
            code: self.what.name().into(),
            paint: (!self.follows).then_some(Paint::Ink),
            aside: self.follows,
            cells: self.values.iter().map(cell).collect(),
            ..Row::default()
        }
    }
}
