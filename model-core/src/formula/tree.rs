//! A template as a tree, and what it comes to.

use super::Input;

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// Digits as written.
    Number(&'static str),
    /// A symbol by its name.
    Symbol(&'static str),
    /// With a minus before it.
    Negative(Box<Term>),
    /// In parentheses.
    Group(Box<Term>),
    /// Terms from left to right; the marked ones are taken away.
    Sum(Vec<(bool, Term)>),
    /// Factors from left to right; the marked ones divide.
    Product(Vec<(bool, Term)>),
    /// A base and its exponent.
    Power(Box<[Term; 2]>),
    /// A function of one term or two.
    Call(Function, Vec<Term>),
}

/// A function that templates know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Floor,
    Ceil,
    Min,
    Max,
}

impl Function {
    const ALL: [Self; 4] = [Self::Floor, Self::Ceil, Self::Min, Self::Max];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl Term {
    /// What it comes to, with values for the symbols.
    pub(super) fn evaluate(&self, inputs: &[Input]) -> Option<f64> {
        let value = |term: &Self| term.evaluate(inputs);
        Some(match self {
            Self::Number(digits) => digits.parse().ok()?,
            Self::Symbol(name) => inputs.iter().find(|input| input.symbol == *name)?.value,
            Self::Negative(term) => -value(term)?,
            Self::Group(term) => value(term)?,
            Self::Sum(terms) => fold(terms, value, |sum, term| sum + term, |sum, term| sum - term)?,
            Self::Product(terms) => fold(terms, value, |all, term| all * term, |all, term| all / term)?,
            Self::Power(both) => {
                let [base, exponent] = &**both;
                value(base)?.powf(value(exponent)?)
            }
            Self::Call(function, terms) => match (function, terms.as_slice()) {
                (Function::Floor, [term]) => value(term)?.floor(),
                (Function::Ceil, [term]) => value(term)?.ceil(),
                (Function::Min, [one, other]) => value(one)?.min(value(other)?),
                (Function::Max, [one, other]) => value(one)?.max(value(other)?),
                _ => return None,
            },
        })
    }
}

fn fold(
    terms: &[(bool, Term)],
    value: impl Fn(&Term) -> Option<f64>,
    plain: fn(f64, f64) -> f64,
    marked: fn(f64, f64) -> f64,
) -> Option<f64> {
    let ((_, first), rest) = terms.split_first()?;
    rest.iter().try_fold(value(first)?, |sum, (mark, term)| {
        let by = if *mark { marked } else { plain };
        Some(by(sum, value(term)?))
    })
}

/// Reads a template; `None` where it is not well formed.
pub(super) fn read(template: &'static str) -> Option<Term> {
    let mut reader = Reader { rest: template };
    let term = reader.sum()?;
    reader.skip_spaces();
    reader.rest.is_empty().then_some(term)
}

/// A recursive-descent reader over the template's text.
struct Reader {
    rest: &'static str,
}

impl Reader {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        self.rest.strip_prefix(sign).map(|rest| self.rest = rest).is_some()
    }

    fn sum(&mut self) -> Option<Term> {
        self.chain(["+", "−"], Self::product, Term::Sum)
    }

    fn product(&mut self) -> Option<Term> {
        self.chain(["×", "/"], Self::power, Term::Product)
    }

    /// Terms joined by either of two signs, or the one there is.
    fn chain(
        &mut self,
        [plain, marked]: [&str; 2],
        next: fn(&mut Self) -> Option<Term>,
        join: fn(Vec<(bool, Term)>) -> Term,
    ) -> Option<Term> {
        let first = next(self)?;
        let mut more = Vec::new();
        loop {
            if self.take(plain) {
                more.push((false, next(self)?));
            } else if self.take(marked) {
                more.push((true, next(self)?));
            } else if more.is_empty() {
                return Some(first);
            } else {
                more.insert(0, (false, first));
                return Some(join(more));
            }
        }
    }

    fn power(&mut self) -> Option<Term> {
        let base = self.atom()?;
        if self.take("^") { Some(Term::Power(Box::new([base, self.power()?]))) } else { Some(base) }
    }

    fn atom(&mut self) -> Option<Term> {
        if self.take("−") {
            return Some(Term::Negative(Box::new(self.atom()?)));
        }
        if self.take("(") {
            let inner = self.sum()?;
            return self.take(")").then(|| Term::Group(Box::new(inner)));
        }
        for function in Function::ALL {
            if self.take(function.name()) {
                return self.call(function);
            }
        }
        if self.take("{") {
            let (symbol, rest) = self.rest.split_once('}')?;
            self.rest = rest;
            return Some(Term::Symbol(symbol));
        }
        self.skip_spaces();
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        digits.starts_with(|c: char| c.is_ascii_digit()).then_some(Term::Number(digits))
    }

    fn call(&mut self, function: Function) -> Option<Term> {
        if !self.take("(") {
            return None;
        }
        let mut terms = vec![self.sum()?];
        if matches!(function, Function::Min | Function::Max) {
            if !self.take(",") {
                return None;
            }
            terms.push(self.sum()?);
        }
        self.take(")").then_some(Term::Call(function, terms))
    }
}
