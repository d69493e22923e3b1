//! How a figure comes about: its formula, what the other ledgers say of the same thing under the same load and plan, and
//! why they differ, step by step.

mod words;

use crate::basis::Basis;
use crate::figure::{Figure, Ledger, Report, Unit, Value};
use crate::format::{self, ByteBase, Shown};
use crate::formula::{Formula, Math};
use crate::ledger::{Cause, Topic, Walk, report, walk, with_load_of};
use crate::scene::Look;

/// All that there is to say of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The figure itself.
    pub figure: Figure,
    /// Its formula in symbols, then with the values put in; nothing where the value is given.
    pub formula: Vec<FormulaRow>,
    /// The two other ledgers.
    pub others: Vec<OtherLedger>,
}

/// A formula in one of its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaRow {
    /// As text.
    pub text: String,
    /// As mathematics.
    pub math: Math,
}

/// What another ledger says, load and plan being those of the figure's own.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherLedger {
    /// Which one.
    pub ledger: Ledger,
    /// Its figure of the same thing, where it has one.
    pub figure: Option<Figure>,
    /// From the figure to this ledger's number, where the differences are known one by one.
    pub walk: Option<Steps>,
}

/// A walk in words. Start, amounts and end add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The figure's own number, in base units.
    pub start: f64,
    /// The differences; none where both ledgers say the same.
    pub steps: Vec<Step>,
    /// The other ledger's number, in base units.
    pub end: f64,
    /// The end as shown.
    pub shown: Shown,
    /// What all of them count in.
    pub unit: Unit,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Why.
    pub cause: Cause,
    /// The same in words.
    pub words: String,
    /// What it adds, in base units; below nothing where it takes away.
    pub amount: f64,
    /// The amount as shown, with its sign.
    pub shown: Shown,
    /// Where the walk stands after it, in base units.
    pub after: f64,
}

/// Says how a figure of the ledger in use comes about; `None` where that ledger has no such figure.
///
/// ```
/// use model_core::basis::Basis;
/// use model_core::figure::Ledger;
/// use model_core::format::ByteBase;
/// use model_core::language::Language;
/// use model_core::scenario::Scenario;
/// use model_core::scene::{Layout, Look};
/// let (scenario, spec) = (Scenario::default(), model_core::spec::v4_pro());
/// let settings = scenario.resolve(Ledger::Report);
/// let report = model_core::ledger::report(Ledger::Report, &scenario, &spec);
/// let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
/// let look = Look { layout: Layout::Wide, language: Language::English, base: ByteBase::Decimal };
/// let derivation = model_core::derivation::of("weights.bytes_per_gpu", basis, look).unwrap();
/// assert_eq!(derivation.formula[1].text, "865.0 GB / 8");
/// let exact = derivation.others.iter().find(|other| other.ledger == Ledger::Exact).unwrap();
/// let walk = exact.walk.as_ref().unwrap();
/// assert_eq!((walk.start, walk.end), (108_125_000_000.0, 112_628_793_548.0));
/// assert_eq!(walk.steps[0].words, "The published size, rounded, against the sum of the tensors");
/// ```
#[must_use]
pub fn of(id: &str, basis: Basis, look: Look) -> Option<Derivation> {
    let figure = basis.report.get(id)?.clone();
    let own = basis.ledger();
    let topic = topic(basis.report, id).filter(|topic| topic.number(basis.report) == figure.value.number());
    // What the figure's own ledger takes for load and plan, the others take too.
    let load = with_load_of(own, basis.scenario);
    let others = Ledger::ALL.into_iter().filter(|ledger| *ledger != own).map(|ledger| {
        let there = report(ledger, &load, basis.spec);
        let id = topic.map_or(Some(figure.id), |topic| figure_of(topic, &there));
        let walk = topic.and_then(|topic| walk(topic, own, ledger, basis.scenario, basis.spec));
        OtherLedger {
            ledger,
            figure: id.and_then(|id| there.get(id)).cloned(),
            walk: walk.map(|walk| steps(&walk, look)),
        }
    });
    Some(Derivation { formula: rows(&figure.formula, look.base), others: others.collect(), figure })
}

/// What is walked from a ledger's figure to the others', if anything is.
#[must_use]
pub fn topic(report: &Report, id: &str) -> Option<Topic> {
    Topic::ALL.into_iter().find(|topic| figure_of(*topic, report) == Some(id))
}

/// The figure that a ledger's number for a topic is: of a step that is not known, its floor.
fn figure_of(topic: Topic, report: &Report) -> Option<&'static str> {
    let id = topic.figure(report.ledger)?;
    let floor = topic == Topic::DecodeStep && report.number(id).is_none();
    if floor { Topic::DecodeFloor.figure(report.ledger) } else { Some(id) }
}

fn rows(formula: &Formula, base: ByteBase) -> Vec<FormulaRow> {
    let row = |text: String, math: Option<Math>| Some(FormulaRow { text, math: math? });
    [row(formula.symbolic(), formula.mathml_symbolic()), row(formula.substituted(base), formula.mathml(base))]
        .into_iter()
        .flatten()
        .collect()
}

