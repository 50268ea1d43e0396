#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use marotte_db::{
    Db, Environment, File, ModuleFile, environment_of, files_below, may_be_hiera, module_file, module_folder,
};
use marotte_text::{Str, normalized, split_module, split_namespace, unrooted};

use crate::{Item, ItemKind, is_readable, items};

/// A full name: in lower case, without a leading `::` (C19, C20).
#[salsa::interned(debug)]
#[derive(PartialOrd, Ord)]
pub struct Name<'db> {
    /// The text of the name, normalized for comparison.
    #[returns(ref)]
    pub text: Str,
}

impl<'db> Name<'db> {
    /// Normalizes and interns a name.
    pub fn of(db: &'db dyn Db, text: &str) -> Name<'db> {
        Name::new(db, normalized(text))
    }
}

/// A kind of definition that a name can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub enum NameKind {
    /// The name of a class.
    Class,
    /// A resource type written in Puppet.
    Define,
    /// A function written in Puppet.
    Function,
    /// The name of a type alias.
    TypeAlias,
    /// The name of a plan.
    Plan,
}

impl NameKind {
    /// Returns the kind of name of a definition; `None` for items without a name.
    pub fn of(kind: ItemKind) -> Option<NameKind> {
        match kind {
            ItemKind::Class => Some(NameKind::Class),
            ItemKind::Define => Some(NameKind::Define),
            ItemKind::Function => Some(NameKind::Function),
            ItemKind::TypeAlias => Some(NameKind::TypeAlias),
            ItemKind::Plan => Some(NameKind::Plan),
            ItemKind::Program | ItemKind::Template | ItemKind::TypeMapping | ItemKind::Node(_) => None,
        }
    }

    /// The folder of a module whose files define such names.
    pub fn folder(self) -> &'static str {
        match self {
            NameKind::Class | NameKind::Define => "manifests",
            NameKind::Function => "functions",
            NameKind::TypeAlias => "types",
            NameKind::Plan => "plans",
        }
    }
}

/// The definition that a name resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Resolved<'db> {
    /// The definition that the name resolves to.
    pub item: Item<'db>,
    /// Whether its whole file was parsed without errors. If not, nothing certain follows from the rest of the file.
    pub is_readable: bool,
}

/// Resolves a name in a file: to a definition of the file's own program, one of the main manifests, or the one that the
/// autoloader finds (C3, C21–C26).
pub fn resolve<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Resolved<'db>> {
    let name = Name::of(db, name);
    let own = || is_program(db, from).then(|| in_file(db, from, kind, name)).flatten();
    own().or_else(|| definition(db, environment_of(db, from), kind, name))
}

/// Whether a file is a separate program: code outside of modules, and a module's examples and tests, which are applied by
/// themselves. Such a file sees its own definitions and variables.
pub fn is_program(db: &dyn Db, file: File) -> bool {
    let is_applied = |it: &ModuleFile| matches!(it.folder(), Some("examples" | "tests" | "spec"));
    !may_be_hiera(file.path(db)) && module_file(db, file).is_none_or(is_applied)
}

/// Resolves a name in an environment.
#[salsa::tracked(returns(copy))]
pub fn definition<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: Name<'db>,
) -> Option<Resolved<'db>> {
    if let Some(item) = main_definitions(db, environment).get(&(kind, name)) {
        return Some(Resolved { item: *item, is_readable: is_readable(db, item.file(db)) });
    }
    let files = definition_files(db, environment, kind, name.text(db));
    files.into_iter().find_map(|path| in_file(db, db.files().file(db, &path), kind, name))
}

fn in_file<'db>(db: &'db dyn Db, file: File, kind: NameKind, name: Name<'db>) -> Option<Resolved<'db>> {
    /// It takes less time to compare the names of this many items than to keep a table of them.
    const FEW: usize = 32;
    let is_it =
        |it: &&Item<'_>| NameKind::of(it.kind(db)) == Some(kind) && is_named(it.name(db), name.text(db));
    let items = items(db, file);
    let item = match items.len() {
        ..=FEW => *items.iter().find(is_it)?,
        _ => *file_definitions(db, file).get(&(kind, name))?,
    };
    Some(Resolved { item, is_readable: is_readable(db, file) })
}

