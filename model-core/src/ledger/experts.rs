//! How many different routed experts a batch touches, by either closed form, with the formula that says so.

use crate::formula;
use crate::formula::Formula;
use crate::routing::closed_form;
use crate::scenario::Draw;
use crate::spec::ModelSpec;

/// Different routed experts that so many tokens touch in a layer, in expectation.
pub(crate) fn distinct_experts(spec: &ModelSpec, draw: Draw, tokens: u64) -> f64 {
    let (all, each) = (spec.experts as f64, spec.experts_per_token);
    match draw {
        Draw::Distinct => closed_form::distinct_top_k(all, each as f64, tokens),
        Draw::WithReplacement => closed_form::distinct_with_replacement(all, each, tokens),
    }
}

/// The same for several batches, each request a token, as the figure `moe.distinct_experts` counts them.
#[must_use]
pub fn distinct_over(spec: &ModelSpec, draw: Draw, batches: &[u64]) -> Vec<f64> {
    batches.iter().map(|batch| distinct_experts(spec, draw, *batch)).collect()
}

/// The closed form with its values.
pub(super) fn distinct_formula(spec: &ModelSpec, draw: Draw, tokens: u64) -> Formula {
    let (all, each, b) = (spec.experts as f64, spec.experts_per_token as f64, tokens as f64);
    match draw {
        Draw::Distinct => formula!("{E} × (1 − (1 − {k} / {E}) ^ {B})", E = all, k = each, B = b),
        Draw::WithReplacement => {
            formula!("{E} × (1 − (1 − 1 / {E}) ^ ({k} × {B}))", E = all, k = each, B = b)
        }
    }
}
