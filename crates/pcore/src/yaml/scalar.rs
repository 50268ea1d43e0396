//! The interpretation of plain YAML scalars: the rules of version 1.1, as in the reference's parser.

use std::sync::LazyLock;

use num_bigint::BigInt;
use regex::Regex;

use super::shape;
use crate::value::{Integer, Value};

/// An interpreted plain scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A value of a core type.
    Value(Value),
    /// A Ruby symbol.
    Symbol(String),
    /// A date or a time.
    Time,
    /// A date, which may not exist.
    Date,
}

/// The reason why a scalar that looks like a number isn't one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScalarError {
    /// The text can't be converted to a number of this class.
    Number(String, &'static str),
    /// A tag requires a number, but the text is of another class.
    NotANumber(&'static str),
    /// The integer has more digits than [`DIGIT_LIMIT`].
    Digits,
}

/// The maximum number of digits of an integer: parsing and printing take time quadratic in it.
pub const DIGIT_LIMIT: usize = 20_000;

/// Rejects the text of an integer with too many digits.
fn check_digits(text: &str) -> Result<(), ScalarError> {
    if text.len() > DIGIT_LIMIT { Err(ScalarError::Digits) } else { Ok(()) }
}

/// The maximum length of words such as `yes` and `null`.
const LONGEST_WORD: usize = 5;

// `^` and `$` are the start and the end of any line, as in the reference. The expressions are only compiled for texts that
// need them: that takes longer than reading a file of facts.
static NO_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?mi)^[^ytonf~]"));
static NULL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?mi)^null$"));
static TRUE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?mi)^(yes|true|on)$"));
static FALSE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?mi)^(no|false|off)$"));
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t\x0B\x0C\r]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t\x0B\x0C\r]*(?:Z|[-+][0-9]{1,2}:?(?:[0-9]{2})?))?$",
    )
});
static QUOTED_SYMBOL: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^:(?:"(.*)"|'(.*)')"#));
#[expect(clippy::expect_used, reason = "the patterns are those above")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this file is sound")
}

/// Interprets a plain scalar without a tag.
///
/// # Errors
/// If it looks like a number, but can't be converted.
pub fn resolve(text: &str) -> Result<Scalar, ScalarError> {
    let value = |value: Value| Ok(Scalar::Value(value));
    if text.is_empty() {
        return value(Value::Undef);
    }
    if text.contains('\n') || shape::is_word(text) {
        return value(word(text));
    }
    if text.contains(':') && text.contains('-') && TIME.is_match(text) {
        return Ok(Scalar::Time);
    }
    if shape::is_date(text) {
        return Ok(Scalar::Date);
    }
    match &*text.to_ascii_lowercase() {
        ".inf" | "+.inf" => return value(Value::Float(f64::INFINITY)),
        "-.inf" => return value(Value::Float(f64::NEG_INFINITY)),
        ".nan" => return value(Value::Float(f64::NAN)),
        _ => {}
    }
    if let Some(name) = text.strip_prefix(':').filter(|it| !it.is_empty()) {
        let quoted = QUOTED_SYMBOL.captures(text).and_then(|it| it.get(1).or(it.get(2)));
        let name = quoted.map_or(name, |it| it.as_str().strip_prefix(':').unwrap_or(it.as_str()));
        return Ok(Scalar::Symbol(name.to_owned()));
    }
    if shape::is_sexagesimal(text) {
        check_digits(text)?;
        return value(Value::Integer(sexagesimal(text)));
    }
    if shape::is_sexagesimal_float(text) {
        return value(Value::Float(sexagesimal_float(text)));
    }
    if shape::is_float(text) {
        return match text {
            "." | "+." | "-." => value(text.into()),
            _ => float(text).map(|it| Scalar::Value(Value::Float(it))),
        };
    }
    if shape::is_integer(text) {
        return integer(text).map(|it| Scalar::Value(Value::Integer(it)));
    }
    value(text.into())
}

/// Interprets a text that isn't a number.
fn word(text: &str) -> Value {
    if text.chars().nth(LONGEST_WORD).is_some() {
        return text.into();
    }
    if text.is_ascii() && !text.contains('\n') {
        return match &*text.to_ascii_lowercase() {
            "~" | "null" => Value::Undef,
            "yes" | "true" | "on" => true.into(),
            "no" | "false" | "off" => false.into(),
            _ => text.into(),
        };
    }
    if NO_WORD.is_match(text) {
        text.into()
    } else if text == "~" || NULL.is_match(text) {
        Value::Undef
    } else if TRUE.is_match(text) {
        true.into()
    } else if FALSE.is_match(text) {
        false.into()
    } else {
        text.into()
    }
}

