//! Building the release page.

use std::process::Command;
use std::time::Instant;

use crate::failure::Result;
use crate::setup::Tools;
use crate::{process, project};

/// Builds the release page into `dist/`.
pub(crate) fn build(tools: &Tools) -> Result<()> {
    let begun = Instant::now();
    let mut trunk = tools.trunk()?;
    trunk
        .args(["build", "--release", "--offline", "true", "--locked", "true", "--dist"])
        .arg(project::dist());
    process::run(&mut trunk)?;
    println!("page     built into dist/ ({:.1} s)", begun.elapsed().as_secs_f64());
    Ok(())
}

/// A Trunk command that builds unoptimised on every change and serves the result on `port`.
pub(crate) fn watch(tools: &Tools, port: u16) -> Result<Command> {
    let mut trunk = tools.trunk()?;
    trunk.args(["serve", "--offline", "true", "--locked", "true", "--address", "127.0.0.1", "--port"]);
    // Its own folder: the release page stays as it is.
    trunk.arg(port.to_string()).arg("--dist").arg(project::output("dev-page"));
    Ok(trunk)
}
