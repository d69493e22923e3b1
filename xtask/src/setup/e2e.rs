//! The npm packages of the browser tests, exactly as locked.

use std::fs;
use std::process::Command;

use super::Found;
use crate::failure::{Failure, Result, While};
use crate::{process, project};

/// Installs the packages unless they were installed from this very lock file.
pub(super) fn ensure() -> Result<Found> {
    let folder = project::e2e();
    let lock = fs::read(folder.join("package-lock.json")).when(|| "e2e/package-lock.json".to_owned())?;
    let mark = folder.join("node_modules/.installed-from");
    let what = "browser tests' packages".to_owned();
    if fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(Found::Already(what));
    }
    let mut install = Command::new("npm");
    install.current_dir(&folder).args(["ci", "--no-audit", "--no-fund"]);
    // The system's Chromium is driven; Playwright's own browsers are not wanted.
    install.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    process::quietly(&mut install).map_err(|failure| {
        Failure::new(format!(
            "{failure}\nThe packages come from the npm registry, which must be reachable the first time."
        ))
    })?;
    fs::write(&mark, lock).when(|| mark.display().to_string())?;
    Ok(Found::Installed(what))
}
