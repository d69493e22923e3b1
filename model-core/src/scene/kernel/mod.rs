//! Scene "kernel": one GPU opened. A kernel's tiles leave memory, pass L2, meet activations on chip and leave results
//! behind; then where it stands on the roofline, and what caches set aside against what they use.

mod exercise;
mod frame;
mod roofline;
pub mod tiling;
mod words;
pub mod work;
mod worked;

use super::Facts;
use super::stage::PLACES;
use super::timeline::{StepTime, Timed, staggered};
use crate::figure::{Ledger, Report};
use crate::ledger::report_of;
use crate::plan::Plan;
use crate::scenario::{KernelKind, Settings};
use crate::spec::{AttentionKind, ModelSpec, Routing};
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, Seconds};
use tiling::{Product, Tiling};
use work::{Kernel, Load, Rows};

/// Tiles that stand in L2 at once.
pub const SLOTS: usize = 6;

steps! {
    /// What lies in memory: what stays, and what is there for now.
    Resident "resident",
    /// The first tiles come on chip.
    Load "load",
    /// Tile after tile is multiplied.
    Compute "compute",
    /// Results are written.
    Store "store",
    /// The kernel on the roofline.
    Roofline "roofline",
    /// What caches set aside, and what they use.
    Preallocate "preallocate",
}

/// What lies in a GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The layer's weights, which stay.
    Weights,
    /// The layer's caches, which stay and grow.
    Cache,
    /// Activations and results, which are there for now.
    Temporary,
}

impl Block {
    /// Every block, from the top.
    pub const ALL: [Self; 3] = [Self::Weights, Self::Cache, Self::Temporary];
}

/// Something that happens on the GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A block lies in memory.
    Hold {
        /// Which.
        block: Block,
    },
    /// One of the first tiles comes into L2.
    Load {
        /// The tile, counted from 0.
        tile: usize,
    },
    /// The tiles are multiplied one after the other.
    Multiply {
        /// How many.
        tiles: u64,
    },
    /// Results go back into memory.
    Store,
    /// The kernel is put on the roofline.
    Weigh {
        /// Whether it waits for memory rather than for computation.
        waits: bool,
    },
    /// Caches are set aside for the longest context.
    Reserve,
    /// Part of that is used.
    Use,
}

/// What a kernel picks out of what lies there: experts, rows or keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picks {
    /// Those that lie there.
    pub all: f64,
    /// Those that are read.
    pub read: f64,
    /// Of these, the ones at the end, which are always read.
    pub last: f64,
}

/// Everything the scene shows, derived from a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// Which kernel.
    pub kind: KernelKind,
    /// Of which layer.
    pub layer: usize,
    /// How each main layer attends.
    pub layers: Vec<AttentionKind>,
    /// GPUs in use.
    pub gpus: u32,
    /// Its work.
    pub kernel: Kernel,
    /// The product that reads most, with its tiles.
    pub largest: Option<(Product, Tiling)>,
    /// What it picks out.
    pub picks: Picks,
    /// The layer's weights and caches on this GPU.
    pub resident: [Bytes; 2],
    /// How long reading takes at least.
    pub hbm_time: Seconds,
    /// How long computing takes at least.
    pub compute_time: Seconds,
    /// FLOPs for a byte.
    pub intensity: f64,
    /// FLOPs for a byte from which on computing takes longer than reading.
    pub ridge: f64,
    /// Rate of the memory.
    pub hbm: BytesPerSecond,
    /// The part of it that is reached.
    pub hbm_reached: BytesPerSecond,
    /// The part of the compute peak that the kernel reaches.
    pub peak_reached: FlopsPerSecond,
    /// Size of L2.
    pub l2: Bytes,
    /// Multiprocessors, where they are published.
    pub processors: Option<u32>,
    /// Caches of the batch at the longest context, in the ledger in use.
    pub reserved: Bytes,
    /// The same at the scenario's context.
    pub used: Bytes,
    /// Memory of a GPU.
    pub capacity: Bytes,
    /// Requests, tokens of each, and the longest context.
    pub load: (u64, u64, u64),
    /// The figure that says what the kernel reads, if one does.
    pub read_figure: Option<&'static str>,
}

