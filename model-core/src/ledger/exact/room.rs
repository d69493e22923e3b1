//! What a rank has room for beside its weights: what each token and each request takes of it.

use super::cache::RowBytes;
use super::holding::{BlockBytes, Tensors, stages};
use crate::ledger::cache_rows::LayerCounts;
use crate::plan::Plan;
use crate::scenario::Settings;
use crate::spec::ModelSpec;
use crate::units::Bytes;

/// One GPU of a stage: its weights, and what requests take beside them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageRoom {
    /// Its weights.
    pub weights: Bytes,
    /// Rows and keys of one token over the stage's layers, a group's row shared by its tokens.
    pub per_token: Bytes,
    /// What a request takes whatever its length: rings, tails, drafts, as the scenario counts them.
    pub per_request: Bytes,
    /// A whole request at the scenario's context, as the scenario counts it.
    pub request: Bytes,
    /// Requests of the batch that lie on it; a fraction where each is split.
    pub requests: f64,
}

/// Every stage's room; none where the model cannot be cut as the plan says.
#[must_use]
pub fn stage_rooms(settings: &Settings, spec: &ModelSpec) -> Option<Vec<StageRoom>> {
    let spec = &*settings.model_in_force(spec);
    let plan = Plan::of(settings);
    plan.check(spec).ok()?;
    let bytes = BlockBytes::of(&Tensors::of(spec), settings.dtypes, f64::from(plan.tp), f64::from(plan.ep));
    let rows = RowBytes::of(spec, settings.kv_rows);
    let main = spec.main_layers();
    let held = stages(settings, spec, &plan, &bytes, (settings.batch, settings.context));
    let room = |(stage, held): (usize, super::holding::Holding)| {
        let counts = LayerCounts::of(main.get(plan.stage_layers(main.len(), stage)).unwrap_or(&[]));
        let csa = counts.csa as f64 * (rows.main + rows.key) / spec.csa_ratio.max(1) as f64;
        let hca = counts.hca as f64 * rows.main / spec.hca_ratio.max(1) as f64;
        StageRoom {
            weights: Bytes(held.weights()),
            per_token: Bytes(csa + hca),
            per_request: Bytes(held.request.window + held.request.state + held.request.draft),
            request: Bytes(held.request.total()),
            requests: held.requests,
        }
    };
    Some(held.enumerate().map(room).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Ledger;
    use crate::scenario::{Key, Scenario};
    use crate::spec::v4_pro;

    #[test]
    fn one_stage_has_the_figures() {
        let scenario = Scenario::default();
        let report = crate::ledger::report(Ledger::Exact, &scenario, &v4_pro());
        let rooms = stage_rooms(&scenario.resolve(Ledger::Exact), &v4_pro()).unwrap();
        let number = |id| report.bytes(id);
        assert_eq!(rooms.len(), 1);
        assert_eq!(rooms[0].weights, number("weights.bytes_per_gpu"));
        assert_eq!(rooms[0].per_token, number("cache.bytes_per_token"));
        assert_eq!(rooms[0].per_request, number("cache.fixed.bytes"));
        assert_eq!(Some(rooms[0].requests), report.number("cache.requests_per_gpu"));
        assert_eq!(rooms[0].request, number("cache.request.bytes"));
    }

    #[test]
    fn stages_share_a_token() {
        let mut scenario = Scenario::default();
        scenario.choose_text(Key::Pp, "2").unwrap();
        let rooms = stage_rooms(&scenario.resolve(Ledger::Exact), &v4_pro()).unwrap();
        let whole: Bytes = rooms.iter().map(|room| room.per_token).sum();
        let report = crate::ledger::report(Ledger::Exact, &scenario, &v4_pro());
        assert!((whole / report.bytes("cache.bytes_per_token") - 1.0).abs() < 1e-12);
        scenario.choose_text(Key::Tp, "3").unwrap();
        assert_eq!(stage_rooms(&scenario.resolve(Ledger::Exact), &v4_pro()), None);
    }
}
