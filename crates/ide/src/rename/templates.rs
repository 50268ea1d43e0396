//! Uses of a variable in templates, as far as a rename cannot change them.

use marotte_check::semantics::{self, FunctionMeaning, rendered_templates};
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::{Body, Expr};
use marotte_hir::{ExprId, Item, items, lowered, open_reads, places};
use marotte_resolve::call::NamedCall;
use marotte_ruby::erb::{TagKind, tag_at, tags};
use marotte_ruby::template::has_computed_names;
use marotte_text::{Str, TextSize, unrooted};

use super::computed_names::{Renamed, reads};
use super::elsewhere::{may_read_variables, place, whole_names};
use super::{RefusedRename, TextEdit, refuse};
use crate::Db;
use crate::epp::EXTENSION;
use crate::files::{code_files, ruby_files};
use crate::hover::shown_path;
use crate::symbol::Symbol;
use crate::token::{Named, Token, is_erb, renderers, scope_has, tokens};
use crate::words::has_words;

/// The new name of a variable of an item's scope.
#[derive(Clone, Copy)]
pub(super) struct NewName<'r> {
    pub(super) old: &'r Str,
    pub(super) new: &'r str,
    /// Whether the variable belongs to the top scope.
    pub(super) is_global: bool,
    /// The changes so far, which include those of templates.
    pub(super) edits: &'r [TextEdit],
    /// The variable in reads of computed names.
    pub(super) renamed: &'r Renamed<'r, 'r>,
}

/// Refuses if a template that an item renders may read a variable at a place that the edits don't change, or may also read one of
/// another item there, or something else that already has the new name.
pub(super) fn templates(db: &dyn Db, item: Item<'_>, renamed: NewName<'_>) -> Result<(), RefusedRename> {
    let name = renamed.old;
    let file = item.file(db);
    let environment = environment_of(db, file);
    let body = item.body(db);
    let mut calls = 0;
    for (id, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let texts = match call.plain_name() {
            "template" => {
                calls += 1;
                continue;
            }
            // Its templates read no variables of the code that calls it, except those of the top scope.
            "epp" if renamed.is_global => {
                calls += 1;
                continue;
            }
            "inline_template" => usize::MAX,
            "inline_epp" => 1,
            // A function in Ruby can read the variables of the code that calls it.
            function => {
                if let Some(FunctionMeaning::Ruby(ruby)) = semantics::function(db, file, function)
                    && may_read_variables(db, ruby)
                {
                    of_template(db, environment, ruby, renamed)?;
                }
                continue;
            }
        };
        let at = || {
            let at = places(db, item).map.place(id).map(|it| it.range.start()).unwrap_or_default();
            place(db, file, at)
        };
        for argument in call.arguments().take(texts) {
            match text_of(body, argument).filter(|it| whole_names(it, name).is_empty()) {
                Some(text) => renamed.renamed.not_in_text(text, &at())?,
                None => return refuse(format!("the template at {} may read `${name}`", at())),
            }
        }
    }
    if calls == 0 {
        return Ok(());
    }
    let rendered = tokens(db, file).into_iter().filter(|it| it.within == Some(item));
    let mut known = 0;
    for token in rendered {
        let Named::ModuleFile { folder: "templates", path } = &token.named else { continue };
        if is_epp(path) && !renamed.is_global {
            continue;
        }
        known += 1;
        if let Some(Symbol::File(template)) = Symbol::of(db, file, &token) {
            of_template(db, environment, template, renamed)?;
        }
    }
    // A template rendered under a computed name, or by another template, may be any of them.
    let renders = |it: &File| {
        let words = ["function_template", "call_function template", "call_function inline_template"];
        words.iter().any(|words| has_words(db, *it, words))
    };
    if known < calls || rendered_templates(db, item).files.iter().any(renders) {
        for template in ruby_files(db, environment).iter().filter(|it| may_read_variables(db, **it)) {
            of_template(db, environment, *template, renamed)?;
        }
    }
    Ok(())
}

fn is_epp(path: &str) -> bool {
    path.ends_with(EXTENSION)
}

/// The text of a template that is written in code. None if it is computed.
fn text_of(body: &Body, id: ExprId) -> Option<&str> {
    match body.expr(id) {
        Expr::String(text) => Some(text),
        Expr::Heredoc { text, .. } => text_of(body, *text),
        _ => None,
    }
}

