//! `sensitive-leak`: a secret is unwrapped from `Sensitive` and put where everybody can read it, or is lost on the way.
//!
//! Logs and strings show a `Sensitive` value as `Sensitive [value redacted]`: in a log that is intended, in a string that
//! something reads it is a bug. Attributes of resources in Ruby accept `Sensitive` values, and so do templates, whose result
//! then is `Sensitive`, too.

use marotte_diagnostics::{Level, Related, rules};
use std::cell::LazyCell;

use foldhash::HashSet;
use marotte_eval::functions::Builtin;
use marotte_hir::body::{AttributeName, Body, Expr, Resource, Segment, Variable};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::declared::declared;
use marotte_infer::disjoint::disjoint;
use marotte_infer::literal::type_name;
use marotte_pcore::types::Type;
use marotte_resolve::call::NamedCall;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_text::unrooted;

use crate::context::{At, Context};
use crate::data::encrypted::encrypted_at;
use crate::secrets::{Secrets, is_sensitive, may_be_sensitive};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let secrets = Secrets::new(body, context.inference());
    let inference = context.inference();
    let sometimes = LazyCell::new(|| Secrets::on_any_branch(body, inference));
    let is_sometimes_clear = |id: ExprId| secrets.unwraps && sometimes.is_clear(id);
    let mut logged: HashSet<ExprId> = HashSet::default();
    let mut texts: Vec<ExprId> = Vec::new();
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) => resource(context, &secrets, it),
            Expr::Interpolated(_) => texts.push(id),
            Expr::Render(block) => {
                if let Some(last) = block.last()
                    && secrets.is_clear(*last)
                    && context.item.kind(context.db) == ItemKind::Template
                {
                    let message = "the template's text has the secret in plain text";
                    leak(context, *last, message, "render the value as it is: the text then is `Sensitive`");
                }
            }
            _ => {
                let Some(call) = NamedCall::of(expr) else { continue };
                if !call.builtin().is_some_and(Builtin::shows_arguments) {
                    continue;
                }
                for argument in call.arguments() {
                    logged.insert(argument);
                    if secrets.is_clear(argument) || is_sometimes_clear(argument) {
                        let message = format!("`{}` shows the secret in plain text", call.plain_name());
                        leak(context, argument, &message, "log the value as it is: it is shown as redacted");
                    }
                }
            }
        }
    }
    for id in texts.into_iter().filter(|it| !logged.contains(it)) {
        redacted(context, id);
    }
    encrypted_parameters(context, &secrets);
}

/// Reports parameters that are encrypted in data, and in plain text once the class has them.
fn encrypted_parameters(context: &mut Context<'_, '_>, unwrapped: &Secrets<'_>) {
    let (db, item, body) = (context.db, context.item, context.body);
    if item.kind(db) != ItemKind::Class {
        return;
    }
    let any = Type::sensitive(&Type::any());
    let class = unrooted(item.name(db));
    let types = &declared(db, item).parameters;
    for (parameter, declared) in body.parameters.iter().zip(types) {
        // If the type allows it, the code that declares the class may wrap the value in `Sensitive`.
        let is_plain = |it: &Type| disjoint(&any, it) && !disjoint(&Type::string(), it);
        if !declared.as_ref().is_some_and(is_plain) {
            continue;
        }
        let key = format!("{class}::{}", parameter.name);
        let Some((file, range)) = encrypted_at(db, context.environment, key.as_str().into()) else {
            continue;
        };
        let secrets = Secrets::with(body, context.inference(), Some(&parameter.name));
        for (at, what) in shown(body) {
            if !secrets.is_clear(at) || unwrapped.is_clear(at) || context.inference().is_unreachable(at) {
                continue;
            }
            let message = format!("{what} `${}` in plain text, which is encrypted in data", parameter.name);
            let finding = context.report(rules::SENSITIVE_LEAK, At::Expr(at), message);
            finding.label = Some("decrypted".to_owned());
            let message = "it is encrypted here".to_owned();
            finding.related.push(Related { file: file.id(db), range, message });
            finding.notes.push(format!(
                "make it `Sensitive`: with such a type of the parameter, and `convert_to: Sensitive` for `{key}` in `lookup_options`"
            ));
        }
    }
}

