//! `unknown-parameter`, `missing-parameter` and `parameter-type` of tasks and of plans in YAML: what they declare, and what
//! `run_task` and `run_plan` pass.

use marotte_db::File;
use marotte_diagnostics::{Related, rules};
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_infer::declarations::{hash, value_of};
use marotte_infer::declared::{LocalTypes, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::types::Type;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::known;
use marotte_resolve::spelling::nearest;
use marotte_resolve::tasks::{TaskName, TaskParameter, task, task_parameters};
use marotte_resolve::yaml_plans::{is_for_targets, plan_parameters, yaml_plan};
use marotte_text::normalized;

use crate::analysis::resources::parameters::needs_value;
use crate::context::{At, Context};
use crate::rules::types::mismatch::{blame, explain};

/// A call that runs a task whose metadata declare parameters, or a plan in YAML.
struct Run<'db> {
    /// The task or the plan, in words.
    of: String,
    /// The metadata, or the plan.
    file: File,
    declared: &'db [TaskParameter],
    given: Vec<Attribute>,
    /// Whether targets are passed before the hash: those of plans are parameters.
    has_targets: bool,
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
                // Those with an underscore are options of the called function itself.
                AttributeName::Name(name) if !name.starts_with('_') => given(context, &run, name, it),
                _ => {}
            }
        }
        missing(context, &run, id);
    }
}

fn run_of<'db>(context: &Context<'db, '_>, call: &NamedCall<'_>) -> Option<Run<'db>> {
    let (db, body) = (context.db, context.body);
    let is_plan = match call.plain_name() {
        "run_task" => false,
        "run_plan" => true,
        _ => return None,
    };
    call.count(body)?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let (name, rest) = arguments.split_first()?;
    let Expr::String(name) = body.expr(*name) else { return None };
    let (file, declared) = if is_plan {
        if known(db, context.file, NameKind::Plan, name).is_some() {
            return None;
        }
        let file = yaml_plan(db, context.environment, name)?;
        (file, plan_parameters(db, file)?)
    } else {
        let TaskName::Found(Some(file)) = task(db, context.file, context.environment, name) else {
            return None;
        };
        (file, task_parameters(db, file)?)
    };
    // Targets always come before the parameters of a task, and so may the description of what is done.
    let passed = if is_plan { rest.last() } else { rest.get(1..).and_then(<[ExprId]>::last) };
    let given = passed.map_or_else(Vec::new, |last| match body.expr(value_of(body, *last)) {
        Expr::String(_) | Expr::Interpolated(_) => Vec::new(),
        _ => hash(body, *last),
    });
    let of = format!("{} `{}`", if is_plan { "plan" } else { "task" }, normalized(name));
    Some(Run { of, file, declared, given, has_targets: is_plan && rest.len() > 1 })
}

fn given(context: &mut Context<'_, '_>, run: &Run<'_>, name: &str, it: &Attribute) {
    let related = |at, message: String| Related { file: run.file.id(context.db), range: at, message };
    let Some(parameter) = run.declared.iter().find(|it| it.name == name) else {
        let nearest = nearest(name, run.declared.iter().map(|it| it.name.as_str()));
        let meant = nearest.and_then(|nearest| run.declared.iter().find(|it| it.name == nearest));
        let related = meant.map(|it| related(it.at, format!("did you mean `{}`?", it.name)));
        let message = format!("{} has no parameter `{name}`", run.of);
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
        let message = explain(&format!("parameter `{name}` of {}", run.of), &expected, of);
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
    let is_required =
        |it: &&TaskParameter| !it.has_default && type_of(context, run, it).is_some_and(|it| needs_value(&it));
    let is_given = |it: &&TaskParameter| {
        names().any(|name| it.name == name) || run.has_targets && is_for_targets(&it.name)
    };
    let lacking = run.declared.iter().filter(|it| !is_given(it)).filter(is_required);
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
        file: run.file.id(context.db),
        range: it.at,
        message: "has no default value".to_owned(),
    });
    let related: Vec<Related> = related.collect();
    let message = format!("{} needs a value for parameter{plural} {names}", run.of);
    let finding = context.report(rules::MISSING_PARAMETER, At::Callee(call), message);
    finding.label = Some(format!("without {names}"));
    finding.related.extend(related);
}

/// The type of a parameter, as seen from the file that declares it.
fn type_of(context: &Context<'_, '_>, run: &Run<'_>, parameter: &TaskParameter) -> Option<Type> {
    type_of_text(context.db, run.file, parameter.type_text.as_ref()?, &LocalTypes::default())
}
