//! Plays one step at a time: a single frame callback, registered again while a step runs and silent otherwise.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use model_core::scene::timeline::Moment;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use crate::browser;
use crate::page::Page;

/// Longest time one frame may stand for, in seconds: after a hidden tab the scene goes on where it was.
const LONGEST_FRAME_S: f64 = 0.1;

/// The callback that a frame calls, filled in once it exists.
type FrameCallback = Rc<RefCell<Option<Closure<dyn FnMut(f64)>>>>;

/// How long a step takes is the scene's; how often it is drawn is the browser's.
#[derive(Clone, Copy)]
pub(crate) struct Player {
    page: Page,
    frame: StoredValue<FrameCallback, LocalStorage>,
    /// When the last frame was, in milliseconds; none before the first of a step.
    last_ms: StoredValue<Option<f64>>,
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
            last_ms: StoredValue::new(None),
            asked: StoredValue::new(false),
        };
        *frame.borrow_mut() = Some(Closure::new(move |now_ms| player.tick(now_ms)));
        player
    }

    /// Steps of the scene on the stage.
    pub(crate) fn steps(self) -> usize {
        self.page.scene.get().steps().len()
    }

    /// Its last step.
    fn last(self) -> usize {
        untrack(|| self.steps()).saturating_sub(1)
    }

    /// Shows a step done, or the last one.
    pub(crate) fn go(self, step: usize) {
        self.show(Moment::done(step.min(self.last())));
    }

    /// One step on, done.
    pub(crate) fn forward(self) {
        self.go(self.page.moment.get_untracked().step + 1);
    }

    /// One step back, done.
    pub(crate) fn back(self) {
        self.go(self.page.moment.get_untracked().step.saturating_sub(1));
    }

    /// Shows a moment, and stops there.
    pub(crate) fn show(self, moment: Moment) {
        self.pause();
        self.page.moment.set(moment);
    }

    /// Plays, or stops playing.
    pub(crate) fn toggle(self) {
        if self.page.playing.get_untracked() { self.pause() } else { self.play() }
    }

    /// For a clicker with one key: ends the step that plays, or plays the next one; stays at the end.
    pub(crate) fn click(self) {
        let moment = self.page.moment.get_untracked();
        if self.page.playing.get_untracked() {
            self.go(moment.step);
        } else if moment.t < 1.0 || moment.step < self.last() {
            self.play();
        }
    }

    /// Does what a key of the stage stands for; false where it stands for nothing.
    pub(crate) fn press(self, key: &str) -> bool {
        match key {
            "ArrowRight" => self.forward(),
            "ArrowLeft" => self.back(),
            "Home" => self.go(0),
            "End" => self.go(self.last()),
            " " => self.toggle(),
            digit => match digit.parse::<usize>() {
                Ok(number) if (1..=self.last() + 1).contains(&number) => self.go(number - 1),
                _ => return false,
            },
        }
        true
    }

    /// Plays the step that is begun, or the next one; at the end of the scene, from its beginning. Under reduced motion
    /// the step is shown done at once.
    pub(crate) fn play(self) {
        let steps = self.last() + 1;
        let mut moment = self.page.moment.get_untracked();
        if moment.t >= 1.0 {
            moment.step = (moment.step + 1) % steps;
            moment.t = 0.0;
        }
        if self.page.reduced_motion.get_untracked() {
            moment.t = 1.0;
            self.page.moment.set(moment);
            return;
        }
        self.page.moment.set(moment);
        self.last_ms.set_value(None);
        if !self.page.playing.get_untracked() {
            self.page.playing.set(true);
            self.ask();
        }
    }

    /// Stops where it is.
    pub(crate) fn pause(self) {
        self.page.playing.set(false);
    }

    fn tick(self, now_ms: f64) {
        // The page may be gone by the time the frame comes.
        let _ = self.asked.try_set_value(false);
        if self.page.playing.try_get_untracked() != Some(true) {
            return;
        }
        let last_ms = self.last_ms.get_value().unwrap_or(now_ms);
        let dt_s = ((now_ms - last_ms) / 1000.0).clamp(0.0, LONGEST_FRAME_S);
        self.last_ms.set_value(Some(now_ms));
        let moment = self.page.moment.get_untracked();
        let step_s = self.page.times.with_untracked(|times| times.steps_s.get(moment.step).copied());
        let next = moment.advanced(dt_s * self.page.speed.get_untracked(), step_s.unwrap_or_default());
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
