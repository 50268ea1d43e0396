//! The main manifests of an environment, which are evaluated for each of its nodes.

use std::collections::BTreeSet;

use marotte_db::{Db, Environment, File};

/// The files of the main manifest, in the order in which they are evaluated.
pub fn manifests(db: &dyn Db, environment: Environment) -> impl Iterator<Item = File> {
    environment.manifests(db).iter().map(|path| db.files().file(db, path))
}

/// Whether a file is part of the main manifest. Callers don't depend on the other files.
#[salsa::tracked(returns(copy))]
pub fn is_manifest(db: &dyn Db, environment: Environment, file: File) -> bool {
    all(db, environment).contains(&file)
}

#[salsa::tracked(returns(ref))]
fn all(db: &dyn Db, environment: Environment) -> BTreeSet<File> {
    manifests(db, environment).collect()
}
