//! `cargo xtask serve`: the page on this machine.

use crate::failure::Result;
use crate::setup::{self, Tools};
use crate::{page, process, server};

/// The port that is tried first.
pub(crate) const PORT: u16 = 8080;

/// Builds the release page and serves it, or with `dev` serves what changes as it changes.
pub(crate) fn run(dev: bool, port: u16) -> Result<()> {
    let tools = Tools::new(setup::run(setup::PAGE)?);
    if dev {
        let port = server::free_port(port)?;
        println!("serve    {} (rebuilt on every change; Ctrl+C ends it)", server::address(port));
        return process::hand_over(&mut page::watch(&tools, port)?);
    }
    let serving = server::start(page::site(&tools, true)?, port)?;
    println!("serve    {} (Ctrl+C ends it)", serving.address());
    serving.forever();
    Ok(())
}
