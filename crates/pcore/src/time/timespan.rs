//! Spans of time: `Timespan`.

use std::cmp::Ordering;
use std::fmt;

use super::{
    Formats, NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND,
    Number, TimeError, TimespanFormat, number,
};
use crate::dialect::Texts;

/// A duration in nanoseconds, possibly negative: the value of Puppet's `Timespan`.
///
/// Its text is `D-HH:MM:SS.n`. `Display` formats it like the reference ([`Texts::PUPPET8`]), where `n` has no leading
/// zeros; [`Timespan::text`] formats it like a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
// With the same alignment as the other parts of values, so that it doesn't enlarge them.
#[repr(Rust, packed(8))]
pub struct Timespan {
    nanoseconds: i128,
}

/// The parts from which a timespan is created. Each may be negative, or exceed the usual range of its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimespanFields {
    /// Whether to negate the sum of the parts.
    pub negative: bool,
    /// Days of 24 hours.
    pub days: i64,
    /// The number of hours.
    pub hours: i64,
    /// The number of minutes.
    pub minutes: i64,
    /// The number of seconds.
    pub seconds: i64,
    /// Thousandths of a second.
    pub milliseconds: i64,
    /// Millionths of a second.
    pub microseconds: i64,
    /// Billionths of a second.
    pub nanoseconds: i64,
}

impl Timespan {
    /// Creates a timespan from nanoseconds.
    pub fn from_nanoseconds(nanoseconds: i128) -> Self {
        Timespan { nanoseconds }
    }

