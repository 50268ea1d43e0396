//! `single-quoted-variable`: single quotes do not interpolate `${…}`.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::String(text) = &expr.kind else { return };
    if style.quote(expr) != Some('\'') || !has_variable(text) || is_template(style) {
        return;
    }
    let finding = style.report(
        rules::SINGLE_QUOTED_VARIABLE,
        expr.range,
        "a string in single quotes has a variable in it",
    );
    finding.label = Some("written as it is: nothing is interpolated".to_owned());
}

/// Whether a text contains something that double quotes would interpolate: `${name}`, `${name[0]}` or `${name.call}`. Other
/// programs use `${lc:$1}` or `${1}`, which Puppet would reject, or would not interpolate as a variable.
fn has_variable(text: &str) -> bool {
    text.contains('$')
        && text.split("${").skip(1).any(|rest| {
            let rest = rest.trim_start().trim_start_matches('$').trim_start_matches("::");
            let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(rest.len());
            let after = rest[end..].trim_start();
            let is_name = rest.starts_with(|it: char| it.is_ascii_lowercase() || it == '_');
            is_name
                && (after.starts_with(['}', '[', '.']) || after.starts_with("::") || after.starts_with('('))
        })
}

/// Whether a string is a template, which is interpolated later.
fn is_template(style: &Style<'_>) -> bool {
    let Some(ExprKind::Call(call)) = style.parent().map(|it| &it.kind) else { return false };
    matches!(&call.callee.kind, ExprKind::Name(name) if matches!(name.as_str(), "inline_epp" | "inline_template"))
}
