//! The one error type of the commands: a message for the person at the terminal.

use std::fmt;

/// Why a command could not do its work, in words that say what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// A failure with this message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What every step of a command returns.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Puts into words what was being done when an error came up.
pub(crate) trait While<T> {
    /// Turns the error into a [`Failure`] that begins with `doing`.
    fn when(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: fmt::Display> While<T> for std::result::Result<T, E> {
    fn when(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::new(format!("{}: {error}", doing())))
    }
}
