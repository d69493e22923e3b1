//! With which event marks of "request" come, and in which panel they stand.

use super::{Event, MOST_CHUNKS, STAGES};

/// With which event marks come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group(pub(super) usize);

impl Group {
    /// How many there are.
    pub(super) const COUNT: usize = STAGES + 12 + MOST_CHUNKS;
    /// There from the start.
    pub(super) const ALWAYS: Self = Self(usize::MAX);
    pub(super) const WAIT: Self = Self(STAGES);
    pub(super) const RESTORE: Self = Self(STAGES + 1);
    pub(super) const ALLOT: Self = Self(STAGES + 5);
    pub(super) const POOL: Self = Self(STAGES + 6);
    pub(super) const CURVE: Self = Self(STAGES + 7);
    pub(super) const HERE: Self = Self(STAGES + 8);
    pub(super) const TRAFFIC: Self = Self(STAGES + 9);
    pub(super) const PERCENTILES: Self = Self(STAGES + 10);
    pub(super) const FIRST: Self = Self(STAGES + 11 + MOST_CHUNKS);

    pub(super) const fn stage(index: usize) -> Self {
        Self(index)
    }

    pub(super) const fn keep(index: usize) -> Self {
        Self(STAGES + 2 + index)
    }

    /// A chunk that is drawn.
    pub(super) const fn chunk(index: usize) -> Self {
        Self(STAGES + 11 + index)
    }

    /// The marks that come with an event.
    pub(super) const fn of(event: Event) -> Self {
        match event {
            Event::Press(stage) => Self::stage(stage as usize),
            Event::Wait => Self::WAIT,
            Event::Restore { .. } => Self::RESTORE,
            Event::Keep(index) => Self::keep(index),
            Event::Allot { .. } => Self::ALLOT,
            Event::Pool => Self::POOL,
            Event::Chunk { index, .. } => Self::chunk(index),
            Event::First => Self::FIRST,
            Event::Curve => Self::CURVE,
            Event::Here { .. } => Self::HERE,
            Event::Traffic => Self::TRAFFIC,
            Event::Percentiles => Self::PERCENTILES,
        }
    }
}

/// A place among the panels; on a narrow stage one stands at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    /// To the first token.
    First,
    /// The prefix cache.
    Prefix,
    /// Pages.
    Pages,
    /// Batches.
    Batch,
    /// Traffic.
    Run,
}

impl Panel {
    pub(super) const ALL: [Self; 5] = [Self::First, Self::Prefix, Self::Pages, Self::Batch, Self::Run];
}

impl From<Group> for usize {
    fn from(group: Group) -> Self {
        group.0
    }
}
