//! Comparing two runs of the same tokens: the probe that collects what to compare, and the search for the first
//! layer, position and tensor that deviates.

use std::ops::Range;

use super::cache::{CompressorCache, LayerCache};
use super::collective::{Collective, InProcess};
use super::faults::Faults;
use super::group::Watch;
use super::{EngineError, Logits, ShardedEngine};

/// What is compared, in the order a deviation spreads within one layer and position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tensor {
    /// The window row written, and the positions the query finds in its window.
    Ring,
    /// The attended entry completed by this token.
    MainCompressed,
    /// The indexer key completed by this token.
    IndexerKeys,
    /// The entries the query attends (in a layer without indexer: all it sees).
    TopK,
    /// The sub-layer's output, summed over the ranks.
    AttentionOutput,
    /// The experts chosen, and the routed sum plus the shared expert.
    ExpertOutput,
}

/// What one layer did at one position.
#[derive(Debug, Clone, Default, PartialEq)]
struct Sample {
    ring_row: Vec<f32>,
    ring_positions: Vec<Option<usize>>,
    main_entry: Option<Vec<f32>>,
    index_key: Option<Vec<f32>>,
    picks: Vec<u32>,
    picks_margin: f32,
    attention: Vec<f32>,
    experts: Vec<u32>,
    experts_margin: f32,
    output: Vec<f32>,
}

/// Where a sample is taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) rank: usize,
    pub(super) layer: usize,
    pub(super) position: usize,
}

impl Spot {
    /// The same rank and layer, `tokens` later.
    pub(super) const fn later(self, tokens: usize) -> Self {
        Self { position: self.position + tokens, ..self }
    }
}

/// Collects one rank's samples of a run, or all ranks'.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    only: Option<usize>,
    /// `[layer][position][rank]`; a probe on one rank has only that one.
    layers: Vec<Vec<Vec<Sample>>>,
}

impl Probe {
    /// A probe on `rank`.
    #[must_use]
    pub const fn on_rank(rank: usize) -> Self {
        Self { only: Some(rank), layers: Vec::new() }
    }

    /// A probe on every rank: a fault may spoil one replica before the others.
    #[must_use]
    pub const fn on_every_rank() -> Self {
        Self { only: None, layers: Vec::new() }
    }

    /// Entries attended at `position` in `layer`, ascending, on the probed rank (or the first); empty where
    /// nothing was recorded.
    #[must_use]
    pub fn picks(&self, layer: usize, position: usize) -> &[u32] {
        self.sample(layer, position).map_or(&[], |sample| &sample.picks)
    }

    /// Experts of the token at `position` in `layer`, likewise.
    #[must_use]
    pub fn experts(&self, layer: usize, position: usize) -> &[u32] {
        self.sample(layer, position).map_or(&[], |sample| &sample.experts)
    }

    fn sample(&self, layer: usize, position: usize) -> Option<&Sample> {
        self.layers.get(layer)?.get(position)?.first()
    }

    /// The sample to fill in, `None` on a rank that is not probed.
    fn at(&mut self, spot: Spot) -> Option<&mut Sample> {
        fn grown<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
            if list.len() <= index {
                list.resize(index + 1, T::default());
            }
            &mut list[index]
        }
        let place = match self.only {
            None => spot.rank,
            Some(only) if only == spot.rank => 0,
            Some(_) => return None,
        };
        Some(grown(grown(grown(&mut self.layers, spot.layer), spot.position), place))
    }

    pub(super) fn attended(
        &mut self,
        spot: Spot,
        cache: &LayerCache,
        window: &Range<usize>,
        picks: &[u32],
        margin: f32,
    ) {
        let Some(sample) = self.at(spot) else { return };
        let ring = cache.ring();
        let completed = |state: Option<&CompressorCache>| {
            let entries = state?.entries();
            entries.row(entries.completed_by(spot.position)?).map(<[f32]>::to_vec)
        };
        sample.ring_row = ring.row(ring.slot_of(spot.position)).unwrap_or_default().to_vec();
        sample.ring_positions = window.clone().map(|seen| ring.positions()[ring.slot_of(seen)]).collect();
        sample.main_entry = completed(cache.main());
        sample.index_key = completed(cache.index());
        sample.picks = picks.to_vec();
        sample.picks_margin = margin;
    }

    pub(super) fn attention_output(&mut self, spot: Spot, output: &[f32]) {
        if let Some(sample) = self.at(spot) {
            sample.attention = output.to_vec();
        }
    }

    pub(super) fn routed(&mut self, spot: Spot, experts: &[u32], margin: f32) {
        if let Some(sample) = self.at(spot) {
            sample.experts = experts.to_vec();
            sample.experts_margin = margin;
        }
    }

    pub(super) fn expert_output(&mut self, spot: Spot, output: &[f32]) {
        if let Some(sample) = self.at(spot) {
            sample.output = output.to_vec();
        }
    }
}

/// Where two runs first part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// The layer.
    pub layer: usize,
    /// The position.
    pub position: usize,
    /// The tensor.
    pub tensor: Tensor,
    /// The first rank on which it deviates (0 for probes on one rank).
    pub rank: usize,
    /// The largest absolute difference; infinity where sets or positions differ.
    pub max_abs: f32,
}

