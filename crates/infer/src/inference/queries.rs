use std::sync::Arc;

use marotte_db::Db;
use marotte_hir::Item;

use super::result::{Inference, Outline};
use super::walk::Walk;

/// The number of steps that the walk follows variables of other classes, and results of functions, from body to body. What is
/// further away is unknown, so no chain of them has a cycle.
const DEPTH: u8 = 3;

/// Infers the types of an item's expressions.
#[salsa::tracked(returns(ref))]
pub fn infer<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Inference> {
    Arc::new(Walk::new(db, item, DEPTH).run())
}

/// The externally visible result of an item's inference, with at most `depth` steps from body to body.
#[salsa::tracked(returns(ref))]
pub fn outline<'db>(db: &'db dyn Db, item: Item<'db>, depth: u8) -> Arc<Outline> {
    Arc::new(Walk::new(db, item, depth).run().outline)
}

/// The outlines of an item at every depth.
pub fn outlines<'db>(db: &'db dyn Db, item: Item<'db>) -> Box<[Arc<Outline>]> {
    (0..DEPTH).map(|depth| Arc::clone(outline(db, item, depth))).collect()
}

/// The outline of an item.
pub fn outline_of<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db Outline {
    outline(db, item, DEPTH - 1)
}
