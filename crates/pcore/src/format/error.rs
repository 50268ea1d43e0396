use std::fmt;

use super::{TEXT_LIMIT, WIDTH_LIMIT};
use crate::extent::TooDeep;
use crate::time::TimeError;

/// The reason why a value could not be formatted.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatError {
    /// A format does not have the form `%<flags><width>.<prec><format>`.
    NotAFormat(String),
    /// A format has a flag twice.
    RepeatedFlag(String),
    /// A format has more than one delimiter.
    TwoDelimiters(String),
    /// A letter that the type of the value doesn't support.
    Letter {
        /// The type of the value.
        type_name: &'static str,
        /// The unsupported letter.
        letter: char,
        /// The supported letters.
        expected: &'static str,
    },
    /// The formats have the wrong type, which is this.
    NotFormats(String),
    /// A key of a map of formats isn't a type; this is the type of the key.
    NotATypeAsKey(String),
    /// A format within a map has the wrong type, which is this.
    NotAFormatInMap(String),
    /// The format of a container has invalid entries; this is the format.
    ContainerKeys(String),
    /// A directive is invalid.
    Directive(DirectiveError),
    /// A value is neither a number nor convertible to one.
    NotANumber {
        /// The type of the value.
        actual: String,
        /// The requested type of number.
        expected: &'static str,
    },
    /// A text isn't a valid number.
    InvalidNumber {
        /// The text that isn't a number.
        text: String,
        /// The requested type of number.
        expected: &'static str,
    },
    /// A float is infinite or NaN, and so has no digits.
    NotFinite(f64),
    /// An argument used as a width, a precision or a character isn't an integer; this is its type.
    NotAnInteger(String),
    /// A number isn't a valid character.
    InvalidCharacter,
    /// A text used as a character doesn't have exactly one character.
    OneCharacter,
    /// Bytes aren't valid UTF-8; this is the first invalid one.
    NotText(u8),
    /// A lazy iterator isn't permitted here.
    Iterator,
    /// A width or a precision exceeds the limit.
    TooWide(&'static str),
    /// The result exceeds the limit of length.
    TooLong,
    /// A value exceeds the limit of nesting.
    TooDeep(TooDeep),
    /// A timestamp can't be formatted.
    Time(TimeError),
}

/// An error in a directive of `sprintf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveError {
    /// The text ends after `%`.
    Incomplete,
    /// The character isn't the letter of any directive.
    UnknownCharacter(Option<char>),
    /// The text ends in a number.
    EndsInNumber,
    /// `%%` with flags.
    FlaggedPercent,
    /// A flag after the width.
    FlagAfterWidth,
    /// A flag after the precision.
    FlagAfterPrecision,
    /// The directive has a second width.
    WidthTwice,
    /// A width after the precision.
    WidthAfterPrecision,
    /// The directive has a second precision.
    PrecisionTwice,
    /// A second argument number.
    ValueTwice(u64),
    /// The name in the directive is not closed.
    UnclosedName,
    /// A second name; both with their brackets.
    NameTwice(String, String),
    /// Names require a hash as the only argument.
    OneHash,
    /// The hash has no such key; the name with its brackets.
    UnknownKey(String),
    /// A sequential argument after numbered ones.
    OrderAfterNumbers(usize),
    /// A sequential argument after named ones.
    OrderAfterNames(usize),
    /// A numbered argument after sequential ones.
    NumberAfterOrder(u64, usize),
    /// A numbered argument after named ones.
    NumberAfterNames(u64),
    /// A named argument after sequential ones.
    NameAfterOrder(String, usize),
    /// A named argument after numbered ones.
    NameAfterNumbers(String),
    /// The argument number zero.
    NumberNought(u64),
    /// The argument is missing.
    TooFewArguments,
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::NotAFormat(format) => write!(
                out,
                "The format '{format}' is not a valid format on the form '%<flags><width>.<prec><format>'"
            ),
            FormatError::RepeatedFlag(format) => {
                write!(out, "The same flag can only be used once, got '{format}'")
            }
            FormatError::TwoDelimiters(format) => write!(
                out,
                "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{format}'"
            ),
            FormatError::Letter { type_name, letter, expected } => write!(
                out,
                "Illegal format '{letter}' specified for value of {type_name} type - expected one of the \
                 characters '{expected}'"
            ),
            FormatError::NotFormats(actual) => write!(
                out,
                "string conversion expects a Default value or a Hash of type to format mappings, got a '{actual}'"
            ),
            FormatError::NotATypeAsKey(actual) => write!(
                out,
                "top level keys in the format hash must be data types, got instance of '{actual}'"
            ),
            FormatError::NotAFormatInMap(actual) => {
                write!(out, "a format must be a String or a Hash, got instance of '{actual}'")
            }
            FormatError::ContainerKeys(format) => write!(
                out,
                "only 'separator', 'separator2', 'format', 'string_formats' are allowed in a container format, \
                 got {format}"
            ),
            FormatError::Directive(error) => error.fmt(out),
            FormatError::NotANumber { actual, expected } => {
                write!(out, "can't convert {actual} into {expected}")
            }
            FormatError::InvalidNumber { text, expected } => {
                write!(out, "invalid value for {expected}(): {text}")
            }
            FormatError::NotFinite(value) => out.write_str(&crate::print::float_text(*value)),
            FormatError::NotAnInteger(actual) => {
                write!(out, "no implicit conversion of {actual} into Integer")
            }
            FormatError::InvalidCharacter => out.write_str("invalid character"),
            FormatError::OneCharacter => out.write_str("%c requires a character"),
            FormatError::NotText(byte) => write!(out, "\"\\x{byte:02X}\" from ASCII-8BIT to UTF-8"),
            FormatError::Iterator => out.write_str("Use of an Iterator is not supported here"),
            FormatError::TooWide(what) => write!(out, "{what} too big: at most {WIDTH_LIMIT} is possible"),
            FormatError::TooLong => {
                write!(out, "the text would be longer than {TEXT_LIMIT} bytes, which is the limit")
            }
            FormatError::TooDeep(error) => error.fmt(out),
            FormatError::Time(error) => error.fmt(out),
        }
    }
}

