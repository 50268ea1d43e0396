//! The errors of conversions.

use std::fmt;

use marotte_text::Str;

use crate::binary::InvalidBase64;
use crate::format::FormatError;
use crate::infer::generalize;
use crate::iterate::TooMany;
use crate::mismatch::TypeAssertion;
use crate::print::{literal, named};
use crate::regexp::RegexpError;
use crate::semver::SemVerError;
use crate::time::TimeError;
use crate::types::Type;
use crate::uri::UriError;
use crate::value::Value;

/// The reason why a conversion fails.
#[derive(Clone, Debug, PartialEq)]
pub enum NewError {
    /// The type has no constructor (D76).
    Unsupported(Type),
    /// No constructor accepts the arguments; the message.
    Arguments(String),
    /// A text can't be converted.
    Text {
        /// The name of the constructor.
        constructor: Str,
        /// The text that can't be converted.
        text: Str,
        /// The type to convert to.
        to: &'static str,
    },
    /// A value of this type can't be converted.
    Value {
        /// The name of the constructor.
        constructor: Str,
        /// The generalized type of the value.
        from: Type,
        /// The type to convert to.
        to: &'static str,
    },
    /// An unsupported radix of integers.
    Radix(Value),
    /// A text looks like a number but isn't valid: a digit is too large, or the prefix contradicts the radix.
    Number {
        /// `Integer` or `Float`.
        to: &'static str,
        /// The text that isn't a number.
        text: Str,
    },
    /// A float that is infinite or NaN has no integer part.
    NotFinite(f64),
    /// The list of keys and values for a hash ends with a key.
    OddNumber,
    /// A value of this type can't be converted to a hash.
    NoHash(Type),
    /// The value at a path isn't a container, or doesn't have the next element.
    Path(Value),
    /// A path exceeds this length.
    PathTooLong(usize),
    /// No constructor of the target accepts the arguments of an `Init`.
    InitArguments {
        /// The type `Init` with its arguments.
        init: Type,
        /// The type that it constructs.
        target: Type,
    },
    /// `Init` is nested in `Init` too deeply.
    TooDeep,
    /// An array would be too long.
    TooMany(TooMany),
    /// The value isn't an instance of the type.
    WrongType(TypeAssertion),
    /// A text isn't a valid type expression.
    Type(String),
    /// A text isn't a valid regular expression.
    Regexp(RegexpError),
    /// A text isn't a valid version.
    SemVer(SemVerError),
    /// A text isn't a valid time.
    Time(TimeError),
    /// A text isn't a valid URI.
    Uri(UriError),
    /// A text isn't valid base64.
    Binary(InvalidBase64),
    /// The value can't be formatted.
    Format(FormatError),
}

impl fmt::Display for NewError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewError::Unsupported(it) => {
                write!(out, "Creation of new instance of type '{}' is not supported", named(it))
            }
            NewError::Arguments(message) | NewError::Type(message) => out.write_str(message),
            NewError::Text { constructor, text, to } => {
                write!(out, "'{constructor}' The string '{text}' cannot be converted to {to}")
            }
            NewError::Value { constructor, from, to } => {
                write!(out, "'{constructor}' Value of type {} cannot be converted to {to}", named(from))
            }
            NewError::Radix(radix) => {
                let radix = radix.as_str().map_or_else(|| literal(radix), str::to_owned);
                write!(out, "Illegal radix: {radix}, expected 2, 8, 10, 16, or default")
            }
            NewError::Number { to, text } => write!(out, "invalid value for {to}(): {text:?}"),
            NewError::NotFinite(number) => write!(out, "{}", crate::print::float_text(*number)),
            NewError::OddNumber => out.write_str("odd number of arguments for Hash"),
            NewError::NoHash(it) => write!(out, "Value of type {} cannot be converted to Hash", named(it)),
            NewError::Path(path) => {
                write!(out, "The path {} leads into what is not a container", literal(path))
            }
            NewError::PathTooLong(limit) => write!(out, "A path may have at most {limit} elements"),
            NewError::InitArguments { init, target } => {
                let target = generalize(target).to_string();
                let name = target.split('[').next().unwrap_or_default();
                write!(out, "The type '{init}' does not represent a valid set of parameters for {name}.new()")
            }
            NewError::TooDeep => out.write_str("Init types are nested too deeply"),
            NewError::TooMany(it) => it.fmt(out),
            NewError::WrongType(it) => it.fmt(out),
            NewError::Regexp(it) => it.fmt(out),
            NewError::SemVer(it) => it.fmt(out),
            NewError::Time(it) => it.fmt(out),
            NewError::Uri(it) => it.fmt(out),
            NewError::Binary(it) => it.fmt(out),
            NewError::Format(it) => it.fmt(out),
        }
    }
}

impl std::error::Error for NewError {}

impl From<TooMany> for NewError {
    fn from(it: TooMany) -> NewError {
        NewError::TooMany(it)
    }
}

impl From<TypeAssertion> for NewError {
    fn from(it: TypeAssertion) -> NewError {
        NewError::WrongType(it)
    }
}

impl From<RegexpError> for NewError {
    fn from(it: RegexpError) -> NewError {
        NewError::Regexp(it)
    }
}

impl From<SemVerError> for NewError {
    fn from(it: SemVerError) -> NewError {
        NewError::SemVer(it)
    }
}

impl From<TimeError> for NewError {
    fn from(it: TimeError) -> NewError {
        NewError::Time(it)
    }
}

impl From<UriError> for NewError {
    fn from(it: UriError) -> NewError {
        NewError::Uri(it)
    }
}

impl From<InvalidBase64> for NewError {
    fn from(it: InvalidBase64) -> NewError {
        NewError::Binary(it)
    }
}

impl From<FormatError> for NewError {
    fn from(it: FormatError) -> NewError {
        NewError::Format(it)
    }
}
