//! Chromium, its driver, a Chinese font and a converter of SVG, for browser tests, measurements, screenshots and tests of
//! exported pictures.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Found, apt};
use crate::failure::{Failure, Result};
use crate::process;
use crate::versions::BROWSER_PACKAGES;

/// Programs that are Chromium, by the names systems give it.
const CHROMIUM_NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser to drive: `CHROME_PATH`, else the first Chromium on `PATH`.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME_PATH").filter(|path| !path.is_empty()) {
        let named = PathBuf::from(named);
        if named.is_file() {
            return Ok(named);
        }
        return Err(Failure::new(format!("CHROME_PATH names {}, which is no file", named.display())));
    }
    CHROMIUM_NAMES.iter().find_map(|name| process::on_path(name)).ok_or_else(|| {
        Failure::new(format!(
            "no Chromium is installed. On Debian: apt-get install {} (set-up does it itself when run as root). Elsewhere \
             install Chromium or Chrome and, if it is not on PATH, name the program in CHROME_PATH.",
            BROWSER_PACKAGES.join(" ")
        ))
    })
}

/// The driver that wasm tests in a browser need.
pub(crate) fn chromedriver() -> Option<PathBuf> {
    std::env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| process::on_path("chromedriver"))
}

/// Installs what is missing where that is possible.
pub(super) fn ensure() -> Result<Found> {
    if std::env::var_os("CHROME_PATH").is_some() {
        chromium()?;
    }
    if chromium().is_ok() && chromedriver().is_some() && has_chinese_font() && has_svg_converter() {
        return Ok(Found::Already(format!("Chromium {}", version(&chromium()?))));
    }
    if apt::may_install() {
        println!("set-up   Chromium: installing {} with apt", BROWSER_PACKAGES.join(", "));
        apt::install(BROWSER_PACKAGES)?;
        return Ok(Found::Installed(format!("Chromium {}", version(&chromium()?))));
    }
    let found = chromium()?;
    let mut lacks = Vec::new();
    if chromedriver().is_none() {
        lacks.push("chromedriver (needed by wasm tests that run in a browser)");
    }
    if !has_chinese_font() {
        lacks.push("a font for Chinese text, such as Noto Sans CJK (screenshots show boxes without one)");
    }
    if !has_svg_converter() {
        lacks.push("rsvg-convert (exported pictures are not converted then)");
    }
    Ok(Found::Without(format!("Chromium {} is there, but not {}", version(&found), lacks.join(", nor "))))
}

/// Whether some font has Chinese characters. A system that cannot be asked is taken to have one.
fn has_chinese_font() -> bool {
    match process::capture(Command::new("fc-list").arg(":lang=zh-cn")) {
        Ok(fonts) => !fonts.trim().is_empty(),
        Err(_) => {
            Path::new("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc").exists()
                || cfg!(not(target_os = "linux"))
        }
    }
}

/// Whether there is something but a browser that draws SVG.
fn has_svg_converter() -> bool {
    process::on_path("rsvg-convert").is_some()
}

/// The browser's version as it tells it, or where it is.
fn version(browser: &Path) -> String {
    let said = process::capture(Command::new(browser).arg("--version")).unwrap_or_default();
    said.split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .map_or_else(|| browser.display().to_string(), str::to_owned)
}
