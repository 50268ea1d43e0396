//! `unresolved-type`: a capitalized name is neither that of a type nor that of a resource type.

use marotte_db::Settings;
use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Expr};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_pcore::create::{TYPE_NAMES, named};
use marotte_pcore::print::capitalize_segments;
use marotte_resolve::bolt;
use marotte_resolve::names::known;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::ruby::{RubyKind, is_mentioned};
use marotte_resolve::spelling::{near, nearest};
use marotte_resolve::stdlib;
use marotte_resolve::suggest::{in_misspelled_module, is_of_available_module, nearest_definition};
use marotte_resolve::suggest::{misspelled_builtin, misspelled_type, nearest_resource_type};
use marotte_resolve::types::{TypeName, makes_type, type_name};
use marotte_text::unrooted;
use rapidfuzz::distance::osa;

use super::not_found::{self, Hint};
use crate::analysis::names::foreign_names::{Used, meant_elsewhere, singular_of_reference};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    // Type sets name their members.
    if makes_type(db, context.item) {
        return;
    }
    let is_plan = context.item.kind(db) == ItemKind::Plan;
    for (id, expr) in context.body.exprs() {
        let Expr::Reference(name) = expr else { continue };
        // Its meaning in the current dialect is reported by `dialect-change`.
        if named(Settings::get(db).dialect(db), name).is_some() {
            continue;
        }
        let message = format!("there is no type and no resource type `{name}`");
        match type_name(db, context.file, environment, name) {
            TypeName::Missing if bolt::may_run(context.item.kind(db)) && bolt::is_type(name) => continue,
            TypeName::Missing if !is_plan || is_of_available_module(db, environment, name) => {}
            // Bolt adds types of its own to plans.
            TypeName::Missing | TypeName::Unknown if let Some(meant) = word(name) => {
                let finding = context.report(rules::UNRESOLVED_TYPE, At::Expr(id), message);
                finding.label = Some(format!("did you mean `{meant}`?"));
                finding.notes.push("a name that starts with a capital is a type".to_owned());
                continue;
            }
            TypeName::Missing | TypeName::Unknown => {
                let elsewhere = || {
                    let meant = meant_elsewhere(context, Used::Type, name)?;
                    Some(capitalize_segments(&meant))
                };
                let meant = misspelled(context, name).or_else(elsewhere);
                let meant = meant
                    .or_else(|| referenced(context, id, name))
                    .or_else(|| singular(context, name))
                    .or_else(|| foreign(name).map(str::to_owned))
                    .or_else(|| with_words(context, id, name));
                if let Some(meant) = meant {
                    let at = At::Expr(id);
                    not_found::report_unknown(context, rules::UNRESOLVED_TYPE, at, message, &meant);
                }
                continue;
            }
            _ => continue,
        }
        let hint = if let Some(item) = known(db, context.file, NameKind::Class, name) {
            let text = format!("this is a class: its reference is `Class['{}']`", item.name(db));
            Some(Hint::other(text, item))
        } else if let Some(item) = nearest_definition(db, environment, NameKind::TypeAlias, name)
            .or_else(|| in_misspelled_module(db, context.file, NameKind::TypeAlias, name))
        {
            Some(Hint::meant(item.name(db), Some(item)))
        } else if let Some(builtin) =
            word(name).or_else(|| abbreviated(name)).or_else(|| nearest(name, TYPE_NAMES.iter().copied()))
        {
            Some(Hint::meant(builtin, None))
        } else {
            nearest_resource_type(db, context.file, environment, name)
                .map(|(name, item)| Hint::meant(&capitalize_segments(&name), item))
        };
        not_found::report(context, rules::UNRESOLVED_TYPE, At::Expr(id), message, name, hint);
    }
}

