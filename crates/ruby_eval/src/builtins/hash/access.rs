//! Methods of `Hash` that read entries.

use std::rc::Rc;

use super::{default, lookup, stored};
use crate::builtins::array::dig_into;
use crate::builtins::enumerable::{Flow, each_pair};
use crate::builtins::support::{block_or_enumerator, charge, this_hash};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::Result;
use crate::value::Proc;
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("[]", 1, |vm, call| lookup(vm, &this_hash(call)?, call.required(0))),
    between("fetch", 1, 2, fetch),
    at_least("fetch_values", 0, fetch_values),
    at_least("values_at", 0, values_at),
    at_least("dig", 1, |vm, call| {
        let found = lookup(vm, &this_hash(call)?, call.required(0))?;
        dig_into(vm, found, &call.arguments[1..])
    }),
    exactly("key?", 1, has_key),
    exactly("has_key?", 1, has_key),
    exactly("include?", 1, has_key),
    exactly("member?", 1, has_key),
    exactly("value?", 1, |vm, call| Ok(Value::Bool(entry_of(vm, call)?.is_some()))),
    exactly("has_value?", 1, |vm, call| Ok(Value::Bool(entry_of(vm, call)?.is_some()))),
    exactly("key", 1, |vm, call| Ok(entry_of(vm, call)?.map_or(Value::Nil, |(key, _)| key))),
    exactly("rassoc", 1, |vm, call| {
        Ok(entry_of(vm, call)?.map_or(Value::Nil, |(key, value)| Value::array(vec![key, value])))
    }),
    exactly("assoc", 1, assoc),
    exactly("keys", 0, |vm, call| {
        let hash = this_hash(call)?;
        charge(vm, hash.len())?;
        Ok(Value::array(hash.keys()))
    }),
    exactly("values", 0, |vm, call| {
        let hash = this_hash(call)?;
        charge(vm, hash.len())?;
        Ok(Value::array(hash.values()))
    }),
    exactly("length", 0, length),
    exactly("size", 0, length),
    exactly("empty?", 0, |_, call| Ok(Value::Bool(this_hash(call)?.is_empty()))),
    exactly("each", 0, each),
    exactly("each_pair", 0, each),
    exactly("each_key", 0, |vm, call| each_one(vm, call, |key, _| key)),
    exactly("each_value", 0, |vm, call| each_one(vm, call, |_, value| value)),
    exactly("to_hash", 0, |_, call| Ok(call.this.clone())),
    exactly("to_a", 0, |vm, call| {
        let hash = this_hash(call)?;
        charge(vm, hash.len() * 4)?;
        let pairs = hash.snapshot().into_iter().map(|(key, value)| Value::array(vec![key, value]));
        Ok(Value::array(pairs.collect()))
    }),
    exactly("to_proc", 0, |_, call| {
        let hash = this_hash(call)?;
        Ok(Value::Proc(Proc::native(move |vm, arguments| match arguments {
            [key] => lookup(vm, &hash, key),
            other => {
                let given = other.len();
                vm.argument_error(format!("wrong number of arguments (given {given}, expected 1)"))
            }
        })))
    }),
    between("default", 0, 1, |vm, call| {
        let hash = this_hash(call)?;
        match (call.argument(0), hash.default_proc()) {
            (Some(key), Some(_)) => default(vm, &hash, key),
            (None, Some(_)) => Ok(Value::Nil),
            (_, None) => Ok(hash.default_value().unwrap_or(Value::Nil)),
        }
    }),
    exactly("default_proc", 0, |_, call| Ok(this_hash(call)?.default_proc().map_or(Value::Nil, Value::Proc))),
    exactly("compare_by_identity?", 0, |_, _| Ok(Value::Bool(false))),
    exactly("deconstruct_keys", 1, |_, call| Ok(call.this.clone())),
];

fn length(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Integer(i64::try_from(this_hash(call)?.len()).unwrap_or(i64::MAX)))
}

fn has_key(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(stored(vm, &*this_hash(call)?, call.required(0))?.is_some()))
}

fn fetch(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let key = call.required(0);
    if let Some(value) = stored(vm, &*this_hash(call)?, key)? {
        return Ok(value);
    }
    match (call.block, call.argument(1)) {
        (Some(block), _) => vm.yield_to(block, std::slice::from_ref(key)),
        (None, Some(otherwise)) => Ok(otherwise.clone()),
        (None, None) => missing(vm, key),
    }
}

fn missing<T>(vm: &mut Vm<'_>, key: &Value) -> Result<T> {
    let key = vm.inspect(key)?;
    vm.raise(ErrorClass::Key, format!("key not found: {key}"))
}

fn fetch_values(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = this_hash(call)?;
    let mut values = Vec::new();
    for key in call.arguments {
        values.push(match (stored(vm, &hash, key)?, call.block) {
            (Some(value), _) => value,
            (None, Some(block)) => vm.yield_to(block, std::slice::from_ref(key))?,
            (None, None) => return missing(vm, key),
        });
    }
    Ok(Value::array(values))
}

fn values_at(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = this_hash(call)?;
    let values: Result<Vec<Value>> = call.arguments.iter().map(|key| lookup(vm, &hash, key)).collect();
    Ok(Value::array(values?))
}

/// The first entry that has a value.
fn entry_of(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<(Value, Value)>> {
    let mut found = None;
    each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
        if !vm.equal(&value, call.required(0))? {
            return Ok(Flow::More);
        }
        found = Some((key, value));
        Ok(Flow::Enough)
    })?;
    Ok(found)
}

fn assoc(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = this_hash(call)?;
    let key = call.required(0);
    if stored(vm, &hash, key)?.is_none() {
        return Ok(Value::Nil);
    }
    let entries = hash.entries();
    let entry = entries.get_key_value(&crate::value::Key::new(key));
    Ok(entry.map_or(Value::Nil, |(key, value)| Value::array(vec![key.value().clone(), value.clone()])))
}

fn each(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
        vm.world.allocate(32)?;
        vm.yield_to(&block, &[Value::array(vec![key, value])])?;
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}

fn each_one(vm: &mut Vm<'_>, call: &Call<'_>, side: fn(Value, Value) -> Value) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
        vm.yield_to(&block, &[side(key, value)])?;
        Ok(Flow::More)
    })?;
    Ok(call.this.clone())
}
