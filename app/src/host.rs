//! Talks with the page that frames this one: tells it how high the content is, and takes what it asks to be shown.
//! Messages carry a name and a version, so that either side may grow.

use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use leptos::prelude::*;
use model_core::link::View;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, MessageEvent, ResizeObserver};

use crate::browser;
use crate::page::Page;

/// Whose messages they are.
const NAME: &str = "one-token-eight-gpus";
/// The only version so far.
const VERSION: f64 = 1.0;
/// A request longer than this is not one of ours.
const LONGEST_QUERY: usize = 4096;

/// Tells the host the height of `content` whenever it changes, and listens to the host.
pub(crate) fn attend(page: Page, content: &Element) {
    let measured = content.clone();
    let changed = Closure::<dyn FnMut()>::new(move || {
        tell("height", &JsValue::from_f64(measured.get_bounding_client_rect().height().ceil()));
    });
    if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
        observer.observe(content);
    }
    // The observer lives as long as the page.
    changed.forget();
    let Some(window) = browser::window() else { return };
    EventListener::new(&window, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let from_host = event.source().is_some_and(|source| Some(source.into()) == host());
        if from_host && page.view.get_untracked() == View::Embed {
            hear(page, &event.data());
        }
    })
    .forget();
    tell("ready", &JsValue::TRUE);
}

/// The page that frames this one.
fn host() -> Option<JsValue> {
    let window = browser::window()?;
    let parent = window.parent().ok().flatten()?;
    (parent != window).then(|| parent.into())
}

fn hear(page: Page, message: &JsValue) {
    let field = |name: &str| Reflect::get(message, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if field("name").as_string().as_deref() != Some(NAME) {
        return;
    }
    if field("version").as_f64() != Some(VERSION) {
        tell("refused", &format!("version: only {VERSION} is known").into());
        return;
    }
    match field("show").as_string() {
        Some(query) if query.len() <= LONGEST_QUERY => {
            page.obey(&query);
            let refused = page.refusals.get_untracked();
            if !refused.is_empty() {
                let all: Vec<String> = refused.iter().map(ToString::to_string).collect();
                tell("refused", &all.join("; ").into());
            }
        }
        _ => tell("refused", &format!("show: a query string of at most {LONGEST_QUERY} bytes").into()),
    }
}

/// Sends the host one named value.
fn tell(name: &str, value: &JsValue) {
    let Some(host) = host() else { return };
    // Another document's window is no instance of this document's class.
    let host: web_sys::Window = host.unchecked_into();
    let message = Object::new();
    for (name, value) in [("name", &NAME.into()), ("version", &VERSION.into()), (name, value)] {
        let _ = Reflect::set(&message, &name.into(), value);
    }
    // The host's origin is not known here, and nothing in the message is secret.
    let _ = host.post_message(&message, "*");
}
