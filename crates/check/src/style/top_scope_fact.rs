//! `top-scope-fact`: `$::name` may be a fact, or a variable of the main manifest.

use marotte_ruby::core;
use marotte_syntax::ast::{Expr, ExprKind};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr, name: &str) {
    let Some(name) = name.strip_prefix("::").filter(|it| !it.contains("::")) else { return };
    // Those of Facter are the matter of another rule.
    let is_legacy = || core::facts().iter().any(|it| it.legacy && it.pattern.is_none() && it.name == name);
    if matches!(name, "facts" | "trusted" | "server_facts") || is_legacy() {
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
    let finding =
        style.report("top-scope-fact", expr.range, format!("`$::{name}` is a variable of the top scope"));
    finding.label = Some(format!("a fact is `$facts['{name}']`"));
    finding.fix = Some(replace(expr.range, text, false));
}
