//! `empty-string-default`: a parameter of type String has the empty string as its default value.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Parameter;

use super::{Style, named_type};

pub(super) fn check(style: &mut Style<'_>, parameter: &Parameter) {
    let (Some(declared), Some(value)) = (&parameter.type_expr, &parameter.value) else { return };
    if matches!(named_type(declared), Some("String" | "Variant")) && style.source(value.range) == "''" {
        let message = format!("`${}` is the empty string unless it is given", parameter.name);
        let finding = style.report(rules::EMPTY_STRING_DEFAULT, parameter.name_range, message);
        finding.label = Some("make it `Optional`, and `undef`".to_owned());
    }
}
