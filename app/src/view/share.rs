//! Hands the page on: its address, and the lines that put the scene into somebody else's page.

use leptos::prelude::*;
use model_core::embed;

use super::page;
use crate::browser;

/// Copies what it is given, and says in the reader's language whether that was allowed.
#[derive(Clone, Copy)]
pub(super) struct Copier {
    said: RwSignal<Option<bool>>,
}

impl Copier {
    pub(super) fn new() -> Self {
        Self { said: RwSignal::new(None) }
    }

    /// Copies text.
    pub(super) fn copy(self, text: &str) {
        let said = self.said;
        browser::copy(text, move |done| {
            // What asked for it may be gone.
            let _ = said.try_set(Some(done));
        });
    }

    /// What came of it.
    pub(super) fn said(self) -> &'static str {
        let text = page().text();
        self.said.get().map_or("", |done| if done { text.copied } else { text.not_copied })
    }
}

/// The buttons, and what came of the last press.
#[component]
pub(super) fn Share(#[prop(optional)] scene: bool) -> impl IntoView {
    let page = page();
    let copier = Copier::new();
    let link = move |_| copier.copy(&browser::address_with(&page.link_untracked().write()));
    let code = move |_| copier.copy(&embed::code(&page.link_untracked(), &browser::address()));
    view! {
        <button type="button" class="quiet" data-testid="copy-link" on:click=link>
            {move || page.text().copy_link}
        </button>
        {scene
            .then(|| {
                view! {
                    <button type="button" class="quiet" data-testid="copy-embed" on:click=code>
                        {move || page.text().copy_embed}
                    </button>
                }
            })}
        <span class="note" role="status" data-testid="share-said">{move || copier.said()}</span>
    }
}
