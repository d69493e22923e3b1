//! Scene "place": what each of the GPUs holds, stage by stage and request by request. Parts are copied, dealt or cut;
//! caches grow; then the verdict.

mod exercise;
mod frame;
mod words;
mod worked;

use core::ops::Range;

use super::Facts;
use super::parts::{during, in_turn};
use super::stage::PLACES;
use super::timeline::{StepTime, Timed};
use crate::figure::{Ledger, Report};
use crate::ledger::memory::{Judges, Line, Part, Sharing, smallest_plan, stage_lines};
use crate::plan::Plan;
use crate::scenario::{Layout, Settings};
use crate::spec::{AttentionKind, ModelSpec};
use crate::units::Bytes;

steps! {
    /// Nothing is placed yet.
    Empty "empty",
    /// Parts that every GPU holds whole.
    Copied "copied",
    /// Routed experts, dealt out.
    Experts "experts",
    /// Heads and output groups, cut.
    Heads "heads",
    /// Caches grow with context and batch.
    Cache "cache",
    /// Whether it fits.
    Verdict "verdict",
}

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

/// What falls to one GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The GPU's number.
    pub gpu: u32,
    /// The node it stands in.
    pub node: u32,
    /// The layers of its stage.
    pub layers: Range<u64>,
    /// Its query heads.
    pub heads: Range<u64>,
    /// Its output groups.
    pub groups: Range<u64>,
    /// Its routed experts, the same numbers in every layer.
    pub experts: Range<u64>,
    /// The requests whose caches it holds.
    pub requests: Range<u64>,
    /// Its memory, from bottom to top.
    pub blocks: Vec<Block>,
    /// What it needs, the reserve apart.
    pub need: Bytes,
}

/// Everything the scene shows, derived from a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing {
    /// The GPUs that are shown, in their order: all of up to two nodes of eight; of more, the first two where all are
    /// alike, else the first eight and the last.
    pub shares: Vec<Share>,
    /// GPUs in all.
    pub gpus: u32,
    /// GPUs of a stage, and stages.
    pub stages: (u32, u32),
    /// Nodes in all.
    pub nodes: u32,
    /// Whether the nodes that are not shown hold the same amounts as those that are.
    pub alike: bool,
    /// Whether requests are dealt over the GPUs instead of every one of them having a part of each.
    pub by_request: bool,
    /// The blocks of the fullest GPU from bottom to top.
    pub blocks: Vec<Block>,
    /// Every part that any GPU shown holds, each once, the colours' legend.
    pub parts: Vec<Line>,
    /// Memory of a GPU.
    pub capacity: Bytes,
    /// What the fullest GPU needs, the reserve apart.
    pub need: Bytes,
    /// The figure that says so.
    pub need_figure: &'static str,
    /// What is missing; zero where it fits.
    pub short: Bytes,
    /// What is left; zero where it does not fit.
    pub free: Bytes,
    /// Whether it fits.
    pub fits: bool,
    /// Whether the model can be cut so at all.
    pub legal: bool,
    /// The smallest plan that fits, if there is one.
    pub smallest: Option<String>,
    /// How each main layer attends; all are cut the same way.
    pub layers: Vec<AttentionKind>,
    /// Requests and tokens of each that the caches are for.
    pub load: (u64, u64),
    /// What the calculation begins with.
    basis: worked::Basis,
    /// Query heads, output groups and routed experts of a layer.
    pub all: [u64; 3],
}

