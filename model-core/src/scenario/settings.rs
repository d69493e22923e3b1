//! A scenario with every default filled in: what the ledgers read.

use super::{Key, Scenario, Setting};
use crate::figure::Ledger;
use crate::units::Bytes;

/// Number format in which partial sums travel between GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommDtype {
    /// Four bytes a value.
    Fp32,
    /// Two bytes a value.
    Bf16,
}

impl CommDtype {
    /// Bytes of one value.
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Fp32 => 4.0,
            Self::Bf16 => 2.0,
        }
    }
}

/// Every value in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Tokens of context each request has so far.
    pub context: u64,
    /// Requests decoded together.
    pub batch: u64,
    /// GPUs a layer's tensors are cut over.
    pub tp: u32,
    /// Memory of one GPU.
    pub gpu_memory: Bytes,
    /// Number format in which partial sums travel.
    pub comm_dtype: CommDtype,
}

impl Settings {
    /// Fills in the ledger's defaults.
    #[must_use]
    pub fn new(scenario: &Scenario, ledger: Ledger) -> Self {
        let whole = |key| match scenario.in_force(key, ledger) {
            Setting::Whole(number) => number,
            _ => 1,
        };
        let real = |key| match scenario.in_force(key, ledger) {
            Setting::Real(number) => number,
            _ => 0.0,
        };
        let word = |key| match scenario.in_force(key, ledger) {
            Setting::Word(word) => word,
            _ => "",
        };
        Self {
            context: whole(Key::Context),
            batch: whole(Key::Batch),
            tp: whole(Key::Tp) as u32,
            gpu_memory: Bytes::from_gib(real(Key::GpuMemoryGib)),
            comm_dtype: if word(Key::CommDtype) == "bf16" { CommDtype::Bf16 } else { CommDtype::Fp32 },
        }
    }
}
