//! Hover texts of variables and facts.

use marotte_check::semantics;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::FrameId;
use marotte_hir::{Item, ItemKind, places};
use marotte_pcore::print;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::globals::global_type;
use marotte_ruby::core::{self, Place};
use marotte_text::{Str, unrooted};

use super::{code, of_key, of_symbol, shown_path};
use crate::completion::fact_values;
use crate::definition::{targets, variable_places};
use crate::docs::documentation;
use crate::signature;
use crate::symbol::{Symbol, is_parameter};
use crate::token::{Token, slice};
use crate::{Db, FileRange};

pub(super) fn of_variable(db: &dyn Db, item: Item<'_>, frame: Option<FrameId>, name: &Str) -> Vec<String> {
    if is_parameter(db, item, frame, name) {
        return of_parameter(db, item, frame, name);
    }
    let text = source_text(db, item.file(db)).text();
    let set = variable_places(db, item, frame, name);
    let lines = set.first().map(|(full, _)| first_lines(slice(text, *full)));
    vec![code(&lines.filter(|it| !it.is_empty()).unwrap_or_else(|| format!("${name}")))]
}

fn of_parameter(db: &dyn Db, item: Item<'_>, frame: Option<FrameId>, name: &Str) -> Vec<String> {
    let body = item.body(db);
    if frame != body.frame {
        return vec![code(&format!("${name}")), "A parameter of a lambda.".to_owned()];
    }
    let signature = signature::of_item(db, item);
    let written = signature.parameters.iter().find(|it| it.name == name.as_str());
    let mut parts = vec![code(written.map_or(name.as_str(), |it| &it.text))];
    let item_name = unrooted(item.name(db));
    parts.push(match item.kind(db) {
        ItemKind::Template => "A parameter of the template.".to_owned(),
        kind => format!("A parameter of the {} `{item_name}`.", kind.noun()),
    });
    let docs = documentation(db, item);
    let text = docs.as_ref().and_then(|it| it.parameter(name)).map(|it| it.text.clone());
    parts.extend(text.filter(|it| !it.is_empty()));
    if item.kind(db) == ItemKind::Class {
        let environment = environment_of(db, item.file(db));
        let is_sensitive = written.is_some_and(|it| it.text.contains("Sensitive"));
        if !is_sensitive {
            parts.extend(of_key(db, environment, &format!("{}::{name}", item_name.to_lowercase())));
        }
    }
    parts
}

/// The inferred type of a token's variable at its place.
pub(super) fn inferred_at(db: &dyn Db, token: &Token<'_>) -> Option<String> {
    let item = token.within?;
    let map = places(db, item).map;
    let body = item.body(db);
    let (id, _) = body.exprs().find(|(id, expr)| {
        matches!(expr, marotte_hir::body::Expr::Variable(_))
            && map.place(*id).is_some_and(|it| it.range.contains_range(token.range))
    })?;
    if body.parameters.iter().any(|it| it.at == id) {
        return None;
    }
    let known = semantics::type_of(db, item, id)?;
    let declared = match Symbol::of(db, item.file(db), token)? {
        Symbol::Variable(of, frame, name) if is_parameter(db, of, frame, &name) => {
            let index = of.body(db).parameters.iter().position(|it| it.name == name);
            index.and_then(|it| semantics::parameter_types(db, of).get(it).cloned().flatten())
        }
        // Its text has the type already.
        Symbol::Top(name) if core::VARIABLES.iter().any(|it| it.name == name) => {
            global_type(db, item.file(db), environment_of(db, item.file(db)), &name)
        }
        _ => None,
    };
    if declared.as_ref() == Some(known) || known.mentions_sensitive() {
        return None;
    }
    shown_type(known).map(|it| format!("Its type here: `{it}`"))
}

/// A type, up to a length that people would read; longer ones aren't shown.
pub(crate) fn shown_type(it: &Type) -> Option<String> {
    const LONGEST: usize = 300;
    const MOST_PARTS: usize = 200;
    if it.has_more_parts(MOST_PARTS) {
        return None;
    }
    let text = print::short(&with_whole_booleans(it));
    (text.len() <= LONGEST).then_some(text)
}

