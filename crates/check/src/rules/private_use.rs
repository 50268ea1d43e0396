//! `private-use`: something private is used from another module.

use marotte_db::module_file;
use marotte_hir::Privacy;
use marotte_text::unrooted;

use crate::context::Context;
use crate::uses::Used;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let db = context.db;
    let own = module_file(db, context.file).map(|it| it.module.clone());
    for it in context.uses().iter() {
        let Used::Item(item) = it.of else { continue };
        let Some(module) = it.of.other_module(db, own.as_ref()) else { continue };
        let Some(privacy) = item.privacy(db) else { continue };
        let said = match privacy {
            Privacy::Asserted => "it calls `assert_private()`",
            Privacy::Documented => "its comment says `@api private`",
        };
        let related = context.defined(item, said);
        let name = unrooted(item.name(db));
        let message = format!("{} `{name}` is private to module `{module}`", item.kind(db).noun());
        let finding = context.report("private-use", it.at, message);
        finding.label = Some("used from elsewhere".to_owned());
        finding.related.push(related);
    }
}
