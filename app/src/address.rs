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
    /// What the address said before a change whose entry is still to be opened.
    left: StoredValue<Option<String>>,
}

impl Address {
    /// Begins to watch the page; must be called inside the application's owner.
    pub(crate) fn keep(page: Page) -> Self {
        let address = Self { dragging: StoredValue::new(false), left: StoredValue::new(None) };
        let pending: StoredValue<Option<Timeout>, LocalStorage> = StoredValue::new_local(None);
        Effect::new(move |first: Option<()>| {
            // What plays is written when it stops: until then this follows nothing else, and nothing waits to be written.
            if page.playing.get() {
                pending.set_value(None);
                return;
            }
            // Reading the link subscribes to all it holds.
            let link = page.link();
            if first.is_none() {
                return;
            }
            let write = Timeout::new(QUIET_MS, move || {
                address.open_entry(page);
                browser::set_query(&link.write(), false);
            });
            // A pending write is dropped, and so cancelled, by the later one.
            pending.set_value(Some(write));
        });
        if let Some(window) = browser::window() {
            EventListener::new(&window, "popstate", move |_| {
                address.left.set_value(None);
                page.follow(&browser::query());
            })
            .forget();
            // A page that is left or reloaded is found again as it was.
            EventListener::new(&window, "pagehide", move |_| {
                address.open_entry(page);
                // An address that nobody changed, with what it said wrong, is left as it is.
                if page.playing.get_untracked() {
                    browser::set_query(&page.link_untracked().write(), false);
                }
            })
            .forget();
        }
        address
    }

    /// Makes a change and opens an entry of the history for it, unless nothing changed, or the change belongs to a drag
    /// that has its entry.
    pub(crate) fn change(self, page: Page, drag: bool, make: impl FnOnce()) {
        self.open_entry(page);
        let before = page.link_untracked().write();
        make();
        let after = page.link_untracked().write();
        if before == after {
            return;
        }
        // Inside somebody else's page the history is the host's: there the address is only kept.
        if page.view.get_untracked() != View::Embed && !(drag && self.dragging.get_value()) {
            self.left.set_value(Some(before));
            // The history is slow to write: first the reader sees what changed.
            browser::after_paint(move || self.open_entry(page));
        }
        self.dragging.set_value(drag);
    }

    /// Opens the entry of the last change, if that is still to be done.
    fn open_entry(self, page: Page) {
        let Some(Some(before)) = self.left.try_update_value(Option::take) else { return };
        browser::set_query(&before, false);
        browser::set_query(&page.link_untracked().write(), true);
    }

    /// Ends a drag: the next change opens an entry of its own.
    pub(crate) fn end(self) {
        self.dragging.set_value(false);
    }
}
