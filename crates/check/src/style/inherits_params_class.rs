//! `inherits-params-class`: a class gets its defaults from a class of parameters, which the module's data can replace.

use super::{Definition, Style};
use marotte_diagnostics::rules;

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    if let Some((parent, range)) = definition.parent
        && parent.ends_with("::params")
    {
        let finding = style.report(
            rules::INHERITS_PARAMS_CLASS,
            range,
            "a class inherits its defaults from a `params` class",
        );
        finding.label = Some("keep them in the module's data".to_owned());
    }
}
