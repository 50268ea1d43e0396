//! The environments of a tree of code: where each has its modules, its main manifests and its configuration.

mod environment;
mod puppetfile;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Environment, Layout, Modules, System};
use salsa::{Durability, Setter as _};

use crate::ProjectDatabase;

pub use environment::{FILE_NAME as ENVIRONMENT_FILE, layout, loose_layout};
pub use puppetfile::FILE_NAME as PUPPETFILE;

/// The name of the file in which a module describes itself.
pub const METADATA_FILE: &str = "metadata.json";

/// Where an environment has what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvironmentLayout {
    /// Its folder.
    pub root: Option<Utf8PathBuf>,
    /// Folders that hold modules, in order of precedence.
    pub module_path: Vec<Utf8PathBuf>,
    /// The modules.
    pub modules: Modules,
    /// The main manifest, a file or a folder.
    pub main_manifest: Option<Utf8PathBuf>,
    /// The files of the main manifest, in order.
    pub manifests: Vec<Utf8PathBuf>,
    /// A module that is not here does not exist.
    pub is_complete: bool,
}

/// The folder of the environment that a path lies in, or is, and its module path.
pub fn environment_of(system: &dyn System, path: &Utf8Path) -> Option<(Utf8PathBuf, Vec<Utf8PathBuf>)> {
    let folder = environment_folder(system, path)?;
    let module_path = environment::read(system, &folder).module_path;
    Some((folder, module_path))
}

/// The folder of the environment that a path lies in, or is, by its configuration. Reads nothing.
pub fn environment_folder(system: &dyn System, path: &Utf8Path) -> Option<Utf8PathBuf> {
    let folder = path.ancestors().find(|folder| system.is_file(&folder.join(environment::FILE_NAME)))?;
    Some(folder.to_owned())
}

/// The same, or else the nearest folder that has `manifests`.
pub fn environment_around(system: &dyn System, path: &Utf8Path) -> Option<Utf8PathBuf> {
    let with_manifests = || path.ancestors().find(|it| system.is_directory(&it.join("manifests")));
    environment_folder(system, path).or_else(|| with_manifests().map(Utf8Path::to_owned))
}

/// What the environment consists of that a path lies in, or is; without the configuration of one, a folder with `manifests`
/// is one, too. Folders of modules that are named stand in for its own. None if there is none.
pub fn environment_at(
    system: &dyn System,
    path: &Utf8Path,
    module_path: &[Utf8PathBuf],
) -> Option<EnvironmentLayout> {
    Some(environment::layout(system, &environment_around(system, path)?, module_path))
}

/// The environments of a tree of code alone: that in a folder, if there is one, and last that of whatever is in none.
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

/// The files of a main manifest, a file or a folder of them, in the order in which they are evaluated.
pub fn main_manifests(system: &dyn System, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    environment::manifests(system, path)
}

/// What the configuration of an environment names as its data provider.
pub fn data_provider(configuration: &str) -> Option<&str> {
    environment::setting(configuration, "environment_data_provider")
}

/// Tells the database which environments there are, and says whether anything is different.
pub fn set_layout(db: &mut ProjectDatabase, layouts: Vec<EnvironmentLayout>) -> bool {
    let layout = Layout::get(db);
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

/// Sets what is different: every setter counts as a change.
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
