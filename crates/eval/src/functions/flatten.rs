use marotte_pcore::value::{Array, Value};

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `flatten`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "flatten",
    doc: "Makes one array of all arguments, and of what is in arrays among them, however deep: `flatten(1, [2, [3]])` is `[1, 2, \
          3]`. Hashes stay as they are.",
    result: ResultType::Is("Array"),
    overloads: &[Overload { parameters: "Any *$args", block: None, returns: None, body: Body::Run(flatten) }],
    ..Builtin::base()
};

fn flatten(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let mut flat = Vec::new();
    // The arrays being traversed, each with the index of its next element.
    let mut open: Vec<(Array, usize)> = vec![(std::mem::take(&mut call.arguments).into(), 0)];
    while let Some((elements, at)) = open.last_mut() {
        let Some(element) = elements.get(*at) else {
            open.pop();
            continue;
        };
        *at += 1;
        match element {
            Value::Array(inner) => {
                let inner = inner.clone();
                open.push((inner, 0));
            }
            element => {
                call.check_room(flat.len())?;
                flat.push(element.clone());
            }
        }
    }
    Ok(Value::Array(flat.into()))
}
