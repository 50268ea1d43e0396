//! One file for each rule. A rule says nothing about what is unknown.

pub mod location;
pub(crate) mod unreadable;
mod unresolved_class;

use marotte_db::File;
use marotte_diagnostics::Diagnostic;
use marotte_hir::items;

use crate::Db;
use crate::context::Context;

/// The rules that look at one item at a time.
const OF_ITEMS: &[fn(&mut Context<'_, '_>)] = &[unresolved_class::check];

/// Adds what is wrong with what a file means.
pub(crate) fn check(db: &dyn Db, file: File, findings: &mut Vec<Diagnostic>) {
    for item in items(db, file) {
        let mut context = Context::new(db, *item, findings);
        for rule in OF_ITEMS {
            rule(&mut context);
        }
    }
}
