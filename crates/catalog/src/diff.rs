//! Comparison of two catalogs. `Sensitive` values are never shown, only the fact that they differ.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use marotte_pcore::print::expression;
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;
use serde_json::Value as Json;

use crate::read::value as read;
use crate::rich_data::rich_data;
use crate::wire::{RELATIONSHIPS, plain};
use crate::{Catalog, Edge, Kind, Reference, Resource};

/// A difference between two catalogs.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// A resource is only in the first.
    Missing(Reference),
    /// A resource is only in the second.
    Additional(Reference),
    /// A parameter has different values, or is present in only one of them.
    Parameter {
        /// The resource whose parameter differs.
        resource: Reference,
        /// The name of the parameter.
        name: Str,
        /// The value in the first, as text.
        first: Option<String>,
        /// The value in the second, as text.
        second: Option<String>,
        /// Whether the second has only a part of the value in the first: no value, or a subset of the resources in a
        /// relationship parameter.
        is_less: bool,
    },
    /// A property of a resource other than its parameters differs.
    Property {
        /// The resource whose property differs.
        resource: Reference,
        /// The name of the property: `tags`, `kind` or `exported`.
        name: &'static str,
        /// The value in the first.
        first: String,
        /// The value in the second.
        second: String,
    },
    /// A containment edge is only in the first.
    MissingEdge(Edge),
    /// A containment edge is only in the second.
    AdditionalEdge(Edge),
    /// The sets of classes differ.
    Classes {
        /// The classes that only the first has.
        first: Vec<Str>,
        /// The classes that only the second has.
        second: Vec<Str>,
    },
    /// The same resources are in a different order: the first resource at another position.
    Order(Reference),
}

impl Difference {
    /// Whether the difference only consists of something additional in the second.
    pub fn is_presence(&self) -> bool {
        matches!(self, Difference::Additional(_) | Difference::AdditionalEdge(_))
    }

    /// Whether the difference only consists of something missing in the second: if the second is incomplete, unknown
    /// parts may be the only reason.
    pub fn is_absence(&self) -> bool {
        match self {
            Difference::Missing(_) | Difference::MissingEdge(_) => true,
            Difference::Parameter { is_less, .. } => *is_less,
            Difference::Classes { second, .. } => second.is_empty(),
            Difference::Property { name: "tags", first, second, .. } => {
                second.split(", ").all(|it| first.split(", ").any(|other| other == it))
            }
            Difference::Property { name: "kind", second, .. } => second == Kind::Unknown.name(),
            // Missing parts may change the order once they are declared.
            Difference::Order(_) => true,
            Difference::Additional(_) | Difference::AdditionalEdge(_) | Difference::Property { .. } => false,
        }
    }
}

/// The placeholder for `Sensitive` values in messages.
const HIDDEN: &str = "(sensitive)";

/// Returns all differences, in the order of the first catalog. Not compared are the places of declarations, which
/// differ between trees of code, and values that are [unknown](unknown).
pub fn diff(first: &Catalog, second: &Catalog) -> Vec<Difference> {
    let mut found = Vec::new();
    let others: HashMap<&Reference, &Resource> =
        second.resources.iter().map(|it| (&it.reference, it)).collect();
    let own: HashSet<&Reference> = first.resources.iter().map(|it| &it.reference).collect();
    for it in &first.resources {
        match others.get(&it.reference) {
            Some(other) => compare(it, other, &mut found),
            None => found.push(Difference::Missing(it.reference.clone())),
        }
    }
    let additional = second.resources.iter().filter(|it| !own.contains(&it.reference));
    found.extend(additional.map(|it| Difference::Additional(it.reference.clone())));
    let common = |of: &Catalog, other: &dyn Fn(&Reference) -> bool| -> Vec<Reference> {
        let names = of.resources.iter().map(|it| &it.reference);
        names.filter(|it| other(it)).cloned().collect()
    };
    let (a, b) = (common(first, &|it| others.contains_key(it)), common(second, &|it| own.contains(it)));
    if let Some((moved, _)) = a.into_iter().zip(b).find(|(a, b)| a != b) {
        found.push(Difference::Order(moved));
    }
    compare_edges(first, second, &mut found);
    let only = |these: &Catalog, others: &Catalog| -> Vec<Str> {
        these.classes.iter().filter(|it| !others.classes.contains(it)).cloned().collect()
    };
    let (first, second) = (only(first, second), only(second, first));
    if !first.is_empty() || !second.is_empty() {
        found.push(Difference::Classes { first, second });
    }
    found
}

