//! How ranks exchange data: the [`Collective`] trait, its in-process implementation and the record of its calls.
//!
//! A call carries the data type and shape the published reference puts on the wire. Values are exchanged as f32
//! whatever that type is: rounding index scores to BF16 would flip picks of a model this small.

use std::fmt;

/// Up to three dimensions, without an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    dims: [usize; 3],
    rank: usize,
}

impl Shape {
    /// A matrix or list of vectors.
    #[must_use]
    pub const fn two(rows: usize, columns: usize) -> Self {
        Self { dims: [rows, columns, 1], rank: 2 }
    }

    /// Batch, tokens, values.
    #[must_use]
    pub const fn three(batch: usize, tokens: usize, values: usize) -> Self {
        Self { dims: [batch, tokens, values], rank: 3 }
    }

    /// The dimensions.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.rank]
    }

    /// Their product.
    #[must_use]
    pub const fn elements(&self) -> usize {
        self.dims[0] * self.dims[1] * self.dims[2]
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.dims())
    }
}

/// What a collective does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectiveKind {
    /// Every rank ends with the sum of all ranks' tensors.
    AllReduce,
    /// Every rank ends with all ranks' pieces side by side.
    AllGather,
}

/// The type on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WireType {
    /// Two bytes.
    Bf16,
    /// Four bytes.
    F32,
}

impl WireType {
    /// Bytes per element.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bf16 => 2,
            Self::F32 => 4,
        }
    }
}

/// Where in the forward pass a collective stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// After the vocabulary-sharded embedding.
    Embedding,
    /// After the indexer heads' scores (CSA layers).
    IndexScores,
    /// After the second output projection of attention.
    AttentionOutput,
    /// After the routed experts; the shared expert is added later.
    RoutedSum,
    /// After the vocabulary-sharded head.
    Logits,
}

/// One collective: kind, type, shape, place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Call {
    /// What it does.
    pub kind: CollectiveKind,
    /// The type on the wire.
    pub dtype: WireType,
    /// The tensor each rank ends with.
    pub shape: Shape,
    /// The layer, `None` before the first and after the last.
    pub layer: Option<usize>,
    /// The place in the layer.
    pub place: Place,
}

impl Call {
    /// Bytes of the tensor each rank ends with (the payload, before any algorithm's factor).
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        (self.shape.elements() * self.dtype.bytes()) as u64
    }

    pub(super) const fn all_reduce(
        dtype: WireType,
        shape: Shape,
        layer: Option<usize>,
        place: Place,
    ) -> Self {
        Self { kind: CollectiveKind::AllReduce, dtype, shape, layer, place }
    }
}

/// The only way data passes between ranks.
pub trait Collective {
    /// Replaces every rank's tensor by the sum. `parts[rank]` is that rank's partial, flat, all of one length.
    /// A rank named in `absent` does not take part: its partial is missing from the sum, and it keeps its own.
    fn all_reduce(&mut self, call: &Call, parts: &mut [Vec<f32>], absent: Option<usize>);

    /// Puts the ranks' column blocks side by side into `whole`: `parts[rank]` is `[rows, columns of that rank]`.
    fn all_gather(&mut self, call: &Call, parts: &[Vec<f32>], whole: &mut Vec<f32>);
}

/// One rank alone: nothing to exchange, nothing recorded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Collective for Alone {
    fn all_reduce(&mut self, _: &Call, _: &mut [Vec<f32>], _: Option<usize>) {}

    fn all_gather(&mut self, _: &Call, parts: &[Vec<f32>], whole: &mut Vec<f32>) {
        whole.clear();
        whole.extend(parts.iter().flatten());
    }
}

/// Ranks in one process, summed in order of rank; keeps a list of the calls if asked to.
#[derive(Debug, Clone, Default)]
pub struct InProcess {
    recorded: Option<Vec<Call>>,
    sum: Vec<f32>,
}

impl InProcess {
    /// Exchanges without keeping a list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Exchanges and keeps a list.
    #[must_use]
    pub fn recording() -> Self {
        Self { recorded: Some(Vec::new()), sum: Vec::new() }
    }

    /// The calls so far, in order; empty unless recording.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        self.recorded.as_deref().unwrap_or_default()
    }

    /// Forgets the calls so far.
    pub fn clear(&mut self) {
        if let Some(calls) = &mut self.recorded {
            calls.clear();
        }
    }

    fn record(&mut self, call: &Call) {
        if let Some(calls) = &mut self.recorded {
            calls.push(*call);
        }
    }
}

impl Collective for InProcess {
    fn all_reduce(&mut self, call: &Call, parts: &mut [Vec<f32>], absent: Option<usize>) {
        self.record(call);
        let present = |rank: &usize| Some(*rank) != absent;
        self.sum.clear();
        for rank in (0..parts.len()).filter(present) {
            if self.sum.is_empty() {
                self.sum.extend_from_slice(&parts[rank]);
            } else {
                for (sum, value) in self.sum.iter_mut().zip(&parts[rank]) {
                    *sum += value;
                }
            }
        }
        for rank in (0..parts.len()).filter(present) {
            parts[rank].copy_from_slice(&self.sum);
        }
    }

    fn all_gather(&mut self, call: &Call, parts: &[Vec<f32>], whole: &mut Vec<f32>) {
        self.record(call);
        whole.clear();
        let rows = call.shape.dims()[0].max(1);
        for row in 0..rows {
            for part in parts {
                let columns = part.len() / rows;
                whole.extend_from_slice(&part[row * columns..(row + 1) * columns]);
            }
        }
    }
}
