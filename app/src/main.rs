//! The page: mounts the application in place of the first view and shows a message if it ever fails.

// Leptos's component macro writes `pub` itself, whatever the function says.
#![allow(unreachable_pub)]

mod address;
mod browser;
mod followed;
mod host;
mod later;
mod page;
mod picture;
mod player;
mod text;
mod view;

use leptos::mount::mount_to;
use wasm_bindgen::JsCast;

fn main() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        browser::show_failure();
    }));
    let Some(root) = browser::element_by_id("app") else { return };
    let Ok(root) = root.dyn_into::<web_sys::HtmlElement>() else { return };
    root.set_inner_html("");
    mount_to(root, view::App).forget();
}
