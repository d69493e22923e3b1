//! The per-user folder of installed tools. One folder per tool and version, so clones and versions share nothing
//! they should not, and a second clone builds nothing again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result, While};

/// The name of the folder under the user's cache.
const NAME: &str = "one-token-eight-gpus";

/// An opened cache folder.
#[derive(Debug, Clone)]
pub(crate) struct Cache(PathBuf);

impl Cache {
    /// `$ONE_TOKEN_CACHE`, else `$XDG_CACHE_HOME/one-token-eight-gpus`, else `~/.cache/one-token-eight-gpus`.
    pub(crate) fn open() -> Result<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = choose(set("ONE_TOKEN_CACHE"), set("XDG_CACHE_HOME"), set("HOME")).ok_or_else(|| {
            Failure::new("no place for the tools: set ONE_TOKEN_CACHE to a folder that can be written")
        })?;
        fs::create_dir_all(&folder)
            .when(|| format!("the tools' folder {} cannot be made", folder.display()))?;
        let folder = folder.canonicalize().when(|| format!("the tools' folder {}", folder.display()))?;
        Ok(Self(folder))
    }

    /// The folder itself.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// The folder of one tool in one version, whether it is there or not.
    pub(crate) fn tool(&self, name: &str, version: &str) -> PathBuf {
        self.0.join(format!("{name}-{version}"))
    }

    /// Installs a tool: `install` fills an empty sibling folder, which takes the tool's name only when `works` says
    /// so. An interrupted or failed installation therefore never looks finished.
    pub(crate) fn install(
        &self,
        name: &str,
        version: &str,
        install: impl FnOnce(&Path) -> Result<()>,
        works: impl FnOnce(&Path) -> bool,
    ) -> Result<()> {
        let home = self.tool(name, version);
        let partial = self.0.join(format!(".partial-{name}-{version}"));
        remove(&partial)?;
        fs::create_dir_all(&partial).when(|| format!("{} cannot be made", partial.display()))?;
        install(&partial)?;
        if !works(&partial) {
            return Err(Failure::new(format!(
                "{name} {version} was installed but does not run; what was installed is in {}",
                partial.display()
            )));
        }
        remove(&home)?;
        fs::rename(&partial, &home).when(|| format!("{} cannot be put in place", home.display()))
    }

    /// Waits until no other set-up of this user is at work, and keeps others waiting until the result is dropped.
    pub(crate) fn lock(&self) -> Result<File> {
        let path = self.0.join("set-up.lock");
        let file = File::create(&path).when(|| format!("{} cannot be made", path.display()))?;
        if file.try_lock().is_err() {
            println!("set-up   another set-up is at work; waiting for it to end");
            file.lock().when(|| format!("{} cannot be locked", path.display()))?;
        }
        Ok(file)
    }
}

/// Removes a folder that may not be there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).when(|| format!("{} cannot be removed", folder.display()))
}

/// The cache's place, from the three settings that decide it.
fn choose(own: Option<PathBuf>, xdg: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    own.or_else(|| xdg.map(|folder| folder.join(NAME)))
        .or_else(|| home.map(|folder| folder.join(".cache").join(NAME)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> Cache {
        let folder = std::env::temp_dir().join(format!("xtask-cache-{name}-{}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        Cache(folder)
    }

    #[test]
    fn the_own_setting_wins_then_xdg_then_home() {
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(choose(path("own"), path("xdg"), path("home")), path("own"));
        assert_eq!(choose(None, path("xdg"), path("home")), path("xdg/one-token-eight-gpus"));
        assert_eq!(choose(None, None, path("home")), path("home/.cache/one-token-eight-gpus"));
        assert_eq!(choose(None, None, None), None);
    }

    #[test]
    fn a_failed_installation_does_not_take_the_name() {
        let cache = scratch("failed");
        let failed = cache.install(
            "tool",
            "1.0",
            |folder| {
                fs::write(folder.join("half"), "").unwrap();
                Err(Failure::new("interrupted"))
            },
            |_| true,
        );
        assert!(failed.is_err());
        assert!(!cache.tool("tool", "1.0").exists());
        remove(&cache.0).unwrap();
    }

    #[test]
    fn a_finished_installation_replaces_what_was_there() {
        let cache = scratch("finished");
        fs::create_dir_all(cache.tool("tool", "1.0")).unwrap();
        fs::write(cache.tool("tool", "1.0").join("old"), "").unwrap();
        let fill = |folder: &Path| {
            fs::write(folder.join("new"), "").unwrap();
            Ok(())
        };
        cache.install("tool", "1.0", fill, |folder| folder.join("new").exists()).unwrap();
        assert!(cache.tool("tool", "1.0").join("new").exists());
        assert!(!cache.tool("tool", "1.0").join("old").exists());
        remove(&cache.0).unwrap();
    }
}
