use std::fmt;
use std::sync::Arc;

use super::Value;
use crate::types::{Type, TypeKind};

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// The `Object` type.
    pub object_type: Type,
    /// One value for each attribute that instances store.
    pub attributes: Box<[Value]>,
}

impl Object {
    /// The value of an attribute, constants included. Derived attributes have none here: only layers above compute them.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        let TypeKind::Object(Some(object_type)) = self.object_type.resolved().kind() else { return None };
        match object_type.stored_attributes().position(|it| it.name == name) {
            Some(index) => self.attributes.get(index),
            None => object_type.all_attributes().get(name).and_then(|it| it.default.as_ref()),
        }
    }
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

    /// The element at an index, if there is one.
    fn get(&self, index: usize) -> Option<Value>;
}
