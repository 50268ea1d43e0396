//! Files of modules, by the names that programs use for them (E33).

use camino::Utf8Path;
use marotte_db::{
    Db, Environment, File, FileStatus, SUBMODULES_FILE_NAME, is_left_out, listing, module_folder,
    source_text, submodules,
};

use crate::names::{may_be_elsewhere, may_be_of_tests};
use crate::suggest::misspelled_module;

/// The result of resolving `module/path`.
pub enum ModulePath {
    /// A file, or a folder.
    Found(File),
    /// The module has no such file; holds the expected path in the module.
    Missing(String),
    /// The module doesn't exist.
    NoModule,
    /// The module may exist in a place that isn't available.
    Unknown,
}

/// Resolves `module/path` in a folder of the module.
pub fn module_path(
    db: &dyn Db,
    from: File,
    environment: Environment,
    folder: &str,
    name: &str,
) -> ModulePath {
    let Some((module, rest)) = name.split_once('/') else { return ModulePath::Unknown };
    let is_plain = |it: &str| !it.is_empty() && it != "." && it != "..";
    if module.is_empty() || !rest.trim_end_matches('/').split('/').all(is_plain) {
        return ModulePath::Unknown;
    }
    let module = module.to_lowercase();
    let Some(root) = module_folder(db, environment, module.as_str().into()) else {
        let is_unknown = may_be_elsewhere(db, from, environment, &module);
        return if is_unknown { ModulePath::Unknown } else { ModulePath::NoModule };
    };
    let path = Utf8Path::new(folder).join(rest.trim_end_matches('/'));
    let full = root.join(&path);
    let file = db.files().file(db, &full);
    match file.status(db) {
        FileStatus::Missing
            if is_in_submodule(db, &full) || is_left_out(db, &full) || may_be_of_tests(db, from, &module) =>
        {
            ModulePath::Unknown
        }
        FileStatus::Missing => ModulePath::Missing(path.into_string()),
        FileStatus::Unsearchable => ModulePath::Unknown,
        FileStatus::Exists | FileStatus::Folder | FileStatus::Special => ModulePath::Found(file),
    }
}

/// Whether a path is in a git submodule that hasn't been fetched.
fn is_in_submodule(db: &dyn Db, path: &Utf8Path) -> bool {
    path.ancestors().skip(1).any(|folder| {
        let file = db.files().file(db, &folder.join(SUBMODULES_FILE_NAME));
        file.status(db) == FileStatus::Exists
            && submodules(source_text(db, file).text()).map(|it| folder.join(it)).any(|submodule| {
                path.starts_with(&submodule) && listing(db, db.files().file(db, &submodule)).is_empty()
            })
    })
}

/// The name that `module/path` certainly means, if it is that of no available module: the same path in a module whose name is one
/// typo away, and which has the file.
pub fn in_misspelled_module(
    db: &dyn Db,
    from: File,
    environment: Environment,
    folder: &str,
    name: &str,
) -> Option<String> {
    let (module, rest) = name.split_once('/')?;
    if module_folder(db, environment, module.into()).is_some() {
        return None;
    }
    let meant = format!("{}/{rest}", misspelled_module(db, environment, module)?);
    matches!(module_path(db, from, environment, folder, &meant), ModulePath::Found(_)).then_some(meant)
}
