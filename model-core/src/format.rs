//! One formatter per unit: a number becomes digits and a unit, kept apart so that a view can set the unit smaller.
//!
//! Nothing ever reads these texts back; figures carry their values beside them.

use crate::figure::{Unit, Value};
use crate::units::{Bytes, Seconds};

/// What stands where there is no number.
pub const ABSENT: &str = "—";

/// The space between groups of three digits: every font has it, and no line breaks there.
const GROUP: char = '\u{a0}';

/// Whether bytes are counted in powers of 1024 or of 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteBase {
    /// KiB, MiB, GiB.
    #[default]
    Binary,
    /// KB, MB, GB.
    Decimal,
}

impl ByteBase {
    /// Its name in links and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binary => "gib",
            Self::Decimal => "gb",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Binary, Self::Decimal].into_iter().find(|base| base.name() == name)
    }
}

/// A number as shown: digits, and the unit apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The digits, grouped, or a dash where there is no number.
    pub number: String,
    /// The unit's symbol; empty for plain counts.
    pub unit: &'static str,
}

impl Shown {
    fn new(number: String, unit: &'static str) -> Self {
        Self { number, unit }
    }

    fn absent() -> Self {
        Self::new(ABSENT.to_owned(), "")
    }
}

impl core::fmt::Display for Shown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.number)?;
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

/// A size with four significant digits in the largest unit that leaves at least one before the point.
#[must_use]
pub fn bytes(amount: Bytes, base: ByteBase) -> Shown {
    let (step, names) = match base {
        ByteBase::Binary => (1024.0, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]),
        ByteBase::Decimal => (1000.0, ["B", "KB", "MB", "GB", "TB", "PB"]),
    };
    scaled(amount.get(), step, &names)
}

/// A size in GiB or GB whatever its magnitude, for columns that are to be compared; two decimals.
#[must_use]
pub fn giga(amount: Bytes, base: ByteBase) -> Shown {
    let (unit_bytes, name) = match base {
        ByteBase::Binary => (crate::units::GIB, "GiB"),
        ByteBase::Decimal => (crate::units::GB, "GB"),
    };
    let number = amount.get() / unit_bytes;
    if number.is_finite() { Shown::new(fixed(number, 2), name) } else { Shown::absent() }
}

/// The same in as few digits as a picture has room for: four significant ones, without the unit.
#[must_use]
pub fn short_giga(amount: Bytes, base: ByteBase) -> String {
    let unit_bytes = match base {
        ByteBase::Binary => crate::units::GIB,
        ByteBase::Decimal => crate::units::GB,
    };
    let number = amount.get() / unit_bytes;
    if number.is_finite() { significant(number, 4) } else { ABSENT.to_owned() }
}

/// A size in KiB or KB whatever its magnitude, for messages that are to be compared; up to two decimals.
#[must_use]
pub fn kilo(amount: Bytes, base: ByteBase) -> Shown {
    let (unit_bytes, name) = match base {
        ByteBase::Binary => (crate::units::KIB, "KiB"),
        ByteBase::Decimal => (1000.0, "KB"),
    };
    let number = amount.get() / unit_bytes;
    if number.is_finite() { Shown::new(count(number), name) } else { Shown::absent() }
}

/// A duration in ns, µs, ms or s with four significant digits.
#[must_use]
pub fn seconds(duration: Seconds) -> Shown {
    let s = duration.get();
    if !s.is_finite() {
        return Shown::absent();
    }
    let (factor, unit) = match s.abs() {
        a if a == 0.0 || a >= 1.0 => (1.0, "s"),
        a if a >= 1e-3 => (1e3, "ms"),
        a if a >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    };
    Shown::new(significant(s * factor, 4), unit)
}

/// A whole number grouped by threes; a fraction keeps two decimals.
#[must_use]
pub fn count(number: f64) -> String {
    if !number.is_finite() {
        ABSENT.to_owned()
    } else if number.fract() == 0.0 {
        fixed(number, 0)
    } else {
        fixed(number, 2)
    }
}

/// A share as percent with one decimal.
#[must_use]
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", fixed(share * 100.0, 1)) } else { ABSENT.to_owned() }
}

