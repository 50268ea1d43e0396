//! The facts of the nodes that the settings name.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db as _, File, System, environment_of};
use marotte_host::Facts;

use crate::snapshot::Snapshot;

/// The path of the facts in the settings: a file, or a folder with a file for each node. Relative to the environment of a file.
pub(crate) fn path(snapshot: &Snapshot, file: File) -> Option<Utf8PathBuf> {
    let named = snapshot.server.facts.as_deref()?;
    let root = environment_of(&snapshot.db, file).root(&snapshot.db);
    let base = root.or(snapshot.root.as_deref()).unwrap_or(Utf8Path::new("."));
    Some(snapshot.db.system().absolute(&base.join(named)))
}

/// The files of facts at a path, in order: the file itself, or those in a folder.
pub(crate) fn files(system: &dyn System, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    if !system.is_directory(path) {
        return vec![path.to_owned()];
    }
    let is_facts = |it: &Utf8PathBuf| matches!(it.extension(), Some("yaml" | "yml" | "json"));
    let entries = system.list(path).unwrap_or_default().into_iter();
    let mut files: Vec<_> =
        entries.filter(|it| !it.is_directory).map(|it| path.join(it.name)).filter(is_facts).collect();
    files.sort();
    files
}

/// The facts in a file. A node without a name has that of its file.
pub(crate) fn of_file(system: &dyn System, path: &Utf8Path) -> Result<Facts, marotte_host::FactsError> {
    let facts = Facts::read(system, path)?;
    Ok(match (&facts.name, path.file_stem()) {
        (None, Some(stem)) => facts.named(stem),
        _ => facts,
    })
}