/// Something that happens to one GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A run of layers becomes its stage, where there are several.
    Stage {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// The layers.
        layers: Range<u64>,
    },
    /// Requests become its own, where they are dealt.
    Take {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// How many requests it takes.
        requests: u64,
    },
    /// A block is filled.
    Fill {
        /// The GPU's place in [`Placing::shares`].
        gpu: usize,
        /// The block's place in its [`Share::blocks`].
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
        let plan = plan(report.ledger, settings);
        let legal = report.ledger != Ledger::Exact || report.flag("plan.legal");
        let stages = stage_lines(report, settings, spec);
        let shares = shares(&plan, settings, spec, &stages);
        let mut parts: Vec<Line> = Vec::new();
        for line in shares.iter().flat_map(|share| &share.blocks).map(|block| block.line) {
            if !parts.iter().any(|known| known.part == line.part) {
                parts.push(line);
            }
        }
        parts.sort_by_key(|line| line.part as usize);
        Self {
            gpus: plan.gpus.max(1),
            stages: (plan.ep, plan.pp),
            nodes: plan.gpus.max(1).div_ceil(plan.gpus_per_node),
            alike: plan.pp <= 1 && settings.batch.is_multiple_of(u64::from(plan.attention_groups())),
            by_request: plan.attention_groups() > 1,
            blocks: fullest(report, &stages).iter().copied().map(Block::new).collect(),
            shares,
            parts,
            // Nothing is known of a plan that cannot be carried out but the GPUs.
            capacity: if legal { report.bytes("gpu.memory.bytes") } else { settings.gpu_memory },
            need: report.bytes(judges.need),
            need_figure: judges.need,
            short: report.bytes("memory.short.bytes_per_gpu"),
            free: report.bytes("memory.free.bytes_per_gpu"),
            fits: report.flag(judges.fits),
            legal,
            smallest: smallest_plan(report),
            layers: spec.main_layers().iter().map(|layer| layer.attention).collect(),
            load: (settings.batch, settings.context),
            all: [spec.heads, spec.output_groups, spec.experts],
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

    /// Whether there are stages of different layers.
    #[must_use]
    pub const fn staged(&self) -> bool {
        self.stages.1 > 1
    }

    /// Whether a GPU is one of the fullest: those that the report's figures speak of.
    #[must_use]
    pub fn is_fullest(&self, share: &Share) -> bool {
        share.blocks == self.blocks
    }

    /// Whether any GPU shown holds less than the fullest one.
    #[must_use]
    pub fn uneven(&self) -> bool {
        self.shares.iter().any(|share| !self.is_fullest(share))
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let fills = |(gpu, share): (usize, &Share)| -> Vec<Event> {
            let blocks = share.blocks.iter().enumerate().filter(|(_, block)| block.step == step);
            blocks.map(|(block, _)| Event::Fill { gpu, block }).collect()
        };
        let first = |(gpu, share): (usize, &Share)| match step {
            Step::Empty if self.staged() => Some(Event::Stage { gpu, layers: share.layers.clone() }),
            Step::Experts => Some(Event::Deal { gpu, experts: count(&share.experts) }),
            Step::Heads => Some(Event::Cut { gpu, heads: count(&share.heads), groups: count(&share.groups) }),
            Step::Cache if self.by_request => Some(Event::Take { gpu, requests: count(&share.requests) }),
            _ => None,
        };
        if step == Step::Verdict {
            return vec![during(0.0, 1.0, Event::Judge { fits: self.fits })];
        }
        // GPU after GPU where dealing and cutting give each something else, and where they are many.
        let several = matches!(step, Step::Experts | Step::Heads) || self.shares.len() > PLACES as usize;
        let all = self.shares.iter().enumerate().collect();
        let gpus = if several { in_turn(0.0, 1.0, all) } else { at_once(all) };
        let own = |Timed { from, to, event: gpu }: Timed<(usize, &Share)>| {
            let known = first(gpu).map(|event| during(from, to, event));
            known.into_iter().chain(self.stacked(from, to, fills(gpu))).collect::<Vec<_>>()
        };
        gpus.into_iter().flat_map(own).collect()
    }

    /// Blocks filled one after the other, so that a column rises as a whole: each takes as long as it is large.
    fn stacked(&self, from: f64, to: f64, fills: Vec<Event>) -> Vec<Timed<Event>> {
        let size = |event: &Event| match event {
            Event::Fill { gpu, block } => {
                let share = self.shares.get(*gpu);
                share.and_then(|share| share.blocks.get(*block)).map_or(0.0, |block| block.line.bytes.get())
            }
            _ => 0.0,
        };
        let all = fills.iter().map(size).sum::<f64>().max(1.0);
        let last = fills.len().saturating_sub(1);
        let (mut start, mut below) = (from, 0.0);
        let place = |(index, event): (usize, Event)| {
            below += size(&event);
            let end = if index == last { to } else { from + (to - from) * below / all };
            let timed = during(start, end, event);
            start = end;
            timed
        };
        fills.into_iter().enumerate().map(place).collect()
    }
}

/// How many there are in a range.
const fn count(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// The plan as a ledger keeps its books: the tutorial knows groups under TP alone.
fn plan(ledger: Ledger, settings: &Settings) -> Plan {
    let plan = Plan::of(settings);
    match ledger {
        Ledger::Tutorial => Plan { layout: Layout::Tp, ep: plan.tp, pp: 1, gpus: plan.tp, ..plan },
        Ledger::Report | Ledger::Exact => plan,
    }
}

/// The lines of the stage that needs most: those that the report's figures stand for.
fn fullest<'a>(report: &Report, stages: &'a [Vec<Line>]) -> &'a [Line] {
    let is_reports = |lines: &&Vec<Line>| lines.iter().all(|line| line.bytes == report.bytes(line.figure));
    stages.iter().find(is_reports).or(stages.first()).map_or(&[], Vec::as_slice)
}