/// Any figure's value in its unit.
#[must_use]
pub fn value(value: &Value, unit: Unit, base: ByteBase) -> Shown {
    match value {
        Value::Number(number) if number.is_finite() => match unit {
            Unit::Bytes => bytes(Bytes(*number), base),
            Unit::Seconds => seconds(Seconds(*number)),
            Unit::Flop => scaled(*number, 1000.0, &["FLOP", "KFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"]),
            Unit::FlopPerByte => Shown::new(significant(*number, 4), "FLOP/B"),
            Unit::BytesPerSecond => scaled(*number, 1000.0, &["B/s", "KB/s", "MB/s", "GB/s", "TB/s", "PB/s"]),
            Unit::FlopsPerSecond => {
                scaled(*number, 1000.0, &["FLOP/s", "KFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"])
            }
            Unit::TokensPerSecond => Shown::new(significant(*number, 4), "token/s"),
            Unit::Count | Unit::Flag | Unit::List | Unit::Word => Shown::new(counted(*number), ""),
        },
        Value::Number(_) | Value::Absent => Shown::absent(),
        Value::Flag(flag) => Shown::new(flag.to_string(), ""),
        Value::List(list) => {
            let parts: Vec<String> = list.iter().map(u32::to_string).collect();
            Shown::new(parts.join(", "), "")
        }
        Value::Word(word) => Shown::new((*word).to_owned(), ""),
    }
}

/// A number as it is shown, without the zeros that end its decimals.
#[must_use]
pub(crate) fn trimmed(mut number: String) -> String {
    if number.contains('.') {
        number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
    }
    number
}

/// In which unit and with how many decimals a column shows its numbers, so that they can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Bytes in GiB or GB.
    Giga(usize),
    /// Bytes in MiB or MB.
    Mega(usize),
    /// Seconds in ms.
    Millis(usize),
    /// The same without the zeros at the end.
    MillisTrimmed(usize),
    /// Seconds in µs.
    Micros(usize),
    /// FLOPs in TFLOP.
    Tera(usize),
    /// FLOPs in GFLOP.
    GigaFlop(usize),
    /// A plain number.
    Fixed(usize),
    /// A share of one, in percent.
    Percent(usize),
    /// Whatever unit fits, as figures are shown alone.
    Fit(Unit),
}

impl Digits {
    /// What one of the unit is in base units, how many decimals are kept, and its symbol.
    const fn scale(self, base: ByteBase) -> (f64, usize, &'static str) {
        use crate::units::{GB, GIB, MB, MIB};
        match (self, base) {
            (Self::Giga(kept), ByteBase::Binary) => (GIB, kept, "GiB"),
            (Self::Giga(kept), ByteBase::Decimal) => (GB, kept, "GB"),
            (Self::Mega(kept), ByteBase::Binary) => (MIB, kept, "MiB"),
            (Self::Mega(kept), ByteBase::Decimal) => (MB, kept, "MB"),
            (Self::Millis(kept) | Self::MillisTrimmed(kept), _) => (1e-3, kept, "ms"),
            (Self::Micros(kept), _) => (1e-6, kept, "µs"),
            (Self::Tera(kept), _) => (1e12, kept, "TFLOP"),
            (Self::GigaFlop(kept), _) => (1e9, kept, "GFLOP"),
            (Self::Fixed(kept), _) => (1.0, kept, ""),
            (Self::Percent(kept), _) => (0.01, kept, "%"),
            (Self::Fit(_), _) => (1.0, 0, ""),
        }
    }

    /// A number in base units as the column shows it; a dash where there is none.
    #[must_use]
    pub fn show(self, number: Option<f64>, base: ByteBase) -> Shown {
        let Some(number) = number.filter(|number| number.is_finite()) else { return Shown::absent() };
        if let Self::Fit(unit) = self {
            return value(&Value::Number(number), unit, base);
        }
        let (one, kept, unit) = self.scale(base);
        let shown = fixed(number / one, kept);
        Shown::new(if matches!(self, Self::MillisTrimmed(_)) { trimmed(shown) } else { shown }, unit)
    }

    /// From the least to the most, both in base units.
    #[must_use]
    pub fn between(self, least: f64, most: f64, base: ByteBase) -> Shown {
        let [from, to] = [least, most].map(|end| self.show(Some(end), base));
        match (from.number == to.number, from.unit == to.unit) {
            (true, true) => to,
            (_, true) => Shown::new(format!("{}–{}", from.number, to.number), to.unit),
            (_, false) => Shown::new(format!("{from}–{}", to.number), to.unit),
        }
    }
}

