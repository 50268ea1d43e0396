//! Possible uses of a variable in templates.

use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::{Body, Expr};
use marotte_hir::{ExprId, Item, lowered, open_reads, places};
use marotte_resolve::call::NamedCall;

use super::elsewhere::{place, whole_names};
use super::{RefusedRename, refuse};
use crate::Db;
use crate::files::ruby_files;
use crate::hover::shown_path;
use crate::symbol::Symbol;
use crate::token::{Named, tokens};
use crate::words::has_words;

/// Refuses if a template or a string in Ruby may read a variable of an item's scope.
pub(super) fn templates(db: &dyn Db, item: Item<'_>, name: &str) -> Result<(), RefusedRename> {
    let file = item.file(db);
    let environment = environment_of(db, file);
    let body = item.body(db);
    let mut calls = 0;
    for (id, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let texts = match call.plain_name() {
            "template" | "epp" => {
                calls += 1;
                continue;
            }
            "inline_template" => usize::MAX,
            "inline_epp" => 1,
            _ => continue,
        };
        if call.arguments().take(texts).any(|it| may_mention(body, it, name)) {
            let at = places(db, item).map.place(id).map(|it| it.range.start()).unwrap_or_default();
            return refuse(format!("the template at {} may read `${name}`", place(db, file, at)));
        }
    }
    if calls == 0 {
        return Ok(());
    }
    let rendered = tokens(db, file).into_iter().filter(|it| it.within == Some(item));
    let mut known = 0;
    for token in rendered {
        if !matches!(token.named, Named::ModuleFile { folder: "templates", .. }) {
            continue;
        }
        known += 1;
        if let Some(Symbol::File(template)) = Symbol::of(db, file, &token) {
            of_template(db, environment, template, name)?;
        }
    }
    // A template rendered under a computed name may be any of them.
    if known < calls {
        for template in ruby_files(db, environment) {
            of_template(db, environment, *template, name)?;
        }
    }
    Ok(())
}

/// Whether a template that is written in code, or computed, may contain a name.
fn may_mention(body: &Body, id: ExprId, name: &str) -> bool {
    match body.expr(id) {
        Expr::String(text) => !whole_names(text, name).is_empty(),
        Expr::Heredoc { text, .. } => may_mention(body, *text, name),
        _ => true,
    }
}

fn of_template(
    db: &dyn Db,
    environment: Environment,
    template: File,
    name: &str,
) -> Result<(), RefusedRename> {
    if !has_words(db, template, name) {
        return Ok(());
    }
    let shown = || shown_path(db, environment, template);
    if template.path(db).extension() == Some("epp") {
        let is_open = !lowered(db, template).declares_parameters;
        return match is_open && open_reads(db, template).iter().any(|it| it == name) {
            true => refuse(format!("the template `{}` reads `${name}` of who renders it", shown())),
            false => Ok(()),
        };
    }
    let text = source_text(db, template).text();
    let is_read = |at: usize| {
        let before = &text[..at];
        match template.path(db).extension() {
            Some("erb") => is_in_tag(text, at) && (!before.ends_with('.') || before.ends_with("scope.")),
            _ => before.ends_with(['@', '\'', '"', ':']) || before.ends_with("scope."),
        }
    };
    match whole_names(text, name).into_iter().any(is_read) {
        true => refuse(format!("the template `{}` reads `@{name}`", shown())),
        false => Ok(()),
    }
}

/// Whether a place in an ERB template is in a tag with code.
fn is_in_tag(text: &str, at: usize) -> bool {
    text[..at].rfind("<%").is_some_and(|open| {
        let tag = &text[open + 2..at];
        !tag.contains("%>") && !tag.starts_with(['#', '%'])
    })
}