/// The GPUs that are shown.
fn shown(plan: &Plan) -> Vec<u32> {
    let all = plan.gpus.max(1);
    match all {
        _ if all <= 2 * PLACES => (0..all).collect(),
        _ if plan.pp <= 1 => (0..2 * PLACES).collect(),
        _ => (0..PLACES).chain(all - PLACES..all).collect(),
    }
}

/// What each of the GPUs shown takes.
fn shares(plan: &Plan, settings: &Settings, spec: &ModelSpec, stages: &[Vec<Line>]) -> Vec<Share> {
    let run = |all: u64, parts: u32, part: u32| {
        let (parts, part) = (u64::from(parts), u64::from(part));
        (all * part / parts)..(all * (part + 1) / parts)
    };
    let groups = u64::from(plan.attention_groups());
    let full = plan.requests_on_gpu(settings.batch).max(1) as f64;
    let share = |gpu: u32| {
        let (in_group, in_stage) = (gpu % plan.tp, gpu % plan.ep);
        let stage = (gpu / plan.ep).min(plan.pp - 1) as usize;
        let layers = plan.stage_layers(spec.main_layers().len(), stage);
        // The first groups take one request more where they do not come out even.
        let group = u64::from(in_stage / plan.tp).min(groups - 1);
        let (each, more) = (settings.batch / groups, settings.batch % groups);
        let start = group * each + group.min(more);
        let requests = start..start + each + u64::from(group < more);
        let own = |line: &Line| match line.sharing {
            Sharing::ByRequest => Line { bytes: line.bytes * (count(&requests) as f64 / full), ..*line },
            _ => *line,
        };
        let lines = stages.get(stage).or(stages.first()).map_or(&[][..], Vec::as_slice);
        let blocks: Vec<Block> = lines.iter().map(own).map(Block::new).collect();
        let needed = blocks.iter().filter(|block| block.line.part != Part::Reserve);
        Share {
            gpu,
            node: gpu / plan.gpus_per_node,
            layers: layers.start as u64..layers.end as u64,
            heads: run(spec.heads, plan.tp, in_group),
            groups: run(spec.output_groups, plan.tp, in_group),
            experts: run(spec.experts, plan.ep, in_stage),
            need: needed.map(|block| block.line.bytes).sum(),
            requests,
            blocks,
        }
    };
    shown(plan).into_iter().map(share).collect()
}

