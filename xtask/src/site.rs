//! The built page in memory: every file with its content type and, where that helps, its brotli form.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Result, While};

/// One file of the page.
pub(crate) struct Asset {
    pub(crate) content_type: &'static str,
    pub(crate) plain: Vec<u8>,
    /// The brotli form, for kinds of files that are not compressed already.
    pub(crate) brotli: Option<Vec<u8>>,
}

/// All files of the page by their path below its folder, with `/` between the parts.
pub(crate) struct Site(BTreeMap<String, Asset>);

impl Site {
    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files)?;
        if !files.contains_key("index.html") {
            return Err(Failure::new(format!(
                "there is no page in {}; leave --no-build out to build it",
                folder.display()
            )));
        }
        std::thread::scope(|scope| {
            for asset in files.values_mut().filter(|asset| compresses(asset.content_type)) {
                scope.spawn(|| asset.brotli = brotli(&asset.plain));
            }
        });
        Ok(Self(files))
    }

    /// The file a request names. A folder's name with its `/` stands for the `index.html` in it.
    pub(crate) fn get(&self, url: &str) -> Option<&Asset> {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let path = decoded(path.strip_prefix('/')?)?;
        if path.is_empty() || path.ends_with('/') {
            return self.0.get(&format!("{path}index.html"));
        }
        self.0.get(&path)
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Asset>) -> Result<()> {
    for entry in fs::read_dir(folder).when(|| format!("{} cannot be read", folder.display()))? {
        let path = entry.when(|| folder.display().to_string())?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let relative = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{relative}/"), files)?;
            continue;
        }
        let plain = fs::read(&path).when(|| format!("{} cannot be read", path.display()))?;
        files.insert(relative, Asset { content_type: content_type(name), plain, brotli: None });
    }
    Ok(())
}

/// The content type of a file. Browsers refuse modules and wasm that come with a wrong one.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" | "py" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn compresses(content_type: &str) -> bool {
    !matches!(content_type, "image/png" | "font/woff2" | "application/octet-stream")
}

/// The brotli form as a static host would prepare it, or nothing if it is no smaller.
fn brotli(plain: &[u8]) -> Option<Vec<u8>> {
    let settings = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &plain[..], &mut packed, &settings).ok()?;
    (packed.len() < plain.len()).then_some(packed)
}

/// A URL path without its percent signs; nothing if it is not UTF-8 or a percent sign stands alone.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let pair = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Site {
        let folder = std::env::temp_dir().join(format!("xtask-site-{:?}", std::thread::current().id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a b")).unwrap();
        fs::write(folder.join("index.html"), "<!doctype html>".repeat(50)).unwrap();
        fs::write(folder.join("app.wasm"), b"\0asm").unwrap();
        fs::write(folder.join("a b/图.svg"), "<svg/>").unwrap();
        let site = Site::read(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        site
    }

    #[test]
    fn the_root_and_a_query_lead_to_the_page() {
        let site = sample();
        for url in ["/", "/?lang=en", "/index.html", "/index.html?x=%"] {
            assert_eq!(site.get(url).unwrap().content_type, "text/html; charset=utf-8", "{url}");
        }
    }

    #[test]
    fn encoded_names_are_found_and_unknown_ones_are_not() {
        let site = sample();
        assert!(site.get("/a%20b/%E5%9B%BE.svg").is_some());
        for url in ["", "/nothing", "/../Cargo.toml", "/%", "/%zz", "/%ff", "/a b"] {
            assert!(site.get(url).is_none(), "{url}");
        }
    }

    #[test]
    fn only_what_gains_is_compressed() {
        let site = sample();
        let page = site.get("/").unwrap();
        assert!(page.brotli.as_ref().unwrap().len() < page.plain.len());
        assert!(site.get("/app.wasm").unwrap().brotli.is_none());
    }

    #[test]
    fn wasm_and_modules_have_the_types_browsers_ask_for() {
        assert_eq!(content_type("app_bg.wasm"), "application/wasm");
        assert_eq!(content_type("boot-1a2b.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("LICENSE"), "application/octet-stream");
    }
}
