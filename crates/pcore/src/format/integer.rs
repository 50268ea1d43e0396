//! Integers with flags, width and precision, as in D80 and D81 for `String.new`.

use std::io::Write as _;

use num_bigint::{BigInt, Sign};

use super::directive::Directive;
use super::sprintf::{Spec, convert};
use super::{FormatError, string};
use crate::value::{Integer, Value};

/// Formats an integer for `String.new`.
pub(super) fn format(out: &mut String, value: &Integer, directive: &Directive) -> Result<(), FormatError> {
    let number = Value::Integer(value.clone());
    match directive.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => convert(out, &directive.text, &number),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => {
            convert(out, &directive.text, &Value::Float(value.to_f64()))
        }
        'c' => {
            let code = value.to_i64().and_then(|it| u32::try_from(it).ok()).and_then(char::from_u32);
            let character = code.ok_or(FormatError::InvalidCharacter)?;
            let text = if directive.alternative { format!("\"{character}\"") } else { character.to_string() };
            convert(out, &directive.with_letter('s'), &string::value(&text))
        }
        's' => {
            let letter = if directive.alternative { 'p' } else { 's' };
            convert(out, &directive.with_letter(letter), &string::value(&value.to_string()))
        }
        letter => Err(FormatError::Letter { type_name: "Integer", letter, expected: "dxXobBeEfgGaAspc" }),
    }
}

/// Formats zero: the alternative form has the prefix, as that of one.
pub(super) fn format_nought(out: &mut String, directive: &Directive) -> Result<(), FormatError> {
    if !directive.alternative || !"xXbB".contains(directive.letter) {
        return format(out, &0.into(), directive);
    }
    let mut one = String::new();
    format(&mut one, &1.into(), directive)?;
    // Neither padding nor prefix has the digit.
    out.push_str(&one.replace('1', "0"));
    Ok(())
}

/// The digits of an integer, and their prefix.
struct Digits<'b> {
    sign: Option<char>,
    digits: &'b str,
    /// Two's complement: the digit that repeats infinitely to the left (D81).
    endless: Option<char>,
}

/// Room for 64 digits and a leading one.
const ROOM: usize = 66;

/// Formats an integer with a directive `%d %i %u %x %X %o %b %B`.
pub(super) fn write(out: &mut String, spec: &Spec, letter: char, value: &Integer) -> Result<(), FormatError> {
    let base: u32 = match letter {
        'o' => 8,
        'x' | 'X' => 16,
        'b' | 'B' => 2,
        _ => 10,
    };
    let positive_sign = if spec.plus { Some('+') } else { spec.space.then_some(' ') };
    let signed = base == 10 || positive_sign.is_some();
    let mut room = [0; ROOM];
    let mut long = String::new();
    let mut digits = match value.to_i64() {
        Some(value) if value >= 0 || signed => Digits {
            sign: if value < 0 { Some('-') } else { positive_sign },
            digits: small(&mut room, value.unsigned_abs(), base),
            endless: None,
        },
        Some(value) => complement(&mut room, value, base),
        None => big(&mut long, &value.to_big(), base, signed, positive_sign),
    };
    let upper;
    if letter == 'X' {
        upper = digits.digits.to_ascii_uppercase();
        digits.digits = &upper;
        digits.endless = digits.endless.map(|it| it.to_ascii_uppercase());
    }
    lay_out(out, spec, prefix(spec, letter), &digits)
}

fn prefix(spec: &Spec, letter: char) -> &'static str {
    match letter {
        _ if !spec.alternative => "",
        'o' => "0",
        'x' => "0x",
        'X' => "0X",
        'b' => "0b",
        'B' => "0B",
        _ => "",
    }
}