/// Hours, minutes, and optional seconds: two numbers are hours and minutes.
fn sexagesimal(text: &str) -> Integer {
    let mut sum = BigInt::ZERO;
    for (digits, unit) in text.split(':').zip([3600, 60, 1]) {
        sum += leading_integer(digits) * unit;
    }
    Integer::from(sum)
}

fn sexagesimal_float(text: &str) -> f64 {
    let units = [3600.0, 60.0, 1.0];
    text.split(':').zip(units).map(|(digits, unit)| leading_float(digits) * unit).sum()
}

/// Returns the digits at the start of a text, which single underscores may separate.
fn leading_digits(text: &str) -> &str {
    let (mut end, mut underscore) = (0, true);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => (end, underscore) = (index + 1, false),
            b'_' if !underscore => underscore = true,
            _ => break,
        }
    }
    &text[..end]
}

fn leading_integer(text: &str) -> BigInt {
    let unsigned = text.trim_start_matches(['+', '-']);
    let digits = leading_digits(unsigned).replace('_', "");
    let number: BigInt = digits.parse().unwrap_or_default();
    if text.starts_with('-') { -number } else { number }
}

fn leading_float(text: &str) -> f64 {
    let unsigned = text.trim_start_matches(['+', '-']);
    let whole = leading_digits(unsigned);
    let fraction = unsigned[whole.len()..].strip_prefix('.').map(leading_digits).unwrap_or_default();
    let number: f64 = format!("{whole}.{fraction}").replace('_', "").parse().unwrap_or_default();
    if text.starts_with('-') { -number } else { number }
}

fn float(text: &str) -> Result<f64, ScalarError> {
    let digits = text.replace([',', '_'], "");
    // A point that isn't followed by a digit is dropped.
    let digits = match digits.split_once('.') {
        Some((whole, "")) => whole.to_owned(),
        Some((whole, rest)) if rest.starts_with(['e', 'E']) => format!("{whole}{rest}"),
        _ => digits,
    };
    let unsigned = digits.trim_start_matches(['+', '-']);
    match digits.parse() {
        Ok(number) if unsigned.starts_with(|it: char| it == '.' || it.is_ascii_digit()) => Ok(number),
        _ => Err(ScalarError::Number(digits, "Float")),
    }
}

fn integer(text: &str) -> Result<Integer, ScalarError> {
    check_digits(text)?;
    let digits = text.replace([',', '_'], "");
    let unsigned = digits.trim_start_matches(['+', '-']);
    let (rest, radix) = match unsigned.as_bytes() {
        [b'0', b'b', ..] => (&unsigned[2..], 2),
        [b'0', b'x', ..] => (&unsigned[2..], 16),
        [b'0', _, ..] => (&unsigned[1..], 8),
        _ => (unsigned, 10),
    };
    match BigInt::parse_bytes(rest.as_bytes(), radix) {
        Some(number) => Ok(Integer::from(if digits.starts_with('-') { -number } else { number })),
        None => Err(ScalarError::Number(digits, "Integer")),
    }
}

/// Returns the number of a scalar with a tag for floats.
///
/// # Errors
/// If it isn't a number.
pub fn tagged_float(text: &str) -> Result<f64, ScalarError> {
    let found = match resolve(text)? {
        Scalar::Value(Value::Float(number)) => return Ok(number),
        Scalar::Value(Value::Integer(number)) => return Ok(number.to_f64()),
        Scalar::Value(Value::String(text)) => {
            return ruby_float(&text).ok_or_else(|| ScalarError::Number(text.to_string(), "Float"));
        }
        Scalar::Value(Value::Boolean(true)) => "true",
        Scalar::Value(Value::Boolean(false)) => "false",
        Scalar::Value(Value::Undef) => "nil",
        Scalar::Time => "Time",
        Scalar::Date => "Date",
        Scalar::Value(_) | Scalar::Symbol(_) => "Symbol",
    };
    Err(ScalarError::NotANumber(found))
}

/// Parses a whole text as a number if the rules above don't apply, such as `1e5`.
fn ruby_float(text: &str) -> Option<f64> {
    let text = text.trim();
    let unsigned = text.trim_start_matches(['+', '-']);
    let (mantissa, _) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, ""));
    let written = mantissa.starts_with(|it: char| it == '.' || it.is_ascii_digit())
        && mantissa.ends_with(|it: char| it.is_ascii_digit())
        && !text.contains("__")
        && !text.ends_with('_');
    if written { text.replace('_', "").parse().ok() } else { None }
}
