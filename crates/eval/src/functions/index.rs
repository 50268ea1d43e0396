use marotte_pcore::relation::same;
use marotte_pcore::value::Value;

use super::iteration::{Arity, Flow, OnBreak, position};
use super::{Body, Builtin, Call, LambdaArguments, Overload};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `index`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "index",
    doc: "The index of the first element, or the key of the first entry of a hash, that equals a value or for which a lambda \
          returns a true value: `[a, b].index(b)` is `1`. `undef` if there is none.\n\n\
          In a string, the function searches for a string or regular expression, and the index counts characters. Strings are \
          compared exactly. A lambda with one parameter takes the element, or the value of a hash's entry; one with two takes \
          index and element, or key and value.",
    lambda: LambdaArguments::ValuesOrPairs,
    overloads: &[
        Overload {
            parameters: "Hash[Any, Any] $hash",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(|call| by_lambda(call, Arity::Two)),
        },
        Overload {
            parameters: "Hash[Any, Any] $hash",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(|call| by_lambda(call, Arity::One)),
        },
        Overload {
            parameters: "Iterable $enumerable",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(|call| by_lambda(call, Arity::Two)),
        },
        Overload {
            parameters: "Iterable $enumerable",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(|call| by_lambda(call, Arity::One)),
        },
        Overload {
            parameters: "String $str, Variant[String, Regexp] $match",
            block: None,
            returns: None,
            body: Body::Run(in_string),
        },
        Overload {
            parameters: "Iterable $enumerable, Any $match",
            block: None,
            returns: None,
            body: Body::Run(by_value),
        },
    ],
    ..Builtin::base()
};

fn by_lambda(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let subject = call.take(0);
    let mut found = Value::Undef;
    let result = call.each_element(&subject, |call, element| {
        let value = match arity {
            Arity::One => call.call_block(&[element.value().clone()]),
            Arity::Two => {
                let (first, second) = element.two();
                call.call_block(&[first, second])
            }
        }?;
        if call.is_true(value)? {
            found = element.key();
            return Ok(Flow::Stop);
        }
        Ok(Flow::Continue)
    });
    match result {
        Err(Unwind::Break(_)) if OnBreak::EndIntegers.ends(&subject) => Ok(Value::Undef),
        result => result.map(|()| found),
    }
}

fn in_string(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let text = call.text(0);
    let found = match call.argument(1) {
        Value::Regexp(pattern) => match pattern.captures(text) {
            Ok(captures) => captures.map(|it| it.range().start),
            Err(error) => return call.fail(error.to_string()),
        },
        wanted => text.find(wanted.as_str().unwrap_or_default()),
    };
    Ok(found.and_then(|at| text.get(..at)).map_or(Value::Undef, |before| position(before.chars().count())))
}

fn by_value(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let (subject, wanted) = (call.take(0), call.take(1));
    let mut found = Value::Undef;
    call.each_element(&subject, |_, element| {
        if same(element.value(), &wanted) {
            found = element.key();
            return Ok(Flow::Stop);
        }
        Ok(Flow::Continue)
    })?;
    Ok(found)
}
