//! From one measured point to a latency per layer, and from that to predictions.

use super::SystemLatency;
use super::latency::known_range;
use crate::units::Seconds;

/// Why a measured point says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CalibrationError {
    /// Not a positive, finite time.
    NotATime,
    /// It lies under the floor by so much: the measurement is impossible, or an assumption of the floor is wrong.
    BelowFloor(Seconds),
    /// A model without layers.
    NoLayers,
}

impl core::fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotATime => f.write_str("a measured time must be a positive number"),
            Self::BelowFloor(short) => write!(
                f,
                "{:.3} ms under the floor: impossible, or an assumption is wrong",
                short.get() * 1e3
            ),
            Self::NoLayers => f.write_str("a model without layers has no latency per layer"),
        }
    }
}

impl core::error::Error for CalibrationError {}

/// The latency per layer behind a measured time between tokens.
///
/// # Errors
/// Where the time is none, or lies under the floor.
///
/// ```
/// use model_core::measured::calibrate;
/// use model_core::units::Seconds;
///
/// let latency = calibrate(Seconds(10.2e-3), Seconds(1.6e-3), 61).unwrap();
/// assert!((latency.get() - 141e-6).abs() < 0.1e-6);
/// ```
pub fn calibrate(measured: Seconds, floor: Seconds, layers: u64) -> Result<Seconds, CalibrationError> {
    let is_time = |time: Seconds| time.get().is_finite() && time > Seconds::ZERO;
    if !is_time(measured) || !is_time(floor) {
        Err(CalibrationError::NotATime)
    } else if layers == 0 {
        Err(CalibrationError::NoLayers)
    } else if measured < floor {
        Err(CalibrationError::BelowFloor(floor - measured))
    } else {
        Ok((measured - floor) / layers as f64)
    }
}

/// A system known by one measured point, perhaps with a growth learned elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Latency per layer at the measured point.
    pub per_layer: Seconds,
    /// Requests of a GPU at that point.
    pub requests_per_gpu: f64,
    /// What each further request of a GPU adds per layer; zero for one constant.
    pub growth: Seconds,
}

impl Calibration {
    /// From a measured point.
    ///
    /// # Errors
    /// As [`calibrate`].
    pub fn new(
        measured: Seconds,
        floor: Seconds,
        layers: u64,
        requests_per_gpu: f64,
        growth: Seconds,
    ) -> Result<Self, CalibrationError> {
        Ok(Self { per_layer: calibrate(measured, floor, layers)?, requests_per_gpu, growth })
    }

    /// Latency per layer with that many requests of a GPU; never negative.
    #[must_use]
    pub fn at(&self, requests_per_gpu: f64) -> Seconds {
        (self.per_layer + self.growth * (requests_per_gpu - self.requests_per_gpu)).max(Seconds::ZERO)
    }
}

/// What can be said about a step that nobody measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prediction {
    /// Rests on a measured point of the same system.
    Number(Seconds),
    /// Only the latencies of known systems bound it.
    Range(Seconds, Seconds),
}

/// A step's time: the floor and the latency of its layers. A number only with a calibration, else the range that the
/// known systems span; `None` where there is neither, or no floor.
#[must_use]
pub fn predict(
    floor: Seconds,
    layers: u64,
    requests_per_gpu: f64,
    calibration: Option<&Calibration>,
    known: &[SystemLatency],
    (gpu, divides_requests): (&str, bool),
) -> Option<Prediction> {
    let step = |per_layer: Seconds| floor + per_layer * layers as f64;
    let prediction = if let Some(calibration) = calibration {
        Prediction::Number(step(calibration.at(requests_per_gpu)))
    } else {
        let (low, high) = known_range(known, gpu, divides_requests)?;
        Prediction::Range(step(low), step(high))
    };
    let (Prediction::Number(highest) | Prediction::Range(_, highest)) = prediction;
    (floor > Seconds::ZERO && highest.get().is_finite()).then_some(prediction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_points_are_told() {
        let error = calibrate(Seconds(1e-3), Seconds(1.5e-3), 61).unwrap_err();
        assert!(matches!(error, CalibrationError::BelowFloor(short) if (short.get() - 0.5e-3).abs() < 1e-12));
        for measured in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(calibrate(Seconds(measured), Seconds(1e-3), 61), Err(CalibrationError::NotATime));
        }
        assert_eq!(calibrate(Seconds(1.0), Seconds(0.5), 0), Err(CalibrationError::NoLayers));
    }

    #[test]
    fn a_calibration_gives_its_own_point_back() {
        let calibration = Calibration::new(Seconds(15e-3), Seconds(5e-3), 61, 16.0, Seconds(1e-6)).unwrap();
        let back = predict(Seconds(5e-3), 61, 16.0, Some(&calibration), &[], ("b300", false));
        assert!(matches!(back, Some(Prediction::Number(s)) if (s.get() - 15e-3).abs() < 1e-15));
        assert!(calibration.at(17.0) > calibration.per_layer);
        assert_eq!(calibration.at(-1e9), Seconds::ZERO);
    }

    #[test]
    fn without_anything_known_nothing_is_said() {
        assert_eq!(predict(Seconds(5e-3), 61, 1.0, None, &[], ("h200", false)), None);
    }
}
