use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::Value;
use crate::extent::Extent;
use crate::types::{ObjectType, Type, TypeKind};

/// A value that no message, log, difference or picture shows. Never nested.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Sensitive(Arc<Value>);

impl Sensitive {
    /// Wraps a value; one that is sensitive already stays as it is.
    pub fn new(value: Value) -> Sensitive {
        match value {
            Value::Sensitive(sensitive) => sensitive,
            value => Sensitive(Arc::new(value)),
        }
    }

    /// The value itself.
    pub fn unwrap(&self) -> &Value {
        &self.0
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Sensitive [value redacted]")
    }
}

/// An instance of an `Object` type: its attributes in the type's order, defaults filled in.
///
/// Two are equal as their type says (D44): by the attributes of its `equality`, or by all, and by their types if it asks for
/// that. A type that compares nothing has only instances that differ.
#[derive(Clone, Debug)]
pub struct Object {
    /// The `Object` type.
    pub object_type: Type,
    /// One value for each attribute that instances store.
    pub attributes: Box<[Value]>,
}

impl Object {
    /// How deeply it is nested, and how large it is.
    pub fn extent(&self) -> Extent {
        Extent::around(self.attributes.iter().map(Value::extent)).with(self.object_type.extent())
    }

    /// Its type, aliases looked through.
    fn object(&self) -> Option<&ObjectType> {
        match self.object_type.resolved().kind() {
            TypeKind::Object(Some(it)) => Some(it),
            _ => None,
        }
    }

    /// The value of an attribute, constants included. Derived attributes have none here: only layers above compute them.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        let TypeKind::Object(Some(object_type)) = self.object_type.resolved().kind() else { return None };
        match object_type.stored_attributes().position(|it| it.name == name) {
            Some(index) => self.attributes.get(index),
            None => object_type.all_attributes().get(name).and_then(|it| it.default.as_ref()),
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        std::ptr::eq(self, other) || self.object().is_some_and(|it| equal_for(it, self, other))
    }
}

impl Eq for Object {}

impl Hash for Object {
    /// Of what the first ancestor compares, since its instances may equal those of its descendants.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Some(mut first) = self.object() else { return };
        while let Some(parent) = first.parent_object() {
            first = parent;
        }
        for name in first.equality_attributes() {
            self.attribute(&name).hash(state);
        }
    }
}

/// Whether two objects are equal for a type that one of them has.
fn equal_for(it: &ObjectType, left: &Object, right: &Object) -> bool {
    let parent = it.parent_object();
    let includes_type = it.equality_include_type && !parent.is_some_and(|it| it.equality_include_type);
    let names = it.own_equality_attributes();
    if names.is_empty() && !includes_type {
        return parent.is_some_and(|parent| equal_for(parent, left, right));
    }
    let same = |name: &&str| {
        let value = left.attribute(name);
        value.is_some() && value == right.attribute(name)
    };
    parent.is_none_or(|parent| equal_for(parent, left, right))
        && (!includes_type || left.object_type == right.object_type)
        && names.iter().all(same)
}

/// Something that can be called. Only layers above know how.
pub trait Callable: fmt::Debug + Send + Sync {
    /// The signature, as a `Callable` type, or a `Variant` of them.
    fn signature(&self) -> Type;
}

/// Elements that are made when they are asked for.
pub trait Iterate: fmt::Debug + Send + Sync {
    /// The type of the elements.
    fn element_type(&self) -> Type;

    /// How deeply that is nested of which the elements are made, and how large it is.
    fn extent(&self) -> Extent;

    /// How many elements there are.
    fn size(&self) -> usize;

    /// The element at an index, if there is one.
    fn get(&self, index: usize) -> Option<Value>;

    /// Whether the elements are `[key, value]` of a hash, which lambdas with two parameters take apart.
    fn has_entries(&self) -> bool {
        false
    }

    /// Each `step`th element, if that is another iterator of the same kind.
    fn stepped(&self, _step: NonZeroUsize) -> Option<Arc<dyn Iterate>> {
        None
    }

    /// The elements from the last to the first, if that is another iterator of the same kind.
    fn reversed(&self) -> Option<Arc<dyn Iterate>> {
        None
    }
}
