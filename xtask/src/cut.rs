//! Cuts the built page in parts: what a first visit needs, and what is fetched later. Trunk binds the page as one module;
//! here the same build is cut where the application's source says so, bound again and optimised.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result, While};
use crate::setup::Tools;
use crate::{cache, process, project};

/// Compiler flags with which the cut can be made: the places to cut, and what the linker knows of who needs whom.
pub(crate) const FLAGS: &str = "--cfg=split -Clink-args=--emit-relocs";

/// The module that the cutter writes to load parts, and the part, as it names them.
const LINKS: &str = "./__wasm_split.js";
const PART: &str = "split_later";

/// What the page's code uses beyond the first version of WebAssembly.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Cuts the page in `dist` that was just built by cargo's `profile`, in place.
pub(crate) fn cut(tools: &Tools, dist: &Path, profile: &str) -> Result<()> {
    let (stem, bound) = built(dist)?;
    let wasm = project::output("wasm32-unknown-unknown").join(profile).join("app.wasm");
    let work = project::output("cut");
    cache::remove(&work)?;
    fs::create_dir_all(&work).when(|| format!("{} cannot be made", work.display()))?;
    process::quietly(tools.splitter().arg(&wasm).arg(&work).args(["--out-name", &stem]))?;
    let main = work.join(format!("{stem}.wasm"));
    let mut bind = tools.binder();
    // The parts share the table of functions, which only the linker has named.
    bind.args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", &stem, "--out-dir"]);
    process::quietly(bind.arg(&work).arg(&main))?;
    let (main_js, main_wasm) = (format!("{stem}.js"), format!("{stem}_bg.wasm"));
    let (links, part) = (format!("{stem}-parts.js"), format!("{stem}-later.wasm"));
    for (from, to) in [(main_wasm.as_str(), &bound), (&format!("{PART}.wasm"), &dist.join(&part))] {
        let mut optimise = tools.optimiser();
        process::quietly(optimise.args(FEATURES).arg("-O2").arg(work.join(from)).arg("-o").arg(to))?;
    }
    // Only the place the module is fetched from has another name; the import itself keeps the cutter's.
    let from_links = |path: &str| format!("from \"{path}\"");
    rename(
        &work.join(&main_js),
        &dist.join(&main_js),
        &from_links(LINKS),
        &from_links(&format!("./{links}")),
    )?;
    rename(&work.join(LINKS), &dist.join(&links), &format!("./{PART}.wasm"), &format!("./{part}"))?;
    // The browser learns of it with the page, not from the module that asks for it.
    let preload = |file: &str| format!("<link rel=\"modulepreload\" href=\"./{file}\">");
    let page = dist.join("index.html");
    rename(&page, &page, &preload(&main_js), &format!("{}{}", preload(&main_js), preload(&links)))?;
    rename(&page, &page, " data-wasm=", &format!(" data-later=\"./{part}\" data-wasm="))
}

/// The hashed name that Trunk gave the page's module, and the file.
fn built(dist: &Path) -> Result<(String, PathBuf)> {
    let files = fs::read_dir(dist).when(|| format!("{} cannot be read", dist.display()))?;
    for file in files.flatten() {
        if let Some(stem) = file.file_name().to_str().and_then(|name| name.strip_suffix("_bg.wasm")) {
            return Ok((stem.to_owned(), file.path()));
        }
    }
    Err(Failure::new(format!("{} holds no built page", dist.display())))
}

/// Writes a text with one name in it changed.
fn rename(from: &Path, to: &Path, old: &str, new: &str) -> Result<()> {
    let text = fs::read_to_string(from).when(|| format!("{} cannot be read", from.display()))?;
    if !text.contains(old) {
        return Err(Failure::new(format!("{} does not name {old}", from.display())));
    }
    fs::write(to, text.replace(old, new)).when(|| format!("{} cannot be written", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_there_is_told() {
        let folder = std::env::temp_dir().join(format!("xtask-cut-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (from, to) = (folder.join("a.js"), folder.join("b.js"));
        fs::write(&from, "import * as x from \"./a.js\"").unwrap();
        assert!(rename(&from, &to, "./c.js", "./d.js").is_err());
        rename(&from, &to, "./a.js", "./d.js").unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "import * as x from \"./d.js\"");
        assert!(built(&folder).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
