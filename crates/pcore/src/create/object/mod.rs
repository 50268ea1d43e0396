//! `Object[{…}]`, and `Object` types with parameters (D44).

mod equality;
mod extension;
pub(super) mod initializer;
mod member;

pub(super) use extension::extension;

use std::sync::Arc;

use marotte_text::Str;

use super::CreateError;
use crate::dialect::Dialect;
use crate::mismatch::assert_instance_of;
use crate::types::{Annotations, ObjectType, Type, TypeKind, TypeParameter};
use crate::value::{Hash, Value};

/// Creates an `Object` type from the hash that describes it. The empty hash denotes `Object` itself.
///
/// # Errors
/// If the hash has invalid keys or values, or if the type contradicts itself or its parent.
pub fn object_type(dialect: &Dialect, hash: &Hash) -> Result<Type, CreateError> {
    if hash.is_empty() {
        return Ok(TypeKind::Object(None).into());
    }
    named_object_type(dialect, "", hash)
}

/// Creates an `Object` type with the name of its definition, which overrides a name in the hash.
///
/// # Errors
/// The errors of [`object_type`].
pub fn named_object_type(dialect: &Dialect, name: &str, hash: &Hash) -> Result<Type, CreateError> {
    let object = Builder::new(dialect, name, hash)?.build(hash)?;
    Ok(TypeKind::Object(Some(Arc::new(object))).into())
}

/// The state while an `Object` type is built.
struct Builder<'d> {
    dialect: &'d Dialect,
    object: ObjectType,
}

impl<'d> Builder<'d> {
    fn new(dialect: &'d Dialect, name: &str, hash: &Hash) -> Result<Builder<'d>, CreateError> {
        let value = Value::Hash(Arc::new(hash.clone()));
        assert_instance_of(dialect, "object initializer", &initializer::OBJECT, &value)?;
        let given = hash.get_str("name").and_then(Value::as_str).unwrap_or_default();
        let parent = match hash.get_str("parent") {
            Some(Value::Type(parent)) => Some(parent.clone()),
            _ => None,
        };
        let object = ObjectType {
            name: if name.is_empty() { given } else { name }.into(),
            parent,
            type_parameters: [].into(),
            attributes: [].into(),
            functions: [].into(),
            equality: None,
            equality_include_type: hash.get_str("equality_include_type") != Some(&Value::Boolean(false)),
            checks: hash.get_str("checks").filter(|it| **it != Value::Undef).cloned(),
            annotations: annotations(hash),
        };
        let builder = Builder { dialect, object };
        builder.check_parent()?;
        Ok(builder)
    }

    /// Checks the ancestors. The alias of a type that is being defined isn't resolved yet, so an ancestor with the same
    /// name is the type itself.
    fn check_parent(&self) -> Result<(), CreateError> {
        let mut ancestor = self.object.parent.as_ref();
        while let Some(it) = ancestor {
            ancestor = match it.resolved().kind() {
                TypeKind::Object(Some(parent)) | TypeKind::ObjectExtension(parent, _) => {
                    parent.parent.as_ref()
                }
                TypeKind::Alias(alias) if *alias.name() == self.object.name => {
                    let label = self.object.label();
                    return fail(format!("The Object type '{label}' inherits from itself"));
                }
                _ => None,
            };
        }
        match self.object.parent.as_ref().map(|parent| parent.resolved().kind()) {
            Some(TypeKind::Reference(name)) => fail(format!("reference to unresolved type '{name}'")),
            _ => Ok(()),
        }
    }

    fn build(mut self, hash: &Hash) -> Result<ObjectType, CreateError> {
        self.object.type_parameters = self.type_parameters(&members(hash, "type_parameters"))?;
        let constants = members(hash, "constants");
        self.object.attributes = self.attributes(&members(hash, "attributes"), &constants)?;
        self.object.functions = self.functions(&members(hash, "functions"))?;
        self.object.equality = self.equality(hash.get_str("equality"))?;
        Ok(self.object)
    }

    /// The name of a member in messages.
    fn label(&self, feature: &str, name: &str) -> String {
        format!("{feature} {}[{name}]", self.object.label())
    }

    fn type_parameters(&self, members: &[Entry<'_>]) -> Result<Box<[TypeParameter]>, CreateError> {
        members.iter().map(|(name, spec)| self.type_parameter(name, spec)).collect()
    }

    fn type_parameter(&self, name: &Str, spec: &Value) -> Result<TypeParameter, CreateError> {
        let label = self.label("type_parameter", name);
        let (given, default) = match spec {
            Value::Hash(spec) => {
                (spec.get_str("type").unwrap_or(&Value::Undef), spec.get_str("value").cloned())
            }
            _ => (spec, None),
        };
        assert_instance_of(self.dialect, &label, &initializer::ANY_TYPE, given)?;
        let value_type = match given {
            Value::Type(it) if matches!(it.kind(), TypeKind::Optional(_)) => it.clone(),
            Value::Type(it) => Type::optional(it.clone()),
            _ => Type::any(),
        };
        if let Some(value) = default.as_ref().filter(|it| **it != Value::Default) {
            assert_instance_of(self.dialect, &format!("{label} value"), &value_type, value)?;
        }
        if let Some(owner) = self.object.parent_object().and_then(|it| it.owner_of_parameter(name)) {
            return fail(format!(
                "{label} attempts to override type_parameter {}[{name}] without having override => true",
                owner.label()
            ));
        }
        Ok(TypeParameter { name: name.clone(), value_type, default })
    }
}

/// A name and its specification.
type Entry<'h> = (Str, &'h Value);

/// Returns the entries of a hash of members, whose keys have been validated.
fn members<'h>(hash: &'h Hash, key: &str) -> Vec<Entry<'h>> {
    let Some(Value::Hash(members)) = hash.get_str(key) else { return Vec::new() };
    members.iter().map(|(name, spec)| (name.as_str().unwrap_or_default().into(), spec)).collect()
}

/// Returns the annotations in a hash.
pub(super) fn annotations(hash: &Hash) -> Annotations {
    match hash.get_str("annotations") {
        Some(Value::Hash(annotations)) => Some(Arc::clone(annotations)),
        _ => None,
    }
}

fn fail<T>(message: String) -> Result<T, CreateError> {
    Err(CreateError::Object(message))
}
