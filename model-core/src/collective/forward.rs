//! The collectives of one forward pass under tensor parallelism, as the published reference runs them.
//!
//! One all-reduce for the embedding; in each layer one for the index scores (CSA only), one for the attention's output
//! and one for the routed experts' sum; at the end the logits of the last position are gathered. For V4-Pro that is
//! 1 + 30 + 61 + 61 = 153 all-reduces and one all-gather. Draft blocks are not part of it.

use super::Dtype;
use super::cost::{self, Algorithm, Cost, Link};
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::{Bytes, Seconds};

/// Where in the pass a collective stands; layers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// After the lookup in the split vocabulary.
    Embedding,
    /// Scores of a CSA layer's indexer heads.
    IndexScores(usize),
    /// Output projection of a layer's attention.
    AttentionOutput(usize),
    /// Sum of a layer's routed experts; the shared expert is added after it.
    RoutedSum(usize),
    /// Logits of the split vocabulary.
    Logits,
}

/// What kind of collective it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Everyone ends with the sum.
    AllReduce,
    /// Everyone ends with all pieces.
    AllGather,
}

/// What one forward pass is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Requests, B.
    pub batch: u64,
    /// New positions of each request, S: one in a decode step.
    pub positions: u64,
    /// Tokens of context after the pass.
    pub end: u64,
}

/// One collective of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Where it stands.
    pub place: Place,
    /// What kind it is.
    pub operation: Operation,
    /// Number format of its values.
    pub dtype: Dtype,
    /// Requests, positions, and values for each; of a gather, what all hold together.
    pub shape: [u64; 3],
}

impl Collective {
    /// The message.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        // In floating point, so that no shape overflows.
        Bytes(self.shape.iter().fold(self.dtype.bytes(), |product, length| product * *length as f64))
    }

    /// What it costs over that many GPUs.
    #[must_use]
    pub fn cost(&self, algorithm: Algorithm, gpus: u32, link: Link) -> Cost {
        match self.operation {
            Operation::AllReduce => cost::all_reduce(algorithm, self.bytes(), gpus, link),
            Operation::AllGather => cost::all_gather(self.bytes(), gpus, link),
        }
    }
}

/// The collectives of one pass, in their order. Nothing is allocated; the length depends on the layers alone.
pub fn collectives(spec: &ModelSpec, load: Load) -> impl Iterator<Item = Collective> + '_ {
    let all_reduce = move |place, dtype, values| Collective {
        place,
        operation: Operation::AllReduce,
        dtype,
        shape: [load.batch, load.positions, values],
    };
    let entries = load.end.checked_div(spec.csa_ratio).unwrap_or(0);
    let logits = Collective {
        place: Place::Logits,
        operation: Operation::AllGather,
        dtype: Dtype::Fp32,
        shape: [load.batch, 1, spec.vocab],
    };
    let layers = spec.main_layers().iter().enumerate().flat_map(move |(index, layer)| {
        let scores = (layer.attention == AttentionKind::Csa)
            .then(|| all_reduce(Place::IndexScores(index), Dtype::Bf16, entries));
        let output = all_reduce(Place::AttentionOutput(index), Dtype::Fp32, spec.hidden);
        let routed = all_reduce(Place::RoutedSum(index), Dtype::Fp32, spec.hidden);
        scores.into_iter().chain([output, routed])
    });
    core::iter::once(all_reduce(Place::Embedding, Dtype::Bf16, spec.hidden))
        .chain(layers)
        .chain(core::iter::once(logits))
}

/// Time of all collectives of one pass, one after the other, nothing hidden behind computation: start-up and transfer.
#[must_use]
pub fn time(spec: &ModelSpec, load: Load, algorithm: Algorithm, gpus: u32, link: Link) -> (Seconds, Seconds) {
    collectives(spec, load)
        .map(|collective| collective.cost(algorithm, gpus, link))
        .fold((Seconds::ZERO, Seconds::ZERO), |(startup, transfer), cost| {
            (startup + cost.startup, transfer + cost.transfer)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::v4_pro;
    use crate::units::{BytesPerSecond, KIB, MIB};

    fn of(load: Load) -> Vec<Collective> {
        collectives(&v4_pro(), load).collect()
    }

    #[test]
    fn v4_pro_has_153_all_reduces_and_one_gather() {
        let all = of(Load { batch: 1, positions: 1, end: 1_048_576 });
        let reduces = all.iter().filter(|collective| collective.operation == Operation::AllReduce);
        assert_eq!((reduces.count(), all.len()), (153, 154));
        let of_place =
            |wanted: fn(&Place) -> bool| all.iter().filter(|collective| wanted(&collective.place)).count();
        assert_eq!(of_place(|place| matches!(place, Place::IndexScores(_))), 30);
        assert_eq!(of_place(|place| matches!(place, Place::AttentionOutput(_))), 61);
        assert_eq!(of_place(|place| matches!(place, Place::RoutedSum(_))), 61);
        assert_eq!(all.last().map(|last| last.place), Some(Place::Logits));
        assert_eq!(
            all[..3].iter().map(|c| c.place).collect::<Vec<_>>(),
            [Place::Embedding, Place::AttentionOutput(0), Place::RoutedSum(0)]
        );
    }

    #[test]
    fn index_scores_take_what_the_reference_takes() {
        let scores = |load| {
            let all = of(load);
            all.iter().find(|c| matches!(c.place, Place::IndexScores(2))).map(|c| c.bytes().get()).unwrap()
        };
        assert_eq!(scores(Load { batch: 1, positions: 1, end: 1_048_576 }), 512.0 * KIB);
        assert_eq!(scores(Load { batch: 1, positions: 32_768, end: 32_768 }), 512.0 * MIB);
        assert_eq!(scores(Load { batch: 1, positions: 3, end: 3 }), 0.0, "no entry before the fourth token");
    }

    #[test]
    fn each_has_its_dtype_and_shape() {
        let all = of(Load { batch: 32, positions: 1, end: 4096 });
        for collective in &all {
            let (dtype, width) = match collective.place {
                Place::Embedding => (Dtype::Bf16, 7168),
                Place::IndexScores(_) => (Dtype::Bf16, 1024),
                Place::AttentionOutput(_) | Place::RoutedSum(_) => (Dtype::Fp32, 7168),
                Place::Logits => (Dtype::Fp32, 129_280),
            };
            assert_eq!((collective.dtype, collective.shape), (dtype, [32, 1, width]));
        }
        assert_eq!(all[1].bytes().get(), 896.0 * KIB);
    }

    #[test]
    fn start_up_outweighs_bytes_in_a_small_step() {
        let link = Link::new(Seconds(10e-6), BytesPerSecond(900e9)).unwrap();
        let load = Load { batch: 1, positions: 1, end: 8192 };
        let (startup, transfer) = time(&v4_pro(), load, Algorithm::Ring, 8, link);
        assert!((startup.get() - (153.0 * 14.0 + 7.0) * 10e-6).abs() < 1e-12);
        assert!(transfer.get() < 0.02 * startup.get());
        assert_eq!(time(&v4_pro(), load, Algorithm::Ring, 1, link), Default::default());
    }

    #[test]
    fn absurd_loads_stay_finite() {
        let load = Load { batch: u64::MAX, positions: u64::MAX, end: u64::MAX };
        assert!(of(load).iter().all(|collective| collective.bytes().get().is_finite()));
    }
}
