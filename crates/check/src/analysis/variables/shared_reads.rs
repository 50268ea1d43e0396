//! Variables that many definitions read, and that nothing here sets: probably facts of unavailable modules, and variables of
//! sites. Readers in all modules of a folder are counted together; outside of such folders, those in a folder of manifests, or
//! in a single folder.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::Db;
use marotte_db::{Environment, File, files_below, module_file, module_folder};
use marotte_hir::open_reads;
use marotte_resolve::globals::is_global;
use marotte_resolve::names::lacks_modules;
use marotte_text::Str;

/// A variable that this many definitions read isn't a mistake in all of them.
const MANY: usize = 3;

/// The probable origin of a variable that nothing here sets, judging by its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The variable is probably an error: the reading module relies on variables that are set here.
    Nowhere,
    /// Unknown, because the module that reads it is unknown.
    Unknown,
    /// The site may set it: the reading module relies on variables of the site, or many definitions read it.
    Perhaps,
    /// The site, or one of the unavailable modules, probably sets it.
    Site,
}

/// The probable origin of a variable that a definition in a file reads, and that nothing here sets.
pub(crate) fn origin(db: &dyn Db, file: File, environment: Environment, name: &str) -> Origin {
    let module = module_file(db, file);
    let path = file.path(db);
    let named = path.ancestors().find(|it| it.file_name() == Some("manifests"));
    // Before Puppet 4, files in folders of any name were imported.
    let imported = || path.parent().filter(|_| module.is_none());
    let Some(manifests) = named.or_else(imported) else { return Origin::Nowhere };
    let own = module.and_then(|it| module_folder(db, environment, it.module.to_lowercase()));
    let folder = own.and_then(Utf8Path::parent).unwrap_or(manifests);
    let (folder, manifests): (Str, Str) = (folder.as_str().into(), manifests.as_str().into());
    let lacks_modules = lacks_modules(db, file, environment);
    match readers(db, environment, folder.clone(), name.into()) {
        MANY.. if lacks_modules => Origin::Site,
        // All modules are available, and yet a classifier may set the variable, or an agent may have it as a fact.
        MANY.. => Origin::Perhaps,
        2.. if lacks_modules => Origin::Perhaps,
        _ if reads_site(db, environment, folder, manifests) => Origin::Perhaps,
        // If the module isn't known, the site isn't either.
        _ if environment.root(db).is_none() && module.is_none() && named.is_some() => Origin::Unknown,
        _ => Origin::Nowhere,
    }
}

/// The number of definitions that read a variable which nothing here sets, or 0 if there is only one. Callers depend on this
/// variable only.
#[salsa::tracked(returns(copy))]
fn readers(db: &dyn Db, environment: Environment, folder: Str, name: Str) -> usize {
    shared(db, environment, folder).get(&name).copied().unwrap_or_default()
}

/// Whether a definition in a folder of manifests reads a variable that many of its neighbors read.
#[salsa::tracked(returns(copy))]
fn reads_site(db: &dyn Db, environment: Environment, folder: Str, manifests: Str) -> bool {
    let shared = shared(db, environment, folder);
    let is_of_site = |(name, _): (&Str, _)| shared.get(name).is_some_and(|readers| *readers >= MANY);
    reads_in(db, db.files().file(db, Utf8Path::new(&*manifests))).iter().any(is_of_site)
}

/// The variables that more than one definition in the modules of a folder, or in a folder of manifests, reads, and that nothing
/// here sets, with the number of definitions.
#[salsa::tracked(returns(ref))]
fn shared(db: &dyn Db, environment: Environment, folder: Str) -> BTreeMap<Str, usize> {
    let at = Utf8Path::new(&*folder);
    let modules = environment.modules(db).iter().map(|(_, it)| it).filter(|it| it.parent() == Some(at));
    let mut folders: Vec<Utf8PathBuf> = modules.map(|it| it.join("manifests")).collect();
    if folders.is_empty() {
        folders.push(at.to_owned());
    }
    let mut readers: BTreeMap<&Str, (File, usize)> = BTreeMap::new();
    for folder in folders {
        for (name, (file, count)) in reads_in(db, db.files().file(db, &folder)) {
            readers.entry(name).or_insert((*file, 0)).1 += count;
        }
    }
    let shared = readers.into_iter().filter(|(_, (_, count))| *count > 1);
    let open = shared.filter(|(name, (file, _))| !is_global(db, *file, environment, name));
    open.map(|(name, (_, count))| (name.clone(), count)).collect()
}

/// The variables that definitions in the files below a folder read and don't set, each with a file that reads it, and the
/// number of definitions.
#[salsa::tracked(returns(ref))]
fn reads_in(db: &dyn Db, folder: File) -> BTreeMap<Str, (File, usize)> {
    let mut readers = BTreeMap::new();
    for path in files_below(db, folder.path(db), "pp") {
        let file = db.files().file(db, &path);
        for name in open_reads(db, file) {
            readers.entry(name.clone()).or_insert((file, 0)).1 += 1;
        }
    }
    readers
}
