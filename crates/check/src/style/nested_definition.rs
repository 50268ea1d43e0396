//! `nested-definition`: a class or a defined type is defined inside a class.

use marotte_diagnostics::rules;
use marotte_syntax::ast::ExprKind;

use super::{Definition, Style};

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    if style.around.iter().any(|it| matches!(it.kind, ExprKind::Class(_))) {
        let message = format!("a {} is defined inside a class", definition.kind);
        let finding = style.report(rules::NESTED_DEFINITION, definition.keyword, message);
        finding.label = Some("give it a file of its own".to_owned());
    }
}
