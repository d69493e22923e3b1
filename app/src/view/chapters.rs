//! The list of chapters under the bar: where the reader is, and a way to any other.

use leptos::prelude::*;
use model_core::scene::{SceneId, end_of};

use super::{address, page};
use crate::text::chapter_name;

/// The list; nothing while there is but one chapter.
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
    (SceneId::ALL.len() > 1).then(|| {
        view! {
            <nav class="chapters" aria-label=move || page.text().chapters>
                <ol>{SceneId::ALL.iter().copied().map(chapter).collect_view()}</ol>
            </nav>
        }
    })
}
