//! Possible uses of a parameter: attributes whose names are computed.

use std::collections::{BTreeSet, HashSet};

use marotte_check::semantics::{self, FunctionMeaning};
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::{Expr, Variable, parts};
use marotte_hir::{ExprId, Item, ItemKind, items, places};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, TextSize, normalized, unrooted};

use super::elsewhere::{comments, is_line_comment, place, whole_names};
use super::idle::is_idle;
use super::{RefusedRename, TextEdit, refuse};
use crate::files::{code_files, hiera_files, naming_files};
use crate::symbol::Symbol;
use crate::token::{Named, Token, tokens};
use crate::words::has_words;
use crate::{Db, FileRange};

/// Functions of Ruby whose result has only what their arguments have.
const PURE: [&str; 6] = ["deep_merge", "delete", "delete_undef_values", "merge", "pick", "pick_default"];

/// Functions that Puppet itself has, and that read what no search finds.
const READING: [&str; 4] = ["binary_file", "file", "find_file", "generate"];

/// Refuses if an attribute is set on several classes at once, which have parameters of their own.
pub(super) fn of_one_class(
    db: &dyn Db,
    at: FileRange,
    token: &Token<'_>,
    symbol: &Symbol<'_>,
) -> Result<(), RefusedRename> {
    let is_attribute = |it: &Token<'_>| matches!(it.named, Named::Attribute { .. });
    let mut others = tokens(db, at.file).into_iter().filter(|it| it.range == at.range && is_attribute(it));
    if !is_attribute(token) || others.all(|it| Symbol::of(db, at.file, &it).as_ref() == Some(symbol)) {
        return Ok(());
    }
    let place = place(db, at.file, at.range.start());
    refuse(format!("the attribute at {place} belongs to several classes"))
}

/// Refuses if computed attributes may be set on a class or resource type. A declaration whose type is computed, too, may set
/// them only if the attribute's name is a key of a hash somewhere.
pub(super) fn computed_attributes(
    db: &dyn Db,
    item: Item<'_>,
    name: &str,
    edits: &[TextEdit],
) -> Result<(), RefusedRename> {
    let environment = environment_of(db, item.file(db));
    let type_name = match item.kind(db) {
        ItemKind::Class => Str::from("class"),
        _ => normalized(item.name(db)),
    };
    let class = normalized(item.name(db));
    let last = unrooted(item.name(db)).rsplit("::").next().unwrap_or_default().to_owned();
    for file in code_files(db, environment) {
        // Code that declares it under a computed name contains no word of the name, but contains the attribute; functions take
        // both from elsewhere.
        let may_declare = [&*last, name, "create_resources", "ensure_resource", "ensure_resources"];
        if !may_declare.iter().any(|it| has_words(db, *file, it)) {
            continue;
        }
        for other in items(db, *file) {
            let Some(computed) = semantics::computed_attributes(db, *other, &type_name, &class, name) else {
                continue;
            };
            if is_idle(db, *other) {
                continue;
            }
            let range = places(db, *other).map.place(computed.at).map(|it| it.range).unwrap_or_default();
            let at = place(db, *file, range.start());
            if !computed.of_any_type {
                return refuse(format!("attributes are computed at {at}"));
            }
            if let Some((file, key)) = hash_key(db, environment, name, edits) {
                let key = place(db, file, key);
                return refuse(format!("`{name}` at {key} may be an attribute that {at} sets"));
            }
            let called = computed.value.and_then(|it| called_function(db, *other, it, &mut HashSet::new()));
            if let Some(function) = called {
                return refuse(format!(
                    "the function `{function}` may return `{name}`, an attribute that {at} sets"
                ));
            }
        }
    }
    Ok(())
}

