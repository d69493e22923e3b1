//! The room of scenarios side by side.

use leptos::prelude::*;
use model_core::link::Room;

use super::page;
use crate::browser;

/// The room.
#[component]
pub(super) fn Compare() -> impl IntoView {
    let page = page();
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="compare">
            <h1 class="visually-hidden">{move || page.text().room_names[Room::Compare as usize]}</h1>
        </main>
    }
}
