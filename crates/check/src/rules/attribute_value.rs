//! `attribute-value`: an attribute is given a literal value that its resource type does not accept.

use marotte_hir::body::{AttributeName, Expr};
use marotte_hir::{ExprId, altered};
use marotte_pcore::regexp::{Options, Regexp};
use marotte_ruby::core;
use marotte_ruby::resource_type::{Attribute, AttributeKind, Values};

use crate::context::{At, Context};
use crate::literal::type_name;
use crate::resource_types::{described, resource_type};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let (name, given): (_, Vec<_>) = match expr {
            Expr::Resource(it) => {
                (type_name(body, it), it.bodies.iter().flat_map(|it| &it.attributes).collect())
            }
            _ => match altered(body, expr) {
                Some((name, attributes)) => (name.map(|it| it.to_string()), attributes.iter().collect()),
                None => continue,
            },
        };
        let Some(name) = name else { continue };
        let found = resource_type(context.db, context.file, context.environment, &name);
        let Some(resource_type) = described(context.db, found, &name) else { continue };
        for it in given {
            let AttributeName::Name(attribute) = &it.name else { continue };
            let metaparameter = || core::metaparameters().iter().find(|it| it.name == *attribute);
            let Some(declared) = resource_type.attribute(attribute).or_else(metaparameter) else { continue };
            let of = format!("attribute `{attribute}` of resource type `{}`", resource_type.name);
            if declared.kind == AttributeKind::ReadOnly {
                let finding =
                    context.report("attribute-value", At::Expr(it.at), format!("{of} can only be read"));
                finding.label = Some("cannot be set".to_owned());
                continue;
            }
            value(context, it.value, declared, &of);
        }
    }
}

fn value(context: &mut Context<'_, '_>, id: ExprId, declared: &Attribute, of: &str) {
    let Values::Listed { words, patterns } = &declared.values else { return };
    if declared.validated {
        return;
    }
    let text = match context.body.expr(id) {
        // The values of a property are looked at one by one; those of a parameter as one.
        Expr::Array(elements) if declared.kind == AttributeKind::Property => {
            elements.iter().for_each(|it| value(context, *it, declared, of));
            return;
        }
        Expr::String(text) if !text.is_empty() => text.to_string(),
        Expr::Boolean(it) => it.to_string(),
        Expr::Integer(it) => it.to_string(),
        Expr::Minus(operand) => match context.body.expr(*operand) {
            Expr::Integer(it) => format!("-{it}"),
            _ => return,
        },
        _ => return,
    };
    let is_word = words.iter().any(|it| it.name == text || it.aliases.iter().any(|alias| *alias == text));
    // A pattern that cannot be read may match.
    if is_word || patterns.iter().any(|it| matches(it, &text).unwrap_or(true)) {
        return;
    }
    let words = words.iter().flat_map(|it| std::iter::once(&it.name).chain(&it.aliases));
    let accepted = words.map(|it| format!("`{it}`")).chain(patterns.iter().map(|it| format!("`{it}`")));
    let accepted: Vec<String> = accepted.collect();
    let message = format!("{of} does not accept `{text}`");
    let finding = context.report("attribute-value", At::Expr(id), message);
    finding.label = Some("not accepted".to_owned());
    finding.notes.push(format!("it accepts {}", accepted.join(", ")));
}

fn matches(pattern: &marotte_ruby::resource_type::Regexp, text: &str) -> Option<bool> {
    let flags = pattern.flags;
    let options =
        Options { ignore_case: flags.ignore_case, multi_line: flags.multi_line, extended: flags.extended };
    Regexp::with_options(&pattern.source, options).ok()?.is_match(text).ok()
}
