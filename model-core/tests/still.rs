//! The still that index.html shows before the application arrives is what the scene draws.

#![allow(clippy::unwrap_used, missing_docs)]

use model_core::draw::svg;
use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::Scenario;
use model_core::scene::{Facts, Layout, Look, SceneId, end_of};
use model_core::spec::v4_pro;

#[test]
fn the_stills_are_current() {
    let (scenario, spec) = (Scenario::default(), v4_pro());
    let settings = scenario.resolve(Ledger::Tutorial);
    let report = report(Ledger::Tutorial, &scenario, &spec);
    let scene = SceneId::default().derive(Facts { report: &report, settings: &settings, spec: &spec });
    for language in [Language::Chinese, Language::English] {
        let look = Look { layout: Layout::Wide, language, base: ByteBase::Binary };
        let drawing = scene.frame(end_of(SceneId::default()), look);
        let fresh =
            svg::write(&drawing, svg::Ink::Properties(language.still_name()), &svg::Origin::default());
        let name = format!("{}/../assets/still.{}.svg", env!("CARGO_MANIFEST_DIR"), language.name());
        let kept = std::fs::read_to_string(&name).unwrap();
        assert!(
            kept == fresh,
            "assets/still.{0}.svg is old: cargo run -p model-core --example still -- {0} page > assets/still.{0}.svg",
            language.name()
        );
    }
}
