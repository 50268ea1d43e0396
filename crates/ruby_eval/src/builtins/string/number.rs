//! Numbers at the start of strings: `to_i`, `to_f`, `hex`, `oct`.

use num_bigint::BigInt;

use super::this;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("to_i", 0, 1, to_i),
    exactly("to_f", 0, |_, call| Ok(Value::Float(leading_float(&this(call)?.bytes())))),
    exactly("hex", 0, |vm, call| leading_integer(vm, &this(call)?.bytes(), 16, false)),
    exactly("oct", 0, |vm, call| leading_integer(vm, &this(call)?.bytes(), 8, true)),
    exactly("to_r", 0, |_, _| unsupported("String#to_r")),
    exactly("to_c", 0, |_, _| unsupported("String#to_c")),
];

fn to_i(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let base = match call.argument(0) {
        Some(base) => vm.expect_integer(base)?,
        None => 10,
    };
    match u32::try_from(base) {
        Ok(0) => leading_integer(vm, &this.bytes(), 10, true),
        Ok(base @ 2..=36) => leading_integer(vm, &this.bytes(), base, false),
        // The base is not validated for blank strings.
        _ if base > 0 && !this.bytes().is_empty() && this.bytes().iter().all(is_blank) => {
            Ok(Value::Integer(0))
        }
        _ => vm.argument_error(format!("invalid radix {base}")),
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Skips blanks and a sign; returns whether it is a minus, and the rest of the text.
fn unsigned(bytes: &[u8]) -> (bool, &[u8]) {
    let start = bytes.iter().position(|it| !is_blank(it)).unwrap_or(bytes.len());
    match bytes.get(start..).unwrap_or_default() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    }
}

/// The base that a prefix denotes, and the rest of the text.
fn prefix(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let [b'0', letter, rest @ ..] = bytes else { return None };
    let base = match letter.to_ascii_lowercase() {
        b'x' => 16,
        b'b' => 2,
        b'o' => 8,
        b'd' => 10,
        _ => return None,
    };
    Some((base, rest))
}

/// The integer at the start of a string, or 0. With `any_prefix`, a prefix determines the base, and `base` is that of
/// numbers without prefix; otherwise the string may only have the prefix of the base.
pub(crate) fn leading_integer(vm: &Vm<'_>, bytes: &[u8], base: u32, any_prefix: bool) -> Result {
    let (negative, rest) = unsigned(bytes);
    let (base, rest) = match prefix(rest) {
        Some((named, rest)) if any_prefix || named == base => (named, rest),
        _ if any_prefix && base == 10 && rest.starts_with(b"0") => (8, rest),
        _ => (base, rest),
    };
    let mut digits = Vec::new();
    let mut after_underscore = true;
    for byte in rest {
        match byte {
            b'_' if !after_underscore => after_underscore = true,
            byte if char::from(*byte).is_digit(base) => {
                digits.push(*byte);
                after_underscore = false;
            }
            _ => break,
        }
    }
    let text = std::str::from_utf8(&digits).unwrap_or_default();
    if text.is_empty() {
        return Ok(Value::Integer(0));
    }
    if let Ok(number) = i64::from_str_radix(text, base) {
        return Ok(Value::Integer(if negative { -number } else { number }));
    }
    // The work grows with the square of the length.
    vm.world.spend(digits.len().saturating_mul(digits.len()) / 2_000)?;
    let number = BigInt::parse_bytes(text.as_bytes(), base).unwrap_or_default();
    Ok(Value::big(if negative { -number } else { number }))
}

/// Takes digits with single underscores between them from the front.
fn take_digits(bytes: &[u8], out: &mut String) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => out.push(char::from(*byte)),
            b'_' if at > 0
                && bytes.get(at - 1).is_some_and(u8::is_ascii_digit)
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// The float at the start of a string, or 0.0.
pub(crate) fn leading_float(bytes: &[u8]) -> f64 {
    let (negative, rest) = unsigned(bytes);
    let signed = bytes.iter().find(|it| !is_blank(it)).is_some_and(|it| matches!(it, b'+' | b'-'));
    if let [b'0', b'x' | b'X', digits @ ..] = rest
        && signed
    {
        // After a sign, a number in hexadecimal digits is one.
        let length = digits.iter().take_while(|it| it.is_ascii_hexdigit()).count();
        let digits = digits.get(..length).unwrap_or_default();
        let text = format!("0x{}", String::from_utf8_lossy(digits));
        let number = marotte_pcore::format::parse_float(&text).unwrap_or(0.0);
        return if negative { -number } else { number };
    }
    let mut text = String::new();
    let mut at = take_digits(rest, &mut text);
    if at == 0 {
        text.push('0');
    }
    let mut has_digits = at > 0;
    if let Some([b'.', fraction @ ..]) = rest.get(at..)
        && fraction.first().is_some_and(u8::is_ascii_digit)
    {
        text.push('.');
        at += 1 + take_digits(fraction, &mut text);
        has_digits = true;
    }
    if !has_digits {
        return 0.0;
    }
    if let Some([b'e' | b'E', exponent @ ..]) = rest.get(at..) {
        let (sign, exponent) = match exponent {
            [b'-', rest @ ..] => ("e-", rest),
            [b'+', rest @ ..] => ("e", rest),
            rest => ("e", rest),
        };
        let mut digits = String::new();
        if take_digits(exponent, &mut digits) > 0 {
            text.push_str(sign);
            text.push_str(&digits);
        }
    }
    let number: f64 = text.parse().unwrap_or(0.0);
    if negative { -number } else { number }
}
