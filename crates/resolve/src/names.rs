//! Resolution of names, including whether a name that is undefined here might be defined elsewhere.

use camino::Utf8PathBuf;
use marotte_db::{
    Db, Environment, File, FileStatus, environment_of, is_left_out, module_file, module_folder,
};
use marotte_hir::{
    Item, Name, NameKind, Resolved, definition_files, is_readable, module_definitions, resolve,
};
use marotte_text::{Str, first_segment, normalized};

use crate::autoload::is_misplaced;
use crate::autoload::is_refused;
use crate::manifests::manifests;
use crate::metadata::{has_metadata, metadata};

/// The result of looking up a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'db> {
    /// The name refers to this item.
    Found(Item<'db>),
    /// The name is undefined: every place that could define it was searched.
    Missing,
    /// The name may be defined in a place that isn't available: in a missing module or file, or in a file that cannot be read.
    Unknown,
}

/// Looks up the definition of a name, as seen from a file.
pub fn look_up<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Lookup<'db> {
    if let Some(it) = find(db, from, kind, name) {
        return if it.is_readable { Lookup::Found(it.item) } else { Lookup::Unknown };
    }
    let environment = environment_of(db, from);
    let name = normalized(name);
    let module = module_of(&name);
    if module_folder(db, environment, module.into()).is_none() {
        return match may_be_elsewhere(db, from, environment, module) {
            true => Lookup::Unknown,
            false => Lookup::Missing,
        };
    }
    let files = definition_files(db, environment, kind, &name);
    // In that case, Puppet reports an error in the file that it reads, not in the name. The same holds for a file that is for
    // this name and contains another.
    let is_hidden = files.iter().enumerate().any(|(index, path)| {
        let file = db.files().file(db, path);
        match file.status(db) {
            FileStatus::Exists => {
                !is_readable(db, file) || is_refused(db, file) || (index == 0 && is_misplaced(db, file))
            }
            FileStatus::Missing => is_left_out(db, path),
            FileStatus::Special | FileStatus::Unsearchable => true,
            FileStatus::Folder => false,
        }
    });
    if is_hidden || may_be_of_tests(db, from, module) || main_manifest_is_broken(db, environment) {
        Lookup::Unknown
    } else {
        Lookup::Missing
    }
}

/// The definition that a name refers to, as far as the available files say.
fn find<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Resolved<'db>> {
    if let Some(it) = resolve(db, from, kind, name) {
        return Some(it);
    }
    let environment = environment_of(db, from);
    let name = normalized(name);
    let module = module_of(&name);
    let item = match module_folder(db, environment, module.into()) {
        None => beside_another(db, environment, kind, &name)?,
        // It may have been loaded together with a file for another name.
        Some(_) => *module_definitions(db, environment, module.into()).get(&(kind, Name::of(db, &name)))?,
    };
    Some(Resolved { item, is_readable: is_readable(db, item.file(db)) })
}

/// A definition whose name merely starts with its module's name, such as `foo_key` in `foo`: the reference accepts it, and code
/// that has used another definition of its file can use it, too.
fn beside_another<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    if !matches!(kind, NameKind::Class | NameKind::Define) {
        return None;
    }
    // Names of resource types come here, too, and are rarely alike: most modules differ in the first letter.
    let first = name.as_bytes().first();
    let modules = environment.modules(db).iter();
    let modules = modules.filter(|(it, _)| it.as_bytes().first() == first && name.starts_with(&***it));
    let mut found = modules.filter_map(|(module, _)| {
        module_definitions(db, environment, module.clone()).get(&(kind, Name::of(db, name))).copied()
    });
    found.find(|it| !is_refused(db, it.file(db)))
}

/// The module that a name belongs to, normalized for comparison.
pub fn module_of(name: &str) -> &str {
    first_segment(name)
}

/// The definition that a name refers to, if that is certain and the whole file is understood.
pub fn known<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Item<'db>> {
    // Why a name is unknown takes much longer to find out than that it is.
    find(db, from, kind, name).filter(|it| it.is_readable).map(|it| it.item)
}