/// The first deviation above `tolerance`, by layer, then position, then tensor, then rank. `None` if the runs agree.
#[must_use]
pub fn first_deviation(one: &Probe, other: &Probe, tolerance: f32) -> Option<Deviation> {
    one.layers.iter().zip(&other.layers).enumerate().find_map(|(layer, (one, other))| {
        one.iter().zip(other).enumerate().find_map(|(position, (one, other))| {
            let ranks = one.iter().zip(other).enumerate().flat_map(|(rank, (one, other))| {
                differences(one, other).map(|(tensor, max_abs)| Deviation {
                    layer,
                    position,
                    tensor,
                    rank,
                    max_abs,
                })
            });
            ranks
                .filter(|deviation| deviation.max_abs > tolerance)
                .min_by_key(|deviation| (deviation.tensor, deviation.rank))
        })
    })
}

fn differences(one: &Sample, other: &Sample) -> [(Tensor, f32); 6] {
    let unless = |equal: bool, difference: f32| if equal { difference } else { f32::INFINITY };
    let entry = |one: &Option<Vec<f32>>, other: &Option<Vec<f32>>| match (one, other) {
        (Some(one), Some(other)) => max_abs_difference(one, other),
        (None, None) => 0.0,
        _ => f32::INFINITY,
    };
    [
        (
            Tensor::Ring,
            unless(
                one.ring_positions == other.ring_positions,
                max_abs_difference(&one.ring_row, &other.ring_row),
            ),
        ),
        (Tensor::MainCompressed, entry(&one.main_entry, &other.main_entry)),
        (Tensor::IndexerKeys, entry(&one.index_key, &other.index_key)),
        (Tensor::TopK, unless(one.picks == other.picks, 0.0)),
        (Tensor::AttentionOutput, max_abs_difference(&one.attention, &other.attention)),
        (
            Tensor::ExpertOutput,
            unless(one.experts == other.experts, max_abs_difference(&one.output, &other.output)),
        ),
    ]
}

/// The largest absolute difference of two vectors; infinity if lengths differ or a difference is NaN.
#[must_use]
pub fn max_abs_difference(one: &[f32], other: &[f32]) -> f32 {
    if one.len() != other.len() {
        return f32::INFINITY;
    }
    one.iter().zip(other).fold(0.0, |largest, (one, other)| {
        let difference = (one - other).abs();
        if difference.is_nan() { f32::INFINITY } else { difference.max(largest) }
    })
}

/// Picks of two runs side by side. A choice is a near tie when the last one taken beats the best one left out by
/// less than [`NEAR_TIE`]: sums in another order may turn it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PickComparison {
    /// Choices compared (expert and indexer).
    pub choices: usize,
    /// Near ties among them.
    pub near_ties: usize,
    /// Choices that differ and are near ties.
    pub turned_ties: usize,
    /// Choices that differ though they are not.
    pub mismatches: usize,
}

/// The margin below which a choice counts as a near tie, in units of the scores.
pub const NEAR_TIE: f32 = 1e-5;

/// Compares every choice of two runs; margins are the first run's.
#[must_use]
pub fn compare_picks(one: &Probe, other: &Probe) -> PickComparison {
    let mut result = PickComparison::default();
    for (one, other) in one.layers.iter().flatten().zip(other.layers.iter().flatten()) {
        for (one, other) in one.iter().zip(other) {
            let choices = [
                (one.picks == other.picks, one.picks_margin),
                (one.experts == other.experts, one.experts_margin),
            ];
            for (equal, margin) in choices {
                let tie = margin < NEAR_TIE;
                result.choices += 1;
                result.near_ties += usize::from(tie);
                result.turned_ties += usize::from(!equal && tie);
                result.mismatches += usize::from(!equal && !tie);
            }
        }
    }
    result
}

/// The outcome of a whole-against-step check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepCheck {
    /// Where the step run first parts from the whole run.
    pub first: Option<Deviation>,
    /// The largest absolute difference of any logit at any position.
    pub max_abs_logit_diff: f32,
}

/// Runs `tokens` at once, without faults, and again cut into chunks of the given sizes (the last one repeats until
/// the tokens are used up; 0 counts as 1), with `faults`; tells where the second run first deviates.
///
/// # Errors
/// Those of a run: no tokens, a token outside the vocabulary, logits that are not finite.
pub fn whole_against_step(
    engine: &ShardedEngine,
    tokens: &[u32],
    chunks: &[usize],
    faults: &Faults,
    tolerance: f32,
) -> Result<StepCheck, EngineError> {
    let mut exchange = InProcess::new();
    let collective: &mut dyn Collective = &mut exchange;
    let mut whole = Probe::on_every_rank();
    let mut request = engine.start();
    let mut watch = Watch { probe: Some(&mut whole), ..Watch::default() };
    let expected = engine.run(&mut request, tokens, Logits::All, collective, &mut watch)?;

    let mut stepped = Probe::on_every_rank();
    let mut request = engine.start();
    let mut watch = Watch { probe: Some(&mut stepped), faults: faults.clone(), ..Watch::default() };
    let mut logits = Vec::with_capacity(expected.len());
    let mut rest = tokens;
    let mut sizes = chunks.iter().copied();
    let mut size = 1;
    while !rest.is_empty() {
        size = sizes.next().unwrap_or(size).clamp(1, rest.len());
        let (chunk, after) = rest.split_at(size);
        logits.extend(engine.run(&mut request, chunk, Logits::All, collective, &mut watch)?);
        rest = after;
    }
    Ok(StepCheck {
        first: first_deviation(&whole, &stepped, tolerance),
        max_abs_logit_diff: max_abs_difference(&expected, &logits),
    })
}
