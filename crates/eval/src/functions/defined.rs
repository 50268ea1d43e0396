use marotte_text::{split_namespace, unrooted};

use marotte_catalog::Reference;
use marotte_pcore::types::{ResourceType, Type, TypeKind};
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Effects, Names, Overload, ResultType};
use crate::interpreter::{Evaluated, Truth};

/// `defined`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "defined",
    doc: "Whether something is defined: a variable (`defined('$x')`), a resource type or class (`defined('file')`, \
          `defined(File)`), or something in the catalog (`defined(File['/tmp'])`). With several arguments, it is enough if \
          one of them is.\n\n\
          Whether a variable, or something in the catalog, is defined depends on the order of evaluation.",
    effects: Effects::Scope,
    names: Some(Names::Definitions),
    result: ResultType::Is("Boolean"),
    overloads: &[Overload {
        parameters: "Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] $vals, \
                     Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$more",
        block: None,
        returns: None,
        body: Body::Run(defined),
    }],
    ..Builtin::base()
};

fn defined(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let mut any = Truth::Known(false);
    for value in std::mem::take(&mut call.arguments) {
        let known = match &value {
            Value::String(name) => is_name_known(call, name)?,
            Value::Type(it) => is_type_known(call, it)?,
            _ => Truth::Known(false),
        };
        if let Truth::Known(true) = known {
            return Ok(Value::Boolean(true));
        }
        any = any.or(known);
    }
    Ok(any.into_value())
}

fn is_name_known(call: &mut Call<'_, '_, '_>, name: &str) -> Evaluated<Truth> {
    match name.strip_prefix('$').filter(|it| !it.is_empty()) {
        Some(variable) => {
            let it = &*call.interpreter;
            let built_in =
                it.catalog.is_some() && matches!(unrooted(variable), "module_name" | "caller_module_name");
            if built_in {
                return Ok(Truth::Known(true));
            }
            let found = it.find_variable_or_unknown(call.env, variable);
            Ok(match found {
                Some(Value::Unknown(by)) if it.is_variable_doubtful(call.env, variable) => Truth::Unknown(by),
                Some(_) => Truth::Known(true),
                None => match split_namespace(unrooted(variable)) {
                    Some((class, name)) => it.is_seen_by_class(class, name),
                    None => Truth::Known(false),
                },
            })
        }
        None if name.is_empty() => Ok(Truth::Known(false)),
        // The class of the main manifest always exists.
        None => Ok(Truth::Known(name == "main" || is_definition(call, name)?)),
    }
}

fn is_type_known(call: &mut Call<'_, '_, '_>, it: &Type) -> Evaluated<Truth> {
    let all_types = "The given resource type is a reference to all kind of types";
    let all_classes = "The given class type is a reference to all classes";
    match it.resolved().kind() {
        TypeKind::Resource(ResourceType { type_name: None, .. }) => call.fail(all_types),
        TypeKind::Resource(ResourceType { type_name: Some(name), title: None, .. }) => {
            Ok(Truth::Known(is_definition(call, name)?))
        }
        TypeKind::Class(None) => call.fail(all_classes),
        TypeKind::Type(Some(inner)) => match inner.resolved().kind() {
            TypeKind::Class(Some(name)) => Ok(Truth::Known(is_definition(call, name)?)),
            _ => is_type_known(call, inner),
        },
        // Without a catalog, no resource exists.
        _ if call.interpreter.catalog.is_none() => Ok(Truth::Known(false)),
        _ => match Reference::of_value(&Value::Type(it.clone())) {
            Some(reference) if call.interpreter.find_resource(&reference)?.is_none() => {
                let by = call.interpreter.may_exist(&reference);
                Ok(by.map_or(Truth::Known(false), Truth::Unknown))
            }
            it => Ok(Truth::Known(it.is_some())),
        },
    }
}

fn is_definition(call: &mut Call<'_, '_, '_>, name: &str) -> Evaluated<bool> {
    call.interpreter.is_definition(&name.to_lowercase())
}
