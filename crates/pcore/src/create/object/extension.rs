//! `Object` types with values for their type parameters: `Car['x']`.

use std::sync::Arc;

use indexmap::IndexMap;
use marotte_text::Str;

use super::{CreateError, fail};
use crate::dialect::Dialect;
use crate::mismatch::assert_instance_of;
use crate::relation::instance_of;
use crate::types::{ObjectType, Type, TypeKind};
use crate::value::Value;

/// Creates an `Object` type restricted by type parameters: positional ones, or one hash of named ones.
pub(in crate::create) fn extension(
    dialect: &Dialect,
    base: &Arc<ObjectType>,
    arguments: &[Value],
) -> Result<Type, CreateError> {
    let label = base.label();
    let parameters = base.all_type_parameters();
    let Some((_, first)) = parameters.first() else {
        return fail(format!("The {label}-Type cannot be parameterized using []"));
    };
    let given: Vec<(&str, &Value)> = match arguments {
        [named @ Value::Hash(hash)] if !instance_of(dialect, first, named) => {
            hash.iter().map(|(name, value)| (name.as_str().unwrap_or_default(), value)).collect()
        }
        _ => parameters.keys().map(|name| &**name).zip(arguments).collect(),
    };
    let mut by_name: IndexMap<Str, Value> = IndexMap::new();
    for (name, value) in given {
        let Some(wanted) = parameters.get(name) else {
            return fail(format!("'{name}' is not a known type parameter for {label}-Type"));
        };
        if *value == Value::Default {
            continue;
        }
        let owner = base.owner_of_parameter(name).map_or(label, ObjectType::label);
        assert_instance_of(dialect, &format!("type_parameter {owner}[{name}]"), wanted, value)?;
        by_name.insert(name.into(), value.clone());
    }
    if by_name.is_empty() {
        return fail(format!("The {label}-Type cannot be parameterized using an empty parameter list"));
    }
    Ok(TypeKind::ObjectExtension(base.clone(), by_name.into_iter().collect()).into())
}
