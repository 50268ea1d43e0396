//! Methods of `Hash` that make other hashes and arrays of its entries.

use std::rc::Rc;

use super::{copy, copy_with_default, store, stored};
use crate::builtins::enumerable::{Flow, each_pair, to_pair};
use crate::builtins::support::{block_or_enumerator, charge, enumerator, hash_argument, this_hash};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::Result;
use crate::value::{HashObject, Proc};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("select", 0, |vm, call| filtered(vm, call, true)),
    exactly("filter", 0, |vm, call| filtered(vm, call, true)),
    exactly("reject", 0, |vm, call| filtered(vm, call, false)),
    exactly("compact", 0, |vm, call| {
        let copy = copy_with_default(vm, &*this_hash(call)?)?;
        copy.change(|entries| entries.retain(|_, value| !value.is_nil()));
        Ok(Value::Hash(copy))
    }),
    at_least("slice", 0, |vm, call| {
        let (hash, slice) = (this_hash(call)?, Rc::new(HashObject::default()));
        for key in call.arguments {
            if let Some(value) = stored(vm, &hash, key)? {
                store(vm, &slice, key.clone(), value)?;
            }
        }
        Ok(Value::Hash(slice))
    }),
    at_least("except", 0, |vm, call| {
        let copy = copy(vm, &*this_hash(call)?)?;
        for key in call.arguments {
            if stored(vm, &copy, key)?.is_some() {
                vm.world.spend(copy.len() / 16)?;
                copy.remove(key);
            }
        }
        Ok(Value::Hash(copy))
    }),
    exactly("invert", 0, |vm, call| {
        let inverted = Rc::new(HashObject::default());
        for (key, value) in this_hash(call)?.snapshot() {
            store(vm, &inverted, value, key)?;
        }
        Ok(Value::Hash(inverted))
    }),
    exactly("transform_values", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        let made = Rc::new(HashObject::default());
        each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
            let value = vm.yield_to(&block, &[value])?;
            store(vm, &made, key, value)?;
            Ok(Flow::More)
        })?;
        Ok(Value::Hash(made))
    }),
    between("transform_keys", 0, 1, |vm, call| {
        let names = match (call.argument(0), call.block) {
            (None, None) => return enumerator(vm, call),
            (None, Some(_)) => None,
            (Some(names), _) => Some(hash_argument(vm, names)?),
        };
        let made = Rc::new(HashObject::default());
        each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
            let key = new_key(vm, names.as_ref(), call.block, &key)?;
            store(vm, &made, key, value)?;
            Ok(Flow::More)
        })?;
        Ok(Value::Hash(made))
    }),
    exactly("to_h", 0, |vm, call| {
        let Some(block) = call.block else { return Ok(call.this.clone()) };
        let made = Rc::new(HashObject::default());
        each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
            let pair = vm.yield_to(block, &[key, value])?;
            let (key, value) = to_pair(vm, &pair)?;
            store(vm, &made, key, value)?;
            Ok(Flow::More)
        })?;
        Ok(Value::Hash(made))
    }),
    between("flatten", 0, 1, flatten),
];

/// The key that `transform_keys` gives an entry.
pub(super) fn new_key(
    vm: &mut Vm<'_>,
    names: Option<&Rc<HashObject>>,
    block: Option<&Rc<Proc>>,
    key: &Value,
) -> Result {
    if let Some(names) = names
        && let Some(name) = stored(vm, names, key)?
    {
        return Ok(name);
    }
    match block {
        Some(block) => vm.yield_to(block, std::slice::from_ref(key)),
        None => Ok(key.clone()),
    }
}

fn filtered(vm: &mut Vm<'_>, call: &Call<'_>, wanted: bool) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let made = Rc::new(HashObject::default());
    each_pair(vm, &this_hash(call)?, &mut |vm, key, value| {
        if vm.yield_to(&block, &[key.clone(), value.clone()])?.is_truthy() == wanted {
            store(vm, &made, key, value)?;
        }
        Ok(Flow::More)
    })?;
    Ok(Value::Hash(made))
}

fn flatten(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let hash = this_hash(call)?;
    let level = match call.argument(0) {
        None => 1,
        Some(level) => vm.expect_integer(level)?,
    };
    charge(vm, hash.len() * 4)?;
    let entries = hash.snapshot().into_iter();
    if level == 0 {
        return Ok(Value::array(entries.map(|(key, value)| Value::array(vec![key, value])).collect()));
    }
    let flat = Value::array(entries.flat_map(|(key, value)| [key, value]).collect());
    match level {
        1 => Ok(flat),
        level if level > 1 => vm.call(&flat, "flatten", &[Value::Integer(level - 1)]),
        _ => vm.call(&flat, "flatten", &[]),
    }
}
