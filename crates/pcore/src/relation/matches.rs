//! Matching of values, as in the options of a `case`.

use marotte_text::Str;

use super::equal::equal;
use super::instance::instance_of;
use crate::dialect::Dialect;
use crate::regexp::Regexp;
use crate::semver::SemVer;
use crate::types::PatternType;
use crate::value::Value;

/// Whether a value matches a pattern: a type that it is an instance of, a regular expression that it matches, a range
/// that contains it, `default`, an array or hash of patterns, or an equal value.
///
/// A regular expression that exceeds its time limit doesn't match.
pub fn matches(dialect: &Dialect, value: &Value, pattern: &Value) -> bool {
    let matched = match_with(dialect, value, pattern, &mut |regexp, text| regexp.is_match(text));
    matched.unwrap_or(false)
}

/// Like [`matches()`], but a function decides whether a regular expression matches a string.
///
/// # Errors
/// The errors of the function.
pub fn match_with<E>(
    dialect: &Dialect,
    value: &Value,
    pattern: &Value,
    matches_text: &mut dyn FnMut(&Regexp, &Str) -> Result<bool, E>,
) -> Result<bool, E> {
    Ok(match (pattern, value) {
        (Value::Regexp(regexp), Value::String(text)) => matches_text(regexp, text)?,
        (Value::Regexp(_), _) => false,
        (Value::SemVer(version), Value::SemVer(other)) => version == other,
        (Value::SemVer(version), Value::String(text)) => {
            SemVer::parse(text).is_ok_and(|other| **version == other)
        }
        (Value::SemVerRange(range), Value::SemVer(version)) => range.includes(version),
        (Value::SemVerRange(range), Value::String(text)) => {
            SemVer::parse(text).is_ok_and(|version| range.includes(&version))
        }
        (Value::SemVer(_) | Value::SemVerRange(_), _) => false,
        (Value::Type(it), _) => instance_of(dialect, it, value),
        (Value::Array(patterns), Value::Array(values)) => {
            if patterns.len() != values.len() {
                return Ok(false);
            }
            for (value, pattern) in values.iter().zip(patterns.iter()) {
                if !match_with(dialect, value, pattern, matches_text)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Array(_), _) => false,
        (Value::Hash(patterns), Value::Hash(values)) => {
            for (key, pattern) in patterns.iter() {
                let value = values.get(key).unwrap_or(&Value::Undef);
                if !match_with(dialect, value, pattern, matches_text)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Hash(_), _) => false,
        (Value::Default, _) => true,
        _ => equal(dialect, value, pattern),
    })
}

/// Whether a string matches one of some patterns, or there are none and the dialect then accepts all strings.
pub(super) fn matches_any(dialect: &Dialect, patterns: &PatternType, text: &str) -> bool {
    if patterns.patterns.is_empty() {
        return dialect.pattern_without_parameters.accepts_all();
    }
    patterns.patterns.iter().any(|it| it.is_match(text).unwrap_or(false))
}
