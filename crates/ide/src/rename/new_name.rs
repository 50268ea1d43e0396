//! Validates a new name, and checks that it isn't taken.

use marotte_check::semantics::{self, definition};
use marotte_db::{FileStatus, environment_of, module_folder};
use marotte_hir::{Item, ItemKind, NameKind, definition_files, items};
use marotte_text::{normalized, split_namespace, unrooted};

use super::{FileMove, RefusedRename, refuse};
use crate::Db;

/// The keywords of the language.
const KEYWORDS: [&str; 22] = [
    "and",
    "application",
    "attr",
    "case",
    "class",
    "consumes",
    "default",
    "define",
    "else",
    "elsif",
    "false",
    "function",
    "if",
    "import",
    "in",
    "inherits",
    "node",
    "or",
    "produces",
    "site",
    "true",
    "undef",
];

/// Variables that must not be set.
const RESERVED_VARIABLES: [&str; 7] =
    ["facts", "trusted", "server_facts", "title", "name", "module_name", "caller_module_name"];

/// Rejects an invalid name for a definition.
pub(super) fn of_item(db: &dyn Db, item: Item<'_>, new: &str) -> Result<(), RefusedRename> {
    let file = item.file(db);
    let noun = item.kind(db).noun();
    let is_type = item.kind(db) == ItemKind::TypeAlias;
    let is_word = |it: &str| {
        let mut letters = it.chars();
        let first = letters.next();
        let is_first = |it: char| if is_type { it.is_ascii_uppercase() } else { it.is_ascii_lowercase() };
        first.is_some_and(is_first)
            && letters.all(|it| {
                it == '_'
                    || it.is_ascii_digit()
                    || it.is_ascii_lowercase()
                    || (is_type && it.is_ascii_uppercase())
            })
    };
    if !new.split("::").all(is_word) {
        let shape = if is_type { "capitalized words" } else { "lower-case words" };
        return refuse(format!("`{new}` is not a name for a {noun}: {shape} with `::` between them are"));
    }
    if KEYWORDS.contains(&new) || new == "unless" || new == "main" || new == "settings" {
        return refuse(format!("`{new}` is a word of the language"));
    }
    let module = normalized(new.split("::").next().unwrap_or_default());
    let is_in_module = marotte_db::module_file(db, file).is_some();
    if is_in_module && module_folder(db, environment_of(db, file), module.clone()).is_none() {
        return refuse(format!("there is no module `{module}`"));
    }
    let kinds: &[NameKind] = match item.kind(db) {
        ItemKind::Class | ItemKind::Define => &[NameKind::Class, NameKind::Define],
        ItemKind::Function => &[NameKind::Function],
        ItemKind::TypeAlias => &[NameKind::TypeAlias, NameKind::Define],
        _ => &[],
    };
    for kind in kinds {
        if let Some(found) = definition(db, file, *kind, new).filter(|it| *it != item) {
            return refuse(format!("there is a {} `{new}` already", found.kind(db).noun()));
        }
    }
    let is_taken = match item.kind(db) {
        ItemKind::Define => semantics::resource_type(db, file, new).is_some(),
        ItemKind::Function => semantics::function(db, file, new).is_some(),
        ItemKind::TypeAlias => semantics::type_name(db, file, new).is_some(),
        _ => false,
    };
    if is_taken && normalized(item.name(db)) != normalized(new) {
        return refuse(format!("there is a {noun} `{new}` already"));
    }
    Ok(())
}

/// The new location of a definition's file, if it has to be moved.
pub(super) fn file_move(db: &dyn Db, item: Item<'_>, new: &str) -> Result<Option<FileMove>, RefusedRename> {
    let file = item.file(db);
    let path = file.path(db);
    let environment = environment_of(db, file);
    let Some(kind) = NameKind::of(item.kind(db)) else { return Ok(None) };
    if marotte_db::module_file(db, file).is_none() && environment.manifests(db).contains(path) {
        return Ok(None);
    }
    let old_places = definition_files(db, environment, kind, &normalized(item.name(db)));
    let new_places = definition_files(db, environment, kind, &normalized(new));
    let is_own = old_places.first() == Some(path);
    let (Some(to), true) = (new_places.first(), old_places.contains(path)) else {
        // The autoloader doesn't find the file by this name, neither before nor after.
        return Ok(None);
    };
    if to == path {
        return Ok(None);
    }
    let others = items(db, file).iter().skip(1).filter(|it| **it != item).count();
    if !is_own || others > 0 {
        // The file stays where it is, if the definition is found there.
        return match new_places.contains(path) {
            true => Ok(None),
            false => {
                refuse(format!("`{new}` would not be found in `{}`, which defines something else, too", path))
            }
        };
    }
    if db.files().file(db, to).status(db) != FileStatus::Missing {
        return refuse(format!("there is a file `{to}` already"));
    }
    Ok(Some(FileMove { from: path.clone(), to: to.clone() }))
}

/// Rejects an invalid name for a variable.
pub(super) fn of_variable(new: &str, is_attribute: bool) -> Result<(), RefusedRename> {
    let mut letters = new.chars();
    let is_name = letters.next().is_some_and(|it| it.is_ascii_lowercase() || it == '_')
        && letters.all(|it| it.is_ascii_alphanumeric() || it == '_');
    if !is_name {
        return refuse(format!(
            "`{new}` is not a name for a variable: a lower-case letter or `_`, then letters, digits and `_` are"
        ));
    }
    // In `"${true}"`, it is no variable.
    if ["default", "false", "true", "undef"].contains(&new) {
        return refuse(format!("`{new}` is a word of the language"));
    }
    if RESERVED_VARIABLES.contains(&new) || (is_attribute && semantics::metaparameters().any(|it| it == new))
    {
        return refuse(format!("the variable `${new}` belongs to the language"));
    }
    if is_attribute && new.starts_with('_') {
        return refuse(format!("`{new}` is not a name for a parameter: those begin with a letter"));
    }
    Ok(())
}

/// Rejects an invalid data key.
pub(super) fn of_key(new: &str) -> Result<(), RefusedRename> {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '-');
    if new.is_empty() || !new.chars().all(is_plain) || new.starts_with(['-', ':']) || new.ends_with(':') {
        return refuse(format!("`{new}` is not a key that can appear without quotes"));
    }
    Ok(())
}

/// Whether two names have the same namespace.
pub(super) fn same_namespace(one: &str, other: &str) -> bool {
    let namespace = |it: &str| split_namespace(unrooted(it)).map(|(outer, _)| normalized(outer));
    namespace(one) == namespace(other)
}
