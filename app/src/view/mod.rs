//! What the reader sees, one part a file.

mod after_paint;
mod calculate;
mod capacity;
mod chapter;
mod chapters;
mod chart;
mod charts;
mod compare;
mod controls;
mod data_table;
mod derivation;
mod details;
mod drawn;
mod embedded;
mod figure;
mod files;
mod folded;
mod gallery;
mod header;
mod key_figures;
mod math;
mod notice;
mod practice;
mod presentation;
mod print_head;
mod reality;
mod share;
mod stage;
mod stage_tools;
mod stepper;
mod when_seen;
mod workbench;

use leptos::html;
use leptos::prelude::*;
use model_core::chart::ChartId;
use model_core::link::{Room, View};

use self::after_paint::AfterPaint;
use self::when_seen::{WhenSeen, on_sight};
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
    browser::after_paint(move || page.painted.set(true));
    Effect::new(move |_| {
        let (language, theme, view) = (page.language.get(), page.theme.get(), page.view.get());
        browser::dress_document(language, theme, view, page.text().title);
    });
    // Only another view is built anew; the same one named again is not.
    let view = Memo::new(move |_| page.view.get());
    view! {
        {move || match view.get() {
            View::Page => view! { <Whole /> }.into_any(),
            View::Embed => view! { <embedded::Embedded /> }.into_any(),
            View::Present => match page.parts.later.get() {
                Some(later) => (later.presentation)(),
                None => {
                    page.parts.fetch();
                    view! { <notice::Notice /> }.into_any()
                }
            },
        }}
        {move || page.parts.later.get().map(|later| (later.derivation)())}
    }
}

/// Chapters with everything around them.
#[component]
fn Whole() -> impl IntoView {
    let page = page();
    let room = Memo::new(move |_| page.room.get());
    view! {
        <header::Header />
        {move || match room.get() {
            Room::Walk => view! { <Walk /> }.into_any(),
            room => match page.parts.later.get() {
                Some(later) => view! { <notice::Notice />{(later.room)(room)} }.into_any(),
                None => {
                    page.parts.fetch();
                    // As high as the screen: what stands below does not jump when the room comes.
                    view! { <notice::Notice /><main class="awaited" aria-busy="true"></main> }.into_any()
                }
            },
        }}
        <AfterPaint>
            <footer class="foot">{move || page.text().footer}</footer>
        </AfterPaint>
    }
}

/// The chapters with their stage, and what stands below it.
#[component]
fn Walk() -> impl IntoView {
    view! {
        <chapters::Chapters />
        <notice::Notice />
        <main>
            // The board sticks within this box, and so never over the tables below.
            <div class="walk">
                <chapter::Chapter />
                <div class="board">
                    <stage::Stage>
                        <stepper::Stepper />
                        <div class="stage-tools">
                            <AfterPaint>
                                <stage_tools::StageTools />
                            </AfterPaint>
                        </div>
                    </stage::Stage>
                    <key_figures::KeyFigures />
                    <controls::Controls />
                </div>
            </div>
            <Rooms />
        </main>
    }
}

/// What stands below the stage.
#[component]
fn Rooms() -> impl IntoView {
    let page = page();
    view! {
        <div class="rooms">
            <AfterPaint>
                <WhenSeen>
                    <capacity::Capacity />
                </WhenSeen>
                {move || match page.parts.later.get() {
                    Some(later) => (later.charts)(),
                    None => view! { <Awaited /> }.into_any(),
                }}
            </AfterPaint>
        </div>
    }
}

/// Stands in for the charts until they are fetched, which is when it comes into sight.
#[component]
fn Awaited() -> impl IntoView {
    let page = page();
    let place: NodeRef<html::Section> = NodeRef::new();
    on_sight(
        move || place.get().map(Into::into),
        move |seen| {
            if seen {
                page.parts.fetch();
            }
        },
    );
    view! { <section class="card room" node_ref=place aria-busy="true">"…"</section> }
}

/// A scene's calculation, to step through.
pub(crate) fn calculation() -> AnyView {
    view! { <practice::Calculation /> }.into_any()
}

/// The figures behind a scene.
pub(crate) fn details() -> AnyView {
    view! { <details::Details /> }.into_any()
}

/// A scene's question.
pub(crate) fn question() -> AnyView {
    view! { <practice::Question answered=RwSignal::new(false) /> }.into_any()
}

/// The scenario's charts.
pub(crate) fn charts() -> AnyView {
    view! { <WhenSeen><charts::Charts first=ChartId::Cache /></WhenSeen> }.into_any()
}

/// A room other than the chapters'.
pub(crate) fn room(room: Room) -> AnyView {
    match room {
        Room::Walk | Room::Calculate => view! { <calculate::Calculate /> }.into_any(),
        Room::Compare => view! { <compare::Compare /> }.into_any(),
        Room::Reality => view! { <reality::Reality /> }.into_any(),
        Room::Workbench => view! { <workbench::Workbench /> }.into_any(),
    }
}

/// How a figure comes about.
pub(crate) fn derivation() -> AnyView {
    view! { <derivation::Derivation /> }.into_any()
}

/// The classroom view.
pub(crate) fn presentation() -> AnyView {
    view! { <presentation::Presentation /> }.into_any()
}

/// The page, for parts of it.
pub(crate) fn page() -> Page {
    expect_context()
}

/// What plays the stage.
pub(crate) fn player() -> Player {
    expect_context()
}

/// The address, for parts that change the scenario.
pub(crate) fn address() -> Address {
    expect_context()
}
