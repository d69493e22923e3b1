//! The tables an engineer sizes a deployment with, as plain data. [`TableId`] lists them; a page needs one component
//! for all: [`TableId::derive`] gives a [`Table`], which sorts itself and hands out files. [`presets`] names the cases
//! they are usually read for.

mod data;
mod decode;
pub(crate) mod derive;
mod preset;
#[cfg(test)]
mod tests;
mod words;

pub use data::{Cell, Column, Row, Table};
pub(crate) use derive::{Filled, Head, Maker};
pub use preset::{Preset, presets};
pub(crate) use words::{BOUND, FIT, number, word};

use crate::basis::Basis;
use crate::scene::Look;

/// The tables: name in links and files, title, what it shows, and what derives it.
macro_rules! tables {
    ($($(#[$doc:meta])* $table:ident $name:literal $title:ident, $about:ident, $derive:path;)+) => {
        /// A table by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TableId { $($(#[$doc])* $table),+ }

        impl TableId {
            /// Every table, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$table),+];

            /// Its name in links, files and test hooks.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$table => $name),+ }
            }

            /// Its title.
            #[must_use]
            pub const fn title(self, look: Look) -> &'static str {
                look.say(match self { $(Self::$table => words::$title),+ })
            }

            /// What it shows, and how it is read.
            #[must_use]
            pub const fn about(self, look: Look) -> &'static str {
                look.say(match self { $(Self::$table => words::$about),+ })
            }

            /// Derives the table for a scenario, with words and units of a look.
            #[must_use]
            pub fn derive(self, basis: Basis, look: Look) -> Table {
                let maker = derive::Maker { basis, look };
                let filled = match self { $(Self::$table => $derive(&maker)),+ };
                Table::of(self.name(), self.title(look), self.about(look), filled, look)
            }
        }
    };
}

tables! {
    /// A decode step by stage.
    Stages "stages" STAGES, STAGES_ABOUT, decode::stages;
    /// One layer of each kind.
    Layers "layers" LAYERS, LAYERS_ABOUT, decode::layers;
    /// The exchanges of a step.
    Exchanges "exchanges" EXCHANGES, EXCHANGES_ABOUT, decode::exchanges;
    /// Memory, step and rate, batch by batch at several contexts.
    Scan "scan" SCAN, SCAN_ABOUT, derive::scan;
    /// How many requests fit, by context.
    Capacity "capacity" CAPACITY, CAPACITY_ABOUT, derive::capacity;
    /// A chunk of a prompt, by what was processed before.
    Prefill "prefill" PREFILL, PREFILL_ABOUT, derive::prefill;
}

impl Table {
    /// A table in the words of a look, or the reason why there is nothing in it.
    pub(crate) fn of(name: &'static str, title: &str, about: &str, filled: Filled, look: Look) -> Self {
        let (columns, rows, reason) = match filled {
            Ok((columns, rows)) => (columns, rows, None),
            Err(reason) => (Vec::new(), Vec::new(), Some(look.say(reason).to_owned())),
        };
        Self { name, title: title.to_owned(), about: about.to_owned(), columns, rows, reason }
    }
}

impl TableId {
    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| table.name() == name)
    }
}