    /// Creates a timespan from seconds; digits of a float beyond nanoseconds are truncated.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_seconds(seconds: impl Into<Number>) -> Result<Self, TimeError> {
        seconds.into().to_nanoseconds().map(Self::from_nanoseconds)
    }

    /// Creates a timespan from a float of seconds; the conversion of its fraction depends on the dialect of `texts` (X147).
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_float(texts: &Texts, seconds: f64) -> Result<Self, TimeError> {
        number::nanoseconds_of_float(seconds, texts).map(Self::from_nanoseconds)
    }

    /// Returns the sum of the parts. It can't overflow: each part has 64 bits.
    pub fn from_fields(fields: &TimespanFields) -> Self {
        let parts = [
            (fields.days, NANOSECONDS_PER_DAY),
            (fields.hours, NANOSECONDS_PER_HOUR),
            (fields.minutes, NANOSECONDS_PER_MINUTE),
            (fields.seconds, NANOSECONDS_PER_SECOND),
            (fields.milliseconds, 1_000_000),
            (fields.microseconds, 1_000),
            (fields.nanoseconds, 1),
        ];
        let sum = parts.iter().map(|&(count, unit)| i128::from(count) * unit).sum::<i128>();
        Timespan::from_nanoseconds(if fields.negative { -sum } else { sum })
    }

    /// Parses a timespan in the dialect of `texts`. The default formats are, in this order, `%D-%H:%M:%S.%-N`,
    /// `%H:%M:%S.%-N`, `%M:%S.%-N`, `%S.%-N`, `%D-%H:%M:%S`, `%H:%M:%S`, `%D-%H:%M` and `%S`.
    ///
    /// # Errors
    /// Those of [`TimespanFormat::new`] for a format that is reached, and those of [`TimespanFormat::parse`]; with
    /// several formats, [`TimeError::MismatchAll`] instead of the latter.
    pub fn parse(texts: &Texts, text: &str, formats: Formats<'_>) -> Result<Self, TimeError> {
        let formats = match formats {
            Formats::Default => TimespanFormat::DEFAULTS.as_slice(),
            Formats::One(format) => return TimespanFormat::new(texts, format)?.parse(text),
            Formats::AnyOf(formats) => formats,
        };
        for format in formats {
            if let Ok(timespan) = TimespanFormat::new(texts, format)?.parse(text) {
                return Ok(timespan);
            }
        }
        let formats = formats.iter().map(|&format| format.to_owned()).collect();
        Err(TimeError::MismatchAll { text: text.to_owned(), formats })
    }

    /// Formats the timespan in the dialect of `texts`.
    ///
    /// # Errors
    /// Those of [`TimespanFormat::new`] and [`TimespanFormat::format`].
    pub fn format(self, texts: &Texts, format: &str) -> Result<String, TimeError> {
        TimespanFormat::new(texts, format)?.format(self)
    }

    /// Returns the text of the timespan in the dialect of `texts`.
    pub fn text(self, texts: &Texts) -> String {
        // The format is valid and requests no width.
        self.format(texts, TimespanFormat::DEFAULTS[0]).unwrap_or_default()
    }

    /// Returns the total in nanoseconds.
    pub fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// Returns the total in whole seconds, rounded down: the result of `Integer`.
    pub fn whole_seconds(self) -> i128 {
        number::whole_seconds(self.nanoseconds)
    }

    /// Returns the total in seconds with their fraction: the result of `Float`.
    pub fn seconds(self) -> f64 {
        number::seconds(self.nanoseconds)
    }

    /// Whether it is negative.
    pub fn is_negative(self) -> bool {
        self.nanoseconds < 0
    }

    /// Returns the number of whole days, ignoring the sign.
    pub fn days(self) -> u128 {
        self.total(NANOSECONDS_PER_DAY)
    }

    /// Returns the hours beyond [`days`](Self::days), 0 to 23, ignoring the sign.
    pub fn hours_of_day(self) -> u8 {
        self.part(NANOSECONDS_PER_HOUR, 24) as u8
    }

    /// Returns the minutes beyond the hours, 0 to 59, ignoring the sign.
    pub fn minutes_of_hour(self) -> u8 {
        self.part(NANOSECONDS_PER_MINUTE, 60) as u8
    }

    /// Returns the seconds beyond the minutes, 0 to 59, ignoring the sign.
    pub fn seconds_of_minute(self) -> u8 {
        self.part(NANOSECONDS_PER_SECOND, 60) as u8
    }

    /// Returns the whole milliseconds beyond the seconds, 0 to 999, ignoring the sign.
    pub fn milliseconds_of_second(self) -> u16 {
        self.part(1_000_000, 1_000) as u16
    }

    /// Returns the nanoseconds beyond the seconds, ignoring the sign.
    pub fn nanoseconds_of_second(self) -> u32 {
        self.part(1, 1_000_000_000) as u32
    }

    /// Returns the number of whole units of that many nanoseconds, ignoring the sign.
    pub(super) fn total(self, unit: i128) -> u128 {
        self.nanoseconds.unsigned_abs() / unit.unsigned_abs()
    }

    /// Returns the number of whole units beyond the last multiple of `count`.
    pub(super) fn part(self, unit: i128, count: u128) -> u128 {
        self.total(unit) % count
    }

    /// `self + other`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`].
    pub fn plus(self, other: Timespan) -> Result<Timespan, TimeError> {
        self.nanoseconds.checked_add(other.nanoseconds).map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self + seconds`.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn plus_seconds(self, seconds: impl Into<Number>) -> Result<Timespan, TimeError> {
        self.plus(Timespan::from_seconds(seconds)?)
    }

    /// `self - other`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`].
    pub fn minus(self, other: Timespan) -> Result<Timespan, TimeError> {
        self.nanoseconds.checked_sub(other.nanoseconds).map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self - seconds`. For `seconds - self`, create a timespan from the seconds first.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn minus_seconds(self, seconds: impl Into<Number>) -> Result<Timespan, TimeError> {
        self.minus(Timespan::from_seconds(seconds)?)
    }

    /// `-self`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`] for the minimum.
    pub fn negated(self) -> Result<Timespan, TimeError> {
        self.nanoseconds.checked_neg().map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self * factor`. With a float, the nanoseconds are multiplied as a float and truncated.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn times(self, factor: impl Into<Number>) -> Result<Timespan, TimeError> {
        let product = match factor.into() {
            Number::Integer(factor) => {
                self.nanoseconds.checked_mul(i128::from(factor)).ok_or(TimeError::Overflow)?
            }
            Number::Float(factor) => number::truncate(self.nanoseconds as f64 * factor)?,
        };
        Ok(Timespan::from_nanoseconds(product))
    }

    /// `self / divisor` for a number, which is a timespan, rounded down to nanoseconds.
    ///
    /// # Errors
    /// [`TimeError::DivisionByZero`], [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn divided_by(self, divisor: impl Into<Number>) -> Result<Timespan, TimeError> {
        let quotient = match divisor.into() {
            Number::Integer(0) | Number::Float(0.0) => return Err(TimeError::DivisionByZero),
            Number::Integer(divisor) => {
                divide_down(self.nanoseconds, i128::from(divisor)).ok_or(TimeError::Overflow)?
            }
            Number::Float(divisor) => {
                let quotient = self.nanoseconds as f64 / divisor;
                // Ruby truncates instead of rounding down if the dividend exceeds a machine word.
                let small = number::is_small(self.nanoseconds);
                number::truncate(if small { quotient.floor() } else { quotient })?
            }
        };
        Ok(Timespan::from_nanoseconds(quotient))
    }

    /// `self / other`: the ratio of both. Infinite, or NaN, if the other is zero; the operator then reports an infinite
    /// result.
    pub fn ratio(self, other: Timespan) -> f64 {
        number::quotient(self.nanoseconds, other.nanoseconds)
    }

    /// `self % divisor`: the remainder of the whole seconds, with the divisor's sign. The operator accepts neither
    /// floats nor timespans on its right.
    ///
    /// # Errors
    /// [`TimeError::DivisionByZero`].
    pub fn modulo(self, divisor: i64) -> Result<i64, TimeError> {
        if divisor == 0 {
            return Err(TimeError::DivisionByZero);
        }
        let divisor = i128::from(divisor);
        let rest = self.whole_seconds() % divisor;
        let rest = if rest != 0 && (rest < 0) != (divisor < 0) { rest + divisor } else { rest };
        i64::try_from(rest).map_err(|_| TimeError::Overflow)
    }

    /// Compares it with a number of seconds: with an integer by its whole seconds. `None` for NaN.
    pub fn compare_seconds(self, seconds: impl Into<Number>) -> Option<Ordering> {
        number::compare(self.nanoseconds, seconds.into())
    }
}

/// Integer division that rounds down. `None` on overflow.
fn divide_down(dividend: i128, divisor: i128) -> Option<i128> {
    let quotient = dividend.checked_div(divisor)?;
    let inexact = dividend % divisor != 0;
    Some(if inexact && (dividend < 0) != (divisor < 0) { quotient - 1 } else { quotient })
}

impl fmt::Display for Timespan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(&Texts::PUPPET8))
    }
}
