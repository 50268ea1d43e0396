//! `unresolved-function`: a function doesn't exist.

use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Callee, Expr};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_pcore::types::{ERROR, LOOKUP_CONTEXT, TypeKind};
use marotte_resolve::bolt;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::ruby::{RubyFile, has_data_types, ruby_functions};
use marotte_resolve::spelling::near;
use marotte_resolve::stdlib;
use marotte_resolve::suggest::{in_misspelled_module, in_own_module, is_of_available_module};
use marotte_resolve::suggest::{misspelled_function, nearest_function};
use marotte_text::{Str, normalized};

use super::not_found::{self, Hint};
use crate::analysis::names::foreign_names::{Used, meant_elsewhere};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    if context.item.kind(context.db) == ItemKind::Plan {
        return of_plan(context);
    }
    for (at, name) in deferred(context.body) {
        if let Some(meant) = misspelled_deferred(context, &name) {
            let message = format!("there is no function `{name}`");
            let at = At::Expr(at);
            not_found::report_unknown(context, rules::UNRESOLVED_FUNCTION, at, message, &meant);
        }
    }
    for (id, expr) in context.body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (db, environment) = (context.db, context.environment);
        let name = call.plain_name();
        let meant = match context.function(call.name) {
            Function::Missing => None,
            Function::Ruby(file) => {
                if let Some(declared) = declared_instead(context, file, name) {
                    let message = format!("the file of the function `{name}` defines `{declared}` instead");
                    let finding = context.report(rules::UNRESOLVED_FUNCTION, At::Callee(id), message);
                    finding.label = Some("no call succeeds".to_owned());
                }
                continue;
            }
            // A plan may call this function.
            Function::Unknown if bolt::may_run(context.item.kind(db)) && bolt::is_function(name) => continue,
            Function::Unknown if stdlib::FUNCTIONS.contains(&name) => continue,
            Function::Unknown => {
                let elsewhere = || in_misspelled_module(db, context.file, NameKind::Function, name);
                match misspelled_function(db, environment, name).map(str::to_owned) {
                    Some(meant) => Some(meant),
                    None => match elsewhere()
                        .map(|it| it.name(db).to_string())
                        .or_else(|| misspelled_iteration(expr, name).map(str::to_owned))
                        .or_else(|| meant_elsewhere(context, Used::Function, name).map(|it| it.to_string()))
                    {
                        Some(meant) => Some(meant),
                        None => continue,
                    },
                }
            }
            _ => continue,
        };
        if call.receiver.is_some_and(|it| may_be_member(context, it, call.name)) {
            continue;
        }
        let message = format!("there is no function `{name}`");
        if let Some(meant) = meant {
            not_found::report_unknown(context, rules::UNRESOLVED_FUNCTION, At::Callee(id), message, &meant);
            continue;
        }
        if stdlib::FUNCTIONS.contains(&name) {
            let at = At::Callee(id);
            let finding = not_found::report(context, rules::UNRESOLVED_FUNCTION, at, message, name, None);
            finding.notes.push("the module `stdlib` has it, or had it in older releases".to_owned());
            finding.notes.extend(instead(name).map(str::to_owned));
            continue;
        }
        let nearest = in_own_module(db, context.file, NameKind::Function, name)
            .or_else(|| in_misspelled_module(db, context.file, NameKind::Function, name))
            .map(|item| (item.name(db).to_string(), Some(item)))
            .or_else(|| nearest_function(db, environment, name));
        let hint = nearest.map(|(name, item)| Hint::meant(&name, item));
        not_found::report(context, rules::UNRESOLVED_FUNCTION, At::Callee(id), message, name, hint);
    }
}

/// The code that takes the place of a function that `stdlib` no longer has.
fn instead(name: &str) -> Option<&'static str> {
    Some(match name {
        "has_key" => "`'key' in $hash` does the same",
        "validate_re" => "declare a parameter of a type such as `Pattern[/^a/]` instead",
        _ if name.starts_with("validate_") => "declare a parameter of a type such as `Array` instead",
        _ if name.starts_with("is_") => "compare the value with a type instead: `$value =~ String`",
        _ => return None,
    })
}

/// The function of another name that the file of a function in Ruby defines, in place of this one.
fn declared_instead(context: &Context<'_, '_>, file: RubyFile, name: &str) -> Option<Str> {
    let declared = ruby_functions(context.db, file.file);
    match &declared.functions[..] {
        [only] if declared.complete && declared.legacy.is_empty() && only.name != *normalized(name) => {
            Some(only.name.clone())
        }
        _ => None,
    }
}

