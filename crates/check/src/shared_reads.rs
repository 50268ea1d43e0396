//! Variables that many definitions read, and that nothing here sets: facts of modules that are not here, and variables of sites, are
//! read like that. Those of all modules in a folder are counted together; outside of such folders, those in a folder of manifests.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use marotte_db::{Environment, File, files_below, module_file, module_folder};
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{Item, items};
use marotte_text::Str;

use crate::Db;
use crate::globals::is_global;
use crate::usage::variables;

/// So many definitions do not all miss the same variable.
const MANY: usize = 3;

/// Where a variable may come from that nothing here sets, by who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Its module reads what is set here.
    Nowhere,
    /// Nobody knows the module that reads it.
    Unknown,
    /// Others read it, too, or its module reads what the site sets.
    Perhaps,
    /// The site, or a module that is not here, sets it.
    Site,
}

/// Where a variable may come from that a definition of a file reads, and that nothing here sets.
pub(crate) fn origin(db: &dyn Db, file: File, environment: Environment, name: &str) -> Origin {
    let path = file.path(db);
    let Some(manifests) = path.ancestors().find(|it| it.file_name() == Some("manifests")) else {
        return Origin::Nowhere;
    };
    let module = module_file(db, file);
    let own = module.and_then(|it| module_folder(db, environment, it.module.to_lowercase()));
    let folder = own.and_then(Utf8Path::parent).unwrap_or(manifests);
    let (folder, manifests): (Str, Str) = (folder.as_str().into(), manifests.as_str().into());
    match readers(db, environment, folder.clone(), name.into()) {
        MANY.. => Origin::Site,
        2.. => Origin::Perhaps,
        _ if reads_site(db, environment, folder, manifests) => Origin::Perhaps,
        // Of a module that nobody knows, nobody knows the site either.
        _ if environment.root(db).is_none() && module.is_none() => Origin::Unknown,
        _ => Origin::Nowhere,
    }
}

/// How many definitions read a variable that nothing here sets, if it is more than one. Who asks is woken by that variable only.
#[salsa::tracked(returns(copy))]
fn readers(db: &dyn Db, environment: Environment, folder: Str, name: Str) -> usize {
    shared(db, environment, folder).get(&name).copied().unwrap_or_default()
}

/// Whether a definition in a folder of manifests reads what many beside it do.
#[salsa::tracked(returns(copy))]
fn reads_site(db: &dyn Db, environment: Environment, folder: Str, manifests: Str) -> bool {
    let shared = shared(db, environment, folder);
    let is_of_site = |name: &Str| shared.get(name).is_some_and(|readers| *readers >= MANY);
    definitions(db, Utf8Path::new(&*manifests)).any(|(_, item)| open_reads(db, item).iter().any(is_of_site))
}

/// The variables that more than one definition in the modules of a folder reads, or in a folder of manifests, and that nothing here
/// sets, with how many there are.
#[salsa::tracked(returns(ref))]
fn shared(db: &dyn Db, environment: Environment, folder: Str) -> BTreeMap<Str, usize> {
    let mut readers: BTreeMap<&Str, (File, usize)> = BTreeMap::new();
    let folder = Utf8Path::new(&*folder);
    let modules = environment.modules(db).iter().map(|(_, it)| it).filter(|it| it.parent() == Some(folder));
    let mut folders: Vec<_> = modules.map(|it| it.join("manifests")).collect();
    if folders.is_empty() {
        folders.push(folder.to_owned());
    }
    for (file, item) in folders.iter().flat_map(|it| definitions(db, it)) {
        for name in open_reads(db, item) {
            readers.entry(name).or_insert((file, 0)).1 += 1;
        }
    }
    let shared = readers.into_iter().filter(|(_, (_, count))| *count > 1);
    let open = shared.filter(|(name, (file, _))| !is_global(db, *file, environment, name));
    open.map(|(name, (_, count))| (name.clone(), count)).collect()
}

/// What the files below a folder define.
fn definitions<'db>(
    db: &'db dyn Db,
    folder: &Utf8Path,
) -> impl Iterator<Item = (File, Item<'db>)> + use<'db> {
    let files = files_below(db, folder, "pp").into_iter();
    let files = files.map(|path| db.files().file(db, &path));
    files.flat_map(move |file| items(db, file).iter().map(move |item| (file, *item)))
}

/// The variables that a definition reads, and neither sets nor inherits.
#[salsa::tracked(returns(ref))]
fn open_reads(db: &dyn Db, item: Item<'_>) -> BTreeSet<Str> {
    // What a class inherits may be any of them.
    if item.signature(db).parent.is_some() {
        return BTreeSet::new();
    }
    let body = item.body(db);
    let set: BTreeSet<&Str> = variables(body).collect();
    reads(body).filter(|it| !set.contains(it)).cloned().collect()
}

fn reads(body: &Body) -> impl Iterator<Item = &Str> {
    body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Variable(variable) => match &**variable {
            Variable::Local { name, .. } => Some(name),
            Variable::Qualified { .. } | Variable::Top(_) | Variable::Group(_) => None,
        },
        _ => None,
    })
}
