//! Axes: from the values shown to a range, marks with their labels, and places along a side.

use core::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::tokens;
use crate::figure::{Unit, Value};
use crate::format::{self, ByteBase};

/// What an axis counts and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// The unit of the values.
    pub(crate) unit: Unit,
    /// Logarithmic; else from zero on.
    pub(crate) log: bool,
    /// Counts that go in powers of two, as tokens and requests do.
    pub(crate) doubling: bool,
}

impl Scale {
    /// Counts in powers of two on a logarithmic axis.
    pub(crate) const DOUBLING: Self = Self { unit: Unit::Count, log: true, doubling: true };

    pub(crate) const fn log(unit: Unit) -> Self {
        Self { unit, log: true, doubling: false }
    }

    pub(crate) const fn linear(unit: Unit) -> Self {
        Self { unit, log: false, doubling: false }
    }
}

/// An axis as drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) log: bool,
    /// Values with a label, rising.
    pub(crate) ticks: Vec<(f64, String)>,
    /// The unit that labels leave to the axis' name; empty where they carry it.
    pub(crate) unit: &'static str,
}

impl Axis {
    /// An axis over that range with at most so many labels. A snug axis ends where the values do, another one at its
    /// outermost labels.
    pub(crate) fn new(
        scale: Scale,
        (low, high): (f64, f64),
        base: ByteBase,
        most: usize,
        snug: bool,
    ) -> Self {
        if scale.log {
            log(scale, (low, high), base, most, snug)
        } else {
            linear(scale, high, base, most, snug)
        }
    }

    /// A linear axis that begins at a label not far below the lowest value, where all of them lie far from zero. Finer
    /// than a hundredth of the highest it does not get: labels have no more digits.
    pub(crate) fn zoomed(scale: Scale, (low, high): (f64, f64), base: ByteBase, most: usize) -> Self {
        const FINEST: f64 = 100.0;
        let parts = (most as f64 * high / (high - low)).min(FINEST);
        let mut axis = linear(scale, high, base, parts as usize, false);
        axis.low = axis.ticks.iter().rfind(|(tick, _)| *tick <= low).map_or(0.0, |(tick, _)| *tick);
        axis.ticks.retain(|(tick, _)| *tick >= axis.low);
        axis
    }

    /// An axis of places, one for each label.
    pub(crate) fn of_places(labels: Vec<String>) -> Self {
        let high = labels.len() as f64 - 0.5;
        let ticks = labels.into_iter().enumerate().map(|(place, label)| (place as f64, label)).collect();
        Self { low: -0.5, high: high.max(0.5), log: false, ticks, unit: "" }
    }

