//! `argument-type` for functions that work on the catalog: their signatures accept anything, but they reject most of it
//! themselves.

use marotte_diagnostics::rules;
use std::sync::LazyLock;

use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::{clash, disjoint};
use marotte_infer::known_values::type_of;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::lazy_type::LazyType;

use super::mismatch::{blame, until_set, value_of};
use crate::analysis::names::classes::Inclusion;
use crate::context::{At, Context};

/// References to classes (the reference's `transform_and_assert_classnames`).
static CLASSES: LazyLock<LazyType> = LazyLock::new(|| {
    LazyType::new(
        "Variant[String[1], Type[CatalogEntry], Array[Variant[String[1], Type[CatalogEntry], Array]]]",
    )
});
/// Resources by title, with their attributes.
static RESOURCES: LazyLock<LazyType> = LazyLock::new(|| LazyType::new("Hash[Any, Hash]"));
/// Attributes common to all of them.
static ATTRIBUTES: LazyLock<LazyType> = LazyLock::new(|| LazyType::new("Hash"));

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        if call.count(body).is_none() || context.inference().is_unreachable(id) {
            continue;
        }
        let name = call.plain_name();
        if Inclusion::of(body, expr).is_some() {
            for argument in call.arguments() {
                refused(context, name, "names of classes", argument, &CLASSES);
            }
        } else if name == "create_resources" && matches!(context.function(name), Function::Builtin(_)) {
            let wanted = [
                ("a hash of titles, each with a hash of attributes, as its second argument", &RESOURCES),
                ("a hash of attributes as its third argument", &ATTRIBUTES),
            ];
            for (argument, (what, expected)) in call.arguments().skip(1).zip(wanted) {
                refused(context, name, what, argument, expected);
            }
        }
    }
}

/// Reports an argument that a function never accepts.
fn refused(context: &mut Context<'_, '_>, name: &str, takes: &str, argument: ExprId, expected: &LazyType) {
    let (Some(given), Some(expected)) = (type_of(context.typed(), argument), expected.get()) else { return };
    // An empty name is reported by `unresolved-class`.
    let is_name = Inclusion::takes(name) && matches!(context.body.expr(argument), Expr::String(_));
    if !clash(given, expected) || is_name {
        return;
    }
    let is_certain = disjoint(given, expected);
    let (at, label) = blame(context, argument, expected);
    let part = context.inference().type_of(at).filter(|_| at != argument);
    let found = match part {
        Some(part) => format!("this has {} in it", value_of(part)),
        None => format!("this is {}", value_of(given)),
    };
    let message = format!("`{name}` takes {takes}, and {found}");
    let finding = context.report(rules::ARGUMENT_TYPE, At::Expr(at), message);
    finding.label = Some(label);
    if !is_certain {
        until_set(finding);
    }
}
