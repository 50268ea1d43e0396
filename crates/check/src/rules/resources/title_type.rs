//! `parameter-type` for titles, and `operator-type` for references: titles are strings, or arrays of strings (the reference's
//! `ILLEGAL_TITLE_TYPE_AT`, `MISSING_TITLE` and `EMPTY_STRING_TITLE_AT`).

use marotte_diagnostics::{Rule, rules};
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_resolve::types::{TypeName, type_name};

use crate::context::{At, Context};
use crate::rules::types::mismatch::value_of;
use crate::rules::types::operand_kinds::never_text;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(resource) => {
                let is_class = matches!(body.expr(resource.type_name), Expr::String(name) if name == "class");
                for part in &resource.bodies {
                    // `default:` has the attributes of the others.
                    if *body.expr(part.title) != Expr::Default {
                        title(context, part.title, is_class);
                    }
                }
            }
            Expr::Access { target, keys } => {
                if let Expr::Reference(name) = body.expr(*target) {
                    reference(context, name, keys);
                }
            }
            _ => {}
        }
    }
}

/// Reports the parts of a title that are never strings.
fn title(context: &mut Context<'_, '_>, id: ExprId, is_class: bool) {
    let refused = |it: &Type| match it.resolved().kind() {
        // `sensitive-leak` reports it.
        TypeKind::Sensitive(_) => false,
        // An empty name of a class is reported by `unresolved-class`.
        TypeKind::String(StringType::Literal(text)) => text.is_empty() && !is_class,
        TypeKind::Undef => true,
        _ => is_no_text(it),
    };
    for (at, found) in refused_parts(context, id, &refused) {
        let (message, label) = match found.resolved().kind() {
            TypeKind::Undef => ("a title is a string, and this is `undef`".to_owned(), "no title"),
            TypeKind::String(_) => ("a title has at least one character".to_owned(), "empty"),
            _ => {
                let found = value_of(&found);
                (format!("a title is a string or an array of strings, and this is {found}"), "not a string")
            }
        };
        report(context, rules::PARAMETER_TYPE, at, message, label);
    }
}

/// Reports the keys of a reference that are never titles. `undef` is accepted.
fn reference(context: &mut Context<'_, '_>, name: &str, keys: &[ExprId]) {
    let is_resource =
        || matches!(type_name(context.db, context.file, context.environment, name), TypeName::Resource(_));
    let keys = match (name, keys) {
        ("Resource", [first, titles @ ..]) => {
            if let Some(found) = context.inference().type_of(*first).filter(|it| is_no_resource_type(it)) {
                let message = format!(
                    "`Resource[…]` takes the name of a resource type first, and this is {}",
                    value_of(found)
                );
                report(context, rules::OPERATOR_TYPE, *first, message, "no resource type");
            }
            titles
        }
        ("Class", _) => keys,
        _ if is_resource() => keys,
        _ => return,
    };
    let titles = if name == "Class" { "names of classes" } else { "titles" };
    for id in keys {
        for (at, found) in refused_parts(context, *id, &is_no_text) {
            let message =
                format!("`{name}[…]` takes {titles}, which are strings, and this is {}", value_of(&found));
            report(context, rules::OPERATOR_TYPE, at, message, "not a string");
        }
    }
}

/// Whether no value of a type names or is a resource type.
fn is_no_resource_type(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Undef | TypeKind::Array(..) | TypeKind::Tuple(_) => true,
        TypeKind::Type(inner) => {
            inner.as_ref().is_some_and(|it| disjoint(it, &TypeKind::CatalogEntry.into()))
        }
        _ => is_no_text(it),
    }
}

fn report(context: &mut Context<'_, '_>, rule: &'static Rule, at: ExprId, message: String, label: &str) {
    if context.inference().is_unreachable(at) {
        return;
    }
    let finding = context.report(rule, At::Expr(at), message);
    finding.label = Some(label.to_owned());
}

/// The parts of a title, of which arrays have several, that are certainly refused. The recursion is as deep as the brackets in the
/// source.
fn refused_parts(
    context: &Context<'_, '_>,
    id: ExprId,
    refused: &impl Fn(&Type) -> bool,
) -> Vec<(ExprId, Type)> {
    if let Expr::Array(elements) = context.body.expr(id) {
        return elements.iter().flat_map(|it| refused_parts(context, *it, refused)).collect();
    }
    let Some(found) = context.inference().type_of(id) else { return Vec::new() };
    refused_type(found, refused).map(|it| (id, it.clone())).into_iter().collect()
}

/// The part of a type because of which all of its values are refused.
fn refused_type<'t>(it: &'t Type, refused: &impl Fn(&Type) -> bool) -> Option<&'t Type> {
    match it.resolved().kind() {
        TypeKind::Tuple(tuple) => {
            let certain = usize::try_from(tuple.size_range().min).unwrap_or(usize::MAX);
            tuple.types.iter().take(certain).find_map(|it| refused_type(it, refused))
        }
        TypeKind::Array(element, Some(size)) if size.min > 0 => refused_type(element, refused),
        TypeKind::Variant(types) => {
            let are_all = !types.is_empty() && types.iter().all(|it| refused_type(it, refused).is_some());
            are_all.then_some(it)
        }
        TypeKind::Optional(Some(inner)) => {
            let are_all = refused(&TypeKind::Undef.into()) && refused_type(inner, refused).is_some();
            are_all.then_some(it)
        }
        _ => refused(it).then_some(it),
    }
}

/// Whether no value of a type is a string, an array or `undef`.
fn is_no_text(it: &Type) -> bool {
    never_text(it) || matches!(it.resolved().kind(), TypeKind::Regexp(_) | TypeKind::Type(_))
}
