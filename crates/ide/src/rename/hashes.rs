//! Hashes with a name as a key: those that a rename changes, and that other code reads, too; those of templates, as far as it cannot
//! change them.

use std::collections::{BTreeSet, HashMap, HashSet};

use marotte_db::{File, environment_of, module_file};
use marotte_hir::body::{Body, Expr, TargetKind, Variable, parts};
use marotte_hir::{ExprId, Item, items, places};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, TextRange};

use super::elsewhere::place;
use super::{RefusedRename, TextEdit, refuse};
use crate::files::code_files;
use crate::references::references_of;
use crate::symbol::Symbol;
use crate::token::{Named, is_code, tokens};
use crate::words::has_words;
use crate::{Access, Db};

/// The functions that render a template in EPP with a hash of parameters.
const RENDERING: [&str; 3] = ["epp", "deferrable_epp", "stdlib::deferrable_epp"];

/// Refuses if an edit changes a key of a hash that is merged with another one, or that more than one place reads: the others would
/// look for the old key.
pub(super) fn shared(db: &dyn Db, edits: &[TextEdit]) -> Result<(), RefusedRename> {
    let files: BTreeSet<File> = edits.iter().map(|it| it.place.file).filter(|it| is_code(db, *it)).collect();
    for file in files {
        let ranges: Vec<TextRange> =
            edits.iter().filter(|it| it.place.file == file).map(|it| it.place.range).collect();
        for item in items(db, file) {
            let body = item.body(db);
            let keys: Vec<(ExprId, TextRange)> = keys(db, *item, body, &ranges);
            if keys.is_empty() {
                continue;
            }
            let parents = parents(body);
            for (hash, range) in keys {
                of_hash(db, *item, (hash, range), &parents)?;
            }
        }
    }
    Ok(())
}

/// The hashes of a body that have an edited key, with the place of the key.
fn keys(db: &dyn Db, item: Item<'_>, body: &Body, edited: &[TextRange]) -> Vec<(ExprId, TextRange)> {
    let map = &places(db, item).map;
    let mut found = Vec::new();
    for (id, expr) in body.exprs() {
        let Expr::Hash(entries) = expr else { continue };
        for (key, _) in entries {
            let Some(at) = map.place(*key).map(|it| it.range) else { continue };
            if edited.iter().any(|it| at.contains_range(*it)) {
                found.push((id, at));
            }
        }
    }
    found
}

/// The expression around each expression.
fn parents(body: &Body) -> HashMap<ExprId, ExprId> {
    let mut parents = HashMap::new();
    for (id, expr) in body.exprs() {
        parts(body, expr, &mut |part, _| _ = parents.insert(part, id));
    }
    parents
}

fn of_hash(
    db: &dyn Db,
    item: Item<'_>,
    (hash, key): (ExprId, TextRange),
    parents: &HashMap<ExprId, ExprId>,
) -> Result<(), RefusedRename> {
    /// The functions whose result has the entries of several hashes.
    const MERGING: [&str; 4] = ["deep_merge", "merge", "stdlib::deep_merge", "stdlib::merge"];
    let (file, body) = (item.file(db), item.body(db));
    let at = || place(db, file, key.start());
    let mut current = hash;
    while let Some(around) = parents.get(&current) {
        match body.expr(*around) {
            Expr::Hash(_) | Expr::Array(_) | Expr::If(_) | Expr::Case(_) | Expr::Selector(_) => {}
            Expr::Binary(_) => return refuse(format!("the hash at {} is merged with another one", at())),
            Expr::Assign { target, .. } => {
                let TargetKind::Variable(name, _) = &target.kind else { return Ok(()) };
                let target = places(db, item).map.place(target.at).map(|it| it.range).unwrap_or_default();
                return read_once(db, item, (name, target), &at());
            }
            expr => {
                return match NamedCall::of(expr).is_some_and(|it| MERGING.contains(&it.plain_name())) {
                    true => refuse(format!("the hash at {} is merged with another one", at())),
                    false => Ok(()),
                };
            }
        }
        current = *around;
    }
    Ok(())
}