    /// How far along the axis a value lies, from 0 to 1; what lies beyond an end is put there.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let along = if self.log {
            libm::log(value.max(self.low) / self.low) / libm::log(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 }
    }

    pub(crate) fn label(&self, value: f64) -> String {
        self.ticks.iter().find(|(tick, _)| *tick == value).map(|(_, label)| label.clone()).unwrap_or_default()
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (f64::from(to - from) * self.share(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(tick, _)| *tick).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

fn log(scale: Scale, (low, high): (f64, f64), base: ByteBase, most: usize, snug: bool) -> Axis {
    let low = if low.is_finite() && low > 0.0 { low } else { 1.0 };
    let high = if high.is_finite() && high > low { high } else { low * 2.0 };
    let step: f64 = match (scale.unit, base) {
        _ if scale.doubling => 2.0,
        (Unit::Bytes, ByteBase::Binary) => 4.0,
        _ => 10.0,
    };
    let powers = |value: f64| libm::log(value) / libm::log(step);
    // A little over the ends, so that a power that is an end itself is found whatever the logarithm rounds.
    let (first, last) = ((powers(low) - 1e-9).floor() as i32, (powers(high) + 1e-9).ceil() as i32);
    let power = |exponent: i32| libm::pow(step, f64::from(exponent));
    let mut ticks: Vec<f64> = powers_over(first, last, most).map(power).collect();
    // An axis of decades may end at their halves and fifths.
    let ends: Vec<f64> = if step == 10.0 {
        (first..=last).flat_map(|exponent| [1.0, 2.0, 5.0].map(|part| part * power(exponent))).collect()
    } else {
        ticks.clone()
    };
    let (low, high) = if snug {
        (low, high)
    } else {
        let below = ends.iter().rfind(|end| **end <= low * (1.0 + 1e-9)).copied();
        let above = ends.iter().find(|end| **end >= high * (1.0 - 1e-9)).copied();
        (below.unwrap_or(low), above.unwrap_or(high))
    };
    let within = |tick: &f64| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9);
    let few = |ticks: &[f64]| ticks.iter().filter(|tick| within(tick)).count() < 3;
    if few(&ticks) {
        ticks = powers_over(first, last, usize::MAX).map(power).collect();
    }
    if few(&ticks) {
        ticks = ends;
    }
    ticks.retain(within);
    let plain = matches!(scale.unit, Unit::Count | Unit::TokensPerSecond | Unit::FlopPerByte);
    let label = |tick: f64| match scale {
        Scale { doubling: true, .. } => tokens(tick),
        _ => {
            let shown = format::value(&Value::Number(tick), scale.unit, base);
            let number = format::trimmed(shown.number);
            if plain { number } else { format!("{number} {}", shown.unit) }
        }
    };
    let unit = if plain { format::value(&Value::Number(1.0), scale.unit, base).unit } else { "" };
    Axis { low, high, log: true, ticks: ticks.into_iter().map(|tick| (tick, label(tick))).collect(), unit }
}

/// Exponents from one at or below the first to one at or above the last, evenly apart, at most so many.
fn powers_over(first: i32, last: i32, most: usize) -> impl Iterator<Item = i32> {
    let each = (1..)
        .find(|each| (last - first) / each < i32::try_from(most).unwrap_or(i32::MAX).max(2))
        .unwrap_or(1);
    (first.div_euclid(each) * each..=last + each - 1).step_by(each as usize)
}

fn linear(scale: Scale, high: f64, base: ByteBase, most: usize, snug: bool) -> Axis {
    let high = if high.is_finite() && high > 0.0 { high } else { 1.0 };
    let factor = match (scale.unit, base) {
        (Unit::Bytes, ByteBase::Binary) => largest(&[1.0, 1024.0, 1_048_576.0, crate::units::GIB], high),
        (Unit::Bytes, ByteBase::Decimal) => largest(&[1.0, 1e3, 1e6, 1e9], high),
        (Unit::Seconds, _) => largest(&[1e-9, 1e-6, 1e-3, 1.0], high),
        _ => 1.0,
    };
    let rough = high / factor / most.max(1) as f64;
    let step = if scale.doubling {
        libm::exp2(libm::ceil(libm::log2(rough)))
    } else {
        let decade = libm::pow(10.0, libm::floor(libm::log10(rough)));
        [1.0, 2.0, 5.0, 10.0]
            .map(|part| part * decade)
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(rough)
    };
    let count = high / factor / step;
    let count = if snug { count.floor() } else { (count - 1e-9).ceil().max(1.0) };
    let label =
        |value: f64| if scale.doubling { tokens(value) } else { format::trimmed(format::count(value)) };
    let tick = |index: u32| {
        // Through a whole number of hundredths, lest a tenth show its rounding.
        let value = (f64::from(index) * step * 100.0).round() / 100.0;
        (f64::from(index) * step * factor, label(value))
    };
    let high = if snug { high } else { count * step * factor };
    let unit = format::value(&Value::Number(factor), scale.unit, base).unit;
    Axis { low: 0.0, high, log: false, ticks: (0..=count as u32).map(tick).collect(), unit }
}

fn largest(factors: &[f64], value: f64) -> f64 {
    factors.iter().rev().find(|factor| **factor <= value).or(factors.first()).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn labels_are_round_and_as_many_as_there_is_room_for() {
        let of = |scale, range, most, snug| Axis::new(scale, range, ByteBase::Binary, most, snug);
        let context = of(Scale::DOUBLING, (1.0, 1_048_576.0), 8, true);
        assert_eq!(labels(&context), ["1", "8", "64", "512", "4K", "32K", "256K"]);
        let memory = of(Scale::linear(Unit::Bytes), (0.0, 130.0 * crate::units::GIB), 6, false);
        assert_eq!((labels(&memory), memory.unit), (vec!["0", "50", "100", "150"], "GiB"));
        let times = of(Scale::log(Unit::Seconds), (3e-6, 0.2), 7, false);
        assert_eq!(labels(&times), ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]);
        assert_eq!((times.low, times.high), (2e-6, 0.2));
        let few = of(Scale::log(Unit::TokensPerSecond), (30.0, 400.0), 6, false);
        assert_eq!(labels(&few), ["20", "50", "100", "200", "500"]);
    }

    #[test]
    fn logarithms_never_reach_zero() {
        for low in [0.0, -3.0, f64::NAN, f64::INFINITY, 1e-9] {
            for high in [0.0, 1e-12, 5.0, f64::NAN, f64::INFINITY] {
                for log in [true, false] {
                    let scale = Scale { unit: Unit::Bytes, log, doubling: false };
                    let axis = Axis::new(scale, (low, high), ByteBase::Binary, 6, false);
                    assert!(axis.low < axis.high && axis.high.is_finite(), "{low} {high} {axis:?}");
                    assert!(!log || axis.low > 0.0);
                    assert!(
                        (0.0..=1.0).contains(&axis.share(0.0)) && (0.0..=1.0).contains(&axis.share(f64::NAN))
                    );
                }
            }
        }
    }
}
