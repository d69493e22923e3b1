//! Why a row's time between tokens says nothing of one decode step: read off the row itself.

use super::facet::{Facet, PlanKind, UNSTATED};
use super::words as say;
use crate::measured::Row;
use crate::scenario::{Bound, Key};
use crate::scene::{Look, Text};

/// One reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclean {
    /// A kernel ran by itself.
    Kernel,
    /// A prompt was processed; nothing is said of decode.
    PromptOnly,
    /// A rate is given, not the time of a step.
    NoStepTime,
    /// A step yields several tokens.
    Speculation,
    /// Whether it does is not said.
    SpeculationUnstated,
    /// How attention was cut is not said.
    PlanUnstated,
    /// The same GPUs process prompts between steps.
    PrefillMixed,
    /// More requests were sent than an instance decodes at once.
    LoadUnknown,
}

impl Unclean {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Kernel,
        Self::PromptOnly,
        Self::NoStepTime,
        Self::Speculation,
        Self::SpeculationUnstated,
        Self::PlanUnstated,
        Self::PrefillMixed,
        Self::LoadUnknown,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Kernel => "kernel_only",
            Self::PromptOnly => "prompt_only",
            Self::NoStepTime => "no_step_time",
            Self::Speculation => "speculation",
            Self::SpeculationUnstated => "speculation_unstated",
            Self::PlanUnstated => "plan_unstated",
            Self::PrefillMixed => "prefill_mixed_in",
            Self::LoadUnknown => "load_unknown",
        }
    }

    const fn words(self) -> Text {
        match self {
            Self::Kernel => say::KERNEL_ONLY,
            Self::PromptOnly => say::PROMPT_ONLY,
            Self::NoStepTime => say::NO_STEP_TIME,
            Self::Speculation => say::SPECULATED,
            Self::SpeculationUnstated => say::SPECULATION_UNSTATED,
            Self::PlanUnstated => say::PLAN_UNSTATED,
            Self::PrefillMixed => say::PREFILL_MIXED,
            Self::LoadUnknown => say::LOAD_UNKNOWN,
        }
    }

    /// In a few words.
    #[must_use]
    pub const fn say(self, look: Look) -> &'static str {
        look.say(self.words())
    }

    /// Whether it holds of a row.
    #[must_use]
    pub fn holds(self, row: &'static Row) -> bool {
        let kernel = row.layer_time.is_some();
        let speculation = Facet::Speculation.of(row);
        let prompt_only = row.tpot.is_none() && row.ttft.is_some();
        match self {
            Self::Kernel => kernel,
            Self::PromptOnly => prompt_only,
            Self::NoStepTime => !kernel && !prompt_only && row.tpot.is_none(),
            Self::Speculation => ![UNSTATED, "none"].contains(&speculation),
            Self::SpeculationUnstated => !kernel && !prompt_only && speculation == UNSTATED,
            Self::PlanUnstated => {
                let kind = PlanKind::of(row);
                !kernel && matches!(kind, PlanKind::Ep | PlanKind::Unstated)
            }
            // Prompts arrive between steps where answers have an end and several requests are under way.
            Self::PrefillMixed => {
                let several = load(row).is_some_and(|load| load > 1.0);
                !kernel && several && !row.output_tokens.is_empty() && !split(row)
            }
            Self::LoadUnknown => {
                let Bound::Whole(_, most) = Key::Batch.bound() else { return false };
                load(row).is_some_and(|load| load > most as f64) && !kernel
            }
        }
    }

    /// Every reason that holds of a row; none for a clean decode row.
    #[must_use]
    pub fn of(row: &'static Row) -> Vec<Self> {
        Self::ALL.into_iter().filter(|reason| reason.holds(row)).collect()
    }
}

/// The words of a row's text.
pub(super) fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Whether prompts and answers had GPUs of their own, as `4P+4D` says.
fn split(row: &Row) -> bool {
    row.hardware.contains("P+")
}

/// How the instance that decodes was cut: what stands after the sum where prompts had an instance of their own.
pub(super) fn decoding_plan(row: &Row) -> &'static str {
    let plan = row.parallelism;
    if split(row) { plan.rsplit('+').next().unwrap_or(plan) } else { plan }
}

/// The load as a number, whatever it counts by.
fn load(row: &Row) -> Option<f64> {
    let digits = row.load.split('/').next().unwrap_or_default();
    digits.parse().ok()
}
