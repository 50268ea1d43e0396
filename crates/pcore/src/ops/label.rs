//! The labels of values in messages.

use crate::dialect::Dialect;
use crate::infer::{generalize, infer};
use crate::print::{literal, named, short};
use crate::types::{ResourceType, TypeKind};
use crate::value::Value;

/// The kind of a value, for types with their text. Values without a name in the language are called objects, as in the
/// reference.
pub fn label(value: &Value) -> String {
    let kind = match value {
        Value::Undef => "Undef Value",
        Value::SemVer(_) => "Semver",
        Value::SemVerRange(_) => "SemverRange",
        Value::Default | Value::Uri(_) | Value::Object(_) | Value::Callable(_) | Value::Iterator(_) => {
            "Object"
        }
        Value::Type(it) => {
            return match it.kind() {
                TypeKind::Resource(ResourceType { title: Some(_), .. }) => {
                    format!("{} Resource-Reference", short(it))
                }
                _ => format!("{}-Type", named(it)),
            };
        }
        other => other.kind_name(),
    };
    kind.to_owned()
}

/// The kind of a value, preceded by its article.
pub(super) fn a_label(value: &Value) -> String {
    let label = label(value);
    format!("{} {label}", article(&label))
}

/// The article, by the first letter: `y` counts as a vowel.
pub(super) fn article(name: &str) -> &'static str {
    let first = name.trim_start_matches(['"', '\'']).chars().next();
    if first.is_some_and(|it| "aeiouy".contains(it.to_ascii_lowercase())) { "an" } else { "a" }
}

/// The generalized type of a key.
pub(super) fn key_type(dialect: &Dialect, key: &Value) -> String {
    short(&generalize(&infer(dialect, key)))
}

/// A value in a message: strings verbatim, `undef` empty, others as the language writes them.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        Value::Sensitive(_) => "Sensitive [value redacted]".to_owned(),
        _ => literal(value),
    }
}
