//! Numbers, and strings that are converted to numbers (B31, X76, X81).

use std::sync::LazyLock;

use marotte_text::Str;
use num_bigint::BigInt;
use regex::Regex;

use super::{OperationError, label};
use crate::dialect::{Dialect, StringsInArithmetic};
use crate::print::float_text;
use crate::value::{Integer, Value};

/// The reaction to a string that is used as a number: the setting `strict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// Permits the operation silently.
    Off,
    /// Reports a warning, and continues.
    Warning,
    /// Reports an error, and stops.
    #[default]
    Error,
}

impl Strictness {
    /// Returns the effective setting in a dialect, which may ignore it.
    pub(super) fn within(self, dialect: &Dialect) -> Strictness {
        match dialect.operators.strings_in_arithmetic {
            StringsInArithmetic::BySetting => self,
            StringsInArithmetic::Always => Strictness::Off,
        }
    }
}

/// A conversion of a string to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coercion {
    /// The string that was used as a number.
    pub text: Str,
    /// The number, as the language writes it.
    pub number: String,
}

impl Coercion {
    /// The issue code of the reference.
    pub fn issue(&self) -> &'static str {
        "numeric-coercion"
    }
}

impl std::fmt::Display for Coercion {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "The string '{}' was automatically coerced to the numerical value {}",
            self.text, self.number
        )
    }
}

/// The maximum number of digits of integers in texts: parsing takes time quadratic in it.
const MAX_DIGITS: usize = 4096;

/// Blanks, sign, blanks, a hexadecimal, octal or decimal number, blanks.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const BLANKS: &str = r"[\p{Zs}\t]*";
    let number = r"(?<hex>0[xX][0-9A-Fa-f]+)|(?<whole>0?[0-9]+)(?<rest>(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)";
    Regex::new(&format!(r"\A{BLANKS}(?<sign>[-+]?){BLANKS}(?:{number}){BLANKS}\z")).ok()
});

/// Parses a number in a text like operators do (D89, X81).
///
/// Not valid are a zero with an exponent, and a number with a leading zero followed by digits that aren't octal.
pub fn number_in(text: &str) -> Option<Value> {
    let text = text.strip_prefix("::").unwrap_or(text);
    let found = NUMBER.as_ref()?.captures(text)?;
    let negative = &found["sign"] == "-";
    let digits = |digits: &str, radix| {
        let is_short = digits.len() <= MAX_DIGITS;
        let number = is_short.then(|| BigInt::parse_bytes(digits.as_bytes(), radix)).flatten()?;
        Some(if negative { -number } else { number })
    };
    if let Some(hex) = found.name("hex") {
        return digits(hex.as_str().get(2..)?, 16).map(|it| Value::Integer(it.into()));
    }
    let (whole, rest) = (found.name("whole")?.as_str(), found.name("rest")?.as_str());
    let radix = if whole.len() > 1 && whole.starts_with('0') { 8 } else { 10 };
    let number = digits(whole, radix)?;
    if rest.is_empty() {
        return Some(Value::Integer(number.into()));
    }
    let exponent_of_zero = number == BigInt::ZERO && {
        let zeros = rest.strip_prefix('.').unwrap_or(rest).trim_start_matches('0');
        zeros.starts_with(['e', 'E'])
    };
    let number: f64 = format!("{whole}{rest}").parse().ok()?;
    let is_number = !exponent_of_zero && number.is_finite();
    is_number.then_some(Value::Float(if negative { -number } else { number }))
}

/// Parses binary digits with their prefix, such as `-0b11` (X158).
fn binary_in(text: &str) -> Option<Value> {
    let text = text.trim_matches([' ', '\t']);
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B"))?;
    let is_binary = digits.len() <= MAX_DIGITS && digits.bytes().all(|it| matches!(it, b'0' | b'1'));
    let number = is_binary.then(|| BigInt::parse_bytes(digits.as_bytes(), 2)).flatten()?;
    Some(Value::Integer(if negative { -number } else { number }.into()))
}

/// Returns the number that a value is or looks like, silently. Times and versions count as numbers.
pub(super) fn number_of(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => number_in(text),
        _ if is_numeric(value) => Some(value.clone()),
        _ => None,
    }
}

fn is_numeric(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_)
    )
}

/// Returns the number that an operand is or looks like; the conversion of a string is recorded or rejected.
pub(super) fn coerce(
    dialect: &Dialect,
    strict: Strictness,
    value: &Value,
    coercions: &mut Vec<Coercion>,
) -> Result<Value, OperationError> {
    if is_numeric(value) {
        return Ok(value.clone());
    }
    let not_numeric = || OperationError::NotNumeric { shown: label::shown(value) };
    let Value::String(text) = value else { return Err(not_numeric()) };
    let binary = || binary_in(text).filter(|_| dialect.operators.binary_strings_are_numbers);
    let number = number_in(text).or_else(binary).ok_or_else(not_numeric)?;
    let coercion = Coercion { text: text.clone(), number: written(&number) };
    match strict.within(dialect) {
        Strictness::Off => {}
        Strictness::Warning => coercions.push(coercion),
        Strictness::Error => return Err(OperationError::NumericCoercion(coercion)),
    }
    Ok(number)
}

fn written(number: &Value) -> String {
    match number {
        Value::Float(float) => float_text(*float),
        other => label::shown(other),
    }
}

/// A number of either kind.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Integer(Integer),
    Float(f64),
}

impl Number {
    pub(super) fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Integer(integer) => Some(Number::Integer(integer.clone())),
            Value::Float(float) => Some(Number::Float(*float)),
            _ => None,
        }
    }

    pub(super) fn to_f64(&self) -> f64 {
        match self {
            Number::Integer(integer) => integer.to_f64(),
            Number::Float(float) => *float,
        }
    }

    /// Returns the number of seconds, if it is in the range of times.
    pub(super) fn seconds(&self) -> Option<crate::time::Number> {
        match self {
            Number::Integer(integer) => integer.to_i64().map(crate::time::Number::from),
            Number::Float(float) => Some((*float).into()),
        }
    }
}
