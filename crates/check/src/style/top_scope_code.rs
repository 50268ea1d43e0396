//! `top-scope-code`: a file has code outside of definitions.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{ExprKind, Program};
use marotte_text::{TextRange, TextSize};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, program: &Program) {
    for statement in &program.body {
        let is_definition = matches!(
            statement.kind,
            ExprKind::Class(_)
                | ExprKind::Define(_)
                | ExprKind::Function(_)
                | ExprKind::Node(_)
                | ExprKind::Plan(_)
                | ExprKind::TypeAlias(_)
                | ExprKind::TypeDefinition(_)
                | ExprKind::TypeMapping(_)
        );
        if !is_definition {
            let line = style.source(statement.range).lines().next().unwrap_or_default();
            let range = TextRange::at(statement.range.start(), TextSize::of(line));
            style.report(rules::TOP_SCOPE_CODE, range, "code outside of any definition");
        }
    }
}
