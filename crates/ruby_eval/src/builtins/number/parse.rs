//! Numbers in strings, as `Integer()` and `Float()` read them.

use num_bigint::BigInt;

/// White space as C's `isspace` has it.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r'])
}

/// The integer in a string, with an optional prefix of its base; None if there is anything else in the string. A base of 0
/// is read from the prefix.
pub(crate) fn integer_text(text: &str, base: u32) -> Option<BigInt> {
    let text = trimmed(text);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.get(..2).map(str::to_ascii_lowercase);
    let prefixed = match lower.as_deref() {
        Some("0x") => Some(16),
        Some("0b") => Some(2),
        Some("0o") => Some(8),
        Some("0d") => Some(10),
        _ => None,
    };
    let (radix, digits) = match (base, prefixed) {
        (0, Some(radix)) => (radix, &digits[2..]),
        (_, Some(radix)) if radix == base => (base, &digits[2..]),
        (0, None) if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        (0, None) => (10, digits),
        _ => (base, digits),
    };
    let digits = without_underscores(digits, |it| it.is_digit(radix))?;
    let number = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if negative { -number } else { number })
}

/// Digits without the underscores between them; None if there is something else, or nothing.
fn without_underscores(text: &str, is_digit: impl Fn(char) -> bool) -> Option<String> {
    let mut digits = String::with_capacity(text.len());
    let mut after_digit = false;
    for it in text.chars() {
        match it {
            '_' if after_digit => after_digit = false,
            it if is_digit(it) => {
                digits.push(it);
                after_digit = true;
            }
            _ => return None,
        }
    }
    after_digit.then_some(digits)
}

/// The float in a string; None if there is anything else in the string.
pub(crate) fn float_text(text: &str) -> Option<f64> {
    let text = trimmed(text);
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match body.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("0x")) {
        true => hexadecimal(&body[2..])?,
        false => decimal(body)?,
    };
    Some(if negative { -number } else { number })
}

fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(signed(exponent)?)),
        None => (text, None),
    };
    let is_digit = |it: char| it.is_ascii_digit();
    let mut number = match mantissa.split_once('.') {
        Some(("", fraction)) => format!("0.{}", without_underscores(fraction, is_digit)?),
        Some((whole, fraction)) => {
            format!("{}.{}", without_underscores(whole, is_digit)?, without_underscores(fraction, is_digit)?)
        }
        None => without_underscores(mantissa, is_digit)?,
    };
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(&exponent);
    }
    number.parse().ok()
}

/// A decimal number with an optional sign.
fn signed(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    Some(format!("{sign}{}", without_underscores(digits, |it| it.is_ascii_digit())?))
}

fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, signed(exponent)?.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, without_underscores(fraction, |it| it.is_ascii_hexdigit())?),
        None => (mantissa, String::new()),
    };
    let whole = without_underscores(whole, |it| it.is_ascii_hexdigit())?;
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    // More than 52 bits would have to be rounded here.
    if significant.len() > 13 || exponent.unsigned_abs() > 900 || fraction.len() > 20 {
        return None;
    }
    let number = if significant.is_empty() { 0 } else { u64::from_str_radix(significant, 16).ok()? };
    let exponent = exponent - 4 * i32::try_from(fraction.len()).ok()?;
    Some(number as f64 * 2f64.powi(exponent))
}
