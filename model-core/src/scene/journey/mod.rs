//! Scene "journey": one token from its embedding to the next token, over all GPUs. One layer is opened and walked through
//! stage by stage, the others pass on the strip; beside it stands what the ledger says each part of the step takes.

mod band;
mod card;
mod exercise;
mod frame;
mod narrow;
mod shares;
mod span;
mod time;
mod words;
mod worked;

#[cfg(test)]
mod tests;

use super::Facts;
use super::parts::{during, in_turn};
use super::timeline::{StepTime, Timed};
use crate::collective::Algorithm;
use crate::figure::Ledger;
use crate::ledger::journey::{DecodeStep, Event as Done, Kind, Part};
use crate::ledger::memory::Judges;
use crate::scenario::Settings;
use crate::spec::{AttentionKind, Layer, ModelSpec, Routing};
use crate::units::Bytes;

pub use shares::{Pick, Shares};

steps! {
    /// The token's row is looked up, becomes the residual streams and passes the layers before the opened one.
    Embed "embed",
    /// The opened layer's attention.
    Attention "attention",
    /// The heads' partial sums become one.
    Sum "sum",
    /// The router picks experts.
    Route "route",
    /// Experts compute where they lie.
    Experts "experts",
    /// Their results become one; the streams go on.
    Combine "combine",
    /// The layers behind the opened one.
    Layers "layers",
    /// Head, sampling, next token.
    Next "next",
}

impl Step {
    /// The step that shows an event of the token's way, where the opened layer is that one.
    #[must_use]
    pub fn showing(event: &Done, opened: usize) -> Self {
        match event.layer {
            Some(layer) if layer < opened => return Self::Embed,
            Some(layer) if layer > opened => return Self::Layers,
            _ => {}
        }
        match event.kind {
            Kind::Lookup | Kind::LookupSum => Self::Embed,
            Kind::Mix | Kind::Project | Kind::ScoreSum | Kind::Attend => Self::Attention,
            Kind::OutputSum => Self::Sum,
            Kind::Route => Self::Route,
            Kind::Dispatch | Kind::Experts => Self::Experts,
            Kind::Combine | Kind::RoutedSum | Kind::Wait | Kind::HandOver => Self::Combine,
            Kind::Collapse | Kind::Head | Kind::Gather | Kind::Draft | Kind::Finish => Self::Next,
        }
    }
}

/// What bounds a part of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The memory's rate.
    Hbm,
    /// The arithmetic.
    Compute,
    /// Start-ups of transfers.
    Startup,
    /// Bytes on the links.
    Link,
    /// Nothing: it hides behind something else.
    Hidden,
}

/// A part of the step's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Which part.
    pub part: Part,
    /// Over the whole step, in seconds, at least and at most.
    pub step_s: [f64; 2],
    /// In the opened layer.
    pub layer_s: [f64; 2],
    /// What bounds it, where something is known to.
    pub bound: Option<Bound>,
    /// The figure that says the same of the whole step, with its value.
    pub figure: Option<(&'static str, f64)>,
    /// The figure whose derivation tells why it takes so long, with its value.
    pub because: Option<(&'static str, f64)>,
}

/// Everything the scene shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Journey {
    /// The ledger that counts.
    pub ledger: Ledger,
    /// The step by that ledger.
    pub step: DecodeStep,
    /// The parts of its time, in the order in which the token meets them.
    pub parts: Vec<Share>,
    /// Every main layer.
    pub layers: Vec<Layer>,
    /// The opened one.
    pub opened: usize,
    /// What stands on the cards.
    pub shares: Shares,
    /// How sums are carried out.
    pub algorithm: Algorithm,
    /// Requests of the batch.
    pub batch: u64,
    /// Different experts that a layer reads for the batch, in expectation.
    pub distinct: f64,
    /// Width of a token.
    pub hidden: u64,
    /// Residual streams.
    pub streams: u64,
    /// Routed experts of a layer, and how many a token takes.
    pub experts: [u64; 2],
    /// Entries of the vocabulary.
    pub vocab: u64,
    /// Whether everything fits.
    pub fits: bool,
    /// What is missing on a GPU where it does not.
    pub short: Bytes,
    basis: worked::Basis,
}

