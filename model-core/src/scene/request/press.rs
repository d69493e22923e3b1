//! Where each stage presses: seconds for which it keeps a part of the machine busy, from the ledger's own times and from
//! bytes over published rates. Where a stage presses a part and no published figure says how long, it says so.

use super::traffic::{Traffic, restore_s};
use crate::figure::Report;
use crate::hardware::host;
use crate::ledger::pace::{Demand, Pace};
use crate::scenario::Settings;
use crate::scene::Facts;
use crate::scene::worked::same;
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// Stages from text to the first token, then the parts of a decode step.
pub const STAGES: usize = 13;

/// A stage of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Text to tokens, and the queue.
    Queue,
    /// The prefix cache.
    Prefix,
    /// Pages.
    Pages,
    /// The prompt in chunks.
    Prefill,
    /// The first step.
    First,
    /// D1: a batch is put together.
    Gather,
    /// D2: attention.
    Attention,
    /// D3: new rows are written.
    Write,
    /// D4: the router.
    Router,
    /// D5: out to the experts.
    Dispatch,
    /// D6: the experts.
    Experts,
    /// D7: back from them.
    Combine,
    /// D8: head and sampling.
    Head,
}

impl Stage {
    /// The stages up to the first token.
    pub const PROMPT: [Self; 5] = [Self::Queue, Self::Prefix, Self::Pages, Self::Prefill, Self::First];
    /// The parts of a decode step, D1 to D8.
    pub const DECODE: [Self; 8] = [
        Self::Gather,
        Self::Attention,
        Self::Write,
        Self::Router,
        Self::Dispatch,
        Self::Experts,
        Self::Combine,
        Self::Head,
    ];
}

/// A part of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Host processor.
    Cpu,
    /// Disk.
    Ssd,
    /// Between host and GPU.
    Pcie,
    /// Between GPUs.
    Link,
    /// The GPU's memory.
    Hbm,
    /// On the chip, between memory and compute.
    Noc,
    /// Tensor cores.
    Compute,
}

impl Resource {
    /// All of them, from outside in.
    pub const ALL: [Self; 7] =
        [Self::Cpu, Self::Ssd, Self::Pcie, Self::Link, Self::Hbm, Self::Noc, Self::Compute];
}

/// How a stage presses a part of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Press {
    /// Not at all.
    #[default]
    Nothing,
    /// It does, and nothing published says for how long.
    Unknown,
    /// For so long, with the figure that says so where there is one.
    Busy(Seconds, Option<&'static str>),
    /// It takes up so much of what memory leaves for caches.
    Room(Bytes, f64),
}

/// A row of presses being filled.
struct Table {
    cells: [[Press; Resource::ALL.len()]; STAGES],
}

impl Table {
    fn put(&mut self, stage: Stage, part: Resource, press: Press) {
        if let Some(cell) = self.cells.get_mut(stage as usize).and_then(|row| row.get_mut(part as usize)) {
            *cell = press;
        }
    }

    fn busy(&mut self, stage: Stage, part: Resource, seconds: f64) {
        if seconds > 0.0 && seconds.is_finite() {
            self.put(stage, part, Press::Busy(Seconds(seconds), None));
        }
    }

    /// A demand on memory, which passes the chip, and on compute.
    fn demand(&mut self, stage: Stage, demand: Demand) {
        self.busy(stage, Resource::Hbm, demand.hbm.get());
        self.busy(stage, Resource::Noc, demand.hbm.get());
        self.busy(stage, Resource::Compute, demand.compute.get());
    }

    /// Time on the links; what crosses them passes the chip too.
    fn link(&mut self, stage: Stage, seconds: f64) {
        self.busy(stage, Resource::Link, seconds);
        if let Some(row) = self.cells.get(stage as usize)
            && matches!(row[Resource::Noc as usize], Press::Nothing)
        {
            self.busy(stage, Resource::Noc, seconds);
        }
    }
}

