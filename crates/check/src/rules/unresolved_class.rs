//! `unresolved-class`: a class that is included, declared, inherited from or related exists nowhere.

use marotte_hir::NameKind;

use crate::classes::named_classes;
use crate::context::{At, Context};
use crate::functions::asks_what_is_declared;
use crate::literal::references;
use crate::names::{Lookup, in_own_module, look_up, nearest_definition};
use crate::relationships::operands;

/// Classes that no file defines.
const OF_EVERY_CATALOG: [&str; 2] = ["main", "settings"];

pub(super) fn check(context: &mut Context<'_, '_>) {
    for (at, text) in named_classes(context) {
        name(context, at, &text);
    }
    if asks_what_is_declared(context.body) {
        return;
    }
    for (id, _) in operands(context.body) {
        for (at, reference) in references(context.body, id).0 {
            let is_class = reference.type_name == "class" && !OF_EVERY_CATALOG.contains(&&*reference.title);
            // Mostly it is included beside.
            let is_said = context.said("unresolved-class", &message(&reference.title));
            if is_class && !is_said && !context.inference.is_unreachable(id) {
                name(context, At::Expr(at), &reference.title);
            }
        }
    }
}

fn name(context: &mut Context<'_, '_>, at: At, text: &str) {
    let (db, environment) = (context.db, context.environment);
    if look_up(db, context.file, environment, NameKind::Class, text) != Lookup::Missing {
        return;
    }
    let defined = match look_up(db, context.file, environment, NameKind::Define, text) {
        Lookup::Found(item) => Some(context.defined(item, "this is a defined type: declare it with a title")),
        _ => in_own_module(db, context.file, NameKind::Class, text)
            .or_else(|| nearest_definition(db, environment, NameKind::Class, text))
            .map(|item| context.defined(item, format!("did you mean `{}`?", item.name(db)))),
    };
    let finding = context.report("unresolved-class", at, message(text));
    finding.label = Some("not found".to_owned());
    finding.related.extend(defined);
}

fn message(name: &str) -> String {
    format!("there is no class `{name}`")
}