/// Something that happens in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The token's row is looked up.
    Lookup,
    /// Every GPU gets it.
    Share,
    /// It becomes the residual streams.
    Widen,
    /// The token passes layers, from the first up to but not including the second.
    Pass {
        /// The first.
        from: usize,
        /// One behind the last.
        to: usize,
    },
    /// The streams become one.
    Mix,
    /// Projections read their weights.
    Project,
    /// The indexer's scores are added up.
    Scores,
    /// The heads read the caches.
    Attend,
    /// Partial sums leave and the sum comes back.
    Sum,
    /// The router reads its weights.
    Score,
    /// An expert is picked.
    Pick {
        /// Which of the token's picks.
        nth: usize,
    },
    /// The token goes to its experts' GPUs.
    Dispatch,
    /// A place computes its experts.
    Compute {
        /// The place.
        place: u32,
    },
    /// Results are added up or go back.
    Combine,
    /// The streams take the result up.
    Update,
    /// The head reads its weights.
    Head,
    /// Logits are gathered.
    Gather,
    /// The next token is drawn.
    Sample,
}

impl Journey {
    /// Derives the scene.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts { report, settings, spec } = facts;
        let step = DecodeStep::of(report, settings, spec);
        let layers = spec.main_layers().to_vec();
        let opened = (settings.layer as usize).min(layers.len().saturating_sub(1));
        let judges = Judges::of(report.ledger);
        let parts = parts(&facts, &step, opened);
        Self {
            ledger: report.ledger,
            basis: worked::Basis::of(report, settings, &step),
            shares: Shares::of(&facts, opened, layers.get(opened).copied()),
            algorithm: if report.ledger == Ledger::Exact { settings.algorithm } else { Algorithm::Ring },
            batch: settings.batch,
            distinct: distinct(&facts),
            hidden: spec.hidden,
            streams: spec.streams,
            experts: [spec.experts, spec.experts_per_token],
            vocab: vocabulary(settings, spec),
            fits: report.flag(judges.fits),
            short: report.bytes("memory.short.bytes_per_gpu"),
            step,
            parts,
            layers,
            opened,
        }
    }

    /// The opened layer, where the model has any.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        self.layers.get(self.opened).copied()
    }

    /// How the opened layer attends.
    #[must_use]
    pub fn attention(&self) -> AttentionKind {
        self.layer().map_or(AttentionKind::Window, |layer| layer.attention)
    }

    /// Whether the opened layer's router is a table by the token's id.
    #[must_use]
    pub fn by_table(&self) -> bool {
        self.layer().is_some_and(|layer| layer.routing == Routing::Hash)
    }

    /// The event of a kind in the opened layer.
    #[must_use]
    pub fn here(&self, kind: Kind) -> Option<&Done> {
        self.step.event(kind, Some(self.opened))
    }

    /// Whether the heads are cut, so that there are partial sums.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.shares.ranks > 1 && self.shares.owner.is_none()
    }

    /// Seconds of the opened layer, at least and at most; none where nothing is known.
    #[must_use]
    pub fn layer_s(&self) -> Option<[f64; 2]> {
        let known = !self.step.events.is_empty();
        known.then(|| self.step.taken_s(|event| event.layer == Some(self.opened)))
    }

    /// How long a step plays, and the time of its events where that is one number.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let moves = match step {
            Step::Embed | Step::Attention | Step::Layers => 10,
            Step::Sum | Step::Combine => 9,
            Step::Route | Step::Experts | Step::Next => 7,
        };
        let shown = |event: &Done| Step::showing(event, self.opened) == step;
        let certain = self.step.step_s.is_none_or(|[low, high]| low == high);
        // Of a range only what bytes and FLOPs take is known.
        let counted = |event: &Done| certain || !event.kind.sends() && event.kind != Kind::Wait;
        let [seconds, _] = self.step.taken_s(|event| shown(event) && counted(event));
        StepTime::of_moves(moves).taking((seconds > 0.0).then_some(seconds))
    }

    /// The events of a step, in their order: those of the ledger's that it shows, as the picture shows them.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let happens = |kind: Kind| self.here(kind).is_some();
        let sums = self.shares.ranks > 1;
        let last = self.layers.len();
        let mut events = Vec::new();
        if self.step.events.is_empty() {
            return events;
        }
        let mut add = |from: f64, to: f64, event: Event| events.push(during(from, to, event));
        match step {
            Step::Embed => {
                add(0.0, 0.2, Event::Lookup);
                if self.is_cut() {
                    add(0.2, 0.4, Event::Share);
                }
                add(0.4, 0.55, Event::Widen);
                if self.opened > 0 {
                    add(0.55, 1.0, Event::Pass { from: 0, to: self.opened });
                }
            }
            Step::Attention => {
                add(0.0, 0.25, Event::Mix);
                add(0.25, 0.55, Event::Project);
                if happens(Kind::ScoreSum) {
                    add(0.45, 0.65, Event::Scores);
                }
                add(0.6, 1.0, Event::Attend);
            }
            Step::Sum => {
                // The report keeps no account of it, but without it no GPU had the token.
                if self.is_cut() {
                    add(0.0, 1.0, Event::Sum);
                }
            }
            Step::Route => {
                add(0.0, 0.4, Event::Score);
                let picks = (0..self.shares.picks.len()).map(|nth| Event::Pick { nth }).collect();
                events.extend(in_turn(0.3, 1.0, picks));
            }
            Step::Experts => {
                let travels = happens(Kind::Dispatch) && sums;
                if travels {
                    add(0.0, 0.4, Event::Dispatch);
                }
                let from = if travels { 0.4 } else { 0.0 };
                for place in (0..super::stage::PLACES).filter(|place| self.shares.picked_at(*place) > 0) {
                    add(from, 1.0, Event::Compute { place });
                }
            }
            Step::Combine => {
                if happens(Kind::Combine) && sums || happens(Kind::RoutedSum) {
                    add(0.0, 0.7, Event::Combine);
                }
                add(0.7, 1.0, Event::Update);
            }
            Step::Layers => {
                if self.opened + 1 < last {
                    add(0.0, 1.0, Event::Pass { from: self.opened + 1, to: last });
                }
            }
            Step::Next => {
                add(0.0, 0.35, Event::Head);
                if self.step.event(Kind::Gather, None).is_some() {
                    add(0.35, 0.65, Event::Gather);
                }
                add(0.65, 1.0, Event::Sample);
            }
        }
        events
    }
}