/// A count as [`count`] shows it, and below ten in four significant digits where it has that many: products of what is
/// shown come out as shown.
fn counted(number: f64) -> String {
    let mut shown =
        if number.abs() < 10.0 && number.fract() != 0.0 { significant(number, 4) } else { count(number) };
    while shown.ends_with('0') && shown.rfind('.').is_some_and(|point| shown.len() - point > 3) {
        shown.pop();
    }
    shown
}

fn scaled(number: f64, step: f64, names: &[&'static str]) -> Shown {
    if !number.is_finite() {
        return Shown::absent();
    }
    let mut rest = number;
    let mut rank = 0;
    // The half-unit keeps 1023.96 KiB from being shown as "1024".
    while rest.abs() >= step - step / 20_000.0 && rank + 1 < names.len() {
        rest /= step;
        rank += 1;
    }
    let name = names.get(rank).copied().unwrap_or("");
    if rank == 0 && rest.fract() == 0.0 {
        Shown::new(fixed(rest, 0), name)
    } else {
        Shown::new(significant(rest, 4), name)
    }
}

/// At most `digits` significant digits, trailing zeros kept, whole digits never cut.
fn significant(number: f64, digits: usize) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let mut before = 1;
    let mut rest = number.abs();
    while rest >= 10.0 && before < 20 {
        rest /= 10.0;
        before += 1;
    }
    fixed(number, digits.saturating_sub(before))
}

/// Fixed decimals, whole part grouped by threes, a true minus sign.
fn fixed(number: f64, decimals: usize) -> String {
    let size = number.abs();
    let Some(units) = last_places(size, decimals) else {
        let plain = format!("{size:.decimals$}");
        let whole = plain.split('.').next().map_or(0, str::len);
        return grouped(number < 0.0, whole, plain.chars().filter(|digit| *digit != '.'));
    };
    let mut place = 1_u64;
    let mut count = 1;
    while units / place >= 10 || count <= decimals {
        place *= 10;
        count += 1;
    }
    let digits = (0..count).map(|_| {
        let digit = units / place % 10;
        place = (place / 10).max(1);
        char::from(b'0' + digit as u8)
    });
    grouped(number < 0.0 && units > 0, count - decimals, digits)
}

/// Digits with their marks: the point stands after so many.
fn grouped(negative: bool, whole: usize, digits: impl Iterator<Item = char>) -> String {
    let mut shown = String::with_capacity(2 * whole + 8);
    if negative {
        shown.push('−');
    }
    for (index, digit) in digits.enumerate() {
        match whole.checked_sub(index) {
            Some(0) => shown.push('.'),
            Some(left) if index > 0 && left.is_multiple_of(3) => shown.push(GROUP),
            _ => {}
        }
        shown.push(digit);
    }
    shown
}

