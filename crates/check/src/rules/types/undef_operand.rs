//! `operator-type` for operands that are undef by default: `Optional[Integer] $limit = undef`, and `$limit + 1` with no condition around.
//!
//! Only code that is evaluated whenever the definition is: with its default values, it cannot be.

use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp, Expr, Variable};
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::types::{Type, TypeKind};

use super::operand_kinds::is_hash;
use crate::analysis::variables::defaults::default_that_applies;
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Binary(binary) => {
                if let Some(operand) = refused(context, binary) {
                    report(context, id, operand, &format!("`{}`", binary.op.text()));
                }
            }
            Expr::Access { target, .. } if may_be_undef(context, *target) => {
                report(context, id, *target, "`[]`")
            }
            Expr::Minus(operand) if may_be_undef(context, *operand) => report(context, id, *operand, "`-`"),
            _ => {}
        }
    }
}

/// The operand that may be undef, which the operator would reject.
fn refused(context: &Context<'_, '_>, binary: &Binary) -> Option<ExprId> {
    use BinaryOp as Op;
    let (left, right) = (binary.left, binary.right);
    let known = |id: ExprId| context.inference().type_of(id);
    let rejects_left = match binary.op {
        Op::Add
        | Op::Subtract
        | Op::Multiply
        | Op::Divide
        | Op::Modulo
        | Op::ShiftLeft
        | Op::ShiftRight
        | Op::Less
        | Op::LessEqual
        | Op::Greater
        | Op::GreaterEqual => true,
        Op::Match | Op::NoMatch => {
            known(right).is_some_and(|it| matches!(it.resolved().kind(), TypeKind::Regexp(_)) || is_text(it))
        }
        _ => false,
    };
    if rejects_left && may_be_undef(context, left) {
        return Some(left);
    }
    let rejects_right = match binary.op {
        Op::Multiply
        | Op::Divide
        | Op::Modulo
        | Op::ShiftRight
        | Op::Less
        | Op::LessEqual
        | Op::Greater
        | Op::GreaterEqual
        | Op::Match
        | Op::NoMatch => true,
        // Anything can be appended to an array, or removed from it.
        Op::Add => known(left).is_some_and(|it| is_number(it) || is_hash(it)),
        Op::Subtract | Op::ShiftLeft => known(left).is_some_and(is_number),
        _ => false,
    };
    (rejects_right && may_be_undef(context, right)).then_some(right)
}

/// Whether an expression is a parameter that is undef by default, and no condition rules that out.
pub(super) fn may_be_undef(context: &Context<'_, '_>, id: ExprId) -> bool {
    let (body, flow) = (context.body, context.flow());
    let Expr::Variable(variable) = body.expr(id) else { return false };
    matches!(&**variable, Variable::Local { .. })
        && context.inference().type_of(id).is_some_and(takes_undef)
        && flow.choices(id).is_empty()
        && flow.lambda(id).is_none()
        && !flow.may_leave()
        && default_that_applies(context, id).is_some_and(|it| *body.expr(it) == Expr::Undef)
}

/// Whether a type says that its values may be undef.
fn takes_undef(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Optional(_) => true,
        TypeKind::Variant(types) => types.iter().any(|it| matches!(it.kind(), TypeKind::Undef)),
        _ => false,
    }
}

fn report(context: &mut Context<'_, '_>, id: ExprId, operand: ExprId, operator: &str) {
    if context.inference().is_unreachable(id) {
        return;
    }
    let message = format!("{operator} is not applicable to `undef`, which this is by default");
    let finding = context.report(rules::OPERATOR_TYPE, At::Expr(operand), message);
    finding.level = Level::Warning;
    finding.label = Some("may be `undef`".to_owned());
    finding.notes.push("test the parameter first, or give it another default value".to_owned());
}
