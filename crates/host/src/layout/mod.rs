//! The environments of a code tree: the locations of their modules, main manifests and configurations.

mod environment;
mod wildcards;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Environment, EnvironmentSet, Modules, System};
use salsa::{Durability, Setter as _};

use crate::ProjectDatabase;

pub use environment::{is_module_name, layout, linked_modules, loose_layout};
pub use marotte_resolve::environment_conf::ENVIRONMENT_FILE;
pub use marotte_resolve::puppetfile::PUPPETFILE;

/// The name of the file with a module's metadata.
pub const METADATA_FILE: &str = "metadata.json";

/// The locations of an environment's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvironmentLayout {
    /// The environment's folder; None for the loose environment.
    pub root: Option<Utf8PathBuf>,
    /// The folders that contain modules, in order of precedence.
    pub module_path: Vec<Utf8PathBuf>,
    /// The modules.
    pub modules: Modules,
    /// The main manifest, a file or a folder.
    pub main_manifest: Option<Utf8PathBuf>,
    /// The files of the main manifest, in order.
    pub manifests: Vec<Utf8PathBuf>,
    /// A module that isn't listed doesn't exist.
    pub is_complete: bool,
}

/// The paths of an environment, which are found without listing its modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvironmentPaths {
    /// The folder that contains the environment's configuration and code.
    pub root: Utf8PathBuf,
    /// The folders that contain modules, in order of precedence.
    pub module_path: Vec<Utf8PathBuf>,
    /// The main manifest, a file or a folder. It may not exist.
    pub main_manifest: Utf8PathBuf,
    /// The files of the main manifest, in order.
    pub manifests: Vec<Utf8PathBuf>,
}

/// The module path of the environment in a folder.
pub fn module_path(system: &dyn System, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    environment::read(system, folder).module_path
}

/// The folder of the environment that contains a path, or is at the path, found by its configuration file. Reads no file.
pub fn environment_folder(system: &dyn System, path: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = path.ancestors().find(|folder| system.is_file(&folder.join(ENVIRONMENT_FILE)))?;
    Some(folder.to_owned())
}

/// Like [`environment_folder`], with the nearest folder that contains `manifests` as the fallback.
pub fn environment_around(system: &dyn System, path: &Utf8Path) -> Option<Utf8PathBuf> {
    let with_manifests = || path.ancestors().find(|it| system.is_directory(&it.join("manifests")));
    environment_folder(system, path).or_else(|| with_manifests().map(Utf8Path::to_owned))
}

/// The paths of the environment that contains a path, or is at the path; without a configuration file, a folder with
/// `manifests` is an environment, too. Module folders that the user named replace its own. None if there is no environment.
pub fn environment_at(
    system: &dyn System,
    path: &Utf8Path,
    module_path: &[Utf8PathBuf],
) -> Option<EnvironmentPaths> {
    let root = environment_around(system, path)?;
    let own = environment::read(system, &root);
    Some(EnvironmentPaths {
        root,
        module_path: if module_path.is_empty() { own.module_path } else { module_path.to_vec() },
        manifests: environment::manifests(system, &own.main_manifest),
        main_manifest: own.main_manifest,
    })
}

/// The environments of a single code tree: the one in a folder, if it exists, then the loose one.
pub fn layouts(
    system: &dyn System,
    root: Option<&Utf8Path>,
    module_path: &[Utf8PathBuf],
    manifests: &[Utf8PathBuf],
) -> Vec<EnvironmentLayout> {
    let mut loose = environment::loose_layout(system, module_path);
    let own = root.map(|root| EnvironmentLayout {
        root: Some(root.to_owned()),
        manifests: manifests.to_vec(),
        ..loose.clone()
    });
    if own.is_none() {
        loose.manifests = manifests.to_vec();
    }
    own.into_iter().chain([loose]).collect()
}

/// The files of a main manifest, which is a file or a folder, in order of evaluation.
pub fn main_manifests(system: &dyn System, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    environment::manifests(system, path)
}

/// The data provider that the configuration of an environment names.
pub fn data_provider(configuration: &str) -> Option<&str> {
    marotte_resolve::environment_conf::setting(configuration, "environment_data_provider")
}

/// Updates the environments of the database. Returns whether anything changed.
pub fn set_layout(db: &mut ProjectDatabase, layouts: Vec<EnvironmentLayout>) -> bool {
    let layout = EnvironmentSet::get(db);
    let known = layout.environments(db).to_vec();
    let mut changed = false;
    let mut environments = Vec::with_capacity(layouts.len());
    for new in layouts {
        match known.iter().find(|it| it.root(db) == new.root.as_deref()) {
            Some(&environment) => {
                changed |= update(db, environment, new);
                environments.push(environment);
            }
            None => {
                let environment = Environment::builder(
                    new.root,
                    new.module_path.into(),
                    Arc::new(new.modules),
                    new.main_manifest,
                    new.manifests.into(),
                    new.is_complete,
                );
                environments.push(environment.durability(Durability::HIGH).new(db));
            }
        }
    }
    if environments != known {
        layout.set_environments(db).to(environments.into());
        changed = true;
    }
    changed
}

/// Sets the fields that differ: every call of a setter counts as a change.
fn update(db: &mut ProjectDatabase, environment: Environment, new: EnvironmentLayout) -> bool {
    let EnvironmentLayout { root: _, module_path, modules, main_manifest, manifests, is_complete } = new;
    let mut changed = false;
    if *environment.module_path(db) != *module_path {
        environment.set_module_path(db).to(module_path.into());
        changed = true;
    }
    if **environment.modules(db) != modules {
        environment.set_modules(db).to(Arc::new(modules));
        changed = true;
    }
    if environment.main_manifest(db) != main_manifest.as_deref() {
        environment.set_main_manifest(db).to(main_manifest);
        changed = true;
    }
    if *environment.manifests(db) != *manifests {
        environment.set_manifests(db).to(manifests.into());
        changed = true;
    }
    if environment.is_complete(db) != is_complete {
        environment.set_is_complete(db).to(is_complete);
        changed = true;
    }
    changed
}
