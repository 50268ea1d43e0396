//! `unknown-class-key`: a data key for a parameter of a class that doesn't exist, and that no lookup reads.

use foldhash::HashMap;
use marotte_diagnostics::rules;
use marotte_hir::{Item, ItemKind, NameKind};
use marotte_resolve::names::{Lookup, look_up};
use marotte_resolve::suggest::{in_misspelled_module, nearest_definition};
use marotte_text::{split_namespace, unrooted};

use crate::context::defined_at;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::reads::{is_read_by_name, may_be_read};
use crate::data::{DataContext, Entry};

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    // Most keys of a file are those of few classes.
    let mut meant: HashMap<&str, Option<Item<'_>>> = HashMap::default();
    for entry in context.entries() {
        let class = match class_key(context.db, context.file, entry.key) {
            ClassKey::NoClass(class) => class,
            ClassKey::Other => {
                let Some((class, parameter)) = split_namespace(entry.key) else { continue };
                let search = || in_misspelled_module(db, context.file, NameKind::Class, class);
                if let Some(meant) = *meant.entry(class).or_insert_with(search)
                    && meant.signature(db).parameters.iter().any(|it| it.name == parameter)
                    && !is_read_by_name(db, environment, entry.key)
                {
                    report(context, &entry, class, Some(meant));
                }
                continue;
            }
            _ => continue,
        };
        if may_be_read(db, environment, context.layer, entry.key) {
            continue;
        }
        let define = match look_up(db, context.file, NameKind::Define, class) {
            Lookup::Found(item) => Some(item),
            Lookup::Unknown => continue,
            Lookup::Missing => None,
        };
        let nearest = || nearest_definition(db, environment, NameKind::Class, class);
        report(context, &entry, class, define.or_else(nearest));
    }
}

/// Reports the key of a parameter of a class that does not exist: with the one that is meant, or the defined type of this name.
fn report(context: &mut DataContext<'_, '_>, entry: &Entry<'_>, class: &str, found: Option<Item<'_>>) {
    let db = context.db;
    let is_define = found.is_some_and(|it| it.kind(db) == ItemKind::Define);
    let related = found.map(|it| match is_define {
        true => defined_at(db, it, "this is a defined type"),
        false => defined_at(db, it, format!("did you mean `{}`?", unrooted(it.name(db)))),
    });
    let may_be_read = may_be_read(db, context.environment, context.layer, entry.key);
    let by_name = if may_be_read { " by this name" } else { "" };
    let message = format!("there is no class `{class}`, and nothing looks up `{}`{by_name}", entry.key);
    let finding = context.report(rules::UNKNOWN_CLASS_KEY, entry.key_range, message);
    finding.label = Some(format!("nothing reads this{by_name}"));
    finding.related.extend(related);
    if is_define {
        finding.notes.push("only parameters of classes are looked up in data".to_owned());
    }
}
