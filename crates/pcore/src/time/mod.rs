//! Points in time and lengths of time: the values of `Timestamp` and `Timespan`.
//!
//! Both count nanoseconds in 128 bits, as the specification has it, and are seconds wherever they meet a number. Each
//! is made from numbers, from fields or from text by format, does the arithmetic the language gives it, and is
//! written by format. What would not fit into 128 bits is an error: nothing wraps, and no input panics.
//!
//! A `Timespan` has formats of its own ([`TimespanFormat`]); a `Timestamp` is written and read with the directives of
//! Ruby's `Time#strftime` and `DateTime.strptime`, which go their own ways in flags, padding and unknown directives.
//! Calendar work is jiff's.
//!
//! Nothing here reads the clock or the machine's time zone: where the language says `current`, the caller says what
//! that is with a [`LocalOffset`].

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

/// The longest text, in bytes, that a format may produce; a width can ask for any length.
const LONGEST_TEXT: usize = 16 << 20;

/// The formats to read a text with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats<'a> {
    /// The type's own list of formats, each tried in order.
    Default,
    /// This format and no other.
    One(&'a str),
    /// The first of these that fits.
    AnyOf(&'a [&'a str]),
}
