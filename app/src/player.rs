//! Plays one step at a time: a single frame callback, registered again while a step runs and silent otherwise.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use model_core::scene::timeline::{STEP_S, StepTime};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::browser;
use crate::page::Page;

/// Longest time one frame may stand for, in seconds: after a hidden tab the scene goes on where it was.
const LONGEST_FRAME_S: f64 = 0.1;

/// The reader's wish for stills in place of motion.
pub(crate) const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// The callback that a frame calls, filled in once it exists.
type FrameCallback = Rc<RefCell<Option<Closure<dyn FnMut()>>>>;

/// How long a step takes is the scene's; how often it is drawn is the browser's.
#[derive(Clone, Copy)]
pub(crate) struct Player {
    page: Page,
    frame: StoredValue<FrameCallback, LocalStorage>,
    last_ms: StoredValue<f64>,
    /// How long the step that plays takes.
    step_s: StoredValue<f64>,
    /// Whether a frame has been asked for and has not come: there is never more than one.
    asked: StoredValue<bool>,
}

impl Player {
    /// Sets the callback up once.
    pub(crate) fn new(page: Page) -> Self {
        let frame = FrameCallback::default();
        let player = Self {
            page,
            frame: StoredValue::new_local(Rc::clone(&frame)),
            last_ms: StoredValue::new(0.0),
            step_s: StoredValue::new(STEP_S),
            asked: StoredValue::new(false),
        };
        *frame.borrow_mut() = Some(Closure::new(move || player.tick()));
        player
    }

    /// Plays the step that is begun, or the next one, as long as the scene gives it; at the end of the scene, from its
    /// beginning. Under reduced motion the step is shown done at once.
    pub(crate) fn play(self, times: &[StepTime]) {
        let mut moment = self.page.moment.get_untracked();
        if moment.t >= 1.0 {
            moment.step = (moment.step + 1) % times.len().max(1);
            moment.t = 0.0;
        }
        self.step_s.set_value(times.get(moment.step).map_or(STEP_S, |time| time.equal_s));
        if browser::matches(REDUCED_MOTION) {
            moment.t = 1.0;
            self.page.moment.set(moment);
            return;
        }
        self.page.moment.set(moment);
        self.last_ms.set_value(browser::now_ms());
        if !self.page.playing.get_untracked() {
            self.page.playing.set(true);
            self.ask();
        }
    }

    /// Stops where it is.
    pub(crate) fn pause(self) {
        self.page.playing.set(false);
    }

    fn tick(self) {
        // The page may be gone by the time the frame comes.
        let _ = self.asked.try_set_value(false);
        if self.page.playing.try_get_untracked() != Some(true) {
            return;
        }
        let now_ms = browser::now_ms();
        let dt_s = ((now_ms - self.last_ms.get_value()) / 1000.0).clamp(0.0, LONGEST_FRAME_S);
        self.last_ms.set_value(now_ms);
        let next = self.page.moment.get_untracked().advanced(dt_s, self.step_s.get_value());
        self.page.moment.set(next);
        if next.t >= 1.0 { self.page.playing.set(false) } else { self.ask() }
    }

    /// Asks for the next frame. One that was asked for before a pause still comes, and serves.
    fn ask(self) {
        let Some(frame) = self.frame.try_get_value() else { return };
        if self.asked.try_get_value() != Some(false) {
            return;
        }
        if let (Some(window), Some(closure)) = (browser::window(), frame.borrow().as_ref()) {
            let asked = window.request_animation_frame(closure.as_ref().unchecked_ref());
            self.asked.set_value(asked.is_ok());
        }
    }
}
