//! `inherits-cycle`: a class inherits from itself, by way of others.

use marotte_hir::{Item, ItemKind, Name, NameKind};

use crate::context::{At, Context};
use crate::names::{Lookup, look_up};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let db = context.db;
    if context.item.kind(db) != ItemKind::Class {
        return;
    }
    let parent = |item: Item<'_>| item.signature(db).parent.clone();
    let mut chain = vec![context.item];
    let mut at = context.item;
    while let Some(name) = parent(at) {
        let found = look_up(db, at.file(db), NameKind::Class, &name);
        let Lookup::Found(next) = found else { return };
        if next == context.item {
            break;
        }
        // A cycle that does not come back to this class is that of others.
        if chain.contains(&next) {
            return;
        }
        chain.push(next);
        at = next;
    }
    if parent(at).is_none() {
        return;
    }
    let name = |item: &Item<'_>| Name::of(db, item.name(db)).text(db).to_string();
    let mut names: Vec<String> = chain.iter().map(name).collect();
    // One of them tells it: the first by name.
    if names.iter().min() != names.first() {
        return;
    }
    names.push(name(&context.item));
    let others = chain.iter().skip(1).map(|it| context.defined(*it, "by way of this class"));
    let others: Vec<_> = others.collect();
    let message = match chain.len() {
        1 => format!("class `{}` inherits from itself", names[0]),
        _ => format!("class `{}` inherits from itself: {}", names[0], names.join(" > ")),
    };
    let finding = context.report("inherits-cycle", At::Parent, message);
    finding.label = Some("leads back to this class".to_owned());
    finding.related.extend(others);
}
