//! A part of the page that follows what is turned while it is in sight, and else when the reader rests.

use leptos::context::Provider;
use leptos::html;
use leptos::prelude::*;
use web_sys::Element;

use super::page;
use crate::browser;

/// One part; whether it is in sight is seen by its first element.
#[component]
pub(super) fn WhenSeen(children: Children) -> impl IntoView {
    let place: NodeRef<html::Div> = NodeRef::new();
    let in_sight = RwSignal::new(false);
    on_sight(move || place.get()?.first_element_child(), move |seen| in_sight.set(seen));
    // A provider has an owner of its own: nothing else sees this page.
    view! {
        <Provider value=page().when_seen(in_sight.into())>
            <div class="when-seen" node_ref=place>{children()}</div>
        </Provider>
    }
}

/// Calls whenever an element comes into sight or leaves it, from when it is there and for as long as its owner lives.
pub(super) fn on_sight(
    element: impl Fn() -> Option<Element> + 'static,
    call: impl Fn(bool) + Clone + 'static,
) {
    let sight: StoredValue<Option<browser::Sight>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        sight.set_value(element().and_then(|element| browser::watch(&element, call.clone())));
    });
}
