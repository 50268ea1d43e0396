//! `exec-without-condition`: a command runs each time that the agent runs.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Attribute, AttributeName, Expr, ExprKind, Resource, ResourceBody};

use super::{Style, contains, type_name};

/// The parameters that make a command run only if it is needed.
const CONDITIONS: [&str; 4] = ["onlyif", "unless", "creates", "refreshonly"];

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) != Some("exec") {
        return;
    }
    let has_condition = is_conditional(&body.attributes) || has_default(style);
    if !has_condition {
        let finding = style.report(
            rules::EXEC_WITHOUT_CONDITION,
            body.title.range,
            "a command runs whenever the agent does",
        );
        finding.label = Some("has no `onlyif`, `unless`, `creates` or `refreshonly`".to_owned());
    }
}

fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| match &it.name {
        AttributeName::Name(name) => CONDITIONS.contains(&name.as_str()),
        // A hash may have one.
        AttributeName::Unfold | AttributeName::Error => true,
    })
}

/// Whether commands get a condition elsewhere in the same definition: `Exec { creates => … }`.
fn has_default(style: &Style<'_>) -> bool {
    let is_default = |it: &Expr| match &it.kind {
        ExprKind::ResourceDefaults(defaults) => {
            matches!(&defaults.type_ref.kind, ExprKind::Reference(name) if name == "Exec")
                && is_conditional(&defaults.attributes)
        }
        _ => false,
    };
    style.around.first().is_some_and(|it| contains(it, &is_default))
}
