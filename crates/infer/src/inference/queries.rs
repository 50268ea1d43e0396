use std::sync::Arc;

use marotte_db::Db;
use marotte_hir::Item;

use super::result::{Inference, Outline};
use super::walk::Walk;

/// How far the walk follows variables of other classes, and results of functions, from body to body. What is further away
/// is unknown; and so no chain of them has a cycle.
const DEPTH: u8 = 3;

/// Infers the types of an item's expressions.
#[salsa::tracked(returns(ref))]
pub fn infer<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Inference> {
    Arc::new(Walk::new(db, item, DEPTH).run())
}

/// What others see of an item, as far as so many steps from body to body show.
#[salsa::tracked(returns(ref))]
pub fn outline<'db>(db: &'db dyn Db, item: Item<'db>, depth: u8) -> Arc<Outline> {
    Arc::new(Walk::new(db, item, depth).run().outline)
}

/// What others see of an item at each of the depths from which they look.
pub fn outlines<'db>(db: &'db dyn Db, item: Item<'db>) -> Box<[Arc<Outline>]> {
    (0..DEPTH).map(|depth| Arc::clone(outline(db, item, depth))).collect()
}

/// What others see of an item.
pub fn outline_of<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db Outline {
    outline(db, item, DEPTH - 1)
}
