//! The possible effects of skipped code on a catalog.
//!
//! Code is skipped where a decision about it depends on an unknown value. From there on, its possible effects are
//! neither present nor absent: a resource that it may have declared may exist, a parameter that it may have overridden
//! has an unknown value. Doubts only grow. Every claim that is made nevertheless holds in every catalog that the
//! unknown values allow, unless the reference rejects it.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use indexmap::IndexMap;
use marotte_catalog::{METAPARAMETERS, Reference};
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;

use super::State;
use super::definition::Wanted;
use super::instance::{Instance, ResourceId, ResourceKind};

/// The unknown value that caused a doubt.
pub(crate) type Cause = Arc<Unknown>;

/// A selection of resources by type and title; `None` means any.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Which {
    type_name: Option<Str>,
    title: Option<Str>,
}

impl Which {
    /// Returns the selection of all resources.
    pub(crate) fn any() -> Which {
        Which { type_name: None, title: None }
    }

    /// Selects every resource of a type.
    pub(crate) fn of_type(type_name: &str) -> Which {
        Which { type_name: Some(Reference::new(type_name, "").type_name), title: None }
    }

    /// Returns the selection of one resource.
    pub(crate) fn one(reference: Reference) -> Which {
        Which { type_name: Some(reference.type_name), title: Some(reference.title) }
    }
}

/// Facts about selections of resources; the first one recorded for a selection is kept.
#[derive(Clone)]
struct Selected<T>(HashMap<Which, T>);

impl<T> Default for Selected<T> {
    fn default() -> Selected<T> {
        Selected(HashMap::default())
    }
}

impl<T> Selected<T> {
    /// The facts about a resource: those about it alone, about its type, and about all resources.
    fn of<'s>(&'s self, reference: &Reference) -> impl Iterator<Item = &'s T> + use<'s, T> {
        let (type_name, title) = (Some(reference.type_name.clone()), Some(reference.title.clone()));
        let one = Which { type_name: type_name.clone(), title };
        let all = [one, Which { type_name, title: None }, Which::any()];
        all.into_iter().filter_map(|it| self.0.get(&it))
    }
}

/// The possible changes of parameters, with their causes.
#[derive(Clone, Default)]
struct Changes {
    /// Set if any parameter may have another value.
    all: Option<Cause>,
    /// The parameters that may have another value.
    replaced: IndexMap<Str, Cause>,
    /// The parameters that may have additional values.
    extended: IndexMap<&'static str, Cause>,
}

/// A possible change of parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    /// Any parameter may have another value.
    Any,
    /// The parameter of this name may have another value.
    Replaced(&'a str),
    /// The parameter of this name may have additional values.
    Extended(&'static str),
}

/// The possible effects of the code skipped so far.
#[derive(Clone, Default)]
pub(crate) struct Doubts {
    /// Resources that may have been declared.
    declared: Selected<Cause>,
    /// The types of which resources may have been declared.
    declared_types: HashMap<Str, Cause>,
    /// Classes that may have been declared with parameters.
    with_parameters: Selected<Cause>,
    /// Virtual resources that may have been realized.
    realized: Selected<Cause>,
    /// Resources whose parameters may have been changed.
    changed: Selected<Changes>,
    /// Set if something may have been tagged.
    pub(crate) tagged: Option<Cause>,
    /// Definitions and functions whose code has been scanned already.
    seen: HashSet<Seen>,
}

/// Code that is scanned only once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Seen {
    /// A class (true) or defined type, by its name.
    Definition(bool, Str),
    /// A function, by its name.
    Function(Str),
    /// A template, by its name.
    Template(Str),
    /// Everything that the environment defines.
    Everything,
}

impl Seen {
    pub(crate) fn definition(wanted: Wanted, name: &Str) -> Seen {
        Seen::Definition(wanted == Wanted::Class, name.clone())
    }
}

impl Doubts {
    /// Marks code as scanned. Returns whether it had not been scanned before.
    pub(crate) fn is_new(&mut self, seen: Seen) -> bool {
        self.seen.insert(seen)
    }

    pub(crate) fn declare(&mut self, which: Which, by: &Cause) {
        match &which.type_name {
            Some(it) => {
                self.declared_types.entry(it.clone()).or_insert_with(|| Arc::clone(by));
            }
            None => {
                self.declared.0.entry(Which::any()).or_insert_with(|| Arc::clone(by));
            }
        }
        self.declared.0.entry(which).or_insert_with(|| Arc::clone(by));
    }

    pub(crate) fn declare_with_parameters(&mut self, which: Which, by: &Cause) {
        self.with_parameters.0.entry(which).or_insert_with(|| Arc::clone(by));
    }

    /// Why a resource that does not exist may have been declared, or one that exists may have been declared earlier.
    pub(crate) fn may_be_declared(&self, reference: &Reference) -> Option<&Cause> {
        self.declared.of(reference).next()
    }

    /// Why there may be more resources of a type.
    pub(crate) fn may_be_declared_of(&self, type_name: &str) -> Option<&Cause> {
        self.declared_types.get(type_name).or_else(|| self.declared.0.get(&Which::any()))
    }

    /// Why there may be more resources.
    pub(crate) fn may_be_incomplete(&self) -> Option<&Cause> {
        let first = self.declared_types.iter().min_by_key(|(type_name, _)| *type_name);
        self.declared.0.get(&Which::any()).or_else(|| first.map(|(_, by)| by))
    }

