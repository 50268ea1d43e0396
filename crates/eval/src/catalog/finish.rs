//! The last steps of a compilation, when nothing is left to evaluate, and the resulting catalog (F31, F39, F.10).

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_catalog::{Catalog, Edge, Named, Reference, Resource, Tags};
use marotte_diagnostics::issues;
use marotte_pcore::value::{Sensitive, Value};

use super::instance::{Instance, ResourceId, ResourceKind};
use super::overriding::Override;
use super::{State, flattened};
use crate::interpreter::{Evaluated, Interpreter};
use crate::request::NodeInfo;
use crate::{EvaluationError, Place};

impl Interpreter<'_> {
    /// Applies relationships and pending overrides, validates all resources, and propagates metaparameters.
    pub(super) fn finish(&mut self, main: ResourceId) -> Evaluated<()> {
        self.evaluate_relationships()?;
        let mut unread = HashSet::new();
        for index in 2..self.state()?.len() {
            let id = ResourceId(index);
            let instance = self.state()?.resource(id);
            let reference = instance.reference.clone();
            let unknown = instance.from_title.iter().find_map(|(_, value)| value.unknown());
            let unread_title = instance.unread_title();
            let may_lack = unread_title.is_some();
            let unknown = unknown.or(unread_title);
            if let (Some(by), Some(place)) = (unknown, instance.place.clone())
                && unread.insert(reference.type_name.clone())
            {
                let reason = "its title patterns can't be read".to_owned();
                let gaps = &mut self.state()?.gaps;
                gaps.ask(&by, reason, &place);
                if may_lack {
                    gaps.skip(&by, &place);
                }
            }
            let state = self.state()?;
            for it in state.overrides.shift_remove(&reference).unwrap_or_default() {
                let merged = self.merge(id, &it);
                self.noted(merged);
            }
            self.take_scope_tags(id)?;
            let valid = self.validate_resource(id);
            self.noted(valid);
        }
        let budget = self.budget().clone();
        self.state()?.inherit_metaparameters(main, &budget)?;
        Ok(())
    }

    /// Reports overrides and `realize` calls for resources that were never declared.
    pub(super) fn fail_on_unevaluated(&mut self) -> Evaluated<()> {
        let overrides: Vec<Override> = self.state()?.overrides.values().flatten().cloned().collect();
        let all: Vec<Override> =
            overrides.into_iter().filter(|it| self.may_exist(&it.reference).is_none()).collect();
        if !all.is_empty() {
            let shown: Vec<String> = all.iter().map(|it| it.reference.to_string()).collect();
            let message = format!("Could not find resource(s) {} for overriding", shown.join(", "));
            let mut error = EvaluationError::new(issues::MISSING_OVERRIDDEN_RESOURCE, message);
            error.others_mut().hint = all.first().and_then(|it| it.place.clone());
            return Err(error.into());
        }
        let mut left = self.unrealized()?;
        left.retain(|it| Reference::parse(it).is_none_or(|it| self.may_exist(&it).is_none()));
        if !left.is_empty() {
            let shown: Vec<String> = left.iter().map(ToString::to_string).collect();
            let message = format!("Failed to realize virtual resources {}", shown.join(", "));
            return Err(EvaluationError::new(issues::MISSING_REALIZED_RESOURCE, message).into());
        }
        Ok(())
    }
}

impl State {
    /// Builds the catalog as agents receive it: without virtual resources. Exported ones that are not realized are beside it.
    pub(super) fn into_catalog(self, node: NodeInfo) -> Catalog<Place> {
        let is_shown = |it: &Instance| !it.is_virtual;
        let (mut edges, mut export_edges) = (Vec::with_capacity(self.instances.len()), Vec::new());
        for (id, target) in self.resources().filter(|(_, it)| is_shown(it) || it.exported) {
            let edges = if is_shown(target) { &mut edges } else { &mut export_edges };
            for source in self.containers(id).map(|it| self.resource(it)).filter(|it| is_shown(it)) {
                edges.push(Edge { source: source.reference.clone(), target: target.reference.clone() });
            }
        }
        let mut tags = Tags::default();
        for class in &self.classes {
            tags.add_title(class);
        }
        tags.merge(&self.tags);
        let mut resources = Vec::with_capacity(self.instances.len());
        let mut exports = Vec::new();
        for it in self.instances {
            if is_shown(&it) {
                resources.push(resource(it));
            } else if it.exported {
                exports.push(resource(it));
            }
        }
        Catalog {
            name: node.name,
            environment: node.environment,
            tags,
            resources,
            exports,
            export_edges,
            lacks_imports: self.lacks_imports,
            classes: self.classes,
            edges,
            gaps: Vec::new(),
            contents: None,
        }
    }
}

