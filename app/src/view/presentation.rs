//! For a classroom: the stage in the whole window, large words, one key a step, a question whose answer waits.

use leptos::ev;
use leptos::prelude::*;
use model_core::link::View;

use super::practice::Question;
use super::stage::Stage;
use super::stepper::Stepper;
use super::{address, page, player};

/// The classroom view.
#[component]
pub(super) fn Presentation() -> impl IntoView {
    let page = page();
    let player = player();
    let address = address();
    let asking = RwSignal::new(false);
    let answered = RwSignal::new(false);
    // Each question begins with its answer hidden.
    let ask = move || {
        answered.set(false);
        asking.update(|asking| *asking = !*asking);
    };
    let leave = move || address.change(page, false, || page.view.set(View::Page));
    let keys = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        match event.key().as_str() {
            "PageDown" | "Enter" => player.click(),
            "PageUp" => player.back(),
            "Escape" => leave(),
            "q" | "Q" => ask(),
            "a" | "A" => {
                answered.set(true);
            }
            key => {
                if !player.press(key) {
                    return;
                }
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || keys.remove());
    view! {
        <main class="presentation">
            <header>
                <h1>{move || page.chapter().heading}</h1>
                <span>
                <button
                    type="button"
                    class="quiet"
                    data-testid="ask"
                    aria-pressed=move || asking.get().to_string()
                    on:click=move |_| ask()
                >
                    {move || page.later_text().ask}
                </button>
                <button type="button" class="quiet" data-testid="leave" on:click=move |_| leave()>
                    {move || page.later_text().leave}
                </button>
                </span>
            </header>
            <Stage>
                <p class="said" data-testid="said">{move || page.step_text(page.step.get())}</p>
                <Stepper />
            </Stage>
            <Show when=move || asking.get()>
                <section class="asking card" data-testid="asking">
                    <Question answered=answered />
                </section>
            </Show>
        </main>
    }
}
