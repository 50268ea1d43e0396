use marotte_pcore::format::plain_text;
use marotte_pcore::print::short_in;
use marotte_pcore::value::{Array, Value};

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `join`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "join",
    doc: "Joins the texts of an array's elements into one string: `join([a, b], ', ')` is `'a, b'`.\n\n\
          Nested arrays are joined in the same way, `undef` is empty, and a hash is written in the notation of Ruby: \
          `{\"a\"=>1}`.",
    result: ResultType::Is("String"),
    overloads: &[Overload {
        parameters: "Array $arg, String $delimiter = ''",
        block: None,
        returns: None,
        body: Body::Run(join),
    }],
    ..Builtin::base()
};

fn join(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let (array, delimiter) = (call.take(0), call.take(1));
    let Value::Array(elements) = array else { return Ok(Value::from("")) };
    let delimiter = delimiter.as_str().unwrap_or_default();
    let mut joined = String::new();
    // The arrays being traversed, each with the index of its next element. An empty one yields an empty string.
    let mut open: Vec<(Array, usize)> = vec![(elements, 0)];
    while let Some((elements, at)) = open.last_mut() {
        let Some(element) = elements.get(*at) else {
            open.pop();
            continue;
        };
        if *at > 0 {
            joined.push_str(delimiter);
        }
        *at += 1;
        match element {
            Value::Array(inner) => {
                let inner = inner.clone();
                open.push((inner, 0));
            }
            Value::String(text) => joined.push_str(text),
            Value::Type(it) => joined.push_str(&short_in(call.dialect(), it)),
            other => match plain_text(call.dialect(), other) {
                Ok(text) => joined.push_str(&text),
                Err(error) => return call.fail(error.to_string()),
            },
        }
        call.interpreter.check_size(call.env, call.at, joined.len())?;
    }
    Ok(Value::String(joined.into()))
}