    /// Why a class may have been declared with parameters.
    pub(crate) fn may_have_parameters(&self, reference: &Reference) -> Option<&Cause> {
        self.with_parameters.of(reference).next()
    }

    /// Why a virtual resource may have been realized.
    pub(crate) fn may_be_realized(&self, reference: &Reference) -> Option<&Cause> {
        self.realized.of(reference).next()
    }

    /// Whether parameters of resources may have been changed.
    pub(crate) fn has_changes(&self) -> bool {
        !self.changed.0.is_empty()
    }

    /// The titles of resources of a type that may have been declared, with the causes.
    pub(crate) fn titles_of<'s>(&'s self, type_name: &'s str) -> impl Iterator<Item = (&'s Str, &'s Cause)> {
        let of_type =
            self.declared.0.iter().filter(move |(it, _)| it.type_name.as_deref() == Some(type_name));
        of_type.filter_map(|(it, by)| Some((it.title.as_ref()?, by)))
    }
}

impl State {
    /// Records that virtual resources may have been realized; returns those that exist.
    pub(crate) fn doubt_virtual(&mut self, which: Which, by: &Cause) -> Vec<ResourceId> {
        let found: Vec<ResourceId> =
            self.resources().filter(|(_, it)| it.is_virtual && fits(&which, it)).map(|it| it.0).collect();
        self.doubts.realized.0.entry(which).or_insert_with(|| Arc::clone(by));
        found
    }

    /// Records that a parameter of resources may have been changed, both of existing resources and of later ones.
    pub(crate) fn doubt_parameter(&mut self, which: Which, change: Change<'_>, by: &Cause) {
        let changes = self.doubts.changed.0.entry(which.clone()).or_default();
        let is_new = match change {
            Change::Any if changes.all.is_none() => {
                changes.all = Some(Arc::clone(by));
                true
            }
            Change::Any => false,
            Change::Replaced(name) => changes.replaced.insert(name.into(), Arc::clone(by)).is_none(),
            Change::Extended(name) => changes.extended.insert(name, Arc::clone(by)).is_none(),
        };
        if !is_new {
            return;
        }
        match (which.type_name, which.title) {
            (Some(type_name), Some(title)) => {
                let found = self.find(&Reference { type_name, title });
                found.inspect(|id| change_instance(self.resource_mut(*id), change, by));
            }
            (type_name, title) => {
                let which = Which { type_name, title };
                let all = self.instances.iter_mut().filter(|it| fits(&which, it));
                all.for_each(|it| change_instance(it, change, by));
            }
        }
    }

    /// Applies the recorded changes to a resource that is new, or has got parameters.
    pub(crate) fn doubt_parameters_of(&mut self, id: ResourceId) {
        if !self.doubts.has_changes() {
            return;
        }
        let State { doubts, instances, .. } = self;
        let Some(instance) = instances.get_mut(id.0) else { return };
        for changes in doubts.changed.of(&instance.reference.clone()) {
            changes.replaced.iter().for_each(|(name, by)| {
                change_instance(instance, Change::Replaced(name), by);
            });
            changes.extended.iter().for_each(|(name, by)| {
                change_instance(instance, Change::Extended(name), by);
            });
            if let Some(by) = &changes.all {
                change_instance(instance, Change::Any, by);
            }
        }
    }
}

fn fits(which: &Which, instance: &Instance) -> bool {
    let reference = &instance.reference;
    which.type_name.as_ref().is_none_or(|it| *it == reference.type_name)
        && which.title.as_ref().is_none_or(|it| *it == reference.title)
}

fn change_instance(instance: &mut Instance, change: Change<'_>, by: &Cause) {
    let unknown = || Value::Unknown(by.computed());
    match change {
        Change::Any => {
            instance.open.get_or_insert_with(|| Arc::clone(by));
            for it in instance.parameters.values_mut() {
                it.value = unknown();
            }
        }
        Change::Replaced(name) => {
            if accepts(instance, name) {
                set(instance, name, unknown());
            } else if let ResourceKind::Native(_) = instance.kind {
                // Another file may add the attribute to the type.
                instance.open.get_or_insert_with(|| Arc::clone(by));
            }
        }
        Change::Extended(name) => {
            let value = instance.value(name).clone();
            if !value.has_unknown() {
                let known = super::flattened([value]).into_iter().filter(|it| *it != Value::Undef);
                set(instance, name, Value::Array(known.chain([unknown()]).collect()));
            }
        }
    }
}

fn set(instance: &mut Instance, name: &str, value: Value) {
    match instance.parameters.get_mut(name) {
        Some(known) => known.value = value,
        None => {
            let source = Rc::clone(&instance.source);
            let parameter =
                super::instance::Parameter { value, source, place: None, append: false, trace: None };
            instance.parameters.insert(name.into(), parameter);
        }
    }
}

/// Whether a resource can have a parameter.
fn accepts(instance: &Instance, name: &str) -> bool {
    match &instance.kind {
        ResourceKind::Native(it) => it.accepts(name),
        ResourceKind::Container(it) | ResourceKind::Define(it) => {
            METAPARAMETERS.contains(&name) || it.parameters().iter().any(|it| it.name == name)
        }
    }
}
