//! What a first visit does not need: the scenes behind the first chapter with their prose. In the shipped page it is a
//! part of its own, fetched when a reader first touches anything or opens such a scene; `cargo xtask` cuts it off where
//! this file says so. Without that cut (`trunk serve`, tests) it is simply there.

// The cut's macro writes the two functions that the parts find each other by.
#![allow(unsafe_code)]

use std::sync::Arc;

use gloo_events::EventListener;
use leptos::prelude::*;
use leptos::task::spawn_local;
use model_core::language::Language;
use model_core::link::Room;
use model_core::scene::{Facts, Scene, SceneId};

use crate::followed::Followed;
use crate::text::Chapter;
use crate::{browser, view};

/// The doors into the later part.
#[derive(Clone, Copy)]
pub(crate) struct Later {
    /// Derives any scene.
    pub derive: fn(SceneId, Facts) -> Arc<dyn Scene>,
    /// The prose beside any scene.
    pub chapter: fn(SceneId, Language) -> &'static Chapter,
    /// The calculation beside a scene.
    pub calculation: fn() -> AnyView,
    /// The question beside a scene.
    pub question: fn() -> AnyView,
    /// The figures behind a scene.
    pub details: fn() -> AnyView,
    /// The scenario's charts.
    pub charts: fn() -> AnyView,
    /// A room other than the chapters'.
    pub room: fn(Room) -> AnyView,
    /// How a figure comes about.
    pub derivation: fn() -> AnyView,
    /// The classroom view.
    pub presentation: fn() -> AnyView,
}

/// Why it is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotFetched;

#[cfg(split)]
impl From<wasm_split_helpers::SplitLoaderError> for NotFetched {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

#[cfg(split)]
#[wasm_split_helpers::wasm_split(later, fallible)]
fn doors() -> Result<Later, NotFetched> {
    Ok(Later::open())
}

#[cfg(not(split))]
async fn doors() -> Result<Later, NotFetched> {
    Ok(Later::open())
}

impl Later {
    /// What stands behind the doors; named nowhere else, or it would be part of the first visit.
    fn open() -> Self {
        Self {
            derive: SceneId::derive,
            chapter: Chapter::of,
            calculation: view::calculation,
            question: view::question,
            details: view::details,
            charts: view::charts,
            room: view::room,
            derivation: view::derivation,
            presentation: view::presentation,
        }
    }
}

/// The later part as the page has it.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    /// The doors, once they are open.
    pub later: Followed<RwSignal<Option<Later>>>,
    /// Whether the last try failed.
    pub failed: Followed<RwSignal<bool>>,
    asked: StoredValue<bool>,
}

impl Parts {
    /// Nothing fetched; the first touch fetches.
    pub(crate) fn new() -> Self {
        let parts = Self {
            later: Followed(RwSignal::new(None)),
            failed: Followed(RwSignal::new(false)),
            asked: StoredValue::new(false),
        };
        if let Some(window) = browser::window() {
            for touch in ["pointerdown", "keydown"] {
                EventListener::once(&window, touch, move |_| parts.fetch()).forget();
            }
        }
        parts
    }

    /// Fetches the later part unless it is there or under way.
    pub(crate) fn fetch(self) {
        if self.asked.get_value() {
            return;
        }
        self.asked.set_value(true);
        self.failed.set(false);
        spawn_local(async move {
            match doors().await {
                Ok(later) => {
                    self.later.set(Some(later));
                    browser::mark("data-complete");
                }
                Err(NotFetched) => {
                    self.asked.set_value(false);
                    self.failed.set(true);
                }
            }
        });
    }
}
