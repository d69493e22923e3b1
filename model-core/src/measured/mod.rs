//! Published measurements, what they say about latency, and predictions that rest on them.
//!
//! [`ROWS`] holds every collected row. The clean decode rows ([`clean_decode_rows`]) have no speculation and no prefill
//! mixed in; over the floor that bytes and FLOPs set, each implies a latency per layer ([`implied`]). That latency
//! differs from system to system by a factor of four, so a prediction is a number only where the reader gives one
//! measured point of the same system ([`Calibration`]), and a range otherwise. How well that works is counted by
//! [`trials`].

pub mod accuracy;
pub mod calibration;
pub mod capacity;
pub mod latency;
pub mod rows;
pub mod sources;

pub use accuracy::{Trial, median_and_largest, trials};
pub use calibration::{Calibration, CalibrationError, Prediction, calibrate, predict};
pub use capacity::{ENGINE_CONSTANTS, EngineConstants, Fit, tokens_that_fit};
pub use latency::{Implied, SystemLatency, growth, implied, known_range, known_systems, latency_table};
pub use rows::ROWS;
pub use sources::{Origin, origin};

use crate::scenario::{Key, Layout as Cut, Setting};
use crate::units::Seconds;

/// One row as collected. Texts are those of the collection; an empty one means that nothing was stated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its name: `M` for serving, `K` for a kernel by itself.
    pub id: &'static str,
    /// Which release of the model.
    pub model: &'static str,
    /// GPUs and how many.
    pub hardware: &'static str,
    /// Serving software and its version.
    pub engine: &'static str,
    /// How the model was cut.
    pub parallelism: &'static str,
    /// Speculative decoding.
    pub speculation: &'static str,
    /// Prompt tokens of a request.
    pub input_tokens: &'static str,
    /// Answer tokens of a request.
    pub output_tokens: &'static str,
    /// Requests at a time, or tokens of a GPU.
    pub load: &'static str,
    /// Tokens of context, where stated apart from the prompt.
    pub context: &'static str,
    /// Time to the first token.
    pub ttft: Option<Seconds>,
    /// Time between tokens.
    pub tpot: Option<Seconds>,
    /// Time of one layer's kernel.
    pub layer_time: Option<Seconds>,
    /// Prompt and answer tokens per second and GPU.
    pub total_rate: Option<f64>,
    /// Answer tokens per second and GPU.
    pub output_rate: Option<f64>,
    /// Remarks.
    pub notes: &'static str,
    /// Key of where it was published; see [`origin`].
    pub source: &'static str,
    /// What was decoded, for clean decode rows.
    pub decode: Option<DecodePoint>,
}

/// A decode step that was measured by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodePoint {
    /// The GPU's name among the presets.
    pub gpu: &'static str,
    /// How the model was cut.
    pub layout: Layout,
    /// Requests that one instance decodes together.
    pub batch: u64,
    /// Tokens of context, on average over the answer where prompt and answer lengths are stated.
    pub context: u64,
}

/// How one instance was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Every tensor over that many GPUs.
    Tp(u32),
    /// Attention over that many GPUs, experts whole on the same.
    TpEp(u32),
    /// Stages of that many layers' worth one after the other, each over that many GPUs.
    PpTp(u32, u32),
    /// Requests over that many GPUs for attention, experts over the same.
    DpEp(u32),
}

impl Layout {
    /// GPUs over which attention is cut.
    #[must_use]
    pub const fn attention_cut(self) -> u32 {
        match self {
            Self::Tp(gpus) | Self::TpEp(gpus) | Self::PpTp(_, gpus) => gpus,
            Self::DpEp(_) => 1,
        }
    }

    /// GPUs over which the experts of one layer lie.
    #[must_use]
    pub const fn expert_cut(self) -> u32 {
        match self {
            Self::Tp(gpus) | Self::TpEp(gpus) | Self::PpTp(_, gpus) | Self::DpEp(gpus) => gpus,
        }
    }

    /// Stages that the layers are split into.
    #[must_use]
    pub const fn stages(self) -> u32 {
        if let Self::PpTp(stages, _) = self { stages } else { 1 }
    }

    /// GPUs of one instance.
    #[must_use]
    pub const fn gpus(self) -> u32 {
        self.stages() * self.expert_cut()
    }

    /// Whether GPUs divide the requests among them for attention.
    #[must_use]
    pub const fn divides_requests(self) -> bool {
        matches!(self, Self::DpEp(_))
    }
}

impl core::fmt::Display for Layout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Tp(gpus) => write!(f, "TP{gpus}"),
            Self::TpEp(gpus) => write!(f, "TP{gpus}+EP"),
            Self::PpTp(stages, gpus) => write!(f, "PP{stages}-TP{gpus}"),
            Self::DpEp(gpus) => write!(f, "DP{gpus}+EP{gpus}"),
        }
    }
}

impl DecodePoint {
    /// Requests whose attention one GPU computes.
    #[must_use]
    pub fn requests_per_gpu(&self) -> f64 {
        let share = if self.layout.divides_requests() { self.layout.expert_cut() } else { 1 };
        self.batch as f64 / f64::from(share)
    }

    /// The scenario it was measured in, choice by choice.
    #[must_use]
    pub fn choices(&self) -> [(Key, Setting); 8] {
        let layout = if self.layout.divides_requests() { Cut::DpAttentionEp } else { Cut::Tp };
        let whole = |number: u32| Setting::Whole(u64::from(number));
        [
            (Key::Gpu, Setting::Word(self.gpu)),
            (Key::Gpus, whole(self.layout.gpus())),
            (Key::Tp, whole(self.layout.attention_cut())),
            (Key::Ep, whole(self.layout.expert_cut())),
            (Key::Pp, whole(self.layout.stages())),
            (Key::Layout, Setting::Word(layout.word())),
            (Key::Context, Setting::Whole(self.context)),
            (Key::Batch, Setting::Whole(self.batch)),
        ]
    }
}

/// The row of that name.
#[must_use]
pub fn row(id: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.id == id)
}

/// Rows fit for a decode model: no speculation, decode apart from prefill, load and layout stated.
pub fn clean_decode_rows() -> impl Iterator<Item = (&'static Row, DecodePoint, Seconds)> {
    ROWS.iter().filter_map(|row| Some((row, row.decode?, row.tpot?)))
}
