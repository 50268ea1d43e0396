//! `unused-parameter`: a function or a defined type does not use what it is given.
//!
//! Not for classes, whose parameters others read as `$class::name`, and not for lambdas, whose parameters have places.

use marotte_hir::ItemKind;
use marotte_text::Str;

use crate::context::{At, Context};
use crate::usage::{Slips, Usage, shows_scope};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, body, item) = (context.db, context.body, context.item);
    let kind = item.kind(db);
    // A body without statements is a placeholder, or a resource type that only carries data.
    if !matches!(kind, ItemKind::Function | ItemKind::Define) || body.statements.is_empty() {
        return;
    }
    // Hiera gives its functions all that it has, by place.
    let last = body.parameters.last().map(|it| it.name.trim_start_matches('_'));
    if kind == ItemKind::Function && last == Some("context") {
        return;
    }
    let usage = Usage::new(body);
    let is_unused = |name: &Str| !name.starts_with('_') && !usage.may_read(name);
    let unused: Vec<_> = body.parameters.iter().filter(|it| is_unused(&it.name)).collect();
    if unused.is_empty() || shows_scope(context) {
        return;
    }
    let slips = Slips::new(context);
    for parameter in unused {
        let name = &parameter.name;
        if slips.may_mean(name) {
            continue;
        }
        let message = format!("the {} does not use its parameter `${name}`", kind.noun());
        let finding = context.report("unused-parameter", At::Expr(parameter.at), message);
        finding.label = Some("not used".to_owned());
    }
}
