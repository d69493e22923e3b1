//! Scene "caches": one position is followed through the caches. Its row goes into the ring, its group into an entry,
//! the indexer picks among the entries, and the query sees what is complete and nothing else. Then a run token by
//! token is held against the whole run, with a mistake put in; and the caches grow.

mod check;
mod exercise;
mod frame;
mod groups;
mod growth;
mod live;
mod words;
mod worked;

use core::ops::Range;

use super::Facts;
use super::parts::{during, in_turn};
use super::prefill::ratio;
use super::timeline::{StepTime, Timed};
use crate::engine::compare::Tensor;
use crate::ledger::cache_rows::LayerCounts;
use crate::ledger::layer_cache::LayerCache;
use crate::ledger::memory::{Part, request_cache};
use crate::scenario::{FaultKind, Settings};
use crate::spec::AttentionKind;
use crate::units::Bytes;

pub use live::{FIRST_CHUNK, LAYERS, Live, RATIOS, REACH, REQUESTS, SMALL_TOP_K, TOKENS, WINDOW};

steps! {
    /// The ring of the last rows.
    Ring "ring",
    /// Small groups, each entry pooling two of them.
    Csa "csa",
    /// Large groups.
    Hca "hca",
    /// Indexer keys, and the entries picked by them.
    Index "index",
    /// What the query sees, and what not.
    Sees "sees",
    /// Token by token against the whole run.
    Check "check",
    /// The bytes of it all.
    Grows "grows",
}

/// CSA groups that are drawn, the current one last.
const GROUPS: u64 = 3;
/// How much of a step passes while one picture gives way to the next.
const TURN: f64 = 0.12;
/// Longest context a request can have, where growth is measured.
const LONGEST: u64 = 1 << 20;

/// What a query sees in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Positions whose own rows it finds in the ring, itself among them.
    pub window: Range<u64>,
    /// Compressed entries that are complete: 0 up to this one.
    pub entries: u64,
    /// Those of them that it attends.
    pub attended: u64,
}

/// What one part of a request's cache takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The part.
    pub part: Part,
    /// The figure that says it.
    pub figure: &'static str,
    /// Its size after the scenario's context.
    pub bytes: Bytes,
    /// Its size before any group is complete.
    pub constant: Bytes,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The rows of these positions go into the ring, one after the other.
    Fill(Range<u64>),
    /// The slot that the next token will take, and the position it drives out.
    Next {
        /// The slot.
        slot: u64,
        /// The position that stands there, if any.
        drives_out: Option<u64>,
    },
    /// The token of a position joins its CSA group.
    Join(u64),
    /// A CSA entry pools rows of these positions.
    Pool {
        /// The entry.
        entry: u64,
        /// The positions.
        pooled: Range<u64>,
    },
    /// So many tokens of an HCA group have come.
    Count(u64),
    /// So many HCA entries are there.
    Entries(u64),
    /// So many indexer keys are scored.
    Keys(u64),
    /// So many entries are picked.
    Pick {
        /// How many.
        picked: u64,
        /// Whether the small model picked them, and not the rule alone.
        real: bool,
    },
    /// The query looks into a layer of a kind.
    See(AttentionKind, Seen),
    /// An entry stays out of sight until so many more tokens have come.
    Hide {
        /// In which kind of layer.
        kind: AttentionKind,
        /// The entry.
        entry: u64,
        /// The tokens it still lacks.
        lacks: u64,
    },
    /// The two runs are compared in a layer of the small model.
    Compare {
        /// The layer.
        layer: usize,
        /// Samples that agree before the first that does not, or all.
        agree: usize,
    },
    /// The first sample that does not agree.
    Deviate {
        /// The layer.
        layer: usize,
        /// The position.
        position: usize,
        /// What deviates.
        tensor: Tensor,
    },
    /// Two requests take turns.
    Turns {
        /// Whether each ends as it does alone.
        apart: bool,
    },
    /// The caches grow with the context.
    Grow,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Caches {
    /// The token whose query looks, counted from 0.
    pub position: u64,
    /// Slots of the ring.
    pub window: u64,
    /// Tokens of a CSA and of an HCA entry.
    pub ratios: (u64, u64),
    /// Entries a query picks in a CSA layer.
    pub top_k: u64,
    /// How each main layer attends.
    pub layers: Vec<AttentionKind>,
    /// The opened layer.
    pub chosen: usize,
    /// The mistake put into the small model.
    pub fault: FaultKind,
    /// What the small model did; none where the engine refuses, which it never should.
    pub live: Option<Live>,
    /// Tokens of the scenario's context.
    pub context: u64,
    /// The parts of a request's cache, from bottom to top.
    pub parts: Vec<Share>,
    /// All of them together; not a number where the ledger does not count this model.
    pub request: Bytes,
    /// What a request takes before any group is complete, and what a token adds on average.
    pub growth: (Bytes, Bytes),
}