fn steps(walk: &Walk, look: Look) -> Steps {
    let unit = walk.topic.unit();
    let show = |number: f64| format::value(&Value::Number(number), unit, look.base);
    let step = |one: &crate::ledger::Difference| {
        let mut shown = show(one.amount);
        if one.amount > 0.0 {
            shown.number.insert(0, '+');
        }
        Step {
            cause: one.cause,
            words: words::cause(one.cause, look),
            amount: one.amount,
            shown,
            after: one.after,
        }
    };
    Steps {
        start: walk.start,
        steps: walk.differences.iter().map(step).collect(),
        end: walk.end,
        shown: show(walk.end),
        unit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::scenario::{Key, Scenario};
    use crate::scene::Layout;
    use crate::spec;

    const SCENARIOS: [&[(Key, &str)]; 4] = [
        &[],
        &[(Key::Context, "1M"), (Key::Batch, "32"), (Key::LatencyUsPerLayer, "150")],
        &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Mtp, "true"), (Key::Dtypes, "reference")],
        &[(Key::Model, "v4-flash"), (Key::Pp, "2"), (Key::PageRounding, "true"), (Key::Batch, "100")],
    ];

    /// Everything that a ledger has to say of a scenario.
    fn all(ledger: Ledger, choices: &[(Key, &str)], language: Language) -> Vec<Derivation> {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        let settings = scenario.resolve(ledger);
        let spec = spec::of(settings.model);
        let report = report(ledger, &scenario, &spec);
        let basis = Basis { scenario: &scenario, report: &report, settings: &settings, spec: &spec };
        let look = Look { layout: Layout::Wide, language, base: ByteBase::Binary };
        let ids = report.figures().iter().map(|figure| figure.id);
        ids.map(|id| of(id, basis, look).unwrap()).collect()
    }

    #[test]
    fn walks_lead_from_the_figure_to_the_other_ledgers() {
        for choices in SCENARIOS {
            for ledger in Ledger::ALL {
                for derivation in all(ledger, choices, Language::Chinese) {
                    let figure = &derivation.figure;
                    assert_eq!(derivation.others.len(), 2);
                    assert_eq!(
                        derivation.formula.len(),
                        if figure.formula.template.is_empty() { 0 } else { 2 }
                    );
                    for other in &derivation.others {
                        let at = format!("{} of {} to {}", figure.id, ledger.name(), other.ledger.name());
                        assert!(
                            other.figure.as_ref().is_none_or(|there| there.ledger == other.ledger),
                            "{at}"
                        );
                        let Some(walk) = &other.walk else { continue };
                        assert_eq!(Some(walk.start), figure.value.number(), "{at}");
                        let sum: f64 = walk.steps.iter().map(|step| step.amount).sum();
                        assert!((walk.start + sum - walk.end).abs() <= 1e-12 * walk.end.abs(), "{at}");
                        assert!(walk.steps.iter().all(|step| step.cause != Cause::Unexplained), "{at}");
                        match &other.figure {
                            Some(there) => assert_eq!(Some(walk.end), there.value.number(), "{at}"),
                            // Of its weights the tutorial names parts and no sum.
                            None => assert_eq!(other.ledger, Ledger::Tutorial, "{at}"),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn these_figures_can_be_walked() {
        let walked = |ledger, choices| -> Vec<&'static str> {
            let all = all(ledger, choices, Language::English).into_iter();
            all.filter(|one| one.others.iter().any(|other| other.walk.is_some()))
                .map(|one| one.figure.id)
                .collect()
        };
        assert_eq!(
            walked(Ledger::Tutorial, SCENARIOS[0]),
            [
                "cache.request.bytes",
                "cache.batch.bytes_per_gpu",
                "memory.partial.bytes_per_gpu",
                "moe.distinct_experts"
            ]
        );
        let mut report = walked(Ledger::Report, SCENARIOS[0]);
        report.sort_unstable();
        let mut exact = walked(Ledger::Exact, &[(Key::LatencyUsPerLayer, "150")]);
        exact.sort_unstable();
        let both = [
            "cache.batch.bytes_per_gpu",
            "cache.request.bytes",
            "decode.floor_s",
            "decode.step_s",
            "memory.bytes_per_gpu",
            "moe.distinct_experts",
            "weights.bytes_per_gpu",
        ];
        assert_eq!((report.as_slice(), exact.as_slice()), (&both[..], &both[..]));
        // Where no step is known, it has no number to walk from.
        assert!(!walked(Ledger::Exact, SCENARIOS[0]).contains(&"decode.step_s"));
    }

    #[test]
    fn causes_have_words_of_their_own_in_both_languages() {
        for language in [Language::Chinese, Language::English] {
            for choices in SCENARIOS {
                for derivation in all(Ledger::Report, choices, language) {
                    for walk in derivation.others.iter().filter_map(|other| other.walk.as_ref()) {
                        let mut words: Vec<&str> =
                            walk.steps.iter().map(|step| step.words.as_str()).collect();
                        assert!(words.iter().all(|words| !words.is_empty() && !words.contains('{')));
                        words.sort_unstable();
                        words.dedup();
                        assert_eq!(words.len(), walk.steps.len(), "{words:?}");
                        assert!(walk.steps.iter().all(|step| step.shown.number.starts_with(['+', '−'])));
                    }
                }
            }
        }
    }
}
