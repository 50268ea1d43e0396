//! The required keys that a value lacks after the values of all levels were merged.

use std::collections::BTreeSet;

use marotte_db::File;
use marotte_hiera::data::Step;
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{StructElement, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_text::Str;

use super::values::{Given, Wrong};

/// The required key that no level has. None if there is none, if nobody can say, or if the last file with the hash that lacks it is
/// another than `file`. The files are in the order in which they are merged.
pub(crate) fn lacking(
    given: &[(File, Given<'_>)],
    file: File,
    is_deep: bool,
    subject: &str,
    expected: &Type,
) -> Option<Wrong> {
    // As deep as the type is written.
    let mut keys: BTreeSet<Str> = BTreeSet::new();
    for (_, it) in given {
        let Value::Hash(hash) = it.value else { return None };
        for key in hash.keys() {
            // An interpolated key may be any.
            keys.insert(key.as_str().filter(|it| !it.contains("%{"))?.into());
        }
    }
    if let TypeKind::Struct(elements) = plain(expected).kind() {
        // A key that the type doesn't have is reported where it is.
        if keys.iter().any(|key| elements.iter().all(|it| it.name != *key)) {
            return None;
        }
        let is_missing = |it: &&StructElement| {
            let is_needed = !it.optional && !assignable(dialect(), &it.value, &Type::undef());
            is_needed && !keys.contains(&it.name)
        };
        if let Some(missing) = elements.iter().find(is_missing) {
            let (_, it) = given.last().filter(|(last, _)| *last == file)?;
            let message = format!("{subject} expects a value for key '{}'", missing.name);
            return Some(Wrong { range: it.places.range, message });
        }
    }
    if !is_deep {
        return None;
    }
    keys.iter().find_map(|key| {
        let expected = match plain(expected).kind() {
            TypeKind::Hash(_, value, _) => value,
            TypeKind::Struct(elements) => &elements.iter().find(|it| it.name == *key)?.value,
            _ => return None,
        };
        let step = Step::Key(key.clone());
        let parts: Vec<(File, Given<'_>)> = given
            .iter()
            .filter_map(|(file, it)| {
                let (value, places) = step.lead(it.value, it.places)?;
                Some((*file, Given { value, places, encrypted: it.encrypted }))
            })
            .collect();
        lacking(&parts, file, is_deep, &format!("{subject} entry '{key}'"), expected)
    })
}

/// A type without `Optional` and aliases.
fn plain(it: &Type) -> &Type {
    match it.resolved().kind() {
        TypeKind::Optional(Some(inner)) => plain(inner),
        _ => it.resolved(),
    }
}
