//! `unknown-parameter`, `missing-parameter` and `parameter-type` of tasks and of plans in YAML: what they declare, and what
//! `run_task` and `run_plan` pass.

use foldhash::{HashMap, HashSet};
use marotte_db::{Db, File};
use marotte_diagnostics::{Related, rules};
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_infer::declarations::{hash, value_of};
use marotte_infer::declared::{Declared, LocalTypes, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::types::Type;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::known;
use marotte_resolve::spelling::{Names, nearest};
use marotte_resolve::tasks::{TaskName, TaskParameter, task, task_parameters};
use marotte_resolve::yaml_plans::{is_for_targets, plan_parameters, yaml_plan};
use marotte_text::{Str, normalized};

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
    parameters: &'db Parameters,
    given: Vec<Attribute>,
    /// Whether targets are passed before the hash: those of plans are parameters.
    has_targets: bool,
}

/// The declared parameters, for lookups and checks of many calls. They are numbered in the order of their declarations.
#[derive(Debug, PartialEq)]
struct Parameters {
    /// The types of the parameters, as seen from the declaring file.
    types: Declared,
    by_name: HashMap<Str, usize>,
    names: Names,
    /// The parameters that must be given.
    required: Box<[usize]>,
}

impl Parameters {
    /// The number of names up to which all of them are compared, in the order of their declarations.
    const FEW: usize = 200;

    fn type_of(&self, number: usize) -> Option<&Type> {
        self.types.parameters.get(number)?.as_ref()
    }

    /// The closest name among `some`, those of the parameters for which `is_some` is true.
    fn nearest<'a>(
        &'a self,
        name: &str,
        some: &[&'a str],
        is_some: impl Fn(&str) -> bool,
    ) -> Option<&'a str> {
        match some.len() <= Self::FEW {
            true => nearest(name, some.iter().copied()),
            false => self.names.nearest(name, is_some),
        }
    }
}

/// The parameters that the metadata of a task, or a plan in YAML, declare.
#[salsa::tracked(returns(ref))]
fn parameters(db: &dyn Db, file: File, is_plan: bool) -> Parameters {
    let declared = if is_plan { plan_parameters(db, file) } else { task_parameters(db, file) };
    let declared = declared.unwrap_or_default();
    let type_of = |it: &TaskParameter| type_of_text(db, file, it.type_text.as_ref()?, &LocalTypes::default());
    let types: Box<[Option<Type>]> = declared.iter().map(type_of).collect();
    let required = declared.iter().zip(&types).enumerate().filter_map(|(number, (it, known))| {
        (!it.has_default && known.as_ref().is_some_and(needs_value)).then_some(number)
    });
    let mut by_name = HashMap::default();
    for (number, it) in declared.iter().enumerate() {
        by_name.entry(it.name.clone()).or_insert(number);
    }
    Parameters {
        required: required.collect(),
        types: Declared { parameters: types, returns: None },
        by_name,
        names: declared.iter().map(|it| it.name.clone()).collect(),
    }
}

/// The maximum number of missing parameters that a finding names.
const MOST_NAMED: usize = 20;

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
    let parameters = parameters(db, file, is_plan);
    Some(Run { of, file, declared, parameters, given, has_targets: is_plan && rest.len() > 1 })
}

fn given(context: &mut Context<'_, '_>, run: &Run<'_>, name: &str, it: &Attribute) {
    let related = |at, message: String| Related { file: run.file.id(context.db), range: at, message };
    let by_name = |name: &str| run.parameters.by_name.get(name).copied();
    let Some((number, parameter)) = by_name(name).and_then(|it| Some((it, run.declared.get(it)?))) else {
        let names: Vec<&str> = run.declared.iter().map(|it| it.name.as_str()).collect();
        let nearest = run.parameters.nearest(name, &names, |_| true);
        let meant = nearest.and_then(by_name).and_then(|it| run.declared.get(it));
        let related = meant.map(|it| related(it.at, format!("did you mean `{}`?", it.name)));
        let message = format!("{} has no parameter `{name}`", run.of);
        let finding = context.report(rules::UNKNOWN_PARAMETER, At::Expr(it.at), message);
        finding.label = Some("not a parameter".to_owned());
        finding.related.extend(related);
        return;
    };
    let Some(expected) = run.parameters.type_of(number) else { return };
    let related = related(parameter.at, "the parameter is declared here".to_owned());
    for value in context.choices(it.value) {
        let Some(of) = context.inference().type_of(value).filter(|it| refused(it, expected)) else {
            continue;
        };
        let message = explain(&format!("parameter `{name}` of {}", run.of), expected, of);
        let (at, label) = blame(context, value, expected);
        let finding = context.report(rules::PARAMETER_TYPE, At::Expr(at), message);
        finding.label = Some(label);
        finding.related.push(related.clone());
    }
}

fn missing(context: &mut Context<'_, '_>, run: &Run<'_>, call: ExprId) {
    if run.given.iter().any(|it| it.name == AttributeName::Unfold) {
        return;
    }
    let given: HashSet<&str> = run
        .given
        .iter()
        .filter_map(|it| match &it.name {
            AttributeName::Name(name) => Some(name.as_str()),
            AttributeName::Unfold => None,
        })
        .collect();
    let is_given = |name: &str| given.contains(name) || run.has_targets && is_for_targets(name);
    let required = run.parameters.required.iter().filter_map(|it| run.declared.get(*it));
    let mut lacking: Vec<&TaskParameter> = required.filter(|it| !is_given(&it.name)).collect();
    let mut names: Vec<&str> = lacking.iter().map(|it| it.name.as_str()).collect();
    let mut left: HashSet<&str> = names.iter().copied().collect();
    for it in &run.given {
        if let AttributeName::Name(name) = &it.name
            && !run.parameters.by_name.contains_key(name)
            && let Some(meant) = run.parameters.nearest(name, &names, |it| left.contains(it))
        {
            left.remove(meant);
            names.retain(|it| *it != meant);
        }
    }
    lacking.retain(|it| left.contains(it.name.as_str()));
    if lacking.is_empty() {
        return;
    }
    let plural = if lacking.len() > 1 { "s" } else { "" };
    let mut names: Vec<String> =
        lacking.iter().take(MOST_NAMED + 1).map(|it| format!("`{}`", it.name)).collect();
    if names.len() > MOST_NAMED {
        names[MOST_NAMED] = "…".to_owned();
    }
    let names = names.join(", ");
    let related = lacking.iter().take(MOST_NAMED).map(|it| Related {
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
