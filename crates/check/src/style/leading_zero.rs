//! `leading-zero`: a number that starts with 0 is octal.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Expr;

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let text = style.source(expr.range);
    let mut digits = text.bytes();
    if digits.next() == Some(b'0') && digits.next().is_some_and(|it| it.is_ascii_digit()) {
        let fix = style.quoted(expr.range, false);
        let finding = style.report(rules::LEADING_ZERO, expr.range, format!("`{text}` is an octal number"));
        finding.label = Some("quote it, if it is meant as it is written".to_owned());
        finding.fix = Some(fix);
    }
}
