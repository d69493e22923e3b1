//! Prints a still of a scene as SVG: `cargo run -p model-core --example still -- [SCENE] [wide|narrow] [zh|en]
//! [light|dark|page] [STEP[.PART]] [key=value…]`; `page` writes the page's own custom properties for colours.

use model_core::draw::{Theme, svg};
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::timeline::Moment;
use model_core::scene::{Facts, Layout, Look, SceneId, end_of};
use model_core::spec;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut layout = Layout::Wide;
    let mut language = Language::Chinese;
    let mut theme = Theme::Light;
    let mut page = false;
    let mut moment = None;
    let mut scene = SceneId::default();
    let mut ledger = Ledger::Tutorial;
    let mut scenario = Scenario::default();
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if let Some(known) = SceneId::from_name(&word) {
            scene = known;
        } else if let Some(known) = Ledger::from_name(&word) {
            ledger = known;
        } else if let Some(known) = Language::from_name(&word) {
            language = known;
        } else if let Some(known) = Theme::from_name(&word) {
            theme = known;
        } else if let Ok(t) = word.parse::<f64>() {
            moment = Some(Moment { step: t as usize, t: if t.fract() == 0.0 { 1.0 } else { t.fract() } });
        } else {
            layout = if word == "narrow" { Layout::Narrow } else { layout };
            page |= word == "page";
        }
    }
    let ink = if page { svg::Ink::Properties(language.still_name()) } else { svg::Ink::Literal(theme) };
    let settings = scenario.resolve(ledger);
    let spec = spec::of(settings.model);
    let report = report(ledger, &scenario, &spec);
    let moment = moment.unwrap_or(end_of(scene));
    let scene = scene.derive(Facts { report: &report, settings: &settings, spec: &spec });
    let look = Look { layout, language, base: ByteBase::Binary };
    let drawing = scene.frame(moment, look);
    print!("{}", svg::write(&drawing, ink, &svg::Origin::default()));
    Ok(())
}
