//! A picture of the model's that is no chart over an axis: drawn while it is in sight, with its legend and its files.

use leptos::html;
use leptos::prelude::*;
use model_core::draw::svg::{self, Ink};
use model_core::draw::{Drawing, legend};
use model_core::table::Table;

use super::chart::swatch;
use super::charts::Rows;
use super::page;
use super::stage::origin;
use super::when_seen::on_sight;
use crate::browser;
use crate::picture::Picture;

/// A picture under its heading. `whole` gives the drawing that stands alone in a file; `name` is for files, test hooks
/// and to tell its patterns from other pictures'; its numbers stand folded below it where a `table` gives them.
#[component]
pub(super) fn DrawnCard(
    name: &'static str,
    #[prop(into)] title: Signal<String>,
    drawing: Memo<Drawing>,
    whole: impl Fn() -> Drawing + Copy + Send + Sync + 'static,
    #[prop(into)] entries: Signal<Vec<legend::Entry>>,
    #[prop(optional)] table: Option<Memo<Table>>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let page = page();
    let file = move || svg::write(&untrack(whole), Ink::Literal(page.theme.get_untracked()), &origin(page));
    let save_svg =
        move |_| browser::download(&format!("one-token-eight-gpus-{name}.svg"), "image/svg+xml", &file());
    let save_png = move |_| browser::download_picture(&format!("one-token-eight-gpus-{name}.png"), &file());
    view! {
        <section class="card room" data-drawn=name>
            <div class="room-head">
                <h2>{title}</h2>
                <span class="exports">
                    <button type="button" class="quiet" on:click=save_svg>"↓ "{move || page.later_text().save_svg}</button>
                    <button type="button" class="quiet" on:click=save_png>"↓ PNG"</button>
                </span>
            </div>
            {children.map(|children| children())}
            <Drawn drawing=drawing name=name />
            <ul class="legend">
                {move || {
                    let entry = |(fill, name): legend::Entry| view! { <li>{swatch(fill, false)}<span>{name}</span></li> };
                    entries.get().into_iter().map(entry).collect_view()
                }}
            </ul>
            {table.map(|table| view! { <Rows table=table /> })}
            <p class="visually-hidden">{move || drawing.with(|drawing| drawing.description.clone())}</p>
        </section>
    }
}

/// The picture alone.
#[component]
fn Drawn(drawing: Memo<Drawing>, name: &'static str) -> impl IntoView {
    let place: NodeRef<html::Div> = NodeRef::new();
    let in_sight = RwSignal::new(false);
    draw_in_sight(place, name, in_sight, move |picture| drawing.with(|drawing| picture.show(drawing)));
    // Its place is kept before it is drawn: nothing below moves when it comes into sight.
    let shape = Memo::new(move |last: Option<&String>| match last {
        Some(last) if !in_sight.get() => last.clone(),
        _ => drawing.with(|drawing| format!("{} / {}", drawing.width, drawing.height)),
    });
    view! { <div class="drawn chart-picture" style:aspect-ratio=shape node_ref=place></div> }
}

/// Keeps a picture in a place, drawn anew whenever what `draw` reads has changed while the place is in sight, which
/// `in_sight` tells.
pub(super) fn draw_in_sight(
    place: NodeRef<html::Div>,
    name: &'static str,
    in_sight: RwSignal<bool>,
    draw: impl Fn(&mut Picture) + 'static,
) {
    let picture: StoredValue<Option<Picture>, LocalStorage> = StoredValue::new_local(None);
    on_sight(move || place.get().map(Into::into), move |seen| in_sight.set(seen));
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        if !in_sight.get() {
            return;
        }
        picture.update_value(|picture| {
            if picture.is_none() {
                *picture = Picture::new(&place, name);
            }
            if let Some(picture) = picture {
                draw(picture);
            }
        });
    });
}
