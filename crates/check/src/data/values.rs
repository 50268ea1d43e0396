//! Type checks of data values.

use marotte_hiera::data::{Inner, Places, Step};
use marotte_hiera::merge::StrategyKind;
use marotte_hiera::{ExpressionKind, Method, expressions};
use marotte_infer::disjoint::refused;
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{MismatchKind, PathElement, mismatches};
use marotte_pcore::types::{Size, StructElement, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_text::TextRange;

use super::options::{Conversion, Treatment};
use crate::rules::types::mismatch::explain;

/// The mismatch between a value and a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The part of the value at fault.
    pub(crate) range: TextRange,
    /// The description of the mismatch, in one sentence.
    pub(crate) message: String,
}

/// A value in one level of the hierarchy.
#[derive(Clone, Copy)]
pub(crate) struct Given<'v> {
    pub(crate) value: &'v Value,
    pub(crate) places: &'v Places,
    /// Whether strings may be encrypted.
    pub(crate) encrypted: bool,
}

/// Returns the mismatch between a type and the value after conversion and merging, whatever other levels contain. None unless a
/// mismatch is certain.
pub(crate) fn wrong(
    given: Given<'_>,
    treatment: &Treatment,
    subject: &str,
    expected: &Type,
) -> Option<Wrong> {
    match treatment.convert {
        None => merged(given, treatment, subject, expected),
        Some(Conversion::Sensitive) => {
            let it = Type::sensitive(&given.type_of());
            refused(&it, expected)
                .then(|| Wrong { range: given.places.range, message: explain(subject, expected, &it) })
        }
        Some(Conversion::Mixed | Conversion::Other) => None,
    }
}

fn merged(given: Given<'_>, treatment: &Treatment, subject: &str, expected: &Type) -> Option<Wrong> {
    match (treatment.merge, given.value, &given.places.inner) {
        // The unique elements of all levels, in one array.
        (StrategyKind::Unique, Value::Array(elements), Inner::Elements(inner)) => {
            let element = element_type(expected)?;
            let mut parts = elements.iter().zip(inner.iter());
            parts.find_map(|(value, places)| match value {
                Value::Array(_) => None,
                _ => given.part(value, places).wrong(&format!("{subject} element"), &element),
            })
        }
        (StrategyKind::Unique, ..) => {
            let it = Type::array(given.type_of(), Some(Size { min: 1, max: None }));
            let message = || explain(subject, expected, &it);
            refused(&it, expected).then(|| Wrong { range: given.places.range, message: message() })
        }
        (StrategyKind::Default | StrategyKind::First, ..) => given.wrong(subject, expected),
        (kind, ..) if !treatment.knocks_out => entries(given, kind, subject, expected),
        _ => None,
    }
}

/// Hashes whose entries are merged with those of other levels.
fn entries(given: Given<'_>, kind: StrategyKind, subject: &str, expected: &Type) -> Option<Wrong> {
    let is_deep = kind != StrategyKind::Hash;
    match (given.value, &given.places.inner) {
        (Value::Hash(hash), Inner::Entries(inner)) => {
            let collection =
                Type::hash(Type::any(), Type::any(), Some(Size { min: hash.len() as u64, max: None }));
            if refused(&collection, expected) {
                let message = explain(subject, expected, &given.type_of());
                return Some(Wrong { range: given.places.range, message });
            }
            hash.iter().zip(inner.iter()).find_map(|((key, value), (at, places))| {
                let key = key.as_str().filter(|it| !it.contains("%{"))?;
                if let Some(elements) = elements_of(expected)
                    && elements.iter().all(|it| it.name != key)
                {
                    return Some(Wrong {
                        range: *at,
                        message: format!("{subject} unrecognized key '{key}'"),
                    });
                }
                let expected = entry_type(expected, key)?;
                let subject = format!("{subject} entry '{key}'");
                let part = given.part(value, places);
                match is_deep {
                    true => entries(part, kind, &subject, &expected),
                    false => part.wrong(&subject, &expected),
                }
            })
        }
        (Value::Array(elements), Inner::Elements(inner)) if is_deep => {
            let element = element_type(expected)?;
            let mut parts = elements.iter().zip(inner.iter());
            // Hashes in arrays may be merged, too.
            let parts = parts.by_ref().filter(|(it, _)| !matches!(it, Value::Hash(_) | Value::Array(_)));
            parts
                .map(|(value, places)| given.part(value, places))
                .find_map(|it| it.wrong(&format!("{subject} element"), &element))
        }
        (Value::Undef, _) => None,
        _ => given.wrong(subject, expected),
    }
}

