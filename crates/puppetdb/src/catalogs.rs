//! Catalogs that nodes run, as far as PuppetDB keeps them.

use std::collections::{BTreeMap, HashSet};

use marotte_catalog::{Catalog, Edge, Kind, Line, Named, Reference, Resource, Tags};
use marotte_hiera::data::parse_json;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;
use serde_json::json;

use crate::answer::{OfNode, elements};
use crate::client::Client;
use crate::error::{Error, Problem};
use crate::facts::hash;
use crate::names::is_one_of;

/// The number of nodes whose catalogs are requested at a time.
const PAGE: usize = 8;

impl Client {
    /// Returns the last catalogs of nodes, without the parts that PuppetDB does not store: the order of resources, kinds and
    /// `Sensitive` parameters. Classes are left out, too; resources and edges are sorted. Nodes without a catalog are not in the
    /// result.
    ///
    /// # Errors
    /// If the catalog of any node can't be read.
    pub fn catalogs(&self, names: &[&str]) -> Result<BTreeMap<String, Catalog>, Error> {
        let mut found = BTreeMap::new();
        for names in names.chunks(PAGE) {
            self.some_catalogs(names, &mut found)?;
        }
        Ok(found)
    }

    fn some_catalogs(&self, names: &[&str], found: &mut BTreeMap<String, Catalog>) -> Result<(), Error> {
        let query = json!({ "query": is_one_of(names), "include_total": true });
        let answer = match self.post("/pdb/query/v4/catalogs", &query) {
            Err(Error { problem: Problem::TooLarge(_), .. }) if names.len() > 1 => {
                let (one, other) = names.split_at(names.len() / 2);
                self.some_catalogs(one, found)?;
                return self.some_catalogs(other, found);
            }
            other => other?,
        };
        let rows = elements(&answer.text).ok_or_else(|| self.error(answer.is_not_json()))?;
        for row in &rows {
            let name = serde_json::from_str::<OfNode>(row).ok().map(|it| it.certname);
            let name = name.filter(|it| names.contains(&it.as_str()));
            let read = name.and_then(|name| Some((catalog(row, &name)?, name)));
            let (catalog, name) = read.ok_or_else(|| self.error(Problem::Shape("the catalogs of nodes")))?;
            if found.insert(name, catalog).is_some() {
                return Err(self.error(Problem::Shape("the catalogs of nodes")));
            }
        }
        let count = rows.len() as u64;
        match answer.total {
            Some(total) if total == count => Ok(()),
            total => Err(self.error(Problem::Incomplete(count, total))),
        }
    }
}

/// Reads the catalog in a row. None if the row has another structure.
fn catalog(row: &str, name: &str) -> Option<Catalog> {
    let document = parse_json(row).ok()?;
    let row = hash(&document.value)?;
    let Value::Array(data) = hash(row.get_str("resources")?)?.get_str("data")? else { return None };
    let mut resources = data.iter().map(|it| resource(hash(it)?)).collect::<Option<Vec<_>>>()?;
    sort(&mut resources);
    Some(Catalog {
        name: name.into(),
        environment: row.get_str("environment").and_then(Value::as_str).unwrap_or_default().into(),
        tags: Tags::default(),
        classes: Vec::new(),
        resources,
        exports: Vec::new(),
        export_edges: Vec::new(),
        lacks_imports: false,
        edges: edges(row)?,
        gaps: Vec::new(),
        contents: None,
    })
}

/// The edges of containment, sorted. PuppetDB also has those of relationships, which are parameters, too. Empty if the answer has no
/// edges; None if they have another structure.
fn edges(row: &Hash) -> Option<Vec<Edge>> {
    let Some(Value::Array(data)) = row.get_str("edges").and_then(hash).and_then(|it| it.get_str("data"))
    else {
        return Some(Vec::new());
    };
    let edge = |row: &Hash| {
        let text = |name: &str| row.get_str(name)?.as_str().map(Str::from);
        let reference = |type_name: &str, title: &str| {
            Some(Reference { type_name: text(type_name)?, title: text(title)? })
        };
        let source = reference("source_type", "source_title")?;
        let target = reference("target_type", "target_title")?;
        Some((text("relationship")? == "contains", Edge { source, target }))
    };
    let all = data.iter().map(|it| edge(hash(it)?)).collect::<Option<Vec<_>>>()?;
    let mut contained: Vec<Edge> =
        all.into_iter().filter_map(|(is_contained, it)| is_contained.then_some(it)).collect();
    sort_edges(&mut contained);
    Some(contained)
}

fn sort_edges(edges: &mut Vec<Edge>) {
    let key = |it: &Reference| (it.type_name.clone(), it.title.clone());
    edges.sort_by_cached_key(|it| (key(&it.target), key(&it.source)));
    edges.dedup();
}

