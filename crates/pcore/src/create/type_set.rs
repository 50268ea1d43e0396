//! `TypeSet[{…}]`.

use std::sync::Arc;

use marotte_text::Str;

use super::CreateError;
use super::object::{annotations, initializer, object_type};
use crate::dialect::Dialect;
use crate::mismatch::assert_instance_of;
use crate::semver::{SemVer, SemVerRange};
use crate::types::{Type, TypeKind, TypeSet, TypeSetReference};
use crate::value::{Hash, Value};

/// The Pcore version that a type set must be written for.
const PCORE: u32 = 1;

/// The name authority of the types that programs and modules define.
pub const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// Creates a type set from the hash that describes it. The empty hash denotes `TypeSet` itself.
///
/// # Errors
/// If the hash has invalid keys or values, if the version of Pcore isn't 1, or if names collide.
pub fn type_set(dialect: &Dialect, hash: &Hash) -> Result<Type, CreateError> {
    if hash.is_empty() {
        return Ok(TypeKind::TypeSet(None).into());
    }
    let name = hash.get_str("name").and_then(Value::as_str).unwrap_or_default();
    build(dialect, name.into(), text(hash, "name_authority"), hash)
}

/// Creates a type set with the name of its definition and the runtime as its name authority, which override those in
/// the hash.
///
/// # Errors
/// The errors of [`type_set`].
pub fn named_type_set(dialect: &Dialect, name: &str, hash: &Hash) -> Result<Type, CreateError> {
    build(dialect, name.into(), Some(RUNTIME_AUTHORITY.into()), hash)
}

fn build(
    dialect: &Dialect,
    name: Str,
    name_authority: Option<Str>,
    hash: &Hash,
) -> Result<Type, CreateError> {
    let value = Value::Hash(Arc::new(hash.clone()));
    assert_instance_of(dialect, "TypeSet initializer", &initializer::TYPE_SET, &value)?;
    let pcore_version = match version(hash, "pcore_version")? {
        Some(version) if *version.major() == PCORE.into() => version,
        other => {
            let actual = other.map(|it| it.to_string()).unwrap_or_default();
            return Err(CreateError::TypeSet(format!(
                "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range 1.x, got {actual}"
            )));
        }
    };
    let set = TypeSet {
        pcore_uri: text(hash, "pcore_uri"),
        pcore_version,
        version: version(hash, "version")?,
        types: types(dialect, hash)?.into(),
        references: references(hash, &name, name_authority.as_ref())?.into(),
        name_authority,
        name,
        annotations: annotations(hash),
    };
    Ok(TypeKind::TypeSet(Some(Arc::new(set))).into())
}

fn text(hash: &Hash, key: &str) -> Option<Str> {
    hash.get_str(key).and_then(Value::as_str).map(Str::from)
}

fn version(hash: &Hash, key: &str) -> Result<Option<SemVer>, CreateError> {
    match hash.get_str(key) {
        Some(Value::SemVer(version)) => Ok(Some((**version).clone())),
        Some(Value::String(text)) => {
            SemVer::parse(text).map(Some).map_err(|error| CreateError::TypeSet(error.to_string()))
        }
        _ => Ok(None),
    }
}

/// Returns the entries of a hash whose keys are names that have been validated.
fn entries<'h>(hash: &'h Hash, key: &str) -> Vec<(Str, &'h Value)> {
    let Some(Value::Hash(entries)) = hash.get_str(key) else { return Vec::new() };
    entries.iter().map(|(name, value)| (name.as_str().unwrap_or_default().into(), value)).collect()
}

fn types(dialect: &Dialect, hash: &Hash) -> Result<Vec<(Str, Type)>, CreateError> {
    let member = |(name, value): (Str, &Value)| match value {
        Value::Type(it) => Ok((name, it.clone())),
        Value::Hash(content) => Ok((name, object_type(dialect, content)?)),
        _ => Ok((name, Type::any())),
    };
    entries(hash, "types").into_iter().map(member).collect()
}

fn references(
    hash: &Hash,
    set: &str,
    authority: Option<&Str>,
) -> Result<Vec<(Str, TypeSetReference)>, CreateError> {
    let types = entries(hash, "types");
    let mut references: Vec<(Str, TypeSetReference)> = Vec::new();
    for (alias, value) in entries(hash, "references") {
        let Value::Hash(value) = value else { continue };
        let name = text(value, "name").unwrap_or_default();
        let version_range: SemVerRange = match value.get_str("version_range") {
            Some(Value::SemVerRange(range)) => (**range).clone(),
            other => SemVerRange::parse(other.and_then(Value::as_str).unwrap_or_default())
                .map_err(|error| CreateError::TypeSet(error.to_string()))?,
        };
        let name_authority = text(value, "name_authority").filter(|it| Some(it) != authority);
        if references.iter().any(|(_, it)| {
            it.name == name
                && it.name_authority == name_authority
                && !it.version_range.intersection(&version_range).is_disjoint()
        }) {
            let authority = name_authority.as_ref().or(authority).map_or("", |it| it);
            return Err(CreateError::TypeSet(format!(
                "TypeSet '{set}' references TypeSet '{authority}/{name}' more than once using overlapping version ranges"
            )));
        }
        if types.iter().any(|(name, _)| *name == alias) {
            return Err(CreateError::TypeSet(format!(
                "TypeSet '{set}' references a TypeSet using alias '{alias}'. The alias collides with the name of a declared type"
            )));
        }
        let annotations = annotations(value);
        references.push((alias, TypeSetReference { name_authority, name, version_range, annotations }));
    }
    Ok(references)
}