/// The type, with `Boolean` in place of both of its values: branches often have one each.
fn with_whole_booleans(it: &Type) -> Type {
    let TypeKind::Variant(all) = it.kind() else { return it.clone() };
    let has =
        |value: bool| all.iter().any(|it| matches!(it.kind(), TypeKind::Boolean(Some(it)) if *it == value));
    if !has(true) || !has(false) {
        return it.clone();
    }
    let others = all.iter().filter(|it| !matches!(it.kind(), TypeKind::Boolean(_)));
    Type::variant([TypeKind::Boolean(None).into()].into_iter().chain(others.cloned()))
}

pub(super) fn of_top<'db>(db: &'db dyn Db, from: File, name: &str, symbol: &Symbol<'db>) -> Vec<String> {
    let mut parts = vec![code(&format!("$::{name}"))];
    if let Some(it) = core::VARIABLES.iter().find(|it| it.name == name) {
        let who = match it.place {
            Place::Top => "The compiler sets it",
            Place::Agent => "Agents send it",
            Place::Server => "Servers set it",
            Place::Definition => "Classes and defined types have it",
        };
        parts.push(format!("{who}: `{}`", it.variable_type));
        return parts;
    }
    let set = targets(db, from, symbol);
    match set.first() {
        Some(it) => {
            let text = source_text(db, it.full.file).text();
            let line = text[..usize::from(it.selection.start())].rfind('\n').map_or(0, |it| it + 1);
            parts[0] = code(text[line..].lines().next().unwrap_or_default().trim());
            parts.push("A variable of the top scope, or of nodes.".to_owned());
        }
        None => parts.push("A variable of the top scope that nothing here sets.".to_owned()),
    }
    parts
}

/// A variable of a template in EPP without parameters, which calls give at some places: these come before the top scope.
pub(super) fn of_template<'db>(
    db: &'db dyn Db,
    template: File,
    symbol: &Symbol<'db>,
    given: &[FileRange],
) -> Vec<String> {
    const MOST: usize = 5;
    let name = symbol.name(db);
    let is_set = || matches!(symbol, Symbol::Fact(_)) || !targets(db, template, symbol).is_empty();
    let is_known = || core::VARIABLES.iter().any(|it| it.name == name.as_str());
    if given.is_empty() {
        if is_known() || is_set() {
            return of_symbol(db, template, symbol);
        }
        let text = "Nothing is known to set it: neither the top scope nor a call that renders the template, which gets \
                    no variables of the code that calls `epp`.";
        return vec![code(&format!("${name}")), text.to_owned()];
    }
    let environment = environment_of(db, template);
    let shown = given.iter().take(MOST).map(|it| {
        let line = source_text(db, it.file).line_index().position(it.range.start()).line;
        format!("`{}:{line}`", shown_path(db, environment, it.file))
    });
    let more = if given.len() > MOST { format!(" and {} more", given.len() - MOST) } else { String::new() };
    let shown: Vec<String> = shown.collect();
    vec![code(&format!("${name}")), format!("The template gets it at {}{more}.", shown.join(", "))]
}

pub(super) fn of_fact(db: &dyn Db, environment: Environment, path: &[Str]) -> String {
    let keys: String = path.iter().map(|it| format!("['{it}']")).collect();
    let head = code(&format!("$facts{keys}"));
    let known = path.first().and_then(|it| semantics::fact_type(db, environment, it));
    let known = path.iter().skip(1).try_fold(known, |whole, key| {
        let whole = whole?;
        Some(semantics::element(&whole, key))
    });
    let said = match known.flatten().and_then(|it| shown_type(&it)) {
        Some(text) => format!("{head}\n\nA fact: `{text}`"),
        None => format!("{head}\n\nA fact."),
    };
    let usual: Vec<String> = fact_values::of(path).iter().map(|it| format!("`{it}`")).collect();
    if usual.is_empty() { said } else { format!("{said}\n\nUsual values: {}", usual.join(", ")) }
}

/// The purpose of the variables that every class and resource has.
pub(super) fn implicit(name: &str) -> &'static str {
    match name {
        "title" => "The title of the resource, or the name of the class.",
        "name" => "The name of the resource: its title, unless it is given another one.",
        "module_name" => "The module that the definition belongs to.",
        "caller_module_name" => "The module of the code that declares this.",
        _ => "The metaparameter of this name, where it is given.",
    }
}

fn first_lines(text: &str) -> String {
    const LINES: usize = 8;
    let mut lines: Vec<&str> = text.lines().take(LINES + 1).collect();
    if lines.len() > LINES {
        lines[LINES] = "…";
    }
    lines.join("\n")
}
