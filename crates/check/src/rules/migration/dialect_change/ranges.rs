//! Ranges of numbers (X14–X16, X19, X20).

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_pcore::dialect::{RangeDirection, SingleBound};
use marotte_resolve::call::NamedCall;
use marotte_text::normalized;

use super::{Dialects, Replacement, report, source};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    let Dialects { written, today } = dialects;
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Expr::Access { target, keys } = expr else { continue };
        let Expr::Reference(name) = body.expr(*target) else { continue };
        if !matches!(normalized(name).as_str(), "integer" | "float") {
            continue;
        }
        match keys[..] {
            [from, to]
                if written.range_direction == RangeDirection::Either
                    && today.range_direction == RangeDirection::Ascending
                    && matches!((number(body, from), number(body, to)), (Some(from), Some(to)) if from > to) =>
            {
                let (from, to) = (source(context, from), source(context, to));
                let (message, text) = if is_iterated(body, id) {
                    (
                        "ranges ascend in Puppet 8: numbers that count down are a reversed range".to_owned(),
                        format!("{name}[{to}, {from}].reverse_each"),
                    )
                } else {
                    ("ranges ascend in Puppet 8".to_owned(), format!("{name}[{to}, {from}]"))
                };
                report(context, At::Expr(id), message, Some(Replacement::safe(id, text)));
            }
            [only]
                if written.single_bound == SingleBound::Exact
                    && today.single_bound == SingleBound::Least
                    && number(body, only).is_some() =>
            {
                let only = source(context, only);
                let message =
                    format!("`{name}[{only}]` was {only} alone, and in Puppet 8 is that and all above");
                let text = format!("{name}[{only}, {only}]");
                report(context, At::Expr(id), message, Some(Replacement::safe(id, text)));
            }
            _ => {}
        }
    }
}

/// A literal number.
fn number(body: &Body, id: ExprId) -> Option<f64> {
    match body.expr(id) {
        // Only for comparisons: real code has no differences that are too small for a float.
        Expr::Integer(it) => Some(*it as f64),
        Expr::Float(it) => Some(*it),
        Expr::Minus(it) => number(body, *it).map(|it| -it),
        _ => None,
    }
}

/// Whether an expression is passed to a function, or unfolded.
fn is_iterated(body: &Body, id: ExprId) -> bool {
    body.exprs().any(|(_, expr)| match expr {
        Expr::Splat(it) => *it == id,
        _ => NamedCall::of(expr).is_some_and(|call| {
            call.plain_name() != "assert_type"
                && call.plain_name() != "new"
                && call.arguments().any(|it| it == id)
        }),
    })
}
