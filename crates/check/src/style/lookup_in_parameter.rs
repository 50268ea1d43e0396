//! `lookup-in-parameter`: the default value of a parameter is looked up, although automatic lookup does so already.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Parameter};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, parameter: &Parameter) {
    let mut calls = Vec::new();
    parameter.value.iter().for_each(|it| lookups(it, &mut calls));
    for callee in calls {
        let message = format!("the default of `${}` is looked up", parameter.name);
        let finding = style.report(rules::LOOKUP_IN_PARAMETER, callee.range, message);
        finding.label = Some("data for the parameter itself is found without it".to_owned());
    }
}

fn lookups<'a>(expr: &'a Expr, calls: &mut Vec<&'a Expr>) {
    if let ExprKind::Call(call) = &expr.kind
        && matches!(&call.callee.kind, ExprKind::Name(name) if name == "lookup")
    {
        calls.push(&call.callee);
    }
    expr.for_each_child(&mut |child| lookups(child, calls));
}
