//! Mismatches as sentences (H34).

use super::names::{expected_and_actual, short_name};
use super::{Mismatch, MismatchKind, PathElement};
use crate::dialect::Dialect;
use crate::print::expanded;
use crate::types::{Size, StringType, Type, TypeKind};

/// The length of a message, in bytes, beyond which further sentences are only counted.
const MESSAGE_LIMIT: usize = 256 << 10;

/// Returns the sentences, one on each line.
pub(super) fn sentences(dialect: &Dialect, mismatches: &[Mismatch]) -> String {
    let mut text = String::new();
    for (at, it) in mismatches.iter().enumerate() {
        if at > 0 {
            text.push_str("\n ");
        }
        if text.len() > MESSAGE_LIMIT {
            text.push_str(&format!("and {} more", mismatches.len() - at));
            break;
        }
        text.push_str(&it.text(dialect));
    }
    text
}

impl Mismatch {
    /// Returns the sentence without its subject: it begins with a blank, then the path.
    pub fn text(&self, dialect: &Dialect) -> String {
        let mut text = String::new();
        for element in &self.path {
            text.push(' ');
            text.push_str(&element.to_string());
        }
        // A signature can only be the first element; it is a word of the sentence like any other.
        debug_assert!(self.path.iter().skip(1).all(|it| !matches!(it, PathElement::Signature(_))));
        text.push(' ');
        text.push_str(&self.kind.text(dialect));
        text
    }
}

impl MismatchKind {
    /// Returns the predicate of the sentence.
    fn text(&self, dialect: &Dialect) -> String {
        match self {
            MismatchKind::Type { expected, actual } => type_text(dialect, expected, actual),
            MismatchKind::Pattern { expected, actual } => pattern_text(expected, actual),
            MismatchKind::Size { expected, actual } => {
                format!("expects size to be {}, got {}", range(*expected, "0"), range(*actual, "0"))
            }
            MismatchKind::Count { expected, actual } => {
                let one =
                    matches!(expected, Size { min: 1, max: Some(1) | None } | Size { min: 0, max: Some(1) });
                let noun = if one { "argument" } else { "arguments" };
                format!("expects {} {noun}, got {}", range(*expected, "no"), range(*actual, "none"))
            }
            MismatchKind::MissingKey(key) => format!("expects a value for key '{key}'"),
            MismatchKind::MissingParameter(name) => format!("expects a value for parameter '{name}'"),
            MismatchKind::ExtraneousKey(key) => format!("unrecognized key '{key}'"),
            MismatchKind::InvalidParameter(name) => format!("has no parameter named '{name}'"),
            MismatchKind::UnexpectedBlock => "does not expect a block".to_owned(),
            MismatchKind::MissingRequiredBlock => "expects a block".to_owned(),
            MismatchKind::UnresolvedReference(name) => format!("references an unresolved type '{name}'"),
        }
    }
}

fn type_text(dialect: &Dialect, expected: &Type, actual: &Type) -> String {
    let (optional, inner) = match expected.kind() {
        TypeKind::Optional(Some(inner)) => (true, inner),
        _ => (false, expected),
    };
    let alternatives = match inner.kind() {
        TypeKind::Variant(types) => types,
        _ => std::slice::from_ref(inner),
    };
    let (mut names, actual) = expected_and_actual(dialect, alternatives, actual);
    if optional {
        names.insert(0, "Undef".to_owned());
    }
    match &names[..] {
        [only] => format!("expects {} {only} value, got {actual}", article(only)),
        [first, second] => format!("expects a value of type {first} or {second}, got {actual}"),
        [first @ .., last] => {
            format!("expects a value of type {}, or {last}, got {actual}", first.join(", "))
        }
        [] => format!("expects no value, got {actual}"),
    }
}

fn pattern_text(expected: &Type, actual: &Type) -> String {
    let (or_undef, inner) = match expected.kind() {
        TypeKind::Optional(Some(inner)) => ("an undef value or ", inner),
        _ => ("", expected),
    };
    let actual = match actual.kind() {
        TypeKind::String(StringType::Literal(text)) => format!("'{text}'"),
        _ => short_name(actual),
    };
    format!("expects {or_undef}a match for {}, got {actual}", expanded(inner))
}

/// The article, by the first letter: `y` counts as a vowel.
fn article(name: &str) -> &'static str {
    let first = name.trim_start_matches(['"', '\'']).chars().next();
    if first.is_some_and(|it| "aeiouy".contains(it.to_ascii_lowercase())) { "an" } else { "a" }
}

fn range(size: Size, zero: &str) -> String {
    match size {
        Size { min: 0, max: Some(0) } => zero.to_owned(),
        Size { min, max: Some(max) } if min == max => min.to_string(),
        Size { min: 0, max: None } => "unlimited".to_owned(),
        Size { min: 0, max: Some(max) } => format!("at most {max}"),
        Size { min, max: None } => format!("at least {min}"),
        Size { min, max: Some(max) } => format!("between {min} and {max}"),
    }
}