/// Things that share the whole step.
fn at_once<T>(all: Vec<T>) -> Vec<Timed<T>> {
    all.into_iter().map(|one| during(0.0, 1.0, one)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::draw::Shape;
    use crate::format::ByteBase;
    use crate::language::Language;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::scene::timeline::Moment;
    use crate::scene::{Look, Scene, SceneId};
    use crate::spec;

    fn placing(choices: &[(Key, &str)]) -> Placing {
        placing_in(Ledger::Tutorial, choices)
    }

    fn placing_in(ledger: Ledger, choices: &[(Key, &str)]) -> Placing {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let settings = scenario.resolve(ledger);
        let spec = spec::of(settings.model);
        let report = report(ledger, &scenario, &spec);
        Placing::new(Facts { report: &report, settings: &settings, spec: &spec })
    }

    /// The sequence of a step as short words.
    fn told(placing: &Placing, step: Step) -> Vec<String> {
        let word = |timed: Timed<Event>| match timed.event {
            Event::Stage { gpu, layers } => format!("{gpu} takes layers {layers:?}"),
            Event::Take { gpu, requests } => format!("{gpu} takes {requests} requests"),
            Event::Fill { gpu, block } => {
                format!("{gpu} fills {:?}", placing.shares[gpu].blocks[block].line.part)
            }
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
        assert_eq!(told(&by_request, Step::Cache)[0], "0 takes 1 requests");
        assert_eq!(told(&by_request, Step::Copied)[3], "0 fills Attention");
        assert!(!exact.uneven(), "eight requests come out even");
        let report = placing_in(Ledger::Report, &[(Key::Context, "99999"), (Key::Batch, "7")]);
        assert!(!report.uneven());
        assert_eq!(told(&report, Step::Copied), Vec::<String>::new());
        assert_eq!(told(&report, Step::Experts)[1], "0 fills Weights");
    }

    #[test]
    fn stages_hold_their_own_layers() {
        let placing = placing_in(Ledger::Exact, &[(Key::Tp, "8"), (Key::Pp, "2"), (Key::Mtp, "true")]);
        let empty = told(&placing, Step::Empty);
        assert_eq!((empty[0].as_str(), empty[1].as_str()), ("0 takes layers 0..31", "0 fills Reserve"));
        assert_eq!(empty[30], "15 takes layers 31..61");
        let dense = |gpu: usize| -> Vec<String> {
            let mine = |word: &String| word.starts_with(&format!("{gpu} fills"));
            told(&placing, Step::Heads).into_iter().filter(mine).collect()
        };
        // The embedding feeds the first stage; head and draft follow the last.
        assert_eq!(dense(7), ["7 fills Attention", "7 fills Embedding"]);
        assert_eq!(dense(8), ["8 fills Attention", "8 fills Head", "8 fills Mtp"]);
        assert_eq!(placing.shares[8].experts, 0..48);
        assert_eq!([7, 8, 15].map(|gpu| placing.shares[gpu].node), [0, 1, 1]);
        assert!(placing.uneven() && !placing.by_request);
        assert!(placing.is_fullest(&placing.shares[8]) && !placing.is_fullest(&placing.shares[7]));
        let most = placing.shares.iter().map(|share| share.need).fold(Bytes(0.0), Bytes::max);
        assert_eq!(most, placing.need, "the fullest GPU is the report's");
        assert_eq!(placing.parts.len(), 16 - 1, "all lines but page rounding");
    }

    #[test]
    fn requests_are_dealt_over_the_groups() {
        let layout = [(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "20")];
        let placing = placing_in(Ledger::Exact, &layout);
        let cache = told(&placing, Step::Cache);
        assert_eq!((cache[0].as_str(), cache[1].as_str()), ("0 takes 2 requests", "0 fills Window"));
        assert_eq!(cache[6 * 15], "15 takes 1 requests");
        let dealt: u64 = placing.shares.iter().map(|share| count(&share.requests)).sum();
        assert_eq!(dealt, 20);
        assert_eq!((placing.shares[4].requests.clone(), placing.shares[3].requests.clone()), (8..9, 6..8));
        assert_eq!(placing.shares[0].need, placing.need);
        let cache_of = |gpu: usize| -> Bytes {
            let blocks = placing.shares[gpu].blocks.iter();
            blocks.filter(|block| block.line.part.is_cache()).map(|block| block.line.bytes).sum()
        };
        assert_eq!(cache_of(0), cache_of(15) * 2.0);
        assert_eq!(told(&placing, Step::Experts)[30], "15 takes 24 experts");
        // Two GPUs for each group of requests share its heads.
        let placing = placing_in(Ledger::Exact, &[layout[0], layout[1], layout[2], (Key::Tp, "2")]);
        assert_eq!(told(&placing, Step::Heads)[0], "0 takes 64 heads, 8 groups");
        assert_eq!([0, 1, 2].map(|gpu| placing.shares[gpu].requests.clone()), [0..3, 0..3, 3..6]);
    }

    #[test]
    fn of_many_nodes_two_are_shown() {
        let numbers = |choices: &[(Key, &str)]| -> (Vec<u32>, u32) {
            let placing = placing_in(Ledger::Exact, choices);
            (placing.shares.iter().map(|share| share.gpu).collect(), placing.nodes)
        };
        let dp = (Key::Layout, "dp_attention_ep");
        assert_eq!(numbers(&[dp, (Key::Ep, "96")]), ((0..16).collect(), 12));
        let alike = |batch| placing_in(Ledger::Exact, &[dp, (Key::Ep, "96"), (Key::Batch, batch)]).alike;
        assert_eq!(["96", "100"].map(alike), [true, false], "a hundred requests do not come out even");
        assert_eq!(numbers(&[(Key::Tp, "8"), (Key::Pp, "4")]), ((0..8).chain(24..32).collect(), 4));
        assert_eq!(numbers(&[(Key::Tp, "4"), (Key::Pp, "3")]), ((0..12).collect(), 2));
        assert_eq!(numbers(&[(Key::Tp, "16"), (Key::Gpu, "gb200")]), ((0..16).collect(), 1));
        // The tutorial's books know nothing of stages and requests.
        assert_eq!(placing(&[(Key::Tp, "8"), (Key::Pp, "4")]).shares.len(), 8);
    }

    #[test]
    fn a_plan_that_cannot_be_carried_out_says_so() {
        let placing = placing_in(Ledger::Exact, &[(Key::Tp, "7"), (Key::Pp, "2")]);
        assert!(!placing.legal && placing.blocks.is_empty() && placing.capacity > Bytes(0.0));
        assert_eq!(told(&placing, Step::Cache), Vec::<String>::new());
    }

    #[test]
    fn every_line_stands_to_scale_in_every_ledger() {
        let scenarios: [&[(Key, &str)]; 4] = [
            &[],
            &[(Key::Model, "v4-flash"), (Key::Tp, "4")],
            &[(Key::Layout, "dp_attention_ep"), (Key::Gpu, "b200")],
            &[(Key::Tp, "4"), (Key::Pp, "2"), (Key::PageRounding, "true"), (Key::Mtp, "true")],
        ];
        let look =
            Look { layout: crate::scene::Layout::Wide, language: Language::English, base: ByteBase::Binary };
        for (choices, ledger) in scenarios.iter().flat_map(|all| Ledger::ALL.map(|ledger| (all, ledger))) {
            let placing = placing_in(ledger, choices);
            let drawing = placing.frame(Moment::done(Step::ALL.len() - 1), look);
            let heights = |figure: &str| -> Vec<f64> {
                let tagged = drawing.marks.iter().filter(|m| m.figure.is_some_and(|tag| tag.id == figure));
                tagged
                    .filter_map(|m| match m.shape {
                        Shape::Rect { height, .. } => Some(height),
                        _ => None,
                    })
                    .collect()
            };
            let reference =
                placing.blocks.iter().max_by(|a, b| a.line.bytes.get().total_cmp(&b.line.bytes.get()));
            let reference = reference.unwrap().line;
            let scale = heights(reference.figure)[0] / reference.bytes.get();
            for block in &placing.blocks {
                let own = heights(block.line.figure);
                assert!(!own.is_empty(), "{} {choices:?}", block.line.figure);
                assert!((own[0] - scale * block.line.bytes.get()).abs() < 1e-6, "{}", block.line.figure);
            }
        }
    }

    #[test]
    fn every_frame_is_sound() {
        crate::scene::inspect::everywhere(SceneId::Place, 8.0);
        let dp = (Key::Layout, "dp_attention_ep");
        let cases: [&[(Key, &str)]; 11] = [
            // The widest words under two columns.
            &[(Key::Tp, "2"), (Key::Pp, "14"), (Key::Gpus, "4096")],
            &[(Key::Tp, "2"), (Key::Pp, "14"), (Key::Gpus, "4096"), (Key::GpusPerNode, "1")],
            &[(Key::Tp, "8"), (Key::Pp, "2"), (Key::Mtp, "true"), (Key::PageRounding, "true")],
            &[(Key::Tp, "8"), (Key::Pp, "8")],
            &[(Key::Tp, "4"), (Key::Pp, "3")],
            &[(Key::Tp, "1"), (Key::Pp, "61")],
            &[dp, (Key::Ep, "16"), (Key::Batch, "20"), (Key::Mtp, "true"), (Key::PageRounding, "true")],
            &[dp, (Key::Ep, "16"), (Key::Tp, "2"), (Key::Pp, "2"), (Key::Batch, "1024")],
            &[dp, (Key::Ep, "96"), (Key::Gpu, "gb200"), (Key::Batch, "3")],
            &[(Key::Tp, "7"), (Key::Pp, "2")],
            &[dp, (Key::KvPlacement, "split"), (Key::GpuMemoryGib, "1024"), (Key::Context, "1048576")],
        ];
        for choices in cases {
            let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
            for ledger in Ledger::ALL {
                crate::scene::inspect::scenario(SceneId::Place, ledger, &choices, 0.3);
            }
        }
        crate::scene::inspect::odd_models(SceneId::Place);
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_scenario_is_drawn(
            choices in crate::scene::inspect::any_load(),
            pp in 1..=64_u32,
            context in 1..=1_048_576_u32,
            ledger in 0..3_usize,
            part in 0.05..0.95_f64,
        ) {
            let more = [(Key::Pp, pp.to_string()), (Key::Context, context.to_string())];
            let choices: Vec<_> = choices.into_iter().chain(more).collect();
            crate::scene::inspect::scenario(SceneId::Place, Ledger::ALL[ledger], &choices, part);
        }
    }
}