/// The definitions of a file. The first definition of a name wins.
#[salsa::tracked(returns(ref))]
fn file_definitions(db: &dyn Db, file: File) -> BTreeMap<(NameKind, Name<'_>), Item<'_>> {
    let mut found = BTreeMap::new();
    for item in items(db, file) {
        if let Some(kind) = NameKind::of(item.kind(db)) {
            found.entry((kind, Name::of(db, item.name(db)))).or_insert(*item);
        }
    }
    found
}

fn is_named(written: &str, name: &str) -> bool {
    unrooted(written).eq_ignore_ascii_case(name)
}

/// The files that the autoloader searches for a name in lower case, in this order.
pub fn definition_files(
    db: &dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Vec<Utf8PathBuf> {
    if !name.split("::").all(names_a_file) {
        return Vec::new();
    }
    let (module, rest) = split_module(name).unwrap_or((name, ""));
    let folder = module_folder(db, environment, module.into()).map(|it| it.join(kind.folder()));
    let file = |path: &str| format!("{path}.pp");
    match kind {
        NameKind::Class | NameKind::Define => {
            let Some(folder) = folder else { return Vec::new() };
            let mut files = Vec::new();
            let mut rest = rest;
            while !rest.is_empty() {
                files.push(folder.join(file(&rest.replace("::", "/"))));
                rest = split_namespace(rest).map_or("", |(outer, _)| outer);
            }
            files.push(folder.join("init.pp"));
            files
        }
        NameKind::Function | NameKind::TypeAlias | NameKind::Plan => {
            let mut files = Vec::new();
            if let Some(root) = environment.root(db)
                && (rest.is_empty() || module == "environment")
            {
                files.push(root.join(kind.folder()).join(file(&name.replace("::", "/"))));
            }
            let rest = match (kind, rest) {
                (NameKind::Plan, "") => "init",
                (NameKind::TypeAlias, "") => "init_typeset",
                (_, "") => return files,
                (_, rest) => rest,
            };
            files.extend(folder.map(|it| it.join(file(&rest.replace("::", "/")))));
            files
        }
    }
}

/// Whether a segment of a name may be the name of a file or folder: programs build names from any text, and none may refer to a
/// path outside of the expected folder.
pub fn names_a_file(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains(['/', '\\', '\0'])
}

/// The definitions of an environment's main manifests, which are known before evaluation. Of equal names, the first definition
/// applies.
#[salsa::tracked(returns(ref))]
pub fn main_definitions(db: &dyn Db, environment: Environment) -> BTreeMap<(NameKind, Name<'_>), Item<'_>> {
    let mut found = BTreeMap::new();
    for path in environment.manifests(db) {
        for item in items(db, db.files().file(db, path)) {
            if let Some(kind) = NameKind::of(item.kind(db)) {
                found.entry((kind, Name::of(db, item.name(db)))).or_insert(*item);
            }
        }
    }
    found
}

/// Returns all names that the files of a module define: for suggestions, and because a class that the autoloader doesn't find may
/// be known from a file that was loaded for another definition.
#[salsa::tracked(returns(ref))]
pub fn module_definitions(
    db: &dyn Db,
    environment: Environment,
    module: Str,
) -> BTreeMap<(NameKind, Name<'_>), Item<'_>> {
    let mut found = BTreeMap::new();
    let Some(folder) = module_folder(db, environment, module) else { return found };
    for kind in [NameKind::Class, NameKind::Function, NameKind::TypeAlias, NameKind::Plan] {
        for path in files_below(db, &folder.join(kind.folder()), "pp") {
            for item in items(db, db.files().file(db, &path)) {
                if let Some(kind) = NameKind::of(item.kind(db)) {
                    found.entry((kind, Name::of(db, item.name(db)))).or_insert(*item);
                }
            }
        }
    }
    found
}
