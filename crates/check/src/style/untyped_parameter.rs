//! `untyped-parameter`: a parameter accepts values of any type.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Parameter;

use super::{Definition, Style};

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>, parameter: &Parameter) {
    if parameter.type_expr.is_none() {
        let message = format!("`${}` of `{}` has no type", parameter.name, definition.name);
        style.report(rules::UNTYPED_PARAMETER, parameter.name_range, message);
    }
}