fn resource(row: &Hash) -> Option<Resource> {
    let text = |name: &str| row.get_str(name)?.as_str().map(Str::from);
    let line = row.get_str("line").and_then(|it| marotte_pcore::print::literal(it).parse().ok());
    let Value::Array(tags) = row.get_str("tags")? else { return None };
    let mut parameters = Named::default();
    for (name, value) in hash(row.get_str("parameters")?)?.iter() {
        parameters.insert(name.as_str()?.into(), value.clone());
    }
    Some(Resource {
        reference: Reference { type_name: text("type")?, title: text("title")? },
        kind: Kind::Unknown,
        tags: tags.iter().map(|it| it.as_str().map(Str::from)).collect::<Option<Tags>>()?,
        place: text("file").zip(line).map(|(file, line)| Line { file, line }),
        exported: matches!(row.get_str("exported")?, Value::Boolean(true)),
        parameters,
        spellings: Vec::new(),
    })
}

fn sort(resources: &mut [Resource]) {
    let key = |it: &Resource| (it.reference.type_name.clone(), it.reference.title.clone());
    resources.sort_by_cached_key(key);
}

/// The catalog of a node in PuppetDB and a compiled one, reduced to the parts that both can have.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparable {
    /// The catalog in PuppetDB, without resources that the node only exports.
    pub running: Catalog,
    /// The compiled catalog, as PuppetDB would store it, without resources that the node only exports.
    pub compiled: Catalog,
    /// The number of parameters that are left out of both, because PuppetDB stores their values as text: those of types that JSON
    /// doesn't have, which may contain something `Sensitive`.
    pub left_out: usize,
}

/// Metaparameters whose arrays PuppetDB stores in another order.
const UNORDERED: [&str; 8] = ["alias", "audit", "before", "check", "notify", "require", "subscribe", "tag"];

impl Comparable {
    /// Reduces the catalog of a node in PuppetDB and a compiled one to their common parts.
    ///
    /// `Sensitive` parameters are left out of both, because PuppetDB does not have them; so is `alias`, to which PuppetDB adds
    /// other names.
    pub fn new(mut running: Catalog, mut compiled: Catalog) -> Comparable {
        let mut left_out = 0;
        sort(&mut compiled.resources);
        compiled.classes = Vec::new();
        compiled.exports = Vec::new();
        compiled.export_edges = Vec::new();
        let own = |it: &Reference| {
            let key = |it: &Reference| (it.type_name.clone(), it.title.clone());
            compiled.resources.binary_search_by(|other| key(&other.reference).cmp(&key(it))).ok()
        };
        let is_only_exported = |it: &Resource| it.exported && own(&it.reference).is_none();
        let left: HashSet<Reference> = running
            .resources
            .iter()
            .filter(|it| is_only_exported(it))
            .map(|it| it.reference.clone())
            .collect();
        running.resources.retain(|it| !left.contains(&it.reference));
        if running.edges.is_empty() {
            compiled.edges.clear();
        }
        running.edges.retain(|it| !left.contains(&it.target));
        sort_edges(&mut compiled.edges);
        let pairs: Vec<(usize, Option<usize>)> =
            running.resources.iter().map(|it| own(&it.reference)).enumerate().collect();
        for it in &mut compiled.resources {
            it.kind = Kind::Unknown;
            it.parameters.shift_remove("alias");
        }
        for (index, own) in pairs {
            let Some(old) = running.resources.get_mut(index) else { continue };
            old.parameters.shift_remove("alias");
            let Some(new) = own.and_then(|it| compiled.resources.get_mut(it)) else { continue };
            for (name, value) in &new.parameters {
                if is_kept(value) || value.has_unknown() {
                    continue;
                }
                old.parameters.shift_remove(name);
                left_out += usize::from(!matches!(value, Value::Sensitive(_)));
            }
        }
        for it in &mut compiled.resources {
            it.parameters.retain(|_, value| is_kept(value) || value.has_unknown());
        }
        for it in running.resources.iter_mut().chain(&mut compiled.resources) {
            for name in UNORDERED {
                if let Some(Value::Array(values)) = it.parameters.get_mut(name) {
                    let mut sorted = values.to_vec();
                    sorted.sort_by_cached_key(marotte_pcore::print::literal);
                    *values = sorted.into();
                }
            }
        }
        Comparable { running, compiled, left_out }
    }
}

/// Whether PuppetDB stores a value unchanged: data, and references to resources, which are texts in catalogs.
fn is_kept(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(elements) => elements.iter().all(is_kept),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_kept(value)),
        value => Reference::of_value(value).is_some(),
    }
}
