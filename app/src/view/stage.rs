//! The stage: a picture of the scene at the present moment, and the keys that move it.

use leptos::html;
use leptos::prelude::*;
use model_core::draw::svg::{self, Ink, Origin};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::figure::open_pressed;
use super::when_seen::on_sight;
use super::{page, player};
use crate::browser;
use crate::page::Page;
use crate::picture::Picture;

/// The stage, with whatever stands below its picture.
#[component]
pub(super) fn Stage(children: Children) -> impl IntoView {
    let page = page();
    let player = player();
    let place: NodeRef<html::Div> = NodeRef::new();
    let picture: StoredValue<Option<Picture>, LocalStorage> = StoredValue::new_local(None);
    let ready = StoredValue::new(false);
    // What nobody sees does not play.
    on_sight(
        move || place.get().map(Into::into),
        move |seen| {
            if !seen {
                player.pause();
            }
        },
    );
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        picture.update_value(|picture| {
            if picture.is_none() {
                *picture = Picture::new(&place, "stage");
            }
            if let Some(picture) = picture {
                page.drawing.with(|drawing| picture.show(drawing));
                if !ready.get_value() && page.derived.with_untracked(Option::is_some) {
                    ready.set_value(true);
                    browser::mark("data-ready");
                }
            }
        });
    });
    let keys = move |event: KeyboardEvent| {
        let taken = event.ctrl_key() || event.alt_key() || event.meta_key() || is_used(&event);
        if !taken && player.press(&event.key()) {
            event.prevent_default();
        }
    };
    view! {
        <section class="stage card" tabindex="0" aria-label=move || page.chapter().heading on:keydown=keys>
            <div class="stage-picture" node_ref=place on:click=move |event| open_pressed(page, &event)></div>
            <p class="visually-hidden" role="status" aria-live="polite">
                {move || page.told.with(|told| told.description.clone())}
            </p>
            {children()}
        </section>
    }
}

/// Whether the element in focus has a use of its own for the key: the space bar on a button, any key in an entry.
fn is_used(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| match element.tag_name().as_str() {
        "INPUT" | "SELECT" | "SUMMARY" => true,
        "BUTTON" => event.key() == " ",
        _ => false,
    })
}

/// Gives the reader the stage as a file.
pub(super) fn save(page: Page) {
    let ink = Ink::Literal(page.theme.get_untracked());
    let file = page.drawing.with_untracked(|drawing| svg::write(drawing, ink, &origin(page)));
    let name = format!("one-token-eight-gpus-{}.svg", page.scene.get_untracked().name());
    browser::download(&name, "image/svg+xml", &file);
}

/// Where an exported file says it comes from.
pub(super) fn origin(page: Page) -> Origin {
    let link = page.link_untracked();
    Origin { scenario: link.scenario_query(), link: browser::address_with(&link.write()) }
}