impl Opened {
    /// Derives the scene from the values in force.
    #[must_use]
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let kind = settings.kernel;
        let layer = opened_layer(spec);
        let entry = spec
            .main_layers()
            .get(layer)
            .copied()
            .unwrap_or(crate::spec::Layer { attention: AttentionKind::Window, routing: Routing::Learned });
        let kernel = Kernel::of(kind, entry, settings, spec);
        let (read, flops) = (kernel.read(), kernel.flops());
        let hbm = settings.hbm.get() * settings.efficiency.hbm;
        let peak = settings.peak.get() * kernel.efficiency;
        let rows = Rows::of(spec, entry.attention, settings.context);
        let load = Load::of(settings, spec);
        let picks = match kind {
            KernelKind::Projection => Picks { all: 1.0, read: 1.0, last: 0.0 },
            KernelKind::Expert => Picks { all: load.local, read: load.touched, last: 0.0 },
            KernelKind::Attention => Picks { all: rows.kept, read: rows.attended, last: rows.window },
            KernelKind::Indexer => Picks { all: rows.keys, read: rows.keys, last: 0.0 },
        };
        let [weights, cache] = work::resident(entry, settings, spec);
        let cached = |context: u64| {
            let there = Settings { context, ..settings.clone() };
            report_of(report.ledger, &there, spec).bytes("cache.batch.bytes_per_gpu")
        };
        Self {
            kind,
            layer,
            layers: spec.main_layers().iter().map(|layer| layer.attention).collect(),
            gpus: Plan::of(settings).gpus.clamp(1, PLACES),
            largest: kernel.largest().copied(),
            picks,
            resident: [Bytes(weights), Bytes(cache)],
            hbm_time: Seconds(read / hbm),
            compute_time: Seconds(flops / peak),
            intensity: if read > 0.0 { flops / read } else { 0.0 },
            ridge: peak / hbm,
            hbm: settings.hbm,
            hbm_reached: BytesPerSecond(hbm),
            peak_reached: FlopsPerSecond(peak),
            l2: settings.l2,
            processors: settings.gpu.chip.map(|chip| chip.processors),
            reserved: cached(spec.max_context.max(settings.context)),
            used: report.bytes("cache.batch.bytes_per_gpu"),
            capacity: report.bytes("gpu.memory.bytes"),
            load: (settings.batch, settings.context, spec.max_context),
            read_figure: figure_of(kind, entry.attention, report, read),
            kernel,
        }
    }

    /// Tiles in all; expected experts make it a fraction, which is rounded.
    #[must_use]
    pub fn tiles(&self) -> u64 {
        self.kernel.tiles().round() as u64
    }

    /// Tiles that one block of results takes: a row of a matrix's tiles, or all of a request's cache.
    #[must_use]
    pub fn run_length(&self) -> f64 {
        self.largest
            .map_or(0.0, |(product, tiling)| if product.whole_rows { tiling.across } else { tiling.deep })
    }

    /// Whether reading takes longer than computing.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.hbm_time > self.compute_time
    }

    /// The share of its time in which the one that is quicker has nothing to do.
    #[must_use]
    pub fn idle_share(&self) -> f64 {
        let (a, b) = (self.hbm_time.get(), self.compute_time.get());
        let longer = a.max(b);
        if longer > 0.0 { 1.0 - a.min(b) / longer } else { 0.0 }
    }

    /// How long a step plays: the first tiles are read, then reading and computing run side by side, then results are
    /// written.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let reading = |bytes: f64| Some(bytes / self.hbm_reached.get());
        let events = StepTime::of_moves(self.events(step).len());
        match step {
            Step::Load => {
                let tile = self.largest.map_or(0.0, |(_, tiling)| tiling.tile_bytes);
                events.taking(reading(tile * self.events(step).len() as f64))
            }
            Step::Compute => {
                let moves = StepTime::of_moves((self.tiles() as usize).min(2 * SLOTS));
                moves.taking(Some(self.hbm_time.max(self.compute_time).get()))
            }
            Step::Store => events.taking(reading(self.kernel.written())),
            Step::Resident | Step::Roofline | Step::Preallocate => events,
        }
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        staggered(match step {
            Step::Resident => Block::ALL.map(|block| Event::Hold { block }).to_vec(),
            Step::Load => {
                let first = self.tiles().min(SLOTS as u64) as usize;
                (0..first).map(|tile| Event::Load { tile }).collect()
            }
            Step::Compute => vec![Event::Multiply { tiles: self.tiles() }],
            Step::Store => vec![Event::Store],
            Step::Roofline => vec![Event::Weigh { waits: self.waits() }],
            Step::Preallocate => vec![Event::Reserve, Event::Use],
        })
    }
}

/// The layer that is opened: the first that has every kernel and routes by scores, else the first.
fn opened_layer(spec: &ModelSpec) -> usize {
    let layers = spec.main_layers();
    let sparse = |learned: bool| {
        layers.iter().position(|layer| {
            layer.attention == AttentionKind::Csa && (!learned || layer.routing == Routing::Learned)
        })
    };
    sparse(true).or_else(|| sparse(false)).unwrap_or(0)
}

