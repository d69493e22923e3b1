//! The sliders, each with an entry to type into. Bounds and stops are the scenario's.

use leptos::prelude::*;
use model_core::format;
use model_core::plan;
use model_core::scenario::{Bound, Key, Scenario};

use super::{address, page};

/// The controls of this chapter.
#[component]
pub(super) fn Controls() -> impl IntoView {
    let page = page();
    view! {
        <section class="controls" aria-label=move || page.text().controls>
            {move || {
                let keys = page.scene.get().keys_in(page.ledger.get());
                keys.map(|key| view! { <Control key=key /> }).collect_view()
            }}
            <Reset />
        </section>
    }
}

/// The way back to the defaults.
#[component]
pub(super) fn Reset() -> impl IntoView {
    let page = page();
    let address = address();
    view! {
        <button
            type="button"
            class="quiet reset"
            data-testid="reset"
            on:click=move |_| {
                address.change(page, false, || page.scenario.set(Scenario::default()));
                page.refusals.set(Vec::new());
            }
        >
            {move || page.text().reset}
        </button>
    }
}

/// One thing to turn: words are picked from a list, numbers slid or typed.
#[component]
pub(super) fn Control(key: Key) -> impl IntoView {
    match key.bound() {
        Bound::OneOf(words) => view! { <Choice key=key words=words /> }.into_any(),
        _ => view! { <Slider key=key /> }.into_any(),
    }
}

/// A list of words.
#[component]
fn Choice(key: Key, words: &'static [&'static str]) -> impl IntoView {
    let page = page();
    let address = address();
    let name = move || (page.text().key_name)(key);
    let in_force = move || page.setting(key).to_string();
    let option = move |word: &'static str| {
        view! {
            <option value=word selected=move || in_force() == word>
                {move || page.word_shown(key, word)}
            </option>
        }
    };
    view! {
        <div class="control" data-control=key.name()>
            <div class="control-head">
                <span class="control-name">{name}</span>
            </div>
            <select
                aria-label=name
                prop:value=in_force
                on:change=move |event| {
                    let word = event_target_value(&event);
                    address.change(page, false, || page.choose_text(key, &word));
                }
            >
                {words.iter().copied().map(option).collect_view()}
            </select>
        </div>
    }
}

/// A slider over the key's stops, and its value as text that can be typed over.
#[component]
fn Slider(key: Key) -> impl IntoView {
    let page = page();
    let address = address();
    let stops = Memo::new(move |_| {
        let ledger = page.ledger.get();
        page.spec.with(|spec| page.scenario.with(|scenario| plan::stops(key, ledger, scenario, spec)))
    });
    let number = move || page.setting_number(key);
    let nearest = move || {
        let number = number();
        stops.with(|stops| {
            let near = |(_, a): &(usize, &f64), (_, b): &(usize, &f64)| {
                (*a - number).abs().total_cmp(&(*b - number).abs())
            };
            stops.iter().enumerate().min_by(near).map_or(0, |(index, _)| index)
        })
    };
    let name = move || (page.text().key_name)(key);
    let unit = move || (page.text().key_unit)(key, number());
    let typed: NodeRef<leptos::html::Input> = NodeRef::new();
    let slide = move |event: web_sys::Event| {
        let position: usize = event_target_value(&event).parse().unwrap_or(0);
        if let Some(stop) = stops.with_untracked(|stops| stops.get(position).copied()) {
            address.change(page, true, || page.choose_number(key, stop));
        }
    };
    // A key held down repeats: all of that is one change, as a drag is.
    let held = StoredValue::new(false);
    let press = move |event: web_sys::KeyboardEvent| {
        if !event.repeat() {
            address.end();
        }
        held.set_value(true);
    };
    let enter = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        address.change(page, false, || page.choose_text(key, &text));
        // Refused or regrouped: the entry shows the value in force again.
        if let Some(entry) = typed.get_untracked() {
            entry.set_value(&untrack(move || format::count(number())));
        }
    };
    view! {
        <div class="control" data-control=key.name()>
            <div class="control-head">
                <span class="control-name">{name}</span>
                <label class="typed">
                    <input
                        type="text"
                        inputmode="decimal"
                        autocomplete="off"
                        spellcheck="false"
                        aria-label=move || format!("{} — {}", name(), page.text().typed)
                        node_ref=typed
                        prop:value=move || format::count(number())
                        on:change=enter
                    />
                    <span class="unit">{unit}</span>
                </label>
            </div>
            <input
                type="range"
                min="0"
                max=move || stops.with(|stops| stops.len().saturating_sub(1))
                step="1"
                aria-label=name
                aria-valuetext=move || page.setting_shown(key)
                prop:value=move || nearest().to_string()
                on:input=slide
                on:keydown=press
                on:keyup=move |_| {
                    held.set_value(false);
                    address.end();
                }
                on:blur=move |_| held.set_value(false)
                // A drag that ends where it began fires no change event: the next press begins afresh in any case.
                on:pointerdown=move |_| {
                    held.set_value(false);
                    address.end();
                }
                on:change=move |_| {
                    if !held.get_value() {
                        address.end();
                    }
                }
            />
        </div>
    }
}
