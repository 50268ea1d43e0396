//! Variables that many definitions of a module read, and that nothing here sets: facts of modules that are not here, and variables
//! of sites, are read like that. A folder of manifests counts as a module here, whatever its name is.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use marotte_db::{Environment, File, files_below};
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
    /// Others read it, too, or its module reads what the site sets.
    Perhaps,
    /// The site, or a module that is not here, sets it.
    Site,
}

/// Where a variable may come from that a definition of a file reads, and that nothing here sets.
pub(crate) fn origin(db: &dyn Db, file: File, environment: Environment, name: &str) -> Origin {
    let manifests = file.path(db).ancestors().find(|it| it.file_name() == Some("manifests"));
    manifests.map_or(Origin::Nowhere, |it| origin_in(db, environment, it.as_str().into(), name.into()))
}

/// Who asks is woken by that variable only.
#[salsa::tracked(returns(copy))]
fn origin_in(db: &dyn Db, environment: Environment, manifests: Str, name: Str) -> Origin {
    let shared = shared(db, environment, manifests);
    match shared.get(&name) {
        Some(readers) if *readers >= MANY => Origin::Site,
        Some(_) => Origin::Perhaps,
        None if shared.values().any(|readers| *readers >= MANY) => Origin::Perhaps,
        None => Origin::Nowhere,
    }
}

/// How many definitions in a folder read a variable that nothing here sets, of those that more than one reads.
#[salsa::tracked(returns(ref))]
fn shared(db: &dyn Db, environment: Environment, manifests: Str) -> BTreeMap<Str, usize> {
    let files = files_below(db, Utf8Path::new(&*manifests), "pp");
    let files: Vec<File> = files.into_iter().map(|path| db.files().file(db, &path)).collect();
    let mut readers: BTreeMap<&Str, (File, usize)> = BTreeMap::new();
    for (file, item) in files.iter().flat_map(|file| items(db, *file).iter().map(|item| (*file, *item))) {
        for name in open_reads(db, item) {
            readers.entry(name).or_insert((file, 0)).1 += 1;
        }
    }
    let shared = readers.into_iter().filter(|(_, (_, count))| *count > 1);
    let open = shared.filter(|(name, (file, _))| !is_global(db, *file, environment, name));
    open.map(|(name, (_, count))| (name.clone(), count)).collect()
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
