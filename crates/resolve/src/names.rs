//! What names mean, and whether one that means nothing here might mean something elsewhere.

use camino::Utf8PathBuf;
use marotte_db::{
    Db, Environment, File, FileStatus, environment_of, is_left_out, module_file, module_folder,
};
use marotte_hir::{Item, Name, NameKind, definition_files, is_readable, module_definitions, resolve};
use marotte_text::{Str, normalized};

use crate::autoload::is_misplaced;
use crate::autoload::is_refused;
use crate::manifests::manifests;
use crate::metadata::metadata;

/// What is known about a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'db> {
    /// It means this.
    Found(Item<'db>),
    /// It means nothing: wherever it could be defined, it is not.
    Missing,
    /// It may be defined where nobody can look: in a module or a file that is not here, or in a file that cannot be read.
    Unknown,
}

/// Looks for the definition of a name, as seen from a file.
pub fn look_up<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Lookup<'db> {
    let environment = environment_of(db, from);
    let found = |item, is_readable| if is_readable { Lookup::Found(item) } else { Lookup::Unknown };
    if let Some(it) = resolve(db, from, kind, name) {
        return found(it.item, it.is_readable);
    }
    let name = normalized(name);
    let module = module_of(&name);
    if module_folder(db, environment, module.into()).is_none() {
        return if let Some(item) = beside_another(db, environment, kind, &name) {
            found(item, is_readable(db, item.file(db)))
        } else if may_be_elsewhere(db, from, environment, module) {
            Lookup::Unknown
        } else {
            Lookup::Missing
        };
    }
    // It may be known from a file that is loaded for another name.
    if let Some(item) = module_definitions(db, environment, module.into()).get(&(kind, Name::of(db, &name))) {
        return found(*item, is_readable(db, item.file(db)));
    }
    let files = definition_files(db, environment, kind, &name);
    // What Puppet says is wrong with the file that it reads then, not with the name. So it is with a file that is for this name,
    // and has another.
    let is_hidden = files.iter().enumerate().any(|(index, path)| {
        let file = db.files().file(db, path);
        match file.status(db) {
            FileStatus::Exists => {
                !is_readable(db, file) || is_refused(db, file) || (index == 0 && is_misplaced(db, file))
            }
            FileStatus::Missing => is_left_out(db, path),
            FileStatus::NotAFile => false,
        }
    });
    if is_hidden || may_be_of_tests(db, from, module) || main_manifest_is_broken(db, environment) {
        Lookup::Unknown
    } else {
        Lookup::Missing
    }
}

/// A definition whose name only begins like those of the module that it stands in, as `foo_key` in `foo`: the reference takes it, and
/// whoever has used something else of its file has it, too.
fn beside_another<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    if !matches!(kind, NameKind::Class | NameKind::Define) {
        return None;
    }
    let modules = environment.modules(db).iter().filter(|(it, _)| name.starts_with(&***it));
    let mut found = modules.filter_map(|(module, _)| {
        module_definitions(db, environment, module.clone()).get(&(kind, Name::of(db, name))).copied()
    });
    found.find(|it| !is_refused(db, it.file(db)))
}

/// The module that a name belongs to, in the form in which names are compared.
pub fn module_of(name: &str) -> &str {
    name.split("::").next().unwrap_or_default()
}

/// The definition that a name means, if that is certain and all of its file is understood.
pub fn known<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Item<'db>> {
    match look_up(db, from, kind, name) {
        Lookup::Found(item) => Some(item),
        Lookup::Missing | Lookup::Unknown => None,
    }
}

/// The classes that a class inherits from.
pub struct Ancestors<'db> {
    /// The parent first, then the parent's, each once.
    pub classes: Vec<Item<'db>>,
    /// What comes after the last of them.
    pub end: AncestorsEnd<'db>,
}

/// What comes after the last class that a class inherits from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AncestorsEnd<'db> {
    /// Nothing: it inherits from no other.
    Nothing,
    /// A class that is not known, or too many to go on.
    Unknown,
    /// One that was there before: the class itself, or one of those that it inherits from.
    Circle(Item<'db>),
}

/// The class that a class inherits from, if it is known.
#[salsa::tracked(returns(copy))]
fn parent<'db>(db: &'db dyn Db, class: Item<'db>) -> Option<Item<'db>> {
    known(db, class.file(db), NameKind::Class, class.signature(db).parent.as_ref()?)
}

/// Looks for the classes that a class inherits from.
pub fn ancestors<'db>(db: &'db dyn Db, class: Item<'db>) -> Ancestors<'db> {
    /// More than people write; every class of a long chain is asked for its ancestors.
    const MOST: usize = 100;
    let mut classes = Vec::new();
    let mut at = class;
    let end = loop {
        // Nothing to remember: the query would only be one more to look at after each edit.
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

/// Whether a module that is not here might exist: nobody said where all modules are, git leaves it alone, or a module that is
/// here needs one that is not.
pub fn may_be_elsewhere(db: &dyn Db, from: File, environment: Environment, module: &str) -> bool {
    let is_left_out = |folder: &Utf8PathBuf| is_left_out(db, &folder.join(module));
    if !environment.is_complete(db)
        || is_of_tests(db, from)
        || environment.module_path(db).iter().any(is_left_out)
    {
        return true;
    }
    let own = module_file(db, from).map(|it| it.module.clone());
    own.and_then(|own| metadata(db, environment, own))
        .is_some_and(|it| it.dependencies.iter().any(|it| it == module))
}

/// Whether names that belong to no module (resource types, functions of the 3.x API, facts) might be defined by a module
/// that is not here.
pub fn lacks_modules(db: &dyn Db, from: File, environment: Environment) -> bool {
    let is_missing = |name: &Str| module_folder(db, environment, name.clone()).is_none();
    !environment.is_complete(db)
        || is_of_tests(db, from)
        || module_file(db, from).is_some_and(|it| {
            let metadata = metadata(db, environment, it.module.clone());
            metadata.is_some_and(|it| it.dependencies.iter().any(is_missing))
        })
}

/// Whether a name may mean another module than the one that is here: tests bring their own, but for the one that they are about.
pub fn may_be_of_tests(db: &dyn Db, from: File, module: &str) -> bool {
    is_of_tests(db, from) && module_file(db, from).is_none_or(|it| it.module != module)
}

/// Whether a file belongs to the tests of a module, which have modules of their own.
fn is_of_tests(db: &dyn Db, from: File) -> bool {
    module_file(db, from).is_some_and(|it| it.folder() == Some("spec"))
}
