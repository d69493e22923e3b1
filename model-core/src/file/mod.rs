//! Files: a scenario with all its figures as JSON, and back. One door reads whatever a reader brings: such a file, or
//! the `config.json` of a model.

mod read;
mod refused;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Opened, read, read_bytes};
pub use refused::{Place, Reason, Refused};
pub use write::write;

/// What a file of ours says that it is.
const FORMAT: &str = "one-token-eight-gpus";
/// The version that is written; older ones are read.
pub const VERSION: u64 = 1;
/// Longest file that is read, in bytes.
pub const MAX_BYTES: usize = 5 << 20;

/// Keys of the file. What is derived is written for others and passed over in reading.
mod key {
    pub(super) const FORMAT: &str = "format";
    pub(super) const VERSION: &str = "version";
    pub(super) const LEDGER: &str = "ledger";
    pub(super) const UNITS: &str = "units";
    pub(super) const MODEL: &str = "model";
    pub(super) const SCENARIO: &str = "scenario";
    pub(super) const IN_FORCE: &str = "in_force";
    pub(super) const LINK: &str = "link";
    pub(super) const FIGURES: &str = "figures";
}
