use std::sync::Arc;

use marotte_text::Str;

use super::CreateError;
use super::object::{is_simple_type_name, is_type_name, object_type};
use crate::dialect::Dialect;
use crate::semver::{SemVer, SemVerRange};
use crate::types::{Type, TypeKind, TypeSet, TypeSetReference};
use crate::value::{Hash, Value};

/// The version of Pcore that a set must be written for.
const PCORE: u32 = 1;

/// A set of types from the hash that describes it. The empty hash is `TypeSet` itself.
///
/// # Errors
/// If the hash has other keys or values, the version of Pcore is another than 1, or names collide.
pub fn type_set(dialect: &Dialect, hash: &Hash) -> Result<Type, CreateError> {
    if hash.is_empty() {
        return Ok(TypeKind::TypeSet(None).into());
    }
    let keys = [
        "pcore_uri",
        "pcore_version",
        "name_authority",
        "name",
        "version",
        "types",
        "references",
        "annotations",
    ];
    if let Some(key) = hash.keys().find(|key| !key.as_str().is_some_and(|key| keys.contains(&key))) {
        return Err(wrong(format!("unrecognized key {}", crate::print::literal(key))));
    }
    let name = match text(hash, "name")? {
        Some(name) if is_type_name(&name) => name,
        Some(_) => return Err(wrong("entry 'name' expects the name of a type".into())),
        None => Str::new(),
    };
    let Some(pcore_version) = version(hash, "pcore_version")? else {
        return Err(wrong("expects a value for key 'pcore_version'".into()));
    };
    if *pcore_version.major() != PCORE.into() {
        return Err(CreateError::TypeSet(format!(
            "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range 1.x, got {pcore_version}"
        )));
    }
    let name_authority = text(hash, "name_authority")?;
    let types = types(dialect, hash, &name)?;
    let references = references(hash, &name, name_authority.as_ref(), &types)?;
    let set = TypeSet {
        pcore_uri: text(hash, "pcore_uri")?,
        pcore_version,
        name_authority,
        name,
        version: version(hash, "version")?,
        types: types.into(),
        references: references.into(),
    };
    Ok(TypeKind::TypeSet(Some(Arc::new(set))).into())
}

fn text(hash: &Hash, key: &str) -> Result<Option<Str>, CreateError> {
    match hash.get_str(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(wrong(format!("entry '{key}' expects a String value"))),
    }
}

fn version(hash: &Hash, key: &str) -> Result<Option<SemVer>, CreateError> {
    match hash.get_str(key) {
        None => Ok(None),
        Some(Value::SemVer(version)) => Ok(Some((**version).clone())),
        Some(Value::String(text)) => {
            SemVer::parse(text).map(Some).map_err(|error| CreateError::TypeSet(error.to_string()))
        }
        Some(_) => Err(wrong(format!("entry '{key}' expects a String or SemVer value"))),
    }
}

/// A hash that must not be empty if it is given.
fn entries<'h>(hash: &'h Hash, key: &str) -> Result<Vec<(Str, &'h Value)>, CreateError> {
    let Some(value) = hash.get_str(key) else { return Ok(Vec::new()) };
    let Value::Hash(entries) = value else {
        return Err(wrong(format!("entry '{key}' expects a Hash value")));
    };
    if entries.is_empty() {
        return Err(wrong(format!("entry '{key}' expects size to be at least 1, got 0")));
    }
    let entry = |(name, value): (&Value, &'h Value)| match name.as_str() {
        Some(name) if is_simple_type_name(name) => Ok((Str::from(name), value)),
        _ => Err(wrong(format!("entry '{key}' expects simple names of types"))),
    };
    entries.iter().map(entry).collect()
}

fn types(dialect: &Dialect, hash: &Hash, set: &str) -> Result<Vec<(Str, Type)>, CreateError> {
    let member = |(name, value): (Str, &Value)| match value {
        Value::Type(it) => Ok((name, it.clone())),
        Value::Hash(content) => {
            let mut content = Hash::clone(content);
            content.insert("name".into(), Value::String(format!("{set}::{name}").into()));
            Ok((name, object_type(dialect, &content)?))
        }
        _ => Err(wrong("entry 'types' expects types".into())),
    };
    entries(hash, "types")?.into_iter().map(member).collect()
}

fn references(
    hash: &Hash,
    set: &str,
    authority: Option<&Str>,
    types: &[(Str, Type)],
) -> Result<Vec<(Str, TypeSetReference)>, CreateError> {
    let mut references: Vec<(Str, TypeSetReference)> = Vec::new();
    for (alias, value) in entries(hash, "references")? {
        let Value::Hash(value) = value else {
            return Err(wrong("entry 'references' expects hashes".into()));
        };
        let Some(name) = text(value, "name")?.filter(|name| is_type_name(name)) else {
            return Err(wrong("entry 'references' expects a value for key 'name'".into()));
        };
        let version_range: SemVerRange = match value.get_str("version_range") {
            Some(Value::SemVerRange(range)) => (**range).clone(),
            Some(Value::String(range)) => {
                SemVerRange::parse(range).map_err(|error| CreateError::TypeSet(error.to_string()))?
            }
            _ => return Err(wrong("entry 'references' expects a value for key 'version_range'".into())),
        };
        let name_authority = text(value, "name_authority")?.filter(|it| Some(it) != authority);
        if types.iter().any(|(name, _)| *name == alias) {
            return Err(CreateError::TypeSet(format!(
                "TypeSet '{set}' references a TypeSet using alias '{alias}'. The alias collides with the name of a declared type"
            )));
        }
        let is_same = |(_, it): &(Str, TypeSetReference)| {
            it.name == name
                && it.name_authority == name_authority
                && !it.version_range.intersection(&version_range).is_disjoint()
        };
        if references.iter().any(is_same) {
            let authority = name_authority.as_ref().or(authority).map_or("", |it| it);
            return Err(CreateError::TypeSet(format!(
                "TypeSet '{set}' references TypeSet '{authority}/{name}' more than once using overlapping version ranges"
            )));
        }
        references.push((alias, TypeSetReference { name_authority, name, version_range }));
    }
    Ok(references)
}

fn wrong(what: String) -> CreateError {
    CreateError::TypeSet(format!("TypeSet initializer has wrong type, {what}"))
}
