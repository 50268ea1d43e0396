//! A length of time.

use std::cmp::Ordering;
use std::fmt;

use super::{
    Formats, NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND,
    Number, TimeError, TimespanFormat, number,
};
use crate::dialect::Texts;

/// A length of time in nanoseconds, negative ones included: the value of Puppet's `Timespan`.
///
/// Its text is `D-HH:MM:SS.n`. `Display` writes it as the reference does ([`Texts::PUPPET8`]), where `n` has no noughts at
/// its beginning; [`Timespan::text`] as a dialect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
// As little aligned as all that values are made of, so that these do not grow by it.
#[repr(Rust, packed(8))]
pub struct Timespan {
    nanoseconds: i128,
}

/// The parts a timespan can be built from. Each may be negative or larger than its unit usually grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimespanFields {
    /// Whether to negate the sum of the parts.
    pub negative: bool,
    /// Days of 24 hours.
    pub days: i64,
    /// Hours.
    pub hours: i64,
    /// Minutes.
    pub minutes: i64,
    /// Seconds.
    pub seconds: i64,
    /// Thousandths of a second.
    pub milliseconds: i64,
    /// Millionths of a second.
    pub microseconds: i64,
    /// Thousand-millionths of a second.
    pub nanoseconds: i64,
}

impl Timespan {
    /// A timespan of that many nanoseconds.
    pub fn from_nanoseconds(nanoseconds: i128) -> Self {
        Timespan { nanoseconds }
    }

    /// A timespan of that many seconds; what a float says beyond nanoseconds is cut off.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_seconds(seconds: impl Into<Number>) -> Result<Self, TimeError> {
        seconds.into().to_nanoseconds().map(Self::from_nanoseconds)
    }

    /// The timespan of a float of seconds, whose fraction depends on the dialect that has these texts (X147).
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_float(texts: &Texts, seconds: f64) -> Result<Self, TimeError> {
        number::nanoseconds_of_float(seconds, texts).map(Self::from_nanoseconds)
    }

    /// The sum of the parts. It always fits: each part has 64 bits.
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

    /// Reads a timespan in a dialect that has these texts. The default formats are, in this order, `%D-%H:%M:%S.%-N`,
    /// `%H:%M:%S.%-N`, `%M:%S.%-N`, `%S.%-N`, `%D-%H:%M:%S`, `%H:%M:%S`, `%D-%H:%M` and `%S`.
    ///
    /// # Errors
    /// Those of [`TimespanFormat::new`] for a format that is reached, and those of [`TimespanFormat::parse`]; with
    /// several formats [`TimeError::MismatchAll`] stands for the latter.
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

    /// Writes the timespan by a format, in a dialect that has these texts.
    ///
    /// # Errors
    /// Those of [`TimespanFormat::new`] and [`TimespanFormat::format`].
    pub fn format(self, texts: &Texts, format: &str) -> Result<String, TimeError> {
        TimespanFormat::new(texts, format)?.format(self)
    }

    /// The text of the timespan in a dialect that has these texts.
    pub fn text(self, texts: &Texts) -> String {
        // The format is well-formed and asks for no width.
        self.format(texts, TimespanFormat::DEFAULTS[0]).unwrap_or_default()
    }

    /// All of it in nanoseconds.
    pub fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// All of it in whole seconds, rounded down: what `Integer` makes of it.
    pub fn whole_seconds(self) -> i128 {
        number::whole_seconds(self.nanoseconds)
    }

    /// All of it in seconds with their fraction: what `Float` makes of it.
    pub fn seconds(self) -> f64 {
        number::seconds(self.nanoseconds)
    }

    /// Whether it is less than nought.
    pub fn is_negative(self) -> bool {
        self.nanoseconds < 0
    }

    /// The whole days in it, sign aside.
    pub fn days(self) -> u128 {
        self.total(NANOSECONDS_PER_DAY)
    }

    /// The hours beyond [`days`](Self::days), 0 to 23, sign aside.
    pub fn hours_of_day(self) -> u8 {
        self.part(NANOSECONDS_PER_HOUR, 24) as u8
    }

    /// The minutes beyond the hours, 0 to 59, sign aside.
    pub fn minutes_of_hour(self) -> u8 {
        self.part(NANOSECONDS_PER_MINUTE, 60) as u8
    }

    /// The seconds beyond the minutes, 0 to 59, sign aside.
    pub fn seconds_of_minute(self) -> u8 {
        self.part(NANOSECONDS_PER_SECOND, 60) as u8
    }

    /// The whole milliseconds beyond the seconds, 0 to 999, sign aside.
    pub fn milliseconds_of_second(self) -> u16 {
        self.part(1_000_000, 1_000) as u16
    }

    /// The nanoseconds beyond the seconds, sign aside.
    pub fn nanoseconds_of_second(self) -> u32 {
        self.part(1, 1_000_000_000) as u32
    }

    /// How many whole units of that many nanoseconds are in it, sign aside.
    pub(super) fn total(self, unit: i128) -> u128 {
        self.nanoseconds.unsigned_abs() / unit.unsigned_abs()
    }

    /// How many whole units are beyond the last whole `count` of them.
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

    /// `self - seconds`. For `seconds - self`, make a timespan of the seconds first.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn minus_seconds(self, seconds: impl Into<Number>) -> Result<Timespan, TimeError> {
        self.minus(Timespan::from_seconds(seconds)?)
    }

    /// `-self`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`], for the most negative of all.
    pub fn negated(self) -> Result<Timespan, TimeError> {
        self.nanoseconds.checked_neg().map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self * factor`. With a float, the nanoseconds are multiplied as a float and cut off.
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

    /// `self / divisor` by a number, which is a timespan again, rounded down to nanoseconds.
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
                // Ruby cuts off, rather than rounding down, where the dividend is more than a machine word.
                let small = number::is_small(self.nanoseconds);
                number::truncate(if small { quotient.floor() } else { quotient })?
            }
        };
        Ok(Timespan::from_nanoseconds(quotient))
    }

    /// `self / other`: how many times the other goes into this one. Infinite, or not a number, when the other is
    /// nought; the operator then reports an infinite result.
    pub fn ratio(self, other: Timespan) -> f64 {
        number::quotient(self.nanoseconds, other.nanoseconds)
    }

    /// `self % divisor`: what remains of the whole seconds; it has the divisor's sign. The operator takes no floats
    /// and no timespans on its right.
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

    /// How it compares to a number of seconds: to an integer by its whole seconds. `None` for a float that is not a
    /// number.
    pub fn compare_seconds(self, seconds: impl Into<Number>) -> Option<Ordering> {
        number::compare(self.nanoseconds, seconds.into())
    }
}

/// Integer division that rounds down. `None` when it overflows.
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
