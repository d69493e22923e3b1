//! Signals that let go of their followers. Those of the library keep an entry for every effect that ever read them, long
//! after the effect is gone, and go through all of them at each change: a page that is used for an hour grows and slows
//! down. What lives as long as the page and is read by what comes and goes is one of these.

use std::ops::Deref;

use leptos::prelude::*;
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::graph::{AnySource, Observer, Source, ToAnySource};
use leptos::reactive::traits::{Get, Track, With};

/// A signal or memo; reading it so that changes are followed also takes the follower off when it is cleaned up.
#[derive(Clone, Copy)]
pub(crate) struct Followed<S>(pub S);

/// What can be followed.
pub(crate) trait Followable {
    /// The same without its type.
    fn source(&self) -> AnySource;
}

impl<T: Send + Sync + 'static> Followable for RwSignal<T> {
    fn source(&self) -> AnySource {
        self.to_any_source()
    }
}

impl<T: Send + Sync + 'static> Followable for Memo<T> {
    fn source(&self) -> AnySource {
        ArcMemo::from(*self).to_any_source()
    }
}

/// Everything that does not follow: writing, reading once.
impl<S> Deref for Followed<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: Followable> Followed<S> {
    /// The value, followed.
    pub(crate) fn get(&self) -> S::Value
    where
        S: Get,
    {
        self.until_cleanup().get()
    }

    /// What a closure makes of the value, followed.
    pub(crate) fn with<U>(&self, read: impl FnOnce(&S::Value) -> U) -> U
    where
        S: With,
    {
        self.until_cleanup().with(read)
    }

    /// Follows without reading.
    pub(crate) fn track(&self)
    where
        S: Track,
    {
        self.until_cleanup().track();
    }

    /// The signal, with whoever follows it now taken off again once its owner is cleaned up.
    fn until_cleanup(&self) -> &S {
        if let Some(follower) = Observer::get() {
            let source = self.0.source();
            on_cleanup(move || source.remove_subscriber(&follower));
        }
        &self.0
    }
}
