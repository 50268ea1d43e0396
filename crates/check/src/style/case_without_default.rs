//! `case-without-default`: a `case` doesn't handle values that match no option.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Case, Expr, ExprKind};
use marotte_text::{TextRange, TextSize};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr, case: &Case) {
    let mut values = case.options.iter().flat_map(|it| &it.values);
    if values.any(|it| matches!(it.kind, ExprKind::Default)) {
        return;
    }
    let keyword = TextRange::at(expr.range.start(), TextSize::of("case"));
    let finding = style.report(rules::CASE_WITHOUT_DEFAULT, keyword, "a `case` has no default");
    finding.label = Some("does nothing with other values, and says nothing".to_owned());
}
