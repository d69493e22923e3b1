//! What the reader sees, one part a file.

mod cache_chart;
mod capacity;
mod chapter;
mod chapters;
mod controls;
mod derivation;
mod figure;
mod header;
mod key_figures;
mod notice;
mod stage;

use leptos::prelude::*;

use crate::address::Address;
use crate::browser;
use crate::page::Page;
use crate::player::Player;

/// The whole page.
#[component]
pub(crate) fn App() -> impl IntoView {
    let page = Page::open();
    let address = Address::keep(page);
    provide_context(page);
    provide_context(address);
    provide_context(Player::new(page));
    Effect::new(move |_| browser::dress_document(page.language.get(), page.theme.get(), page.text().title));
    view! {
        <header::Header />
        <chapters::Chapters />
        <notice::Notice />
        <main class="walk">
            <chapter::Chapter />
            <div class="board">
                <stage::Stage />
                <key_figures::KeyFigures />
                <controls::Controls />
            </div>
            <div class="rooms">
                <capacity::Capacity />
                <cache_chart::Chart />
            </div>
        </main>
        <footer class="foot">{move || page.text().footer}</footer>
        <derivation::Derivation />
    }
}

/// The page, for parts of it.
pub(crate) fn page() -> Page {
    expect_context()
}

/// The address, for parts that change the scenario.
pub(crate) fn address() -> Address {
    expect_context()
}
