//! `unused-key`: a data key that nothing in the environment reads.

use marotte_db::module_folder;
use marotte_diagnostics::rules;
use marotte_hiera::LookupKey;
use marotte_resolve::puppetfile::{installs_absent, puppetfile};
use marotte_text::split_namespace;

use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::incremental::overview::key_reads;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    let options = LookupKey::lookup_options();
    for entry in context.entries() {
        // Keys of class parameters are checked by other rules.
        let ClassKey::Other = class_key(context.db, context.file, entry.key) else { continue };
        if entry.key == &*options.root || key_reads(db, environment).may_read(entry.key) {
            continue;
        }
        if is_of_absent_module(context, entry.key) {
            continue;
        }
        let finding = context.report(
            rules::UNUSED_KEY,
            entry.key_range,
            format!("nothing in the tree looks up `{}`", entry.key),
        );
        finding.label = Some("nothing reads this".to_owned());
    }
}

/// Whether the key's module is not here although it is installed with the environment, by its `Puppetfile` or with Puppet
/// Enterprise, so that its classes may have the parameter.
fn is_of_absent_module(context: &DataContext<'_, '_>, key: &str) -> bool {
    let (db, environment) = (context.db, context.environment);
    let Some((class, _)) = split_namespace(key) else { return false };
    let module = class.split("::").next().unwrap_or_default();
    if module_folder(db, environment, module.into()).is_some() {
        return false;
    }
    let may_list_more = || puppetfile(db, environment).is_some_and(|(_, it)| !it.is_complete);
    module == "puppet_enterprise"
        || module.starts_with("pe_")
        || may_list_more()
        || installs_absent(db, environment, module)
}
