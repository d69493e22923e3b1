//! Node.js: `wasm-opt`, the wasm tests and the browser tests run on it. It is asked for, not installed.

use std::process::Command;

use super::Found;
use crate::failure::{Failure, Result};
use crate::process;
use crate::versions::NODE_MAJOR;

/// Looks for Node.js and npm.
pub(super) fn check() -> Result<Found> {
    let said = process::capture(Command::new("node").arg("--version"))
        .map_err(|_| advice("Node.js is not on PATH"))?;
    let version = said.trim();
    if major(version).is_none_or(|found| found < NODE_MAJOR) {
        return Err(advice(&format!("Node.js {version} is too old")));
    }
    process::quietly(Command::new("npm").arg("--version")).map_err(|_| advice("npm is not on PATH"))?;
    Ok(Found::Already(format!("Node.js {version} and npm")))
}

/// The first number of `v20.1.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn advice(problem: &str) -> Failure {
    Failure::new(format!(
        "{problem}. Install Node.js {NODE_MAJOR} or newer together with npm (from the system's packages or the Node.js \
         project) and run the command again."
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_major_version_is_read() {
        assert_eq!(super::major("v20.11.1"), Some(20));
        assert_eq!(super::major("20"), None);
        assert_eq!(super::major("vX"), None);
    }
}
