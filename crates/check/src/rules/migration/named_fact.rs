//! `legacy-fact`, where a text names the fact: `getvar('::osfamily')`, `defined('$osfamily')`, `'osfamily' in $facts`, and templates in
//! texts.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use marotte_diagnostics::rules;
use marotte_hir::body::{Binary, BinaryOp, Body, Expr, Variable};
use marotte_hir::{ExprId, lower};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::globals::{fact_by_name, is_facts, is_set_by_program};
use marotte_resolve::names::{AncestorsEnd, ancestors};
use marotte_syntax::{Mode, parse};

use super::legacy_fact::{NOTE, legacy};
use crate::context::{At, Context};
use crate::ruby_code::lines_in_tags;
use crate::rules::names::template_variables::set_by;
use crate::template_facts::{is_certain, legacy_reads};

/// The way in which a text refers to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// A key of the hash of all facts.
    Fact,
    /// A variable of top scope.
    Top,
    /// A variable that this code may set.
    Local,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let mut found: Vec<(ExprId, BTreeSet<(String, Named)>)> = Vec::new();
    for (_, expr) in body.exprs() {
        if let Expr::Binary(Binary { left, op: BinaryOp::In, right, .. }) = expr
            && is_facts(body, *right)
            && let Some(name) = text(body, *left)
        {
            found.push((*left, BTreeSet::from([(name.to_owned(), Named::Fact)])));
        } else if let Some(call) = NamedCall::of(expr) {
            found.extend(of_call(context, &call));
        }
    }
    if found.is_empty() {
        return;
    }
    let (db, item) = (context.db, context.item);
    let own = LazyCell::new(|| set_by(db, item, body));
    let has_all_ancestors = LazyCell::new(|| ancestors(db, item).end == AncestorsEnd::Nothing);
    for (at, names) in found {
        for (name, named) in names {
            let Some(fact) = legacy(db, context.environment, &name) else { continue };
            let is_set = match named {
                Named::Fact => false,
                Named::Top => is_set_by_program(db, context.file, context.environment, &name),
                Named::Local => {
                    !*has_all_ancestors
                        || own.has(&name)
                        || is_set_by_program(db, context.file, context.environment, &name)
                }
            };
            if is_set {
                continue;
            }
            let finding =
                context.report(rules::LEGACY_FACT, At::Expr(at), format!("`{name}` is a legacy fact"));
            finding.label = fact.keys().map(|keys| fact.advice(&format!("$facts{keys}")));
            finding.notes.push(NOTE.to_owned());
        }
    }
}

/// The facts that the arguments of a call name, each with its argument.
fn of_call(context: &Context<'_, '_>, call: &NamedCall<'_>) -> Vec<(ExprId, BTreeSet<(String, Named)>)> {
    let body = context.body;
    let of: fn(&str) -> BTreeSet<(String, Named)> = match call.plain_name() {
        "getvar" => of_path,
        "defined" => of_variable,
        "inline_template" => of_ruby,
        "inline_epp" if matches!(context.function("inline_epp"), Function::Builtin(_)) => of_epp,
        _ => return Vec::new(),
    };
    let arguments: Vec<ExprId> = call.arguments().collect();
    let read = match call.plain_name() {
        "getvar" => arguments.get(..1),
        // With parameters, the text has no variables of this code.
        "inline_epp" => (arguments.len() == 1).then_some(&arguments[..]),
        _ => Some(&arguments[..]),
    };
    let texts = read.into_iter().flatten().filter_map(|it| Some((*it, text(body, *it)?)));
    texts.map(|(argument, text)| (argument, of(text))).collect()
}

/// The text of a literal string or of a heredoc without interpolation.
fn text(body: &Body, id: ExprId) -> Option<&str> {
    match body.expr(id) {
        Expr::String(text) => Some(text),
        Expr::Heredoc { text, .. } => match body.expr(*text) {
            Expr::String(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// `::osfamily`, or a part of its value.
fn of_path(path: &str) -> BTreeSet<(String, Named)> {
    let name = path.strip_prefix("::").map(|it| it.split('.').next().unwrap_or(it));
    name.map(|it| (it.to_owned(), Named::Top)).into_iter().collect()
}

/// `$osfamily` or `$::osfamily`.
fn of_variable(text: &str) -> BTreeSet<(String, Named)> {
    let name = text.strip_prefix('$').map(|name| match name.strip_prefix("::") {
        Some(name) => (name.to_owned(), Named::Top),
        None => (name.to_owned(), Named::Local),
    });
    name.into_iter().collect()
}

/// The facts that a template in ERB reads.
fn of_ruby(text: &str) -> BTreeSet<(String, Named)> {
    let reads = lines_in_tags(text).into_iter().flat_map(|it| legacy_reads(&text[it]));
    let reads = reads.filter(|it| is_certain(text, it));
    let named = |is_variable| if is_variable { Named::Local } else { Named::Fact };
    reads.map(|it| (it.name.to_owned(), named(it.is_variable))).collect()
}

/// The facts that a template in EPP reads.
fn of_epp(text: &str) -> BTreeSet<(String, Named)> {
    let program = parse(text, Mode { template: true, ..Mode::default() });
    if !program.errors.is_empty() {
        return BTreeSet::new();
    }
    let body = lower(&program.program).main;
    let is_set = |name: &str| body.variables().any(|it| it == name);
    let names = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Variable(variable) => match &**variable {
            Variable::Top(name) => Some((name.to_string(), Named::Top)),
            Variable::Local { name, .. } if !is_set(name) => Some((name.to_string(), Named::Local)),
            _ => None,
        },
        Expr::Access { .. } => fact_by_name(&body, expr).map(|it| (it.to_string(), Named::Fact)),
        _ => None,
    });
    names.collect()
}
