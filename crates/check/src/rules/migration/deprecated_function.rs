//! `deprecated-function`: a call of a function that is deprecated by its authors, or by Puppet.
//!
//! Repeats Puppet's own warnings where they are certain, and the deprecations that modules declare for their functions
//! (`deprecated`).

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::types::Type;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::ruby::deprecation;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for (id, expr) in context.body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        if context.inference().is_unreachable(id) {
            continue;
        }
        let name = call.plain_name();
        let note = match context.function(call.name) {
            Function::Builtin(_) => match of_builtin(context, &call) {
                Some(Deprecated::Function(instead)) => instead.to_owned(),
                Some(Deprecated::Use(what, instead)) => {
                    let message = format!("calling `{name}` with {what} is deprecated");
                    report(context, id, message, instead);
                    continue;
                }
                None => continue,
            },
            Function::Ruby(it) if it.is_only => match deprecation(context.db, it.file, name.into()) {
                Some(reason) => format!("its documentation says: {reason}"),
                None => continue,
            },
            Function::Ruby(_) | Function::Puppet(_) | Function::Missing | Function::Unknown => continue,
        };
        report(context, id, format!("function `{name}` is deprecated"), &note);
    }
}

fn report(context: &mut Context<'_, '_>, id: ExprId, message: String, note: &str) {
    let finding = context.report(rules::DEPRECATED_FUNCTION, At::Callee(id), message);
    finding.label = Some("deprecated".to_owned());
    finding.notes.push(note.to_owned());
}

/// A deprecation and its replacement.
enum Deprecated {
    /// The function is deprecated.
    Function(&'static str),
    /// One way to call it is deprecated.
    Use(&'static str, &'static str),
}

/// The reference's deprecation warning for a call of a built-in function.
fn of_builtin(context: &Context<'_, '_>, call: &NamedCall<'_>) -> Option<Deprecated> {
    let arguments: Vec<ExprId> = call.arguments().collect();
    let known = |index: usize| arguments.get(index).and_then(|it| context.inference().type_of(*it));
    let is = |index: usize, is: &dyn Fn(&Type) -> bool| known(index).is_some_and(is);
    let text = "text instead of a number";
    let convert = "convert the value first, with `Numeric(…)`";
    match call.plain_name() {
        "abs" | "ceiling" | "floor" if is(0, &is_text) => Some(Deprecated::Use(text, convert)),
        "empty" if is(0, &is_number) => {
            Some(Deprecated::Use("a number", "it is `false` for every number; compare with `undef` or `0`"))
        }
        "strftime" if is(0, &is_text) => {
            Some(Deprecated::Use("a format first", "give the time first: `strftime(Timestamp(), format)`"))
        }
        "regsubst" if call.count(context.body) == Some(5) => {
            Some(Deprecated::Use("an encoding", "it is ignored: leave it out"))
        }
        "min" | "max" if call.lambda.is_none() && call.count(context.body).is_some() => {
            let all = 0..arguments.len();
            let is_mixed = all.clone().any(|it| is(it, &is_text)) && all.clone().any(|it| is(it, &is_number));
            is_mixed.then_some(Deprecated::Use("text and numbers together", convert))
        }
        _ => call.builtin()?.replacement.map(Deprecated::Function),
    }
}
