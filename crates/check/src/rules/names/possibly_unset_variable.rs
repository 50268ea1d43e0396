//! `possibly-unset-variable`: a variable that is read, but set on only some of the paths to the read.
//!
//! Conditions may be related: nothing is reported where a condition that decides whether the variable is set may also decide whether
//! it is read, or whether evaluation reaches the read.

use std::rc::Rc;

use marotte_diagnostics::{Rule, rules};

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use marotte_hir::body::{Body, Expr, LambdaId, Variable};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::inference::{outline, truth};
use marotte_resolve::globals::is_global;
use marotte_resolve::names::{AncestorsEnd, ancestors};
use marotte_text::Str;

use crate::analysis::variables::set_conditions::SetConditions;
use crate::analysis::variables::variable_tests::VariableTest;
use crate::context::{At, Context};

/// The assignments that may set a variable where it is read.
type Assignments = Rc<[ExprId]>;

const RULE: &Rule = rules::POSSIBLY_UNSET_VARIABLE;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    // Functions may end a plan in ways that aren't known here.
    if context.item.kind(context.db) == ItemKind::Plan {
        return;
    }
    if context.inference().perhaps_unset().is_empty() {
        return;
    }
    let flow = context.flow();
    let conditions = SetConditions::new(body, &flow);
    let read_unset: HashSet<&Str> =
        context.inference().unset().iter().filter_map(|it| local_name(body, *it)).collect();
    // The assignments of each variable, by its name and the innermost lambda around the read. None if nothing is known about them.
    let mut set: HashMap<(&Str, Option<LambdaId>), Option<Assignments>> = HashMap::default();
    let mut found: IndexMap<(&Str, Assignments), Vec<ExprId>> = IndexMap::new();
    for id in context.inference().perhaps_unset() {
        let Some(name) = local_name(body, *id) else { continue };
        // `unresolved-variable` reports that it is read before it is set.
        if context.inference().is_unreachable(*id)
            || read_unset.contains(name)
            || may_be_elsewhere(context, name)
        {
            continue;
        }
        let is_decided = |it: &ExprId| flow.choices(*it).iter().any(|it| is_decided(context, *it));
        let set = set.entry((name, flow.lambda(*id))).or_insert_with(|| {
            let set = conditions.set_for(name, *id).filter(|it| !it.iter().any(is_decided));
            set.map(Rc::from)
        });
        let Some(set) = set.as_ref().filter(|it| !conditions.may_decide(it, *id)) else { continue };
        found.entry((name, Rc::clone(set))).or_default().push(*id);
    }
    for ((name, set), reads) in found {
        let Some((first, others)) = reads.split_first() else { continue };
        let set = set.iter().map(|it| context.related(At::Expr(*it), "set here, on some ways only"));
        let others = others.iter().map(|it| context.related(At::Expr(*it), "it is read here, too"));
        let related = set.chain(others).collect();
        let finding = context.report(RULE, At::Expr(*first), message(name));
        finding.label = Some("not every way that leads here sets it".to_owned());
        finding.related = related;
        finding.notes.push("Puppet 8 fails where a variable is read that is not set".to_owned());
    }
}

/// The message about a variable.
pub(super) fn message(name: &str) -> String {
    format!("`${name}` may be unset here")
}

/// Whether a variable of this name may come from an enclosing scope, or the body tests whether it exists.
fn may_be_elsewhere(context: &Context<'_, '_>, name: &Str) -> bool {
    let (db, item) = (context.db, context.item);
    let inherited = ancestors(db, item);
    let is_inherited = inherited.end != AncestorsEnd::Nothing
        || inherited.classes.iter().any(|it| outline(db, *it).variable(name).is_some());
    is_inherited
        || matches!(item.kind(db), ItemKind::Program | ItemKind::Node(_))
            && is_global(db, context.file, context.environment, name)
        || context.variable_test(name) == VariableTest::Presence
}

/// The name of the local variable that an expression reads.
fn local_name(body: &Body, id: ExprId) -> Option<&Str> {
    let Expr::Variable(variable) = body.expr(id) else { return None };
    match &**variable {
        Variable::Local { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether a condition has a constant result.
fn is_decided(context: &Context<'_, '_>, choice: ExprId) -> bool {
    match context.body.expr(choice) {
        Expr::If(it) | Expr::Unless(it) => {
            it.arms.iter().any(|it| context.inference().type_of(it.test).and_then(truth).is_some())
        }
        _ => false,
    }
}
