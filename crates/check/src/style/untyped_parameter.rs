//! `untyped-parameter`: a parameter takes whatever it is given.

use marotte_syntax::ast::Parameter;

use super::{Definition, Style};

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>, parameter: &Parameter) {
    if parameter.type_expr.is_none() {
        let message = format!("`${}` of `{}` has no type", parameter.name, definition.name);
        style.report("untyped-parameter", parameter.name_range, message);
    }
}
