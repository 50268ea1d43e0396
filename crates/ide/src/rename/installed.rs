//! Files that others put there: the modules that a Puppetfile lists.

use camino::Utf8Path;
use marotte_db::{Environment, File};
use marotte_resolve::puppetfile::puppetfile;

use super::{RefusedRename, refuse};
use crate::Db;
use crate::hover::shown_path;

/// Refuses to change or move a file in a module that is installed from elsewhere: the next installation would undo that.
pub(super) fn untouched(
    db: &dyn Db,
    environment: Environment,
    files: impl Iterator<Item = File>,
) -> Result<(), RefusedRename> {
    let modules = puppetfile(db, environment).map(|(_, it)| &*it.modules).unwrap_or_default();
    let installed = modules.iter().filter(|it| !it.is_local);
    let folders: Vec<&Utf8Path> =
        installed.filter_map(|it| environment.modules(db).folder(&it.name)).collect();
    if folders.is_empty() {
        return Ok(());
    }
    for file in files {
        if folders.iter().any(|it| file.path(db).starts_with(it)) {
            return refuse(format!(
                "`{}` belongs to a module of the Puppetfile: the next installation would undo the change",
                shown_path(db, environment, file)
            ));
        }
    }
    Ok(())
}
