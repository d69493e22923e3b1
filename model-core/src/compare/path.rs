//! The way from one case to another, one value at a time: the ledger first, then keys in their order. Values that can
//! only change together do so.

use super::Case;
use super::values::{Change, What};
use crate::figure::Ledger;
use crate::ledger::with_load_of;
use crate::scenario::{Key, Scenario, Setting};
use crate::spec::ModelSpec;

/// Keys that say how a model is cut: one of them alone is often illegal.
const PLAN: [Key; 6] = [Key::Gpus, Key::Tp, Key::Ep, Key::Pp, Key::GpusPerNode, Key::Layout];

/// Where the way stands after some change.
pub(super) struct Place {
    /// What changed since the place before; what only follows is not listed.
    pub(super) changes: Vec<Change>,
    /// The case there.
    pub(super) case: Case,
}

/// The places from one case to another, the last of which has the other's values in force. A place that is of no use
/// is passed over, and what leads to it belongs to the next; the last one is always there.
///
/// Load and plan stay as they are when the ledger changes, so that they get places of their own; the bookkeeping that a
/// ledger brings with it is its change.
pub(super) fn path(from: &Case, to: &Case, useful: impl Fn(&Case) -> bool) -> Vec<Place> {
    let goal = to.scenario.essential(to.ledger);
    let mut at = At {
        scenario: from.scenario.essential(from.ledger),
        ledger: from.ledger,
        own_model: from.own_model(),
    };
    let mut moves = Vec::new();
    if at.ledger != to.ledger {
        at.scenario = with_load_of(at.ledger, &at.scenario);
        moves.push(What::Ledger);
    }
    let brought = at.own_model != to.own_model();
    let differ = |key: &Key| at.scenario.chosen(*key) != goal.chosen(*key) || (brought && *key == Key::Model);
    moves.extend(Key::ALL.into_iter().filter(differ).map(What::Key));

    let mut places: Vec<Place> = Vec::new();
    // Where the stretch under way began, and what it changed so far.
    let mut begun = at.clone();
    let mut moved: Vec<What> = Vec::new();
    while !moves.is_empty() {
        // An illegal plan is first completed by the rest of the plan.
        let plan = |what: &What| matches!(what, What::Key(key) if PLAN.contains(key));
        let next = if moved.is_empty() { None } else { moves.iter().position(plan) };
        let what = moves.remove(next.unwrap_or(0));
        let before = (at.scenario.resolve(at.ledger), at.own_model);
        match what {
            What::Ledger => at.ledger = to.ledger,
            What::Key(key) => take(&mut at.scenario, key, &goal),
        }
        if what == What::Key(Key::Model) {
            at.own_model = to.own_model();
        }
        let silent = what != What::Ledger && (at.scenario.resolve(at.ledger), at.own_model) == before;
        if silent && !moves.is_empty() {
            continue;
        }
        if !silent {
            moved.push(what);
        }
        if moved.is_empty() {
            continue;
        }
        let case = at.case();
        if moves.is_empty() || useful(&case) {
            places.push(Place { changes: changes(&moved, &begun, &at), case });
            begun = at.clone();
            moved.clear();
        }
    }
    places
}

/// A point of the way.
#[derive(Clone)]
struct At<'a> {
    scenario: Scenario,
    ledger: Ledger,
    /// The reader's own model, where one stands in place of the scenario's.
    own_model: Option<&'a ModelSpec>,
}

impl At<'_> {
    fn case(&self) -> Case {
        Case::of(self.scenario.clone(), self.ledger, self.own_model.cloned())
    }
}

/// Chooses for a key what another scenario has, or nothing as that does.
fn take(scenario: &mut Scenario, key: Key, goal: &Scenario) {
    scenario.forget(key);
    let taken = match goal.chosen(key) {
        None => Ok(()),
        Some(Setting::Word(word)) => scenario.choose_text(key, word),
        Some(number) => scenario.choose_number(key, number.real()),
    };
    debug_assert!(taken.is_ok(), "a chosen value lies within its bound");
}

/// What changed between two places: of what moved that which is not as it was, and where that is nothing, whatever is in
/// force otherwise.
fn changes(moved: &[What], before: &At, after: &At) -> Vec<Change> {
    let change = |what: What| {
        let [from, to] = [before, after].map(|at| what.in_force(&at.scenario, at.ledger, at.own_model));
        (from != to).then_some(Change { what, from, to })
    };
    let listed: Vec<Change> = moved.iter().copied().filter_map(change).collect();
    if listed.is_empty() { Key::ALL.into_iter().map(What::Key).filter_map(change).collect() } else { listed }
}
