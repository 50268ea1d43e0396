use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_catalog::{Kind, Named, NativeType, Reference, Tags};
use marotte_pcore::value::{Unknown, UnknownSource, Value};
use marotte_text::Str;

use super::Definition;
use super::doubt::Cause;
use crate::Place;
use crate::interpreter::Scope;

/// Which resource of a catalog: its place in the order of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ResourceId(pub(super) usize);

/// What a type of resources is.
#[derive(Clone)]
pub(crate) enum ResourceKind {
    /// A class or node.
    Container(Rc<Definition>),
    /// Written in Puppet.
    Define(Rc<Definition>),
    /// Of the language itself, or written in Ruby.
    Native(Arc<NativeType>),
}

impl ResourceKind {
    pub(crate) fn definition(&self) -> Option<&Rc<Definition>> {
        match self {
            ResourceKind::Container(it) | ResourceKind::Define(it) => Some(it),
            ResourceKind::Native(_) => None,
        }
    }

    /// The attributes that a title gives. None if it is no title for the type.
    pub(crate) fn attributes_of_title(&self, title: &Str) -> Option<Vec<(Str, Value)>> {
        let ResourceKind::Native(it) = self else {
            return Some(vec![("name".into(), Value::String(title.clone()))]);
        };
        let given = it.parse_title(title)?.into_iter().map(|(name, text)| (name, Value::String(text)));
        let unknown = || Value::Unknown(Unknown::new(UnknownSource::Title(it.name.clone())));
        Some(given.chain(it.unread_title.iter().map(|name| (name.clone(), unknown()))).collect())
    }
}

/// A resource while a catalog is made.
pub(crate) struct Instance {
    pub(crate) reference: Reference,
    /// The title as it was given, if that was no text.
    pub(crate) title: Option<Value>,
    pub(crate) kind: ResourceKind,
    /// What the catalog will say of where the type comes from.
    pub(crate) shown_kind: Kind,
    /// The attributes that its title gives.
    pub(crate) from_title: Vec<(Str, Value)>,
    /// Those that are set.
    pub(crate) parameters: Named<Parameter>,
    pub(crate) tags: Tags,
    pub(crate) place: Option<Place>,
    pub(crate) is_virtual: bool,
    pub(crate) exported: bool,
    /// Its body has been evaluated, or that goes on.
    pub(crate) evaluated: bool,
    /// It has the tags of what contains it.
    pub(crate) has_scope_tags: bool,
    /// The scope in which it is declared.
    pub(crate) scope: Rc<Scope>,
    /// The class or resource type in which it is declared.
    pub(crate) source: Rc<Definition>,
    /// Why it may have parameters that it lacks.
    pub(crate) open: Option<Cause>,
    /// Of a class: why it may have been declared before, somewhere else.
    pub(crate) elsewhere: Option<Cause>,
}

/// A parameter of a resource.
#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) value: Value,
    /// The class or resource type that sets it.
    pub(crate) source: Rc<Definition>,
    pub(crate) place: Option<Place>,
    /// `+>`.
    pub(crate) append: bool,
}

/// What a scope is of.
pub(crate) struct Container {
    pub(crate) resource: ResourceId,
    pub(crate) source: Rc<Definition>,
    /// The scope in which that resource is declared; for a class that inherits, that of its parent.
    pub(crate) parent: Option<Rc<Scope>>,
    /// By type, the parameters that resources get unless they have them.
    pub(crate) defaults: RefCell<IndexMap<Str, Named<Parameter>>>,
    /// Defaults that skipped code may have set.
    pub(crate) doubtful_defaults: RefCell<Vec<DoubtfulDefault>>,
}

/// What resources of a type may get unless they have it.
#[derive(Clone)]
pub(crate) struct DoubtfulDefault {
    /// None for any type.
    pub(crate) type_name: Option<Str>,
    /// The parameter; none for any.
    pub(crate) parameter: Option<Str>,
    pub(crate) by: Cause,
}

impl Container {
    /// The scope of a resource.
    pub(crate) fn new(resource: ResourceId, source: Rc<Definition>, parent: Option<Rc<Scope>>) -> Container {
        let (defaults, doubtful_defaults) = (RefCell::default(), RefCell::default());
        Container { resource, source, parent, defaults, doubtful_defaults }
    }

    pub(crate) fn is_node(&self) -> bool {
        self.source.is_node()
    }
}

impl Instance {
    pub(crate) fn is_class(&self) -> bool {
        self.reference.type_name == "Class"
    }

    pub(crate) fn is_stage(&self) -> bool {
        self.reference.type_name == "Stage"
    }

    /// The title as it was given.
    pub(crate) fn title_value(&self) -> Value {
        self.title.clone().unwrap_or_else(|| Value::String(self.reference.title.clone()))
    }

    /// The value of a parameter; `undef` if it is not set.
    pub(crate) fn value(&self, name: &str) -> &Value {
        self.parameters.get(name).map_or(&Value::Undef, |it| &it.value)
    }

    /// The value that collectors compare: the title is an attribute, too.
    pub(crate) fn attribute(&self, name: &str) -> Value {
        match name {
            "title" => self.title_value(),
            name => self.value(name).clone(),
        }
    }

    /// The same; unknown if it may have an attribute that it lacks.
    pub(crate) fn attribute_if_known(&self, name: &str) -> Value {
        match (self.attribute(name), &self.open) {
            (Value::Undef, Some(by)) => Value::Unknown(by.computed()),
            (value, _) => value,
        }
    }

    /// What is unknown of what its title gives, because of its type.
    pub(crate) fn unread_title(&self) -> Option<Cause> {
        match &self.kind {
            ResourceKind::Native(it) if !it.titles_are_known => self.open.clone(),
            _ => None,
        }
    }

    /// The attribute that is the name.
    pub(crate) fn namevar(&self) -> Str {
        match &self.kind {
            ResourceKind::Native(it) => it.namevar.clone(),
            _ => "name".into(),
        }
    }

    /// The value of an attribute that is set, or that the title gives.
    fn given(&self, name: &str) -> Option<&Value> {
        let set = self.parameters.get(name).map(|it| &it.value).filter(|it| **it != Value::Undef);
        set.or_else(|| self.from_title.iter().find(|(it, _)| it == name).map(|(_, value)| value))
    }

    /// What makes it the one it is: the values of the attributes that are its name. None if that is not known.
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