/// The element type of an array type, if all elements share one.
fn element_type(expected: &Type) -> Option<Type> {
    match expected.resolved().kind() {
        TypeKind::Array(element, _) => Some(element.clone()),
        TypeKind::Optional(Some(inner)) => element_type(inner),
        _ => None,
    }
}

/// The permitted entries of a hash type, if it permits no others.
fn elements_of(expected: &Type) -> Option<&[StructElement]> {
    match expected.resolved().kind() {
        TypeKind::Struct(elements) => Some(elements),
        TypeKind::Optional(Some(inner)) => elements_of(inner),
        _ => None,
    }
}

/// The type of an entry of a hash type.
fn entry_type(expected: &Type, key: &str) -> Option<Type> {
    match expected.resolved().kind() {
        TypeKind::Hash(_, value, _) => Some(value.clone()),
        TypeKind::Struct(elements) => elements.iter().find(|it| it.name == key).map(|it| it.value.clone()),
        TypeKind::Optional(Some(inner)) => entry_type(inner, key),
        _ => None,
    }
}

impl Given<'_> {
    fn part<'v>(&self, value: &'v Value, places: &'v Places) -> Given<'v> {
        Given { value, places, encrypted: self.encrypted }
    }

    /// The mismatch between the unmodified value and a type.
    fn wrong(&self, subject: &str, expected: &Type) -> Option<Wrong> {
        let it = self.type_of();
        refused(&it, expected)
            .then(|| Wrong { range: self.culprit(expected, &it), message: explain(subject, expected, &it) })
    }

    /// The range of the mismatching part, as deep as the path is unique.
    fn culprit(&self, expected: &Type, it: &Type) -> TextRange {
        let found = mismatches(dialect(), expected, it, Vec::new());
        let [only] = &found[..] else { return self.places.range };
        let (mut value, mut places) = (self.value, self.places);
        for step in &only.path {
            let step = match step {
                PathElement::EntryValue(key) => Step::Key(key.clone()),
                PathElement::Index(index) => Step::Index(*index),
                _ => return places.range,
            };
            let Some(part) = step.lead(value, places) else { return places.range };
            (value, places) = part;
        }
        // An extraneous key is reported at the key.
        let key = match &only.kind {
            MismatchKind::ExtraneousKey(key) => key,
            _ => return places.range,
        };
        places.key(value, key).unwrap_or(places.range)
    }

    /// The type that covers all results of interpolation, for any node.
    fn type_of(&self) -> Type {
        self.type_of_value(self.value)
    }

    fn type_of_value(&self, value: &Value) -> Type {
        match value {
            Value::String(text) => {
                let mut asked = expressions(text).map(|it| it.kind).peekable();
                if asked.peek().is_none() && !(self.encrypted && text.contains("ENC[")) {
                    return Type::literal(text.clone());
                }
                // The result of a call of an unknown interpolation function isn't known.
                match asked
                    .any(|it| matches!(it, ExpressionKind::Call(Method::Alias | Method::Unknown(_), _)))
                {
                    true => Type::any(),
                    false => Type::string(),
                }
            }
            Value::Array(elements) if !elements.is_empty() => {
                Type::tuple(elements.iter().map(|it| self.type_of_value(it)).collect::<Box<[_]>>())
            }
            Value::Hash(hash) if !hash.is_empty() => {
                let names =
                    hash.keys().map(|it| it.as_str().filter(|it| !it.is_empty() && !it.contains("%{")));
                match names.collect::<Option<Vec<_>>>() {
                    Some(names) => {
                        let elements =
                            names.into_iter().zip(hash.values()).map(|(name, value)| StructElement {
                                name: name.into(),
                                optional: false,
                                value: self.type_of_value(value),
                            });
                        TypeKind::Struct(elements.collect()).into()
                    }
                    None => Type::hash(Type::any(), Type::any(), Some(Size { min: 1, max: None })),
                }
            }
            other => infer_set(dialect(), other),
        }
    }
}
