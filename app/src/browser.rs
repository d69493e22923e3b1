//! The few things asked of the browser itself, each in one place.

use gloo_events::EventListener;
use js_sys::futures::JsFuture;
use js_sys::{Array, Uint8Array};
use leptos::task::spawn_local;
use model_core::draw::Theme;
use model_core::language::Language;
use model_core::link::View;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Clipboard, Document, Element, Event, HtmlAnchorElement,
    HtmlCanvasElement, HtmlElement, HtmlImageElement, HtmlSelectElement, IntersectionObserver,
    IntersectionObserverEntry, MediaQueryList, Url, Window,
};

/// The window.
pub(crate) fn window() -> Option<Window> {
    web_sys::window()
}

/// The document.
pub(crate) fn document() -> Option<Document> {
    window()?.document()
}

/// An element by its id.
pub(crate) fn element_by_id(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

/// The address's query, with its question mark.
pub(crate) fn query() -> String {
    window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// The page's address without query and fragment.
pub(crate) fn address() -> String {
    let parts = window().map(|window| window.location());
    let origin = parts.as_ref().and_then(|parts| parts.origin().ok()).unwrap_or_default();
    let path = parts.as_ref().and_then(|parts| parts.pathname().ok()).unwrap_or_default();
    format!("{origin}{path}")
}

/// The page's address with a query.
pub(crate) fn address_with(query: &str) -> String {
    if query.is_empty() { address() } else { format!("{}?{query}", address()) }
}

/// Sets the address's query, as a new entry of the history or in place of the present one.
pub(crate) fn set_query(query: &str, new_entry: bool) {
    // Writing what stands there already is not free.
    if !new_entry && self::query().trim_start_matches('?') == query {
        return;
    }
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let url = address_with(query);
    let state = JsValue::NULL;
    // A page in a sandboxed frame may not touch its history; the view then simply has no address of its own.
    let _ = if new_entry {
        history.push_state_with_url(&state, "", Some(&url))
    } else {
        history.replace_state_with_url(&state, "", Some(&url))
    };
}

/// Calls back once the next frame has been painted; in a hidden tab, when it is shown again.
pub(crate) fn after_paint(call: impl FnOnce() + 'static) {
    let Some(window) = window() else { return };
    let timers = window.clone();
    // Both are gone once they are called; a timer that is only forgotten would leave its function behind.
    let turn = Closure::once_into_js(call);
    let frame = Closure::once_into_js(move || {
        let _ = timers.set_timeout_with_callback(turn.unchecked_ref());
    });
    let _ = window.request_animation_frame(frame.unchecked_ref());
}

/// The browser's first language.
pub(crate) fn language() -> Language {
    let tag = window().and_then(|window| window.navigator().language()).unwrap_or_default();
    Language::for_tag(&tag)
}

/// A media query, live.
pub(crate) fn media(query: &str) -> Option<MediaQueryList> {
    window()?.match_media(query).ok().flatten()
}

/// Whether a media query holds now.
pub(crate) fn matches(query: &str) -> bool {
    media(query).is_some_and(|list| list.matches())
}

/// The system's theme.
pub(crate) fn theme() -> Theme {
    if matches("(prefers-color-scheme: dark)") { Theme::Dark } else { Theme::Light }
}

/// Calls back whenever a media query begins or ceases to hold, for as long as the page lives.
pub(crate) fn on_media(query: &str, call: impl Fn(bool) + 'static) {
    if let Some(list) = media(query) {
        let inner = list.clone();
        EventListener::new(&list, "change", move |_| call(inner.matches())).forget();
    }
}

/// Copies text, and tells whether that was allowed.
pub(crate) fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let Some(window) = window() else { return done(false) };
    // Pages that are not served securely have no clipboard.
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into());
    let Some(clipboard) = clipboard.ok().filter(|found| !found.is_undefined()) else { return done(false) };
    let promise = clipboard.unchecked_into::<Clipboard>().write_text(text);
    spawn_local(async move { done(JsFuture::from(promise).await.is_ok()) });
}

/// Opens the browser's dialog for printing.
pub(crate) fn print() {
    if let Some(window) = window() {
        let _ = window.print();
    }
}

/// Puts a list back to its first entry, which stands for no choice.
pub(crate) fn unselect(event: &Event) {
    let list = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
    if let Some(list) = list {
        list.set_selected_index(0);
    }
}

