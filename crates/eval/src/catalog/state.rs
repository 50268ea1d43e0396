use std::collections::HashSet;
use std::rc::Rc;

use foldhash::HashMap;
use indexmap::IndexMap;
use marotte_catalog::{Reference, Tags};
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::collector::Collector;
use super::definition::Definitions;
use super::doubt::{Doubts, Which};
use super::faults::Told;
use super::gaps::Gaps;
use super::instance::{Instance, Parameter, ResourceId};
use super::overriding::Override;
use super::relationship::Relationship;
use crate::interpreter::Scope;
use crate::{EvaluationError, Place};

/// The catalog under construction. Evaluation changes a catalog only through the methods of this type.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) definitions: Definitions,
    pub(super) instances: Vec<Instance>,
    /// Resources by type and title, or by type and namevar values.
    table: HashMap<(Str, Vec<Value>), ResourceId>,
    /// The declared resources of each type, in order of declaration.
    of_type: HashMap<Str, Vec<ResourceId>>,
    /// The resources of a type by title, for types whose resources are collected by title.
    titles: HashMap<Str, Titles>,
    /// The containers of each resource.
    containers: Vec<Vec<ResourceId>>,
    /// The contents of each resource.
    contents: Vec<Vec<ResourceId>>,
    pub(crate) classes: Vec<Str>,
    pub(crate) tags: Tags,
    pub(crate) class_scopes: HashMap<Str, Rc<Scope>>,
    /// Overrides of resources that do not exist yet.
    pub(crate) overrides: IndexMap<Reference, Vec<Override>>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) relationships: Vec<Relationship>,
    /// The resources of the same body, for each resource of a resource expression with several titles: an array that is the value
    /// of one of their attributes is a single shared object.
    pub(crate) siblings: HashMap<ResourceId, Rc<[ResourceId]>>,
    /// The resources that other nodes export: the name of the node, and the title there.
    pub(crate) imported: HashMap<ResourceId, (Str, Str)>,
    /// Whether exported resources were to be collected, and there is no store of them.
    pub(crate) lacks_imports: bool,
    /// The errors that ended parts of the evaluation.
    pub(crate) errors: Vec<EvaluationError>,
    /// The identities of the errors reported so far.
    pub(crate) told: HashSet<Told>,
    /// Variables assigned by bodies with errors, which may be unset.
    pub(crate) unset: HashSet<Str>,
    /// The declaration of the resource whose body is being evaluated, if it is of a defined type.
    pub(crate) evaluating: Option<Place>,
    /// The possible effects of skipped code.
    pub(crate) doubts: Doubts,
    /// The causes of unknown values.
    pub(crate) gaps: Gaps,
    /// The scope of the node, once it exists.
    pub(crate) node_scope: Option<Rc<Scope>>,
}

/// The resources of a type by title.
#[derive(Clone, Default)]
struct Titles {
    /// The resources, in order of declaration, by title in lower case: comparisons ignore the case.
    resources: HashMap<Str, Vec<ResourceId>>,
    /// Resources whose title is not a text, which may be anything that a title is compared with.
    others: Vec<ResourceId>,
    /// The number of resources of the type that are among these.
    count: usize,
}

/// The number of resources at the start that no program declares: the main stage and the settings.
const UNDECLARED: usize = 2;

/// Why a resource can't be added.
pub(crate) struct Clash {
    pub(crate) message: String,
    pub(crate) earlier: ResourceId,
}

impl State {
    pub(crate) fn resource(&self, id: ResourceId) -> &Instance {
        &self.instances[id.0]
    }

    pub(crate) fn resource_mut(&mut self, id: ResourceId) -> &mut Instance {
        &mut self.instances[id.0]
    }

    /// The scopes of the classes and of the node, unordered.
    pub(crate) fn all_scopes(&self) -> Vec<Rc<Scope>> {
        self.class_scopes.values().cloned().chain(self.node_scope.clone()).collect()
    }

