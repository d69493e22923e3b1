//! The stage with its stepper: a picture of the scene at the present moment, and the keys that move it.

use leptos::html;
use leptos::prelude::*;
use model_core::draw::svg::{self, Ink, Origin};
use model_core::scene::timeline::Moment;
use model_core::scene::{Facts, Look};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent};

use super::page;
use crate::browser;
use crate::page::Page;
use crate::picture::Picture;
use crate::player::{Player, REDUCED_MOTION};

/// The stage and its stepper.
#[component]
pub(super) fn Stage() -> impl IntoView {
    let page = page();
    let player: Player = expect_context();
    // A scene has no equality of its own: it is new whenever what it is derived from is.
    let scene = Memo::new_with_compare(
        move |_| {
            page.settings.with(|settings| {
                page.spec.with(|spec| {
                    page.report.with(|report| page.scene.get().derive(Facts { report, settings, spec }))
                })
            })
        },
        |_, _| true,
    );
    let drawing = Memo::new(move |_| {
        let look = Look { layout: page.layout.get(), language: page.language.get(), base: page.base.get() };
        scene.with(|scene| scene.frame(page.moment.get(), look))
    });
    let still = RwSignal::new(browser::matches(REDUCED_MOTION));
    browser::on_media(REDUCED_MOTION, move |wished| still.set(wished));
    let place: NodeRef<html::Div> = NodeRef::new();
    let picture: StoredValue<Option<Picture>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        picture.update_value(|picture| {
            if picture.is_none() {
                *picture = Picture::new(&place, "stage");
            }
            if let Some(picture) = picture {
                drawing.with(|drawing| picture.show(drawing));
            }
        });
    });
    let steps = move || page.scene.get().steps().len();
    let last = move || untrack(steps).saturating_sub(1);
    let go = move |step: usize| {
        player.pause();
        page.moment.set(Moment::done(step.min(last())));
    };
    let play = move || {
        if page.playing.get_untracked() {
            player.pause();
        } else {
            player.play(&scene.with_untracked(|scene| scene.durations()));
        }
    };
    let step = move || page.moment.get().step;
    let keys = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let at = page.moment.get_untracked().step;
        match event.key().as_str() {
            "ArrowRight" => go(at + 1),
            "ArrowLeft" => go(at.saturating_sub(1)),
            "Home" => go(0),
            "End" => go(last()),
            // On a button, the space bar is the button's own.
            " " if !is_button(&event) => play(),
            digit => match digit.parse::<usize>() {
                Ok(number) if (1..=last() + 1).contains(&number) => go(number - 1),
                _ => return,
            },
        }
        event.prevent_default();
    };
    let save = move |_| {
        let origin = origin(page);
        let file = drawing
            .with_untracked(|drawing| svg::write(drawing, Ink::Literal(page.theme.get_untracked()), &origin));
        let name = format!("one-token-eight-gpus-{}.svg", page.scene.get_untracked().name());
        browser::download(&name, "image/svg+xml", &file);
    };
    view! {
        <section class="stage card" tabindex="0" aria-label=move || page.chapter().heading on:keydown=keys>
            <div class="stage-picture" node_ref=place on:click=move |event| open_figure(page, &event)></div>
            <p class="visually-hidden" role="status" aria-live="polite">
                {move || drawing.with(|drawing| drawing.description.clone())}
            </p>
            <div class="stepper">
                <button
                    type="button"
                    class="round"
                    data-testid="previous"
                    aria-label=move || page.text().previous
                    disabled=move || step() == 0
                    on:click=move |_| go(page.moment.get_untracked().step.saturating_sub(1))
                >
                    "‹"
                </button>
                <button type="button" class="strong play" data-testid="play" on:click=move |_| play()>
                    <span aria-hidden="true">{move || if page.playing.get() { "❚❚ " } else { "▶ " }}</span>
                    {move || if page.playing.get() { page.text().pause } else { page.text().play }}
                </button>
                <button
                    type="button"
                    class="round"
                    data-testid="next"
                    aria-label=move || page.text().next
                    disabled=move || step() + 1 == steps()
                    on:click=move |_| go(page.moment.get_untracked().step + 1)
                >
                    "›"
                </button>
                <div class="segments" role="group" aria-label=move || page.text().steps>
                    {move || {
                        let names = page.scene.get().steps();
                        let segment = |(index, name)| view! { <Segment index=index name=name go=go /> };
                        names.iter().copied().enumerate().map(segment).collect_view()
                    }}
                </div>
                <span class="step-name" data-testid="step">
                    {move || format!("{} / {} · {}", step() + 1, steps(), page.chapter().step_name(step()))}
                </span>
                <button type="button" class="quiet" data-testid="save-still" on:click=save>
                    {move || page.text().save_still}
                </button>
            </div>
            <p class="note keys-note">
                {move || {
                    if still.get() { page.text().reduced_motion } else { page.text().stage_keys }
                }}
            </p>
        </section>
    }
}

/// One segment of the bar: filled as far as its step has come.
#[component]
fn Segment(index: usize, name: &'static str, go: impl Fn(usize) + Copy + Send + 'static) -> impl IntoView {
    let page = page();
    let within = move || page.moment.get().within(index);
    view! {
        <button
            type="button"
            class="segment"
            data-step=name
            aria-current=move || (page.moment.get().step == index).then_some("step")
            aria-label=move || page.chapter().step_name(index)
            on:click=move |_| go(index)
        >
            <span class="segment-bar">
                <span class="segment-done" style:transform=move || format!("scaleX({:.3})", within())></span>
            </span>
        </button>
    }
}

fn is_button(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.tag_name().eq_ignore_ascii_case("button"))
}

/// Opens the derivation of the figure that was pressed in a picture.
fn open_figure(page: Page, event: &MouseEvent) {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let id = target.and_then(|element| element.get_attribute("data-figure"));
    if id.is_some() {
        page.open_figure.set(id);
    }
}

/// Where an exported file says it comes from.
pub(super) fn origin(page: Page) -> Origin {
    let link = page.link_untracked();
    let query = link.write();
    let link_text =
        if query.is_empty() { browser::address() } else { format!("{}?{query}", browser::address()) };
    Origin { scenario: link.scenario_query(), link: link_text }
}