/// How often the last decimal place is in a number of no sign, rounded half to even as the standard library's formatting
/// rounds it, which is slow for a picture of many numbers; for any number with up to eighteen digits. None beyond.
fn last_places(number: f64, decimals: usize) -> Option<u64> {
    /// Of a double: bits that are stored of the fraction, and the exponent of its last bit where the stored one is 0.
    const STORED: u32 = 52;
    const LEAST: i32 = -1075;
    if !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let stored = (bits >> STORED) as i32;
    let fraction = bits & ((1 << STORED) - 1);
    let (fraction, exponent) =
        if stored == 0 { (fraction, LEAST + 1) } else { (fraction | 1 << STORED, LEAST + stored) };
    let tens = 10_u64.checked_pow(decimals.try_into().ok()?)?;
    let scaled = u128::from(fraction) * u128::from(tens);
    let units = if exponent >= 0 {
        if scaled.leading_zeros() < exponent.unsigned_abs() {
            return None;
        }
        scaled << exponent.unsigned_abs()
    } else {
        let shift = exponent.unsigned_abs();
        // More bits than that are less than a half.
        let Some(half) = 1_u128.checked_shl(shift - 1) else { return Some(0) };
        let (whole, rest) = (scaled.checked_shr(shift).unwrap_or(0), scaled & (half | (half - 1)));
        whole + u128::from(rest > half || rest == half && whole % 2 == 1)
    };
    u64::try_from(units).ok().filter(|units| *units < 10_u64.pow(18))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{GIB, KIB};

    #[test]
    fn sizes_take_the_unit_that_fits() {
        let cases = [
            (0.0, "0 B"),
            (1024.0, "1.000 KiB"),
            (1023.99 * KIB, "1.000 MiB"),
            (917_504.0, "896.0 KiB"),
            (349_405_184.0, "333.2 MiB"),
            (95.7 * GIB, "95.70 GiB"),
            (765.6 * GIB, "765.6 GiB"),
            (f64::NAN, "—"),
            (f64::INFINITY, "—"),
        ];
        for (amount, shown) in cases {
            assert_eq!(bytes(Bytes(amount), ByteBase::Binary).to_string(), shown, "{amount}");
        }
        assert_eq!(bytes(Bytes(865e9), ByteBase::Decimal).to_string(), "865.0 GB");
    }

    proptest::proptest! {
        #[test]
        fn decimals_are_the_standard_librarys(bits in proptest::prelude::any::<u64>(), tie in 0_u32..4096, decimals in 0_usize..20) {
            // Any double at all, and numbers that lie halfway between two decimals.
            for number in [f64::from_bits(bits).abs(), f64::from(tie) / 16.0, (bits >> 20) as f64 / 1e6] {
                if number.is_finite() {
                    let plain: String = fixed(number, decimals).chars().filter(|c| *c != GROUP).collect();
                    proptest::prop_assert_eq!(plain, format!("{:.decimals$}", number));
                }
            }
        }
    }

    #[test]
    fn pictures_get_four_digits() {
        for (gib, shown) in [(140.402, "140.4"), (80.0, "80.00"), (0.5, "0.500"), (1024.0, "1\u{a0}024")] {
            assert_eq!(short_giga(Bytes::from_gib(gib), ByteBase::Binary), shown);
        }
    }

    #[test]
    fn durations_take_the_unit_that_fits() {
        let cases = [(0.0, "0 s"), (0.014_356_77, "14.36 ms"), (7.168e-7, "716.8 ns"), (4.37e-5, "43.70 µs")];
        for (s, shown) in cases {
            assert_eq!(seconds(Seconds(s)).to_string(), shown);
        }
    }

    #[test]
    fn figures_below_ten_keep_four_digits() {
        let shown = |number| value(&Value::Number(number), Unit::Count, ByteBase::Binary).to_string();
        let cases = [
            (5.6823, "5.682"),
            (0.85, "0.85"),
            (0.5, "0.50"),
            (0.953_125, "0.953"),
            (45.4618, "45.46"),
            (-7.0, "−7"),
        ];
        for (number, wanted) in cases {
            assert_eq!(shown(number), wanted);
        }
    }

    #[test]
    fn columns_keep_unit_and_decimals() {
        let cases = [
            (Digits::Giga(2), 5_687_255_040.0, "5.69 GB"),
            (Digits::Mega(0), 324_141_056.0, "324 MB"),
            (Digits::Millis(2), 0.014_356_77, "14.36 ms"),
            (Digits::MillisTrimmed(6), 0.001_398_93, "1.39893 ms"),
            (Digits::MillisTrimmed(6), 0.002, "2 ms"),
            (Digits::MillisTrimmed(0), 0.02, "20 ms"),
            (Digits::Micros(2), 7.168e-7, "0.72 µs"),
            (Digits::Tera(2), 1.2244e12, "1.22 TFLOP"),
            (Digits::GigaFlop(1), 1.678e11, "167.8 GFLOP"),
            (Digits::Fixed(0), 67_348.4, "67\u{a0}348"),
            (Digits::Percent(1), 0.795, "79.5 %"),
            (Digits::Fit(Unit::Bytes), 917_504.0, "917.5 KB"),
            (Digits::Giga(2), f64::NAN, "—"),
        ];
        for (digits, number, shown) in cases {
            assert_eq!(digits.show(Some(number), ByteBase::Decimal).to_string(), shown);
        }
        assert_eq!(Digits::Giga(2).show(Some(GIB), ByteBase::Binary).to_string(), "1.00 GiB");
        assert_eq!(Digits::Mega(1).show(Some(1024.0 * KIB), ByteBase::Binary).to_string(), "1.0 MiB");
        assert_eq!(Digits::Fixed(1).show(None, ByteBase::Binary).to_string(), "—");
        let between = |low, high| Digits::Millis(1).between(low, high, ByteBase::Binary).to_string();
        assert_eq!(between(0.0123, 0.0356), "12.3–35.6 ms");
        assert_eq!(between(0.0123, 0.0123), "12.3 ms");
    }

    #[test]
    fn counts_are_grouped_and_signs_are_true() {
        assert_eq!(count(1_048_576.0), "1\u{a0}048\u{a0}576");
        assert_eq!(count(-22.06), "−22.06");
        assert_eq!(count(-0.001), "0.00");
        assert_eq!(count(f64::NAN), "—");
    }
}
