//! Formulas as MathML: each figure's formula, in all ledgers, says there what it says as text and comes to the same.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use model_core::figure::{Figure, Ledger};
use model_core::format::ByteBase;
use model_core::formula;
use model_core::formula::{Input, Math};
use model_core::ledger::report;
use model_core::scenario::{Key, Scenario};
use model_core::spec;

/// As a browser would be given it.
fn written(math: &Math) -> String {
    let inner = math.children.iter().map(written).collect::<String>();
    format!("<{0}>{1}{inner}</{0}>", math.tag, math.text)
}

/// Leaves have text and nothing else, and rows, fractions and scripts as many children as they take.
fn well_formed(math: &Math) -> bool {
    let count = math.children.len();
    let own = match math.tag {
        "mi" | "mn" | "mo" | "mtext" => count == 0 && !math.text.is_empty(),
        "math" => count == 1 && math.text.is_empty(),
        "mrow" => count > 1 && math.text.is_empty(),
        "mfrac" | "msup" | "msub" => count == 2 && math.text.is_empty(),
        _ => false,
    };
    own && math.children.iter().all(|child| child.tag != "math" && well_formed(child))
}

/// Everything that is no sign, one after the other: a fraction's bar and an index change no order.
fn operands(math: &Math) -> String {
    let own = if math.tag == "mo" { "" } else { math.text.as_str() };
    own.to_owned() + &math.children.iter().map(operands).collect::<String>()
}

/// The same of a formula's text.
fn operands_of(text: &str) -> String {
    let plain = text.replace("floor", "").replace("ceil", "");
    plain.chars().filter(|sign| !"+−×/^(),_ \u{a0}".contains(*sign)).collect()
}

/// What the symbols' tree comes to by the rules of the notation alone.
fn value(math: &Math, inputs: &[Input]) -> f64 {
    let of = |math: &Math| value(math, inputs);
    let signs: Vec<&str> = math.children.iter().map(|child| child.text.as_str()).collect();
    let child = |index: usize| &math.children[index];
    match math.tag {
        "mn" => math.text.parse().unwrap(),
        "mi" | "msub" => {
            let name: String = operands(math);
            let named = |input: &&Input| input.symbol.replace('_', "") == name;
            inputs.iter().find(named).unwrap_or_else(|| panic!("{name}")).value
        }
        "math" => of(child(0)),
        "mfrac" => of(child(0)) / of(child(1)),
        "msup" => of(child(0)).powf(of(child(1))),
        "mrow" if signs[0] == "(" => of(child(1)),
        "mrow" if signs[0] == "⌊" => of(child(1)).floor(),
        "mrow" if signs[0] == "⌈" => of(child(1)).ceil(),
        "mrow" if signs[0] == "−" => -of(child(1)),
        "mrow" if signs.len() > 1 && signs[1] == "\u{2061}" => {
            let [_, both, _] = &child(2).children[..] else { panic!("{}", written(math)) };
            let [one, _, other] = &both.children[..] else { panic!("{}", written(math)) };
            if signs[0] == "min" { of(one).min(of(other)) } else { of(one).max(of(other)) }
        }
        "mrow" => math.children[1..].chunks(2).fold(of(child(0)), |value, pair| {
            let next = of(&pair[1]);
            match pair[0].text.as_str() {
                "+" => value + next,
                "−" => value - next,
                "×" => value * next,
                sign => panic!("{sign} in {}", written(math)),
            }
        }),
        tag => panic!("{tag}"),
    }
}

fn holds(figure: &Figure, base: ByteBase) {
    let formula = &figure.formula;
    let (symbols, values) = (formula.mathml_symbolic().unwrap(), formula.mathml(base).unwrap());
    let at = format!("{} {}: {}", figure.ledger.name(), figure.id, formula.template);
    assert!(well_formed(&symbols) && well_formed(&values), "{at}");
    let plain = |math: &Math| operands_of(&operands(math));
    assert_eq!(plain(&symbols), operands_of(&formula.symbolic()), "{at}");
    assert_eq!(plain(&values), operands_of(&formula.substituted(base)), "{at}");
    let (derived, read) = (formula.evaluate().unwrap(), value(&symbols, &formula.inputs));
    assert!((derived - read).abs() <= 1e-12 * derived.abs(), "{at}: {derived} but {read}");
}