/// The resource type of Puppet itself that a reference with a title means: one typo away, but no plural.
fn referenced(context: &Context<'_, '_>, id: ExprId, name: &str) -> Option<String> {
    const USUAL: [&str; 10] =
        ["Class", "Cron", "Exec", "File", "Group", "Host", "Mount", "Package", "Service", "User"];
    let (db, environment, body) = (context.db, context.environment, context.body);
    let is_title = |id: &ExprId| {
        matches!(body.expr(*id), Expr::String(_) | Expr::Interpolated(_) | Expr::Variable(_) | Expr::Array(_))
    };
    let begins_alike = |it: &&str| it.as_bytes().first() == name.as_bytes().first() && !name.starts_with(*it);
    let meant = near(name, USUAL.into_iter().filter(begins_alike))?;
    let is_one = meant.len().abs_diff(name.len()) <= 1 && osa::distance(meant.chars(), name.chars()) == 1;
    let small = name.to_ascii_lowercase();
    let is_mentioned = || is_mentioned(db, environment, RubyKind::ResourceType, small.into());
    (is_one && keys_of(body, id)?.iter().all(is_title) && !is_mentioned()).then(|| meant.to_owned())
}

/// The keys by which a type or a reference is followed: `Package['ntp']`.
fn keys_of(body: &Body, id: ExprId) -> Option<&[ExprId]> {
    body.exprs().find_map(|(_, expr)| match expr {
        Expr::Access { target, keys } if *target == id => Some(&keys[..]),
        _ => None,
    })
}

/// The resource type whose plural a reference names.
fn singular(context: &Context<'_, '_>, name: &str) -> Option<String> {
    let singular = singular_of_reference(context, name)?;
    let is_known =
        !matches!(context.resource_type(&singular), ResourceTypeName::Missing | ResourceTypeName::Unknown);
    is_known.then(|| capitalize_segments(&singular))
}

/// `Enum`, if a name that differs from it by one letter has several keys, as hardly a reference to resources has.
fn with_words(context: &Context<'_, '_>, id: ExprId, name: &str) -> Option<String> {
    const ENUM: &str = "Enum";
    let is_near = osa::distance(name.chars(), ENUM.chars()) == 1;
    (is_near && keys_of(context.body, id)?.len() > 1).then(|| ENUM.to_owned())
}

/// The built-in type that has another name in other languages.
fn foreign(name: &str) -> Option<&'static str> {
    match name {
        "Bool" => Some("Boolean"),
        "Int" => Some("Integer"),
        "Str" => Some("String"),
        "Dict" => Some("Hash"),
        "Undefined" => Some("Undef"),
        _ => None,
    }
}

/// The built-in type, or the resource type of Puppet itself, that is certainly meant by a name that may be defined in an
/// unavailable module.
fn misspelled(context: &Context<'_, '_>, name: &str) -> Option<String> {
    let (db, environment) = (context.db, context.environment);
    let name = unrooted(name);
    if let Some(meant) = misspelled_builtin(name) {
        let is_mentioned = is_mentioned(db, environment, RubyKind::DataType, name.into());
        return (!is_mentioned).then(|| meant.to_owned());
    }
    if let Some(item) = in_misspelled_module(db, context.file, NameKind::TypeAlias, name) {
        return Some(item.name(db).to_string());
    }
    // The module may have types that its releases up to now do not.
    if let Some(meant) = stdlib::misspelled_type(name) {
        return Some(meant.to_owned());
    }
    misspelled_type(db, context.file, environment, name).map(capitalize_segments)
}

/// The keyword that the name of a type means.
fn word(name: &str) -> Option<&'static str> {
    match name {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "Nil" | "NIL" | "Null" | "NULL" | "None" => Some("undef"),
        _ => None,
    }
}

/// The built-in type whose name starts with a name: `Integer` for `Int`. None if there are several.
fn abbreviated(name: &str) -> Option<&'static str> {
    let name = unrooted(name);
    let mut types = TYPE_NAMES.iter().filter(|it| name.len() > 2 && it.starts_with(name));
    let only = types.next()?;
    types.next().is_none().then_some(only)
}
