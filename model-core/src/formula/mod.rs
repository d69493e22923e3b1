//! Formulas that can be read, filled in and checked: the derivation a reader sees is the one that is tested.
//!
//! A template is ordinary arithmetic with its symbols in braces, such as `2 × ({G} − 1) / {G} × {M}`. It knows
//! `+ − × / ^`, parentheses, and `floor`, `ceil`, `min` and `max`. Templates are parsed only when somebody looks, into a
//! tree that is evaluated and set as mathematics.

mod math;
mod tree;

pub use math::Math;

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
        $crate::formula::Formula::of(
            $template,
            const { &[$((stringify!($symbol), $crate::formula!(@unit $($unit)?))),*] },
            &[$($value),*],
        )
    };
    (@unit) => { $crate::figure::Unit::Count };
    (@unit $unit:ident) => { $crate::figure::Unit::$unit };
}

impl Formula {
    /// No formula: the value is given, or a word, or absent.
    pub const GIVEN: Self = Self { template: "", inputs: Vec::new() };

    /// A template with its symbols and their units, and a value for each; [`formula!`] writes it.
    // Not copied to every figure: it would be half of what a ledger's code weighs.
    #[inline(never)]
    #[must_use]
    pub fn of(template: &'static str, symbols: &'static [(&'static str, Unit)], values: &[f64]) -> Self {
        let inputs = symbols.iter().zip(values);
        let inputs = inputs.map(|(&(symbol, unit), &value)| Input { symbol, value, unit });
        Self { template, inputs: inputs.collect() }
    }

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
        tree::read(self.template)?.evaluate(&self.inputs)
    }

    /// The formula in symbols as mathematics, or `None` where it is empty or not well formed.
    #[must_use]
    pub fn mathml_symbolic(&self) -> Option<Math> {
        math::set(&tree::read(self.template)?, None)
    }

    /// The same with the values put in.
    #[must_use]
    pub fn mathml(&self, base: ByteBase) -> Option<Math> {
        math::set(&tree::read(self.template)?, Some((&self.inputs, base)))
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