fn lay_out(out: &mut String, spec: &Spec, mut prefix: &str, number: &Digits<'_>) -> Result<(), FormatError> {
    let mut digits = number.digits;
    let length = |it: &str| i64::try_from(it.len()).unwrap_or(i64::MAX);
    let mut width = spec.width.map_or(-1, i64::from);
    let mut precision = spec.precision.map_or(-1, i64::from);
    width -= i64::from(number.sign.is_some());
    if number.endless.is_some() {
        precision -= 2;
        width -= 2;
    }
    if prefix == "0" {
        if number.endless.is_some() {
            prefix = "";
        } else if digits == "0" {
            digits = "";
            precision -= i64::from(spec.precision.is_some());
        } else if spec.precision.is_some() && precision > length(digits) {
            prefix = "";
        }
    } else if digits == "0" {
        prefix = "";
    }
    width -= length(prefix);
    if spec.zero && !spec.minus && spec.precision.is_none() {
        precision = width;
        width = 0;
    } else {
        if precision < length(digits) {
            if prefix.is_empty() && precision == 0 && digits == "0" {
                digits = "";
            }
            precision = length(digits);
        }
        width -= precision;
    }
    if !spec.minus {
        fill(out, ' ', width);
        width = 0;
    }
    out.extend(number.sign);
    out.push_str(prefix);
    if number.endless.is_some() {
        out.push_str("..");
    }
    match number.endless {
        Some(digit) => fill(out, digit, precision - length(digits)),
        None if spec.minus && spec.precision.is_none() => {}
        None => fill(out, '0', precision - length(digits)),
    }
    out.push_str(digits);
    fill(out, ' ', width);
    Ok(())
}

/// Appends a character `count` times, if positive; widths are already bounded when they are parsed.
pub(super) fn fill(out: &mut String, with: char, count: i64) {
    out.extend(std::iter::repeat_n(with, usize::try_from(count).unwrap_or(0)));
}

fn digit(value: u64) -> u8 {
    let value = (value & 0xF) as u8;
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

fn as_text(digits: &[u8]) -> &str {
    std::str::from_utf8(digits).unwrap_or_default()
}

fn small(room: &mut [u8; ROOM], value: u64, base: u32) -> &str {
    if base == 10 {
        let mut rest = &mut room[..];
        // There is room for any 64-bit number.
        let _ = write!(rest, "{value}");
        let used = ROOM - rest.len();
        return as_text(&room[..used]);
    }
    let bits = base.trailing_zeros();
    let (mut at, mut rest) = (ROOM, value);
    loop {
        at -= 1;
        room[at] = digit(rest & u64::from(base - 1));
        rest >>= bits;
        if rest == 0 {
            return as_text(&room[at..]);
        }
    }
}

/// Formats a negative number with the fewest digits of its two's complement, the first of which is one of the
/// infinitely repeated ones.
fn complement(room: &mut [u8; ROOM], value: i64, base: u32) -> Digits<'_> {
    let bits = base.trailing_zeros();
    let (mut at, mut rest) = (ROOM, value);
    while rest != -1 {
        at -= 1;
        room[at] = digit((rest & i64::from(base - 1)).unsigned_abs());
        rest >>= bits;
    }
    at -= 1;
    room[at] = digit(u64::from(base - 1));
    Digits { sign: None, digits: as_text(&room[at..]), endless: Some(char::from(room[at])) }
}

fn big<'b>(
    long: &'b mut String,
    value: &BigInt,
    base: u32,
    signed: bool,
    positive_sign: Option<char>,
) -> Digits<'b> {
    let negative = value.sign() == Sign::Minus;
    if signed || !negative {
        *long = value.magnitude().to_str_radix(base);
        return Digits {
            sign: if negative { Some('-') } else { positive_sign },
            digits: long,
            endless: None,
        };
    }
    let bits = u64::from(base.trailing_zeros());
    let count = value.bits() / bits + 2;
    let text = ((BigInt::from(1) << (count * bits)) + value).to_str_radix(base);
    let sign = char::from(digit(u64::from(base - 1)));
    *long = format!("{sign}{}", text.trim_start_matches(sign));
    Digits { sign: None, digits: long, endless: Some(sign) }
}
