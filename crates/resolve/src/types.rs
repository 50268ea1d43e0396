//! Resolution of type names (D1, C25, C28).

use marotte_db::{Db, Environment, File};
use marotte_hir::body::Expr;
use marotte_hir::{Item, ItemKind, NameKind};
use marotte_pcore::create::named;
use marotte_pcore::dialect::Dialect;
use marotte_text::{is_qualified, normalized, split_namespace};

use crate::manifests::is_manifest;
use crate::names::{Lookup, known, lacks_modules, look_up};
use crate::resource_types::{ResourceTypeName, resource_type};
use crate::ruby::{RubyFile, RubyKind, is_in_ruby, is_mentioned, ruby_definition};

/// The result of resolving a type name.
#[derive(Clone, Copy, Debug)]
pub enum TypeName<'db> {
    /// A type of the language itself.
    Builtin,
    /// An alias, an object type or a set of types, written in Puppet.
    Alias(Item<'db>),
    /// The resource references of a resource type.
    Resource(ResourceTypeName<'db>),
    /// A type written in Ruby.
    Ruby(RubyFile),
    /// No such type exists.
    Missing,
    /// The type may be defined in a place that isn't available.
    Unknown,
}

/// Resolves a type name, as seen from a file.
pub fn type_name<'db>(db: &'db dyn Db, from: File, environment: Environment, name: &str) -> TypeName<'db> {
    let lower = normalized(name);
    if named(Dialect::puppet8(), name).is_some() {
        let own = || own_error(db, from, environment).map(TypeName::Alias);
        return (lower == "error").then(own).flatten().unwrap_or(TypeName::Builtin);
    }
    // The reference defines the name, but no resource type for it.
    if lower == "node" || lower.starts_with("pcore::") {
        return TypeName::Builtin;
    }
    let alias = look_up(db, from, NameKind::TypeAlias, &lower);
    if let Lookup::Found(item) = alias
        && !is_in_ruby(db, environment, RubyKind::DataType, &lower)
    {
        return TypeName::Alias(item);
    }
    if let Some(file) = ruby_definition(db, environment, RubyKind::DataType, lower.as_str().into()) {
        return TypeName::Ruby(file);
    }
    let resource = resource_type(db, from, environment, &lower);
    match resource {
        ResourceTypeName::Missing => {}
        ResourceTypeName::Unknown => return TypeName::Unknown,
        found => return TypeName::Resource(found),
    }
    let is_global = !is_qualified(&lower);
    let is_unknown = alias == Lookup::Unknown
        || is_global && lacks_modules(db, from, environment)
        || is_member(db, from, &lower)
        || is_mentioned(db, environment, RubyKind::DataType, name.into());
    if is_unknown { TypeName::Unknown } else { TypeName::Missing }
}

/// The alias `Error` of a main manifest. The reference reads this manifest before the type `Error`, unlike the other types of the
/// language, whose names no alias can have.
pub fn own_error<'db>(db: &'db dyn Db, from: File, environment: Environment) -> Option<Item<'db>> {
    known(db, from, NameKind::TypeAlias, "error").filter(|it| is_manifest(db, environment, it.file(db)))
}

/// Whether a name may be that of a member of a type set.
fn is_member(db: &dyn Db, from: File, name: &str) -> bool {
    let mut outer = name;
    let mut outer_names = std::iter::from_fn(|| {
        outer = split_namespace(outer)?.0;
        Some(outer)
    });
    outer_names.any(|it| match look_up(db, from, NameKind::TypeAlias, it) {
        Lookup::Found(item) => makes_type(db, item),
        Lookup::Missing => false,
        Lookup::Unknown => true,
    })
}

/// Whether an item creates an object type or a type set: names in it resolve differently.
pub fn makes_type(db: &dyn Db, item: Item<'_>) -> bool {
    let body = item.body(db);
    let is_made = |expr: &Expr| match expr {
        Expr::Hash(_) | Expr::ResourceDefaults(..) => true,
        Expr::Access { target, .. } => {
            matches!(body.expr(*target), Expr::Reference(it) if it == "Object" || it == "TypeSet")
        }
        _ => false,
    };
    let makes = || body.statements.first().is_some_and(|it| is_made(body.expr(*it)));
    match item.kind(db) {
        ItemKind::TypeMapping => true,
        ItemKind::TypeAlias => makes(),
        _ => false,
    }
}
