//! The errors of times.

use std::fmt;

/// The reason why a time can't be created, parsed or formatted.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeError {
    /// A `Timespan` format has a directive that does not exist, or that ends too early.
    BadDirective {
        /// The directive, from its percent sign up to the error.
        directive: String,
        /// The whole format string.
        format: String,
        /// The number of characters of the format before the error.
        position: usize,
    },
    /// The width of a `Timespan` directive exceeds the limit.
    TooWide {
        /// The whole format string.
        format: String,
        /// The maximum width of the directive.
        limit: u32,
    },
    /// A `Timestamp` format ends within a directive.
    UnfinishedDirective {
        /// The whole format string.
        format: String,
    },
    /// The text doesn't match the format.
    Mismatch {
        /// The text to be parsed.
        text: String,
        /// The format that the text doesn't match.
        format: String,
    },
    /// The text doesn't match any of the formats.
    MismatchAll {
        /// The text to be parsed.
        text: String,
        /// The formats, in the order in which they were tried.
        formats: Vec<String>,
    },
    /// `%L` or `%N` is the largest unit of a `Timespan` format, so there is nothing that it is a fraction of.
    FractionAlone,
    /// The name of the time zone is unknown.
    IllegalTimezone {
        /// The name, from an argument or the text.
        timezone: String,
    },
    /// Both the text and the argument name a zone.
    TimezoneTwice,
    /// The offset from UTC is out of range: it must be less than a day.
    OffsetOutOfRange {
        /// The time zone as given.
        timezone: String,
    },
    /// The format matches the text, but doesn't determine the year.
    NoYear {
        /// The text that was parsed.
        text: String,
        /// The format without a year.
        format: String,
    },
    /// A part of the time is out of range.
    OutOfRange {
        /// The part: `day`, `min`, `sec` or `subsec`.
        part: &'static str,
        /// The text that was parsed.
        text: String,
    },
    /// A division by zero.
    DivisionByZero,
    /// A number of seconds, or a result, is infinite or NaN.
    NotFinite {
        /// `Infinity`, `-Infinity` or `NaN`.
        value: &'static str,
    },
    /// The result overflows 128 bits of nanoseconds.
    Overflow,
    /// The text to be parsed or formatted is too long.
    TooLong,
}

impl TimeError {
    /// The error for a float that can't be converted to a time.
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
