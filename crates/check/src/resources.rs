//! Resource expressions, and what of them is certain.

use marotte_hir::body::{Attribute, AttributeName, Resource};
use marotte_hir::{ExprId, Item, NameKind};
use marotte_text::Str;

use crate::context::Context;
use crate::literal::{strings, type_name};
use crate::names::{Lookup, look_up};

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
        let (titles, _) = strings(context.body, title);
        // Several classes with the same attributes: nobody does that.
        let [(_, title)] = titles[..] else { return None };
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
