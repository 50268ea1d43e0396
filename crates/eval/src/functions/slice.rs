use marotte_pcore::value::Value;

use super::iteration::Flow;
use super::{Body, Builtin, Call, Overload, Unknowns};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `slice`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "slice",
    doc: "Splits the elements into groups of a given size: `[1, 2, 3].slice(2)` is `[[1, 2], [3]]`.\n\n\
          A lambda with one parameter takes a group; one with as many parameters as the size takes the elements of a group. \
          Missing elements of the last group are `undef`, or `[]` for a hash. With a lambda, the result is the first argument.",
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: "Hash[Any, Any] $hash, Integer[1, default] $slice_size",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Run(|call| slice(call, &Value::Array([].into()))),
        },
        Overload {
            parameters: "Iterable $enumerable, Integer[1, default] $slice_size",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Run(|call| slice(call, &Value::Undef)),
        },
    ],
    ..Builtin::base()
};

fn slice(call: &mut Call<'_, '_, '_>, filler: &Value) -> Evaluated {
    let subject = call.take(0);
    let size = match call.argument(1) {
        Value::Integer(size) => size.to_i64().and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX),
        _ => 1,
    };
    let taken = match call.block {
        None => Taken::Group,
        Some(block) => match (block.fixed_arity(), size) {
            (Some(0), _) => {
                return call.fail("slice(): block must define at least one parameter. Block has 0.");
            }
            (Some(1), _) | (None, 1) => Taken::Group,
            (None, _) => Taken::Each,
            (Some(arity), size) if arity == size => Taken::Each,
            (Some(arity), _) => {
                let names: Vec<_> = block.parameter_names().collect();
                return call.fail(format!(
                    "slice(): block must define one parameter, or the same number of parameters as the given size of the \
                     slice ({size}). Block has {arity}; {}",
                    names.join(", ")
                ));
            }
        },
    };
    let mut groups = Vec::new();
    let mut group = Vec::new();
    let mut give = |call: &mut Call<'_, '_, '_>, mut group: Vec<Value>| -> Evaluated<()> {
        if call.block.is_none() {
            call.check_room(groups.len())?;
            groups.push(Value::Array(group.into()));
        } else if taken == Taken::Group {
            call.call_block(&[Value::Array(group.into())])?;
        } else {
            call.check_room(size.saturating_sub(1))?;
            group.resize(size, filler.clone());
            call.call_block(&group)?;
        }
        Ok(())
    };
    let mut result = call.each_element(&subject, |call, element| {
        call.check_room(group.len())?;
        group.push(element.one());
        if group.len() == size {
            give(call, std::mem::take(&mut group))?;
        }
        Ok(Flow::Continue)
    });
    if result.is_ok() && !group.is_empty() {
        result = give(call, group);
    }
    match result {
        Ok(()) | Err(Unwind::Break(_)) => {}
        Err(error) => return Err(error),
    }
    Ok(if call.block.is_some() { subject } else { Value::Array(groups.into()) })
}

/// The way in which a lambda takes a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Passes the elements as one array.
    Group,
    /// Passes each element as a separate argument.
    Each,
}
