//! `default-value-type`, `argument-type` and `value-type` for lookups: a default value, a merge strategy or a data value that
//! contradicts a call of `lookup` (E36, G8).

use marotte_diagnostics::{Diagnostic, Level, Related, Rule, rules};
use marotte_hiera::LookupKey;
use marotte_hiera::merge::Strategy;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_infer::known_values::values_of;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::dialect;
use marotte_text::Str;

use crate::context::{At, Context};
use crate::data::found::values_of_key;
use crate::data::options::{Treatment, treatments};
use crate::data::values::{Wrong, wrong};
use crate::lookups::LookupCall;
use crate::rules::types::mismatch::{blame, explain};

/// More places than these aren't helpful.
const MOST_PLACES: usize = 3;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let call = NamedCall::of(expr).and_then(|it| LookupCall::of(body, &it));
        let Some(call) = call.filter(|_| !context.inference().is_unreachable(id)) else { continue };
        let strategy = strategy(context, &call);
        let expected = call.value_type.and_then(|it| values_of(context.typed(), it));
        let Some([Value::Type(expected)]) = expected.as_deref() else { continue };
        let key = key(context, &call);
        if let (Some(key), Some(strategy)) = (&key, strategy)
            && data(context, &call, key, &strategy, expected)
        {
            // Then no other value is used, and the requested type is at fault.
            continue;
        }
        defaults(context, &call, expected);
        if let Some(key) = key {
            overrides(context, &call, &key, expected);
        }
    }
}

/// The merge strategy in a call, or the default one. None if it is computed, or if it is invalid, which is reported.
fn strategy(context: &mut Context<'_, '_>, call: &LookupCall) -> Option<Strategy> {
    let Some(merge) = call.merge else { return Strategy::of_value(dialect(), None).ok() };
    let value = match &values_of(context.typed(), merge)?[..] {
        [only @ (Value::String(_) | Value::Hash(_))] => only.clone(),
        _ => return None,
    };
    match Strategy::of_value(dialect(), Some(&value)) {
        Ok(strategy) => Some(strategy),
        Err(error) => {
            context.report(rules::ARGUMENT_TYPE, At::Expr(merge), error.to_string());
            None
        }
    }
}

/// The only key that a call looks up.
fn key(context: &Context<'_, '_>, call: &LookupCall) -> Option<Str> {
    match &values_of(context.typed(), call.name?)?[..] {
        [Value::String(key)] => Some(key.clone()),
        _ => None,
    }
}

/// Checks that defaults are of the requested type.
fn defaults(context: &mut Context<'_, '_>, call: &LookupCall, expected: &Type) {
    let of_all = call.default.map(|it| ("the default value of the lookup".to_owned(), it));
    let of_keys = call.defaults.iter().map(|(key, it)| (format!("the default value of `{key}`"), *it));
    for (subject, default) in of_all.into_iter().chain(of_keys) {
        let is_nothing = matches!(context.body.expr(default), Expr::Undef);
        let Some(finding) = unfit(context, rules::DEFAULT_VALUE_TYPE, &subject, default, expected) else {
            continue;
        };
        if is_nothing {
            // As with parameters: the error never shows as long as data has the key.
            finding.level = Level::Warning;
            finding.notes.push("data has to have the key all the same".to_owned());
        }
    }
}

/// Checks the values that override data.
fn overrides(context: &mut Context<'_, '_>, call: &LookupCall, key: &str, expected: &Type) {
    for (_, it) in call.overrides.iter().filter(|(name, _)| name == key) {
        unfit(context, rules::ARGUMENT_TYPE, &format!("what `override` has for `{key}`"), *it, expected);
    }
}

/// Reports a default or override that is never of the requested type.
fn unfit<'c>(
    context: &'c mut Context<'_, '_>,
    rule: &'static Rule,
    subject: &str,
    id: ExprId,
    expected: &Type,
) -> Option<&'c mut Diagnostic> {
    let given = context.inference().type_of(id).filter(|it| disjoint(it, expected))?;
    let (at, label) = blame(context, id, expected);
    let message = explain(subject, expected, given);
    let finding = context.report(rule, At::Expr(at), message);
    finding.label = Some(label);
    Some(finding)
}

/// Reports data values that are never of the requested type, whichever of them a node gets. Returns whether it did.
fn data(
    context: &mut Context<'_, '_>,
    call: &LookupCall,
    key: &str,
    strategy: &Strategy,
    expected: &Type,
) -> bool {
    let (db, environment) = (context.db, context.environment);
    let is_root = LookupKey::parse(key).is_ok_and(|it| it.segments.is_empty());
    let (Some(name), true) = (call.name, is_root) else { return false };
    let Some(found) = values_of_key(db, environment, key).filter(|it| !it.is_empty()) else { return false };
    let Some(mut treatments) = treatments(db, environment, key) else { return false };
    if call.merge.is_some() {
        // Options of the call take precedence over those in data.
        for it in &mut treatments {
            it.merge = strategy.kind;
            it.knocks_out = strategy.options.get_str("knockout_prefix").is_some();
        }
    }
    let subject = format!("the value of `{key}`");
    let mut places = Vec::new();
    for it in &found {
        // `undef` isn't a value of a wrong type.
        let treated = |treatment: &Treatment| wrong(it.given(), treatment, &subject, expected);
        let wrong = treatments.iter().map(treated).collect::<Option<Vec<Wrong>>>();
        match wrong.and_then(|it| it.into_iter().next()).filter(|_| *it.value != Value::Undef) {
            Some(wrong) => places.push((it.file.id(db), wrong)),
            None => return false,
        }
    }
    let Some((_, Wrong { message, .. })) = places.first() else { return false };
    let message = message.clone();
    let finding = context.report(rules::VALUE_TYPE, At::Expr(name), message);
    finding.label = Some("data has nothing else for this".to_owned());
    finding.related.extend(places.into_iter().take(MOST_PLACES).map(|(file, wrong)| Related {
        file,
        range: wrong.range,
        message: "this is not of the type".to_owned(),
    }));
    true
}
