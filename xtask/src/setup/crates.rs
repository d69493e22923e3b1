//! What cargo itself must have: its lint components, and the crates of `Cargo.lock` (fetched before Trunk runs
//! offline).

use std::process::Command;

use super::Found;
use crate::failure::{Failure, Result};
use crate::versions::WASM_TARGET;
use crate::{process, project};

/// Looks for `cargo fmt` and `cargo clippy`.
pub(super) fn lints() -> Result<Found> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let found = process::quietly(Command::new(project::cargo()).args([command, "--version"]));
        found.map_err(|_| {
            Failure::new(format!(
                "`cargo {command}` is not installed. Get it with: rustup component add {component}"
            ))
        })?;
    }
    Ok(Found::Already("cargo fmt and clippy".to_owned()))
}

/// Downloads the crates that are not in cargo's own cache yet.
pub(super) fn fetch() -> Result<Found> {
    let host = process::capture(Command::new("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or(WASM_TARGET).to_owned();
    let mut fetch = Command::new(project::cargo());
    fetch.current_dir(project::root());
    fetch.args(["fetch", "--quiet", "--locked", "--target", WASM_TARGET, "--target", &host]);
    process::quietly(&mut fetch).map_err(|failure| {
        Failure::new(format!(
            "{failure}\nThe crates come from the crates.io registry: it must be reachable the first time, and Cargo.lock \
             must fit the Cargo.toml files."
        ))
    })?;
    Ok(Found::Already("crates of Cargo.lock".to_owned()))
}
