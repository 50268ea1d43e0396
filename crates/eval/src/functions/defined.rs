use marotte_text::unrooted;
use std::sync::OnceLock;

use marotte_catalog::Reference;
use marotte_pcore::types::{ResourceType, Type, TypeKind};
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `defined`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "defined",
    doc: "Whether something is known: a variable (`defined('$x')`), a resource type or class (`defined('file')`, `defined(File)`), or \
          something in the catalog (`defined(File['/tmp'])`). Of several arguments, one is enough.\n\n\
          Whether a variable, or something in the catalog, is known depends on what was evaluated before.",
    reach: Reach::Scope,
    types: "",
    overloads: &[Overload {
        parameters: "Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] $vals, \
                     Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$more",
        block: None,
        returns: None,
        body: Body::Run(defined),
    }],
    compiled: OnceLock::new(),
};

fn defined(call: &mut Call<'_, '_, '_>) -> Evaluated {
    for value in std::mem::take(&mut call.arguments) {
        let known = match &value {
            Value::String(name) => is_name_known(call, name)?,
            Value::Type(it) => is_type_known(call, it)?,
            _ => false,
        };
        if known {
            return Ok(Value::Boolean(true));
        }
    }
    // What a body that ended early would have declared may be meant.
    match call.interpreter.incomplete() {
        Some(by) => Ok(Value::Unknown(by)),
        None => Ok(Value::Boolean(false)),
    }
}

fn is_name_known(call: &mut Call<'_, '_, '_>, name: &str) -> Evaluated<bool> {
    match name.strip_prefix('$').filter(|it| !it.is_empty()) {
        Some(variable) => {
            let built_in = call.interpreter.catalog.is_some()
                && matches!(unrooted(variable), "module_name" | "caller_module_name");
            Ok(built_in || call.interpreter.find_variable(call.env, variable).is_some())
        }
        None if name.is_empty() => Ok(false),
        // The class of the main manifest is always there.
        None => Ok(name == "main" || is_definition(call, name)?),
    }
}

fn is_type_known(call: &mut Call<'_, '_, '_>, it: &Type) -> Evaluated<bool> {
    let all_types = "The given resource type is a reference to all kind of types";
    let all_classes = "The given class type is a reference to all classes";
    match it.resolved().kind() {
        TypeKind::Resource(ResourceType { type_name: None, .. }) => call.fail(all_types),
        TypeKind::Resource(ResourceType { type_name: Some(name), title: None }) => is_definition(call, name),
        TypeKind::Class(None) => call.fail(all_classes),
        TypeKind::Type(Some(inner)) => match inner.resolved().kind() {
            TypeKind::Class(Some(name)) => is_definition(call, name),
            _ => is_type_known(call, inner),
        },
        // Without a catalog, there is nothing that is not there.
        _ if call.interpreter.catalog.is_none() => Ok(false),
        _ => match Reference::of_value(&Value::Type(it.clone())) {
            Some(reference) => Ok(call.interpreter.find_resource(&reference)?.is_some()),
            None => Ok(false),
        },
    }
}

fn is_definition(call: &mut Call<'_, '_, '_>, name: &str) -> Evaluated<bool> {
    call.interpreter.is_definition(&name.to_lowercase())
}
