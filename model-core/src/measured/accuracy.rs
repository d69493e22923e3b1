//! How good predictions are: one measured point of each system, tried on its other rows.

use super::latency::systems;
use super::{Calibration, Implied};
use crate::units::Seconds;

/// One prediction of a measured row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The row that was given.
    pub given: &'static str,
    /// The row that was predicted.
    pub tried: &'static str,
    /// Whether both have the same layout.
    pub same_layout: bool,
    /// Whether requests are divided among GPUs in the row that was predicted.
    pub divides_requests: bool,
    /// The prediction.
    pub predicted: Seconds,
    /// The measurement.
    pub measured: Seconds,
}

impl Trial {
    /// Predicted over measured, less one.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.predicted / self.measured - 1.0
    }
}

/// Calibrates each system (GPU and engine) by the smallest load of each of its layouts and predicts its other rows,
/// those of other layouts too.
#[must_use]
pub fn trials(implied: &[Implied], layers: u64, growth: Seconds) -> Vec<Trial> {
    let mut trials = Vec::new();
    for given in systems(implied).iter().filter_map(|system| system.first()) {
        let calibration = Calibration {
            per_layer: given.per_layer,
            requests_per_gpu: given.point.requests_per_gpu(),
            growth,
        };
        for tried in implied {
            let same_system = (tried.point.gpu, tried.row.engine) == (given.point.gpu, given.row.engine);
            if !same_system || tried.row.id == given.row.id {
                continue;
            }
            let latency = calibration.at(tried.point.requests_per_gpu());
            trials.push(Trial {
                given: given.row.id,
                tried: tried.row.id,
                same_layout: tried.point.layout == given.point.layout,
                divides_requests: tried.point.layout.divides_requests(),
                predicted: tried.floor + latency * layers as f64,
                measured: tried.measured,
            });
        }
    }
    trials
}

/// Median and largest absolute error; `None` of none.
#[must_use]
pub fn median_and_largest<'a>(trials: impl Iterator<Item = &'a Trial>) -> Option<(f64, f64)> {
    let mut errors: Vec<f64> = trials.map(|trial| trial.error().abs()).collect();
    errors.sort_by(f64::total_cmp);
    let upper = errors.get(errors.len() / 2)?;
    let lower = errors.get((errors.len() - 1) / 2)?;
    Some(((lower + upper) / 2.0, *errors.last()?))
}
