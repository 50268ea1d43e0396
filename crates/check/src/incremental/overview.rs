//! What all code and data of an environment contain together, kept as an input of the database.
//!
//! Salsa verifies a query that looks at all files of an environment by looking at all of them again, after every edit. A project
//! knows better which edits matter, since it compares [interfaces](crate::incremental::interface): it sets this input after a check of all
//! files, and clears it as soon as an edit may affect every file.

#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use marotte_db::{Db, Environment};
use marotte_hiera::Layer;
use marotte_resolve::data_files::data_files;
use marotte_text::Str;

use crate::data::passed_on;
use crate::data::reads::{self, KeyReads};

/// The contents of all environments, as far as they are kept. A database without this input, such as one that never changes, keeps
/// nothing.
#[salsa::input(singleton)]
pub struct Overview {
    #[returns(ref)]
    pub kept: BTreeMap<Environment, Contents>,
}

/// What the code and data of an environment contain together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    class_keys: Arc<BTreeSet<Str>>,
    /// None if code or data reads other keys now.
    key_reads: Option<Arc<KeyReads>>,
}

impl Contents {
    /// Looks at all code and data of an environment. None if it has no data: only checks of data ask for the contents.
    pub fn of(db: &dyn Db, environment: Environment) -> Option<Contents> {
        let modules = environment.modules(db).iter().map(|(name, _)| Layer::Module(name.clone()));
        let mut layers = [Layer::Environment].into_iter().chain(modules);
        if layers.all(|it| data_files(db, environment, it).files.is_empty()) {
            return None;
        }
        let class_keys = Arc::clone(class_keys(db, environment));
        Some(Contents { class_keys, key_reads: Some(Arc::clone(key_reads(db, environment))) })
    }

    /// Returns the contents without the keys that are read.
    #[must_use]
    pub fn without_reads(&self) -> Contents {
        Contents { class_keys: Arc::clone(&self.class_keys), key_reads: None }
    }
}

fn kept(db: &dyn Db, environment: Environment) -> Option<&Contents> {
    Overview::try_get(db)?.kept(db).get(&environment)
}

/// Returns the keys of data whose values are names of classes that some code of an environment declares.
#[salsa::tracked(returns(ref))]
pub(crate) fn class_keys(db: &dyn Db, environment: Environment) -> Arc<BTreeSet<Str>> {
    match kept(db, environment) {
        Some(contents) => Arc::clone(&contents.class_keys),
        None => Arc::new(passed_on::class_keys(db, environment)),
    }
}

/// Returns the keys of data that are read anywhere in an environment.
#[salsa::tracked(returns(ref))]
pub(crate) fn key_reads(db: &dyn Db, environment: Environment) -> Arc<KeyReads> {
    match kept(db, environment).and_then(|it| it.key_reads.as_ref()) {
        Some(reads) => Arc::clone(reads),
        None => Arc::new(reads::environment_reads(db, environment)),
    }
}
