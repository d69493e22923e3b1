//! Set-up: what the other commands need and a fresh machine lacks. Each step first looks whether its thing is there,
//! so a second run only looks.

mod apt;
mod browser;
mod crates;
mod e2e;
mod node;
mod tools;
mod wasm_std;

use std::time::Instant;

pub(crate) use browser::{chromedriver, chromium};
pub(crate) use tools::Tools;

use crate::cache::Cache;
use crate::failure::{Failure, Result};

/// What a command needs to be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// `cargo fmt` and `cargo clippy`.
    Lints,
    /// The crates named in `Cargo.lock`.
    Crates,
    /// The standard library of the page's target.
    WasmStd,
    /// Node.js, Trunk, `wasm-bindgen` and `wasm-opt`.
    PageTools,
    /// Chromium, its driver and fonts, and the packages of the browser tests.
    Browser,
}

/// All needs, in the order they are set up.
pub(crate) const ALL: &[Need] = &[Need::Lints, Need::Crates, Need::WasmStd, Need::PageTools, Need::Browser];

/// What building the page needs.
pub(crate) const PAGE: &[Need] = &[Need::Crates, Need::WasmStd, Need::PageTools];

/// What a step found or did.
enum Found {
    /// Nothing had to be done; the text says what is there.
    Already(String),
    /// Something was installed; the text says what.
    Installed(String),
    /// Something is missing that the commands can do without; the text says what and how to get it.
    Without(String),
}

/// Sets up what `needs` names. Every step is tried, so that one run names all that is missing.
pub(crate) fn run(needs: &[Need]) -> Result<Cache> {
    let cache = Cache::open()?;
    let _alone = cache.lock()?;
    let mut missing = Vec::new();
    let mut step = |name: &str, work: &dyn Fn() -> Result<Found>| {
        let begun = Instant::now();
        let (found, seconds) = (work(), begun.elapsed().as_secs_f64());
        match found {
            Ok(Found::Already(what)) => println!("set-up   {what}: already there ({seconds:.1} s)"),
            Ok(Found::Installed(what)) => println!("set-up   {what}: installed ({seconds:.1} s)"),
            Ok(Found::Without(what)) => println!("set-up   note: {what}"),
            Err(failure) => {
                println!("set-up   {name}: MISSING ({seconds:.1} s)");
                missing.push(format!("{name}\n{}", indented(&failure.to_string())));
            }
        }
    };
    let needed = |need| needs.contains(&need);
    if needed(Need::Lints) {
        step("cargo fmt and clippy", &crates::lints);
    }
    if needed(Need::Crates) {
        step("crates of Cargo.lock", &crates::fetch);
    }
    if needed(Need::WasmStd) {
        step("standard library for wasm32", &wasm_std::ensure);
    }
    if needed(Need::PageTools) || needed(Need::Browser) {
        step("Node.js and npm", &node::check);
    }
    if needed(Need::PageTools) {
        for tool in tools::ALL {
            step(tool.name, &|| tool.ensure(&cache));
        }
    }
    if needed(Need::Browser) {
        step("Chromium", &browser::ensure);
        step("browser tests' packages", &e2e::ensure);
    }
    if missing.is_empty() {
        return Ok(cache);
    }
    Err(Failure::new(format!("set-up is not complete. Missing:\n\n{}", missing.join("\n\n"))))
}

/// The text with each line moved in.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
