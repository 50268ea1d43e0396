//! `reassigned-variable`: a variable is set twice in the same scope, or is reserved (C16; the reference's
//! `ILLEGAL_REASSIGNMENT`, `ILLEGAL_RESERVED_ASSIGNMENT`).

use foldhash::HashMap;
use marotte_db::module_file;
use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Expr, LambdaId};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::flow::{Earlier, Group};
use marotte_text::Str;

use crate::context::{At, Context};

/// Reserved variables, which no scope may set.
pub(in crate::rules) const RESERVED: [&str; 3] = ["facts", "trusted", "server_facts"];

/// Variables that are set in classes and instances of defined types before their body is evaluated.
const BUILT_IN: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// Facts that every node has, and other variables that are set at top scope for every node.
pub(in crate::rules) const OF_NODES: [&str; 15] = [
    "clientcert",
    "clientversion",
    "environment",
    "facterversion",
    "identity",
    "is_virtual",
    "kernel",
    "kernelmajversion",
    "kernelrelease",
    "kernelversion",
    "networking",
    "os",
    "puppetversion",
    "ruby",
    "virtual",
];

/// A place where a variable gets a value.
#[derive(Clone, Copy)]
struct Assigned {
    at: ExprId,
    is_parameter: bool,
}

/// The assignments of a variable in one scope.
#[derive(Default)]
struct Variable {
    /// The parameter of the same name.
    parameter: Option<ExprId>,
    group: Group,
    assigned_at: Vec<ExprId>,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let flow = context.flow();
    let mut scopes: HashMap<(Option<LambdaId>, &Str), Variable> = HashMap::default();
    let mut earlier = Earlier::new(&flow);
    // By the numbers of `earlier`.
    let mut assigned: Vec<Assigned> = Vec::new();
    for parameter in &body.parameters {
        if RESERVED.contains(&parameter.name.as_str()) {
            let message = format!("`${}` is reserved: no scope can set it", parameter.name);
            context.report(rules::REASSIGNED_VARIABLE, At::Expr(parameter.at), message);
        }
        scopes.entry((None, &parameter.name)).or_default().parameter = Some(parameter.at);
    }
    for (id, expr) in body.exprs() {
        let lambda = match expr {
            Expr::Call(call) => call.lambda,
            Expr::MethodCall(call) => call.lambda,
            _ => None,
        };
        // Runs after the lambda's own assignments.
        if let Some(lambda) = lambda {
            parameters(context, body, lambda, &scopes);
        }
        let Expr::Assign { target, .. } = expr else { continue };
        if context.inference().is_unreachable(id) {
            continue;
        }
        for (at, name) in target.variables() {
            let scope = flow.lambda(id);
            if RESERVED.contains(&name.as_str()) {
                let message = format!("`${name}` is reserved: no scope can set it");
                context.report(rules::REASSIGNED_VARIABLE, At::Expr(at), message);
                continue;
            }
            if let Some(why) = scope.is_none().then(|| preset(context, name)).flatten() {
                let finding = context.report(
                    rules::REASSIGNED_VARIABLE,
                    At::Expr(at),
                    format!("`${name}` has a value already, and cannot be assigned"),
                );
                finding.label = Some("assigned again".to_owned());
                finding.notes.push(why.to_owned());
                continue;
            }
            let variable = scopes.entry((scope, name)).or_default();
            let of_parameter = variable.parameter.map(|at| Assigned { at, is_parameter: true });
            let found = of_parameter
                .or_else(|| earlier.find(&mut variable.group, id).and_then(|it| assigned.get(it)).copied());
            earlier.add(&mut variable.group, id);
            assigned.push(Assigned { at, is_parameter: false });
            variable.assigned_at.push(at);
            if let Some(first) = found {
                report(context, name, first, at);
            }
        }
    }
}

/// Checks the parameters of a lambda, which its statements cannot assign.
fn parameters(
    context: &mut Context<'_, '_>,
    body: &Body,
    lambda: LambdaId,
    scopes: &HashMap<(Option<LambdaId>, &Str), Variable>,
) {
    for parameter in &body.lambda(lambda).parameters {
        let name = &parameter.name;
        let first = Assigned { at: parameter.at, is_parameter: true };
        if RESERVED.contains(&name.as_str()) {
            let message = format!("`${name}` is reserved: no scope can set it");
            context.report(rules::REASSIGNED_VARIABLE, At::Expr(parameter.at), message);
        }
        for again in scopes.get(&(Some(lambda), name)).into_iter().flat_map(|it| &it.assigned_at) {
            report(context, name, first, *again);
        }
    }
}

fn report(context: &mut Context<'_, '_>, name: &str, first: Assigned, again: ExprId) {
    let what = if first.is_parameter { "a parameter" } else { "first assigned here" };
    let related = context.related(At::Expr(first.at), what);
    let message = format!("`${name}` has a value already, and cannot be assigned again");
    let finding = context.report(rules::REASSIGNED_VARIABLE, At::Expr(again), message);
    finding.label = Some("assigned again".to_owned());
    finding.related.push(related);
}

/// The reason why a variable is set before the body is evaluated.
fn preset(context: &Context<'_, '_>, name: &str) -> Option<&'static str> {
    match context.item.kind(context.db) {
        ItemKind::Class | ItemKind::Define if BUILT_IN.contains(&name) => {
            Some("Puppet sets it before it evaluates the body")
        }
        ItemKind::Program if module_file(context.db, context.file).is_none() && OF_NODES.contains(&name) => {
            Some("every node sets it at top scope, as a fact or by itself")
        }
        _ => None,
    }
}
