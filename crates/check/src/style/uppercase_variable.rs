//! `uppercase-variable`: the name of a variable has a capital letter.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Lambda;
use marotte_text::TextRange;

use super::Style;

pub(super) fn check(style: &mut Style<'_>, range: TextRange, name: &str) {
    if name.contains(|it: char| it.is_ascii_uppercase()) {
        style.report(rules::UPPERCASE_VARIABLE, range, format!("`${name}` has a capital letter"));
    }
}

/// The parameters of a lambda.
pub(super) fn check_parameters(style: &mut Style<'_>, lambda: Option<&Lambda>) {
    for parameter in lambda.into_iter().flat_map(|it| &it.parameters) {
        check(style, parameter.name_range, &parameter.name);
    }
}
