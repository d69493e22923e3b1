//! `cargo xtask test`: all checks, in groups. Every group runs, whatever became of those before it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};
use crate::setup::{self, Need, Tools};
use crate::versions::WASM_TARGET;
use crate::{browser_scripts, page, process, project};

/// What the person asked for.
pub(crate) struct Request {
    /// The groups by name; all if empty.
    pub(crate) groups: Vec<String>,
    /// Handed on to the test runner of the one group named.
    pub(crate) arguments: Vec<String>,
    /// Whether browser tests build the page first.
    pub(crate) build: bool,
}

/// What a group's run had to say, if it did not fail.
enum Outcome {
    Passed,
    /// There is nothing of this kind yet.
    Nothing,
}

/// A set of checks that is run and reported as one.
struct Group {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    run: fn(&Tools, &Request) -> Result<Outcome>,
}

const GROUPS: &[Group] = &[
    Group { name: "format", about: "rustfmt", needs: &[Need::Lints], run: format },
    Group {
        name: "clippy",
        about: "clippy, native crates and the page's",
        needs: &[Need::Lints, Need::Crates, Need::WasmStd],
        run: clippy,
    },
    Group { name: "native", about: "tests of the native crates", needs: &[Need::Crates], run: native },
    Group {
        name: "wasm",
        about: "tests compiled to wasm",
        needs: &[Need::Crates, Need::WasmStd, Need::PageTools, Need::Browser],
        run: wasm,
    },
    Group {
        name: "browser",
        about: "the built page in Chromium",
        needs: &[Need::Crates, Need::WasmStd, Need::PageTools, Need::Browser],
        run: browser,
    },
];

/// The names of all groups with what each is, one a line, for the help text.
pub(crate) fn groups_help() -> String {
    GROUPS.iter().map(|group| format!("    {:<9} {}", group.name, group.about)).collect::<Vec<_>>().join("\n")
}

/// Runs the groups and prints one closing line for each.
pub(crate) fn run(request: &Request) -> Result<()> {
    let groups = chosen(&request.groups)?;
    if !request.arguments.is_empty() && groups.len() != 1 {
        return Err(Failure::new("arguments after -- go to one test runner: name exactly one group"));
    }
    let needs: Vec<Need> = setup::ALL
        .iter()
        .copied()
        .filter(|need| groups.iter().any(|group| group.needs.contains(need)))
        .collect();
    let begun = Instant::now();
    let tools = Tools::new(setup::run(&needs)?);
    let set_up = begun.elapsed();
    let mut lines = vec![closing("set-up", "ok", set_up, "")];
    let mut failed = Vec::new();
    for group in groups {
        println!("\n=== {}: {}", group.name, group.about);
        let begun = Instant::now();
        let result = (group.run)(&tools, request);
        let took = begun.elapsed();
        lines.push(match result {
            Ok(Outcome::Passed) => closing(group.name, "ok", took, ""),
            Ok(Outcome::Nothing) => closing(group.name, "ok", took, "(there are none yet)"),
            Err(failure) => {
                println!("{failure}");
                failed.push(group.name);
                closing(group.name, "FAILED", took, "")
            }
        });
    }
    println!("\n=== summary\n{}", lines.join("\n"));
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("failed: {}", failed.join(", "))))
}

fn closing(name: &str, verdict: &str, took: Duration, remark: &str) -> String {
    format!("{name:<9} {verdict:<7} {:>7.1} s {remark}", took.as_secs_f64()).trim_end().to_owned()
}

fn chosen(names: &[String]) -> Result<Vec<&'static Group>> {
    if let Some(unknown) = names.iter().find(|name| !GROUPS.iter().any(|group| group.name == **name)) {
        return Err(Failure::new(format!("there is no group {unknown}; the groups are\n{}", groups_help())));
    }
    Ok(GROUPS
        .iter()
        .filter(|group| names.is_empty() || names.iter().any(|name| name == group.name))
        .collect())
}

