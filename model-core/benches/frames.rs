//! How long scenes take: deriving one, and one frame of it while it plays; and how many marks change from one frame to
//! the next, which is what the page has to redo. Prints medians and what nineteen of twenty stay below.
//!
//! Run with `cargo bench -p model-core --bench frames`; words after `--` pick scenes by name.

use std::hint::black_box;
use std::time::Instant;

use model_core::figure::Ledger;
use model_core::format::ByteBase;
use model_core::language::Language;
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::scene::timeline::Moment;
use model_core::scene::{Facts, Layout, Look, SceneId};
use model_core::spec::v4_pro;

/// Frames of a step at 60 a second.
const MOMENTS: usize = 72;
/// Derivations that are timed.
const DERIVATIONS: usize = 21;

/// Median and the value that nineteen of twenty stay below.
fn told(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN);
    (at(0.5), at(0.95))
}

fn timed_us(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let spec = v4_pro();
    let loads: [(&str, &[(Key, &str)]); 5] = [
        ("default", &[]),
        ("batch 64", &[(Key::Batch, "64")]),
        ("batch 1024", &[(Key::Batch, "1024")]),
        ("hash, batch 64", &[(Key::Batch, "64"), (Key::Router, "hash")]),
        ("engine, batch 64", &[(Key::Batch, "64"), (Key::Router, "engine")]),
    ];
    println!(
        "{:38} {:>8} {:>9} {:>9} {:>6}",
        "scene, median and p95 in µs", "derived", "frame", "p95", "marks"
    );
    for scene in
        SceneId::ALL.iter().filter(|scene| wanted.is_empty() || wanted.iter().any(|w| w == scene.name()))
    {
        for (name, choices) in loads {
            let mut scenario = Scenario::default();
            if choices.iter().any(|(key, text)| scenario.choose_text(*key, text).is_err()) {
                continue;
            }
            let settings = scenario.resolve(Ledger::Tutorial);
            let report = report(Ledger::Tutorial, &scenario, &spec);
            let facts = Facts { report: &report, settings: &settings, spec: &spec };
            let derive = || drop(black_box(scene.derive(facts)));
            let (derived, _) = told((0..DERIVATIONS).map(|_| timed_us(derive)).collect());
            let derived_scene = scene.derive(facts);
            for layout in [Layout::Wide, Layout::Narrow] {
                let look = Look { layout, language: Language::Chinese, base: ByteBase::Binary };
                let moments = (0..scene.steps().len()).flat_map(|step| {
                    (1..MOMENTS).map(move |part| Moment { step, t: part as f64 / MOMENTS as f64 })
                });
                let mut before = derived_scene.frame(Moment { step: 0, t: 0.0 }, look);
                let (mut frames, mut changes) = (Vec::new(), Vec::new());
                for moment in moments {
                    let start = Instant::now();
                    let drawing = black_box(derived_scene.frame(moment, look));
                    frames.push(start.elapsed().as_secs_f64() * 1e6);
                    changes
                        .push(drawing.marks.iter().zip(&before.marks).filter(|(a, b)| a != b).count() as f64);
                    before = drawing;
                }
                let ((frame, slowest), (changed, most)) = (told(frames), told(changes));
                let (what, marks) = (format!("{}, {name}, {layout:?}", scene.name()), before.marks.len());
                println!(
                    "{what:38} {derived:>8.0} {frame:>9.1} {slowest:>9.1} {marks:>6} {changed:>8} {most:>6}"
                );
            }
        }
    }
}
