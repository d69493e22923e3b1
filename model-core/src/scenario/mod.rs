//! The scenario: everything a reader can turn, and nothing else. One scenario drives every picture and table.
//!
//! A [`Scenario`] holds only what the reader chose; a ledger's defaults fill the rest when it is resolved into
//! [`Settings`]. Keys, bounds and defaults stand in [`key`], once, and serve sliders, links, files and the command
//! line alike.

pub mod key;
pub mod refusal;
pub mod settings;
mod stops;
pub mod words;

pub use key::{Bound, Key};
pub use refusal::{Dimension, Reason, Refusal};
pub use settings::{Measured, Settings};
pub use words::{
    CommDtype, Draw, Dtypes, Engine, ExpertKind, FaultKind, KernelKind, KvPlacement, KvRows, Layout, Link,
    MemoryReading, Model, Overlap, Router, Switch,
};

use crate::figure::Ledger;

/// The value of one key, always within its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// A whole number.
    Whole(u64),
    /// A finite number.
    Real(f64),
    /// One of the bound's words.
    Word(&'static str),
}

impl Setting {
    /// The whole number; 1 where it is none.
    #[must_use]
    pub const fn whole(self) -> u64 {
        if let Self::Whole(number) = self { number } else { 1 }
    }

    /// The number; 0 where it is none.
    #[must_use]
    pub const fn real(self) -> f64 {
        match self {
            Self::Real(number) => number,
            Self::Whole(number) => number as f64,
            Self::Word(_) => 0.0,
        }
    }

    /// The word; empty where it is none.
    #[must_use]
    pub const fn word(self) -> &'static str {
        if let Self::Word(word) = self { word } else { "" }
    }
}

impl core::fmt::Display for Setting {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// What the reader chose, key by key.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    chosen: [Option<Setting>; Key::ALL.len()],
}

impl Default for Scenario {
    fn default() -> Self {
        Self { chosen: [None; Key::ALL.len()] }
    }
}

impl Scenario {
    /// What the reader chose for the key, if anything.
    #[must_use]
    pub fn chosen(&self, key: Key) -> Option<Setting> {
        self.chosen.get(key as usize).copied().flatten()
    }

    /// The value in force for the key: the choice, else the ledger's default.
    #[must_use]
    pub fn in_force(&self, key: Key, ledger: Ledger) -> Setting {
        self.chosen(key).unwrap_or_else(|| key.default_beside(self, ledger))
    }

    /// Chooses a value from its text, as typed or as found in a link.
    ///
    /// # Errors
    /// The text is no value of the key or lies outside its bound; the scenario then stays as it was.
    pub fn choose_text(&mut self, key: Key, text: &str) -> Result<(), Refusal> {
        let setting = key.bound().read(text).map_err(|reason| Refusal::new(key.name(), text, reason))?;
        self.put(key, setting);
        Ok(())
    }

    /// Chooses a number, for sliders.
    ///
    /// # Errors
    /// The number lies outside the key's bound; the scenario then stays as it was.
    pub fn choose_number(&mut self, key: Key, number: f64) -> Result<(), Refusal> {
        let checked = key.bound().check(number);
        let setting = checked.map_err(|reason| Refusal::new(key.name(), &number.to_string(), reason))?;
        self.put(key, setting);
        Ok(())
    }

    /// Chooses a value that stands ready, as another scenario or a published row has it.
    ///
    /// # Errors
    /// The value lies outside the key's bound; the scenario then stays as it was.
    pub fn choose(&mut self, key: Key, setting: Setting) -> Result<(), Refusal> {
        match setting {
            Setting::Word(word) => self.choose_text(key, word),
            Setting::Whole(number) => self.choose_number(key, number as f64),
            Setting::Real(number) => self.choose_number(key, number),
        }
    }

    /// Gives the key back to the ledger's default.
    pub fn forget(&mut self, key: Key) {
        if let Some(place) = self.chosen.get_mut(key as usize) {
            *place = None;
        }
    }

