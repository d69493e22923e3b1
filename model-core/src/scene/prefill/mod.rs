//! Scene "prefill": a block of prompt tokens passes through the layers. Each layer keeps caches of its own; a long
//! prompt goes in chunks, which has two traps; and the indexer's temporary scores decide the peak.

mod exercise;
mod frame;
mod panel;
mod words;
mod worked;

use super::Facts;
use super::parts::in_turn;
use super::timeline::{StepTime, Timed, staggered};
use crate::figure::Report;
use crate::ledger::index_scores::IndexScores;
use crate::ledger::layer_cache::LayerCache;
use crate::ledger::memory::{Judges, Part, lines};
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::scene::per_look::PerLook;
use crate::spec::AttentionKind;
use crate::units::Bytes;

steps! {
    /// The block of tokens, and what it becomes.
    Prompt "prompt",
    /// Who may look at whom within the block.
    Mask "mask",
    /// The block passes the layers, each of its kind.
    Layers "layers",
    /// One layer's caches opened.
    Caches "caches",
    /// The prompt cut into chunks, with the two traps.
    Chunks "chunks",
    /// The temporaries against the memory.
    Peak "peak",
}

/// Tokens of the example chunk: two fewer than two whole CSA groups, so that a border cuts one.
pub const EXAMPLE_CHUNK: u64 = 6;
/// Queries of the example mask.
pub const EXAMPLE_QUERIES: u64 = 12;
/// Requests and chunks that are drawn one by one.
const MOST_REQUESTS: u64 = 8;
const MOST_CHUNKS: u64 = 32;
/// How much of a step passes while one panel gives way to the next.
const TURN: f64 = 0.16;
const BF16_BYTES: f64 = 2.0;

/// What a chunk's end leaves behind for the next chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// Tokens before it.
    pub at: u64,
    /// Tokens of a CSA group that is not complete.
    pub csa_left: u64,
    /// Tokens of an HCA group that is not complete.
    pub hca_left: u64,
}

/// One way to run the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The whole prompt at once.
    Whole,
    /// In chunks.
    Chunked,
    /// In chunks, scored by a fused kernel that takes a tile of queries at a time.
    Fused,
}

impl Way {
    /// Every way in order.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Chunked, Self::Fused];
}

/// What stands in a GPU's memory at the peak, from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Weights.
    Weights,
    /// Caches of all requests.
    Caches,
    /// The residual streams of the pass.
    Streams,
    /// Every indexer head's scores.
    Scores,
    /// The same, weighted.
    Product,
    /// Their sum over heads.
    Sum,
}

impl Held {
    /// Everything from bottom to top.
    pub const ALL: [Self; 6] =
        [Self::Weights, Self::Caches, Self::Streams, Self::Scores, Self::Product, Self::Sum];
}

/// A size and the figure that says it, where the ledger has one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amount {
    /// The size.
    pub bytes: Bytes,
    /// The figure.
    pub figure: Option<&'static str>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A request's tokens arrive.
    Arrive {
        /// The request's number among those drawn.
        request: u64,
    },
    /// A query looks at what it may see.
    Look {
        /// Its position in the example block.
        query: u64,
        /// Tokens it sees, itself among them.
        tokens: u64,
        /// Complete CSA entries it sees.
        entries: u64,
    },
    /// The block passes a layer, which fills its own caches.
    Pass {
        /// The layer.
        layer: usize,
        /// Compressed entries it then keeps of each request.
        entries: u64,
        /// Indexer keys it then keeps.
        keys: u64,
    },
    /// A cache of the opened layer is shown: ring, entries, keys, tail.
    Open {
        /// Which of the four.
        row: usize,
        /// Rows in it.
        rows: u64,
    },
    /// A chunk ends.
    Cut(Border),
    /// The mask within a chunk is shown.
    MaskWithin,
    /// The remainder is carried over the example's border.
    Carry(Border),
    /// Memory is taken.
    Take {
        /// In which way.
        way: Way,
        /// What for.
        held: Held,
    },
}

