use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_catalog::{Kind, NativeType, Reference, Tags};
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::Definition;
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
}

/// A resource while a catalog is made.
pub(crate) struct Instance {
    pub(crate) reference: Reference,
    pub(crate) kind: ResourceKind,
    /// What the catalog will say of where the type comes from.
    pub(crate) shown_kind: Kind,
    pub(crate) parameters: IndexMap<Str, Parameter>,
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
    pub(crate) defaults: RefCell<IndexMap<Str, IndexMap<Str, Parameter>>>,
}

impl Container {
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

    /// The value of a parameter; `undef` if it is not set.
    pub(crate) fn value(&self, name: &str) -> &Value {
        self.parameters.get(name).map_or(&Value::Undef, |it| &it.value)
    }

    /// The value that collectors compare: the title is an attribute, too.
    pub(crate) fn attribute(&self, name: &str) -> Value {
        match name {
            "title" => Value::String(self.reference.title.clone()),
            name => self.value(name).clone(),
        }
    }

    /// The attribute that is the name.
    pub(crate) fn namevar(&self) -> &str {
        match &self.kind {
            ResourceKind::Native(it) => &it.namevar,
            _ => "name",
        }
    }

    /// The attributes: those that the title gives, then those that are set. None if the title is none for the type.
    pub(crate) fn attributes(&self) -> Option<IndexMap<Str, Value>> {
        let title = &self.reference.title;
        let from_title = match &self.kind {
            ResourceKind::Native(it) => it.parse_title(title)?,
            _ => vec![("name".into(), title.clone())],
        };
        let mut attributes: IndexMap<Str, Value> =
            from_title.into_iter().map(|(name, text)| (name, Value::String(text))).collect();
        for (name, parameter) in &self.parameters {
            let value = match &parameter.value {
                Value::Undef => continue,
                Value::Array(_) if marotte_catalog::wire::RELATIONSHIPS.contains(&&**name) => {
                    let flat = super::flattened([parameter.value.clone()]);
                    Value::Array(flat.into_iter().filter(|it| *it != Value::Undef).collect())
                }
                value => value.clone(),
            };
            attributes.insert(name.clone(), value);
        }
        Some(attributes)
    }

    /// What makes it the one it is: the values of the attributes that are its name. None if that is not known.
    pub(crate) fn key(&self) -> Option<Vec<Value>> {
        let attributes = self.attributes()?;
        let namevar = self.namevar();
        let named = [namevar, "name"].into_iter().find_map(|it| attributes.get(it).cloned());
        let name = named.unwrap_or_else(|| Value::String(self.reference.title.clone()));
        let value = |attribute: &str| match attributes.get(attribute) {
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
