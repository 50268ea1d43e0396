use marotte_pcore::iterate::{TreeOptions, tree};
use marotte_pcore::value::Value;

use super::iteration::{Arity, Flow};
use super::{Body, Builtin, Call, Overload};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `tree_each`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "tree_each",
    doc: "Iterates recursively over an array, hash or object, and all values in it.\n\n\
          A lambda with two parameters takes the path, an array of keys and indices, and the value; one with a single parameter \
          takes only the value. Without a lambda, the result is an iterator over `[path, value]`. The options select the values \
          to visit (`include_root`, `include_containers`, `include_values`, `include_refs`), the containers to descend into \
          (`container_type`), and the `order`.",
    types: "type OptionsType = Struct[{container_type => Optional[Type], include_root => Optional[Boolean], \
            include_containers => Optional[Boolean], include_values => Optional[Boolean], \
            order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]",
    overloads: &[
        Overload {
            parameters: "Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = {}",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(|call| walk(call, Arity::Two)),
        },
        Overload {
            parameters: "Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = {}",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(|call| walk(call, Arity::One)),
        },
        Overload {
            parameters: "Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = {}",
            block: None,
            returns: None,
            body: Body::Run(iterator),
        },
    ],
    ..Builtin::base()
};

fn iterator(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let options = match call.argument(1) {
        Value::Hash(options) => TreeOptions::from_hash(options),
        _ => TreeOptions::default(),
    };
    match tree(call.dialect(), call.argument(0).clone(), &options) {
        Ok(iterator) => Ok(Value::Iterator(iterator)),
        Err(error) => call.fail(error.to_string()),
    }
}

fn walk(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let iterator = iterator(call)?;
    let result = call.each_element(&iterator, |call, element| {
        match (element.value(), arity) {
            (Value::Array(pair), Arity::Two) => call.call_block(pair)?,
            (Value::Array(pair), Arity::One) => call.call_block(pair.get(1..).unwrap_or_default())?,
            _ => Value::Undef,
        };
        Ok(Flow::Continue)
    });
    match result {
        Ok(()) | Err(Unwind::Break(_)) => Ok(call.take(0)),
        Err(error) => Err(error),
    }
}