/// Everything the scene shows, derived from a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefill {
    /// Requests of the batch and tokens of each prompt.
    pub load: (u64, u64),
    /// Tokens of a chunk, at most the prompt.
    pub chunk: u64,
    /// How each main layer attends.
    pub layers: Vec<AttentionKind>,
    /// What a layer of each kind keeps of one request, in the order of [`AttentionKind::ALL`].
    pub kinds: [LayerCache; 3],
    /// The opened layer.
    pub chosen: usize,
    /// What one request's caches take over all layers.
    pub request: Amount,
    /// What all requests' caches take on a GPU.
    pub caches: Amount,
    /// Weights on a GPU.
    pub weights: Amount,
    /// Memory of a GPU.
    pub capacity: Bytes,
    /// The temporaries of the whole prompt and of the largest chunk.
    pub index: [IndexScores; 2],
    /// Whether the ledger has figures for them.
    index_figures: bool,
    /// Whether a layer has an indexer at all.
    indexed: bool,
    /// Residual streams, width of each.
    pub streams: (u64, u64),
    /// Slots of a window ring.
    pub window: u64,
    /// Tokens of a CSA and of an HCA entry.
    pub ratios: (u64, u64),
    /// Entries a query picks in a CSA layer.
    pub top_k: u64,
    /// What does not move in its pictures, drawn once for each look.
    stills: PerLook<frame::Still>,
}

