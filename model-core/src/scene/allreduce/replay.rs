//! An all-reduce run on small vectors and kept move by move: what each rank holds, how many parts are in it, and which
//! parcels are under way.

use core::ops::Range;

use crate::collective::structure::{after_step, steps, transfers_of_step};
use crate::collective::{Algorithm, Node};

/// Values by rank and chunk.
pub type Held = Vec<Vec<f64>>;

/// Chunks that go together from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// Who sends.
    pub from: Node,
    /// Who receives.
    pub to: Node,
    /// Which chunks.
    pub chunks: Range<u32>,
    /// Whether the receiver adds them to its own.
    pub adds: bool,
}

/// Every move of an all-reduce and what it leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// How it is carried out.
    pub algorithm: Algorithm,
    /// What each rank holds before the first move and after each.
    pub held: Vec<Held>,
    /// How many ranks' parts are in it, at the same moments.
    pub counted: Vec<Held>,
    /// What is under way in each move.
    pub moves: Vec<Vec<Parcel>>,
}

impl Replay {
    /// Runs the algorithm on the ranks' parts; a rank left out gives nothing.
    #[must_use]
    pub fn new(algorithm: Algorithm, parts: &[Vec<f64>], left_out: Option<u32>) -> Self {
        let gpus = u32::try_from(parts.len()).unwrap_or(0);
        let given = |value: fn(f64) -> f64| -> Held {
            let own = |(rank, chunks): (usize, &Vec<f64>)| {
                let gives = left_out.is_none_or(|left| left as usize != rank);
                chunks.iter().map(|part| if gives { value(*part) } else { 0.0 }).collect()
            };
            parts.iter().enumerate().map(own).collect()
        };
        // Counting is the same run on ones.
        let run = |first: Held| {
            let mut all = vec![first];
            for step in 0..steps(algorithm, gpus) {
                let next = all.last().map(|held| after_step(algorithm, held, step)).unwrap_or_default();
                all.push(next);
            }
            all
        };
        Self {
            algorithm,
            held: run(given(|part| part)),
            counted: run(given(|_| 1.0)),
            moves: (0..steps(algorithm, gpus)).map(|step| parcels(algorithm, gpus, step)).collect(),
        }
    }

    /// Moves of the first half, which adds; the second half hands the sums out.
    #[must_use]
    pub fn half(&self) -> usize {
        self.moves.len() / 2
    }

    /// The value of a chunk on a rank after so many moves.
    #[must_use]
    pub fn value(&self, moves: usize, rank: usize, chunk: usize) -> f64 {
        at(&self.held, moves, rank, chunk)
    }

    /// How many parts are in it.
    #[must_use]
    pub fn parts_in(&self, moves: usize, rank: usize, chunk: usize) -> f64 {
        at(&self.counted, moves, rank, chunk)
    }

    /// Chunks that the busiest rank has sent after so many moves.
    #[must_use]
    pub fn busiest_sent(&self, moves: usize) -> u32 {
        let ranks = self.held.first().map_or(0, Vec::len);
        let sent = |rank: usize| {
            let own = self.moves.iter().take(moves).flatten();
            let own = own.filter(|parcel| matches!(parcel.from, Node::Gpu(gpu) if gpu as usize == rank));
            own.map(|parcel| parcel.chunks.end - parcel.chunks.start).sum::<u32>()
        };
        (0..ranks).map(sent).max().unwrap_or(0)
    }
}

fn at(states: &[Held], moves: usize, rank: usize, chunk: usize) -> f64 {
    let state = states.get(moves).or(states.last());
    state.and_then(|held| held.get(rank)?.get(chunk)).copied().unwrap_or(0.0)
}

/// A move's transfers, those between the same two nodes together.
fn parcels(algorithm: Algorithm, gpus: u32, step: u32) -> Vec<Parcel> {
    let mut parcels: Vec<Parcel> = Vec::new();
    for transfer in transfers_of_step(algorithm, gpus, step) {
        let same = |parcel: &&mut Parcel| {
            (parcel.from, parcel.to, parcel.chunks.end) == (transfer.from, transfer.to, transfer.chunk)
        };
        match parcels.iter_mut().find(same) {
            Some(parcel) => parcel.chunks.end += 1,
            None => parcels.push(Parcel {
                from: transfer.from,
                to: transfer.to,
                chunks: transfer.chunk..transfer.chunk + 1,
                adds: transfer.adds,
            }),
        }
    }
    parcels
}
