//! Conversion of values to numbers, like Ruby's `Integer()` and `Float()`.

use num_bigint::BigInt;

use super::FormatError;
use super::inspect::{quoted, quoted_bytes, type_name};
use crate::value::{Integer, Value};

/// Converts a value to an integer.
pub(super) fn integer_of(value: &Value) -> Result<Integer, FormatError> {
    let seconds = |it: i128| Integer::from(BigInt::from(it));
    match value {
        Value::Integer(number) => Ok(number.clone()),
        Value::Float(number) => Integer::from_f64_truncated(*number).ok_or(FormatError::NotFinite(*number)),
        Value::String(text) => parse_integer(text)
            .ok_or_else(|| FormatError::InvalidNumber { text: quoted(text), expected: "Integer" }),
        Value::Timespan(it) => Ok(seconds(it.whole_seconds())),
        Value::Timestamp(it) => Ok(seconds(it.whole_seconds())),
        other => Err(FormatError::NotANumber { actual: type_name(other), expected: "Integer" }),
    }
}

/// Converts a value to a float.
pub(super) fn float_of(value: &Value) -> Result<f64, FormatError> {
    match value {
        Value::Integer(number) => Ok(number.to_f64()),
        Value::Float(number) => Ok(*number),
        Value::String(text) => parse_float(text).ok_or_else(|| FormatError::InvalidNumber {
            text: quoted_bytes(text.as_bytes()),
            expected: "Float",
        }),
        Value::Timespan(it) => Ok(it.seconds()),
        Value::Timestamp(it) => Ok(it.seconds()),
        other => Err(FormatError::NotANumber { actual: type_name(other), expected: "Float" }),
    }
}

fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}

fn unsigned(text: &str) -> (bool, &str) {
    match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    }
}

/// Returns the digits without underscores, each of which must be between two digits.
fn digits(text: &str, is_digit: impl Fn(char) -> bool) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut between = false;
    for it in text.chars() {
        if is_digit(it) {
            plain.push(it);
            between = true;
        } else if it == '_' && between {
            between = false;
        } else {
            return None;
        }
    }
    between.then_some(plain)
}

/// Parses an integer like Ruby's `Integer()`: with an optional sign and prefix (`0x`, `0b`, `0o`, `0d`, `0`).
pub fn parse_integer(text: &str) -> Option<Integer> {
    let (negative, rest) = unsigned(text.trim_matches(is_space));
    let lower = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
    let (base, rest) = match &*lower {
        "0x" => (16, &rest[2..]),
        "0b" => (2, &rest[2..]),
        "0o" => (8, &rest[2..]),
        "0d" => (10, &rest[2..]),
        // The zero is itself a digit, so an underscore may follow it.
        _ if rest.len() > 1 && rest.starts_with('0') => (8, rest),
        _ => (10, rest),
    };
    let digits = digits(rest, |it| it.is_digit(base))?;
    let number = BigInt::parse_bytes(digits.as_bytes(), base)?;
    Some(Integer::from(if negative { -number } else { number }))
}

/// Parses a float like Ruby's `Float()`: in decimal or, with `0x`, in hexadecimal.
pub fn parse_float(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_space);
    let (negative, rest) = unsigned(text);
    let magnitude = match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        Some(rest) => hexadecimal(rest)?,
        None => decimal(rest)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_digit = |it: char| it.is_ascii_digit();
    let mut plain = match mantissa.split_once('.') {
        Some(("", fraction)) => format!("0.{}", digits(fraction, is_digit)?),
        Some((whole, fraction)) => format!("{}.{}", digits(whole, is_digit)?, digits(fraction, is_digit)?),
        None => digits(mantissa, is_digit)?,
    };
    if let Some(exponent) = exponent {
        let (negative, exponent) = unsigned(exponent);
        plain.push_str(if negative { "e-" } else { "e" });
        plain.push_str(&digits(exponent, is_digit)?);
    }
    plain.parse().ok()
}

/// Parses the text after `0x`. All digits are used: the number is rounded once, from its exact value.
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // A fraction requires an exponent.
    if mantissa.contains('.') && (fraction.is_empty() || exponent.is_none()) {
        return None;
    }
    let whole = digits(whole, |it| it.is_ascii_hexdigit())?;
    if !fraction.chars().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    let power: i64 = match exponent {
        Some(exponent) => {
            let (negative, exponent) = unsigned(exponent);
            let power = digits(exponent, |it| it.is_ascii_digit())?.parse().unwrap_or(i64::from(i32::MAX));
            if negative { -power } else { power }
        }
        None => 0,
    };
    let mantissa = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 16)?;
    let places = i64::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(scaled(&mantissa, power.saturating_sub(places)))
}

/// Returns `mantissa · 2^power`, rounded to the nearest float, ties to even.
fn scaled(mantissa: &BigInt, power: i64) -> f64 {
    let bits = i64::try_from(mantissa.bits()).unwrap_or(i64::MAX);
    if bits == 0 {
        return 0.0;
    }
    // The exponent of the first bit determines the number of bits that fit into a float.
    let first = bits.saturating_add(power);
    if first > 1024 {
        return f64::INFINITY;
    }
    let room = (first + 1074).min(53);
    if room < 0 {
        return 0.0;
    }
    let dropped = bits - room;
    let mut kept: BigInt = if dropped <= 0 { mantissa.clone() } else { mantissa >> dropped };
    let mut exponent = power;
    if dropped > 0 {
        let rest: BigInt = mantissa - (&kept << dropped);
        let half = BigInt::from(1) << (dropped - 1);
        if rest > half || rest == half && kept.bit(0) {
            kept += 1;
        }
        exponent += dropped;
    }
    // At most 53 bits, so the conversion is exact. The power may be too small for a single float.
    let kept = u64::try_from(&kept).unwrap_or(0) as f64;
    let exponent = i32::try_from(exponent).unwrap_or(0);
    let half = exponent / 2;
    kept * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::parse_float;

    #[test]
    fn floats_are_read_strictly() {
        let good = [
            ("0X1F", 31.0),
            ("0x1P+3", 8.0),
            ("00.5", 0.5),
            ("0_1", 1.0),
            ("0x1p3_0", 1_073_741_824.0),
            ("1.5_5", 1.55),
            ("0x1ffffffffffffffff", 36_893_488_147_419_103_232.0),
            ("0x1.8P1", 3.0),
            ("+.5", 0.5),
            ("-.5e1", -5.0),
            ("0x1p-1074", 5e-324),
            ("0x1p99999", f64::INFINITY),
            ("1e99999999999", f64::INFINITY),
            ("1e-99999999999", 0.0),
        ];
        for (text, number) in good {
            assert_eq!(parse_float(text), Some(number), "{text}");
        }
        let bad = [
            "1d5", "0x1p0x1", "0__1", "1e+_5", "1e5_", "1.5__5", "0x1.8p", ".", "e5", ".e5", "0.e1", "1e5.5",
            "0x.p1", "0x1p+", "1 2", "1.2.3", "0x", "0x_1", "_1", "1_", "1._5", "1_.5", "1e", "nan", "- 1",
            "\u{a0}1",
        ];
        for text in bad {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }
}
