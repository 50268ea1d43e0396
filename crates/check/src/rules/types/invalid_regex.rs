//! `invalid-regex`: an invalid regular expression in a string that a function or an operator compiles. Regular expression
//! literals are checked by the parser.

use marotte_diagnostics::rules;
use marotte_eval::functions::builtin;
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Callee, Expr};
use marotte_pcore::regexp::Regexp;
use marotte_resolve::call::NamedCall;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let Some(pattern) = pattern(context, expr) else { continue };
        // `match` accepts several patterns.
        let patterns = match body.expr(pattern) {
            Expr::Array(elements) => &elements[..],
            _ => std::slice::from_ref(&pattern),
        };
        for id in patterns {
            let Expr::String(text) = body.expr(*id) else { continue };
            let Err(error) = Regexp::validate(text) else { continue };
            if error.unsupported {
                continue;
            }
            let message = format!("`{text}` is not a valid regular expression");
            let finding = context.report(rules::INVALID_REGEX, At::Expr(*id), message);
            finding.label = Some(error.message);
        }
    }
}

/// The functions of the module `stdlib` whose second argument is a regular expression.
const OF_STDLIB: [&str; 3] = ["grep", "reject", "validate_re"];

/// The operand or argument that an expression compiles as a regular expression.
fn pattern(context: &Context<'_, '_>, expr: &Expr) -> Option<ExprId> {
    if let Expr::Binary(it) = expr {
        return matches!(it.op, BinaryOp::Match | BinaryOp::NoMatch).then_some(it.right);
    }
    if let Expr::Call(call) = expr
        && let Callee::Type(callee) = &call.callee
    {
        let is_regexp = matches!(context.body.expr(*callee), Expr::Reference(name) if name == "Regexp");
        return call.arguments.first().copied().filter(|_| is_regexp);
    }
    let call = NamedCall::of(expr)?;
    let name = call.plain_name();
    let reads = matches!(name, "match" | "regsubst" | "split") && builtin(name).is_some()
        || OF_STDLIB.contains(&name);
    call.arguments().nth(1).filter(|_| reads)
}
