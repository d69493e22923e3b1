//! Keeps the address and the page in step: each lasting choice is an entry of the history, a drag is one entry.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use model_core::link::View;

use crate::browser;
use crate::page::Page;

/// Browsers allow only so many changes of the address a second.
const QUIET_MS: u32 = 150;

/// Writes the address after each change and follows Back and Forward.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    dragging: StoredValue<bool>,
}

impl Address {
    /// Begins to watch the page; must be called inside the application's owner.
    pub(crate) fn keep(page: Page) -> Self {
        let pending: StoredValue<Option<Timeout>, LocalStorage> = StoredValue::new_local(None);
        Effect::new(move |first: Option<()>| {
            // Reading the link subscribes to all it holds.
            let link = page.link();
            if first.is_none() || page.playing.get() {
                return;
            }
            let write = Timeout::new(QUIET_MS, move || browser::set_query(&link.write(), false));
            // A pending write is dropped, and so cancelled, by the later one.
            pending.set_value(Some(write));
        });
        if let Some(window) = browser::window() {
            EventListener::new(&window, "popstate", move |_| page.follow(&browser::query())).forget();
        }
        Self { dragging: StoredValue::new(false) }
    }

    /// Makes a change and opens an entry of the history for it, unless nothing changed, or the change belongs to a drag
    /// that has its entry.
    pub(crate) fn change(self, page: Page, drag: bool, make: impl FnOnce()) {
        let before = page.link_untracked().write();
        make();
        let after = page.link_untracked().write();
        if before == after {
            return;
        }
        // Inside somebody else's page the history is the host's: there the address is only kept.
        if page.view.get_untracked() == View::Embed {
            browser::set_query(&after, false);
        } else if !(drag && self.dragging.get_value()) {
            browser::set_query(&before, false);
            browser::set_query(&after, true);
        }
        self.dragging.set_value(drag);
    }

    /// Ends a drag: the next change opens an entry of its own.
    pub(crate) fn end(self) {
        self.dragging.set_value(false);
    }
}
