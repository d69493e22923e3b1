//! Running the Node.js scripts of `e2e/` against the built page on a server of their own.

use std::path::Path;
use std::process::Command;

use crate::failure::Result;
use crate::setup::{self, Need, Tools};
use crate::site::Site;
use crate::{page, process, project, server};

/// Serves the built page and runs `node SCRIPT ARGUMENTS…` in `e2e/`. The script learns the page's address from
/// `BASE_URL`, the browser from `CHROME_PATH`, and the folder for its results from `OUTPUT`.
pub(crate) fn run(script: &str, arguments: &[String], output: &Path) -> Result<()> {
    let serving = server::start(Site::read(&project::dist())?, 0)?;
    let mut node = Command::new("node");
    node.current_dir(project::e2e()).arg(script).args(arguments);
    node.env("BASE_URL", serving.address()).env("CHROME_PATH", setup::chromium()?).env("OUTPUT", output);
    process::run(&mut node)
}

/// Sets up all that such a script needs; builds the page unless `build` says that it is there.
pub(crate) fn prepare(build: bool) -> Result<()> {
    let tools = Tools::new(setup::run(&[Need::Crates, Need::WasmStd, Need::PageTools, Need::Browser])?);
    if build { page::build(&tools) } else { Ok(()) }
}
