//! `empty-string-assignment`: a variable is set to `''`, where `undef` is usual.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Assignment, Expr, Parameter};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, assignment: &Assignment) {
    of_value(style, &assignment.right);
}

pub(super) fn check_default(style: &mut Style<'_>, parameter: &Parameter) {
    parameter.value.iter().for_each(|it| of_value(style, it));
}

fn of_value(style: &mut Style<'_>, value: &Expr) {
    if style.source(value.range) == "''" {
        let finding = style.report(
            rules::EMPTY_STRING_ASSIGNMENT,
            value.range,
            "a variable is set to the empty string",
        );
        finding.fix = Some(replace(value.range, "undef".to_owned(), false));
    }
}
