//! One scene inside somebody else's page: the stage, its stepper, and a way to the whole page in the same state.

use leptos::html;
use leptos::prelude::*;
use model_core::link::{Link, View};

use super::notice::Notice;
use super::page;
use super::stage::Stage;
use super::stepper::Stepper;
use crate::text::chapter_name;
use crate::{browser, host};

/// The embedded scene.
#[component]
pub(super) fn Embedded() -> impl IntoView {
    let page = page();
    let content: NodeRef<html::Main> = NodeRef::new();
    content.on_load(move |content| host::attend(page, &content));
    let whole = move || {
        let query = Link { view: View::Page, ..page.link() }.write();
        format!("{}?{query}", browser::address())
    };
    view! {
        <main class="embedded" node_ref=content>
            <h1 class="visually-hidden">{move || page.chapter().heading}</h1>
            <Notice />
            <Stage>
                <Stepper />
                <p class="embedded-foot">
                    <span>{move || chapter_name(page.scene.get(), page.language.get())}</span>
                    <a href=whole target="_blank" rel="noopener">{move || page.text().open_page}</a>
                </p>
            </Stage>
        </main>
    }
}
