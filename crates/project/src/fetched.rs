//! The modules that Puppetfiles fetch.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, Environment, Layout};
use marotte_resolve::puppetfile::puppetfile;

/// Returns the folders of the modules that Puppetfiles fetch from elsewhere.
pub fn fetched_modules(db: &dyn Db) -> Vec<Utf8PathBuf> {
    let folders = |environment: &Environment| {
        let modules = puppetfile(db, *environment).map(|(_, it)| &*it.modules).unwrap_or_default();
        let fetched = modules.iter().filter(|it| !it.is_local);
        let folders = environment.modules(db);
        fetched.filter_map(|it| folders.folder(&it.name).map(Utf8Path::to_owned)).collect::<Vec<_>>()
    };
    Layout::get(db).environments(db).iter().flat_map(folders).collect()
}
