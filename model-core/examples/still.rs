//! Prints a still of "place" as SVG: `cargo run -p model-core --example still -- [wide|narrow] [zh|en] [light|dark|page]
//! STEP [key=value…]`; `page` writes the page's own custom properties for colours.

use model_core::draw::{Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::Layout;
use model_core::scene::place::{Placing, frame};
use model_core::scene::timeline::Moment;
use model_core::spec::v4_pro;
use model_core::words::Words;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut layout = Layout::Wide;
    let mut language = Language::Chinese;
    let mut theme = Theme::Light;
    let mut page = false;
    let mut moment = Moment::done(5);
    let mut scenario = Scenario::default();
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if let Some(known) = Language::from_name(&word) {
            language = known;
        } else if let Some(known) = Theme::from_name(&word) {
            theme = known;
        } else if let Ok(t) = word.parse::<f64>() {
            moment = Moment { step: t as usize, t: if t.fract() == 0.0 { 1.0 } else { t.fract() } };
        } else {
            layout = if word == "narrow" { Layout::Narrow } else { layout };
            page |= word == "page";
        }
    }
    let ink = if page { svg::Ink::Properties(language.still_name()) } else { svg::Ink::Literal(theme) };
    let spec = v4_pro();
    let settings = scenario.resolve(Ledger::Tutorial);
    let placing = Placing::new(&report(Ledger::Tutorial, &scenario, &spec), &settings, &spec);
    let drawing = frame(&placing, &spec, moment, layout, Words::of(language), ByteBase::Binary);
    print!("{}", svg::write(&drawing, ink, &svg::Origin::default()));
    Ok(())
}
