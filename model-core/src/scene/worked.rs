//! Calculations that a reader steps through line by line: each line says what it works out, shows the formula with its
//! values and takes up what the lines before it came to.

use super::{Look, Text};
use crate::figure::{Unit, Value};
use crate::formula::{Formula, Input};
use crate::words::fill;

/// One line of a calculation.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What the line works out, in a short sentence.
    pub text: String,
    /// How; empty where the value is absent or simply given.
    pub formula: Formula,
    /// What it comes to, in base units; absent where the scenario has no such value.
    pub value: Value,
    /// Its unit.
    pub unit: Unit,
    /// The figure of the report that says the same, where there is one.
    pub figure: Option<&'static str>,
}

/// A calculation.
#[derive(Clone, Debug, PartialEq)]
pub struct Worked {
    /// What it is about.
    pub title: String,
    /// Its lines, each of which may use the ones before it.
    pub lines: Vec<Line>,
}

impl Worked {
    /// What the last line comes to; not a number where it is absent.
    #[must_use]
    pub fn result(&self) -> f64 {
        self.lines.last().and_then(|line| line.value.number()).unwrap_or(f64::NAN)
    }
}

/// A calculation being written down.
pub(super) struct Sheet {
    look: Look,
    worked: Worked,
}

impl Sheet {
    /// An empty one.
    pub(super) fn new(look: Look, title: Text) -> Self {
        Self { look, worked: Worked { title: look.say(title).to_owned(), lines: Vec::new() } }
    }

    /// Writes a line and gives its value back.
    pub(super) fn line(&mut self, text: Text, unit: Unit, value: f64, formula: Formula) -> f64 {
        let (value_there, formula) =
            if value.is_finite() { (Value::Number(value), formula) } else { (Value::Absent, Formula::GIVEN) };
        let text = self.look.say(text).to_owned();
        self.worked.lines.push(Line { text, formula, value: value_there, unit, figure: None });
        value
    }

    /// Puts values into the last line's sentence.
    pub(super) fn filled(&mut self, values: &[(&str, String)]) {
        if let Some(line) = self.worked.lines.last_mut() {
            line.text = fill(&line.text, values);
        }
    }

    /// Names the figure that says what the last line says, if the report has it with that very value.
    pub(super) fn is(&mut self, id: &'static str, number: Option<f64>) {
        if let (Some(line), Some(number)) = (self.worked.lines.last_mut(), number) {
            let same = line.value.number().is_some_and(|value| same(value, number));
            line.figure = same.then_some(id);
        }
    }

    /// The finished calculation.
    pub(super) fn done(self) -> Worked {
        self.worked
    }
}

/// Whether two numbers are the same but for rounding in their last digits.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

/// Most terms of a sum that is written out.
pub(super) const MOST_TERMS: usize = 16;

/// A sum of so many terms that are given; one number for all of them where they are too many to write out.
pub(super) fn sum_of(terms: &[f64], unit: Unit) -> Formula {
    const TEMPLATE: &str = "{x0} + {x1} + {x2} + {x3} + {x4} + {x5} + {x6} + {x7} + {x8} + {x9} + {x10} + {x11} + \
                            {x12} + {x13} + {x14} + {x15}";
    const SYMBOLS: [&str; MOST_TERMS] = [
        "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
    ];
    written_out(TEMPLATE, &SYMBOLS, terms, 1, unit)
}

/// A sum of products of two factors each.
pub(super) fn products_of(factors: &[f64]) -> Formula {
    const TEMPLATE: &str = "{w1} × {y1} + {w2} × {y2} + {w3} × {y3} + {w4} × {y4} + {w5} × {y5} + {w6} × {y6} + \
                            {w7} × {y7} + {w8} × {y8}";
    const SYMBOLS: [&str; MOST_TERMS] =
        ["w1", "y1", "w2", "y2", "w3", "y3", "w4", "y4", "w5", "y5", "w6", "y6", "w7", "y7", "w8", "y8"];
    written_out(TEMPLATE, &SYMBOLS, factors, 2, Unit::Count)
}

