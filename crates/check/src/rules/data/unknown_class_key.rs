//! `unknown-class-key`: a data key for a parameter of a class that doesn't exist, and that no lookup reads.

use marotte_diagnostics::rules;
use marotte_hir::NameKind;
use marotte_resolve::names::{Lookup, look_up};
use marotte_resolve::suggest::nearest_definition;
use marotte_text::unrooted;

use crate::context::defined_at;
use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::reads::may_be_read;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    for entry in context.entries() {
        let ClassKey::NoClass(class) = class_key(context.db, context.file, entry.key) else { continue };
        if may_be_read(db, environment, context.layer, entry.key) {
            continue;
        }
        let define = match look_up(db, context.file, NameKind::Define, class) {
            Lookup::Found(item) => Some(item),
            Lookup::Unknown => continue,
            Lookup::Missing => None,
        };
        let nearest = define.or_else(|| nearest_definition(db, environment, NameKind::Class, class));
        let related = nearest.map(|it| match define {
            Some(_) => defined_at(db, it, "this is a defined type"),
            None => defined_at(db, it, format!("did you mean `{}`?", unrooted(it.name(db)))),
        });
        let message = format!("there is no class `{class}`, and nothing looks up `{}`", entry.key);
        let finding = context.report(rules::UNKNOWN_CLASS_KEY, entry.key_range, message);
        finding.label = Some("nothing reads this".to_owned());
        finding.related.extend(related);
        if define.is_some() {
            finding.notes.push("only parameters of classes are looked up in data".to_owned());
        }
    }
}
