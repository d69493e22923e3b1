//! What the page says in its first view, in two languages: a typed catalogue, so that a missing text does not compile. Numbers never stand
//! here; they come from figures.

mod chapter;
mod en;
mod later;
mod zh;

pub(crate) use chapter::{Chapter, name as chapter_name};
pub(crate) use later::LaterText;

use model_core::figure::Ledger;
use model_core::language::Language;
use model_core::link::Room;
use model_core::scenario::Key;

/// Everything the page says.
pub(crate) struct Text {
    /// The page's name.
    pub title: &'static str,
    /// The other language, in its own words.
    pub other_language: &'static str,
    /// Label of the language button.
    pub switch_language: &'static str,
    /// Label of the theme button.
    pub switch_theme: &'static str,
    /// Label of the units switch.
    pub units: &'static str,
    /// Label of the ledger switch.
    pub ledger: &'static str,
    /// Names of the ledgers.
    pub ledger_name: fn(Ledger) -> &'static str,

    /// A chapter with its number.
    pub chapter: fn(u32) -> String,
    /// Label of the list of chapters.
    pub chapters: &'static str,
    /// Heading of a chapter's takeaways.
    pub takeaways_heading: &'static str,
    /// Heading of the details.
    pub details: &'static str,

    /// How to use the stage by keyboard.
    pub stage_keys: &'static str,
    /// Plays a step.
    pub play: &'static str,
    /// Stops it.
    pub pause: &'static str,
    /// One step back.
    pub previous: &'static str,
    /// One step on.
    pub next: &'static str,
    /// Label of the segment bar.
    pub steps: &'static str,
    /// Said where motion is reduced.
    pub reduced_motion: &'static str,
    /// Saves the stage as it is.
    pub save_still: &'static str,
    /// Label of the scrubber.
    pub scrub: &'static str,
    /// Label of the speed.
    pub speed: &'static str,
    /// Label of the cards to look at closer.
    pub zoom: &'static str,
    /// Goes to the classroom view.
    pub present: &'static str,
    /// From an embedded scene to the whole page.
    pub open_page: &'static str,
    /// Heading of the worked calculation.
    pub worked: &'static str,
    /// Heading of the question.
    pub exercise: &'static str,
    /// Label of the pace.
    pub pace: &'static str,
    /// Steps play alike.
    pub pace_equal: &'static str,
    /// In proportion to real time.
    pub pace_true: &'static str,
    /// How much slower than on the GPUs.
    pub slowed: fn(&str) -> String,

    /// Heading of the key figures.
    pub key_figures: &'static str,
    /// A GPU needs, of what it has.
    pub of: &'static str,
    /// It fits.
    pub fits: &'static str,
    /// It does not fit.
    pub does_not_fit: &'static str,
    /// Before what is missing.
    pub short_by: &'static str,
    /// Before what is left.
    pub left: &'static str,
    /// Smallest cut that fits.
    pub smallest_cut: &'static str,
    /// There is none.
    pub no_cut: &'static str,
    /// After a number of GPUs.
    pub gpus: fn(f64) -> &'static str,
    /// Takes it.
    pub take_cut: &'static str,

    /// Heading of the controls.
    pub controls: &'static str,
    /// Names of the keys.
    pub key_name: fn(Key) -> &'static str,
    /// Unit after a number of a key.
    pub key_unit: fn(Key, f64) -> &'static str,
    /// A key's words; those that are terms stay as they are.
    pub key_word: fn(&'static str) -> &'static str,
    /// Label of the typed entry, after the key's name.
    pub typed: &'static str,
    /// Resets the scenario.
    pub reset: &'static str,

    /// Heading of the capacity table.
    pub capacity_heading: &'static str,
    /// Its columns.
    pub capacity_columns: [&'static str; 4],
    /// Sum of the parts.
    pub total: &'static str,
    /// Memory of the GPU.
    pub memory: &'static str,
    /// What is left.
    pub free: &'static str,
    /// What is missing.
    pub short: &'static str,
    /// What a ledger counts and what it leaves out.
    pub not_counted: fn(Ledger) -> &'static str,
    /// Heading of the table over contexts.
    pub contexts_heading: &'static str,
    /// Its columns.
    pub contexts_columns: [&'static str; 4],
    /// Yes and no.
    pub yes_no: [&'static str; 2],

    /// The list of rooms, and their names in the order of `Room::ALL`.
    pub rooms: &'static str,
    pub room_names: [&'static str; Room::ALL.len()],
    /// What came of a copy.
    pub copied: &'static str,
    pub not_copied: &'static str,
    /// Copies the address, and the lines for somebody else's page.
    pub copy_link: &'static str,
    pub copy_embed: &'static str,

    /// Names of figures.
    pub figure_name: fn(&str) -> &'static str,

    /// Heading of what could not be taken.
    pub refused_heading: &'static str,
    /// Said when the other chapters could not be fetched.
    pub not_fetched: &'static str,
    /// Tries again.
    pub fetch_again: &'static str,
    /// Puts the notice away.
    pub dismiss: &'static str,
    /// At the foot of the page.
    pub footer: &'static str,
}

impl Text {
    /// A figure's name; its id where it has none in the page's words.
    pub(crate) fn name_of(&self, id: &'static str) -> &'static str {
        match (self.figure_name)(id) {
            "" => id,
            name => name,
        }
    }

    /// The text in a language.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Chinese => &zh::TEXT,
            Language::English => &en::TEXT,
        }
    }
}
