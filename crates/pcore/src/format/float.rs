//! Floats in decimal and hexadecimal digits, exactly, to any precision.

use std::fmt::Write as _;

use super::directive::Directive;
use super::integer::fill;
use super::rounding::{self, Significant};
use super::sprintf::{Spec, convert};
use super::{FormatError, integer, string};
use crate::dialect::{FloatText, Texts};
use crate::print::float_text;
use crate::value::{Integer, Value};

/// Formats a float for `String.new` (D80).
pub(super) fn format(
    out: &mut String,
    value: f64,
    directive: &Directive,
    texts: &Texts,
) -> Result<(), FormatError> {
    match directive.letter {
        'c' if texts.floats_as_characters => {
            let whole = Integer::from_f64_truncated(value).ok_or(FormatError::NotFinite(value))?;
            integer::format(out, &whole, directive)
        }
        'p' if texts.floats == FloatText::Shortest => write_shortest(out, value, directive),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => {
            convert(out, &directive.text, &Value::Float(value))
        }
        's' => {
            let text = match texts.floats {
                FloatText::Fixed => float_text(value),
                FloatText::Shortest => shortest_text(value),
            };
            let text = if directive.alternative { format!("\"{text}\"") } else { text };
            convert(out, &directive.text, &string::value(&text))
        }
        letter => Err(FormatError::Letter { type_name: "Float", letter, expected: "dxXobBeEfgGaAsp" }),
    }
}

/// Formats a float with the fewest decimals that distinguish it from others, but at least one, and without an exponent.
fn shortest_text(value: f64) -> String {
    if !value.is_finite() {
        return float_text(value);
    }
    format!("{value:.0$}", least_decimals(value))
}

/// Returns the number of decimals needed to distinguish a float from others, at least one.
fn least_decimals(value: f64) -> usize {
    value.to_string().split_once('.').map_or(1, |(_, decimals)| decimals.len())
}

/// Formats a float like [`shortest_text`], with the flags of numbers and a width; the precision is ignored.
fn write_shortest(out: &mut String, value: f64, directive: &Directive) -> Result<(), FormatError> {
    convert(out, &directive.with_precision(least_decimals(value), 'f'), &Value::Float(value))
}

/// The precision of `%f` by default.
const DEFAULT_PRECISION: u32 = 6;
/// The maximum number of decimals, and of significant digits, of any float.
const MOST_DECIMALS: usize = 1074;
/// The number of hexadecimal digits after the point of a float.
const HEX_DIGITS: usize = 13;

/// Formats an integer with `%f`, keeping all its digits.
pub(super) fn write_integer(out: &mut String, spec: &Spec, value: &Integer) {
    let text = value.to_string();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, &*text),
    };
    let precision = spec.precision.unwrap_or(DEFAULT_PRECISION);
    let zeros = usize::try_from(precision).unwrap_or(usize::MAX);
    // Unlike with floats, `#` doesn't add a point here.
    let point = if precision > 0 { "." } else { "" };
    Number { prefix: "", body: &format!("{digits}{point}"), zeros, tail: "" }.lay_out(out, spec, negative);
}

/// Formats a float with a directive `%f %e %E %g %G %a %A`.
pub(super) fn write(out: &mut String, spec: &Spec, letter: char, value: f64) {
    let negative = value.is_sign_negative() && !value.is_nan();
    if !value.is_finite() {
        let body = if value.is_nan() { "NaN" } else { "Inf" };
        let spec = Spec { zero: false, ..*spec };
        return Number { prefix: "", body, zeros: 0, tail: "" }.lay_out(out, &spec, negative);
    }
    let magnitude = value.abs();
    let precision = usize::try_from(spec.precision.unwrap_or(DEFAULT_PRECISION)).unwrap_or(usize::MAX);
    let (mut body, mut tail) = (String::new(), String::new());
    let mut zeros = 0;
    match letter.to_ascii_lowercase() {
        'f' => zeros = fixed(&mut body, magnitude, precision, spec.alternative),
        'e' => zeros = exponential(&mut body, &mut tail, magnitude, precision, spec.alternative),
        'g' => zeros = general(&mut body, &mut tail, magnitude, precision.max(1), spec.alternative),
        _ => {
            let precision = spec.precision.and_then(|it| usize::try_from(it).ok());
            zeros += hexadecimal(&mut body, &mut tail, magnitude, precision, spec.alternative);
        }
    }
    let upper = letter.is_ascii_uppercase();
    if upper {
        body.make_ascii_uppercase();
        tail.make_ascii_uppercase();
    }
    let prefix = match letter {
        'a' => "0x",
        'A' => "0X",
        _ => "",
    };
    Number { prefix, body: &body, zeros, tail: &tail }.lay_out(out, spec, negative);
}

/// The parts of a number without its sign: `zeros` are between body and tail.
struct Number<'t> {
    prefix: &'t str,
    body: &'t str,
    zeros: usize,
    tail: &'t str,
}

