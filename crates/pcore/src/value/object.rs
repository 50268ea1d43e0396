use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::Value;
use crate::extent::Extent;
use crate::types::{ObjectType, Type, TypeKind};

/// A value that is never shown in messages, logs, differences or pictures. Never nested.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Sensitive(Arc<Value>);

impl Sensitive {
    /// Wraps a value; a sensitive value is returned as it is.
    pub fn new(value: Value) -> Sensitive {
        match value {
            Value::Sensitive(sensitive) => sensitive,
            value => Sensitive(Arc::new(value)),
        }
    }

    /// Returns the wrapped value.
    pub fn unwrap(&self) -> &Value {
        &self.0
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Sensitive [value redacted]")
    }
}

/// An instance of an `Object` type: its attributes in the type's order, including defaults.
///
/// Equality depends on the type (D44): it compares the attributes of its `equality`, or all attributes, and the types
/// if required. If a type compares nothing, its instances are never equal.
#[derive(Clone, Debug)]
pub struct Object {
    /// The `Object` type.
    pub object_type: Type,
    /// The value of each attribute that instances store.
    pub attributes: Box<[Value]>,
}

impl Object {
    /// Returns the nesting depth and the size.
    pub fn extent(&self) -> Extent {
        Extent::around(self.attributes.iter().map(Value::extent)).with(self.object_type.extent())
    }

    /// Returns its type, with aliases resolved.
    fn object(&self) -> Option<&ObjectType> {
        match self.object_type.resolved().kind() {
            TypeKind::Object(Some(it)) => Some(it),
            _ => None,
        }
    }

    /// Returns the value of an attribute, including constants. Derived attributes have none here: only layers above can
    /// compute them.
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
    /// Hashes the attributes that the first ancestor compares, since its instances may equal those of its descendants.
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

/// Whether two objects are equal with respect to a type that one of them has.
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

/// A callable value. Only layers above can call it.
pub trait Callable: fmt::Debug + Send + Sync {
    /// Returns the signature, as a `Callable` type, or a `Variant` of them.
    fn signature(&self) -> Type;
}

/// A lazy iterator with random access.
pub trait Iterate: fmt::Debug + Send + Sync {
    /// Returns the type of the elements.
    fn element_type(&self) -> Type;

    /// Returns the nesting depth and the size of the source of the elements.
    fn extent(&self) -> Extent;

    /// Returns the number of elements.
    fn size(&self) -> usize;

    /// Returns the element at an index, if there is one.
    fn get(&self, index: usize) -> Option<Value>;

    /// Whether the elements are `[key, value]` pairs of a hash, which lambdas with two parameters destructure.
    fn has_entries(&self) -> bool {
        false
    }

    /// Returns an iterator over each `step`th element, if it is of the same kind.
    fn stepped(&self, _step: NonZeroUsize) -> Option<Arc<dyn Iterate>> {
        None
    }

    /// Returns an iterator over the elements from the last to the first, if it is of the same kind.
    fn reversed(&self) -> Option<Arc<dyn Iterate>> {
        None
    }
}
