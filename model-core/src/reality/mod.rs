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

use crate::language::Language;
use crate::scene::Look;

/// The sentence in the look's language, of two that carry the same numbers.
fn said(look: Look, chinese: String, english: String) -> String {
    match look.language {
        Language::Chinese => chinese,
        Language::English => english,
    }
}
