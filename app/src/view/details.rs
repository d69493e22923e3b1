//! The engineering details of a chapter: the figures behind its picture, each with the way to its derivation.

use leptos::prelude::*;

use super::figure::Fig;
use super::page;

/// The chapter's own figures, and after them what else is drawn: what a press on the picture opens can be reached here
/// by key.
#[component]
pub(super) fn Details() -> impl IntoView {
    let page = page();
    let drawn = Memo::new(move |_| page.told.with(|told| told.figures.clone()));
    let known = move |id: &&str| page.report.with(|report| report.get(id).is_some());
    let row = move |id: &'static str| {
        view! {
            <div>
                <dt>{move || page.text().name_of(id)}</dt>
                <dd><Fig id=id /></dd>
            </div>
        }
    };
    let rows = move || {
        page.ledger.track();
        let details = page.chapter().details;
        let mut all = untrack(|| details.iter().copied().filter(known).collect::<Vec<_>>());
        drawn.with(|drawn| all.extend(drawn.iter().filter(|id| !details.contains(id))));
        all.into_iter().map(row).collect_view()
    };
    view! {
        <p class="note">{move || page.later_text().details_note}</p>
        <dl>{rows}</dl>
    }
}
