use std::sync::Arc;

use marotte_db::Db;
use marotte_hir::Item;

use super::builder::{InferenceBuilder, Others};
use super::dependencies::is_in_cycle;
use super::result::{Inference, Outline};

/// Infers the types of an item's expressions, in one walk over its body.
#[salsa::tracked(returns(ref))]
pub fn infer<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Inference> {
    Arc::new(InferenceBuilder::new(db, item, Others::Outlines).run())
}

/// The externally visible part of an item's inference.
///
/// An item that depends on itself has the outline that its body alone shows, so that no query depends on itself. A fixed point
/// would know more, but functions such as `function f($x) { [f($x)] }` have none, and the result of an iteration that ends
/// earlier would depend on which member of a cycle is asked first.
#[salsa::tracked(returns(ref))]
pub fn outline<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Outline> {
    if is_in_cycle(db, item) {
        Arc::clone(outline_alone(db, item))
    } else {
        Arc::clone(&infer(db, item).outline)
    }
}

/// The outline of an item as its body alone shows it, in a second walk that knows nothing of other bodies.
#[salsa::tracked(returns(ref))]
fn outline_alone<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Outline> {
    InferenceBuilder::new(db, item, Others::Unknown).run().outline
}
