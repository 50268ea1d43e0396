//! Instances of `Object` types, including `Deferred` and `Error` (D75, X69).

use std::sync::Arc;

use crate::types::{Attribute, ObjectType, TypeKind};
use crate::value::{Object, Value};

/// Creates an instance from a hash of attributes, or from their values by position: first the required ones. Missing
/// attributes have their default values.
pub(super) fn object(it: &Arc<ObjectType>, by_name: bool, arguments: &[Value]) -> Value {
    let (optional, required): (Vec<&Attribute>, Vec<&Attribute>) =
        it.stored_attributes().partition(|it| it.default.is_some());
    let given = |attribute: &Attribute| match arguments {
        [Value::Hash(named)] if by_name => named.get_str(&attribute.name),
        _ => {
            let index = required.iter().chain(&optional).position(|it| it.name == attribute.name)?;
            arguments.get(index)
        }
    };
    let value = |attribute: &Attribute| given(attribute).or(attribute.default.as_ref()).cloned();
    let attributes = it.stored_attributes().map(|it| value(it).unwrap_or(Value::Undef)).collect();
    let object_type = TypeKind::Object(Some(Arc::clone(it))).into();
    Value::Object(Arc::new(Object { object_type, attributes }))
}
