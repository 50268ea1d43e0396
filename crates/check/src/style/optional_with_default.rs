//! `optional-with-default`: a parameter accepts `undef`, but its default value is another one; or it is required, although it
//! accepts `undef`.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Parameter};

use super::{Definition, Style, contains, named_type};

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>, parameter: &Parameter) {
    if parameter.type_expr.as_ref().and_then(named_type) != Some("Optional") {
        return;
    }
    let name = &parameter.name;
    match &parameter.value {
        None if definition.kind == "defined type" => {
            let message = format!("`${name}` is optional, and has no default value");
            style.report(rules::OPTIONAL_WITH_DEFAULT, parameter.name_range, message);
        }
        Some(value) if !may_be_undef(style, value) => {
            let message = format!("`${name}` is optional, and its default value is not `undef`");
            let finding = style.report(rules::OPTIONAL_WITH_DEFAULT, parameter.name_range, message);
            finding.label = Some("to give `undef` is to get the default".to_owned());
        }
        _ => {}
    }
}

/// Whether a default value is `undef`, or may evaluate to it.
fn may_be_undef(style: &Style<'_>, value: &Expr) -> bool {
    let is_call = |it: &Expr| {
        matches!(it.kind, ExprKind::Call(_) | ExprKind::MethodCall(_) | ExprKind::Parenthesized(_))
    };
    matches!(value.kind, ExprKind::Undef)
        || style.source(value.range).starts_with('$')
        || contains(value, &is_call)
}