/// Flattens an array that contains resource references at any depth, as catalogs do.
fn with_flat_references(value: Value) -> Value {
    let Value::Array(_) = &value else { return value };
    let flat = flattened([value.clone()]);
    match flat.iter().any(|it| Reference::of_value(it).is_some()) {
        true => Value::Array(flat.into_iter().collect()),
        false => value,
    }
}

/// The value with strings of bytes as binaries.
fn with_binaries(value: Value) -> Value {
    if !value.has_unknown() {
        return value;
    }
    match &value {
        Value::Unknown(it) => it.bytes().map_or_else(|| value.clone(), |it| Value::Binary(it.clone())),
        Value::Array(elements) => Value::Array(elements.iter().cloned().map(with_binaries).collect()),
        Value::Hash(hash) => {
            let entries =
                hash.iter().map(|(key, it)| (with_binaries(key.clone()), with_binaries(it.clone())));
            Value::Hash(Arc::new(entries.collect()))
        }
        Value::Sensitive(it) => Value::Sensitive(Sensitive::new(with_binaries(it.unwrap().clone()))),
        _ => value,
    }
}

/// The value of a parameter as it appears in a catalog.
fn shown(name: &str, value: Value) -> Value {
    let value = with_binaries(value);
    if RELATIONSHIPS.contains(&name) && matches!(value, Value::Array(_)) {
        let flat = flattened([value]);
        return Value::Array(flat.into_iter().filter(|it| *it != Value::Undef).collect());
    }
    with_flat_references(value)
}

fn resource(it: Instance) -> Resource<Place> {
    let namevar = it.namevar();
    let title = it.reference.title.clone();
    // Catalogs of many nodes are kept: no map has more room than it needs.
    let is_set = |value: &Value| *value != Value::Undef;
    let count = it.from_title.len() + it.parameters.values().filter(|it| is_set(&it.value)).count();
    let mut parameters: Named<Value> = Named::with_capacity_and_hasher(count, RandomState::default());
    let set = it.parameters.into_iter().map(|(name, it)| (name, it.value)).filter(|(_, it)| is_set(it));
    parameters.extend(it.from_title.into_iter().chain(set).map(|(name, value)| {
        let value = shown(&name, value);
        (name, value)
    }));
    if namevar != "name" && parameters.contains_key("name") {
        let renamed = |(name, value)| (if name == "name" { namevar.clone() } else { name }, value);
        parameters = parameters.into_iter().map(renamed).collect();
    }
    // The titles of the main class and the main stage are not strings in the reference, and never equal a name.
    let is_main = &*it.reference.title == "main" && matches!(&*it.reference.type_name, "Class" | "Stage");
    if !is_main
        && it.title.is_none()
        && parameters.get(&namevar).and_then(Value::as_str) == Some(&it.reference.title)
    {
        parameters.shift_remove(&namevar);
    }
    // One of them may be the namevar, which is left out if it is the title.
    if let (Some(by), ResourceKind::Native(native)) = (&it.open, &it.kind)
        && !native.titles_are_known
    {
        for value in parameters.values_mut().filter(|it| it.as_str() == Some(&title)) {
            *value = Value::Unknown(by.computed());
        }
    }
    let mut spellings = Vec::new();
    if parameters.keys().any(|it| has_capitals(it)) {
        spellings = parameters.keys().filter(|it| has_capitals(it)).cloned().collect();
        parameters = parameters.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
    }
    Resource {
        reference: it.reference,
        kind: it.shown_kind,
        tags: it.tags,
        place: it.place,
        exported: it.exported,
        parameters,
        spellings,
    }
}

/// Whether the name of a parameter has capital letters, which catalogs don't keep.
fn has_capitals(name: &str) -> bool {
    name.bytes().any(|it| it.is_ascii_uppercase())
}
