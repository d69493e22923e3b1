//! The scenario's keys: name, bound and default of each, in one place.

use super::{Reason, Setting};
use crate::figure::Ledger;

/// One thing a reader can turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Tokens of context each request has so far.
    Context,
    /// Requests decoded together.
    Batch,
    /// GPUs a layer's tensors are cut over.
    Tp,
    /// Memory of one GPU, in GiB.
    GpuMemoryGib,
    /// Number format in which partial sums travel.
    CommDtype,
}

/// Which values a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Whole numbers from the first to the second, both included.
    Whole(u64, u64),
    /// Finite numbers from the first to the second, both included.
    Real(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Key {
    /// Every key, in the order in which links write them.
    pub const ALL: [Self; 5] = [Self::Context, Self::Batch, Self::Tp, Self::GpuMemoryGib, Self::CommDtype];

    /// Its name in links, files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Batch => "batch",
            Self::Tp => "tp",
            Self::GpuMemoryGib => "gpu_memory_gib",
            Self::CommDtype => "comm_dtype",
        }
    }

    /// Reads such a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// The values it takes.
    #[must_use]
    pub const fn bound(self) -> Bound {
        match self {
            Self::Context => Bound::Whole(1, 1_048_576),
            Self::Batch => Bound::Whole(1, 1024),
            Self::Tp => Bound::Whole(1, 128),
            Self::GpuMemoryGib => Bound::Real(8.0, 1024.0),
            Self::CommDtype => Bound::OneOf(&["fp32", "bf16"]),
        }
    }

    /// What a ledger takes where the reader chose nothing.
    #[must_use]
    pub const fn default(self, ledger: Ledger) -> Setting {
        match (self, ledger) {
            (Self::Context, Ledger::Tutorial) => Setting::Whole(32_768),
            (Self::Batch, Ledger::Tutorial) => Setting::Whole(8),
            (Self::Tp, _) => Setting::Whole(8),
            (Self::GpuMemoryGib, Ledger::Tutorial) => Setting::Real(80.0),
            (Self::CommDtype, _) => Setting::Word("fp32"),
        }
    }
}

impl Key {
    /// The values a slider stops at, rising; both ends of the bound among them. Other values can be typed.
    #[must_use]
    pub fn stops(self) -> Vec<f64> {
        match self.bound() {
            Bound::Whole(low, high) => {
                quarter_doublings(low, high).into_iter().map(|stop| stop as f64).collect()
            }
            Bound::Real(low, high) => {
                let inner = MEMORY_GIB.into_iter().filter(|stop| *stop > low && *stop < high);
                core::iter::once(low).chain(inner).chain([high]).collect()
            }
            Bound::OneOf(_) => Vec::new(),
        }
    }
}

/// Sizes of GPU memory worth a stop, in GiB.
const MEMORY_GIB: [f64; 16] =
    [16.0, 24.0, 32.0, 40.0, 48.0, 64.0, 80.0, 96.0, 128.0, 141.0, 180.0, 192.0, 256.0, 288.0, 384.0, 512.0];

/// Whole numbers from `low` to `high` with at most four to each doubling.
fn quarter_doublings(low: u64, high: u64) -> Vec<u64> {
    let doublings =
        core::iter::successors(Some(1_u64), |power| power.checked_mul(2)).take_while(|p| *p <= high);
    let quarters = doublings.flat_map(|power| [0, 1, 2, 3].map(|quarter| power + power * quarter / 4));
    let mut stops: Vec<u64> =
        quarters.filter(|stop| (low..=high).contains(stop)).chain([low, high]).collect();
    stops.sort_unstable();
    stops.dedup();
    stops
}

