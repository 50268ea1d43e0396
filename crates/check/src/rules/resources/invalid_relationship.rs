//! `invalid-relationship`: an operand of a relationship that isn't a resource (the reference's
//! `ILLEGAL_RELATIONSHIP_OPERAND_TYPE`, and the errors about metaparameters from its catalog validation).

use marotte_db::source_text;
use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_resolve::types::{TypeName, type_name};
use marotte_text::Str;

use crate::analysis::resources::relationships::{By, operands};
use crate::context::{At, Context};
use crate::rules::types::mismatch::value_of;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for (id, by) in operands(context.body) {
        let found = match context.body.expr(id) {
            Expr::String(text) if !may_be_reference(text, by) => format!("the string `'{text}'`"),
            Expr::Integer(_) | Expr::Float(_) => "a number".to_owned(),
            Expr::Boolean(value) => format!("`{value}`"),
            Expr::Hash(_) => "a hash".to_owned(),
            Expr::Regexp(_) => "a regular expression".to_owned(),
            Expr::Reference(name) if is_resource_type(context, name) => format!("`{name}` without a title"),
            Expr::Access { target, .. } => {
                match (context.body.expr(*target), context.inference().type_of(id)) {
                    (Expr::Reference(name), Some(it)) if is_data_type(it) => {
                        format!("the data type `{name}[…]`")
                    }
                    _ => continue,
                }
            }
            // An array has its own elements.
            Expr::Array(_) => continue,
            _ => match context.inference().type_of(id).and_then(|it| never_reference(it, by)) {
                Some(found) => found,
                None => continue,
            },
        };
        if context.inference().is_unreachable(id) {
            continue;
        }
        let is_apart = matches!(context.body.expr(id), Expr::Reference(_)) && is_before_array(context, id);
        let message = format!(
            "a relationship needs references to resources, as in `File['/etc/motd']`, and this is {found}"
        );
        let finding = context.report(rules::INVALID_RELATIONSHIP, At::Expr(id), message);
        finding.label = Some("no reference".to_owned());
        if is_apart {
            finding
                .notes
                .push("after a blank, `[` starts an array: write it directly after the type".to_owned());
        }
    }
}

/// Whether an array starts after an expression and a blank.
fn is_before_array(context: &Context<'_, '_>, id: ExprId) -> bool {
    let end = context.range(At::Expr(id)).end();
    let rest = &source_text(context.db, context.file).text()[end.into()..];
    rest.starts_with([' ', '\t']) && rest.trim_start_matches([' ', '\t']).starts_with('[')
}

/// Whether a name is that of a resource type. Undefined names are reported by another rule.
fn is_resource_type(context: &Context<'_, '_>, name: &str) -> bool {
    matches!(type_name(context.db, context.file, context.environment, name), TypeName::Resource(_))
}

/// Whether a value of a type is a data type, as opposed to a resource type.
fn is_data_type(it: &Type) -> bool {
    matches!(it.kind(), TypeKind::Type(Some(it)) if disjoint(it, &TypeKind::CatalogEntry.into()))
}

/// A description of the values of a type, if none of them is a reference. `undef` creates no relationship in a metaparameter.
fn never_reference(it: &Type, by: By) -> Option<String> {
    let of_text = |text: &Str| !may_be_reference(text, by);
    let is_never = match it.resolved().kind() {
        TypeKind::String(StringType::Literal(text)) => of_text(text),
        TypeKind::Enum(words) => !words.values().is_empty() && words.values().iter().all(of_text),
        TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::Boolean(_)
        | TypeKind::Regexp(_)
        | TypeKind::Hash(..)
        | TypeKind::Struct(_) => true,
        TypeKind::Undef => by == By::Arrow,
        TypeKind::Optional(Some(inner)) => by == By::Arrow && never_reference(inner, by).is_some(),
        TypeKind::Variant(types) => {
            !types.is_empty() && types.iter().all(|it| never_reference(it, by).is_some())
        }
        _ => false,
    };
    is_never.then(|| value_of(it))
}

/// Whether a string may be parsed as a reference: `'File[/etc/motd]'`. Quotes would be part of the title. Arrows parse types
/// instead.
fn may_be_reference(text: &str, by: By) -> bool {
    text.split_once('[').is_some_and(|(_, title)| by == By::Arrow || !title.starts_with(['\'', '"']))
        || by == By::Arrow && text.trim_start().starts_with(|it: char| it == ':' || it.is_uppercase())
}
