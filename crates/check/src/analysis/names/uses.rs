//! The definitions that an item uses.

use marotte_db::{File, module_file};
use marotte_hir::body::Expr;
use marotte_hir::{Item, NameKind};
use marotte_infer::literal::type_name;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::names::{known, module_of};
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::types::{TypeName, type_name as type_of_name};
use marotte_text::{Str, normalized};

use crate::analysis::names::classes::named_classes;
use crate::context::{At, Context};

/// A use of a definition by name.
pub(crate) struct Use<'db> {
    /// The place of the name.
    pub(crate) at: At,
    /// The definition that the name refers to.
    pub(crate) of: Used<'db>,
}

/// A definition that is used.
#[derive(Clone, Copy)]
pub(crate) enum Used<'db> {
    /// An item written in Puppet.
    Item(Item<'db>),
    /// A definition in a Ruby file.
    Ruby(File),
}

impl Used<'_> {
    /// The module that the definition belongs to, if it is another one than `own`.
    pub(crate) fn other_module(&self, db: &dyn marotte_db::Db, own: Option<&Str>) -> Option<Str> {
        let file = match self {
            // A definition with the module's name as prefix is only found in that module.
            Used::Item(item) if own.is_some_and(|own| module_of(&normalized(item.name(db))) == &**own) => {
                return None;
            }
            Used::Item(item) => item.file(db),
            Used::Ruby(file) => *file,
        };
        module_file(db, file).map(|it| it.module.clone()).filter(|it| Some(it) != own)
    }
}

/// The classes, resource types, functions and types that an item uses, as far as they are literal and known.
pub(crate) fn uses<'db>(context: &Context<'db, '_>) -> Vec<Use<'db>> {
    let (db, from, environment, body) = (context.db, context.file, context.environment, context.body);
    let mut found = Vec::new();
    for (at, name) in named_classes(context) {
        if let Some(item) = known(db, from, NameKind::Class, &name) {
            found.push(Use { at, of: Used::Item(item) });
        }
    }
    let resource = |found: ResourceTypeName<'db>| match found {
        ResourceTypeName::Define(item) => Some(Used::Item(item)),
        ResourceTypeName::Plugin(it) => Some(Used::Ruby(it.file)),
        ResourceTypeName::Core(_)
        | ResourceTypeName::Agent(_)
        | ResourceTypeName::Opaque
        | ResourceTypeName::Missing
        | ResourceTypeName::Unknown => None,
    };
    for (id, expr) in body.exprs() {
        let (at, of) = match expr {
            Expr::Resource(it) => {
                let Some(name) = type_name(body, it) else { continue };
                (At::Expr(it.type_name), resource(context.resource_type(&name)))
            }
            Expr::Reference(name) => {
                let of = match type_of_name(db, from, environment, name) {
                    TypeName::Alias(item) => Some(Used::Item(item)),
                    TypeName::Resource(it) => resource(it),
                    TypeName::Ruby(it) => Some(Used::Ruby(it.file)),
                    TypeName::Builtin | TypeName::Missing | TypeName::Unknown => None,
                };
                (At::Expr(id), of)
            }
            _ => {
                let Some(call) = NamedCall::of(expr) else { continue };
                let of = match context.function(call.name) {
                    Function::Puppet(item) => Some(Used::Item(item)),
                    Function::Ruby(it) => Some(Used::Ruby(it.file)),
                    Function::Builtin(_) | Function::Missing | Function::Unknown => None,
                };
                (At::Callee(id), of)
            }
        };
        found.extend(of.map(|of| Use { at, of }));
    }
    found
}
