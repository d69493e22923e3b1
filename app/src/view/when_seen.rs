//! A part of the page that follows what is turned while it is in sight, and else when the reader rests.

use leptos::context::Provider;
use leptos::html;
use leptos::prelude::*;

use super::page;
use crate::browser;

/// One part; whether it is in sight is seen by its first element.
#[component]
pub(super) fn WhenSeen(children: Children) -> impl IntoView {
    let place: NodeRef<html::Div> = NodeRef::new();
    let in_sight = RwSignal::new(false);
    let sight: StoredValue<Option<browser::Sight>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        let part = place.get().and_then(|place| place.first_element_child());
        sight.set_value(part.and_then(|part| browser::watch(&part, move |seen| in_sight.set(seen))));
    });
    // A provider has an owner of its own: nothing else sees this page.
    view! {
        <Provider value=page().when_seen(in_sight.into())>
            <div class="when-seen" node_ref=place>{children()}</div>
        </Provider>
    }
}
