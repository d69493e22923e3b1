//! The scenario: everything a reader can turn, and nothing else. One scenario drives every picture and table.
//!
//! A [`Scenario`] holds only what the reader chose; a ledger's defaults fill the rest when it is resolved into
//! [`Settings`]. Keys, bounds and defaults stand in [`key`], once, and serve sliders, links, files and the command
//! line alike.

pub mod key;
pub mod refusal;
pub mod settings;

pub use key::{Bound, Key};
pub use refusal::{Reason, Refusal};
pub use settings::{CommDtype, Settings};

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    chosen: [Option<Setting>; Key::ALL.len()],
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
        self.chosen(key).unwrap_or_else(|| key.default(ledger))
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

    /// The same scenario without choices that equal the ledger's default.
    #[must_use]
    pub fn essential(&self, ledger: Ledger) -> Self {
        let mut essential = self.clone();
        for (key, setting) in self.choices() {
            if setting == key.default(ledger) {
                essential.forget(key);
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
}
