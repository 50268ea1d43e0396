//! `missing-option`: a selector or a `case` without `default` has no option for a possible value.
//!
//! It's only reported if the type has few values.

use marotte_diagnostics::rules;
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::inference::{is_fact, values};
use marotte_infer::known_values::values_of;
use marotte_pcore::print::literal;
use marotte_pcore::relation::matches;
use marotte_pcore::value::Value;
use marotte_resolve::dialect;

use crate::analysis::variables::tested::{is_guarded, read_in};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        if context.inference().is_unreachable(id) {
            continue;
        }
        match expr {
            Expr::Selector(it) => {
                let options: Vec<ExprId> = it.entries.iter().map(|(key, _)| *key).collect();
                let missing = missing(context, it.test, &options);
                let Some(names) = missing.filter(|it| !it.is_empty()).map(|it| named(&it)) else { continue };
                let message = format!("the selector has no option for {names}");
                let finding = context.report(rules::MISSING_OPTION, At::Expr(it.test), message);
                finding.label = Some("may have a value that no option matches".to_owned());
                finding.notes.push(
                    "without a `default`, the compile fails for a value that nothing matches".to_owned(),
                );
            }
            Expr::Case(it) => {
                let options: Vec<ExprId> =
                    it.options.iter().flat_map(|it| it.values.iter().copied()).collect();
                let Some(missing) = missing(context, it.test, &options) else { continue };
                // A `case` with a single option is used like an `if`, and one that omits several values probably does so on
                // purpose.
                let [value] = &missing[..] else { continue };
                if options.len() < 2 || stands_for_nothing(value) {
                    continue;
                }
                let message = format!("the `case` has no option for {}", named(&missing));
                let finding = context.report(rules::MISSING_OPTION, At::Expr(it.test), message);
                finding.label = Some("may have a value that no option matches".to_owned());
                finding
                    .notes
                    .push("where nothing is to be done for it, an empty `default: { }` says so".to_owned());
            }
            _ => {}
        }
    }
}

/// Returns the values that no option matches. None if they are unknown, or if an option matches all others.
fn missing(context: &Context<'_, '_>, test: ExprId, options: &[ExprId]) -> Option<Vec<Value>> {
    let mut left = values(context.inference().type_of(test)?)?;
    if !may_be_undef(context, test) {
        left.retain(|it| *it != Value::Undef);
    }
    // Of one value, everything is known; other rules say so. A condition around may rule values out.
    if left.len() < 2 || is_guarded(context.body, &context.flow(), test, &read_in(context.body, test)) {
        return None;
    }
    let possible = left.clone();
    let mut patterns: Vec<Value> = Vec::new();
    let mut never = 0;
    for option in options {
        let [pattern] = &values_of(context.typed(), *option)?[..] else { return None };
        if *pattern == Value::Default {
            return None;
        }
        // One of two that are the same was meant to be another: `duplicate-case-option`.
        if patterns.contains(pattern) {
            return None;
        }
        patterns.push(pattern.clone());
        left.retain(|it| !matches(dialect(), it, pattern));
        never += usize::from(!possible.iter().any(|it| matches(dialect(), it, pattern)));
    }
    // An option that matches nothing was meant for one that has none: `impossible-match`.
    (never != 1).then_some(left)
}

/// Whether the type of an expression shows reliably that it may be undef. Not for parameters of classes and defined types
/// with another default, which replaces undef, nor for variables of other classes, whose defaults are unknown here, nor for
/// facts, whose types depend on the machines.
fn may_be_undef(context: &Context<'_, '_>, test: ExprId) -> bool {
    let body = context.body;
    if is_fact(body, test) {
        return false;
    }
    let Expr::Variable(variable) = body.expr(test) else { return true };
    match &**variable {
        Variable::Qualified { .. } => false,
        Variable::Local { name, .. } if context.item.kind(context.db) != ItemKind::Function => {
            let parameter = body.parameters.iter().find(|it| it.name == *name);
            let default = parameter.and_then(|it| it.default);
            default.is_none_or(|it| *body.expr(it) == Expr::Undef)
        }
        _ => true,
    }
}

/// Whether a value means that nothing is to be done, so that a `case` omits it on purpose.
fn stands_for_nothing(value: &Value) -> bool {
    const NOTHING: [&str; 9] =
        ["", "absent", "disabled", "ignore", "no", "none", "off", "unmanaged", "unset"];
    match value {
        Value::Undef | Value::Boolean(false) => true,
        Value::String(it) => NOTHING.contains(&it.to_lowercase().as_str()),
        _ => false,
    }
}

/// Lists values for a message.
fn named(values: &[Value]) -> String {
    /// The number of values that a message lists.
    const SHOWN: usize = 3;
    let mut names: Vec<String> = values.iter().take(SHOWN).map(|it| format!("`{}`", literal(it))).collect();
    if values.len() > SHOWN {
        names.push(format!("{} more", values.len() - SHOWN));
    }
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.concat(),
    }
}
