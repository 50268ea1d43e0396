//! A point in time.

use std::cmp::Ordering;
use std::fmt;

use super::calendar::Civil;
use super::strftime::{self, Moment};
use super::zone::Zone;
use super::{
    Formats, LocalOffset, NANOSECONDS_PER_SECOND, Number, TimeError, Timespan, number, timestamp_parse,
};
use crate::dialect::Texts;

/// A point in time in nanoseconds since 1970-01-01 00:00:00 UTC: the value of Puppet's `Timestamp`.
///
/// Its text, as interpolation shows it, is `YYYY-MM-DDTHH:MM:SS.NNNNNNNNN UTC`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// As little aligned as all that values are made of, so that these do not grow by it.
#[repr(Rust, packed(8))]
pub struct Timestamp {
    nanoseconds: i128,
}

impl Timestamp {
    /// The format a timestamp is shown with.
    pub const DEFAULT_FORMAT: &'static str = "%FT%T.%N %Z";

    /// The formats that are tried when none is given, with no zone given either.
    pub const DEFAULT_FORMATS: [&'static str; 10] = [
        Self::DEFAULT_FORMAT,
        "%FT%T %Z",
        "%F %T.%N %Z",
        "%F %T %Z",
        "%F %Z",
        "%FT%T.%N",
        "%FT%T",
        "%F %T.%N",
        "%F %T",
        "%F",
    ];

    /// The formats that are tried when none is given, but a zone is.
    pub const DEFAULT_FORMATS_WITHOUT_ZONE: [&'static str; 5] =
        ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

    /// The point in time that many nanoseconds after the epoch.
    pub fn from_nanoseconds(nanoseconds: i128) -> Self {
        Timestamp { nanoseconds }
    }

    /// The point in time that many seconds after the epoch; what a float says beyond nanoseconds is cut off.
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_seconds(seconds: impl Into<Number>) -> Result<Self, TimeError> {
        seconds.into().to_nanoseconds().map(Self::from_nanoseconds)
    }

    /// The timestamp of a float of seconds, whose fraction depends on the dialect that has these texts (X147).
    ///
    /// # Errors
    /// [`TimeError::NotFinite`], [`TimeError::Overflow`].
    pub fn from_float(texts: &Texts, seconds: f64) -> Result<Self, TimeError> {
        number::nanoseconds_of_float(seconds, texts).map(Self::from_nanoseconds)
    }

    /// Reads a timestamp with the directives of Ruby's `DateTime.strptime`, in a dialect that has these texts.
    ///
    /// `timezone` is where the time is meant, if the text does not say so: an offset, an abbreviation, or `current`,
    /// which is `local`. Empty is like none, which is UTC. What the text does not mention is the first of its kind;
    /// but it must mention the year. Which directives say what
    /// day it is depends on the dialect ([`Days`](crate::dialect::Days)). A day that its month does not have counts on into the next.
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

    /// Writes the timestamp with the directives of Ruby's `Time#strftime`, as the time in `timezone`: an offset, an
    /// abbreviation, or `current`, which is `local`. Empty is like none, which is UTC. `%Z` knows the name of no
    /// other zone.
    ///
    /// # Errors
    /// [`TimeError::IllegalTimezone`]; [`TimeError::OffsetOutOfRange`]; [`TimeError::UnfinishedDirective`];
    /// [`TimeError::Overflow`]; [`TimeError::TooLong`], when widths ask for megabytes.
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

    /// Nanoseconds since the epoch.
    pub fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// Whole seconds since the epoch, rounded down: what `Integer` makes of it.
    pub fn whole_seconds(self) -> i128 {
        number::whole_seconds(self.nanoseconds)
    }

    /// Seconds since the epoch, with their fraction: what `Float` makes of it.
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

    /// How it compares to a number of seconds since the epoch: to an integer by its whole seconds. `None` for a float
    /// that is not a number.
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
