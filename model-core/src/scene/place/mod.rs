//! Scene "place": what each of the GPUs holds. Parts are copied, dealt or cut; caches grow; then the verdict.

mod frame;

pub use frame::frame;

use core::ops::Range;

use super::timeline::{Timed, staggered};
use crate::figure::{Report, Value};
use crate::scenario::Settings;
use crate::spec::ModelSpec;
use crate::units::Bytes;

/// GPUs that have a place on the stage; further ones stand beside them in the same places.
pub const PLACES: u32 = 8;

/// The steps of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing is placed yet.
    Empty,
    /// Parts that every GPU holds whole.
    Copied,
    /// Routed experts, dealt out.
    Experts,
    /// Heads and output groups, cut.
    Heads,
    /// Caches grow with context and batch.
    Cache,
    /// Whether it fits.
    Verdict,
}

impl Step {
    /// Every step in order.
    pub const ALL: [Self; 6] =
        [Self::Empty, Self::Copied, Self::Experts, Self::Heads, Self::Cache, Self::Verdict];

    /// Its name for tests, text and descriptions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Copied => "copied",
            Self::Experts => "experts",
            Self::Heads => "heads",
            Self::Cache => "cache",
            Self::Verdict => "verdict",
        }
    }
}

/// A part of a GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Shared experts.
    Shared,
    /// Routed experts.
    Routed,
    /// Caches of all requests.
    Cache,
}

/// Whether GPUs hold pieces of a part or a copy each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Each GPU holds its piece.
    Cut,
    /// Each GPU holds all of it.
    Copied,
}

/// A part on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Which part.
    pub part: Part,
    /// Cut or copied.
    pub sharing: Sharing,
    /// Its size on this GPU.
    pub bytes: Bytes,
    /// The figure that says so.
    pub figure: &'static str,
    /// The step in which it is placed.
    pub step: Step,
}

/// What falls to one GPU of everything that is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The GPU's number.
    pub gpu: u32,
    /// Its query heads.
    pub heads: Range<u64>,
    /// Its output groups.
    pub groups: Range<u64>,
    /// Its routed experts, the same numbers in every layer.
    pub experts: Range<u64>,
}

/// Everything the scene shows, derived from a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing {
    /// The GPUs in use, in their order.
    pub shares: Vec<Share>,
    /// The blocks of each GPU from bottom to top.
    pub blocks: Vec<Block>,
    /// Memory of a GPU.
    pub capacity: Bytes,
    /// What the blocks take together.
    pub need: Bytes,
    /// What is missing; zero where it fits.
    pub short: Bytes,
    /// What is left; zero where it does not fit.
    pub free: Bytes,
    /// Whether it fits.
    pub fits: bool,
    /// The smallest legal cut with which it fits, if there is one.
    pub min_tp: Option<u32>,
    /// Main layers, each cut the same way.
    pub layers: usize,
    /// Requests and tokens of each that the caches are for.
    pub load: (u64, u64),
    /// Routed experts of a layer.
    pub experts_all: u64,
}

/// Something that happens to one GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A block is filled.
    Fill {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// The block's place in [`Placing::blocks`].
        block: usize,
    },
    /// Routed experts of these numbers are dealt to it.
    Deal {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// How many experts it takes.
        experts: u64,
    },
    /// Heads and output groups are cut for it.
    Cut {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// How many query heads it takes.
        heads: u64,
        /// How many output groups it takes.
        groups: u64,
    },
    /// The need is held against the capacity.
    Judge {
        /// Whether it fits.
        fits: bool,
    },
}

impl Placing {
    /// Derives the scene from a ledger's report.
    #[must_use]
    pub fn new(report: &Report, settings: &Settings, spec: &ModelSpec) -> Self {
        let tp = u64::from(settings.tp.max(1));
        let run = |all: u64, gpu: u64| (all * gpu / tp)..(all * (gpu + 1) / tp);
        let shares = (0..tp).map(|gpu| Share {
            gpu: gpu as u32,
            heads: run(spec.heads, gpu),
            groups: run(spec.output_groups, gpu),
            experts: run(spec.experts, gpu),
        });
        let block =
            |part, sharing, figure, step| Block { part, sharing, bytes: report.bytes(figure), figure, step };
        let min_tp = match report.get("plan.min_tp_partial").map(|figure| &figure.value) {
            Some(Value::Number(tp)) => Some(*tp as u32),
            _ => None,
        };
        Self {
            shares: shares.collect(),
            blocks: vec![
                block(Part::Shared, Sharing::Copied, "weights.shared.bytes_per_gpu", Step::Copied),
                block(Part::Routed, Sharing::Cut, "weights.routed.bytes_per_gpu", Step::Experts),
                block(Part::Cache, Sharing::Copied, "cache.batch.bytes_per_gpu", Step::Cache),
            ],
            capacity: report.bytes("gpu.memory.bytes"),
            need: report.bytes("memory.partial.bytes_per_gpu"),
            short: report.bytes("memory.short.bytes_per_gpu"),
            free: report.bytes("memory.free.bytes_per_gpu"),
            fits: report.flag("memory.partial.fits"),
            min_tp,
            layers: spec.main_layers().len(),
            load: (settings.batch, settings.context),
            experts_all: spec.experts,
        }
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let gpus = 0..self.shares.len();
        let blocks = || self.blocks.iter().enumerate().filter(move |(_, block)| block.step == step);
        let fills = |gpu: usize| blocks().map(move |(block, _)| Event::Fill { gpu, block });
        match step {
            Step::Empty => Vec::new(),
            Step::Copied => at_once(gpus.flat_map(fills).collect()),
            Step::Experts => {
                let deal = |gpu: usize| {
                    let experts =
                        self.shares.get(gpu).map_or(0, |share| share.experts.end - share.experts.start);
                    core::iter::once(Event::Deal { gpu, experts }).chain(fills(gpu))
                };
                staggered(gpus.map(|gpu| deal(gpu).collect::<Vec<_>>()).collect())
                    .into_iter()
                    .flat_map(spread)
                    .collect()
            }
            Step::Heads => {
                let cut = |(gpu, share): (usize, &Share)| Event::Cut {
                    gpu,
                    heads: share.heads.end - share.heads.start,
                    groups: share.groups.end - share.groups.start,
                };
                staggered(self.shares.iter().enumerate().map(cut).collect())
            }
            Step::Cache => at_once(gpus.flat_map(fills).collect()),
            Step::Verdict => at_once(vec![Event::Judge { fits: self.fits }]),
        }
    }
}

