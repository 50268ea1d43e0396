//! `selector-in-resource`: the value of an attribute is selected inside of the resource.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Selector};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr, selector: &Selector) {
    if !matches!(selector.value.kind, ExprKind::Variable(_)) {
        return;
    }
    let is_value = match style.parent().map(|it| &it.kind) {
        Some(ExprKind::Resource(resource)) => {
            let mut attributes = resource.bodies.iter().flat_map(|it| &it.attributes);
            attributes.any(|it| it.value.range == expr.range)
        }
        Some(ExprKind::Hash(_)) => style.around.iter().any(|it| matches!(it.kind, ExprKind::Resource(_))),
        _ => false,
    };
    if is_value {
        let finding = style.report(
            rules::SELECTOR_IN_RESOURCE,
            selector.value.range,
            "a selector is inside of a resource",
        );
        finding.label = Some("set a variable before".to_owned());
    }
}
