//! The bodies that the inference of a body reads.

use std::collections::BTreeSet;

use marotte_db::{Db, File, environment_of};
use marotte_eval::functions::{Builtin, builtin};
use marotte_hir::body::{Callee, Expr, Variable};
use marotte_hir::{Item, NameKind, resolve};
use marotte_resolve::functions::{Function, function};
use marotte_resolve::names::{known, parent};
use marotte_text::unrooted;

/// The bodies that the result of one may depend on. Nobody writes code that depends on more, and it would be followed from more
/// than a few of them.
const MOST: usize = 500;

/// The function that a call refers to.
pub(super) enum Called<'db> {
    Builtin(&'static Builtin),
    Puppet(Item<'db>),
    /// The function that this file defines, and no other.
    Ruby(File),
    Unknown,
}

/// The function that a call by name refers to. The name is without `::` at its start.
pub(super) fn called<'db>(db: &'db dyn Db, from: File, name: &str) -> Called<'db> {
    if let Some(builtin) = builtin(name) {
        // A program may define a function with the name of a built-in one; a module may not.
        let own = resolve(db, from, NameKind::Function, name).filter(|it| it.is_readable);
        return own.map_or(Called::Builtin(builtin), |it| Called::Puppet(it.item));
    }
    match function(db, from, environment_of(db, from), name) {
        Function::Puppet(item) => Called::Puppet(item),
        Function::Ruby(it) if it.is_only => Called::Ruby(it.file),
        _ => Called::Unknown,
    }
}

/// The items whose outlines the inference of an item may read: functions that it calls, classes of which it reads variables, and
/// the class that it inherits from. The inference also reads the outlines of that class's ancestors, which that class reads.
#[salsa::tracked(returns(ref))]
pub fn reads<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<Item<'db>> {
    let file = item.file(db);
    let parent = if item.signature(db).parent.is_some() { parent(db, item) } else { None };
    let mut found: BTreeSet<Item<'db>> = parent.into_iter().filter(|it| *it != item).collect();
    for (_, expr) in item.body(db).exprs() {
        let function = match expr {
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => name,
                Callee::Type(_) | Callee::Other(_) => continue,
            },
            Expr::MethodCall(call) => &call.name,
            Expr::Variable(variable) => {
                if let Variable::Qualified { scope, .. } = &**variable {
                    found.extend(known(db, file, NameKind::Class, scope));
                }
                continue;
            }
            _ => continue,
        };
        if let Called::Puppet(item) = called(db, file, unrooted(function)) {
            found.insert(item);
        }
    }
    found
}

/// Whether an item's inference depends on the item itself, or on more bodies than anyone can follow.
#[salsa::tracked(returns(copy))]
pub(super) fn is_in_cycle<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![item];
    while let Some(next) = open.pop() {
        for read in reads(db, next) {
            if *read == item || seen.len() == MOST {
                return true;
            }
            if seen.insert(*read) {
                open.push(*read);
            }
        }
    }
    false
}
