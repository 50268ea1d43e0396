//! Assist: include the class that a variable or a resource belongs to.

use std::collections::BTreeSet;

use marotte_check::semantics;
use marotte_db::module_file;
use marotte_hir::{Item, ItemKind, NameKind};
use marotte_syntax::ast::{Expr, ExprKind};
use marotte_text::{TextRange, unrooted};

use super::missing::has_data;
use super::{Assist, Spot, blocks, follows_heredoc};
use crate::Access;
use crate::definition::targets;
use crate::symbol::Symbol;
use crate::token::{Named, Token, tokens};

/// A resource that more classes declare could be any of them.
const MOST: usize = 3;

/// Includes a class before the statement that needs it: the class of `$ntp::port`, the class in `Class['ntp']`, or a class that
/// declares the resource of a reference. Only classes that this code doesn't declare, and that can be included as they are.
pub(super) fn classes(spot: &Spot<'_>) -> Vec<Assist> {
    let all = tokens(spot.db, spot.at.file);
    let here = all.iter().filter(|it| it.range.cover(spot.at.range) == it.range && it.access == Access::Read);
    let mut wanted: Vec<Item<'_>> = here.flat_map(|it| needed(spot, it)).collect();
    let mut seen = BTreeSet::new();
    wanted.retain(|it| seen.insert(it.name(spot.db)));
    if wanted.len() > MOST {
        return Vec::new();
    }
    let Some((statement, definition)) = statement(spot) else { return Vec::new() };
    if follows_heredoc(spot, statement.start()) {
        return Vec::new();
    }
    let within = |it: &Token<'_>| definition.is_none_or(|range| range.contains_range(it.range));
    wanted.retain(|class| {
        let is_class = |it: &Token<'_>| Symbol::of(spot.db, spot.at.file, it) == Some(Symbol::Item(*class));
        let is_declared = all.iter().any(|it| it.access == Access::Declaration && within(it) && is_class(it));
        !is_declared && can_be_included(spot, *class) && !contains(spot, *class)
    });
    let indent = spot.indent(statement);
    let assist = |class: Item<'_>| {
        let name = unrooted(class.name(spot.db)).to_lowercase();
        let edit = spot.edit(TextRange::empty(statement.start()), format!("include {name}\n{indent}"));
        Assist { id: "include-class", title: format!("Include the class `{name}`"), edits: vec![edit] }
    };
    wanted.into_iter().map(assist).collect()
}

/// The classes that must be in the catalog for the name to have a meaning.
fn needed<'a>(spot: &Spot<'a>, token: &Token<'a>) -> Vec<Item<'a>> {
    let class = |name: &str| semantics::definition(spot.db, spot.at.file, NameKind::Class, name);
    match &token.named {
        // In `$ntp::port`, both the class and the variable are tokens.
        Named::Qualified(scope, _) => class(scope).into_iter().collect(),
        Named::Class(name) => class(name).into_iter().collect(),
        Named::Resource { .. } => {
            let Some(symbol) = Symbol::of(spot.db, spot.at.file, token) else { return Vec::new() };
            let declared = targets(spot.db, spot.at.file, &symbol);
            let within = |it: &crate::NavigationTarget| {
                let (file, range) = (it.full.file, it.selection);
                let found = tokens(spot.db, file).into_iter().find(|it| it.range == range);
                found.and_then(|it| it.within).filter(|it| it.kind(spot.db) == ItemKind::Class)
            };
            declared.iter().filter_map(within).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether `include` finds all that the class needs, and may be used here.
fn can_be_included(spot: &Spot<'_>, class: Item<'_>) -> bool {
    let (db, from) = (spot.db, spot.at.file);
    let module = |file| module_file(db, file).map(|it| it.module.clone());
    let is_private = class.privacy(db).is_some() && module(class.file(db)) != module(from);
    let parameters = &class.signature(db).parameters;
    !is_private && parameters.iter().all(|it| it.is_optional || has_data(db, from, class, &it.name))
}

/// Whether the place is in the class itself, or in one that inherits it.
fn contains(spot: &Spot<'_>, class: Item<'_>) -> bool {
    let around = tokens(spot.db, spot.at.file);
    let item = around.iter().find(|it| it.range.contains_range(spot.at.range)).and_then(|it| it.within);
    item.is_some_and(|it| it == class || semantics::parents(spot.db, it).contains(&class))
}

/// The innermost statement around the selection, and the definition or node that contains it. None where classes cannot be
/// declared: in templates and functions, and outside of blocks, as in the default value of a parameter.
fn statement(spot: &Spot<'_>) -> Option<(TextRange, Option<TextRange>)> {
    if spot.program.template.is_some() {
        return None;
    }
    let path = spot.path();
    let is_definition = |it: &Expr| {
        matches!(
            it.kind,
            ExprKind::Class(_)
                | ExprKind::Define(_)
                | ExprKind::Node(_)
                | ExprKind::Function(_)
                | ExprKind::Plan(_)
                | ExprKind::TypeAlias(_)
                | ExprKind::TypeMapping(_)
        )
    };
    let is_statement = |at: usize| match at.checked_sub(1) {
        Some(outer) => blocks(path[outer]).into_iter().flatten().any(|it| std::ptr::eq(it, path[at])),
        None => true,
    };
    let index = (0..path.len()).rev().find(|it| is_statement(*it))?;
    if is_definition(path[index]) {
        return None;
    }
    let definition = path[..index].iter().rev().find(|it| is_definition(it));
    match definition.map(|it| &it.kind) {
        None | Some(ExprKind::Class(_) | ExprKind::Define(_) | ExprKind::Node(_)) => {
            Some((path[index].range, definition.map(|it| it.range)))
        }
        Some(_) => None,
    }
}
