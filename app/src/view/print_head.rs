//! What stands at the head of a printed page and nowhere else: what was chosen, and where it is found again.

use leptos::prelude::*;
use model_core::scenario::Key;

use super::page;
use crate::browser;

/// The head; `keys` are the values it lists where they act.
#[component]
pub(super) fn PrintHead(keys: &'static [&'static [Key]]) -> impl IntoView {
    let page = page();
    let value = move |key: Key| {
        view! {
            <div>
                <dt>{(page.text().key_name)(key)}</dt>
                <dd>{page.setting_shown(key)}</dd>
            </div>
        }
    };
    let values = move || {
        let acting = keys.iter().copied().flatten().copied().filter(|key| key.acts_in(page.ledger.get()));
        acting.map(value).collect_view()
    };
    view! {
        <div class="print-head" aria-hidden="true">
            <p class="print-title">{move || format!("{} · {}", page.text().title, (page.text().ledger_name)(page.ledger.get()))}</p>
            <dl>{values}</dl>
            <p class="note">{move || browser::address_with(&page.link().write())}</p>
        </div>
    }
}