fn compare_edges(first: &Catalog, second: &Catalog, found: &mut Vec<Difference>) {
    let key = |it: &Edge| (it.source.to_string(), it.target.to_string());
    let keys = |of: &Catalog| -> HashSet<(String, String)> { of.edges.iter().map(key).collect() };
    let (own, others) = (keys(first), keys(second));
    let missing = first.edges.iter().filter(|it| !others.contains(&key(it)));
    found.extend(missing.cloned().map(Difference::MissingEdge));
    let additional = second.edges.iter().filter(|it| !own.contains(&key(it)));
    found.extend(additional.cloned().map(Difference::AdditionalEdge));
}

fn compare(first: &Resource, second: &Resource, found: &mut Vec<Difference>) {
    let names = first.parameters.keys();
    let all = names.chain(second.parameters.keys().filter(|it| !first.parameters.contains_key(*it)));
    for name in all {
        let values = [first.parameters.get(name), second.parameters.get(name)];
        let Comparison::Different { is_less, .. } = compare_values(name, values) else { continue };
        let hidden = values.iter().any(|it| matches!(it, Some(Value::Sensitive(_))));
        let shown =
            |it: Option<&Value>| it.map(|it| if hidden { HIDDEN.to_owned() } else { expression(&plain(it)) });
        found.push(Difference::Parameter {
            resource: first.reference.clone(),
            name: name.clone(),
            first: shown(values[0]),
            second: shown(values[1]),
            is_less,
        });
    }
    let tags = |it: &Resource| {
        let mut tags: Vec<&str> = it.tags.iter().map(|it| it.as_str()).collect();
        tags.sort_unstable();
        tags.join(", ")
    };
    let properties = [
        ("tags", tags(first), tags(second)),
        ("kind", first.kind.name().to_owned(), second.kind.name().to_owned()),
        ("exported", first.exported.to_string(), second.exported.to_string()),
    ];
    for (name, a, b) in properties {
        if a != b {
            let resource = first.reference.clone();
            found.push(Difference::Property { resource, name, first: a, second: b });
        }
    }
}

/// The result of comparing two values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The values are equal.
    Same,
    /// Parts of the values are unknown, so that they may be equal.
    Unknown,
    /// The values differ, whatever their unknown parts are.
    Different {
        /// Whether the second has only a part of what the first has.
        is_less: bool,
        /// Whether the first has only a part of what the second has.
        is_more: bool,
    },
}

/// Returns whether two values are certainly identical, part by part. It is much faster than [`compare_values`], but returns
/// false for some values that count as equal there.
pub fn are_identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| are_identical(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let mut entries = a.iter().zip(b.iter());
            a.len() == b.len() && entries.all(|((a, x), (b, y))| are_identical(a, b) && are_identical(x, y))
        }
        _ => false,
    }
}

/// Compares the values that a parameter has in two catalogs. Relationships compare as lists of resources.
pub fn compare_values(name: &str, values: [Option<&Value>; 2]) -> Comparison {
    if let [Some(a), Some(b)] = values
        && are_identical(a, b)
    {
        return Comparison::Same;
    }
    if values.iter().flatten().any(|it| it.has_unknown()) && may_be_equal(name, values) {
        return Comparison::Unknown;
    }
    let hidden = values.map(|it| matches!(it, Some(Value::Sensitive(_))));
    let [a, b] = values.map(|it| it.map(|it| comparable(&plain(&clear(it)))));
    let are_equal = a == b || matches!((&a, &b), (Some(a), Some(b)) if read(a, 0) == read(b, 0));
    // A value that one of them hides is another, even if it is the same.
    let one_hides = a.is_some() && b.is_some() && hidden[0] != hidden[1];
    if are_equal && !one_hides {
        return Comparison::Same;
    }
    let is_part = |part: &Option<Json>, whole: &Option<Json>| match (part, whole) {
        (None, _) => true,
        (Some(part), Some(whole)) => {
            RELATIONSHIPS.contains(&name) && elements(part).iter().all(|it| elements(whole).contains(it))
        }
        (Some(_), None) => false,
    };
    Comparison::Different { is_less: is_part(&b, &a), is_more: is_part(&a, &b) }
}

