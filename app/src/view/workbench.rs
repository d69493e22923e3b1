//! The room of the hardware bent.

use leptos::prelude::*;
use model_core::link::Room;

use super::page;
use crate::browser;

/// The room.
#[component]
pub(super) fn Workbench() -> impl IntoView {
    let page = page();
    Effect::new(|_| browser::mark("data-ready"));
    view! {
        <main class="workbench">
            <h1 class="visually-hidden">{move || page.text().room_names[Room::Workbench as usize]}</h1>
        </main>
    }
}