/// What each stage presses for the typical request and a step of the batch.
pub(super) fn of(
    Facts { report, settings, .. }: Facts,
    spec: &ModelSpec,
    pace: Option<&Pace>,
    traffic: &Traffic,
    chunks: &[(u64, u64)],
) -> [[Press; Resource::ALL.len()]; STAGES] {
    let mut table = Table { cells: [[Press::Nothing; Resource::ALL.len()]; STAGES] };
    for stage in [Stage::Queue, Stage::Prefix, Stage::Pages, Stage::First, Stage::Gather, Stage::Head] {
        table.put(stage, Resource::Cpu, Press::Unknown);
    }
    prompt(&mut table, settings, traffic);
    if let Some(pace) = pace {
        let mut all = Demand::default();
        let mut link = 0.0;
        for (prefix, tokens) in chunks.iter().take(PRESSED) {
            let chunk = pace.chunk(*prefix, *tokens);
            all = all.and(chunk.demand);
            link += chunk.link.get();
        }
        // Of very many chunks the first ones stand for the rest.
        let times = (chunks.len() as f64 / PRESSED as f64).max(1.0);
        let scaled = |s: Seconds| s * times;
        table.demand(Stage::Prefill, Demand { hbm: scaled(all.hbm), compute: scaled(all.compute), ..all });
        table.link(Stage::Prefill, link * times);
        decode(&mut table, settings, spec, pace, traffic);
        figures(&mut table, report);
    }
    table.cells
}

/// Chunks whose demands are added up one by one.
const PRESSED: usize = 64;
/// Bytes of a token's number.
const ID_BYTES: f64 = 4.0;
/// Bytes of a router's weight: BF16 in the checkpoint.
const GATE_BYTES: f64 = 2.0;

/// From text to pages.
fn prompt(table: &mut Table, settings: &Settings, traffic: &Traffic) {
    let typical = traffic.typical;
    let ids = Bytes(typical.prompt as f64 * ID_BYTES);
    table.busy(Stage::Queue, Resource::Pcie, (ids / host::GPU_SLOT).get());
    if typical.found > 0 {
        let read = traffic.read();
        table.busy(Stage::Prefix, Resource::Ssd, restore_s(read));
        let own = read * traffic.share;
        table.busy(Stage::Prefix, Resource::Pcie, (own / host::GPU_SLOT).get());
        let written = own.get() / (settings.hbm.get() * settings.efficiency.hbm);
        table.busy(Stage::Prefix, Resource::Hbm, written);
        table.busy(Stage::Prefix, Resource::Noc, written);
    }
    let pages = typical.prompt.div_ceil(traffic.engine.page_tokens) as f64;
    let taken = traffic.page.0 * pages + traffic.page.1;
    let pool = traffic.page.0 * traffic.engine.pages as f64;
    table.put(Stage::Pages, Resource::Hbm, Press::Room(taken, taken / pool));
}

/// The first step, then one step by its parts.
fn decode(table: &mut Table, settings: &Settings, spec: &ModelSpec, pace: &Pace, traffic: &Traffic) {
    let step = pace.step(settings.batch);
    let [proj, attn, moe, head, other] = step.stages;
    table.demand(Stage::First, step.stages.into_iter().fold(Demand::default(), Demand::and));
    table.link(Stage::First, step.links.iter().map(|s| s.get()).sum());
    table.busy(Stage::First, Resource::Cpu, step.fixed.get());
    table.busy(Stage::Gather, Resource::Cpu, step.fixed.get());
    table.demand(Stage::Attention, proj.and(attn).and(other));
    let hbm = settings.hbm.get() * settings.efficiency.hbm;
    let token = traffic.shapes.window_row + traffic.shapes.compressed;
    let written = settings.batch as f64 * token * traffic.share / hbm;
    table.busy(Stage::Write, Resource::Hbm, written);
    table.busy(Stage::Write, Resource::Noc, written);
    let gates = spec.experts as f64 * spec.hidden as f64 * spec.main_layers().len() as f64;
    let router = Demand {
        bytes: Bytes(gates * GATE_BYTES),
        hbm: Seconds(gates * GATE_BYTES / hbm),
        compute: Seconds(2.0 * settings.batch as f64 * gates / settings.peak.get()),
    };
    table.demand(Stage::Router, router);
    table.demand(Stage::Experts, moe);
    table.demand(Stage::Head, head);
    let stages = [Stage::Attention, Stage::Dispatch, Stage::Combine, Stage::Head];
    for (stage, seconds) in stages.into_iter().zip(step.links) {
        table.link(stage, seconds.get());
    }
}

/// Names the figures that say what a cell says.
fn figures(table: &mut Table, report: &Report) {
    let known = [
        (Stage::Experts, Resource::Hbm, "decode.moe.hbm_s"),
        (Stage::Experts, Resource::Compute, "decode.moe.compute_s"),
        (Stage::Head, Resource::Hbm, "decode.head.hbm_s"),
        (Stage::Head, Resource::Compute, "decode.head.compute_s"),
    ];
    for (stage, part, id) in known {
        let cell = table.cells.get_mut(stage as usize).and_then(|row| row.get_mut(part as usize));
        if let (Some(Press::Busy(seconds, figure)), Some(number)) = (cell, report.number(id)) {
            *figure = same(seconds.get(), number).then_some(id);
        }
    }
}
