use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_catalog::{Kind, Named, NativeType, Reference, Tags};
use marotte_pcore::value::{Unknown, UnknownSource, Value};
use marotte_text::Str;

use super::Definition;
use super::doubt::Cause;
use super::provenance::Trace;
use crate::Place;
use crate::interpreter::Scope;

/// The index of a resource in its catalog, in order of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ResourceId(pub(super) usize);

/// The kind of a resource's type.
#[derive(Clone)]
pub(crate) enum ResourceKind {
    /// A class or node.
    Container(Rc<Definition>),
    /// A defined type, written in Puppet.
    Define(Rc<Definition>),
    /// A built-in type, or one written in Ruby.
    Native(Arc<NativeType>),
}

impl ResourceKind {
    pub(crate) fn definition(&self) -> Option<&Rc<Definition>> {
        match self {
            ResourceKind::Container(it) | ResourceKind::Define(it) => Some(it),
            ResourceKind::Native(_) => None,
        }
    }

    /// The attributes that a title implies. None if it is not a valid title for the type.
    pub(crate) fn attributes_of_title(&self, title: &Str) -> Option<Vec<(Str, Value)>> {
        let ResourceKind::Native(it) = self else {
            return Some(vec![("name".into(), Value::String(title.clone()))]);
        };
        let given = it.parse_title(title)?.into_iter().map(|(name, text)| (name, Value::String(text)));
        let unknown = || Value::Unknown(Unknown::new(UnknownSource::Title(it.name.clone())));
        Some(given.chain(it.unread_title.iter().map(|name| (name.clone(), unknown()))).collect())
    }
}

/// A resource during compilation.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) reference: Reference,
    /// The title as given, if it was not a string.
    pub(crate) title: Option<Value>,
    pub(crate) kind: ResourceKind,
    /// The kind that the catalog will report for the resource.
    pub(crate) shown_kind: Kind,
    /// The attributes that its title implies.
    pub(crate) from_title: Vec<(Str, Value)>,
    /// The parameters that are set.
    pub(crate) parameters: Named<Parameter>,
    pub(crate) tags: Tags,
    pub(crate) place: Option<Place>,
    pub(crate) is_virtual: bool,
    pub(crate) exported: bool,
    /// Whether its body has been evaluated, or is being evaluated.
    pub(crate) evaluated: bool,
    /// Whether it has the tags of its container.
    pub(crate) has_scope_tags: bool,
    /// The scope in which it is declared.
    pub(crate) scope: Rc<Scope>,
    /// The class or defined type in which it is declared.
    pub(crate) source: Rc<Definition>,
    /// Why it may have more parameters than are known.
    pub(crate) open: Option<Cause>,
    /// For a class: the reason why it may have been declared earlier, in another place.
    pub(crate) elsewhere: Option<Cause>,
}

/// A parameter of a resource.
#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) value: Value,
    /// The class or defined type that sets it.
    pub(crate) source: Rc<Definition>,
    pub(crate) place: Option<Place>,
    /// Whether it was set by `+>`.
    pub(crate) append: bool,
    /// The provenance of its value, if recorded.
    pub(crate) trace: Option<Arc<Trace>>,
}

/// The resource to which a scope belongs.
pub(crate) struct Container {
    pub(crate) resource: ResourceId,
    pub(crate) source: Rc<Definition>,
    /// The scope in which that resource is declared; for a class that inherits, the scope of its parent.
    pub(crate) parent: Option<Rc<Scope>>,
    /// The resource defaults set in the scope, by type.
    pub(crate) defaults: RefCell<IndexMap<Str, Named<Parameter>>>,
    /// Defaults that skipped code may have set.
    pub(crate) doubtful_defaults: RefCell<Vec<DoubtfulDefault>>,
}

/// The resource defaults of a container.
pub(crate) struct ContainerState {
    defaults: IndexMap<Str, Named<Parameter>>,
    doubtful_defaults: Vec<DoubtfulDefault>,
}

