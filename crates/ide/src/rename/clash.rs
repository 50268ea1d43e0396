//! Variables that already have the new name, and would be read in place of the renamed one, or the other way round.

use std::collections::BTreeSet;

use marotte_check::semantics::{definition, parents};
use marotte_db::{File, environment_of};
use marotte_hir::body::{Expr, FrameId, Variable};
use marotte_hir::{ExprId, Item, ItemKind, NameKind};
use marotte_text::Str;

use super::{RefusedRename, refuse};
use crate::files::{code_files, hiera_files, ruby_files};
use crate::symbol::Symbol;
use crate::token::{Frames, Named, Token, scope_has, tokens};
use crate::words::has_words;
use crate::{Db, FileRange};

/// Refuses if a variable of an item, or of one of its frames, would be mistaken for another variable under its new name: in the
/// item, in classes that inherit from it, and where one of these qualifies the name.
pub(super) fn clash<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    frame: Option<FrameId>,
    (old, new): (&Str, &str),
    references: &[(FileRange, Token<'db>)],
) -> Result<(), RefusedRename> {
    clash_in_item(db, item, frame, (old, new))?;
    if frame.is_some() || item.kind(db) != ItemKind::Class {
        return Ok(());
    }
    for (at, token) in references {
        let reader = match &token.named {
            Named::Qualified(class, _) => definition(db, at.file, NameKind::Class, class),
            _ => token.within.filter(|it| *it != item && is_short(token)),
        };
        let Some(reader) = reader else { continue };
        if nearer(db, reader, item).iter().any(|it| scope_has(db, *it, new)) {
            return taken(new);
        }
        if token.within == Some(reader) && reader != item {
            clash_in_item(db, reader, None, (old, new))?;
        }
    }
    let environment = environment_of(db, item.file(db));
    let all = [code_files(db, environment), hiera_files(db, environment), ruby_files(db, environment)];
    let files: BTreeSet<File> = all.into_iter().flatten().copied().collect();
    for file in files.into_iter().filter(|it| has_words(db, *it, new)) {
        for token in tokens(db, file) {
            if reads_beyond(db, file, &token, item, new) {
                return taken(new);
            }
        }
    }
    Ok(())
}

/// Refuses if a variable of a frame, or of the scope of an item, would be mistaken for another one in the item.
pub(super) fn clash_in_item(
    db: &dyn Db,
    item: Item<'_>,
    frame: Option<FrameId>,
    (old, new): (&Str, &str),
) -> Result<(), RefusedRename> {
    let body = item.body(db);
    let frames = Frames::of(body);
    let is_read_in_text = || {
        tokens(db, item.file(db)).iter().any(|it| match &it.named {
            Named::Variable(of, None, name) | Named::Outer(of, name) => *of == item && name == new,
            _ => false,
        })
    };
    if frames.has(frame, new) || frame.is_none() && is_read_in_text() {
        return taken(new);
    }
    let set: BTreeSet<ExprId> = body.assigned().map(|(at, _)| at).collect();
    for (id, expr) in body.exprs() {
        let Expr::Variable(variable) = expr else { continue };
        let Variable::Local { name, .. } = &**variable else { continue };
        if set.contains(&id) || name != old && name != new {
            continue;
        }
        let read = frames.read_in(id, variable);
        let around = frames.around(id);
        let mut inner = around.iter().take_while(|it| Some(**it) != frame);
        let is_mistaken = match name == old {
            true => read == frame && inner.any(|it| frames.has(Some(*it), new)),
            false => {
                frame.is_none_or(|it| around.contains(&it))
                    && !inner.any(|it| read.is_some_and(|read| read == *it))
            }
        };
        if is_mistaken {
            return taken(new);
        }
    }
    Ok(())
}

/// The classes in which a class finds variables before those of one that it inherits from: the class itself, and its nearer
/// ancestors. Empty if it doesn't inherit from the other class.
fn nearer<'db>(db: &'db dyn Db, class: Item<'db>, ancestor: Item<'db>) -> Vec<Item<'db>> {
    let mut chain = vec![class];
    chain.extend(parents(db, class));
    match chain.iter().position(|it| *it == ancestor) {
        Some(end) => chain.drain(..end).collect(),
        None => Vec::new(),
    }
}

/// Whether a token reads a variable of a name through a class, but from beyond it: from its ancestors, or from the top scope.
fn reads_beyond<'db>(db: &'db dyn Db, file: File, token: &Token<'db>, item: Item<'db>, name: &str) -> bool {
    let reader = match &token.named {
        Named::Variable(of, None, it) | Named::Outer(of, it) if it == name => Some(*of),
        Named::Qualified(class, it) if it == name => definition(db, file, NameKind::Class, class),
        _ => None,
    };
    let Some(reader) = reader.filter(|it| *it == item || parents(db, *it).contains(&item)) else {
        return false;
    };
    match Symbol::of(db, file, token) {
        Some(Symbol::Variable(of, ..)) => !nearer(db, reader, item).contains(&of),
        Some(_) => true,
        None => false,
    }
}

/// Whether a token names a variable without its scope.
pub(super) fn is_short(token: &Token<'_>) -> bool {
    matches!(token.named, Named::Variable(..) | Named::Outer(..))
}

fn taken(new: &str) -> Result<(), RefusedRename> {
    refuse(format!("there is a variable `${new}` already"))
}
