//! `unknown-parameter`, `missing-parameter` and `parameter-type` of tasks: what their metadata declare, and what `run_task` passes.

use marotte_diagnostics::{Related, rules};
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::declarations::{hash, value_of};
use marotte_infer::declared::{LocalTypes, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::spelling::nearest;
use marotte_resolve::tasks::{TaskName, TaskParameter, task, task_parameters};
use marotte_text::normalized;

use crate::context::{At, Context};
use crate::rules::types::mismatch::{blame, explain};

/// A call that runs a task whose metadata declare parameters.
struct Run<'db> {
    task: String,
    metadata: marotte_db::File,
    declared: &'db [TaskParameter],
    given: Vec<Attribute>,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    if context.item.kind(context.db) != ItemKind::Plan {
        return;
    }
    for (id, expr) in context.body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|_| !context.inference().is_unreachable(id)) else {
            continue;
        };
        let Some(run) = run_of(context, &call) else { continue };
        for it in &run.given {
            match &it.name {
                // Those with an underscore are options of `run_task` itself.
                AttributeName::Name(name) if !name.starts_with('_') => given(context, &run, name, it),
                _ => {}
            }
        }
        missing(context, &run, id);
    }
}

fn run_of<'db>(context: &Context<'db, '_>, call: &NamedCall<'_>) -> Option<Run<'db>> {
    let (db, body) = (context.db, context.body);
    if call.plain_name() != "run_task" || call.count(body).is_none() {
        return None;
    }
    let arguments: Vec<ExprId> = call.arguments().collect();
    let Expr::String(name) = body.expr(*arguments.first()?) else { return None };
    let TaskName::Found(Some(metadata)) = task(db, context.file, context.environment, name) else {
        return None;
    };
    let declared = task_parameters(db, metadata)?;
    // The description of what is done may come before the parameters.
    let given = match arguments[2..] {
        [] => Vec::new(),
        [.., last] => match body.expr(value_of(body, last)) {
            Expr::String(_) | Expr::Interpolated(_) => Vec::new(),
            _ => hash(body, last),
        },
    };
    Some(Run { task: normalized(name).to_string(), metadata, declared, given })
}

fn given(context: &mut Context<'_, '_>, run: &Run<'_>, name: &str, it: &Attribute) {
    let task = &run.task;
    let related = |at, message: String| Related { file: run.metadata.id(context.db), range: at, message };
    let Some(parameter) = run.declared.iter().find(|it| it.name == name) else {
        let nearest = nearest(name, run.declared.iter().map(|it| it.name.as_str()));
        let meant = nearest.and_then(|nearest| run.declared.iter().find(|it| it.name == nearest));
        let related = meant.map(|it| related(it.at, format!("did you mean `{}`?", it.name)));
        let message = format!("task `{task}` has no parameter `{name}`");
        let finding = context.report(rules::UNKNOWN_PARAMETER, At::Expr(it.at), message);
        finding.label = Some("not a parameter".to_owned());
        finding.related.extend(related);
        return;
    };
    let Some(expected) = type_of(context, run, parameter) else { return };
    let related = related(parameter.at, "the parameter is declared here".to_owned());
    for value in context.choices(it.value) {
        let Some(of) = context.inference().type_of(value).filter(|it| refused(it, &expected)) else {
            continue;
        };
        let message = explain(&format!("parameter `{name}` of task `{task}`"), &expected, of);
        let (at, label) = blame(context, value, &expected);
        let finding = context.report(rules::PARAMETER_TYPE, At::Expr(at), message);
        finding.label = Some(label);
        finding.related.push(related.clone());
    }
}

fn missing(context: &mut Context<'_, '_>, run: &Run<'_>, call: ExprId) {
    if run.given.iter().any(|it| it.name == AttributeName::Unfold) {
        return;
    }
    let names = || {
        run.given.iter().filter_map(|it| match &it.name {
            AttributeName::Name(name) => Some(name.as_str()),
            AttributeName::Unfold => None,
        })
    };
    let is_required = |it: &&TaskParameter| {
        let takes_nothing = || type_of(context, run, it).is_none_or(|it| takes_undef(&it));
        !it.has_default && it.type_text.is_some() && !takes_nothing()
    };
    let lacking = run.declared.iter().filter(|it| names().all(|name| it.name != name)).filter(is_required);
    let mut lacking: Vec<&TaskParameter> = lacking.collect();
    for name in names().filter(|name| run.declared.iter().all(|it| it.name != *name)) {
        let meant = nearest(name, lacking.iter().map(|it| it.name.as_str()));
        lacking.retain(|it| Some(it.name.as_str()) != meant);
    }
    if lacking.is_empty() {
        return;
    }
    let names: Vec<String> = lacking.iter().map(|it| format!("`{}`", it.name)).collect();
    let (names, plural) = (names.join(", "), if names.len() > 1 { "s" } else { "" });
    let related = lacking.iter().map(|it| Related {
        file: run.metadata.id(context.db),
        range: it.at,
        message: "has no default value".to_owned(),
    });
    let related: Vec<Related> = related.collect();
    let message = format!("task `{}` needs a value for parameter{plural} {names}", run.task);
    let finding = context.report(rules::MISSING_PARAMETER, At::Callee(call), message);
    finding.label = Some(format!("without {names}"));
    finding.related.extend(related);
}

/// The type of a parameter, as seen from the metadata.
fn type_of(context: &Context<'_, '_>, run: &Run<'_>, parameter: &TaskParameter) -> Option<Type> {
    type_of_text(context.db, run.metadata, parameter.type_text.as_ref()?, &LocalTypes::default())
}

/// Whether a task takes a missing value for one of this type.
fn takes_undef(it: &Type) -> bool {
    !refused(&Type::undef(), it) || matches!(it.kind(), TypeKind::Any)
}
