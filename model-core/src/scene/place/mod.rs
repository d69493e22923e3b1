//! Scene "place": what each of the GPUs holds. Parts are copied, dealt or cut; caches grow; then the verdict.

mod exercise;
mod frame;
mod words;
mod worked;

use core::ops::Range;

use super::Facts;
use super::stage::PLACES;
use super::timeline::{StepTime, Timed, staggered};
use crate::ledger::memory::{Judges, Line, Part, Sharing, lines, smallest_plan};
use crate::plan::Plan;
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::Bytes;

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

/// Names of the steps, in order.
pub const STEP_NAMES: [&str; Step::ALL.len()] = {
    let mut names = [""; Step::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Step::ALL[index].name();
        index += 1;
    }
    names
};

/// A part on one GPU, and when it is placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The part with its size.
    pub line: Line,
    /// The step in which it is placed.
    pub step: Step,
}

impl Block {
    fn new(line: Line) -> Self {
        let step = match (line.part, line.sharing) {
            (Part::Reserve, _) => Step::Empty,
            (Part::Routed | Part::Weights, _) => Step::Experts,
            (part, _) if part.is_cache() => Step::Cache,
            (_, Sharing::Copied) => Step::Copied,
            _ => Step::Heads,
        };
        Self { line, step }
    }
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
    /// What is needed, the reserve apart.
    pub need: Bytes,
    /// The figure that says so.
    pub need_figure: &'static str,
    /// What is missing; zero where it fits.
    pub short: Bytes,
    /// What is left; zero where it does not fit.
    pub free: Bytes,
    /// Whether it fits.
    pub fits: bool,
    /// The smallest plan that fits, if there is one.
    pub smallest: Option<String>,
    /// How each main layer attends; all are cut the same way.
    pub layers: Vec<AttentionKind>,
    /// Requests and tokens of each that the caches are for.
    pub load: (u64, u64),
    /// Routed experts of a layer.
    pub experts_all: u64,
    /// What the calculation begins with.
    basis: worked::Basis,
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
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let judges = Judges::of(report.ledger);
        Self {
            shares: shares(&Plan::of(settings), spec),
            blocks: lines(report, settings).into_iter().map(Block::new).collect(),
            capacity: report.bytes("gpu.memory.bytes"),
            need: report.bytes(judges.need),
            need_figure: judges.need,
            short: report.bytes("memory.short.bytes_per_gpu"),
            free: report.bytes("memory.free.bytes_per_gpu"),
            fits: report.flag(judges.fits),
            smallest: smallest_plan(report),
            layers: spec.main_layers().iter().map(|layer| layer.attention).collect(),
            load: (settings.batch, settings.context),
            experts_all: spec.experts,
            basis: worked::Basis::of(report, settings, spec),
        }
    }

    /// How long a step plays: parts that are dealt GPU by GPU take longer; none of it stands for a time.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        StepTime::of_moves(match step {
            Step::Experts | Step::Heads => self.shares.len(),
            Step::Empty | Step::Copied | Step::Cache | Step::Verdict => 1,
        })
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let gpus = 0..self.shares.len();
        let blocks = || self.blocks.iter().enumerate().filter(move |(_, block)| block.step == step);
        let fills = |gpu: usize| blocks().map(move |(block, _)| Event::Fill { gpu, block });
        match step {
            Step::Empty | Step::Copied => at_once(gpus.flat_map(fills).collect()),
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
                let cut =
                    |(gpu, share)| core::iter::once(cut((gpu, share))).chain(fills(gpu)).collect::<Vec<_>>();
                staggered(self.shares.iter().enumerate().map(cut).collect())
                    .into_iter()
                    .flat_map(spread)
                    .collect()
            }
            Step::Cache => at_once(gpus.flat_map(fills).collect()),
            Step::Verdict => at_once(vec![Event::Judge { fits: self.fits }]),
        }
    }
}

/// What each GPU of the first stages takes, at most two to a place of the stage.
fn shares(plan: &Plan, spec: &ModelSpec) -> Vec<Share> {
    let run = |all: u64, parts: u32, part: u32| {
        let (parts, part) = (u64::from(parts), u64::from(part));
        (all * part / parts)..(all * (part + 1) / parts)
    };
    let share = |gpu: u32| {
        let (in_group, in_stage) = (gpu % plan.tp, gpu % plan.ep);
        Share {
            gpu,
            heads: run(spec.heads, plan.tp, in_group),
            groups: run(spec.output_groups, plan.tp, in_group),
            experts: run(spec.experts, plan.ep, in_stage),
        }
    };
    (0..plan.gpus.clamp(1, 2 * PLACES)).map(share).collect()
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
        placing_in(Ledger::Tutorial, choices)
    }

    fn placing_in(ledger: Ledger, choices: &[(Key, &str)]) -> Placing {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let spec = v4_pro();
        let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
        Placing::new(Facts { report: &report, settings: &settings, spec: &spec })
    }

    /// The sequence of a step as short words.
    fn told(placing: &Placing, step: Step) -> Vec<String> {
        let word = |timed: Timed<Event>| match timed.event {
            Event::Fill { gpu, block } => format!("{gpu} fills {:?}", placing.blocks[block].line.part),
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
        assert_eq!(placing.smallest.as_deref(), Some("TP 16"));
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
    fn other_ledgers_place_their_own_parts() {
        let exact = placing_in(Ledger::Exact, &[]);
        assert_eq!(told(&exact, Step::Empty)[0], "0 fills Reserve");
        assert_eq!(told(&exact, Step::Copied)[..3], ["0 fills Shared", "0 fills Router", "0 fills Streams"]);
        assert_eq!(told(&exact, Step::Heads).len(), 8 + 8 * 3);
        assert_eq!(told(&exact, Step::Cache).len(), 8 * 5);
        let by_request = placing_in(Ledger::Exact, &[(Key::Layout, "dp_attention_ep")]);
        assert_eq!(told(&by_request, Step::Heads)[0], "0 takes 128 heads, 16 groups");
        assert_eq!(told(&by_request, Step::Copied)[3], "0 fills Attention");
        let report = placing_in(Ledger::Report, &[]);
        assert_eq!(told(&report, Step::Copied), Vec::<String>::new());
        assert_eq!(told(&report, Step::Experts)[1], "0 fills Weights");
    }

    #[test]
    fn blocks_add_up_to_the_need() {
        for tp in ["1", "2", "4", "8", "16"] {
            let placing = placing(&[(Key::Tp, tp), (Key::Context, "1048576"), (Key::Batch, "1024")]);
            assert_eq!(placing.blocks.iter().map(|block| block.line.bytes).sum::<Bytes>(), placing.need);
            let experts: u64 =
                placing.shares.iter().map(|share| share.experts.end - share.experts.start).sum();
            assert_eq!(experts, 384);
        }
    }
}
