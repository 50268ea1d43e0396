//! Why a time could not be made, read or written.

use std::fmt;

/// Why a time could not be made, read or written.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeError {
    /// A `Timespan` format has a directive that does not exist, or that ends too early.
    BadDirective {
        /// The directive, from its percent sign up to where it went wrong.
        directive: String,
        /// The whole format.
        format: String,
        /// Where in the format it went wrong: characters before that place.
        position: usize,
    },
    /// A `Timespan` directive asks for more columns than are allowed.
    TooWide {
        /// The whole format.
        format: String,
        /// The widest that is allowed.
        limit: u32,
    },
    /// A `Timestamp` format ends within a directive.
    UnfinishedDirective {
        /// The whole format.
        format: String,
    },
    /// The text is not what the format describes.
    Mismatch {
        /// The text to be read.
        text: String,
        /// The format it was read with.
        format: String,
    },
    /// The text is not what any of the formats describes.
    MismatchAll {
        /// The text to be read.
        text: String,
        /// The formats it was read with, in the order they were tried.
        formats: Vec<String>,
    },
    /// `%L` or `%N` is the greatest unit of a `Timespan` format, so there is nothing it is a fraction of.
    FractionAlone,
    /// No zone is known by that name.
    IllegalTimezone {
        /// The name given, or found in the text.
        timezone: String,
    },
    /// Both the text and the argument name a zone.
    TimezoneTwice,
    /// A time can't be shown that far from UTC: the offset must be less than a day.
    OffsetOutOfRange {
        /// The zone asked for.
        timezone: String,
    },
    /// The format fits the text, but says nothing about the year.
    NoYear {
        /// The text that was read.
        text: String,
        /// The format it was read with.
        format: String,
    },
    /// A part of the time has a value that does not exist.
    OutOfRange {
        /// Which part: `day`, `min`, `sec` or `subsec`.
        part: &'static str,
        /// The text that was read.
        text: String,
    },
    /// A division by nought.
    DivisionByZero,
    /// A number of seconds, or a result, that is infinite or not a number.
    NotFinite {
        /// `Infinity`, `-Infinity` or `NaN`.
        value: &'static str,
    },
    /// The result does not fit into 128 bits of nanoseconds.
    Overflow,
    /// The text to be read or written is too long.
    TooLong,
}

impl TimeError {
    /// The error for a float that no time can be made of.
    pub(super) fn not_finite(value: f64) -> Self {
        let value = match (value.is_nan(), value < 0.0) {
            (true, _) => "NaN",
            (false, true) => "-Infinity",
            (false, false) => "Infinity",
        };
        TimeError::NotFinite { value }
    }
}

impl fmt::Display for TimeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeError::BadDirective { directive, format, position } => {
                write!(out, "Bad format specifier '{directive}' in '{format}', at position {position}")
            }
            TimeError::TooWide { format, limit } => {
                write!(out, "Too big a width in format '{format}': at most {limit} is allowed")
            }
            TimeError::UnfinishedDirective { format } => write!(out, "invalid format: {format}"),
            TimeError::Mismatch { text, format } => {
                write!(out, "Unable to parse '{text}' using format '{format}'")
            }
            TimeError::MismatchAll { text, formats } => {
                let formats = formats.join(", ");
                write!(out, "Unable to parse '{text}' using any of the formats {formats}")
            }
            TimeError::FractionAlone => out.write_str(
                "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
            ),
            TimeError::IllegalTimezone { timezone } => write!(out, "Illegal timezone '{timezone}'"),
            TimeError::TimezoneTwice => out.write_str(
                "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
            ),
            TimeError::OffsetOutOfRange { timezone } => {
                write!(out, "utc_offset out of range: '{timezone}' must be less than a day from UTC")
            }
            TimeError::NoYear { text, format } => {
                write!(out, "Unable to create a Timestamp from '{text}': format '{format}' gives no year")
            }
            TimeError::OutOfRange { part, text } => write!(out, "{part} out of range in '{text}'"),
            TimeError::DivisionByZero => out.write_str("divided by 0"),
            TimeError::NotFinite { value } => write!(out, "{value} is not a number of seconds"),
            TimeError::Overflow => out.write_str("The result does not fit into 128 bits of nanoseconds"),
            TimeError::TooLong => out.write_str("The text is too long"),
        }
    }
}

impl std::error::Error for TimeError {}