/// The function that iterates and is certainly meant by the name of another one that is called with a lambda: one typo away.
fn misspelled_iteration(call: &Expr, name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 3;
    const ITERATING: [&str; 10] =
        ["all", "any", "each", "filter", "index", "map", "reduce", "reverse_each", "slice", "tree_each"];
    let has_lambda = match call {
        Expr::Call(it) => it.lambda.is_some(),
        Expr::MethodCall(it) => it.lambda.is_some(),
        _ => false,
    };
    let begins_alike = |it: &&str| it.as_bytes().first() == name.as_bytes().first();
    let known = ITERATING.into_iter().filter(begins_alike);
    if has_lambda && name.len() >= SHORTEST {
        near(name, known).filter(|it| it.len() <= name.len() + 1)
    } else {
        None
    }
}

/// The functions that the agent calls later, by literal names: `Deferred('name', […])`, `Deferred.new('name')`.
fn deferred(body: &Body) -> Vec<(ExprId, Str)> {
    let is_deferred = |id: ExprId| matches!(body.expr(id), Expr::Reference(it) if it == "Deferred");
    let named = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Call(it) => match &it.callee {
            Callee::Type(of) if is_deferred(*of) => it.arguments.first(),
            _ => None,
        },
        Expr::MethodCall(it) if it.name == "new" && is_deferred(it.receiver) => it.arguments.first(),
        _ => None,
    });
    let text = |id: &ExprId| match body.expr(*id) {
        Expr::String(text) => Some((*id, text.clone())),
        _ => None,
    };
    named.filter_map(text).collect()
}

/// The function that is certainly meant by the name of one that the agent calls. The agent has all functions of modules, and others.
fn misspelled_deferred(context: &Context<'_, '_>, name: &str) -> Option<String> {
    let (db, environment) = (context.db, context.environment);
    match context.function(name) {
        Function::Missing => nearest_function(db, environment, name).map(|it| it.0),
        Function::Unknown => misspelled_function(db, environment, name).map(str::to_owned),
        _ => None,
    }
}

/// Bolt adds functions of its own, and so do modules for it: unless the name is qualified with that of an available module, only
/// certain misspellings are reported.
fn of_plan(context: &mut Context<'_, '_>) {
    for (id, expr) in context.body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let name = call.plain_name();
        if bolt::is_function(name)
            || !matches!(context.function(call.name), Function::Missing | Function::Unknown)
            || call.receiver.is_some() && bolt::is_member(name)
        {
            continue;
        }
        if matches!(context.function(call.name), Function::Missing)
            && is_of_available_module(context.db, context.environment, name)
        {
            let message = format!("there is no function `{name}`");
            let nearest = nearest_function(context.db, context.environment, name);
            let hint = nearest.map(|(name, item)| Hint::meant(&name, item));
            not_found::report(context, rules::UNRESOLVED_FUNCTION, At::Callee(id), message, name, hint);
            continue;
        }
        let of_language = || misspelled_function(context.db, context.environment, name);
        let Some(meant) = bolt::misspelled_function(name).or_else(of_language).map(str::to_owned) else {
            continue;
        };
        let message = format!("there is no function `{name}`");
        not_found::report_unknown(context, rules::UNRESOLVED_FUNCTION, At::Callee(id), message, &meant);
    }
}

/// Whether a value may be an object with such a method (B23).
fn may_be_member(context: &Context<'_, '_>, receiver: ExprId, name: &str) -> bool {
    let db = context.db;
    let has_objects = || {
        has_data_types(db, context.environment)
            || context.environment.modules(db).iter().any(|(module, _)| {
                let items = marotte_hir::module_definitions(db, context.environment, module.clone());
                items.values().any(|it| marotte_resolve::types::makes_type(db, *it))
            })
    };
    match context.body.expr(receiver) {
        Expr::String(_)
        | Expr::Interpolated(_)
        | Expr::Integer(_)
        | Expr::Float(_)
        | Expr::Boolean(_)
        | Expr::Undef
        | Expr::Array(_)
        | Expr::Hash(_)
        | Expr::Regexp(_) => false,
        _ => match context.inference().type_of(receiver).map(|it| it.resolved().kind().clone()) {
            Some(
                TypeKind::String(_)
                | TypeKind::Integer(_)
                | TypeKind::Boolean(_)
                | TypeKind::Array(..)
                | TypeKind::Hash(..)
                | TypeKind::Tuple(_)
                | TypeKind::Struct(_),
            ) => false,
            _ => is_of_builtin(name) || is_of_plans(context, name) || has_objects(),
        },
    }
}

/// Whether an object that a plan passes on has such a method.
fn is_of_plans(context: &Context<'_, '_>, name: &str) -> bool {
    bolt::may_run(context.item.kind(context.db)) && bolt::is_member(name)
}

/// Whether one of Puppet's own objects has such a method.
fn is_of_builtin(name: &str) -> bool {
    [&LOOKUP_CONTEXT, &ERROR].into_iter().any(|it| match it.kind() {
        TypeKind::Object(Some(it)) => it.member(name).is_some(),
        _ => false,
    })
}