/// The parts of the step's time that a ledger counts.
fn parts(Facts { report, .. }: &Facts, step: &DecodeStep, opened: usize) -> Vec<Share> {
    let share = |part: Part| {
        let own = |event: &Done| event.kind.part() == part;
        let step_s = step.taken_s(own);
        let sends =
            step.events.iter().filter(|event| own(event) && event.kind.sends() && event.layer.is_some());
        let [startup, link] =
            sends.fold([0.0; 2], |[a, b], event| [a + event.link_s[0], b + event.link_s[1]]);
        let word = part.bound_figure().and_then(|id| report.get(id)).map(|figure| &figure.value);
        let bound = match word {
            Some(crate::figure::Value::Word("compute")) => Some(Bound::Compute),
            Some(crate::figure::Value::Word(_)) => Some(Bound::Hbm),
            _ if report.ledger == Ledger::Report && link > 0.0 => Some(Bound::Hidden),
            _ if startup + link <= 0.0 || part == Part::Wait => None,
            _ if startup > link => Some(Bound::Startup),
            _ => Some(Bound::Link),
        };
        // The tutorial's parts have no figures of their own.
        let figure = part.figure().and_then(|id| Some((id, report.number(id)?)));
        let figure = figure.filter(|(_, known)| super::worked::same(*known, step_s[0]));
        let layer_s = step.taken_s(|event| own(event) && event.layer == Some(opened));
        let kept = step_s[1] > 0.0 || startup + link > 0.0;
        let id = match part {
            _ if report.ledger == Ledger::Tutorial => "critical_path.before_s",
            Part::HeadSum => "allreduce.sent.bytes_per_gpu",
            Part::ExpertSum if step.events.iter().any(|event| event.kind == Kind::RoutedSum) => {
                "allreduce.sent.bytes_per_gpu"
            }
            Part::Dispatch | Part::ExpertSum => "decode.layer.ep.bytes_per_gpu",
            Part::Wait => "decode.latency_s",
            part => part.figure().unwrap_or_default(),
        };
        let because = report.get(id).and_then(|figure| Some((figure.id, figure.value.number()?)));
        kept.then_some(Share { part, step_s, layer_s, bound, figure, because })
    };
    Part::ALL.into_iter().filter_map(share).collect()
}

/// Different routed experts that the batch makes a layer read.
fn distinct(Facts { report, settings, spec }: &Facts) -> f64 {
    let known = report.number("moe.distinct_experts");
    known.unwrap_or_else(|| crate::ledger::distinct_experts(spec, settings.draw, settings.batch))
}

fn vocabulary(settings: &Settings, spec: &ModelSpec) -> u64 {
    settings.vocab.unwrap_or(spec.vocab)
}
