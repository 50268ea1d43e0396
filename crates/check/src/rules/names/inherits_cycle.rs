//! `inherits-cycle`: a class inherits from itself, through others.

use marotte_diagnostics::rules;
use marotte_hir::{Item, ItemKind, Name};
use marotte_resolve::names::{Ancestors, AncestorsEnd, ancestors};

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let db = context.db;
    if context.item.kind(db) != ItemKind::Class {
        return;
    }
    let Ancestors { classes: others, end } = ancestors(db, context.item);
    // A cycle that doesn't include this class is reported at one that it includes.
    if end != AncestorsEnd::Circle(context.item) {
        return;
    }
    let name = |item: &Item<'_>| Name::of(db, item.name(db)).text(db).to_string();
    let mut names: Vec<String> = [context.item].iter().chain(&others).map(name).collect();
    // Only one class of the cycle reports it: the first by name.
    if names.iter().min() != names.first() {
        return;
    }
    names.push(name(&context.item));
    let message = match others.len() {
        0 => format!("class `{}` inherits from itself", names[0]),
        _ => format!("class `{}` inherits from itself: {}", names[0], names.join(" > ")),
    };
    let others: Vec<_> = others.into_iter().map(|it| context.defined(it, "by way of this class")).collect();
    let finding = context.report(rules::INHERITS_CYCLE, At::Parent, message);
    finding.label = Some("leads back to this class".to_owned());
    finding.related.extend(others);
}
