//! Prints the calculation of a scene, three exercises and the steps' times, to be read:
//! `cargo run -p model-core --example worked -- [SCENE] [zh|en] [gib|gb] [tutorial|report|exact] [DRAW] [key=value…]`.

use model_core::figure::{Ledger, Unit, Value};
use model_core::format::{self, ByteBase};
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::timeline::{Pace, Playing};
use model_core::scene::worked::Worked;
use model_core::scene::{Facts, Layout, Look, SceneId};
use model_core::spec;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut look = Look { layout: Layout::Wide, language: Language::Chinese, base: ByteBase::Binary };
    let mut id = SceneId::default();
    let mut ledger = Ledger::Tutorial;
    let mut scenario = Scenario::default();
    let mut first = 0;
    for word in std::env::args().skip(1) {
        if let Some((key, value)) = word.split_once('=') {
            scenario.choose_text(Key::from_name(key).ok_or("no such key")?, value)?;
        } else if let Some(known) = SceneId::from_name(&word) {
            id = known;
        } else if let Some(known) = Ledger::from_name(&word) {
            ledger = known;
        } else if let Some(known) = Language::from_name(&word) {
            look.language = known;
        } else if let Some(known) = ByteBase::from_name(&word) {
            look.base = known;
        } else {
            first = word.parse::<u64>()?;
        }
    }
    let settings = scenario.resolve(ledger);
    let spec = spec::of(settings.model);
    let report = report(ledger, &scenario, &spec);
    let scene = id.derive(Facts { report: &report, settings: &settings, spec: &spec });
    print(&scene.worked(look), look);
    for draw in first..first + 3 {
        let exercise = scene.exercise(draw, look);
        println!("\n? {}", exercise.question);
        for choice in &exercise.choices {
            let right = if choice.value == exercise.answer { "+" } else { "-" };
            println!(
                "  {right} {}  {}",
                shown(&Value::Number(choice.value), exercise.unit, look),
                choice.why
            );
        }
        print(&exercise.solution, look);
    }
    let times = scene.durations();
    let proportional = Playing::new(&times, Pace::Proportional);
    println!("\nslowed {:?}", proportional.slowed);
    for ((name, time), s) in id.steps().iter().zip(&times).zip(&proportional.steps_s) {
        println!(
            "  {name:12} {:.2} s, stands for {:?} s, in proportion {s:.2} s",
            time.equal_s, time.model_s
        );
    }
    Ok(())
}

fn shown(value: &Value, unit: Unit, look: Look) -> String {
    format::value(value, unit, look.base).to_string()
}

fn print(worked: &Worked, look: Look) {
    println!("\n# {}", worked.title);
    for line in &worked.lines {
        println!("  {}{}", line.text, line.figure.map(|id| format!("  [{id}]")).unwrap_or_default());
        println!("      {}", line.formula.symbolic());
        println!("    = {}", line.formula.substituted(look.base));
        println!("    = {}", shown(&line.value, line.unit, look));
    }
}
