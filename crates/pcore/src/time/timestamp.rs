//! Points in time: `Timestamp`.

use std::cmp::Ordering;
use std::fmt;

use super::calendar::Civil;
use super::strftime::{self, Moment};
use super::zone::Zone;
use super::{
    Formats, LocalOffset, NANOSECONDS_PER_SECOND, Number, TimeError, Timespan, number, timestamp_parse,
};
use crate::dialect::Texts;

/// An instant in nanoseconds since 1970-01-01 00:00:00 UTC: the value of Puppet's `Timestamp`.
///
/// Its text, as interpolation shows it, is `YYYY-MM-DDTHH:MM:SS.NNNNNNNNN UTC`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// With the same alignment as the other parts of values, so that it doesn't enlarge them.
#[repr(Rust, packed(8))]
pub struct Timestamp {
    nanoseconds: i128,
}

impl Timestamp {
    /// The format in which timestamps are shown.
    pub const DEFAULT_FORMAT: &'static str = "%FT%T.%N %Z";

    /// Creates a timestamp from nanoseconds after the epoch.
    pub fn from_nanoseconds(nanoseconds: i128) -> Self {
        Timestamp { nanoseconds }
    }

    /// Creates a timestamp from seconds after the epoch; digits of a float beyond nanoseconds are truncated.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_seconds(seconds: impl Into<Number>) -> Result<Self, TimeError> {
        seconds.into().to_nanoseconds().map(Self::from_nanoseconds)
    }

    /// Creates a timestamp from a float of seconds; the conversion of its fraction depends on the dialect of `texts` (X147).
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_float(texts: &Texts, seconds: f64) -> Result<Self, TimeError> {
        number::nanoseconds_of_float(seconds, texts).map(Self::from_nanoseconds)
    }

    /// Parses a timestamp with the directives of Ruby's `DateTime.strptime`, in the dialect of `texts`.
    ///
    /// `timezone` is the zone of the time if the text doesn't contain one: an offset, an abbreviation, or `current`,
    /// which is `local`. An empty name means UTC, as does `None`. Missing parts of the text have their first value, but
    /// the year is required. Which directives determine the date depends on the dialect
    /// ([`Days`](crate::dialect::Days)). A day beyond the end of its month continues into the next.
    ///
    /// # Errors
    /// [`TimeError::Mismatch`] or, with several formats, [`TimeError::MismatchAll`]; [`TimeError::IllegalTimezone`];
    /// [`TimeError::TimezoneTwice`]; [`TimeError::NoYear`]; [`TimeError::OutOfRange`]; [`TimeError::Overflow`].
    pub fn parse(
        texts: &Texts,
        text: &str,
        formats: Formats<'_>,
        timezone: Option<&str>,
        local: LocalOffset,
    ) -> Result<Self, TimeError> {
        timestamp_parse::parse(texts, text, formats, timezone.filter(|name| !name.is_empty()), local)
    }

    /// Formats the timestamp with the directives of Ruby's `Time#strftime`, as the time in `timezone`: an offset, an
    /// abbreviation, or `current`, which is `local`. An empty name means UTC, as does `None`. `%Z` doesn't know the
    /// name of any other zone.
    ///
    /// # Errors
    /// [`TimeError::IllegalTimezone`]; [`TimeError::OffsetOutOfRange`]; [`TimeError::UnfinishedDirective`];
    /// [`TimeError::Overflow`]; [`TimeError::TooLong`] if widths request megabytes.
    pub fn format(
        self,
        format: &str,
        timezone: Option<&str>,
        local: LocalOffset,
    ) -> Result<String, TimeError> {
        let zone = Zone::named(timezone.unwrap_or_default(), local)?;
        let offset = i128::from(zone.seconds()) * NANOSECONDS_PER_SECOND;
        let there = self.nanoseconds.checked_add(offset).ok_or(TimeError::Overflow)?;
        let moment =
            Moment { civil: Civil::from_nanoseconds(there), zone, epoch_seconds: self.whole_seconds() };
        strftime::format(&moment, format)
    }

    /// Returns the nanoseconds since the epoch.
    pub fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// Returns the whole seconds since the epoch, rounded down: the result of `Integer`.
    pub fn whole_seconds(self) -> i128 {
        number::whole_seconds(self.nanoseconds)
    }

    /// Returns the seconds since the epoch, with their fraction: the result of `Float`.
    pub fn seconds(self) -> f64 {
        number::seconds(self.nanoseconds)
    }

    /// `self + timespan`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`].
    pub fn plus(self, timespan: Timespan) -> Result<Timestamp, TimeError> {
        let sum = self.nanoseconds.checked_add(timespan.nanoseconds());
        sum.map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self + seconds`.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn plus_seconds(self, seconds: impl Into<Number>) -> Result<Timestamp, TimeError> {
        self.plus(Timespan::from_seconds(seconds)?)
    }

    /// `self - timespan`.
    ///
    /// # Errors
    /// [`TimeError::Overflow`].
    pub fn minus(self, timespan: Timespan) -> Result<Timestamp, TimeError> {
        let difference = self.nanoseconds.checked_sub(timespan.nanoseconds());
        difference.map(Self::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// `self - seconds`.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn minus_seconds(self, seconds: impl Into<Number>) -> Result<Timestamp, TimeError> {
        self.minus(Timespan::from_seconds(seconds)?)
    }

    /// `self - earlier`: the time between them.
    ///
    /// # Errors
    /// [`TimeError::Overflow`].
    pub fn since(self, earlier: Timestamp) -> Result<Timespan, TimeError> {
        let difference = self.nanoseconds.checked_sub(earlier.nanoseconds);
        difference.map(Timespan::from_nanoseconds).ok_or(TimeError::Overflow)
    }

    /// Compares it with a number of seconds since the epoch: with an integer by its whole seconds. `None` for NaN.
    pub fn compare_seconds(self, seconds: impl Into<Number>) -> Option<Ordering> {
        number::compare(self.nanoseconds, seconds.into())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.format(Self::DEFAULT_FORMAT, None, LocalOffset::UTC).map_err(|_| fmt::Error)?;
        out.write_str(&text)
    }
}