impl Prefill {
    /// Derives the scene from a ledger's report.
    #[must_use]
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let layers: Vec<_> = spec.main_layers().iter().map(|layer| layer.attention).collect();
        let requests = requests_on_gpu(report, settings);
        let kind = |kind| LayerCache::of(report.ledger, settings, spec, kind);
        Self {
            load: (settings.batch, settings.context),
            chunk: settings.chunk.clamp(1, settings.context.max(1)),
            chosen: (settings.layer as usize).min(layers.len().saturating_sub(1)),
            indexed: layers.contains(&AttentionKind::Csa),
            layers,
            kinds: AttentionKind::ALL.map(kind),
            request: amount(report, "cache.request.bytes"),
            caches: amount(report, "cache.batch.bytes_per_gpu"),
            weights: weights(report, settings),
            capacity: report.bytes("gpu.memory.bytes"),
            index: [
                IndexScores::whole(settings, spec, requests),
                IndexScores::chunked(settings, spec, requests),
            ],
            index_figures: report.number("prefill.index_scores.bytes_per_gpu").is_some(),
            streams: (spec.streams, spec.hidden),
            window: spec.window,
            ratios: (ratio(spec.csa_ratio, AttentionKind::Csa), ratio(spec.hca_ratio, AttentionKind::Hca)),
            top_k: spec.indexer_top_k,
            stills: PerLook::new(),
        }
    }

    /// How many chunks the prompt takes.
    #[must_use]
    pub const fn chunks(&self) -> u64 {
        match self.load.1.div_ceil(self.chunk) {
            0 => 1,
            chunks => chunks,
        }
    }

    /// What stands at the end of so many tokens.
    #[must_use]
    pub const fn border(&self, at: u64) -> Border {
        Border { at, csa_left: at % self.ratios.0, hca_left: at % self.ratios.1 }
    }

    /// What the first chunk leaves to the next one, or the whole prompt to the first generated token.
    #[must_use]
    pub const fn first_border(&self) -> Border {
        self.border(self.chunk)
    }

    /// Whether no border between chunks cuts a group.
    #[must_use]
    pub const fn aligned(&self) -> bool {
        self.chunks() > 1
            && self.chunk.is_multiple_of(self.ratios.0)
            && self.chunk.is_multiple_of(self.ratios.1)
    }

    /// What the opened layer keeps of one request.
    #[must_use]
    pub fn opened(&self) -> (AttentionKind, LayerCache) {
        let kind = self.layers.get(self.chosen).copied().unwrap_or(AttentionKind::Window);
        (kind, self.cache(kind))
    }

    /// What a layer of that kind keeps of one request.
    #[must_use]
    pub fn cache(&self, kind: AttentionKind) -> LayerCache {
        let index = AttentionKind::ALL.iter().position(|known| *known == kind);
        index.and_then(|index| self.kinds.get(index)).copied().unwrap_or_default()
    }

    /// How many layers attend that way.
    #[must_use]
    pub fn layers_of(&self, kind: AttentionKind) -> usize {
        self.layers.iter().filter(|known| **known == kind).count()
    }

    /// The residual streams of a pass on one GPU, in BF16.
    #[must_use]
    pub fn residual(&self, way: Way) -> Bytes {
        let index = self.pass(way);
        let queries = if way == Way::Whole { index.queries } else { self.chunk };
        Bytes(
            index.requests as f64
                * queries as f64
                * self.streams.0 as f64
                * self.streams.1 as f64
                * BF16_BYTES,
        )
    }

    /// The pass whose temporaries count.
    #[must_use]
    pub const fn pass(&self, way: Way) -> IndexScores {
        match way {
            Way::Whole => self.index[0],
            Way::Chunked | Way::Fused => self.index[1],
        }
    }

    /// What is held in a way of running the pass.
    #[must_use]
    pub fn held(&self, way: Way, held: Held) -> Amount {
        let index = self.pass(way);
        let known = |id| Some(id).filter(|_| self.index_figures);
        let of = |bytes, figure| Amount { bytes, figure };
        match (held, way) {
            (Held::Weights, _) => self.weights,
            (Held::Caches, _) => self.caches,
            (Held::Streams, _) => of(self.residual(way), None),
            _ if !self.indexed => Amount::default(),
            (Held::Scores, Way::Whole) => of(index.scores(), known("prefill.index_scores.bytes_per_gpu")),
            (Held::Product, Way::Whole) => of(index.scores(), known("prefill.index_product.bytes_per_gpu")),
            (Held::Sum, Way::Whole) => of(index.summed(), known("prefill.index_scores_summed.bytes")),
            (Held::Scores | Held::Product, Way::Chunked) => of(index.scores(), None),
            (Held::Sum, Way::Chunked) => of(index.summed(), None),
            (Held::Scores | Held::Product, Way::Fused) => Amount::default(),
            (Held::Sum, Way::Fused) => of(index.fused(), known("prefill.index_peak_fused.bytes_per_gpu")),
        }
    }

    /// The temporaries of the indexer in a way of running the pass.
    #[must_use]
    pub fn temporaries(&self, way: Way) -> Bytes {
        [Held::Scores, Held::Product, Held::Sum].into_iter().map(|held| self.held(way, held).bytes).sum()
    }

    /// Everything held at the peak.
    #[must_use]
    pub fn peak(&self, way: Way) -> Bytes {
        Held::ALL.into_iter().map(|held| self.held(way, held).bytes).sum()
    }

    /// How long a step plays. The ledgers time a chunk after a prefix, not this prompt, so no step has a real time.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        StepTime::of_moves(match step {
            Step::Mask => EXAMPLE_QUERIES as usize,
            // Layers pass at a third of the length of a move of their own.
            Step::Layers => self.layers.len() / 3,
            Step::Prompt | Step::Caches | Step::Chunks | Step::Peak => self.events(step).len(),
        })
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        match step {
            Step::Prompt => {
                let requests = 0..self.load.0.min(MOST_REQUESTS);
                staggered(requests.map(|request| Event::Arrive { request }).collect())
            }
            Step::Mask => {
                let look =
                    |query| Event::Look { query, tokens: query + 1, entries: (query + 1) / self.ratios.0 };
                after_turn(staggered((0..EXAMPLE_QUERIES).map(look).collect()))
            }
            Step::Layers => {
                let pass = |(layer, kind): (usize, &AttentionKind)| {
                    let cache = self.cache(*kind);
                    Event::Pass { layer, entries: cache.entries.count, keys: cache.keys.count }
                };
                in_turn(TURN, 1.0, self.layers.iter().enumerate().map(pass).collect())
            }
            Step::Caches => {
                let (kind, cache) = self.opened();
                let tail = match kind {
                    AttentionKind::Window => 0,
                    AttentionKind::Csa => self.border(self.load.1).csa_left,
                    AttentionKind::Hca => self.border(self.load.1).hca_left,
                };
                let rows = [self.load.1.min(self.window), cache.entries.count, cache.keys.count, tail];
                let open = |(row, rows)| Event::Open { row, rows };
                after_turn(staggered(rows.into_iter().enumerate().map(open).collect()))
            }
            Step::Chunks => {
                let cuts =
                    (1..self.pieces()).map(|index| Event::Cut(self.border(index * self.drawn_chunk())));
                let traps = [Event::MaskWithin, Event::Carry(self.border(EXAMPLE_CHUNK))];
                after_turn(staggered(cuts.chain(traps).collect()))
            }
            Step::Peak => {
                let of = |way| Held::ALL.into_iter().map(move |held| Event::Take { way, held });
                let taken = Way::ALL.into_iter().flat_map(of);
                let there = |event: &Event| match event {
                    Event::Take { way, held } => self.held(*way, *held).bytes.get() > 0.0,
                    _ => true,
                };
                after_turn(staggered(taken.filter(there).collect()))
            }
        }
    }

    /// Pieces that the prompt is drawn in.
    fn pieces(&self) -> u64 {
        self.load.1.div_ceil(self.drawn_chunk().max(1))
    }

    /// Tokens of a piece of the prompt as it is drawn: a chunk, or an even part of it where chunks are too many.
    fn drawn_chunk(&self) -> u64 {
        if self.chunks() > MOST_CHUNKS { self.load.1.div_ceil(MOST_CHUNKS).max(1) } else { self.chunk }
    }
}

