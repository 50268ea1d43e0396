use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};

use super::iteration::{Arity, Flow, OnBreak, overloads};
use super::{Builtin, Call, LambdaArguments, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `filter`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "filter",
    doc: "Returns the elements for which a lambda returns a true value: `[1, 2, 3].filter |$x| { $x > 1 }` is `[2, 3]`.\n\n\
          The result is a hash for a hash, and an array for all other collections. With two parameters, the lambda takes index \
          and element, or key and value of a hash. `break()` ends the iteration, but not over a hash.",
    result: ResultType::Selected,
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &overloads(|call| filter(call, Arity::One), |call| filter(call, Arity::Two)),
    ..Builtin::base()
};

fn filter(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let is_hash = matches!(call.argument(0), Value::Hash(_));
    if is_hash || arity == Arity::Two && call.has_entries() {
        return filter_entries(call, arity, if is_hash { OnBreak::Fail } else { OnBreak::End });
    }
    let mut kept = Vec::new();
    call.iterate(arity, OnBreak::End, |call, element, value| {
        if call.is_true(value)? {
            call.check_room(kept.len())?;
            kept.push(element.one());
        }
        Ok(Flow::Continue)
    })?;
    Ok(Value::Array(kept.into()))
}

fn filter_entries(call: &mut Call<'_, '_, '_>, arity: Arity, on_break: OnBreak) -> Evaluated {
    let mut kept = Hash::default();
    call.iterate(arity, on_break, |call, element, value| {
        if call.is_true(value)? {
            kept.insert(element.key(), element.value().clone());
        }
        Ok(Flow::Continue)
    })?;
    Ok(Value::Hash(Arc::new(kept)))
}
