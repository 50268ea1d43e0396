//! `unresolved-class`: a class that is included, declared or inherited from exists nowhere.

use marotte_hir::NameKind;

use crate::classes::named_classes;
use crate::context::{At, Context};
use crate::names::{Lookup, look_up, nearest_definition};

pub(super) fn check(context: &mut Context<'_, '_>) {
    for (at, text) in named_classes(context) {
        name(context, at, &text);
    }
}

fn name(context: &mut Context<'_, '_>, at: At, text: &str) {
    let (db, environment) = (context.db, context.environment);
    if look_up(db, context.file, environment, NameKind::Class, text) != Lookup::Missing {
        return;
    }
    let defined = match look_up(db, context.file, environment, NameKind::Define, text) {
        Lookup::Found(item) => Some(context.defined(item, "this is a defined type: declare it with a title")),
        _ => nearest_definition(db, environment, NameKind::Class, text)
            .map(|item| context.defined(item, format!("did you mean `{}`?", item.name(db)))),
    };
    let finding = context.report("unresolved-class", at, format!("there is no class `{text}`"));
    finding.label = Some("not found".to_owned());
    finding.related.extend(defined);
}
