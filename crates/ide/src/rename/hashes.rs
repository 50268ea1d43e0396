//! Hashes with a name as a key: those that a rename changes, and that other code reads, too; those of templates, as far as it cannot
//! change them.

use std::collections::{BTreeSet, HashMap, HashSet};

use marotte_db::{File, environment_of, module_file};
use marotte_hir::body::{Body, Expr, Segment, TargetKind, parts};
use marotte_hir::{ExprId, Item, items, places};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, TextRange, normalized};

use super::elsewhere::place;
use super::idle::is_idle;
use super::{RefusedRename, TextEdit, refuse};
use crate::epp::{EXTENSION, is_named, may_render, renders, value_of};
use crate::files::code_files;
use crate::references::references_of;
use crate::symbol::Symbol;
use crate::token::{is_code, tokens};
use crate::{Access, Db, FileRange};

/// Refuses if an edit changes a key of a hash that is merged with another one, or that more than one place reads: the others would
/// look for the old key.
///
/// Resources of `define`, whose parameter is renamed, all look for the new one.
pub(super) fn shared(db: &dyn Db, edits: &[TextEdit], define: Option<&str>) -> Result<(), RefusedRename> {
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
            let hashes = Hashes { db, item: *item, parents: parents(body), define };
            for (hash, key) in keys {
                hashes.follow(hash, key, &mut HashSet::new())?;
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

/// The hashes of a body.
struct Hashes<'a> {
    db: &'a dyn Db,
    item: Item<'a>,
    /// The expression around each expression.
    parents: HashMap<ExprId, ExprId>,
    define: Option<&'a str>,
}

impl Hashes<'_> {
    /// Follows the value of an expression, which has an edited key, to where it is read.
    fn follow(&self, from: ExprId, key: TextRange, seen: &mut HashSet<ExprId>) -> Result<(), RefusedRename> {
        /// The functions whose result has the entries of several hashes.
        const MERGING: [&str; 4] = ["deep_merge", "merge", "stdlib::deep_merge", "stdlib::merge"];
        let body = self.item.body(self.db);
        let merged = || refuse(format!("the hash at {} is merged with another one", self.place(key)));
        let mut current = from;
        while let Some(around) = self.parents.get(&current).filter(|it| seen.insert(**it)) {
            match body.expr(*around) {
                Expr::Hash(_) | Expr::Array(_) | Expr::If(_) | Expr::Case(_) | Expr::Selector(_) => {}
                Expr::Binary(_) => return merged(),
                Expr::Assign { target, .. } => {
                    let TargetKind::Variable(name, _) = &target.kind else { return Ok(()) };
                    return self.read(name, self.range(target.at), key, seen);
                }
                expr => {
                    return match NamedCall::of(expr).is_some_and(|it| MERGING.contains(&it.plain_name())) {
                        true => merged(),
                        false => Ok(()),
                    };
                }
            }
            current = *around;
        }
        Ok(())
    }

    /// Follows a variable that is set at a place. Refuses if it is read in several places, unless these are all resources of the
    /// definition.
    fn read(
        &self,
        name: &Str,
        target: TextRange,
        key: TextRange,
        seen: &mut HashSet<ExprId>,
    ) -> Result<(), RefusedRename> {
        let (db, item) = (self.db, self.item);
        let file = item.file(db);
        let set = tokens(db, file).into_iter().filter(|it| target.contains_range(it.range));
        let symbols: Vec<Symbol<'_>> = set.filter_map(|it| Symbol::of(db, file, &it)).collect();
        for symbol in symbols.into_iter().filter(|it| matches!(it, Symbol::Variable(..) | Symbol::Top(_))) {
            let uses = references_of(db, file, &symbol);
            let reads: Vec<FileRange> =
                uses.iter().filter(|(_, it)| it.access == Access::Read).map(|(at, _)| *at).collect();
            if let [only] = reads[..] {
                if let Some(read) = self.variable_at(only) {
                    self.follow(read, key, seen)?;
                }
                continue;
            }
            if reads.iter().all(|it| self.is_of_definition(*it)) {
                continue;
            }
            if let Some(other) = reads.get(1) {
                let other = place(db, other.file, other.range.start());
                let at = self.place(key);
                return refuse(format!("the hash at {at} is read in several places: `${name}` at {other}"));
            }
        }
        Ok(())
    }

    /// The expression that reads a variable at a place of this body.
    fn variable_at(&self, at: FileRange) -> Option<ExprId> {
        let body = self.item.body(self.db);
        let is_it = |(id, expr): &(ExprId, &Expr)| {
            matches!(expr, Expr::Variable(_)) && self.range(*id).contains_range(at.range)
        };
        (at.file == self.item.file(self.db)).then(|| body.exprs().find(is_it).map(|it| it.0))?
    }

    /// Whether a place is the value of `*` of a resource of the definition.
    fn is_of_definition(&self, at: FileRange) -> bool {
        let body = self.item.body(self.db);
        let around = self.variable_at(at).and_then(|it| self.parents.get(&it));
        match around.map(|it| body.expr(*it)) {
            Some(Expr::Resource(resource)) => match body.expr(resource.type_name) {
                Expr::String(name) => self.define.is_some_and(|it| normalized(name) == *it),
                _ => false,
            },
            _ => false,
        }
    }

    fn range(&self, id: ExprId) -> TextRange {
        places(self.db, self.item).map.place(id).map(|it| it.range).unwrap_or_default()
    }

    fn place(&self, key: TextRange) -> String {
        place(self.db, self.item.file(self.db), key.start())
    }
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
    let path = path.trim_end_matches(EXTENSION);
    for file in code_files(db, environment_of(db, template)) {
        if !may_render(db, *file) {
            continue;
        }
        for item in items(db, *file) {
            // Calls of the function are searched like those of `epp`, which it calls.
            if normalized(item.name(db)) != "stdlib::deferrable_epp" && !is_idle(db, *item) {
                rendered_by(db, *item, path, name, edits)?;
            }
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
        let Some(call) = NamedCall::of(expr).filter(renders) else { continue };
        let mut arguments = call.arguments();
        let Some(template) = arguments.next() else { continue };
        match body.expr(template) {
            Expr::String(text) if !is_named(text, path) => continue,
            Expr::String(_) => _ = known.insert(template),
            // `"${module_name}/other.epp"`
            Expr::Interpolated(segments) => {
                if let Some(Segment::Text(end)) = segments.last()
                    && !path.ends_with(end.trim_end_matches(EXTENSION))
                {
                    continue;
                }
            }
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
    match named.find(|(_, expr)| matches!(expr, Expr::String(text) if is_named(text, path))) {
        Some((id, _)) => refuse(format!("something may render the template that is named at {}", at(id))),
        None => Ok(()),
    }
}

fn is_edited(file: File, range: TextRange, edits: &[TextEdit]) -> bool {
    edits.iter().any(|it| it.place.file == file && range.contains_range(it.place.range))
}