/// Scrolls a row sideways until something in it stands in the middle; the page itself does not move.
pub(crate) fn bring_across(row: &HtmlElement, item: &Element) {
    let Some(item) = item.dyn_ref::<HtmlElement>() else { return };
    let middle = item.offset_left() + item.offset_width() / 2 - row.offset_left();
    row.set_scroll_left((middle - row.client_width() / 2).max(0));
}

/// Watches whether an element is in sight, until it is dropped.
pub(crate) struct Sight {
    observer: IntersectionObserver,
    _told: Closure<dyn FnMut(Array)>,
}

impl Drop for Sight {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls whenever an element comes into sight or leaves it.
pub(crate) fn watch(element: &Element, call: impl Fn(bool) + 'static) -> Option<Sight> {
    let told = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        let mut entries =
            entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok());
        if let Some(entry) = entries.next_back() {
            call(entry.is_intersecting());
        }
    });
    let observer = IntersectionObserver::new(told.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some(Sight { observer, _told: told })
}

/// Tells the document's language, theme and view to stylesheets and readers.
pub(crate) fn dress_document(language: Language, theme: Theme, view: View, title: &str) {
    let Some(document) = document() else { return };
    document.set_title(title);
    if let Some(root) = document.document_element() {
        let _ = root.set_attribute("lang", language.tag());
        let _ = root.set_attribute("data-theme", theme.name());
        let _ = root.set_attribute("data-view", view.name());
    }
}

/// Reads a file's bytes; nothing comes of one that cannot be read.
pub(crate) fn bytes_of(file: &Blob, done: impl FnOnce(Vec<u8>) + 'static) {
    let promise = file.array_buffer();
    spawn_local(async move {
        if let Ok(buffer) = JsFuture::from(promise).await {
            done(Uint8Array::new(&buffer).to_vec());
        }
    });
}

/// Gives the reader a file of text.
pub(crate) fn download(name: &str, kind: &str, text: &str) {
    if let Some(blob) = blob(kind, text) {
        hand_over(name, &blob);
    }
}

fn blob(kind: &str, text: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).ok()
}

/// Lets the browser save a file under a name.
fn hand_over(name: &str, file: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(file) else { return };
    let anchor = document().and_then(|document| document.create_element("a").ok());
    if let Some(anchor) = anchor.and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    let _ = Url::revoke_object_url(&url);
}

/// Pixels for each unit of a drawing in a saved picture.
const PIXELS_PER_UNIT: f64 = 2.0;

/// Gives the reader an SVG file as a picture of pixels, twice as fine as the drawing's units.
pub(crate) fn download_picture(name: &str, svg: &str) {
    let (Some(file), Ok(image)) = (blob("image/svg+xml", svg), HtmlImageElement::new()) else { return };
    let Ok(url) = Url::create_object_url_with_blob(&file) else { return };
    image.set_src(&url);
    let name = name.to_owned();
    spawn_local(async move {
        let decoded = JsFuture::from(image.decode()).await;
        if decoded.is_ok() {
            let _ = save_pixels(&name, &image);
        }
        let _ = Url::revoke_object_url(&url);
    });
}

/// Draws an image that is there and saves the pixels.
fn save_pixels(name: &str, image: &HtmlImageElement) -> Option<()> {
    let canvas: HtmlCanvasElement = document()?.create_element("canvas").ok()?.dyn_into().ok()?;
    let size = |length: u32| f64::from(length) * PIXELS_PER_UNIT;
    let (width, height) = (size(image.natural_width()), size(image.natural_height()));
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height).ok()?;
    let name = name.to_owned();
    let done = Closure::once_into_js(move |file: JsValue| {
        if let Ok(file) = file.dyn_into::<Blob>() {
            hand_over(&name, &file);
        }
    });
    canvas.to_blob(done.unchecked_ref()).ok()
}

/// Marks the document, for scripts that wait: `data-ready` once the stage is drawn and answers, `data-complete` once
/// everything has been fetched.
pub(crate) fn mark(attribute: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute(attribute, "");
    }
}

/// Shows the message that stands ready in index.html for the day the application fails.
pub(crate) fn show_failure() {
    if let Some(message) = element_by_id("failure").and_then(|element| element.dyn_into::<HtmlElement>().ok())
    {
        message.set_hidden(false);
    }
}
