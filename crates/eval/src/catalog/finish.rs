//! What is done once nothing is left to evaluate, and the catalog that comes of it (F31, F39, F.10).

use marotte_catalog::{Catalog, Edge, Reference, Resource};
use marotte_pcore::value::Value;
use marotte_text::Str;

use indexmap::IndexMap;

use super::flattened;
use super::instance::{Instance, ResourceId};
use crate::EvaluationError;
use crate::Place;
use crate::interpreter::{Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Writes relationships, applies overrides that waited, checks all resources, and hands metaparameters down.
    pub(super) fn finish(&mut self, main: ResourceId) -> Evaluated<()> {
        self.evaluate_relationships()?;
        for index in 2..self.state()?.len() {
            let id = ResourceId(index);
            let state = self.state()?;
            let reference = state.resource(id).reference.clone();
            for it in state.overrides.shift_remove(&reference).unwrap_or_default() {
                let merged = self.merge(id, &it);
                self.noted(merged);
            }
            self.take_scope_tags(id)?;
            let valid = self.validate_resource(id);
            self.noted(valid);
        }
        self.state()?.inherit_metaparameters(main)?;
        Ok(())
    }

    /// Refuses what waited for resources that nobody declared.
    pub(super) fn fail_on_unevaluated(&mut self) -> Evaluated<()> {
        if self.is_incomplete() {
            return Ok(());
        }
        let overrides = &self.state()?.overrides;
        if !overrides.is_empty() {
            let all: Vec<_> = overrides.values().flatten().collect();
            let shown: Vec<String> = all.iter().map(|it| it.reference.to_string()).collect();
            let message = format!("Could not find resource(s) {} for overriding", shown.join(", "));
            let mut error = EvaluationError::new("missing-overridden-resource", message);
            error.others_mut().hint = all.first().and_then(|it| it.place.clone());
            return Err(error.into());
        }
        let left = self.unrealized()?;
        if !left.is_empty() {
            let shown: Vec<String> = left.iter().map(ToString::to_string).collect();
            let message = format!("Failed to realize virtual resources {}", shown.join(", "));
            return Err(EvaluationError::new("missing-realized-resource", message).into());
        }
        Ok(())
    }

    /// The catalog as it is, as agents get it: what is virtual, and with that what is exported and not realised, is left out.
    pub(super) fn catalog_so_far(&mut self) -> Evaluated<Catalog<Place>> {
        let node = self.requests.node();
        let state = self.state()?;
        let is_shown = |it: &Instance| !it.is_virtual;
        let mut edges = Vec::new();
        for (id, target) in state.resources().filter(|(_, it)| is_shown(it)) {
            for source in state.containers(id).map(|it| state.resource(it)).filter(|it| is_shown(it)) {
                edges.push(Edge { source: source.reference.clone(), target: target.reference.clone() });
            }
        }
        let resources = state.resources().filter(|(_, it)| is_shown(it)).map(|(_, it)| resource(it));
        let mut tags = marotte_catalog::Tags::default();
        for class in &state.classes {
            tags.add_title(class);
        }
        tags.merge(&state.tags);
        Ok(Catalog {
            name: node.name,
            environment: node.environment,
            tags,
            classes: state.classes.clone(),
            resources: resources.collect(),
            edges,
        })
    }
}

/// An array that has resources in it, however deeply, is flat in a catalog.
fn with_flat_references(value: Value) -> Value {
    let Value::Array(_) = &value else { return value };
    let flat = flattened([value.clone()]);
    match flat.iter().any(|it| Reference::of_value(it).is_some()) {
        true => Value::Array(flat.into_iter().collect()),
        false => value,
    }
}

fn resource(it: &Instance) -> Resource<Place> {
    let namevar = it.namevar();
    let mut parameters: IndexMap<Str, Value> = IndexMap::new();
    for (name, value) in it.attributes().unwrap_or_default() {
        let name = if name == "name" { namevar.into() } else { name };
        parameters.insert(name, with_flat_references(value));
    }
    // The titles of the main class and the main stage are no strings in the reference, and never equal to a name.
    let is_main = &*it.reference.title == "main" && matches!(&*it.reference.type_name, "Class" | "Stage");
    if !is_main && parameters.get(namevar) == Some(&Value::String(it.reference.title.clone())) {
        parameters.shift_remove(namevar);
    }
    Resource {
        reference: it.reference.clone(),
        kind: it.shown_kind,
        tags: it.tags.clone(),
        place: it.place.clone(),
        exported: it.exported,
        parameters,
    }
}
