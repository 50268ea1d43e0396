//! `inherits-across-modules`: a class inherits from a class of another module.

use super::{Definition, Style};
use marotte_diagnostics::rules;

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    let Some((parent, range)) = definition.parent else { return };
    let module = |name: &str| name.trim_start_matches("::").split("::").next().map(str::to_owned);
    if module(parent) != module(definition.name) {
        let finding = style.report(
            rules::INHERITS_ACROSS_MODULES,
            range,
            "a class inherits from a class of another module",
        );
        finding.label = Some("include it instead, and say whose variables are read".to_owned());
    }
}
