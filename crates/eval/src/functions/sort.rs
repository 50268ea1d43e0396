use std::cmp::Ordering;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `sort`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "sort",
    doc: "Sorts the elements of an array, or the characters of a string: `sort([3, 1, 2])` is `[1, 2, 3]`.\n\n\
          Numbers are ordered by value, strings by their bytes, arrays by their elements; values without an order are an error. A \
          lambda takes two elements and returns a number, which is negative if the first comes first: `compare` does so. The \
          order of equal elements is kept.",
    result: ResultType::Elements,
    overloads: &[
        Overload {
            parameters: "String $string_value",
            block: Some("Optional[Callable[2, 2]]"),
            returns: None,
            body: Body::Run(characters),
        },
        Overload {
            parameters: "Array $array_value",
            block: Some("Optional[Callable[2, 2]]"),
            returns: None,
            body: Body::Run(elements),
        },
    ],
    ..Builtin::base()
};

fn characters(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let text = call.take(0);
    let mut buffer = [0; 4];
    let characters =
        text.as_str().unwrap_or_default().chars().map(|it| Value::from(&*it.encode_utf8(&mut buffer)));
    let sorted = sort(call, characters.collect())?;
    let text: String = sorted.iter().filter_map(Value::as_str).collect();
    Ok(Value::String(text.into()))
}

fn elements(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Array(elements) = call.take(0) else { return Ok(Value::Undef) };
    Ok(Value::Array(sort(call, elements.to_vec())?.into()))
}

/// Merge sort. Unlike a library's sort, it tolerates any answer of a lambda, and compares the same pairs as the
/// reference.
fn sort(call: &mut Call<'_, '_, '_>, mut left: Vec<Value>) -> Evaluated<Vec<Value>> {
    if left.len() < 2 {
        return Ok(left);
    }
    let right = left.split_off(left.len() / 2);
    let (left, right) = (sort(call, left)?, sort(call, right)?);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let first = if call.order(a, b)? == Ordering::Greater { right.next() } else { left.next() };
        merged.extend(first);
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
