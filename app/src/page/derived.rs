//! What follows from the reader's scenario, for the whole page or for a part of it that follows otherwise.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use model_core::basis::Basis;
use model_core::figure::{Ledger, Report};
use model_core::import::Imported;
use model_core::ledger::report;
use model_core::scenario::{Scenario, Settings};
use model_core::spec::{self, ModelSpec};

use super::Page;
use crate::followed::Followed;

/// After so long without a change the reader rests, and what is out of sight follows.
const REST_MS: u32 = 200;

/// What follows from a scenario and a ledger.
pub(super) struct Derived {
    pub settings: Followed<Memo<Settings>>,
    pub spec: Followed<Memo<ModelSpec>>,
    pub report: Followed<Memo<Report>>,
}

impl Derived {
    pub(super) fn of(
        scenario: Followed<RwSignal<Scenario>>,
        ledger: Followed<RwSignal<Ledger>>,
        own_model: Followed<RwSignal<Option<Imported>>>,
    ) -> Self {
        let settings = Followed(Memo::new(move |_| scenario.with(|scenario| scenario.resolve(ledger.get()))));
        let model = Memo::new(move |_| settings.with(|settings| settings.model));
        let spec = Followed(Memo::new(move |_| {
            let own = own_model.with(|own| own.as_ref().map(|own| own.spec.clone()));
            own.unwrap_or_else(|| spec::of(model.get()))
        }));
        let report = Followed(Memo::new(move |_| {
            spec.with(|spec| scenario.with(|scenario| report(ledger.get(), scenario, spec)))
        }));
        Self { settings, spec, report }
    }
}

impl Page {
    /// The same page for a part that need not follow while nobody sees it: out of sight, it comes once the reader rests.
    pub(crate) fn when_seen(self, in_sight: Signal<bool>) -> Self {
        let seen = Followed(RwSignal::new(self.scenario.get_untracked()));
        let ledger = Followed(RwSignal::new(self.ledger.get_untracked()));
        let rest: StoredValue<Option<Timeout>, LocalStorage> = StoredValue::new_local(None);
        let follow = move || {
            let present = self.ledger.get_untracked();
            if ledger.get_untracked() != present {
                ledger.set(present);
            }
            let scenario = self.scenario.get_untracked();
            if seen.with_untracked(|seen| *seen != scenario) {
                seen.set(scenario);
            }
        };
        Effect::new(move |first: Option<()>| {
            self.scenario.track();
            self.ledger.track();
            let in_sight = in_sight.get();
            if first.is_none() {
                return;
            }
            // A wait that is replaced is over: only the last one ends in rest.
            rest.set_value((!in_sight).then(|| Timeout::new(REST_MS, follow)));
            if in_sight {
                follow();
            }
        });
        let Derived { settings, spec, report } = Derived::of(seen, ledger, self.own_model);
        Self { seen, ledger, settings, spec, report, ..self }
    }

    /// The same page under one ledger, for a room that speaks of it alone; the reader's choice of a ledger stays.
    pub(crate) fn under(self, ledger: Ledger) -> Self {
        let ledger = Followed(RwSignal::new(ledger));
        let Derived { settings, spec, report } = Derived::of(self.seen, ledger, self.own_model);
        Self { ledger, settings, spec, report, ..self }
    }

    /// What charts and tables are derived from.
    pub(crate) fn with_basis<T>(self, derive: impl FnOnce(Basis) -> T) -> T {
        self.seen.with(|scenario| {
            self.report.with(|report| {
                self.settings.with(|settings| {
                    self.spec.with(|spec| derive(Basis { scenario, report, settings, spec }))
                })
            })
        })
    }
}