/// Cargo in the workspace, with `Cargo.lock` taken as it is.
fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(project::cargo());
    cargo.current_dir(project::root()).args(arguments);
    cargo
}

/// Runs all commands, so that one run shows all that is wrong.
fn all(commands: Vec<Command>) -> Result<Outcome> {
    let failures: Vec<String> = commands
        .into_iter()
        .filter_map(|mut command| process::run(&mut command).err())
        .map(|failure| failure.to_string())
        .collect();
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(Failure::new(failures.join("\n"))) }
}

fn format(_: &Tools, request: &Request) -> Result<Outcome> {
    let mut check = cargo(&["fmt", "--all", "--check"]);
    check.args(&request.arguments);
    all(vec![check])
}

fn clippy(_: &Tools, request: &Request) -> Result<Outcome> {
    let mut native = cargo(&["clippy", "--locked", "--workspace", "--exclude", "app", "--all-targets"]);
    let mut page =
        cargo(&["clippy", "--locked", "--package", "app", "--all-targets", "--target", WASM_TARGET]);
    for command in [&mut native, &mut page] {
        command.args(["--", "-D", "warnings"]).args(&request.arguments);
    }
    all(vec![native, page])
}

fn native(_: &Tools, request: &Request) -> Result<Outcome> {
    let mut tests = cargo(&["test", "--locked", "--workspace", "--exclude", "app", "--no-fail-fast"]);
    tests.args(&request.arguments);
    all(vec![tests])
}

/// The model's tests in `model-core/tests/wasm*.rs` run in Node.js; the page's run where they ask to.
fn wasm(tools: &Tools, request: &Request) -> Result<Outcome> {
    let mut commands = Vec::new();
    let root = project::root();
    let named_wasm = |file: &Path| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("wasm") && name.ends_with(".rs")
    };
    if files(&root.join("model-core/tests")).iter().any(|file| named_wasm(file)) {
        commands.push(cargo(&["test", "--locked", "--package", "model-core", "--test", "wasm*"]));
    }
    let tests_page =
        |file: &Path| fs::read_to_string(file).is_ok_and(|text| text.contains("#[wasm_bindgen_test]"));
    if ["app/src", "app/tests"]
        .iter()
        .flat_map(|folder| files(&root.join(folder)))
        .any(|file| tests_page(&file))
    {
        commands.push(cargo(&["test", "--locked", "--package", "app"]));
    }
    if commands.is_empty() {
        return Ok(Outcome::Nothing);
    }
    for command in &mut commands {
        command.args(["--no-fail-fast", "--target", WASM_TARGET]).args(&request.arguments);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools.test_runner());
        if let Some(driver) = setup::chromedriver() {
            command.env("CHROMEDRIVER", driver);
        }
    }
    all(commands)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(std::result::Result::ok)
        .flat_map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { vec![entry.path()] })
        .collect()
}

fn browser(tools: &Tools, request: &Request) -> Result<Outcome> {
    let site = page::site(tools, request.build)?;
    let mut arguments = vec!["test".to_owned()];
    arguments.extend(request.arguments.iter().cloned());
    browser_scripts::run("node_modules/@playwright/test/cli.js", &arguments, &project::output("e2e"), site)?;
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_names_mean_all_groups() {
        assert_eq!(chosen(&[]).unwrap().len(), GROUPS.len());
    }

    #[test]
    fn named_groups_keep_the_usual_order() {
        let names: Vec<&str> = chosen(&["wasm".to_owned(), "format".to_owned()])
            .unwrap()
            .iter()
            .map(|group| group.name)
            .collect();
        assert_eq!(names, ["format", "wasm"]);
    }

    #[test]
    fn an_unknown_group_is_refused_with_the_known_ones() {
        let message = chosen(&["speed".to_owned()]).err().unwrap().to_string();
        assert!(message.contains("speed") && message.contains("browser"), "{message}");
    }
}
