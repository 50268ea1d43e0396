//! `unused-key`: a data key that nothing in the environment reads.

use marotte_diagnostics::rules;
use marotte_hiera::LookupKey;

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
        let finding = context.report(
            rules::UNUSED_KEY,
            entry.key_range,
            format!("nothing in the tree looks up `{}`", entry.key),
        );
        finding.label = Some("nothing reads this".to_owned());
    }
}
