//! A part of the page that is built once the first picture has been painted: the stage and its sliders come first.

use leptos::prelude::*;

use super::page;

/// One part, in a place that stands from the beginning.
#[component]
pub(super) fn AfterPaint(children: ChildrenFn) -> impl IntoView {
    let page = page();
    move || page.painted.get().then(|| children())
}
