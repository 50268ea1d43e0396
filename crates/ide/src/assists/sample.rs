//! Placeholder values for parameters and keys.

use marotte_pcore::dialect::Dialect;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

/// A placeholder value, in the notations of code and data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    /// No value that would be useful as a start is known.
    Undef,
    String(String),
    /// A value that is written in the same way everywhere: a number, a Boolean, an empty array or hash.
    Plain(String),
}

impl Sample {
    /// The value in Puppet code.
    pub(super) fn puppet(&self) -> String {
        match self {
            Sample::Undef => "undef".to_owned(),
            Sample::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            Sample::Plain(text) => text.clone(),
        }
    }

    /// The value in YAML. None for a string that would need escape sequences.
    pub(super) fn yaml(&self) -> Option<String> {
        match self {
            Sample::Undef => Some("~".to_owned()),
            Sample::String(text) if text.contains(char::is_control) => None,
            Sample::String(text) => Some(format!("'{}'", text.replace('\'', "''"))),
            Sample::Plain(text) => Some(text.clone()),
        }
    }

    /// The value in JSON. None for a string that would need escape sequences.
    pub(super) fn json(&self) -> Option<String> {
        match self {
            Sample::Undef => Some("null".to_owned()),
            Sample::String(text) if text.contains(|it: char| it.is_control() || matches!(it, '"' | '\\')) => {
                None
            }
            Sample::String(text) => Some(format!("\"{text}\"")),
            Sample::Plain(text) => Some(text.clone()),
        }
    }
}

/// A sample value of a type: the emptiest one that is useful as a start.
pub(super) fn sample(kind: Option<&Type>) -> Sample {
    let Some(kind) = kind else { return Sample::Undef };
    let plain = |text: &str| Sample::Plain(text.to_owned());
    match kind.resolved().kind() {
        TypeKind::Integer(range) => match (&range.from, &range.to) {
            (Some(least), _) if !instance_of(Dialect::puppet8(), kind, &Value::from(0)) => {
                plain(&least.to_string())
            }
            (None, Some(most)) if !instance_of(Dialect::puppet8(), kind, &Value::from(0)) => {
                plain(&most.to_string())
            }
            _ => plain("0"),
        },
        TypeKind::Numeric => plain("0"),
        TypeKind::Boolean(_) => plain("false"),
        TypeKind::Array(..) | TypeKind::Tuple(_) => plain("[]"),
        TypeKind::Hash(..) | TypeKind::Struct(_) => plain("{}"),
        TypeKind::Enum(it) => {
            Sample::String(it.values().first().map(ToString::to_string).unwrap_or_default())
        }
        // The empty string, unless the type doesn't allow it.
        TypeKind::String(_) if !instance_of(Dialect::puppet8(), kind, &Value::from("")) => {
            Sample::String("changeme".to_owned())
        }
        TypeKind::String(_) | TypeKind::Pattern(_) => Sample::String(String::new()),
        TypeKind::Variant(all) => sample(all.first()),
        _ => Sample::Undef,
    }
}