/// A default that skipped code may have set.
#[derive(Clone)]
pub(crate) struct DoubtfulDefault {
    /// The resource type; None for any.
    pub(crate) type_name: Option<Str>,
    /// The parameter; None for any.
    pub(crate) parameter: Option<Str>,
    pub(crate) by: Cause,
}

impl Container {
    /// Creates the container of a resource's scope.
    pub(crate) fn new(resource: ResourceId, source: Rc<Definition>, parent: Option<Rc<Scope>>) -> Container {
        let (defaults, doubtful_defaults) = (RefCell::default(), RefCell::default());
        Container { resource, source, parent, defaults, doubtful_defaults }
    }

    pub(crate) fn is_node(&self) -> bool {
        self.source.is_node()
    }

    /// Copies the resource defaults.
    pub(crate) fn save(&self) -> ContainerState {
        ContainerState {
            defaults: self.defaults.borrow().clone(),
            doubtful_defaults: self.doubtful_defaults.borrow().clone(),
        }
    }

    /// Restores the resource defaults.
    pub(crate) fn restore(&self, state: ContainerState) {
        self.defaults.replace(state.defaults);
        self.doubtful_defaults.replace(state.doubtful_defaults);
    }
}

impl Instance {
    pub(crate) fn is_class(&self) -> bool {
        self.reference.type_name == "Class"
    }

    pub(crate) fn is_stage(&self) -> bool {
        self.reference.type_name == "Stage"
    }

    /// The title as given.
    pub(crate) fn title_value(&self) -> Value {
        self.title.clone().unwrap_or_else(|| Value::String(self.reference.title.clone()))
    }

    /// The value of a parameter; `undef` if it is not set.
    pub(crate) fn value(&self, name: &str) -> &Value {
        self.parameters.get(name).map_or(&Value::Undef, |it| &it.value)
    }

    /// The value that collectors compare: here the title is an attribute, too.
    pub(crate) fn attribute(&self, name: &str) -> Value {
        match name {
            "title" => self.title_value(),
            name => self.value(name).clone(),
        }
    }

    /// The value that collectors compare, unknown if the attribute is missing but may be set.
    pub(crate) fn attribute_if_known(&self, name: &str) -> Value {
        match (self.attribute(name), &self.open) {
            (Value::Undef, Some(by)) => Value::Unknown(by.computed()),
            (value, _) => value,
        }
    }

    /// Why the attributes that its title implies are unknown, if that depends on its type.
    pub(crate) fn unread_title(&self) -> Option<Cause> {
        match &self.kind {
            ResourceKind::Native(it) if !it.titles_are_known => self.open.clone(),
            _ => None,
        }
    }

    /// The name of the namevar.
    pub(crate) fn namevar(&self) -> Str {
        match &self.kind {
            ResourceKind::Native(it) => it.namevar.clone(),
            _ => "name".into(),
        }
    }

    /// The value of an attribute that is set, or implied by the title.
    fn given(&self, name: &str) -> Option<&Value> {
        let set = self.parameters.get(name).map(|it| &it.value).filter(|it| **it != Value::Undef);
        set.or_else(|| self.from_title.iter().find(|(it, _)| it == name).map(|(_, value)| value))
    }

    /// Returns the resource's identity: the values of its namevars. None if it is unknown.
    pub(crate) fn key(&self) -> Option<Vec<Value>> {
        let namevar = self.namevar();
        let named = self.given(&namevar).or_else(|| self.given("name")).cloned();
        let name = named.unwrap_or_else(|| Value::String(self.reference.title.clone()));
        let value = |attribute: &str| match self.given(attribute) {
            Some(value) => value.clone(),
            None if attribute == namevar || attribute == "name" => name.clone(),
            None => Value::Undef,
        };
        match &self.kind {
            ResourceKind::Native(it) => Some(it.namevars.as_ref()?.iter().map(|it| value(it)).collect()),
            _ => Some(vec![value("name")]),
        }
    }
}
