//! The modules that Puppetfiles fetch.

use marotte_diagnostics::{Diagnostic, rules};
use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, Environment, EnvironmentSet};
use marotte_resolve::puppetfile::puppetfile;
use marotte_text::Str;

/// Whether a finding in a module that is fetched is not for the module's author to fix: bugs of marotte, and files that cannot be
/// read here.
pub fn is_own_of_reader(finding: &Diagnostic) -> bool {
    [rules::INTERNAL_ERROR, rules::UNREADABLE_FILE].contains(&finding.rule)
}

/// Returns the folders of the modules that Puppetfiles fetch from elsewhere.
pub fn fetched_modules(db: &dyn Db) -> Vec<Utf8PathBuf> {
    let folders = |environment: &Environment| {
        let modules = puppetfile(db, *environment).map(|(_, it)| &*it.modules).unwrap_or_default();
        let fetched = modules.iter().filter(|it| !it.is_local);
        let folders = environment.modules(db);
        fetched.filter_map(|it| folders.folder(&it.name).map(Utf8Path::to_owned)).collect::<Vec<_>>()
    };
    EnvironmentSet::get(db).environments(db).iter().flat_map(folders).collect()
}

/// Returns the names of the modules that Puppetfiles list and that are in no folder of the module path.
pub(crate) fn uninstalled_modules(db: &dyn Db) -> BTreeSet<Str> {
    let missing = |environment: &Environment| {
        let modules = puppetfile(db, *environment).map(|(_, it)| &*it.modules).unwrap_or_default();
        let missing = modules.iter().filter(|it| environment.modules(db).folder(&it.name).is_none());
        missing.map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    EnvironmentSet::get(db).environments(db).iter().flat_map(missing).collect()
}
