//! `unquoted-resource-title`: the title of a resource has no quotes.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, title: &Expr) {
    if let ExprKind::Array(titles) = &title.kind {
        titles.iter().for_each(|it| check(style, it));
    } else if style.is_word(title) {
        let fix = style.quoted(title.range, true);
        let finding = style.report(
            rules::UNQUOTED_RESOURCE_TITLE,
            title.range,
            "the title of a resource has no quotes",
        );
        finding.fix = Some(fix);
    }
}
