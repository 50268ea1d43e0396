use num_bigint::BigInt;

use super::{DIGIT_LIMIT, ScanError};
use crate::value::Integer;

/// Returns the length of an integer in a base, with an optional sign, in at most `width` characters.
pub(super) fn matched(text: &str, base: u32, width: Option<usize>) -> Option<usize> {
    let width = width.unwrap_or(usize::MAX);
    let sign = usize::from(width > 1 && text.starts_with(['-', '+']));
    let unsigned = &text[sign..];
    // A prefix must be followed by a digit.
    let prefix = if base == 16 && width - sign > 2 && hexadecimal(unsigned) > 0 { 2 } else { 0 };
    let count = digits(&unsigned[prefix..], base).min(width - sign - prefix);
    (count > 0).then_some(sign + prefix + count)
}

/// Returns the length of an integer with a prefix, or without one if it is decimal. A lone `0` doesn't match.
pub(super) fn matched_any(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let unsigned = &text[sign..];
    let count = if let Some(rest) = unsigned.strip_prefix('0') {
        match digits(rest, 8) {
            0 => match hexadecimal(unsigned) {
                0 => return None,
                count => 2 + count,
            },
            count => 1 + count,
        }
    } else {
        digits(unsigned, 10)
    };
    (count > 0).then_some(sign + count)
}

/// Like [`matched_any`], in at most `width` characters: then a lone digit matches, unless it has a sign.
pub(super) fn matched_any_within(text: &str, width: usize) -> Option<usize> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let unsigned = &text[sign..];
    let room = width.saturating_sub(sign);
    let within = |first: usize, count: usize| {
        let count = count.min(room.saturating_sub(first));
        (count > 0).then_some(sign + first + count)
    };
    let found = if let Some(rest) = unsigned.strip_prefix('0') {
        within(1, digits(rest, 8)).or_else(|| within(2, hexadecimal(unsigned)))
    } else if unsigned.starts_with(|it: char| it.is_ascii_digit()) {
        within(1, digits(&unsigned[1..], 10))
    } else {
        None
    };
    found.or_else(|| text.starts_with(|it: char| it.is_ascii_digit()).then_some(1))
}

/// Parses the matched integer in a base.
pub(super) fn value(text: &str, base: u32) -> Result<Integer, ScanError> {
    if text.len() > DIGIT_LIMIT {
        return Err(ScanError::LongNumber);
    }
    if let Ok(small) = i64::from_str_radix(text, base) {
        return Ok(Integer::from(small));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match base {
        16 => digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).unwrap_or(digits),
        _ => digits,
    };
    let magnitude = BigInt::parse_bytes(digits.as_bytes(), base).unwrap_or_default();
    Ok(Integer::from(if negative { -magnitude } else { magnitude }))
}

/// Parses the matched integer with a prefix.
pub(super) fn value_of_any(text: &str) -> Result<Integer, ScanError> {
    let unsigned = text.trim_start_matches(['-', '+']);
    let base = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', ..] => 8,
        _ => 10,
    };
    value(text, base)
}

fn digits(text: &str, base: u32) -> usize {
    text.bytes().take_while(|it| char::from(*it).is_digit(base)).count()
}

/// Returns the number of digits after `0x`.
fn hexadecimal(text: &str) -> usize {
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => digits(&text[2..], 16),
        _ => 0,
    }
}