fn of_template(
    db: &dyn Db,
    environment: Environment,
    template: File,
    NewName { old: name, new, edits, renamed, .. }: NewName<'_>,
) -> Result<(), RefusedRename> {
    if is_erb(db, template) || template.path(db).extension() == Some("rb") {
        renamed.not_in_file(template)?;
    }
    let is_new = |it: &Token<'_>| matches!(&it.named, Named::Rendered(it) if it == new);
    if is_erb(db, template) && has_words(db, template, new) && tokens(db, template).iter().any(is_new) {
        let shown = shown_path(db, environment, template);
        return refuse(format!("the template `{shown}` reads `@{new}` already"));
    }
    if !has_words(db, template, name) {
        return Ok(());
    }
    let shown = || shown_path(db, environment, template);
    if is_epp(template.path(db).as_str()) {
        let is_open = !lowered(db, template).declares_parameters;
        return match is_open && open_reads(db, template).iter().any(|it| it == name) {
            true => refuse(format!("the template `{}` may get `${name}` from who renders it", shown())),
            false => Ok(()),
        };
    }
    let text = source_text(db, template).text();
    let is_changed = |at: usize| {
        edits.iter().any(|it| it.place.file == template && usize::from(it.place.range.start()) == at)
    };
    let is_erb = is_erb(db, template);
    // Texts in other quotes, and lists of words, may be the names of variables.
    let has_lists = ["%w", "%W", "%i", "%I", "%q", "%Q", "%(", "%[", "%{"].iter().any(|it| text.contains(it));
    let tags = if is_erb { tags(text) } else { Vec::new() };
    let is_read = |at: usize| {
        let before = &text[..at];
        let is_name = before.ends_with(['@', '\'', '"', ':', '`', '}']) || before.ends_with("scope.");
        let is_code = || tag_at(&tags, at).is_some_and(|it| it.kind != TagKind::Comment);
        if is_erb { (is_name || has_lists) && is_code() } else { is_quoted(text, at, name) && reads(before) }
    };
    let read: Vec<usize> = whole_names(text, name).into_iter().filter(|it| is_read(*it)).collect();
    if read.is_empty() {
        return Ok(());
    }
    if let Some(at) = read.into_iter().find(|it| !is_changed(*it)) {
        let at = place(db, template, TextSize::try_from(at).unwrap_or_default());
        return refuse(format!("`{name}` at {at} may be the variable `${name}`, and cannot be changed"));
    }
    if is_erb && has_computed_names(text) {
        return refuse(format!(
            "the template `{}` reads variables by names that it computes: `{name}` may be one",
            shown()
        ));
    }
    of_others(db, environment, template, name)
}

/// Whether a name is all that quotes contain, apart from `::`.
fn is_quoted(text: &str, at: usize, name: &str) -> bool {
    let quote = text[..at].trim_end_matches("::").chars().next_back();
    quote.is_some_and(|it| matches!(it, '\'' | '"') && text[at + name.len()..].starts_with(it))
}

/// Refuses if a template may read a variable of the name in the scopes of several items.
fn of_others(db: &dyn Db, environment: Environment, template: File, name: &Str) -> Result<(), RefusedRename> {
    let shown = || shown_path(db, environment, template);
    let mut meant = None;
    for token in tokens(db, template) {
        if !matches!(&token.named, Named::Rendered(it) if it == name) {
            continue;
        }
        for symbol in Symbol::all_of(db, template, &token) {
            if *meant.get_or_insert_with(|| symbol.clone()) != symbol {
                return refuse(format!(
                    "several classes render the template `{}`, which reads `@{name}`",
                    shown()
                ));
            }
        }
    }
    // Whoever renders a template by a computed name may render this one.
    let known = renderers(db, template);
    for file in code_files(db, environment) {
        if !has_words(db, *file, name) || !has_words(db, *file, "template") {
            continue;
        }
        for item in items(db, *file).iter().filter(|it| !known.contains(it)) {
            if scope_has(db, *item, name) && !rendered_templates(db, *item).is_complete {
                return refuse(format!(
                    "`{}` may render the template `{}`, which reads `@{name}`",
                    unrooted(item.name(db)),
                    shown()
                ));
            }
        }
    }
    Ok(())
}
