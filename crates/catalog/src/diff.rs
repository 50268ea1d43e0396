//! Where two catalogs are different. What is `Sensitive` is never shown: only that it is different.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use marotte_pcore::print::literal;
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;
use serde_json::Value as Json;

use crate::read::value as read;
use crate::rich_data::rich_data;
use crate::wire::{RELATIONSHIPS, plain};
use crate::{Catalog, Edge, Kind, Reference, Resource};

/// A difference between a catalog and another.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// A resource is only in the first.
    Missing(Reference),
    /// A resource is only in the second.
    Additional(Reference),
    /// A parameter has another value, or is only in one of them.
    Parameter {
        /// Of which resource.
        resource: Reference,
        /// Which.
        name: Str,
        /// In the first, as text.
        first: Option<String>,
        /// In the second, as text.
        second: Option<String>,
        /// The second has a part of what the first has, and nothing else: no value, or some of the resources that come
        /// before or behind.
        is_less: bool,
    },
    /// A property of a resource that is no parameter is another.
    Property {
        /// Of which resource.
        resource: Reference,
        /// Which: its tags, its kind, whether it is exported.
        name: &'static str,
        /// In the first.
        first: String,
        /// In the second.
        second: String,
    },
    /// A resource contains another in the first only.
    MissingEdge(Edge),
    /// A resource contains another in the second only.
    AdditionalEdge(Edge),
    /// The classes are others.
    Classes {
        /// Those that only the first has.
        first: Vec<Str>,
        /// Those that only the second has.
        second: Vec<Str>,
    },
    /// The same resources come in another order: the first that is elsewhere.
    Order(Reference),
}

impl Difference {
    /// Whether it says nothing but that the second has more.
    pub fn is_presence(&self) -> bool {
        matches!(self, Difference::Additional(_) | Difference::AdditionalEdge(_))
    }

    /// Whether it says nothing but that the second has less: what is not known may be all of the reason, if something of it
    /// is left out.
    pub fn is_absence(&self) -> bool {
        match self {
            Difference::Missing(_) | Difference::MissingEdge(_) => true,
            Difference::Parameter { is_less, .. } => *is_less,
            Difference::Classes { second, .. } => second.is_empty(),
            Difference::Property { name: "tags", first, second, .. } => {
                second.split(", ").all(|it| first.split(", ").any(|other| other == it))
            }
            Difference::Property { name: "kind", second, .. } => second == Kind::Unknown.name(),
            // What is left out may change when something is declared.
            Difference::Order(_) => true,
            Difference::Additional(_) | Difference::AdditionalEdge(_) | Difference::Property { .. } => false,
        }
    }
}

/// What messages show in place of a value that is `Sensitive`.
const HIDDEN: &str = "(sensitive)";

/// All differences, in the order of the first catalog. Places are not compared: trees of code are where they are. Nor are
/// values that are [not known](unknown).
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
            |it: Option<&Value>| it.map(|it| if hidden { HIDDEN.to_owned() } else { literal(&plain(it)) });
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

/// How two values of a parameter compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal.
    Same,
    /// Something of them is not known, so that they may be equal.
    Unknown,
    /// They are different, whatever is not known of them.
    Different {
        /// The second has a part of what the first has, and nothing else.
        is_less: bool,
        /// The first has a part of what the second has, and nothing else.
        is_more: bool,
    },
}

/// Compares the values that a parameter has in two catalogs. Relationships compare as lists of resources.
pub fn compare_values(name: &str, values: [Option<&Value>; 2]) -> Comparison {
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

/// Whether two values of a parameter, of which something is not known, may be the same. What comes before or behind is known by
/// itself.
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

/// The elements of an array, or the one value that stands for such an array.
fn elements(value: &Json) -> &[Json] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

/// A value as JSON; what was read from JSON without its type being known is as it was there.
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

/// The parameters whose values are not known, or have in them what is not: of which resource, which, and what is not known.
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

    /// What is read of a catalog has objects in place of values of many types.
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
        };
        let catalog = Catalog {
            name: "node".into(),
            environment: "production".into(),
            tags: Tags::default(),
            classes: Vec::new(),
            resources: vec![resource],
            edges: Vec::new(),
            gaps: Vec::new(),
        };
        let envelope = &Envelope { version: 0.into(), uuid: "0".into() };
        let written = serde_json::to_string(&Wire { catalog: &catalog, envelope }).unwrap();
        let again = read::from_json(&written).unwrap();
        assert_eq!(diff(&catalog, &again), []);
    }
}
