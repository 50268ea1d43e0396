//! Completion in the code of templates in ERB.

use marotte_check::semantics;
use marotte_db::{Environment, environment_of, source_text};
use marotte_hir::{Item, NameKind};
use marotte_ruby::core;
use marotte_ruby::template::{TemplateNameKind, UnfinishedName, unfinished_name};
use marotte_text::{TextRange, TextSize, unrooted};

use super::code::{facts, function_names, scope_variables};
use super::{Found, names};
use crate::symbol::Symbol;
use crate::token::renderers;
use crate::{Db, FilePosition, SymbolKind};

/// Adds the variables that the template can read, after `@` and in `scope['…']`, and the functions that it can call.
pub(super) fn complete(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let Some(UnfinishedName { kind, written, is_instance_variable }) = unfinished_name(text, at.offset)
    else {
        return;
    };
    let environment = environment_of(db, at.file);
    let range = TextRange::new(at.offset - TextSize::of(written), at.offset);
    if kind == TemplateNameKind::Function {
        function_names(db, environment, range, found);
    } else if let Some((class, _)) = unrooted(written).rsplit_once("::").filter(|_| !is_instance_variable) {
        of_class(db, at, class, range, found);
    } else if is_instance_variable || !written.starts_with("::") {
        of_renderers(db, at, range, found);
        global(db, environment, "", range, found);
        if !is_instance_variable {
            classes(db, environment, written, range, found);
        }
    } else {
        global(db, environment, "::", range, found);
    }
}

/// Adds the variables of the classes and defined types that render the template.
fn of_renderers(db: &dyn Db, at: FilePosition, range: TextRange, found: &mut Found<'_>) {
    for item in renderers(db, at.file) {
        let inherited = semantics::parents(db, *item).into_iter().map(|it| (it, 2));
        for (scope, rank) in [(*item, 1)].into_iter().chain(inherited) {
            variables(db, scope, "", rank, range, found);
        }
    }
}

/// Adds the variables of a class, and of those that it inherits.
fn of_class(db: &dyn Db, at: FilePosition, class: &str, range: TextRange, found: &mut Found<'_>) {
    let root = if found.text_of(range).starts_with("::") { "::" } else { "" };
    let Some(item) = semantics::definition(db, at.file, NameKind::Class, class) else { return };
    let inherited = semantics::parents(db, item).into_iter().map(|it| (it, 2));
    for (scope, rank) in [(item, 1)].into_iter().chain(inherited) {
        variables(db, scope, &format!("{root}{class}::"), rank, range, found);
    }
}

fn variables(db: &dyn Db, scope: Item<'_>, prefix: &str, rank: u8, range: TextRange, found: &mut Found<'_>) {
    for name in scope_variables(db, scope) {
        let kind = Symbol::Variable(scope, None, name.clone()).kind(db);
        if let Some(it) = found.add(range, kind, format!("{prefix}{name}")) {
            it.rank = rank;
            it.detail = Some(format!("of `{}`", unrooted(scope.name(db))));
        }
    }
}

/// Adds the variables and facts of the top scope, and those that all definitions have.
fn global(db: &dyn Db, environment: Environment, root: &str, range: TextRange, found: &mut Found<'_>) {
    for it in core::VARIABLES {
        let is_here = root.is_empty() || it.place != core::Place::Definition;
        if is_here && let Some(found) = found.add(range, SymbolKind::Variable, format!("{root}{}", it.name)) {
            found.rank = 3;
            found.detail = Some(it.variable_type.to_owned());
        }
    }
    let before = found.items.len();
    facts(db, environment, range, &[], root, found);
    found.items[before..].iter_mut().for_each(|it| it.rank = if it.is_deprecated { 7 } else { 4 });
}

/// Adds the classes whose names begin with the written text, as the first parts of their variables' names.
fn classes(db: &dyn Db, environment: Environment, written: &str, range: TextRange, found: &mut Found<'_>) {
    if written.is_empty() {
        return;
    }
    for item in names::definitions(db, environment, NameKind::Class) {
        let name = unrooted(item.name(db));
        if name.starts_with(written) {
            found.add(range, SymbolKind::Class, format!("{name}::"));
        }
    }
}