/// Refuses if a variable with a hash is read at more than one place.
fn read_once(
    db: &dyn Db,
    item: Item<'_>,
    (name, target): (&Str, TextRange),
    at: &str,
) -> Result<(), RefusedRename> {
    let file = item.file(db);
    let frames = tokens(db, file).into_iter().filter_map(|it| match it.named {
        Named::Variable(of, frame, found)
            if of == item && found == *name && target.contains_range(it.range) =>
        {
            Some(frame)
        }
        _ => None,
    });
    for frame in frames {
        let symbol = Symbol::Variable(item, frame, name.clone());
        let uses = references_of(db, file, &symbol);
        let mut reads = uses.iter().filter(|(_, it)| it.access == Access::Read);
        if let (Some(_), Some((other, _))) = (reads.next(), reads.next()) {
            let other = place(db, other.file, other.range.start());
            return refuse(format!("the hash at {at} is read in several places: `${name}` at {other}"));
        }
    }
    Ok(())
}

/// Refuses if a template in EPP may be rendered with a parameter that the edits don't change.
pub(super) fn of_template(
    db: &dyn Db,
    template: File,
    name: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let Some(own) = module_file(db, template) else { return Ok(()) };
    let Ok(below) = own.path.strip_prefix("templates") else { return Ok(()) };
    let path = format!("{}/{below}", own.module);
    for file in code_files(db, environment_of(db, template)) {
        let may_render = ["epp", "deferrable_epp"].iter().any(|it| has_words(db, *file, it));
        if !may_render {
            continue;
        }
        for item in items(db, *file) {
            rendered_by(db, *item, &path, name, edits)?;
        }
    }
    Ok(())
}

fn rendered_by(
    db: &dyn Db,
    item: Item<'_>,
    path: &str,
    name: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let (file, body) = (item.file(db), item.body(db));
    let range = |id: ExprId| places(db, item).map.place(id).map(|it| it.range).unwrap_or_default();
    let at = |id: ExprId| place(db, file, range(id).start());
    let mut known = HashSet::new();
    for (id, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr).filter(|it| RENDERING.contains(&it.plain_name())) else {
            continue;
        };
        let mut arguments = call.arguments();
        let Some(template) = arguments.next() else { continue };
        match body.expr(template) {
            Expr::String(text) if text != path => continue,
            Expr::String(_) => _ = known.insert(template),
            _ => {}
        }
        let Some(parameters) = arguments.next() else { continue };
        let Expr::Hash(entries) = body.expr(value_of(body, parameters)) else {
            return refuse(format!("the parameters of a template are computed at {}", at(id)));
        };
        for (key, _) in entries {
            match body.expr(*key) {
                Expr::String(text) if text != name => {}
                Expr::String(_) if is_edited(file, range(*key), edits) => {}
                Expr::String(_) => {
                    return refuse(format!("`{name}` at {} may be a parameter of the template", at(*key)));
                }
                _ => return refuse(format!("the parameters of a template are computed at {}", at(id))),
            }
        }
    }
    let mut named = body.exprs().filter(|(id, _)| !known.contains(id));
    match named.find(|(_, expr)| matches!(expr, Expr::String(text) if text == path)) {
        Some((id, _)) => refuse(format!("something may render the template that is named at {}", at(id))),
        None => Ok(()),
    }
}

/// The value of a variable that is set once; any other expression itself.
fn value_of(body: &Body, id: ExprId) -> ExprId {
    if let Expr::Variable(variable) = body.expr(id)
        && let Variable::Local { name, .. } = &**variable
    {
        return body.set_once(name).unwrap_or(id);
    }
    id
}

fn is_edited(file: File, range: TextRange, edits: &[TextEdit]) -> bool {
    edits.iter().any(|it| it.place.file == file && range.contains_range(it.place.range))
}
