//! One type per physical quantity, so that bytes are never added to seconds or gigabytes taken for gibibytes.
//!
//! All of them wrap an `f64` in base units. Whole numbers stay exact up to 2⁵³, far above any byte count here.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(pub f64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0.0);

            /// The plain number in base units.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The larger of the two.
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl Div for $name {
            type Output = f64;
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
                parts.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity!(
    /// An amount of memory or traffic, in bytes.
    Bytes
);
quantity!(
    /// Floating-point operations; a multiply-add counts as two.
    Flops
);
quantity!(
    /// A duration, in seconds.
    Seconds
);
quantity!(
    /// A rate of transfer, in bytes per second.
    BytesPerSecond
);
quantity!(
    /// A rate of computation, in floating-point operations per second.
    FlopsPerSecond
);

/// One kibibyte, 2¹⁰ bytes.
pub const KIB: f64 = 1024.0;
/// One mebibyte, 2²⁰ bytes.
pub const MIB: f64 = 1024.0 * KIB;
/// One gibibyte, 2³⁰ bytes.
pub const GIB: f64 = 1024.0 * MIB;
/// One megabyte, 10⁶ bytes.
pub const MB: f64 = 1e6;
/// One gigabyte, 10⁹ bytes.
pub const GB: f64 = 1e9;

impl Bytes {
    /// An amount given in gibibytes.
    #[must_use]
    pub const fn from_gib(gib: f64) -> Self {
        Self(gib * GIB)
    }

    /// An amount given in decimal gigabytes.
    #[must_use]
    pub const fn from_gb(gb: f64) -> Self {
        Self(gb * GB)
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Div<FlopsPerSecond> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gibibytes_and_gigabytes_differ() {
        assert_eq!(Bytes::from_gib(1.0).get(), 1_073_741_824.0);
        assert_eq!(Bytes::from_gb(1.0).get(), 1_000_000_000.0);
    }

    #[test]
    fn a_transfer_takes_bytes_over_rate() {
        assert_eq!(Bytes(900.0) / BytesPerSecond(450.0), Seconds(2.0));
        assert_eq!(Flops(10.0) / FlopsPerSecond(4.0), Seconds(2.5));
    }
}
