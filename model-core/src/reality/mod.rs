//! Published measurements over the floor, a reader's own measured point, and the engines' terms in ours: what the room
//! *Reality* shows. Everything here speaks of the exact ledger, whichever is in use elsewhere.
//!
//! [`published_table`] lists every collected row under a [`Filter`], clean decode rows over the floor of their own
//! situation; [`Published::latency`] and [`Published::situation`] put what a row says into the scenario. [`nearest`] and
//! [`expected`] say what the rows tell of the reader's scenario. [`judge`] holds what the reader measured against its
//! bound and, where it cannot be, tries which assumption would make it possible. [`terms`] maps what vLLM and SGLang
//! print and take to figures, with the gap part by part.

mod assume;
mod facet;
mod judge;
mod near;
mod published;
mod search;
mod take;
mod terms;
#[cfg(test)]
mod tests;
mod unclean;
mod words;

pub use assume::{Assumption, Explanation};
pub use facet::{Choice, Facet, Filter, FilterError, PlanKind};
pub use judge::{Judged, Judgement, Quantity, Verdict, judge};
pub use near::{Expected, Near, RestsOn, expected, nearest};
pub(crate) use published::stands_in;
pub use published::{Published, clean_rows, published, published_table};
pub(crate) use search::step_bound;
pub use take::Take;
pub use terms::{Gap, Term, terms, terms_table};
pub use unclean::Unclean;

use crate::format::Shown;
use crate::language::Language;
use crate::scene::Look;

/// One number that stands by itself, under its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is called.
    pub name: &'static str,
    /// Its name for test hooks and scripts.
    pub figure: &'static str,
    /// In base units; of a range the least.
    pub value: f64,
    /// As it is shown.
    pub shown: Shown,
}

/// Said where the model cannot be cut as the scenario's plan says, so that there is no floor.
#[must_use]
pub const fn cannot_cut(look: Look) -> &'static str {
    look.say(words::CANNOT_CUT)
}

/// The sentence in the look's language, of two that carry the same numbers.
fn said(look: Look, chinese: String, english: String) -> String {
    match look.language {
        Language::Chinese => chinese,
        Language::English => english,
    }
}
