//! Names of types (X1–X3, X25, X26, X45, X51, X62, X63).

use foldhash::HashSet;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::create::named;
use marotte_pcore::dialect::Dialect;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_text::{Str, normalized};

use super::{Dialects, Replacement, report, source};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    let body = context.body;
    let mut with_parameters: HashSet<ExprId> = HashSet::default();
    for (_, expr) in body.exprs() {
        if let Expr::Access { target, .. } = expr {
            with_parameters.insert(*target);
        }
    }
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Reference(name) if with_parameters.contains(&id) => {}
            Expr::Reference(name) => bare(context, dialects, id, name),
            Expr::Access { target, keys } => {
                if let Expr::Reference(name) = body.expr(*target) {
                    specialized(context, dialects, id, (*target, name), keys);
                }
            }
            _ => {}
        }
    }
}

/// Checks a name without parameters.
fn bare(context: &mut Context<'_, '_>, dialects: Dialects, id: ExprId, name: &Str) {
    let Dialects { written, today } = dialects;
    if renamed(context, dialects, id, name) {
        return;
    }
    if platform(dialects, name) {
        let message = format!("`{name}` is not a type in Puppet 8: `Runtime` is for all platforms");
        report(context, At::Expr(id), message, Some(Replacement::wider(id, "Runtime")));
        return;
    }
    // The accepted values before and now, which of them changed, and an equivalent type in the current dialect.
    let (before, now, all, none, replacement) = match normalized(name).as_str() {
        "enum" => (
            written.enum_without_parameters,
            today.enum_without_parameters,
            "all strings",
            "none",
            Some(Replacement::safe(id, "String")),
        ),
        "struct" => (
            written.struct_without_parameters,
            today.struct_without_parameters,
            "all hashes",
            "only the empty one",
            Some(Replacement::safe(id, "Hash")),
        ),
        "pattern" => (
            written.pattern_without_parameters,
            today.pattern_without_parameters,
            "all strings",
            "nothing",
            None,
        ),
        "optional" => (
            written.optional_without_parameters,
            today.optional_without_parameters,
            "`undef`",
            "nothing",
            None,
        ),
        _ => return,
    };
    let (before, now, replacement) = match (before.accepts_all(), now.accepts_all()) {
        (true, false) => (all, none, replacement),
        (false, true) => (none, all, None),
        _ => return,
    };
    let message = format!("`{name}` without parameters accepted {before}; in Puppet 8 it accepts {now}");
    report(context, At::Expr(id), message, replacement);
}

/// Checks `name[keys]`.
fn specialized(
    context: &mut Context<'_, '_>,
    dialects: Dialects,
    id: ExprId,
    (target, name): (ExprId, &Str),
    keys: &[ExprId],
) {
    if renamed(context, dialects, target, name) {
        return;
    }
    if platform(dialects, name) {
        let keys: Vec<String> = keys.iter().map(|it| source(context, *it)).collect();
        let platform = normalized(name);
        let text = format!("Runtime['{platform}', {}]", keys.join(", "));
        let message = format!("`{name}[…]` is not a type in Puppet 8");
        // Types of platforms take a single name.
        let fix = (keys.len() == 1).then(|| Replacement::safe(id, text));
        report(context, At::Expr(target), message, fix);
        return;
    }
    if !exists(dialects.written, name) && exists(dialects.today, name) {
        resources(context, dialects, id, (target, name), keys);
        return;
    }
    if normalized(name) == "class"
        && dialects.written.class_of_resource_type
        && !dialects.today.class_of_resource_type
    {
        for key in keys {
            if let Expr::Reference(class) = context.body.expr(*key) {
                let class = normalized(class);
                let message = format!("a class is not named by a type in Puppet 8: `Class['{class}']`");
                report(context, At::Expr(*key), message, Some(Replacement::safe(*key, format!("'{class}'"))));
            }
        }
    }
}

/// A former resource type name that is now a built-in type.
fn resources(
    context: &mut Context<'_, '_>,
    dialects: Dialects,
    id: ExprId,
    (target, name): (ExprId, &Str),
    keys: &[ExprId],
) {
    let found = context.resource_type(name);
    if !matches!(found, ResourceTypeName::Define(_) | ResourceTypeName::Plugin(_)) {
        return;
    }
    let keys: Vec<String> = keys.iter().map(|it| source(context, *it)).collect();
    let text = format!("Resource['{}', {}]", normalized(name), keys.join(", "));
    let message = format!(
        "`{name}` is a type of the language in Puppet 8; in {} it is the resource type of this name",
        dialects.written.name
    );
    report(context, At::Expr(target), message, Some(Replacement::safe(id, text)));
}

/// Reports a name that was renamed.
fn renamed(context: &mut Context<'_, '_>, dialects: Dialects, at: ExprId, name: &Str) -> bool {
    let Dialects { written, today } = dialects;
    let names = [
        (written.type_names.any, today.type_names.any),
        (written.type_names.scalar, today.type_names.scalar),
    ];
    let is_it = |before: &str| normalized(name) == before.to_lowercase();
    let Some((before, now)) = names.into_iter().find(|(before, now)| before != now && is_it(before)) else {
        return false;
    };
    let message = match named(today, before) {
        Some(_) => format!("`{before}` is another type in Puppet 8; what it was is called `{now}`"),
        None => format!("`{before}` is called `{now}` in Puppet 8"),
    };
    report(context, At::Expr(at), message, Some(Replacement::safe(at, now)));
    true
}

/// Whether a name is that of the types of a platform.
fn platform(dialects: Dialects, name: &str) -> bool {
    let is_it = |it: Option<&str>| it.is_some_and(|it| it.to_lowercase() == normalized(name));
    is_it(dialects.written.type_names.platform) && !is_it(dialects.today.type_names.platform)
}

fn exists(dialect: &Dialect, name: &str) -> bool {
    named(dialect, name).is_some()
}
