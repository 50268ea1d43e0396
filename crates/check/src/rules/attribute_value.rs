//! `attribute-value`: an attribute is given a literal value that its resource type does not accept.

use marotte_hir::body::{AttributeName, Expr, Resource, ResourceBody};
use marotte_hir::{ExprId, altered};
use marotte_pcore::infer::generalize;
use marotte_pcore::regexp::{Options, Regexp};
use marotte_ruby::core;
use marotte_ruby::resource_type::{Attribute, AttributeKind, ResourceType, Values};

use super::attribute_form::Form;
use super::mismatch::value_of;
use crate::context::{At, Context};
use crate::literal::type_name;
use crate::names::slip;
use crate::resource_types::{described, is_universal, resource_type};

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
        if let Expr::Resource(it) = expr {
            titles(context, it, resource_type);
        }
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
            let form = Form::of(&resource_type.name, attribute);
            if let Some(form) = form.filter(|it| *it != Form::Listed) {
                formed(context, it.value, form, &of);
            } else if !declared.validated || form.is_some() {
                value(context, it.value, declared, &of);
            }
        }
    }
}

/// The titles of files are their paths, unless they are given others, under either name of the attribute, or all at once.
fn titles(context: &mut Context<'_, '_>, given: &Resource, resource_type: &ResourceType) {
    if resource_type.name != "file" {
        return;
    }
    let body = context.body;
    let has_path = |it: &ResourceBody| {
        it.attributes.iter().any(|it| match &it.name {
            AttributeName::Unfold => true,
            // What is no attribute may have been meant to be it.
            AttributeName::Name(name) => {
                matches!(name.as_str(), "path" | "name")
                    || resource_type.attribute(name).is_none() && !is_universal(name)
            }
        })
    };
    let is_for_all = |it: &ResourceBody| matches!(body.expr(it.title), Expr::Default);
    if given.bodies.iter().any(|it| is_for_all(it) && has_path(it)) {
        return;
    }
    for it in given.bodies.iter().filter(|it| !has_path(it)) {
        formed(context, it.title, Form::Path, "the title, which is the path of the file,");
    }
}

/// A value of an attribute that has a form.
fn formed(context: &mut Context<'_, '_>, id: ExprId, form: Form, of: &str) {
    let of_elements = form == Form::Path;
    if let Expr::Array(elements) = context.body.expr(id)
        && of_elements
    {
        elements.iter().for_each(|it| formed(context, *it, form, of));
        return;
    }
    let Some(it) = context.inference.type_of(id) else { return };
    let Some(why) = form.refuses(it) else { return };
    let given = match context.body.expr(id) {
        Expr::String(text) => format!("`{text}`"),
        _ => value_of(&generalize(it)),
    };
    let finding = context.report("attribute-value", At::Expr(id), format!("{of} does not accept {given}"));
    finding.label = Some("not accepted".to_owned());
    finding.notes.push(why.to_owned());
}

fn value(context: &mut Context<'_, '_>, id: ExprId, declared: &Attribute, of: &str) {
    let Values::Listed { words, patterns } = &declared.values else { return };
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
    if is_word {
        return;
    }
    let words = words.iter().flat_map(|it| std::iter::once(&it.name).chain(&it.aliases));
    if patterns.iter().any(|it| matches(it, &text).unwrap_or(true)) {
        // What takes any text takes a misspelled word, too.
        if let Some(meant) = slip(&text, words.map(|it| it.as_str())) {
            let finding =
                context.report("attribute-value", At::Expr(id), format!("{of} has no value `{text}`"));
            finding.label = Some(format!("did you mean `{meant}`?"));
        }
        return;
    }
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
