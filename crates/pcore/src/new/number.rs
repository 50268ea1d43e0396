//! `Integer(from, radix, abs)`, `Float(from, abs)`, `Numeric(from, abs)` (D63–D65, X71).

use num_bigint::{BigInt, Sign};

use super::NewError;
use crate::value::{Integer, Value};

/// Whether a radix of integers is supported.
pub(super) fn is_radix(radix: &Value) -> bool {
    [2, 8, 10, 16].iter().any(|known| *radix == Value::from(*known))
}

/// Returns an argument by its position, or by its name in a hash.
fn argument<'v>(arguments: &'v [Value], index: usize, name: &str) -> Option<&'v Value> {
    match arguments {
        [Value::Hash(named)] => named.get_str(name),
        _ => arguments.get(index),
    }
}

/// Creates an integer from a number, boolean, time or text.
pub(super) fn integer(arguments: &[Value]) -> Result<Value, NewError> {
    let radix = match argument(arguments, 1, "radix") {
        Some(Value::Integer(radix)) => radix.to_i64().and_then(|it| u32::try_from(it).ok()),
        _ => None,
    };
    let value = match argument(arguments, 0, "from") {
        Some(Value::Float(number)) => {
            Integer::from_f64_truncated(*number).ok_or(NewError::NotFinite(*number))?
        }
        Some(Value::Integer(number)) => number.clone(),
        Some(Value::Boolean(flag)) => i64::from(*flag).into(),
        Some(Value::Timespan(time)) => BigInt::from(time.whole_seconds()).into(),
        Some(Value::Timestamp(time)) => BigInt::from(time.whole_seconds()).into(),
        Some(Value::String(text)) => read_integer(text, radix)
            .ok_or_else(|| NewError::Number { to: "Integer", text: text.clone() })?
            .into(),
        _ => 0.into(),
    };
    Ok(Value::Integer(absolute_integer(value, argument(arguments, 2, "abs"))))
}

/// Creates a float from a number, boolean, time or text.
pub(super) fn float(arguments: &[Value]) -> Result<Value, NewError> {
    let value = match argument(arguments, 0, "from") {
        Some(Value::Float(number)) => *number,
        Some(Value::Integer(number)) => number.to_f64(),
        Some(Value::Boolean(flag)) => f64::from(u8::from(*flag)),
        Some(Value::Timespan(time)) => time.seconds(),
        Some(Value::Timestamp(time)) => time.seconds(),
        Some(Value::String(text)) => {
            read_float(text).ok_or_else(|| NewError::Number { to: "Float", text: text.clone() })?
        }
        _ => 0.0,
    };
    Ok(Value::Float(if is_true(argument(arguments, 1, "abs")) { value.abs() } else { value }))
}

/// Creates a float if the value or the text is one, otherwise an integer.
pub(super) fn numeric(arguments: &[Value]) -> Result<Value, NewError> {
    let abs = argument(arguments, 1, "abs");
    let value = match argument(arguments, 0, "from") {
        Some(Value::Boolean(flag)) => i64::from(*flag).into(),
        Some(Value::Timespan(time)) => Value::Float(time.seconds()),
        Some(Value::Timestamp(time)) => Value::Float(time.seconds()),
        Some(Value::String(text)) => read_numeric(text),
        Some(number) => number.clone(),
        None => Value::Undef,
    };
    Ok(match value {
        Value::Integer(number) => Value::Integer(absolute_integer(number, abs)),
        Value::Float(number) if is_true(abs) => Value::Float(number.abs()),
        other => other,
    })
}

fn is_true(flag: Option<&Value>) -> bool {
    flag == Some(&Value::Boolean(true))
}

fn absolute_integer(number: Integer, abs: Option<&Value>) -> Integer {
    if is_true(abs) && number < 0.into() { (-number.to_big()).into() } else { number }
}

/// Returns the sign, and the text after it and after blanks. Line breaks may precede the sign or an unsigned number,
/// but not occur between the two.
fn signed(text: &str) -> Option<(Sign, &str)> {
    let text = text.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == '\u{b}');
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (Sign::Minus, rest),
        None => (Sign::Plus, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = rest.trim_start_matches([' ', '\t']);
    (!digits.starts_with(char::is_whitespace)).then_some((sign, digits))
}

fn with_sign(sign: Sign, magnitude: BigInt) -> BigInt {
    if sign == Sign::Minus { -magnitude } else { magnitude }
}

/// Parses an integer. Without a radix, the prefix determines it: `0x`, `0b`, `0`. With a radix, its own prefix is permitted.
fn read_integer(text: &str, radix: Option<u32>) -> Option<BigInt> {
    let (sign, digits) = signed(text)?;
    let prefix = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', _, ..] => (8, 1),
        _ => (10, 0),
    };
    let (radix, skip) = match radix {
        None => prefix,
        Some(radix) if radix == prefix.0 => prefix,
        Some(radix) => (radix, 0),
    };
    let digits = digits.get(skip..)?;
    if digits.starts_with(['+', '-']) {
        return None;
    }
    Some(with_sign(sign, BigInt::parse_bytes(digits.as_bytes(), radix)?))
}

/// Parses a float: decimal with any number of leading zeros, or a hexadecimal or binary integer. A binary one has no sign.
fn read_float(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0b").or(text.strip_prefix("0B")) {
        return BigInt::parse_bytes(digits.as_bytes(), 2).map(|it| Integer::from(it).to_f64());
    }
    let (sign, digits) = signed(text)?;
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => Integer::from(BigInt::parse_bytes(digits.as_bytes(), 16)?).to_f64(),
        None => digits.parse().ok()?,
    };
    Some(if sign == Sign::Minus { -magnitude } else { magnitude })
}

/// Parses a number: `undef` if it isn't valid, which the check of the result rejects.
fn read_numeric(text: &str) -> Value {
    let is_prefixed = |it: &str| matches!(it.as_bytes(), [b'0', b'x' | b'X' | b'b' | b'B', ..]);
    let integer = || read_integer(text, None).map_or(Value::Undef, |it| Value::Integer(it.into()));
    // Only blanks may surround it; `\n` and other white space is accepted only by the pattern of the parameter.
    let has_breaks =
        text.contains(|it: char| it.is_ascii_whitespace() && it != ' ' && it != '\t' || it == '\u{b}');
    if has_breaks {
        return Value::Undef;
    }
    let Some((_, digits)) = signed(text) else { return Value::Undef };
    if is_prefixed(digits) {
        // A binary number can't have a sign or leading blanks.
        let is_binary = digits[1..].starts_with(['b', 'B']);
        return if is_binary && !is_prefixed(text) { Value::Undef } else { integer() };
    }
    if digits.contains(['.', 'e', 'E']) {
        // As in the reference, an overflow isn't a valid number, and neither is a zero with an exponent.
        let is_zero =
            digits.chars().take_while(|it| !matches!(it, 'e' | 'E')).all(|it| it == '0' || it == '.');
        let is_number = |it: &f64| it.is_finite() && !(is_zero && digits.contains(['e', 'E']));
        return read_float(text).filter(is_number).map_or(Value::Undef, Value::Float);
    }
    integer()
}