/// The classes that a class inherits from.
pub struct Ancestors<'db> {
    /// The parent first, then the parent's parent, and so on, each once.
    pub classes: Vec<Item<'db>>,
    /// The end of the chain.
    pub end: AncestorsEnd<'db>,
}

/// The end of a chain of parent classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AncestorsEnd<'db> {
    /// The last class has no parent.
    Nothing,
    /// The next class is unknown, or the chain is too long.
    Unknown,
    /// The next class occurred before: the class itself, or one of its ancestors.
    Circle(Item<'db>),
}

/// The parent of a class, if it is known.
#[salsa::tracked(returns(copy))]
pub fn parent<'db>(db: &'db dyn Db, class: Item<'db>) -> Option<Item<'db>> {
    known(db, class.file(db), NameKind::Class, class.signature(db).parent.as_ref()?)
}

/// Collects the ancestors of a class.
pub fn ancestors<'db>(db: &'db dyn Db, class: Item<'db>) -> Ancestors<'db> {
    /// The maximum length of a chain of classes, longer than any real one; every class of a long chain requests its ancestors.
    const MOST: usize = 100;
    let mut classes = Vec::new();
    let mut at = class;
    let end = loop {
        // Not cached: the query would only be one more to revalidate after each edit.
        if at.signature(db).parent.is_none() {
            break AncestorsEnd::Nothing;
        }
        let Some(parent) = parent(db, at) else { break AncestorsEnd::Unknown };
        if parent == class || classes.contains(&parent) {
            break AncestorsEnd::Circle(parent);
        }
        if classes.len() == MOST {
            break AncestorsEnd::Unknown;
        }
        classes.push(parent);
        at = parent;
    };
    Ancestors { classes, end }
}

#[salsa::tracked(returns(copy))]
fn main_manifest_is_broken(db: &dyn Db, environment: Environment) -> bool {
    manifests(db, environment).any(|file| !is_readable(db, file))
}

/// Whether a missing module might exist elsewhere: the environment's module path isn't known to be complete, git ignores the
/// module, or an available module requires one that isn't available.
pub fn may_be_elsewhere(db: &dyn Db, from: File, environment: Environment, module: &str) -> bool {
    let is_left_out = |folder: &Utf8PathBuf| is_left_out(db, &folder.join(module));
    if !environment.is_complete(db)
        || is_of_tests(db, from)
        || environment.module_path(db).iter().any(is_left_out)
    {
        return true;
    }
    requires(db, from, environment, |it| it == module)
}

/// Whether the module of a file requires one for which this holds. Metadata that cannot be read may require any.
fn requires(db: &dyn Db, from: File, environment: Environment, is_it: impl FnMut(&Str) -> bool) -> bool {
    let Some(own) = module_file(db, from) else { return false };
    match metadata(db, environment, own.module.clone()) {
        Some(it) => it.dependencies.iter().any(is_it),
        None => has_metadata(db, environment, &own.module),
    }
}

/// Whether names that belong to no module (resource types, functions of the 3.x API, facts) might be defined by a module that
/// isn't available.
pub fn lacks_modules(db: &dyn Db, from: File, environment: Environment) -> bool {
    let is_missing = |name: &Str| module_folder(db, environment, name.clone()).is_none();
    !environment.is_complete(db) || is_of_tests(db, from) || requires(db, from, environment, is_missing)
}

/// Whether a name may refer to another module than the available one: tests bring modules of their own, except for the one
/// under test.
pub fn may_be_of_tests(db: &dyn Db, from: File, module: &str) -> bool {
    is_of_tests(db, from) && module_file(db, from).is_none_or(|it| it.module != module)
}

/// Whether a file belongs to the tests of a module, which bring modules of their own.
fn is_of_tests(db: &dyn Db, from: File) -> bool {
    module_file(db, from).is_some_and(|it| it.folder() == Some("spec"))
}
