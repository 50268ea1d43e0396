//! `invalid-format-string`: what `sprintf` is told to write cannot be written (E26).
//!
//! The format is tried with numbers, which every directive takes: what is still wrong is wrong with all values.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Callee, Expr};
use marotte_pcore::format::{DirectiveError, FormatError, sprintf};
use marotte_pcore::value::Value;

use crate::context::{At, Context};
use crate::declared::dialect;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Some((format, values)) = call(expr) else { continue };
        let Expr::String(text) = body.expr(format) else { continue };
        if context.inference.is_unreachable(id) {
            continue;
        }
        let several = values.iter().any(|it| matches!(body.expr(*it), Expr::Splat(_)));
        let numbers = vec![Value::from(1_i64); values.len()];
        let Err(FormatError::Directive(error)) = sprintf(dialect(), text, &numbers) else { continue };
        let message = match error {
            // What a single hash holds, and what a splat unfolds, nobody knows.
            DirectiveError::OneHash if may_be_hash(body, values) => continue,
            DirectiveError::UnknownKey(_) => continue,
            DirectiveError::TooFewArguments if several => continue,
            DirectiveError::TooFewArguments => {
                let given = match values.len() {
                    1 => "1 value is".to_owned(),
                    count => format!("{count} values are"),
                };
                format!("the format has more directives than there are values: {given} given")
            }
            DirectiveError::UnknownCharacter(Some(letter)) => {
                format!("`sprintf` has no directive `%{letter}`")
            }
            _ => format!("this is no format that `sprintf` knows: {}", FormatError::Directive(error)),
        };
        let finding = context.report("invalid-format-string", At::Expr(format), message);
        finding.label = Some("wrong format".to_owned());
    }
}

/// The format and the values of a call of `sprintf`.
fn call(expr: &Expr) -> Option<(ExprId, &[ExprId])> {
    let is_sprintf = |name: &str| name.trim_start_matches("::") == "sprintf";
    match expr {
        Expr::Call(call) => match &call.callee {
            Callee::Function(name) if is_sprintf(name) => {
                call.arguments.split_first().map(|(format, values)| (*format, values))
            }
            _ => None,
        },
        Expr::MethodCall(call) if is_sprintf(&call.name) => Some((call.receiver, &call.arguments)),
        _ => None,
    }
}

fn may_be_hash(body: &Body, values: &[ExprId]) -> bool {
    match values {
        [only] => !matches!(
            body.expr(*only),
            Expr::String(_) | Expr::Integer(_) | Expr::Float(_) | Expr::Boolean(_)
        ),
        _ => values.iter().any(|it| matches!(body.expr(*it), Expr::Splat(_))),
    }
}
