//! Timestamps and timespans: the values of `Timestamp` and `Timespan`.
//!
//! Both count nanoseconds in 128 bits, as in the specification, and are seconds wherever they are combined with a
//! number. Each is created from numbers, from fields or from text with a format, supports the arithmetic of the
//! language, and is formatted with a format. An overflow of 128 bits is an error: nothing wraps, and no input panics.
//!
//! A `Timespan` has its own formats ([`TimespanFormat`]); a `Timestamp` is formatted and parsed with the directives of
//! Ruby's `Time#strftime` and `DateTime.strptime`, which differ in flags, padding and unknown directives. Calendar
//! computations are done by jiff.
//!
//! This module never reads the clock or the machine's time zone: for `current`, the caller passes a [`LocalOffset`].

mod calendar;
mod error;
mod number;
mod strftime;
mod strptime;
#[cfg(test)]
mod tests;
mod timespan;
mod timespan_format;
mod timespan_match;
mod timestamp;
mod timestamp_parse;
mod zone;
mod zone_names;

pub use error::TimeError;
pub use number::Number;
pub use timespan::{Timespan, TimespanFields};
pub use timespan_format::TimespanFormat;
pub use timestamp::Timestamp;
pub use zone::LocalOffset;

const NANOSECONDS_PER_SECOND: i128 = 1_000_000_000;
const NANOSECONDS_PER_MINUTE: i128 = 60 * NANOSECONDS_PER_SECOND;
const NANOSECONDS_PER_HOUR: i128 = 60 * NANOSECONDS_PER_MINUTE;
const NANOSECONDS_PER_DAY: i128 = 24 * NANOSECONDS_PER_HOUR;

/// The maximum length, in bytes, of a formatted text; widths can request any length.
const LONGEST_TEXT: usize = 16 << 20;

/// The formats to parse a text with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats<'a> {
    /// The default formats of the type, tried in order.
    Default,
    /// This format and no other.
    One(&'a str),
    /// The first of these that matches.
    AnyOf(&'a [&'a str]),
}
