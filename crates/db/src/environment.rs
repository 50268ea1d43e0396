#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;
use marotte_diagnostics::RuleSet;
use marotte_pcore::dialect::Dialect;
use marotte_text::Str;
use salsa::{Durability, Setter as _};

use crate::{DEFAULT_MAX_FILE_SIZE, Db, File, Settings};

/// The environments of a database. A singleton, created with the database.
#[salsa::input(singleton)]
pub struct EnvironmentSet {
    /// The environments with a folder of their own, and, last, the loose environment: that of all files in no other environment.
    #[returns(deref)]
    pub environments: Arc<[Environment]>,
}

impl EnvironmentSet {
    /// Sets the initial inputs of a new database: settings and the loose environment. They seldom change.
    pub fn start(db: &dyn Db) {
        let settings = Settings::builder(
            false,
            DEFAULT_MAX_FILE_SIZE,
            RuleSet::usual(),
            Dialect::puppet8(),
            Dialect::puppet8(),
        );
        let _ = settings.durability(Durability::HIGH).new(db);
        let loose = Environment::builder(None, [].into(), Arc::default(), None, [].into(), false);
        let loose = loose.durability(Durability::HIGH).new(db);
        let _ = EnvironmentSet::builder([loose].into()).durability(Durability::HIGH).new(db);
    }
}

/// Declares that settings and environments never change again, so that queries don't record that they have read them. For databases
/// whose files [never change](crate::Files::frozen), as soon as the layout is known: setters of these inputs panic from then on.
pub fn freeze(db: &mut dyn Db) {
    const FOREVER: Durability = Durability::NEVER_CHANGE;
    let settings = Settings::get(db);
    let (tasks, size, rules) = (settings.tasks(db), settings.max_file_size(db), settings.rules(db));
    let (dialect, read_as) = (settings.dialect(db), settings.read_as(db));
    settings.set_tasks(db).with_durability(FOREVER).to(tasks);
    settings.set_max_file_size(db).with_durability(FOREVER).to(size);
    settings.set_rules(db).with_durability(FOREVER).to(rules);
    settings.set_dialect(db).with_durability(FOREVER).to(dialect);
    settings.set_read_as(db).with_durability(FOREVER).to(read_as);
    let layout = EnvironmentSet::get(db);
    let environments: Arc<[Environment]> = layout.environments(db).into();
    for it in &*environments {
        let (root, main) = (it.root(db).map(Into::into), it.main_manifest(db).map(Into::into));
        let (module_path, manifests) = (it.module_path(db).into(), it.manifests(db).into());
        let (modules, is_complete) = (Arc::clone(it.modules(db)), it.is_complete(db));
        it.set_root(db).with_durability(FOREVER).to(root);
        it.set_main_manifest(db).with_durability(FOREVER).to(main);
        it.set_module_path(db).with_durability(FOREVER).to(module_path);
        it.set_manifests(db).with_durability(FOREVER).to(manifests);
        it.set_modules(db).with_durability(FOREVER).to(modules);
        it.set_is_complete(db).with_durability(FOREVER).to(is_complete);
    }
    layout.set_environments(db).with_durability(FOREVER).to(environments);
}

/// An environment: the context in which the names in its files are resolved.
///
/// # Identity
/// One per folder and database, never freed: its fields are set, not the environment re-created, when its contents change.
#[salsa::input(debug)]
#[derive(PartialOrd, Ord)]
pub struct Environment {
    /// The environment's folder. None for the loose environment.
    #[returns(as_deref)]
    pub root: Option<Utf8PathBuf>,

    /// The folders whose subfolders are modules (module name = folder name); the first that contains a module takes precedence.
    #[returns(deref)]
    pub module_path: Arc<[Utf8PathBuf]>,

    /// The modules in these folders, and those that have a `metadata.json` of their own.
    #[returns(ref)]
    pub modules: Arc<Modules>,

    /// The main manifest: a file, or a folder of manifests. It never belongs to a module, wherever it is.
    #[returns(as_deref)]
    pub main_manifest: Option<Utf8PathBuf>,

    /// The files of the main manifest, in the order in which they are evaluated (C22).
    #[returns(deref)]
    pub manifests: Arc<[Utf8PathBuf]>,

    /// Whether the module path is known and completely available: then a module that isn't in it doesn't exist.
    #[returns(copy)]
    pub is_complete: bool,
}

/// Modules by name and by folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    names: HashMap<Utf8PathBuf, Str>,
    folders: BTreeMap<Str, Utf8PathBuf>,
}

impl Modules {
    /// Adds a module. If several modules have the same name, the first one is kept.
    pub fn insert(&mut self, folder: &Utf8Path, name: Str) {
        self.folders.entry(name.to_lowercase()).or_insert_with(|| folder.to_owned());
        self.names.insert(folder.to_owned(), name);
    }

    /// Adds a module that names refer to instead of another one with the same name.
    pub fn replace(&mut self, folder: &Utf8Path, name: Str) {
        self.folders.insert(name.to_lowercase(), folder.to_owned());
        self.names.insert(folder.to_owned(), name);
    }

    /// The name of the module in a folder.
    pub fn name(&self, folder: &Utf8Path) -> Option<&Str> {
        self.names.get(folder)
    }

    /// The folder of a module, by the module's name in lower case.
    pub fn folder(&self, name: &str) -> Option<&Utf8Path> {
        self.folders.get(name).map(Utf8PathBuf::as_path)
    }

    /// Returns all modules that names can refer to, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Str, &Utf8Path)> {
        self.folders.iter().map(|(name, folder)| (name, folder.as_path()))
    }
}

/// The environment that a file belongs to.
#[salsa::tracked(returns(copy))]
pub fn environment_of(db: &dyn Db, file: File) -> Environment {
    let layout = EnvironmentSet::get(db);
    let environments = layout.environments(db);
    let folders = environments_of_folders(db, layout);
    let first = file.path(db).ancestors().filter_map(|it| folders.get(it)).min();
    // A database is created with the loose environment.
    let loose = environments.last();
    #[expect(clippy::expect_used, reason = "a layout is never without environments")]
    let loose = *loose.expect("the environment of what is in no other");
    first.and_then(|it| environments.get(*it)).copied().unwrap_or(loose)
}

/// The folders of environments, and those of their modules, each with the index of the first environment that it belongs to.
#[salsa::tracked(returns(ref))]
fn environments_of_folders(db: &dyn Db, layout: EnvironmentSet) -> HashMap<Utf8PathBuf, usize> {
    let mut folders = HashMap::default();
    for (index, environment) in layout.environments(db).iter().enumerate() {
        let modules = environment.module_path(db).iter().map(Utf8PathBuf::as_path);
        for folder in environment.root(db).into_iter().chain(modules) {
            folders.entry(folder.to_owned()).or_insert(index);
        }
    }
    folders
}

/// The folder of a module, by the module's name in lower case.
#[salsa::tracked(returns(as_deref))]
pub fn module_folder(db: &dyn Db, environment: Environment, name: Str) -> Option<Utf8PathBuf> {
    environment.modules(db).folder(&name).map(Utf8Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestDb;

    #[test]
    #[should_panic(expected = "never-changing inputs")]
    fn frozen_settings_cannot_be_set() {
        let mut db = TestDb::new([]);
        freeze(&mut db);
        Settings::get(&db).set_tasks(&mut db).to(true);
    }
}