impl Caches {
    /// Derives the scene.
    #[must_use]
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let layers: Vec<_> = spec.main_layers().iter().map(|layer| layer.attention).collect();
        let chosen = (settings.layer as usize).min(layers.len().saturating_sub(1));
        let kind = layers.get(chosen).copied().unwrap_or(AttentionKind::Window);
        let (mut constant, slope) = growth(&Facts { report, settings, spec });
        let share = |(part, figure): (Part, &'static str)| {
            let bytes = report.bytes(figure);
            let constant = match part {
                Part::Window | Part::State | Part::MtpCache => bytes,
                // One ledger has a single part for all; a short context does not even fill the rings.
                Part::Cache => Bytes(constant.get().min(bytes.get())),
                _ => Bytes::ZERO,
            };
            Share { part, figure, bytes, constant }
        };
        let parts: Vec<_> = request_cache(report.ledger, settings)
            .into_iter()
            .filter(|(_, figure)| report.number(figure).is_some())
            .map(share)
            .collect();
        let draft = parts.iter().filter(|share| share.part == Part::MtpCache);
        constant += draft.map(|share| share.bytes).sum();
        Self {
            position: settings.position,
            window: spec.window.max(1),
            ratios: (ratio(spec.csa_ratio, AttentionKind::Csa), ratio(spec.hca_ratio, AttentionKind::Hca)),
            top_k: spec.indexer_top_k,
            layers,
            chosen,
            fault: settings.fault,
            live: Live::run(settings.seed, settings.position, settings.fault, kind),
            context: settings.context,
            parts,
            request: Bytes(report.number("cache.request.bytes").unwrap_or(f64::NAN)),
            growth: (constant, slope),
        }
    }

    /// How the opened layer attends.
    #[must_use]
    pub fn kind(&self) -> AttentionKind {
        self.layers.get(self.chosen).copied().unwrap_or(AttentionKind::Window)
    }

    /// Tokens that are in once the query's own is.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.position + 1
    }

    /// Tokens of an entry; none where a layer has no entries.
    #[must_use]
    pub const fn ratio_of(&self, kind: AttentionKind) -> Option<u64> {
        match kind {
            AttentionKind::Window => None,
            AttentionKind::Csa => Some(self.ratios.0),
            AttentionKind::Hca => Some(self.ratios.1),
        }
    }

    /// What the query sees in a layer of a kind.
    #[must_use]
    pub fn seen(&self, kind: AttentionKind) -> Seen {
        let entries = self.ratio_of(kind).map_or(0, |ratio| self.tokens() / ratio);
        let attended = if kind == AttentionKind::Csa { entries.min(self.top_k) } else { entries };
        Seen { window: self.tokens().saturating_sub(self.window)..self.tokens(), entries, attended }
    }

    /// Tokens whose group is not complete.
    #[must_use]
    pub fn waiting(&self, kind: AttentionKind) -> Range<u64> {
        let ratio = self.ratio_of(kind).unwrap_or(1);
        self.tokens() / ratio * ratio..self.tokens()
    }

    /// Tokens of the query's own group that have come, its own among them.
    #[must_use]
    pub fn in_group(&self, kind: AttentionKind) -> u64 {
        self.ratio_of(kind).map_or(1, |ratio| self.position % ratio + 1)
    }

    /// The positions that a CSA entry pools: its own group, and the one before.
    #[must_use]
    pub const fn pooled(&self, entry: u64) -> Range<u64> {
        let start = entry * self.ratios.0;
        start.saturating_sub(self.ratios.0)..start + self.ratios.0
    }

    /// The position whose row stands in a slot.
    #[must_use]
    pub const fn held_by(&self, slot: u64) -> Option<u64> {
        let back = (self.position + self.window - slot) % self.window;
        self.position.checked_sub(back)
    }

    /// The picks of the small model, where the query lies within its reach.
    #[must_use]
    pub fn picks(&self) -> Option<&[u32]> {
        self.live.as_ref()?.picks.as_deref()
    }

    /// The kinds of layer that the model has.
    pub fn kinds(&self) -> impl Iterator<Item = AttentionKind> {
        AttentionKind::ALL.into_iter().filter(|kind| self.layers.contains(kind))
    }

    /// How long a step plays. No real time is known of any.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        StepTime::of_moves(match step {
            Step::Ring | Step::Grows => 8,
            _ => self.events(step).len(),
        })
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        match step {
            Step::Ring => {
                let slot = self.tokens() % self.window;
                let drives_out = self.tokens().checked_sub(self.window);
                let fill = Event::Fill(self.seen(AttentionKind::Window).window);
                vec![during(TURN, 0.85, fill), during(0.85, 1.0, Event::Next { slot, drives_out })]
            }
            Step::Csa => {
                let m = self.ratios.0;
                let first = (self.position / m + 1).saturating_sub(GROUPS) * m;
                let mut events: Vec<_> = (first..self.tokens()).map(Event::Join).collect();
                if let Some(entry) = self.seen(AttentionKind::Csa).entries.checked_sub(1) {
                    events.push(Event::Pool { entry, pooled: self.pooled(entry) });
                }
                in_turn(TURN, 1.0, events)
            }
            Step::Hca => {
                let kind = AttentionKind::Hca;
                let counted = Event::Count(self.in_group(kind));
                vec![during(TURN, 0.7, counted), during(0.7, 1.0, Event::Entries(self.seen(kind).entries))]
            }
            Step::Index => {
                let Seen { entries, attended, .. } = self.seen(AttentionKind::Csa);
                let real = self.picks().is_some();
                let picked = self.picks().map_or(attended, |picks| picks.len() as u64);
                vec![during(TURN, 0.6, Event::Keys(entries)), during(0.6, 1.0, Event::Pick { picked, real })]
            }
            Step::Sees => {
                let see = |kind| Event::See(kind, self.seen(kind));
                let hide = |kind| {
                    let (ratio, entry) = (self.ratio_of(kind)?, self.seen(kind).entries);
                    let waiting = self.waiting(kind);
                    Some(Event::Hide { kind, entry, lacks: ratio - (waiting.end - waiting.start) })
                };
                in_turn(TURN, 1.0, self.kinds().map(see).chain(self.kinds().filter_map(hide)).collect())
            }
            Step::Check => in_turn(TURN, 1.0, self.compared()),
            Step::Grows => vec![during(TURN, 1.0, Event::Grow)],
        }
    }

    /// The comparison, layer by layer as far as the runs agree; then the two requests.
    fn compared(&self) -> Vec<Event> {
        let Some(live) = &self.live else { return Vec::new() };
        let first = live.first;
        let last = first.map_or(LAYERS.len() - 1, |first| first.layer);
        let mut events: Vec<_> = (0..=last)
            .map(|layer| Event::Compare {
                layer,
                agree: match first {
                    Some(first) if first.layer == layer => {
                        first.position * check::TENSORS.len() + check::place_of(first.tensor)
                    }
                    _ => live::TOKENS * check::TENSORS.len(),
                },
            })
            .collect();
        events.extend(first.map(|first| Event::Deviate {
            layer: first.layer,
            position: first.position,
            tensor: first.tensor,
        }));
        events.push(Event::Turns { apart: live.apart });
        events
    }
}

/// What a request's caches take before any group is complete, and what a token adds on average: measured on two long
/// contexts at which every group is complete.
fn growth(Facts { report, settings, spec }: &Facts) -> (Bytes, Bytes) {
    let counts = LayerCounts::of(spec.main_layers());
    let at = |context: u64| {
        let settings = Settings { context, ..(*settings).clone() };
        let of =
            |kind| LayerCache::of(report.ledger, &settings, spec, kind).total() * counts.of_kind(kind) as f64;
        AttentionKind::ALL.map(of).into_iter().sum::<Bytes>()
    };
    let (half, whole) = (at(LONGEST / 2), at(LONGEST));
    let slope = (whole - half) / (LONGEST / 2) as f64;
    (half - slope * (LONGEST / 2) as f64, slope)
}

#[cfg(test)]
mod tests;
