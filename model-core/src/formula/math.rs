//! Formulas as presentation MathML: plain data, of which a page makes nodes one by one.

use super::Input;
use super::tree::{Function, Term};
use crate::figure::Value;
use crate::format::{self, ByteBase};

/// An element of MathML. One that has text has no children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Math {
    /// The element's name, such as `mfrac`; the outermost is `math`.
    pub tag: &'static str,
    /// Its text; empty where it has children.
    pub text: String,
    /// Its children in their order: of a fraction the upper and the lower part, of a power base and exponent.
    pub children: Vec<Math>,
}

/// Values for the symbols, and how bytes are shown; none where the symbols themselves stand.
type Values<'a> = Option<(&'a [Input], ByteBase)>;

impl Math {
    fn leaf(tag: &'static str, text: impl Into<String>) -> Self {
        Self { tag, text: text.into(), children: Vec::new() }
    }

    fn of(tag: &'static str, children: Vec<Self>) -> Self {
        Self { tag, text: String::new(), children }
    }

    fn sign(sign: &'static str) -> Self {
        Self::leaf("mo", sign)
    }

    /// A row; of one alone that one.
    fn row(mut children: Vec<Self>) -> Self {
        match (children.len(), children.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                children.extend(last);
                Self::of("mrow", children)
            }
        }
    }

    fn between(open: &'static str, inner: Self, close: &'static str) -> Self {
        Self::row(vec![Self::sign(open), inner, Self::sign(close)])
    }

    /// In parentheses where it begins with a sign, so that two never meet.
    fn guarded(self) -> Self {
        let mut first = &self;
        while let Some(inner) = first.children.first() {
            first = inner;
        }
        if first.tag == "mo" && first.text == "−" { Self::between("(", self, ")") } else { self }
    }
}

/// The whole formula.
pub(super) fn set(term: &Term, values: Values) -> Option<Math> {
    Some(Math::of("math", vec![part(term, values)?]))
}

fn part(term: &Term, values: Values) -> Option<Math> {
    Some(match term {
        Term::Number(digits) => Math::leaf("mn", *digits),
        Term::Symbol(name) => match values {
            None => identifier(name),
            Some((inputs, base)) => value(inputs.iter().find(|input| input.symbol == *name)?, base),
        },
        Term::Negative(term) => Math::row(vec![Math::sign("−"), part(term, values)?]),
        Term::Group(term) => Math::between("(", part(term, values)?, ")"),
        Term::Sum(terms) => {
            let mut row = Vec::with_capacity(2 * terms.len());
            for (minus, term) in terms {
                let term = part(term, values)?;
                if row.is_empty() {
                    row.push(term);
                } else {
                    row.extend([Math::sign(if *minus { "−" } else { "+" }), term.guarded()]);
                }
            }
            Math::row(row)
        }
        Term::Product(terms) => product(terms, values)?,
        Term::Power(both) => {
            let [base, exponent] = &**both;
            Math::of("msup", vec![part(base, values)?.guarded(), bare(exponent, values)?])
        }
        Term::Call(function, terms) => call(*function, terms, values)?,
    })
}

/// Without the parentheses that a bar, a place or brackets of its own make needless.
fn bare(term: &Term, values: Values) -> Option<Math> {
    match term {
        Term::Group(inner) => part(inner, values),
        term => part(term, values),
    }
}

/// Factors one after the other; what is divided stands over the divisors that follow it.
fn product(terms: &[(bool, Term)], values: Values) -> Option<Math> {
    let (mut whole, mut rest): (Vec<Math>, _) = (Vec::new(), terms);
    while !rest.is_empty() {
        let upper = rest.iter().take_while(|(divides, _)| !divides).count();
        let lower = rest.iter().skip(upper).take_while(|(divides, _)| *divides).count();
        let (above, after) = rest.split_at_checked(upper)?;
        let (below, after) = after.split_at_checked(lower)?;
        rest = after;
        if below.is_empty() {
            for (_, factor) in above {
                times(&mut whole, part(factor, values)?);
            }
        } else {
            times(&mut whole, Math::of("mfrac", vec![factors(above, values)?, factors(below, values)?]));
        }
    }
    Some(Math::row(whole))
}

/// What stands over a bar or under it.
fn factors(terms: &[(bool, Term)], values: Values) -> Option<Math> {
    if let [(_, only)] = terms {
        return bare(only, values);
    }
    let mut row = Vec::with_capacity(2 * terms.len());
    for (_, factor) in terms {
        times(&mut row, part(factor, values)?);
    }
    Some(Math::row(row))
}

fn times(row: &mut Vec<Math>, factor: Math) {
    if row.is_empty() {
        row.push(factor);
    } else {
        row.extend([Math::sign("×"), factor.guarded()]);
    }
}

fn call(function: Function, terms: &[Term], values: Values) -> Option<Math> {
    let mut inner = Vec::with_capacity(2 * terms.len());
    for term in terms {
        if !inner.is_empty() {
            inner.push(Math::sign(","));
        }
        inner.push(part(term, values)?);
    }
    let inner = Math::row(inner);
    Some(match function {
        Function::Floor => Math::between("⌊", inner, "⌋"),
        Function::Ceil => Math::between("⌈", inner, "⌉"),
        // The sign between is that of a function applied, which is not seen.
        Function::Min | Function::Max => Math::row(vec![
            Math::leaf("mi", function.name()),
            Math::sign("\u{2061}"),
            Math::between("(", inner, ")"),
        ]),
    })
}

/// A symbol: what follows its underscore, or digits at its end, stand below.
fn identifier(name: &str) -> Math {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let (head, below) = name.split_once('_').unwrap_or_else(|| name.split_at(letters.len()));
    let head = Math::leaf("mi", head);
    if below.is_empty() {
        return head;
    }
    let number = below.bytes().all(|byte| byte.is_ascii_digit());
    Math::of("msub", vec![head, Math::leaf(if number { "mn" } else { "mi" }, below)])
}

/// A value with its unit.
fn value(input: &Input, base: ByteBase) -> Math {
    let shown = format::value(&Value::Number(input.value), input.unit, base);
    let mut row = Vec::new();
    match shown.number.strip_prefix('−') {
        Some(size) => row.extend([Math::sign("−"), Math::leaf("mn", size)]),
        None => row.push(Math::leaf("mn", shown.number)),
    }
    if !shown.unit.is_empty() {
        row.push(Math::leaf("mtext", format!("\u{a0}{}", shown.unit)));
    }
    Math::row(row)
}
