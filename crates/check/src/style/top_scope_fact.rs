//! `top-scope-fact`: `$::name` may be a fact, or a variable of the main manifest.

use marotte_diagnostics::rules;
use marotte_ruby::core;
use marotte_syntax::ast::{Expr, ExprKind};
use marotte_text::is_qualified;

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr, name: &str) {
    let Some(name) = name.strip_prefix("::").filter(|it| !is_qualified(it)) else { return };
    // The rule `legacy-fact` reports legacy facts.
    if matches!(name, "facts" | "trusted" | "server_facts") || core::is_legacy(name) {
        return;
    }
    let written = style.source(expr.range);
    let is_segment = matches!(style.parent().map(|it| &it.kind), Some(ExprKind::Interpolated(_)));
    let is_bare = is_segment && written.starts_with('$') && !style.before(expr.range.start()).ends_with("${");
    let text = match (is_bare, written.starts_with('$')) {
        (true, _) => format!("${{facts['{name}']}}"),
        (false, true) => format!("$facts['{name}']"),
        (false, false) => format!("facts['{name}']"),
    };
    let finding = style.report(
        rules::TOP_SCOPE_FACT,
        expr.range,
        format!("`$::{name}` is a variable of the top scope"),
    );
    finding.label = Some(format!("a fact is `$facts['{name}']`"));
    finding.fix = Some(replace(expr.range, text, false));
}
