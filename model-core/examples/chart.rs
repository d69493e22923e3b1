//! Prints a chart as SVG: `cargo run -p model-core --example chart -- NAME [wide|narrow] [zh|en] [light|dark]
//! [tutorial|report|exact] [key=value…]`; `csv` in place of a look prints its data.

use model_core::basis::Basis;
use model_core::chart::ChartId;
use model_core::draw::{Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::{Layout, Look};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut id, mut theme, mut ledger, mut data) = (ChartId::Cache, Theme::Light, Ledger::Tutorial, false);
    let mut look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Binary };
    let mut scenario = Scenario::default();
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if word == "narrow" {
            look.layout = Layout::Narrow;
        } else if word == "csv" {
            data = true;
        } else {
            id = ChartId::from_name(&word).unwrap_or(id);
            look.language = Language::from_name(&word).unwrap_or(look.language);
            look.base = ByteBase::from_name(&word).unwrap_or(look.base);
            theme = Theme::from_name(&word).unwrap_or(theme);
            ledger = Ledger::from_name(&word).unwrap_or(ledger);
        }
    }
    let settings = scenario.resolve(ledger);
    let spec = model_core::spec::of(settings.model);
    let report = report(ledger, &scenario, &spec);
    let chart = id.derive(Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec });
    if data {
        print!("{}", chart.csv());
        return Ok(());
    }
    let drawing = match look.layout {
        Layout::Wide => chart.draw_whole(look),
        Layout::Narrow => chart.draw(look),
    };
    print!("{}", svg::write(&drawing, svg::Ink::Literal(theme), &svg::Origin::default()));
    Ok(())
}
