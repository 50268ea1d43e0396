//! `annotate`.

use std::sync::Arc;

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Value};

use super::{Body, Builtin, Call, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `annotate`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "annotate",
    doc: "The annotation of a type: `annotate(Nick, Car)` is the `Nick` that the definition of `Car` contains under \
          `annotations`, or `undef`.\n\n\
          marotte does not store annotations of values: to create one is an error.",
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Type[Annotation] $type, Any $value, Any $annotations = undef",
        block: Some("Optional[Callable[0, 0]]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Type(it) = call.take(0) else { return Ok(Value::Undef) };
    let declared = declared(call.argument(1), &it.to_string());
    let given = call.arguments.get(2).filter(|it| **it != Value::Undef);
    match (declared, given) {
        (Some(_), Some(given)) => {
            let action = if given.as_str() == Some("clear") { "clear" } else { "redefine" };
            let owner = call.argument(1);
            let owner = if let Value::Type(owner) = owner { owner.to_string() } else { String::new() };
            call.fail(format!("attempt to {action} {it} annotation declared on {owner}"))
        }
        (Some(content), None) => call.interpreter.new_value(&it, &[Value::Hash(content)]),
        (None, None) if call.block.is_none() => Ok(Value::Undef),
        (None, _) => call.fail("annotations of values are not kept"),
    }
}

/// The annotation of the given type name in a type's definition.
fn declared(value: &Value, name: &str) -> Option<Arc<Hash>> {
    let Value::Type(it) = value else { return None };
    let annotations = match it.resolved().kind() {
        TypeKind::Object(Some(object)) => object.annotations.as_ref()?,
        TypeKind::TypeSet(Some(set)) => set.annotations.as_ref()?,
        _ => return None,
    };
    annotations.iter().find_map(|(key, content)| match (key, content) {
        (Value::Type(key), Value::Hash(content)) if key.to_string() == name => Some(Arc::clone(content)),
        _ => None,
    })
}
