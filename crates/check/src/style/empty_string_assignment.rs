//! `empty-string-assignment`: a variable is set to `''`, where `undef` is usual.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Assignment, Expr, Parameter};

use super::declared_type::{Kind, Takes, takes_at};
use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, assignment: &Assignment) {
    of_value(style, &assignment.right, Takes::Yes);
}

pub(super) fn check_default(style: &mut Style<'_>, parameter: &Parameter) {
    if let Some(value) = &parameter.value {
        of_value(style, value, takes_at(style, parameter, value, Kind::Undef));
    }
}

/// Reports the empty string, with a fix if `undef` may be in its place.
fn of_value(style: &mut Style<'_>, value: &Expr, undef: Takes) {
    if style.source(value.range) == "''" {
        let finding = style.report(
            rules::EMPTY_STRING_ASSIGNMENT,
            value.range,
            "a variable is set to the empty string",
        );
        finding.fix = (undef == Takes::Yes).then(|| replace(value.range, "undef".to_owned(), false));
    }
}
