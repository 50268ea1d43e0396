//! `parameter-type`: a parameter of a class, a defined type, a template or a plan is passed a value of another type.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{AttributeName, Expr};
use marotte_hir::{ExprId, Item, ItemKind};
use marotte_infer::declarations::Declaration;
use marotte_infer::declared::declared;
use marotte_infer::disjoint::{refused, refused_unless_empty};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_syntax::ast::ResourceForm;

use crate::analysis::resources::asserted_titles::{asserted_titles, assertion_call};
use crate::analysis::resources::parameters::{Given, given, may_have_data, passed_by_call, recipient};
use crate::context::{At, Context, expression_at};
use crate::rules::types::mismatch::{blame, explain, until_set};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for declaration in context.declarations().iter() {
        for given in given(context, declaration) {
            if is_evaluated(context, declaration) {
                title(context, &given);
            }
            let Given { item, attributes, .. } = given;
            for attribute in attributes {
                let AttributeName::Name(name) = &attribute.name else { continue };
                for value in context.choices(attribute.value) {
                    parameter(context, item, name, value);
                }
            }
        }
    }
    for (_, expr) in context.body.exprs() {
        if let Some(call) = NamedCall::of(expr)
            && let Some(passed) = passed_by_call(context, &call).filter(|it| !it.is_deferrable)
        {
            for it in &passed.given {
                for value in context.choices(it.value) {
                    parameter(context, passed.item, &it.name, value);
                }
            }
        }
    }
}

/// Whether the code of a declared defined type is certainly evaluated: that of virtual resources is only if they are realized.
fn is_evaluated(context: &Context<'_, '_>, declaration: &Declaration) -> bool {
    matches!(context.body.expr(declaration.by), Expr::Resource(it) if it.form == ResourceForm::Regular)
}

/// Checks the literal titles of a resource whose defined type asserts their type.
fn title(context: &mut Context<'_, '_>, given: &Given<'_, '_>) {
    let (db, item) = (context.db, given.item);
    let (Some(title), asserted) = (given.title, asserted_titles(db, item)) else { return };
    if asserted.is_empty() {
        return;
    }
    let sets_name = given.names().is_none_or(|it| it.contains(&"name"));
    let titles = match context.body.expr(title) {
        Expr::Array(titles) => titles.to_vec(),
        _ => vec![title],
    };
    for title in titles {
        let Expr::String(_) = context.body.expr(title) else { continue };
        for it in asserted.iter().filter(|it| !(it.is_name && sets_name)) {
            let Some(of) = context.inference().type_of(title).filter(|of| refused(of, &it.expected)) else {
                continue;
            };
            let subject = format!("the title of `{}`", item.name(db));
            let message = explain(&subject, &it.expected, &of.clone());
            let call = assertion_call(db, item, it);
            let related = call.and_then(|at| expression_at(db, item, at, "asserted here"));
            let finding = context.report(rules::PARAMETER_TYPE, At::Expr(title), message);
            finding.label = Some("the type of the title is asserted".to_owned());
            finding.related.extend(related);
            break;
        }
    }
}

fn parameter(context: &mut Context<'_, '_>, item: Item<'_>, name: &str, value: ExprId) {
    let db = context.db;
    let Some(index) = item.signature(db).position(name) else { return };
    let types = declared(db, item);
    let (Some(Some(expected)), Some(of)) = (types.parameters.get(index), context.inference().type_of(value))
    else {
        return;
    };
    let is_undef = matches!(of.kind(), TypeKind::Undef);
    if !refused_unless_empty(of, expected) || is_undef && !is_taken_as_value(context, item, index, value) {
        return;
    }
    let is_certain = refused(of, expected);
    let (of, expected): (Type, Type) = (of.clone(), expected.clone());
    let subject = match item.kind(db) {
        ItemKind::Template | ItemKind::Plan => format!("parameter `{name}` of {}", recipient(db, item)),
        _ => format!("parameter `{name}` of `{}`", item.name(db)),
    };
    let related = context.parameter(item, name, "the parameter is declared here");
    let (at, label) = blame(context, value, &expected);
    let finding = context.report(rules::PARAMETER_TYPE, At::Expr(at), explain(&subject, &expected, &of));
    finding.label = Some(label);
    finding.related.extend(related);
    if !is_certain {
        until_set(finding);
    }
    if is_undef && item.kind(db) == ItemKind::Class {
        finding.level = Level::Warning;
        finding.notes.push("only the server's own data could have a value instead".to_owned());
    }
}

/// Whether a parameter gets the value `undef`, because neither a default nor data takes its place (C40). It has to be literal:
/// if it comes from elsewhere, something else is at fault.
fn is_taken_as_value(context: &Context<'_, '_>, item: Item<'_>, index: usize, value: ExprId) -> bool {
    let (db, environment) = (context.db, context.environment);
    matches!(context.body.expr(value), Expr::Undef)
        && !item.signature(db).parameters[index].is_optional
        && (item.kind(db) != ItemKind::Class
            || !may_have_data(
                db,
                context.file,
                environment,
                item,
                &item.signature(db).parameters[index].name,
            ))
}