/// Expressions that everybody can read: titles, and logged values.
fn shown(body: &Body) -> Vec<(ExprId, String)> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs() {
        if let Expr::Resource(it) = expr {
            found.extend(it.bodies.iter().map(|it| (it.title, "the title has".to_owned())));
        } else if let Some(call) = NamedCall::of(expr)
            && call.builtin().is_some_and(Builtin::shows_arguments)
        {
            found.extend(call.arguments().map(|it| (it, format!("`{}` shows", call.plain_name()))));
        }
    }
    found
}

fn resource(context: &mut Context<'_, '_>, secrets: &Secrets<'_>, resource: &Resource) {
    let body = context.body;
    let name = type_name(body, resource);
    let is_native = name.as_deref().is_some_and(|name| {
        let found = context.resource_type(name);
        matches!(found, ResourceTypeName::Core(_) | ResourceTypeName::Plugin(_))
    });
    for part in &resource.bodies {
        if context.inference().type_of(part.title).is_some_and(is_sensitive) {
            let message = "a title is a string, and this is `Sensitive`";
            leak(
                context,
                part.title,
                message,
                "titles are for everybody to read: choose one without the secret",
            );
            if let Some(finding) = context.last() {
                finding.level = Level::Error;
                finding.label = Some("`Sensitive`".to_owned());
            }
        } else if secrets.is_clear(part.title) {
            let message = "the title has the secret in plain text";
            leak(
                context,
                part.title,
                message,
                "titles are for everybody to read: choose one without the secret",
            );
        }
        for attribute in &part.attributes {
            if let AttributeName::Name(name) = &attribute.name
                && is_native
                && secrets.is_clear(attribute.value)
            {
                let message = format!("the catalog has the secret in plain text, as the value of `{name}`");
                leak(context, attribute.value, &message, "make the whole value `Sensitive`: `Sensitive(…)`");
            }
        }
    }
}

fn leak(context: &mut Context<'_, '_>, at: ExprId, message: &str, note: &str) {
    if context.inference().is_unreachable(at) {
        return;
    }
    let finding = context.report(rules::SENSITIVE_LEAK, At::Expr(at), message);
    finding.label = Some("unwrapped".to_owned());
    finding.notes.push(note.to_owned());
}

/// Whether an expression is a parameter of the body, whose type somebody has written down.
fn is_parameter(body: &Body, id: ExprId) -> bool {
    let Expr::Variable(variable) = body.expr(id) else { return false };
    let Variable::Local { name, .. } = &**variable else { return false };
    body.parameters.iter().any(|it| it.name == *name && it.type_expr.is_some())
}

/// Reports a string that something reads, and that contains a `Sensitive` value.
fn redacted(context: &mut Context<'_, '_>, text: ExprId) {
    let Expr::Interpolated(segments) = context.body.expr(text) else { return };
    for segment in segments {
        let Segment::Expr(id) = segment else { continue };
        let Some(found) = context.inference().type_of(*id) else { continue };
        let message = if is_sensitive(found) {
            "the text has `Sensitive [value redacted]` here, and not the value"
        } else if may_be_sensitive(found) && is_parameter(context.body, *id) {
            "the text has `Sensitive [value redacted]` here if the value is `Sensitive`, which its type allows"
        } else {
            continue;
        };
        let finding = context.report(rules::SENSITIVE_LEAK, At::Expr(*id), message);
        finding.label =
            Some(if is_sensitive(found) { "`Sensitive`" } else { "may be `Sensitive`" }.to_owned());
        finding.notes.push(
            "unwrap the value, and make what is made of it `Sensitive` again: `Sensitive(\"…${it.unwrap}…\")`"
                .to_owned(),
        );
    }
}
