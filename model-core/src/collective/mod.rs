//! Transfers between GPUs: what each collective moves, in which steps, and how long it takes.
//!
//! A duration is start-up plus transfer (α-β): every step waits α once, and the busiest GPU's bytes pass its link at
//! the one-way rate. Steps and bytes follow from the [`structure`], which can be run on real numbers.

pub mod cost;
pub mod expert_parallel;
pub mod forward;
pub mod structure;

pub use cost::{Algorithm, Cost, Link, all_gather, all_reduce};
pub use expert_parallel::{Leg, Traffic, TrafficShape};
pub use forward::{Collective, Load, Operation, Place, collectives};
pub use structure::{Node, Transfer, run, transfers};

/// Number format of values under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// Four bytes a value.
    Fp32,
    /// Two bytes a value.
    Bf16,
    /// One byte a value; scales are left out.
    Fp8,
}

impl Dtype {
    /// Bytes of one value.
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Fp32 => 4.0,
            Self::Bf16 => 2.0,
            Self::Fp8 => 1.0,
        }
    }

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "FP32",
            Self::Bf16 => "BF16",
            Self::Fp8 => "FP8",
        }
    }
}
