//! `absolute-variable-name`: `$::a::b` is the same as `$a::b`.

use marotte_diagnostics::{Edit, Fix, rules};
use marotte_syntax::ast::Expr;
use marotte_text::{TextRange, TextSize, is_qualified};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr, name: &str) {
    let Some(relative) = name.strip_prefix("::").filter(|it| is_qualified(it)) else { return };
    let message = format!("`$::{relative}` means `${relative}`");
    let dollar = TextSize::from(u32::from(style.source(expr.range).starts_with('$')));
    let colons = TextRange::at(expr.range.start() + dollar, TextSize::of("::"));
    let finding = style.report(rules::ABSOLUTE_VARIABLE_NAME, expr.range, message);
    finding.fix = Some(Fix {
        title: "remove `::`".to_owned(),
        safe: true,
        edits: vec![Edit { range: colons, text: String::new() }],
    });
}
