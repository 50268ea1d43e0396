//! `foreign-key`: the data of a module has a key that is not the module's, which Hiera passes over (G13).

use marotte_hiera::LookupKey;

use crate::data::DataContext;

pub(super) fn check(context: &mut DataContext<'_, '_>) {
    let Some(module) = context.module() else { return };
    let prefix = format!("{module}::");
    let options = LookupKey::lookup_options();
    for entry in context.entries() {
        if entry.key == &*options.root || entry.key.starts_with(&prefix) {
            continue;
        }
        let message = format!("keys in the data of the module `{module}` start with `{prefix}`");
        let finding = context.report("foreign-key", entry.key_range, message);
        finding.label = Some("Hiera passes over this".to_owned());
    }
}
