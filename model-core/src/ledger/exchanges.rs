//! The exchanges between GPUs of one decode step in the exact ledger, alike ones together.

use super::exact::holding::Tensors;
use super::exact::step::Work;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
use crate::units::{Bytes, Seconds};

/// What is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeKind {
    /// Sum after the lookup in the split vocabulary.
    Embedding,
    /// Sum of a CSA layer's index scores.
    IndexScores,
    /// Sum of the attention's output.
    AttentionOutput,
    /// Sum of the routed experts.
    RoutedSum,
    /// Gathering of the logits.
    Logits,
    /// Tokens to their experts.
    Dispatch,
    /// Their results back.
    Combine,
    /// The streams from one stage to the next.
    Stages,
}

/// Exchanges of a kind in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExchangeRow {
    /// What is exchanged.
    pub kind: ExchangeKind,
    /// How many there are in a step.
    pub count: f64,
    /// The message of one; of dispatch and combine, what a GPU sends.
    pub message: Bytes,
    /// What the busiest GPU sends in a step.
    pub sent_per_gpu: Bytes,
    /// Start-ups, one after the other.
    pub startup: Seconds,
    /// Bytes on the links.
    pub transfer: Seconds,
}

/// The exchanges of a step; none where the plan is ruled out or nothing is exchanged.
///
/// ```
/// use model_core::figure::Ledger;
/// use model_core::ledger::{ExchangeKind, exchanges};
/// use model_core::scenario::Scenario;
/// let rows = exchanges(&Scenario::default().resolve(Ledger::Exact), &model_core::spec::v4_pro());
/// let sums: f64 = rows.iter().filter(|row| row.kind != ExchangeKind::Logits).map(|row| row.count).sum();
/// assert_eq!(sums, 153.0);
/// ```
#[must_use]
pub fn exchanges(settings: &Settings, spec: &ModelSpec) -> Vec<ExchangeRow> {
    let spec = &*settings.model_in_force(spec);
    if Plan::of(settings).check(spec).is_err() {
        return Vec::new();
    }
    let tensors = Tensors::of(spec);
    Work::of(settings, spec, &tensors).decode_exchanges(settings.batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::ledger::report;
    use crate::scenario::{Key, Scenario};

    #[test]
    fn kinds_add_up_to_the_ledgers_exchange() {
        let spec = crate::spec::v4_pro();
        for choices in [
            &[][..],
            &[(Key::Layout, "dp_attention_ep"), (Key::Ep, "16"), (Key::Batch, "64")],
            &[(Key::Pp, "2"), (Key::Algorithm, "tree")],
            &[(Key::CommDtype, "bf16"), (Key::Batch, "32"), (Key::Context, "1048576")],
        ] {
            let mut scenario = Scenario::default();
            for (key, text) in choices {
                scenario.choose_text(*key, text).unwrap();
            }
            let rows = exchanges(&scenario.resolve(Ledger::Exact), &spec);
            let sum = |of: fn(&ExchangeRow) -> Seconds| rows.iter().map(|row| of(row).get()).sum::<f64>();
            let figures = report(Ledger::Exact, &scenario, &spec);
            let known = |id| figures.number(id).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
            assert!(near(sum(|row| row.startup), known("decode.exchange.startup_s")), "{choices:?}");
            assert!(near(sum(|row| row.transfer), known("decode.exchange.transfer_s")), "{choices:?}");
        }
    }
}
