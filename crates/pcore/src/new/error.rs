//! Why there is no value.

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

/// Why there is no value.
#[derive(Clone, Debug, PartialEq)]
pub enum NewError {
    /// The type has no constructor (D76).
    Unsupported(Type),
    /// No constructor takes the arguments; says why.
    Arguments(String),
    /// A text is of no form that becomes such a value.
    Text {
        /// The constructor.
        constructor: Str,
        /// The text.
        text: Str,
        /// What it should become.
        to: &'static str,
    },
    /// Nothing of this type becomes such a value.
    Value {
        /// The constructor.
        constructor: Str,
        /// The general type of what was given.
        from: Type,
        /// What it should become.
        to: &'static str,
    },
    /// A radix that no integers are written in.
    Radix(Value),
    /// A text has the form of a number, and is none: a digit is too large, or a prefix does not go with the radix.
    Number {
        /// `Integer` or `Float`.
        to: &'static str,
        /// The text.
        text: Str,
    },
    /// A float that is infinite or not a number has no whole part.
    NotFinite(f64),
    /// A hash is to be made of a key without a value.
    OddNumber,
    /// Nothing of this type becomes a hash.
    NoHash(Type),
    /// What stands at a path is no container, or has no such place.
    Path(Value),
    /// Paths are longer than this.
    PathTooLong(usize),
    /// No constructor of the target takes the arguments of an `Init`.
    InitArguments {
        /// The `Init`.
        init: Type,
        /// What it makes.
        target: Type,
    },
    /// `Init` leads to `Init` too often.
    TooDeep,
    /// An array would be too long.
    TooMany(TooMany),
    /// The value is no instance of the type.
    WrongType(TypeAssertion),
    /// No type is written like that.
    Type(String),
    /// No regular expression.
    Regexp(RegexpError),
    /// No version.
    SemVer(SemVerError),
    /// No time.
    Time(TimeError),
    /// No URI.
    Uri(UriError),
    /// No base64.
    Binary(InvalidBase64),
    /// The value can't be written in a format.
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
                write!(out, "The path {} leads into what is no container", literal(path))
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
