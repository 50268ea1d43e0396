//! `unresolved-task`: a plan runs a task or a plan that exists nowhere.

use marotte_db::module_folder;
use marotte_diagnostics::{Level, rules};
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_resolve::bolt::is_packaged;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::{Lookup, look_up, module_of};
use marotte_resolve::suggest::nearest_definition;
use marotte_resolve::tasks::{TaskName, nearest_task, task};
use marotte_resolve::yaml_plans::yaml_plan;
use marotte_text::normalized;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    if context.item.kind(context.db) != ItemKind::Plan {
        return;
    }
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|_| !context.inference().is_unreachable(id)) else {
            continue;
        };
        let Some(at) = call.arguments().next() else { continue };
        let Expr::String(name) = body.expr(at) else { continue };
        match call.plain_name() {
            "run_task" | "run_task_with" => of_task(context, at, name),
            "run_plan" => of_plan(context, at, name),
            _ => {}
        }
    }
}

fn of_task(context: &mut Context<'_, '_>, at: ExprId, name: &str) {
    let (db, environment) = (context.db, context.environment);
    if task(db, context.file, environment, name) != TaskName::Missing {
        return;
    }
    let name = normalized(name);
    let meant = nearest_task(db, environment, &name);
    report(context, at, "task", &name, meant);
}

fn of_plan(context: &mut Context<'_, '_>, at: ExprId, name: &str) {
    let (db, environment) = (context.db, context.environment);
    if !matches!(look_up(db, context.file, NameKind::Plan, name), Lookup::Missing) {
        return;
    }
    let name = normalized(name);
    if yaml_plan(db, environment, &name).is_some() {
        return;
    }
    let meant = nearest_definition(db, environment, NameKind::Plan, &name).map(|it| it.name(db).to_string());
    report(context, at, "plan", &name, meant);
}

fn report(context: &mut Context<'_, '_>, at: ExprId, kind: &str, name: &str, meant: Option<String>) {
    let is_absent = module_folder(context.db, context.environment, module_of(name).into()).is_none();
    if is_absent && is_packaged(module_of(name)) {
        return;
    }
    let message = match is_absent {
        true => format!("there is no module `{}` with a {kind}", module_of(name)),
        false => format!("there is no {kind} `{name}`"),
    };
    let finding = context.report(rules::UNRESOLVED_TASK, At::Expr(at), message);
    finding.label = Some(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "not found".to_owned(),
    });
    if is_absent {
        // A project may have further modules elsewhere.
        finding.level = Level::Warning;
    }
}
