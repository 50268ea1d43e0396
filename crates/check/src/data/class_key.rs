//! What a key of data means to automatic lookup (G12).

use marotte_db::module_folder;
use marotte_hir::{Item, NameKind};
use marotte_resolve::names::{Lookup, look_up};
use marotte_text::split_namespace;

use super::DataFile;

/// What a key means.
pub(crate) enum ClassKey<'db> {
    /// A parameter of a class; its index.
    Parameter(Item<'db>, usize),
    /// Of a class that has no such parameter; the name of the parameter.
    NoParameter(Item<'db>, &'db str),
    /// Of a class that does not exist; its name.
    NoClass(&'db str),
    /// It belongs to no module that is here, or no automatic lookup asks for such a key.
    Other,
    /// Nobody can say.
    Unknown,
}

/// What a key of a file means.
pub(crate) fn class_key<'db>(data: &DataFile<'db>, key: &'db str) -> ClassKey<'db> {
    let Some((class, parameter)) = split_namespace(key) else { return ClassKey::Other };
    let is_name = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    };
    if !class.split("::").all(is_name) || !is_name(parameter) {
        return ClassKey::Other;
    }
    let module = class.split("::").next().unwrap_or_default();
    if module_folder(data.db, data.environment, module.into()).is_none() {
        return ClassKey::Other;
    }
    match look_up(data.db, data.file, NameKind::Class, class) {
        Lookup::Unknown => ClassKey::Unknown,
        Lookup::Missing => ClassKey::NoClass(class),
        Lookup::Found(item) => {
            let mut parameters = item.signature(data.db).parameters.iter();
            match parameters.position(|it| it.name == parameter) {
                Some(index) => ClassKey::Parameter(item, index),
                None => ClassKey::NoParameter(item, parameter),
            }
        }
    }
}