/// The first function that an expression calls whose result may have parts that are written nowhere in code or data. Follows
/// variables that are set once, and functions in Puppet.
fn called_function<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    id: ExprId,
    seen: &mut HashSet<(Item<'db>, ExprId)>,
) -> Option<Str> {
    if !seen.insert((item, id)) {
        return None;
    }
    let body = item.body(db);
    let expr = body.expr(id);
    if let Some(call) = NamedCall::of(expr) {
        let name = call.plain_name();
        match semantics::function(db, item.file(db), name) {
            Some(FunctionMeaning::Builtin(_)) if !READING.contains(&name) => {}
            Some(FunctionMeaning::Puppet(function)) => {
                let statements = function.body(db).statements.iter();
                let found = statements.filter_map(|it| called_function(db, function, *it, seen)).next();
                if found.is_some() {
                    return found;
                }
            }
            _ if PURE.contains(&name.trim_start_matches("stdlib::")) => {}
            _ => return Some(name.into()),
        }
    }
    if let Expr::Variable(variable) = expr
        && let Variable::Local { name, .. } = &**variable
        && let Some(value) = body.set_once(name)
    {
        return called_function(db, item, value, seen);
    }
    let mut found = None;
    parts(body, expr, &mut |it, _| {
        if found.is_none() {
            found = called_function(db, item, it, seen);
        }
    });
    found
}

/// The first place in code, data or Ruby where a name is the key of a hash, or may be one.
fn hash_key(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    edits: &[TextEdit],
) -> Option<(File, TextSize)> {
    let known = code_files(db, environment).iter().chain(hiera_files(db, environment));
    let files: BTreeSet<File> = known.chain(&naming_files(db, environment).files).copied().collect();
    let mut files: Vec<File> = files.into_iter().filter(|it| has_words(db, *it, name)).collect();
    files.sort_by(|one, other| one.path(db).cmp(other.path(db)));
    files.into_iter().filter(|it| may_return_hashes(db, *it)).find_map(|file| {
        let text = source_text(db, file).text();
        let known = if crate::token::is_code(db, file) { tokens(db, file) } else { Vec::new() };
        let comments = comments(db, file);
        let places =
            whole_names(text, name).into_iter().map(|at| (at, TextSize::try_from(at).unwrap_or_default()));
        let mut keys = places.filter(|(at, offset)| {
            is_key(db, file, text, *at, name)
                && !edits.iter().any(|it| it.place.file == file && it.place.range.contains(*offset))
                && !known.iter().any(|it| it.range.contains(*offset))
                && !comments.iter().any(|it| it.contains(*offset))
                && !is_line_comment(file, db, text, *at)
        });
        keys.next().map(|(_, offset)| (file, offset))
    })
}

/// Whether hashes in a file may reach a declaration. Those of resource types and providers, of tests and of metadata don't.
pub(super) fn may_return_hashes(db: &dyn Db, file: File) -> bool {
    let path = file.path(db);
    let below = marotte_db::module_file(db, file).map(|it| it.path.as_str()).unwrap_or_default();
    let is_of_types = ["lib/puppet/type/", "lib/puppet/provider/", "spec/", "test/", "tasks/"];
    !is_of_types.iter().any(|it| below.starts_with(it))
        && !matches!(path.file_name(), Some("metadata.json" | "hiera.yaml"))
        && path.extension() != Some("erb")
}

/// Whether a name at a place is the key of a hash, or a text that may be one: `port =>`, `"port" :`, `:port`, and in a heredoc
/// `port:`.
fn is_key(db: &dyn Db, file: File, text: &str, at: usize, name: &str) -> bool {
    let before = &text[..at];
    let rest = text[at + name.len()..].trim_start_matches(['\'', '"']).trim_start_matches([' ', '\t']);
    let is_before_colon = rest.starts_with(':') && !rest.starts_with("::");
    let is_quoted = before.ends_with(['\'', '"']);
    let is_name_part = before.ends_with(['$', '@']) || before.ends_with("::");
    let extension = file.path(db).extension();
    !is_name_part
        && match extension {
            Some("pp" | "epp") => is_quoted || is_before_colon || rest.trim_start().starts_with("=>"),
            Some("rb") => {
                is_quoted || before.ends_with(':') || is_before_colon || rest.trim_start().starts_with("=>")
            }
            // `? port`
            _ => is_before_colon || before.trim_end_matches([' ', '"', '\'']).ends_with('?'),
        }
}
