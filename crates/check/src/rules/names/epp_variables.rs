//! `unresolved-variable` for templates in EPP without parameters: `epp` gives them the values of its hash and the variables of the top
//! scope, but none of its caller's (A101).

use foldhash::HashSet;
use marotte_diagnostics::{Level, Related, rules};
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{ExprId, Item, places};
use marotte_infer::inference::TypedItem;
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::is_global;
use marotte_resolve::spelling::near;
use marotte_text::Str;

use crate::analysis::resources::parameters::passed_freely;
use crate::analysis::variables::shared_reads::{Origin, origin};
use crate::context::{At, Context};

/// The functions that render a template with the values of a hash, at once or on the agent.
const RENDERING: [&str; 2] = ["epp", "stdlib::deferrable_epp"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|it| RENDERING.contains(&it.plain_name())) else {
            continue;
        };
        if context.inference().is_unreachable(id) {
            continue;
        }
        let Some((path, template, given)) = passed_freely(context, &call) else { continue };
        rendered(context, path, template, &given);
    }
}

/// Reports what a template reads that its call doesn't give: a slip of what it gives, a variable of the calling code, or one that nothing
/// sets.
fn rendered(context: &mut Context<'_, '_>, path: ExprId, template: Item<'_>, given: &[Str]) {
    let (db, body) = (context.db, context.body);
    let read = TypedItem::new(db, template).inference.unbound();
    let in_template = |id: &ExprId| match template.body(db).expr(*id) {
        Expr::Variable(variable) => match &**variable {
            Variable::Local { name, .. } => Some((name, *id)),
            _ => None,
        },
        _ => None,
    };
    let read: Vec<(&Str, ExprId)> = read.iter().filter_map(in_template).collect();
    let names: HashSet<&Str> = read.iter().map(|it| it.0).collect();
    let unread = || given.iter().filter(|it| !names.contains(it)).map(Str::as_str);
    let given: HashSet<&Str> = given.iter().collect();
    for (name, at) in &read {
        if given.contains(name) || is_global(db, context.file, context.environment, name) {
            continue;
        }
        let meant = near(name, unread()).map(str::to_owned);
        let is_of_caller = || body.times_set(name) > 0;
        // A call that gives values gives all that are meant. Slips of the template's own variables are reported there.
        let is_lacking = || {
            !given.is_empty()
                && near(name, template.body(db).variables().map(Str::as_str)).is_none()
                && origin(db, context.file, context.environment, name) == Origin::Nowhere
        };
        if meant.is_none() && !is_of_caller() && !is_lacking() {
            continue;
        }
        let message = format!("the template reads `${name}`, which this call does not give");
        if context.has_reported(rules::UNRESOLVED_VARIABLE, &message) {
            continue;
        }
        let range = places(db, template).map.place(*at).map(|it| it.range).unwrap_or_default();
        let related = Related { file: template.file(db).id(db), range, message: "read here".to_owned() };
        let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(path), message);
        finding.level = Level::Warning;
        finding.label = meant.map(|it| format!("it gives `{it}`"));
        finding.related.push(related);
        finding.notes.push("`epp` gives a template no variables of the code that calls it".to_owned());
    }
}