#[test]
fn every_formula_of_the_three_ledgers_says_there_what_it_says_as_text() {
    let scenarios: [&[(Key, &str)]; 4] = [
        &[],
        &[(Key::Model, "v4-flash"), (Key::Context, "100001"), (Key::Batch, "130"), (Key::Mtp, "true")],
        &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::KvPlacement, "split")],
        &[(Key::Pp, "2"), (Key::Draw, "with_replacement"), (Key::LatencyUsPerLayer, "200")],
    ];
    let mut seen = 0;
    for choices in scenarios {
        let mut scenario = Scenario::default();
        for (key, text) in choices {
            scenario.choose_text(*key, text).unwrap();
        }
        for ledger in Ledger::ALL {
            let spec = spec::of(scenario.resolve(ledger).model);
            for figure in report(ledger, &scenario, &spec).figures() {
                if figure.formula.template.is_empty() {
                    assert_eq!(figure.formula.mathml_symbolic(), None);
                    continue;
                }
                for base in [ByteBase::Binary, ByteBase::Decimal] {
                    holds(figure, base);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn formulas_are_set_as_a_textbook_sets_them() {
    let scenario = Scenario::default();
    let mut lines = Vec::new();
    for (ledger, ids) in [
        (
            Ledger::Tutorial,
            &["allreduce.sent.bytes_per_gpu", "cache.compressed.bytes", "moe.distinct_experts"][..],
        ),
        (Ledger::Report, &["decode.layer.ep.bytes_per_gpu", "decode.moe.hbm_s"]),
        (Ledger::Exact, &["memory.free.bytes_per_gpu", "capacity.max_batch_reserved"]),
    ] {
        let report = report(ledger, &scenario, &spec::v4_pro());
        for id in ids {
            let formula = &report.get(id).unwrap().formula;
            lines.push(format!("{} {id}: {}", ledger.name(), formula.template));
            lines.push(written(&formula.mathml_symbolic().unwrap()));
            lines.push(written(&formula.mathml(ByteBase::Binary).unwrap()));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_value_below_nothing_stands_in_parentheses() {
    let signs = formula!("{a} + {b} − ({c}) × {a}", a = -1.0, b = -2.0, c = -3.0);
    let minus = |digits| format!("<mrow><mo>−</mo><mn>{digits}</mn></mrow>");
    let (one, two, three) = (minus(1), minus(2), minus(3));
    let group = |inner: &str| format!("<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>");
    assert_eq!(
        written(&signs.mathml(ByteBase::Binary).unwrap()),
        format!(
            "<math><mrow>{one}<mo>+</mo>{}<mo>−</mo><mrow>{}<mo>×</mo>{}</mrow></mrow></math>",
            group(&two),
            group(&three),
            group(&one)
        )
    );
}

#[test]
fn what_follows_a_symbols_underscore_stands_below_it() {
    let formula = formula!("{x12} + {t_hbm} + {t_0} + {TP}", x12 = 1.0, t_hbm = 1.0, t_0 = 1.0, TP = 1.0);
    let terms = [
        "<msub><mi>x</mi><mn>12</mn></msub>",
        "<msub><mi>t</mi><mi>hbm</mi></msub>",
        "<msub><mi>t</mi><mn>0</mn></msub>",
        "<mi>TP</mi>",
    ];
    let row = terms.join("<mo>+</mo>");
    assert_eq!(written(&formula.mathml_symbolic().unwrap()), format!("<math><mrow>{row}</mrow></math>"));
}

#[test]
fn what_is_not_well_formed_is_no_mathematics() {
    for template in ["", "1 +", "floor(1", "min(1)", "1 2", ".5"] {
        let formula = formula::Formula { template, inputs: vec![] };
        assert_eq!((formula.mathml_symbolic(), formula.evaluate()), (None, None), "{template}");
    }
    let unknown = formula!("{unknown}");
    assert_eq!((unknown.mathml(ByteBase::Binary), unknown.evaluate()), (None, None));
    assert!(unknown.mathml_symbolic().is_some());
}
