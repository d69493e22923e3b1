//! Says which values of the address or of an entry were not taken, and why.

use leptos::prelude::*;

use super::page;

/// The notice; nothing while everything was taken.
#[component]
pub(super) fn Notice() -> impl IntoView {
    let page = page();
    view! {
        <div class="notice-place" role="status" aria-live="polite" data-testid="notice">
            <Show when=move || page.parts.failed.get()>
                <div class="notice">
                    <strong>{move || page.text().not_fetched}</strong>
                    <button type="button" on:click=move |_| page.parts.fetch()>
                        {move || page.text().fetch_again}
                    </button>
                </div>
            </Show>
            <Show when=move || page.refusals.with(|all| !all.is_empty())>
                <div class="notice">
                    <strong>{move || page.text().refused_heading}</strong>
                    <ul>
                        {move || {
                            page.refusals.get().iter().map(|refusal| view! { <li>{page.told_why(refusal)}</li> }).collect_view()
                        }}
                    </ul>
                    <button type="button" on:click=move |_| page.refusals.set(Vec::new())>
                        {move || page.text().dismiss}
                    </button>
                </div>
            </Show>
        </div>
    }
}