impl Number<'_> {
    fn lay_out(&self, out: &mut String, spec: &Spec, negative: bool) {
        let positive_sign = if spec.plus { Some('+') } else { spec.space.then_some(' ') };
        let sign = if negative { Some('-') } else { positive_sign };
        let length =
            usize::from(sign.is_some()) + self.prefix.len() + self.body.len() + self.zeros + self.tail.len();
        let width = spec.width.map_or(0, i64::from);
        let missing = width - i64::try_from(length).unwrap_or(i64::MAX);
        if !spec.minus && !spec.zero {
            fill(out, ' ', missing);
        }
        out.extend(sign);
        out.push_str(self.prefix);
        if spec.zero && !spec.minus {
            fill(out, '0', missing);
        }
        out.push_str(self.body);
        out.extend(std::iter::repeat_n('0', self.zeros));
        out.push_str(self.tail);
        if spec.minus {
            fill(out, ' ', missing);
        }
    }
}

/// Splits a precision into the decimals to format, and the number of zeros to append.
fn split(precision: usize) -> (usize, usize) {
    let written = precision.min(MOST_DECIMALS);
    (written, precision - written)
}

// Writing to a string doesn't fail, so the results of `write!` are ignored below.

fn fixed(body: &mut String, value: f64, precision: usize, point: bool) -> usize {
    let (written, zeros) = split(precision);
    body.push_str(&rounding::fixed(value, written));
    if precision == 0 && point {
        body.push('.');
    }
    zeros
}

fn exponent(tail: &mut String, letter: char, exponent: i32, digits: usize) {
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(tail, "{letter}{sign}{:0digits$}", exponent.unsigned_abs());
}

fn exponential(body: &mut String, tail: &mut String, value: f64, precision: usize, point: bool) -> usize {
    let (written, zeros) = split(precision);
    let Significant { digits, power, .. } = rounding::significant(value, written);
    body.push_str(&digits);
    if precision == 0 && point {
        body.push('.');
    }
    exponent(tail, 'e', power, 2);
    zeros
}

/// Uses the shorter of the other two notations; `precision` counts significant digits. Trailing zeros are kept if `all`.
fn general(body: &mut String, tail: &mut String, value: f64, precision: usize, all: bool) -> usize {
    let (written, _) = split(precision - 1);
    let Significant { digits, power, keeps_zeros } = rounding::significant(value, written);
    let decimals = i64::try_from(precision).unwrap_or(i64::MAX) - 1 - i64::from(power);
    let zeros = if power < -4 || decimals < 0 {
        body.push_str(&digits);
        exponent(tail, 'e', power, 2);
        precision - 1 - written
    } else {
        fixed(body, value, usize::try_from(decimals).unwrap_or(0), false)
    };
    if all {
        if !body.contains('.') {
            body.push('.');
        }
        return zeros;
    }
    if body.contains('.') && !keeps_zeros {
        let kept = body.trim_end_matches('0').trim_end_matches('.').len();
        body.truncate(kept);
    }
    0
}

/// Formats in hexadecimal with one digit before the point; without precision, with as many digits as needed.
fn hexadecimal(
    body: &mut String,
    tail: &mut String,
    value: f64,
    precision: Option<usize>,
    point: bool,
) -> usize {
    let bits = value.to_bits();
    let mut fraction = bits & ((1 << 52) - 1);
    let mut power = i32::try_from(bits >> 52).unwrap_or(0) - 1023;
    let mut whole: u64 = u64::from(value != 0.0);
    if power == -1023 {
        // Subnormal numbers are normalized.
        if fraction == 0 {
            power = 0;
        } else {
            let shift = fraction.leading_zeros() - 11;
            fraction = (fraction << shift) & ((1 << 52) - 1);
            power = -1022 - i32::try_from(shift).unwrap_or(0);
        }
    }
    if let Some(precision) = precision
        && precision < HEX_DIGITS
    {
        // Ties round to the even neighbour.
        let dropped = 4 * (HEX_DIGITS - precision);
        let all = (whole << 52) | fraction;
        let (unit, half) = (1_u64 << dropped, 1_u64 << (dropped - 1));
        let rest = all & (unit - 1);
        let mut rounded = all - rest;
        if rest > half || rest == half && rounded & unit != 0 {
            rounded += unit;
        }
        whole = rounded >> 52;
        fraction = rounded & ((1 << 52) - 1);
        if whole > 1 {
            // The fraction is zero then.
            whole = 1;
            power += 1;
        }
    }
    let digits = format!("{fraction:013x}");
    let (digits, zeros) = match precision {
        None => (digits.trim_end_matches('0'), 0),
        Some(precision) => (&digits[..precision.min(HEX_DIGITS)], precision.saturating_sub(HEX_DIGITS)),
    };
    let _ = write!(body, "{whole}");
    if !digits.is_empty() || point {
        body.push('.');
    }
    body.push_str(digits);
    exponent(tail, 'p', power, 1);
    zeros
}
