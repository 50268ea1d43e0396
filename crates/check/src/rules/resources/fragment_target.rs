//! `dangling-reference` for fragments: what a fragment is a part of is declared nowhere.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::Expr;
use marotte_resolve::call::queries_catalog;

use crate::analysis::resources::declarable::{is_declared, may_be_declared, misspelled_title, nearest_title};
use crate::analysis::resources::fragments::fragments;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body, file) = (context.db, context.body, context.file);
    if queries_catalog(body) {
        return;
    }
    for (wholes, fragment, target) in fragments(body) {
        let Expr::String(title) = body.expr(target) else { continue };
        if context.inference().is_unreachable(target) {
            continue;
        }
        if wholes.iter().any(|it| is_declared(db, file, (*it).into(), title.clone())) {
            continue;
        }
        let may_be = wholes.iter().any(|it| may_be_declared(db, file, (*it).into(), title.clone()));
        let meant = match may_be {
            true => wholes.iter().find_map(|it| misspelled_title(db, file, (*it).into(), title.clone())),
            false => wholes.iter().find_map(|it| nearest_title(db, file, it, title)),
        };
        if may_be && meant.is_none() {
            continue;
        }
        let whole = wholes.first().copied().unwrap_or_default();
        let message =
            format!("nothing declares the `{whole}` `{title}`, of which this `{fragment}` is a part");
        let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(target), message);
        finding.level = Level::Warning;
        finding.label = Some(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declared nowhere".to_owned(),
        });
        finding.notes.push("the fragment ends up in no file".to_owned());
    }
}