    /// Replaces values of attributes by `replace`.
    pub(crate) fn replace_values(&mut self, replace: &dyn Fn(&Value) -> Option<Value>) {
        let parameters = self.instances.iter_mut().flat_map(|it| it.parameters.values_mut());
        for parameter in parameters {
            if let Some(new) = replace(&parameter.value) {
                parameter.value = new;
            }
        }
    }

    /// Returns all resources, in order of declaration.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (ResourceId, &Instance)> {
        self.instances.iter().enumerate().map(|(index, it)| (ResourceId(index), it))
    }

    /// The resources declared by programs: all but the main stage and the settings.
    pub(crate) fn declared(&self) -> impl Iterator<Item = (ResourceId, &Instance)> {
        self.resources().skip(UNDECLARED)
    }

    /// The resources of a type that programs declare, in order of declaration.
    pub(crate) fn declared_of(&self, type_name: &str) -> &[ResourceId] {
        let all = self.of_type.get(type_name).map(Vec::as_slice).unwrap_or_default();
        let before = all.partition_point(|id| id.0 < UNDECLARED);
        all.get(before..).unwrap_or_default()
    }

    /// The resources of a type that programs declare and whose title may equal one of some texts, in order of declaration.
    pub(crate) fn declared_titled(&mut self, type_name: &Str, titles: &[&Str]) -> Vec<ResourceId> {
        let all = self.of_type.get(type_name).map(Vec::as_slice).unwrap_or_default();
        let known = self.titles.entry(type_name.clone()).or_default();
        for id in all.iter().skip(known.count).filter(|id| id.0 >= UNDECLARED) {
            let instance = &self.instances[id.0];
            match instance.title {
                None => known
                    .resources
                    .entry(instance.reference.title.to_ascii_lowercase())
                    .or_default()
                    .push(*id),
                Some(_) => known.others.push(*id),
            }
        }
        known.count = all.len();
        let titled = titles.iter().filter_map(|it| known.resources.get(&it.to_ascii_lowercase())).flatten();
        let mut found: Vec<ResourceId> = titled.chain(&known.others).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the number of entries of all kinds, which changes with each declaration.
    pub(crate) fn size(&self) -> usize {
        let overrides: usize = self.overrides.values().map(Vec::len).sum();
        self.len() + self.classes.len() + self.collectors.len() + self.relationships.len() + overrides
    }

    /// The number of resources.
    pub(crate) fn len(&self) -> usize {
        self.instances.len()
    }

    /// Finds a resource by type and title, or alias. Titles are compared literally, without the type's title patterns.
    pub(crate) fn find(&self, reference: &Reference) -> Option<ResourceId> {
        self.find_key(&reference.type_name, vec![Value::String(reference.title.clone())])
    }

    /// Finds a resource by type and namevar values.
    pub(crate) fn find_key(&self, type_name: &Str, key: Vec<Value>) -> Option<ResourceId> {
        self.table.get(&(type_name.clone(), key)).copied()
    }

    /// Adds a resource (F2).
    pub(crate) fn add(&mut self, instance: Instance) -> Result<ResourceId, Clash> {
        let reference = instance.reference.clone();
        if let Some(earlier) = self.find(&reference) {
            let message = format!("Duplicate declaration: {reference} is already declared; cannot redeclare");
            return Err(Clash { message, earlier });
        }
        let title = vec![Value::String(reference.title.clone())];
        let id = ResourceId(self.instances.len());
        let given = instance.parameters.get("alias").map(|it| it.value.clone());
        let aliases = super::flattened(given).into_iter().filter(|it| *it != Value::Undef);
        let aliases = aliases.map(|it| (vec![it], true));
        let own = instance.key().filter(|it| *it != title && it.iter().any(|it| *it != Value::Undef));
        let mut keys: Vec<(Vec<Value>, bool)> = aliases.chain(own.map(|it| (it, false))).collect();
        keys.retain(|(key, _)| match key.iter().find_map(Value::unknown) {
            // It may be the resource that is looked up by another name.
            Some(by) => {
                self.doubts.declare(Which::of_type(&reference.type_name), &by);
                false
            }
            None => true,
        });
        self.table.insert((reference.type_name.clone(), title), id);
        self.of_type.entry(reference.type_name.clone()).or_default().push(id);
        self.instances.push(instance);
        self.doubt_parameters_of(id);
        self.containers.push(Vec::new());
        self.contents.push(Vec::new());
        for (key, is_alias) in keys {
            self.alias(id, key, is_alias)?;
        }
        Ok(id)
    }

    /// Adds another name for a resource: one of its parameter `alias` (F40), or its namevar values.
    fn alias(&mut self, id: ResourceId, key: Vec<Value>, is_alias: bool) -> Result<(), Clash> {
        let reference = &self.resource(id).reference;
        let type_name = reference.type_name.clone();
        match self.table.get(&(type_name.clone(), key.clone())) {
            Some(earlier) if *earlier == id => Ok(()),
            Some(earlier) => {
                let shown: Vec<String> = key.iter().map(ruby_text).collect();
                let new = [ruby_text(&Value::String(type_name))].into_iter().chain(shown.clone());
                let new: Vec<String> = new.collect();
                let shown = shown.join(", ");
                let shown = if is_alias { shown } else { format!("[{shown}]") };
                let message = format!(
                    "Cannot alias {reference} to {shown}; resource [{}] already declared",
                    new.join(", ")
                );
                Err(Clash { message, earlier: *earlier })
            }
            None => {
                self.table.insert((type_name, key), id);
                Ok(())
            }
        }
    }

    /// Records that a resource contains another.
    pub(crate) fn contain(&mut self, container: ResourceId, contained: ResourceId) {
        let containers = &mut self.containers[contained.0];
        if !containers.contains(&container) {
            containers.push(container);
            self.contents[container.0].push(contained);
        }
    }

    /// The containers of a resource.
    pub(crate) fn containers(&self, id: ResourceId) -> impl Iterator<Item = ResourceId> {
        self.containers[id.0].iter().copied()
    }

    /// The resources that a resource contains.
    pub(crate) fn contents(&self, id: ResourceId) -> impl Iterator<Item = ResourceId> {
        self.contents[id.0].iter().copied()
    }

    /// Sets a parameter; `tag` also tags.
    pub(crate) fn set_parameter(
        &mut self,
        id: ResourceId,
        name: &str,
        parameter: Parameter,
    ) -> Result<(), EvaluationError> {
        if name == "tag" {
            self.tag(id, &parameter.value)?;
        }
        self.resource_mut(id).parameters.insert(name.into(), parameter);
        self.doubt_parameters_of(id);
        Ok(())
    }

    /// Tags a resource with a string, or with several.
    pub(crate) fn tag(&mut self, id: ResourceId, value: &Value) -> Result<(), EvaluationError> {
        let instance = &mut self.instances[id.0];
        super::tagging::add_tags(&mut instance.tags, value, instance.place.as_ref())
    }

    /// Adds the tags of one resource to another.
    pub(crate) fn share_tags(&mut self, from: ResourceId, to: ResourceId) {
        if let Ok([from, to]) = self.instances.get_disjoint_mut([from.0, to.0]) {
            to.tags.merge(&from.tags);
        }
    }

    /// Adds the name of a class that is evaluated.
    pub(crate) fn add_class(&mut self, name: &str) {
        if !name.is_empty() {
            self.classes.push(name.into());
            self.tags.add_title(name);
        }
    }
}

/// Formats a value as messages about aliases show it.
fn ruby_text(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::String(text) => format!("{text:?}"),
        value => marotte_pcore::print::literal(value),
    }
}
