//! Where things are in the working copy.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace's `Cargo.toml`. Cargo names this crate's folder at run time; a binary started by
/// hand falls back on where it was built.
pub(crate) fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map_or_else(|| xtask.clone(), Path::to_path_buf)
}

/// The built release page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The browser tests.
pub(crate) fn e2e() -> PathBuf {
    root().join("e2e")
}

/// Where results that nobody commits are written: `target/NAME`.
pub(crate) fn output(name: &str) -> PathBuf {
    root().join("target").join(name)
}

/// The folders in which cargo keeps the unpacked sources of crates, one for each registry, in the order of their names.
pub(crate) fn crate_sources() -> Vec<PathBuf> {
    let own = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = own.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let folders = home.and_then(|home| fs::read_dir(home.join("registry").join("src")).ok());
    let mut folders: Vec<_> = folders.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

/// The cargo that started this command, so that a `+toolchain` choice carries over.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
