use std::sync::Arc;

use marotte_db::{Db, File};
use marotte_hir::{Body, Item};

use super::queries::infer;
use super::result::Inference;

/// An item together with the types of its expressions.
#[derive(Clone, Copy)]
pub struct TypedItem<'db> {
    /// The database.
    pub db: &'db dyn Db,
    /// The item's file.
    pub file: File,
    /// The item.
    pub item: Item<'db>,
    /// The item's body.
    pub body: &'db Arc<Body>,
    /// The inferred types.
    pub inference: &'db Inference,
}

impl<'db> TypedItem<'db> {
    /// Infers the types of an item.
    pub fn new(db: &'db dyn Db, item: Item<'db>) -> TypedItem<'db> {
        TypedItem { db, file: item.file(db), item, body: item.body(db), inference: infer(db, item) }
    }
}
