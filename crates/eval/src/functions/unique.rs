use std::collections::HashSet;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use marotte_pcore::value::{Hash, Value};

use super::iteration::{Flow, OnBreak};
use super::{Body, Builtin, Call, LambdaArguments, Overload, ResultType};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `unique`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "unique",
    doc: "Removes duplicates: `[1, 2, 1].unique` is `[1, 2]`, `'hello'.unique` is `'helo'`.\n\n\
          Values are compared exactly: `1` is not `1.0`, `a` is not `A`. With a lambda, its results are compared. For a hash, the \
          values are compared: the result has an array of keys for each array of equal values.",
    result: ResultType::Elements,
    lambda: LambdaArguments::Elements,
    overloads: &[
        Overload {
            parameters: "String $string",
            block: Some("Optional[Callable[String]]"),
            returns: None,
            body: Body::Run(in_string),
        },
        Overload {
            parameters: "Hash $hash",
            block: Some("Optional[Callable[Any]]"),
            returns: None,
            body: Body::Run(in_hash),
        },
        Overload {
            parameters: "Array $array",
            block: Some("Optional[Callable[Any]]"),
            returns: None,
            body: Body::Run(|call| Ok(Value::Array(unique(call)?.into()))),
        },
        Overload {
            parameters: "Iterable $iterable",
            block: Some("Optional[Callable[Any]]"),
            returns: None,
            body: Body::Run(|call| Ok(Value::Array(unique(call)?.into()))),
        },
    ],
    ..Builtin::base()
};

/// The steps for looking up and adding an element.
const INSERTION: u64 = 10;

/// Returns the first of each group of equal elements.
fn unique(call: &mut Call<'_, '_, '_>) -> Evaluated<Vec<Value>> {
    let subject = call.take(0);
    let (mut seen, mut kept) = (HashSet::new(), Vec::new());
    let result = call.each_element(&subject, |call, element| {
        let element = element.one();
        let key = key(call, &element)?;
        call.interpreter.spend(INSERTION)?;
        call.interpreter.spend_walk(&key, 1)?;
        if seen.insert(key) {
            call.check_room(kept.len())?;
            kept.push(element);
        }
        Ok(Flow::Continue)
    });
    match result {
        Err(Unwind::Break(_)) if OnBreak::EndIntegers.ends(&subject) => Ok(kept),
        result => result.map(|()| kept),
    }
}

/// The key by which elements are compared.
fn key(call: &mut Call<'_, '_, '_>, value: &Value) -> Evaluated {
    match call.block {
        Some(_) => {
            let key = call.call_block(std::slice::from_ref(value))?;
            call.decided(key)
        }
        None => Ok(value.clone()),
    }
}

fn in_string(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let kept = unique(call)?;
    let text: String = kept.iter().filter_map(Value::as_str).collect();
    Ok(Value::String(text.into()))
}

fn in_hash(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Hash(hash) = call.take(0) else { return Ok(Value::Undef) };
    let mut groups: IndexMap<Value, (Vec<Value>, IndexSet<Value>)> = IndexMap::new();
    for (name, value) in hash.iter() {
        let key = key(call, value)?;
        let (keys, values) = groups.entry(key).or_default();
        keys.push(name.clone());
        values.insert(value.clone());
    }
    let groups = groups
        .into_values()
        .map(|(keys, values)| (Value::Array(keys.into()), Value::Array(values.into_iter().collect())));
    Ok(Value::Hash(Arc::new(groups.collect::<Hash>())))
}