/// The figure that says the same, where the ledger in use has one.
fn figure_of(kind: KernelKind, attention: AttentionKind, report: &Report, read: f64) -> Option<&'static str> {
    let id = match (report.ledger, kind, attention) {
        (Ledger::Exact, KernelKind::Projection, AttentionKind::Csa) => "decode.layer.csa.proj_bytes_per_gpu",
        _ => return None,
    };
    (report.number(id) == Some(read)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{at_context, report};
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    fn opened(ledger: Ledger, choices: &[(Key, &str)]) -> Opened {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let spec = v4_pro();
        let (report, settings) = (report(ledger, &scenario, &spec), scenario.resolve(ledger));
        Opened::new(Facts { report: &report, settings: &settings, spec: &spec })
    }

    /// The whole scene as short words.
    fn told(opened: &Opened) -> Vec<String> {
        let word = |timed: Timed<Event>| match timed.event {
            Event::Hold { block } => format!("holds {block:?}"),
            Event::Load { tile } => format!("loads {tile}"),
            Event::Multiply { tiles } => format!("multiplies {tiles}"),
            Event::Store => "stores".to_owned(),
            Event::Weigh { waits } => format!("waits: {waits}"),
            Event::Reserve => "reserves".to_owned(),
            Event::Use => "uses".to_owned(),
        };
        Step::ALL.into_iter().flat_map(|step| opened.events(step)).map(word).collect()
    }

    #[test]
    fn the_default_opens_an_expert() {
        let opened = opened(Ledger::Tutorial, &[]);
        assert_eq!((opened.layer, opened.layers[opened.layer]), (4, AttentionKind::Csa));
        let told = told(&opened);
        assert_eq!(told[..3], ["holds Weights", "holds Cache", "holds Temporary"]);
        assert_eq!(told[3..9], [0, 1, 2, 3, 4, 5].map(|tile| format!("loads {tile}")));
        // 5.89 routed experts and the shared one of 3 × 24 × 56 tiles, and the router's 3 × 56.
        assert_eq!(told[9], format!("multiplies {}", opened.tiles()));
        let touched = opened.picks.read;
        assert_eq!(opened.tiles(), ((touched + 1.0) * 3.0 * 24.0 * 56.0 + 168.0).round() as u64);
        assert_eq!(told[10..], ["stores", "waits: true", "reserves", "uses"]);
    }

    #[test]
    fn one_token_has_no_key_to_scan() {
        let opened =
            opened(Ledger::Exact, &[(Key::Kernel, "indexer"), (Key::Context, "1"), (Key::Batch, "1")]);
        assert_eq!(told(&opened)[3..5], ["multiplies 0", "stores"]);
        assert_eq!((opened.intensity, opened.hbm_time), (0.0, Seconds(0.0)));
    }

    #[test]
    fn a_large_batch_makes_projections_wait_for_computation() {
        let choices = [(Key::Kernel, "projection"), (Key::Batch, "1024"), (Key::Tp, "1")];
        let opened = opened(Ledger::Exact, &choices);
        assert!(told(&opened).contains(&"waits: false".to_owned()));
        assert!(opened.intensity > opened.ridge);
        let attention = self::opened(Ledger::Exact, &[(Key::Kernel, "attention"), (Key::Batch, "1024")]);
        assert!(told(&attention).contains(&"waits: true".to_owned()));
    }

    #[test]
    fn steps_take_what_bytes_and_flops_take() {
        let scene = opened(Ledger::Tutorial, &[]);
        let [load, compute, store] =
            [Step::Load, Step::Compute, Step::Store].map(|step| scene.duration(step).model_s.unwrap());
        // Six tiles of 128 × 128 weights of 17/32 bytes at 3.35 TB/s.
        assert!((load / (6.0 * 8704.0 / 3.35e12) - 1.0).abs() < 1e-9, "{load}");
        assert_eq!(compute, scene.hbm_time.get());
        assert!(store > load && store < compute, "{load} {compute} {store}");
        assert_eq!(scene.duration(Step::Roofline).model_s, None);
        let none = opened(Ledger::Exact, &[(Key::Kernel, "indexer"), (Key::Context, "1")]);
        assert_eq!(none.duration(Step::Load).model_s, Some(0.0));
    }

    /// The walkthrough's 2.603 and 77.136 GiB.
    #[test]
    fn what_is_set_aside_is_the_cache_at_the_longest_context() {
        let default = opened(Ledger::Tutorial, &[]);
        assert_eq!((default.used, default.reserved), (Bytes(2_795_241_472.0), Bytes(82_824_658_944.0)));
        for ledger in Ledger::ALL {
            let opened = opened(ledger, &[(Key::Batch, "5")]);
            let mut scenario = Scenario::default();
            scenario.choose_text(Key::Batch, "5").unwrap();
            let there = at_context(ledger, &scenario, &v4_pro(), 1_048_576);
            assert_eq!(opened.reserved, there.bytes("cache.batch.bytes_per_gpu"), "{}", ledger.name());
        }
    }

    #[test]
    fn a_layers_kernels_are_the_ledgers_layer() {
        let scenario = Scenario::default();
        let exact = report(Ledger::Exact, &scenario, &v4_pro());
        let of = |kernel: &'static str| opened(Ledger::Exact, &[(Key::Kernel, kernel)]).kernel;
        let [projection, attention, indexer] = ["projection", "attention", "indexer"].map(of);
        let figure = |id| exact.number(id).unwrap();
        assert_eq!(projection.read(), figure("decode.layer.csa.proj_bytes_per_gpu"));
        assert_eq!(attention.read() + indexer.read(), figure("decode.layer.csa.kv_bytes_per_gpu"));
        let flops = projection.flops() + attention.flops() + indexer.flops();
        assert!((flops / figure("decode.layer.csa.flops_per_gpu") - 1.0).abs() < 1e-12);
        let told = opened(Ledger::Exact, &[(Key::Kernel, "projection")]);
        assert_eq!(told.read_figure, Some("decode.layer.csa.proj_bytes_per_gpu"));
    }
}