/// Whether two values of a parameter, at least one of which is partly unknown, may be equal. The elements of
/// relationship parameters are known individually.
fn may_be_equal(name: &str, values: [Option<&Value>; 2]) -> bool {
    let [Some(first), Some(second)] = values else { return true };
    if !RELATIONSHIPS.contains(&name) || first.has_unknown() {
        return true;
    }
    let Value::Array(second) = second else { return true };
    let first = comparable(&plain(first));
    let mut known = second.iter().filter(|it| !it.has_unknown());
    known.all(|it| elements(&first).contains(&comparable(&plain(it))))
}

/// The elements of an array, or the single value that is equivalent to such an array.
fn elements(value: &Json) -> &[Json] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// Converts a value to JSON; objects that were read from JSON and whose type is unknown are restored unchanged.
fn comparable(value: &Value) -> Json {
    match value {
        Value::Array(elements) => Json::Array(elements.iter().map(comparable).collect()),
        Value::Hash(hash) if hash.keys().all(|key| key.as_str().is_some()) => {
            let entry =
                |(key, it): (&Value, &Value)| (key.as_str().unwrap_or_default().to_owned(), comparable(it));
            Json::Object(hash.iter().map(entry).collect())
        }
        value => rich_data(value),
    }
}

/// The parameters whose values are entirely or partly unknown: the resource, the name, and the unknown value.
pub fn unknown(catalog: &Catalog) -> impl Iterator<Item = (&Reference, &Str, Arc<Unknown>)> {
    catalog.resources.iter().flat_map(|it| {
        let parameters = it.parameters.iter();
        parameters.filter_map(|(name, value)| Some((&it.reference, name, value.unknown()?)))
    })
}

fn clear(value: &Value) -> Value {
    match value {
        Value::Sensitive(it) => it.unwrap().clone(),
        value => value.clone(),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing(it) => write!(out, "- {it}"),
            Difference::Additional(it) => write!(out, "+ {it}"),
            Difference::Parameter { resource, name, first, second, .. } => {
                let none = || "(not set)".to_owned();
                let (first, second) =
                    (first.clone().unwrap_or_else(none), second.clone().unwrap_or_else(none));
                write!(out, "~ {resource} {name}: {first} => {second}")
            }
            Difference::Property { resource, name, first, second } => {
                write!(out, "~ {resource} ({name}): {first} => {second}")
            }
            Difference::MissingEdge(it) => write!(out, "- {} contains {}", it.source, it.target),
            Difference::AdditionalEdge(it) => write!(out, "+ {} contains {}", it.source, it.target),
            Difference::Classes { first, second } => {
                write!(out, "~ classes: {} => {}", first.join(", "), second.join(", "))
            }
            Difference::Order(it) => write!(out, "~ {it} is declared at another place in the order"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Envelope, Wire};
    use crate::{Named, Tags, read};
    use marotte_pcore::types::{Type, TypeKind};

    /// Values of many types become objects in the catalog that is read back.
    #[test]
    fn a_catalog_equals_what_is_read_of_it() {
        let optional = TypeKind::Optional(Some(Type::any())).into();
        let values = [Value::Type(optional), Value::Default, Value::from("text")];
        let mut parameters = Named::default();
        parameters.insert("message".into(), Value::Array(values.into_iter().collect()));
        let resource = Resource {
            reference: Reference::new("notify", "a"),
            kind: Kind::CompilableType,
            tags: Tags::default(),
            place: None,
            exported: false,
            parameters,
            spellings: Vec::new(),
        };
        let catalog = Catalog {
            name: "node".into(),
            environment: "production".into(),
            tags: Tags::default(),
            classes: Vec::new(),
            resources: vec![resource],
            exports: Vec::new(),
            export_edges: Vec::new(),
            lacks_imports: false,
            edges: Vec::new(),
            gaps: Vec::new(),
            contents: None,
        };
        let envelope = &Envelope { version: 0.into(), uuid: "0".into() };
        let written = serde_json::to_string(&Wire { catalog: &catalog, envelope }).unwrap();
        let again = read::from_json(&written).unwrap();
        assert_eq!(diff(&catalog, &again), []);
    }
}
