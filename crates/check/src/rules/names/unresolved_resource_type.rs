//! `unresolved-resource-type`: a resource is declared whose type doesn't exist.

use marotte_db::module_file;
use marotte_diagnostics::rules;
use marotte_hir::body::{AttributeName, Expr, ResourceBody};
use marotte_hir::{ExprId, NameKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::names::{Lookup, known, look_up};
use marotte_resolve::resource_types::{ResourceTypeName, is_universal};
use marotte_resolve::ruby::{RubyKind, is_mentioned};
use marotte_resolve::spelling::nearest;
use marotte_resolve::suggest::{misspelled_type, nearest_resource_type};
use marotte_ruby::core;
use marotte_text::{Str, is_qualified, unrooted};

use super::not_found::{self, Hint};
use crate::analysis::names::foreign_names::{Used, meant_elsewhere};
use crate::analysis::variables::tested::names_asked_around;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(resource) => name(context, resource.type_name, &resource.bodies),
            _ => {
                if let Some(call) = NamedCall::of(expr)
                    && takes_type(context, &call)
                    && let Some(first) = call.arguments().next()
                {
                    name(context, first, &[]);
                }
            }
        }
    }
}

/// Whether a call declares resources of the type that its first argument names: functions of Puppet itself, and of `stdlib`.
pub(in crate::rules) fn takes_type(context: &Context<'_, '_>, call: &NamedCall<'_>) -> bool {
    match call.plain_name() {
        "create_resources" => true,
        name @ ("ensure_resource" | "ensure_resources") => match context.function(name) {
            Function::Ruby(it) => module_file(context.db, it.file).is_some_and(|it| it.module == "stdlib"),
            _ => false,
        },
        _ => false,
    }
}

/// The type of Puppet itself that a short name means: one typo away, with two of the attributes that are given, and all others.
fn with_attributes(name: &str, bodies: &[ResourceBody]) -> Option<&'static str> {
    /// Names of more letters are compared without looking at attributes.
    const LONGEST: usize = 6;
    const ENOUGH: usize = 2;
    let given = || {
        let names = bodies.iter().flat_map(|it| &*it.attributes).filter_map(|it| match &it.name {
            AttributeName::Name(name) => Some(name.as_str()),
            AttributeName::Unfold => None,
        });
        names.filter(|it| !is_universal(it))
    };
    let types = core::resource_types().iter().filter(|it| it.complete);
    let may_be = types.filter(|it| given().all(|name| it.attribute(name).is_some()));
    let is_short = name.len() <= LONGEST && !name.contains(':');
    (is_short && given().take(ENOUGH).count() == ENOUGH)
        .then(|| nearest(name, may_be.map(|it| it.name.as_str())))
        .flatten()
}

/// Whether an expression is evaluated only if something is defined that is not here: `if defined('portage') { … }`.
fn asks_for_absent(context: &Context<'_, '_>, id: ExprId) -> bool {
    let is_absent = |name: &Str| {
        matches!(look_up(context.db, context.file, NameKind::Class, name), Lookup::Missing | Lookup::Unknown)
            && matches!(context.resource_type(name), ResourceTypeName::Missing | ResourceTypeName::Unknown)
    };
    names_asked_around(context.body, &context.flow(), id).iter().any(is_absent)
}

fn name(context: &mut Context<'_, '_>, id: ExprId, bodies: &[ResourceBody]) {
    let Expr::String(text) = context.body.expr(id) else { return };
    // Functions that declare resources accept a prefix of `@` or `@@`.
    let text = text.trim_start_matches('@');
    let (db, environment) = (context.db, context.environment);
    if unrooted(text).eq_ignore_ascii_case("class") {
        return;
    }
    let message = format!("there is no resource type `{text}`");
    match context.resource_type(text) {
        // The type of a module that is not here, and that the code asks for.
        ResourceTypeName::Missing if !is_qualified(text) && asks_for_absent(context, id) => return,
        ResourceTypeName::Missing => {}
        ResourceTypeName::Unknown => {
            let is_mentioned = || is_mentioned(db, environment, RubyKind::ResourceType, text.into());
            let short = || with_attributes(text, bodies).filter(|_| !is_mentioned());
            if let Some(meant) = misspelled_type(db, context.file, environment, text).or_else(short) {
                let at = At::Expr(id);
                not_found::report_unknown(context, rules::UNRESOLVED_RESOURCE_TYPE, at, message, meant);
            } else if let Some(meant) = meant_elsewhere(context, Used::Type, text) {
                let at = At::Expr(id);
                not_found::report_unknown(context, rules::UNRESOLVED_RESOURCE_TYPE, at, message, &meant);
            }
            return;
        }
        _ => return,
    }
    let hint = if let Some(item) = known(db, context.file, NameKind::Class, text) {
        Some(Hint::other("this is a class: `include` it, or declare it with `class { … }`", item))
    } else {
        nearest_resource_type(db, context.file, environment, text)
            .map(|(name, item)| Hint::meant(&name, item))
    };
    not_found::report(context, rules::UNRESOLVED_RESOURCE_TYPE, At::Expr(id), message, text, hint);
}
