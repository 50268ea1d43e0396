//! Resolution of data keys in automatic parameter lookup (G12).

use marotte_db::{Db, File, environment_of, module_folder};
use marotte_hir::{Item, NameKind};
use marotte_resolve::names::{Lookup, look_up};
use marotte_text::split_namespace;

/// The result of resolving a key.
pub(crate) enum ClassKey<'db> {
    /// A parameter of a class: the class, and the index of the parameter.
    Parameter(Item<'db>, usize),
    /// A class without such a parameter: the class, and the name of the parameter.
    NoParameter(Item<'db>, &'db str),
    /// A class that doesn't exist: its name.
    NoClass(&'db str),
    /// The key belongs to no available module, or automatic lookup never requests such a key.
    Other,
    /// The key can't be resolved with certainty.
    Unknown,
}

/// Resolves a key of a data file.
pub(crate) fn class_key<'db>(db: &'db dyn Db, file: File, key: &'db str) -> ClassKey<'db> {
    let Some((class, parameter)) = split_namespace(key) else { return ClassKey::Other };
    let is_name = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    };
    if !class.split("::").all(is_name) || !is_name(parameter) {
        return ClassKey::Other;
    }
    let module = class.split("::").next().unwrap_or_default();
    if module_folder(db, environment_of(db, file), module.into()).is_none() {
        return ClassKey::Other;
    }
    match look_up(db, file, NameKind::Class, class) {
        Lookup::Unknown => ClassKey::Unknown,
        Lookup::Missing => ClassKey::NoClass(class),
        Lookup::Found(item) => {
            let mut parameters = item.signature(db).parameters.iter();
            match parameters.position(|it| it.name == parameter) {
                Some(index) => ClassKey::Parameter(item, index),
                None => ClassKey::NoParameter(item, parameter),
            }
        }
    }
}
