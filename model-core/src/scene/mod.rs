//! Scenes: what the model computed, told in named steps. A scene's events are derived from the scenario's figures,
//! a simulation or the engine; its frame at a moment is a pure function of them.

pub mod allreduce;
pub mod dispatch;
pub mod exercise;
pub mod experts;
#[cfg(test)]
mod inspect;
pub mod kernel;
pub mod lines;
mod parts;
pub mod place;
pub mod prefill;
pub mod routed;
pub mod small_model;
pub mod stage;
pub mod timeline;
pub mod worked;
pub mod zoom;

use std::sync::Arc;

use crate::draw::Drawing;
use crate::figure::Report;
use crate::format::ByteBase;
use crate::language::Language;
use crate::scenario::{Key, Settings};
use crate::spec::ModelSpec;

use exercise::Exercise;
use timeline::{Moment, StepTime};
use worked::Worked;

/// The scenes: name in links, chapter, names of the steps, what the reader turns, and what derives it.
macro_rules! scenes {
    ($($(#[$doc:meta])* $scene:ident $name:literal $chapter:literal $steps:path, [$($key:ident),+], $derive:path;)+) => {
        /// A scene by its name in links.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum SceneId { $($(#[$doc])* $scene),+ }

        impl SceneId {
            /// Every scene, in the order of the chapters.
            pub const ALL: &[Self] = &[$(Self::$scene),+];
            /// Their names in links.
            pub const NAMES: &[&str] = &[$($name),+];

            /// Its name in links.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$scene => $name),+ }
            }

            /// The chapter it is, counted from 0.
            #[must_use]
            pub const fn chapter(self) -> u32 {
                match self { $(Self::$scene => $chapter),+ }
            }

            /// The names of its steps, in order.
            #[must_use]
            pub fn steps(self) -> &'static [&'static str] {
                match self { $(Self::$scene => &$steps),+ }
            }

            /// What its reader turns beside it.
            #[must_use]
            pub const fn keys(self) -> &'static [Key] {
                match self { $(Self::$scene => &[$(Key::$key),+]),+ }
            }

            /// Derives the scene.
            #[must_use]
            pub fn derive(self, facts: Facts) -> Arc<dyn Scene> {
                match self { $(Self::$scene => Arc::new($derive(facts))),+ }
            }
        }
    };
}

scenes! {
    /// Where weights and caches lie.
    #[default]
    Place "place" 1 place::STEP_NAMES, [Model, Gpu, Layout, Context, Batch, Tp, Ep, Pp, GpuMemoryGib],
        place::Placing::new;
    /// A prompt through the layers.
    Prefill "prefill" 2 prefill::STEP_NAMES, [Context, Chunk, Layer, Batch], prefill::Prefill::new;
    /// One kernel on one GPU.
    Kernel "kernel" 3 kernel::STEP_NAMES, [Kernel, Batch, Context, Tile, L2Mib], kernel::Opened::new;
    /// Partial sums added up over the GPUs.
    Allreduce "allreduce" 4 allreduce::STEP_NAMES, [Tp, Batch, CommDtype, Algorithm, DropRank],
        allreduce::Reducing::new;
    /// Experts at home: where a token's picks are computed.
    Experts "experts" 5 experts::STEP_NAMES, [Batch, Router, Skew, Seed, Tp], experts::Experts::new;
    /// Tokens on their owners, experts elsewhere: what travels.
    Dispatch "dispatch" 6 dispatch::STEP_NAMES, [Batch, Layout, Ep, Dedupe, CommDtype, Router, Skew, Seed],
        dispatch::Dispatch::new;
}

impl SceneId {
    /// Reads a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scene| scene.name() == name)
    }
}

/// Derives the first chapter's scene, and nothing else with it: what a first visit needs.
#[must_use]
pub fn first(facts: Facts) -> Arc<dyn Scene> {
    Arc::new(place::Placing::new(facts))
}

/// Which of two arrangements a stage is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 1600 × 900 units, for anything wider than a phone.
    Wide,
    /// Taller than wide, with fewer and larger parts, for a phone.
    Narrow,
}

/// What a frame is drawn for, beside its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Wide or narrow.
    pub layout: Layout,
    /// The language of the words inside the picture.
    pub language: Language,
    /// GiB or GB.
    pub base: ByteBase,
}

/// The same words in Chinese and in English.
pub(crate) type Text = [&'static str; 2];

impl Look {
    /// The words in the look's language.
    pub(crate) const fn say(self, [chinese, english]: Text) -> &'static str {
        match self.language {
            Language::Chinese => chinese,
            Language::English => english,
        }
    }
}

/// What every scene is derived from.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// All figures of the ledger in use.
    pub report: &'a Report,
    /// Every value in force.
    pub settings: &'a Settings,
    /// The model.
    pub spec: &'a ModelSpec,
}

/// A scene, derived once for a scenario and drawn at any moment.
pub trait Scene: Send + Sync {
    /// The picture at a moment; its description says in a sentence what the step shows.
    fn frame(&self, moment: Moment, look: Look) -> Drawing;

    /// A calculation with the scenario's own numbers, line by line to a figure or to something drawn.
    fn worked(&self, look: Look) -> Worked;

    /// A question with numbers of its own, the same for the same draw.
    fn exercise(&self, draw: u64, look: Look) -> Exercise;

    /// How long each step plays and what real time it stands for, in the order of the steps.
    fn durations(&self) -> Vec<StepTime>;
}

/// Where a reader begins who touches nothing: the last step, done, which tells the whole story.
#[must_use]
pub fn end_of(scene: SceneId) -> Moment {
    Moment::done(scene.steps().len().saturating_sub(1))
}
