//! Charts as files: each stands alone, in both themes and languages, and a converter that is no browser draws it.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::io::Write;
use std::process::{Command, Stdio};

use model_core::basis::Basis;
use model_core::chart::ChartId;
use model_core::draw::{Drawing, Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::link::Link;
use model_core::scenario::{Key, Scenario};
use model_core::scene::{Layout, Look};
use model_core::spec::v4_pro;

/// A scenario under which every chart has something to show.
fn scenario() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.choose_text(Key::Gpu, "b300").unwrap();
    scenario
}

/// Every chart in both themes and languages: its name, the drawing, and the file.
fn files() -> Vec<(String, Drawing, String)> {
    let (scenario, spec, ledger) = (scenario(), v4_pro(), Ledger::Exact);
    let settings = scenario.resolve(ledger);
    let report = report(ledger, &scenario, &spec);
    let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
    let query = Link { scenario: scenario.clone(), ledger, ..Link::default() }.scenario_query();
    let origin = svg::Origin { link: format!("https://example.org/?{query}"), scenario: query };
    let mut files = Vec::new();
    for id in ChartId::ALL {
        let chart = id.derive(basis);
        assert_eq!(chart.reason, None, "{}", id.name());
        for (theme, theme_name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            for language in [Language::Chinese, Language::English] {
                let drawing =
                    chart.draw_whole(Look { layout: Layout::Wide, language, base: ByteBase::Binary });
                let file = svg::write(&drawing, svg::Ink::Literal(theme), &origin);
                files.push((format!("{} {theme_name} {}", id.name(), language.name()), drawing, file));
            }
        }
    }
    files
}

/// Whether every element that is opened is closed, in order, and everything else is text.
fn balanced(file: &str) -> bool {
    let mut open = Vec::new();
    for piece in file.split('<').skip(1) {
        let Some((tag, _)) = piece.split_once('>') else { return false };
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or(tag));
        }
    }
    open.is_empty() && file.starts_with("<svg ") && !file.replace("&amp;", "").contains("& ")
}

#[test]
fn every_chart_is_a_file_that_stands_alone() {
    let mut told = String::new();
    for (name, drawing, file) in files() {
        assert!(balanced(&file), "{name}");
        for outside in ["var(", "href", "<style", "<script", "<image", "NaN", "inf\"", "url(http"] {
            assert!(!file.contains(outside), "{name}: {outside}");
        }
        for (at, _) in file.match_indices("url(#") {
            let id = file[at + 5..].split(')').next().unwrap();
            assert!(file.contains(&format!("id=\"{id}\"")), "{name}: {id}");
        }
        assert!(
            file.contains(
                "<scenario xmlns=\"urn:one-token-eight-gpus\">ledger=exact&amp;gpu=b300</scenario>"
            )
        );
        assert!(file.contains("viewBox") && file.contains("<title") && file.contains("<desc"));
        let han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        assert_eq!(han(&drawing.title), name.ends_with("zh"), "{name}: {}", drawing.title);
        assert_eq!(han(&file), name.ends_with("zh"), "{name}");
        let print = file.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        told.push_str(&format!(
            "{name}: {} × {}, {} marks, {print:016x}\n",
            drawing.width,
            drawing.height,
            drawing.marks.len()
        ));
    }
    insta::assert_snapshot!(told);
}

/// The file as PNG; what the converter says where it cannot.
fn converted(file: &str) -> Result<Vec<u8>, String> {
    let mut converter = Command::new("rsvg-convert")
        .args(["--format", "png"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    converter.stdin.take().unwrap().write_all(file.as_bytes()).map_err(|error| error.to_string())?;
    let output = converter.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn a_converter_draws_every_chart() {
    let known = Command::new("rsvg-convert").arg("--version").output();
    if known.is_err() {
        eprintln!(
            "rsvg-convert is not installed: files were not converted. `cargo xtask setup` installs it."
        );
        return;
    }
    for (name, drawing, file) in files() {
        let picture = converted(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
        let expected = [drawing.width, drawing.height].map(|side| side.round() as u32);
        // Width and height stand in a PNG's first block.
        assert!(size(16).abs_diff(expected[0]) <= 1 && size(20).abs_diff(expected[1]) <= 1, "{name}");
        let blank = Drawing { marks: Vec::new(), ..drawing };
        let theme = if name.contains("light") { Theme::Light } else { Theme::Dark };
        let ground =
            converted(&svg::write(&blank, svg::Ink::Literal(theme), &svg::Origin::default())).unwrap();
        // One colour packs into next to nothing; lines and letters do not.
        assert!(picture.len() > 5 * ground.len(), "{name}: {} against {} bytes", picture.len(), ground.len());
    }
}
