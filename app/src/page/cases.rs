//! Scenarios taken as a whole: named ones, and those that stand beside the reader's.

use leptos::prelude::*;
use model_core::compare::Pair;
use model_core::link::{Compared, Link, MOST_COMPARED};

use super::Page;

impl Page {
    /// Takes a named case: its scenario, ledger and unit, and leaves the reader where he is.
    pub(crate) fn take_case(self, query: &str) {
        let (link, refusals) = Link::read(query);
        self.scenario.set(link.scenario);
        self.ledger.set(link.ledger);
        self.base.set(link.base);
        self.refusals.set(refusals);
    }

    /// Whether a link carries the reader's scenario, its model too: only then can it stand beside another one.
    pub(crate) fn link_carries(self) -> bool {
        self.own_model.with(Option::is_none)
    }

    /// Whether it can be put beside those that are.
    pub(crate) fn can_pin(self) -> bool {
        self.link_carries() && self.compared.with(|all| all.len() < MOST_COMPARED)
    }

    /// Puts the scenario as it is beside the one that is turned on, after those that stand there.
    pub(crate) fn pin(self) {
        if untrack(|| self.can_pin()) {
            self.compared.update(|all| all.push(self.present()));
        }
    }

    /// Takes one away from beside the scenario.
    pub(crate) fn unpin(self, place: usize) {
        self.compared.update(|all| {
            if place < all.len() {
                all.remove(place);
            }
        });
    }

    /// The scenario and one beside it change places.
    pub(crate) fn swap(self, place: usize) {
        if !untrack(|| self.link_carries()) {
            return;
        }
        let Some(taken) = self.compared.with_untracked(|all| all.get(place).cloned()) else { return };
        let present = self.present();
        self.compared.update(|all| {
            if let Some(left) = all.get_mut(place) {
                *left = present;
            }
        });
        self.scenario.set(taken.scenario);
        self.ledger.set(taken.ledger);
        self.refusals.set(Vec::new());
    }

    /// Takes the two scenarios of a pair in place of all that are there.
    pub(crate) fn take_pair(self, pair: &Pair) {
        self.take_case(&pair.query());
        self.own_model.set(None);
        let [first, _] = pair.compared();
        self.compared.set(vec![first]);
    }

    /// The scenario as it can stand beside another.
    fn present(self) -> Compared {
        Compared::new(&self.scenario.get_untracked(), self.ledger.get_untracked(), self.base.get_untracked())
    }
}
