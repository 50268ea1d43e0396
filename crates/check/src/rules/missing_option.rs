//! `missing-option`: a selector or a `case` without `default` has no option for a value that there may be.
//!
//! Where the values are known, because the type has only a few.

use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::inference::{is_fact, values};
use marotte_infer::known_values::values_of;
use marotte_pcore::print::literal;
use marotte_pcore::relation::matches;
use marotte_pcore::value::Value;
use marotte_resolve::dialect;

use crate::context::{At, Context};
use crate::tested::{is_guarded, read_in};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        if context.inference.is_unreachable(id) {
            continue;
        }
        match expr {
            Expr::Selector(it) => {
                let options: Vec<ExprId> = it.entries.iter().map(|(key, _)| *key).collect();
                let missing = missing(context, it.test, &options);
                let Some(names) = missing.filter(|it| !it.is_empty()).map(|it| named(&it)) else { continue };
                let message = format!("the selector has no option for {names}");
                let finding = context.report("missing-option", At::Expr(it.test), message);
                finding.label = Some("may have a value that no option matches".to_owned());
                finding.notes.push(
                    "without a `default`, the compile fails for a value that nothing matches".to_owned(),
                );
            }
            Expr::Case(it) => {
                let options: Vec<ExprId> =
                    it.options.iter().flat_map(|it| it.values.iter().copied()).collect();
                // Who names one value only, as with `if`, has the others in mind.
                let Some(missing) = missing(context, it.test, &options) else { continue };
                let is_chosen =
                    options.len() < 2 || missing.iter().all(|it| *it == Value::Undef) || missing.len() > 1;
                if missing.is_empty() || is_chosen {
                    continue;
                }
                let message = format!("the `case` has no option for {}", named(&missing));
                let finding = context.report("missing-option", At::Expr(it.test), message);
                finding.label = Some("may have a value that no option matches".to_owned());
                finding
                    .notes
                    .push("where nothing is to be done for it, an empty `default: { }` says so".to_owned());
            }
            _ => {}
        }
    }
}

/// The values that no option matches. None if that is not known, or if something takes all others.
fn missing(context: &Context<'_, '_>, test: ExprId, options: &[ExprId]) -> Option<Vec<Value>> {
    let mut left = values(context.inference.type_of(test)?)?;
    // Facts have the types that machines give them: nothing says that one is missing.
    if is_fact(context.body, test) {
        left.retain(|it| *it != Value::Undef);
    }
    // Of one value, everything is known; other rules say so. A condition around may rule values out.
    if left.len() < 2 || is_guarded(context.body, &context.flow(), test, &read_in(context.body, test)) {
        return None;
    }
    let mut patterns: Vec<Value> = Vec::new();
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
    }
    Some(left)
}

fn named(values: &[Value]) -> String {
    /// More need not be named to be found.
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
