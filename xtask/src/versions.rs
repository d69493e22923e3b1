//! Every pinned tool version of the project, in this one place. What is pinned elsewhere by nature (crates in
//! `Cargo.toml`, browser-test packages in `e2e/package.json`) is checked against these where the two must agree.

/// Trunk, which builds the page. 0.22 needs a newer compiler than the workspace asks for.
pub(crate) const TRUNK: &str = "0.21.14";

/// The `wasm-bindgen` command; it must be exactly the version of the library in `Cargo.lock` (tested below).
pub(crate) const WASM_BINDGEN: &str = "0.2.128";

/// The npm package that carries `wasm-opt`. Distribution packages are too old for the compiler's output.
pub(crate) const BINARYEN: &str = "132.0.0";

/// The command that cuts the page in parts; it goes with `wasm_split_helpers` in `Cargo.lock`.
pub(crate) const WASM_SPLIT: &str = "0.2.4";

/// The oldest Node.js the tools are known to run on (major version).
pub(crate) const NODE_MAJOR: u32 = 20;

/// The compilation target of the page.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Debian suites that may carry a `rust-src` package equal to the compiler, tried in this order.
pub(crate) const RUST_SRC_SUITES: &[&str] = &["trixie-backports", "testing", "unstable"];

/// Debian packages that looking at pictures needs: the browser, its driver, a font for the Chinese text, and a converter
/// of SVG that is no browser.
pub(crate) const BROWSER_PACKAGES: &[&str] =
    &["chromium", "chromium-driver", "fonts-noto-cjk", "librsvg2-bin"];

#[cfg(test)]
mod tests {
    use crate::project;

    /// The version `Cargo.lock` holds of a crate that is there once.
    fn locked(name: &str) -> String {
        let lock = std::fs::read_to_string(project::root().join("Cargo.lock")).unwrap();
        let wanted = format!("name = \"{name}\"");
        let mut lines = lock.lines();
        lines.find(|line| *line == wanted).unwrap();
        let version = lines.next().unwrap();
        version.trim_start_matches("version = ").trim_matches('"').to_owned()
    }

    #[test]
    fn wasm_bindgen_command_and_library_are_the_same_version() {
        assert_eq!(locked("wasm-bindgen"), super::WASM_BINDGEN);
    }
}
