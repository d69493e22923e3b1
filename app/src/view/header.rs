//! The bar at the top: the name, and what changes how everything is shown.

use leptos::prelude::*;
use model_core::draw::Theme;
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::link::Room;

use super::after_paint::AfterPaint;
use super::{address, page};

/// The bar.
#[component]
pub(super) fn Header() -> impl IntoView {
    let page = page();
    let address = address();
    let unit = move |base: ByteBase, label: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=move || (page.base.get() == base).to_string()
                on:click=move |_| page.base.set(base)
            >
                {label}
            </button>
        }
    };
    let ledger = move |ledger: Ledger| {
        view! {
            <button
                type="button"
                data-ledger=ledger.name()
                aria-pressed=move || (page.ledger.get() == ledger).to_string()
                on:click=move |_| address.change(page, false, || page.use_ledger(ledger))
            >
                {move || (page.text().ledger_name)(ledger)}
            </button>
        }
    };
    let room = move |(index, room): (usize, Room)| {
        view! {
            <button
                type="button"
                data-room=room.name()
                aria-current=move || (page.room.get() == room).then_some("page")
                on:click=move |_| {
                    page.playing.set(false);
                    address.change(page, false, || page.room.set(room));
                }
            >
                {move || page.text().room_names[index]}
            </button>
        }
    };
    let switch_language = move |_| {
        page.named_language.set(Some(match page.language.get_untracked() {
            Language::Chinese => Language::English,
            Language::English => Language::Chinese,
        }));
    };
    let switch_theme = move |_| {
        page.named_theme.set(Some(match page.theme.get_untracked() {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
        }));
    };
    view! {
        <header class="bar">
            <span class="brand">
                <svg class="mark" viewBox="0 0 26 26" aria-hidden="true">
                    <path
                        class="mark-cards"
                        d="M2 4h4v8H2zM8 4h4v8H8zM14 4h4v8h-4zM20 4h4v8h-4zM2 15h4v8H2zM8 15h4v8H8zM14 15h4v8h-4zM20 15h4v8h-4z"
                    ></path>
                    <circle class="mark-token" cx="13" cy="13.5" r="3.6"></circle>
                </svg>
                <span class="name">{move || page.text().title}</span>
            </span>
            <nav class="rooms-list" aria-label=move || page.text().rooms>
                <AfterPaint>{Room::ALL.into_iter().enumerate().map(room).collect_view()}</AfterPaint>
            </nav>
            <span class="switches">
                <AfterPaint>
                    <span class="switch ledgers" role="group" aria-label=move || page.text().ledger>
                        {Ledger::ALL.into_iter().map(ledger).collect_view()}
                    </span>
                    <span class="switch" role="group" aria-label=move || page.text().units>
                        {unit(ByteBase::Binary, "GiB")}
                        {unit(ByteBase::Decimal, "GB")}
                    </span>
                    <button
                        type="button"
                        class="round"
                        data-testid="language"
                        aria-label=move || page.text().switch_language
                        on:click=switch_language
                    >
                        {move || page.text().other_language}
                    </button>
                    <button
                        type="button"
                        class="round"
                        data-testid="theme"
                        aria-label=move || page.text().switch_theme
                        on:click=switch_theme
                    >
                        <svg class="sun" viewBox="0 0 20 20" aria-hidden="true">
                            <path d="M10 2a8 8 0 1 0 0 16z"></path>
                            <circle cx="10" cy="10" r="7.2"></circle>
                        </svg>
                    </button>
                </AfterPaint>
            </span>
        </header>
    }
}