/// The beginning of a template that has as many terms as there are values, `each` of them to a term.
fn written_out(
    template: &'static str,
    symbols: &[&'static str],
    values: &[f64],
    each: usize,
    unit: Unit,
) -> Formula {
    let terms = values.len() / each;
    let end = template.match_indices(" + ").map(|(at, _)| at).nth(terms.wrapping_sub(1));
    let fits = terms > 0 && values.len() <= symbols.len();
    if !fits {
        let sum = values.chunks(each).map(|term| term.iter().product::<f64>()).sum();
        return Formula { template: "{x}", inputs: vec![Input { symbol: "x", value: sum, unit }] };
    }
    let input = |(symbol, value): (&&'static str, &f64)| Input { symbol, value: *value, unit };
    Formula {
        template: end.and_then(|end| template.get(..end)).unwrap_or(template),
        inputs: symbols.iter().zip(values).map(input).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::figure::{Ledger, Report};
    use crate::format::ByteBase;
    use crate::language::Language;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};
    use crate::scene::{Facts, Layout, SceneId, inspect};
    use crate::spec::{ModelSpec, v4_flash, v4_pro};

    pub(in crate::scene) const LANGUAGES: [Language; 2] = [Language::Chinese, Language::English];

    pub(in crate::scene) const fn look(language: Language, base: ByteBase) -> Look {
        Look { layout: Layout::Wide, language, base }
    }

    /// Every sentence is there, every formula comes to its value, and its symbols all have values.
    pub(in crate::scene) fn sound(worked: &Worked, lines: core::ops::RangeInclusive<usize>, told: &str) {
        assert!(lines.contains(&worked.lines.len()), "{} lines: {told}", worked.lines.len());
        assert!(!worked.title.is_empty(), "no title: {told}");
        for line in &worked.lines {
            let all = format!("“{}”: {told}", line.text);
            assert!(!line.text.is_empty() && !line.text.contains('{'), "{all}");
            let Some(value) = line.value.number() else {
                assert_eq!(
                    (&line.value, line.formula.template, line.figure),
                    (&Value::Absent, "", None),
                    "{all}"
                );
                continue;
            };
            if line.formula.template.is_empty() {
                assert_eq!(value, 0.0, "given without a formula, {all}");
                continue;
            }
            let found = line.formula.evaluate().unwrap_or(f64::NAN);
            let close = (found - value).abs() <= 1e-9 * value.abs().max(1e-12);
            // A difference of large numbers keeps their rounding; a sum of small ones that cancel, theirs.
            let largest = line.formula.inputs.iter().map(|input| input.value.abs()).fold(0.0, f64::max);
            assert!(close || (found - value).abs() <= 1e-12 * largest, "{found} for {value}: {all}");
            for input in &line.formula.inputs {
                let symbol = format!("{{{}}}", input.symbol);
                assert!(line.formula.template.contains(&symbol), "{symbol} stands nowhere: {all}");
            }
        }
    }

    fn with_scene(
        id: SceneId,
        ledger: Ledger,
        choices: &[(Key, String)],
        spec: &ModelSpec,
        check: impl Fn(&dyn crate::scene::Scene, &Report, &str),
    ) {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let (report, settings) = (report(ledger, &scenario, spec), scenario.resolve(ledger));
        let scene = id.derive(Facts { report: &report, settings: &settings, spec });
        check(&*scene, &report, &format!("{} {ledger:?} {choices:?}", id.name()));
    }

    fn every_language(id: SceneId, ledger: Ledger, choices: &[(Key, String)], spec: &ModelSpec) {
        with_scene(id, ledger, choices, spec, |scene, report, told| {
            let mut numbers = None;
            let times = scene.durations();
            assert_eq!(times.len(), id.steps().len(), "{told}");
            for time in times {
                assert!((1.2..=6.0).contains(&time.equal_s), "{time:?} {told}");
                assert!(time.model_s.is_none_or(|s| s.is_finite() && s >= 0.0), "{time:?} {told}");
            }
            for language in LANGUAGES {
                let worked = scene.worked(look(language, ByteBase::Binary));
                sound(&worked, 4..=8, told);
                for line in &worked.lines {
                    let Some(id) = line.figure else { continue };
                    let figure = report.get(id).unwrap_or_else(|| panic!("no figure {id}: {told}"));
                    let (own, known) = (line.value.number().unwrap(), figure.value.number().unwrap());
                    assert!(same(own, known), "{own} is not {id}, {known}: {told}");
                    assert_eq!(line.unit, figure.unit, "{id}: {told}");
                }
                let own: Vec<_> = worked.lines.iter().map(|line| line.value.clone()).collect();
                assert_eq!(*numbers.get_or_insert_with(|| own.clone()), own, "languages differ: {told}");
            }
        });
    }

    const SCENARIOS: [&[(Key, &str)]; 7] = [
        &[],
        &[(Key::Batch, "1"), (Key::Context, "1"), (Key::Tp, "1")],
        &[(Key::Batch, "1024"), (Key::Context, "1048576"), (Key::Tp, "16")],
        &[(Key::Batch, "33"), (Key::Context, "100001"), (Key::Chunk, "3000"), (Key::Algorithm, "tree")],
        &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Algorithm, "in_switch"), (Key::Pp, "2")],
        &[(Key::Kernel, "indexer"), (Key::Context, "3"), (Key::Draw, "with_replacement"), (Key::Mtp, "true")],
        &[
            (Key::Kernel, "attention"),
            (Key::KvPlacement, "split"),
            (Key::PageRounding, "true"),
            (Key::Tp, "7"),
        ],
    ];

    #[test]
    fn calculations_come_to_their_figures() {
        for id in SceneId::ALL {
            for choices in SCENARIOS {
                let choices: Vec<_> = choices.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
                for ledger in Ledger::ALL {
                    for spec in [v4_pro(), v4_flash()] {
                        every_language(*id, ledger, &choices, &spec);
                    }
                }
            }
        }
    }

    #[test]
    fn odd_models_are_worked() {
        for (experts, experts_per_token) in [(1, 1), (7, 7), (1021, 64), (16_384, 6), (16_384, 16_384)] {
            let spec = ModelSpec { experts, experts_per_token, ..v4_pro() };
            for id in SceneId::ALL {
                every_language(*id, Ledger::Exact, &[(Key::Batch, "1024".to_owned())], &spec);
            }
        }
    }

    #[test]
    fn calculations_end_where_the_report_does() {
        type Named = (Ledger, &'static [&'static str]);
        let wanted: [(SceneId, &[Named]); 6] = [
            (
                SceneId::Place,
                &[
                    (
                        Ledger::Tutorial,
                        &[
                            "weights.routed.bytes_per_gpu",
                            "weights.shared.bytes_per_gpu",
                            "cache.batch.bytes_per_gpu",
                            "memory.partial.bytes_per_gpu",
                            "memory.short.bytes_per_gpu",
                        ],
                    ),
                    (
                        Ledger::Exact,
                        &[
                            "weights.routed.bytes_per_gpu",
                            "memory.bytes_per_gpu",
                            "memory.free.bytes_per_gpu",
                        ],
                    ),
                    (
                        Ledger::Report,
                        &["weights.bytes_per_gpu", "cache.batch.bytes_per_gpu", "memory.bytes_per_gpu"],
                    ),
                ],
            ),
            (
                SceneId::Prefill,
                &[(
                    Ledger::Tutorial,
                    &[
                        "cache.request.bytes",
                        "prefill.index_scores.bytes_per_gpu",
                        "prefill.index_peak.bytes_per_gpu",
                        "prefill.index_peak_chunked.bytes_per_gpu",
                    ],
                )],
            ),
            (SceneId::Kernel, &[]),
            (
                SceneId::Allreduce,
                &[(
                    Ledger::Tutorial,
                    &["allreduce.worked_sum", "allreduce.message.bytes", "allreduce.sent.bytes_per_gpu"],
                )],
            ),
            (SceneId::Experts, &[(Ledger::Report, &["moe.distinct_experts"])]),
            (SceneId::Dispatch, &[(Ledger::Tutorial, &["ep.dispatch.bytes"])]),
        ];
        for (id, ledgers) in wanted {
            for (ledger, figures) in ledgers {
                with_scene(id, *ledger, &[], &v4_pro(), |scene, _, told| {
                    let worked = scene.worked(look(Language::English, ByteBase::Binary));
                    let named: Vec<_> = worked.lines.iter().filter_map(|line| line.figure).collect();
                    assert!(figures.iter().all(|id| named.contains(id)), "{named:?}: {told}");
                });
            }
        }
    }

    #[test]
    fn the_walkthroughs_dispatch_comes_out() {
        let choices = [(Key::Batch, "32".to_owned()), (Key::CommDtype, "bf16".to_owned())];
        with_scene(SceneId::Dispatch, Ledger::Tutorial, &choices, &v4_pro(), |scene, _, _| {
            let worked = scene.worked(look(Language::Chinese, ByteBase::Binary));
            let line = worked.lines.iter().find(|line| line.figure == Some("ep.dispatch.bytes")).unwrap();
            assert_eq!(line.value, Value::Number(2688.0 * 1024.0));
        });
    }

    #[test]
    fn an_opened_projection_reads_what_the_exact_ledger_says() {
        let choices = [(Key::Kernel, "projection".to_owned())];
        with_scene(SceneId::Kernel, Ledger::Exact, &choices, &v4_pro(), |scene, _, _| {
            let worked = scene.worked(look(Language::English, ByteBase::Binary));
            let named = worked.lines.iter().find_map(|line| line.figure);
            assert_eq!(named, Some("decode.layer.csa.proj_bytes_per_gpu"));
        });
    }

    #[test]
    fn sums_take_as_many_terms_as_there_are() {
        let three = sum_of(&[2.0, 3.0, -1.0], Unit::Count);
        assert_eq!((three.symbolic().as_str(), three.evaluate()), ("x0 + x1 + x2", Some(4.0)));
        assert_eq!(three.substituted(ByteBase::Binary), "2 + 3 + (−1)");
        for count in [1, 2, 8, 15, 16, 17] {
            let ones = vec![1.0; count];
            assert_eq!(sum_of(&ones, Unit::Count).evaluate(), Some(count as f64));
            assert_eq!(products_of(&vec![2.0; 2 * count]).evaluate(), Some(4.0 * count as f64));
        }
        assert_eq!(sum_of(&[], Unit::Count).evaluate(), Some(0.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_scenario_is_worked(choices in inspect::any_load(), ledger in 0..3_usize, context in 1..=1_048_576_u64) {
            let mut choices = choices;
            choices.push((Key::Context, context.to_string()));
            for id in SceneId::ALL {
                every_language(*id, Ledger::ALL[ledger], &choices, &v4_pro());
            }
        }
    }
}
