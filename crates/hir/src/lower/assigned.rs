//! The variables that statements set in their own scope.

use marotte_syntax::ast::{Expr, ExprKind};
use marotte_text::Str;

use super::frames::target_names;

/// The names of the variables that statements set, without those set in lambdas: lambdas have scopes of their own.
pub(super) fn assigned(block: &[Expr]) -> Vec<Str> {
    let mut names = Vec::new();
    // Chains of operators may be long, so no recursion. The order in which names are found doesn't matter.
    let mut open: Vec<&Expr> = block.iter().collect();
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Call(call) => {
                open.push(&call.callee);
                open.extend(&call.arguments);
            }
            ExprKind::MethodCall(call) => {
                open.push(&call.receiver);
                open.extend(&call.arguments);
            }
            ExprKind::Class(_)
            | ExprKind::Define(_)
            | ExprKind::Node(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeDefinition(_) => {}
            ExprKind::Assignment(assignment) => {
                target_names(&assignment.left, &mut names);
                open.push(&assignment.right);
            }
            _ => expr.for_each_child(&mut |child| open.push(child)),
        }
    }
    names
}
