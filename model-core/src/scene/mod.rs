//! Scenes: what the model computed, told in named steps. A scene's events are derived from the scenario's figures,
//! a simulation or the engine; its frame at a moment is a pure function of them.

pub mod allreduce;
pub mod place;
pub mod stage;
pub mod timeline;

use std::sync::Arc;

use crate::draw::Drawing;
use crate::figure::Report;
use crate::format::ByteBase;
use crate::language::Language;
use crate::scenario::{Key, Settings};
use crate::spec::ModelSpec;

use timeline::Moment;

/// A scene by its name in links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SceneId {
    /// Where weights and caches lie.
    #[default]
    Place,
    /// How partial sums become one sum on every GPU.
    Allreduce,
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
}

impl SceneId {
    /// Every scene, in the order of the chapters.
    pub const ALL: [Self; 2] = [Self::Place, Self::Allreduce];

    /// Its name in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Allreduce => "allreduce",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// The chapter it is, counted from 0.
    #[must_use]
    pub const fn chapter(self) -> u32 {
        match self {
            Self::Place => 1,
            Self::Allreduce => 4,
        }
    }

    /// The names of its steps, in order.
    #[must_use]
    pub fn steps(self) -> &'static [&'static str] {
        match self {
            Self::Place => &place::STEP_NAMES,
            Self::Allreduce => &allreduce::STEP_NAMES,
        }
    }

    /// What its reader turns beside it.
    #[must_use]
    pub const fn keys(self) -> &'static [Key] {
        match self {
            Self::Place => &[Key::Context, Key::Batch, Key::Tp, Key::GpuMemoryGib],
            Self::Allreduce => &[Key::Tp, Key::Batch, Key::CommDtype, Key::Algorithm, Key::DropRank],
        }
    }

    /// Derives the scene.
    #[must_use]
    pub fn derive(self, facts: Facts) -> Arc<dyn Scene> {
        match self {
            Self::Place => Arc::new(place::Placing::new(facts)),
            Self::Allreduce => Arc::new(allreduce::Reducing::new(facts)),
        }
    }
}

/// Where a reader begins who touches nothing: the last step, done, which tells the whole story.
#[must_use]
pub fn end_of(scene: SceneId) -> Moment {
    Moment::done(scene.steps().len().saturating_sub(1))
}
