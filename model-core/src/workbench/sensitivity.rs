//! Which silicon pays: one resource after the other made twice as good, and what the step gains.

use super::{Bench, contained, step, words};
use crate::basis::Basis;
use crate::figure::Ledger;
use crate::scenario::{Overlap, Settings};
use crate::scene::Text;
use crate::spec::ModelSpec;
use crate::units::Seconds;

/// What a resource's doubling is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Its name in files.
    pub code: &'static str,
    /// What it is called.
    pub name: Text,
    /// The step with it twice as good.
    pub step: Seconds,
    /// What the step gets shorter by.
    pub gain: Seconds,
    /// How many times as fast the step is.
    pub speedup: f64,
}

/// All of them, the most worth first.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The step that all are compared with.
    pub step: Seconds,
    /// What each is worth.
    pub gains: Vec<Gain>,
    /// Whether exchanges count at all: as the ledgers have it, no link makes a step longer.
    pub links_count: bool,
    /// Why there is nothing to compare.
    pub reason: Option<Text>,
}

/// A resource and how it is made twice as good.
type Doubling = (&'static str, Text, fn(&mut Settings));

const DOUBLINGS: [Doubling; 8] = [
    ("hbm", words::HBM_RATE, |settings| settings.hbm = settings.hbm * 2.0),
    ("noc", words::NOC_RATE, |settings| settings.bends.noc = settings.bends.noc * 2.0),
    ("compute", words::COMPUTE_RATE, |settings| {
        settings.peak = settings.peak * 2.0;
        settings.bends.fp4 = settings.bends.fp4 * 2.0;
        settings.bends.bf16 = settings.bends.bf16 * 2.0;
    }),
    ("link", words::LINK_RATE, |settings| settings.link = settings.link * 2.0),
    ("network", words::NETWORK_RATE, |settings| settings.network = settings.network * 2.0),
    ("startup", words::START_UP, |settings| settings.alpha = settings.alpha * 0.5),
    ("fixed", words::FIXED_RATE, |settings| settings.bends.fixed_times *= 0.5),
    ("domain", words::DOMAIN_SIZE, |settings| {
        settings.gpus_per_node = settings.gpus_per_node.saturating_mul(2);
    }),
];

impl Sensitivity {
    /// For a scenario as it is bent.
    #[must_use]
    pub fn of(basis: Basis) -> Self {
        let ledger = basis.ledger();
        let bench = Bench::of(basis);
        let links_count = basis.settings.bends.overlap != Overlap::Ledger;
        if bench.reason.is_some() {
            return Self { step: Seconds::ZERO, gains: Vec::new(), links_count, reason: bench.reason };
        }
        let contained = contained(ledger, basis.scenario, basis.spec);
        Self::around(ledger, basis.settings, basis.spec, contained)
    }

    fn around(ledger: Ledger, settings: &Settings, spec: &ModelSpec, contained: Seconds) -> Self {
        let own = step(ledger, settings, spec, contained).total;
        let mut gains: Vec<Gain> = DOUBLINGS
            .into_iter()
            .map(|(code, name, double)| {
                let mut better = settings.clone();
                double(&mut better);
                let step = step(ledger, &better, spec, contained).total;
                let speedup = if step.get() > 0.0 { own / step } else { 1.0 };
                Gain { code, name, step, gain: own - step, speedup }
            })
            .collect();
        gains.sort_by(|a, b| b.gain.get().total_cmp(&a.gain.get()));
        Self { step: own, gains, links_count: settings.bends.overlap != Overlap::Ledger, reason: None }
    }
}
