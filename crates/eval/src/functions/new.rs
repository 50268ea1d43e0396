use marotte_pcore::relation::instance_of;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `new`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "new",
    doc: "Creates a value of a type: `Integer.new('42')`, or, shorter, `Integer('42')`.\n\n\
          A single argument that already is an instance of the type is returned unchanged. If there is a lambda, it is called \
          with the new value.",
    unknowns: Unknowns::ByFirst(|first| match first {
        Value::Type(it) if matches!(it.resolved().kind(), TypeKind::Sensitive(_) | TypeKind::Object(_)) => {
            Unknowns::Anything
        }
        _ => Unknowns::Nothing,
    }),
    overloads: &[Overload {
        parameters: "Type $type, Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Type(it) = call.take(0) else { return Ok(Value::Undef) };
    let mut arguments = call.arguments.split_off(1);
    let makes = match it.resolved().kind() {
        TypeKind::Init { .. } => true,
        TypeKind::Optional(Some(_)) => {
            !call.dialect().optional_makes_undef && matches!(arguments[..], [Value::Undef])
        }
        _ => false,
    };
    // It is `Sensitive` in any case; if the value already is, it is not wrapped again.
    if let ([Value::Unknown(by)], TypeKind::Sensitive(_), None) =
        (&arguments[..], it.resolved().kind(), call.block)
        && by.bytes().is_none()
    {
        return Ok(Value::Unknown(by.typed(it.clone())));
    }
    if let [only] = &mut arguments[..]
        && !makes
        && instance_of(call.dialect(), &it, only)
    {
        return Ok(std::mem::replace(only, Value::Undef));
    }
    let value = call.interpreter.new_value(&it, &arguments)?;
    if call.block.is_some() { call.call_block(&[value]) } else { Ok(value) }
}
