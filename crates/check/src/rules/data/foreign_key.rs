//! `foreign-key`: a key in a module's data that isn't in the module's namespace, and that Hiera ignores (G13).

use marotte_diagnostics::rules;
use marotte_hiera::may_have;

use crate::data::DataContext;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let Some(module) = context.module() else { return };
    for entry in context.entries() {
        if may_have(module, entry.key) {
            continue;
        }
        let message = format!("keys in the data of the module `{module}` start with `{module}::`");
        let finding = context.report(rules::FOREIGN_KEY, entry.key_range, message);
        finding.label = Some("Hiera passes over this".to_owned());
    }
}
