//! `unused-variable`: a variable is assigned, and nothing can read it.
//!
//! Only for variables that nothing outside of their item can read: those of functions, of defined types, of lambdas, and of
//! classes outside of modules. What a class of a module sets is an interface: templates, data and other modules read it by
//! its full name.

use std::collections::HashSet;

use marotte_hir::body::{Expr, Variable, blocks};
use marotte_hir::{ExprId, ItemKind, items};

use crate::context::{At, Context};
use crate::usage::{Usage, is_open, may_be_meant, targets};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, body, item) = (context.db, context.body, context.item);
    let flow = context.flow();
    let is_open = is_open(db, item) || is_read_elsewhere(context);
    let usage = Usage::new(body);
    // The last statement of a function or lambda is its value, and so may be the last one of a block in it.
    let statements: Vec<(ExprId, bool)> = blocks(body)
        .into_iter()
        .flat_map(|block| block.iter().enumerate().map(|(at, id)| (*id, at + 1 == block.len())))
        .collect();
    let values: HashSet<ExprId> = statements.iter().filter(|it| it.1).map(|it| it.0).collect();
    for (id, _) in statements {
        let Expr::Assign { target, .. } = body.expr(id) else { continue };
        let lambda = flow.lambda(id);
        if lambda.is_none() && is_open {
            continue;
        }
        let is_value = (lambda.is_some() || body.frame.is_some()) && values.contains(&id);
        let targets = targets(target);
        if is_value
            || targets
                .iter()
                .any(|(_, name)| name.starts_with('_') || usage.may_read(name) || may_be_meant(context, name))
        {
            continue;
        }
        for (at, name) in targets {
            let finding = context.report("unused-variable", At::Expr(at), format!("nothing reads `${name}`"));
            finding.label = Some("assigned, and not used".to_owned());
            finding.notes.push(format!("to keep it on purpose, name it `$_{name}`"));
        }
    }
}

/// Whether the files outside of modules read variables of a class by its name, or inherit them.
fn is_read_elsewhere(context: &Context<'_, '_>) -> bool {
    let (db, item) = (context.db, context.item);
    if item.kind(db) != ItemKind::Class {
        return false;
    }
    let own = item.name(db).trim_start_matches("::");
    let files = context.environment.manifests(db).iter().map(|path| db.files().file(db, path));
    let mut all = files.chain([context.file]).flat_map(|file| items(db, file));
    all.any(|it| {
        let inherits = it.signature(db).parent.as_deref().map(|it| it.trim_start_matches("::"));
        let reads = |expr: &Expr| {
            matches!(expr, Expr::Variable(it)
                if matches!(&**it, Variable::Qualified { scope, .. } if scope.eq_ignore_ascii_case(own)))
        };
        inherits.is_some_and(|it| it.eq_ignore_ascii_case(own))
            || it.body(db).exprs().any(|(_, expr)| reads(expr))
    })
}
