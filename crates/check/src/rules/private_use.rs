//! `private-use`: something private is used from another module.

use marotte_db::{Db, module_file, source_text};
use marotte_hir::body::Expr;
use marotte_hir::{Item, places};

use crate::context::Context;
use crate::functions::NamedCall;
use crate::uses::{Used, uses};

/// How a definition says that it is its module's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Privacy {
    /// A class calls `assert_private()`, and fails elsewhere.
    Asserted,
    /// The comment above says `@api private`.
    Documented,
}

pub(super) fn check(context: &mut Context<'_, '_>) {
    let db = context.db;
    let own = module_file(db, context.file).map(|it| it.module.clone());
    for it in uses(context) {
        let Used::Item(item) = it.of else { continue };
        let Some(module) = it.of.other_module(db, own.as_ref()) else { continue };
        let Some(privacy) = privacy(db, item) else { continue };
        let said = match privacy {
            Privacy::Asserted => "it calls `assert_private()`",
            Privacy::Documented => "its comment says `@api private`",
        };
        let related = context.defined(item, said);
        let name = item.name(db).trim_start_matches("::");
        let message = format!("{} `{name}` is private to module `{module}`", item.kind(db).noun());
        let finding = context.report("private-use", it.at, message);
        finding.label = Some("used from elsewhere".to_owned());
        finding.related.push(related);
    }
}

#[salsa::tracked(returns(copy))]
fn privacy<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Privacy> {
    let body = item.body(db);
    let asserts = |expr: &Expr| NamedCall::of(expr).is_some_and(|it| it.plain_name() == "assert_private");
    if body.statements.iter().any(|it| asserts(body.expr(*it))) {
        return Some(Privacy::Asserted);
    }
    let start = places(db, item).name?.start();
    let before = &source_text(db, item.file(db)).text().get(..usize::from(start))?;
    let mut comment = before.lines().rev().skip(1).take_while(|it| it.trim_start().starts_with('#'));
    let is_tag = |line: &str| {
        let mut words = line.trim_start_matches([' ', '\t', '#']).split_whitespace();
        words.next() == Some("@api") && words.next() == Some("private")
    };
    comment.any(is_tag).then_some(Privacy::Documented)
}
