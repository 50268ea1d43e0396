//! Numbers in texts, as Ruby reads them: strictly (`Float()`), or as far as they go (`to_i`, `to_f`).

use num_bigint::BigInt;

/// Digits that are read: more take longer than they are worth.
const LONGEST: usize = 10_000;

/// White space that may stand around a number.
fn is_blank(it: char) -> bool {
    matches!(it, '\t'..='\r' | ' ')
}

/// The whole number with which a text starts; nought if there is none. Single underscores may stand between digits.
pub(super) fn leading_integer(text: &str) -> BigInt {
    let text = text.trim_start_matches(is_blank);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = leading_digits(unsigned).0;
    let number: BigInt = digits.parse().unwrap_or_default();
    if text.starts_with('-') { -number } else { number }
}

/// The decimal number with which a text starts; nought if there is none.
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

/// The digits at the start, without underscores between them, and what follows.
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

/// The number that a text is, as Ruby's `Float()` reads it: decimal, or hexadecimal behind `0x`.
pub(super) fn float(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_blank);
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        Some(hexadecimal) => hexadecimal_float(hexadecimal)?,
        None => decimal_float(unsigned)?,
    };
    Some(if negative { -number } else { number })
}

fn decimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let mut number = match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            let whole = if whole.is_empty() { "0".to_owned() } else { digits(whole)? };
            format!("{whole}.{}", digits(fraction)?)
        }
        None => digits(mantissa)?,
    };
    if let Some(exponent) = exponent {
        let (sign, unsigned) = match exponent.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", exponent.strip_prefix('+').unwrap_or(exponent)),
        };
        number = format!("{number}e{sign}{}", digits(unsigned)?);
    }
    number.parse().ok()
}

/// Decimal digits, with single underscores between them taken out.
fn digits(text: &str) -> Option<String> {
    let (digits, rest) = leading_digits(text);
    (!digits.is_empty() && rest.is_empty()).then_some(digits)
}

fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (mantissa, ""),
    };
    if whole.is_empty() {
        return None;
    }
    let mut number = 0.0;
    for it in whole.chars() {
        number = number * 16.0 + f64::from(it.to_digit(16)?);
    }
    let mut scale = 1.0 / 16.0;
    for it in fraction.chars() {
        number += f64::from(it.to_digit(16)?) * scale;
        scale /= 16.0;
    }
    let exponent = match exponent {
        Some(text) => {
            let (negative, unsigned) = match text.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, text.strip_prefix('+').unwrap_or(text)),
            };
            // Beyond these, all numbers are infinite, or nought.
            let exponent = digits(unsigned)?.parse().unwrap_or(100_000).min(100_000);
            if negative { -exponent } else { exponent }
        }
        None => 0,
    };
    Some(scaled(number, exponent))
}

/// `number * 2^exponent`, with steps that neither overflow nor round on the way.
fn scaled(number: f64, exponent: i32) -> f64 {
    let (mut number, mut left) = (number, exponent);
    while left != 0 && number != 0.0 && number.is_finite() {
        let step = left.clamp(-1000, 1000);
        number *= 2f64.powi(step);
        left -= step;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(float(text), Some(number), "{text}");
        }
        let bad = [
            "1d5", "0x1p0x1", "0__1", "1e+_5", "1e5_", "1.5__5", "0x1.8p", ".", "e5", ".e5", "0.e1", "1e5.5",
            "0x.p1", "0x1p+", "1 2", "1.2.3", "0x", "0x_1", "_1", "1_", "1._5", "1_.5", "1e", "nan", "- 1",
            "\u{a0}1",
        ];
        for text in bad {
            assert_eq!(float(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        assert_eq!(leading_integer(" -1_0__0"), BigInt::from(-10));
        assert_eq!(leading_integer("x1"), BigInt::from(0));
        assert_eq!(leading_float("1.5.2"), 1.5);
        assert_eq!(leading_float("2.x"), 2.0);
        assert_eq!(leading_float("-1e2e"), -100.0);
    }
}
