//! What a chapter folds away until a reader wants it, and does not work out, nor fetch, before that.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDetailsElement;

use super::page;
use crate::later::Later;

/// Something folded whose content is a door of the later part.
#[component]
pub(super) fn Folded(
    name: &'static str,
    title: fn(&crate::text::Text) -> &'static str,
    content: fn(Later) -> AnyView,
) -> impl IntoView {
    let page = page();
    let open = RwSignal::new(false);
    let turned = move |event: web_sys::Event| {
        let details = event.target().and_then(|target| target.dyn_into::<HtmlDetailsElement>().ok());
        open.set(details.is_some_and(|details| details.open()));
        page.parts.fetch();
    };
    view! {
        <details class="details practice" data-testid=name on:toggle=turned>
            <summary>{move || title(page.text())}</summary>
            {move || open.get().then(|| page.parts.later.get().map(content))}
        </details>
    }
}