/// Tokens of an entry; where the model has no such layer, the published ratio serves the examples.
pub(super) fn ratio(own: u64, kind: AttentionKind) -> u64 {
    let published = (1..=256).find(|ratio| AttentionKind::from_ratio(*ratio) == Some(kind));
    if own > 0 { own } else { published.unwrap_or(1) }
}

/// What a figure says, with its name.
fn amount(report: &Report, id: &'static str) -> Amount {
    Amount { bytes: report.bytes(id), figure: report.number(id).map(|_| id) }
}

/// The weights among the parts of memory.
fn weights(report: &Report, settings: &Settings) -> Amount {
    let lines: Vec<_> = lines(report, settings)
        .into_iter()
        .filter(|line| !line.part.is_cache() && line.part != Part::Reserve)
        .collect();
    let figure = match lines.as_slice() {
        [only] => Some(only.figure),
        _ => None,
    };
    // What is needed beside the caches, whichever parts the ledger knows: so that the columns agree with its verdict.
    let need = report.bytes(Judges::of(report.ledger).need);
    let caches = report.bytes("cache.batch.bytes_per_gpu");
    Amount { bytes: Bytes((need - caches).get().max(0.0)), figure }
}

/// Requests whose scores one GPU holds: the tutorial gives each GPU all of them.
fn requests_on_gpu(report: &Report, settings: &Settings) -> u64 {
    match report.ledger {
        crate::figure::Ledger::Tutorial => settings.batch,
        _ => Plan::of(settings).requests_on_gpu(settings.batch),
    }
}

/// The same events in the part of the step that the panel's turn leaves.
fn after_turn(mut events: Vec<Timed<Event>>) -> Vec<Timed<Event>> {
    for timed in &mut events {
        timed.from = TURN + (1.0 - TURN) * timed.from;
        timed.to = TURN + (1.0 - TURN) * timed.to;
    }
    events
}

#[cfg(test)]
mod tests;
