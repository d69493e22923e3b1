//! The list of chapters under the bar: where the reader is, and a way to any other.

use gloo_timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;
use model_core::scene::{SceneId, end_of};

use super::after_paint::AfterPaint;
use super::{address, page};
use crate::browser;
use crate::text::chapter_name;

/// The list.
#[component]
pub(super) fn Chapters() -> impl IntoView {
    let page = page();
    let address = address();
    let chapter = move |scene: SceneId| {
        let current = move || page.scene.get() == scene;
        view! {
            <li>
                <button
                    type="button"
                    data-scene=scene.name()
                    aria-current=move || current().then_some("page")
                    on:click=move |_| {
                        page.playing.set(false);
                        address.change(page, false, || {
                            page.card.set(None);
                            page.scene.set(scene);
                            page.moment.set(end_of(scene));
                        });
                    }
                >
                    <span class="chapter-number">{scene.chapter()}</span>
                    {move || chapter_name(scene, page.language.get())}
                </button>
            </li>
        }
    };
    // Where the list is wider than its place, the present chapter is kept in sight.
    let list: NodeRef<html::Nav> = NodeRef::new();
    // Kept, not forgotten: what is forgotten is never freed.
    let following: StoredValue<Option<Timeout>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        let scene = page.scene.get();
        let Some(list) = list.get().filter(|_| page.painted.get()) else { return };
        let button = format!("[data-scene=\"{}\"]", scene.name());
        // Once all that follows from the change is done: asked now, the browser would lay the page out twice.
        let follow = Timeout::new(0, move || {
            if let Ok(Some(button)) = list.query_selector(&button) {
                browser::bring_across(&list, &button);
            }
        });
        following.set_value(Some(follow));
    });
    view! {
        <nav class="chapters" aria-label=move || page.text().chapters node_ref=list>
            <AfterPaint>
                <ol>{SceneId::ALL.iter().copied().map(chapter).collect_view()}</ol>
            </AfterPaint>
        </nav>
    }
}
