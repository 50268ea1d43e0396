//! `unresolved-key`: a lookup without a default value asks for a key that no data has.
//!
//! Any key where all data of the environment, and of the key's module, is here; otherwise only one that is almost a key that is here.
//! The global layer is a server's, and not looked at.

use marotte_diagnostics::{Level, rules};
use marotte_eval::functions::{Effects, Names};
use marotte_hiera::{Layer, LookupKey};
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_infer::known_values::values_of;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::data_files::{data_files, layer_keys};
use marotte_resolve::spelling::nearest;
use marotte_text::Str;

use crate::context::{At, Context};
use crate::data::found::{has_key, misspelled_key};
use crate::lookups::LookupCall;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|_| !context.inference().is_unreachable(id)) else {
            continue;
        };
        let Some(name) = asked(context, &call) else { continue };
        let Some(values) = values_of(context.typed(), name) else { continue };
        let [Value::String(key)] = &values[..] else { continue };
        missing(context, name, key);
    }
}

/// The key that a call looks up, if the call fails without a value.
fn asked(context: &Context<'_, '_>, call: &NamedCall<'_>) -> Option<ExprId> {
    let body = context.body;
    if call.lambda.is_some() {
        return None;
    }
    // The deprecated functions: a key, a default value, a level.
    if call.names() == Some(Names::DataKey)
        && call.builtin().is_some_and(|it| it.replacement.is_some() && it.effects == Effects::Reads)
    {
        let arguments: Vec<ExprId> = call.arguments().collect();
        return match arguments[..] {
            [name] if !matches!(body.expr(name), Expr::Splat(_)) => Some(name),
            _ => None,
        };
    }
    let lookup = LookupCall::of(body, call)?;
    // Defaults and overrides that are computed have keys that nobody knows.
    let is_plain = lookup.default.is_none() && !lookup.has_values && !lookup.has_unknown_option;
    lookup.name.filter(|_| is_plain && takes_type(context, &lookup))
}

/// Whether the second argument may be a type. Otherwise, that argument is at fault: it was meant as the default value.
fn takes_type(context: &Context<'_, '_>, lookup: &LookupCall) -> bool {
    let given = lookup.value_type.and_then(|it| context.inference().type_of(it));
    given.is_none_or(|it| !disjoint(it, &TypeKind::Type(None).into()))
}

fn missing(context: &mut Context<'_, '_>, at: ExprId, key: &Str) {
    let (db, environment) = (context.db, context.environment);
    // Without data beside the code, it is somewhere else.
    let has_data = || !data_files(db, environment, Layer::Environment).files.is_empty();
    let Ok(parsed) = LookupKey::parse(key) else { return };
    let is_known = has_key(db, environment, key);
    if is_known == Some(true) || !has_data() {
        return;
    }
    if is_known.is_none() {
        let Some(meant) = misspelled_key(db, environment, parsed.root.clone()) else { return };
        let message = format!("no data that is here has the key `{}`", parsed.root);
        let finding = context.report(rules::UNRESOLVED_KEY, At::Expr(at), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
        finding.notes.push("without a default value, a lookup that finds nothing fails".to_owned());
        return;
    }
    let meant = [Some(Layer::Environment), parsed.module().map(|it| Layer::Module(it.into()))]
        .into_iter()
        .flatten()
        .find_map(|layer| {
            let keys = layer_keys(db, environment, layer).iter().map(|it| it.as_str());
            nearest(&parsed.root, keys).map(str::to_owned)
        });
    let finding =
        context.report(rules::UNRESOLVED_KEY, At::Expr(at), format!("no data has the key `{}`", parsed.root));
    finding.label = Some(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "not found".to_owned(),
    });
    finding.notes.push("without a default value, a lookup that finds nothing fails".to_owned());
}
