//! Results of operators (X13, X76, X77, X94, X105, X111, X113).

use marotte_eval::binary_operator;
use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp, Expr};
use marotte_infer::inference::constant;
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::dialect::{StringsInArithmetic, StringsInComparisons};
use marotte_pcore::ops::{self, Strictness};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;

use super::{Dialects, Replacement, report, source};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Expr::Binary(binary) = expr else { continue };
        let inference = context.inference();
        let (Some(left), Some(right)) = (inference.type_of(binary.left), inference.type_of(binary.right))
        else {
            continue;
        };
        if let Some(text) = text_for_number(binary, left, right, dialects) {
            let message = format!("`{}` takes no strings for numbers in Puppet 8", binary.op.text());
            let number = as_number(context, text);
            report(context, At::Expr(text), message, Some(number));
        } else if let (Some(left), Some(right)) = (constant(left), constant(right))
            && let Some((before, now)) = results(binary, &left, &right, dialects)
        {
            let message = format!("this is {before} in {}, and {now} in Puppet 8", dialects.written.name);
            report(context, At::Operator(id), message, None);
        }
    }
}

/// The operand that is a string which the code's dialect converts to a number.
fn text_for_number(binary: &Binary, left: &Type, right: &Type, dialects: Dialects) -> Option<ExprId> {
    let Dialects { written, today } = dialects;
    use BinaryOp as Op;
    let (written, today) = (&written.operators, &today.operators);
    match binary.op {
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo
            if written.strings_in_arithmetic == StringsInArithmetic::Always
                && today.strings_in_arithmetic != StringsInArithmetic::Always =>
        {
            match (is_text(left), is_text(right)) {
                (true, _) => Some(binary.left),
                // Collections don't convert strings.
                (false, true) if is_number(left) => Some(binary.right),
                _ => None,
            }
        }
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
            if written.strings_in_comparisons == StringsInComparisons::AreNumbers
                && today.strings_in_comparisons != StringsInComparisons::AreNumbers =>
        {
            match (is_text(left), is_text(right)) {
                (true, false) if is_number(right) => Some(binary.left),
                (false, true) if is_number(left) => Some(binary.right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The number that a string represents.
fn as_number(context: &Context<'_, '_>, text: ExprId) -> Replacement {
    if let Expr::String(it) = context.body.expr(text)
        && !it.is_empty()
        && it.bytes().all(|it| it.is_ascii_digit())
        && !it.starts_with('0')
    {
        return Replacement::safe(text, it.as_str());
    }
    Replacement::safe(text, format!("Numeric({})", source(context, text)))
}

/// The results of an operator in both dialects, if they differ.
fn results(binary: &Binary, left: &Value, right: &Value, dialects: Dialects) -> Option<(String, String)> {
    let operator = binary_operator(binary.op)?;
    let result = |dialect| {
        let result = ops::binary(dialect, Strictness::Error, operator, left, right);
        result.map(|it| it.value).map_err(|it| it.to_string())
    };
    let (before, now) = (result(dialects.written), result(dialects.today));
    let told = |it: Result<Value, String>| match it {
        Ok(value) => format!("`{}`", marotte_pcore::print::literal(&value)),
        Err(_) => "an error".to_owned(),
    };
    match (&before, &now) {
        (Ok(before), Ok(now)) if before == now => None,
        // Code doesn't rely on what was an error before.
        (Err(_), _) => None,
        _ => Some((told(before), told(now))),
    }
}
