//! The files in which names of an environment may occur.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Environment, File, below, below_entered, files_below};
use marotte_hiera::Layer;
use marotte_resolve::data_files::{config_file, data_files};

use crate::Db;

/// The folders of a module that contain Puppet code, or templates.
const CODE: [&str; 7] = ["manifests", "functions", "types", "plans", "templates", "examples", "tests"];

/// The manifests and templates of an environment: those of its modules, and those outside of them.
#[salsa::tracked(returns(deref))]
pub(crate) fn code_files(db: &dyn Db, environment: Environment) -> Box<[File]> {
    let is_code = |path: &Utf8Path| matches!(path.extension(), Some("pp" | "epp"));
    let mut paths: BTreeSet<Utf8PathBuf> = environment.manifests(db).iter().cloned().collect();
    let modules = environment.modules(db).iter().map(|(_, folder)| folder);
    for root in modules.chain(environment.root(db)) {
        for folder in CODE {
            paths.extend(below(db, &root.join(folder), is_code).files);
        }
    }
    paths.iter().map(|it| db.files().file(db, it)).collect()
}

/// The data files of an environment and its modules, and their configurations.
#[salsa::tracked(returns(deref))]
pub(crate) fn hiera_files(db: &dyn Db, environment: Environment) -> Box<[File]> {
    let mut found = BTreeSet::new();
    let modules = environment.modules(db).iter().map(|(name, _)| Layer::Module(name.clone()));
    for layer in [Layer::Environment].into_iter().chain(modules) {
        let data = data_files(db, environment, layer.clone());
        found.extend(data.files.iter().map(|(file, _)| *file));
        found.extend(config_file(db, environment, &layer));
    }
    found.into_iter().collect()
}

/// The Ruby files of an environment, and its ERB templates.
#[salsa::tracked(returns(deref))]
pub(crate) fn ruby_files(db: &dyn Db, environment: Environment) -> Box<[File]> {
    let modules = environment.modules(db).iter().map(|(_, folder)| folder);
    let mut found = BTreeSet::new();
    for root in modules.chain(environment.root(db)) {
        for (folder, extension) in [("lib", "rb"), ("templates", "erb")] {
            let paths = files_below(db, &root.join(folder), extension);
            found.extend(paths.iter().map(|it| db.files().file(db, it)));
        }
    }
    found.into_iter().collect()
}

/// The file extensions of all texts that may name a definition.
const NAMING: [&str; 7] = ["pp", "epp", "yaml", "eyaml", "json", "rb", "erb"];

/// The result of [`naming_files`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamingFiles {
    /// The files, each listed once, ordered by path.
    pub(crate) files: Box<[File]>,
    /// Whether all folders were searched.
    pub(crate) is_complete: bool,
}

/// Returns all files of an environment and its modules that may name a definition, even if nothing is known to read them: data
/// below a `datadir` that a server has elsewhere, code in unusual folders. Hidden folders and those of JavaScript packages are
/// left out.
#[salsa::tracked(returns(ref))]
pub(crate) fn naming_files(db: &dyn Db, environment: Environment) -> NamingFiles {
    let is_naming = |path: &Utf8Path| path.extension().is_some_and(|it| NAMING.contains(&it));
    let enters = |name: &str| !name.starts_with('.') && name != "node_modules";
    let root = environment.root(db);
    let modules = environment.modules(db).iter().map(|(_, folder)| folder);
    let outside = modules.filter(|it| root.is_none_or(|root| !it.starts_with(root)));
    let mut paths: BTreeSet<Utf8PathBuf> = environment.manifests(db).iter().cloned().collect();
    let mut is_complete = true;
    for folder in root.into_iter().chain(outside) {
        let found = below_entered(db, folder, enters, is_naming);
        is_complete &= found.is_complete;
        paths.extend(found.files);
    }
    NamingFiles { files: paths.iter().map(|it| db.files().file(db, it)).collect(), is_complete }
}
