//! A formula as mathematics: its tree becomes MathML nodes.

use leptos::html;
use leptos::prelude::*;
use model_core::formula::Math;
use web_sys::Element;

use crate::browser::document;

const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// The formula; `text` is what is read where MathML is not known.
#[component]
pub(super) fn Formula(math: Math, text: String) -> impl IntoView {
    let place: NodeRef<html::Span> = NodeRef::new();
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        if let Some(node) = element(&math) {
            place.set_text_content(None);
            let _ = place.append_child(&node);
        }
    });
    view! { <span class="math" node_ref=place>{text}</span> }
}

fn element(math: &Math) -> Option<Element> {
    let node = document()?.create_element_ns(Some(MATHML), math.tag).ok()?;
    if !math.text.is_empty() {
        node.set_text_content(Some(&math.text));
    }
    for child in math.children.iter().filter_map(element) {
        node.append_child(&child).ok()?;
    }
    Some(node)
}
