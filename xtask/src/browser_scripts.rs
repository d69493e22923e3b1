//! Running the Node.js scripts of `e2e/` against the built page on a server of their own.

use std::path::Path;
use std::process::Command;

use crate::failure::Result;
use crate::setup::{self, Need, Tools};
use crate::site::Site;
use crate::{page, process, project, server};

/// A script of `e2e/` with all it needs set up.
pub(crate) fn run_prepared(script: &str, arguments: &[String], output: &Path, build: bool) -> Result<()> {
    let needs = [Need::Crates, Need::WasmStd, Need::PageTools, Need::Browser];
    let tools = Tools::new(setup::run(&needs)?);
    run(script, arguments, output, page::site(&tools, build)?)
}

/// Serves the page and runs `node SCRIPT ARGUMENTS…` in `e2e/`. The script learns the page's address from `BASE_URL`,
/// the browser from `CHROME_PATH`, and the place for its results from `OUTPUT`.
pub(crate) fn run(script: &str, arguments: &[String], output: &Path, site: Site) -> Result<()> {
    let serving = server::start(site, 0)?;
    let mut node = Command::new("node");
    node.current_dir(project::e2e()).arg(script).args(arguments);
    node.env("BASE_URL", serving.address()).env("CHROME_PATH", setup::chromium()?).env("OUTPUT", output);
    process::run(&mut node)
}
