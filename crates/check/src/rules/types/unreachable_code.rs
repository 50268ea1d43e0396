//! `unreachable-code`: statements that are never evaluated, because evaluation never continues after a preceding one; and
//! options after one that matches everything.

use marotte_diagnostics::rules;
use marotte_hir::body::{Expr, blocks};
use marotte_infer::flow::{leaves, leaving_call};
use marotte_text::unrooted;

use crate::context::{At, Context};

/// Whether an expression does nothing but return a constant.
fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::String(_) | Expr::Integer(_) | Expr::Float(_) | Expr::Boolean(_) | Expr::Undef)
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for block in blocks(body) {
        let Some(position) = block.iter().position(|it| leaves(body, *it)) else { continue };
        // Definitions aren't statements: they are loaded before evaluation.
        let rest = block[position + 1..].iter();
        let Some(after) = rest.copied().find(|it| !matches!(body.expr(*it), Expr::Definition)) else {
            continue;
        };
        // The value of a lambda or function whose last call never returns: `fail('…') ''`.
        let is_failure = leaving_call(body.expr(block[position])).is_some_and(|it| it.0 == "fail");
        if is_failure && block.last() == Some(&after) && is_constant(body.expr(after)) {
            continue;
        }
        let related = match leaving_call(body.expr(block[position])) {
            Some((name, _)) => context
                .related(At::Expr(block[position]), format!("evaluation does not continue after `{name}`")),
            None => context.related(At::Expr(block[position]), "no branch of this continues"),
        };
        let finding =
            context.report(rules::UNREACHABLE_CODE, At::Expr(after), "nothing evaluates this statement");
        finding.label = Some("never evaluated".to_owned());
        finding.related.push(related);
    }
    for (_, expr) in body.exprs() {
        let (options, what): (Vec<_>, _) = match expr {
            Expr::Case(it) => (
                it.options.iter().map(|it| (it.values.first().copied(), it.values.clone())).collect(),
                "case",
            ),
            Expr::Selector(it) => {
                (it.entries.iter().map(|(key, _)| (Some(*key), [*key].into())).collect(), "selector")
            }
            _ => continue,
        };
        let matches_all = |id: &marotte_hir::ExprId| matches!(body.expr(*id), Expr::Reference(name) if unrooted(name).eq_ignore_ascii_case("any"));
        let Some(all) = options.iter().position(|(_, values)| values.iter().any(matches_all)) else {
            continue;
        };
        let Some((Some(after), _)) = options.get(all + 1) else { continue };
        let Some(all) = options[all].1.iter().copied().find(|it| matches_all(it)) else { continue };
        let related = context.related(At::Expr(all), "this matches every value");
        let finding = context.report(
            rules::UNREACHABLE_CODE,
            At::Expr(*after),
            format!("nothing reaches this option of the {what}"),
        );
        finding.label = Some("never matches".to_owned());
        finding.related.push(related);
    }
}
