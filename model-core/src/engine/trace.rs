//! What a run may be watched by: typed events of every operation on every rank, for the scenes.

use std::ops::Range;

use super::cache::Visible;
use super::collective::{Call, Shape};

/// A sub-layer's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubLayer {
    /// The first of a layer.
    Attention,
    /// The second.
    Experts,
}

/// What a rank does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Looks its vocabulary rows up.
    Embed,
    /// Collapses the streams into a sub-layer's normed input.
    MixIn(SubLayer),
    /// Projects queries and the window row, norms and rotates them.
    QueryKeyValue,
    /// Feeds the main compressor.
    Compress,
    /// Feeds the indexer's compressor.
    CompressIndex,
    /// Scores the indexer keys with its own heads.
    IndexScores,
    /// Picks the entries to attend.
    IndexPick,
    /// Writes the window row and attends.
    Attend,
    /// Projects its heads' outputs to a partial sum.
    OutputProjection,
    /// Spreads a sub-layer's output over the streams.
    MixOut(SubLayer),
    /// Scores and chooses experts.
    Route,
    /// Runs its own experts on the tokens sent to them.
    RoutedExperts,
    /// Runs the shared expert.
    SharedExpert,
    /// Computes its share of the logits.
    Head,
    /// All ranks exchange.
    Exchange,
}

/// A write into the window ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingWrite {
    /// The position written.
    pub position: usize,
    /// Its slot.
    pub slot: usize,
    /// The position that was there.
    pub replaced: Option<usize>,
}

/// A compressed entry made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryMade {
    /// The token that completed it.
    pub position: usize,
    /// Its index j.
    pub entry: usize,
    /// The positions pooled.
    pub pooled: Range<usize>,
}

/// The entries a query attends, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexPicks {
    /// The query.
    pub position: usize,
    /// The entries picked.
    pub entries: Vec<u32>,
    /// Their summed scores.
    pub scores: Vec<f32>,
}

/// The experts of a token, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpertPicks {
    /// The token's position.
    pub position: usize,
    /// The experts chosen.
    pub experts: Vec<u32>,
    /// Their gate scores, without the selection bias.
    pub scores: Vec<f32>,
    /// The weights their outputs get.
    pub weights: Vec<f32>,
}

/// A collective, seen at one coordinate of the last token.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The call.
    pub call: Call,
    /// The coordinate watched, within the tensor's last dimension.
    pub coordinate: usize,
    /// Each rank's value before (all-gather: the value of the rank that owns it).
    pub partials: Vec<f32>,
    /// The value after, on rank 0.
    pub result: f32,
}

/// What an event carries beside its shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// Nothing more.
    None,
    /// [`Operation::Compress`], [`Operation::CompressIndex`].
    Entries(Vec<EntryMade>),
    /// [`Operation::IndexPick`].
    Picks(Vec<IndexPicks>),
    /// [`Operation::Attend`]: ring writes, and what each query saw.
    Attended {
        /// In order of position.
        writes: Vec<RingWrite>,
        /// One per query.
        seen: Vec<Visible>,
    },
    /// [`Operation::Route`].
    Experts(Vec<ExpertPicks>),
    /// [`Operation::RoutedExperts`]: token-expert pairs computed here.
    Pairs(usize),
    /// [`Operation::Exchange`].
    Exchange(Exchange),
}

/// One operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The rank, `None` for an exchange of all.
    pub rank: Option<usize>,
    /// The layer, `None` outside the layers.
    pub layer: Option<usize>,
    /// The positions computed.
    pub positions: Range<usize>,
    /// What is done.
    pub operation: Operation,
    /// The shape of the result.
    pub output: Shape,
    /// Bytes of weights, caches and activations read, f32.
    pub bytes_read: u64,
    /// Bytes written, f32.
    pub bytes_written: u64,
    /// More.
    pub detail: Detail,
}

/// Collects the events of one or more runs.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    events: Vec<Event>,
    coordinate: usize,
}

impl Trace {
    /// Watches `coordinate` of the exchanged vectors (taken modulo their length).
    #[must_use]
    pub const fn watching(coordinate: usize) -> Self {
        Self { events: Vec::new(), coordinate }
    }

    /// The coordinate watched.
    #[must_use]
    pub const fn coordinate(&self) -> usize {
        self.coordinate
    }

    /// The events so far, in the order they happened.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Takes the events out.
    pub fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// Bytes of `values` f32 values.
pub(super) const fn f32_bytes(values: usize) -> u64 {
    (values * size_of::<f32>()) as u64
}
