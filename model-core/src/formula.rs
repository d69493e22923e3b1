//! Formulas that can be read, filled in and checked: the derivation a reader sees is the one that is tested.
//!
//! A template is ordinary arithmetic with its symbols in braces, such as `2 × ({G} − 1) / {G} × {M}`. It knows
//! `+ − × / ^`, parentheses, and `floor`, `ceil`, `min` and `max`. Templates are parsed only when somebody looks.

use crate::figure::Unit;
use crate::format::{self, ByteBase};

/// A symbol's value in a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The symbol as written in the template.
    pub symbol: &'static str,
    /// Its value in base units.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
}

/// A formula with the values put in.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Arithmetic with symbols in braces; empty where the value is given, not derived.
    pub template: &'static str,
    /// The values of the symbols.
    pub inputs: Vec<Input>,
}

/// Builds a [`Formula`]: `formula!("{B} × {r}", B = batch, r = row_bytes => Bytes)`; plain counts need no unit.
#[macro_export]
macro_rules! formula {
    ($template:literal $(, $symbol:ident = $value:expr $(=> $unit:ident)?)* $(,)?) => {
        $crate::formula::Formula {
            template: $template,
            inputs: vec![$($crate::formula::Input {
                symbol: stringify!($symbol),
                value: $value,
                unit: $crate::formula!(@unit $($unit)?),
            }),*],
        }
    };
    (@unit) => { $crate::figure::Unit::Count };
    (@unit $unit:ident) => { $crate::figure::Unit::$unit };
}

impl Formula {
    /// No formula: the value is given, or a word, or absent.
    pub const GIVEN: Self = Self { template: "", inputs: Vec::new() };

    /// The formula in symbols, for example `B × r`.
    #[must_use]
    pub fn symbolic(&self) -> String {
        self.template.replace(['{', '}'], "")
    }

    /// The formula with the values put in, for example `8 × 333.2 MiB`.
    #[must_use]
    pub fn substituted(&self, base: ByteBase) -> String {
        let mut text = String::with_capacity(self.template.len() * 2);
        let mut rest = self.template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (symbol, tail) = after.split_once('}').unwrap_or((after, ""));
            match self.inputs.iter().find(|input| input.symbol == symbol) {
                Some(Input { value, unit, .. }) => {
                    let shown = format::value(&crate::figure::Value::Number(*value), *unit, base);
                    let shown = shown.to_string();
                    // Two signs never meet: 2 + (−1).
                    if shown.starts_with('−') && text.ends_with(' ') {
                        text.extend(["(", &shown, ")"]);
                    } else {
                        text.push_str(&shown);
                    }
                }
                None => text.push_str(symbol),
            }
            rest = tail;
        }
        text.push_str(rest);
        text
    }

    /// What the formula comes to, or `None` where it is empty or not well formed.
    #[must_use]
    pub fn evaluate(&self) -> Option<f64> {
        let mut reader = Reader { formula: self, rest: self.template };
        let value = reader.sum()?;
        reader.skip_spaces();
        reader.rest.is_empty().then_some(value)
    }
}

/// A recursive-descent reader over the template's text.
struct Reader<'a> {
    formula: &'a Formula,
    rest: &'a str,
}

impl Reader<'_> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        self.rest.strip_prefix(sign).map(|rest| self.rest = rest).is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value += self.product()?;
            } else if self.take("−") {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.power()?;
        loop {
            if self.take("×") {
                value *= self.power()?;
            } else if self.take("/") {
                value /= self.power()?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        if self.take("^") { Some(base.powf(self.power()?)) } else { Some(base) }
    }

    fn atom(&mut self) -> Option<f64> {
        if self.take("−") {
            return Some(-self.atom()?);
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        for name in ["floor", "ceil", "min", "max"] {
            if self.take(name) {
                return self.call(name);
            }
        }
        if self.take("{") {
            let (symbol, rest) = self.rest.split_once('}')?;
            self.rest = rest;
            return self.formula.inputs.iter().find(|input| input.symbol == symbol).map(|input| input.value);
        }
        self.skip_spaces();
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        digits.parse().ok()
    }

    fn call(&mut self, name: &str) -> Option<f64> {
        if !self.take("(") {
            return None;
        }
        let first = self.sum()?;
        let value = match name {
            "floor" => first.floor(),
            "ceil" => first.ceil(),
            _ => {
                let second = if self.take(",") { self.sum()? } else { return None };
                if name == "min" { first.min(second) } else { first.max(second) }
            }
        };
        self.take(")").then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_follows_its_precedence() {
        let cases = [
            ("1 + 2 × 3", Some(7.0)),
            ("2 × (8 − 1) / 8 × 16", Some(28.0)),
            ("2 ^ 3 ^ 2", Some(512.0)),
            ("floor(7 / 2) + ceil(7 / 2)", Some(7.0)),
            ("min(3, 4) − max(3, 4)", Some(-1.0)),
            ("−2 + 3", Some(1.0)),
            ("", None),
            ("1 +", None),
            ("floor(1", None),
            ("{unknown}", None),
            ("1 2", None),
        ];
        for (template, value) in cases {
            assert_eq!(Formula { template, inputs: vec![] }.evaluate(), value, "{template}");
        }
    }

    #[test]
    fn values_stand_where_symbols_stood() {
        let formula = formula!("{B} × {r}", B = 8.0, r = 1024.0 => Bytes);
        assert_eq!(formula.symbolic(), "B × r");
        assert_eq!(formula.substituted(ByteBase::Binary), "8 × 1.000 KiB");
        assert_eq!(formula.evaluate(), Some(8192.0));
        let signs = formula!("{a} + {b} − ({c})", a = -1.0, b = -2.0, c = -3.0);
        assert_eq!(signs.substituted(ByteBase::Binary), "−1 + (−2) − (−3)");
    }
}
