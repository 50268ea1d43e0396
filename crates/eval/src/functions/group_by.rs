use std::sync::Arc;

use indexmap::IndexMap;
use marotte_pcore::value::{Hash, Value};

use super::iteration::{Arity, Flow, OnBreak, dividing_overloads};
use super::{Builtin, Call, LambdaArguments, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `group_by`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "group_by",
    doc: "Groups elements by the value that a lambda returns for them: `[pear, fig, kiwi].group_by |$x| { $x.length }` is `{4 \
          => [pear, kiwi], 3 => [fig]}`.\n\n\
          Entries of a hash are `[key, value]`. With two parameters, the lambda takes index and element, or key and value of a \
          hash.",
    result: ResultType::Is("Hash"),
    lambda: LambdaArguments::Elements,
    unknowns: Unknowns::Parts,
    overloads: &dividing_overloads(
        "Hash",
        |call| group_by(call, Arity::One),
        |call| group_by(call, Arity::Two),
    ),
    ..Builtin::base()
};

fn group_by(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let mut groups: IndexMap<Value, Vec<Value>> = IndexMap::new();
    call.iterate(arity, OnBreak::Fail, |call, element, value| {
        groups.entry(call.decided(value)?).or_default().push(element.one());
        Ok(Flow::Continue)
    })?;
    let groups = groups.into_iter().map(|(key, elements)| (key, Value::Array(elements.into())));
    Ok(Value::Hash(Arc::new(groups.collect::<Hash>())))
}
