//! Prints the workbench: `cargo run -p model-core --example bench -- [bars|gains|table|sides|links|presets|claims]
//! [wide|narrow] [zh|en] [light|dark] [report|exact] [PRESET] [key=value…]`. Bars and gains are SVG, the rest is text.

use model_core::basis::Basis;
use model_core::draw::{Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::Key;
use model_core::scene::{Layout, Look};
use model_core::workbench::{Bench, Case, Preset, Sensitivity, claims, effects_table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut theme, mut ledger, mut what) = (Theme::Light, Ledger::Report, "bars".to_owned());
    let mut look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Decimal };
    let mut scenario = Case::Long.scenario();
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if word == "narrow" {
            look.layout = Layout::Narrow;
        } else if let Some(preset) = Preset::from_name(&word) {
            preset.apply(&mut scenario);
        } else if let Some(language) = Language::from_name(&word) {
            look.language = language;
        } else if let Some(named) = Theme::from_name(&word) {
            theme = named;
        } else if let Some(named) = Ledger::from_name(&word) {
            ledger = named;
        } else {
            what = word;
        }
    }
    let settings = scenario.resolve(ledger);
    let spec = model_core::spec::of(settings.model);
    let report = report(ledger, &scenario, &spec);
    let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
    let bench = Bench::of(basis);
    let sensitivity = Sensitivity::of(basis);
    let narrow = look.layout == Layout::Narrow;
    let drawing = match what.as_str() {
        "gains" if narrow => sensitivity.draw(look),
        "gains" => sensitivity.draw_whole(look),
        "bars" if narrow => bench.draw(look),
        "bars" => bench.draw_whole(look),
        _ => {
            print!("{}", text(&what, &bench, &sensitivity, basis, look));
            return Ok(());
        }
    };
    print!("{}", svg::write(&drawing, svg::Ink::Literal(theme), &svg::Origin::default()));
    Ok(())
}

fn text(what: &str, bench: &Bench, sensitivity: &Sensitivity, basis: Basis, look: Look) -> String {
    match what {
        "sides" => {
            bench.before_table(basis, look).markdown() + "\n" + &bench.after_table(basis, look).markdown()
        }
        "links" => bench.domain_table(basis, look).markdown(),
        "presets" => effects_table(bench.ledger, basis.spec, basis, look).markdown(),
        "claims" => {
            let line = |claim: &model_core::workbench::Claim| {
                format!("{} ({})\n  {}\n  {}\n", claim.name, claim.holds, claim.said, claim.truth)
            };
            claims(basis.spec, look).iter().map(line).collect()
        }
        _ => {
            let tables = [bench.table(basis, look), sensitivity.table(basis, look)];
            tables.map(|table| table.markdown()).join("\n") + &bench.description(look) + "\n"
        }
    }
}
