//! Debian's package tools, where they may be used.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result, While};
use crate::process;

/// Whether packages can be installed here: Debian or a descendant, and root.
pub(super) fn may_install() -> bool {
    process::on_path("apt-get").is_some()
        && process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Installs packages.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    process::quietly(Command::new("apt-get").args(["update", "-qq"]))?;
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages);
    process::quietly(&mut install)
}

/// A private view of one Debian suite, which leaves the machine's own package lists alone.
pub(super) struct Suite {
    folder: PathBuf,
}

impl Suite {
    /// Reads the package lists of `suite` into `folder`, from the mirror this machine already uses.
    pub(super) fn open(suite: &str, folder: &Path) -> Result<Self> {
        for part in ["lists/partial", "cache/archives/partial", "parts"] {
            let made = fs::create_dir_all(folder.join(part));
            made.when(|| format!("{} cannot be made", folder.display()))?;
        }
        let mirror = mirror()?;
        let signed = "/usr/share/keyrings/debian-archive-keyring.gpg";
        let source = format!("deb [signed-by={signed}] {mirror} {suite} main\n");
        fs::write(folder.join("sources.list"), source).when(|| "sources.list".to_owned())?;
        fs::write(folder.join("status"), "").when(|| "status".to_owned())?;
        let opened = Self { folder: folder.to_path_buf() };
        process::quietly(opened.command("apt-get").args(["update", "-qq"]))?;
        Ok(opened)
    }

    /// An apt command that sees only this suite.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        for (key, value) in [
            ("Dir::Etc::SourceList", "sources.list"),
            ("Dir::Etc::SourceParts", "parts"),
            ("Dir::State", "."),
            ("Dir::State::Lists", "lists"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
        ] {
            command.arg("-o").arg(format!("{key}={}", self.folder.join(value).display()));
        }
        command.args(["-o", "APT::Sandbox::User=root"]);
        command
    }

    /// The version of `package` that begins with `prefix`.
    pub(super) fn version(&self, package: &str, prefix: &str) -> Result<Option<String>> {
        let table = process::capture(self.command("apt-cache").args(["madison", package]))?;
        Ok(version_in(&table, prefix))
    }

    /// Downloads a package and unpacks it, without installing it, into the folder that is returned.
    pub(super) fn unpack(&self, package: &str, version: &str) -> Result<PathBuf> {
        process::quietly(self.command("apt-get").args(["download", "-qq", &format!("{package}={version}")]))?;
        let files = fs::read_dir(&self.folder).when(|| self.folder.display().to_string())?;
        let deb = files
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|file| file.extension().is_some_and(|extension| extension == "deb"))
            .ok_or_else(|| Failure::new(format!("apt-get download left no file of {package}")))?;
        let unpacked = self.folder.join("unpacked");
        process::quietly(Command::new("dpkg-deb").arg("-x").arg(deb).arg(&unpacked))?;
        Ok(unpacked)
    }
}

/// The second column of the line of `apt-cache madison` whose version begins with `prefix`.
fn version_in(table: &str, prefix: &str) -> Option<String> {
    table
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .map(str::trim)
        .find(|version| version.starts_with(prefix))
        .map(str::to_owned)
}

/// The address this machine gets Debian's main archive from.
fn mirror() -> Result<String> {
    let addresses =
        process::capture(Command::new("apt-get").args(["indextargets", "--format", "$(REPO_URI)"]))?;
    addresses
        .lines()
        .map(str::trim)
        .find(|address| address.trim_end_matches('/').ends_with("/debian"))
        .map(str::to_owned)
        .ok_or_else(|| Failure::new("apt knows no mirror of Debian's main archive"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_package_version_that_fits_the_compiler_is_found() {
        let table = " rust-src | 1.96.0+dfsg1-1 | mirror suite/main amd64 Packages\n \
                      rust-src | 1.95.0+dfsg1-2 | mirror suite/main amd64 Packages\n";
        assert_eq!(super::version_in(table, "1.95.0+dfsg").as_deref(), Some("1.95.0+dfsg1-2"));
        assert_eq!(super::version_in(table, "1.9.0+dfsg"), None);
    }
}
