//! Below the stepper: scrubbing, speed, a closer look at one card, the still as a file, the classroom view.

use leptos::prelude::*;
use model_core::format;
use model_core::link::View;
use model_core::scene::timeline::{Moment, Pace, SPEEDS};

use super::share::Share;
use super::stage::save;
use super::{address, page, player};

/// Places of the scrubber within one step.
const PLACES: f64 = 100.0;

/// The same while it plays.
const PLAYED: f64 = 10.0;

/// The row of tools.
#[component]
pub(super) fn StageTools() -> impl IntoView {
    let page = page();
    let player = player();
    let address = address();
    let scrub = move |event: web_sys::Event| {
        let place: f64 = event_target_value(&event).parse().unwrap_or(0.0);
        player.show(Moment::at(place / PLACES, untrack(|| player.steps())));
    };
    // While a step plays the thumb moves in few places: each costs a layout, and the segments show it finely.
    let thumb = Memo::new(move |_| {
        let coarse = if page.playing.get() { PLAYED } else { PLACES };
        (page.moment.get().along() * coarse).round() * (PLACES / coarse)
    });
    let speed = move |factor: f64| {
        view! {
            <option value=factor.to_string() selected=move || page.speed.get() == factor>
                {format!("{factor}×")}
            </option>
        }
    };
    let pick_speed = move |event: web_sys::Event| {
        let picked = event_target_value(&event).parse().ok();
        if let Some(factor) = picked.filter(|factor| SPEEDS.contains(factor)) {
            page.speed.set(factor);
        }
    };
    let pick_pace = move |event: web_sys::Event| {
        page.pace.set(if event_target_value(&event) == "equal" { Pace::Equal } else { Pace::Proportional });
    };
    view! {
        <input
            type="range"
            class="scrub"
            data-testid="scrub"
            min="0"
            max=move || (player.steps() as f64 * PLACES).to_string()
            step="1"
            aria-label=move || page.text().scrub
            aria-valuetext=move || page.chapter().step_name(page.step.get())
            prop:value=move || thumb.get().to_string()
            on:input=scrub
        />
        <select data-testid="speed" aria-label=move || page.text().speed on:change=pick_speed>
            {SPEEDS.into_iter().map(speed).collect_view()}
        </select>
        <select data-testid="pace" aria-label=move || page.text().pace on:change=pick_pace>
            <option value="equal" selected=move || page.pace.get() == Pace::Equal>
                {move || page.text().pace_equal}
            </option>
            <option value="proportional" selected=move || page.pace.get() == Pace::Proportional>
                {move || page.text().pace_true}
            </option>
        </select>
        <span class="slowed" data-testid="slowed">
            {move || {
                let slowed = page.times.with(|times| times.slowed);
                slowed.map(|factor| (page.text().slowed)(&format::count(factor.round())))
            }}
        </span>
        <Cards />
        // Where they do not fit beside the others they stand below, all of them.
        <span class="tool-group">
            <button type="button" class="quiet" data-testid="save-still" on:click=move |_| save(page)>
                {move || page.text().save_still}
            </button>
            <button
                type="button"
                class="quiet"
                data-testid="present"
                on:click=move |_| address.change(page, false, || page.view.set(View::Present))
            >
                {move || page.text().present}
            </button>
            <Share scene=true />
        </span>
        <p class="note keys-note">
            {move || if page.reduced_motion.get() { page.text().reduced_motion } else { page.text().stage_keys }}
        </p>
    }
}

/// The cards of the stage as small buttons: a press opens one, another press goes back.
#[component]
fn Cards() -> impl IntoView {
    let page = page();
    // Only a change of their names makes new buttons.
    let names = Memo::new(move |_| page.told.with(|told| told.cards.clone()));
    let card = move |(index, name): (usize, String)| {
        let open = move || page.card.get() == Some(index);
        view! {
            <button
                type="button"
                aria-label=name
                aria-pressed=move || open().to_string()
                on:click=move |_| page.card.update(|card| *card = (*card != Some(index)).then_some(index))
            >
                {index}
            </button>
        }
    };
    view! {
        <Show when=move || names.with(|names| !names.is_empty())>
            <span class="cards" role="group" data-testid="cards" aria-label=move || page.text().zoom>
                <span class="cards-name">{move || page.text().zoom}</span>
                {move || names.get().into_iter().enumerate().map(card).collect_view()}
            </span>
        </Show>
    }
}