impl fmt::Display for DirectiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DirectiveError::Incomplete => {
                out.write_str("incomplete format specifier; use %% (double %) instead")
            }
            DirectiveError::UnknownCharacter(Some(it)) => write!(out, "malformed format string - %{it}"),
            DirectiveError::UnknownCharacter(None) => out.write_str("malformed format string"),
            DirectiveError::EndsInNumber => out.write_str("malformed format string - %*[0-9]"),
            DirectiveError::FlaggedPercent => out.write_str("invalid format character - %"),
            DirectiveError::FlagAfterWidth => out.write_str("flag after width"),
            DirectiveError::FlagAfterPrecision => out.write_str("flag after precision"),
            DirectiveError::WidthTwice => out.write_str("width given twice"),
            DirectiveError::WidthAfterPrecision => out.write_str("width after precision"),
            DirectiveError::PrecisionTwice => out.write_str("precision given twice"),
            DirectiveError::ValueTwice(number) => write!(out, "value given twice - {number}$"),
            DirectiveError::UnclosedName => out.write_str("malformed name - unmatched parenthesis"),
            DirectiveError::NameTwice(name, first) => write!(out, "named{name} after {first}"),
            DirectiveError::OneHash => out.write_str("one hash required"),
            DirectiveError::UnknownKey(name) => write!(out, "key{name} not found"),
            DirectiveError::OrderAfterNumbers(at) => write!(out, "unnumbered({at}) mixed with numbered"),
            DirectiveError::OrderAfterNames(at) => write!(out, "unnumbered({at}) mixed with named"),
            DirectiveError::NumberAfterOrder(number, at) => {
                write!(out, "numbered({number}) after unnumbered({at})")
            }
            DirectiveError::NumberAfterNames(number) => write!(out, "numbered({number}) after named"),
            DirectiveError::NameAfterOrder(name, at) => write!(out, "named{name} after unnumbered({at})"),
            DirectiveError::NameAfterNumbers(name) => write!(out, "named{name} after numbered"),
            DirectiveError::NumberNought(number) => write!(out, "invalid index - {number}$"),
            DirectiveError::TooFewArguments => out.write_str("too few arguments"),
        }
    }
}

impl std::error::Error for FormatError {}

impl From<DirectiveError> for FormatError {
    fn from(error: DirectiveError) -> FormatError {
        FormatError::Directive(error)
    }
}

impl From<TimeError> for FormatError {
    fn from(error: TimeError) -> FormatError {
        FormatError::Time(error)
    }
}

impl From<TooDeep> for FormatError {
    fn from(error: TooDeep) -> FormatError {
        FormatError::TooDeep(error)
    }
}
