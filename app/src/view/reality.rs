//! The room of published measurements over the floor.

use leptos::prelude::*;
use model_core::link::Room;

use super::page;
use crate::browser;

/// The room.
#[component]
pub(super) fn Reality() -> impl IntoView {
    let page = page();
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="reality">
            <h1 class="visually-hidden">{move || page.text().room_names[Room::Reality as usize]}</h1>
        </main>
    }
}
