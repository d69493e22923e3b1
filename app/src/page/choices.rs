//! What the reader turns: values, ledgers and models. What cannot be is refused, told, and changes nothing.

use leptos::prelude::*;
use model_core::figure::Ledger;
use model_core::plan;
use model_core::reality::Take;
use model_core::scenario::{Key, Refusal, Scenario};
use model_core::spec::{self, ModelSpec};

use super::Page;

impl Page {
    /// Chooses several numbers that belong together; none is taken if one is refused.
    pub(crate) fn choose_numbers(self, choices: &[(Key, f64)]) {
        let Some((first, _)) = choices.first() else { return };
        self.choose(*first, |scenario| {
            choices.iter().try_for_each(|(key, number)| scenario.choose_number(*key, *number))
        });
    }

    /// Chooses a value by number; a refusal is told beside the control.
    pub(crate) fn choose_number(self, key: Key, number: f64) {
        self.choose(key, |scenario| scenario.choose_number(key, number));
    }

    /// Chooses a value by text; a refusal is told beside the control.
    pub(crate) fn choose_text(self, key: Key, text: &str) {
        self.choose(key, |scenario| scenario.choose_text(key, text));
    }

    /// Takes what the workbench makes of the scenario; a plan that does not allow it is told.
    pub(crate) fn bend(self, key: Key, make: impl FnOnce(Ledger, &Scenario, &ModelSpec) -> Scenario) {
        let ledger = self.ledger.get_untracked();
        self.choose(key, |scenario| {
            *scenario = self.spec.with_untracked(|spec| make(ledger, scenario, spec));
            Ok(())
        });
    }

    fn choose(self, key: Key, change: impl FnOnce(&mut Scenario) -> Result<(), Refusal>) {
        let mut next = self.scenario.get_untracked();
        let refusal = match change(&mut next) {
            Ok(()) => {
                let ledger = self.ledger.get_untracked();
                // A built-in model that is chosen takes the place of the reader's own.
                if key == Key::Model {
                    self.own_model.set(None);
                }
                let cut = self.spec.with_untracked(|spec| plan::check(ledger, &next, spec).err());
                if cut.is_none() {
                    self.scenario.set(next);
                }
                cut
            }
            Err(refusal) => Some(refusal),
        };
        self.refusals.update(|all| {
            all.retain(|known| known.key != key.name());
            all.extend(refusal);
        });
    }

    /// Takes over what stands ready, all of it; where the model cannot be cut so, that is told and nothing changes.
    pub(crate) fn take_over(self, take: &Take) {
        let ledger = self.ledger.get_untracked();
        let next = take.applied(&self.scenario.get_untracked());
        let names_model = take.choices.iter().any(|(key, _)| *key == Key::Model);
        let spec = if names_model { spec::of(next.resolve(ledger).model) } else { self.spec.get_untracked() };
        let cut = plan::check(ledger, &next, &spec).err();
        if cut.is_none() {
            // A built-in model that is named takes the place of the reader's own.
            if names_model {
                self.own_model.set(None);
            }
            self.scenario.set(next);
        }
        self.refusals.set(cut.into_iter().collect());
    }

    /// Takes another ledger. Its defaults may differ, so a plan that was legal may no longer be: that is told and dropped.
    pub(crate) fn use_ledger(self, ledger: Ledger) {
        let mut scenario = self.scenario.get_untracked();
        let dropped = self.spec.with_untracked(|spec| plan::drop_impossible(ledger, &mut scenario, spec));
        self.scenario.set(scenario);
        self.ledger.set(ledger);
        self.refusals.set(dropped.into_iter().collect());
    }

    /// Goes back from the reader's own model to the scenario's; a plan that this one does not allow is told and dropped.
    pub(crate) fn leave_own_model(self) {
        self.own_model.set(None);
        self.use_ledger(self.ledger.get_untracked());
    }
}
