//! `parameter-order`: a required parameter follows an optional one.

use super::{Definition, Style};
use marotte_diagnostics::rules;

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    let optional_first = definition.parameters.iter().skip_while(|it| it.value.is_none());
    for parameter in optional_first.filter(|it| it.value.is_none()) {
        let message = format!("`${}` must be given, and comes after one that need not be", parameter.name);
        style.report(rules::PARAMETER_ORDER, parameter.name_range, message);
    }
}
