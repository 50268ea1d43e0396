//! `unresolved-type`: a capitalised name is neither that of a type nor that of a resource type.

use marotte_diagnostics::Level;
use marotte_hir::body::Expr;
use marotte_hir::{ItemKind, NameKind};

use crate::context::{At, Context};
use crate::names::{Lookup, absent_module, look_up, nearest, nearest_definition};
use crate::resource_types::nearest_resource_type;
use crate::types::{TypeName, makes_type, type_name};

/// Types that are written often, for suggestions.
const COMMON: [&str; 24] = [
    "Any",
    "Array",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Float",
    "Hash",
    "Integer",
    "NotUndef",
    "Numeric",
    "Optional",
    "Pattern",
    "Regexp",
    "Scalar",
    "Sensitive",
    "String",
    "Struct",
    "Variant",
];

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    // What runs plans brings types of its own, and sets of types name their members.
    if context.item.kind(db) == ItemKind::Plan || makes_type(db, context.item) {
        return;
    }
    for (id, expr) in context.body.exprs() {
        let Expr::Reference(name) = expr else { continue };
        if !matches!(type_name(db, context.file, environment, name), TypeName::Missing) {
            continue;
        }
        let mut related = None;
        let mut note = None;
        let meant = |name: &str| format!("did you mean `{name}`?");
        if let Lookup::Found(item) = look_up(db, context.file, environment, NameKind::Class, name) {
            let text = format!("this is a class: its reference is `Class['{}']`", item.name(db));
            related = Some(context.defined(item, text));
        } else if let Some(item) = nearest_definition(db, environment, NameKind::TypeAlias, name) {
            related = Some(context.defined(item, meant(item.name(db))));
        } else if let Some(common) = nearest(name, COMMON) {
            note = Some(meant(common));
        } else if let Some((name, item)) = nearest_resource_type(db, environment, name) {
            let meant = meant(&marotte_pcore::print::capitalize_segments(&name));
            match item {
                Some(item) => related = Some(context.defined(item, meant)),
                None => note = Some(meant),
            }
        }
        let absent = absent_module(db, environment, name);
        let message = format!("there is no type and no resource type `{name}`");
        let finding = context.report("unresolved-type", At::Expr(id), message);
        finding.label = Some("not found".to_owned());
        if let Some(module) = absent {
            finding.level = Level::Warning;
            finding.notes.push(format!("there is no module `{module}` here"));
        }
        finding.related.extend(related);
        finding.notes.extend(note);
    }
}
