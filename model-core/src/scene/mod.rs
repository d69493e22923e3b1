//! Scenes: what the model computed, told in named steps. A scene's events are derived from the scenario's figures;
//! its frame at a moment is a pure function of them.

pub mod place;
pub mod timeline;

/// A scene by its name in links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SceneId {
    /// Where weights and caches lie.
    #[default]
    Place,
}

impl SceneId {
    /// Every scene, in the order of the chapters.
    pub const ALL: [Self; 1] = [Self::Place];

    /// Its name in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// How many steps it has.
    #[must_use]
    pub const fn steps(self) -> usize {
        match self {
            Self::Place => place::Step::ALL.len(),
        }
    }
}

/// Which of two arrangements a stage is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 1600 × 900 units, for anything wider than a phone.
    Wide,
    /// Taller than wide, with fewer and larger parts, for a phone.
    Narrow,
}
