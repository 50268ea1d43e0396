//! `inherits-params-class`: a class gets its defaults from a class of parameters, where data of the module would do.

use super::{Definition, Style};

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    if let Some((parent, range)) = definition.parent
        && parent.ends_with("::params")
    {
        let finding = style.report(
            "inherits-params-class",
            range,
            "a class inherits its defaults from a `params` class",
        );
        finding.label = Some("keep them in the module's data".to_owned());
    }
}
