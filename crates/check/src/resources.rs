//! Resource expressions, and what of them is certain.

use marotte_hir::body::{Attribute, AttributeName, Expr, Resource};
use marotte_hir::{Body, ExprId, Item, NameKind};
use marotte_text::Str;

use crate::context::Context;
use crate::names::{Lookup, look_up};

/// The name of the type of a resource expression, in lower case, if it is literal.
pub(crate) fn type_name(body: &Body, resource: &Resource) -> Option<Str> {
    match body.expr(resource.type_name) {
        Expr::String(name) | Expr::Reference(name) => {
            Some(name.trim_start_matches("::").to_lowercase().into())
        }
        _ => None,
    }
}

/// The names of classes or the titles that an expression denotes, with the expressions that say so. Whether these are
/// all of them.
pub(crate) fn literal_strings(body: &Body, id: ExprId) -> (Vec<(Str, ExprId)>, bool) {
    match body.expr(id) {
        Expr::String(text) => (vec![(text.clone(), id)], true),
        Expr::Array(elements) => {
            let mut found = Vec::new();
            let mut all = true;
            for element in elements {
                let (inner, complete) = literal_strings(body, *element);
                found.extend(inner);
                all &= complete;
            }
            (found, all)
        }
        _ => (Vec::new(), false),
    }
}

/// What a resource expression declares, if it is written in Puppet: one definition for each body. For `class { … }` these
/// are the classes that its titles name.
pub(crate) fn definitions<'db>(
    context: &Context<'db, '_>,
    resource: &Resource,
    title: ExprId,
) -> Option<Item<'db>> {
    let name = type_name(context.body, resource)?;
    let found = |kind, name: &str| match look_up(context.db, context.file, context.environment, kind, name) {
        Lookup::Found(item) => Some(item),
        Lookup::Missing | Lookup::Unknown => None,
    };
    if name == "class" {
        let (titles, _) = literal_strings(context.body, title);
        // Several classes with the same attributes: nobody does that.
        let [(title, _)] = &titles[..] else { return None };
        return found(NameKind::Class, title);
    }
    // Resource types in Ruby come first (C31).
    if marotte_ruby::core::resource_type(&name).is_some() {
        return None;
    }
    found(NameKind::Define, &name)
}

/// Attributes by name. Those that `*` unfolds are not among them.
pub(crate) fn named(attributes: &[Attribute]) -> impl Iterator<Item = (&Str, &Attribute)> {
    attributes.iter().filter_map(|it| match &it.name {
        AttributeName::Name(name) => Some((name, it)),
        AttributeName::Unfold => None,
    })
}
