use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Object, Sensitive, Value};

use super::{Body, Builtin, Call, Effects, Names, Overload, Unknowns};
use crate::Unwind;
use crate::interpreter::{Block, Evaluated, with_stack};

/// `call`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "call",
    doc: "Calls a function by its name: `call('join', [a, b], '-')`.\n\n\
          The arguments after the name, and the lambda, are passed to the function. A `Deferred` is called with its own \
          arguments, after the deferred values in these have been resolved; if its name starts with `$`, it is the name of a \
          variable.",
    effects: Effects::ControlFlow,
    names: Some(Names::Function),
    evaluates_code: true,
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: "String $function_name, Any *$arguments",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Run(by_name),
        },
        Overload {
            parameters: "Deferred $deferred",
            block: None,
            returns: None,
            body: Body::Run(|call| {
                let deferred = call.take(0);
                resolve(call, &deferred, 0)
            }),
        },
    ],
    ..Builtin::base()
};

fn by_name(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let name = call.take(0);
    let arguments = call.arguments.split_off(1);
    let block = call.block;
    call_known(call, name.as_str().unwrap_or_default(), arguments, block)
}

/// Calls a function, whose name is used in lower case.
fn call_known<'e>(
    call: &mut Call<'_, '_, 'e>,
    name: &str,
    arguments: Vec<Value>,
    block: Option<&Block<'e>>,
) -> Evaluated {
    let lower = name.to_lowercase();
    if name.is_empty() || call.interpreter.function(call.env, call.at, &lower)?.is_none() {
        return call.fail(format!("Unknown function '{name}'"));
    }
    // `next` and `return` end this call, whatever code executes them.
    match call.call_function(&lower, arguments, block) {
        Err(Unwind::Next(it) | Unwind::Return(it)) => Ok(it.0),
        result => result,
    }
}

/// Resolves all deferred values in a value by calling them.
fn resolve(call: &mut Call<'_, '_, '_>, value: &Value, depth: usize) -> Evaluated {
    let limit = call.interpreter.settings.limits.call_depth;
    if depth > limit {
        return call.fail(format!("a value is nested more than {limit} levels deep"));
    }
    let within = |call: &mut Call<'_, '_, '_>, value: &Value| with_stack(|| resolve(call, value, depth + 1));
    match value {
        Value::Object(object) if is_deferred(object) => {
            let name = object.attribute("name").and_then(Value::as_str).unwrap_or_default();
            let mut arguments = match object.attribute("arguments") {
                Some(Value::Array(given)) => {
                    given.iter().map(|it| within(call, it)).collect::<Evaluated<Vec<_>>>()?
                }
                _ => Vec::new(),
            };
            match name.strip_prefix('$') {
                Some(variable) => {
                    let found = call.interpreter.find_variable_or_unknown(call.env, variable);
                    let Some(value) = found else {
                        return call.fail(format!("Undefined variable '{variable}'; "));
                    };
                    arguments.insert(0, value);
                    call.call_function("dig", arguments, None)
                }
                None => call_known(call, name, arguments, None),
            }
        }
        Value::Array(elements) => {
            let resolved = elements.iter().map(|it| within(call, it)).collect::<Evaluated<Vec<_>>>()?;
            Ok(Value::Array(resolved.into()))
        }
        Value::Hash(entries) => {
            let resolve = |(key, value): (&Value, &Value)| Ok((key.clone(), within(call, value)?));
            let resolved = entries.iter().map(resolve).collect::<Evaluated<Hash>>()?;
            Ok(Value::Hash(resolved.into()))
        }
        Value::Sensitive(hidden) => Ok(Value::Sensitive(Sensitive::new(within(call, hidden.unwrap())?))),
        Value::Binary(binary) => Ok(Value::from(&*binary.to_base64())),
        value => Ok(value.clone()),
    }
}

fn is_deferred(object: &Object) -> bool {
    matches!(object.object_type.resolved().kind(), TypeKind::Object(Some(it)) if it.name == "Deferred")
}
