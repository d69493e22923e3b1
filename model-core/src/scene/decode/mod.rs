//! Scene "decode": one token through all layers in their true order, from streams to logits, from logits to a token by
//! temperature and top-p on logits that the small model really computed; appended, and again. Then drafts: what a step
//! gains by their acceptance, and what verifying them costs.

mod exercise;
mod frame;
mod panels;
mod sampled;
#[cfg(test)]
mod tests;
mod words;
mod worked;

use super::Facts;
use super::parts::in_turn;
use super::timeline::{StepTime, Timed, staggered};
use super::worked::same;
use crate::figure::Ledger;
use crate::ledger::pace::{Basis, Drafted, Pace, drafted, gained};
use crate::scene::captioned::Captioned;
use crate::scene::per_look::PerLook;
use crate::spec::{AttentionKind, Routing};
pub use sampled::{Drawn, Sampled};

steps! {
    /// All layers in their order.
    Layers "layers",
    /// The streams become one, the head gives logits.
    Head "head",
    /// Temperature, top-p, and the draw.
    Sample "sample",
    /// The token is appended, and again.
    Append "append",
    /// Drafts, and what they are worth.
    Draft "draft",
    /// First token and further ones.
    Times "times",
}

/// The deepest draft on the curve.
pub const MOST_DEPTH: u64 = 8;
/// Tokens of the answer whose time is told: the scene's own assumption.
pub const ANSWER_TOKENS: u64 = 256;
/// Chunks of the prompt that are timed one by one; of more, as many are sampled.
const MOST_CHUNKS: u64 = 64;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The token passes a layer.
    Pass {
        /// Which, from 0.
        layer: usize,
        /// How it attends.
        kind: AttentionKind,
        /// Whether a table by token id chooses its experts.
        hash: bool,
    },
    /// The streams become one.
    Collapse,
    /// The head gives logits.
    Logits,
    /// Temperature and top-p leave so many tokens.
    Keep {
        /// How many.
        candidates: usize,
    },
    /// One of them is drawn.
    Draw {
        /// Its id.
        token: u32,
    },
    /// A token is appended.
    Append {
        /// Which of the answer's, from 0.
        index: usize,
        /// Its id.
        token: u32,
    },
    /// Gain and cost over all depths.
    Curve,
    /// The scenario's depth on them.
    Here {
        /// Tokens drafted.
        depth: u64,
    },
    /// The time to the first token.
    First,
    /// Further tokens, one a step.
    Further,
    /// The same with drafts.
    Faster,
}

/// A depth of drafting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Tokens drafted.
    pub depth: u64,
    /// Tokens gained a step, in expectation.
    pub gained: f64,
    /// The step; not a number where the model cannot be cut as the plan says.
    pub step: Drafted,
}

impl Depth {
    /// Seconds for each token.
    #[must_use]
    pub fn tpot_s(&self) -> f64 {
        self.step.total().get() / self.gained
    }
}

/// Everything the scene shows.
#[derive(Debug)]
pub struct Decoding {
    /// How each main layer attends, and whether a table chooses its experts.
    pub layers: Vec<(AttentionKind, bool)>,
    /// Residual streams, width of each, entries of the vocabulary.
    pub shapes: [u64; 3],
    /// Tokens of a CSA and of an HCA entry, where the model has such layers.
    pub ratios: [u64; 2],
    /// The small model's logits and what was drawn; none where the engine refuses, which it never should.
    pub sampled: Option<Sampled>,
    /// Temperature and top-p.
    pub rule: [f64; 2],
    /// Requests at once.
    pub batch: u64,
    /// Chance that a draft holds.
    pub acceptance: f64,
    /// No draft up to the deepest.
    pub depths: Vec<Depth>,
    /// The scenario's own.
    pub here: Depth,
    /// The prompt, in tokens and in seconds.
    pub prefill: (u64, f64),
    /// What the times rest on, and whether the ledger in use times nothing itself.
    pub ground: Option<(Basis, bool)>,
    /// What the report says of the same things.
    figures: Vec<(&'static str, f64)>,
    stills: PerLook<Captioned>,
}

/// Figures that values of the scene may be.
const FIGURES: [&str; 5] = ["decode.step_s", "decode.step_low_s", "ttft_s", "ttft_low_s", "decode.mtp_s"];

impl Decoding {
    /// Derives the scene from a ledger's report.
    #[must_use]
    pub fn new(Facts { report, settings, spec }: Facts) -> Self {
        let spec = &*settings.model_in_force(spec);
        let pace = Pace::new(report.ledger, settings, spec);
        let nothing = Drafted { verify: crate::units::Seconds(f64::NAN), draft: crate::units::Seconds::ZERO };
        let depth = |depth: u64| Depth {
            depth,
            gained: gained(depth, settings.acceptance),
            step: drafted(report.ledger, settings, spec, depth).unwrap_or(nothing),
        };
        let depths: Vec<_> = (0..=MOST_DEPTH).map(depth).collect();
        let own = depths.get(settings.draft_depth as usize).copied();
        let prefill_s =
            pace.as_ref().map_or(f64::NAN, |pace| prefill_s(pace, settings.context, settings.chunk));
        Self {
            layers: spec
                .main_layers()
                .iter()
                .map(|layer| (layer.attention, layer.routing == Routing::Hash))
                .collect(),
            shapes: [spec.streams, spec.hidden, spec.vocab],
            ratios: [spec.csa_ratio, spec.hca_ratio],
            sampled: Sampled::run(settings.seed, settings.temperature, settings.top_p),
            rule: [settings.temperature, settings.top_p],
            batch: settings.batch,
            acceptance: settings.acceptance,
            here: own.unwrap_or_else(|| depth(settings.draft_depth)),
            depths,
            prefill: (settings.context, prefill_s),
            ground: pace.map(|pace| (pace.basis, report.ledger == Ledger::Tutorial)),
            figures: FIGURES.into_iter().filter_map(|id| Some((id, report.number(id)?))).collect(),
            stills: PerLook::new(),
        }
    }

