//! The page's build tools: Trunk and `wasm-bindgen` from crates.io, `wasm-opt` from npm, each in its own folder of the
//! cache. Trunk finds the other two on `PATH` and downloads nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Found;
use crate::cache::{self, Cache};
use crate::failure::{Failure, Result};
use crate::versions::{BINARYEN, TRUNK, WASM_BINDGEN, WASM_SPLIT};
use crate::{process, project};

/// A tool that set-up installs into the cache.
pub(super) struct Tool {
    /// The package's name, which is also the first half of the folder's name.
    pub(super) name: &'static str,
    version: &'static str,
    /// The folder of its programs, within the tool's folder.
    bin: &'static str,
    /// The program that is asked what it is.
    program: &'static str,
    /// How it is asked.
    question: &'static str,
    /// What the answer must hold.
    answer: &'static str,
    from: Source,
}

/// Where a tool comes from.
enum Source {
    /// `cargo install`, with these further arguments and this optimisation level.
    Crate { arguments: &'static [&'static str], opt_level: &'static str },
    /// `npm install`.
    Npm,
}

const TRUNK_TOOL: Tool = Tool {
    name: "trunk",
    version: TRUNK,
    bin: "bin",
    program: "trunk",
    question: "--version",
    answer: TRUNK,
    // Without its TLS and update check: it is only ever run offline. It spends its time waiting for cargo.
    from: Source::Crate { arguments: &["--no-default-features"], opt_level: "0" },
};

const WASM_BINDGEN_TOOL: Tool = Tool {
    name: "wasm-bindgen-cli",
    version: WASM_BINDGEN,
    bin: "bin",
    program: "wasm-bindgen",
    question: "--version",
    answer: WASM_BINDGEN,
    from: Source::Crate { arguments: &[], opt_level: "1" },
};

const BINARYEN_TOOL: Tool = Tool {
    name: "binaryen",
    version: BINARYEN,
    bin: "node_modules/.bin",
    program: "wasm-opt",
    question: "--version",
    // `wasm-opt` names itself by the package's first number.
    answer: "version 132",
    from: Source::Npm,
};

const WASM_SPLIT_TOOL: Tool = Tool {
    name: "wasm_split_cli_support",
    version: WASM_SPLIT,
    bin: "bin",
    program: "wasm-split-cli",
    // It does not tell its version.
    question: "--help",
    answer: "wasm-split-cli",
    from: Source::Crate { arguments: &["--features", "build-binary"], opt_level: "1" },
};

/// All tools, in the order they are set up.
pub(super) const ALL: &[Tool] = &[BINARYEN_TOOL, WASM_BINDGEN_TOOL, WASM_SPLIT_TOOL, TRUNK_TOOL];

impl Tool {
    /// Installs the tool unless it is there and runs.
    pub(super) fn ensure(&self, cache: &Cache) -> Result<Found> {
        let what = format!("{} {}", self.name, self.version);
        if self.works(&cache.tool(self.name, self.version)) {
            return Ok(Found::Already(what));
        }
        println!("set-up   {what}: installing into {}", cache.folder().display());
        cache.install(
            self.name,
            self.version,
            |folder| self.install(cache, folder),
            |folder| self.works(folder),
        )?;
        Ok(Found::Installed(what))
    }

    fn works(&self, folder: &Path) -> bool {
        let program = folder.join(self.bin).join(self.program);
        program.is_file()
            && process::capture(Command::new(program).arg(self.question))
                .is_ok_and(|said| said.contains(self.answer))
    }

    fn install(&self, cache: &Cache, folder: &Path) -> Result<()> {
        match self.from {
            Source::Crate { arguments, opt_level } => {
                // Kept when interrupted, so that the next try goes on where this one ended.
                let build = cache.folder().join(format!(".build-{}-{}", self.name, self.version));
                let mut install = Command::new(project::cargo());
                install.current_dir(cache.folder());
                install.args(["install", self.name, "--version", self.version, "--locked", "--root"]);
                install.arg(folder).args(arguments);
                // The tools' own profiles are made for distribution: link-time optimisation alone takes ten minutes.
                install.env("CARGO_PROFILE_RELEASE_LTO", "off");
                install.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
                install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level);
                install.env("CARGO_TARGET_DIR", &build);
                for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
                    install.env_remove(name);
                }
                process::run(&mut install).map_err(|failure| self.advice(&failure, "crates.io"))?;
                cache::remove(&build)
            }
            Source::Npm => {
                let mut install = Command::new("npm");
                install.current_dir(folder).args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
                install.arg("--prefix").arg(folder).arg(format!("{}@{}", self.name, self.version));
                process::quietly(&mut install).map_err(|failure| self.advice(&failure, "npm"))
            }
        }
    }

    fn advice(&self, failure: &Failure, registry: &str) -> Failure {
        Failure::new(format!(
            "{failure}\n{} {} comes from the {registry} registry, which must be reachable the first time. If it is, run \
             the command again: it goes on from here.",
            self.name, self.version
        ))
    }
}

/// The installed tools, for building and testing.
pub(crate) struct Tools(Cache);

impl Tools {
    /// The tools in this cache; set-up has made sure of them.
    pub(crate) fn new(cache: Cache) -> Self {
        Self(cache)
    }

    /// The folders of all tools' programs.
    fn folders(&self) -> Vec<PathBuf> {
        ALL.iter().map(|tool| self.0.tool(tool.name, tool.version).join(tool.bin)).collect()
    }

    /// A Trunk command in the workspace that finds the pinned tools first and reaches for no network.
    pub(crate) fn trunk(&self) -> Result<Command> {
        let mut trunk = Command::new(self.0.tool(TRUNK_TOOL.name, TRUNK_TOOL.version).join("bin/trunk"));
        trunk.current_dir(project::root());
        trunk.env("PATH", process::path_with(&self.folders())?);
        trunk.env("TRUNK_SKIP_VERSION_CHECK", "true");
        // Its error messages say enough without its own stack.
        trunk.env("RUST_LIB_BACKTRACE", "0");
        // Trunk reads NO_COLOR as a switch that must be `true` or `false`, where others take any value.
        if std::env::var_os("NO_COLOR").is_some() {
            trunk.env("NO_COLOR", "true");
        }
        Ok(trunk)
    }

    /// A command of the cutter.
    pub(crate) fn splitter(&self) -> Command {
        self.program(&WASM_SPLIT_TOOL)
    }

    /// A command of `wasm-bindgen`.
    pub(crate) fn binder(&self) -> Command {
        self.program(&WASM_BINDGEN_TOOL)
    }

    /// A command of `wasm-opt`.
    pub(crate) fn optimiser(&self) -> Command {
        self.program(&BINARYEN_TOOL)
    }

    fn program(&self, tool: &Tool) -> Command {
        Command::new(self.0.tool(tool.name, tool.version).join(tool.bin).join(tool.program))
    }

    /// The program that runs wasm tests for cargo.
    pub(crate) fn test_runner(&self) -> PathBuf {
        self.0.tool(WASM_BINDGEN_TOOL.name, WASM_BINDGEN_TOOL.version).join("bin/wasm-bindgen-test-runner")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasm_opt_is_asked_for_the_pinned_version() {
        let major = BINARYEN.split('.').next().unwrap();
        assert_eq!(BINARYEN_TOOL.answer, format!("version {major}"));
    }

    #[test]
    fn an_empty_folder_is_no_tool() {
        let folder = std::env::temp_dir().join(format!("xtask-no-tool-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        assert!(ALL.iter().all(|tool| !tool.works(&folder)));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
