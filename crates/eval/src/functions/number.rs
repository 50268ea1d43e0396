//! Numbers at the start of texts, as Ruby's `to_i` and `to_f` read them.

use num_bigint::BigInt;

/// The maximal number of digits that are read, to bound the time.
const LONGEST: usize = 10_000;

/// White space that may surround a number.
fn is_blank(it: char) -> bool {
    matches!(it, '\t'..='\r' | ' ')
}

/// Parses the integer at the start of a text; zero if there is none. Single underscores may separate digits.
pub(super) fn leading_integer(text: &str) -> BigInt {
    let text = text.trim_start_matches(is_blank);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = leading_digits(unsigned).0;
    let number: BigInt = digits.parse().unwrap_or_default();
    if text.starts_with('-') { -number } else { number }
}

/// Parses the decimal number at the start of a text; zero if there is none.
pub(super) fn leading_float(text: &str) -> f64 {
    let text = text.trim_start_matches(is_blank);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mut number, rest) = leading_digits(unsigned);
    if number.is_empty() {
        return 0.0;
    }
    let mut rest = rest;
    if let Some(fraction) = rest.strip_prefix('.') {
        let (digits, after) = leading_digits(fraction);
        if !digits.is_empty() {
            number = format!("{number}.{digits}");
            rest = after;
        }
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let sign = if exponent.starts_with('-') { "-" } else { "" };
        let (digits, _) = leading_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
        if !digits.is_empty() {
            number = format!("{number}e{sign}{digits}");
        }
    }
    let number = number.parse().unwrap_or(0.0);
    if text.starts_with('-') { -number } else { number }
}

/// Splits off the digits at the start of a text, without the underscores between them.
fn leading_digits(text: &str) -> (String, &str) {
    let mut digits = String::new();
    let mut end = 0;
    for (at, it) in text.char_indices() {
        match it {
            '0'..='9' => {
                if digits.len() < LONGEST {
                    digits.push(it);
                }
                end = at + 1;
            }
            '_' if at > 0 && end == at => {}
            _ => break,
        }
    }
    (digits, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        assert_eq!(leading_integer(" -1_0__0"), BigInt::from(-10));
        assert_eq!(leading_integer("x1"), BigInt::from(0));
        assert_eq!(leading_float("1.5.2"), 1.5);
        assert_eq!(leading_float("2.x"), 2.0);
        assert_eq!(leading_float("-1e2e"), -100.0);
    }
}
