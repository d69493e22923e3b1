//! The standard library for wasm32, from the first of these that works: it is there; rustup; a packed copy; Debian's
//! source package, built here.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Found, apt};
use crate::failure::{Failure, Result, While};
use crate::versions::{RUST_SRC_SUITES, WASM_TARGET};
use crate::{cache, process, project};

/// How long rustup may stand still before it is taken to have no network.
const RUSTUP_PATIENCE: Duration = Duration::from_secs(20);

/// A program that uses the standard library, and can only be linked with a library that carries bitcode.
const PROBE: &str = "\
//! Compiled to see whether the standard library fits the compiler.
use std::collections::BTreeMap;
#[unsafe(no_mangle)]
pub extern \"C\" fn probe(n: u32) -> u32 {
    let words: BTreeMap<u32, String> = (0..n).map(|i| (i, format!(\"{i}\"))).collect();
    words.values().map(|word| word.len() as u32).sum()
}
";

/// The compiler in use.
struct Compiler {
    release: String,
    commit: String,
    sysroot: PathBuf,
}

impl Compiler {
    fn ask() -> Result<Self> {
        let told = process::capture(Command::new("rustc").arg("-vV"))?;
        let line = |key: &str| {
            told.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("unknown").trim().to_owned()
        };
        let sysroot = process::capture(Command::new("rustc").args(["--print", "sysroot"]))?;
        Ok(Self {
            release: line("release:"),
            commit: line("commit-hash:"),
            sysroot: PathBuf::from(sysroot.trim()),
        })
    }

    fn rustlib(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib")
    }

    /// The toolchain's name, if rustup manages this compiler.
    fn toolchain(&self) -> Option<&OsStr> {
        let managed = self.sysroot.parent()?.file_name()? == "toolchains";
        let known = self.rustlib().join("multirust-config.toml").exists();
        if managed && known { self.sysroot.file_name() } else { None }
    }

    /// Compiles the probe; the compiler itself refuses a library of another version or commit.
    fn probe(&self) -> Result<()> {
        let libraries = self.rustlib().join(WASM_TARGET).join("lib");
        let has_core = fs::read_dir(&libraries).is_ok_and(|mut files| {
            files
                .any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libcore-")))
        });
        if !has_core {
            return Err(Failure::new(format!("{} holds no standard library", libraries.display())));
        }
        let folder = scratch("probe")?;
        fs::write(folder.join("probe.rs"), PROBE).when(|| folder.display().to_string())?;
        let mut rustc = Command::new("rustc");
        rustc.current_dir(&folder).args(["--edition=2024", "--crate-type=cdylib", "--target", WASM_TARGET]);
        rustc.args(["-Clto=fat", "-Cpanic=abort", "-Copt-level=1", "probe.rs", "-o", "probe.wasm"]);
        process::quietly(&mut rustc)
    }
}

/// A way to get the library, with its name.
type Way = (&'static str, fn(&Compiler) -> Result<()>);

/// Makes sure of the library.
pub(super) fn ensure() -> Result<Found> {
    let compiler = Compiler::ask()?;
    let what = format!("standard library for wasm32 (rustc {})", compiler.release);
    if compiler.probe().is_ok() {
        return Ok(Found::Already(what));
    }
    let ways: [Way; 3] =
        [("rustup", from_rustup), ("a packed copy", from_archive), ("Debian's source package", from_source)];
    let mut tried = Vec::new();
    for (way, get) in ways {
        println!("set-up   standard library for wasm32: trying {way}");
        match get(&compiler).and_then(|()| compiler.probe()) {
            Ok(()) => {
                // What was compiled against another copy of the library no longer fits, and cargo does not notice.
                cache::remove(&project::output(WASM_TARGET))?;
                cache::remove(&project::output("set-up"))?;
                return Ok(Found::Installed(format!("{what} from {way}")));
            }
            Err(failure) => {
                println!("set-up   standard library for wasm32: {way} did not do it");
                tried.push(format!("- {way}: {failure}"));
            }
        }
    }
    Err(Failure::new(format!(
        "rustc {} ({}) has no standard library for {WASM_TARGET}. Tried:\n{}\nGet it with `rustup target add \
         {WASM_TARGET}` where rustup's server can be reached, or name an archive made for exactly this compiler in \
         WASM_STD_ARCHIVE.",
        compiler.release,
        compiler.commit,
        tried.join("\n")
    )))
}

fn from_rustup(compiler: &Compiler) -> Result<()> {
    let toolchain =
        compiler.toolchain().ok_or_else(|| Failure::new("rustup does not manage this compiler"))?;
    let rustup = process::on_path("rustup").ok_or_else(|| Failure::new("rustup is not on PATH"))?;
    let home = compiler.sysroot.ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default();
    let mut add = Command::new(rustup);
    add.args(["target", "add", "--toolchain"]).arg(toolchain).arg(WASM_TARGET);
    add.env("RUST_LIB_BACKTRACE", "0");
    let rustlib = compiler.rustlib();
    process::run_while_moving(&mut add, RUSTUP_PATIENCE, || {
        size(&home.join("downloads")) + size(&home.join("tmp")) + size(&rustlib.join(WASM_TARGET))
    })
}

fn from_archive(compiler: &Compiler) -> Result<()> {
    let name = format!("{WASM_TARGET}-std-{}.tar.xz", compiler.release);
    let named = std::env::var_os("WASM_STD_ARCHIVE").filter(|path| !path.is_empty()).map(PathBuf::from);
    let archive = match named {
        Some(named) if named.is_file() => named,
        Some(named) => {
            return Err(Failure::new(format!(
                "WASM_STD_ARCHIVE names {}, which is no file",
                named.display()
            )));
        }
        None => project::root().join("../shared/toolchain").join(&name),
    };
    if !archive.is_file() {
        return Err(Failure::new(format!(
            "WASM_STD_ARCHIVE is not set, and there is no ../shared/toolchain/{name}"
        )));
    }
    if !archive.file_name().is_some_and(|file| file.to_string_lossy().contains(&compiler.release)) {
        return Err(Failure::new(format!(
            "{} is, by its name, not for rustc {}",
            archive.display(),
            compiler.release
        )));
    }
    let staging = staging(compiler)?;
    let unpacked = process::quietly(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&staging));
    let placed = unpacked.and_then(|()| place(compiler, &staging.join(WASM_TARGET)));
    cache::remove(&staging)?;
    placed
}

fn from_source(compiler: &Compiler) -> Result<()> {
    let library = compiler.rustlib().join("src/rust/library");
    if library.join("Cargo.toml").is_file() {
        return build(compiler);
    }
    if process::on_path("apt-get").is_none() || process::on_path("dpkg-deb").is_none() {
        return Err(Failure::new(
            "this is no Debian system, and the compiler's source (rust-src) is not installed",
        ));
    }
    let mut tried = Vec::new();
    for suite in RUST_SRC_SUITES {
        match source_package(compiler, suite) {
            Ok(source) => {
                let parent = library.parent().unwrap_or(&library);
                fs::create_dir_all(parent).when(|| format!("{} cannot be made", parent.display()))?;
                process::quietly(Command::new("cp").arg("-a").arg(&source).arg(&library))?;
                let built = build(compiler);
                // rustup would stumble over a source folder that it did not put there.
                cache::remove(&library)?;
                for folder in library.ancestors().skip(1).take(2) {
                    // Stays if something else is in it.
                    let _ = fs::remove_dir(folder);
                }
                return built;
            }
            Err(failure) => tried.push(format!("{suite}: {failure}")),
        }
    }
    Err(Failure::new(tried.join("; ")))
}

/// The `library` folder of the `rust-src` package that equals the compiler.
fn source_package(compiler: &Compiler, suite: &str) -> Result<PathBuf> {
    let packages = apt::Suite::open(suite, &scratch(&format!("apt-{suite}"))?)?;
    let version = packages
        .version("rust-src", &format!("{}+dfsg", compiler.release))?
        .ok_or_else(|| Failure::new(format!("has no rust-src {}", compiler.release)))?;
    let unpacked = packages.unpack("rust-src", &version)?;
    let library = unpacked.join(format!("usr/src/rustc-{}/library", compiler.release));
    if library.is_dir() { Ok(library) } else { Err(Failure::new("its rust-src holds no library")) }
}

/// Builds the library from the source in the compiler's folder and puts it in place.
fn build(compiler: &Compiler) -> Result<()> {
    let folder = scratch("build-std")?;
    fs::create_dir_all(folder.join("src")).when(|| folder.display().to_string())?;
    let manifest = "[package]\nname = \"std-carrier\"\nedition = \"2024\"\n\n[workspace]\n\n\
                    [profile.release]\npanic = \"abort\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).when(|| "Cargo.toml".to_owned())?;
    fs::write(folder.join("src/lib.rs"), "//! Carries the standard library.\n")
        .when(|| "lib.rs".to_owned())?;
    let mut cargo = Command::new(project::cargo());
    cargo.current_dir(&folder);
    cargo.args(["build", "--release", "--target", WASM_TARGET]);
    cargo.arg("-Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test");
    // Link-time optimisation needs the bitcode; the stable compiler builds its own library when asked like this.
    cargo.env("RUSTFLAGS", "-Cembed-bitcode=yes").env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    process::quietly(&mut cargo)?;
    let staging = staging(compiler)?;
    let libraries = staging.join(WASM_TARGET).join("lib");
    fs::create_dir_all(&libraries).when(|| format!("{} cannot be made", libraries.display()))?;
    let built = folder.join("target").join(WASM_TARGET).join("release/deps");
    for file in fs::read_dir(&built).when(|| built.display().to_string())? {
        let path = file.when(|| built.display().to_string())?.path();
        let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
        if name.ends_with(".rlib") && !name.starts_with("libstd_carrier") {
            fs::copy(&path, libraries.join(&name)).when(|| format!("{name} cannot be copied"))?;
        }
    }
    place(compiler, &staging.join(WASM_TARGET))?;
    cache::remove(&staging)?;
    cache::remove(&folder)
}

/// Puts a complete folder of the library where the compiler looks for it.
fn place(compiler: &Compiler, from: &Path) -> Result<()> {
    let home = compiler.rustlib().join(WASM_TARGET);
    cache::remove(&home)?;
    fs::rename(from, &home).when(|| format!("{} cannot be put in place", home.display()))?;
    compiler.probe().map_err(|failure| {
        // It is of no use to this compiler, and the next way starts from nothing.
        let _ = fs::remove_dir_all(&home);
        Failure::new(format!("it does not fit this compiler: {failure}"))
    })
}

/// An empty folder beside the library's place, so that moving it there is one step.
fn staging(compiler: &Compiler) -> Result<PathBuf> {
    let folder = compiler.rustlib().join(format!(".partial-{WASM_TARGET}"));
    cache::remove(&folder)?;
    fs::create_dir_all(&folder).map_err(|error| {
        Failure::new(format!("the compiler's folder {} cannot be written: {error}", folder.display()))
    })?;
    Ok(folder)
}

/// An empty folder for intermediate files.
fn scratch(name: &str) -> Result<PathBuf> {
    let folder = project::output("set-up").join(name);
    cache::remove(&folder)?;
    fs::create_dir_all(&folder).when(|| format!("{} cannot be made", folder.display()))?;
    Ok(folder)
}

/// How many bytes a folder holds; 0 if it is not there.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .filter_map(std::result::Result::ok)
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