    /// The figure that says a value, where the report has one.
    fn figure(&self, value: f64) -> Option<(&'static str, f64)> {
        self.figures.iter().copied().find(|(_, number)| *number > 0.0 && same(*number, value))
    }

    /// A step without drafts, in seconds.
    #[must_use]
    pub fn plain_s(&self) -> f64 {
        self.depths.first().map_or(f64::NAN, |plain| plain.step.total().get())
    }

    /// The depth with the least time for a token.
    #[must_use]
    pub fn best(&self) -> u64 {
        let best = self.depths.iter().min_by(|a, b| a.tpot_s().total_cmp(&b.tpot_s()));
        best.map_or(0, |best| best.depth)
    }

    /// How many times as fast as without drafts.
    #[must_use]
    pub fn speed_up(&self, depth: &Depth) -> f64 {
        self.plain_s() / depth.tpot_s()
    }

    /// From the prompt to the first token on an idle engine, in seconds.
    #[must_use]
    pub fn ttft_s(&self) -> f64 {
        self.prefill.1 + self.plain_s()
    }

    /// How long a step plays, and what it stands for.
    pub(super) fn duration(&self, step: Step) -> StepTime {
        let moves = match step {
            // Layers pass at a third of the length of a move of their own.
            Step::Layers => self.layers.len() / 3,
            _ => self.events(step).len(),
        };
        StepTime::of_moves(moves).taking((step == Step::Layers).then(|| self.plain_s()))
    }

    /// The events of a step, in their order.
    #[must_use]
    pub fn events(&self, step: Step) -> Vec<Timed<Event>> {
        let drawn = self.sampled.iter().flat_map(|sampled| &sampled.drawn);
        match step {
            Step::Layers => {
                let pass = |(layer, (kind, hash)): (usize, &(AttentionKind, bool))| Event::Pass {
                    layer,
                    kind: *kind,
                    hash: *hash,
                };
                in_turn(0.0, 1.0, self.layers.iter().enumerate().map(pass).collect())
            }
            Step::Head => staggered(vec![Event::Collapse, Event::Logits]),
            Step::Sample => {
                let first = drawn.take(1);
                let both = |drawn: &Drawn| {
                    [Event::Keep { candidates: drawn.candidates }, Event::Draw { token: drawn.token }]
                };
                staggered(first.flat_map(both).collect())
            }
            Step::Append => {
                let append = |(index, drawn): (usize, &Drawn)| Event::Append { index, token: drawn.token };
                staggered(drawn.enumerate().map(append).collect())
            }
            Step::Draft => staggered(vec![Event::Curve, Event::Here { depth: self.here.depth }]),
            Step::Times => staggered(vec![Event::First, Event::Further, Event::Faster]),
        }
    }
}

/// The chunks of a prompt one after the other.
fn prefill_s(pace: &Pace, context: u64, chunk: u64) -> f64 {
    let chunk = chunk.clamp(1, context.max(1));
    let count = context.div_ceil(chunk).max(1);
    let shown = count.min(MOST_CHUNKS);
    let timed = |index: u64| {
        let prefix = index * count / shown * chunk;
        pace.chunk_s(prefix, chunk.min(context.saturating_sub(prefix)).max(1))
    };
    (0..shown).map(timed).sum::<f64>() * count as f64 / shown as f64
}
