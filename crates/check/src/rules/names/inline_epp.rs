//! `unresolved-variable` of templates in EPP that are texts of the code: such a template reads a variable that neither it, nor its
//! argument, nor the code around it sets.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use foldhash::HashSet;
use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{ExprId, ItemKind, NameKind, lower};
use marotte_infer::known_values::text_of;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::globals::is_global;
use marotte_resolve::names::{AncestorsEnd, Lookup, ancestors, look_up};
use marotte_resolve::spelling::nearest;
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

use super::template_variables::set_by;
use super::unresolved_variable::of_class;
use crate::analysis::variables::shared_reads::{Origin, origin};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, item, body) = (context.db, context.item, context.body);
    if !matches!(item.kind(db), ItemKind::Class | ItemKind::Define) {
        return;
    }
    let inherited = ancestors(db, item);
    if inherited.end != AncestorsEnd::Nothing {
        return;
    }
    let names = LazyCell::new(|| set_by(db, item, body));
    for (id, expr) in body.calls() {
        let Some((argument, text, given)) = inline_epp(context, expr) else { continue };
        if context.inference().is_unreachable(id)
            || !matches!(context.function("inline_epp"), Function::Builtin(_))
        {
            continue;
        }
        let program = parse(&text, Mode { template: true, ..Mode::default() });
        if !program.errors.is_empty() {
            continue;
        }
        let template = lower(&program.program).main;
        let own: HashSet<&str> = given.iter().chain(template.variables()).map(Str::as_str).collect();
        for name in reads(&template) {
            let is_set = own.contains(name.as_str())
                || names.has(name)
                || matches!(name.as_str(), "title" | "name" | "module_name" | "caller_module_name")
                || is_global(db, context.file, context.environment, name)
                || origin(db, context.file, context.environment, name) != Origin::Nowhere;
            if is_set {
                continue;
            }
            let meant = nearest(name, names.nearest(name, |_| true).into_iter().chain(own.iter().copied()));
            let meant = meant.map(str::to_owned);
            let message = format!("the template reads `${name}`, which nothing sets");
            let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(argument), message);
            finding.label = meant.map(|it| format!("did you mean `${it}`?"));
        }
        for (class, name) in reads_of_classes(&template) {
            if let Lookup::Found(class) = look_up(db, context.file, NameKind::Class, class) {
                of_class(context, At::Expr(argument), class, name);
            }
        }
    }
}

/// A call of `inline_epp` with a text that is known: the argument, its text, and the names of the parameters that are passed. None if not all of
/// these are known, or if the text asks whether variables exist.
fn inline_epp(context: &Context<'_, '_>, expr: &Expr) -> Option<(ExprId, String, Vec<Str>)> {
    let body = context.body;
    let call = NamedCall::of(expr).filter(|it| it.plain_name() == "inline_epp")?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let (argument, given) = match arguments[..] {
        [text] => (text, &[][..]),
        [text, given] => match body.expr(given) {
            Expr::Hash(entries) => (text, &entries[..]),
            _ => return None,
        },
        _ => return None,
    };
    let text = match body.expr(argument) {
        Expr::Heredoc { text, .. } => body.expr(*text),
        text => text,
    };
    let text = match text {
        Expr::String(text) => text.to_string(),
        _ => text_of(context.typed(), argument)?,
    };
    let key = |(key, _): &(ExprId, ExprId)| match body.expr(*key) {
        Expr::String(name) => Some(name.clone()),
        _ => None,
    };
    let given = given.iter().map(key).collect::<Option<_>>()?;
    (!text.contains("defined")).then_some((argument, text, given))
}

/// The variables of classes that a body reads, each once.
fn reads_of_classes(body: &Body) -> BTreeSet<(&str, &str)> {
    let names = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Variable(it) => match &**it {
            Variable::Qualified { scope, name, .. } => Some((scope.as_str(), name.as_str())),
            _ => None,
        },
        _ => None,
    });
    names.collect()
}

/// The unqualified variables that a body reads, each once.
fn reads(body: &Body) -> impl Iterator<Item = &Str> {
    let names = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Variable(it) => match &**it {
            Variable::Local { name, .. } => Some(name),
            _ => None,
        },
        _ => None,
    });
    names.collect::<BTreeSet<_>>().into_iter()
}