    /// Every chosen key with its value, in the order of [`Key::ALL`].
    pub fn choices(&self) -> impl Iterator<Item = (Key, Setting)> + '_ {
        Key::ALL.into_iter().filter_map(|key| Some((key, self.chosen(key)?)))
    }

    /// The same scenario without choices that equal what the ledger would take in their place.
    #[must_use]
    pub fn essential(&self, ledger: Ledger) -> Self {
        self.essential_under(&[ledger])
    }

    /// The same scenario without choices that equal what each of the ledgers would take in their place.
    #[must_use]
    pub fn essential_under(&self, ledgers: &[Ledger]) -> Self {
        let mut essential = self.clone();
        for (key, setting) in self.choices() {
            essential.forget(key);
            if ledgers.iter().any(|ledger| setting != key.default_beside(&essential, *ledger)) {
                essential.put(key, setting);
            }
        }
        essential
    }

    /// All values in force under a ledger.
    #[must_use]
    pub fn resolve(&self, ledger: Ledger) -> Settings {
        Settings::new(self, ledger)
    }

    fn put(&mut self, key: Key, setting: Setting) {
        if let Some(place) = self.chosen.get_mut(key as usize) {
            *place = Some(setting);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_value_leaves_the_last_good_one() {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Context, "131072").unwrap();
        for text in
            ["", "abc", "-1", "0", "1e99", "NaN", "inf", "三万", "１２８", "1.5", "2097152", "0x10", "12,34"]
        {
            assert!(scenario.choose_text(Key::Context, text).is_err(), "{text}");
            assert_eq!(scenario.chosen(Key::Context), Some(Setting::Whole(131_072)));
        }
    }

    #[test]
    fn people_may_type_groups_and_k() {
        for (text, number) in
            [("128K", 131_072), ("1M", 1_048_576), (" 1,048,576 ", 1_048_576), ("32 768", 32_768)]
        {
            let mut scenario = Scenario::default();
            scenario.choose_text(Key::Context, text).unwrap();
            assert_eq!(scenario.chosen(Key::Context), Some(Setting::Whole(number)), "{text}");
        }
    }

    #[test]
    fn a_choice_equal_to_the_default_is_not_essential() {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Context, "32768").unwrap();
        scenario.choose_text(Key::Batch, "9").unwrap();
        let essential = scenario.essential(Ledger::Tutorial);
        assert_eq!(essential.choices().map(|(key, _)| key).collect::<Vec<_>>(), [Key::Batch]);
    }

    fn chosen(choices: &[(Key, &str)]) -> Scenario {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        scenario
    }

    #[test]
    fn gpus_follow_the_cut_and_the_cut_follows_the_gpus() {
        let whole = |choices: &[(Key, &str)], key| chosen(choices).in_force(key, Ledger::Exact).whole();
        assert_eq!(whole(&[], Key::Gpus), 8);
        assert_eq!(whole(&[(Key::Tp, "16")], Key::Gpus), 16);
        assert_eq!(whole(&[(Key::Gpus, "16")], Key::Tp), 16);
        assert_eq!(whole(&[(Key::Gpus, "16"), (Key::Pp, "2")], Key::Tp), 8);
        let spread = [(Key::Layout, "dp_attention_ep"), (Key::Gpus, "32")];
        assert_eq!((whole(&spread, Key::Tp), whole(&spread, Key::Ep)), (1, 32));
        assert_eq!(whole(&[(Key::Gpu, "gb200")], Key::GpusPerNode), 72);
    }

    #[test]
    fn what_is_not_essential_changes_nothing() {
        let cases: [&[(Key, &str)]; 4] = [
            &[(Key::Tp, "16"), (Key::Gpus, "16")],
            &[(Key::Gpus, "8"), (Key::Tp, "8"), (Key::Pp, "1")],
            &[(Key::Gpu, "h200"), (Key::GpuMemoryGib, "141"), (Key::HbmTbS, "4.8")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "8"), (Key::Tp, "1"), (Key::Gpus, "8")],
        ];
        for choices in cases {
            for ledger in Ledger::ALL {
                let scenario = chosen(choices);
                assert_eq!(
                    scenario.essential(ledger).resolve(ledger),
                    scenario.resolve(ledger),
                    "{choices:?}"
                );
            }
        }
    }
}
