use std::fmt;

use super::{TEXT_LIMIT, WIDTH_LIMIT};
use crate::extent::TooDeep;
use crate::time::TimeError;

/// A value could not be written as a format says.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatError {
    /// A format does not have the form `%<flags><width>.<prec><format>`.
    NotAFormat(String),
    /// A format has a flag twice.
    RepeatedFlag(String),
    /// A format has more than one delimiter.
    TwoDelimiters(String),
    /// A letter that values of a type do not know.
    Letter {
        /// The type of the value.
        type_name: &'static str,
        /// The letter.
        letter: char,
        /// All that it may be.
        expected: &'static str,
    },
    /// What should be formats is something else; this is its type.
    NotFormats(String),
    /// What should be a type, as a key of a map of formats, is something else; this is its type.
    NotATypeAsKey(String),
    /// What should be a format within a map is something else; this is its type.
    NotAFormatInMap(String),
    /// A format of containers has entries that it may not have; this is the format.
    ContainerKeys(String),
    /// A directive is wrong.
    Directive(DirectiveError),
    /// A value is no number, and cannot be read as one.
    NotANumber {
        /// The type of the value.
        actual: String,
        /// The type of number.
        expected: &'static str,
    },
    /// A text is not written as a number.
    InvalidNumber {
        /// The text.
        text: String,
        /// The type of number.
        expected: &'static str,
    },
    /// A float is infinite or no number; it has no digits.
    NotFinite(f64),
    /// A value that stands for a width, a precision or a character is no integer; this is its type.
    NotAnInteger(String),
    /// A number is no character.
    InvalidCharacter,
    /// A text that stands for a character is longer or shorter than one.
    OneCharacter,
    /// Bytes are not UTF-8; this is the first that is wrong.
    NotText(u8),
    /// Elements that are made when they are asked for are not taken here.
    Iterator,
    /// A width or a precision is greater than is allowed.
    TooWide(&'static str),
    /// The result is longer than is allowed.
    TooLong,
    /// Values are nested more deeply than is allowed.
    TooDeep(TooDeep),
    /// A point in time cannot be written.
    Time(TimeError),
}

/// What is wrong with a directive of `sprintf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveError {
    /// The text ends behind `%`.
    Incomplete,
    /// No directive has this character.
    UnknownCharacter(Option<char>),
    /// The text ends in a number.
    EndsInNumber,
    /// `%%` with flags.
    FlaggedPercent,
    /// A flag behind the width.
    FlagAfterWidth,
    /// A flag behind the precision.
    FlagAfterPrecision,
    /// A second width.
    WidthTwice,
    /// A width behind the precision.
    WidthAfterPrecision,
    /// A second precision.
    PrecisionTwice,
    /// A second position.
    ValueTwice(u64),
    /// A name that does not end.
    UnclosedName,
    /// A second name; both in their brackets.
    NameTwice(String, String),
    /// Names need one hash as the only argument.
    OneHash,
    /// The hash has no such key; the name in its brackets.
    UnknownKey(String),
    /// An argument in order, where others have numbers.
    OrderAfterNumbers(usize),
    /// An argument in order, where others have names.
    OrderAfterNames(usize),
    /// An argument by number, where others are in order.
    NumberAfterOrder(u64, usize),
    /// An argument by number, where others have names.
    NumberAfterNames(u64),
    /// An argument by name, where others are in order.
    NameAfterOrder(String, usize),
    /// An argument by name, where others have numbers.
    NameAfterNumbers(String),
    /// The argument with number nought.
    NumberNought(u64),
    /// There is no such argument.
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
