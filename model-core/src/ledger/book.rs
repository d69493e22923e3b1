//! The book a ledger writes its figures into. Every figure passes here: what writes them is not copied to each.

use crate::figure::{Figure, Kind, Ledger, Scope, Source, Unit, Value};
use crate::formula::Formula;

/// What a figure counts, what it speaks of, how sure it is.
pub(super) type What = (Unit, Scope, Kind);

/// Gathers the figures of one ledger.
pub(super) struct Book {
    ledger: Ledger,
    figures: Vec<Figure>,
    blank: bool,
}

impl Book {
    /// An empty book with room for so many figures.
    pub(super) fn new(ledger: Ledger, room: usize) -> Self {
        Self { ledger, figures: Vec::with_capacity(room), blank: false }
    }

    /// Whether what is written from now on has no value: its name stands, and a dash.
    pub(super) fn blank(&mut self, blank: bool) {
        self.blank = blank;
    }

    /// Everything written, in its order.
    pub(super) fn figures(self) -> Vec<Figure> {
        self.figures
    }

    /// Writes a number with its formula and gives it back; what is not finite stands as absent.
    #[inline(never)]
    pub(super) fn number(
        &mut self,
        id: &'static str,
        what: What,
        value: f64,
        formula: Formula,
        sources: &'static [Source],
    ) -> f64 {
        if value.is_finite() {
            self.value(id, what, Value::Number(value), formula, sources);
        } else {
            self.value(id, what, Value::Absent, Formula::GIVEN, sources);
        }
        value
    }

    /// Writes a number that is there only under a condition.
    #[inline(never)]
    pub(super) fn number_if(
        &mut self,
        there: bool,
        id: &'static str,
        what: What,
        value: f64,
        formula: Formula,
        sources: &'static [Source],
    ) {
        if there {
            self.number(id, what, value, formula, sources);
        } else {
            self.value(id, what, Value::Absent, Formula::GIVEN, sources);
        }
    }

    /// Writes yes or no.
    #[inline(never)]
    pub(super) fn flag(&mut self, id: &'static str, scope: Scope, holds: bool, sources: &'static [Source]) {
        self.value(id, (Unit::Flag, scope, Kind::Exact), Value::Flag(holds), Formula::GIVEN, sources);
    }

    /// Writes any value.
    #[inline(never)]
    pub(super) fn value(
        &mut self,
        id: &'static str,
        (unit, scope, kind): What,
        value: Value,
        formula: Formula,
        sources: &'static [Source],
    ) {
        let ledger = self.ledger;
        let (value, formula) = if self.blank { (Value::Absent, Formula::GIVEN) } else { (value, formula) };
        self.figures.push(Figure { id, ledger, value, unit, scope, kind, formula, sources });
    }
}
