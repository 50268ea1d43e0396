//! `operator-precedence`: operators bind otherwise than a condition reads: `!$a in [1]` asks whether a Boolean is in the list.

use marotte_db::source_text;
use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Expr};
use marotte_infer::disjoint::disjoint;
use marotte_pcore::types::{Type, TypeKind};

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Expr::Binary(binary) = expr else { continue };
        let Expr::Not(operand) = body.expr(binary.left) else { continue };
        if binary.op != BinaryOp::In
            || context.inference().is_unreachable(id)
            || is_in_parentheses(context, binary.left)
            || !may_only_be_slip(context, *operand, binary.right)
        {
            continue;
        }
        let text = source_text(context.db, context.file).text();
        let (operand, right) = (context.range(At::Expr(*operand)), context.range(At::Expr(binary.right)));
        let message = "`!` binds more tightly than `in`: this looks for a Boolean in the list";
        let finding = context.report(rules::OPERATOR_PRECEDENCE, At::Expr(binary.left), message);
        // Long lists say no more.
        const LONG: usize = 40;
        let list = if text[right].len() > LONG || text[right].contains('\n') { "…" } else { &text[right] };
        finding.label = Some(format!("write `!({} in {list})`", &text[operand]));
    }
}

/// Whether nobody means to look for a Boolean: the list is known to have none, or what is negated is no Boolean.
fn may_only_be_slip(context: &Context<'_, '_>, operand: ExprId, list: ExprId) -> bool {
    let inference = context.inference();
    let boolean: Type = TypeKind::Boolean(None).into();
    let is_other = |it: &Type| disjoint(it, &boolean);
    let elements_are_other = || match inference.type_of(list).map(|it| it.resolved().kind().clone()) {
        Some(TypeKind::Tuple(it)) => !it.types.is_empty() && it.types.iter().all(is_other),
        Some(TypeKind::Array(element, _)) => is_other(&element),
        Some(TypeKind::String(_) | TypeKind::Hash(..) | TypeKind::Struct(_)) => true,
        _ => false,
    };
    inference.type_of(operand).is_some_and(is_other) || elements_are_other()
}

/// Whether somebody has written parentheses around an expression, which then means what it says.
fn is_in_parentheses(context: &Context<'_, '_>, id: ExprId) -> bool {
    let text = source_text(context.db, context.file).text();
    let range = context.range(At::Expr(id));
    text[range].starts_with('(')
        || text[..usize::from(range.start())].trim_end().ends_with('(')
            && text[usize::from(range.end())..].trim_start().starts_with(')')
}