/// Events that share the whole step.
fn at_once(events: Vec<Event>) -> Vec<Timed<Event>> {
    events.into_iter().map(|event| Timed { from: 0.0, to: 1.0, event }).collect()
}

/// Events that share one part of the step.
fn spread(Timed { from, to, event: events }: Timed<Vec<Event>>) -> impl Iterator<Item = Timed<Event>> {
    events.into_iter().map(move |event| Timed { from, to, event })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    fn placing(choices: &[(Key, &str)]) -> Placing {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let spec = v4_pro();
        Placing::new(&report(Ledger::Tutorial, &scenario, &spec), &scenario.resolve(Ledger::Tutorial), &spec)
    }

    /// The sequence of a step as short words.
    fn told(placing: &Placing, step: Step) -> Vec<String> {
        let word = |timed: Timed<Event>| match timed.event {
            Event::Fill { gpu, block } => format!("{gpu} fills {:?}", placing.blocks[block].part),
            Event::Deal { gpu, experts } => format!("{gpu} takes {experts} experts"),
            Event::Cut { gpu, heads, groups } => format!("{gpu} takes {heads} heads, {groups} groups"),
            Event::Judge { fits } => format!("fits: {fits}"),
        };
        placing.events(step).into_iter().map(word).collect()
    }

    #[test]
    fn the_default_tells_the_walkthrough() {
        let placing = placing(&[]);
        assert_eq!(told(&placing, Step::Empty), Vec::<String>::new());
        assert_eq!(told(&placing, Step::Copied).len(), 8);
        assert_eq!(told(&placing, Step::Copied)[7], "7 fills Shared");
        assert_eq!(told(&placing, Step::Experts)[..2], ["0 takes 48 experts", "0 fills Routed"]);
        assert_eq!(told(&placing, Step::Experts).len(), 16);
        assert_eq!(told(&placing, Step::Heads)[3], "3 takes 16 heads, 2 groups");
        assert_eq!(told(&placing, Step::Cache)[0], "0 fills Cache");
        assert_eq!(told(&placing, Step::Verdict), ["fits: false"]);
        assert_eq!(placing.min_tp, Some(16));
        assert_eq!(placing.shares[3].experts, 144..192);
    }

    #[test]
    fn sixteen_gpus_fit() {
        let placing = placing(&[(Key::Tp, "16")]);
        assert_eq!(told(&placing, Step::Experts)[30], "15 takes 24 experts");
        assert_eq!(told(&placing, Step::Heads)[15], "15 takes 8 heads, 1 groups");
        assert_eq!(told(&placing, Step::Verdict), ["fits: true"]);
        assert_eq!(placing.short, Bytes(0.0));
    }

    #[test]
    fn one_gpu_takes_everything() {
        let placing = placing(&[(Key::Tp, "1"), (Key::Batch, "1"), (Key::Context, "1")]);
        assert_eq!(told(&placing, Step::Experts), ["0 takes 384 experts", "0 fills Routed"]);
        assert_eq!(told(&placing, Step::Heads), ["0 takes 128 heads, 16 groups"]);
        assert_eq!(told(&placing, Step::Verdict), ["fits: false"]);
    }

    #[test]
    fn blocks_add_up_to_the_need() {
        for tp in ["1", "2", "4", "8", "16"] {
            let placing = placing(&[(Key::Tp, tp), (Key::Context, "1048576"), (Key::Batch, "1024")]);
            assert_eq!(placing.blocks.iter().map(|block| block.bytes).sum::<Bytes>(), placing.need);
            let experts: u64 =
                placing.shares.iter().map(|share| share.experts.end - share.experts.start).sum();
            assert_eq!(experts, 384);
        }
    }
}
