//! Building the release page.

use std::fs::{self, File};
use std::process::Command;
use std::time::Instant;

use crate::failure::{Result, While};
use crate::setup::Tools;
use crate::site::Site;
use crate::{cut, process, project};

/// The release page, built first if `fresh`, else as it is in `dist/`. Commands running side by side take
/// turns: they share that folder.
pub(crate) fn site(tools: &Tools, fresh: bool) -> Result<Site> {
    let path = project::output("page.lock");
    fs::create_dir_all(project::output("")).when(|| "target/ cannot be made".to_owned())?;
    let turn = File::create(&path).when(|| format!("{} cannot be made", path.display()))?;
    turn.lock().when(|| format!("{} cannot be locked", path.display()))?;
    if fresh {
        build(tools)?;
    }
    Site::read(&project::dist())
}

/// Builds the release page into `dist/`.
fn build(tools: &Tools) -> Result<()> {
    let begun = Instant::now();
    let mut trunk = tools.trunk()?;
    trunk.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags());
    trunk
        .args(["build", "--release", "--offline", "true", "--locked", "true", "--dist"])
        .arg(project::dist());
    process::run(&mut trunk)?;
    cut::cut(tools, &project::dist(), "web")?;
    println!("page     built into dist/ ({:.1} s)", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Compiler flags of the release page: it is cut, and no crate's message names a folder of the machine that built it.
fn flags() -> String {
    let renamed =
        project::crate_sources().into_iter().filter_map(|folder| folder.into_os_string().into_string().ok());
    // The variable is read as words: a folder with a space in its name keeps it.
    let renamed = renamed.filter(|folder| !folder.contains(char::is_whitespace));
    renamed
        .fold(cut::FLAGS.to_owned(), |flags, folder| format!("{flags} --remap-path-prefix={folder}=crates"))
}

/// A Trunk command that builds unoptimised on every change and serves the result on `port`.
pub(crate) fn watch(tools: &Tools, port: u16) -> Result<Command> {
    let mut trunk = tools.trunk()?;
    trunk.args(["serve", "--offline", "true", "--locked", "true", "--address", "127.0.0.1", "--port"]);
    // Its own folder: the release page stays as it is.
    trunk.arg(port.to_string()).arg("--dist").arg(project::output("dev-page"));
    Ok(trunk)
}