impl Bound {
    /// Reads a value from text.
    ///
    /// Whole numbers may be grouped by threes with commas, spaces or underscores and end in `K` or `M` (2¹⁰, 2²⁰).
    ///
    /// # Errors
    /// Says why the text is not such a value.
    pub fn read(self, text: &str) -> Result<Setting, Reason> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Reason::Empty);
        }
        match self {
            Self::Whole(..) => self.check(read_whole(text)?),
            Self::Real(..) => self.check(read_real(text)?),
            Self::OneOf(words) => {
                let found = words.iter().find(|word| word.eq_ignore_ascii_case(text));
                found.map(|word| Setting::Word(word)).ok_or(Reason::NotOneOf(words))
            }
        }
    }

    /// Checks a number against the bound.
    ///
    /// # Errors
    /// Says on which side it lies outside, or that it is no such number.
    pub fn check(self, number: f64) -> Result<Setting, Reason> {
        let (min, max) = match self {
            Self::Whole(min, max) => (min as f64, max as f64),
            Self::Real(min, max) => (min, max),
            Self::OneOf(words) => return Err(Reason::NotOneOf(words)),
        };
        if !number.is_finite() {
            Err(Reason::NotANumber)
        } else if number < min {
            Err(Reason::Below(min))
        } else if number > max {
            Err(Reason::Above(max))
        } else if matches!(self, Self::Real(..)) {
            Ok(Setting::Real(number))
        } else if number.fract() == 0.0 {
            Ok(Setting::Whole(number as u64))
        } else {
            Err(Reason::NotWhole)
        }
    }
}

/// Digits, optionally grouped by threes, optionally with a binary suffix.
fn read_whole(text: &str) -> Result<f64, Reason> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1024.0),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_048_576.0),
        _ => (text, 1.0),
    };
    let is_group = |c: char| matches!(c, ',' | ' ' | '_' | '\u{2009}' | '\u{202f}' | '\u{a0}');
    let groups: Vec<&str> = digits.trim_end().split(is_group).collect();
    let well_grouped = groups.iter().enumerate().all(|(index, group)| match index {
        0 if groups.len() > 1 => (1..=3).contains(&group.len()),
        0 => true,
        _ => group.len() == 3,
    });
    let plain = groups.concat();
    if well_grouped && !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit()) {
        plain.parse::<f64>().map(|number| number * factor).map_err(|_| Reason::NotANumber)
    } else if read_real(text).is_ok_and(|number| number.fract() != 0.0) {
        Err(Reason::NotWhole)
    } else if let Some(rest) = plain.strip_prefix(['-', '−'])
        && rest.bytes().all(|b| b.is_ascii_digit())
        && !rest.is_empty()
    {
        Ok(-1.0)
    } else {
        Err(Reason::NotANumber)
    }
}

/// A plain decimal number: digits with at most one point and a sign, no exponent, no words.
fn read_real(text: &str) -> Result<f64, Reason> {
    let plain = text.strip_prefix(['-', '−']).unwrap_or(text);
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    let points = plain.bytes().filter(|b| *b == b'.').count();
    if digits == 0 || points > 1 || digits + points != plain.len() {
        return Err(Reason::NotANumber);
    }
    let size: f64 = plain.parse().map_err(|_| Reason::NotANumber)?;
    Ok(if plain.len() == text.len() { size } else { -size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_within_its_bound() {
        for key in Key::ALL {
            for ledger in Ledger::ALL {
                let default = key.default(ledger);
                assert_eq!(key.bound().read(&default.to_string()), Ok(default), "{}", key.name());
            }
        }
    }

    #[test]
    fn keys_stand_in_the_order_of_their_numbers() {
        for (index, key) in Key::ALL.into_iter().enumerate() {
            assert_eq!(key as usize, index);
            assert_eq!(Key::from_name(key.name()), Some(key));
        }
    }

    #[test]
    fn stops_rise_within_the_bound() {
        for key in Key::ALL {
            let stops = key.stops();
            assert!(stops.windows(2).all(|pair| pair[0] < pair[1]), "{}", key.name());
            assert!(stops.iter().all(|stop| key.bound().check(*stop).is_ok()), "{}", key.name());
        }
        assert_eq!(Key::Context.stops()[..6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(Key::Context.stops().contains(&131_072.0));
    }

    #[test]
    fn refusals_say_why() {
        let cases = [
            ("0", Reason::Below(1.0)),
            ("-5", Reason::Below(1.0)),
            ("1025", Reason::Above(1024.0)),
            ("1.5", Reason::NotWhole),
            ("8x", Reason::NotANumber),
            ("", Reason::Empty),
        ];
        for (text, reason) in cases {
            assert_eq!(Key::Batch.bound().read(text), Err(reason), "{text}");
        }
        assert_eq!(Key::GpuMemoryGib.bound().read("141.5"), Ok(Setting::Real(141.5)));
        assert_eq!(Key::GpuMemoryGib.bound().read("1e3"), Err(Reason::NotANumber));
    }
}
